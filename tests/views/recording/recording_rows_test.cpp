#include "views/recording/recording_rows.h"

#include "tests/support/prelude.h"
#include "views/recording/fold_layout.h"

namespace iosx {
namespace {

using recorded::blocks_of;
using recorded::Row;
using recorded::rows_of;
using recorded::SortedSpans;

TimeAxis axis(double begin, double end, double width) { return {{Micros(begin), Micros(end)}, 100, width}; }

SortedSpans spans(const std::vector<std::pair<double, double>>& all) {
  SortedSpans made;
  for (std::uint32_t i = 0; i < all.size(); ++i) made.add(i, all[i].first, all[i].second);
  return made;
}

// Two streams: "13" runs 10 to 20 and 40 to 50, "7" runs 15 to 30. The host launches them at 0, 2 and 35.
std::shared_ptr<const OpenedRecording> two_streams() {
  Recording recording;
  recording.devices = {{.id = 0, .multiprocessors = 100}};
  recording.lanes = {{.stream = "13"}, {.stream = "7"}};
  recording.names = {"", "a", "b"};
  recording.launches = {{0, 1, 0}, {2, 3, 0}, {35, 38, 1}};
  const auto add = [&](double begin, double end, std::uint16_t lane, std::uint32_t launch) {
    recording.kernels.push_back({.begin = begin,
                                 .end = end,
                                 .name = 1,
                                 .launch = launch,
                                 .grid = {50, 1, 1},
                                 .block = {512, 1, 1},
                                 .lane = lane});
  };
  add(10, 20, 0, 0);
  add(15, 30, 1, 1);
  add(40, 50, 0, 2);
  settle(recording);
  return look_into(std::move(recording), std::nullopt);
}

TEST(SortedSpans, FindsThoseThatMeetARange) {
  const SortedSpans some = spans({{0, 100}, {10, 12}, {20, 22}, {30, 32}});
  // The first one is longer than those after it.
  EXPECT_EQ(some.meeting(25, 26), (std::pair<std::size_t, std::size_t>(0, 3)));
  EXPECT_EQ(some.meeting(101, 200).first, 4U);
  EXPECT_EQ(spans({{0, 1}, {10, 12}, {20, 22}}).meeting(11, 15), (std::pair<std::size_t, std::size_t>(1, 2)));
}

TEST(SortedSpans, FindsTheOneUnderThePointer) {
  const SortedSpans some = spans({{0, 100}, {10, 12}, {200, 201}});
  EXPECT_EQ(some.at(11, 1), 1U);
  EXPECT_EQ(some.at(50, 1), 0U);
  EXPECT_EQ(some.at(199.5, 1), 2U);
  EXPECT_EQ(some.at(150, 1), std::nullopt);
}

TEST(Blocks, OfWideSpansAreTheirOwn) {
  const auto blocks = blocks_of(spans({{0, 10}, {20, 30}}), axis(0, 100, 1000));
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[1].left, 300);
  EXPECT_EQ(blocks[1].right, 400);
  EXPECT_EQ(blocks[1].count, 1U);
}

TEST(Blocks, OfNarrowSpansAreOneAPixelWithTheirCover) {
  SortedSpans many;
  for (std::uint32_t i = 0; i < 100000; ++i) many.add(i, i, i + (i % 10 == 3 ? 0.9 : 0.25));
  const auto blocks = blocks_of(many, axis(0, 100000, 1000));
  EXPECT_LE(blocks.size(), 1001U);
  std::size_t count = 0;
  for (const recorded::Block& block : blocks) count += block.count;
  EXPECT_EQ(count, many.size());
  EXPECT_NEAR(blocks[500].covered, (90 * 0.25 + 10 * 0.9) / 100, 0.02);
  EXPECT_EQ(many.items[blocks[500].longest] % 10, 3U);
}

TEST(Blocks, OfSpansOutsideAreNone) {
  EXPECT_TRUE(blocks_of(spans({{0, 10}, {200, 210}}), axis(20, 100, 1000)).empty());
  const auto cut = blocks_of(spans({{0, 1000}}), axis(20, 100, 1000));
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].left, 100);
  EXPECT_EQ(cut[0].right, 1100);
}

TEST(RecordingRows, AreIdleTimeStreamsByNumberAndThreads) {
  const auto opened = two_streams();
  const recorded::Rows rows = rows_of(*opened);
  ASSERT_EQ(rows.rows.size(), 5U);
  EXPECT_EQ(rows.rows[0].kind, Row::Kind::kIdle);
  EXPECT_EQ(opened->recording.lanes[rows.rows[1].number].stream, "7");
  EXPECT_EQ(opened->recording.lanes[rows.rows[2].number].stream, "13");
  EXPECT_EQ(rows.rows[3].kind, Row::Kind::kThread);
  EXPECT_EQ(rows.rows[3].spans.size(), 2U);
  // Times count from the first kernel, and the first launch was before it.
  EXPECT_EQ(rows.range.begin, Micros(-10));
  EXPECT_EQ(rows.range.end, Micros(40));
  EXPECT_EQ(rows.row_of_lane(0)->spans.begins, (std::vector<double>{0, 30}));
  EXPECT_EQ(rows.at(rows.rows[2].top + 1), &rows.rows[2]);
  EXPECT_EQ(rows.at(rows.height), nullptr);
}

TEST(RecordingRows, AreIdleForTheReasonsOfTheReport) {
  const auto opened = two_streams();
  // Idle from 30 to 40: the launch ended at 38.
  ASSERT_EQ(opened->idle.size(), 2U);
  EXPECT_EQ(opened->idle[0], (IdlePart{30, 38, IdleReason::kLaunchedLate}));
  EXPECT_EQ(opened->idle[1], (IdlePart{38, 40, IdleReason::kLatency}));
}

TEST(RecordingRows, SayWhatARangeContains) {
  const auto opened = two_streams();
  const recorded::RangeUse use = use_of(*opened, rows_of(*opened), {Micros(8), Micros(34)});
  EXPECT_EQ(use.kernels, 3U);
  EXPECT_NEAR(use.busy, 12 + 4, 1e-9);  // 18 to 30, and 40 to 44 on the recording's clock
}

TEST(RecordingRows, LeadFromKernelToKernel) {
  const auto opened = two_streams();
  const recorded::Rows rows = rows_of(*opened);
  EXPECT_EQ(next_on_lane(rows, opened->recording, 0, 1), 2U);
  EXPECT_EQ(next_on_lane(rows, opened->recording, 0, -1), std::nullopt);
  EXPECT_EQ(next_lane(rows, opened->recording, 2, -1), 1U);
  EXPECT_EQ(next_lane(rows, opened->recording, 1, -1), std::nullopt);
}

TEST(FoldLayout, PutsBoxesBehindThoseThatTheyWaitForWithoutOverlaps) {
  Recording recording;
  recording.lanes = {{.stream = "1"}, {.stream = "2"}, {.stream = "3"}, {.stream = "4"}};
  recording.names = {"", "a", "b", "c", "d"};
  for (std::uint32_t i = 0; i < 4; ++i)
    recording.kernels.push_back(
        {.begin = 10.0 * i, .end = 10.0 * i + 5, .name = i + 1, .lane = static_cast<std::uint16_t>(i)});
  // a before b and c, these before d; a before d follows from that.
  for (const auto& [before, after] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}})
    recording.edges.push_back({before, after, EdgeKind::kGraph, EdgeCertainty::kKnown});
  settle(recording);
  const auto opened = look_into(std::move(recording), std::nullopt);
  const recorded::FoldLayout layout = recorded::lay_out(*opened, Unfolding(opened->fold));
  ASSERT_EQ(layout.boxes.size(), 4U);
  EXPECT_EQ(layout.lines.size(), 4U);
  for (const recorded::FoldLine& line : layout.lines) {
    const canvas::Rect before = layout.boxes[*layout.find(line.edge.before)].box;
    const canvas::Rect after = layout.boxes[*layout.find(line.edge.after)].box;
    EXPECT_TRUE(after.x >= before.right() || after.y >= before.bottom());
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(layout.bounds.contains(layout.boxes[i].box));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(layout.boxes[i].box.intersects(layout.boxes[j].box));
  }
}

}  // namespace
}  // namespace iosx
