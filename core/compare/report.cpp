#include "core/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

// Every group a list of unit names in the order in which they run.
Json groups_json(const Graph& graph, const Stage& stage) {
  Json groups = Json::array();
  for (const Group& group : stage.groups) {
    Json names = Json::array();
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) names.push_back(graph.unit(unit).name);
    }
    groups.push_back(std::move(names));
  }
  return groups;
}

// The units of every merged step.
Json merged_json(const Graph& graph, const Stage& stage) {
  Json merged = Json::array();
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      if (!step.merged()) continue;
      Json names = Json::array();
      for (const UnitId unit : step.units) names.push_back(graph.unit(unit).name);
      merged.push_back(std::move(names));
    }
  }
  return merged;
}

// Units that the file already held as one merged convolution.
std::size_t merged_in(const Graph& graph) {
  std::size_t merged = 0;
  for (const Operator& op : graph.operators()) {
    const Conv* conv = op.as<Conv>();
    if (conv != nullptr && conv->merged_from.size() > 1) ++merged;
  }
  return merged;
}

// How many times as fast as sequential.
double speedup(const Comparison& comparison, const ScheduleResult& result) {
  const ScheduleResult* sequential = comparison.find("sequential");
  return sequential == nullptr ? 0 : sequential->latency.value / result.latency.value;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

using Row = std::vector<std::string>;

// The first column is flush left, numbers flush right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) text += fmt::format("  {:>{}}", row[c], widths[c]);
    text += '\n';
  }
  return text;
}

Row table_row(const Comparison& comparison, const ScheduleResult& result) {
  const bool noisy = result.latency.origin != Origin::kSimulated;
  Row row{result.schedule.name, fmt::format("{:.3f}", result.latency.value.count())};
  if (noisy) row.push_back(fmt::format("{:.3f}", result.latency.spread.count()));
  row.push_back(fmt::format("{:.2f}", speedup(comparison, result)));
  row.push_back(fmt::format("{}", result.schedule.stages.size()));
  row.push_back(fmt::format("{:.3f}", result.stage_sum.count()));
  row.push_back(result.search ? fmt::format("{:.3f}", result.search->elapsed.count()) : "-");
  row.push_back(result.search ? fmt::format("{}", result.search->stage_measurements) : "-");
  return row;
}

std::string best_sentence(const Comparison& comparison) {
  const ScheduleResult& best = comparison.results[comparison.best()];
  std::string text = fmt::format("best: {}, {:.3f} ms", best.schedule.name, best.latency.value.count());
  if (best.schedule.name != "sequential") {
    text += fmt::format(", {:.2f} times as fast as sequential", speedup(comparison, best));
  }
  if (!best.asked) text += " (run for comparison although not asked for)";
  return text + '\n';
}

}  // namespace

std::string groups_text(const Graph& graph, const Stage& stage) {
  std::string text;
  for (const Group& group : stage.groups) {
    text += text.empty() ? "[" : " [";
    for (std::size_t s = 0; s < group.steps.size(); ++s) {
      if (s > 0) text += ' ';
      for (std::size_t u = 0; u < group.steps[s].units.size(); ++u) {
        if (u > 0) text += '+';
        text += graph.unit(group.steps[s].units[u]).name;
      }
    }
    text += ']';
  }
  return text;
}

nlohmann::ordered_json schedule_result_json(const Graph& graph, const ScheduleResult& result) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < result.schedule.stages.size(); ++i) {
    const Stage& stage = result.schedule.stages[i];
    const Strategy strategy = strategy_of(graph, stage);
    stages.push_back({{"strategy", strategy_name(strategy)},
                      {"groups", groups_json(graph, stage)},
                      {"latency_ms", result.stage_latencies[i].value.count()}});
    Json merged = merged_json(graph, stage);
    if (strategy == Strategy::kConcurrent && !merged.empty()) stages.back()["merged"] = std::move(merged);
  }
  Json json{{"name", result.schedule.name},
            {"latency_ms", result.latency.value.count()},
            {"spread_ms", result.latency.spread.count()},
            {"samples", result.latency.samples},
            {"stage_sum_ms", result.stage_sum.count()},
            {"stages", std::move(stages)},
            {"search_seconds", result.search ? result.search->elapsed.count() : 0.0},
            {"stage_measurements", result.search ? result.search->stage_measurements : 0}};
  if (result.search) json["search_complete"] = result.search->complete;
  return json;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison) {
  Json schedules = Json::array();
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    Json schedule = schedule_result_json(*comparison.graph, result);
    schedule["speedup"] = speedup(comparison, result);
    schedules.push_back(std::move(schedule));
  }
  return Json{{"graph", comparison.graph->name()},
              {"device", comparison.device.id},
              {"origin", origin_name(comparison.device.origin)},
              {"batch", comparison.batch},
              {"merged_in_graph", merged_in(*comparison.graph)},
              {"complete", comparison.complete},
              {"best", comparison.results[comparison.best()].schedule.name},
              {"schedules", std::move(schedules)}};
}

std::string merged_note(const Graph& graph) {
  const std::size_t merged = merged_in(graph);
  if (merged == 0) return {};
  return fmt::format("the file's graph has {} merged convolution{}: every schedule here contains {}, sequential too",
                     merged, merged == 1 ? "" : "s", merged == 1 ? "it" : "them");
}

std::string comparison_table(const Comparison& comparison) {
  const bool simulated = comparison.device.origin == Origin::kSimulated;
  std::string text = fmt::format("{} on {}, batch {}: {} latencies{}\n\n", comparison.graph->name(),
                                 comparison.device.name, comparison.batch, origin_name(comparison.device.origin),
                                 simulated ? ", computed by a model of the device, not measured on it" : "");
  Row head{"schedule", "latency [ms]"};
  if (!simulated) head.emplace_back("+- [ms]");
  for (const char* title : {"speed-up", "stages", "stage sum [ms]", "search [s]", "stages needed"}) {
    head.emplace_back(title);
  }
  std::vector<Row> rows{head};
  for (const ScheduleResult& result : comparison.results) {
    if (result.asked) rows.push_back(table_row(comparison, result));
  }
  text += aligned(rows) + '\n' + best_sentence(comparison);
  if (const std::string note = merged_note(*comparison.graph); !note.empty()) text += "note: " + note + '\n';
  if (!comparison.complete) text += "stopped early: schedules are missing or their search did not end\n";
  return text;
}

std::string stage_csv(const Comparison& comparison) {
  std::string text = "schedule,stage,strategy,groups,units,latency_ms,spread_ms,samples,origin\n";
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    for (std::size_t i = 0; i < result.schedule.stages.size(); ++i) {
      const Stage& stage = result.schedule.stages[i];
      const Latency& latency = result.stage_latencies[i];
      text += fmt::format("{},{},{},{},{},{:.6f},{:.6f},{},{}\n", csv_field(result.schedule.name), i + 1,
                          strategy_name(strategy_of(*comparison.graph, stage)), stage.groups.size(),
                          csv_field(groups_text(*comparison.graph, stage)), latency.value.count(),
                          latency.spread.count(), latency.samples, origin_name(latency.origin));
    }
  }
  return text;
}

}  // namespace iosx
