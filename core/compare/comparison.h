#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "core/search/search.h"

namespace iosx {

// One schedule, run end to end on the device.
struct ScheduleResult {
  Schedule schedule;
  Latency latency;                       // end to end, measured by itself
  Millis stage_sum{0};                   // of stage_latencies
  std::vector<Latency> stage_latencies;  // each stage on its own, one a stage
  ExecutionPlan plan;
  Trace trace;
  std::optional<SearchResult> search;  // how it was found; none for a baseline or a file
};

struct Comparison {
  std::shared_ptr<const Graph> graph;  // cut into the parts that were searched
  DeviceInfo device;
  std::int64_t batch = 1;
  std::vector<ScheduleResult> results;  // in the order asked for

  std::size_t best() const;  // index of the lowest end-to-end latency; the first one on ties
  const ScheduleResult* find(std::string_view schedule_name) const;
};

struct CompareOptions {
  std::int64_t batch = 1;
  // Of "sequential", "greedy", "ios-merge", "ios-parallel", "ios-both".
  std::vector<std::string> schedules{"sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"};
  SearchOptions search;  // its strategies field is set by each name
  std::size_t max_part_size = 50;
  std::size_t max_streams = 10;
  std::vector<Schedule> given;  // further schedules, from files or by hand
};

// Makes the schedules, runs each, interleaved. A stop keeps what is done: the schedules finished so far.
Result<Comparison> compare(std::shared_ptr<const Graph> graph, Device& device, const CompareOptions& options,
                           const JobContext& job);

// Runs one schedule end to end with stage latencies and a trace.
Result<ScheduleResult> evaluate(const Graph& graph, Schedule schedule, Device& device, std::int64_t batch,
                                const JobContext& job);

}  // namespace iosx
