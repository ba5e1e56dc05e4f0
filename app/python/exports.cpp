#include "core/documents/exports/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <array>
#include <initializer_list>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/compare/compare_options.h"

namespace iosx::python {
namespace {

// Returns the device that the schedule was found on; null where it is not known here, which throws if the schedule has
// lanes, as these are of the kernels of that device.
const DeviceInfo* found_device(const OwnSchedule& schedule) {
  for (const DeviceRegistry::Entry* const entry : devices().entries()) {
    if (entry->info.id == schedule.notes.device || entry->info.name == schedule.notes.device) return &entry->info;
  }
  if (!schedule.given.lanes) return nullptr;
  throw Failed{{message("has lanes for the kernels of '{}', which is not a known device on this computer",
                        schedule.notes.device),
                {},
                message("use it on a computer with that device, or search lanes for another device")}};
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
    const DeviceInfo* const device = found_device(*schedule);
    source.plan = schedule->plan(source.graph, schedule->notes.batch, device == nullptr ? kAny : *device);
    source.on_processor = device != nullptr && device->threads > 0;
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
  py::class_<OwnSchedule>(module.attr("Schedule"))
      .def(
          "save",
          [](const OwnSchedule& schedule, const py::object& place, const py::object& format) {
            save_scheduled({.graph = schedule.graph}, schedule, place, format, {});
          },
          py::arg("path"), py::arg("format") = py::none(), schedule_help.c_str());
  py::class_<OwnRun>(module.attr("Run"))
      .def(
          "save",
          [](const OwnRun& run, const py::object& place, const py::object& format) {
            save({.run = run.run}, {ExportNeeds::kRun}, place, format, {});
          },
          py::arg("path"), py::arg("format") = py::none(), run_help.c_str());
  py::class_<OpenGraph, OpenGraphs>(module.attr("Graph"))
      .def("save", &save_graph, py::arg("path"), py::arg("format") = py::none(), py::kw_only(),
           py::arg("schedule") = py::none(), py::arg("batch") = py::none(), py::arg("streams") = py::none(),
           py::arg("streams_on") = py::none(), graph_help.c_str());
}

}  // namespace iosx::python
