#include "core/formats/external/match.h"
#include "core/formats/external/open_recording.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "tests/formats/external/reading.h"

// Recordings beside the project's folder, each of which was read wrongly once.
namespace iosx {
namespace {

const std::filesystem::path kCases = std::filesystem::path(IOS_SOURCE_FOLDER) / "../shared/cases/second";

class SharedRecordings : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kCases)) GTEST_SKIP() << "there is no ../shared/cases/second";
  }
  static ExternalRun read(const std::string& name, const ExternalOptions& options = {}) {
    return must(read_external(kCases / name, {}, options)).front();
  }
};

std::map<std::string, double> millis_by_name(const ExternalRun& run) {
  std::map<std::string, double> sums;
  for (const ExternalEntry& entry : run.entries) sums[entry.name] += entry.duration.count();
  return sums;
}

TEST_F(SharedRecordings, TablesHaveTimesOrAreRefused) {
  const ExternalRun rocprof = read("a/rocprofv3_kernel_trace.csv");
  ASSERT_EQ(rocprof.entries.size(), 2U);
  EXPECT_DOUBLE_EQ(rocprof.entries[0].duration.count(), 0.1);
  EXPECT_DOUBLE_EQ(rocprof.entries[1].duration.count(), 0.04);
  EXPECT_NEAR(rocprof.latency.value.count(), 0.145, 1e-9);
  for (const char* const name : {"a/total_only.csv", "a/calls_ms.csv"}) {
    const ExternalRun calls = read(name);
    EXPECT_EQ(calls.entries.size(), 10U) << name;
    EXPECT_DOUBLE_EQ(calls.latency.value.count(), 1) << name;
  }
  EXPECT_THAT(refused(read_external(kCases / "a/no_time.csv", {}, {})).text(), HasSubstr("has no column of times"));
}

TEST_F(SharedRecordings, TablesMayBeJson) {
  const ExternalRun stats = read("a/nsys_stats.json");
  EXPECT_EQ(stats.entries.size(), 20U);  // ten launches of each kernel
  EXPECT_NEAR(stats.latency.value.count(), 1.4, 1e-9);
  const ExternalRun layers = read("a/trt_iprofiler.json");
  EXPECT_THAT(millis_by_name(layers), ElementsAre(std::pair("conv1", 0.1), std::pair("conv2", 0.05)));
}

TEST_F(SharedRecordings, AKernelEndsBeforeTheNextOneOfItsStream) {
  const ExternalRun run = read("a/overflowing_dur.json");
  for (const Millis sample : run.samples) EXPECT_NEAR(sample.count(), 0.14, 1e-9);
  EXPECT_THAT(run.notices, Contains(HasSubstr("after the next one of its stream")));
}

TEST_F(SharedRecordings, OfJaxAreKernelsAlone) {
  const ExternalRun run = read("a/jax.json");
  ASSERT_EQ(run.samples.size(), 2U);
  for (const Millis sample : run.samples) EXPECT_NEAR(sample.count(), 0.15, 1e-9);
  EXPECT_THAT(millis_by_name(run),
              ElementsAre(std::pair("gemm_fusion_dot_1", 0.1), std::pair("loop_add_fusion", 0.04)));
}

TEST_F(SharedRecordings, OfOnnxRuntimeCountOnce) {
  EXPECT_NEAR(read("a/ort_loop.json").total().count(), 0.19, 1e-9);
  const ExternalRun cuda = read("a/ort_cuda.json");
  EXPECT_THAT(millis_by_name(cuda), ElementsAre(std::pair("conv1", 0.06), std::pair("mm1", 0.05)));
  EXPECT_THAT(cuda.notices, Contains(HasSubstr("the times of their kernels")));
}

TEST_F(SharedRecordings, OfGraphsHaveFullNamesAndNoInventedRuns) {
  EXPECT_NEAR(read("b/pt_graph_replay.json.gz").latency.value.count(), 0.102, 1e-6);
  const ExternalRun nsys = read("b/nsys_graph_node.sqlite");
  EXPECT_EQ(nsys.samples.size(), 1U);
  const auto names = millis_by_name(nsys);
  EXPECT_EQ(names.size(), 19U);
  EXPECT_NEAR(read("b/nsys_graph_node.sqlite", {.runs = 3}).latency.value.count(), 0.102, 1e-6);
}

TEST_F(SharedRecordings, OfPerfettoAndChakraHaveTheirKernels) {
  EXPECT_NEAR(read("b/trace.perfetto-trace").latency.value.count(), 0.102, 1e-6);
  const Recording perfetto = must(open_recording(kCases / "b/trace.perfetto-trace", {}));
  EXPECT_EQ(perfetto.kernels.size(), 19U);
  EXPECT_EQ(perfetto.lanes.size(), 8U);
  // One replay: kernels, lanes and edges are those by which the file was made.
  const Recording chakra = must(open_recording(kCases / "b/chakra.json", {}));
  EXPECT_EQ(chakra.kernels.size(), 19U);
  EXPECT_EQ(chakra.lanes.size(), 8U);
  EXPECT_EQ(chakra.edges.size(), 25U);
}

// Names of nodes that became part of others, and names within the templates of functions, count in both commands.
TEST_F(SharedRecordings, MatchTheirNetworkByNames) {
  const auto loaded = must(onnx_import::load_onnx(kCases / "a/fork.onnx"));
  const Graph& graph = loaded.graph;
  const ExternalRun run = read("a/ort_names.json", {.graph = &graph});
  EXPECT_DOUBLE_EQ(run.matched_share(), 1);
  for (const ExternalEntry& entry : run.entries) EXPECT_EQ(entry.match.rule, MatchRule::kName) << entry.name;
  const ExternalRun replay = read("b/pt_graph_replay.json", {.graph = &graph});
  for (const ExternalEntry& entry : replay.entries) {
    const std::size_t begin = entry.name.find("conv_branch");
    if (begin == std::string::npos) continue;
    EXPECT_EQ(entry.match.rule, MatchRule::kAlike) << entry.name;
    EXPECT_EQ(graph.op(entry.match.operators.at(0)).name, entry.name.substr(begin, 14));
  }

  Recording whole = must(open_recording(kCases / "a/ort_names.json", {}));
  EXPECT_THAT(refused(link_network(whole, graph, "x")).text(), HasSubstr("has 5 runs of the network"));
  // Eight branches of two kernels between the stem and the concatenation: 8 · 3 edges, and one to the head.
  Recording profile = must(open_recording(kCases / "a/ort_names.json", {.step = 0}));
  ASSERT_TRUE(link_network(profile, graph, "x"));
  EXPECT_THAT(profile.in_network, AllOf(SizeIs(19), Each(true)));
  EXPECT_EQ(profile.edges.size(), 25U);
  Recording graphs = must(open_recording(kCases / "b/pt_graph_replay.json", {.step = 0}));
  ASSERT_TRUE(link_network(graphs, graph, "x"));
  EXPECT_GE(std::ranges::count(graphs.in_network, true), 17);
}

TEST_F(SharedRecordings, ThatAreSomethingElseAreNamed) {
  const auto why = [](const char* name) { return refused(read_external(kCases / name, {}, {})).text(); };
  EXPECT_THAT(why("b/graph.dot"), HasSubstr("is a drawing of a graph"));
  EXPECT_THAT(why("b/model.pt2"), HasSubstr("as ONNX"));
}

}  // namespace
}  // namespace iosx
