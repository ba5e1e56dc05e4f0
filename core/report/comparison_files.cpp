#include "core/report/comparison_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/compare/report.h"
#include "core/import/document.h"
#include "core/report/output_file.h"
#include "core/trace/chrome_trace.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

struct NamedText {
  std::string name;
  std::string text;
};

// Two schedules of the same name, or of names that differ only in what a file name cannot say, get different files.
std::string unused_stem(const std::string& schedule, std::set<std::string>& used) {
  const std::string stem = file_stem(schedule);
  std::string candidate = stem;
  for (int n = 2; !used.insert(candidate).second; ++n) candidate = fmt::format("{}-{}", stem, n);
  return candidate;
}

void add_schedules(const Comparison& comparison, std::vector<NamedText>& files, std::vector<std::string>& left_out) {
  const Graph& graph = *comparison.graph;
  std::set<std::string> stems;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    const std::string stem = unused_stem(result.schedule.name, stems);
    const ScheduleNotes notes = notes_of(comparison.device, comparison.batch, result);
    files.push_back({stem + ".schedule.json", schedule_to_json(graph, result.schedule, notes)});
    auto original = to_ios_json(graph, result.schedule);
    if (original) {
      files.push_back({stem + ".ios.json", std::move(*original)});
    } else {
      left_out.push_back(fmt::format("left out {}.ios.json: {}", stem, original.error().text()));
    }
  }
}

}  // namespace

Result<ComparisonFiles> write_comparison_files(const Comparison& comparison, const std::filesystem::path& folder) {
  if (auto made = make_folder(folder); !made) return tl::unexpected(std::move(made.error()));
  // Names come from files and need not be UTF-8.
  const std::string json = comparison_json(comparison).dump(2, ' ', false, Json::error_handler_t::replace);
  std::vector<NamedText> files{{"comparison.txt", comparison_table(comparison)},
                               {"comparison.json", json + '\n'},
                               {"stages.csv", stage_csv(comparison)},
                               {"trace.json", comparison_trace(comparison)}};
  ComparisonFiles written;
  add_schedules(comparison, files, written.left_out);
  for (const auto& [name, text] : files) {
    written.paths.push_back(folder / name);
    if (auto done = write_file(written.paths.back(), text); !done) return tl::unexpected(std::move(done.error()));
  }
  return written;
}

std::string comparison_trace(const Comparison& comparison) {
  std::vector<NamedTrace> traces;
  for (const ScheduleResult& result : comparison.results) {
    if (result.asked) traces.push_back({result.schedule.name, &result.trace});
  }
  return chrome_trace_json(traces, comparison.device.name, std::string(origin_name(comparison.device.origin)));
}

ScheduleNotes notes_of(const DeviceInfo& device, std::int64_t batch, const ScheduleResult& result) {
  ScheduleNotes notes{.device = device.id,
                      .batch = batch,
                      .origin = std::string(origin_name(result.latency.origin)),
                      .latency_ms = result.latency.value.count(),
                      .stage_ms = {}};
  for (const Latency& latency : result.stage_latencies) notes.stage_ms.push_back(latency.value.count());
  return notes;
}

std::string file_stem(const std::string& name) {
  std::string stem = name;
  std::replace_if(
      stem.begin(), stem.end(),
      [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return !letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-';
      },
      '-');
  return stem.empty() || stem.front() == '.' ? "schedule" + stem : stem;
}

}  // namespace iosx
