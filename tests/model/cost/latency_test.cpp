#include "core/model/cost/latency.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(Origin, HasANameForEach) {
  EXPECT_EQ(origin_name(Origin::kSimulated), "simulated");
  EXPECT_EQ(origin_name(Origin::kMeasured), "measured");
  EXPECT_EQ(origin_name(Origin::kRecorded), "recorded");
}

Stage wide(std::size_t groups) {
  Stage stage;
  for (std::size_t i = 0; i < groups; ++i) stage.groups.push_back(Group{{Step{{UnitId(i)}}}});
  return stage;
}

TEST(InterStageOverhead, AreAddedByTheWidthsOfNeighbours) {
  const InterStageOverhead overhead{{Millis(1), Millis(2)},
                                    {InterStageOverhead::ByWidth{Millis(4), Millis(8)}, {Millis(16), Millis(32)}}};
  const auto sum = [&](std::vector<std::size_t> widths) {
    Schedule schedule;
    for (const std::size_t width : widths) schedule.stages.push_back(wide(width));
    return overhead.sum(schedule).count();
  };
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(sum({1}), 1);
  EXPECT_EQ(sum({3}), 2);
  EXPECT_EQ(sum({1, 1, 2, 2, 1}), 1 + 4 + 8 + 32 + 16);
}

}  // namespace
}  // namespace iosx
