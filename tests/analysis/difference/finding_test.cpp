#include "core/analysis/difference/finding.h"

#include <gmock/gmock.h>

#include "core/analysis/difference/difference_report.h"
#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

using test::MadeUpRun;
using test::schedule_of;
using testing::HasSubstr;
using testing::Not;

std::string sentence_of(std::vector<Subject> subjects, std::size_t baseline = 0) {
  const PartMatrix matrix = part_matrix(subjects, baseline, match_with_all(subjects, baseline));
  return finding_sentence(subjects, matrix, find_out(subjects, matrix));
}

Subject run(const std::string& label, const MadeUpRun& made_up) {
  static const auto graph = std::make_shared<const Graph>(test::two_parts());
  Subject subject = test::subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), made_up);
  subject.label = label;
  return subject;
}

MadeUpRun measured(std::vector<double> stages, double spread = 0.05, std::int64_t samples = 100) {
  return {.stages = std::move(stages), .spread = spread, .samples = samples, .origin = Origin::kMeasured};
}

TEST(Finding, SaysHowMuchFasterAndWhere) {
  const std::string first = run("x", {.stages = {1, 1, 1, 1}}).graph().parts()[0].name;
  EXPECT_EQ(
      sentence_of({run("Sequential", {.stages = {1, 1, 1, 1}}), run("IOS-Both", {.stages = {0.5, 0.5, 0.9, 0.9}})}),
      "IOS-Both is 1.43× as fast as Sequential (4.00 → 2.80 ms, simulated). 83 % of the difference lies in 1 of 2 "
      "parts: " +
          first + ".");
}

TEST(Finding, SpeaksOfTheFastestOfSeveral) {
  const std::vector<Subject> subjects{run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}}),
                                      run("C", {.stages = {0.5, 0.5, 0.5, 0.5}})};
  EXPECT_THAT(sentence_of(subjects), HasSubstr("C is 2.00× as fast as A"));
  EXPECT_THAT(sentence_of(subjects, 2), HasSubstr("Nothing is faster than the baseline: B takes 1.75× as long as C"));
}

TEST(Finding, SpeaksOfAnyOneThatItIsAskedFor) {
  const std::vector<Subject> subjects{run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}}),
                                      run("C", {.stages = {0.5, 0.5, 0.5, 0.5}}), run("D", {.stages = {1, 1, 1, 2}})};
  const PartMatrix matrix = part_matrix(subjects, 0, match_with_all(subjects, 0));
  const Finding b = find_out(subjects, matrix, 1);
  EXPECT_FALSE(b.fastest);
  EXPECT_THAT(finding_sentence(subjects, matrix, b), HasSubstr("B is 1.14× as fast as A (4.00 → 3.50 ms"));
  const std::string slower = finding_sentence(subjects, matrix, find_out(subjects, matrix, 3));
  EXPECT_THAT(slower, HasSubstr("D takes 1.25× as long as A (4.00 → 5.00 ms"));
  EXPECT_THAT(slower, Not(HasSubstr("Nothing is faster"))) << "C is";
  EXPECT_TRUE(find_out(subjects, matrix, 2).fastest);
}

TEST(Finding, ClaimsNoWinInsideTheNoise) {
  const std::string text =
      sentence_of({run("A", measured({1, 1, 1, 1}, 0.3)), run("B", measured({1, 1, 1, 0.9}, 0.3))});
  EXPECT_EQ(text, "B is as fast as A within the noise (4.00 → 3.90 ms, measured).");
}

TEST(Finding, SaysWhereThereWereTooFewRuns) {
  const std::string text =
      sentence_of({run("A", measured({1, 1, 1, 1}, 0, 1)), run("B", measured({1, 1, 1, 0.5}, 0, 1))});
  EXPECT_EQ(text, "Too few runs to tell B from A (4.00 → 3.50 ms, measured).");
}

TEST(Finding, OfTheSameLatencyExactlySaysSo) {
  EXPECT_EQ(sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 1}})}),
            "B is as fast as A (4.00 → 4.00 ms, simulated).");
}

TEST(Finding, SaysWhenAModelStandsAgainstAMeasurement) {
  const std::string text =
      sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", measured({0.5, 0.5, 0.5, 0.5}, 0.01))});
  EXPECT_THAT(text, HasSubstr("(4.00 ms simulated → 2.00 ms measured)"));
  EXPECT_THAT(text, HasSubstr("One number is a model's, the other a measurement's"));
}

TEST(Finding, ComparesSamplesWhereBatchesDiffer) {
  MadeUpRun batch{.stages = {4, 4, 4, 4}, .batch = 8};
  const std::string text = sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", batch)});
  EXPECT_THAT(text, HasSubstr("B is 2.00× as fast as A (4.00 → 2.00 ms per sample, simulated)"));
  EXPECT_THAT(text, HasSubstr("Batches of 1 and 8 are compared per sample."));
  EXPECT_THAT(text, Not(HasSubstr("of the difference"))) << "all parts go the same way";
  const std::string where =
      sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 7, 7}, .batch = 8})});
  EXPECT_THAT(where, HasSubstr("88 % of the difference lies in 1 of 2 parts"));
}

TEST(Finding, SaysWherePartsGoOppositeWays) {
  const std::string text = sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {0.5, 0.5, 0.5, 2}})});
  EXPECT_THAT(text, HasSubstr("1 of 2 parts win 1.00 ms, more than the whole because other parts go the other way"));
}

TEST(Finding, OfOneRunOrNoneIsASentenceToo) {
  EXPECT_EQ(sentence_of({run("A", {.stages = {1, 1, 1, 1}})}), "A takes 4.00 ms (simulated).");
  EXPECT_EQ(finding_sentence({}, {}, {}), "Nothing to compare yet.");
}

TEST(Finding, NamesAreMadePrintable) {
  const std::string text =
      sentence_of({run("A\x1b[31m", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}})});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace iosx
