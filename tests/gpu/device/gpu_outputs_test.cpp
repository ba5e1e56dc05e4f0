// What the device computes on a GPU made of host memory, against plain loops.

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/model/schedule/baselines.h"
#include "tests/gpu/device/host_device.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx::gpu {
namespace {

using test::HostDevice;
using test::open_on_host;
using test::plan_of;

void expect_reference(Device& device, const Graph& graph, const Schedule& schedule, std::int64_t batch,
                      double tolerance = 1e-5) {
  RunOptions options = test::twice(true);
  const ExecutionPlan plan = plan_of(graph, schedule, device, batch);
  options.inputs = synthetic_inputs(plan);
  const auto run = load_and_run(device, plan, options, {}, {.tune = true});
  ASSERT_TRUE(run) << graph.name() << ", " << schedule.name << ": " << run.error().text();
  const auto expected = iosx::test::reference_outputs(graph, options.inputs, batch);
  ASSERT_EQ(run->outputs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LE(iosx::test::largest_error(expected[i], run->outputs[i]), tolerance)
        << graph.name() << ", " << schedule.name;
  }
}

Schedule searched(Device& device, const Graph& graph) {
  auto prepared = prepare(graph, {});
  EXPECT_TRUE(prepared);
  DeviceLatencySource source(*prepared, device, 1, test::twice().timing);
  return must(search(*prepared, source, {}, {})).schedule;
}

class GpuOutputs : public testing::TestWithParam<Math> {
 protected:
  double tolerance() const {
    if (GetParam() == Math::kHalf) return 4e-3;
    return GetParam() == Math::kBfloat16 ? 3e-2 : 1e-5;
  }
};

TEST_P(GpuOutputs, OfEveryScheduleAgreeWithTheReference) {
  const HostDevice device = open_on_host({.host = test::slow_host(), .math = GetParam()});
  for (const Graph& graph :
       {test::small_sample(), test::small_residual(), iosx::test::fork_join(3), iosx::test::linear_layers()}) {
    for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph), searched(*device, graph)}) {
      expect_reference(*device, graph, schedule, 2, tolerance());
    }
  }
}

constexpr const char* kNames[] = {"tf32", "f32", "f16", "bf16"};

INSTANTIATE_TEST_SUITE_P(Precisions, GpuOutputs,
                         testing::Values(Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16),
                         [](const auto& info) { return std::string(kNames[static_cast<int>(info.param)]); });

TEST(GpuOutputsOfRandomGraphs, AgreeWithTheReference) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    test::DeviceOptions options{.host = test::slow_host()};
    options.host.seed = seed;
    options.convolutions = {.slices = seed % 2 == 0, .residuals = seed % 3 != 0, .activations = seed % 3 != 1};
    const HostDevice device = open_on_host(options);
    const Graph graph = iosx::test::random_concat_graph(seed, 8);
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i) {
      expect_reference(*device, graph, iosx::test::random_schedule(graph, random), 1 + seed % 2);
    }
  }
}

// The graph is replayed, not what was run first: with a launch missing in it an output would be poison.
TEST(GpuOutputsEager, AreThoseOfTheGraph) {
  const Graph graph = test::small_sample();
  const HostDevice captured = open_on_host({.host = test::slow_host()});
  const HostDevice eager = open_on_host({.host = test::slow_host(), .eager = true});
  const auto outputs = [&](Device& device) {
    return load_and_run(device, plan_of(graph, greedy_schedule(graph), device), test::twice(true), {}, {.tune = true})
        ->outputs;
  };
  const auto first = outputs(*captured);
  const auto second = outputs(*eager);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(first[0].elements(), second[0].elements()));
  EXPECT_NE(captured->info().fingerprint, eager->info().fingerprint);
}

// One plan that is held, again and again: on other inputs, and on memory that others used or replaced.
TEST(GpuOutputsAgain, AreOfTheInputsOfEachRequest) {
  const Graph graph = test::small_residual();
  const Graph sample = test::small_sample();
  const HostDevice device = open_on_host({.host = test::slow_host()});
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  const auto held = must(device->load(plan, {}, {}));
  const auto expect_right = [&](std::vector<Tensor> inputs) {
    RunOptions options = test::twice(true);
    options.inputs = std::move(inputs);
    const auto run = must(held->run(options, {}));
    const auto fed = options.inputs.empty() ? synthetic_inputs(plan) : options.inputs;
    const auto expected = iosx::test::reference_outputs(graph, fed, 1);
    EXPECT_LE(iosx::test::largest_error(expected[0], run.outputs[0]), 1e-5);
  };
  const auto others = [&](std::int64_t batch) {
    expect_reference(*device, sample, greedy_schedule(sample), batch);
    std::vector<ExecutionPlan> stages;
    for (const Stage& stage : one_by_one_schedule(sample).stages) {
      stages.push_back(lower_stage(sample, stage, batch, device->info().lowering));
    }
    EXPECT_TRUE(device->measure(stages, test::twice().timing, {}));
  };
  for (const std::int64_t batch : {1, 4}) {
    expect_right({});
    expect_right({});
    others(batch);
    expect_right({});
    expect_right(synthetic_inputs(plan, ParameterInit::kIntegers));
    others(batch);
    expect_right(synthetic_inputs(plan, ParameterInit::kIntegers));
    expect_right({});
  }
}

TEST(GpuComparison, RunsTheWholeJobAndVerifies) {
  test::HostRuntime::Options host = test::slow_host();
  host.cost = [](const Step&) { return std::pair(Micros{1000}, 0.4); };  // two fit side by side
  const HostDevice device = open_on_host({.host = host});
  CompareOptions options{.verify = true};
  options.timing = {.warmup = 0, .repeats = 3, .max_repeats = 3, .min_time = Millis{0}};
  const auto comparison = must(compare(test::small_sample(), *device, options, {}));
  EXPECT_FALSE(comparison.failed_verification()) << comparison_table(comparison);
  const ScheduleResult& best = comparison.results[comparison.best()];
  for (const ScheduleKind baseline : {ScheduleKind::kSequential, ScheduleKind::kGreedy}) {
    EXPECT_LE(best.latency.value, comparison.find(baseline)->latency.value) << row_of(baseline).id;
  }
  EXPECT_GT(comparison.speedup(best).value, 1.3) << comparison_table(comparison);
  for (const ScheduleResult& result : comparison.results) {
    EXPECT_EQ(result.latency.clock_mhz, 1000);
    EXPECT_EQ(result.trace.kernels.size(), result.plan.kernels.size());
    EXPECT_GT(result.peak_bytes, 0);
  }
}

}  // namespace
}  // namespace iosx::gpu
