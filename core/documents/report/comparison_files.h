#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/formats/schedule_file.h"

namespace iosx {

struct ComparisonFiles {
  std::vector<std::filesystem::path> paths;  // of written files
  // A sentence for each file that could not be made, with the reason, and one about schedules in the folder that do
  // not belong to this comparison.
  std::vector<std::string> left_out;
};

// Writes a comparison into a folder, which is made if it is missing: comparison.txt for people, comparison.json,
// schedules.csv and stages.csv for programs (networks.csv too, of several networks, and samples.csv where runs were
// timed one by one), trace.json for Perfetto; and for every schedule that was asked for ID.schedule.json (ours) and
// ID.ios.json (the original's JSON), where that format can say it. The first two repeat Comparison::recorded, and have
// the external runs that are shown beside. The error is the file system's.
Result<ComparisonFiles> write_comparison_files(const Comparison& comparison, const std::filesystem::path& folder,
                                               std::span<const ExternalRun> external = {});

// Returns the requested schedules, each as a process, as a Chrome trace.
std::string comparison_trace(const Comparison& comparison);

// Returns the facts of a schedule file in addition to the stages.
ScheduleNotes notes_of(const Comparison& comparison, const ScheduleResult& result);

// External runs next to a comparison of the same network. None of their values is measured by us; every row names its
// source.

// Returns how many times as fast the run is as the comparison's first sequential schedule; 0 without one, or where the
// run has no latency of the whole network (piece_of).
Speedup speedup(const Comparison& comparison, const ExternalRun& run);

// Returns sentences for the user: those of the run, and one if it covers only a piece of the network.
std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph);

// Returns one row per run after a line of explanation, for display; empty without runs.
std::string external_runs_table(const Comparison& comparison, std::span<const ExternalRun> runs);

// Returns [{"label", "tool", "file", "origin": "recorded", "latency_ms", "spread_ms", "samples", "speedup",
// "speedup_interval", "within_noise", "entries", "matched_share", "notices"}]. "speedup_interval" is present only
// where known; "speedup" and "within_noise" are null where the run is not of the whole network.
nlohmann::ordered_json external_runs_json(const Comparison& comparison, std::span<const ExternalRun> runs);

// Return comparison_table() with that table below it, and comparison_json() with those runs as "beside", if there are
// any runs.
std::string comparison_table(const Comparison& comparison, std::span<const ExternalRun> external);
nlohmann::ordered_json comparison_json(const Comparison& comparison, std::span<const ExternalRun> external);

}  // namespace iosx
