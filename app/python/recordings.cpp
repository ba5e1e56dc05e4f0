#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/recording/recording_report.h"
#include "core/formats/external/open_recording.h"

namespace iosx::python {
namespace {

// A recording with what follows from it, which is shared and never changes.
struct OwnRecording {
  Recording recording;
  RecordingReport report;
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
  const OtherThreads others;
  own->recording = take(open_recording(own->file, how));
  own->report = report_of(own->recording, own->share);
  return own;
}

}  // namespace

void bind_recordings(py::module_& module) {
  Class<OwnRecording, std::shared_ptr<OwnRecording>>(
      module, "Recording", "What a profiler saw of a program: kernels on streams. See iosx.open_recording().")
      .method("to_dict", "The document that iosx recording --json prints.",
              [](const OwnRecording& own) { return to_python(recording_json(own.recording, own.report)); })
      .method("columns", "One row per kernel, in the order of their begin, as {column: values}.",
              [](const OwnRecording& own) { return columns_of(kernel_table(own.recording, own.share)); })
      .method("edges", "One row per edge, as {column: values}: kernel 'after' begins after kernel 'before' has ended.",
              [](const OwnRecording& own) { return columns_of(edge_table(own.report.edges)); })
      .method("lanes", "One row per stream, as {column: values}.",
              [](const OwnRecording& own) { return columns_of(lane_table(own.recording)); })
      .def("__len__", [](const OwnRecording& own) { return own.recording.kernels.size(); })
      .def("__str__", [](const OwnRecording& own) { return recording_text(own.recording, own.report, own.file); })
      .def("__repr__", [](const OwnRecording& own) {
        return fmt::format("<Recording of {} kernels on {} streams>", own.recording.kernels.size(),
                           own.recording.lanes.size());
      });
  module.def("open_recording", &open_recorded);
}

}  // namespace iosx::python
