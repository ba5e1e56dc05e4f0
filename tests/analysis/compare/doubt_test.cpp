#include "core/analysis/compare/doubt.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

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
using testing::Not;

Comparison doubted(const char* network, std::vector<ScheduleKind> kinds, const char* id = "h200") {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open(id).value();
  CompareOptions options;
  options.schedule_kinds = std::move(kinds);
  options.doubt = true;
  return compare(zoo_network(network).value(), *device, options, {}).value();
}

std::int64_t wins_of_all(const Doubt& doubt) {
  return std::accumulate(doubt.entries.begin(), doubt.entries.end(), std::int64_t{0},
                         [](std::int64_t sum, const Doubt::Entry& entry) { return sum + entry.wins; });
}

TEST(DoubtTest, SaysHowOftenEachWinsAndIsTheSameEveryTime) {
  const Comparison first = doubted("inception_v3", {ScheduleKind::kSequential, ScheduleKind::kIosBoth});
  ASSERT_TRUE(first.doubt);
  ASSERT_EQ(first.doubt->entries.size(), first.results.size());
  EXPECT_EQ(first.doubt->draws, 100);
  EXPECT_EQ(wins_of_all(*first.doubt), 100);
  const Doubt::Entry& ios = first.doubt->entries[first.best()];
  const double ratio = first.speedup(first.results[first.best()]).value;
  EXPECT_LT(ios.speedup_low, ratio);
  EXPECT_GT(ios.speedup_high, ratio);
  EXPECT_GT(ios.speedup_low, 1);
  const Doubt::Entry& sequential = first.doubt->entries[0];
  EXPECT_EQ(sequential.speedup_low, 1);
  EXPECT_EQ(sequential.behind, 100) << "one stream is clearly slower, whatever the model errs";
  EXPECT_THAT(comparison_table(first), HasSubstr("doubt: in 100 draws of the model's errors the fastest is "));
  EXPECT_EQ(doubted("inception_v3", {ScheduleKind::kSequential, ScheduleKind::kIosBoth}).doubt, first.doubt);
}

// IOS-Parallel and IOS-Both differ in merged convolutions, which are about as fast as they are apart.
TEST(DoubtTest, CallsAWinInsideTheModelsErrorsATie) {
  const Comparison near = doubted("inception_v3", {ScheduleKind::kIosParallel, ScheduleKind::kIosBoth});
  const std::size_t best = near.best();
  const std::vector<std::size_t> ties = near.doubt->ties();
  ASSERT_EQ(ties.size(), 1U);
  EXPECT_NE(ties.front(), best);
  EXPECT_THAT(doubt_text(near, *near.doubt), HasSubstr("a tie with " + near.results[ties.front()].id.text()));
  EXPECT_THAT(comparison_json(near).at("doubt").at("ties"), ElementsAre(near.results[ties.front()].id.text()));
}

// Of one chain every schedule is the same one: nothing is ever behind or before another, so there is no tie to tell.
TEST(DoubtTest, EqualSchedulesAreNoTie) {
  const Comparison equal = doubted("alexnet", {ScheduleKind::kSequential, ScheduleKind::kGreedy});
  ASSERT_TRUE(equal.doubt);
  EXPECT_EQ(equal.doubt->entries[0].wins, equal.doubt->draws);
  EXPECT_TRUE(equal.doubt->ties().empty());
  EXPECT_THAT(doubt_text(equal, *equal.doubt), Not(HasSubstr("tie")));
}

TEST(DoubtTest, ADeviceThatMeasuresHasNone) {
  FakeDevice device(Origin::kMeasured);
  CompareOptions options;
  options.doubt = true;
  const auto comparison = compare(fork_join(4), device, options, {});
  ASSERT_TRUE(comparison);
  EXPECT_FALSE(comparison->doubt);
}

// What is a tie: a schedule that the best does not beat in 95 of 100 draws, unless the two never differ.
TEST(DoubtTest, TiesGoByTheDrawsThatTheBestWins) {
  Doubt doubt;
  doubt.draws = 100;
  doubt.entries = {{.wins = 90}, {.behind = 95, .before = 5}, {.behind = 94, .before = 6}, {.behind = 50}, {}};
  EXPECT_THAT(doubt.ties(), ElementsAre(2, 3));
}

}  // namespace
}  // namespace iosx::test
