#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/analysis/difference/subject.h"

namespace iosx::test {

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
