#include <unistd.h>

#include "core/devices/measure/latency_sources.h"
#include "core/devices/measure/store_place.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr double kClock = 1980;

// A device whose latency is the cost of the plan's kernels, in ms.
class FakeDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return described; }

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    ++requests;
    timings.push_back(timing);
    if (broken) return fail(message("the device fell over"));
    std::vector<Latency> latencies;
    for (const ExecutionPlan& plan : plans) {
      if (job.stopped()) break;
      double flops = 0;
      for (const Kernel& kernel : plan.kernels) flops += cost(kernel);
      latencies.push_back(Latency{Millis(flops), Millis(0), 1, Origin::kMeasured, kClock});
      ++measured;
      if (measured == stop_after) stop.request_stop();
    }
    if (spoil) spoil(latencies);
    return latencies;
  }
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan, const LoadOptions&, const JobContext&) override {
    return fail(message("the fake device runs nothing"));
  }

  std::function<double(const Kernel&)> cost = [](const Kernel& kernel) { return kernel.work.flops; };
  std::function<void(std::vector<Latency>&)> spoil;  // its answers, if set
  int requests = 0;
  std::vector<TimingOptions> timings;  // of the requests
  int measured = 0;
  int stop_after = -1;
  bool broken = false;
  std::stop_source stop;
  DeviceInfo described{"fake", "Fake", "for tests", "fake-1", Origin::kMeasured};
};

std::vector<Stage> every_unit(const Graph& graph) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < graph.units().size(); ++i) stages.push_back(single_unit_stage(UnitId(i)));
  return stages;
}

TEST(DeviceLatencySource, SameStructureIsMeasuredOnce) {
  const Graph graph = test::chain(6);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  const auto stages = every_unit(graph);
  const auto first = source.stage_latencies(stages, {}).value();
  ASSERT_EQ(first.size(), 6U);
  EXPECT_EQ(device.measured, 1);
  EXPECT_EQ(source.tally().measured, 1);
  EXPECT_EQ(source.stage_latencies(stages, {}).value().size(), 6U);
  EXPECT_EQ(device.measured, 1);
  EXPECT_EQ(first[0].origin, Origin::kMeasured);
}

TEST(DeviceLatencySource, AnswersInOrder) {
  const Graph graph = test::random_dag(9, 30);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 2);
  const auto latencies = source.stage_latencies(every_unit(graph), {}).value();
  ASSERT_EQ(latencies.size(), 30U);
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    EXPECT_EQ(latencies[i].value.count(), work(graph, UnitId(i), 2).flops) << i;
  }
  EXPECT_LT(device.measured, 30);
  EXPECT_EQ(source.tally().measured, device.measured);
}

// The lowest of many noisy latencies is too low; measured once more it is as any other.
TEST(DeviceLatencySource, SettlesWhatWasAFirstLook) {
  const Graph graph = test::random_dag(9, 30);
  FakeDevice device;
  device.spoil = [&device](std::vector<Latency>& latencies) {
    for (Latency& latency : latencies) latency.value += Millis(device.timings.back() == TimingOptions{} ? 1 : 0);
  };
  DeviceLatencySource source(graph, device, 1);
  EXPECT_TRUE(source.estimates_quickly());
  const auto stages = every_unit(graph);
  const auto some = std::span(stages).first(5);
  const auto first = source.stage_latencies(std::span(stages).first(10), {}).value();
  EXPECT_EQ(device.timings.back(), quick_estimate({}));
  EXPECT_EQ(source.noise(0).known, 0);
  const int measured = device.measured;
  const StageTally tally = source.tally();
  const auto refined = source.refined_latencies(some, {}).value();
  EXPECT_EQ(device.measured, measured + source.refined());
  EXPECT_GT(source.refined(), 0);
  EXPECT_EQ(source.noise(0).known, source.refined());
  EXPECT_EQ(source.tally(), tally);
  const auto then = source.stage_latencies(std::span(stages).first(10), {}).value();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(refined[i].value, first[i].value + Millis(1)) << i;
    EXPECT_EQ(then[i], refined[i]) << i;
  }
  const int twice = device.measured;
  EXPECT_EQ(source.refined_latencies(some, {}).value(), refined);
  EXPECT_EQ(device.measured, twice) << "once is enough";

  source.start_tally();
  ASSERT_TRUE(source.refined_latencies(stages, {}));
  EXPECT_EQ(source.tally().measured, source.tally().needed - tally.needed) << "what nobody had asked for";
}

// Branches of one structure that write other channels of the concatenation: whether they are one measurement is up to
// the device, and the concatenation itself may leave it nothing to do.
TEST(DeviceLatencySource, LowersAsTheDeviceWants) {
  const Graph graph = test::fork_join(3);
  const auto stages = every_unit(graph);
  FakeDevice plain;
  plain.cost = [](const Kernel&) { return 1.0; };
  const auto kernels = DeviceLatencySource(graph, plain, 1).stage_latencies(stages, {}).value();
  EXPECT_EQ(plain.measured, 2);  // convolutions, concatenation
  EXPECT_EQ(kernels.back().value.count(), 1);
  FakeDevice in_place = plain;
  in_place.measured = 0;
  in_place.described.lowering.concat_in_place = true;
  const auto fewer = DeviceLatencySource(graph, in_place, 1).stage_latencies(stages, {}).value();
  EXPECT_EQ(in_place.measured, 5);
  EXPECT_EQ(fewer.front().value.count(), 1);
  EXPECT_EQ(fewer.back().value.count(), 0);
}

TEST(DeviceLatencySource, RequestsAreBatches) {
  const Graph graph = test::random_dag(4, 40);
  std::vector<Stage> stages;
  for (std::size_t i = 0; i + 1 < 40; ++i) {
    for (std::size_t j = i + 1; j < 40; ++j) {
      stages.push_back(Stage{{Group{{Step{{UnitId(i)}}, Step{{UnitId(j)}}}}}});
    }
  }
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  EXPECT_EQ(source.stage_latencies(stages, {}).value().size(), stages.size());
  EXPECT_LT(device.requests, device.measured);
}

TEST(DeviceLatencySource, StopGivesAPrefixAndForgetsNothing) {
  const Graph graph = test::random_dag(9, 30);
  const auto stages = every_unit(graph);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  device.stop_after = 2;
  const auto some = source.stage_latencies(stages, JobContext{device.stop.get_token(), {}}).value();
  EXPECT_GE(some.size(), 2U);
  EXPECT_LT(some.size(), stages.size());
  EXPECT_EQ(source.tally().measured, 2);
  const auto all = source.stage_latencies(stages, {}).value();
  ASSERT_EQ(all.size(), stages.size());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].value, all[i].value);
  EXPECT_EQ(source.tally().measured, device.measured);
}

// The device is slower the later its heavier lanes start.
TEST(DeviceLatencySource, TheOrderOfGroupsDoesNotMatter) {
  const Graph graph = test::sample();
  Stage stage{{Group{{Step{{UnitId(0)}}}}, Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}}};
  const auto by_lane = [](const Kernel& kernel) { return kernel.work.flops * static_cast<double>(kernel.lane + 1); };
  std::set<double> seen;
  std::set<double> of_the_device;
  for (int turn = 0; turn < 3; ++turn) {
    FakeDevice device;
    device.cost = by_lane;
    DeviceLatencySource fresh(graph, device, 1);
    seen.insert(fresh.stage_latencies(std::vector{stage}, {}).value().front().value.count());
    double direct = 0;  // had the lanes been in the order given
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      const UnitId unit = stage.groups[g].steps.front().units.front();
      direct += work(graph, unit, 1).flops * static_cast<double>(g + 1);
    }
    of_the_device.insert(direct);
    std::rotate(stage.groups.begin(), stage.groups.begin() + 1, stage.groups.end());
  }
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_GT(of_the_device.size(), 1U);
}

TEST(DeviceLatencySource, TalliesStructuresWhateverWasKnown) {
  const Graph graph = test::random_dag(9, 30);
  const auto stages = every_unit(graph);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  source.start_tally();
  ASSERT_TRUE(source.stage_latencies(stages, {}));
  const StageTally first = source.tally();
  EXPECT_EQ(first.needed, device.measured);
  EXPECT_EQ(first.measured, device.measured);
  ASSERT_TRUE(source.stage_latencies(stages, {}));  // asked twice, tallied once
  EXPECT_EQ(source.tally().needed, first.needed);

  source.start_tally();
  EXPECT_EQ(source.tally().needed, 0);
  ASSERT_TRUE(source.stage_latencies(stages, {}));
  EXPECT_EQ(source.tally().needed, first.needed);
  EXPECT_EQ(source.tally().measured, 0);
}

// Short, long, no number: nothing of such an answer is kept.
TEST(DeviceLatencySource, AnAnswerThatIsNoneIsAnErrorThatNamesTheDevice) {
  const Graph graph = test::random_dag(9, 30);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  const std::vector<std::function<void(std::vector<Latency>&)>> spoils{
      [](auto& latencies) { latencies.pop_back(); }, [](auto& latencies) { latencies.push_back(latencies.back()); },
      [](auto& latencies) { latencies.front().value = Millis{std::nan("")}; }};
  for (const auto& spoil : spoils) {
    device.spoil = spoil;
    const Error error = refused(source.stage_latencies(every_unit(graph), {}));
    EXPECT_NE(error.text().find("fake: the device returned"), std::string::npos) << error.text();
    EXPECT_EQ(source.tally().measured, 0);
  }
  device.spoil = {};
  EXPECT_EQ(source.stage_latencies(every_unit(graph), {}).value().size(), 30U);
}

TEST(DeviceLatencySource, DeviceErrorIsPassedOnAndNotRemembered) {
  const Graph graph = test::chain(2);
  FakeDevice device;
  device.broken = true;
  DeviceLatencySource source(graph, device, 1);
  EXPECT_EQ(refused(source.stage_latencies(every_unit(graph), {})).what, "the device fell over");
  device.broken = false;
  EXPECT_EQ(source.stage_latencies(every_unit(graph), {}).value().size(), 2U);
}

// With a store: what one source measured the next one need not, as long as device, batch and thoroughness are the same.
class KeptLatencies : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("kept-latencies-{}", getpid());
    std::filesystem::remove_all(folder_);
    store_ = MeasurementStore::open(folder_ / "store.db").value();
    device_.described.id = "fake";
    device_.described.fingerprint = "fake 1";
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  // How many of the stages had to be measured.
  std::int64_t measured(std::int64_t batch = 1, const TimingOptions& timing = {}) {
    DeviceLatencySource source(graph_, device_, batch, timing, {store_.get(), "0.1.0"});
    const auto latencies = source.stage_latencies(every_unit(graph_), {});
    EXPECT_TRUE(latencies.has_value());
    EXPECT_EQ(latencies->size(), 30U);
    EXPECT_EQ(source.tally().needed, source.tally().measured + source.tally().reused());
    EXPECT_TRUE(source.take_notices().empty());
    return source.tally().measured;
  }

  const Graph graph_ = test::random_dag(9, 30);
  FakeDevice device_;
  std::filesystem::path folder_;
  std::unique_ptr<MeasurementStore> store_;
};

TEST_F(KeptLatencies, AreReused) {
  const std::int64_t structures = measured();
  EXPECT_GT(structures, 10);
  EXPECT_EQ(measured(), 0);
  EXPECT_EQ(device_.measured, structures);
  EXPECT_EQ(store_->info().value().measurements, structures);
  store_ = MeasurementStore::open(folder_ / "store.db").value();  // another process
  EXPECT_EQ(measured(), 0);
}

TEST_F(KeptLatencies, AreThoseThatWereMeasured) {
  DeviceLatencySource first(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
  const auto fresh = first.stage_latencies(every_unit(graph_), {}).value();
  DeviceLatencySource second(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
  const auto kept = second.stage_latencies(every_unit(graph_), {}).value();
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    EXPECT_EQ(kept[i], fresh[i]);
    EXPECT_EQ(kept[i].clock_mhz, kClock);
  }
}

TEST_F(KeptLatencies, AreNoAnswerForAnything) {
  const std::int64_t structures = measured();
  EXPECT_EQ(measured(2), structures);        // another batch
  device_.described.fingerprint = "fake 2";  // another driver, say
  EXPECT_EQ(measured(), structures);
  device_.described.fingerprint = "fake 1";
  device_.described.precision = "bf16";
  EXPECT_EQ(measured(), structures);
  device_.described.precision = "f32";
  EXPECT_EQ(measured(), 0);
}

TEST_F(KeptLatencies, AreNotEnoughForWhoWantsBetterOnes) {
  const std::int64_t structures = measured();
  TimingOptions better;
  better.min_time *= 10;
  EXPECT_EQ(measured(1, better), structures);
  EXPECT_EQ(measured(1, better), 0);
  EXPECT_EQ(measured(), 0);  // and the better ones serve who wants less
}

TEST_F(KeptLatencies, AreSettledOnce) {
  const std::int64_t structures = measured();  // quick estimates
  const auto refine = [&] {
    DeviceLatencySource source(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
    EXPECT_EQ(source.refined_latencies(every_unit(graph_), {}).value().size(), 30U);
    EXPECT_EQ(source.tally().needed, structures);
    EXPECT_EQ(source.tally().measured, 0);
    return source.refined();
  };
  EXPECT_EQ(refine(), structures);
  EXPECT_EQ(refine(), 0);
  EXPECT_EQ(measured(), 0);
  EXPECT_EQ(store_->info().value().measurements, structures);
}

TEST_F(KeptLatencies, AreReplacedByWhoMeasuresAnew) {
  const std::int64_t structures = measured();
  device_.cost = [](const Kernel& kernel) { return kernel.work.flops + 1; };
  DeviceLatencySource source(graph_, device_, 1, {}, {store_.get(), "0.1.0", /*anew=*/true});
  const auto fresh = source.stage_latencies(every_unit(graph_), {}).value();
  EXPECT_EQ(source.tally().measured, structures);
  EXPECT_EQ(measured(), 0);
  DeviceLatencySource later(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
  EXPECT_EQ(later.stage_latencies(every_unit(graph_), {}).value(), fresh);
}

// As a broken worker may have sent them to a version that took them.
TEST_F(KeptLatencies, OfNoTimeAreNoneForStagesThatCompute) {
  measured();
  const MeasurementSet set = measurement_set(device_.described, 1);
  StagePlanner planner(graph_, 1, device_.described.lowering);
  std::set<std::string> seen;
  std::vector<StageKey> keys;
  for (const auto& stage : planner.canonical(every_unit(graph_))) {
    if (seen.insert(stage.key.text()).second) keys.push_back(stage.key);
  }
  std::vector<Measurement> of_no_time;
  std::int64_t changed = 0;
  const auto found = must(store_->find(set, keys));
  for (const auto& stored : found) {
    of_no_time.push_back(*stored);
    if (std::exchange(of_no_time.back().latency.value, Millis(0)) > Millis(0)) ++changed;
  }
  ASSERT_GT(changed, 10);
  must(store_->append(set, of_no_time));
  RecordedLatencySource recorded(graph_, store_.get(), set);
  EXPECT_FALSE(recorded.stage_latencies(every_unit(graph_), {}));
  EXPECT_EQ(measured(), changed);
  EXPECT_EQ(measured(), 0);
}

TEST_F(KeptLatencies, AreThereAfterAStop) {
  device_.described.plans_at_once = 1;
  device_.stop_after = 3;
  DeviceLatencySource source(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
  ASSERT_TRUE(source.stage_latencies(every_unit(graph_), JobContext{device_.stop.get_token(), {}}));
  EXPECT_EQ(store_->info().value().measurements, 3);
}

// The store is no reason to lose a search.
TEST_F(KeptLatencies, AStoreThatFailsIsToldOfAndMeasuringGoesOn) {
  device_.described.fingerprint.clear();  // which no store takes
  DeviceLatencySource source(graph_, device_, 1, {}, {store_.get(), "0.1.0"});
  EXPECT_EQ(must(source.stage_latencies(every_unit(graph_), {})).size(), 30U);
  EXPECT_EQ(source.take_notices().size(), 1U);
}

using ::testing::HasSubstr;

TEST(StorePlace, IsWhereTheUserKeepsData) {
  const char* const old_data = std::getenv("XDG_DATA_HOME");
  const char* const old_home = std::getenv("HOME");
  const std::string data = old_data == nullptr ? "" : old_data;
  const std::string home = old_home == nullptr ? "" : old_home;
  setenv("HOME", "/somewhere", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_store_file().value(), "/data/ios-explorer/measurements.db");
  setenv("XDG_DATA_HOME", "relative", 1);  // the specification says to ignore it
  EXPECT_EQ(default_store_file().value(), "/somewhere/.local/share/ios-explorer/measurements.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_store_file().value(), "/somewhere/.local/share/ios-explorer/measurements.db");
  unsetenv("HOME");
  EXPECT_THAT(default_store_file().error().text(), HasSubstr("HOME"));
  if (old_data != nullptr) setenv("XDG_DATA_HOME", data.c_str(), 1);
  if (old_home != nullptr) setenv("HOME", home.c_str(), 1);
}

}  // namespace

}  // namespace iosx
