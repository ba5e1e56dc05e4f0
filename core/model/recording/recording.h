#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/model/recording/execution_trace.h"

// What a profiler saw of a program: kernels on the streams of devices, the calls that launched them, and what the host
// did around these calls. It knows no network. Times are in µs on the recording's own clock. Names come from files and
// are shown through printable(). Half a million kernels take less than 100 MB.
namespace iosx {

// It says what a kernel does, guessed from its name, and decides which share of a device the kernel fills.
enum class KernelKind : std::uint8_t {
  kOther,
  kCollective,
  kAttention,
  kGemm,
  kConvolution,
  kCopy,      // within one device, and between devices
  kHostCopy,  // from or to the host
  kMultiTensor,
  kNorm,
  kIndex,
  kPointwise,
};
inline constexpr std::size_t kKernelKinds = static_cast<std::size_t>(KernelKind::kPointwise) + 1;
KernelKind kind_of_kernel(std::string_view name);
std::string_view kernel_kind_name(KernelKind kind);  // "other", "collective", …

using NameId = std::uint32_t;  // an index of Recording::names; 0 is the empty name
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;
inline constexpr std::uint32_t kIdleLane = 0xFFFFFFFEU;  // in place of a lane: one without kernels

// It is one kernel, copy or memset on a device. Without a device in the recording it is an operator that computes.
struct RecordedKernel {
  double begin = 0;
  double end = 0;
  NameId name = 0;
  std::uint32_t launch = kNoIndex;  // the call that launched it; kNoIndex: not recorded
  std::uint32_t range = kNoIndex;   // the innermost range around the call
  std::uint32_t graph = 0;          // id of the CUDA graph; 0: none, or not recorded
  std::uint32_t node = 0;           // its node in that graph
  std::array<std::uint32_t, 3> grid{};
  std::uint32_t shared_bytes = 0;  // of one block
  std::array<std::uint16_t, 3> block{};
  std::uint16_t registers = 0;  // of one thread
  std::uint16_t lane = 0;       // an index of Recording::lanes
  KernelKind kind = KernelKind::kOther;
  bool whole_graph = false;  // it stands for all kernels of a CUDA graph

  double duration() const { return end - begin; }
  bool has_shape() const { return grid[0] > 0 && block[0] > 0; }
};
static_assert(sizeof(RecordedKernel) == 64);

// A call of the host that launches kernels; one of a CUDA graph launches many.
struct HostLaunch {
  double begin = 0;
  double end = 0;
  std::uint32_t thread = 0;  // of the host
};

enum class EdgeKind : std::uint8_t {
  kData,   // one reads or overwrites what the other wrote or read
  kGraph,  // a CUDA graph says so
  kEvent,  // a stream waited for an event of another stream
  kHost,   // the host waited for the one before it launched the other
  kComm,   // collectives of one stream keep their order
  kInner,  // kernels of one operator
  kOrder,  // the order of a stream, where nothing better is known
};
inline constexpr std::size_t kEdgeKinds = static_cast<std::size_t>(EdgeKind::kOrder) + 1;
std::string_view edge_kind_name(EdgeKind kind);  // "data", "graph", …

enum class EdgeCertainty : std::uint8_t { kKnown, kAssumed };

std::string edge_label(EdgeKind kind, EdgeCertainty certainty);  // "data, known"

// Kernel `after` cannot begin before kernel `before` has ended.
struct RecordedEdge {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  EdgeKind kind = EdgeKind::kOrder;
  EdgeCertainty certainty = EdgeCertainty::kKnown;
  friend bool operator==(const RecordedEdge&, const RecordedEdge&) = default;
};
static_assert(sizeof(RecordedEdge) == 12);

// The host waits for kernels: for those of one lane, or of all.
struct HostWait {
  double begin = 0;
  double end = 0;
  std::uint32_t lane = kNoIndex;  // kNoIndex: all
};

// The host makes a stream wait for an event.
struct StreamWait {
  double at = 0;
  std::uint32_t thread = 0;
  // What it waits for, where the recording says it: the lane that waits, the lane of the event, when that was recorded.
  std::uint32_t lane = kNoIndex;
  std::uint32_t source = kNoIndex;
  std::optional<double> recorded = {};
};
// The host records an event on a stream.
struct EventRecord {
  double at = 0;
  std::uint32_t thread = 0;
};

enum class RangeKind : std::uint8_t {
  kOperator,    // of a framework
  kAnnotation,  // named by a person or a framework
  kModule,
  kStep,  // of PyTorch's profiler
};

// It is a span of a host thread and has a name.
struct RecordedRange {
  double begin = 0;
  double end = 0;
  NameId name = 0;
  std::uint32_t thread = 0;
  std::uint32_t outer = kNoIndex;  // the range around it, which stands before it
  std::uint32_t node = kNoIndex;   // of Recording::execution
  std::int32_t record_function = -1;
  RangeKind kind = RangeKind::kOperator;
};

struct RecordedDevice {
  std::int64_t id = 0;
  std::string name = {};                    // may be empty
  std::optional<int> multiprocessors = {};  // none: not recorded
  int warps = 64;                           // of one multiprocessor, at most
};

struct RecordedLane {
  std::string process = {};  // empty where the file has one
  std::int64_t device = 0;
  std::string stream = {};  // its number, or the thread of a processor
  std::size_t kernels = 0;
};

// A file says this of the operators of one name.
struct NamedOperator {
  std::string type = {};                               // in the words of its framework
  std::string output = {};                             // the tensor that it makes
  std::vector<std::vector<std::int64_t>> inputs = {};  // their sizes, with the batch, like the next
  std::vector<std::int64_t> dims = {};                 // of its output
};

struct Recording {
  std::vector<std::string> names{std::string()};
  std::vector<NamedOperator> operators;  // of these names; shorter, or empty in places, where the file says nothing
  std::vector<RecordedDevice> devices;
  std::vector<RecordedLane> lanes;
  std::vector<RecordedKernel> kernels;  // by begin, then by launch
  std::vector<HostLaunch> launches;
  std::vector<RecordedRange> ranges;  // each after the ranges around it
  std::vector<HostWait> host_waits;   // by begin
  std::vector<StreamWait> stream_waits;
  std::vector<EventRecord> event_records;
  std::vector<RecordedEdge> edges;  // that the file itself has, or its network
  std::vector<bool> in_network;     // kernels of which `edges` say all; empty: none
  std::optional<ExecutionTrace> execution;
  std::vector<GraphDump> dumps;
  std::optional<std::pair<double, double>> window;  // of the host, to which it was cut
  std::vector<std::int64_t> seen_devices;           // with kernels, before it was cut to one
  bool of_processor = false;                        // no device: kernels are operators
  bool keeps_arguments = false;                     // most kernels would have a short name of others: see short_name()
  bool timed = true;                                // false: it has no times, and each operator counts as 1 µs
  std::vector<Message> notices;

  const std::string& name(NameId id) const { return names[id]; }
  // Returns iosx::short_name() of it. Where that is one for most kernels, as for those of CUTLASS, it ends with the
  // template argument that tells them apart: "Kernel<conv_1>".
  std::string short_name(NameId id) const;
  double launch_begin(const RecordedKernel& kernel) const;  // -1e300 where it was not recorded
};

// Returns "AddmmBackward0" of "autograd::engine::evaluate_function: AddmmBackward0", the function of a kernel's name
// without return type, arguments and template arguments, and other names as they are.
std::string short_name(const std::string& name);

// Sorts the kernels, drops lanes without kernels, counts, and finds whether short names tell the kernels apart. Edges
// of the file keep their kernels.
void settle(Recording& recording);

// Keeps the kernels that were launched within the n-th step (of PyTorch's profiler), or range of that name. Errors:
// there is no such step or range.
std::optional<Message> cut_to_step(Recording& recording, std::size_t step, const std::string& range);

// Keeps one device. Returns whether it has kernels.
bool cut_to_device(Recording& recording, std::int64_t device);
// Returns the device with the most kernels; none without kernels.
std::optional<std::int64_t> main_device(const Recording& recording);

}  // namespace iosx
