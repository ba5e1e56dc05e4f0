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
