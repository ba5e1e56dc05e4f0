#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx {

// Delivers calls of other threads on its own thread, one at a time and in order, from that thread's event loop.
// Destroying the box drops pending calls. The box outlives the threads that post to it.
//
// QMetaObject::invokeMethod() would do the same, but passes captured values by locks inside Qt, which the thread
// sanitizer does not see: it would report every call as a race.
class Postbox final : public QObject {
 public:
  Postbox() = default;

  void post(std::function<void()> call);  // from any thread

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> calls_;
};

// Lets something happen only once in an interval: asks again when it is time. GUI thread only.
class Throttle final : public QObject {
 public:
  explicit Throttle(std::chrono::milliseconds interval) : interval_(interval) {}

  // Returns true where it may happen now; else calls `again` as soon as it may: later, not never.
  bool due(const std::function<void()>& again);

 private:
  std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point last_;
};

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

  // Returns work that finds something on its thread, and hands it to `take`.
  template <typename Find, typename Take>
  static Work work(Find find, Take take) {
    return [find = std::move(find), take = std::move(take)](const JobContext& job,
                                                            const std::stop_token& abandon) -> Result<Delivery> {
      IOS_TRY(auto found, find(job, abandon));
      return Delivery{[take, found = std::move(found)]() mutable { take(std::move(found)); }};
    };
  }

  explicit JobRunner(QObject* parent = nullptr);
  ~JobRunner() override;  // abandons the job and waits for its thread; nothing more is delivered

  // Drops waiting jobs and abandons a running one, whose result is dropped; the new one starts when its thread has
  // ended.
  JobId start(const QString& title, Work work);
  // Waits for its turn.
  JobId enqueue(const QString& title, Work work, Turn turn = Turn::kLast);
  // Asks the running job to stop; it may still deliver a partial result. Waiting jobs stay.
  void cancel();
  // Drops waiting jobs and the running one's result: it ends as soon as it can, delivering nothing.
  void abandon();
  // Abandons one job, running or waiting; others stay.
  void abandon(JobId id);
  // Holds the running job at its next report of progress, or lets it go on. A stop ends a pause; the next job is not
  // paused.
  void setPaused(bool paused);
  bool paused() const { return paused_; }

  bool busy() const { return phase_ != Phase::kIdle; }
  JobId next() const { return last_id_ + 1; }  // of the next started or enqueued job
  // Returns 0 without one, and while an abandoned one ends.
  JobId running() const { return phase_ == Phase::kRunning && !superseded_ ? id_ : 0; }
  const QString& title() const { return title_; }  // of the running or the last job
  std::vector<Waiting> waiting() const;            // in execution order
  bool waits(JobId id) const;
  bool stopping() const { return stopping_; }
  Seconds elapsed() const;  // of the running or the last job, without its pauses

 signals:
  void started(const QString& title);
  // Emitted at most about thirty times a second, however often the job reports. The last report always arrives while
  // it runs.
  void progressed(const iosx::Progress& progress);
  void failed(const iosx::Error& error, iosx::JobRunner::JobId id);  // before finished()
  void finished(bool stopped);                                       // after the delivery; once for each started()
  void waitingChanged();
  void pausedChanged(bool paused);

 private:
  enum class Phase { kIdle, kRunning, kDelivering };
  struct Job {
    JobId id = 0;
    QString title;
    Work work;
  };
  class Mailbox;  // the newest progress, shared with the job's thread
  class Gate;     // where a paused job waits, shared in the same way

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
  bool paused_ = false;
  std::deque<Job> waiting_;
  QElapsedTimer clock_;
  QElapsedTimer pause_;   // since the pause began
  Seconds in_pauses_{0};  // before that
  Seconds last_elapsed_{0};
  Throttle progress_{std::chrono::milliseconds(33)};
  std::shared_ptr<Mailbox> mailbox_;
  std::shared_ptr<Gate> gate_;
  std::stop_source abandon_;  // of the running job
  Postbox postbox_;
  std::jthread thread_;
};

// Answers questions on its own thread; only the latest one counts: during typing, dragging or selecting, earlier
// ones are skipped, or abandoned and their answers dropped. GUI thread only.
class LatestAnswer final : public QObject {
  Q_OBJECT

 public:
  LatestAnswer();

  // Calls `begin`, which may ask, once askLater() was not called for `quiet`. Work in progress goes on until then.
  void askLater(std::chrono::milliseconds quiet, std::function<void()> begin);

  // `find` runs on the thread and uses values only; `take` receives its result, here, unless there was another
  // question or drop() meanwhile. An error is emitted as failed().
  template <typename Find, typename Take>
  void ask(Find find, Take take) {
    busy_ = true;
    runner_.start({}, JobRunner::work(std::move(find), [this, take = std::move(take)](auto found) mutable {
                    busy_ = false;
                    take(std::move(found));
                  }));
  }

  // Drops all questions; no answer comes.
  void drop();

  bool busy() const { return busy_; }  // an answer or error will come; false while a question waits for its time

 signals:
  void failed(const iosx::Error& error);

 private:
  bool busy_ = false;
  std::function<void()> begin_;
  QTimer later_;
  JobRunner runner_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
