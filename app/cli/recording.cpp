#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/analysis/recording/predictions_report.h"
#include "core/analysis/recording/recording_exports.h"
#include "core/analysis/recording/recording_report.h"
#include "core/formats/external/open_recording.h"

namespace iosx::cli {
namespace {

struct RecordingArguments {
  std::string file;
  std::vector<std::string> with;
  std::string model;
  std::optional<std::int64_t> step;
  std::string range;
  std::optional<std::int64_t> device;
  std::optional<double> share;
  std::string trace;
  std::string streams;
  std::optional<std::int64_t> lanes;
  bool json = false;
};

// Writes on which lane each kernel should run.
Result<void> write_streams(Session& session, const RecordingArguments& options, const Recording& recording,
                           const RecordingReport& report, const RecordingPredictions& predictions) {
  if (predictions.why_none) return fail(*predictions.why_none, options.file);
  const PredictedLanes* lanes = predictions.best();  // there are some
  for (const PredictedLanes& one : predictions.lanes) {
    if (options.lanes && one.lanes == static_cast<std::size_t>(*options.lanes)) lanes = &one;
  }
  return write_output(session, options.streams, streams_json(recording, report, *lanes).dump(1) + '\n');
}

Result<void> check_outputs(const RecordingArguments& options) {
  for (const std::string& output : {options.trace, options.streams}) {
    if (output.empty()) continue;
    IOS_TRY(check_output(output, {options.file}, beside_json(options.json)));
    for (const std::string& other : options.with) IOS_TRY(check_output(output, {other}, beside_json(options.json)));
  }
  return check_apart(options.trace, options.streams);
}

Exit recording_command(const RecordingArguments& options, Session& session) {
  IOS_TRY(check_outputs(options));
  std::shared_ptr<const Graph> network;
  if (!options.model.empty()) {
    IOS_TRY(const auto opened, open_graph_argument(session, options.model, {}));
    network = opened.graph;
  }
  const auto at_once = session.at_once("reading the recording");
  RecordingOptions how{.range = options.range, .device = options.device};
  for (const std::string& file : options.with) how.with.emplace_back(file);
  if (options.step) how.step = static_cast<std::size_t>(*options.step);
  IOS_TRY(auto recording, open_recording(options.file, how));
  if (network) IOS_TRY(link_network(recording, *network, options.file));
  const RecordingReport report = report_of(recording, options.share);
  const RecordingPredictions predictions = predictions_of(recording, report, options.share);
  const std::string title = std::filesystem::path(options.file).filename().string();
  if (!options.trace.empty()) {
    const auto write = options.trace.ends_with(".pftrace") || options.trace.ends_with(".perfetto-trace")
                           ? recording_trace_perfetto
                           : recording_trace_json;
    IOS_TRY(write_output(session, options.trace, write(recording, report, predictions, title)));
  }
  if (!options.streams.empty()) IOS_TRY(write_streams(session, options, recording, report, predictions));
  if (options.trace == "-" || options.streams == "-") return kSuccess;
  if (options.json) {
    auto document = recording_json(recording, report);
    document["predicted"] = predictions_json(predictions);
    session.print(document);
    return kSuccess;
  }
  session.print(recording_text(recording, report, title) + '\n' + predictions_text(predictions));
  return kSuccess;
}

}  // namespace

void add_recording(Command& program) {
  Command command = program.add_command(
      "recording", "Say what launches cost in a recording of another program, and what streams can win at most");
  const auto options = command.runs(recording_command);
  command
      .add_option(
          "FILE", options->file, "FILE",
          "A trace of PyTorch's profiler, of JAX or of Perfetto, an SQLite export of nsys, the JSON or a table of "
          "rocprofv3, a profile of ONNX Runtime, a table of kernels with begins, an execution trace of PyTorch or "
          "Chakra, or what TensorRT's inspector wrote. It may be packed by gzip. The window's empty page "
          "and iosx.record() in Python say how to record one")
      .required();
  command.add_repeated(
      "--with", options->with, "FILE",
      "An execution trace of the same run, or a drawing of its CUDA graph (DOT). It says which kernels "
      "depend on which; traces of captured graphs by PyTorch 2.15 say it themselves. Repeat the option for several "
      "files");
  command.add_option("--model", options->model, "NETWORK",
                     "The network that ran, an ONNX file or a built-in one: it says which kernels depend on which");
  command
      .add_option("--step", options->step, "N",
                  "Only this step of the recording, or the range of this number, counted from 0: the first one is 0, "
                  "however its ProfilerStep#N is numbered")
      .check(whole_number(0, 1'000'000, "a number of a step"));
  command.add_option("--range", options->range, "NAME",
                     "The range of record_function() or NVTX that is a step. Default: the steps of PyTorch's profiler");
  command.add_option("--device", options->device, "N", "Only this device. Default: the one with the most kernels")
      .check(whole_number(0, 1'000'000, "a number of a device"));
  command
      .add_option("--share", options->share, "X",
                  "The share of the device that a kernel fills of which it is not known, such as an operator of a "
                  "processor, from 0.001 to 1. Default: what it had while others ran beside it, and all of the device "
                  "where none did")
      .check(number({0.001, 1}, "a share of the device"));
  command.add_option(
      "--trace", options->trace, "FILE",
      "Write a trace for Perfetto: what was recorded, dependencies as arrows, and the predicted lanes as "
      "processes of their own. It is JSON, or protobuf in a file .pftrace or .perfetto-trace; - is standard output");
  command.add_option("--streams", options->streams, "FILE",
                     "Write on which stream each kernel should run, for iosx.apply_streams() in Python; - is standard "
                     "output");
  command
      .add_option("--lanes", options->lanes, "N",
                  "The streams of --streams. Default: the fewest that are within half a per cent of the fastest")
      .needs("--streams")
      .check(one_of({"1", "2", "4", "8"}));
  add_json(command, options->json);
}

}  // namespace iosx::cli
