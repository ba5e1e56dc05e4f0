#include "core/devices/checks.h"

#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Latency good() { return {Millis{1}, Millis{0.1}, 5, Origin::kMeasured}; }

// Answers what it should, but for what the test spoils.
class SpoiltDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }

  std::function<void(std::vector<Latency>&)> spoil_latencies = [](auto&) {};
  std::function<void(RunResult&)> spoil_run = [](auto&) {};
  std::stop_source* stop = nullptr;  // asked to stop during the request
  bool gives_nothing = false;

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& /*timing*/,
                                          const JobContext& /*job*/) override {
    if (stop != nullptr) stop->request_stop();
    std::vector<Latency> latencies(plans.size(), good());
    spoil_latencies(latencies);
    return latencies;
  }
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& /*options*/,
                                              const JobContext& /*job*/) override {
    if (gives_nothing) return nullptr;
    return test::loaded(info_, std::move(plan),
                        [this](const ExecutionPlan& held, const RunOptions&, const JobContext&) {
                          if (stop != nullptr) stop->request_stop();
                          return Result<RunResult>(answer(held));
                        });
  }
  RunResult answer(const ExecutionPlan& plan) const {
    RunResult run{.latency = good()};
    run.stage_latencies.assign(plan.stages.size(), good());
    run.trace = test::empty_trace(plan);
    run.trace.counters.push_back({"busy", "cores", 2, {Micros{0}, Micros{1}}, {1, 0}});
    for (const PlanOutput& output : plan.outputs) {
      const std::vector<std::int64_t> dims = output_dims(plan, output);
      std::int64_t count = 1;
      for (const std::int64_t dim : dims) count *= dim;
      run.outputs.emplace_back(dims, std::vector<float>(static_cast<std::size_t>(count)));
    }
    spoil_run(run);
    return run;
  }
  const DeviceInfo info_ = [] { return DeviceInfo{.id = "spoilt", .origin = Origin::kMeasured, .computes = true}; }();
};

class Answers : public testing::Test {
 protected:
  Answers() : plan_(lower(graph_, greedy_schedule(graph_), 2)), plans_(3, plan_) {}

  // The error's text; empty if the answer is taken.
  std::string measured(const std::function<void(std::vector<Latency>&)>& spoil, const JobContext& job = {}) {
    device_.spoil_latencies = spoil;
    const auto answer = device_.measure(plans_, {}, job);
    return answer ? "" : answer.error().text();
  }
  std::string ran(const std::function<void(RunResult&)>& spoil, const JobContext& job = {}) {
    device_.spoil_run = spoil;
    const auto answer = load_and_run(device_, plan_, {.trace = true, .outputs = true}, job);
    return answer ? "" : answer.error().text();
  }

  const Graph graph_ = test::fork_join(3);
  const ExecutionPlan plan_;
  const std::vector<ExecutionPlan> plans_;
  SpoiltDevice device_;
};

TEST_F(Answers, AreTakenAsTheyAreWhereNothingIsWrong) {
  EXPECT_EQ(measured([](auto&) {}), "");
  EXPECT_EQ(ran([](auto&) {}), "");
}

TEST_F(Answers, NameTheDeviceAndWhoseFaultItIs) {
  const auto text =
      AllOf(HasSubstr("spoilt: the device returned 2 latencies for 3 plans"), HasSubstr("bug of the device"));
  EXPECT_THAT(measured([](auto& latencies) { latencies.pop_back(); }), text);
}

TEST_F(Answers, OfTooFewOrTooManyLatenciesAreErrors) {
  EXPECT_THAT(measured([](auto& latencies) { latencies.clear(); }), HasSubstr("0 latencies for 3"));
  EXPECT_THAT(measured([](auto& latencies) { latencies.push_back(good()); }), HasSubstr("4 latencies for 3"));
}

// A stop allows a prefix, whole or not, and nothing else.
TEST_F(Answers, AfterAStopMayBeAPrefix) {
  const auto stopped = [&](const auto& spoil) {
    std::stop_source stop;
    device_.stop = &stop;
    return measured(spoil, {stop.get_token(), {}});
  };
  EXPECT_EQ(stopped([](auto& latencies) { latencies.pop_back(); }), "");
  EXPECT_EQ(stopped([](auto& latencies) { latencies.clear(); }), "");
  EXPECT_EQ(stopped([](auto&) {}), "");
  EXPECT_THAT(stopped([](auto& latencies) { latencies.push_back(good()); }), HasSubstr("spoilt: "));
  EXPECT_THAT(stopped([](auto& latencies) { latencies[0].value = Millis{kNan}; }), HasSubstr("spoilt: "));
}

TEST_F(Answers, AfterAStopOfARunAreLookedAtAllTheSame) {
  const auto stopped = [&](const auto& spoil) {
    std::stop_source stop;
    device_.stop = &stop;
    return ran(spoil, {stop.get_token(), {}});
  };
  EXPECT_EQ(stopped([](auto&) {}), "");
  EXPECT_THAT(stopped([](auto& run) { run.stage_latencies.clear(); }), HasSubstr("0 stage latencies for"));
}

TEST_F(Answers, OfLatenciesThatAreNoneAreErrors) {
  const std::vector<std::function<void(Latency&)>> spoils{
      [](Latency& latency) { latency.value = Millis{kNan}; },
      [](Latency& latency) { latency.value = Millis{kInfinity}; },
      [](Latency& latency) { latency.value = Millis{-1}; },
      [](Latency& latency) { latency.value = Millis{5e-324}; },
      [](Latency& latency) { latency.spread = Millis{kNan}; },
      [](Latency& latency) { latency.spread = Millis{-0.5}; },
      [](Latency& latency) { latency.samples = -1; },
      [](Latency& latency) { latency.origin = Origin::kSimulated; },
  };
  for (const auto& spoil : spoils) {
    EXPECT_THAT(measured([&](auto& latencies) { spoil(latencies[1]); }), HasSubstr("spoilt: "));
    EXPECT_THAT(ran([&](RunResult& run) { spoil(run.latency); }), HasSubstr("spoilt: "));
    EXPECT_THAT(ran([&](RunResult& run) { spoil(run.stage_latencies.back()); }), HasSubstr("spoilt: "));
  }
}

TEST_F(Answers, OfNoTimeOrNoSampleAreErrors) {
  const std::vector<std::function<void(Latency&)>> spoils{
      [](Latency& latency) { latency.value = latency.spread = Millis{0}; },
      [](Latency& latency) {
        latency = {Millis{0}, Millis{5}, 5, Origin::kMeasured};
      },
      [](Latency& latency) { latency.samples = 0; },
  };
  for (const auto& spoil : spoils) {
    EXPECT_THAT(measured([&](auto& latencies) { spoil(latencies[1]); }), HasSubstr("spoilt: "));
    EXPECT_THAT(ran([&](RunResult& run) { spoil(run.latency); }), HasSubstr("spoilt: "));
  }
  // What is within a small spread of its measurement, and a plan that computes nothing.
  EXPECT_EQ(measured([](auto& latencies) { latencies[1].value = Millis{0}; }), "");
  device_.spoil_latencies = [](auto& latencies) { latencies[0].value = latencies[0].spread = Millis{0}; };
  EXPECT_TRUE(device_.measure(std::vector<ExecutionPlan>(1), {}, {}));
}

TEST_F(Answers, OfARunThatIsNotThePlansAreErrors) {
  struct Spoil {
    const char* says;
    std::function<void(RunResult&)> spoil;
  };
  const std::vector<Spoil> spoils{
      {"stage latencies", [](RunResult& run) { run.stage_latencies.pop_back(); }},
      {"stage latencies", [](RunResult& run) { run.stage_latencies.push_back(good()); }},
      {"bytes", [](RunResult& run) { run.peak_bytes = -1; }},
      {"samples of a latency",
       [](RunResult& run) { run.samples.assign(static_cast<std::size_t>(run.latency.samples) + 1, Millis(1)); }},
      {"samples of a latency",
       [](RunResult& run) { run.samples.assign(static_cast<std::size_t>(run.latency.samples), Millis(-1)); }},
      {"MHz", [](RunResult& run) { run.latency.clock_mhz = kNan; }},
      {"outputs", [](RunResult& run) { run.outputs.clear(); }},
      {"outputs", [](RunResult& run) { run.outputs.push_back(run.outputs.front()); }},
      {"returned output '", [](RunResult& run) { run.outputs.front() = Tensor(); }},
      {"returned output '",
       [](RunResult& run) {
         run.outputs.front() = Tensor({1, 2}, {1, 2});
       }},
      {"with 1 numbers",
       [](RunResult& run) {
         const auto dims = run.outputs.front().dims();
         run.outputs.front() = Tensor({dims.begin(), dims.end()}, {1});
       }},
      {"a trace of 0 lanes", [](RunResult& run) { run.trace = {}; }},
      {"a trace of nan us", [](RunResult& run) { run.trace.duration = Micros{kNan}; }},
      {"stages", [](RunResult& run) { run.trace.stages.pop_back(); }},
      {"a stage from 2 to 1",
       [](RunResult& run) {
         run.trace.stages[0] = {Micros{2}, Micros{1}};
       }},
      {"threads of 7 lanes", [](RunResult& run) { run.trace.stages[0].lane_threads.resize(7); }},
      {"kernels for", [](RunResult& run) { run.trace.kernels.pop_back(); }},
      {"that is not in the plan", [](RunResult& run) { run.trace.kernels[0].kernel = KernelId(1000); }},
      {"that is not in the plan", [](RunResult& run) { run.trace.kernels[0].kernel = KernelId(); }},
      {"twice", [](RunResult& run) { run.trace.kernels[1] = run.trace.kernels[0]; }},
      {"wrong stage or lane", [](RunResult& run) { run.trace.kernels[0].stage = 9; }},
      {"wrong stage or lane", [](RunResult& run) { run.trace.kernels[0].lane = 9; }},
      {"a kernel from -1", [](RunResult& run) { run.trace.kernels[0].begin = Micros{-1}; }},
      {"ordered by start time",
       [](RunResult& run) { run.trace.kernels[0].begin = run.trace.kernels[0].end = Micros{1}; }},
      {"1 times but 2 values", [](RunResult& run) { run.trace.counters[0].times.pop_back(); }},
      {"counter 'busy'", [](RunResult& run) { run.trace.counters[0].values[0] = kNan; }},
      {"counter 'busy'", [](RunResult& run) { run.trace.counters[0].times[0] = Micros{2}; }},
      {"2 values but 1 errors", [](RunResult& run) { run.trace.counters[0].errors = {1}; }},
      {"counter 'busy'",
       [](RunResult& run) {
         run.trace.counters[0].errors = {1, -1};
       }},
      {"stage errors for", [](RunResult& run) { run.trace.counters[0].stage_errors.resize(77); }},
      {"counter 'busy'", [](RunResult& run) { run.trace.counters[0].error = kNan; }},
      {"an invalid launch of",
       [](RunResult& run) {
         run.trace.kernels[0].launches = {
             {.name = "f", .begin = run.trace.kernels[0].end + Micros{1}, .end = run.trace.kernels[0].end + Micros{2}}};
       }},
      {"a launch from nan",
       [](RunResult& run) { run.trace.kernels[0].launches = {{.name = "f", .begin = Micros{kNan}}}; }},
  };
  for (const Spoil& each : spoils) EXPECT_THAT(ran(each.spoil), AllOf(HasSubstr("spoilt: "), HasSubstr(each.says)));
}

// A device that cannot look into itself answers with a run's trace, which is checked like one.
TEST_F(Answers, ToAProfileAreCheckedToo) {
  const auto profiled = [this] {
    const auto loaded = device_.load(plan_, {}, {});
    const auto profile = (*loaded)->profile({}, {});
    return profile ? std::string() : profile.error().text();
  };
  EXPECT_EQ(profiled(), "");
  device_.spoil_run = [](RunResult& run) { run.trace.kernels[0].lane = 9; };
  EXPECT_THAT(profiled(), AllOf(HasSubstr("spoilt: "), HasSubstr("the wrong stage or lane")));
}

// What was not asked for is not looked at, and does not come through.
TEST_F(Answers, OfWhatNobodyAskedForAreDropped) {
  device_.spoil_run = [](RunResult& run) {
    run.trace.stages.clear();
    run.outputs.clear();
    run.outputs.resize(7);
  };
  const auto run = must(load_and_run(device_, plan_, {}, {}));
  EXPECT_TRUE(run.outputs.empty());
  EXPECT_TRUE(run.trace.kernels.empty());
}

TEST_F(Answers, OfNoLoadedPlanAreErrors) {
  device_.gives_nothing = true;
  EXPECT_THAT(ran([](auto&) {}), HasSubstr("spoilt: the device returned no loaded plan"));
}

}  // namespace
}  // namespace iosx
