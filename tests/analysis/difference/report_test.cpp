#include "core/analysis/difference/difference_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/tables/render.h"
#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

using test::schedule_of;
using test::subject_of;
using testing::HasSubstr;

class DifferenceReport : public testing::Test {
 protected:
  DifferenceReport() {
    const auto graph = std::make_shared<const Graph>(test::two_parts());
    subjects_ = {subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                            {.stages = {1, 2, 3, 4}, .between = 0.5, .rest = 0.25}),
                 subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2, 3, 4.5}, .between = 0.25})};
    subjects_[0].label = "one by one";
    subjects_[1].label = "chained";
    matches_ = match_with_all(subjects_, 0);
    matrix_ = part_matrix(subjects_, 0, matches_);
    stages_ = compare_stages(subjects_[0], subjects_[1], matches_[1]);
  }

  std::vector<Subject> subjects_;
  std::vector<GraphMatch> matches_;
  PartMatrix matrix_;
  StageDifference stages_;
};

TEST_F(DifferenceReport, TablesHaveARowForEveryPartAndStageAndTheRest) {
  const std::string parts = table_text(part_comparison(subjects_, matrix_));
  EXPECT_THAT(parts, HasSubstr("one by one [ms]  chained Δ [ms]"));
  EXPECT_THAT(parts, HasSubstr("-1.0000"));
  EXPECT_THAT(parts, HasSubstr("between stages"));
  const std::string stages = table_text(stage_comparison(subjects_[0], subjects_[1], stages_));
  EXPECT_THAT(stages, HasSubstr("1–2"));
  EXPECT_THAT(stages, HasSubstr("2 stages joined into 1"));
  EXPECT_THAT(stages, HasSubstr("-33.3"));
  EXPECT_THAT(stages, HasSubstr("whole"));
  EXPECT_EQ(match_text(subjects_[0], subjects_[1], matches_[1]), "");
}

TEST_F(DifferenceReport, JsonHasTheSameNumbers) {
  const auto matrix = matrix_json(subjects_, matrix_);
  EXPECT_EQ(matrix["baseline"], 0);
  EXPECT_EQ(matrix["parts"].size(), 2U);
  EXPECT_DOUBLE_EQ(matrix["parts"][0]["cells"][1]["delta_ms"], -1.0);
  EXPECT_EQ(matrix["parts"][0]["cells"][1]["verdict"], "faster");
  EXPECT_EQ(matrix["subjects"][1]["label"], "chained");
  const auto stages = stages_json(subjects_[0], subjects_[1], matches_[1], stages_);
  EXPECT_EQ(stages["rows"][0]["a"], (std::vector<int>{1, 2}));
  EXPECT_EQ(stages["rows"][0]["change"], "2 stages joined into 1");
  double sum = stages["between_stages_ms"].get<double>() + stages["rest_ms"].get<double>();
  for (const auto& row : stages["rows"]) sum += row["delta_ms"].get<double>();
  EXPECT_NEAR(sum, stages["delta_ms"].get<double>(), 1e-9);
}

// Runs of several batches are compared per sample, and every head of milliseconds says so.
TEST_F(DifferenceReport, TimesOfOneSampleAreCalledSo) {
  const auto graph = subjects_[0].comparison->graph;
  const Subject eight =
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {4, 8, 16, 24}, .batch = 8});
  const StageDifference difference =
      compare_stages(subjects_[0], eight, match_graphs(*graph, *graph), per_of(std::vector{subjects_[0], eight}));
  const Table table = stage_comparison(subjects_[0], eight, difference);
  const std::string text = table_text(table);
  for (const char* head : {"A [ms/sample]", "B [ms/sample]", "Δ [ms/sample]", "noise [ms/sample]"}) {
    EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr(head));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("[ms]")));
  EXPECT_THAT(table_csv(table), HasSubstr("a_ms_per_sample,b_ms_per_sample,delta_ms_per_sample,noise_ms_per_sample,"));
}

TEST(DifferenceWords, AreShort) {
  EXPECT_EQ(stages_text(std::vector<std::size_t>{}), "–");
  EXPECT_EQ(stages_text(std::vector<std::size_t>{2, 4, 5, 6}), "3, 5–7");
  EXPECT_EQ(signed_millis(Millis(0.0411)), "+0.0411");
  EXPECT_EQ(signed_millis(Millis(-0.00034)), "-0.00034");
  EXPECT_EQ(signed_millis(Millis(0)), "0");
  EXPECT_EQ(verdict_mark({Millis(-1), Millis(2)}), "~");
  EXPECT_EQ(verdict_mark({Millis(-1), std::nullopt}), "?");
  EXPECT_EQ(verdict_mark({Millis(-3), Millis(2)}), "");
}

}  // namespace
}  // namespace iosx
