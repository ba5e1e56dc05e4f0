#include "models/open_graph.h"

#include <unistd.h>

#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "models/compute_graph.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(OpenGraph, FindsABuiltInNetwork) {
  const auto document = must(open_graph("sample"));
  EXPECT_EQ(document.graph->name(), "sample");
  EXPECT_FALSE(document.schedule);
  EXPECT_FALSE(names_a_file("sample"));
}

TEST(OpenGraph, SuggestsTheNearestName) {
  EXPECT_THAT(open_graph("resnet-50").error().text(), HasSubstr("did you mean resnet50?"));
  EXPECT_THAT(open_graph("Inception_V3").error().text(), HasSubstr("did you mean inception_v3?"));
  const std::string far = open_graph("transformer").error().text();
  EXPECT_THAT(far, Not(HasSubstr("did you mean")));
  EXPECT_THAT(far, AllOf(HasSubstr("transformer"), HasSubstr("googlenet"), HasSubstr("file")));
}

TEST(OpenGraph, SaysWhichBatchesANetworkRunsWith) {
  Document document{.batched = true, .batch = 2};
  EXPECT_EQ(batch_to_run(document, "net.onnx", std::nullopt).value(), 2);
  EXPECT_EQ(batch_to_run(document, "net.onnx", 8).value(), 8);
  document.batch = 1;
  document.batched = false;
  EXPECT_EQ(batch_to_run(document, "net.onnx", 1).value(), 1);
  EXPECT_EQ(refused(batch_to_run(document, "net.onnx", 8)).text(),
            "net.onnx: runs only with a batch of 1, not 8 (give no batch)");
}

TEST(OpenGraph, TakesAPathForAFile) {
  EXPECT_TRUE(names_a_file("some/where"));
  EXPECT_TRUE(names_a_file("graph.json"));
  EXPECT_THAT(open_graph("no/such/graph.json").error().text(), HasSubstr("no/such/graph.json"));
}

TEST(OpenGraph, OpensAFileWithItsSchedule) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  EXPECT_TRUE(must(open_graph((folder / "graphs" / "inception_v3-ios-v100.json").string())).schedule);
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
  const auto network = must(open_graph("sample"));
  const Schedule greedy = greedy_schedule(*network.graph);
  const auto document = must(open(schedule_to_json(*network.graph, greedy)));
  EXPECT_EQ(document.graph->name(), "sample");
  ASSERT_TRUE(document.schedule);
  EXPECT_EQ(document.schedule->schedule, greedy);
}

TEST_F(ScheduleFileAsGraph, SaysWhatIsMissing) {
  const auto error = [&](const std::string& text) {
    const auto document = open(text);
    return document ? std::string() : document.error().text();
  };
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1,"graph":"mine","stages":[]})"),
              AllOf(HasSubstr("'mine'"), HasSubstr("built-in")));
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1})"), HasSubstr("does not name its graph"));
  EXPECT_THAT(error(R"({"format":"iosx-schedule","version":1,"graph":"sample","schedule":"x","stages":[]})"),
              HasSubstr(path_.string()));
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

class SeveralNetworks : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("iosx-several-{}", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  // Writes the graph as a file of that name, and returns the file's path.
  std::string file(const std::string& name, const Graph& graph) {
    const auto text = must(to_ios_json(graph, one_by_one_schedule(graph)));
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST_F(SeveralNetworks, StandBetweenPluses) {
  EXPECT_THAT(names_of_networks("squeezenet"), ElementsAre("squeezenet"));
  EXPECT_THAT(names_of_networks("squeezenet+googlenet"), ElementsAre("squeezenet", "googlenet"));
  EXPECT_THAT(names_of_networks("a.onnx+b.onnx+sample"), ElementsAre("a.onnx", "b.onnx", "sample"));
  EXPECT_THAT(names_of_networks("sample+"), ElementsAre("sample", ""));
  EXPECT_THAT(names_of_networks("+sample"), ElementsAre("", "sample"));
  EXPECT_THAT(names_of_networks("+"), ElementsAre("", ""));
  EXPECT_THAT(names_of_networks(""), ElementsAre(""));
}

TEST_F(SeveralNetworks, LeaveAFileWithAPlusInItsNameWhole) {
  const std::string path = file("a+b.json", test::chain(2));
  EXPECT_THAT(names_of_networks(path), ElementsAre(path));
  EXPECT_THAT(names_of_networks(path + "+sample"), ElementsAre(path, "sample"));
  EXPECT_THAT(names_of_networks("sample+" + path), ElementsAre("sample", path));
  EXPECT_THAT(names_of_networks(path + "+" + path), ElementsAre(path, path));
  EXPECT_TRUE(open_graph(path)->graph->networks().empty());
  EXPECT_EQ(open_graph(path + "+sample")->graph->networks().size(), 2U);
}

TEST_F(SeveralNetworks, OpenAsOneGraph) {
  const auto document = must(open_graph("squeezenet+sample+squeezenet"));
  EXPECT_THAT(document.graph->networks(), ElementsAre("squeezenet", "sample", "squeezenet 2"));
  EXPECT_EQ(document.graph->units().size(),
            2 * open_graph("squeezenet")->graph->units().size() + open_graph("sample")->graph->units().size());
  EXPECT_EQ(document.batch, 1);
  EXPECT_TRUE(document.batched);
  ASSERT_EQ(document.file.inputs.size(), 3U);
  for (const FileTensor& input : document.file.inputs) EXPECT_TRUE(document.graph->find_operator(input.op)) << input.op;
  for (const FileTensor& output : document.file.outputs) EXPECT_TRUE(document.graph->find_operator(output.op));
  EXPECT_FALSE(names_a_file("squeezenet+sample"));
  EXPECT_TRUE(names_a_file("squeezenet+a.onnx"));
}

TEST_F(SeveralNetworks, SayWhatIsWrong) {
  for (const char* const text : {"sample+", "+sample", "sample++sample", "+"}) {
    const auto refused = open_graph(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().text(), AllOf(HasSubstr(text), HasSubstr("NETWORK+NETWORK")));
  }
  EXPECT_THAT(open_graph("sample+no/such.onnx").error().text(), HasSubstr("no/such.onnx"));
  EXPECT_THAT(open_graph("sample+resnet-50").error().text(), HasSubstr("did you mean resnet50?"));
  std::string many = "sample";
  for (int i = 0; i < 300; ++i) many += "+sample";
  EXPECT_THAT(open_graph(many).error().text(), AllOf(HasSubstr("301 networks"), HasSubstr("at most 16")));
}

TEST_F(SeveralNetworks, LeaveSchedulesInFilesAside) {
  const std::string path = file("net.json", test::chain(3));
  const auto document = must(open_graph(path + "+sample"));
  EXPECT_FALSE(document.schedule);
  ASSERT_EQ(document.warnings.size(), 1U);
  EXPECT_THAT(document.warnings.front().text(), AllOf(HasSubstr(path), HasSubstr("is not used")));
}

TEST_F(SeveralNetworks, RefuseSizesThatAreForNone) {
  InputSizes sizes;
  sizes.dims["height"] = 640;
  EXPECT_THAT(refused(open_graph("sample+squeezenet", sizes)).text(), HasSubstr("--dim height"));
}

// What a network computes beside others is what it computes alone.
TEST_F(SeveralNetworks, ComputeWhatTheyComputeAlone) {
  const std::string names = "squeezenet+sample";
  const auto both = must(open_graph(names));
  std::vector<Tensor> inputs;
  std::vector<Tensor> expected;
  for (const std::string& name : names_of_networks(names)) {
    const auto alone = must(open_graph(name));
    const Graph& graph = *alone.graph;
    const Shape& shape = graph.op(graph.inputs().front()).output;
    std::vector<std::int64_t> dims{1};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    inputs.emplace_back(dims, synthetic_values(7, shape.elements(), ParameterInit::kScaled));
    auto computed = compute_graph(graph, {inputs.back()});
    if (!computed) GTEST_SKIP() << computed.error().text();
    for (Tensor& output : *computed) expected.push_back(std::move(output));
  }
  auto in_order = std::vector<Tensor>(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // Each network has one input.
    in_order[i] = inputs[both.graph->op(both.graph->inputs()[i]).network.index()];
  }
  const auto computed = must(compute_graph(*both.graph, in_order));
  ASSERT_EQ(computed.size(), expected.size());
  for (std::size_t o = 0; o < expected.size(); ++o) {
    const MemberId network = both.graph->op(both.graph->outputs()[o]).network;
    EXPECT_TRUE(std::ranges::equal(computed[o].elements(), expected[network.index()].elements())) << o;
  }
}

}  // namespace
}  // namespace iosx
