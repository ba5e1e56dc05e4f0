#pragma once

#include <QTimer>
#include <QWidget>

#include "views/style/theme.h"

class QCheckBox;
class QLabel;
class QToolButton;

namespace iosx {

class EditLatencies;

// A line below the edit canvas: the drawing's latency, its change by the last edit, and the device, or why it is
// unknown. For a measuring device it has a button to measure.
class LatencyLine final : public QWidget {
  Q_OBJECT

 public:
  explicit LatencyLine(EditLatencies& latencies, QWidget* parent = nullptr);  // must outlive it

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void say();
  QString words(bool brief) const;  // brief: without the tool tip's content

  EditLatencies& latencies_;
  Theme theme_ = Theme::light();
  QTimer patience_;  // before it reports that figures are pending
  QLabel* text_;
  QToolButton* measure_;
  QCheckBox* always_;
};

}  // namespace iosx
