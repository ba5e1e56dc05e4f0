#include "core/model/graph/builder.h"
#include "core/model/layout/layout.h"
#include "core/model/schedule/baselines.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu::test {
namespace {

ConvProblem problem() {
  ConvProblem problem{
      .math = Math::kStrict, .channels = 8, .input = {4, 4}, .out_channels = 8, .output = {4, 4}, .kernel = {3, 3}};
  problem.padding = problem.padding_end = {1, 1};
  problem.x = problem.y = dense_layout(8, Math::kStrict);
  problem.bias = true;
  problem.activation = Activation::kRelu;
  return problem;
}

ConvProblem sliced(bool x, bool y) {
  ConvProblem sliced = problem();
  if (x) sliced.x.pitch = 20;
  if (y) sliced.y.pitch = 24;
  return sliced;
}

ConvProblem with_residual(ConvProblem problem) {
  problem.residual = true;
  problem.z = {12, 16};
  return problem;
}

std::vector<std::string> names(const ConvProblem& problem, HostConvolutions::Options options = {}) {
  HostConvolutions library(options);
  auto names = mapped<std::string>(candidate_ways(problem, library), [](const Way& way) { return way.name(); });
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  return names;
}

TEST(Ways, OfADenseProblemAreTheLibrarysPlans) {
  EXPECT_THAT(names(problem()), ElementsAre("host engine 1", "host engine 2"));
}

TEST(Ways, OfSlicesAreWithCopiesToo) {
  EXPECT_THAT(names(sliced(true, false)), ElementsAre("host engine 1", "host engine 2", "host engine 1, copied input",
                                                      "host engine 2, copied input"));
  EXPECT_THAT(names(sliced(false, true), {.slices = false}),
              ElementsAre("host engine 1, copied output", "host engine 2, copied output"));
  EXPECT_EQ(names(sliced(true, true)).size(), 8U);
}

TEST(Ways, OfBadlyAlignedTensorsAreWithCopiesToo) {
  ConvProblem badly = problem();
  badly.x.alignment = 4;
  EXPECT_EQ(names(badly).size(), 4U);
}

TEST(Ways, LeaveToUsWhatTheLibraryCannotFuse) {
  EXPECT_THAT(names(problem(), {.activations = false}),
              ElementsAre("host engine 1, only bias fused", "host engine 2, only bias fused"));
  const ConvProblem residual = with_residual(problem());
  EXPECT_THAT(names(residual, {.activations = false}),
              ElementsAre("host engine 1, activation apart", "host engine 2, activation apart"));
  EXPECT_THAT(names(residual, {.residuals = false}),
              ElementsAre("host engine 1, only bias fused", "host engine 2, only bias fused"));
}

TEST(Ways, OfADepthwiseOneHaveOurKernel) {
  ConvProblem depthwise = problem();
  depthwise.groups = 8;
  EXPECT_THAT(names(depthwise), ElementsAre("own depthwise kernel", "host engine 1", "host engine 2"));
  depthwise.transposed = true;
  EXPECT_EQ(names(depthwise).size(), 2U);
  depthwise.transposed = false;
  depthwise.out_channels = 16;
  depthwise.y.pitch = 16;
  EXPECT_EQ(names(depthwise).size(), 2U);
}

ConvProblem activated(ConvProblem problem) {
  problem.before = {ActivationKind::kClip, 0.25F, 0.5F};
  return problem;
}

TEST(Ways, OfActivatedInputsAreWithTheActivationApartToo) {
  EXPECT_THAT(names(activated(problem())), ElementsAre("host engine 1", "host engine 2", "host engine 1, copied input",
                                                       "host engine 2, copied input"));
  EXPECT_THAT(
      names(activated(problem()), {.activations = false}),
      ElementsAre("host engine 1, copied input, only bias fused", "host engine 2, copied input, only bias fused"));
  ConvProblem depthwise = activated(problem());
  depthwise.groups = 8;
  EXPECT_EQ(names(depthwise).front(), "own depthwise kernel");
}

// A library without fusion, and one that takes nothing.
struct Bare final : KernelLibrary {
  HostConvolutions host{{.activations = false}};
  bool nothing = false;
  const std::string& version() const override { return host.version(); }
  bool fuses(const Activation& activation) const override { return activation == Activation::kIdentity; }
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override {
    const auto& conv = std::get<ConvProblem>(problem);
    if (nothing || conv.bias || conv.residual || !fuses(conv.before)) return {};
    return host.plans(problem);
  }
  LibraryPlanPtr restore(const Problem& problem, const std::string& plan) override {
    return host.restore(problem, plan);
  }
};

// Compiles whatever it may, and notes how often.
struct Compiling final : KernelLibrary {
  struct Plan final : LibraryPlan {
    LibraryPlanPtr plan;
    explicit Plan(LibraryPlanPtr made) : plan(std::move(made)) {}
    const Problem& problem() const override { return plan->problem(); }
    const std::string& name() const override { return plan->name(); }
    std::int64_t workspace_bytes() const override { return plan->workspace_bytes(); }
    std::string serialised() const override { return plan->serialised(); }
    bool compiled() const override { return true; }
  };
  HostConvolutions host;
  std::vector<Effort> efforts;
  const std::string& version() const override { return host.version(); }
  bool fuses(const Activation& activation) const override { return host.fuses(activation); }
  std::vector<LibraryPlanPtr> plans(const Problem& problem) override {
    efforts.push_back(effort());
    std::vector<LibraryPlanPtr> plans = host.plans(problem);
    if (effort() == Effort::kAll) plans.push_back(std::make_shared<const Plan>(plans.back()));
    return plans;
  }
  LibraryPlanPtr restore(const Problem& problem, const std::string& plan) override {
    return host.restore(problem, plan);
  }
};

TEST(Ways, CompileOnceForAllCopiesAndRemainders) {
  Compiling library;
  ConvProblem silu = sliced(true, false);
  silu.activation = Activation::kSwish;
  candidate_ways(silu, library);
  EXPECT_THAT(library.efforts,
              ElementsAre(Effort::kAll, Effort::kPrecompiled, Effort::kPrecompiled, Effort::kPrecompiled));
  EXPECT_EQ(library.effort(), Effort::kAll) << "as it was";
  ConvProblem depthwise = problem();
  depthwise.groups = 8;
  library.efforts.clear();
  candidate_ways(depthwise, library);
  EXPECT_THAT(library.efforts, ElementsAre(Effort::kPrecompiled));
  library.set_effort(Effort::kQuick);
  library.efforts.clear();
  candidate_ways(silu, library);
  EXPECT_THAT(library.efforts, Each(Effort::kQuick));
}

TEST(Ways, ThrowsIfThereIsNone) {
  Bare library;
  EXPECT_EQ(candidate_ways(problem(), library)[0].name(), "host engine 1, nothing fused");
  library.nothing = true;
  EXPECT_THROW(candidate_ways(problem(), library), Unsupported);
}

TEST(Ways, AreRestoredByName) {
  Bare bare;
  HostConvolutions host;
  HostConvolutions weak({.slices = false, .residuals = false, .activations = false});
  ConvProblem depthwise = problem();
  depthwise.groups = 8;
  for (KernelLibrary* library : std::initializer_list<KernelLibrary*>{&bare, &host, &weak}) {
    for (const ConvProblem& one : {problem(), sliced(true, true), with_residual(sliced(true, false)), depthwise,
                                   activated(problem()), activated(sliced(true, true)), activated(depthwise)}) {
      for (const Way& way : candidate_ways(one, *library)) {
        const std::string plan = way.plan == nullptr ? std::string() : way.plan->serialised();
        const auto restored = restored_way(one, way.name(), plan, *library);
        ASSERT_TRUE(restored) << way.name();
        EXPECT_EQ(restored->name(), way.name());
        EXPECT_EQ(restored->kind, way.kind);
        EXPECT_EQ(restored->dense_input, way.dense_input);
        EXPECT_EQ(restored->dense_output, way.dense_output);
        if (way.plan != nullptr) {
          EXPECT_EQ(restored->plan->problem(), way.plan->problem());
        }
      }
    }
  }
  EXPECT_FALSE(restored_way(problem(), "host engine 1", "of another version", host));
  EXPECT_FALSE(restored_way(problem(), "host engine 1, copied input", "host 1 engine 1", host));
  EXPECT_FALSE(restored_way(problem(), "own depthwise kernel", "", host));
}

// A task with random operands.
struct Task {
  HostRuntime runtime;
  std::vector<DeviceMemory> memory;
  ConvTask task;

  explicit Task(const ConvProblem& problem) {
    task.problem = problem;
    task.x = pixels(problem.channels, problem.x);
    task.y = pixels(problem.out_channels, problem.y);
    if (problem.residual) task.residual = pixels(problem.out_channels, problem.z);
    task.weights = random(problem.channels / problem.groups * problem.out_channels * 9);
    task.bias = random(problem.out_channels);
    task.bias_float = static_cast<const float*>(task.bias);
  }
  void* random(std::int64_t count) {
    memory.emplace_back(runtime, count * 4);
    const auto seed = static_cast<std::uint32_t>(memory.size());
    runtime.launch(StreamId(0), FillCall{tensor_ref(Shape{count}, 1, DataType::kFloat32, memory.back().data()), seed});
    return memory.back().data();
  }
  TensorRef pixels(std::int64_t channels, const PixelLayout& layout) {
    const Shape shape{layout.pitch, 4, 4};
    return view_ref({"b", shape, false, false, {}}, {BufferId(0), 0, channels}, 1, DataType::kFloat32,
                    random(shape.elements()));
  }
  std::vector<float> run(const Way& way) {
    const StreamId stream(0);
    const DeviceMemory scratch(runtime, scratch_bytes(way, task));
    runtime.launch(stream, FillCall{task.y, 99});
    for (const Step& step : steps_of(way, task, scratch.data())) {
      if (const auto* conv = std::get_if<LibraryStep>(&step)) {
        runtime.execute(stream, *conv->plan, conv->operands);
      } else {
        runtime.launch(stream, std::get<KernelCall>(step));
      }
    }
    std::vector<float> values(static_cast<std::size_t>(task.y.elements()));
    const DeviceMemory dense(runtime, task.y.elements() * 4);
    runtime.launch(stream, CopyCall{task.y, dense_like(task.y, dense.data())});
    runtime.download(values.data(), dense.data(), dense.bytes());
    return values;
  }
};

TEST(Ways, AllComputeTheSame) {
  std::set<std::string> seen;
  for (const bool residual : {false, true}) {
    for (const ConvProblem& shape : {problem(), sliced(true, false), sliced(false, true), sliced(true, true),
                                     activated(problem()), activated(sliced(true, true))}) {
      Task task(residual ? with_residual(shape) : shape);
      HostConvolutions host;
      const auto expected = task.run(candidate_ways(task.task.problem, host)[0]);
      Bare bare;
      HostConvolutions no_residuals({.residuals = false});
      HostConvolutions no_activations({.activations = false});
      HostConvolutions weak({.slices = false, .residuals = false, .activations = false});
      for (KernelLibrary* library :
           std::initializer_list<KernelLibrary*>{&host, &bare, &no_residuals, &no_activations, &weak}) {
        for (const Way& way : candidate_ways(task.task.problem, *library)) {
          seen.insert(way.name());
          const auto actual = task.run(way);
          for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5) << way.name();
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 32U);  // 2 engines × 4 kinds of copies × 4 degrees of fusion
}

TEST(Ways, NeedScratchMemoryForCopiesAndWorkspace) {
  Task task(sliced(true, true));
  HostConvolutions library;
  const auto bytes = mapped<std::int64_t>(candidate_ways(task.task.problem, library),
                                          [&](const Way& way) { return scratch_bytes(way, task.task); });
  EXPECT_THAT(bytes, ElementsAre(0, 4096, 1024, 1024 + 4096, 512, 512 + 4096, 512, 512 + 4096));
}

TEST(FirstWay, AsksTheLibraryOnceAProblem) {
  HostConvolutions library;
  FirstWay chooser(library);
  EXPECT_EQ(chooser.ways(problem()).size(), 2U);
  EXPECT_EQ(chooser.ways(problem()).size(), 2U);
  EXPECT_EQ(library.asked, 1);
  EXPECT_EQ(chooser.ways(sliced(true, false)).size(), 4U);
  EXPECT_EQ(library.asked, 3);
}

alignas(256) std::array<std::byte, 1> address;

TensorRef view(const Shape& shape, std::int64_t begin, std::int64_t end, std::int64_t batch, Math math) {
  return view_ref({"b", shape, false, false, {}}, {BufferId(0), begin, end}, batch, data_type(math), address.data());
}

TEST(ConvProblemOf, TakesEverythingFromTheConvolution) {
  Conv conv{.out_channels = 12,
            .kernel = {3, 5},
            .stride = {2, 1},
            .padding = {1, 2},
            .dilation = {1, 2},
            .groups = 2,
            .activation = Activation::kRelu,
            .end_padding = {-1, 1}};
  const TensorRef x = view({8, 9, 11}, 0, 8, 3, Math::kHalf);
  const TensorRef y = view({12, 4, 8}, 0, 12, 3, Math::kHalf);
  ConvProblem expected{.math = Math::kHalf,
                       .batch = 3,
                       .channels = 8,
                       .input = {9, 11},
                       .out_channels = 12,
                       .output = {4, 8},
                       .kernel = {3, 5},
                       .stride = {2, 1},
                       .dilation = {1, 2},
                       .padding = {1, 2},
                       .padding_end = {0, 3},
                       .groups = 2,
                       .x = {8, 16},
                       .y = {12, 8},
                       .bias = true,
                       .activation = Activation::kRelu};
  EXPECT_EQ(problem_of(conv, x, y, nullptr, Math::kHalf), expected);
  const TensorRef z = view({40, 4, 8}, 4, 16, 3, Math::kHalf);
  expected.residual = true;
  expected.z = {40, 8};
  EXPECT_EQ(problem_of(conv, x, y, &z, Math::kHalf), expected);
}

TEST(ConvProblemOf, KnowsHowSlicesAreAligned) {
  Conv conv{.out_channels = 4};
  const TensorRef y = view({4, 2, 2}, 0, 4, 1, Math::kTf32);
  const auto x = [&](std::int64_t channels, std::int64_t begin, std::int64_t end) {
    return problem_of(conv, view({channels, 2, 2}, begin, end, 1, Math::kTf32), y, nullptr, Math::kTf32).x;
  };
  EXPECT_EQ(x(32, 0, 32), (PixelLayout{32, 16}));
  EXPECT_EQ(x(32, 4, 32), (PixelLayout{32, 16}));
  EXPECT_EQ(x(32, 2, 32), (PixelLayout{32, 8}));
  EXPECT_EQ(x(32, 3, 32), (PixelLayout{32, 4}));
  EXPECT_EQ(x(33, 4, 32), (PixelLayout{33, 4}));
  EXPECT_EQ(dense_layout(33, Math::kTf32), (PixelLayout{33, 4}));
  EXPECT_EQ(dense_layout(33, Math::kHalf), (PixelLayout{33, 2}));
  EXPECT_EQ(dense_layout(32, Math::kHalf), (PixelLayout{32, 16}));
}

TEST(ConvProblemOf, OfATransposedOneCropsWhatItPads) {
  ConvTranspose conv{.out_channels = 4,
                     .kernel = {3, 3},
                     .stride = {2, 2},
                     .padding = {1, 0},
                     .end_padding = {0, 1},
                     .output_padding = {1, 1}};
  const ConvProblem problem =
      problem_of(conv, view({2, 3, 3}, 0, 2, 1, Math::kStrict), view({4, 6, 7}, 0, 4, 1, Math::kStrict), Math::kStrict);
  EXPECT_TRUE(problem.transposed);
  EXPECT_EQ(problem.padding, (Extent{1, 0}));
  EXPECT_EQ(problem.padding_end, (Extent{0, 0}));
}

// A lone pixel lies in no larger tensor.
TEST(ConvProblemOf, OfALinearLayerIsAConvolutionOfOnePixel) {
  const Linear linear{10, Activation::kRelu};
  for (const std::int64_t batch : {1, 3}) {
    const TensorRef x = view({70}, 4, 36, batch, Math::kTf32);
    const TensorRef y = view({10}, 0, 10, batch, Math::kTf32);
    const ConvProblem problem = problem_of(linear, x, y, nullptr, Math::kTf32);
    EXPECT_EQ(problem.batch, batch);
    EXPECT_EQ(problem.channels, 32);
    EXPECT_EQ(problem.out_channels, 10);
    EXPECT_EQ(problem.input, (Extent{1, 1}));
    EXPECT_EQ(problem.x, (batch == 1 ? PixelLayout{32, 16} : PixelLayout{70, 8}));
    EXPECT_EQ(problem.activation, Activation::kRelu);
  }
}

// What is known before any memory is there is what prepared plans then ask for.
TEST(ConvProblemOf, ProblemsOfAPlanAreThoseOfItsPreparedKernels) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    for (const Math math : {Math::kStrict, Math::kHalf}) {
      Bench bench(math);
      const Graph graph = iosx::test::random_concat_graph(seed, 12);
      const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 2, kLowering);
      const PreparedPlan made = prepared(bench, plan);
      std::vector<ConvProblem> executed;
      for (const PreparedKernel& kernel : made.kernels()) {
        for (const Step& step : kernel.steps) {
          if (const auto* conv = std::get_if<LibraryStep>(&step)) {
            executed.push_back(std::get<ConvProblem>(conv->plan->problem()));
          }
        }
      }
      EXPECT_EQ(conv_problems(plan, math), executed);
    }
  }
}

}  // namespace

}  // namespace iosx::gpu::test
