#include "core/devices/cpu/cpu_device.h"

#include "core/devices/cpu/prepared_plan.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/devices/cpu/feeds.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using Clock = std::chrono::steady_clock;

ExecutionPlan sequential_plan(const Graph& graph, const Device& device, std::int64_t batch = 1) {
  return lower(graph, one_by_one_schedule(graph), batch, device.info().lowering);
}

TEST(CpuDevice, SaysWhatItIs) {
  const auto device = test::open_cpu();
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.id, "cpu");
  EXPECT_EQ(info.origin, Origin::kMeasured);
  EXPECT_TRUE(info.computes);
  EXPECT_TRUE(info.lowering.fuse && info.lowering.concat_in_place);
  EXPECT_THAT(info.summary, HasSubstr("2 cores"));
  EXPECT_THAT(info.fingerprint, HasSubstr("oneDNN"));
  CpuOptions half{.precision = DataType::kBfloat16};
  EXPECT_NE(cpu_device_info(half).fingerprint, info.fingerprint);
  EXPECT_EQ(cpu_device_info(half).id, "cpu-bf16");
}

TEST(CpuDevice, TracesEveryKernelOnItsLane) {
  const auto device = test::open_cpu();
  const Graph graph = test::fork_join(4);
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, device->info().lowering);
  const auto result = must(load_and_run(*device, plan, RunOptions{.trace = true}, {}));
  const Trace& trace = result.trace;
  ASSERT_EQ(trace.kernels.size(), plan.kernels.size());
  ASSERT_EQ(trace.stages.size(), plan.stages.size());
  ASSERT_EQ(result.stage_latencies.size(), plan.stages.size());
  double core_time = 0;
  for (const KernelSpan& span : trace.kernels) {
    EXPECT_LE(span.begin, span.end);
    EXPECT_GE(span.begin, trace.stages[span.stage].begin);
    EXPECT_LE(span.end, trace.stages[span.stage].end);
    const Kernel& kernel = plan.kernel(span.kernel);
    EXPECT_EQ(span.lane, kernel.lane);
    const int threads = trace.stages[span.stage].lane_threads[span.lane];
    EXPECT_LE(1, threads);
    core_time += (span.end - span.begin).count() * threads;
  }
  ASSERT_EQ(trace.counters.size(), 1U);
  const Counter& busy = trace.counters.front();
  EXPECT_EQ(busy.unit, "cores");
  EXPECT_EQ(busy.peak, 2);
  for (const double value : busy.values) EXPECT_TRUE(value >= 0 && value <= 2) << value;
  EXPECT_EQ(busy.values.back(), 0);
  EXPECT_GT(core_time, 0);
  EXPECT_NEAR(busy.mean(Micros(0), trace.duration) * trace.duration.count(), core_time, 1e-6 * core_time);
  EXPECT_EQ(result.latency.origin, Origin::kMeasured);
  EXPECT_GT(result.peak_bytes, 0);
}

TEST(CpuDevice, MeasuresEachPlan) {
  const auto device = test::open_cpu();
  const Graph graph = test::sample();
  const auto plans = mapped<ExecutionPlan>(greedy_schedule(graph).stages, [&](const Stage& stage) {
    return lower_stage(graph, stage, 1, device->info().lowering);
  });
  const auto latencies = must(device->measure(plans, {.repeats = 7}, {}));
  ASSERT_EQ(latencies.size(), plans.size());
  for (const Latency& latency : latencies) {
    EXPECT_GT(latency.value.count(), 0);
    EXPECT_GE(latency.samples, 7);
    EXPECT_EQ(latency.origin, Origin::kMeasured);
  }
}

TEST(CpuDevice, RefusesWhatItCannotExecuteByNameTypeAndPlace) {
  auto [builder, in] = test::sketch("opaque", Shape{4});
  builder.add("memory", Opaque{"LSTM", "model.onnx, node 7", Shape{4}}, {in});
  const auto graph = must(std::move(builder).build());
  const auto device = test::open_cpu();
  const ExecutionPlan plan = sequential_plan(graph, *device);
  const Error error = refused(load_and_run(*device, plan, {}, {}));
  for (const char* part : {"memory", "LSTM", "node 7"}) EXPECT_THAT(error.text(), HasSubstr(part));
  EXPECT_FALSE(device->measure(std::span(&plan, 1), {}, {}));
}

TEST(CpuDevice, RefusesWhatDoesNotFitIntoMemoryAndGoesOn) {
  const auto device = must(open_cpu_device(CpuOptions{.memory_limit = 64 << 20}));
  const Graph graph = test::chain(3);
  EXPECT_THAT(refused(load_and_run(*device, sequential_plan(graph, *device, 100'000), {}, {})).text(), HasSubstr("MB"));
  EXPECT_TRUE(load_and_run(*device, sequential_plan(graph, *device), {}, {}));
}

TEST(CpuDevice, ForgetsOtherNetworksWeightsWhereMemoryIsShort) {
  CpuOptions options;
  options.memory_limit = 450'000'000;  // AlexNet's 244 MB of weights, the largest of them once more while it is packed
  const auto device = must(open_cpu_device(options));
  RunOptions once;
  once.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1};
  for (const char* name : {"alexnet", "resnet50", "alexnet"}) {
    const auto graph = must(zoo_network(name));
    const auto run = load_and_run(*device, sequential_plan(graph, *device), once, {});
    EXPECT_TRUE(run) << name << ": " << run.error().text();
  }
}

TEST(CpuDevice, RefusesInputsThatDoNotFit) {
  const auto device = test::open_cpu();
  const ExecutionPlan plan = sequential_plan(test::chain(1), *device);
  RunOptions options{.inputs = {Tensor({1, 2}, {1, 2})}};
  EXPECT_THAT(refused(load_and_run(*device, plan, options, {})).text(), HasSubstr("in"));
  options.inputs.clear();
  options.inputs.resize(2);
  EXPECT_FALSE(load_and_run(*device, plan, options, {}));
}

class HeldPlans : public testing::Test {
 protected:
  std::unique_ptr<LoadedPlan> load(Device& device, const Schedule& schedule, std::int64_t batch = 1) const {
    return must(device.load(lower(graph_, schedule, batch, device.info().lowering), {}, {}));
  }
  static std::vector<Tensor> outputs(LoadedPlan& plan, std::vector<Tensor> inputs = {}) {
    RunOptions options;
    options.timing = {.warmup = 0, .repeats = 2, .max_repeats = 2, .min_time = Millis{0}};
    options.outputs = true;
    options.inputs = std::move(inputs);
    auto run = plan.run(options, {});
    EXPECT_TRUE(run) << run.error().text();
    return run ? std::move(run->outputs) : std::vector<Tensor>();
  }
  static void expect_same(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual) {
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(expected[i].elements(), actual[i].elements()));
    }
  }
  const Graph graph_ = test::fork_join(4);
  const Schedule sequential_ = one_by_one_schedule(graph_);
  const Schedule greedy_ = greedy_schedule(graph_);
};

// Each as if it were alone on a device of its own, whatever ran between.
TEST_F(HeldPlans, ComputeTheSameInterleavedAsAlone) {
  const auto alone = [&](const Schedule& schedule, std::int64_t batch, const std::vector<Tensor>& inputs) {
    const auto device = test::open_cpu();
    return outputs(*load(*device, schedule, batch), inputs);
  };
  const auto device = test::open_cpu();
  const auto small = load(*device, sequential_);
  const auto wide = load(*device, greedy_);
  const auto large = load(*device, greedy_, 8);  // needs more memory than both
  const auto other_inputs = synthetic_inputs(small->plan(), ParameterInit::kIntegers);
  const auto small_alone = alone(sequential_, 1, {});
  const auto small_other = alone(sequential_, 1, other_inputs);
  const auto wide_alone = alone(greedy_, 1, {});
  const auto large_alone = alone(greedy_, 8, {});
  ASSERT_FALSE(std::ranges::equal(small_alone[0].elements(), small_other[0].elements()));
  std::vector<ExecutionPlan> stages;
  for (const Stage& stage : greedy_.stages) {
    stages.push_back(lower_stage(graph_, stage, 2, device->info().lowering));
  }
  for (int round = 0; round < 3; ++round) {
    expect_same(small_alone, outputs(*small));
    expect_same(wide_alone, outputs(*wide));
    expect_same(large_alone, outputs(*large));
    expect_same(small_other, outputs(*small, other_inputs));
    expect_same(small_alone, outputs(*small));
    ASSERT_TRUE(device->measure(stages, {.repeats = 1}, {}));
    expect_same(small_alone, outputs(*small));
    expect_same(small_alone, outputs(*small));
  }
}

// Weights that do not fit together: whoever runs has them.
TEST(CpuDevice, HoldsPlansThatDoNotFitTogether) {
  CpuOptions options;
  options.memory_limit = 450'000'000;  // see above
  const auto device = must(open_cpu_device(options));
  RunOptions once;
  once.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1};
  std::vector<std::unique_ptr<LoadedPlan>> held;
  for (const char* name : {"alexnet", "resnet50"}) {
    const auto graph = must(zoo_network(name));
    auto loaded = device->load(sequential_plan(graph, *device), {}, {});
    ASSERT_TRUE(loaded) << name << ": " << loaded.error().text();
    held.push_back(std::move(*loaded));
  }
  for (const std::size_t turn : {0, 1, 1, 0}) {
    const auto run = held[turn]->run(once, {});
    EXPECT_TRUE(run) << turn << ": " << run.error().text();
  }
}

TEST_F(HeldPlans, RunAfterAStopAndAfterWrongInputs) {
  const auto device = test::open_cpu();
  const auto plan = load(*device, greedy_);
  const auto right = outputs(*plan);
  EXPECT_THAT(refused(plan->run({}, {stopped_token(), {}})).text(), HasSubstr("stopped"));
  EXPECT_FALSE(device->load(plan->plan(), {}, {stopped_token(), {}}));
  EXPECT_FALSE(plan->run(RunOptions{.inputs = {Tensor({1, 2}, {1, 2})}}, {}));
  expect_same(right, outputs(*plan));
}

TEST(CpuPreparedPlan, SharesItsMemoryWithOthersUntilOneIsLarger) {
  cpu::Workplace workplace(DataType::kFloat32, 2, std::int64_t{1} << 30, std::int64_t{1} << 30);
  auto pool = must(TeamPool::create(2));
  const Graph graph = test::chain(3);
  const auto prepared = [&](std::int64_t batch) {
    return must(cpu::PreparedPlan::prepare(lower(graph, one_by_one_schedule(graph), batch), workplace, *pool, {}));
  };
  cpu::PreparedPlan first = prepared(4);
  EXPECT_FALSE(first.enter()) << "it was prepared last";
  const std::int64_t used = workplace.budget.used();
  cpu::PreparedPlan second = prepared(4);
  EXPECT_EQ(workplace.budget.used(), used);
  EXPECT_TRUE(first.usable() && second.usable());
  EXPECT_TRUE(first.enter());
  EXPECT_FALSE(first.enter());
  EXPECT_TRUE(second.enter());
  const cpu::PreparedPlan larger = prepared(1000);
  EXPECT_FALSE(first.usable() || second.usable());
  EXPECT_TRUE(larger.usable());
  workplace.clear();
  EXPECT_FALSE(larger.usable());
}

TEST(CpuDevice, RefusesWrongNumbersOfCores) { EXPECT_FALSE(open_cpu_device(CpuOptions{.cores = -1})); }

// Whether the device stops soon after it was asked to, in the midst of work for many seconds: while plans are prepared,
// while they run.
template <typename Work>
void expect_soon_stopped_after(std::chrono::milliseconds delay, const Work& work) {
  std::stop_source source;
  Clock::time_point asked;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(delay);
    asked = Clock::now();
    source.request_stop();
  });
  JobContext job{.stop = source.get_token()};
  work(job);
  stopper.join();
  const Millis late = Clock::now() - asked;
  std::printf("stopped after %.1f ms\n", late.count());
  EXPECT_LT(late.count(), 2000);
}

TEST(CpuDevice, StopsMeasuringInTheMidstOfAPlan) {
  const auto device = test::open_cpu();
  const auto graph = must(zoo_network("inception_v3"));
  const std::vector<ExecutionPlan> plans(2, sequential_plan(graph, *device, 8));
  for (const int delay : {20, 1500}) {
    expect_soon_stopped_after(std::chrono::milliseconds(delay), [&](const JobContext& job) {
      const auto latencies = must(device->measure(plans, {.repeats = 1000, .max_repeats = 1000}, job));
      EXPECT_LT(latencies.size(), plans.size());
    });
  }
}

TEST(CpuDevice, StopsARun) {
  const auto device = test::open_cpu();
  const auto graph = must(zoo_network("inception_v3"));
  RunOptions options;
  options.timing = {.repeats = 1000, .max_repeats = 1000};
  for (const int delay : {20, 1500}) {
    expect_soon_stopped_after(std::chrono::milliseconds(delay), [&](const JobContext& job) {
      EXPECT_FALSE(load_and_run(*device, sequential_plan(graph, *device, 8), options, job));
    });
  }
}

// oneDNN's reference implementations are a thousand times slower than the others.
TEST(CpuDevice, NeverTakesAReferenceImplementationForAZooNetwork) {
  cpu::Workplace workplace(DataType::kFloat32, 2, std::int64_t{4} << 30, std::int64_t{1} << 30);
  auto pool = must(TeamPool::create(2));
  const std::array names{"squeezenet", "googlenet", "inception_v3", "resnet18", "randwire", "nasnet"};
  for (std::size_t i = 0; i < names.size(); i += test::every(2)) {
    const char* const name = names[i];
    const auto graph = must(zoo_network(name));
    const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, {.fuse = true, .concat_in_place = true});
    const auto prepared = must(cpu::PreparedPlan::prepare(plan, workplace, *pool, {}));
    for (const cpu::PreparedStage& stage : prepared.stages()) {
      for (const auto& lane : stage.lanes) {
        for (const cpu::PreparedKernel& kernel : lane) {
          EXPECT_FALSE(cpu::is_reference(kernel.implementation.c_str()))
              << name << ", " << plan.kernel(kernel.id).name << ": " << kernel.implementation;
        }
      }
    }
  }
}

}  // namespace
}  // namespace iosx
