#include "core/formats/external/external_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/base/text.h"
#include "core/devices/measure/statistics.h"
#include "core/formats/external/match.h"
#include "core/tables/render.h"

namespace iosx {

std::string_view tool_name(ExternalTool tool) {
  switch (tool) {
    case ExternalTool::kTable: return "a CSV table";
    case ExternalTool::kChromeTrace: return "a Chrome trace";
    case ExternalTool::kOwnTrace: return "IOS Explorer";
    case ExternalTool::kOnnxRuntime: return "ONNX Runtime";
    case ExternalTool::kPyTorch: return "the PyTorch profiler";
    case ExternalTool::kNsight: return "Nsight Systems";
    case ExternalTool::kTensorRt: return "TensorRT";
    case ExternalTool::kOpenVino: return "OpenVINO";
    case ExternalTool::kEngine: return "the engine itself";
  }
  return {};
}

std::string_view rule_name(MatchRule rule) {
  constexpr std::array<std::string_view, kMatchRules> kNames{"none", "name", "output", "alike", "fused", "order"};
  return kNames[static_cast<std::size_t>(rule)];
}

Millis ExternalRun::total() const {
  Millis sum{0};
  for (const ExternalEntry& entry : entries) sum += entry.duration;
  return sum;
}

Millis ExternalRun::matched() const {
  Millis sum{0};
  for (const ExternalEntry& entry : entries) {
    if (entry.match.rule != MatchRule::kNone) sum += entry.duration;
  }
  return sum;
}

double ExternalRun::matched_share() const {
  const Millis all = total();
  return all > Millis(0) ? matched() / all : 0;
}

std::string recorded_by(const ExternalRun& run) {
  const bool program = run.tool != ExternalTool::kTable && run.tool != ExternalTool::kChromeTrace;
  if (program) return "recorded by " + std::string(tool_name(run.tool));
  return "recorded in " + std::filesystem::path(run.file).filename().string();
}

namespace {

using OrderedJson = nlohmann::ordered_json;

std::vector<std::string> names_of(const Graph& graph, std::span<const OperatorId> operators) {
  std::vector<std::string> names;
  for (const OperatorId id : operators) names.push_back(graph.op(id).name);
  return names;
}

std::string matched_text(const ExternalRun& run, const Graph& graph) {
  const auto tally = tally_of(run);
  std::string text =
      fmt::format("{:.1f} % of the time of its {} entries is that of operators of {}:", 100 * run.matched_share(),
                  run.entries.size(), printable(graph.name()));
  const char* between = " ";
  for (std::size_t rule = 1; rule < kMatchRules; ++rule) {
    if (tally[rule].entries == 0) continue;
    text += fmt::format("{}{} by {} ({:.3f} ms)", std::exchange(between, ", "), tally[rule].entries,
                        rule_name(static_cast<MatchRule>(rule)), tally[rule].time.count());
  }
  text += fmt::format("{}{} unmatched ({:.3f} ms)\n", between, tally[0].entries, tally[0].time.count());
  const std::size_t missing = without_entry(run, graph).size();
  if (missing > 0)
    text += fmt::format("{} of the graph's operators have no entry: fused, folded or left out\n", missing);
  return text;
}

OrderedJson millis_of(std::span<const Millis> samples) {
  OrderedJson list = OrderedJson::array();
  for (const Millis sample : samples) list.push_back(sample.count());
  return list;
}

}  // namespace

std::string external_text(const ExternalRun& run, const Graph* graph, std::size_t most) {
  const Latency& latency = run.latency;
  std::string text = fmt::format("{}: {:.3f} ms{}, {} {}, {}\n", printable(run.label), latency.value.count(),
                                 latency.samples > 1 ? fmt::format(" +- {:.3f}", latency.spread.count()) : "",
                                 latency.samples, latency.samples == 1 ? "run" : "runs", printable(recorded_by(run)));
  if (const Percentiles told = percentiles_of(run.samples); told.p95) {
    text += fmt::format("p50 {:.3f} ms, p95 {:.3f}", told.p50->count(), told.p95->count());
    text += told.p99 ? fmt::format(", p99 {:.3f}\n", told.p99->count())
                     : fmt::format("; too few runs for p99, which needs {}\n", kLeastForP99);
  }
  if (graph != nullptr && !run.entries.empty()) text += matched_text(run, *graph);
  for (const Message& notice : run.notices) text += fmt::format("note: {}\n", printable(notice.text()));
  if (run.entries.empty()) return text;
  std::vector<std::size_t> order(run.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (most > 0) {
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return run.entries[i].duration; });
    order.resize(std::min(most, order.size()));
  }
  const auto words = [](std::string_view text) { return Cell{verbatim(std::string(text))}; };
  using Row = std::size_t;
  const auto& entries = run.entries;
  std::vector<Column<Row>> columns{
      {{.id = "kernel", .title = in_english("kernel")}, [&](Row i) { return words(entries[i].name); }},
      {{.id = "type", .title = in_english("type")}, [&](Row i) { return words(entries[i].type); }},
      {{.id = "ms", .title = in_english("time"), .kind = ColumnKind::kMillis, .decimals = 4},
       [&](Row i) { return Cell{entries[i].duration.count()}; }},
      {{.id = "runs", .title = in_english("runs"), .kind = ColumnKind::kCount},
       [&](Row i) { return Cell{count_value(entries[i].samples.size())}; }}};
  if (graph != nullptr) {
    columns.push_back({{.id = "match", .title = in_english("matched by")},
                       [&](Row i) { return words(rule_name(entries[i].match.rule)); }});
    columns.push_back({{.id = "operators", .title = in_english("operators")}, [&](Row i) {
                         return words(fmt::to_string(fmt::join(names_of(*graph, entries[i].match.operators), ", ")));
                       }});
  }
  text += '\n' + table_text(table_of(columns, order));
  if (order.size() < run.entries.size()) {
    text += fmt::format("and {} that take less; --all lists them\n", run.entries.size() - order.size());
  }
  return text;
}

OrderedJson external_json(const ExternalRun& run, const Graph* graph) {
  const Percentiles told = percentiles_of(run.samples);
  const auto known = [](const std::optional<Millis>& value) {
    return value ? OrderedJson(value->count()) : OrderedJson();
  };
  OrderedJson json{{"label", run.label},
                   {"tool", tool_name(run.tool)},
                   {"file", run.file},
                   {"origin", origin_name(run.latency.origin)},
                   {"latency_ms", run.latency.value.count()},
                   {"spread_ms", run.latency.spread.count()},
                   {"samples_ms", millis_of(run.samples)},
                   {"p50_ms", known(told.p50)},
                   {"p95_ms", known(told.p95)},
                   {"p99_ms", known(told.p99)},
                   {"lanes", run.trace.lanes}};
  if (graph != nullptr) {
    json["matched_share"] = run.matched_share();
    const auto tally = tally_of(run);
    for (std::size_t rule = 0; rule < kMatchRules; ++rule) {
      json["matches"][std::string(rule_name(static_cast<MatchRule>(rule)))] = {{"entries", tally[rule].entries},
                                                                               {"ms", tally[rule].time.count()}};
    }
  }
  json["notices"] = run.notices;
  json["entries"] = OrderedJson::array();
  for (const ExternalEntry& entry : run.entries) {
    OrderedJson one{{"name", entry.name}, {"type", entry.type}};
    if (entry.timed) one["begin_us"] = entry.begin.count();
    one["ms"] = entry.duration.count();
    one["samples_ms"] = millis_of(entry.samples);
    if (graph != nullptr) {
      one["match"] = rule_name(entry.match.rule);
      one["operators"] = names_of(*graph, entry.match.operators);
    }
    json["entries"].push_back(std::move(one));
  }
  if (graph != nullptr) json["operators_without_entry"] = names_of(*graph, without_entry(run, *graph));
  return json;
}

}  // namespace iosx
