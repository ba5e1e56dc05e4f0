#include "core/documents/report/comparison_files.h"

#include <stdlib.h>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/formats/document.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

class ComparisonFilesTest : public testing::Test {
 protected:
  Comparison comparison(std::vector<ScheduleKind> schedule_kinds, std::vector<std::string> given = {}) {
    test::FakeDevice device;
    const Graph graph = test::fork_join(3);
    CompareOptions options{.schedule_kinds = std::move(schedule_kinds)};
    for (const std::string& name : given) {
      options.given.emplace_back(one_by_one_schedule(graph));
      options.given.back().schedule.name = name;
    }
    return must(compare(graph, device, options, {}));
  }

  std::vector<std::string> names() const {
    return mapped<std::string>(fs::directory_iterator(folder_ / "out"),
                               [](const auto& entry) { return entry.path().filename(); });
  }

  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / "out" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const test::Folder folder_;
};

TEST_F(ComparisonFilesTest, AreTheDocumentedOnesAndCanBeReadAgain) {
  const Comparison compared = comparison({ScheduleKind::kGreedy, ScheduleKind::kIosBoth});
  const auto written = must(write_comparison_files(compared, folder_ / "out"));
  EXPECT_EQ(written.paths.size() + written.left_out.size(), 9U);
  EXPECT_EQ(names().size(), written.paths.size());
  EXPECT_THAT(names(), IsSupersetOf({"comparison.txt", "comparison.json", "schedules.csv", "stages.csv", "trace.json",
                                     "greedy.schedule.json", "ios-both.schedule.json"}));
  EXPECT_EQ(nlohmann::ordered_json::parse(text("comparison.json")), comparison_json(compared));
  EXPECT_EQ(text("stages.csv"), table_csv(stage_list(compared)));
  EXPECT_FALSE(fs::exists(folder_ / "out" / "samples.csv")) << "a simulated run has none";
  const auto schedule = must(load_schedule(folder_ / "out" / "ios-both.schedule.json", *compared.graph));
  EXPECT_EQ(schedule.schedule, compared.find(ScheduleKind::kIosBoth)->schedule);
  EXPECT_EQ(schedule.notes.latency_ms, compared.find(ScheduleKind::kIosBoth)->latency.value.count());
  const auto original = must(load_document(folder_ / "out" / "greedy.ios.json"));
  EXPECT_EQ(original.schedule->schedule.stages.size(), compared.find(ScheduleKind::kGreedy)->schedule.stages.size());
}

TEST_F(ComparisonFilesTest, KeepSchedulesOfOneNameApart) {
  const auto written =
      write_comparison_files(comparison({ScheduleKind::kSequential}, {"my/own", "my own", ".."}), folder_ / "out");
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_THAT(names(), IsSupersetOf({"my-own.schedule.json", "my-own-2.schedule.json", "schedule...schedule.json",
                                     "sequential.schedule.json"}));
}

TEST_F(ComparisonFilesTest, KeepTwoRunsOfOneScheduleKindApart) {
  const Comparison compared = comparison({ScheduleKind::kGreedy, ScheduleKind::kIosBoth, ScheduleKind::kIosBoth});
  ASSERT_TRUE(write_comparison_files(compared, folder_ / "out"));
  EXPECT_THAT(names(), IsSupersetOf({"ios-both.schedule.json", "ios-both-2.schedule.json"}));
  const auto json = nlohmann::json::parse(text("comparison.json"));
  EXPECT_EQ(json["schedules"][1]["name"], json["schedules"][2]["name"]);
  EXPECT_EQ(json["schedules"][1]["id"], "ios-both");
  EXPECT_EQ(json["schedules"][2]["id"], "ios-both-2");
  EXPECT_NE(text("stages.csv").find("\nios-both-2,1,"), std::string::npos);
  EXPECT_NE(text("comparison.txt").find("\nios-both-2 "), std::string::npos);
  EXPECT_NE(text("trace.json").find("\"ios-both-2\""), std::string::npos);
}

// A figure that was measured elsewhere and earlier says so in every file.
TEST_F(ComparisonFilesTest, OfARecordedRunSaySo) {
  Comparison compared = comparison({ScheduleKind::kGreedy, ScheduleKind::kIosBoth});
  compared.recorded = verbatim("recorded on server, 2026-03-01 12:00 UTC");
  must(write_comparison_files(compared, folder_ / "out"));
  for (const std::string& name : names()) {
    if (name.ends_with(".ios.json")) continue;  // the original's form has no place for it, nor for latencies
    EXPECT_NE(text(name).find(compared.recorded.text()), std::string::npos) << name;
  }
  const auto schedule = must(load_schedule(folder_ / "out" / "ios-both.schedule.json", *compared.graph));
  EXPECT_EQ(schedule.notes.recorded, compared.recorded.text());
}

TEST_F(ComparisonFilesTest, FailWhereAFileIsInTheWay) {
  std::ofstream(folder_ / "out") << "not a folder";
  EXPECT_FALSE(write_comparison_files(comparison({ScheduleKind::kSequential}), folder_ / "out"));
}

TEST_F(ComparisonFilesTest, TraceHoldsOnlyWhatWasAskedFor) {
  const auto trace = nlohmann::json::parse(comparison_trace(comparison({ScheduleKind::kIosBoth})));
  EXPECT_EQ(trace.dump().find("sequential"), std::string::npos);
  EXPECT_NE(trace.dump().find("ios-both"), std::string::npos);
}

// Whoever takes the folder for one comparison is told what in it is of another.
TEST_F(ComparisonFilesTest, SaysWhatInTheFolderIsOfAnEarlierOne) {
  const auto first =
      write_comparison_files(comparison({ScheduleKind::kSequential, ScheduleKind::kGreedy}), folder_ / "out");
  ASSERT_TRUE(first);
  const auto same =
      write_comparison_files(comparison({ScheduleKind::kSequential, ScheduleKind::kGreedy}), folder_ / "out");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->left_out, first->left_out);
  const auto second = must(write_comparison_files(comparison({ScheduleKind::kSequential}), folder_ / "out"));
  ASSERT_FALSE(second.left_out.empty());
  EXPECT_THAT(second.left_out.back(), HasSubstr("greedy.ios.json, greedy.schedule.json"));
  EXPECT_THAT(second.left_out.back(), Not(HasSubstr("sequential")));
}

}  // namespace
}  // namespace iosx
