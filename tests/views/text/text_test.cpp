#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

Latency millis(double value, double spread = 0, std::int64_t samples = 20) {
  return {Millis(value), Millis(spread), samples, Origin::kMeasured};
}

ScheduleResult result_of(Latency latency) { return ScheduleResult{.latency = latency}; }

Difference difference(Latency latency, Latency baseline) { return difference(result_of(latency), result_of(baseline)); }

TEST(LatencyText, ThreeSignificantDigitsWithUnit) {
  EXPECT_EQ(duration_text(Millis(4.0312)), "4.03 ms");
  EXPECT_EQ(duration_text(Millis(12.345)), "12.3 ms");
  EXPECT_EQ(duration_text(Millis(0.3124)), "0.312 ms");
  EXPECT_EQ(duration_text(Millis(0.0872)), QString::fromUtf8("87.2 \u00B5s"));
  EXPECT_EQ(latency_text(millis(4.03, 0.05)), QString::fromUtf8("4.03 \u00B1 0.05 ms"));
}

TEST(LatencyText, NoDifferenceIsClaimedInsideTheNoise) {
  EXPECT_EQ(difference(millis(3.0), millis(4.0)), Difference::kFaster);
  EXPECT_EQ(difference(millis(4.0), millis(3.0)), Difference::kSlower);
  EXPECT_EQ(difference(millis(3.9, 0.1), millis(4.0, 0.05)), Difference::kSame);
  EXPECT_EQ(difference(millis(3.9, 0.04), millis(4.0, 0.05)), Difference::kFaster);
  EXPECT_EQ(difference(millis(4.0), millis(4.0)), Difference::kSame);
  EXPECT_EQ(difference(millis(3.0, 0, 1), millis(4.0, 0, 1)), Difference::kUnknown);
  EXPECT_EQ(speed_text(result_of(millis(3.9, 0.1)), result_of(millis(4.0, 0.05))), QString::fromUtf8("\u2248 1\u00D7"));
  EXPECT_EQ(speed_text(result_of(millis(2.0, 0.1)), result_of(millis(4.0, 0.05))), QString::fromUtf8("2.00\u00D7"));
  EXPECT_EQ(speed_text(result_of(millis(2.0, 0, 1)), result_of(millis(4.0, 0, 1))), QString::fromUtf8("2.00\u00D7 ?"));
}

// Rounds that ran together are compared with one another: a drift that hits both says nothing about their ratio.
TEST(LatencyText, DriftThatHitsBothDoesNotHideADifference) {
  ScheduleResult fast = result_of(millis(3.8, 0.5));
  ScheduleResult slow = result_of(millis(4.0, 0.5));
  EXPECT_EQ(difference(fast, slow), Difference::kSame);
  for (const double drift : {1.0, 1.1, 0.9, 1.05, 1.2, 0.95, 1.0}) {
    fast.rounds.emplace_back(3.8 * drift);
    slow.rounds.emplace_back(4.0 * drift);
  }
  EXPECT_EQ(difference(fast, slow), Difference::kFaster);
}

TEST(LatencyText, WhatIsAsFastAsTheFastestWithinTheNoiseIsFastestToo) {
  auto comparison = test::made_up_comparison();
  comparison->results[0].latency = millis(6.0, 0.1);
  comparison->results[1].latency = millis(4.05, 0.1);
  comparison->results[2].latency = millis(4.0, 0.1);
  EXPECT_FALSE(is_fastest(*comparison, 0));
  EXPECT_TRUE(is_fastest(*comparison, 1));
  EXPECT_TRUE(is_fastest(*comparison, 2));
}

TEST(LatencyText, NothingOverTheMemoryLimitIsTheFastest) {
  auto comparison = test::made_up_comparison();
  comparison->memory_limit = 1'500'000;
  for (std::size_t i = 0; i < comparison->results.size(); ++i) {
    comparison->results[i].planned_bytes = 1'000'000 + 1'000'000 * static_cast<std::int64_t>(i);
  }
  EXPECT_TRUE(is_fastest(*comparison, 0));
  for (std::size_t i = 1; i < comparison->results.size(); ++i) EXPECT_FALSE(is_fastest(*comparison, i));
  comparison->memory_limit = 500'000;
  EXPECT_FALSE(is_fastest(*comparison, 0));
  EXPECT_EQ(summary_sentence(*comparison), "No schedule fits in 0.50 MB (simulated Made-up GPU, batch 1).");
}

TEST(LatencyText, TheSentenceNamesBaselinesDeviceAndOrigin) {
  auto comparison = test::made_up_comparison();
  comparison->results[0].latency.value = Millis(6.0);
  comparison->results[1].latency.value = Millis(4.6);
  comparison->results[2].latency.value = Millis(4.0);
  EXPECT_EQ(summary_sentence(*comparison),
            "IOS-Both runs in 4.00 ms, 1.50 times as fast as sequential and 1.15 times as fast as greedy "
            "(simulated Made-up GPU, batch 1).");
  comparison->results[1].latency = millis(4.05, 0.1);
  comparison->results[2].latency = millis(4.0, 0.1);
  EXPECT_TRUE(summary_sentence(*comparison).contains("the same as greedy within the noise"));
}

TEST(LatencyText, ARatioThatRoundsToOneIsNotCalledFaster) {
  auto comparison = test::made_up_comparison();
  comparison->results[0].latency.value = Millis(5.83);
  comparison->results[1].latency.value = Millis(4.32);
  for (const double ios : {4.30, 4.335}) {
    comparison->results[2].latency.value = Millis(ios);
    const QString sentence = summary_sentence(*comparison);
    EXPECT_TRUE(sentence.contains("times as fast as sequential and about as fast as greedy ("))
        << sentence.toStdString();
    EXPECT_FALSE(sentence.contains("the fastest is"));
  }
  comparison->results[2].latency.value = Millis(4.29);
  EXPECT_TRUE(summary_sentence(*comparison).contains("1.01 times as fast as greedy"));
  comparison->results[2].latency.value = Millis(5.81);
  EXPECT_EQ(speed_up_text(*comparison, 2), "about as fast as sequential");
}

TEST(LatencyText, SaysWhatASearchMeasured) {
  EXPECT_EQ(tally_text({.needed = 58, .measured = 58}), "58 stages measured");
  EXPECT_EQ(tally_text({.needed = 1, .measured = 1}), "1 stage measured");
  EXPECT_EQ(tally_text({.needed = 58, .measured = 12}),
            "58 stages: 12 measured, 46 known from an earlier search or run");
  EXPECT_EQ(tally_text({.needed = 58, .measured = 0}), "58 stages, all known from an earlier search or run");
}

// What one search measured the next one reuses: the sum is what was measured, the most is what was needed.
TEST(LatencyText, SaysWhatAComparisonMeasured) {
  auto comparison = test::made_up_comparison();
  ScheduleResult& first = comparison->results[1];
  ScheduleResult& second = comparison->results[2];
  first.search = SearchResult{};
  second.search = SearchResult{};
  first.search->tally = {.needed = 40, .measured = 40};
  second.search->tally = {.needed = 58, .measured = 18};
  EXPECT_EQ(measured_text(*comparison), "");  // simulated
  comparison->device.origin = Origin::kMeasured;
  EXPECT_EQ(measured_text(*comparison), "58 stages measured");
  first.search->tally.measured = second.search->tally.measured = 0;
  EXPECT_EQ(measured_text(*comparison), "58 stages, all kept from earlier runs");
  comparison->complete = false;  // others may have been needed
  EXPECT_EQ(measured_text(*comparison), "");
  first.search.reset();
  second.search.reset();
  comparison->complete = true;
  EXPECT_EQ(measured_text(*comparison), "");
}

TEST(LatencyText, ASlowerSearchResultIsSaidPlainly) {
  auto comparison = test::made_up_comparison();
  comparison->results[0].latency.value = Millis(4.0);
  comparison->results[1].latency.value = Millis(3.0);
  comparison->results[2].latency.value = Millis(4.4);
  const QString sentence = summary_sentence(*comparison);
  EXPECT_TRUE(sentence.contains("0.91 times as fast as sequential")) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains("the fastest is greedy, 3.00 ms"));
}

TEST(LatencyText, TheSentenceSaysThatAFileHadMergedConvolutions) {
  auto [builder, in] = test::sketch("merged", Shape{3, 8, 8}, "0");
  Conv conv{.out_channels = 4, .merged_from = {"1", "2"}};
  builder.add("1", conv, {in});
  auto graph = must(std::move(builder).build());
  const auto plain = test::made_up_comparison();
  EXPECT_FALSE(summary_sentence(*plain).contains("merged convolution"));
  Comparison merged = *plain;
  merged.graph = std::make_shared<const Graph>(std::move(graph));
  EXPECT_TRUE(summary_sentence(merged).contains("the graph of the file has 1 merged convolution"));
}

TEST(LatencyText, DefaultsAreTheBaselinesTheBestSearchAndGivenSchedules) {
  auto comparison = test::made_up_comparison();
  ScheduleResult slower = comparison->results[2];
  slower.schedule_kind = ScheduleKind::kIosMerge;
  slower.latency.value *= 2;
  ScheduleResult given = comparison->results[2];
  given.schedule_kind = ScheduleKind::kByHand;
  comparison->results.push_back(slower);
  comparison->results.push_back(given);
  EXPECT_EQ(default_results(*comparison), (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(default_results(Comparison{}), std::vector<std::size_t>{});
}

TEST(LatencyText, AGivenScheduleIsNoSearchWhateverItIsCalled) {
  auto comparison = test::made_up_comparison();
  ScheduleResult& given = comparison->add(ScheduleKind::kFile, comparison->results[2].schedule);
  ASSERT_EQ(given.schedule.name, "ios-both");
  given.latency = millis(1e-6);
  EXPECT_EQ(best_ios(*comparison), 2U);
  EXPECT_EQ(default_results(*comparison).size(), 4U);
}

TEST(LatencyText, TwoRunsOfOneScheduleKindHaveTitlesOfTheirOwn) {
  const auto twins = test::made_up_twins();
  EXPECT_EQ(schedule_title(twins->results[2]), "IOS-Both");
  EXPECT_EQ(schedule_title(twins->results[3]), "IOS-Both 2");
  EXPECT_EQ(best_ios(*twins), 2U);
}

TEST(LatencyText, GapsAreEstimatesOrBoundsAndSaidToBe) {
  SearchResult search;
  EXPECT_EQ(gap_text(search), "no schedule within the limits of the search is faster");
  search.complete = false;
  EXPECT_EQ(gap_text(search), "the search was stopped, so the distance to the optimum is not known");
  search.knew_all = false;
  EXPECT_TRUE(gap_text(search).contains("recorded"));
  search.lazy = LazyReport{.certified_gap = 0.25, .estimated_gap = 0.01, .audited = 40};
  EXPECT_EQ(gap_text(search), "the optimum may be 1.0 % faster by estimate, and at most 20 %");
  search.lazy->below_bound = 3;
  EXPECT_TRUE(gap_text(search).endsWith(" (if the bounds hold: 3 of 40 stages broke them before they were lowered)"));
  search.lazy->below_bound = 0;
  search.lazy->estimated_gap = search.lazy->certified_gap;
  EXPECT_EQ(gap_text(search), "the optimum may be at most 20 % faster");
  search.lazy->certified_gap = std::numeric_limits<double>::infinity();
  EXPECT_EQ(gap_text(search), "the distance to the optimum is not known");

  const auto comparison = test::made_up_comparison();
  comparison->results[2].search.emplace().lazy = LazyReport{.certified_gap = 0.25, .estimated_gap = 0.01};
  EXPECT_TRUE(
      summary_sentence(*comparison).contains("; the optimum may be 1.0 % faster by estimate, and at most 20 %"));
}

TEST(LatencyText, SaysWhereTheTimeOfLanesWent) {
  const auto comparison = test::made_up_lanes();
  const auto gain = must(comparison->lane_gain(comparison->results[3]));
  EXPECT_EQ(lane_gain_text(*comparison, gain),
            QString::fromUtf8("6.00 \u00B5s less than Greedy: no barriers \u22125.00 \u00B5s, other lanes and order "
                              "\u22121.00 \u00B5s"));
  comparison->own_lanes->latency.value = comparison->results[1].latency.value + Millis(0.002);
  LaneGain lost = *comparison->lane_gain(comparison->results[3]);
  lost.barriers_in_noise = true;
  EXPECT_TRUE(lane_gain_text(*comparison, lost)
                  .endsWith(QString::fromUtf8("no barriers +2.00 \u00B5s (within the noise), other lanes and order "
                                              "\u22128.00 \u00B5s")))
      << lane_gain_text(*comparison, lost).toStdString();
}

TEST(Format, Numbers) {
  EXPECT_EQ(format::millis(Millis(0.82345)), "0.823");
  EXPECT_EQ(format::millis(Millis(123.456)), "123.46");
  EXPECT_EQ(format::millis(Millis(12345.67)), "12345.7");
  EXPECT_EQ(format::percent(0.1234), "12.3");
  EXPECT_EQ(format::count(7), "7");
  EXPECT_EQ(format::count(-1234567).remove(QChar(0x2009)), "-1234567");
  EXPECT_EQ(format::count(-1234567).size(), 10);
  EXPECT_EQ(format::count(123), "123");
  EXPECT_EQ(format::flops(1.234e9).replace(QChar(0x00A0), QLatin1Char(' ')), "1.23 GFLOP");
  EXPECT_EQ(format::bytes(34567890).replace(QChar(0x00A0), QLatin1Char(' ')), "34.6 MB");
  EXPECT_EQ(format::bytes(512).replace(QChar(0x00A0), QLatin1Char(' ')), "512 B");
  EXPECT_EQ(format::shape({384, 15, 15}), "384 × 15 × 15");
  EXPECT_EQ(format::elapsed(Seconds(3.14)), "3.1 s");
  EXPECT_EQ(format::elapsed(Seconds(65)), "1 min 05 s");
}

TEST(Format, AnybodysNumbers) {
  EXPECT_EQ(format::number(0), "0");
  EXPECT_EQ(format::number(0.123456), "0.1235");
  EXPECT_EQ(format::number(-2.5), QChar(0x2212) + QStringLiteral("2.5"));
  EXPECT_EQ(format::number(123456.7).remove(QChar(0x2009)), "123457");
  EXPECT_EQ(format::number(1.25e12), "1.25e+12");
  EXPECT_EQ(format::number(3e-9), "3e-09");
}

TEST(ChangeNumber, HasASignAndAsManyDecimalsAsAsked) {
  EXPECT_EQ(change_number(Millis(-0.624), 2), QString::fromUtf8("\u22120.62"));
  EXPECT_EQ(change_number(Millis(0.031), 2), "+0.03");
  EXPECT_EQ(change_number(Millis(-0.0004), 2), "0");
  EXPECT_EQ(change_number(Millis(0), 2), "0");
}

TEST(ChangeDecimals, ShowTwoDigitsOfTheLargest) {
  EXPECT_EQ(change_decimals(Millis(-0.62)), 2);
  EXPECT_EQ(change_decimals(Millis(0.062)), 3);
  EXPECT_EQ(change_decimals(Millis(5)), 2);
  EXPECT_EQ(change_decimals(Millis(12)), 1);
  EXPECT_EQ(change_decimals(Millis(123)), 0);
  EXPECT_EQ(change_decimals(Millis(1e-12)), 6);
  EXPECT_EQ(change_decimals(Millis(0)), 2);
}

TEST(Messages, BeginASentenceButLeaveANameAsItIs) {
  EXPECT_EQ(message_sentence(message("all {} names of {} are known", 3, "made_up.csv")),
            "All 3 names of made_up.csv are known");
  EXPECT_EQ(message_sentence(message("{} has no names", "made_up.csv")), "made_up.csv has no names");
  EXPECT_EQ(message_sentence(message("{}, {}", message("recorded on {}", "node1"), "CPU")), "Recorded on node1, CPU");
  EXPECT_EQ(message_sentence(verbatim("made_up.csv")), "made_up.csv");
  EXPECT_EQ(message_sentence(Message()), QString());
}

}  // namespace

}  // namespace iosx
