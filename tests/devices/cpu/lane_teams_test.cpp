#include "core/devices/cpu/prepared_plan.h"
#include "tests/support/prelude.h"

namespace iosx::cpu {
namespace {

TEST(ShareCores, GivesOneLaneAllCores) {
  const std::vector<LaneLoad> lanes{{1e-3, 1}};
  EXPECT_EQ(share_cores(lanes, 4).sizes, std::vector<int>{4});
}

TEST(ShareCores, PutsEqualLanesSideBySide) {
  const std::vector<LaneLoad> lanes(2, {1e-3, 1});
  EXPECT_EQ(share_cores(lanes, 2).sizes, (std::vector<int>{1, 1}));
}

TEST(ShareCores, GivesMoreCoresToMoreWork) {
  const std::vector<LaneLoad> lanes{{1e-3, 1}, {3e-3, 1}};
  const LaneTeams teams = share_cores(lanes, 4);
  ASSERT_EQ(teams.sizes.size(), 2U);
  EXPECT_EQ(teams.lanes[0], std::vector<std::size_t>{1});
  EXPECT_EQ(teams.sizes, (std::vector<int>{3, 1}));
}

TEST(ShareCores, RunsLanesOneAfterAnotherWhereOneHasNearlyAllTheWork) {
  const std::vector<LaneLoad> lanes{{10e-3, 1}, {1e-5, 1}};
  const LaneTeams teams = share_cores(lanes, 2);
  EXPECT_EQ(teams.sizes, std::vector<int>{2});
  EXPECT_EQ(teams.lanes.front().size(), 2U);
}

TEST(ShareCores, DealsOutEveryLaneOnceAndNoMoreCoresThanThereAre) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<LaneLoad> lanes(1 + random() % 12);
    for (LaneLoad& lane : lanes) lane = {1e-6 * static_cast<double>(random() % 1000), random() % 5};
    const int cores = static_cast<int>(1 + random() % 9);
    const LaneTeams teams = share_cores(lanes, cores);
    ASSERT_EQ(teams.sizes.size(), teams.lanes.size());
    EXPECT_LE(std::accumulate(teams.sizes.begin(), teams.sizes.end(), 0), cores);
    EXPECT_GE(std::ranges::min(teams.sizes), 1);
    std::vector<std::size_t> dealt;
    for (const auto& some : teams.lanes) {
      EXPECT_FALSE(some.empty());
      dealt.insert(dealt.end(), some.begin(), some.end());
    }
    std::ranges::sort(dealt);
    std::vector<std::size_t> all(lanes.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(dealt, all);
  }
}

TEST(ShareCores, HasNoTeamsForAnEmptyStage) { EXPECT_TRUE(share_cores({}, 2).sizes.empty()); }

}  // namespace
}  // namespace iosx::cpu
