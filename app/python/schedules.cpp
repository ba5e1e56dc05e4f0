#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/compare/compare_options.h"
#include "core/documents/exports/exports.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/schedule.h"
#include "core/search/baseline.h"
#include "models/open_graph.h"

namespace iosx::python {
namespace {

UnitId unit_named(const Graph& graph, const py::handle& name) {
  if (!py::isinstance<py::str>(name)) {
    throw py::type_error("a step must be a unit's name, or a tuple of names that run merged, not " + shown(name));
  }
  const auto text = name.cast<std::string>();
  const auto found = graph.find_unit(text);
  if (found) return *found;
  throw Failed{{message("the network has no unit '{}'", text), {}, message("see graph.units")}};
}

py::sequence sequence_of(const py::handle& given, const char* what) {
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    return py::reinterpret_borrow<py::sequence>(given);
  }
  throw py::type_error(fmt::format("{} must be a list, not {}", what, shown(given)));
}

// Reads stages as Schedule.stages has them: a list of groups, of lists of steps.
OwnSchedule make_schedule(const OpenGraph& graph, const py::object& stages, const std::string& name) {
  Schedule schedule{name, {}};
  for (const auto& stage : sequence_of(stages, "stages")) {
    Stage& made = schedule.stages.emplace_back();
    for (const auto& group : sequence_of(stage, "a stage")) {
      Group& steps = made.groups.emplace_back();
      for (const auto& step : sequence_of(group, "a group")) {
        Step& units = steps.steps.emplace_back();
        if (!py::isinstance<py::tuple>(step)) {
          units.units.push_back(unit_named(*graph.graph(), step));
          continue;
        }
        for (const auto& unit : py::reinterpret_borrow<py::tuple>(step)) {
          units.units.push_back(unit_named(*graph.graph(), unit));
        }
      }
    }
  }
  take(check_legal(*graph.graph(), schedule));
  return {graph.graph(), GivenSchedule(std::move(schedule), ScheduleKind::kByHand)};
}

py::list stages_of(const OwnSchedule& schedule) {
  py::list stages;
  for (const Stage& stage : schedule.given.schedule.stages) stages.append(groups_of(*schedule.graph, stage));
  return stages;
}

std::string text_of(const OwnSchedule& schedule) {
  const Schedule& its = schedule.given.schedule;
  const std::string stages =
      fmt::format("'{}' of '{}', {} stages", its.name, schedule.graph->name(), its.stages.size());
  return fmt::format("<Schedule {}{}>", schedule.given.lanes ? "without barriers, of the kernels of " : "", stages);
}

// Returns the device that the schedule was found on; null where it is not known here.
const DeviceInfo* found_device(const OwnSchedule& schedule) {
  for (const DeviceRegistry::Entry* const entry : devices().entries()) {
    if (entry->info.id == schedule.notes.device || entry->info.name == schedule.notes.device) return &entry->info;
  }
  return nullptr;
}

// Gives a schedule without barriers as many lanes for the kernels of a plan, as if all took the same time, where its
// own lanes are for the kernels of a device that is not known here.
void list_anew(GivenSchedule& given, const ExecutionPlan& staged) {
  if (!given.lanes || check_kernels(staged, *given.lanes)) return;
  std::size_t lanes = 1;
  for (const LaneSchedule::Launch& launch : given.lanes->launches) lanes = std::max(lanes, launch.lane + 1);
  const auto needs = needs_of(staged);
  const std::vector<Micros> takes(staged.kernels.size(), Micros(1));
  given.lanes = named(list_schedule(needs, longest_way_first(needs, takes), takes, lanes, Micros(0)), staged);
  log("warning",
      message("the lanes of '{}' are for kernels that this computer does not know: its own kernels are listed on {} "
              "lanes anew",
              given.schedule.name, lanes));
}

// Writes what the source holds, in the format that is named or that the path's suffix says.
void save(ExportSource source, std::initializer_list<ExportNeeds> needs, const py::object& place,
          const py::object& name, const py::dict& values, const OwnSchedule* schedule = nullptr) {
  const std::string path = path_of(place);
  const std::string id = name.is_none() ? std::string() : name.cast<std::string>();
  const std::vector<const ExportFormat*> among = export_formats_of(std::span(needs.begin(), needs.size()));
  const ExportFormat& format = *take(export_format_of(id, path, among));
  const Options options(values);
  source.batch = options.whole("batch", {1, kMaxBatch});
  if (const std::string streams = options.path("streams"); !streams.empty()) source.streams = streams;
  const std::string on = options.text("streams_on");
  if (on != "gpu" && on != "cpu" && !on.empty()) {
    throw py::value_error(fmt::format("streams_on must be 'gpu' or 'cpu', not '{}'", on));
  }
  if (!on.empty()) source.streams_on = on == "cpu" ? StreamsOn::kCpu : StreamsOn::kGpu;
  if (format.needs == ExportNeeds::kPlan) {
    static const DeviceInfo kAny;
    const DeviceInfo* const found = found_device(*schedule);
    const DeviceInfo& device = found == nullptr ? kAny : *found;
    GivenSchedule given = schedule->on(source.graph);
    const std::int64_t batch = schedule->notes.batch;
    list_anew(given, StagePlanner(*source.graph, batch, device.lowering).plan(given.schedule));
    source.lanes = given.lanes;
    source.plan = take(plan_on(device, *source.graph, given, batch));
    source.on_processor = device.threads > 0;
  }
  const OtherThreads others;
  take(write_export(format, source, path));
}

ExportSource source_of(const OpenGraph& graph) {
  return {.graph = graph.graph(), .file = graph.document.file, .outputs = output_names(graph.document)};
}

void save_scheduled(ExportSource source, const OwnSchedule& schedule, const py::object& place, const py::object& format,
                    const py::dict& values) {
  const GivenSchedule given = schedule.on(source.graph);
  source.schedule = given.schedule;
  source.lanes = given.lanes;
  source.notes = schedule.notes;
  save(std::move(source), {ExportNeeds::kSchedule, ExportNeeds::kPlan}, place, format, values, &schedule);
}

void save_graph(const OpenGraph& graph, const py::object& place, const py::object& format, const py::object& schedule,
                const py::object& batch, const py::object& streams, const py::object& streams_on) {
  py::dict values;
  values["batch"] = batch;
  values["streams"] = streams;
  values["streams_on"] = streams_on;
  if (schedule.is_none()) return save(source_of(graph), {ExportNeeds::kNetwork}, place, format, values);
  save_scheduled(source_of(graph), schedule_of(graph, schedule), place, format, values);
}

// Says which formats need one of these: "iosx (IOS Explorer schedule), ...".
std::string formats_text(std::initializer_list<ExportNeeds> needs) {
  std::vector<std::string> texts;
  for (const ExportFormat* const format : export_formats_of(std::span(needs.begin(), needs.size()))) {
    texts.push_back(fmt::format("'{}' ({})", format->id, format->title));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

py::list groups_of(const Graph& graph, const Stage& stage) {
  py::list groups;
  for (const Group& group : stage.groups) {
    py::list steps;
    for (const Step& step : group.steps) {
      py::tuple names(step.units.size());
      for (std::size_t i = 0; i < step.units.size(); ++i) names[i] = graph.unit(step.units[i]).name;
      steps.append(step.merged() ? py::object(names) : py::object(names[0]));
    }
    groups.append(std::move(steps));
  }
  return groups;
}

GivenSchedule OwnSchedule::on(const std::shared_ptr<const Graph>& other) const {
  if (other == graph) return given;
  auto file = take(parse_schedule_json(schedule_to_json(*graph, given.schedule, notes, given.lanes),
                                       fmt::format("schedule '{}'", given.schedule.name), *other));
  GivenSchedule there(std::move(file.schedule), given.schedule_kind);
  there.lanes = std::move(file.lanes);
  return there;
}

ScheduleKind schedule_kind_of(const std::string& id) {
  const auto kind = parse_schedule_kind(id);
  if (kind) return *kind;
  std::vector<std::string_view> ids;
  for (const ScheduleKindRow& row : schedule_table()) {
    if (!row.given()) ids.push_back(row.id);
  }
  const std::string guess = nearest(id, ids);
  throw Failed{{message("is not a kind of schedule"), fmt::format("'{}'", id),
                guess.empty() ? message("choose one of {}", fmt::join(ids, ", "))
                              : message("did you mean {}? choose one of {}", guess, fmt::join(ids, ", "))}};
}

OwnSchedule schedule_of(const OpenGraph& graph, const py::object& given) {
  if (given.is_none()) {
    if (const auto& file = graph.document.schedule) return {graph.graph(), GivenSchedule(file->schedule, file->lanes)};
    throw Failed{{message("contains no schedule"), graph.graph()->name(),
                  message("give one: 'sequential', a file, or the result of iosx.optimize()")}};
  }
  if (py::isinstance<OwnSchedule>(given)) return given.cast<OwnSchedule>();
  if (py::isinstance<OwnResult>(given)) return given.cast<OwnResult>().schedule();
  const bool path = py::isinstance<py::str>(given) || py::hasattr(given, "__fspath__");
  if (!path) Options::refuse("schedule", "an iosx.Schedule, its file, or a baseline", given);
  const std::string text = path_of(given);
  const auto kind = parse_schedule_kind(text);
  if (kind && row_of(*kind).baseline()) {
    return {graph.graph(), GivenSchedule(made_baseline(*kind, *graph.graph()), *kind)};
  }
  std::error_code ignored;
  if (text.find_first_of("./") == std::string::npos && !std::filesystem::exists(text, ignored)) {
    const std::string_view id = row_of(schedule_kind_of(text)).id;
    throw Failed{
        {message("'{}' is a schedule that a search finds", id), {}, message("run iosx.optimize() or compare() first")}};
  }
  auto file = take(load_schedule(text, *graph.graph()));
  OwnSchedule schedule{graph.graph(), GivenSchedule(std::move(file.schedule)), std::move(file.notes)};
  schedule.given.lanes = std::move(file.lanes);
  return schedule;
}

void bind_schedules(py::module_& module) {
  Class<OwnSchedule>(module.attr("Schedule"))
      .def(py::init(&make_schedule), py::arg("graph"), py::arg("stages"), py::arg("name") = "by hand")
      .def_property_readonly("name", [](const OwnSchedule& schedule) { return schedule.given.schedule.name; })
      .property("graph", "Its Graph, cut into the parts that were searched.",
                [](const OwnSchedule& schedule) {
                  auto opened = std::make_shared<OpenGraph>();
                  opened->document.graph = schedule.graph;
                  return opened;
                })
      .property("stages", "Its stages, in the form for Schedule(graph, stages).", &stages_of)
      .property("barrier_free",
                "Whether it runs on lanes without barriers; then `stages` are the stages that chose its kernels.",
                [](const OwnSchedule& schedule) { return schedule.given.lanes.has_value(); })
      .property("lanes", "(kernel, lane) of every launch in order, for a schedule without barriers; else None.",
                [](const OwnSchedule& schedule) -> py::object {
                  if (!schedule.given.lanes) return py::none();
                  py::list lanes;
                  for (const LaneSchedule::Launch& launch : schedule.given.lanes->launches) {
                    lanes.append(py::make_tuple(launch.name, launch.lane));
                  }
                  return lanes;
                })
      .property("device", "Id of the device that it was found for; '' if it was not timed.",
                [](const OwnSchedule& schedule) { return schedule.notes.device; })
      .def_property_readonly("batch", [](const OwnSchedule& schedule) { return schedule.notes.batch; })
      .property("latency_ms", "End-to-end latency on that device; None if it was not timed.",
                [](const OwnSchedule& schedule) { return schedule.notes.latency_ms; })
      .def("__len__", [](const OwnSchedule& schedule) { return schedule.given.schedule.stages.size(); })
      .def(
          "__eq__",
          [](const OwnSchedule& a, const OwnSchedule& b) {
            return schedule_to_json(*a.graph, a.given.schedule, {}, a.given.lanes) ==
                   schedule_to_json(*b.graph, b.given.schedule, {}, b.given.lanes);
          },
          py::is_operator())
      .def("__repr__", &text_of);
  module.def("find_schedule", &schedule_of);
}

void bind_exports(py::module_& module) {
  // pybind11 copies the texts.
  const std::string network = formats_text({ExportNeeds::kNetwork});
  const std::string scheduled = formats_text({ExportNeeds::kSchedule, ExportNeeds::kPlan});
  const std::string graph_help = fmt::format(
      "Writes the network with its weights as {}, or with a schedule as {}. Without a format, the suffix of the path "
      "decides.",
      network, scheduled);
  const std::string schedule_help =
      fmt::format("Writes the schedule as {}. Without a format, the suffix of the path decides.", scheduled);
  const std::string run_help = fmt::format("Writes the run as {}. Without a format, the suffix of the path decides.",
                                           formats_text({ExportNeeds::kRun}));
  Class<OwnSchedule>(module.attr("Schedule"))
      .def(
          "save",
          [](const OwnSchedule& schedule, const py::object& place, const py::object& format) {
            save_scheduled({.graph = schedule.graph}, schedule, place, format, {});
          },
          py::arg("path"), py::arg("format") = py::none(), schedule_help.c_str());
  Class<OwnRun>(module.attr("Run"))
      .def(
          "save",
          [](const OwnRun& run, const py::object& place, const py::object& format) {
            save({.run = run.run}, {ExportNeeds::kRun}, place, format, {});
          },
          py::arg("path"), py::arg("format") = py::none(), run_help.c_str());
  Class<OpenGraph, OpenGraphs>(module.attr("Graph"))
      .def("save", &save_graph, py::arg("path"), py::arg("format") = py::none(), py::kw_only(),
           py::arg("schedule") = py::none(), py::arg("batch") = py::none(), py::arg("streams") = py::none(),
           py::arg("streams_on") = py::none(), graph_help.c_str());
}

}  // namespace iosx::python
