#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "views/app_model/postbox.h"

namespace iosx {

// Runs long jobs one after another on a background thread and delivers progress and result on its own thread (the GUI
// thread), which it never blocks while a job runs. All members are for that thread.
class JobRunner final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(JobRunner)

 public:
  // Called on the GUI thread after the job succeeded; may be empty (nothing to deliver). May call start().
  using Delivery = std::function<void()>;
  // Called on the job's thread. Uses values only, never a QObject. An uncaught exception becomes an Error. The
  // context's stop asks to end soon with the best so far; `abandon` says that the result is no longer wanted.
  using Work = std::function<Result<Delivery>(const JobContext&, const std::stop_token& abandon)>;
  using JobId = std::uint64_t;  // unique; 0 is none
  enum class Turn { kLast, kNext };
  struct Waiting {
    JobId id;
    QString title;
  };

  explicit JobRunner(QObject* parent = nullptr);
  ~JobRunner() override;  // abandons the job and waits for its thread; nothing more is delivered

  // Drops waiting jobs and abandons a running one, whose result is dropped; the new one starts when its thread has
  // ended.
  JobId start(const QString& title, Work work);
  // Waits for its turn.
  JobId enqueue(const QString& title, Work work, Turn turn = Turn::kLast);
  // Asks the running job to stop; it may still deliver a partial result. Waiting jobs stay.
  void cancel();
  // Drops the running job's result: it ends as soon as it can and delivers nothing. Drops waiting jobs.
  void abandon();
  // Abandons one job, running or waiting; others stay.
  void abandon(JobId id);

  bool busy() const { return phase_ != Phase::kIdle; }
  JobId next() const { return last_id_ + 1; }  // of the next started or enqueued job
  // Returns 0 without one, and while an abandoned one ends.
  JobId running() const { return phase_ == Phase::kRunning && !superseded_ ? id_ : 0; }
  const QString& title() const { return title_; }  // of the running or the last job
  std::vector<Waiting> waiting() const;            // in execution order
  bool stopping() const { return stopping_; }
  Seconds elapsed() const;  // of the running or the last job

 signals:
  void started(const QString& title);
  // Emitted at most about thirty times a second, however often the job reports. The last report always arrives while
  // it runs.
  void progressed(const iosx::Progress& progress);
  void failed(const iosx::Error& error, iosx::JobRunner::JobId id);  // before finished()
  void finished(bool stopped);                                       // after the delivery; once for each started()
  void waitingChanged();

 private:
  enum class Phase { kIdle, kRunning, kDelivering };
  struct Job {
    JobId id = 0;
    QString title;
    Work work;
  };
  class Mailbox;  // the newest progress, shared with the job's thread

  void launch(Job job);
  void drop_running();
  void deliver_progress(JobId id);
  void end(JobId id, const std::shared_ptr<Result<Delivery>>& outcome);

  Phase phase_ = Phase::kIdle;
  JobId last_id_ = 0;  // the last one used
  JobId id_ = 0;       // of the running job; results with another one are outdated
  QString title_;
  bool stopping_ = false;
  bool superseded_ = false;  // the running job's result is no longer wanted
  std::deque<Job> waiting_;
  QElapsedTimer clock_;
  Seconds last_elapsed_{0};
  std::chrono::steady_clock::time_point last_progress_;  // when the last one was emitted
  std::shared_ptr<Mailbox> mailbox_;
  std::stop_source abandon_;  // of the running job
  Postbox postbox_;
  std::jthread thread_;
};

}  // namespace iosx
