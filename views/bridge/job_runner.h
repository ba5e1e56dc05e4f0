#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx {

// Runs one long job at a time on a background thread and brings progress and result to the thread it lives on (the GUI
// thread), which it never blocks while a job runs. All members are for that thread.
class JobRunner final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(JobRunner)

 public:
  // Called on the GUI thread with the job's success; may be empty (nothing to deliver). May call start().
  using Delivery = std::function<void()>;
  // Called on the job's thread. Touches values only, never a QObject. An exception that leaves it becomes an Error.
  // The context's stop asks to end soon with the best so far; `abandon` says that nobody wants the result any more.
  using Work = std::function<Result<Delivery>(const JobContext&, const std::stop_token& abandon)>;

  explicit JobRunner(QObject* parent = nullptr);
  ~JobRunner() override;  // abandons the job and waits for its thread; nothing is delivered any more

  // A job that still runs is abandoned, its result is dropped, and the new one starts when its thread has ended.
  void start(const QString& title, Work work);
  // Asks the running job to stop; it may still deliver what it has. Forgets a job that waits to start.
  void cancel();
  // As cancel(), but what the job has is not wanted: it ends as soon as it can and delivers nothing.
  void abandon();

  bool busy() const { return phase_ != Phase::kIdle; }
  bool stopping() const { return stopping_; }
  // The running job goes on with what the one before delivered; nobody but that delivery asked for it.
  bool follows() const { return follows_; }
  Seconds elapsed() const;  // of the running job, or of the last one

 signals:
  void started(const QString& title);
  // At most some thirty times a second, however often the job reports. What it reported last always comes while it
  // runs.
  void progressed(const iosx::Progress& progress);
  void failed(const iosx::Error& error);  // before finished()
  void finished(bool stopped);            // after the delivery; once for each started()

 private:
  enum class Phase { kIdle, kRunning, kDelivering };
  struct Waiting {
    QString title;
    Work work;
    bool follows = false;
  };
  class Mailbox;  // the newest progress, shared with the job's thread

  void launch(Waiting job);
  void drop_running();
  void deliver_progress(std::uint64_t id);
  void end(std::uint64_t id, const std::shared_ptr<Result<Delivery>>& outcome);

  Phase phase_ = Phase::kIdle;
  std::uint64_t id_ = 0;  // of the running job; what carries another one is stale
  bool stopping_ = false;
  bool follows_ = false;
  bool superseded_ = false;  // the running job's result is not wanted any more
  std::optional<Waiting> waiting_;
  QElapsedTimer clock_;
  Seconds last_elapsed_{0};
  std::chrono::steady_clock::time_point last_progress_;  // when the last one was emitted
  std::shared_ptr<Mailbox> mailbox_;
  std::stop_source abandon_;  // of the running job
  std::jthread thread_;
};

}  // namespace iosx
