#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/duration.h"
#include "core/base/id.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

using StreamId = Id<struct StreamTag>;
constexpr StreamId kOrigin{0};        // the stream that forks to the others, and that they join
using EventId = Id<struct EventTag>;  // orders work of two streams
using TimerId = Id<struct TimerTag>;  // a point in time on a stream

// The identity of a node of a captured graph, unique among existing nodes.
enum class GraphNode : std::uintptr_t {};
inline constexpr GraphNode kNoNode{0};

// Work captured from streams and instantiated, ready to be launched any number of times. It must not outlive the
// runtime.
class CapturedGraph : public Interface {};

// One GPU: all calls of CUDA and cuDNN that the executor makes, so that tests can record them and compute on the host.
// Streams, events and timers need no creation: each index stands for one, made on first use. Stream 0 has priority
// where only one can run, also in graphs: a plan's lane 0 has the most work of each stage. Stream work is asynchronous
// unless a comment says otherwise. It is not thread-safe. All calls throw the exceptions of errors.h.
class Runtime : public Interface {
 public:
  virtual const Properties& properties() const = 0;

  // Allocates device memory, aligned to 256 bytes, which the caller owns; not during a capture. Freeing waits for work
  // that may use it.
  virtual void* allocate(std::int64_t bytes) = 0;  // throws OutOfMemory
  virtual void release(void* memory) noexcept = 0;
  // Wait until all streams are done, copy, and return.
  virtual void upload(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void download(void* to, const void* from, std::int64_t bytes) = 0;

  virtual void launch(StreamId stream, const KernelCall& call) = 0;
  virtual void execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) = 0;
  virtual void record(EventId event, StreamId stream) = 0;
  // Makes the stream wait for the event's last record before this call.
  virtual void wait(StreamId stream, EventId event) = 0;
  // Records the time when the stream gets here; inside a graph, at each launch.
  virtual void mark(TimerId timer, StreamId stream) = 0;

  // From begin to end nothing runs: the work of the origin, and of other streams that wait for its events, becomes
  // a graph. Waits must have joined all of them back to the origin.
  virtual void begin_capture(StreamId origin) = 0;
  virtual std::unique_ptr<CapturedGraph> end_capture(StreamId origin) = 0;
  // Returns, during a capture, the kernels enqueued on the stream since the last call for any stream. With a call after
  // each launch they are those of the stream's last launch.
  virtual std::vector<GraphNode> take_nodes(StreamId stream) = 0;
  // Ends a capture after an exception; harmless without one.
  virtual void abandon_capture(StreamId origin) noexcept = 0;
  virtual void launch(StreamId stream, CapturedGraph& graph) = 0;

  // Waits until the stream has done everything.
  virtual void synchronize(StreamId stream) = 0;
  // Returns the time between two marks that were reached; negative where `end` came first.
  virtual Millis between(TimerId begin, TimerId end) = 0;

  // Record the SM's cycles and the GPU's time when the stream gets here, before and after the work whose clock is
  // needed. Only outside of graphs.
  virtual void begin_clock(StreamId stream) = 0;
  virtual void end_clock(StreamId stream) = 0;
  // Returns the mean SM clock between the last two, both reached; 0: unknown.
  virtual double clock_mhz() = 0;
};

// Owns a block of device memory. The runtime must outlive it.
class DeviceMemory {
 public:
  DeviceMemory(Runtime& runtime, std::int64_t bytes)
      : data_(static_cast<std::byte*>(runtime.allocate(bytes)), Release{&runtime}), bytes_(bytes) {}

  std::byte* data() const { return data_.get(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Release {
    Runtime* runtime;
    void operator()(std::byte* memory) const noexcept { runtime->release(memory); }
  };
  std::unique_ptr<std::byte, Release> data_;
  std::int64_t bytes_;
};

}  // namespace iosx::gpu
