#pragma once

#include <QTimer>
#include <QWidget>

#include "views/style/theme.h"

class QCheckBox;
class QLabel;
class QToolButton;

namespace iosx {

class EditLatencies;

// Says in a line below the edit canvas what the drawing takes now, how much the last edit changed that, on what, or why
// nothing is known. Beside it, on a device that measures, it offers to measure that.
class LatencyLine final : public QWidget {
  Q_OBJECT

 public:
  explicit LatencyLine(EditLatencies& latencies, QWidget* parent = nullptr);  // must outlive it
  void setTheme(const Theme& theme);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void say();
  QString words(bool brief) const;  // brief: without what the tip says too

  EditLatencies& latencies_;
  Theme theme_ = Theme::light();
  QTimer patience_;  // before it is said that figures are not there yet
  QLabel* text_;
  QToolButton* measure_;
  QCheckBox* always_;
};

}  // namespace iosx
