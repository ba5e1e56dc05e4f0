#include "models/open_graph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::HasSubstr;

TEST(OpenGraph, FindsABuiltInNetwork) {
  const auto document = open_graph("sample");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->graph->name(), "sample");
  EXPECT_FALSE(document->schedule);
  EXPECT_FALSE(names_a_file("sample"));
}

TEST(OpenGraph, SuggestsTheNearestName) {
  EXPECT_THAT(open_graph("resnet-50").error().text(), HasSubstr("did you mean resnet50?"));
  EXPECT_THAT(open_graph("Inception_V3").error().text(), HasSubstr("did you mean inception_v3?"));
  const std::string far = open_graph("transformer").error().text();
  EXPECT_THAT(far, testing::Not(HasSubstr("did you mean")));
  EXPECT_THAT(far, testing::AllOf(HasSubstr("transformer"), HasSubstr("googlenet"), HasSubstr("file")));
}

TEST(OpenGraph, SaysWhichBatchesANetworkRunsWith) {
  Document document;
  document.batch = 2;
  document.batched = true;
  EXPECT_EQ(batch_to_run(document, "net.onnx", std::nullopt).value(), 2);
  EXPECT_EQ(batch_to_run(document, "net.onnx", 8).value(), 8);
  document.batch = 1;
  document.batched = false;
  EXPECT_EQ(batch_to_run(document, "net.onnx", 1).value(), 1);
  const auto refused = batch_to_run(document, "net.onnx", 8);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().text(), "net.onnx: runs with a batch of 1 only, not 8 (give no batch)");
}

TEST(OpenGraph, TakesAPathForAFile) {
  EXPECT_TRUE(names_a_file("some/where"));
  EXPECT_TRUE(names_a_file("graph.json"));
  EXPECT_THAT(open_graph("no/such/graph.json").error().text(), HasSubstr("no/such/graph.json"));
}

TEST(OpenGraph, OpensAFileWithItsSchedule) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  const auto document = open_graph((folder / "graphs" / "inception_v3-ios-v100.json").string());
  ASSERT_TRUE(document) << document.error().text();
  EXPECT_TRUE(document->schedule);
}

class ScheduleFileAsGraph : public testing::Test {
 protected:
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Result<Document> open(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return open_graph(path_.string());
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / fmt::format("iosx-open-graph-{}.json", getpid());
};

TEST_F(ScheduleFileAsGraph, OpensTheBuiltInNetworkWithTheSchedule) {
  const auto network = open_graph("sample");
  ASSERT_TRUE(network);
  const Schedule greedy = greedy_schedule(*network->graph);
  const auto document = open(schedule_to_json(*network->graph, greedy));
  ASSERT_TRUE(document) << document.error().text();
  EXPECT_EQ(document->graph->name(), "sample");
  ASSERT_TRUE(document->schedule);
  EXPECT_EQ(*document->schedule, greedy);
}

TEST_F(ScheduleFileAsGraph, SaysWhatIsMissing) {
  const auto error = [&](const std::string& text) {
    const auto document = open(text);
    return document ? std::string() : document.error().text();
  };
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1,"graph":"mine","stages":[]})"),
              testing::AllOf(testing::HasSubstr("'mine'"), testing::HasSubstr("built-in")));
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1})"), testing::HasSubstr("does not name its graph"));
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1,"graph":"sample","schedule":"x","stages":[]})"),
              testing::HasSubstr(path_.string()));
}

TEST(EditDistance, CountsLetters) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("VGG16", "vgg16"), 0U);
  EXPECT_EQ(edit_distance("inceptoin", "inception"), 1U);  // two letters swapped
}

TEST(Nearest, KeepsAwayFromFarNames) {
  const std::array<std::string_view, 3> names{"count", "compare", "convert"};
  EXPECT_EQ(nearest("conut", names), "count");
  EXPECT_EQ(nearest("xyz", names), "");
}

}  // namespace
}  // namespace iosx
