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
  Micros expected{0};                                  // what one replay takes
  std::vector<std::pair<double, double>> ranges = {};  // see FoldOptions; one a stage of the trace
};

// Holds the hardware's counters over one replay, from many.
struct Course {
  Folded folded;
  std::vector<CounterKind> kinds;  // one a metric of `folded`
  Micros interval{0};              // that was used: see course_of()
};

// `replay` runs the work once and waits for it. Samples may be further apart than is wanted: where the GPU cannot do
// better, where a recording has no room for one replay, where samples were lost, and where they were further apart in
// what was sampled before. The errors are the sampler's, which then ends, what fold() refuses, and a stop.
Result<Course> course_of(const std::function<void()>& replay, Sampling& sampling, const CourseOptions& options,
                         const JobContext& job);

// Returns the counters as a trace of that work shows them, in which the work takes from `begin` to `end`.
std::vector<Counter> counters_of(const Course& course, Micros begin, Micros end);

}  // namespace iosx::gpu
