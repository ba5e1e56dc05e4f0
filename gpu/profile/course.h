#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/trace/trace.h"
#include "gpu/profile/profiler.h"

namespace iosx::gpu {

struct CourseOptions {
  Micros interval{5};
  int replays = 200;
  Micros expected{0};                                  // time of one replay
  std::vector<std::pair<double, double>> ranges = {};  // see FoldOptions; one per stage of the trace
};

// The hardware counters over one replay, from many replays.
struct Course {
  Folded folded;
  std::vector<CounterKind> kinds;  // one per metric of `folded`
  Micros interval{0};              // the actual one: see course_of()
};

// `replay` runs the work once and waits for it. Samples may be further apart than requested: where the GPU cannot do
// better, where a recording has no room for one replay, where samples were lost, and where earlier sampling had a
// longer interval. Errors: the sampler's, which then ends, those of fold(), and a stop.
Result<Course> course_of(const std::function<void()>& replay, Sampling& sampling, const CourseOptions& options,
                         const JobContext& job);

// Returns the counters in the form of that work's trace, where the work takes from `begin` to `end`.
std::vector<Counter> counters_of(const Course& course, Micros begin, Micros end);

}  // namespace iosx::gpu
