#include "core/formats/external/open_recording.h"

#include <algorithm>
#include <utility>

#include "core/base/json/text_file.h"
#include "core/formats/external/trace_roles.h"

namespace iosx {
namespace {

constexpr std::string_view kSqlite("SQLite format 3\0", 16);
constexpr std::size_t kBeginning = 4096;  // bytes by which the kind of a file is told

Result<Recording> recording_of_json(ByteSource& source, std::string_view head, const std::string& file) {
  if (external::is_execution_trace(head)) {
    IOS_TRY(auto trace, external::read_execution_trace(source, file));
    return external::recording_of_nodes(std::move(trace));
  }
  IOS_TRY(auto trace, external::read_trace_events(source, file));
  const std::size_t left_out = trace.broken + trace.unpaired;
  const auto roles = external::roles_of(trace);
  const bool known = std::ranges::any_of(
      roles, [](external::Role role) { return role == external::Role::kOnGpu || role == external::Role::kOperator; });
  if (!known || external::is_onnxruntime_profile(trace)) {
    return fail(message("is no recording of PyTorch's profiler or Nsight Systems"), file,
                message("open it with iosx external"));
  }
  Recording recording = external::kineto_recording(std::move(trace));
  if (left_out > 0) recording.notices.push_back(message("{} events without a valid time are left out", left_out));
  return recording;
}

// Cuts the recording, and adds what other files say.
Result<Recording> completed(Recording recording, const std::string& file, const RecordingOptions& options) {
  const bool alone = recording.execution.has_value();  // an execution trace, made of operators
  settle(recording);
  if (options.step || !options.range.empty()) {
    if (const auto why = cut_to_step(recording, options.step.value_or(0), options.range))
      return fail(*why, file, message("choose another step"));
  }
  for (const auto& path : options.with) {
    IOS_TRY(const auto begun, open_source(path));
    IOS_TRY(const std::string head, head_of(*begun, kBeginning));
    IOS_TRY(const auto source, open_source(path));
    if (head.find("digraph") != std::string::npos && head.find('{') > head.find("digraph")) {
      IOS_TRY(const auto text, all_of(*source, path.string()));
      IOS_TRY(auto dump, external::read_graph_dump(text, path.string()));
      recording.dumps.push_back(std::move(dump));
    } else if (!alone) {
      IOS_TRY(auto trace, external::read_execution_trace(*source, path.string()));
      IOS_TRY(external::link_operators(recording, std::move(trace), path.string()));
    }
  }
  if (recording.kernels.empty() && !recording.of_processor) {
    external::make_kernels_of_operators(recording);
    settle(recording);
    if (!alone && !recording.kernels.empty())
      recording.notices.push_back(message("it has no device: operators count as kernels, of unknown share"));
  }
  const auto device = options.device ? options.device : main_device(recording);
  if (recording.kernels.empty() || !device) {
    return fail(message("contains no kernels or operators with times"), file,
                message("check that it is the right file, and that a run was recorded"));
  }
  const std::size_t all = recording.kernels.size();
  if (!cut_to_device(recording, *device)) {
    return fail(message("has no kernels on device {}", *device), file, message("choose another device"));
  }
  if (recording.kernels.size() < all && !options.device) {
    recording.notices.push_back(message("it has several devices: {} of {} kernels are of device {}, which is shown",
                                        recording.kernels.size(), all, *device));
  }
  return recording;
}

}  // namespace

Result<Recording> open_recording(const std::filesystem::path& path, const RecordingOptions& options) {
  const std::string file = path.string();
  IOS_TRY(const auto begun, open_source(path));
  IOS_TRY(const std::string head, head_of(*begun, kBeginning));
  if (std::string_view(head).starts_with(kSqlite)) {
    IOS_TRY(auto recording, external::nsight_recording(path));
    return completed(std::move(recording), file, options);
  }
  IOS_TRY(const auto source, open_source(path));
  IOS_TRY(auto recording, recording_of_json(*source, head, file));
  return completed(std::move(recording), file, options);
}

Result<Recording> read_recording_text(std::string_view text, const std::string& file, const RecordingOptions& options) {
  IOS_TRY(const std::string head, head_of(*source_of(text, file), kBeginning));
  const auto source = source_of(text, file);
  IOS_TRY(auto recording, recording_of_json(*source, head, file));
  return completed(std::move(recording), file, options);
}

}  // namespace iosx
