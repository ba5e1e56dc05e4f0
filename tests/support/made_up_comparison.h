#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/difference/subject.h"

namespace iosx::test {

// For tests only: nothing here was run on any device. A stem convolution feeds convolutions a, b and a pooling c, whose
// outputs are joined. Three schedules: sequential, greedy (a, b, c side by side), ios-both (a and b merged, beside c).
// Kernel i of a plan lasts 20 + 10 i µs, stages are 4 µs apart, a running kernel has 800 of 5120 warps active.
std::shared_ptr<Comparison> made_up_comparison();

// Returns the same with a second run of ios-both: its kernel i lasted 25 + 10 i µs.
std::shared_ptr<Comparison> made_up_twins();

// Returns the same with the kernels of greedy without barriers, on its lanes and as long: a kernel begins when its
// lane is free and its needs have ended, 1 µs later where one is on another lane. Lanes are compared with greedy,
// whose own ones take 5 µs less without barriers.
std::shared_ptr<Comparison> made_up_lanes();

// A chain of `kernels` convolutions, sequential only, 3 µs per kernel.
std::shared_ptr<Comparison> made_up_chain(std::size_t kernels);

// For tests only: made-up latencies.
struct MadeUpRun {
  std::vector<double> stages;  // ms, one per stage
  double between = 0;          // ms between stages
  double rest = 0;             // ms of the run beyond that
  double spread = 0;           // ms, of every stage and of the run
  std::int64_t samples = 1;
  Origin origin = Origin::kSimulated;
  std::int64_t batch = 1;
  std::string device = "Made-up GPU";
};

// Returns a separate comparison with this one schedule.
Subject subject_of(std::shared_ptr<const Graph> graph, Schedule schedule, const MadeUpRun& run,
                   ScheduleKind schedule_kind = ScheduleKind::kByHand);

// Stages from units: {{{0}}, {{1}, {2, 3}}} are two stages, the second with two groups of one unit per step.
Schedule schedule_of(const std::vector<std::vector<std::vector<std::size_t>>>& stages, std::string name = "made up");

}  // namespace iosx::test
