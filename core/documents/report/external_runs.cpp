#include "core/documents/report/external_runs.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/compare/comparison_tables.h"
#include "core/base/printable.h"
#include "core/formats/external/match.h"
#include "core/tables/render.h"

namespace iosx {

Speedup speedup(const Comparison& comparison, const ExternalRun& run) {
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr || run.latency.value <= Millis(0) || piece_of(run, *comparison.graph))
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
                               {"speedup", times.value}};
    if (times.value > 0 && times.known()) one["speedup_interval"] = {times.low, times.high};
    one["within_noise"] = times.within_noise();
    one["entries"] = run.entries.size();
    one["matched_share"] = run.matched_share();
    one["notices"] = notices_of(run, *comparison.graph);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace iosx
