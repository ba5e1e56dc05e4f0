#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/recording/predictions_report.h"
#include "core/analysis/recording/recording_exports.h"
#include "core/analysis/recording/recording_report.h"
#include "core/formats/external/open_recording.h"

namespace iosx::python {
namespace {

// A recording with what follows from it, which is shared and never changes.
struct OwnRecording {
  Recording recording;
  RecordingReport report;
  RecordingPredictions predictions;
  std::optional<double> share;
  std::string file;
};
using Shared = std::shared_ptr<const OwnRecording>;

Shared open_recorded(const py::dict& values) {
  const Options options(values);
  constexpr Bounds<std::int64_t> kNumbers{0, 1'000'000};
  RecordingOptions how{.range = options.text("range"), .device = options.whole("device", kNumbers)};
  if (const auto step = options.whole("step", kNumbers)) how.step = static_cast<std::size_t>(*step);
  for (const std::string& file : options.texts("with_files")) how.with.emplace_back(file);
  auto own = std::make_shared<OwnRecording>();
  own->share = options.number("share", {0.001, 1});
  own->file = options.path("path");
  const auto network = options.get<OpenGraphs>("model", "a Graph");
  const OtherThreads others;
  own->recording = take(open_recording(own->file, how));
  if (network) take(link_network(own->recording, *(*network)->graph(), own->file));
  own->report = report_of(own->recording, own->share);
  own->predictions = predictions_of(own->recording, own->report, own->share);
  return own;
}

nlohmann::ordered_json document_of(const OwnRecording& own) {
  auto document = recording_json(own.recording, own.report);
  document["predicted"] = predictions_json(own.predictions);
  return document;
}

nlohmann::ordered_json streams_of(const OwnRecording& own, std::optional<std::size_t> lanes) {
  if (own.predictions.why_none) take(Result<void>(fail(*own.predictions.why_none, own.file)));
  const PredictedLanes* chosen = lanes ? nullptr : own.predictions.best();
  for (const PredictedLanes& one : own.predictions.lanes) {
    if (lanes == one.lanes) chosen = &one;
  }
  if (chosen == nullptr) throw py::value_error("lanes must be 1, 2, 4 or 8");
  return streams_json(own.recording, own.report, *chosen);
}

}  // namespace

void bind_recordings(py::module_& module) {
  Class<OwnRecording, std::shared_ptr<OwnRecording>>(
      module, "Recording", "What a profiler saw of a program: kernels on streams. See iosx.open_recording().")
      .method("to_dict", "The document that iosx recording --json prints.",
              [](const OwnRecording& own) { return to_python(document_of(own)); })
      .method("columns", "One row per kernel, in the order of their begin, as {column: values}.",
              [](const OwnRecording& own) { return columns_of(kernel_table(own.recording, own.share)); })
      .method("edges", "One row per edge, as {column: values}: kernel 'after' begins after kernel 'before' has ended.",
              [](const OwnRecording& own) { return columns_of(edge_table(own.report.edges)); })
      .method("lanes", "One row per stream, as {column: values}.",
              [](const OwnRecording& own) { return columns_of(lane_table(own.recording)); })
      .method("opportunities",
              "One row per way to run kernels at the same time, the largest gain first, as {column: values}.",
              [](const OwnRecording& own) { return columns_of(opportunity_table(own.predictions)); })
      .method("predicted_lanes",
              "One row per number of lanes, as {column: values}: modelled latencies, not recorded ones.",
              [](const OwnRecording& own) { return columns_of(predicted_lanes_table(own.predictions)); })
      .method("trace_json", "A trace for Perfetto: what was recorded, and predicted lanes as processes of their own.",
              [](const OwnRecording& own) {
                return recording_trace_json(own.recording, own.report, own.predictions, own.file);
              })
      .def(
          "streams",
          [](const OwnRecording& own, std::optional<std::size_t> lanes) { return to_python(streams_of(own, lanes)); },
          py::arg("lanes") = py::none(),
          "On which lane each kernel should run, for iosx.apply_streams(). Default: the fewest lanes that are almost "
          "as "
          "fast as any.")
      .def("__len__", [](const OwnRecording& own) { return own.recording.kernels.size(); })
      .def("__str__",
           [](const OwnRecording& own) {
             return recording_text(own.recording, own.report, own.file) + '\n' + predictions_text(own.predictions);
           })
      .def("__repr__", [](const OwnRecording& own) {
        return fmt::format("<Recording of {} kernels on {} streams>", own.recording.kernels.size(),
                           own.recording.lanes.size());
      });
  module.def("open_recording", &open_recorded);
}

}  // namespace iosx::python
