#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/figures/figure.h"
#include "views/recording/recording_rows.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx {

// Holds what is drawn of predicted lanes, for the window and for figures. Places are in pixels.
struct PredictedPicture {
  struct LaneRow {
    std::uint32_t lane = 0;
    recorded::SortedSpans spans = {};
  };
  std::shared_ptr<const OpenedRecording> opened = nullptr;
  std::size_t chosen = 0;          // an index of the predicted lanes
  std::vector<LaneRow> rows = {};  // of the chosen lanes
  std::vector<bool> marked = {};   // per kernel; empty: none
  QString hint = {};               // about the mouse, after the sentence above the lanes

  bool any() const { return opened != nullptr && !lanes().empty(); }
  const std::vector<PredictedLanes>& lanes() const { return opened->predictions.lanes; }
  TimeAxis axis(double width) const;      // of the bars
  TimeAxis laneAxis(double width) const;  // of the chosen lanes, which fill the width
  double topOfBar(std::size_t lanes) const;
  double topOfLane(std::size_t row) const;
  double height() const;
  void layOut();  // makes the rows
  void paint(QPainter& painter, double width, const Theme& theme) const;
};

// Shows the span of a recording above what the same kernels take on 1, 2, 4 and 8 lanes by the model, on one axis of
// time, and below, on an axis of their own, the kernels on the lanes that the user chooses. What was recorded is solid;
// what is predicted is hatched.
class PredictedView final : public QWidget {
  Q_OBJECT

 public:
  explicit PredictedView(QWidget* parent = nullptr);

  void setRecording(std::shared_ptr<const OpenedRecording> opened);  // null: none
  std::size_t chosen() const { return picture_.chosen; }             // an index of the predicted lanes
  void choose(std::size_t lanes);
  void mark(const std::vector<std::uint32_t>& kernels);
  QRectF rectOfBar(std::size_t lanes) const;  // of the row with that index
  std::optional<std::uint32_t> kernelAt(QPointF at) const;
  QString toolTipAt(QPointF at) const;
  std::unique_ptr<Figure> figure(const QString& title) const;  // null without predicted lanes
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {420, sizeHint().height()}; }

 signals:
  void kernelChosen(std::uint32_t kernel);  // by the user

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();

  PredictedPicture picture_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
