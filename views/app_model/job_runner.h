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

// Runs long jobs one after another on a background thread and brings progress and result to the thread it lives on (the
// GUI thread), which it never blocks while a job runs. All members are for that thread.
class JobRunner final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(JobRunner)

 public:
  // Called on the GUI thread with the job's success; may be empty (nothing to deliver). May call start().
  using Delivery = std::function<void()>;
  // Called on the job's thread. Touches values only, never a QObject. An exception that leaves it becomes an Error.
  // The context's stop asks to end soon with the best so far; `abandon` says that nobody wants the result any more.
  using Work = std::function<Result<Delivery>(const JobContext&, const std::stop_token& abandon)>;
  using JobId = std::uint64_t;  // never given twice; 0 is none
  enum class Turn { kLast, kNext };
  struct Waiting {
    JobId id;
    QString title;
  };

  explicit JobRunner(QObject* parent = nullptr);
  ~JobRunner() override;  // abandons the job and waits for its thread; nothing is delivered any more

  // Jobs that wait are forgotten, one that still runs is abandoned, its result is dropped, and the new one starts when
  // its thread has ended.
  JobId start(const QString& title, Work work);
  // Waits for its turn.
  JobId enqueue(const QString& title, Work work, Turn turn = Turn::kLast);
  // Asks the running job to stop; it may still deliver what it has. Others go on waiting.
  void cancel();
  // What the running job has is not wanted: it ends as soon as it can and delivers nothing. Forgets those that wait.
  void abandon();
  // Abandons one job, whether it runs or waits; others stay.
  void abandon(JobId id);

  bool busy() const { return phase_ != Phase::kIdle; }
  JobId next() const { return last_id_ + 1; }  // of the job that is started or enqueued next
  // Returns 0 where none runs, and while one ends whose result nobody wants any more.
  JobId running() const { return phase_ == Phase::kRunning && !superseded_ ? id_ : 0; }
  const QString& title() const { return title_; }  // of the running job, or of the last one
  std::vector<Waiting> waiting() const;            // in the order in which they will run
  bool stopping() const { return stopping_; }
  Seconds elapsed() const;  // of the running job, or of the last one

 signals:
  void started(const QString& title);
  // Is emitted at most some thirty times a second, however often the job reports. What it reported last always comes
  // while it runs.
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
  JobId last_id_ = 0;  // that was given
  JobId id_ = 0;       // of the running job; what carries another one is stale
  QString title_;
  bool stopping_ = false;
  bool superseded_ = false;  // the running job's result is not wanted any more
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
