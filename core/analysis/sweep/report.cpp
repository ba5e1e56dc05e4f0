#include "core/analysis/sweep/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/printable.h"
#include "core/tables/render.h"

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

// The least latency of a value has a star.
Cell latency_cell(const SweepPoint& point, const std::string& title) {
  const auto at = std::ranges::find(point.latencies, title, &SweepLatency::title);
  if (at == point.latencies.end()) return {};
  const bool least = std::ranges::all_of(
      point.latencies, [&](const SweepLatency& other) { return at->latency.value <= other.latency.value; });
  return {.value = at->latency.value.count(), .mark = verbatim(std::string(least ? 1 : 0, '*'))};
}

// One row a value, one column a schedule.
Table curve_table(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  const std::int64_t present = present_value(base, sweep);
  std::vector<Column<SweepPoint>> columns{
      {{.id = "value", .title = verbatim(std::string(row_of(sweep.parameter).id))}, [present](const SweepPoint& point) {
         return Cell{.value = verbatim(point.text),
                     .mark = point.value == present ? Message(Sentence{"(now)"}) : Message()};
       }}};
  for (const std::string& title : titles(points)) {
    columns.push_back({{.id = title, .title = verbatim(title), .kind = ColumnKind::kMillis},
                       [title](const SweepPoint& point) { return latency_cell(point, title); }});
  }
  return table_of(columns, std::vector(points.begin(), points.end()));
}

}  // namespace

std::string sweep_table_text(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  std::string text = printable(base.graph->name());
  if (sweep.parameter != SweepParameter::kDevice) text += fmt::format(" on {}", base.device);
  if (sweep.parameter != SweepParameter::kBatch) text += fmt::format(", batch {}", base.options.batch);
  text += fmt::format(": latency in ms over {}", row.axis);
  if (row.of_operator) text += fmt::format(" of {}", printable(operator_name(base, sweep)));
  std::string problems;
  std::optional<Origin> origin;
  for (const SweepPoint& point : points) {
    if (!point.problem.empty()) problems += fmt::format("{}: {}\n", point.text, printable(point.problem.text()));
    for (const SweepLatency& each : point.latencies) origin = each.latency.origin;
  }
  if (origin) text += fmt::format(" ({})", origin_name(*origin));
  return text + "\n" + table_text(curve_table(base, sweep, points)) + problems;
}

Table sweep_list(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points) {
  struct Row {
    const SweepPoint& point;
    const SweepLatency* one = nullptr;  // null: the value has no latencies
  };
  std::vector<Row> rows;
  for (const SweepPoint& point : points) {
    if (point.latencies.empty()) rows.push_back({point});
    for (const SweepLatency& each : point.latencies) rows.push_back({point, &each});
  }
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  const auto of_one = [](auto cell) {
    return [cell](const Row& row) { return row.one == nullptr ? Cell{} : Cell{cell(*row.one)}; };
  };
  const std::string op = operator_name(base, sweep);
  const std::vector<Column<Row>> columns{
      {{.id = "network"}, [&](const Row& /*row*/) { return text(base.graph->name()); }},
      {{.id = "device"},
       [&](const Row& row) { return text(sweep.parameter == SweepParameter::kDevice ? row.point.text : base.device); }},
      {{.id = "parameter"}, [&](const Row& /*row*/) { return text(row_of(sweep.parameter).id); }},
      {{.id = "operator"}, [&](const Row& /*row*/) { return text(op); }},
      {{.id = "value"}, [&](const Row& row) { return text(row.point.text); }},
      {{.id = "schedule"}, of_one([](const SweepLatency& one) { return verbatim(std::string(one.id.text())); })},
      {{.id = "latency_ms", .kind = ColumnKind::kMillis},
       of_one([](const SweepLatency& one) { return one.latency.value.count(); })},
      {{.id = "spread_ms", .kind = ColumnKind::kMillis},
       of_one([](const SweepLatency& one) { return one.latency.spread.count(); })},
      {{.id = "origin"},
       of_one([](const SweepLatency& one) { return verbatim(std::string(origin_name(one.latency.origin))); })},
      {{.id = "stages", .kind = ColumnKind::kCount},
       of_one([](const SweepLatency& one) { return count_value(one.stages); })},
      {{.id = "problem"},
       [&](const Row& row) { return row.one == nullptr ? text(row.point.problem.text()) : Cell{Message()}; }},
  };
  return table_of(columns, rows);
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
