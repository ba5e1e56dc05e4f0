#include "views/canvas/paint/band_gains.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/graph_figure.h"
#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/tool_tip.h"

namespace iosx::canvas::test {
namespace {

Deltas deltas_of(std::vector<std::optional<Delta>> values) {
  return {QStringLiteral("Sequential"), true, std::move(values)};
}

TEST(BandGains, SayHowMuchOfTheLargestEachStageSavesOrLoses) {
  const BandGains gains(deltas_of({Delta{Millis(-0.4), Millis(0)}, Delta{Millis(0.1), Millis(0)}, std::nullopt}));
  EXPECT_TRUE(gains.active());
  EXPECT_TRUE(gains.anyLoses());
  EXPECT_DOUBLE_EQ(gains.lost(0), -1);
  EXPECT_DOUBLE_EQ(gains.lost(1), 0.25);
  EXPECT_EQ(gains.lost(2), 0);
  EXPECT_EQ(gains.lost(7), 0);
  EXPECT_EQ(gains.figure(0), QString::fromUtf8("\u22120.40"));
  EXPECT_EQ(gains.figure(1), "+0.10");
  EXPECT_EQ(gains.figure(2), QString());
  EXPECT_EQ(gains.figure(7), QString());
}

TEST(BandGains, NothingInsideTheNoiseHasATint) {
  const BandGains gains(deltas_of({Delta{Millis(-0.4), Millis(0.1)}, Delta{Millis(0.1), Millis(0.2)}}));
  EXPECT_LT(gains.lost(0), 0);
  EXPECT_EQ(gains.lost(1), 0);
  EXPECT_FALSE(gains.anyLoses());
}

TEST(BandGains, OfUnitsOrOfNothingSayNothing) {
  EXPECT_FALSE(BandGains().active());
  EXPECT_FALSE(BandGains(deltas_of({std::nullopt, std::nullopt})).active());
  EXPECT_FALSE(BandGains({QStringLiteral("Sequential"), false, {Delta{Millis(1), Millis(0)}}}).active());
  const BandGains same(deltas_of({Delta{Millis(0), Millis(0)}}));
  EXPECT_TRUE(same.active());
  EXPECT_EQ(same.lost(0), 0);
  EXPECT_EQ(same.figure(0), QString());
}

}  // namespace
}  // namespace iosx::canvas::test
