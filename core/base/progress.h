#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/message.h"

namespace iosx {

// The progress of a long job. total = 0 means unknown.
struct Progress {
  Message phase;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

// A job calls the sink on its own thread, at most a few hundred times a second. The sink must return quickly.
using ProgressSink = std::function<void(const Progress&)>;

// The stop token and progress sink of a long job. A job honours a stop within 100 ms unless its
// function says otherwise.
struct JobContext {
  std::stop_token stop;
  ProgressSink progress;  // may be empty

  bool stopped() const { return stop.stop_requested(); }
  void report(Message phase, std::int64_t done, std::int64_t total) const {
    if (progress) progress(Progress{std::move(phase), done, total});
  }
};

// Returns the context for a part of a job; its progress messages begin with `name`.
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
