#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/byte_source.h"
#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/formats/external/recorded_runs.h"

namespace iosx::external {

// A text of the file, as an index of TraceEvents::texts; 0 is the empty one.
using TextId = std::uint32_t;

// An event says this about a kernel, or about a wait of a stream.
struct KernelArgs {
  std::int32_t device = -1;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint16_t, 3> block{};
  std::uint16_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t graph = 0;
  std::uint32_t node = 0;
  float blocks_per_multiprocessor = 0;
  bool dependencies_known = false;  // the arrows of the file say all that it needs
  std::int32_t wait_on_stream = -1;
  std::int64_t wait_on_record = -1;  // correlation of the call that recorded the event
};

// The file says how large this device is; 0 stands where it does not.
struct TracedDevice {
  std::int64_t id = 0;
  std::int64_t multiprocessors = 0;
  std::int64_t threads = 0;  // of one multiprocessor, at most
  TextId name = 0;
};

// The categories of arrows between kernels: those of PyTorch, and of our own exports.
inline constexpr std::string_view kArrowsOfPyTorch = "ac2g";
inline constexpr std::string_view kOwnArrows = "dependency";
// The category of events of our own exports that say how large a device is.
inline constexpr std::string_view kDeviceFacts = "device";

// An arrow between events begins or ends here.
struct FlowEnd {
  std::int64_t id = -1;
  double at = 0;  // µs, like the events
  TextId process = 0;
  TextId thread = 0;
  TextId name = 0;  // of our own arrows: what kind of dependency it is
  bool begins = false;
};

// It is a complete event of a Chrome trace, or a pair of begin and end. Times are in µs since a zero that all
// events of a file share: the file's own, or, for a clock that began years ago, a moment within the file, because
// a double cannot hold years and nanoseconds.
struct TraceEvent {
  double begin = 0;
  double end = 0;
  TextId name = 0;
  TextId category = 0;
  TextId process = 0;
  TextId thread = 0;
  // From its "args", if present.
  TextId op_name = 0;
  TextId output = 0;
  TextId parent = 0;
  std::int64_t external = -1;  // "External id"
  std::int64_t correlation = -1;
  std::int64_t stream = -1;
  std::int32_t record_function = -1;
  std::uint32_t args = 0;    // index into TraceEvents::kernel_args plus one; 0: none
  std::uint32_t inputs = 0;  // index into TraceEvents::dims plus one; 0: none
  std::uint32_t outputs = 0;
};

// It holds a file of trace events, which is an array of them or an object with one.
struct TraceEvents {
  std::vector<TraceEvent> events;  // in the file's order
  std::vector<std::string> texts{std::string()};
  std::vector<std::vector<ExternalDims>> dims;
  std::vector<KernelArgs> kernel_args;
  std::vector<TracedDevice> devices;
  std::vector<FlowEnd> flows;  // in the file's order
  std::map<TextId, TextId> process_names;
  std::map<std::pair<TextId, TextId>, TextId> thread_names;  // by process and thread
  bool ours = false;                                         // IOS Explorer wrote it
  std::size_t unpaired = 0;                                  // begins without an end, or ends without a begin
  std::size_t broken = 0;                                    // without a valid time
  std::size_t asynchronous = 0;                              // skipped, because they belong to no thread

  std::string_view text(TextId id) const { return texts[id]; }
  KernelArgs args_of(const TraceEvent& event) const {
    return event.args == 0 ? KernelArgs() : kernel_args[event.args - 1];
  }
};

// Reads a file's text as it comes. Errors: no JSON, no trace, too much content. A trace may break off after an event,
// as its format allows. Times, durations and numbers in "args" may be texts. Begins and ends are paired by their times,
// anywhere in the file; an end with a name ends the innermost begin of that name. `origin` begins the error's place.
Result<TraceEvents> read_trace_events(ByteSource& source, const std::string& origin);

// Reads a trace that Perfetto wrote in its binary form: slices on tracks, which count as threads, and arrows between
// them. Packed pieces come out unpacked. Errors: it is damaged, or has too much content.
Result<TraceEvents> read_perfetto_events(std::string_view bytes, const std::string& origin);
bool is_perfetto_trace(std::string_view head);
// Leaves out calls of the host and predictions, where events say that they are kernels or copies.
void keep_kernels(TraceEvents& trace);

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;
struct Nesting {
  // For every event the innermost enclosing one of the same process and thread, or kNone.
  std::vector<std::uint32_t> around;
  std::vector<std::uint32_t> order;  // all events, each after its enclosing one
};
Nesting nesting_of(const std::vector<TraceEvent>& events);

// Read the files of several programs, each in its format, as recordings.

// Written by Session.end_profiling(): entries are events of nodes, those on a GPU with the times of their kernels. The
// nodes of a Loop's or an If's body are part of it. A run is its "model_run".
bool is_onnxruntime_profile(const TraceEvents& trace);
RecordedRuns onnxruntime_runs(const TraceEvents& trace);

// Written by torch.profiler's export_chrome_trace(): entries are kernels under the operators that launched them if a
// GPU ran, else the operators without a caller. A kernel that contains the next one of its stream ends where that
// begins.
bool is_pytorch_trace(const TraceEvents& trace);
Result<RecordedRuns> pytorch_runs(const TraceEvents& trace, const std::string& range, const std::string& file);

// Any other trace: its entries are the events that contain no others. A trace of ours has a recording for each of
// its processes. One of JAX has its kernels alone, and its runs are the profiler's steps.
struct NamedRuns {
  std::string name;  // empty: none
  RecordedRuns recording;
};
std::vector<NamedRuns> chrome_runs(const TraceEvents& trace);

// Reads the events in the format of the program that wrote them. There is no recording where none of them has a begin
// and an end.
Result<std::vector<NamedRuns>> runs_of_events(const TraceEvents& trace, const std::string& range,
                                              const std::string& file);

// Written by nsys export --type sqlite: entries are kernels, each in the NVTX ranges open at its launch.
Result<RecordedRuns> nsight_runs(const std::filesystem::path& path, const std::string& range);

}  // namespace iosx::external
