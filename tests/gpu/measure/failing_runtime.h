#pragma once

#include <functional>
#include <memory>

#include "gpu/runtime/errors.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu::test {

// Another runtime with a hook before its convolutions.
class FailingRuntime final : public Runtime {
 public:
  explicit FailingRuntime(Runtime& inner) : inner_(inner) {}
  std::function<void(const ConvPlan&, const ConvOperands&)> before_convolution = [](const auto&, const auto&) {};
  bool broken = false;  // every wait throws
  bool capturing = false;
  int refused = 0;  // convolutions that the other runtime refused

  const Properties& properties() const override { return inner_.properties(); }
  void* allocate(std::int64_t bytes) override { return inner_.allocate(bytes); }
  void release(void* memory) noexcept override { inner_.release(memory); }
  void upload(void* to, const void* from, std::int64_t bytes) override { inner_.upload(to, from, bytes); }
  void download(void* to, const void* from, std::int64_t bytes) override { inner_.download(to, from, bytes); }
  void launch(StreamId stream, const KernelCall& call) override { inner_.launch(stream, call); }
  void execute(StreamId stream, const ConvPlan& plan, const ConvOperands& operands) override {
    before_convolution(plan, operands);
    try {
      inner_.execute(stream, plan, operands);
    } catch (const GpuError&) {
      ++refused;
      throw;
    }
  }
  void record(EventId event, StreamId stream) override { inner_.record(event, stream); }
  void wait(StreamId stream, EventId event) override { inner_.wait(stream, event); }
  void mark(TimerId timer, StreamId stream) override { inner_.mark(timer, stream); }
  void begin_capture(StreamId origin) override {
    capturing = true;
    inner_.begin_capture(origin);
  }
  std::unique_ptr<CapturedGraph> end_capture(StreamId origin) override {
    capturing = false;
    return inner_.end_capture(origin);
  }
  std::vector<GraphNode> take_nodes(StreamId stream) override { return inner_.take_nodes(stream); }
  void abandon_capture(StreamId origin) noexcept override {
    capturing = false;
    inner_.abandon_capture(origin);
  }
  void launch(StreamId stream, CapturedGraph& graph) override { inner_.launch(stream, graph); }
  void synchronize(StreamId stream) override {
    if (broken) throw GpuError("illegal address");
    inner_.synchronize(stream);
  }
  Millis between(TimerId begin, TimerId end) override { return inner_.between(begin, end); }
  void begin_clock(StreamId stream) override { inner_.begin_clock(stream); }
  void end_clock(StreamId stream) override { inner_.end_clock(stream); }
  double clock_mhz() override { return inner_.clock_mhz(); }

 private:
  Runtime& inner_;
};

}  // namespace iosx::gpu::test
