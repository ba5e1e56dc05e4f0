#include "views/compare/section_heights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace iosx {
namespace {

int sum(const SectionHeights& heights) { return std::accumulate(heights.begin(), heights.end(), 0); }

TEST(SectionHeights, AtFirstTheCanvasesHaveTheLargestShare) {
  for (const int room : {300, 420, 585, 790, 1300}) {
    const SectionHeights heights = first_heights(room, 260, 400);
    EXPECT_EQ(sum(heights), room);
    EXPECT_GE(heights[2], heights[0]) << room;
    EXPECT_GE(heights[2], heights[1]) << room;
  }
  EXPECT_EQ(first_heights(790, 130, 150), (SectionHeights{130, 150, 510})) << "nobody has more than it wishes for";
}

TEST(SectionHeights, WithoutTimelinesTheOthersHaveTheirRoom) {
  EXPECT_EQ(first_heights(790, 260, 150, true), (SectionHeights{0, 150, 640}));
}

TEST(SectionHeights, AreNeverNegative) {
  for (const int room : {-10, 0, 1, 7, 50}) {
    const SectionHeights heights = first_heights(room, 260, 400);
    EXPECT_EQ(sum(heights), std::max(room, 0));
    for (const int height : heights) EXPECT_GE(height, 0) << room;
    EXPECT_EQ(sum(chosen_heights(room, {0.2, 0.3, 0.5})), std::max(room, 0));
  }
}

TEST(SectionHeights, AChoiceIsAShareOfAnyRoom) {
  const SectionShares shares = shares_of({150, 0, 450});
  EXPECT_EQ(chosen_heights(600, shares), (SectionHeights{150, 0, 450}));
  EXPECT_EQ(chosen_heights(1200, shares), (SectionHeights{300, 0, 900}));
  EXPECT_EQ(sum(chosen_heights(601, {1.0 / 3, 1.0 / 3, 1.0 / 3})), 601);
  EXPECT_EQ(chosen_heights(601, {0.5, 0.5, 0})[2], 0) << "what is collapsed stays so";
  EXPECT_EQ(shares_of({0, 0, 0}), SectionShares{});
}

TEST(SectionHeights, ASectionIsCollapsedAndOpened) {
  const SectionShares all = shares_of({150, 150, 300});
  const SectionShares two = with_section(all, CompareSection::kDetails, false);
  EXPECT_EQ(chosen_heights(600, two), (SectionHeights{200, 0, 400}));
  const SectionHeights again = chosen_heights(600, with_section(two, CompareSection::kDetails, true));
  EXPECT_GT(again[1], 150);
  EXPECT_EQ(sum(again), 600);
  EXPECT_EQ(with_section(all, CompareSection::kGraphs, true), all) << "it is open";
  const SectionShares one = with_section({0.4, 0, 0}, CompareSection::kTimelines, false);
  EXPECT_EQ(chosen_heights(600, one), (SectionHeights{600, 0, 0})) << "the last one stays";
}

}  // namespace
}  // namespace iosx
