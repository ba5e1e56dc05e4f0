#include "core/analysis/sweep/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/printable.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

std::string operator_name(const SweepBase& base, const Sweep& sweep) {
  return row_of(sweep.parameter).of_operator ? base.graph->op(sweep.op).name : std::string();
}

// Titles of the schedules of all points, in the order in which they come first.
std::vector<std::string> titles(std::span<const SweepPoint> points) {
  std::vector<std::string> titles;
  for (const SweepPoint& point : points) {
    for (const SweepLatency& each : point.latencies) {
      if (std::ranges::count(titles, each.title) == 0) titles.push_back(each.title);
    }
  }
  return titles;
}

std::string cell(const SweepPoint& point, const std::string& title) {
  const auto at = std::ranges::find(point.latencies, title, &SweepLatency::title);
  if (at == point.latencies.end()) return "-";
  const bool least = std::ranges::all_of(
      point.latencies, [&](const SweepLatency& other) { return at->latency.value <= other.latency.value; });
  return fmt::format("{:.3f}{}", at->latency.value.count(), least ? "*" : " ");
}

}  // namespace

std::string sweep_table_text(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  std::string text = printable(base.graph->name());
  if (sweep.parameter != SweepParameter::kDevice) text += fmt::format(" on {}", base.device);
  if (sweep.parameter != SweepParameter::kBatch) text += fmt::format(", batch {}", base.options.batch);
  text += fmt::format(": latency in ms over {}", row.axis);
  if (row.of_operator) text += fmt::format(" of {}", printable(operator_name(base, sweep)));
  std::vector<std::vector<std::string>> rows{{std::string(row.id)}};
  const std::vector<std::string> schedules = titles(points);
  for (const std::string& title : schedules) rows.front().push_back(printable(title));
  std::string problems;
  std::optional<Origin> origin;
  const std::int64_t present = present_value(base, sweep);
  for (const SweepPoint& point : points) {
    std::vector<std::string>& cells =
        rows.emplace_back(std::vector{point.text + (point.value == present ? " (now)" : "")});
    for (const std::string& title : schedules) cells.push_back(cell(point, title));
    if (!point.problem.empty()) problems += fmt::format("{}: {}\n", point.text, printable(point.problem.text()));
    for (const SweepLatency& each : point.latencies) origin = each.latency.origin;
  }
  if (origin) text += fmt::format(" ({})", origin_name(*origin));
  return text + "\n" + aligned(rows) + problems;
}

std::string sweep_csv(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  std::string text = "network,device,parameter,operator,value,schedule,latency_ms,spread_ms,origin,stages,problem\n";
  for (const SweepPoint& point : points) {
    const std::string head =
        fmt::format("{},{},{},{},{}", csv_field(base.graph->name()),
                    csv_field(sweep.parameter == SweepParameter::kDevice ? point.text : base.device),
                    row_of(sweep.parameter).id, csv_field(operator_name(base, sweep)), csv_field(point.text));
    if (point.latencies.empty()) text += fmt::format("{},,,,,,{}\n", head, csv_field(point.problem.text()));
    for (const SweepLatency& each : point.latencies) {
      text += fmt::format("{},{},{:.6f},{:.6f},{},{},\n", head, csv_field(each.id.text()), each.latency.value.count(),
                          each.latency.spread.count(), origin_name(each.latency.origin), each.stages);
    }
  }
  return text;
}

Json sweep_json(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  Json list = Json::array();
  for (const SweepPoint& point : points) {
    Json schedules = Json::array();
    for (const SweepLatency& each : point.latencies) {
      schedules.push_back({{"id", each.id.text()},
                           {"latency_ms", each.latency.value.count()},
                           {"spread_ms", each.latency.spread.count()},
                           {"origin", origin_name(each.latency.origin)},
                           {"stages", each.stages}});
    }
    list.push_back({{"value", point.value},
                    {"text", point.text},
                    {"schedules", std::move(schedules)},
                    {"problem", point.problem.empty() ? Json(nullptr) : Json(point.problem.text())}});
  }
  const std::string op = operator_name(base, sweep);
  return {{"network", base.graph->name()},           {"device", base.device},
          {"parameter", row_of(sweep.parameter).id}, {"operator", op.empty() ? Json(nullptr) : Json(op)},
          {"present", present_value(base, sweep)},   {"points", std::move(list)}};
}

}  // namespace iosx
