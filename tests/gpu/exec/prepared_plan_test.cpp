#include "gpu/exec/prepared_plan.h"
#include "core/devices/device.h"
#include "core/model/schedule/baselines.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/exec/bench.h"
#include "tests/gpu/support/host_access.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx::gpu::test {
namespace {

Conv conv(std::int64_t channels, std::int64_t groups = 1) { return Conv{.out_channels = channels, .groups = groups}; }

// A convolution, a depthwise one, and a constant that is added and is an output, too.
Graph small() {
  auto [builder, in] = iosx::test::sketch("small", Shape{8, 3, 3});
  const Value a = builder.add("a", conv(8), {in});
  const Value b = builder.add("b", conv(8, 8), {a});
  std::vector<float> numbers(72);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) / 72;
  const Value fixed = builder.constant("fixed", Tensor({8, 3, 3}, numbers));
  builder.add("sum", Add{}, {b, fixed});
  return std::move(builder).build().value();
}

ExecutionPlan sequential(const Graph& graph, std::int64_t batch = 1) {
  return lower(graph, one_by_one_schedule(graph), batch, kLowering);
}

bool all_nan(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    for (const float value : tensor.elements()) {
      if (!std::isnan(value)) return false;
    }
  }
  return true;
}

TEST(PreparedPlan, SaysHowConvolutionsAreComputed) {
  Bench bench;
  const PreparedPlan plan = prepared(bench, sequential(small()));
  ASSERT_EQ(plan.kernels().size(), 3U);
  EXPECT_EQ(plan.kernels()[0].implementation, "host engine 1");
  EXPECT_EQ(plan.kernels()[1].implementation, "own depthwise kernel");
  EXPECT_EQ(plan.kernels()[2].implementation, "");
  EXPECT_TRUE(plan.problems()[0] && plan.problems()[1] && !plan.problems()[2]);
  EXPECT_EQ(std::get<ConvProblem>(*plan.problems()[1]).groups, 8);
}

TEST(PreparedPlan, FollowsTheRanks) {
  Bench bench;
  const ExecutionPlan plan = sequential(small());
  EXPECT_EQ(prepared(bench, plan, {1}).kernels()[0].implementation, "host engine 2");
  EXPECT_EQ(prepared(bench, plan, {0, 1}).kernels()[1].implementation, "host engine 1");
  EXPECT_EQ(prepared(bench, plan, {7}).kernels()[0].implementation, "host engine 1");
}

TEST(PreparedPlan, CountsScratchMemoryOnceALane) {
  Bench bench;
  const ExecutionPlan plan = sequential(small());
  const std::int64_t without = prepared(bench, plan).peak_bytes();
  EXPECT_EQ(prepared(bench, plan, {1}).peak_bytes(), without + 4096);
  EXPECT_EQ(prepared(bench, plan, {1, 2}).peak_bytes(), without + 4096);
}

TEST(PreparedPlan, PoisonShowsWhatIsNotWritten) {
  for (const Math math : {Math::kStrict, Math::kHalf, Math::kBfloat16}) {
    Bench bench(math);
    const Graph graph = small();
    const ExecutionPlan plan = sequential(graph, 2);
    const auto inputs = synthetic_inputs(plan);
    PreparedPlan made = prepared(bench, plan);
    EXPECT_FALSE(all_nan(outputs_of(bench, made, inputs)));
    made.poison();
    EXPECT_TRUE(all_nan(made.outputs()));
    run(made, bench.runtime);
    expect_close(iosx::test::reference_outputs(graph, inputs, 2), made.outputs(), tolerance_of(math), "again");
  }
}

// The half-precision numbers that an access touches.
std::vector<float> numbers_at(const Access& access) {
  const std::uintptr_t pitch = access.pitch == 0 ? access.end - access.begin : access.pitch;
  const std::uintptr_t width = access.pitch == 0 ? pitch : access.width;
  std::vector<float> numbers;
  for (std::uintptr_t run = access.begin; run < access.end; run += pitch) {
    for (std::uintptr_t i = 0; i < width / 2; ++i) {
      numbers.push_back(load(reinterpret_cast<const void*>(run), DataType::kFloat16, static_cast<std::int64_t>(i)));
    }
  }
  return numbers;
}

// In a buffer that a stage shares with earlier ones only what it writes is poisoned; what it reads is not all zero.
TEST(PreparedPlan, StagesRunOnRandomNumbers) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    Bench bench(Math::kHalf);
    const Graph graph = iosx::test::random_concat_graph(seed, 10);
    for (const Stage& stage : greedy_schedule(graph).stages) {
      PreparedPlan made = prepared(bench, lower_stage(graph, stage, 2, kLowering));
      made.poison();
      run(made, bench.runtime, {.graph = true});
      for (const PreparedKernel& kernel : made.kernels()) {
        const auto first = accesses_of(kernel.steps.front());
        const auto last = accesses_of(kernel.steps.back());
        const auto written = std::ranges::find_if(last, &Access::writes);
        for (const float number : numbers_at(*written)) EXPECT_TRUE(std::isfinite(number)) << seed;
        const auto read = numbers_at(first.front());
        EXPECT_TRUE(std::ranges::any_of(read, [](float number) { return number != 0; })) << seed;
      }
    }
  }
}

// Two convolutions of an image of three channels, once side by side and once merged.
TEST(PreparedPlan, PadsTheChannelsOfImages) {
  auto [builder, in] = iosx::test::sketch("image", Shape{3, 6, 5});
  builder.add("a", conv(4), {in});
  builder.add("b", conv(5), {in});
  const Graph graph = std::move(builder).build().value();
  const Schedule merged{"merged", {merge_stage({UnitId(0), UnitId(1)})}};
  for (const Math math : {Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    Bench bench(math);
    for (const Schedule& schedule : {greedy_schedule(graph), merged}) {
      const ExecutionPlan plan = lower(graph, schedule, 2, kLowering);
      PreparedPlan made = prepared(bench, plan);
      ASSERT_TRUE(made.problems()[0]);
      EXPECT_EQ(std::get<ConvProblem>(*made.problems()[0]).channels, 8);
      EXPECT_EQ(std::get<ConvProblem>(*made.problems()[0]).x.pitch, 8);
      const auto inputs = synthetic_inputs(plan);
      const auto expected = iosx::test::reference_outputs(graph, inputs, 2);
      expect_close(expected, outputs_of(bench, made, inputs), tolerance_of(math), name_of(math));
      // Another plan puts numbers where the blank channels were.
      PreparedPlan other = prepared(bench, sequential(small(), 2));
      other.poison();
      EXPECT_TRUE(made.enter());
      expect_close(expected, outputs_of(bench, made, inputs), tolerance_of(math), name_of(math));
    }
  }
}

TEST(PreparedPlan, RefusesOtherInputs) {
  Bench bench;
  PreparedPlan plan = prepared(bench, sequential(small(), 2));
  EXPECT_EQ(plan.set_inputs({}).error().text(), "GPU device: 0 inputs are given, but the network has 1");
  const auto wrong = plan.set_inputs({Tensor({1, 8, 3, 3}, std::vector<float>(72))});
  EXPECT_EQ(wrong.error().text(), "GPU device: input 'in' does not have the dims 2 times 8x3x3");
}

TEST(PreparedPlan, RefusesOpaqueOperators) {
  auto [builder, in] = iosx::test::sketch("opaque", Shape{8});
  builder.add("odd", Opaque{"LSTM", "model.onnx, node 7", Shape{8}}, {in});
  const Graph graph = std::move(builder).build().value();
  Bench bench;
  const Error error = refused(PreparedPlan::prepare(sequential(graph), bench.exec_context, {}, {}));
  EXPECT_EQ(error.text(),
            "model.onnx, node 7: 'odd' has the type LSTM, which the GPU device cannot execute (replace the operator, "
            "or use a simulated device, which only estimates it)");
}

// No kind ends the process: what our kernels do not compute is an error.
TEST(KernelSteps, RefuseKindsWithoutAKernel) {
  Bench bench;
  const Graph graph = small();
  const std::shared_ptr<const Parameters> parameters = graph.parameters();
  std::int64_t bytes = 0;
  const Weights weights{bench.exec_context.weights, parameters, bytes};
  Kernel kernel{.name = "it"};
  const std::vector<Attributes> refused{Input{}, Constant{}, Opaque{}, Conv{}, ConvTranspose{}, Linear{}};
  for (const Attributes& attributes : refused) {
    kernel.attributes = attributes;
    const auto steps =
        kernel_steps(KernelSite{.kernel = kernel, .math = Math::kStrict, .reads = {}, .write = {}}, weights, nullptr);
    ASSERT_FALSE(steps.has_value()) << kind_name(attributes);
    EXPECT_NE(steps.error().text().find("the GPU device cannot execute"), std::string::npos) << steps.error().text();
  }
}

TEST(PreparedPlan, StopsBetweenKernels) {
  Bench bench;
  EXPECT_EQ(refused(PreparedPlan::prepare(sequential(small()), bench.exec_context, {}, {stopped_token(), {}})).what,
            "stopped");
  EXPECT_EQ(bench.library.asked, 0);
}

TEST(PreparedPlan, RefusesConvolutionsWithoutAWay) {
  struct Refusing final : KernelLibrary {
    std::string name = "nothing 1";
    const std::string& version() const override { return name; }
    bool fuses(const Activation& /*activation*/) const override { return true; }
    std::vector<LibraryPlanPtr> plans(const Problem& /*problem*/) override { return {}; }
    LibraryPlanPtr restore(const Problem& /*problem*/, const std::string& /*plan*/) override { return nullptr; }
  } library;
  HostRuntime runtime;
  FirstWay chooser(library);
  ExecContext exec_context(runtime, chooser, Math::kStrict);
  EXPECT_THROW((void)PreparedPlan::prepare(sequential(small()), exec_context, {}, {}), Unsupported);
  EXPECT_EQ(runtime.allocated_bytes(), 0);
}

TEST(PreparedPlan, UsesTheSameMemoryAndWeightsAgain) {
  Bench bench;
  const Graph graph = small();
  const auto first = prepared(bench, sequential(graph));
  const std::int64_t bytes = bench.runtime.allocated_bytes();
  const std::int64_t weights = bench.exec_context.weights.bytes();
  const auto second = prepared(bench, lower(graph, greedy_schedule(graph), 1, kLowering));
  EXPECT_EQ(bench.runtime.allocated_bytes(), bytes);
  EXPECT_EQ(bench.exec_context.weights.bytes(), weights);
  bench.exec_context.clear();
  EXPECT_EQ(bench.runtime.allocated_bytes(), 0);
}

// With each limit from little to enough: memory is refused before anything runs, and then a smaller plan still works.
TEST(PreparedPlan, OutOfMemoryLeavesEverythingUsable) {
  const Graph graph = small();
  const ExecutionPlan plan = sequential(graph, 16);
  const ExecutionPlan smaller = sequential(graph);
  const auto inputs = synthetic_inputs(smaller);
  int refused = 0;
  int fitted = 0;
  for (std::int64_t memory = 4000; memory < 60000; memory += 500) {
    Bench bench(Math::kHalf, {.memory = memory});
    std::size_t launched = 0;
    try {
      prepared(bench, plan);
      ++fitted;
    } catch (const OutOfMemory&) {
      ++refused;
      for (const auto& operation : bench.runtime.operations()) {
        launched += std::holds_alternative<HostRuntime::Launch>(operation.what) ? 1 : 0;
      }
      EXPECT_LE(launched, 5U);  // conversions of weights
      bench.exec_context.clear();
      EXPECT_EQ(bench.runtime.allocated_bytes(), 0);
    }
    try {
      PreparedPlan again = prepared(bench, smaller);
      expect_close(iosx::test::reference_outputs(graph, inputs, 1), outputs_of(bench, again, inputs), 4e-3, "smaller");
    } catch (const OutOfMemory&) {
      EXPECT_LT(memory, 10000);
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(fitted, 10);
}

// Of a plan with two lanes whose kernels all take scratch memory.
TEST(PreparedPlan, LanesHaveScratchMemoryOfTheirOwn) {
  Bench bench(Math::kStrict, {}, {.slices = false});
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Graph graph = iosx::test::random_concat_graph(seed, 14);
    const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, kLowering);
    const PreparedPlan made = prepared(bench, plan, WayRanks(plan.kernels.size(), 1));
    std::vector<std::vector<Access>> workspaces(plan.lane_count());
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      for (const Step& step : made.kernels()[k].steps) {
        for (const Access& access : accesses_of(step)) {
          if (std::string(access.operand) == "workspace") workspaces[plan.kernels[k].lane].push_back(access);
        }
      }
    }
    for (std::size_t a = 0; a < workspaces.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (const Access& mine : workspaces[a]) {
          for (const Access& other : workspaces[b]) EXPECT_FALSE(overlap(mine, other));
        }
      }
    }
  }
}

// Two pools of maps that are large enough for several parts, and a long reduction to two numbers.
Graph long_reductions() {
  auto [builder, in] = iosx::test::sketch("long_reductions", Shape{32, 64, 64});
  Pool pool{.kind = PoolKind::kGlobalAverage};
  builder.add("mean", pool, {in});
  pool.kind = PoolKind::kGlobalMax;
  builder.add("most", pool, {in});
  builder.add("norm", Reduce{.kind = ReduceKind::kL2, .axes = {0, 1, 2}, .keep_dims = false}, {in});
  return std::move(builder).build().value();
}

// The sums of parts lie in the scratch memory of the lane, and a graph has both launches of each.
TEST(PreparedPlan, LongReductionsTakeTwoStepsAndScratchMemory) {
  const Graph graph = long_reductions();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 2, kLowering);
  ASSERT_EQ(plan.lane_count(), 3U);
  const auto inputs = synthetic_inputs(plan);
  const auto expected = iosx::test::reference_outputs(graph, inputs, 2);
  for (const Math math : {Math::kStrict, Math::kHalf, Math::kBfloat16}) {
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      Bench bench(math, {.seed = seed});
      PreparedPlan made = prepared(bench, plan);
      std::vector<Access> workspaces;
      for (const PreparedKernel& kernel : made.kernels()) {
        ASSERT_EQ(kernel.steps.size(), 2U);
        for (const Access& access : accesses_of(kernel.steps.front())) {
          if (!access.writes) continue;
          for (const Access& other : workspaces) EXPECT_FALSE(overlap(access, other));
          workspaces.push_back(access);
        }
      }
      EXPECT_EQ(workspaces.size(), 3U);
      expect_close(expected, outputs_of(bench, made, inputs), tolerance_of(math), "streams");
      expect_close(expected, outputs_of(bench, made, inputs, {.graph = true, .copies = 2}), tolerance_of(math),
                   "graph");
      capture(made, bench.runtime);
      EXPECT_EQ(std::ranges::count_if(bench.runtime.captured(),
                                      [](const HostRuntime::Operation& operation) {
                                        return std::holds_alternative<HostRuntime::Launch>(operation.what);
                                      }),
                6);
    }
  }
}

TEST(PreparedPlan, CountsSumsOfPartsOnceALane) {
  const Graph graph = long_reductions();
  Bench bench;
  const std::int64_t one_lane = prepared(bench, sequential(graph)).peak_bytes();
  const std::int64_t three_lanes = prepared(bench, lower(graph, greedy_schedule(graph), 1, kLowering)).peak_bytes();
  // A pool has 8 vectors of channels in one block, whose 32 lanes load 128 each: 16 parts of 32 sums. The norm is one
  // number of 32,768 vectors, 128 loads of 256 lanes: 16 parts, aligned to 256 bytes.
  EXPECT_EQ(three_lanes - one_lane, 2048 + 256);
}

// Weights that are not in the cache.

constexpr std::int64_t kCache = std::int64_t{1} << 20;

// Two convolutions of 64 × 64 × 9 weights, 147 KB each, on small maps.
Graph two_convolutions() {
  auto [builder, last] = iosx::test::sketch("two", Shape{64, 4, 4});
  Conv conv{.out_channels = 64, .kernel = {3, 3}, .padding = {1, 1}};
  for (const char* name : {"a", "b"}) last = builder.add(name, conv, {last});
  return std::move(builder).build().value();
}

HostRuntime::Options small_cache() { return HostRuntime::Options{.l2_bytes = kCache}; }

const std::byte* weights_of(const PreparedKernel& kernel) {
  return static_cast<const std::byte*>(std::get<LibraryStep>(kernel.steps.at(0)).operands.weights);
}

TEST(ColdWeights, AreTwiceWhatTheCacheHolds) {
  Bench bench(Math::kStrict, small_cache());
  EXPECT_EQ(bench.exec_context.cold_weights().bytes(), 2 * kCache);
}

TEST(ColdWeights, EveryCopyReadsOthersAndWritesTheSame) {
  constexpr std::int64_t kEach = std::int64_t{2} * (64 * 64 * 9 * 4 + 2 * 256);  // weights, and biases of either type
  constexpr int kRoom = 2 * kCache / kEach;
  Bench bench(Math::kStrict, small_cache());
  const Graph graph = two_convolutions();
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1, kLowering);
  PreparedPlan made = prepared(bench, plan);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
  made.spread_weights(2);
  made.spread_weights(100);
  const std::byte* const first = bench.exec_context.cold_weights().data();
  for (int copy = 0; copy < 2 * kRoom; ++copy) {
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      const auto& own = std::get<LibraryStep>(made.kernels()[k].steps[0]).operands;
      const auto& other = std::get<LibraryStep>(made.kernels(copy)[k].steps[0]).operands;
      EXPECT_EQ(std::tuple(own.x, own.y, own.workspace), std::tuple(other.x, other.y, other.workspace));
      const std::int64_t begin = copy % kRoom * kEach + static_cast<std::int64_t>(k) * kEach / 2;
      EXPECT_EQ(weights_of(made.kernels(copy)[k]) - first, begin) << copy << " " << k;
    }
  }
  run(made, bench.runtime, {.graph = true, .copies = 9});  // nothing of it is refused as a race, or as out of bounds
  bench.exec_context.cold_weights().evict();
  bench.runtime.synchronize(kOrigin);
}

// They leave the cache by themselves.
TEST(ColdWeights, WeightsForWhichThereIsNoRoomAreReadWhereTheyLie) {
  Bench bench(Math::kStrict, small_cache());
  GraphBuilder builder("large");
  Conv conv;
  conv.out_channels = 1024;  // 2.1 MB of weights
  builder.add("a", conv, {builder.input("in", Shape{512, 2, 2})});
  const Graph graph = std::move(builder).build().value();
  PreparedPlan made = prepared(bench, lower(graph, sequential_schedule(graph), 1, kLowering));
  made.spread_weights(10);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
  run(made, bench.runtime, {.graph = true, .copies = 2});
}

TEST(ColdWeights, WithoutWeightsThereIsNothingToSpread) {
  Bench bench(Math::kStrict, small_cache());
  GraphBuilder builder("none");
  builder.add("relu", Activate{Activation::kRelu}, {builder.input("in", Shape{4, 2, 2})});
  const Graph graph = std::move(builder).build().value();
  PreparedPlan made = prepared(bench, lower(graph, sequential_schedule(graph), 1, kLowering));
  made.spread_weights(10);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
}

}  // namespace

}  // namespace iosx::gpu::test
