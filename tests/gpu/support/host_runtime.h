#pragma once

#include "gpu/exec/way.h"
#include "gpu/runtime/runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// A GPU made of host memory and a virtual clock. Work of streams is kept, and really executed (kernels by their own
// index arithmetic, convolutions by plain loops) when the host waits for it, in a random order that streams and events
// allow: a missing event shows as a fault in some order. Refuses, by throwing GpuError, what CUDA would refuse: memory
// calls and synchronisation during a capture, captured streams that were not joined, waits for events of a capture from
// outside, operands outside of allocated memory, memory that possibly overlapping operations share not only for
// reading; and also waits for events that were never recorded. The host takes no time on the virtual clock, which
// advances while it waits.
class HostRuntime final : public Runtime {
 public:
  struct Launch {
    Step step;
    GraphNode node = kNoNode;  // in a capture
  };
  // On the virtual clock.
  struct LaunchTime {
    GraphNode node = kNoNode;
    Micros begin{0};
    Micros end{0};
    double fill = 0;  // see Options::cost
  };
  struct Record {
    EventId event;
  };
  struct Wait {
    EventId event;
  };
  struct Mark {
    TimerId timer;
  };
  struct Operation {
    StreamId stream;
    std::variant<Launch, Record, Wait, Mark> what;
  };

  struct Options {
    std::uint32_t seed = 1;  // of the order
    bool compute = true;     // false: nothing is executed, only recorded and timed
    bool races = true;       // refuses two unordered launches of which one writes what the other accesses
    std::int64_t memory = std::int64_t{2} << 30;  // bytes
    std::int64_t l2_bytes = std::int64_t{50} << 20;
    // A launch's time on the virtual clock, and its share of the device: launches side by side slow one another down
    // when their sum exceeds 1. Null: 1 µs, 0.
    std::function<std::pair<Micros, double>(const Step&)> cost = {};
    std::function<double()> clock_mhz = {};  // the result of clock_mhz(); null: 1000
    Micros graph_launch{2};                  // added to each launch of a graph
  };
  HostRuntime() : HostRuntime(Options{}) {}
  explicit HostRuntime(Options options);
  ~HostRuntime() override;

  // All operations of streams outside of graphs, and those of the last capture.
  const std::vector<Operation>& operations() const;
  const std::vector<Operation>& captured() const;
  std::int64_t allocated_bytes() const;
  Micros now() const;  // on the virtual clock
  // Returns the launches that ended since the last call; recorded only from the first call on.
  std::vector<LaunchTime> take_launch_times();

  const Properties& properties() const override;
  void* allocate(std::int64_t bytes) override;
  void release(void* memory) noexcept override;
  void upload(void* to, const void* from, std::int64_t bytes) override;
  void download(void* to, const void* from, std::int64_t bytes) override;
  void launch(StreamId stream, const KernelCall& call) override;
  void execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) override;
  void record(EventId event, StreamId stream) override;
  void wait(StreamId stream, EventId event) override;
  void mark(TimerId timer, StreamId stream) override;
  void begin_capture(StreamId origin) override;
  std::unique_ptr<CapturedGraph> end_capture(StreamId origin) override;
  std::vector<GraphNode> take_nodes(StreamId stream) override;
  void abandon_capture(StreamId origin) noexcept override;
  void launch(StreamId stream, CapturedGraph& graph) override;
  void synchronize(StreamId stream) override;
  Millis between(TimerId begin, TimerId end) override;
  void begin_clock(StreamId stream) override;
  void end_clock(StreamId stream) override;
  double clock_mhz() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Host memory in place of a device's: aligned to 256 bytes, limited, and full of NaNs until it is written.
class HostMemory {
 public:
  HostMemory(std::int64_t limit, bool fill) : limit_(limit), fill_(fill) {}

  void* allocate(std::int64_t bytes);  // throws OutOfMemory
  bool release(void* memory);          // false if it is not ours
  std::int64_t allocated_bytes() const { return allocated_; }
  // Returns whether all of [begin, end) lies in one block.
  bool contains(std::uintptr_t begin, std::uintptr_t end) const;

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> data;
    std::int64_t bytes = 0;
  };

  std::int64_t limit_;
  bool fill_;
  std::int64_t allocated_ = 0;
  std::map<std::uintptr_t, Block> blocks_;  // by address
};

}  // namespace iosx::gpu::test
