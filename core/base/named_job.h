#pragma once

#include <string>
#include <utility>

#include "core/base/progress.h"

namespace iosx {

// A piece of a job, which reports its progress as that of `name`.
inline JobContext named(const JobContext& job, std::string name) {
  JobContext inner{job.stop, {}};
  if (job.progress) {
    inner.progress = [sink = job.progress, name = std::move(name)](const Progress& progress) {
      sink(Progress{name + ": " + progress.phase, progress.done, progress.total});
    };
  }
  return inner;
}

}  // namespace iosx
