#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/compare/comparison_data.h"
#include "views/compare/latency_bar.h"
#include "views/compare/section_heights.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

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

// Names the figures of the page.
enum class ComparedFigure { kBars, kMatrix, kStages, kStatistics, kDistribution };

// Shows schedules of one or several runs against a baseline: one sentence; below it the timelines of both; bars with
// spread, parts × schedules, and the baseline (A) against another one (B) stage for stage; and both on two canvases.
// What is selected anywhere on it is selected everywhere. All of it is in the window: its sections share the height,
// and each can be collapsed.
class ComparePage final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ComparePage)

 public:
  explicit ComparePage(SelectionModel* selection, QWidget* parent = nullptr);  // the model must outlive the page
  ~ComparePage() override;

  // Sets what is compared, in the order to show it; all are valid(). Labels that are empty are made up for all. `b` is
  // B then, if it is not the baseline; none: the one that was B, if it is still there, or else the fastest.
  void setSubjects(std::vector<Subject> subjects, std::size_t baseline, std::optional<std::size_t> b = {});
  // Sets bars beside them, which are kept until they are set anew.
  void setExternal(std::vector<LatencyBar> bars);
  // Sets the graph of whose units the selection model speaks; null: the baseline's.
  void setSelectionGraph(std::shared_ptr<const Graph> graph);
  // The timeline is shown directly below the sentence; the page owns it from here on. It should have an accessible
  // name.
  void setTimeline(QWidget* timeline);
  // These add a button in the page's head, and a tab beside its tables; the page owns the content from here on.
  void addHeadAction(QAction* action);
  void addTab(QWidget* content, const QString& title);
  void setTheme(const Theme& theme);

  // An arrangement says how the user has shared out the room; arranged() says that they did. To set what is no
  // arrangement changes nothing.
  QByteArray arrangement() const;
  void setArrangement(const QByteArray& arrangement);
  void resetArrangement();
  // A section that is collapsed has no height; one of them is always open.
  bool sectionShown(CompareSection section) const;
  void setSectionShown(CompareSection section, bool shown);  // by the user

  // The user or the program chooses; the signals below follow. A subject that there is not changes nothing.
  void chooseBaseline(std::size_t subject);
  void chooseSubject(std::size_t subject);  // as B; not the baseline

  const RunMatrix* runs() const { return runs_.get(); }  // null: nothing is compared
  const StagePair* pair() const { return pair_.get(); }  // null: there is no B
  std::optional<std::size_t> subjectB() const { return b_; }
  QString sentence() const;

  // These return figures of what is shown: bars, matrix, stage against stage, statistics, distributions; null where
  // there is none.
  std::unique_ptr<Figure> barsFigure() const;
  std::unique_ptr<Figure> matrixFigure() const;
  std::unique_ptr<Figure> stagesFigure() const;
  std::unique_ptr<Figure> statisticsFigure() const;
  std::unique_ptr<Figure> distributionFigure() const;
  std::unique_ptr<Figure> figure(ComparedFigure figure) const;

  const PartMatrixModel& matrix() const { return *matrix_; }
  // Returns the stages of a row of the table, as it is sorted and filtered now.
  const StageRow& stagesOf(const QModelIndex& index) const;

  // These are for tests and for whoever lays the window out.
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
  void showWords();
  void speakOfB();
  void showPair();
  void showBars();
  void showStatistics();
  std::vector<LatencyBar> bars() const;  // of what is compared, and what stands beside it
  void fillBoxes();
  void matchSelectionGraph();
  void takeSelection(const Selection& selection);  // of the window
  void giveSelection(const Selection& selection);  // of canvas A to the window
  void selectUnitsOfRows();
  void selectUnitsOfParts();
  void showSelectedRows();
  void sortStages();
  void shareOverview();
  void shareHeight();
  void showSections();  // in the menu

  SelectionModel* selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const RunMatrix> runs_;
  std::shared_ptr<const StagePair> pair_;
  std::optional<std::size_t> b_;
  std::vector<LatencyBar> external_;
  std::shared_ptr<const Graph> selection_graph_;
  // These match the units of the selection model's graph with the baseline's; they are not used where same_units_ is
  // set.
  std::vector<UnitId> to_a_;
  std::vector<UnitId> from_a_;
  bool same_units_ = true;
  bool selecting_ = false;               // by the program
  std::optional<double> matrix_share_;   // of the overview's width, if the user has chosen it
  std::optional<SectionShares> shares_;  // of the height, if the user has chosen them

  PartMatrixModel* matrix_;
  StageDifferenceModel* stages_;
  StageDifferenceFilter* shown_stages_;
  StatisticsModel* statistics_;

  QWidget* head_ = nullptr;
  QHBoxLayout* head_row_ = nullptr;
  QMenu* sections_menu_;
  QString claim_;
  QLabel* sentence_;  // the claim, as much of it as fits
  QLabel* details_;
  QLabel* gains_;  // where the time of lanes went, against stages
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
