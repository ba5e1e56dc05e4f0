#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/analysis/recording/predictions_report.h"
#include "core/analysis/recording/recording_report.h"
#include "core/formats/external/open_recording.h"

namespace iosx::cli {
namespace {

struct RecordingArguments {
  std::string file;
  std::vector<std::string> with;
  std::optional<std::int64_t> step;
  std::string range;
  std::optional<std::int64_t> device;
  std::optional<double> share;
  bool json = false;
};

Exit recording_command(const RecordingArguments& options, Session& session) {
  const auto at_once = session.at_once("reading the recording");
  RecordingOptions how{.range = options.range, .device = options.device};
  for (const std::string& file : options.with) how.with.emplace_back(file);
  if (options.step) how.step = static_cast<std::size_t>(*options.step);
  IOS_TRY(const auto recording, open_recording(options.file, how));
  const RecordingReport report = report_of(recording, options.share);
  const RecordingPredictions predictions = predictions_of(recording, report, options.share);
  if (options.json) {
    auto document = recording_json(recording, report);
    document["predicted"] = predictions_json(predictions);
    session.print(document);
    return kSuccess;
  }
  session.print(recording_text(recording, report, std::filesystem::path(options.file).filename().string()) + '\n' +
                predictions_text(predictions));
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
          "A trace of PyTorch's profiler or of JAX, an SQLite export of nsys, the JSON of rocprofv3, a profile of "
          "ONNX Runtime, a table of kernels with begins, or an execution trace of PyTorch. It may be packed by "
          "gzip")
      .required();
  command.add_repeated(
      "--with", options->with, "FILE",
      "An execution trace of the same run, or a drawing of its CUDA graph (DOT). It says which kernels "
      "depend on which. Repeat the option for several files");
  command
      .add_option("--step", options->step, "N",
                  "Only this step of PyTorch's profiler, or the range of this number, from 0 on")
      .check(whole_number(0, 1'000'000, "a number of a step"));
  command.add_option("--range", options->range, "NAME",
                     "The range of record_function() or NVTX that is a step. Default: the steps of PyTorch's profiler");
  command.add_option("--device", options->device, "N", "Only this device. Default: the one with the most kernels")
      .check(whole_number(0, 1'000'000, "a number of a device"));
  command
      .add_option("--share", options->share, "X",
                  "The share of the device that a kernel fills of which it is not known, such as an operator of a "
                  "processor. Default: 1")
      .check(number({0.001, 1}, "a share of the device"));
  add_json(command, options->json);
}

}  // namespace iosx::cli
