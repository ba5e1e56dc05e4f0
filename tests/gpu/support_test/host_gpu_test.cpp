#include "core/model/layout/layout.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

const StreamId kOrigin(0);
const StreamId kSide(1);
const EventId kFork(0);
const EventId kJoin(1);

// The message of the GpuError that the function throws.
std::string error_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const GpuError& error) {
    return error.what();
  }
  return "no error";
}

class HostRuntimeTest : public testing::Test {
 protected:
  explicit HostRuntimeTest(HostRuntime::Options options = {}) : runtime_(std::move(options)) {}

  static TensorRef row(const DeviceMemory& memory, std::int64_t begin = 0, std::int64_t count = 64) {
    return host_ref(Shape{count}, 1, memory.data() + begin * 4);
  }
  // a += b
  static KernelCall add(const TensorRef& a, const TensorRef& b) {
    return CombineCall{.count = 2, .in = {a, b}, .out = a};
  }
  std::vector<float> values(const DeviceMemory& memory) {
    std::vector<float> values(64);
    runtime_.download(values.data(), memory.data(), 256);
    return values;
  }

  HostRuntime runtime_;
  DeviceMemory a_{runtime_, 256};
  DeviceMemory b_{runtime_, 256};
};

TEST_F(HostRuntimeTest, KeepsStreamOrderAndComputesWhenTheHostWaits) {
  runtime_.upload(a_.data(), std::vector<float>(64, 1.0F).data(), 256);
  for (int i = 0; i < 5; ++i) {
    runtime_.launch(kOrigin, CopyCall{row(a_), row(b_)});
    runtime_.launch(kOrigin, add(row(a_), row(b_)));
  }
  EXPECT_EQ(reinterpret_cast<const float*>(a_.data())[0], 1);
  runtime_.synchronize(kOrigin);
  EXPECT_EQ(reinterpret_cast<const float*>(a_.data())[0], 32);
  EXPECT_EQ(values(a_), std::vector<float>(64, 32.0F));
  EXPECT_EQ(runtime_.operations().size(), 10U);
}

TEST_F(HostRuntimeTest, FillsNewMemoryWithNans) {
  for (const float value : values(a_)) EXPECT_TRUE(std::isnan(value));
}

TEST_F(HostRuntimeTest, LimitsMemory) {
  HostRuntime small({.memory = 1000});
  const DeviceMemory first(small, 600);
  EXPECT_THROW(DeviceMemory(small, 401), OutOfMemory);
  EXPECT_EQ(small.allocated_bytes(), 600);
  const DeviceMemory second(small, 400);
  EXPECT_EQ(small.allocated_bytes(), 1000);
}

TEST_F(HostRuntimeTest, RefusesOperandsOutsideOfMemory) {
  EXPECT_EQ(error_of([&] {
              runtime_.launch(kOrigin, FillCall{row(a_, 1), 1});
            }),
            "fill: out is not in allocated memory");
  TensorRef backwards = row(a_);
  backwards.strides[1] = -1;
  EXPECT_EQ(error_of([&] {
              runtime_.launch(kOrigin, FillCall{backwards, 1});
            }),
            "fill: out is not in allocated memory");
  std::vector<float> host(64);
  EXPECT_NE(error_of([&] { runtime_.upload(host.data(), host.data(), 256); }), "no error");
  void* const released = runtime_.allocate(256);
  runtime_.release(released);
  EXPECT_NE(error_of([&] { runtime_.launch(kOrigin, FillCall{host_ref(Shape{64}, 1, released), 1}); }), "no error");
}

TEST_F(HostRuntimeTest, RefusesMisalignedOperandsAndAliases) {
  TensorRef odd = row(a_, 0, 63);
  odd.data = a_.data() + 2;
  EXPECT_EQ(error_of([&] { runtime_.launch(kOrigin, FillCall{odd, 1}); }), "fill: out is not aligned to 4 bytes");
  EXPECT_EQ(error_of([&] {
              runtime_.launch(kOrigin, CopyCall{row(a_, 0, 60), row(a_, 4, 60)});
            }),
            "copy: out and in overlap");
  EXPECT_EQ(error_of([&] { runtime_.launch(kOrigin, CopyCall{row(a_), row(a_)}); }), "no error");
}

TEST_F(HostRuntimeTest, RefusesRaces) {
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  EXPECT_EQ(error_of([&] {
              runtime_.launch(kSide, CopyCall{row(a_), row(b_)});
            }),
            "copy on stream 1 and fill on stream 0 may overlap and share memory (in and out)");
  runtime_.synchronize(kSide);
  EXPECT_NE(error_of([&] { runtime_.launch(kSide, FillCall{row(a_), 1}); }), "no error");
  runtime_.synchronize(kOrigin);
  EXPECT_EQ(error_of([&] { runtime_.launch(kSide, FillCall{row(a_, 0, 32), 1}); }), "no error");
  EXPECT_EQ(error_of([&] { runtime_.launch(kOrigin, FillCall{row(a_, 32, 32), 1}); }), "no error");
}

TEST_F(HostRuntimeTest, EventsOrderStreams) {
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.record(kFork, kOrigin);
  runtime_.wait(kSide, kFork);
  runtime_.launch(kSide, CopyCall{row(a_), row(b_)});
  runtime_.record(kJoin, kSide);
  runtime_.wait(kOrigin, kJoin);
  runtime_.launch(kOrigin, FillCall{row(a_), 2});
  runtime_.synchronize(kOrigin);
  EXPECT_NE(error_of([&] { runtime_.wait(kOrigin, EventId(7)); }), "no error");
}

TEST_F(HostRuntimeTest, KeepsTheLastRecordBeforeAWait) {
  runtime_.record(kFork, kOrigin);
  runtime_.wait(kSide, kFork);
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.record(kFork, kOrigin);
  EXPECT_NE(error_of([&] { runtime_.launch(kSide, CopyCall{row(a_), row(b_)}); }), "no error");
}

// Channels of one buffer, on two streams.
TEST_F(HostRuntimeTest, KnowsThatSlicesAreDisjoint) {
  const Shape shape{16, 2, 2};
  const auto slice = [&](std::int64_t begin, std::int64_t end) {
    return view_ref({"b", shape, false, false, {}}, {BufferId(0), begin, end}, 1, DataType::kFloat32, a_.data());
  };
  runtime_.launch(kOrigin, FillCall{slice(0, 6), 1});
  EXPECT_EQ(error_of([&] { runtime_.launch(kSide, FillCall{slice(6, 16), 1}); }), "no error");
  runtime_.synchronize(kSide);
  EXPECT_NE(error_of([&] { runtime_.launch(kSide, FillCall{slice(5, 16), 1}); }), "no error");
}

TEST_F(HostRuntimeTest, SomeOrderShowsAMissingEvent) {
  int wrong = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    HostRuntime runtime({.seed = seed, .races = false});
    const DeviceMemory a(runtime, 256);
    const DeviceMemory b(runtime, 256);
    runtime.launch(kOrigin, FillCall{row(a), 1});
    runtime.launch(kSide, CopyCall{row(a), row(b)});
    float value = 0;
    runtime.download(&value, b.data(), 4);
    wrong += std::isnan(value) ? 1 : 0;
  }
  EXPECT_GT(wrong, 3);
  EXPECT_LT(wrong, 17);
}

TEST_F(HostRuntimeTest, RefusesSharedWorkspaces) {
  HostConvolutions library;
  ConvProblem problem{.math = Math::kStrict};
  problem.channels = problem.out_channels = 4;
  problem.x.pitch = problem.y.pitch = 4;
  const LibraryPlanPtr plan = library.plans(problem)[1];
  const DeviceMemory weights(runtime_, 64);
  const DeviceMemory workspace(runtime_, plan->workspace_bytes());
  const Operands first{.x = a_.data(), .weights = weights.data(), .y = b_.data(), .workspace = workspace.data()};
  Operands second = first;
  second.y = b_.data() + 16;
  runtime_.execute(kOrigin, *plan, first);
  EXPECT_EQ(error_of([&] { runtime_.execute(kSide, *plan, second); }),
            "convolution host engine 2 on stream 1 and convolution host engine 2 on stream 0 may overlap and share "
            "memory (workspace and workspace)");
  second.y = a_.data();
  EXPECT_EQ(error_of([&] { runtime_.execute(kOrigin, *plan, second); }), "convolution host engine 2: y and x overlap");
  second.x = a_.data() + 4;
  EXPECT_EQ(error_of([&] { runtime_.execute(kOrigin, *plan, second); }),
            "convolution host engine 2: x is not aligned to 16 bytes");
}

class HostCaptureTest : public HostRuntimeTest {
 protected:
  explicit HostCaptureTest(HostRuntime::Options options = {}) : HostRuntimeTest(std::move(options)) {}
  void fork() {
    runtime_.record(kFork, kOrigin);
    runtime_.wait(kSide, kFork);
  }
  void join() {
    runtime_.record(kJoin, kSide);
    runtime_.wait(kOrigin, kJoin);
  }
};

TEST_F(HostCaptureTest, RunsNothingUntilItIsLaunchedAndThenAgainAndAgain) {
  runtime_.upload(a_.data(), std::vector<float>(64, 1.0F).data(), 256);
  runtime_.upload(b_.data(), std::vector<float>(64, 1.0F).data(), 256);
  runtime_.begin_capture(kOrigin);
  fork();
  runtime_.launch(kSide, add(row(a_), row(b_)));
  join();
  const auto graph = runtime_.end_capture(kOrigin);
  EXPECT_EQ(values(a_), std::vector<float>(64, 1.0F));
  runtime_.launch(kOrigin, *graph);
  runtime_.launch(kOrigin, *graph);
  EXPECT_EQ(values(a_), std::vector<float>(64, 3.0F));
  EXPECT_TRUE(runtime_.operations().empty());
  ASSERT_EQ(runtime_.captured().size(), 5U);
  EXPECT_TRUE(std::holds_alternative<HostRuntime::Wait>(runtime_.captured()[1].what));
}

TEST_F(HostCaptureTest, RefusesMemoryCallsAndSynchronisation) {
  runtime_.begin_capture(kOrigin);
  float value = 0;
  EXPECT_EQ(error_of([&] { runtime_.allocate(1); }), "allocation during a capture");
  EXPECT_EQ(error_of([&] { runtime_.upload(a_.data(), &value, 4); }), "upload during a capture");
  EXPECT_EQ(error_of([&] { runtime_.download(&value, a_.data(), 4); }), "download during a capture");
  EXPECT_EQ(error_of([&] { runtime_.synchronize(kOrigin); }), "synchronisation during a capture");
  EXPECT_EQ(error_of([&] { runtime_.between(TimerId(0), TimerId(1)); }), "reading of timers during a capture");
  EXPECT_EQ(error_of([&] { runtime_.begin_clock(kOrigin); }), "a stamp of the clock during a capture");
  EXPECT_EQ(error_of([&] { runtime_.begin_capture(kSide); }), "another capture begun during a capture");
  { const DeviceMemory moved(std::move(b_)); }
  EXPECT_EQ(error_of([&] { runtime_.mark(TimerId(0), kOrigin); }), "memory released during a capture");
  runtime_.abandon_capture(kOrigin);
  runtime_.abandon_capture(kOrigin);
  runtime_.synchronize(kOrigin);
}

TEST_F(HostCaptureTest, RefusesStreamsThatAreNotJoined) {
  runtime_.begin_capture(kOrigin);
  fork();
  runtime_.launch(kSide, FillCall{row(a_), 1});
  EXPECT_EQ(error_of([&] { runtime_.end_capture(kOrigin); }), "a captured stream was not joined to the origin");
  EXPECT_EQ(error_of([&] { runtime_.end_capture(kOrigin); }), "the stream is not an origin of a capture");
}

TEST_F(HostCaptureTest, RefusesStreamsAndEventsFromOutside) {
  runtime_.record(kJoin, kSide);
  runtime_.begin_capture(kOrigin);
  EXPECT_EQ(error_of([&] { runtime_.wait(kOrigin, kJoin); }), "a capture waits for an event that it has not recorded");
  EXPECT_EQ(error_of([&] {
              runtime_.launch(kSide, FillCall{row(a_), 1});
            }),
            "stream 1 is used during a capture that it was not forked from");
  runtime_.record(kFork, kOrigin);
  const auto graph = runtime_.end_capture(kOrigin);
  EXPECT_EQ(error_of([&] { runtime_.wait(kSide, kFork); }), "a stream waits for an event of a capture from outside");
}

TEST_F(HostCaptureTest, RefusesRaces) {
  runtime_.begin_capture(kOrigin);
  fork();
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  EXPECT_NE(error_of([&] { runtime_.launch(kSide, CopyCall{row(a_), row(b_)}); }), "no error");
}

class HostClockTest : public HostCaptureTest {
 protected:
  // A fill takes 10 µs of half the device, a copy 4 µs of all.
  HostClockTest() : HostCaptureTest({.compute = false, .cost = cost, .clock_mhz = [] { return 1500.0; }}) {}
  static std::pair<Micros, double> cost(const Step& step) {
    const bool fill = std::holds_alternative<FillCall>(std::get<KernelCall>(step));
    return fill ? std::pair(Micros{10}, 0.5) : std::pair(Micros{4}, 1.0);
  }
  double between() { return Micros(runtime_.between(TimerId(0), TimerId(1))).count(); }
};

TEST_F(HostClockTest, AddsUpAStream) {
  EXPECT_THROW(between(), GpuError);
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.mark(TimerId(0), kOrigin);
  for (int i = 0; i < 3; ++i) runtime_.launch(kOrigin, CopyCall{row(a_), row(b_)});
  runtime_.mark(TimerId(1), kOrigin);
  EXPECT_THROW(between(), GpuError);
  runtime_.synchronize(kOrigin);
  EXPECT_DOUBLE_EQ(between(), 12);
  EXPECT_DOUBLE_EQ(Micros(runtime_.between(TimerId(1), TimerId(0))).count(), -12);
  EXPECT_DOUBLE_EQ(runtime_.now().count(), 22);
  EXPECT_DOUBLE_EQ(runtime_.clock_mhz(), 1500);
  runtime_.mark(TimerId(0), kOrigin);
  EXPECT_THROW(between(), GpuError);  // marked again, but not reached again
}

TEST_F(HostClockTest, LetsStreamsRunSideBySideUntilTheDeviceIsFull) {
  for (const int fills : {1, 2, 4}) {
    runtime_.synchronize(kOrigin);
    runtime_.mark(TimerId(0), kOrigin);
    runtime_.record(kFork, kOrigin);
    for (int i = 1; i < fills; ++i) {
      const StreamId stream(static_cast<std::size_t>(i));
      runtime_.wait(stream, kFork);
      runtime_.launch(stream, FillCall{row(a_, i * 8, 8), 1});
      runtime_.record(EventId(stream.index()), stream);
    }
    runtime_.launch(kOrigin, FillCall{row(a_, 0, 8), 1});
    for (int i = 1; i < fills; ++i) runtime_.wait(kOrigin, EventId(static_cast<std::size_t>(i)));
    runtime_.mark(TimerId(1), kOrigin);
    runtime_.synchronize(kOrigin);
    EXPECT_DOUBLE_EQ(between(), fills == 4 ? 20 : 10) << fills;
  }
}

// 4 µs of 1 and 10 of 0.5 together: 6 µs at two thirds of the speed, then 6 more alone.
TEST_F(HostClockTest, SlowsDownOnlyWhileTheyOverlap) {
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.launch(kSide, FillCall{row(b_), 1});
  runtime_.synchronize(kOrigin);
  runtime_.synchronize(kSide);
  const double begin = runtime_.now().count();
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.launch(kSide, CopyCall{row(b_, 0, 32), row(b_, 32, 32)});
  runtime_.synchronize(kSide);
  EXPECT_DOUBLE_EQ(runtime_.now().count() - begin, 6);
  runtime_.synchronize(kOrigin);
  EXPECT_DOUBLE_EQ(runtime_.now().count() - begin, 12);
}

TEST_F(HostClockTest, AddsTheLaunchOfAGraph) {
  runtime_.begin_capture(kOrigin);
  runtime_.mark(TimerId(0), kOrigin);
  fork();
  runtime_.launch(kOrigin, FillCall{row(a_), 1});
  runtime_.launch(kSide, FillCall{row(b_), 1});
  join();
  runtime_.mark(TimerId(1), kOrigin);
  const auto graph = runtime_.end_capture(kOrigin);
  EXPECT_THROW(between(), GpuError);
  for (int i = 1; i <= 3; ++i) {
    runtime_.launch(kOrigin, *graph);
    runtime_.synchronize(kOrigin);
    EXPECT_DOUBLE_EQ(between(), 10);
    EXPECT_DOUBLE_EQ(runtime_.now().count(), 12 * i);
  }
}

TEST(HostNumbers, RoundToTheNearest) {
  const auto through = [](DataType type, float value) {
    std::uint32_t memory = 0;
    store(&memory, type, 0, value);
    return load(&memory, type, 0);
  };
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBfloat16}) {
    for (const float value : {0.0F, 1.0F, -2.5F, 0.0078125F, 3.0F}) EXPECT_EQ(through(type, value), value);
    EXPECT_TRUE(std::isnan(through(type, std::numeric_limits<float>::quiet_NaN())));
    EXPECT_EQ(through(type, INFINITY), INFINITY);
  }
  EXPECT_EQ(through(DataType::kFloat16, 1 + std::ldexp(1.0F, -11)), 1);  // ties to even
  EXPECT_EQ(through(DataType::kFloat16, 1 + 3 * std::ldexp(1.0F, -11)), 1 + std::ldexp(1.0F, -9));
  EXPECT_EQ(through(DataType::kFloat16, 65504), 65504);
  EXPECT_EQ(through(DataType::kFloat16, 65520), INFINITY);
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(3.0F, -24)), std::ldexp(3.0F, -24));
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(1.0F, -14)), std::ldexp(1.0F, -14));
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(1.0F, -26)), 0);
  EXPECT_EQ(through(DataType::kBfloat16, 1 + std::ldexp(1.0F, -8)), 1);
  EXPECT_EQ(through(DataType::kBfloat16, 1 + 3 * std::ldexp(1.0F, -8)), 1 + std::ldexp(1.0F, -6));
}

ConvProblem problem() {
  ConvProblem p{.math = Math::kStrict,
                .channels = 2,
                .input = {1, 3},
                .out_channels = 1,
                .output = {1, 3},
                .kernel = {1, 2},
                .padding = {0, 1},
                .padding_end = {0, 0}};
  p.x.pitch = 2;
  p.y.pitch = 2;
  p.bias = true;
  return p;
}

// Numbers worked out by hand.
TEST(HostConvolutions, ComputesSlicesWithBiasResidualAndActivation) {
  ConvProblem p = problem();
  p.residual = true;
  p.z.pitch = 1;
  p.activation = Activation::kRelu;
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const std::vector<float> weights{1, 10, 100, 1000};  // tap 0: 1, 10; tap 1: 100, 1000
  const std::vector<float> bias{-2000};
  const std::vector<float> residual{0.5F, -5000, 0.25F};
  std::vector<float> y(5, 7);
  convolve(p, {x.data(), weights.data(), bias.data(), residual.data(), y.data(), nullptr});
  EXPECT_EQ(y, (std::vector<float>{100.5F, 7, 0, 7, 3 + 40 + 500 + 6000 - 2000 + 0.25F}));
}

// x = (a, b): each spreads over three pixels of y, of which the first is cropped.
TEST(HostConvolutions, ComputesTransposedOnes) {
  ConvProblem p{.transposed = true, .math = Math::kStrict};
  p.channels = p.out_channels = 2;
  p.groups = 2;
  p.input = {1, 2};
  p.output = {1, 4};
  p.kernel = {1, 3};
  p.stride = {1, 2};
  p.padding = {0, 1};
  p.x.pitch = p.y.pitch = 2;
  const std::vector<float> x{1, 10, 2, 20};
  const std::vector<float> weights{1, 2, 3, 1, 1, 1};  // of channel 0, then 1
  std::vector<float> y(8);
  convolve(p, {x.data(), weights.data(), nullptr, nullptr, y.data(), nullptr});
  EXPECT_EQ(y, (std::vector<float>{2, 10, 3 + 2, 10 + 20, 4, 20, 6, 20}));
}

TEST(HostConvolutions, RefusesWhatItIsTold) {
  ConvProblem p = problem();
  EXPECT_EQ(HostConvolutions().plans(p).size(), 2U);
  EXPECT_TRUE(HostConvolutions({.slices = false}).plans(p).empty());
  p.y.pitch = 1;
  EXPECT_EQ(HostConvolutions({.slices = false}).plans(p).size(), 2U);
  p.residual = true;
  p.z.pitch = 1;
  EXPECT_TRUE(HostConvolutions({.residuals = false}).plans(p).empty());
  p.activation = Activation::kRelu;
  EXPECT_TRUE(HostConvolutions({.activations = false}).plans(p).empty());
  EXPECT_FALSE(HostConvolutions({.activations = false}).fuses(Activation::kRelu));
  EXPECT_EQ(HostConvolutions().plans(p).size(), 2U);
}

TEST(HostConvolutions, RestoresItsPlans) {
  HostConvolutions library;
  for (const LibraryPlanPtr& plan : library.plans(problem())) {
    const LibraryPlanPtr again = must(library.restore(problem(), plan->serialised()));
    EXPECT_EQ(again->name(), plan->name());
    EXPECT_EQ(again->problem(), Problem(problem()));
  }
  EXPECT_EQ(library.restore(problem(), "host 0 engine 1"), nullptr);
}

}  // namespace

}  // namespace iosx::gpu::test
