#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/formats/external/open_recording.h"
#include "core/formats/external/trace_roles.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostLanes = 0xFFFF;
constexpr std::int64_t kThreadsOfWarp = 32;

bool contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

class KinetoReader {
 public:
  explicit KinetoReader(TraceEvents trace) : trace_(std::move(trace)), roles_(roles_of(trace_)) {}

  Recording read() {
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      const TraceEvent& event = trace_.events[i];
      if (roles_[i] == Role::kLaunch) launches_.add(event.correlation, event, i);
      if (roles_[i] == Role::kSync) syncs_.add(event.correlation, event, i);
      if (is_operator(i)) operators_.add(event.external, event, i);
    }
    launches_.sort();
    syncs_.sort();
    operators_.sort();
    read_ranges();
    launch_of_.assign(trace_.events.size(), kNoIndex);
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      if (roles_[i] == Role::kOnGpu) read_kernel(trace_.events[i]);
    }
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      if (roles_[i] == Role::kLaunch) read_call(trace_.events[i]);
    }
    read_devices();
    read_arrows();
    if (!is_own_export()) clip();
    name_processes();
    if (left_out_ > 0)
      out_.notices.push_back(message("{} kernels on more than {} streams are left out", left_out_, kMostLanes));
    out_.names = std::move(trace_.texts);
    return std::move(out_);
  }

 private:
  std::string_view name(std::uint32_t i) const { return trace_.text(trace_.events[i].name); }
  bool is_step(std::uint32_t i) const { return name(i).starts_with(kProfilerStep); }
  bool is_operator(std::uint32_t i) const {
    return (roles_[i] == Role::kOperator || roles_[i] == Role::kAnnotation) && !is_step(i);
  }

  void read_ranges() {
    const Nesting nesting = nesting_of(trace_.events);
    range_of_.assign(trace_.events.size(), kNoIndex);
    for (const std::uint32_t i : nesting.order) {
      const TraceEvent& event = trace_.events[i];
      const std::uint32_t outer = nesting.around[i] == kNone ? kNoIndex : range_of_[nesting.around[i]];
      range_of_[i] = outer;
      const Role role = roles_[i];
      if (role != Role::kOperator && role != Role::kAnnotation && role != Role::kModule) continue;
      RecordedRange range{.begin = event.begin,
                          .end = event.end,
                          .name = event.name,
                          .thread = thread_of(event),
                          .outer = outer,
                          .record_function = event.record_function};
      range.kind = is_step(i)                  ? RangeKind::kStep
                   : role == Role::kAnnotation ? RangeKind::kAnnotation
                   : role == Role::kModule     ? RangeKind::kModule
                                               : RangeKind::kOperator;
      range_of_[i] = static_cast<std::uint32_t>(out_.ranges.size());
      out_.ranges.push_back(range);
    }
  }

  std::uint32_t thread_of(const TraceEvent& event) {
    const auto id = static_cast<std::uint32_t>(threads_.size());
    return threads_.emplace(std::pair(event.process, event.thread), id).first->second;
  }

  // A stream has a number, or else it is the thread of its kernels.
  std::string stream_of(const TraceEvent& event) const {
    if (event.stream >= 0) return std::to_string(event.stream);
    const auto named = trace_.thread_names.find({event.process, event.thread});
    std::string_view text = trace_.text(named == trace_.thread_names.end() ? event.thread : named->second);
    if (text.starts_with(kStreamLane)) text.remove_prefix(kStreamLane.size());
    return text.empty() ? "0" : std::string(text);
  }

  // Streams of several processes are different, even where their numbers are equal.
  std::uint32_t lane_of(std::int64_t device, const TraceEvent& event) {
    const LaneKey key{device, stream_of(event), event.process};
    const auto found = lanes_.find(key);
    if (found != lanes_.end()) return found->second;
    if (out_.lanes.size() == kMostLanes) return kNoIndex;
    const auto lane = static_cast<std::uint32_t>(out_.lanes.size());
    out_.lanes.push_back({.device = device, .stream = std::get<1>(key)});
    lanes_.emplace(key, lane);
    return lane;
  }
  // Returns the lane of a stream that some kernel of the event's process ran on; of any, if only one process has it.
  std::uint32_t known_lane(const TraceEvent& event, std::int64_t stream) const {
    const LaneKey key{device_of(event), std::to_string(stream), event.process};
    if (const auto found = lanes_.find(key); found != lanes_.end()) return found->second;
    const auto first = lanes_.lower_bound({std::get<0>(key), std::get<1>(key), TextId{0}});
    const auto is_it = [&](auto lane) {
      return lane != lanes_.end() && std::get<0>(lane->first) == std::get<0>(key) &&
             std::get<1>(lane->first) == std::get<1>(key);
    };
    return is_it(first) && !is_it(std::next(first)) ? first->second : kIdleLane;
  }

  // Says of which process a lane is, where processes share a device.
  void name_processes() {
    std::map<std::int64_t, std::set<TextId>> of_device;
    for (const auto& [key, lane] : lanes_) of_device[std::get<0>(key)].insert(std::get<2>(key));
    for (const auto& [key, lane] : lanes_) {
      if (of_device[std::get<0>(key)].size() == 1) continue;
      const TextId process = std::get<2>(key);
      const auto named = trace_.process_names.find(process);
      const bool tells = named != trace_.process_names.end() && names_once(named->second);
      out_.lanes[lane].process =
          tells ? std::string(trace_.text(named->second)) : fmt::format("process {}", trace_.text(process));
    }
  }
  bool names_once(TextId name) const {
    return std::ranges::count_if(trace_.process_names, [&](const auto& one) { return one.second == name; }) == 1;
  }

  // Returns whether the innermost operator or annotation around a call exists.
  bool has_operator(std::uint32_t range) const {
    while (range != kNoIndex && out_.ranges[range].kind != RangeKind::kOperator &&
           out_.ranges[range].kind != RangeKind::kAnnotation)
      range = out_.ranges[range].outer;
    return range != kNoIndex;
  }

  void read_kernel(const TraceEvent& event) {
    const KernelArgs args = trace_.args_of(event);
    RecordedKernel kernel{.begin = event.begin, .end = event.end, .name = event.name};
    const auto process = whole(trace_.text(event.process));
    const std::int64_t device = args.device >= 0 ? args.device : process;
    const std::uint32_t lane = lane_of(device, event);
    if (lane == kNoIndex) return void(++left_out_);
    kernel.lane = static_cast<std::uint16_t>(lane);
    kernel.graph = args.graph;
    kernel.node = args.node;
    kernel.grid = args.grid;
    kernel.block = args.block;
    kernel.registers = args.registers;
    kernel.shared_bytes = args.shared_bytes;
    kernel.kind = kind_of(event.name);
    if (const std::uint32_t call = launches_.find(event.correlation, event); call != kNone) {
      if (launch_of_[call] == kNoIndex) {
        const TraceEvent& made = trace_.events[call];
        launch_of_[call] = static_cast<std::uint32_t>(out_.launches.size());
        out_.launches.push_back({made.begin, made.end, thread_of(made)});
      }
      kernel.launch = launch_of_[call];
      kernel.range = range_of_[call];
    }
    if (!has_operator(kernel.range)) {
      const std::uint32_t op = operators_.find(event.external, event);
      if (op != kNone) kernel.range = range_of_[op];
    }
    if (args.blocks_per_multiprocessor > 0 && args.grid[0] > 0) {
      const double blocks = double{1} * args.grid[0] * args.grid[1] * args.grid[2];
      const double multiprocessors = std::round(blocks / static_cast<double>(args.blocks_per_multiprocessor));
      if (multiprocessors >= 1 && multiprocessors <= kMostMultiprocessors) {
        int& most = multiprocessors_[device];
        most = std::max(most, static_cast<int>(multiprocessors));
      }
    }
    if (args.dependencies_known) linked_.push_back(static_cast<std::uint32_t>(out_.kernels.size()));
    rows_[{event.process, event.thread}].push_back(static_cast<std::uint32_t>(out_.kernels.size()));
    out_.kernels.push_back(kernel);
  }

  // PyTorch 2.15 draws the edges of CUDA graphs as arrows between rows of devices, from a kernel's end to the next
  // one's begin. Our own exports name theirs, and draw them from a kernel's middle. Other arrows come from calls of the
  // host.
  void read_arrows() {
    std::vector<FlowEnd> ends;
    for (const FlowEnd& end : trace_.flows) {
      if (rows_.contains({end.process, end.thread})) ends.push_back(end);
    }
    std::ranges::stable_sort(ends, {}, [](const FlowEnd& end) { return std::tuple(end.id, !end.begins); });
    for (auto& [row, kernels] : rows_) {
      std::ranges::stable_sort(kernels, {}, [&](std::uint32_t i) { return out_.kernels[i].begin; });
    }
    const auto begin = [](const RecordedKernel& kernel) { return kernel.begin; };
    const auto end_of = [](const RecordedKernel& kernel) { return kernel.end; };
    const auto middle = [](const RecordedKernel& kernel) { return (kernel.begin + kernel.end) / 2; };
    std::uint32_t from = kNoIndex;
    std::int64_t id = -1;
    for (const FlowEnd& end : ends) {
      if (end.begins) {
        id = end.id;
        from = end.name == 0 ? kernel_at(end, end_of) : kernel_at(end, middle);
      } else if (end.id == id && from != kNoIndex) {
        const std::uint32_t to = kernel_at(end, begin);
        if (to != kNoIndex && to != from) add_edge(from, to, trace_.text(end.name));
      }
    }
    for (const std::uint32_t i : linked_) {
      out_.in_network.resize(out_.kernels.size());
      out_.in_network[i] = true;
    }
  }

  // Edges of other kinds follow from what else the file says.
  void add_edge(std::uint32_t from, std::uint32_t to, std::string_view name) {
    if (name.empty()) return out_.edges.push_back({from, to, EdgeKind::kGraph, EdgeCertainty::kKnown});
    for (const EdgeKind kind : {EdgeKind::kData, EdgeKind::kGraph, EdgeKind::kInner}) {
      for (const EdgeCertainty certainty : {EdgeCertainty::kKnown, EdgeCertainty::kAssumed}) {
        if (name == edge_label(kind, certainty)) out_.edges.push_back({from, to, kind, certainty});
      }
    }
  }

  // Returns the kernel of the arrow's row that has this time there.
  template <typename Time>
  std::uint32_t kernel_at(const FlowEnd& end, Time time) const {
    constexpr double kExact = 0.002;  // µs: times are written in ns
    const std::vector<std::uint32_t>& kernels = rows_.at({end.process, end.thread});
    const auto after =
        std::ranges::upper_bound(kernels, end.at + kExact, {}, [&](std::uint32_t i) { return out_.kernels[i].begin; });
    constexpr std::ptrdiff_t kNear = 8;  // kernels of one row hardly overlap
    for (auto one = after; one != kernels.begin() && after - one < kNear;) {
      --one;
      if (std::abs(time(out_.kernels[*one]) - end.at) <= kExact) return *one;
    }
    return kNoIndex;
  }

  // Our own exports have times as they were read, which other profilers do not mistake.
  bool is_own_export() const {
    return std::ranges::any_of(trace_.process_names,
                               [&](const auto& one) { return trace_.text(one.second).starts_with("recorded: "); });
  }

  // Kineto has written ends that lie minutes behind the kernel's: a kernel cannot contain the next one of its stream.
  void clip() {
    std::vector<std::uint32_t> order(out_.kernels.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t i) { return std::tuple(out_.kernels[i].lane, out_.kernels[i].begin); });
    std::size_t clipped = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
      RecordedKernel& kernel = out_.kernels[order[i - 1]];
      const RecordedKernel& next = out_.kernels[order[i]];
      if (kernel.lane != next.lane || !runs_over(kernel, next)) continue;
      kernel.end = next.begin;
      ++clipped;
    }
    if (clipped > 0) out_.notices.push_back(clipped_notice(clipped));
  }

  static std::int64_t whole(std::string_view text) {
    std::int64_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || value > 1'000'000) return 0;
      value = value * 10 + (c - '0');
    }
    return value;
  }

  KernelKind kind_of(TextId id) {
    const auto [kind, made] = kinds_.emplace(id, KernelKind::kOther);
    if (made) kind->second = kind_of_kernel(trace_.text(id));
    return kind->second;
  }

  void read_call(const TraceEvent& event) {
    const std::string_view call = trace_.text(event.name);
    if (contains(call, "EventRecord")) {
      out_.event_records.push_back({event.begin, thread_of(event)});
    } else if (contains(call, "StreamWaitEvent")) {
      read_stream_wait(event);
    } else if (is_host_wait(call)) {
      const std::uint32_t told = syncs_.find(event.correlation, event);
      HostWait wait{event.begin, event.end};
      if (told != kNone && trace_.events[told].stream >= 0)
        wait.lane = known_lane(trace_.events[told], trace_.events[told].stream);
      out_.host_waits.push_back(wait);
    }
  }

  std::int64_t device_of(const TraceEvent& event) const {
    const std::int32_t device = trace_.args_of(event).device;
    return device >= 0 ? device : whole(trace_.text(event.process));
  }

  void read_stream_wait(const TraceEvent& event) {
    StreamWait wait{.at = event.begin, .thread = thread_of(event)};
    if (const std::uint32_t told = syncs_.find(event.correlation, event); told != kNone) {
      const TraceEvent& sync = trace_.events[told];
      const KernelArgs args = trace_.args_of(sync);
      const std::uint32_t record = args.wait_on_record < 0 ? kNone : launches_.find(args.wait_on_record, event);
      if (record != kNone && sync.stream >= 0) {
        wait.lane = known_lane(sync, sync.stream);
        wait.source = known_lane(sync, args.wait_on_stream);
        wait.recorded = trace_.events[record].begin;
      }
    }
    out_.stream_waits.push_back(wait);
  }

  // A file says how large its devices are, or how many blocks its kernels have on each multiprocessor.
  void read_devices() {
    for (const auto& [key, lane] : lanes_) {
      const std::int64_t id = std::get<0>(key);
      if (std::ranges::any_of(out_.devices, [&](const RecordedDevice& one) { return one.id == id; })) continue;
      RecordedDevice device{.id = id};
      if (const auto most = multiprocessors_.find(id); most != multiprocessors_.end())
        device.multiprocessors = most->second;
      for (const TracedDevice& told : trace_.devices) {
        if (told.id != id) continue;
        device.name = std::string(trace_.text(told.name));
        if (told.multiprocessors > 0 && told.multiprocessors <= kMostMultiprocessors)
          device.multiprocessors = static_cast<int>(told.multiprocessors);
        const std::int64_t warps = told.threads / kThreadsOfWarp;
        if (warps > 0 && warps <= kMostWarps) device.warps = static_cast<int>(warps);
      }
      out_.devices.push_back(std::move(device));
    }
  }

  static constexpr std::int64_t kMostMultiprocessors = 100'000;
  static constexpr std::int64_t kMostWarps = 10'000;

  TraceEvents trace_;
  std::vector<Role> roles_;
  Causes launches_;                       // by correlation
  Causes syncs_;                          // by correlation
  Causes operators_;                      // by external id
  std::vector<std::uint32_t> range_of_;   // the innermost range of each event, itself included
  std::vector<std::uint32_t> launch_of_;  // of calls
  std::map<std::pair<TextId, TextId>, std::uint32_t> threads_;
  using LaneKey = std::tuple<std::int64_t, std::string, TextId>;  // device, stream, process
  std::map<LaneKey, std::uint32_t> lanes_;
  std::vector<std::uint32_t> linked_;                                     // kernels of which the arrows say all
  std::map<std::pair<TextId, TextId>, std::vector<std::uint32_t>> rows_;  // kernels by process and thread
  std::map<std::int64_t, int> multiprocessors_;                           // by device
  std::unordered_map<TextId, KernelKind> kinds_;
  std::size_t left_out_ = 0;
  Recording out_;
};

}  // namespace

Recording kineto_recording(TraceEvents trace) { return KinetoReader(std::move(trace)).read(); }

}  // namespace iosx::external
