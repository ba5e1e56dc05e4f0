#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "views/app_model/selection.h"
#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/overlay.h"
#include "views/compare/comparison_data.h"
#include "views/style/theme.h"

class QCheckBox;
class QLabel;
class QSplitter;

namespace iosx {

// The common legend of both canvases, in a row below them: colours and signs of either, and the scale of each canvas
// that is coloured by a figure. Its height follows from its width.
class SharedLegend final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(SharedLegend)

 public:
  explicit SharedLegend(QWidget* parent = nullptr);

  // Sets the entries of both canvases, and the scales of A and of B, of which the active ones are shown.
  void setLegend(canvas::GraphLegend legend, std::array<canvas::OverlayScale, 2> scales);
  const canvas::GraphLegend& legend() const { return legend_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  double scalesHeight() const;
  void fitHeight();

  canvas::GraphLegend legend_;
  std::array<canvas::OverlayScale, 2> scales_;
  Theme theme_ = Theme::light();
};

// Which units have a sign on the canvases: the smaller group, because signs on nearly every unit show nothing.
enum class Marked { kWhatDiffers, kWhatIsTheSame };

// Both canvases mark the same group. On a tie different units are marked.
Marked marked_units(std::span<const UnitChange> a, std::span<const UnitChange> b);

// Returns a mark for each unit of A's graph or of B's, with the words of its row; units without a sign are quiet.
std::vector<canvas::UnitMark> unit_marks(const StagePair& pair, bool of_a);

class GraphView;
class ViewLink;

// Shows two schedules on graphs side by side, A and B, with a common legend below. Marks on boxes show the changes of
// units; while linked, both canvases share place and selection. The networks may differ.
class CanvasPair final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(CanvasPair)

 public:
  explicit CanvasPair(QWidget* parent = nullptr);
  ~CanvasPair() override;

  void setPair(const std::shared_ptr<const StagePair>& pair);
  void setAlone(std::optional<Subject> a);  // B is not shown; none: neither is A
  // Says how far a schedule is while both run on one clock: what runs, what has not begun, and whether it has ended.
  struct Progress {
    std::vector<UnitId> running = {};
    std::vector<UnitId> ahead = {};
    bool finished = false;
    std::vector<UnitId> brushed = {};  // of the measured range
  };
  void setProgress(const Progress& a, const Progress& b);

  // The selected units of A's graph, and of B's.
  SelectionModel* selectionA() { return &a_.selection; }
  SelectionModel* selectionB() { return &b_.selection; }
  GraphView* canvasA() const { return a_.canvas; }
  GraphView* canvasB() const { return b_.canvas; }
  SharedLegend* legend() const { return legend_; }

  // How the two share the width; empty: equally.
  const QByteArray& arrangement() const { return arrangement_; }
  void setArrangement(const QByteArray& arrangement);

 signals:
  void arranged();  // by the user

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Side {
    SelectionModel selection = {};
    QLabel* title;
    GraphView* canvas;
    Subject shown = {};
    bool finished = false;
  };
  QWidget* makeSide(Side& side, const char* name);
  void shareWidth();
  void showPairs(const StagePair& pair);
  void showTitles();
  void showLegend();
  // Keeps what a canvas already shows, so that it is not laid out again.
  static void show(const Subject& subject, Side& side);

  Side a_;
  Side b_;
  QCheckBox* link_box_;
  QSplitter* splitter_;
  SharedLegend* legend_;
  QString pairs_;           // how many run at the same time in both, and in one of them
  QByteArray arrangement_;  // the user's
  ViewLink* link_;
};

}  // namespace iosx
