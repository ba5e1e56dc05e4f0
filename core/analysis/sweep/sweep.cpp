#include "core/analysis/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/progress.h"
#include "core/base/text.h"

namespace iosx {
namespace {

// Replaces values that are so close that they are equivalent.
void add_present(std::vector<std::int64_t>& values, std::int64_t present) {
  std::erase_if(values, [&](std::int64_t value) { return std::abs(value - present) * 50 < present; });
  if (present > 0) values.push_back(present);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Halves to doubles of it, in steps that sizes of networks usually have.
std::vector<std::int64_t> around(std::int64_t present, std::int64_t step) {
  std::vector<std::int64_t> values;
  for (const std::int64_t eighths : {4, 5, 6, 7, 8, 10, 12, 14, 16}) {
    const std::int64_t value = (present * eighths / 8 + step / 2) / step * step;
    if (value > 0) values.push_back(value);
  }
  return values;
}

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

std::int64_t present_value(const SweepBase& base, const Sweep& sweep) {
  switch (sweep.parameter) {
    case SweepParameter::kBatch: return base.options.batch;
    case SweepParameter::kDevice: return std::ranges::find(base.devices, base.device) - base.devices.begin();
    case SweepParameter::kR: return static_cast<std::int64_t>(base.options.search.pruning.r);
    case SweepParameter::kS: return static_cast<std::int64_t>(base.options.search.pruning.s);
    case SweepParameter::kStreams: return static_cast<std::int64_t>(base.options.max_streams);
    case SweepParameter::kInputSize: return input_size(*base.graph);
    case SweepParameter::kChannels: return sweep.op.valid() ? channels_of(*base.graph, sweep.op) : 0;
    case SweepParameter::kKernel: break;
  }
  return sweep.op.valid() ? kernel_of(*base.graph, sweep.op) : 0;
}

std::vector<std::int64_t> usual_values(const SweepBase& base, const Sweep& sweep) {
  const std::int64_t present = present_value(base, sweep);
  std::vector<std::int64_t> values;
  switch (sweep.parameter) {
    case SweepParameter::kBatch: values = {1, 2, 4, 8, 16, 32, 64, 128}; break;
    case SweepParameter::kDevice:
      for (std::size_t i = 0; i < base.devices.size(); ++i) values.push_back(static_cast<std::int64_t>(i));
      return values;
    case SweepParameter::kR: values = {1, 2, 3, 4}; break;
    case SweepParameter::kS: values = {1, 2, 3, 4, 6, 8}; break;
    case SweepParameter::kStreams: values = {1, 2, 3, 4, 6, 8, 10}; break;
    case SweepParameter::kInputSize: values = around(present, present >= 64 ? 32 : 1); break;
    case SweepParameter::kChannels: values = around(present, present >= 32 ? 8 : 1); break;
    case SweepParameter::kKernel: values = {1, 3, 5, 7}; break;
  }
  add_present(values, present);
  return values;
}

std::string value_text(const SweepBase& base, const Sweep& sweep, std::int64_t value) {
  if (sweep.parameter == SweepParameter::kDevice) {
    const auto index = static_cast<std::size_t>(value);
    return index < base.devices.size() ? base.devices[index] : std::string();
  }
  const bool limit = sweep.parameter == SweepParameter::kR || sweep.parameter == SweepParameter::kS;
  return limit && value == 0 ? "unlimited" : fmt::format("{}", value);
}

Result<SweepBase> with_value(const SweepBase& base, const Sweep& sweep, std::int64_t value) {
  SweepBase next = base;
  const auto take = [&](Result<Graph> graph) -> Result<SweepBase> {
    if (!graph) return tl::unexpected(std::move(graph.error()));
    next.graph = std::make_shared<const Graph>(std::move(*graph));
    return std::move(next);
  };
  const SweepParameterRow& row = row_of(sweep.parameter);
  if (!row.bounds.hold(value)) {
    return fail(message("{} {}", row.title, value), {}, message("give {} to {}", row.bounds.least, row.bounds.most));
  }
  switch (sweep.parameter) {
    case SweepParameter::kBatch: next.options.batch = value; break;
    case SweepParameter::kDevice:
      if (static_cast<std::size_t>(value) >= base.devices.size()) return fail(message("there is no such device"));
      next.device = base.devices[static_cast<std::size_t>(value)];
      break;
    case SweepParameter::kR: next.options.search.pruning.r = static_cast<std::size_t>(value); break;
    case SweepParameter::kS: next.options.search.pruning.s = static_cast<std::size_t>(value); break;
    case SweepParameter::kStreams:
      next.options.max_streams = static_cast<std::size_t>(value);
      next.options.search.pruning.s = static_cast<std::size_t>(value);
      break;
    case SweepParameter::kInputSize: return take(with_input_size(*base.graph, value));
    case SweepParameter::kChannels: return take(with_channels(*base.graph, sweep.op, value));
    case SweepParameter::kKernel: return take(with_kernel(*base.graph, sweep.op, value));
  }
  return next;
}

Result<SweepPoint> sweep_point(const SweepBase& base, const Sweep& sweep, std::int64_t value,
                               const SweepEvaluator& evaluate, const JobContext& job) {
  SweepPoint point{.value = value, .text = value_text(base, sweep, value), .latencies = {}, .problem = {}};
  // The value as it is leaves everything as it is: weights too.
  const auto setting = value == present_value(base, sweep) && sweep.parameter != SweepParameter::kStreams
                           ? Result<SweepBase>(base)
                           : with_value(base, sweep, value);
  if (!setting) {
    point.problem = setting.error().what;
    return point;
  }
  const auto comparison = evaluate(*setting, named(job, fmt::format("{} {}", row_of(sweep.parameter).id, point.text)));
  if (job.stopped()) return fail(message("stopped"));
  if (!comparison) {
    point.problem = comparison.error().line();
    return point;
  }
  for (const ScheduleResult& result : comparison->results) {
    point.latencies.push_back(
        {result.id, result.schedule_kind, result.title(), result.latency, result.schedule.stages.size()});
  }
  return point;
}

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
