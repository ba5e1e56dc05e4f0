#include "core/documents/report/comparison_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/analysis/compare/comparison_tables.h"
#include "core/analysis/compare/report.h"
#include "core/documents/report/output_file.h"
#include "core/formats/document.h"
#include "core/model/trace/chrome_trace.h"
#include "core/tables/render.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

struct NamedText {
  std::string name;
  std::string text;
};

void add_schedules(const Comparison& comparison, std::vector<NamedText>& files, std::vector<std::string>& left_out) {
  const Graph& graph = *comparison.graph;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    const std::string& stem = result.id.text();
    const ScheduleNotes notes = notes_of(comparison, result);
    files.push_back({stem + ".schedule.json", schedule_to_json(graph, result.schedule, notes, result.lanes)});
    if (result.lanes) continue;  // which the original cannot say
    auto original = to_ios_json(graph, result.schedule);
    if (original) {
      files.push_back({stem + ".ios.json", std::move(*original)});
    } else {
      left_out.push_back(fmt::format("left out {}.ios.json: {}", stem, original.error().text()));
    }
  }
}

// Returns a sentence about other schedules in the folder, for users who take the folder for one comparison.
std::string of_earlier_runs(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& written) {
  std::vector<std::string> others;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool schedule = name.ends_with(".schedule.json") || name.ends_with(".ios.json");
    const auto same = [&](const std::filesystem::path& path) { return path.filename() == name; };
    if (schedule && std::ranges::none_of(written, same)) others.push_back(name);
  }
  if (others.empty()) return {};
  std::ranges::sort(others);
  return fmt::format("{} also holds schedules that are none of this comparison, of an earlier one perhaps: {}",
                     folder.string(), fmt::join(others, ", "));
}

}  // namespace

Result<ComparisonFiles> write_comparison_files(const Comparison& comparison, const std::filesystem::path& folder) {
  IOS_TRY(make_folder(folder));
  Json document = comparison_json(comparison);
  std::string table = comparison_table(comparison);
  if (!comparison.recorded.empty()) {
    document["recorded"] = comparison.recorded.text();
    table += comparison.recorded.text() + '\n';
  }
  // Names come from files and need not be UTF-8.
  const std::string json = document.dump(2, ' ', false, Json::error_handler_t::replace);
  std::vector<NamedText> files{{"comparison.txt", std::move(table)},
                               {"comparison.json", json + '\n'},
                               {"schedules.csv", table_csv(schedule_comparison(requested_schedules(comparison)))},
                               {"stages.csv", table_csv(stage_list(comparison))},
                               {"trace.json", comparison_trace(comparison)}};
  if (const Table networks = network_list(comparison); !networks.rows.empty()) {
    files.push_back({"networks.csv", table_csv(networks)});
  }
  if (const Table samples = sample_list(comparison); !samples.rows.empty()) {
    files.push_back({"samples.csv", table_csv(samples)});
  }
  ComparisonFiles written;
  add_schedules(comparison, files, written.left_out);
  for (const auto& [name, text] : files) {
    written.paths.push_back(folder / name);
    IOS_TRY(write_file(written.paths.back(), text));
  }
  if (std::string others = of_earlier_runs(folder, written.paths); !others.empty()) {
    written.left_out.push_back(std::move(others));
  }
  return written;
}

std::string comparison_trace(const Comparison& comparison) {
  std::vector<NamedTrace> traces;
  for (const ScheduleResult& result : comparison.results) {
    if (result.asked) traces.push_back({result.id.text(), &result.trace, !result.lanes});
  }
  const std::string& name = comparison.device.name;
  const std::string device = comparison.recorded.empty() ? name : name + ", " + comparison.recorded.text();
  return chrome_trace_json(traces, device, std::string(origin_name(comparison.device.origin)));
}

ScheduleNotes notes_of(const Comparison& comparison, const ScheduleResult& result) {
  ScheduleNotes notes{.device = comparison.device.id,
                      .batch = comparison.batch,
                      .origin = std::string(origin_name(result.latency.origin)),
                      .recorded = comparison.recorded.text(),
                      .latency_ms = result.latency.value.count(),
                      .stage_ms = {}};
  for (const Latency& latency : result.stage_latencies) notes.stage_ms.push_back(latency.value.count());
  return notes;
}

}  // namespace iosx
