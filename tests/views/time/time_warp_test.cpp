#include "views/time/time_warp.h"

#include <gtest/gtest.h>

#include "tests/support/made_up_comparison.h"

namespace iosx {
namespace {

TEST(TimeWarp, MovesPiecesAndSaysWhatLiesBetween) {
  const TimeWarp warp{
      {{Micros(0), Micros(0)}, {Micros(10), Micros(5)}, {Micros(20), Micros(5)}, {Micros(30), Micros(9)}}};
  EXPECT_EQ(warp.shown(Micros(9)), Micros(9));
  EXPECT_EQ(warp.shown(Micros(10)), Micros(15));
  EXPECT_EQ(warp.shown(Micros(35)), Micros(44));
  for (const double own : {0.0, 3.0, 10.0, 19.0, 25.0, 30.0, 70.0}) {
    EXPECT_EQ(warp.own(warp.shown(Micros(own))), Micros(own));
  }
  EXPECT_EQ(warp.own(Micros(12)), Micros(10));  // waits for the next piece
  EXPECT_EQ(warp.gaps(), (std::vector<TimeRange>{{Micros(10), Micros(15)}, {Micros(35), Micros(39)}}));
  EXPECT_EQ(TimeWarp{}.shown(Micros(7)), Micros(7));
  EXPECT_EQ(TimeWarp{}.own(Micros(7)), Micros(7));
  EXPECT_TRUE(TimeWarp{}.gaps().empty());
}

class AlignmentTest : public testing::Test {
 protected:
  // Stem alone, what it feeds, and the join: three parts.
  static Graph cut(const Graph& graph) {
    return graph.with_parts(
        {{"stem", {UnitId(0)}}, {"fork", {UnitId(1), UnitId(2), UnitId(3)}}, {"join", {UnitId(4)}}});
  }
  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  Graph graph_ = cut(*comparison_->graph);
  std::vector<TimelineTrack> tracks_ = tracks_of(comparison_);
};

TEST_F(AlignmentTest, PartsBeginWithTheirFirstStage) {
  const std::vector<StageSpan>& stages = comparison_->results[0].trace.stages;
  EXPECT_EQ(part_begins(tracks_[0], graph_),
            (std::vector<Micros>{Micros(0), stages[1].begin, stages[4].begin, comparison_->results[0].trace.duration}));
  EXPECT_EQ(part_begins(tracks_[1], graph_)[2], comparison_->results[1].trace.stages[2].begin);
}

TEST_F(AlignmentTest, EveryPartBeginsAtOnePlaceWhenTheSlowestIsThere) {
  const std::vector<TimeWarp> warps = align_by_part(tracks_, graph_);
  ASSERT_EQ(warps.size(), 3U);
  for (std::size_t part = 0; part < 3; ++part) {
    const auto begin = [&](std::size_t track) { return warps[track].shown(part_begins(tracks_[track], graph_)[part]); };
    EXPECT_NEAR(begin(1).count(), begin(0).count(), 1e-9) << part;
    EXPECT_NEAR(begin(2).count(), begin(0).count(), 1e-9) << part;
  }
  // Sequential is the slowest in every part: it never waits. The others wait once, after the fork.
  EXPECT_TRUE(warps[0].gaps().empty());
  EXPECT_EQ(warps[1].gaps().size(), 1U);
  const auto fork = [&](std::size_t track) {
    const auto begins = part_begins(tracks_[track], graph_);
    return begins[2] - begins[1];
  };
  EXPECT_NEAR(warps[1].gaps()[0].length().count(), (fork(0) - fork(1)).count(), 1e-9);
}

TEST_F(AlignmentTest, ARunOfAnotherGraphIsLeftAsItIs) {
  const auto chain = test::made_up_chain(4);
  const auto warps = align_by_part({{comparison_, 0}, {chain, 0}}, graph_);
  EXPECT_TRUE(warps[1].pieces.empty());
  EXPECT_EQ(warps[0].shown(Micros(50)), Micros(50));
}

}  // namespace
}  // namespace iosx
