#pragma once

#include <QTimer>
#include <QWidget>

#include "core/base/time_left.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace iosx {

class Jobs;

// Shows the running job in the status bar: its work, progress, elapsed and remaining time, and the number of waiting
// jobs. Hidden without a job.
class JobStatus final : public QWidget {
  Q_OBJECT

 public:
  // The jobs must outlive the widget.
  explicit JobStatus(Jobs& jobs, QWidget* parent = nullptr);

  void start(const QString& title);
  void setProgress(const Progress& progress);
  void stop();  // unless another job runs
  void showWaiting();

 private:
  void tick();

  Jobs& jobs_;
  QLabel* text_;
  QProgressBar* bar_;
  QLabel* times_;
  QLabel* waiting_;
  QToolButton* cancel_;
  QTimer timer_;
  TimeLeft time_left_;
  QString title_;
};

}  // namespace iosx
