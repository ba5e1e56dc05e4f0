#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/recording/recording_rows.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

namespace iosx {

// Shows the span of a recording above what the same kernels take on 1, 2, 4 and 8 lanes by the model, on one axis of
// time, and below, on an axis of their own, the kernels on the lanes that the user chooses. What was recorded is solid;
// what is predicted is hatched.
class PredictedView final : public QWidget {
  Q_OBJECT

 public:
  explicit PredictedView(QWidget* parent = nullptr);

  void setRecording(std::shared_ptr<const OpenedRecording> opened);  // null: none
  std::size_t chosen() const { return chosen_; }                     // an index of the predicted lanes
  void choose(std::size_t lanes);
  void mark(const std::vector<std::uint32_t>& kernels);
  QRectF rectOfBar(std::size_t lanes) const;  // of the row with that index
  std::optional<std::uint32_t> kernelAt(QPointF at) const;
  QString toolTipAt(QPointF at) const;
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
  const std::vector<PredictedLanes>& lanes() const { return opened_->predictions.lanes; }
  TimeAxis axis() const;      // of the bars
  TimeAxis laneAxis() const;  // of the chosen lanes, which fill the width
  double topOfLane(std::size_t row) const;
  void layOut();

  std::shared_ptr<const OpenedRecording> opened_;
  std::size_t chosen_ = 0;
  struct LaneRow {
    std::uint32_t lane = 0;
    recorded::SortedSpans spans = {};
  };
  std::vector<LaneRow> rows_;  // of the chosen lanes
  std::vector<bool> marked_;   // per kernel; empty: none
  Theme theme_ = Theme::light();
};

}  // namespace iosx
