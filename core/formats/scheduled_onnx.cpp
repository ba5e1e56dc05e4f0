#include "core/formats/scheduled_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json/json_view.h"
#include "core/base/new_file.h"
#include "core/formats/scheduled_graph.h"
#include "core/model/schedule/legality.h"

namespace iosx {
namespace {

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

// Says where an operator ran: stage, lane, and which launch it was.
struct Launch {
  std::size_t stage = 0;
  std::size_t lane = 0;
  std::size_t number = 0;
};

// Keeps the first error in `errors`.
std::unordered_map<std::string, Launch> read_launches(const JsonView& root) {
  constexpr std::int64_t kMost = 1 << 24;  // stages, or lanes
  std::unordered_map<std::string, Launch> launches;
  for (const JsonView& each : root.at("launches").items()) {
    const auto members = each.items(3, "members: [name, stage, lane]");
    if (members.size() != 3) break;
    const Launch launch{static_cast<std::size_t>(members[1].integer(0, kMost)),
                        static_cast<std::size_t>(members[2].integer(0, kMost)), launches.size()};
    if (!launches.emplace(members[0].text(kMaxHintBytes), launch).second) each.fail(message("is there twice"));
  }
  return launches;
}

// Finds where a unit ran: where all of its operators did that were launched.
Result<Launch> launch_of(const Graph& graph, UnitId id, const std::unordered_map<std::string, Launch>& launches) {
  std::optional<Launch> found;
  for (const OperatorId op : graph.unit(id).operators) {
    const auto launch = launches.find(graph.op(op).name);
    if (launch == launches.end()) continue;
    if (found && (found->stage != launch->second.stage || found->lane != launch->second.lane)) {
      return fail(message("its nodes run in several stages or lanes"), graph.unit(id).name);
    }
    if (!found || launch->second.number < found->number) found = launch->second;
  }
  if (!found) return fail(message("no node of it is in the schedule"), graph.unit(id).name);
  return *found;
}

}  // namespace

Result<Schedule> schedule_of_onnx(std::string_view text, const Graph& graph) {
  const std::string origin(kOnnxScheduleKey);
  IOS_TRY(const auto json, parse_json(text, origin));
  FirstError errors(origin);
  const JsonView root(json, errors);
  if (root.at("format").text(kMaxNameBytes) != kOnnxFormat)
    root.at("format").fail(message("must be '{}'", kOnnxFormat));
  if (root.at("version").integer(1, std::numeric_limits<std::int32_t>::max()) != kOnnxVersion) {
    root.at("version").fail(message("is not known"), message("use a newer version of this program"));
  }
  const std::string name = root.at("schedule").text(kMaxNameBytes);
  const auto launches = read_launches(root);
  if (errors.error()) return tl::unexpected(*errors.error());
  const auto barriers = json.find("barriers");
  if (barriers == json.end() || *barriers != true) {
    return fail(message("it has no barriers, and only schedules with stages are read from a model"), origin);
  }
  // By stage, lane and launch.
  std::map<std::size_t, std::map<std::size_t, std::map<std::size_t, UnitId>>> places;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    IOS_TRY(const Launch launch, launch_of(graph, UnitId(u), launches));
    places[launch.stage][launch.lane][launch.number] = UnitId(u);
  }
  Schedule schedule{name.empty() ? "schedule of the model" : name, {}};
  for (const auto& [number, lanes] : places) {
    Stage& stage = schedule.stages.emplace_back();
    for (const auto& [lane, units] : lanes) {
      Group& group = stage.groups.emplace_back();
      for (const auto& [launch, unit] : units) group.steps.push_back(Step{{unit}});
    }
  }
  IOS_TRY(check_legal(graph, schedule));
  return schedule;
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
