#include "core/formats/schedule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/json/text_file.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

constexpr const char* kFormat = "iosx-schedule";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kVersionWithLanes = 2;

std::string dumped(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json json_of(const Graph& graph, const Group& group) {
  auto steps = nlohmann::ordered_json::array();
  for (const Step& step : group.steps) {
    auto units = nlohmann::ordered_json::array();
    for (const UnitId unit : step.units) units.push_back(graph.unit(unit).name);
    steps.push_back(std::move(units));
  }
  return steps;
}

class ScheduleReader {
 public:
  ScheduleReader(const JsonView& root, const Graph& graph) : root_(root), graph_(graph) {
    for (std::size_t u = 0; u < graph.units().size(); ++u) units_.emplace(graph.units()[u].name, UnitId(u));
  }

  ScheduleFile read() {
    check_header();
    file_.schedule.name = root_.at("schedule").name();
    if (root_.has("device")) file_.notes.device = root_.at("device").text(kMaxTextBytes);
    if (root_.has("batch")) file_.notes.batch = root_.at("batch").integer(1, kMaxBatch);
    if (root_.has("origin")) file_.notes.origin = root_.at("origin").text(kMaxNameBytes);
    if (root_.has("recorded")) file_.notes.recorded = root_.at("recorded").text(kMaxTextBytes);
    if (root_.has("latency_ms")) file_.notes.latency_ms = root_.at("latency_ms").non_negative();
    if (version_ == kVersionWithLanes) read_lanes(root_.at("lanes"));
    const auto stages = root_.at("stages").items();
    for (const JsonView& stage : stages) file_.schedule.stages.push_back(read_stage(stage));
    if (!file_.notes.stage_ms.empty() && file_.notes.stage_ms.size() != stages.size()) {
      root_.at("stages").fail(message("some stages have a latency_ms and some do not"), message("give all or none"));
    }
    return std::move(file_);
  }

 private:
  static constexpr std::int64_t kMaxBatch = 1 << 20;
  static constexpr std::int64_t kMostKernels = 1 << 24;

  void check_header() {
    const JsonView format = root_.at("format");
    if (format.text(kMaxNameBytes) != kFormat)
      format.fail(message("must be '{}'", kFormat), message("check that it is a schedule file"));
    const JsonView version = root_.at("version");
    const std::int64_t number = version.integer(1, std::numeric_limits<std::int32_t>::max());
    if (number > kVersionWithLanes) {
      version.fail(message("version {} is unknown", number), message("use a newer version of this program"));
    }
    version_ = number;
    if (root_.has("lanes") && number != kVersionWithLanes) {
      root_.at("lanes").fail(message("version {} has no lanes", number),
                             message("write version {}", kVersionWithLanes));
    }
    const JsonView name = root_.at("graph");
    const std::string graph = name.name();
    if (graph != graph_.name()) {
      name.fail(message("the schedule is for the graph {}, not for {}", in_quotes(graph), in_quotes(graph_.name())),
                message("open that graph"));
    }
  }

  // The device that runs the kernels knows what they are.
  void read_lanes(const JsonView& view) {
    LaneSchedule& lanes = file_.lanes.emplace();
    for (const JsonView& launch : view.items()) {
      const auto members = launch.items();
      if (members.size() != 3) return launch.fail(message("must be [kernel, lane, name]"), message("give all three"));
      lanes.launches.push_back({KernelId(static_cast<std::size_t>(members[0].integer(0, kMostKernels - 1))),
                                static_cast<std::size_t>(members[1].integer(0, kMostLanes - 1)), members[2].name()});
    }
  }

  Stage read_stage(const JsonView& view) {
    Stage stage;
    for (const JsonView& group_view : view.at("groups").items()) {
      Group group;
      for (const JsonView& step_view : group_view.items()) {
        Step step;
        for (const JsonView& unit : step_view.items()) step.units.push_back(read_unit(unit));
        if (step.units.empty()) step_view.fail(message("the step is empty"), message("remove it"));
        group.steps.push_back(std::move(step));
      }
      if (group.steps.empty()) group_view.fail(message("the group is empty"), message("remove it"));
      stage.groups.push_back(std::move(group));
    }
    if (stage.groups.empty()) view.fail(message("the stage has no groups"), message("remove it"));
    if (view.has("strategy")) check_strategy(view.at("strategy"), stage);
    if (view.has("latency_ms")) file_.notes.stage_ms.push_back(view.at("latency_ms").non_negative());
    return stage;
  }

  UnitId read_unit(const JsonView& view) {
    const std::string name = view.name();
    const auto found = units_.find(name);
    if (found == units_.end()) {
      view.fail(message("the graph {} has no unit {}", in_quotes(graph_.name()), in_quotes(name)),
                graph_.find_operator(name) ? message("it was made with finer units: open the graph with --finer-units")
                                           : message("use the graph that the schedule was made for"));
      return UnitId(0);
    }
    if (!seen_.try_emplace(found->second, view.place()).second) {
      view.fail(message("unit {} already runs at {}", in_quotes(name), seen_.at(found->second)),
                message("every unit runs once"));
    }
    return found->second;
  }

  void check_strategy(const JsonView& view, const Stage& stage) const {
    const std::string name = view.text(kMaxNameBytes);
    if (name != strategy_name(Strategy::kConcurrent) && name != strategy_name(Strategy::kMerge)) {
      view.fail(message("unknown strategy {}", in_quotes(name)), message("use concurrent or merge"));
    } else if (!stage.groups.empty() && !stage.groups.front().steps.empty() &&
               name != strategy_name(strategy_of(graph_, stage))) {
      view.fail(message("says {}, which does not match the groups", in_quotes(name)),
                message("a merge stage has one group with one step of several units"));
    }
  }

  const JsonView& root_;
  const Graph& graph_;
  std::unordered_map<std::string_view, UnitId> units_;
  std::unordered_map<UnitId, std::string> seen_;  // unit → its place in the file
  std::int64_t version_ = kVersion;
  ScheduleFile file_;
};

}  // namespace

Error has_stages_only(Message form) {
  return {message("{} has stages, but this schedule has none", std::move(form)),
          {},
          message("use the schedule that chose its kernels")};
}

bool names_schedule_format(std::string_view text) {
  constexpr std::string_view kKey = "\"format\"";
  const std::string value = fmt::format("\"{}\"", kFormat);
  const auto skip_space = [&text] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  for (auto at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey)) {
    text.remove_prefix(at + kKey.size());
    skip_space();
    if (!text.starts_with(':')) continue;
    text.remove_prefix(1);
    skip_space();
    if (text.starts_with(value)) return true;
  }
  return false;
}

std::string schedule_to_json(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes,
                             const std::optional<LaneSchedule>& lanes) {
  nlohmann::ordered_json head;
  head["format"] = kFormat;
  head["version"] = lanes ? kVersionWithLanes : kVersion;
  head["graph"] = graph.name();
  head["schedule"] = schedule.name;
  head["device"] = notes.device;
  head["batch"] = notes.batch;
  head["origin"] = notes.origin;
  if (!notes.recorded.empty()) head["recorded"] = notes.recorded;
  if (notes.latency_ms) head["latency_ms"] = *notes.latency_ms;
  std::string text = dumped(head);
  text.pop_back();  // the closing brace
  text += ",\n\"stages\":[";
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    nlohmann::ordered_json stage;
    stage["strategy"] = strategy_name(strategy_of(graph, schedule.stages[s]));
    auto groups = nlohmann::ordered_json::array();
    for (const Group& group : schedule.stages[s].groups) groups.push_back(json_of(graph, group));
    stage["groups"] = std::move(groups);
    if (s < notes.stage_ms.size()) stage["latency_ms"] = notes.stage_ms[s];
    text += (s > 0 ? ",\n" : "\n") + dumped(stage);
  }
  text += "\n]";
  if (lanes) {
    text += ",\n\"lanes\":[";
    for (std::size_t i = 0; i < lanes->launches.size(); ++i) {
      const auto& [kernel, lane, name] = lanes->launches[i];
      text += (i > 0 ? ",\n" : "\n") + dumped(nlohmann::ordered_json::array({kernel.index(), lane, name}));
    }
    text += "\n]";
  }
  return text + "}\n";
}

std::string schedule_to_csv(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes,
                            const std::optional<LaneSchedule>& lanes) {
  if (lanes) {
    std::string text = "launch,lane,kernel,name\n";
    for (std::size_t i = 0; i < lanes->launches.size(); ++i) {
      const auto& [kernel, lane, name] = lanes->launches[i];
      text += fmt::format("{},{},{},{}\n", i + 1, lane + 1, kernel.index() + 1, csv_field(name));
    }
    return text;
  }
  std::string text = "stage,strategy,group,step,units,latency_ms\n";
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    const std::string latency = s < notes.stage_ms.size() ? fmt::format("{}", notes.stage_ms[s]) : std::string{};
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      for (std::size_t i = 0; i < stage.groups[g].steps.size(); ++i) {
        std::string units;
        for (const UnitId unit : stage.groups[g].steps[i].units) {
          units += (units.empty() ? "" : " ") + graph.unit(unit).name;
        }
        text += fmt::format("{},{},{},{},{},{}\n", s + 1, strategy_name(strategy_of(graph, stage)), g + 1, i + 1,
                            csv_field(units), g == 0 && i == 0 ? latency : std::string{});
      }
    }
  }
  return text;
}

Result<ScheduleFile> parse_schedule_json(std::string_view text, const std::string& origin, const Graph& graph) {
  IOS_TRY(const auto json, parse_json(text, origin));
  FirstError errors(origin);
  const JsonView root(json, errors);
  ScheduleFile file = ScheduleReader(root, graph).read();
  if (errors.error()) return tl::unexpected(*errors.error());
  if (auto legal = check_legal(graph, file.schedule); !legal) {
    Error error = legal.error();
    error.where = error.where.empty() ? origin : origin + ": " + error.where;
    return tl::unexpected(std::move(error));
  }
  return file;
}

Result<ScheduleFile> load_schedule(const std::filesystem::path& path, const Graph& graph) {
  IOS_TRY(const auto text, read_text_file(path));
  return parse_schedule_json(text, path.string(), graph);
}

}  // namespace iosx
