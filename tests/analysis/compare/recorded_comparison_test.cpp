#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/make_schedules.h"
#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/report.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

// A store with all that comparing a network on a device measured.
class Replay : public testing::Test {
 protected:
  Replay() : store_(open_store(folder_ / "store.db")) {}

  Comparison measured(Device& device, const CompareOptions& options = {}) { return measured(device, options, graph_); }
  Comparison measured(Device& device, const CompareOptions& options, const Graph& graph) {
    return must(compare(graph, device, options, {}, {.keeping = {store_.get(), "0.1.0"}}));
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
  const auto here = must(replayed());
  EXPECT_EQ(here.device.id, "fake");
  EXPECT_EQ(here.device.origin, Origin::kRecorded);
  ASSERT_EQ(here.results.size(), there.results.size());
  for (std::size_t i = 0; i < there.results.size(); ++i) {
    const ScheduleResult& result = here.results[i];
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
  const auto device = test::simulated("tesla-v100");
  ASSERT_NE(device->info().overhead, InterStageOverhead{});
  const Comparison there = measured(*device);
  const auto here = must(replayed("tesla-v100"));
  EXPECT_EQ(here.device.overhead, device->info().overhead);
  EXPECT_EQ(here.device.origin, Origin::kSimulated);
  std::size_t same = 0;
  for (const ScheduleResult& result : there.results) {
    const ScheduleResult* const found = here.find(result.id);
    ASSERT_EQ(found == nullptr, row_of(result.schedule_kind).barrier_free) << "no stages were measured of those";
    if (found == nullptr) continue;
    EXPECT_EQ(found->schedule, result.schedule);
    EXPECT_EQ(found->stage_sum, result.stage_sum);
    ++same;
  }
  EXPECT_EQ(same, here.results.size());
}

TEST_F(Replay, ChoosesAmongWhatWasMeasuredAndSaysSo) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions baselines{.schedule_kinds = {ScheduleKind::kOneByOne}};
  const Comparison there = measured(device, baselines);
  const auto here = must(replayed());
  EXPECT_THAT(here.notices, Contains(HasSubstr("were never measured there")));
  // The stages of the baselines are all that there is: nothing is better than the better of them.
  const Millis best = std::min(there.results[0].stage_sum, there.results[1].stage_sum);
  EXPECT_LE(here.find(ScheduleKind::kIosBoth)->stage_sum, best + Millis(1e-9));
  const auto same = must(replayed({}, baselines));
  EXPECT_THAT(same.notices, Not(Contains(HasSubstr("were never measured there"))));
}

TEST_F(Replay, RefusesWhatWasNeverMeasured) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions other{.schedule_kinds = {ScheduleKind::kSequential}};
  measured(device, other, test::chain(3));
  EXPECT_THAT(refused(replayed()).text(), AllOf(HasSubstr("never measured on fake"), HasSubstr("store.db")));
}

TEST_F(Replay, NeedsOneSetThatIsMeant) {
  EXPECT_THAT(replayed().error().text(), HasSubstr("nothing was measured"));
  FakeDevice device(Origin::kMeasured);
  measured(device);
  CompareOptions other_batch{.batch = 8};
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

Comparison doubted(const char* network, std::vector<ScheduleKind> kinds, const char* id = "h200") {
  const auto device = test::simulated(id);
  CompareOptions options{.schedule_kinds = std::move(kinds), .sensitivity = true};
  return compare(zoo_network(network).value(), *device, options, {}).value();
}

TEST(SensitivityTest, SaysHowOftenEachWinsAndIsTheSameEveryTime) {
  const std::vector<ScheduleKind> kinds{ScheduleKind::kSequential, ScheduleKind::kIosBoth};
  const Comparison first = doubted("inception_v3", kinds);
  const ScheduleResult& ios = first.results[first.best()];
  ASSERT_TRUE(ios.sensitivity);
  EXPECT_EQ(ios.sensitivity->draws, 100);
  EXPECT_EQ(ios.sensitivity->wins, 100);
  const double ratio = first.speedup(ios).value;
  EXPECT_LT(ios.sensitivity->speedup_low, ratio);
  EXPECT_GT(ios.sensitivity->speedup_high, ratio);
  EXPECT_GT(ios.sensitivity->speedup_low, 1);
  const ScheduleResult& sequential = *first.find(ScheduleKind::kSequential);
  EXPECT_EQ(sequential.sensitivity->speedup_low, 1);
  EXPECT_EQ(sequential.sensitivity->wins, 0);
  EXPECT_EQ(sequential.sensitivity->behind, 100) << "one stream is clearly slower, whatever single kernels err";
  EXPECT_THAT(comparison_table(first),
              HasSubstr("sensitivity: ios-both is the fastest in 100 of 100 draws of the model's errors"));
  const Comparison second = doubted("inception_v3", kinds);
  for (std::size_t i = 0; i < first.results.size(); ++i)
    EXPECT_EQ(second.results[i].sensitivity, first.results[i].sensitivity);
}

// IOS-Parallel and IOS-Both differ in merged convolutions, which are about as fast as they are apart.
TEST(SensitivityTest, CallsAWinInsideTheModelsErrorsATie) {
  const Comparison near = doubted("inception_v3", {ScheduleKind::kIosParallel, ScheduleKind::kIosBoth});
  const std::vector<std::size_t> ties = ties_with_best(near);
  ASSERT_EQ(ties.size(), 1U);
  EXPECT_NE(ties.front(), near.best());
  EXPECT_THAT(sensitivity_text(near), HasSubstr("a tie with " + near.results[ties.front()].id.text()));
  EXPECT_THAT(sensitivity_text(near), HasSubstr("; " + near.results[ties.front()].id.text() + " in "));
  EXPECT_EQ(comparison_json(near).at("doubt").at("ties").dump(), "[\"" + near.results[ties.front()].id.text() + "\"]");
}

// Of one chain every schedule is the same one: each is the fastest in every draw, which is a tie.
TEST(SensitivityTest, EqualSchedulesAreATie) {
  const Comparison equal =
      doubted("alexnet", {ScheduleKind::kOneByOne, ScheduleKind::kSequential, ScheduleKind::kGreedy});
  for (const ScheduleResult& result : equal.results) EXPECT_EQ(result.sensitivity->wins, result.sensitivity->draws);
  EXPECT_EQ(equal.results[equal.best()].schedule_kind, ScheduleKind::kSequential) << "not what is made on request";
  EXPECT_THAT(ties_with_best(equal), ElementsAre(0, 2));
  EXPECT_THAT(sensitivity_text(equal), HasSubstr("a tie with one-by-one, greedy"));
}

TEST(SensitivityTest, ADeviceThatMeasuresHasNone) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions options{.sensitivity = true};
  const auto comparison = must(compare(fork_join(4), device, options, {}));
  for (const ScheduleResult& result : comparison.results) EXPECT_FALSE(result.sensitivity);
  EXPECT_TRUE(sensitivity_text(comparison).empty());
  EXPECT_TRUE(ties_with_best(comparison).empty());
}

TEST(SensitivityTest, NothingIsTheFastestWhereNothingFits) {
  Comparison comparison = doubted("sample", {ScheduleKind::kSequential, ScheduleKind::kGreedy});
  ASSERT_FALSE(sensitivity_text(comparison).empty());
  comparison.memory_limit = 1;
  EXPECT_TRUE(sensitivity_text(comparison).empty());
}

// A result that came later, as a schedule that was made by hand does, has no sensitivity; nothing else is lost by that.
TEST(SensitivityTest, AResultThatCameLaterHasNone) {
  Comparison later = doubted("sample", {ScheduleKind::kSequential, ScheduleKind::kGreedy});
  const std::string before = sensitivity_text(later);
  ScheduleResult copy = later.results[0];
  copy.id = later.add(ScheduleKind::kByHand, copy.schedule).id;
  copy.schedule_kind = ScheduleKind::kByHand;
  copy.sensitivity.reset();
  ScheduleResult& mine = later.results.back();
  mine = copy;
  EXPECT_EQ(sensitivity_text(later), before);
  EXPECT_FALSE(comparison_json(later).at("schedules").back().contains("doubt"));
  mine.latency.value = Millis(1e-3);
  EXPECT_TRUE(sensitivity_text(later).empty()) << "of the best nothing is known";
}

TEST(SensitivityTest, TiesGoByTheDrawsThatTheBestWins) {
  Comparison made = doubted("sample", {ScheduleKind::kSequential, ScheduleKind::kGreedy});
  ASSERT_EQ(made.best(), 1U);
  made.results[0].sensitivity = Sensitivity{.draws = 100, .wins = 5, .behind = 95, .before = 5};
  EXPECT_TRUE(ties_with_best(made).empty());
  made.results[0].sensitivity = Sensitivity{.draws = 100, .wins = 6, .behind = 94, .before = 6};
  EXPECT_THAT(ties_with_best(made), ElementsAre(0));
}

// What one stream saves by fusion is told apart, and nothing where nothing is saved.
TEST(SavingTest, TellsFusionFromConcurrency) {
  const Comparison fused = doubted("resnet18", {ScheduleKind::kSequential, ScheduleKind::kIosBoth});
  const ScheduleResult& ios = *fused.find(ScheduleKind::kIosBoth);
  ASSERT_TRUE(fused.one_by_one);
  const auto saving = must(fused.saving(ios));
  EXPECT_GT(saving.fusion, saving.concurrency);
  EXPECT_NEAR(saving.whole().count(), (fused.one_by_one->value - ios.latency.value).count(), 1e-12);
  EXPECT_THAT(comparison_table(fused), HasSubstr("by fusion in one stream"));
  EXPECT_FALSE(fused.saving(*fused.find(ScheduleKind::kSequential)));
  const Comparison plain = doubted("resnet18", {ScheduleKind::kSequential, ScheduleKind::kIosBoth}, "tesla-v100");
  EXPECT_FALSE(plain.saving(*plain.find(ScheduleKind::kIosBoth))) << "nothing is fused there";
  EXPECT_NEAR(plain.one_by_one->value.count(), plain.find(ScheduleKind::kSequential)->latency.value.count(), 1e-12);
}

}  // namespace

}  // namespace iosx::test
