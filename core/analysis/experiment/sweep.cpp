#include "core/analysis/experiment/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
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

std::string operator_name(const Sweep& sweep) {
  return row_of(sweep.parameter).of_operator ? sweep.base.graph->op(sweep.op).name : std::string();
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
Table curve_table(const Sweep& sweep, std::span<const SweepPoint> points) {
  const std::int64_t present = present_value(sweep);
  std::vector<Column<SweepPoint>> columns{
      {{.id = "value", .title = verbatim(std::string(row_of(sweep.parameter).id))}, [present](const SweepPoint& point) {
         return Cell{.value = verbatim(point.text),
                     .mark = point.value == present ? Message(Sentence{"(now)"}) : Message()};
       }}};
  for (const std::string& title : sweep_titles(points)) {
    columns.push_back({{.id = title, .title = verbatim(title), .kind = ColumnKind::kMillis},
                       [title](const SweepPoint& point) { return latency_cell(point, title); }});
  }
  return table_of(columns, std::vector(points.begin(), points.end()));
}

// Says what the value means where the graph is several networks.
std::string in_several_networks(const Sweep& sweep) {
  const Graph& graph = *sweep.base.graph;
  const OperatorId input = sized_input(graph);
  if (sweep.parameter == SweepParameter::kInputSize && input.valid()) {
    const std::string& network = graph.networks()[graph.op(input).network.index()];
    return fmt::format(" of {}, the others in proportion", printable(network));
  }
  if (sweep.parameter == SweepParameter::kStreams) return "; side by side has a stream for each network";
  return {};
}

}  // namespace

std::int64_t present_value(const Sweep& sweep) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  const SweepBase& base = sweep.base;
  if (row.option != nullptr) {
    CompareOptions options = base.options;
    return std::get<std::int64_t>(bind_option(options, *row.option).get());
  }
  if (row.size == nullptr) return std::ranges::find(base.devices, base.device) - base.devices.begin();
  return row.of_operator && !sweep.op.valid() ? 0 : row.size(*base.graph, sweep.op);
}

std::vector<std::int64_t> usual_values(const Sweep& sweep) {
  const std::int64_t present = present_value(sweep);
  std::vector<std::int64_t> values;
  switch (sweep.parameter) {
    case SweepParameter::kBatch: values = {1, 2, 4, 8, 16, 32, 64, 128}; break;
    case SweepParameter::kDevice:
      for (std::size_t i = 0; i < sweep.base.devices.size(); ++i) values.push_back(static_cast<std::int64_t>(i));
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

std::string value_text(const Sweep& sweep, std::int64_t value) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  if (row.option != nullptr) return value_text(*row.option, value).text();
  if (row.size != nullptr) return fmt::format("{}", value);
  const auto index = static_cast<std::size_t>(value);
  return index < sweep.base.devices.size() ? sweep.base.devices[index] : std::string();
}

Result<SweepBase> with_value(const Sweep& sweep, std::int64_t value) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  if (!row.bounds.hold(value)) {
    return fail(message("{} {}", row.title, value), {}, message("give {} to {}", row.bounds.least, row.bounds.most));
  }
  SweepBase next = sweep.base;
  if (row.option != nullptr) {
    bind_option(next.options, *row.option).set(value);
    if (sweep.parameter == SweepParameter::kStreams) next.options.search.pruning.s = next.options.max_streams;
  } else if (row.resized != nullptr) {
    IOS_TRY(auto graph, row.resized(*next.graph, sweep.op, value));
    next.graph = std::make_shared<const Graph>(std::move(graph));
  } else {
    if (static_cast<std::size_t>(value) >= next.devices.size()) return fail(message("there is no such device"));
    next.device = next.devices[static_cast<std::size_t>(value)];
  }
  return next;
}

Result<SweepPoint> sweep_point(const Sweep& sweep, std::int64_t value, const SweepEvaluator& evaluate,
                               const JobContext& job) {
  SweepPoint point{.value = value, .text = value_text(sweep, value), .latencies = {}, .problem = {}};
  // The value as it is leaves everything as it is: weights too.
  const auto setting = value == present_value(sweep) && sweep.parameter != SweepParameter::kStreams
                           ? Result<SweepBase>(sweep.base)
                           : with_value(sweep, value);
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
  if (!comparison->knows_latencies()) {
    point.problem = kUnknownLatencies;
    return point;
  }
  for (const ScheduleResult& result : comparison->results) {
    point.latencies.push_back(
        {result.id, result.schedule_kind, result.title(), result.latency, result.schedule.stages.size()});
  }
  return point;
}

std::vector<std::string> sweep_titles(std::span<const SweepPoint> points) {
  std::vector<std::string> titles;
  for (const SweepPoint& point : points) {
    for (const SweepLatency& each : point.latencies) {
      if (std::ranges::count(titles, each.title) == 0) titles.push_back(each.title);
    }
  }
  return titles;
}

std::vector<Origin> origins_of(std::span<const SweepPoint> points) {
  std::vector<Origin> origins;
  for (const SweepPoint& point : points) {
    for (const SweepLatency& each : point.latencies) {
      if (std::ranges::find(origins, each.latency.origin) == origins.end()) origins.push_back(each.latency.origin);
    }
  }
  return origins;
}

std::optional<Message> batch_sentence(const Sweep& sweep, std::span<const SweepPoint> points) {
  if (sweep.parameter != SweepParameter::kBatch) return std::nullopt;
  struct Gain {
    std::int64_t batch;
    double ratio;
  };
  std::vector<Gain> gains;
  for (const SweepPoint& point : points) {
    Millis sequential{0};
    Millis fastest{0};
    for (const SweepLatency& each : point.latencies) {
      if (row_of(each.schedule_kind).strategies == StrategySet::kMerge) continue;  // it runs nothing concurrently
      Millis& least = each.schedule_kind == ScheduleKind::kSequential ? sequential : fastest;
      if (least <= Millis(0) || each.latency.value < least) least = each.latency.value;
    }
    if (sequential > Millis(0) && fastest > Millis(0)) gains.push_back({point.value, sequential / fastest});
  }
  if (gains.size() < 2) return std::nullopt;
  std::ranges::sort(gains, {}, &Gain::batch);
  const auto times = [](const Gain& gain) { return fmt::format("{:.2f}\u00d7", gain.ratio); };
  const auto percent = static_cast<std::int64_t>(std::lround((kWorthwhileGain - 1) * 100));
  const auto last =
      std::find_if(gains.rbegin(), gains.rend(), [](const Gain& gain) { return gain.ratio >= kWorthwhileGain; });
  if (last == gains.rend()) return message("concurrency gains less than {} % at every batch size tried", percent);
  if (last == gains.rbegin())
    return message("concurrency still pays at batch {}, the largest tried: {}", last->batch, times(*last));
  return message("concurrency pays up to batch {} ({}); from batch {} on it gains less than {} %", last->batch,
                 times(*last), std::prev(last)->batch, percent);
}

std::string sweep_table_text(const Sweep& sweep, std::span<const SweepPoint> points) {
  const SweepParameterRow& row = row_of(sweep.parameter);
  std::string text = printable(sweep.base.graph->name());
  if (sweep.parameter != SweepParameter::kDevice) text += fmt::format(" on {}", sweep.base.device);
  if (sweep.parameter != SweepParameter::kBatch) text += fmt::format(", batch {}", sweep.base.options.batch);
  text += fmt::format(": latency in ms over {}", row.axis);
  if (row.of_operator) text += fmt::format(" of {}", printable(operator_name(sweep)));
  if (sweep.base.graph->networks().size() > 1) text += in_several_networks(sweep);
  std::string problems;
  for (const SweepPoint& point : points) {
    if (!point.problem.empty()) problems += fmt::format("{}: {}\n", point.text, printable(point.problem.text()));
  }
  std::vector<std::string_view> origins;
  for (const Origin origin : origins_of(points)) origins.push_back(origin_name(origin));
  if (!origins.empty()) text += fmt::format(" ({})", fmt::join(origins, " and "));
  text += "\n" + table_text(curve_table(sweep, points)) + problems;
  if (const auto sentence = batch_sentence(sweep, points)) text += "in short: " + sentence->text() + "\n";
  return text;
}

Table sweep_list(const Sweep& sweep, std::span<const SweepPoint> points) {
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
  const std::string op = operator_name(sweep);
  const std::vector<Column<Row>> columns{
      {{.id = "network"}, [&](const Row& /*row*/) { return text(sweep.base.graph->name()); }},
      {{.id = "device"},
       [&](const Row& row) {
         return text(sweep.parameter == SweepParameter::kDevice ? row.point.text : sweep.base.device);
       }},
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

Json sweep_json(const Sweep& sweep, std::span<const SweepPoint> points) {
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
  const std::string op = operator_name(sweep);
  return {{"network", sweep.base.graph->name()},     {"device", sweep.base.device},
          {"parameter", row_of(sweep.parameter).id}, {"operator", op.empty() ? Json(nullptr) : Json(op)},
          {"present", present_value(sweep)},         {"points", std::move(list)}};
}

}  // namespace iosx
