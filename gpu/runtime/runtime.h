#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/duration.h"
#include "core/base/id.h"
#include "gpu/ops/conv/conv_plan.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

using StreamId = Id<struct StreamTag>;
constexpr StreamId kOrigin{0};        // the stream that forks to the others, and that they join
using EventId = Id<struct EventTag>;  // orders work of two streams
using TimerId = Id<struct TimerTag>;  // a point in time on a stream

// A GraphNode is the identity of a node of a captured graph; no two that exist at a time have the same.
enum class GraphNode : std::uintptr_t {};
inline constexpr GraphNode kNoNode{0};

// A CapturedGraph is work captured from streams and instantiated, ready to be launched any number of times. It must not
// outlive the runtime.
class CapturedGraph {
 public:
  CapturedGraph() = default;
  virtual ~CapturedGraph() = default;
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
};

// A Runtime is one GPU: everything that the executor asks of CUDA and cuDNN, so that tests can record it and compute it
// on the host. Streams, events and timers need no creation: each index stands for one, made when it is first used.
// Stream 0 goes first where there is room for one of several only, in graphs too: a plan's lane 0 has the most work of
// each stage. Stream work is asynchronous unless a comment says otherwise. It is not thread-safe. Every call throws
// what errors.h has.
class Runtime {
 public:
  Runtime() = default;
  virtual ~Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  virtual const Properties& properties() const = 0;

  // Allocates device memory, aligned to 256 bytes, which the caller owns; not during a capture. Releasing waits for the
  // work that may use it.
  virtual void* allocate(std::int64_t bytes) = 0;  // throws OutOfMemory
  virtual void release(void* memory) noexcept = 0;
  // Wait until all streams are done, then copy, then return.
  virtual void upload(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void download(void* to, const void* from, std::int64_t bytes) = 0;

  virtual void launch(StreamId stream, const KernelCall& call) = 0;
  virtual void execute(StreamId stream, const ConvPlan& plan, const ConvOperands& operands) = 0;
  virtual void record(EventId event, StreamId stream) = 0;
  // The stream goes on when the event's last record before this call has been reached.
  virtual void wait(StreamId stream, EventId event) = 0;
  // Notes the time when the stream gets here; inside a graph again at each launch.
  virtual void mark(TimerId timer, StreamId stream) = 0;

  // From begin to end nothing runs: what the origin is given, and other streams that wait for its events, becomes a
  // graph. All of them must have been joined back to the origin by waits.
  virtual void begin_capture(StreamId origin) = 0;
  virtual std::unique_ptr<CapturedGraph> end_capture(StreamId origin) = 0;
  // Returns, during a capture, the kernels that the stream was given since the last call of this, whichever stream that
  // was for. They are those of its own last launch, if each launch is followed by a call.
  virtual std::vector<GraphNode> take_nodes(StreamId stream) = 0;
  // Gives up a capture after an exception; harmless where there is none.
  virtual void abandon_capture(StreamId origin) noexcept = 0;
  virtual void launch(StreamId stream, CapturedGraph& graph) = 0;

  // Waits until the stream has done everything.
  virtual void synchronize(StreamId stream) = 0;
  // Returns the time from one mark to the other, both reached; it is negative where `end` came first.
  virtual Millis between(TimerId begin, TimerId end) = 0;

  // Notes the SM's cycles and the GPU's time when the stream gets here, before and after what the clock is wanted of.
  // Outside of graphs only.
  virtual void begin_clock(StreamId stream) = 0;
  virtual void end_clock(StreamId stream) = 0;
  // Returns the mean SM clock between the last two, both reached; 0: not known.
  virtual double clock_mhz() = 0;
};

}  // namespace iosx::gpu
