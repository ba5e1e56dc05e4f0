#include "core/model/plan/lanes/lane_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/draft_history.h"
#include "tests/support/random_plans.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using Lanes = std::vector<std::vector<KernelId>>;

KernelId nth(std::size_t index) { return KernelId(index); }

std::shared_ptr<const LaneKernels> draft_kernels() {
  const auto graph = std::make_shared<const Graph>(test::long_and_short());
  return lane_kernels(graph, one_by_one_schedule(*graph), 1, {});
}

// a, b | c, sum: launched a, c, b, sum.
LaneDraft two_lanes() {
  return LaneDraft::make(draft_kernels(), {{{nth(0), 0}, {nth(2), 1}, {nth(1), 0}, {nth(3), 1}}}).value();
}

std::vector<KernelId> launch_order(const LaneDraft& draft) {
  std::vector<KernelId> kernels;
  for (const LaneSchedule::Launch& launch : draft.lanes().launches) kernels.push_back(launch.kernel);
  return kernels;
}

// Launches whatever is first on its lane and has what it needs, until nothing is. By hand: it knows only lanes and
// needs.
LaneSchedule launched(const Lanes& rows, const std::vector<std::vector<KernelId>>& needs) {
  LaneSchedule lanes;
  std::vector<std::size_t> next(rows.size(), 0);
  std::vector<bool> done(needs.size(), false);
  for (bool any = true; any;) {
    any = false;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (next[lane] == rows[lane].size()) continue;
      const KernelId kernel = rows[lane][next[lane]];
      if (!std::ranges::all_of(needs[kernel.index()], [&](KernelId need) { return done[need.index()]; })) continue;
      done[kernel.index()] = any = true;
      ++next[lane];
      lanes.launches.push_back({kernel, lane, {}});
    }
  }
  return lanes;
}

TEST(LaneDraft, MovesAreThoseThatSomeLaunchOrderAllows) {
  std::size_t allowed = 0;
  std::size_t refused = 0;
  for (std::uint32_t seed = 0; seed < (test::kSanitized ? 6U : 40U); ++seed) {
    std::mt19937 random(seed);
    const auto graph = std::make_shared<const Graph>(test::random_concat_graph(seed, 6 + seed % 20));
    const auto kernels = lane_kernels(graph, test::random_schedule(*graph, random), 1,
                                      {.fuse = seed % 3 == 0, .concat_in_place = seed % 2 == 0});
    const auto made = LaneDraft::make(kernels, test::random_lanes(kernels->staged, 1 + seed % 6, random));
    ASSERT_TRUE(made) << made.error().text();
    for (std::size_t k = 0; k < kernels->needs.size(); ++k) {
      const auto reaches = made->where_may(nth(k));
      ASSERT_EQ(reaches.size(), made->rows().size() + 1);
      for (std::size_t lane = 0; lane < reaches.size(); ++lane) {
        Lanes without = made->rows();
        without.emplace_back();
        for (std::vector<KernelId>& row : without) std::erase(row, nth(k));
        for (std::size_t at = 0; at <= without[lane].size(); ++at) {
          Lanes rows = without;
          rows[lane].insert(rows[lane].begin() + static_cast<std::ptrdiff_t>(at), nth(k));
          const bool possible = check_lanes(launched(rows, kernels->needs), kernels->needs).has_value();
          const auto why = made->refusal(nth(k), {lane, at});
          EXPECT_EQ(!why, possible) << "seed " << seed << ", kernel " << k << " to " << lane << ", " << at;
          EXPECT_EQ(reaches[lane].allows(at), possible);
          const auto moved = made->moved(nth(k), {lane, at});
          ASSERT_EQ(moved.has_value(), possible);
          possible ? ++allowed : ++refused;
          if (!moved) {
            EXPECT_EQ(moved.error().what, *why);
            const auto& bound = at < reaches[lane].first ? reaches[lane].before : reaches[lane].after;
            const auto& own = at < reaches[lane].first ? kernels->needs[k] : kernels->needed_by[k];
            ASSERT_TRUE(bound.has_value());
            EXPECT_NE(std::ranges::find(own, bound->need), own.end()) << "a need of the kernel itself forbids";
            continue;
          }
          EXPECT_TRUE(check_lanes(moved->lanes(), kernels->needs));
          std::erase_if(rows, [](const auto& row) { return row.empty(); });
          std::ranges::sort(rows);
          Lanes shown = moved->rows();
          std::ranges::sort(shown);
          EXPECT_EQ(shown, rows) << "all else stays on its lane, in its order";
          if (k % 7 == 0) {
            EXPECT_TRUE(check_plan(moved->plan()));
          }
        }
      }
    }
  }
  EXPECT_GT(allowed, 200U);
  EXPECT_GT(refused, 200U);
}

TEST(LaneDraft, SaysWhichNeedForbids) {
  const LaneDraft draft = two_lanes();
  EXPECT_EQ(draft.refusal(nth(1), {0, 0}).value(), "'b' needs 'a', which comes later on lane 1");
  EXPECT_EQ(draft.refusal(nth(0), {0, 1}).value(), "'a' is needed by 'b', which comes earlier on lane 1");
  EXPECT_EQ(draft.refusal(nth(0), {1, 2}).value(), "'a' is needed by 'b', which comes before 'sum' on lane 2");
  EXPECT_EQ(draft.refusal(nth(3), {0, 0}).value(), "'sum' needs 'b', which comes later on lane 1");
  EXPECT_EQ(draft.refusal(nth(3), {1, 0}).value(), "'sum' needs 'c', which comes later on lane 2");
  EXPECT_FALSE(draft.refusal(nth(2), {0, 0}));
  EXPECT_FALSE(draft.refusal(nth(2), {2, 0}));
  const auto reaches = draft.where_may(nth(2));  // c
  ASSERT_EQ(reaches.size(), 3U);
  EXPECT_EQ(reaches[0].first, 0U);
  EXPECT_EQ(reaches[0].last, 2U) << "nothing on the lane of a and b needs it";
  EXPECT_EQ(reaches[1].last, 0U);
  EXPECT_EQ(reaches[1].after->need, nth(3));
  EXPECT_FALSE(reaches[1].before.has_value());
}

// What it needs comes after another kernel of the lane, by the order of a third lane.
TEST(LaneDraft, SaysWhichNeedForbidsWhereOthersStandBetween) {
  const LaneDraft draft = LaneDraft::make(draft_kernels(), {{{nth(2), 0}, {nth(0), 0}, {nth(1), 1}, {nth(3), 1}}})
                              .value();  // c, a | b, sum
  EXPECT_EQ(draft.refusal(nth(1), {0, 0}).value(), "'b' needs 'a', which comes later on lane 1");
  EXPECT_EQ(draft.refusal(nth(3), {0, 1}).value(), "'sum' needs 'b', which comes after 'a' on lane 1");
}

TEST(LaneDraft, TheLaunchOrderStaysAsFarAsItCan) {
  const LaneDraft draft = two_lanes();
  const LaneDraft moved = draft.moved(nth(2), {0, 1}).value();  // a, c, b | sum
  EXPECT_EQ(launch_order(moved), launch_order(draft));
  EXPECT_THAT(moved.rows(), ElementsAre(ElementsAre(nth(0), nth(2), nth(1)), ElementsAre(nth(3))));
  const LaneDraft first = draft.moved(nth(2), {0, 0}).value();  // before a
  EXPECT_THAT(launch_order(first), ElementsAre(nth(2), nth(0), nth(1), nth(3)));
  const LaneDraft last = draft.moved(nth(2), {0, 2}).value();
  EXPECT_THAT(launch_order(last), ElementsAre(nth(0), nth(1), nth(2), nth(3)));
  EXPECT_EQ(draft.moved(nth(2), draft.place_of(nth(2))).value(), draft);
  EXPECT_EQ(moved.moved(nth(2), {1, 0}).value(), draft) << "and back";
}

TEST(LaneDraft, LanesComeAndGo) {
  const LaneDraft draft = two_lanes();
  const LaneDraft three = draft.moved(nth(2), {2, 0}).value();
  ASSERT_EQ(three.rows().size(), 3U);
  EXPECT_EQ(three.place_of(nth(2)), (LaneDraft::Place{2, 0}));
  EXPECT_EQ(three.moved(nth(2), {3, 0}).value(), three) << "it has one of its own";
  const LaneDraft two = three.moved(nth(3), {2, 1}).value();
  EXPECT_THAT(two.rows(), ElementsAre(ElementsAre(nth(0), nth(1)), ElementsAre(nth(2), nth(3))))
      << "the lane that it left empty is gone";
  EXPECT_EQ(two, draft);
}

TEST(LaneDraft, MoreThanMostLanesAreNone) {
  GraphBuilder builder("wide");
  const Value in = builder.input("in", {4, 2, 2});
  for (std::size_t i = 0; i <= kMostLanes; ++i) builder.add("u" + std::to_string(i), Activate{}, {in});
  const auto graph = std::make_shared<const Graph>(std::move(builder).build().value());
  const auto kernels = lane_kernels(graph, one_by_one_schedule(*graph), 1, {});
  LaneSchedule lanes;
  for (std::size_t k = 0; k <= kMostLanes; ++k) lanes.launches.push_back({nth(k), k % kMostLanes});
  const LaneDraft draft = LaneDraft::make(kernels, lanes).value();
  EXPECT_EQ(draft.where_may(nth(0)).size(), kMostLanes);
  EXPECT_EQ(draft.refusal(nth(0), {kMostLanes, 0}).value(), "there are already 64 lanes, which is the maximum");
  EXPECT_TRUE(draft.moved(nth(0), {1, 1}));
}

TEST(LaneDraft, KnowsTheKernelsOfAnotherDevice) {
  const auto kernels = draft_kernels();
  const auto error = [&](const LaneSchedule& lanes) { return LaneDraft::make(kernels, lanes).error().text(); };
  EXPECT_THAT(error({{{nth(0), 0}}}), testing::HasSubstr("1 kernels, but this device has 4"));
  EXPECT_THAT(error({{{nth(0), 0, "a"}, {nth(1), 0, "x"}, {nth(2), 0, "c"}, {nth(3), 0, "sum"}}}),
              testing::HasSubstr("kernel 1 is not 'x' here"));
  EXPECT_THAT(error({{{nth(1), 0}, {nth(0), 0}, {nth(2), 0}, {nth(3), 0}}}),
              testing::HasSubstr("kernel 1 comes before kernel 0, which it needs"));
  EXPECT_THAT(error({{{nth(0), 64}, {nth(1), 0}, {nth(2), 0}, {nth(3), 0}}}),
              testing::HasSubstr("lane 64 must lie in"));
  // Lanes without kernels between others are left out, in their order.
  const LaneDraft draft = LaneDraft::make(kernels, {{{nth(0), 7}, {nth(2), 3}, {nth(1), 7}, {nth(3), 3}}}).value();
  EXPECT_THAT(draft.rows(), ElementsAre(ElementsAre(nth(2), nth(3)), ElementsAre(nth(0), nth(1))));
  EXPECT_EQ(draft.lanes().launches.front().name, "a");
}

TEST(LaneDraft, UndoIsAListOfDrafts) {
  const LaneDraft start = two_lanes();
  DraftHistory<LaneDraft> history({"copy", start, DraftOrigin{ScheduleKind::kList, "List"}});
  ASSERT_TRUE(history.push({"move", start.moved(nth(2), {0, 1}).value()}));
  EXPECT_FALSE(history.push({"nothing", history.draft().moved(nth(2), {0, 1}).value()}));
  const LaneDraft moved = history.draft();
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.draft(), start);
  ASSERT_TRUE(history.redo());
  EXPECT_EQ(history.draft(), moved);
}

}  // namespace
}  // namespace iosx
