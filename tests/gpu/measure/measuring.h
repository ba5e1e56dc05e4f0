#pragma once

#include "gpu/exec/way.h"
#include "gpu/measure/drift.h"
#include "gpu/measure/replay.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/runtime.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// A host runtime and a guard in the runtime's virtual time: tests need no real time.
class Measuring {
 public:
  using Cost = std::function<std::pair<Micros, double>(const Step&)>;

  explicit Measuring(Cost cost = {}, Micros graph_launch = Micros{25}, std::int64_t memory = 1 << 26)
      : runtime(options(std::move(cost), graph_launch, memory)),
        guard(runtime, guard_options()),
        timer(runtime, guard),
        block_(runtime, 4096) {}

  // A kernel that the cost function identifies by its seed.
  void launch(std::uint32_t seed) {
    TensorRef tensor{.data = block_.data(), .type = DataType::kFloat32, .rank = 1, .dims = {}, .strides = {}};
    tensor.dims[0] = 16;
    tensor.strides[0] = 1;
    runtime.launch(StreamId{0}, FillCall{.out = tensor, .seed = seed});
  }
  static std::uint32_t seed_of(const Step& step) {
    const auto* call = std::get_if<KernelCall>(&step);
    const auto* fill = call == nullptr ? nullptr : std::get_if<FillCall>(call);
    return fill == nullptr ? 0 : fill->seed;
  }

  ClockGuard::Clock::time_point now() const {
    return ClockGuard::Clock::time_point(std::chrono::duration_cast<ClockGuard::Clock::duration>(
        std::chrono::hours(1) + std::chrono::duration<double, std::micro>(runtime.now().count()) + slept));
  }
  ClockGuard::Options guard_options() {
    ClockGuard::Options options{.warm_up_min = std::chrono::milliseconds{2},
                                .warm_up_max = std::chrono::milliseconds{20},
                                .step = std::chrono::milliseconds{1},
                                .recovery = std::chrono::milliseconds{5},
                                .now = [this] { return now(); },
                                .sleep = [this](ClockGuard::Clock::duration time) { slept += time; }};
    return options;
  }

  std::function<double()> clock_mhz = [] { return 1500.0; };
  ClockGuard::Clock::duration slept{0};
  HostRuntime runtime;
  ClockGuard guard;
  ReplayTimer timer;

 private:
  HostRuntime::Options options(Cost cost, Micros graph_launch, std::int64_t memory) {
    HostRuntime::Options options{.compute = false,
                                 .memory = memory,
                                 .cost = std::move(cost),
                                 .clock_mhz = [this] { return clock_mhz(); },
                                 .graph_launch = graph_launch};
    return options;
  }

  DeviceMemory block_;
};

// Another runtime with a hook before its convolutions.
class FailingRuntime final : public Runtime {
 public:
  explicit FailingRuntime(Runtime& inner) : inner_(inner) {}
  std::function<void(const LibraryPlan&, const Operands&)> before_convolution = [](const auto&, const auto&) {};
  bool broken = false;  // every wait throws
  bool capturing = false;
  int refused = 0;  // convolutions that the other runtime refused

  const Properties& properties() const override { return inner_.properties(); }
  void* allocate(std::int64_t bytes) override { return inner_.allocate(bytes); }
  void release(void* memory) noexcept override { inner_.release(memory); }
  void upload(void* to, const void* from, std::int64_t bytes) override { inner_.upload(to, from, bytes); }
  void download(void* to, const void* from, std::int64_t bytes) override { inner_.download(to, from, bytes); }
  void launch(StreamId stream, const KernelCall& call) override { inner_.launch(stream, call); }
  void execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) override {
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

// The cost of a convolution with one engine of a made-up library.
struct Engine {
  std::string name;
  double micros = 10;
  double fill = 0;  // of the device; see HostRuntime::Options::cost
  std::int64_t workspace = 0;
  std::int64_t shared = 0;  // bytes per thread block
};

// A library with the same engines for every problem, in their order.
class EngineLibrary final : public KernelLibrary {
 public:
  explicit EngineLibrary(std::vector<Engine> engines) : engines_(std::move(engines)) {}

  const std::string& version() const override { return version_; }
  bool fuses(const Activation&) const override { return true; }
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override {
    ++asked;
    return mapped<LibraryPlanPtr>(engines_,
                                  [&](const Engine& engine) { return std::make_shared<Plan>(problem, engine, mark); });
  }
  LibraryPlanPtr restore(const Problem& problem, const std::string& serialised) override {
    for (const Engine& engine : engines_) {
      auto plan = std::make_shared<Plan>(problem, engine, mark);
      if (plan->serialised() == serialised) return plan;
    }
    return nullptr;
  }

  // For HostRuntime: 1 µs for our own kernels.
  std::pair<Micros, double> cost(const Step& step) const {
    if (const auto* conv = std::get_if<LibraryStep>(&step)) {
      for (const Engine& engine : engines_) {
        if (engine.name == fatal && conv->plan->name() == fatal) std::_Exit(7);
        if (engine.name == conv->plan->name()) return {Micros{engine.micros}, engine.fill};
      }
    }
    return {Micros{1}, 0};
  }

  std::string fatal;       // running this engine ends the process with exit code 7
  int asked = 0;           // calls of plans()
  std::string mark = "1";  // part of serialised plans: those with another one are not restored

 private:
  class Plan final : public LibraryPlan {
   public:
    Plan(Problem problem, Engine engine, const std::string& mark)
        : problem_(std::move(problem)),
          engine_(std::move(engine)),
          serialised_(fmt::format("{} {}", mark, engine_.name)) {}
    const Problem& problem() const override { return problem_; }
    const std::string& name() const override { return engine_.name; }
    std::int64_t workspace_bytes() const override { return engine_.workspace; }
    std::int64_t shared_bytes() const override { return engine_.shared; }
    std::string serialised() const override { return serialised_; }

   private:
    Problem problem_;
    Engine engine_;
    std::string serialised_;
  };

  std::string version_ = "engines 1";
  std::vector<Engine> engines_;
};

}  // namespace iosx::gpu::test
