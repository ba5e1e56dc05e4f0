#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <stop_token>
#include <utility>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "views/app_model/job_runner.h"

namespace iosx {

// Answers questions on a thread of its own, of which only the last one asked counts: while somebody types, drags or
// selects, earlier ones are not begun, or are abandoned and their answers dropped. GUI thread only.
class LatestAnswer final : public QObject {
  Q_OBJECT

 public:
  LatestAnswer();

  // Calls `begin` when askLater() has not been called for so long; it may ask. What is worked on goes on until then.
  void askLater(std::chrono::milliseconds quiet, std::function<void()> begin);

  // `find` runs on the thread and touches values only; `take` is given what it found, here, unless something else was
  // asked or drop() was called meanwhile. An error comes as failed().
  template <typename Find, typename Take>
  void ask(Find find, Take take) {
    busy_ = true;
    runner_.start({},
                  [this, find = std::move(find), take = std::move(take)](
                      const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
                    IOS_TRY(auto found, find(job, abandon));
                    return JobRunner::Delivery{[this, take, found = std::move(found)]() mutable {
                      busy_ = false;
                      take(std::move(found));
                    }};
                  });
  }

  // Nothing is asked any more, and nothing comes.
  void drop();

  bool busy() const { return busy_; }  // an answer will come, or an error; not while a question waits for its time

 signals:
  void failed(const iosx::Error& error);

 private:
  bool busy_ = false;
  std::function<void()> begin_;
  QTimer later_;
  JobRunner runner_;  // last: its thread ends before the rest goes
};

}  // namespace iosx
