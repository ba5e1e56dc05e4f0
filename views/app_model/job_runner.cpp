#include "views/app_model/job_runner.h"

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>
#include <condition_variable>
#include <exception>

#include "core/base/memory_limit.h"

namespace iosx {

void Postbox::post(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

void Postbox::customEvent(QEvent*) {
  std::unique_lock lock(mutex_);
  const auto call = std::move(calls_.front());
  calls_.pop_front();
  lock.unlock();
  call();
}

bool Throttle::due(const std::function<void()>& again) {
  const auto now = std::chrono::steady_clock::now();
  const auto early = last_ + interval_ - now;
  if (early > early.zero()) {
    QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(early), this, again);
    return false;
  }
  last_ = now;
  return true;
}

namespace {

Result<JobRunner::Delivery> run_guarded(const JobRunner::Work& work, const JobContext& job,
                                        const std::stop_token& abandon) {
  try {
    return work(job, abandon);
  } catch (const std::bad_alloc&) {
    return fail(message("the job ran out of memory"), {},
                message("close other programs, or choose smaller r, s or batch"));
  } catch (const std::exception& exception) {
    return fail(message("the job failed: {}", exception.what()));
  }
}

Seconds seconds_of(const QElapsedTimer& timer) { return Seconds(static_cast<double>(timer.nsecsElapsed()) * 1e-9); }

}  // namespace

// Keeps only the newest progress, so that a flood of reports costs the GUI thread nothing.
class JobRunner::Mailbox {
 public:
  // True where the caller is to post a delivery: none is under way. Whichever is under way takes the newest.
  bool put(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
    return !std::exchange(posted_, true);
  }

  Progress take() {
    const std::lock_guard lock(mutex_);
    posted_ = false;
    return progress_;
  }

 private:
  std::mutex mutex_;
  Progress progress_;
  bool posted_ = false;
};

class JobRunner::Gate {
 public:
  void close(bool closed) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = closed;
    }
    opened_.notify_all();
  }

  // Returns at once while it is open, else when it opens or a stop is requested.
  void pass(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, stop, [this] { return !closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any opened_;
  bool closed_ = false;
};

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner() {
  // Before the postbox is destroyed, which drops what the thread has posted.
  if (thread_.joinable()) {
    abandon_.request_stop();
    thread_.request_stop();
    thread_.join();
  }
}

JobRunner::JobId JobRunner::start(const QString& title, Work work) {
  waiting_.clear();
  if (phase_ == Phase::kRunning) drop_running();
  return enqueue(title, std::move(work));
}

JobRunner::JobId JobRunner::enqueue(const QString& title, Work work, Turn turn) {
  Job job{++last_id_, title, std::move(work)};
  const JobId id = job.id;
  if (phase_ == Phase::kIdle) {
    launch(std::move(job));
    return id;
  }
  if (turn == Turn::kNext) {
    waiting_.push_front(std::move(job));
  } else {
    waiting_.push_back(std::move(job));
  }
  emit waitingChanged();
  return id;
}

std::vector<JobRunner::Waiting> JobRunner::waiting() const {
  std::vector<Waiting> jobs;
  for (const Job& job : waiting_) jobs.push_back({job.id, job.title});
  return jobs;
}

bool JobRunner::waits(JobId id) const { return std::ranges::find(waiting_, id, &Job::id) != waiting_.end(); }

void JobRunner::drop_running() {
  abandon_.request_stop();
  thread_.request_stop();
  setPaused(false);
  superseded_ = true;
  stopping_ = true;
}

void JobRunner::abandon() {
  waiting_.clear();
  if (phase_ == Phase::kRunning) drop_running();
  emit waitingChanged();
}

void JobRunner::abandon(JobId id) {
  if (id == running() && id != 0) return drop_running();
  if (std::erase_if(waiting_, [id](const Job& job) { return job.id == id; }) > 0) emit waitingChanged();
}

void JobRunner::cancel() {
  if (phase_ != Phase::kRunning) return;
  thread_.request_stop();  // first: a paused job must not go on
  setPaused(false);
  stopping_ = true;
}

void JobRunner::setPaused(bool paused) {
  if (phase_ != Phase::kRunning || stopping_ || paused == paused_) return;
  paused_ = paused;
  if (paused_) {
    pause_.start();
  } else {
    in_pauses_ += seconds_of(pause_);
  }
  gate_->close(paused_);
  emit pausedChanged(paused_);
}

Seconds JobRunner::elapsed() const {
  if (phase_ != Phase::kRunning) return last_elapsed_;
  return seconds_of(clock_) - in_pauses_ - (paused_ ? seconds_of(pause_) : Seconds(0));
}

void JobRunner::launch(Job job) {
  const JobId id = id_ = job.id;
  title_ = job.title;
  phase_ = Phase::kRunning;
  stopping_ = false;
  superseded_ = false;
  paused_ = false;
  in_pauses_ = Seconds(0);
  mailbox_ = std::make_shared<Mailbox>();
  gate_ = std::make_shared<Gate>();
  abandon_ = std::stop_source();
  clock_.start();
  emit started(job.title);
  thread_ = std::jthread([this, id, mailbox = mailbox_, gate = gate_, work = std::move(job.work),
                          abandon = abandon_.get_token()](const std::stop_token& stop) {
    const auto report = [this, id, mailbox, gate, stop](const Progress& progress) {
      if (mailbox->put(progress)) postbox_.post([this, id] { deliver_progress(id); });
      gate->pass(stop);
    };
    const auto outcome = std::make_shared<Result<Delivery>>(run_guarded(work, JobContext{stop, report}, abandon));
    give_back_memory();
    postbox_.post([this, id, outcome] { end(id, outcome); });
  });
}

void JobRunner::deliver_progress(JobId id) {
  if (id != id_ || phase_ != Phase::kRunning) return;
  if (progress_.due([this, id] { deliver_progress(id); })) emit progressed(mailbox_->take());
}

void JobRunner::end(JobId id, const std::shared_ptr<Result<Delivery>>& outcome) {
  if (id != id_ || phase_ != Phase::kRunning) return;
  last_elapsed_ = elapsed();
  paused_ = false;
  thread_.join();  // its last act was to post this
  phase_ = Phase::kDelivering;
  const bool stopped = stopping_;
  if (!superseded_) {
    if (!outcome->has_value()) {
      emit failed(outcome->error(), id);
    } else if (outcome->value()) {
      outcome->value()();
    }
  }
  phase_ = Phase::kIdle;
  stopping_ = false;
  emit finished(stopped);
  if (phase_ == Phase::kIdle && !waiting_.empty()) {
    Job next = std::move(waiting_.front());
    waiting_.pop_front();
    launch(std::move(next));
    emit waitingChanged();
  }
}

LatestAnswer::LatestAnswer() {
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, [this] {
    const auto begin = std::move(begin_);
    begin();
  });
  connect(&runner_, &JobRunner::failed, this, [this](const Error& error) {
    busy_ = false;
    emit failed(error);
  });
}

void LatestAnswer::askLater(std::chrono::milliseconds quiet, std::function<void()> begin) {
  begin_ = std::move(begin);
  later_.start(quiet);
}

void LatestAnswer::drop() {
  later_.stop();
  runner_.abandon();
  busy_ = false;
}

}  // namespace iosx

#include "moc_job_runner.cpp"
