#include "core/report/comparison_files.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/compare/report.h"
#include "core/import/document.h"
#include "core/schedule/baselines.h"
#include "tests/compare/fake_device.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

class ComparisonFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "iosx-report-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Comparison comparison(std::vector<std::string> schedules, std::vector<std::string> given = {}) {
    test::FakeDevice device;
    const Graph graph = test::fork_join(3);
    CompareOptions options;
    options.schedules = std::move(schedules);
    for (const std::string& name : given) {
      options.given.push_back(sequential_schedule(graph));
      options.given.back().name = name;
    }
    auto compared = compare(graph, device, options, {});
    EXPECT_TRUE(compared) << compared.error().text();
    return std::move(*compared);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "out")) found.push_back(entry.path().filename());
    return found;
  }

  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / "out" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

TEST_F(ComparisonFilesTest, AreTheDocumentedOnesAndCanBeReadAgain) {
  const Comparison compared = comparison({"greedy", "ios-both"});
  const auto written = write_comparison_files(compared, folder_ / "out");
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_EQ(written->paths.size() + written->left_out.size(), 8U);
  EXPECT_EQ(names().size(), written->paths.size());
  EXPECT_THAT(names(), testing::IsSupersetOf({"comparison.txt", "comparison.json", "stages.csv", "trace.json",
                                              "greedy.schedule.json", "ios-both.schedule.json"}));
  EXPECT_EQ(nlohmann::ordered_json::parse(text("comparison.json")), comparison_json(compared));
  EXPECT_EQ(text("stages.csv"), stage_csv(compared));
  const auto schedule = load_schedule(folder_ / "out" / "ios-both.schedule.json", *compared.graph);
  ASSERT_TRUE(schedule) << schedule.error().text();
  EXPECT_EQ(schedule->schedule, compared.find("ios-both")->schedule);
  EXPECT_EQ(schedule->notes.latency_ms, compared.find("ios-both")->latency.value.count());
  const auto original = load_document(folder_ / "out" / "greedy.ios.json");
  ASSERT_TRUE(original) << original.error().text();
  EXPECT_EQ(original->schedule->stages.size(), compared.find("greedy")->schedule.stages.size());
}

TEST_F(ComparisonFilesTest, KeepSchedulesOfOneNameApart) {
  const auto written = write_comparison_files(comparison({"sequential"}, {"my/own", "my own", ".."}), folder_ / "out");
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_THAT(names(), testing::IsSupersetOf({"my-own.schedule.json", "my-own-2.schedule.json",
                                              "schedule...schedule.json", "sequential.schedule.json"}));
}

TEST_F(ComparisonFilesTest, FailWhereAFileIsInTheWay) {
  std::ofstream(folder_ / "out") << "not a folder";
  EXPECT_FALSE(write_comparison_files(comparison({"sequential"}), folder_ / "out"));
}

TEST_F(ComparisonFilesTest, TraceHoldsOnlyWhatWasAskedFor) {
  const auto trace = nlohmann::json::parse(comparison_trace(comparison({"ios-both"})));
  EXPECT_EQ(trace.dump().find("sequential"), std::string::npos);
  EXPECT_NE(trace.dump().find("ios-both"), std::string::npos);
}

}  // namespace
}  // namespace iosx
