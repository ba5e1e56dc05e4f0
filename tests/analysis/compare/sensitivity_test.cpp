#include "core/analysis/compare/sensitivity.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/devices/registry.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Comparison doubted(const char* network, std::vector<ScheduleKind> kinds, const char* id = "h200") {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open(id).value();
  CompareOptions options;
  options.schedule_kinds = std::move(kinds);
  options.sensitivity = true;
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
              HasSubstr("sensitivity: ios-both is the fastest in 100 of 100 draws of kernel errors"));
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
  CompareOptions options;
  options.sensitivity = true;
  const auto comparison = compare(fork_join(4), device, options, {});
  ASSERT_TRUE(comparison);
  for (const ScheduleResult& result : comparison->results) EXPECT_FALSE(result.sensitivity);
  EXPECT_TRUE(sensitivity_text(*comparison).empty());
  EXPECT_TRUE(ties_with_best(*comparison).empty());
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
  const auto saving = fused.saving(ios);
  ASSERT_TRUE(saving);
  EXPECT_GT(saving->fusion, saving->concurrency);
  EXPECT_NEAR(saving->whole().count(), (fused.one_by_one->value - ios.latency.value).count(), 1e-12);
  EXPECT_THAT(comparison_table(fused), HasSubstr("by fusion in one stream"));
  EXPECT_FALSE(fused.saving(*fused.find(ScheduleKind::kSequential)));
  const Comparison plain = doubted("resnet18", {ScheduleKind::kSequential, ScheduleKind::kIosBoth}, "tesla-v100");
  EXPECT_FALSE(plain.saving(*plain.find(ScheduleKind::kIosBoth))) << "nothing is fused there";
  EXPECT_NEAR(plain.one_by_one->value.count(), plain.find(ScheduleKind::kSequential)->latency.value.count(), 1e-12);
}

}  // namespace
}  // namespace iosx::test
