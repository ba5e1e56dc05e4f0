#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

#include <optional>

#include "core/base/progress.h"
#include "views/app_model/search_watcher.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace iosx {

class GraphController;
class Jobs;
class Session;

// Shows in one line the content and whether it matches the current settings: "Up to date – Simulated Tesla V100, batch
// 1", or the difference and the remedy; with priority, what is missing of a drawing. For the status bar, where it moves
// nothing.
class StateLine final : public QWidget {
  Q_OBJECT

 public:
  // All must outlive the widget.
  StateLine(const Session& session, const Jobs& jobs, const GraphController& controller);

  QString text() const { return text_; }
  bool isCurrent() const { return current_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;  // long text is elided; the tool tip has it

 private:
  void refresh();

  const Session& session_;
  const Jobs& jobs_;
  const GraphController& controller_;
  QString text_;
  bool current_ = true;
};

// Returns the latency that a search must beat: of the fastest shown schedule, where the run that is shown is of the
// searched network, device and batch. None without such a run, or without known latencies.
std::optional<Millis> latency_to_beat(const Session& session, const Jobs& jobs);
// Returns the latency of the search's best schedule so far, by the sum of its stages; none before it has one.
std::optional<Millis> best_so_far(const LiveSearch& search);

// The share of a job that is shown as done. A job does not know its steps before it comes to them, so each fills most
// of what the steps before have left: the share never falls, and reaches 1 with the end of the job only.
class WholeProgress {
 public:
  double report(double share_of_step);  // a smaller one than before begins another step; returns shown()
  double shown() const { return shown_; }

 private:
  double last_ = 0;
  double begin_ = 0;  // of the step
  double shown_ = 0;
};

// Shows the running job as a strip in the status bar: what it does, how far it is, for how long, how much time is left,
// the best schedule so far; it pauses and cancels the job, and opens the list of jobs. It is hidden while nothing runs.
class JobStatus final : public QWidget {
  Q_OBJECT

 public:
  // Session and jobs must outlive the widget. `list` is of all jobs: it pops up above the strip; the strip owns it.
  JobStatus(const Session& session, Jobs& jobs, QWidget* list, QWidget* parent = nullptr);

  void start(const QString& title);
  void setProgress(const Progress& progress);
  void stop();  // unless another job runs
  void showWaiting();

 private:
  void tick();
  void showBest();
  void showPause();
  void showList();

  const Session& session_;
  Jobs& jobs_;
  QWidget* list_;
  QLabel* text_;
  QProgressBar* bar_;
  QLabel* times_;
  QLabel* best_;
  QToolButton* waiting_;  // opens the list
  QToolButton* pause_;
  QToolButton* cancel_;
  QTimer timer_;
  TimeLeft time_left_;
  WholeProgress whole_;
  QString title_;
};

}  // namespace iosx
