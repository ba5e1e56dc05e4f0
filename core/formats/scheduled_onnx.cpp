#include "core/formats/scheduled_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/files.h"
#include "core/base/json/json_view.h"
#include "core/model/graph/builder.h"
#include "core/model/layout/kernel_weights.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

class ScheduledGraphMaker {
 public:
  explicit ScheduledGraphMaker(const Graph& graph)
      : graph_(graph), builder_(graph.name()), made_(graph.operators().size()) {}

  Result<ScheduledGraph> run(const std::vector<OperatorStep>& steps) && {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      if (graph_.operators()[i].is_source()) copy(OperatorId(i), {});
    }
    for (const OperatorStep& step : steps) {
      if (step.merged) {
        merge_layers(step);
        continue;
      }
      for (const OperatorId id : step.operators) copy(id, step);
    }
    IOS_TRY(auto graph, std::move(builder_).build());
    return ScheduledGraph{std::move(graph), std::move(stages_), std::move(lanes_)};
  }

 private:
  void enter_network(const Operator& op) {
    if (op.network.valid()) builder_.set_network(graph_.networks()[op.network.index()]);
  }

  void note(const OperatorStep& step) {
    stages_.push_back(step.stage);
    lanes_.push_back(step.lane);
  }

  Value new_value(const Value& old) const {
    const Value& all = made_[old.producer.index()];
    return Value{all.producer, all.begin + old.begin, all.begin + old.end};
  }

  // Inputs of a concatenation that are side by side in a merged layer are read as one.
  std::vector<Value> new_values(const Operator& op) const {
    const auto* const concat = op.as<Concat>();
    const bool joins = concat != nullptr && concat->axis == 0;
    std::vector<Value> values;
    for (const Value& old : op.inputs) {
      const Value value = new_value(old);
      if (joins && !values.empty() && values.back().producer == value.producer && values.back().end == value.begin) {
        values.back().end = value.end;
      } else {
        values.push_back(value);
      }
    }
    return values;
  }

  void copy(OperatorId id, const OperatorStep& step) {
    const Operator& op = graph_.op(id);
    enter_network(op);
    made_[id.index()] = builder_.add_copy(graph_, id, op.name, new_values(op));
    note(step);
  }

  void merge_layers(const OperatorStep& step) {
    std::vector<UnitId> units;
    std::string name;
    for (const OperatorId id : step.operators) {
      units.push_back(graph_.op(id).unit);
      name += (name.empty() ? "" : "+") + graph_.op(id).name;
    }
    while (graph_.find_operator(name)) name += '_';
    const auto merged = merge(graph_, units);
    IOS_CHECK(merged);  // the plan says so
    enter_network(graph_.op(step.operators.front()));
    const Value whole = builder_.add(std::move(name), merged->attributes, {new_value(merged->input)});
    note(step);
    set_parameters(whole, *merged, step.operators);
    for (const MergedSource& source : merged->sources) split(whole, *merged, source, step);
  }

  void set_parameters(const Value& whole, const MergedLayer& merged, const std::vector<OperatorId>& layers) {
    const Parameters& parameters = *graph_.parameters();
    const auto* const conv = std::get_if<Conv>(&merged.attributes);
    Tensor weights = conv != nullptr ? conv_weights(parameters, layers, *conv, merged.input.channels())
                                     : linear_weights(parameters, layers);
    const bool biased = std::ranges::any_of(layers, [&](OperatorId id) { return parameters.has_bias(id); });
    builder_.set_parameters(whole, std::move(weights), biased ? joined_bias(parameters, layers) : Tensor());
  }

  // Splits a merged layer's output for one layer: channels, which others read directly, or places along another
  // axis.
  void split(const Value& whole, const MergedLayer& merged, const MergedSource& source, const OperatorStep& step) {
    const Operator& op = graph_.op(source.op);
    Value& place = made_[source.op.index()];
    if (merged.axis == 0) {
      place = Value{whole.producer, source.channel_begin, source.channel_end};
      if (!graph_.consumers(source.op).empty()) return;
      place = builder_.add(op.name, Identity{}, {place});
    } else {
      std::vector<std::int64_t> begins(op.output.rank(), 0);
      begins[merged.axis] = source.channel_begin;
      const std::vector<std::int64_t> steps(op.output.rank(), 1);
      place = builder_.add(op.name, Slice{std::move(begins), steps, op.output}, {whole});
    }
    note(step);
  }

  const Graph& graph_;
  GraphBuilder builder_;
  std::vector<Value> made_;  // by operator of the graph: where its output is
  std::vector<std::size_t> stages_;
  std::vector<std::size_t> lanes_;
};

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kOnnxFormat = "iosx-onnx-schedule";
constexpr std::int64_t kOnnxVersion = 1;

std::string schedule_text(const ScheduledGraph& scheduled, const ExecutionPlan& plan,
                          const ScheduledOnnxOptions& options) {
  OrderedJson json{
      {"format", kOnnxFormat},         {"version", kOnnxVersion},        {"network", scheduled.graph.name()},
      {"schedule", options.schedule},  {"device", options.notes.device}, {"batch", options.notes.batch},
      {"origin", options.notes.origin}};
  if (options.notes.latency_ms) json["latency_ms"] = *options.notes.latency_ms;
  json["barriers"] = !plan.barrier_free;
  OrderedJson& launches = json["launches"] = OrderedJson::array();
  for (std::size_t i = 0; i < scheduled.graph.operators().size(); ++i) {
    const Operator& op = scheduled.graph.operators()[i];
    if (!op.is_source()) launches.push_back({op.name, scheduled.stages[i], scheduled.lanes[i]});
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string streams_text(const ScheduledGraph& scheduled, const onnx_import::OnnxNodes& nodes, StreamsOn device) {
  std::vector<std::vector<std::string>> streams;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t lane = scheduled.lanes[i];
    streams.resize(std::max(streams.size(), lane + 1));
    std::ranges::copy(nodes[i], std::back_inserter(streams[lane]));
  }
  std::erase_if(streams, [](const auto& stream) { return stream.empty(); });
  const std::string of_ort = device == StreamsOn::kCpu ? "0" : "1";  // OrtDevice's numbers
  const OrderedJson json{{"type", "DeviceBasedPartitioner"},
                         {"streams", streams},
                         {"devices", std::vector<std::string>(streams.size(), of_ort)}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

Result<void> write_text(const std::filesystem::path& path, std::string_view text) {
  NewFile file(path);
  IOS_TRY(file.write(std::as_bytes(std::span(text))));
  return file.finish();
}

// Where an operator ran: stage, lane, and launch number.
struct Launch {
  std::size_t stage = 0;
  std::size_t lane = 0;
  std::size_t number = 0;
  bool is_beside(const Launch& other) const { return stage != other.stage || lane != other.lane; }
};
using Launches = std::unordered_map<std::string, Launch>;  // by the operator's name

// The document's first error is kept.
Launches read_launches(const JsonView& root) {
  constexpr std::int64_t kMost = 1 << 24;  // stages, or lanes
  Launches launches;
  for (const JsonView& each : root.at("launches").items()) {
    const auto members = each.items(3, "members: [name, stage, lane]");
    if (members.size() != 3) break;
    const Launch launch{static_cast<std::size_t>(members[1].integer(0, kMost)),
                        static_cast<std::size_t>(members[2].integer(0, kMost)), launches.size()};
    if (!launches.emplace(members[0].text(kMaxTextBytes), launch).second) each.fail(message("appears twice"));
  }
  return launches;
}

// Returns the launch of what a node of this name computes. An operator that is several nodes is launched by its own
// name and has nodes of further names below it ("fc/product"); null where neither was launched.
const Launch* launch_of(std::string_view name, const Launches& launches) {
  while (true) {
    if (const auto launch = launches.find(std::string(name)); launch != launches.end()) return &launch->second;
    const std::size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) return nullptr;
    name = name.substr(0, slash);
  }
}

// Returns the last launch of these operators, which is where what they make is there; none where none was launched.
std::optional<Launch> last_launch(const Graph& graph, std::span<const OperatorId> operators, const Launches& launches) {
  std::optional<Launch> last;
  for (const OperatorId id : operators) {
    const Launch* const launch = launch_of(graph.op(id).name, launches);
    if (launch != nullptr && (!last || launch->number > last->number)) last = *launch;
  }
  return last;
}

// Returns the unit, or its pieces, each of operators that ran in one place: a run of which each is read by the next one
// alone. The last piece keeps the unit's name, the others are called after their last operator.
std::vector<Unit> pieces_of(const Graph& graph, const Unit& unit, const Launches& launches) {
  std::vector<Unit> pieces;
  for (const OperatorId id : unit.operators) {
    bool goes_on = !pieces.empty();
    if (goes_on) {
      const auto readers = graph.consumers(pieces.back().output());
      goes_on = readers.size() == 1 && readers.front() == id;
      const auto before = last_launch(graph, pieces.back().operators, launches);
      const auto own = last_launch(graph, std::span(&id, 1), launches);
      if (before && own && before->is_beside(*own)) goes_on = false;
    }
    if (!goes_on) pieces.push_back({.name = {}, .hint = {}, .operators = {}, .part = unit.part, .whole = unit.whole});
    pieces.back().operators.push_back(id);
  }
  for (Unit& piece : pieces) piece.name = graph.op(piece.output()).name;
  pieces.back().name = unit.name;
  pieces.back().hint = unit.hint;
  return pieces;
}

// Returns nothing where every unit ran in one place.
std::optional<Graph> with_units_parted(const Graph& graph, const Launches& launches) {
  std::vector<Unit> units;
  for (const Unit& unit : graph.units()) {
    const auto last = last_launch(graph, unit.operators, launches);
    const bool in_one_place = std::ranges::all_of(unit.operators, [&](const OperatorId& id) {
      const auto launch = last_launch(graph, std::span(&id, 1), launches);
      return !launch || !launch->is_beside(*last);
    });
    if (in_one_place) {
      units.push_back(unit);
    } else {
      std::ranges::move(pieces_of(graph, unit, launches), std::back_inserter(units));
    }
  }
  if (units.size() == graph.units().size()) return std::nullopt;
  return graph.with_units(std::move(units));
}

}  // namespace

Result<ScheduledGraph> scheduled_graph(const Graph& graph, const ExecutionPlan& plan) {
  return ScheduledGraphMaker(graph).run(operator_steps(graph, plan));
}

Result<OnnxSchedule> schedule_of_onnx(std::string_view text, const Graph& graph) {
  const std::string origin(kOnnxScheduleKey);
  IOS_TRY(const auto json, parse_json(text, origin));
  FirstError errors(origin);
  const JsonView root(json, errors);
  if (root.at("format").text(kMaxNameBytes) != kOnnxFormat) {
    root.at("format").fail(message("must be '{}'", kOnnxFormat));
  }
  if (root.at("version").integer(1, std::numeric_limits<std::int32_t>::max()) != kOnnxVersion) {
    root.at("version").fail(message("is unknown"), message("use a newer version of this program"));
  }
  const std::string name = root.at("schedule").text(kMaxTextBytes);
  const Launches launches = read_launches(root);
  if (errors.error()) return tl::unexpected(*errors.error());
  const auto barriers = json.find("barriers");
  if (barriers == json.end() || *barriers != true)
    return fail(message("it has no barriers, but only schedules with stages are read from a model"), origin);
  OnnxSchedule found{with_units_parted(graph, launches), {name.empty() ? "schedule of the model" : name, {}}};
  const Graph& own = found.graph ? *found.graph : graph;
  // By stage, lane and launch; units of one launch are in their order.
  std::map<std::size_t, std::map<std::size_t, std::map<std::pair<std::size_t, std::size_t>, UnitId>>> places;
  for (std::size_t u = 0; u < own.units().size(); ++u) {
    const Unit& unit = own.units()[u];
    const auto launch = last_launch(own, unit.operators, launches);
    if (!launch) return fail(message("no node of it is in the schedule"), unit.name);
    places[launch->stage][launch->lane][{launch->number, u}] = UnitId(u);
  }
  for (const auto& [stage_number, lanes] : places) {
    Stage& stage = found.schedule.stages.emplace_back();
    for (const auto& [lane, units] : lanes) {
      Group& group = stage.groups.emplace_back();
      for (const auto& [number, unit] : units) group.steps.push_back(Step{{unit}});
    }
  }
  IOS_TRY(check_legal(own, found.schedule));
  return found;
}

Result<void> write_scheduled_onnx(const Graph& graph, const ExecutionPlan& plan, const std::filesystem::path& path,
                                  const ScheduledOnnxOptions& options) {
  IOS_TRY(const auto scheduled, scheduled_graph(graph, plan));
  onnx_import::OnnxExportOptions model = options.model;
  model.metadata[std::string(kOnnxScheduleKey)] = schedule_text(scheduled, plan, options);
  for (std::size_t i = 0; i < scheduled.graph.operators().size(); ++i) {
    const bool runs = !scheduled.graph.operators()[i].is_source();
    model.notes.push_back(runs ? fmt::format("stage {}, lane {}", scheduled.stages[i], scheduled.lanes[i]) : "");
  }
  IOS_TRY(const auto nodes, onnx_import::write_onnx(scheduled.graph, path, model));
  if (!options.streams) return {};
  return write_text(*options.streams, streams_text(scheduled, nodes, options.streams_on));
}

}  // namespace iosx
