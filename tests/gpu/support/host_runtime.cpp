#include "tests/gpu/support/host_runtime.h"

#include <new>

#include "gpu/runtime/errors.h"
#include "tests/gpu/support/host_access.h"
#include "tests/gpu/support/host_work.h"

namespace iosx::gpu::test {
namespace {

using Accesses = std::shared_ptr<const std::vector<Access>>;
using Operation = HostRuntime::Operation;

Properties host_properties(std::int64_t memory, std::int64_t l2_bytes) {
  return {.name = "Host",
          .uuid = "GPU-00000000-0000-0000-0000-000000000000",
          .multiprocessors = 132,
          .compute_capability = 90,
          .memory_bytes = memory,
          .l2_bytes = l2_bytes,
          .warps_per_sm = 64,
          .blocks_per_sm = 32,
          .registers_per_sm = 65536,
          .shared_bytes_per_sm = 233472,
          .reserved_shared_bytes = 1024,
          .max_clock_mhz = 1000,
          .driver = "0",
          .cuda = "0"};
}

}  // namespace

struct HostRuntime::State {
  struct Captured {
    HostWork::OperationPtr operation;
    std::vector<std::size_t> after;  // indices of operations before it
  };

  // A graph; or one that is being captured.
  struct Graph final : CapturedGraph {
    std::vector<Captured> operations;
    std::vector<Access> accesses;
  };

  struct Capture {
    StreamId origin;
    std::unique_ptr<Graph> graph;
    std::vector<GraphNode> nodes;                              // not yet taken
    std::map<std::size_t, std::optional<std::size_t>> last;    // by stream that belongs to it
    std::map<std::size_t, std::optional<std::size_t>> events;  // what comes before
    HostRaces races;
  };

  struct Event {
    bool captured = false;  // last recorded in a capture
    std::optional<HostWork::Node> before;
  };

  explicit State(Options given)
      : options(std::move(given)),
        properties(host_properties(options.memory, options.l2_bytes)),
        memory(options.memory, options.compute),
        work(options) {}

  Options options;
  Properties properties;
  HostMemory memory;
  HostWork work;
  HostRaces races;
  std::vector<Operation> operations;
  std::vector<Operation> captured;
  std::map<std::size_t, std::optional<HostWork::Node>> last;  // by stream
  std::map<std::size_t, Event> events;
  std::optional<Capture> capture;
  std::uintptr_t nodes = 0;  // of all captures
  std::string error;         // of a call that must not throw

  void check_errors() {
    if (!error.empty()) throw GpuError(std::exchange(error, {}));
  }
  void not_in_capture(const char* call) {
    check_errors();
    if (capture) throw GpuError(fmt::format("{} during a capture", call));
  }
  void check_memory(const std::string& name, const std::vector<Access>& accesses) const;
  void give(Operation operation);
  HostWork::Node give_to_work(StreamId stream, HostWork::OperationPtr operation, std::optional<HostWork::Node> also);
  void give_to_capture(Operation operation);
  void launch(StreamId stream, Step step);
  void finish_all() {
    work.finish_all();
    races.host_waited_for_all();
  }
  void copy(const char* call, void* to, const void* from, std::int64_t bytes, const void* device);
};

void HostRuntime::State::check_memory(const std::string& name, const std::vector<Access>& accesses) const {
  for (const Access& access : accesses) {
    if (!memory.contains(access.begin, access.end)) {
      throw GpuError(fmt::format("{}: {} is not in allocated memory", name, access.operand));
    }
    if (access.begin % access.alignment != 0) {
      throw GpuError(fmt::format("{}: {} is not aligned to {} bytes", name, access.operand, access.alignment));
    }
  }
}

void HostRuntime::State::launch(StreamId stream, Step step) {
  check_errors();
  const std::string name = name_of(step);
  const auto accesses = std::make_shared<const std::vector<Access>>(accesses_of(step));
  check_memory(name, *accesses);
  if (const std::string aliasing = aliasing_in(step, *accesses); !aliasing.empty()) {
    throw GpuError(fmt::format("{}: {}", name, aliasing));
  }
  HostRaces& order = capture ? capture->races : races;
  if (const std::string race = order.conflict(stream, name, *accesses); options.races && !race.empty()) {
    throw GpuError(race);
  }
  Launch launch{std::move(step)};
  if (capture) {
    launch.node = GraphNode{++nodes};
    capture->nodes.push_back(launch.node);
  }
  give({stream, std::move(launch)});
  if (capture) capture->graph->accesses.insert(capture->graph->accesses.end(), accesses->begin(), accesses->end());
  order.launch(stream, name, accesses);
}

void HostRuntime::State::give(Operation operation) {
  check_errors();
  if (capture) return give_to_capture(std::move(operation));
  const StreamId stream = operation.stream;
  std::optional<HostWork::Node> also;
  if (const auto* wait = std::get_if<Wait>(&operation.what)) {
    const auto event = events.find(wait->event.index());
    if (event == events.end()) throw GpuError("a stream waits for an event that nobody recorded");
    if (event->second.captured) throw GpuError("a stream waits for an event of a capture from outside");
    also = event->second.before;
    races.wait(stream, wait->event);
  } else if (const auto* record = std::get_if<Record>(&operation.what)) {
    events[record->event.index()] = {false, last[stream.index()]};
    races.record(record->event, stream);
  }
  operations.push_back(operation);
  give_to_work(stream, std::make_shared<const Operation>(std::move(operation)), also);
}

HostWork::Node HostRuntime::State::give_to_work(StreamId stream, HostWork::OperationPtr operation,
                                                std::optional<HostWork::Node> also) {
  std::vector<HostWork::Node> after;
  auto& before = last[stream.index()];
  if (before) after.push_back(*before);
  if (also && also != before) after.push_back(*also);
  before = work.add(stream, std::move(operation), after);
  return *before;
}

void HostRuntime::State::give_to_capture(Operation operation) {
  const std::size_t stream = operation.stream.index();
  std::optional<std::size_t> also;
  if (const auto* wait = std::get_if<Wait>(&operation.what)) {
    const auto event = capture->events.find(wait->event.index());
    if (event == capture->events.end()) throw GpuError("a capture waits for an event that it has not recorded");
    also = event->second;
    capture->last.try_emplace(stream);
    capture->races.wait(operation.stream, wait->event);
  }
  const auto own = capture->last.find(stream);
  if (own == capture->last.end()) {
    throw GpuError(fmt::format("stream {} is used during a capture that it was not forked from", stream));
  }
  if (const auto* record = std::get_if<Record>(&operation.what)) {
    capture->events[record->event.index()] = own->second;
    events[record->event.index()] = {true, {}};
    capture->races.record(record->event, operation.stream);
  }
  std::vector<std::size_t> after;
  if (own->second) after.push_back(*own->second);
  if (also && also != own->second) after.push_back(*also);
  own->second = capture->graph->operations.size();
  capture->graph->operations.push_back({std::make_shared<const Operation>(std::move(operation)), std::move(after)});
}

void HostRuntime::State::copy(const char* call, void* to, const void* from, std::int64_t bytes, const void* device) {
  not_in_capture(call);
  const auto begin = reinterpret_cast<std::uintptr_t>(device);
  if (bytes < 0 || !memory.contains(begin, begin + static_cast<std::uintptr_t>(bytes))) {
    throw GpuError(fmt::format("{} of {} bytes outside of allocated memory", call, bytes));
  }
  finish_all();
  if (options.compute && bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

HostRuntime::HostRuntime(Options options) : state_(std::make_unique<State>(std::move(options))) {}
HostRuntime::~HostRuntime() = default;

const std::vector<Operation>& HostRuntime::operations() const { return state_->operations; }
const std::vector<Operation>& HostRuntime::captured() const { return state_->captured; }
std::int64_t HostRuntime::allocated_bytes() const { return state_->memory.allocated_bytes(); }
Micros HostRuntime::now() const { return state_->work.now(); }
std::vector<HostRuntime::LaunchTime> HostRuntime::take_launch_times() { return state_->work.take_launch_times(); }
const Properties& HostRuntime::properties() const { return state_->properties; }

void* HostRuntime::allocate(std::int64_t bytes) {
  state_->not_in_capture("allocation");
  return state_->memory.allocate(bytes);
}

void HostRuntime::release(void* memory) noexcept {
  if (memory == nullptr) return;
  if (state_->capture) {
    state_->error = "memory released during a capture";
  } else {
    state_->finish_all();
  }
  if (!state_->memory.release(memory)) state_->error = "memory released that was not allocated";
}

void HostRuntime::upload(void* to, const void* from, std::int64_t bytes) {
  state_->copy("upload", to, from, bytes, to);
}
void HostRuntime::download(void* to, const void* from, std::int64_t bytes) {
  state_->copy("download", to, from, bytes, from);
}

void HostRuntime::launch(StreamId stream, const KernelCall& call) { state_->launch(stream, call); }
void HostRuntime::execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) {
  state_->launch(stream, LibraryStep{LibraryPlanPtr(LibraryPlanPtr(), &plan), operands});
}
void HostRuntime::record(EventId event, StreamId stream) { state_->give({stream, Record{event}}); }
void HostRuntime::wait(StreamId stream, EventId event) { state_->give({stream, Wait{event}}); }
void HostRuntime::mark(TimerId timer, StreamId stream) { state_->give({stream, Mark{timer}}); }

void HostRuntime::begin_capture(StreamId origin) {
  state_->not_in_capture("another capture begun");
  state_->capture.emplace();
  state_->capture->origin = origin;
  state_->capture->graph = std::make_unique<State::Graph>();
  state_->capture->last.try_emplace(origin.index());
}

std::unique_ptr<CapturedGraph> HostRuntime::end_capture(StreamId origin) {
  state_->check_errors();
  if (!state_->capture || state_->capture->origin != origin) throw GpuError("the stream is not an origin of a capture");
  State::Capture capture = std::move(*state_->capture);
  state_->capture.reset();
  state_->captured.clear();
  for (const State::Captured& each : capture.graph->operations) state_->captured.push_back(*each.operation);
  if (!capture.races.all_before(origin)) throw GpuError("a captured stream was not joined to the origin");
  return std::move(capture.graph);
}

std::vector<GraphNode> HostRuntime::take_nodes(StreamId /*stream*/) {
  if (!state_->capture) throw GpuError("nodes are asked for outside of a capture");
  return std::exchange(state_->capture->nodes, {});
}

void HostRuntime::abandon_capture(StreamId origin) noexcept {
  if (state_->capture && state_->capture->origin == origin) state_->capture.reset();
}

void HostRuntime::launch(StreamId stream, CapturedGraph& graph) {
  state_->not_in_capture("launch of a graph");
  const auto& captured = dynamic_cast<const State::Graph&>(graph);
  state_->check_memory("graph", captured.accesses);
  const auto accesses = std::make_shared<const std::vector<Access>>(captured.accesses);
  const std::string race = state_->races.conflict(stream, "graph", *accesses);
  if (state_->options.races && !race.empty()) throw GpuError(race);
  state_->races.launch(stream, "graph", accesses);
  auto& last = state_->last[stream.index()];
  std::vector<HostWork::Node> after;
  if (last) after.push_back(*last);
  const HostWork::Node begin = state_->work.add(stream, nullptr, after, state_->options.graph_launch);
  std::vector<HostWork::Node> nodes;
  for (const State::Captured& each : captured.operations) {
    after.clear();
    for (const std::size_t before : each.after) after.push_back(nodes[before]);
    if (after.empty()) after.push_back(begin);
    nodes.push_back(state_->work.add(each.operation->stream, each.operation, after));
  }
  nodes.push_back(begin);
  last = state_->work.add(stream, nullptr, nodes);
}

void HostRuntime::synchronize(StreamId stream) {
  state_->not_in_capture("synchronisation");
  if (const auto last = state_->last[stream.index()]) state_->work.finish(*last);
  state_->races.host_waited(stream);
}

Millis HostRuntime::between(TimerId begin, TimerId end) {
  state_->not_in_capture("reading of timers");
  const auto from = state_->work.marked(begin);
  const auto to = state_->work.marked(end);
  if (!from || !to) throw GpuError("a timer was not reached yet");
  return *to - *from;
}

void HostRuntime::begin_clock(StreamId /*stream*/) { state_->not_in_capture("a stamp of the clock"); }
void HostRuntime::end_clock(StreamId /*stream*/) { state_->not_in_capture("a stamp of the clock"); }
double HostRuntime::clock_mhz() { return state_->options.clock_mhz ? state_->options.clock_mhz() : 1000; }

namespace {

constexpr std::align_val_t kAlignment{256};
constexpr int kNan = 0xFF;  // every byte: a NaN in each of the number formats

}  // namespace

void HostMemory::Free::operator()(std::byte* data) const { ::operator delete(data, kAlignment); }

void* HostMemory::allocate(std::int64_t bytes) {
  if (bytes < 0) throw GpuError(fmt::format("allocation of {} bytes", bytes));
  const auto too_much = [&] {
    return OutOfMemory(message("{} bytes wanted, {} of {} are in use", bytes, allocated_, limit_));
  };
  if (bytes > limit_ - allocated_) throw too_much();
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  std::unique_ptr<std::byte, Free> data(static_cast<std::byte*>(::operator new(size, kAlignment, std::nothrow)));
  if (data == nullptr) throw too_much();
  if (fill_) std::memset(data.get(), kNan, size);
  allocated_ += bytes;
  std::byte* const address = data.get();
  blocks_.emplace(reinterpret_cast<std::uintptr_t>(address), Block{std::move(data), bytes});
  return address;
}

bool HostMemory::release(void* memory) {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
  if (block == blocks_.end()) return false;
  allocated_ -= block->second.bytes;
  blocks_.erase(block);
  return true;
}

bool HostMemory::contains(std::uintptr_t begin, std::uintptr_t end) const {
  auto block = blocks_.upper_bound(begin);
  if (block == blocks_.begin()) return false;
  --block;
  return begin <= end && end - block->first <= static_cast<std::uintptr_t>(block->second.bytes);
}

}  // namespace iosx::gpu::test
