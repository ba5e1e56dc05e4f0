#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/message.h"

namespace iosx {

// Says how far a long job is. total = 0 means unknown.
struct Progress {
  Message phase;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

// A sink is called on the job's own thread, not too often (at most some hundred times a second); it must return
// quickly.
using ProgressSink = std::function<void(const Progress&)>;

// Every long job takes one. A stop is honoured within 100 ms unless the function says otherwise.
struct JobContext {
  std::stop_token stop;
  ProgressSink progress;  // may be empty

  bool stopped() const { return stop.stop_requested(); }
  void report(Message phase, std::int64_t done, std::int64_t total) const {
    if (progress) progress(Progress{std::move(phase), done, total});
  }
};

// Returns the context for a piece of a job, which reports its progress as that of `name`.
inline JobContext named(const JobContext& job, std::string name) {
  JobContext inner{job.stop, {}};
  if (job.progress) {
    inner.progress = [sink = job.progress, name = std::move(name)](const Progress& progress) {
      sink(Progress{message("{}: {}", name, progress.phase), progress.done, progress.total});
    };
  }
  return inner;
}

}  // namespace iosx
