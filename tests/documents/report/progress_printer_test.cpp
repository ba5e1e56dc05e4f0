#include "core/documents/report/progress_printer.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr const char* kTakeAway = "\r\033[K";

TEST(ProgressLines, OnAPipeOneLineEveryTenSecondsWithTheTimeLeft) {
  ProgressLines lines("iosx", false);
  std::vector<std::string> written;
  std::vector<double> when;
  for (int tenth = 0; tenth <= 450; ++tenth) {
    const Seconds now(100 + tenth / 10.0);  // the clock need not begin with the job
    const std::string text = lines.report({message("ios-both: part 2 of 9, units searched"), tenth, 900}, now);
    if (text.empty()) continue;
    written.push_back(text);
    when.push_back(now.count() - 100);
  }
  EXPECT_THAT(when,
              ElementsAre(DoubleNear(10, 0.11), DoubleNear(20, 0.11), DoubleNear(30, 0.11), DoubleNear(40, 0.11)));
  EXPECT_EQ(written[1],
            "iosx: ios-both: part 2 of 9, units searched: 200 of 900, 20 s so far, about 1 min left of this step\n");
  EXPECT_EQ(lines.clear(), "");  // what was written stays
}

TEST(ProgressLines, OnAPipeTimePassesWithoutReports) {
  ProgressLines lines("iosx", false);
  EXPECT_EQ(lines.tick(Seconds(1000)), "");  // no job yet
  EXPECT_EQ(lines.report({message("reading"), 0, 0}, Seconds(1000)), "");
  EXPECT_EQ(lines.tick(Seconds(1009)), "");
  EXPECT_EQ(lines.tick(Seconds(1010)), "iosx: reading, 10 s so far\n");
  EXPECT_EQ(lines.tick(Seconds(1011)), "");
}

TEST(ProgressLines, OnATerminalOneLineThatChanges) {
  ProgressLines lines("iosx", true);
  EXPECT_EQ(lines.tick(Seconds(0)), "");
  EXPECT_EQ(lines.report({message("work"), 1, 60}, Seconds(0)), std::string(kTakeAway) + "work: 1 of 60");
  EXPECT_EQ(lines.report({message("work"), 2, 60}, Seconds(0.05)), "");  // not more often than people can read
  for (int i = 3; i <= 30; ++i) lines.report({message("work"), i, 60}, Seconds(i));
  const std::string text = lines.tick(Seconds(30));
  EXPECT_EQ(text, std::string(kTakeAway) + "work: 30 of 60, 30 s so far, about 30 s left of this step");
  EXPECT_EQ(lines.clear(), kTakeAway);
  EXPECT_EQ(lines.clear(), "");
  EXPECT_EQ(lines.tick(Seconds(40)), "");  // nothing comes back by itself
  EXPECT_THAT(lines.report({message("more"), 0, 0}, Seconds(41)), HasSubstr("more"));
}

TEST(ProgressLines, AreCutToTheTerminalWithoutLosingTheTimes) {
  ProgressLines lines("iosx", true);
  const std::string phase = "measuring the stages of gr\u00fc\u00dfe \u00fcberall";
  for (int i = 0; i <= 30; ++i) lines.report({verbatim(phase), i, 60}, Seconds(i));
  for (std::size_t columns = 1; columns < 120; ++columns) {
    const std::string line = lines.tick(Seconds(31), columns).substr(std::string(kTakeAway).size());
    EXPECT_LT(line.size(), columns);
    if (columns > 60) {
      EXPECT_THAT(line, EndsWith(": 30 of 60, 31 s so far, about 30 s left of this step"));
    }
    EXPECT_TRUE(line.empty() || (static_cast<unsigned char>(line.back()) & 0xC0U) != 0xC0U) << columns;
  }
}

TEST(ProgressLines, ANameCannotBreakTheLine) {
  ProgressLines lines("iosx", true);
  const std::string text = lines.report({message("stages of a\nb\033[2J"), 0, 0}, Seconds(0));
  EXPECT_EQ(text, std::string(kTakeAway) + "stages of a\\nb\\x1B[2J");
}

TEST(ProgressPrinter, WritesAndTakesAway) {
  std::ostringstream stream;
  {
    ProgressPrinter printer("iosx", stream, true);
    printer.report({message("work"), 1, 2});
    printer.clear();
    stream << "result\n";
    printer.report({message("more"), 1, 2});
  }
  EXPECT_THAT(stream.str(), AllOf(StartsWith(std::string(kTakeAway) + "work"),
                                  HasSubstr(std::string(kTakeAway) + "result\n"), EndsWith(kTakeAway)));
}

TEST(ProgressPrinter, SaysNothingOfAShortJobOnAPipe) {
  std::ostringstream stream;
  {
    ProgressPrinter printer("iosx", stream, false);
    for (int i = 0; i < 100; ++i) printer.report({message("work"), i, 100});
  }
  EXPECT_EQ(stream.str(), "");
}

}  // namespace
}  // namespace iosx
