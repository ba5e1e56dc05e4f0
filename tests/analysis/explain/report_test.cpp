#include "core/analysis/explain/explain_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/model/schedule/baselines.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

using testing::HasSubstr;

// A fork of three convolutions where stages cost 1 ms a unit, less 0.25 ms a lane beyond the first.
class Report : public testing::Test {
 protected:
  void explain_stage(const SearchOptions& search) {
    search_ = search;
    auto found = explain(graph_, 1, schedule_, latencies_, {.stage = 0, .search = search_}, {});
    ASSERT_TRUE(found) << found.error().text();
    explanation_ = std::move(*found);
  }
  Explained explained() const { return {graph_, schedule_, device_, 1, search_, explanation_}; }
  std::string stage() const { return stage_text(explained(), explanation_.explained.front()); }

  Graph graph_ = fork(3);
  Schedule schedule_{"mine",
                     {Stage{{Group{{Step{{UnitId(0)}}}}, Group{{Step{{UnitId(1)}}}}}}, single_unit_stage(UnitId(2))}};
  FakeLatencies latencies_{[](const Stage& stage) {
    return static_cast<double>(stage.units().size()) - 0.25 * static_cast<double>(stage.groups.size() - 1);
  }};
  DeviceInfo device_{.id = "fake", .name = "Fake device", .summary = {}, .fingerprint = "fake 1"};
  SearchOptions search_;
  Explanation explanation_;
};

TEST_F(Report, SaysFirstWhatIsBetter) {
  explain_stage({});
  EXPECT_THAT(stage(), HasSubstr("stage 1 of 2: 1.750 ms (simulated), 63.6 % of the stage sum\n"
                                 "  concurrent: [a] [b]\n"
                                 "Better: join with stage 2, -0.250 ms (simulated)."));
  EXPECT_THAT(overview_text(explained()), HasSubstr("something better is known at 1 of 2 stages"));
}

TEST_F(Report, SaysWhichLimitExcludesWhatIsBetter) {
  explain_stage({.pruning = {.s = 2}});
  EXPECT_THAT(stage(), HasSubstr("Next best: move [a] to stage 2, 0 ms (simulated). "
                                 "Excluded: join with stage 2, -0.250 ms (simulated); s = 2: 3 groups."));
  explain_stage({.pruning = {.s = 1}});
  EXPECT_THAT(stage(), HasSubstr("takes this stage: s = 1: 2 groups."));
}

TEST_F(Report, IsWrittenAsJson) {
  explain_stage({.pruning = {.s = 2}});
  const auto json = explanation_json(explained());
  EXPECT_EQ(json.at("schedule"), "mine");
  EXPECT_EQ(json.at("stage_sum_ms"), 2.75);
  EXPECT_EQ(json.at("basis"), "simulated");
  EXPECT_EQ(json.at("search").at("s"), 2);
  EXPECT_EQ(json.at("critical_path").at("ms"), 1.0);
  EXPECT_EQ(json.at("work"), nullptr);
  ASSERT_EQ(json.at("stages").size(), 2U);
  EXPECT_EQ(json.at("stages")[1].at("cost_ms"), 1.0);
  ASSERT_EQ(json.at("explained").size(), 1U);
  const auto& first = json.at("explained")[0].at("alternatives")[0];
  EXPECT_EQ(first.at("change"), "join-after");
  EXPECT_EQ(first.at("difference_ms"), -0.25);
  EXPECT_EQ(first.at("better"), true);
  EXPECT_EQ(first.at("replaces"), nlohmann::ordered_json({1, 2}));
  EXPECT_EQ(first.at("stages")[0].at("groups").size(), 3U);
  EXPECT_EQ(first.at("excluded")[0].at("limit"), "s");
}

TEST_F(Report, CallsKnownOnlyWhatIsKnown) {
  explain_stage({.pruning = {.s = 2}});
  EXPECT_THAT(overview_text(explained()), HasSubstr("no small change that a search may make is better"));
  Alternative& first = *std::ranges::find_if(explanation_.explained.front().alternatives,
                                             [](const Alternative& each) { return each.excluded.empty(); });
  first.basis = Basis::kUnknown;
  EXPECT_THAT(overview_text(explained()), HasSubstr("none is known to be better (1 was never measured)"));
  first.basis = Basis::kPredicted;
  first.difference = Millis(-0.5);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("nothing better is known; perhaps, by prediction, at 1 of 2 stages"));
  // What may be cheaper for all that a bound says does not hide it.
  Alternative bounded = first;
  bounded.basis = Basis::kBound;
  bounded.difference = Millis(-0.9);
  auto& all = explanation_.explained.front().alternatives;
  all.insert(all.begin(), bounded);
  EXPECT_THAT(overview_text(explained()), HasSubstr("most to gain:\n  stage 1: about -0.500 ms (predicted)"));
  StageExplanation second = explanation_.explained.front();
  second.alternatives.front().basis = Basis::kSimulated;
  second.alternatives.front().difference = Millis(-0.75);
  second.alternatives.front().excluded.clear();
  explanation_.explained.push_back(second);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("something better is known at 1 of 2 stages; perhaps, by prediction, at 1 more"));
}

// What the direct computation of convolutions takes is no bound of what Winograd's way takes.
TEST_F(Report, SharesOfWorkAreAtMostAll) {
  explain_stage({});
  explanation_.work = WorkTime{.compute = Millis(5.5), .memory = Millis(0.5)};
  EXPECT_THAT(overview_text(explained()), HasSubstr("work: 5.500 ms at the device's full rates (memory 0.500 ms; "));
  explanation_.work->compute = Millis(1.1);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("work: 1.100 ms at the device's full rates, 40 % of the stage sum"));
}

TEST(ExplainTexts, SayHowANumberIsKnown) {
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kSimulated}), "0.365 ms (simulated)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kReused, Millis(0.01)}), "0.365 ± 0.010 ms (reused)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kPredicted}), "about 0.365 ms (predicted)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kBound}), "at least 0.365 ms (bound)");
  EXPECT_EQ(cost_text({}), "unknown");
  Alternative one{.change = {ChangeKind::kSplit, 0, 1, {}, {}},
                  .costs = {},
                  .difference = Millis(-0.0004),
                  .basis = Basis::kMeasured};
  EXPECT_EQ(difference_text(one), "-0.0004 ms (measured)");
  one.error = Millis(0.002);
  EXPECT_EQ(difference_text(one), "-0.0004 ± 0.002 ms (measured, within the noise)");
  one.basis = Basis::kUnknown;
  EXPECT_EQ(difference_text(one), "unknown");
}

}  // namespace
}  // namespace iosx::test
