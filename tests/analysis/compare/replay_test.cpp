#include "core/analysis/compare/replay.h"

#include <gmock/gmock.h>

#include <memory>

#include "core/analysis/compare/compare.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/devices/registry.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// A store with all that comparing a network on a device measured.
class Replay : public testing::Test {
 protected:
  Replay() : store_(open_store(folder_ / "store.db")) {}

  Comparison measured(Device& device, const CompareOptions& options = {}) { return measured(device, options, graph_); }
  Comparison measured(Device& device, const CompareOptions& options, const Graph& graph) {
    auto comparison = compare(graph, device, options, {}, {.keeping = {store_.get(), "0.1.0"}});
    EXPECT_TRUE(comparison.has_value()) << comparison.error().text();
    return std::move(*comparison);
  }
  Result<Comparison> replayed(const std::string& device = {}, const CompareOptions& options = {}) {
    const auto set = recorded_set(*store_, device, options.batch);
    if (!set) return tl::unexpected(set.error());
    return replay(graph_, *store_, *set, options, {});
  }

  const Graph graph_ = fork_join(4);
  const Folder folder_;
  std::unique_ptr<MeasurementStore> store_;
};

TEST_F(Replay, FindsTheSameSchedulesWithoutTheDevice) {
  FakeDevice device(Origin::kMeasured);
  const Comparison there = measured(device);
  const auto here = replayed();
  ASSERT_TRUE(here.has_value()) << here.error().text();
  EXPECT_EQ(here->device.id, "fake");
  EXPECT_EQ(here->device.origin, Origin::kRecorded);
  ASSERT_EQ(here->results.size(), there.results.size());
  for (std::size_t i = 0; i < there.results.size(); ++i) {
    const ScheduleResult& result = here->results[i];
    EXPECT_EQ(result.id, there.results[i].id);
    EXPECT_EQ(result.schedule, there.results[i].schedule);
    EXPECT_EQ(result.plan, there.results[i].plan);
    EXPECT_EQ(result.stage_sum, there.results[i].stage_sum);
    EXPECT_EQ(result.latency.value, result.stage_sum);
    EXPECT_EQ(result.latency.origin, Origin::kRecorded);
    for (const Latency& latency : result.stage_latencies) EXPECT_EQ(latency.origin, Origin::kRecorded);
    if (result.search) {
      EXPECT_EQ(result.search->tally.measured, 0);
    }
  }
}

// What keys and sums depend on is the device's: which kernels are fused, what lies between stages.
TEST_F(Replay, CountsInTheTermsOfTheDevice) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100").value();
  ASSERT_NE(device->info().overhead, InterStageOverhead{});
  const Comparison there = measured(*device);
  const auto here = replayed("tesla-v100");
  ASSERT_TRUE(here.has_value()) << here.error().text();
  EXPECT_EQ(here->device.overhead, device->info().overhead);
  EXPECT_EQ(here->device.origin, Origin::kSimulated);
  std::size_t same = 0;
  for (const ScheduleResult& result : there.results) {
    const ScheduleResult* const found = here->find(result.id);
    ASSERT_EQ(found == nullptr, row_of(result.schedule_kind).barrier_free) << "no stages were measured of those";
    if (found == nullptr) continue;
    EXPECT_EQ(found->schedule, result.schedule);
    EXPECT_EQ(found->stage_sum, result.stage_sum);
    ++same;
  }
  EXPECT_EQ(same, here->results.size());
}

TEST_F(Replay, ChoosesAmongWhatWasMeasuredAndSaysSo) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions baselines;
  baselines.schedule_kinds = {ScheduleKind::kOneByOne};
  const Comparison there = measured(device, baselines);
  const auto here = replayed();
  ASSERT_TRUE(here.has_value()) << here.error().text();
  EXPECT_THAT(here->notices, Contains(HasSubstr("were never measured there")));
  // The stages of the baselines are all that there is: nothing is better than the better of them.
  const Millis best = std::min(there.results[0].stage_sum, there.results[1].stage_sum);
  EXPECT_LE(here->find(ScheduleKind::kIosBoth)->stage_sum, best + Millis(1e-9));
  const auto same = replayed({}, baselines);
  ASSERT_TRUE(same.has_value());
  EXPECT_THAT(same->notices, Not(Contains(HasSubstr("were never measured there"))));
}

TEST_F(Replay, RefusesWhatWasNeverMeasured) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions other;
  other.schedule_kinds = {ScheduleKind::kSequential};
  measured(device, other, test::chain(3));
  const auto here = replayed();
  ASSERT_FALSE(here.has_value());
  EXPECT_THAT(here.error().text(), AllOf(HasSubstr("never measured on fake"), HasSubstr("store.db")));
}

TEST_F(Replay, NeedsOneSetThatIsMeant) {
  EXPECT_THAT(replayed().error().text(), HasSubstr("nothing was measured"));
  FakeDevice device(Origin::kMeasured);
  measured(device);
  CompareOptions other_batch;
  other_batch.batch = 8;
  EXPECT_THAT(replayed("fake", other_batch).error().text(),
              AllOf(HasSubstr("with batch 8"), HasSubstr("available: fake with batch 1")));
  EXPECT_THAT(replayed("cpu").error().text(), HasSubstr("'cpu'"));

  MeasurementSet twin = recorded_set(*store_, "fake", 1).value();
  twin.fingerprint += " with another driver";
  ASSERT_TRUE(store_->append(twin, some_measurement(1)));
  EXPECT_THAT(replayed("fake").error().text(), AllOf(HasSubstr("2 sets"), HasSubstr(twin.fingerprint)));
  EXPECT_TRUE(replayed(device.info().fingerprint).has_value());
}

TEST_F(Replay, NeedsTheTermsOfTheDevice) {
  ASSERT_TRUE(store_->append(some_set(), some_measurement(1)));
  EXPECT_THAT(replayed().error().text(), HasSubstr("the form in which stages run"));
}

}  // namespace
}  // namespace iosx::test
