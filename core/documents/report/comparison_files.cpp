#include "core/documents/report/comparison_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/analysis/compare/report.h"
#include "core/base/text.h"
#include "core/documents/report/output_file.h"
#include "core/formats/document.h"
#include "core/formats/external/match.h"
#include "core/model/trace/trace.h"
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
    files.push_back({stem + ".schedule.json", schedule_to_json(graph, result.named(), notes, result.lanes)});
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

Result<ComparisonFiles> write_comparison_files(const Comparison& comparison, const std::filesystem::path& folder,
                                               std::span<const ExternalRun> external) {
  IOS_TRY(make_folder(folder));
  Json document = comparison_json(comparison, external);
  std::string table = comparison_table(comparison, external);
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
  if (!comparison.knows_latencies()) {
    notes.latency_ms.reset();
    return notes;
  }
  for (const Latency& latency : result.stage_latencies) notes.stage_ms.push_back(latency.value.count());
  return notes;
}

Speedup speedup(const Comparison& comparison, const ExternalRun& run) {
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr || !comparison.knows_latencies() || run.latency.value <= Millis(0) ||
      piece_of(run, *comparison.graph))
    return {.value = 0, .low = 0, .high = 0};
  return speedup(base->latency, base->rounds, run.latency, {});
}

std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph) {
  std::vector<Message> notices = run.notices;
  if (const auto piece = piece_of(run, graph)) {
    notices.push_back(message("it has {} of the {} operators of the network, so its latency is not compared",
                              piece->recorded, piece->of));
  }
  return notices;
}

std::string external_runs_table(const Comparison& comparison, std::span<const ExternalRun> runs) {
  if (runs.empty()) return {};
  using Row = ExternalRun;
  const std::vector<Column<Row>> columns{
      {{.id = "label", .title = in_english("recorded elsewhere")},
       [](const Row& run) { return Cell{verbatim(run.label)}; }},
      {{.id = "latency_ms", .title = in_english("latency"), .kind = ColumnKind::kMillis},
       [](const Row& run) {
         Cell cell{run.latency.value.count()};
         const std::string spread = fmt::format("± {:.3f}", run.latency.spread.count());
         if (run.latency.samples >= 2) cell.mark = verbatim(spread);
         return cell;
       }},
      {{.id = "speedup", .title = in_english("speed-up"), .kind = ColumnKind::kFactor},
       [&](const Row& run) {
         const Speedup times = speedup(comparison, run);
         return times.value > 0 ? Cell{times.value} : Cell{};
       }},
      {{.id = "speedup_interval", .title = in_english("95 % interval"), .kind = ColumnKind::kFactor, .interval = true},
       [&](const Row& run) {
         const Speedup times = speedup(comparison, run);
         const bool known = times.value > 0 && times.known() && times.low < times.high;
         return known ? Cell{ValueInterval{times.low, times.high}} : Cell{};
       }},
      {{.id = "samples", .title = in_english("samples"), .kind = ColumnKind::kCount},
       [](const Row& run) { return Cell{count_value(run.latency.samples)}; }},
      {{.id = "matched_share", .title = in_english("matched"), .kind = ColumnKind::kShare},
       [](const Row& run) {
         return run.entries.empty() ? Cell{} : Cell{std::floor(1000 * run.matched_share()) / 1000};
       }},
      {{.id = "recorded", .title = in_english("")}, [](const Row& run) { return Cell{verbatim(recorded_by(run))}; }}};
  std::string text = table_text(table_of(columns, std::vector(runs.begin(), runs.end())));
  for (const ExternalRun& run : runs) {
    for (const Message& notice : notices_of(run, *comparison.graph)) {
      text += fmt::format("note: {}: {}\n", printable(run.label), printable(notice.text()));
    }
  }
  return text;
}

nlohmann::ordered_json external_runs_json(const Comparison& comparison, std::span<const ExternalRun> runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExternalRun& run : runs) {
    const Speedup times = speedup(comparison, run);
    nlohmann::ordered_json one{{"label", run.label},
                               {"tool", tool_name(run.tool)},
                               {"file", run.file},
                               {"origin", origin_name(run.latency.origin)},
                               {"latency_ms", run.latency.value.count()},
                               {"spread_ms", run.latency.spread.count()},
                               {"samples", run.latency.samples},
                               {"speedup", times.value > 0 ? Json(times.value) : Json()}};
    if (times.value > 0 && times.known()) one["speedup_interval"] = {times.low, times.high};
    one["within_noise"] = times.value > 0 ? Json(times.within_noise()) : Json();
    one["entries"] = run.entries.size();
    one["matched_share"] = run.matched_share();
    one["notices"] = notices_of(run, *comparison.graph);
    list.push_back(std::move(one));
  }
  return list;
}

std::string comparison_table(const Comparison& comparison, std::span<const ExternalRun> external) {
  std::string table = comparison_table(comparison);
  if (!external.empty()) table += '\n' + external_runs_table(comparison, external);
  return table;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison, std::span<const ExternalRun> external) {
  Json document = comparison_json(comparison);
  if (!external.empty()) document["beside"] = external_runs_json(comparison, external);
  return document;
}

}  // namespace iosx
