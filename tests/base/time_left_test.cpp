// Jobs in virtual time: what is said to be left against what is.
#include "core/base/progress.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// When each of a phase's units is done, in seconds.
using Units = std::vector<double>;

Units even(int count, double each) {
  Units units;
  for (int i = 1; i <= count; ++i) units.push_back(i * each);
  return units;
}

struct Answer {
  double at = 0;
  double left = 0;
};

// Runs the phase and asks every `step` seconds; what was answered.
std::vector<Answer> answers(const Units& units, double step = 1) {
  TimeLeft time_left;
  const auto total = static_cast<std::int64_t>(units.size());
  time_left.report({message("work"), 0, total}, Seconds(0));
  std::vector<Answer> said;
  std::size_t next = 0;
  for (double now = step; now < units.back(); now += step) {
    for (; next < units.size() && units[next] <= now; ++next) {
      time_left.report({message("work"), static_cast<std::int64_t>(next) + 1, total}, Seconds(units[next]));
    }
    if (const auto left = time_left.left(Seconds(now))) said.push_back({now, left->count()});
  }
  return said;
}

TEST(TimeLeft, OfAnEvenPaceIsRight) {
  for (const double step : {0.1, 1.0, 10.0}) {
    const auto said = answers(even(200, 0.5), step);
    ASSERT_GE(said.size(), 8U);
    EXPECT_LE(said.front().at, std::max(step, 3.0));
    for (const Answer& answer : said) EXPECT_NEAR(answer.left, 100 - answer.at, 1) << answer.at << ' ' << step;
  }
}

TEST(TimeLeft, OfFewLongUnitsRunsDownBetweenReports) {
  const auto said = answers(even(10, 20));
  ASSERT_FALSE(said.empty());
  EXPECT_GE(said.front().at, 20);  // nothing was done before
  for (const Answer& answer : said) EXPECT_NEAR(answer.left, 200 - answer.at, 2) << answer.at;
}

TEST(TimeLeft, FollowsAChangeOfPace) {
  Units units = even(100, 0.2);
  for (int i = 0; i < 100; ++i) units.push_back(units.back() + 1);  // five times as slow
  for (const Answer& answer : answers(units)) {
    if (answer.at <= 60) continue;
    EXPECT_NEAR(answer.left, 120 - answer.at, 0.3 * (120 - answer.at) + 2) << answer.at;
  }
}

// Units of very different length: the answer neither leaps nor goes far wrong.
TEST(TimeLeft, NeverLeaps) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> length(-1, 1.2);
  for (int run = 0; run < 20; ++run) {
    Units units;
    double now = 0;
    for (int i = 0; i < 300; ++i) units.push_back(now += length(random));
    const auto said = answers(units);
    ASSERT_GT(said.size(), 20U);
    for (std::size_t i = 1; i < said.size(); ++i) {
      const double expected = std::max(said[i - 1].left - 1, 0.0);
      EXPECT_LE(std::abs(said[i].left - expected), 0.1 * expected + 1.01) << run << ": " << said[i].at;
      if (said[i].at < now / 4) continue;
      EXPECT_NEAR(said[i].left, now - said[i].at, 0.35 * now) << run << ": " << said[i].at;
    }
  }
}

TEST(TimeLeft, GrowsWhileNothingHappens) {
  TimeLeft time_left;
  for (int i = 0; i <= 20; ++i) time_left.report({message("work"), i, 40}, Seconds(i));
  const double before = time_left.left(Seconds(20)).value().count();
  EXPECT_NEAR(before, 20, 1);
  double last = before;
  for (int now = 21; now < 120; ++now) last = time_left.left(Seconds(now)).value().count();
  EXPECT_GT(last, 60);
}

TEST(TimeLeft, SaysNothingWhereNobodyKnows) {
  TimeLeft time_left;
  EXPECT_FALSE(time_left.left(Seconds(1)));
  for (int i = 0; i < 100; ++i) time_left.report({message("measuring convolutions"), i, 0}, Seconds(i));
  EXPECT_FALSE(time_left.left(Seconds(100)));  // no total
  time_left.report({message("work"), 0, 1000}, Seconds(101));
  EXPECT_FALSE(time_left.left(Seconds(200)));  // nothing done
  time_left.report({message("work"), 10, 1000}, Seconds(201));
  EXPECT_TRUE(time_left.left(Seconds(202)));
  time_left.report({message("work"), 1000, 1000}, Seconds(203));
  EXPECT_FALSE(time_left.left(Seconds(204)));  // the end
  time_left.report({message("next"), 0, 10}, Seconds(205));
  time_left.report({message("next"), 1, 10}, Seconds(205.5));
  EXPECT_FALSE(time_left.left(Seconds(206)));  // too early
}

TEST(TimeLeft, ANewPhaseKnowsNothingOfTheOldOne) {
  TimeLeft time_left;
  for (int i = 0; i < 50; ++i) time_left.report({message("slow"), i, 50}, Seconds(10 * i));
  for (int i = 0; i <= 50; ++i) time_left.report({message("fast"), i, 100}, Seconds(500 + 0.1 * i));
  EXPECT_NEAR(time_left.left(Seconds(505)).value().count(), 5, 0.5);
  // The same words again from the start: another run of it.
  for (int i = 0; i <= 10; ++i) time_left.report({message("fast"), i, 100}, Seconds(600 + i));
  EXPECT_NEAR(time_left.left(Seconds(610)).value().count(), 90, 5);
}

TEST(TimeLeft, NumbersInThePhaseDoNotMakeItAnother) {
  TimeLeft time_left;
  for (int i = 0; i <= 30; ++i) {
    time_left.report({message("part {} of 6, units searched", std::to_string(i / 10 + 1)), i, 60}, Seconds(i));
  }
  EXPECT_NEAR(time_left.left(Seconds(30)).value().count(), 30, 1);
}

TEST(TimeLeft, WhatADeviceSaysInBetweenDoesNotEndAPhase) {
  TimeLeft time_left;
  for (int i = 0; i <= 30; ++i) {
    time_left.report({message("running end to end"), i, 60}, Seconds(2 * i));
    time_left.report({message("measuring convolutions"), i, 0}, Seconds(2 * i + 1));
    EXPECT_FALSE(time_left.left(Seconds(2 * i + 1)));
  }
  time_left.report({message("running end to end"), 30, 60}, Seconds(61));
  EXPECT_NEAR(time_left.left(Seconds(61)).value().count(), 59, 4);
}

TEST(TimeLeft, ManyPhasesAreNoBurden) {
  TimeLeft time_left;
  for (int i = 0; i < 5000; ++i) {
    std::string phase = "phase ";
    for (int rest = i; rest > 0; rest /= 26) phase += static_cast<char>('a' + rest % 26);
    for (int done = 0; done < 4; ++done) time_left.report({verbatim(phase), done, 10}, Seconds(10 * i + done));
    ASSERT_NEAR(time_left.left(Seconds(10 * i + 3)).value().count(), 7, 1) << i;
  }
}

TEST(RoughTime, IsAsExactAsAnEstimateDeserves) {
  EXPECT_EQ(rough_time_text(Seconds(-1)), "a few seconds");
  EXPECT_EQ(rough_time_text(Seconds(7)), "a few seconds");
  EXPECT_EQ(rough_time_text(Seconds(8)), "about 10 s");
  EXPECT_EQ(rough_time_text(Seconds(22)), "about 20 s");
  EXPECT_EQ(rough_time_text(Seconds(57)), "about 55 s");
  EXPECT_EQ(rough_time_text(Seconds(58)), "about 1 min");
  EXPECT_EQ(rough_time_text(Seconds(200)), "about 3 min");
  EXPECT_EQ(rough_time_text(Seconds(59 * 60)), "about 59 min");
  EXPECT_EQ(rough_time_text(Seconds(59.6 * 60)), "about 1 h");
  EXPECT_EQ(rough_time_text(Seconds(82 * 60)), "about 1 h 20 min");
  EXPECT_EQ(rough_time_text(Seconds(119 * 60)), "about 2 h");
}

TEST(ElapsedTime, IsWhole) {
  EXPECT_EQ(elapsed_text(Seconds(0.9)), "0 s");
  EXPECT_EQ(elapsed_text(Seconds(59.9)), "59 s");
  EXPECT_EQ(elapsed_text(Seconds(65)), "1 min 05 s");
  EXPECT_EQ(elapsed_text(Seconds(2 * 3600 + 3 * 60 + 59)), "2 h 03 min");
}

}  // namespace
}  // namespace iosx
