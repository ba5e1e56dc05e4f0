#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Facts about a schedule in addition to its stages.
struct ScheduleNotes {
  std::string device;  // may be empty
  std::int64_t batch = 1;
  std::string origin;                // "simulated", "measured", …; empty without a latency
  std::string recorded = {};         // where and when, for a latency not timed here and now; usually empty
  std::optional<double> latency_ms;  // end to end
  std::vector<double> stage_ms;      // one per stage, or empty
  friend bool operator==(const ScheduleNotes&, const ScheduleNotes&) = default;
};

struct ScheduleFile {
  Schedule schedule;
  std::optional<LaneSchedule> lanes = {};  // of a barrier-free one: those of its kernels
  ScheduleNotes notes = {};
};

// Writes our schedule file, one stage per line:
//   {"format":"iosx-schedule","version":1,"graph":…,"schedule":…,"device":…,"batch":…,"origin":…,["recorded":…,]"latency_ms":…,
//    "stages":[{"strategy":"concurrent","groups":[[["a"],["b","c"]]],"latency_ms":…}, …]}
// A stage has groups, a group has steps, a step names one unit or those whose layers run merged. A barrier-free
// schedule has version 2 and, in addition to the stages that chose its kernels, "lanes": [[kernel, lane, "name"], …]
// in launch order; kernels are numbered as stages, groups and steps list them on the device for which they were found.
std::string schedule_to_json(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes = {},
                             const std::optional<LaneSchedule>& lanes = {});

// Writes CSV with a header line: stage,strategy,group,step,units,latency_ms, with one line per step, counted from 1.
// Spaces separate merged units; a stage's latency is on its first line. A barrier-free schedule has
// launch,lane,kernel,name instead, and one line per kernel.
std::string schedule_to_csv(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes = {},
                            const std::optional<LaneSchedule>& lanes = {});

// Says that a form of schedules cannot hold one without barriers.
Error has_stages_only(Message form = message("the JSON of the original program"));

// Returns whether text with this beginning is ours: it has "format": "iosx-schedule", with any white space.
bool names_schedule_format(std::string_view head);

// Reads the form of schedule_to_json() for this graph. Errors name the element: a schedule of another graph, or one
// that is not legal for it. `origin` (a path) begins every message.
Result<ScheduleFile> parse_schedule_json(std::string_view text, const std::string& origin, const Graph& graph);
Result<ScheduleFile> load_schedule(const std::filesystem::path& path, const Graph& graph);

}  // namespace iosx
