#include "core/formats/external/open_recording.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/json/text_file.h"
#include "core/formats/external/csv_times.h"
#include "core/formats/external/match.h"
#include "core/formats/external/trace_roles.h"

namespace iosx {
namespace external {

// Lanes are called "PROCESS/THREAD/NAME"; where the name alone tells them apart, it is enough.
static void shorten_lanes(std::vector<RecordedLane>& lanes) {
  std::set<std::string> names;
  for (const RecordedLane& lane : lanes) names.insert(lane.stream.substr(lane.stream.rfind('/') + 1));
  if (names.size() < lanes.size() || names.contains("")) return;
  for (RecordedLane& lane : lanes) lane.stream.erase(0, lane.stream.rfind('/') + 1);
}

Recording recording_of_runs(RecordedRuns runs) {
  constexpr std::size_t kMostLanesOfRuns = 0xFFFF;
  Recording recording;
  std::map<std::pair<std::string, std::string>, NameId> names;  // of one name and type
  std::unordered_map<std::string, std::uint16_t> lanes;
  const bool on_gpu = runs.tool == ExternalTool::kOnnxRuntime &&
                      std::ranges::any_of(runs.spans, [](const RecordedSpan& span) { return is_stream(span.lane); });
  recording.of_processor = runs.tool == ExternalTool::kOnnxRuntime && !on_gpu;
  for (RecordedSpan& span : runs.spans) {
    if (on_gpu && !is_stream(span.lane)) continue;
    const auto [lane, new_lane] = lanes.emplace(span.lane, static_cast<std::uint16_t>(recording.lanes.size()));
    if (new_lane && recording.lanes.size() == kMostLanesOfRuns) break;
    if (new_lane) recording.lanes.push_back({.stream = span.lane});
    const auto [name, is_new] =
        names.emplace(std::pair(span.entry.name, span.entry.type), static_cast<NameId>(recording.names.size()));
    if (is_new) recording.names.push_back(span.entry.name);
    if (is_new && kinds_of_type(span.entry.type) != 0) {
      recording.operators.resize(recording.names.size());
      recording.operators.back() = {std::move(span.entry.type), std::move(span.entry.output),
                                    std::move(span.entry.inputs), std::move(span.entry.dims)};
    }
    recording.kernels.push_back({.begin = span.begin,
                                 .end = span.end,
                                 .name = name->second,
                                 .lane = lane->second,
                                 .kind = kind_of_kernel(span.entry.name)});
  }
  if (runs.tool == ExternalTool::kChromeTrace) shorten_lanes(recording.lanes);
  for (const RunWindow& run : runs.runs)
    recording.ranges.push_back({.begin = run.begin, .end = run.end, .kind = RangeKind::kStep});
  recording.notices = std::move(runs.notices);
  return recording;
}

bool is_graph_dump(std::string_view head) {
  const std::size_t graph = head.find("digraph");
  return graph != std::string_view::npos && head.find('{') > graph;
}

}  // namespace external

namespace {

constexpr std::string_view kSqlite("SQLite format 3\0", 16);
constexpr std::size_t kBeginning = 4096;  // bytes by which the kind of a file is told

Result<Recording> recording_of_events(external::TraceEvents trace, const std::string& file, bool of_perfetto = false) {
  const std::size_t left_out = trace.broken + trace.unpaired;
  const auto roles = external::roles_of(trace);
  bool of_pytorch = false;
  for (std::size_t i = 0; i < roles.size() && !of_pytorch; ++i) {
    const bool says_stream = trace.events[i].stream >= 0 || trace.events[i].args != 0;
    of_pytorch = roles[i] == external::Role::kOperator || (roles[i] == external::Role::kOnGpu && says_stream);
  }
  Recording recording;
  if (of_pytorch && !external::is_onnxruntime_profile(trace)) {
    recording = external::kineto_recording(std::move(trace));
  } else {
    if (of_perfetto) external::keep_kernels(trace);
    IOS_TRY(auto runs, external::runs_of_events(trace, {}, file));
    if (runs.empty())
      return fail(message("contains no events with a begin and an end"), file,
                  message("check that it is the right file"));
    recording = external::recording_of_runs(std::move(runs.front().recording));
    if (runs.size() > 1)
      recording.notices.push_back(message("it has {} runs, of which the first is shown", runs.size()));
  }
  if (left_out > 0) recording.notices.push_back(message("{} events without a valid time are left out", left_out));
  return recording;
}

Result<Recording> recording_of_json(ByteSource& source, std::string_view head, const std::string& file) {
  if (external::is_chakra_json(head)) return external::chakra_recording(source, file);
  if (external::is_execution_trace(head)) {
    IOS_TRY(auto trace, external::read_execution_trace(source, file));
    return external::recording_of_nodes(std::move(trace));
  }
  if (external::is_rocprof_json(head)) return external::rocprof_recording(source, file);
  if (external::is_tensorrt_inspector(head)) {
    IOS_TRY(const auto text, all_of(source, file));
    return external::tensorrt_recording(text, file);
  }
  IOS_TRY(auto trace, external::read_trace_events(source, file));
  return recording_of_events(std::move(trace), file);
}

bool is_json_text(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

// Reads a table of kernels with begins, such as rocprofv3 and nsys stats write.
Result<Recording> recording_of_table(ByteSource& source, const std::string& file) {
  IOS_TRY(auto text, all_of(source, file));
  IOS_TRY(auto times, external::read_csv_times(as_utf8(std::move(text)), std::nullopt, file));
  if (std::ranges::any_of(times.names, [](const external::NamedTimes& one) { return !one.begin.has_value(); })) {
    return fail(message("has no begins of kernels"), file, message("open it with iosx external"));
  }
  return external::recording_of_runs(external::runs_with_begins(std::move(times)));
}

Result<Recording> recording_of_text(ByteSource& source, std::string_view head, const std::string& file) {
  if (external::is_perfetto_trace(head)) {
    IOS_TRY(const auto bytes, all_of(source, file));
    IOS_TRY(auto trace, external::read_perfetto_events(bytes, file));
    return recording_of_events(std::move(trace), file, true);
  }
  constexpr std::size_t kUtf8Mark = 3;  // bytes
  const std::string decoded = as_utf8(std::string(head));
  if (is_json_text(decoded) && decoded.size() + kUtf8Mark < head.size()) {  // UTF-16
    IOS_TRY(auto bytes, all_of(source, file));
    const std::string text = as_utf8(std::move(bytes));
    return recording_of_json(*source_of(text, file), decoded, file);
  }
  return is_json_text(head) ? recording_of_json(source, head, file) : recording_of_table(source, file);
}

// Cuts the recording, and adds what other files say.
Result<Recording> completed(Recording recording, const std::string& file, const RecordingOptions& options) {
  const bool alone = recording.execution.has_value();  // an execution trace, made of operators
  if (alone && !options.with.empty()) {
    return fail(message("is an execution trace, to which no file can be added"), file,
                message("open the recording of its run, and add this file to it"));
  }
  settle(recording);
  std::optional<ExecutionTrace> trace;
  std::string trace_file;
  for (const auto& path : options.with) {
    IOS_TRY(const auto begun, open_source(path));
    IOS_TRY(const std::string head, head_of(*begun, kBeginning));
    IOS_TRY(const auto source, open_source(path, options.stop));
    if (external::is_graph_dump(head)) {
      IOS_TRY(const auto text, all_of(*source, path.string()));
      IOS_TRY(auto dump, external::read_graph_dump(text, path.string()));
      recording.dumps.push_back(std::move(dump));
    } else {
      IOS_TRY(trace, external::read_execution_trace(*source, path.string()));
      trace_file = path.string();
    }
  }
  const bool cuts = options.step || !options.range.empty();
  // The trace may be of the whole run, or of the step alone.
  const bool of_all = trace && cuts && external::link_operators(recording, *trace, trace_file);
  if (cuts) {
    if (const auto why = cut_to_step(recording, options.step.value_or(0), options.range))
      return fail(*why, file, options.range.empty() ? message("choose another step") : message("choose another range"));
  }
  if (trace && !of_all) {
    IOS_TRY(external::link_operators(recording, *std::move(trace), trace_file));
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

bool begins_like_recording(std::string_view head) {
  head = head.substr(0, kBeginning);
  if (external::is_perfetto_trace(head)) return true;
  if (!is_json_text(head)) return external::is_graph_dump(head);
  return external::is_chakra_json(head) || external::is_execution_trace(head) || external::is_rocprof_json(head) ||
         external::is_tensorrt_inspector(head);
}

bool is_dependency_file(const std::filesystem::path& path) {
  const auto source = open_source(path);
  const auto head = source ? head_of(**source, kBeginning) : Result<std::string>();
  return head && (external::is_graph_dump(*head) || (is_json_text(*head) && external::is_execution_trace(*head)));
}

Result<Recording> open_recording(const std::filesystem::path& path, const RecordingOptions& options) {
  const std::string file = path.string();
  IOS_TRY(const auto begun, open_source(path));
  IOS_TRY(const std::string head, head_of(*begun, kBeginning));
  if (external::is_graph_dump(head)) {
    return fail(message("is a drawing of a CUDA graph, without times"), file,
                message("open it together with the recording of its run"));
  }
  if (std::string_view(head).starts_with(kSqlite)) {
    IOS_TRY(auto recording, external::nsight_recording(path));
    return completed(std::move(recording), file, options);
  }
  IOS_TRY(const auto source, open_source(path, options.stop));
  IOS_TRY(auto recording, recording_of_text(*source, head, file));
  return completed(std::move(recording), file, options);
}

Result<Recording> read_recording_text(std::string_view text, const std::string& file, const RecordingOptions& options) {
  IOS_TRY(const std::string head, head_of(*source_of(text, file), kBeginning));
  const auto source = source_of(text, file);
  IOS_TRY(auto recording, recording_of_text(*source, head, file));
  return completed(std::move(recording), file, options);
}

}  // namespace iosx
