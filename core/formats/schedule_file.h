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

// Holds what is known about a schedule besides its stages.
struct ScheduleNotes {
  std::string device;  // may be empty
  std::int64_t batch = 1;
  std::string origin;                // "simulated", "measured", …; empty when nothing was timed
  std::string recorded = {};         // where and when, of what was not timed here and now; mostly empty
  std::optional<double> latency_ms;  // end to end
  std::vector<double> stage_ms;      // one per stage, or empty
  friend bool operator==(const ScheduleNotes&, const ScheduleNotes&) = default;
};

struct ScheduleFile {
  Schedule schedule;
  std::optional<LaneSchedule> lanes;  // of a barrier-free one: those of its kernels
  ScheduleNotes notes;
};

// Writes our schedule file, one stage a line:
//   {"format":"iosx-schedule","version":1,"graph":…,"schedule":…,"device":…,"batch":…,"origin":…,["recorded":…,]"latency_ms":…,
//    "stages":[{"strategy":"concurrent","groups":[[["a"],["b","c"]]],"latency_ms":…}, …]}
// A stage has groups, a group has steps, a step names one unit or those whose layers run merged. A barrier-free
// schedule is of version 2 and has, besides the stages that chose its kernels, "lanes": [[kernel, lane, "name"], …] in
// launch order; kernels are numbered as stages, groups and steps list them on the device that they were found for.
std::string schedule_to_json(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes = {},
                             const std::optional<LaneSchedule>& lanes = {});

// Writes CSV with a header line: stage,strategy,group,step,units,latency_ms. It has one line a step, counted from 1;
// merged units are separated by spaces; a stage's latency stands on its first line.
// Of a barrier-free schedule it has launch,lane,kernel,name instead, and one line a kernel.
std::string schedule_to_csv(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes = {},
                            const std::optional<LaneSchedule>& lanes = {});

// Says that a form of schedules cannot hold one without barriers.
Error has_stages_only(Message form = message("the JSON of the original program"));

// Says whether text that begins so is one of ours: it has "format": "iosx-schedule", with any white space.
bool names_schedule_format(std::string_view head);

// Reads schedule_to_json's form for this graph. A schedule of another graph, or one that is not legal for it, is an
// error that names the element. `origin` (a path) leads every message.
Result<ScheduleFile> parse_schedule_json(std::string_view text, const std::string& origin, const Graph& graph);
Result<ScheduleFile> load_schedule(const std::filesystem::path& path, const Graph& graph);

}  // namespace iosx
