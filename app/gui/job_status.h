#pragma once

#include <QTimer>
#include <QWidget>

#include "core/base/time_left.h"

class QLabel;
class QProgressBar;

namespace iosx {

class JobRunner;

// The running job in the status bar: what it does, how far it is, for how long, how much time is left. Hidden while
// nothing runs.
class JobStatus final : public QWidget {
  Q_OBJECT

 public:
  // The runner must outlive the widget's use of it, which ends with stop().
  explicit JobStatus(const JobRunner& runner, QWidget* parent = nullptr);

  void start(const QString& title);
  void setProgress(const Progress& progress);
  void stop();

 private:
  void tick();

  const JobRunner& runner_;
  QLabel* text_;
  QProgressBar* bar_;
  QLabel* times_;
  QTimer timer_;
  TimeLeft time_left_;
  QString title_;
};

}  // namespace iosx
