#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/recording/recording_picture.h"
#include "views/recording/recording_rows.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"
#include "views/widgets/painted_view.h"

namespace iosx {

// Shows a recording over time: when the device was idle and why, a lane for each stream, and the launches of each host
// thread. The critical path has a line below its kernels. What the chosen kernel waits for, what waits for it, and its
// launch are drawn: solid lines where that is known, dotted ones where it is assumed.
//
// Mouse and keys are those of the timeline of schedules: the wheel zooms, a drag measures, Ctrl-drag or the middle
// button pans, W A S D, F (everything), Z (what is marked), period, comma and arrows (other kernels), Escape.
class RecordingTimeline final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit RecordingTimeline(QWidget* parent = nullptr);

  void setRecording(std::shared_ptr<const OpenedRecording> opened);  // null: none
  const recorded::Rows& rows() const { return rows_; }
  TimeAxisModel& time() { return time_; }
  TimeAxis axis() const;  // in pixels of the viewport

  std::optional<std::uint32_t> chosen() const { return chosen_; }
  // Marks kernels, and chooses one of them, if any; the view shows them where `reveal` is true.
  void mark(const std::vector<std::uint32_t>& kernels, std::optional<std::uint32_t> chosen, bool reveal);
  QString toolTipAt(QPointF viewport) const;
  // Returns the kernel there, or the first one that the launch there launched.
  std::optional<std::uint32_t> kernelAt(QPointF viewport) const;
  QRectF rectOf(std::uint32_t kernel) const;  // in the viewport; it may be outside
  QRectF rectOfRow(std::size_t row) const;
  QString nameOfRow(std::size_t row) const;

  // Returns the visible time of all rows as a figure; null without a recording.
  std::unique_ptr<Figure> figure(const QString& title) const;

  int fullHeight() const;  // at which it need not scroll
  QSize sizeHint() const override { return {1200, 300}; }
  QSize minimumSizeHint() const override { return {420, 130}; }

 public slots:
  void fitAll() { time_.fitAll(); }
  void fitMarked();

 signals:
  void kernelChosen(std::uint32_t kernel);  // by the user
  void cleared();

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Gesture { kNone, kPress, kPan, kMeasure };

  void layOut();
  void redraw();
  void choose(std::optional<std::uint32_t> kernel);
  void step(int lanes, int kernels);
  void reveal(std::uint32_t kernel);
  RecordingPicture picture() const;  // needs a recording
  const recorded::Row* rowAt(double y) const;
  Micros snapped(double x) const;

  std::shared_ptr<const OpenedRecording> opened_;
  recorded::Rows rows_;
  TimeAxisModel time_;
  Theme theme_ = Theme::light();
  StillPicture still_;
  std::vector<bool> marked_;  // per kernel; empty: none
  std::vector<std::uint32_t> marked_list_;
  std::optional<std::uint32_t> chosen_;
  std::vector<RecordedEdge> edges_;  // of the chosen one
  Gesture gesture_ = Gesture::kNone;
  QPointF press_;
  QPointF last_;
};

}  // namespace iosx
