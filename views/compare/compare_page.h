#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"

class QAction;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QTabWidget;

namespace iosx {

class CanvasPair;
class CompareTable;
class ComparisonChart;
class DistributionView;
class PartMatrixModel;
class StageDifferenceFilter;
class StageDifferenceModel;
class StatisticsModel;

// The comparison page has three sections below its head: timelines; bars, matrix and tables; the two canvases.
// Heights are pixels and add up to the room for all of them.
enum class CompareSection { kTimelines, kDetails, kGraphs };
inline constexpr std::size_t kCompareSections = static_cast<std::size_t>(CompareSection::kGraphs) + 1;
using SectionHeights = std::array<int, kCompareSections>;
// The user's division of the room; 0: collapsed.
using SectionShares = std::array<double, kCompareSections>;

// Returns the initial heights: timelines and details have their preferred size, while the canvases keep the
// largest share. In a low room the details have only their tabs, so that timelines and graphs are of use. An `absent`
// section has none.
SectionHeights first_heights(int room, int timelines, int details, int tabs, bool absent_timelines = false);
// Returns the heights of a choice; the last open section takes the rounding. Without any open one it is no choice:
// use first_heights().
SectionHeights chosen_heights(int room, const SectionShares& shares);
// Returns the choice of these heights; all zero where their sum is zero.
SectionShares shares_of(const SectionHeights& heights);
// Collapses a section, or opens it at its initial share; the last open one stays.
SectionShares with_section(SectionShares shares, CompareSection section, bool open);

// The figures of the page.
enum class ComparedFigure { kBars, kMatrix, kStages, kStatistics, kDistribution };

// Compares schedules of one or several runs with a baseline: one sentence; the timelines of both; bars with spread,
// parts × schedules, and the baseline (A) against another one (B) stage by stage; and both on two canvases. The
// selection is common to all. Everything fits the window: its sections share the height, and each can be collapsed.
class ComparePage final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ComparePage)

 public:
  explicit ComparePage(SelectionModel* selection, QWidget* parent = nullptr);  // must outlive it
  ~ComparePage() override;

  // Sets the compared subjects, in display order; all are valid(). If any label is empty, all are generated. `b`
  // becomes B, if it is not the baseline; none: the previous B, if still present, or else the fastest.
  void setSubjects(std::vector<Subject> subjects, std::size_t baseline, std::optional<std::size_t> b = {});
  // Sets additional bars, which stay until the next call.
  void setExternal(std::vector<LatencyBar> bars);
  // Sets the graph of the units in the selection model; null: the baseline's.
  void setSelectionGraph(std::shared_ptr<const Graph> graph);
  // Puts the timeline directly below the sentence; the page owns it from then on. It should have an accessible
  // name.
  void setTimeline(QWidget* timeline);
  // Adds a button to the page's head.
  void addHeadAction(QAction* action);

  // The user's division of the room; arranged() reports a change. An invalid arrangement has no effect.
  QByteArray arrangement() const;
  void setArrangement(const QByteArray& arrangement);
  void resetArrangement();
  // A collapsed section has no height; at least one is open.
  bool sectionShown(CompareSection section) const;
  void setSectionShown(CompareSection section, bool shown);  // by the user

  // Choices by the user or the program; the signals below follow. An unknown subject has no effect.
  void chooseBaseline(std::size_t subject);
  void chooseSubject(std::size_t subject);  // as B; not the baseline

  const RunMatrix* runs() const { return runs_.get(); }  // null: no comparison
  const StagePair* pair() const { return pair_.get(); }  // null: no B
  std::optional<std::size_t> subjectB() const { return b_; }
  QString sentence() const;

  std::unique_ptr<Figure> figure(ComparedFigure figure) const;  // null where there is none

  const PartMatrixModel& matrix() const { return *matrix_; }
  // Returns the stages of a row of the table in its current order and filter.
  const StageRow& stagesOf(const QModelIndex& index) const;

  // For tests and for the window's layout.
  ComparisonChart* chart() const { return chart_; }
  CompareTable* matrixTable() const { return matrix_table_; }
  CompareTable* stagesTable() const { return stages_table_; }
  CompareTable* statisticsTable() const { return statistics_table_; }
  DistributionView* distribution() const { return distribution_; }
  CanvasPair* canvases() const { return canvases_; }
  QSplitter* sections() const { return sections_; }  // in the order of CompareSection

  QSize sizeHint() const override { return {1200, 900}; }
  QSize minimumSizeHint() const override { return {520, 320}; }

 signals:
  void baselineChosen(int subject);
  void subjectChosen(int subject);
  void arranged();  // by the user

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeHead();
  void makeSectionsMenu();
  QWidget* makeOverview();
  QWidget* makeTables();
  void connectSelections();
  void showRuns();
  void showRunsOfB();  // what depends on B
  void showWords();
  void speakOfB();
  void showPair();
  void showBars();
  void showStatistics();
  std::vector<LatencyBar> bars() const;  // of the comparison, and the additional ones
  void fillBoxes();
  void matchSelectionGraph();
  void takeSelection(const Selection& selection);  // from the window
  void giveSelection(const Selection& selection);  // of canvas A to the window
  void selectUnitsOfRows();
  void selectUnitsOfParts();
  void showSelectedRows();
  void shareOverview();
  void shareHeight();
  void openDetails();   // where only their tabs are shown
  void showSections();  // in the menu

  SelectionModel* selection_;
  std::shared_ptr<const RunMatrix> runs_;
  std::shared_ptr<const StagePair> pair_;
  std::optional<std::size_t> b_;
  std::vector<LatencyBar> external_;
  std::shared_ptr<const Graph> selection_graph_;
  // Match the units of the selection model's graph with the baseline's; unused with same_units_.
  std::vector<UnitId> to_a_;
  std::vector<UnitId> from_a_;
  bool same_units_ = true;
  bool selecting_ = false;               // by the program
  std::optional<double> matrix_share_;   // of the overview's width, if the user chose it
  std::optional<SectionShares> shares_;  // of the height, if the user chose them

  PartMatrixModel* matrix_;
  StageDifferenceModel* stages_;
  StageDifferenceFilter* shown_stages_;
  StatisticsModel* statistics_;

  QWidget* head_ = nullptr;
  QHBoxLayout* head_row_ = nullptr;
  QMenu* sections_menu_;
  QString claim_;
  QLabel* sentence_;  // the claim, as much as fits
  QLabel* details_;
  QLabel* gains_;  // the gain of lanes over stages
  QComboBox* baseline_box_;
  QComboBox* b_box_;
  ComparisonChart* chart_;
  CompareTable* matrix_table_;
  CompareTable* stages_table_;
  CompareTable* statistics_table_;
  DistributionView* distribution_;
  QLabel* rest_;
  QLabel* match_;
  QLineEdit* filter_;
  QCheckBox* changed_only_;
  QTabWidget* tabs_;
  CanvasPair* canvases_;
  QSplitter* overview_;
  QSplitter* sections_;
  QWidget* timeline_place_;
  QPointer<QWidget> timeline_;
};

}  // namespace iosx
