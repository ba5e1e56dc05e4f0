#include "core/formats/external/tensorrt.h"

#include <fstream>

#include "core/base/scratch_folder.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// As trtexec --exportProfile writes it, with the commas at the begin of lines.
constexpr const char* kProfile = R"([
  { "count" : 1180 }
, { "name" : "a + b", "timeMs" : 118.0, "averageMs" : 0.1, "medianMs" : 0.098, "percentage" : 40.0 }
, { "name" : "__myl_ConvRelu_myl0_1", "timeMs" : 59.0, "averageMs" : 0.05, "percentage" : 20.0 }
, { "name" : "Reformatting CopyNode for Input Tensor 0 to a", "timeMs" : 5.9, "averageMs" : 0.005, "medianMs" : 0.004 }
])";

std::vector<std::string> matched(const ExternalEntry& entry, const Graph& graph) {
  std::vector<std::string> names;
  for (const OperatorId id : entry.match.operators) names.push_back(graph.op(id).name);
  return names;
}

TEST(TensorRt, ProfileHasALayerAnEntry) {
  const Graph graph = test::chain(5);
  const ExternalRun run = test::read_one(kProfile, {.graph = &graph});
  EXPECT_EQ(run.tool, ExternalTool::kTensorRt);
  ASSERT_EQ(run.entries.size(), 3U);
  EXPECT_EQ(run.entries[0].duration, Millis(0.098)) << "the median, where there is one";
  EXPECT_EQ(run.entries[1].duration, Millis(0.05));
  EXPECT_THAT(matched(run.entries[0], graph), ElementsAre("a", "b"));
  EXPECT_NEAR(run.latency.value.count(), 0.152, 1e-9);
  EXPECT_EQ(run.latency.origin, Origin::kRecorded);
}

TEST(TensorRt, LayersSayWhatACompiledBlockIsMadeOf) {
  const Graph graph = test::chain(5);
  const ScratchFolder folder = ScratchFolder::make().value();
  const auto file = folder.path() / "layers.json";
  std::ofstream(file) << R"({"Layers": [
    {"Name": "__myl_ConvRelu_myl0_1", "LayerType": "kgen", "Metadata": "[ONNX Layer: c]\u001e[ONNX Layer: /d]"},
    {"Name": "no metadata"}, {"Name": "else", "Metadata": ""}], "Bindings": ["x"]})";
  const ExternalRun run = test::read_one(kProfile, {.layers = file, .graph = &graph});
  EXPECT_THAT(matched(run.entries[1], graph), ElementsAre("c", "d"));
  EXPECT_EQ(run.entries[1].match.rule, MatchRule::kFused);

  EXPECT_FALSE(read_external_text(kProfile, "p.json", "p", {.layers = folder.path() / "none.json"}));
  std::ofstream(file) << R"({"Layers": ["a + b", "c"], "Bindings": []})";
  const auto short_form = read_external_text(kProfile, "p.json", "p", {.layers = file});
  ASSERT_FALSE(short_form);
}

TEST(TensorRt, ForeignNodeIsWhatLiesBetweenItsEnds) {
  const Graph graph = test::diamond();
  std::vector<std::string> names;
  for (const Operator& op : graph.operators()) names.push_back(op.name);
  const std::string first = names[1];
  const std::string last = names.back();
  const std::string profile = R"([{"count": 1}, {"name": "{ForeignNode[)" + first + "..." + last +
                              R"(]}", "averageMs": 1.0}, {"name": "{ForeignNode[nothing...)" + last +
                              R"(]}", "averageMs": 1.0}, {"name": "{ForeignNode[", "averageMs": 1.0}])";
  const ExternalRun run = test::read_one(profile, {.graph = &graph});
  const auto found = matched(run.entries[0], graph);
  EXPECT_GE(found.size(), 2U);
  EXPECT_EQ(found.front(), first);
  EXPECT_EQ(found.back(), last);
}

TEST(TensorRt, TimesAreWholeRuns) {
  const ExternalRun run = test::read_one(R"([
    {"startInMs": 0.0, "endInMs": 0.1, "computeMs": 1.5, "latencyMs": 1.9, "endToEndMs": 2.0},
    {"computeMs": 1.7, "latencyMs": 2.1}, {"computeMs": 1.6, "latencyMs": 2.0}])");
  EXPECT_EQ(run.label, "times");
  EXPECT_EQ(run.tool, ExternalTool::kTensorRt);
  EXPECT_TRUE(run.entries.empty());
  EXPECT_EQ(run.latency.value, Millis(1.6));
  EXPECT_EQ(run.latency.samples, 3);
  EXPECT_THAT(run.notices.front().text(), HasSubstr("copies to and from it are left out"));
}

TEST(TensorRt, ATraceIsNoProfileWhateverItsWords) {
  const ExternalRun run = test::read_one(R"([
    {"name": "a", "ph": "X", "ts": 0, "dur": 1000, "pid": 1, "tid": 1, "args": {"averageMs": 3, "Layers": 2}}])");
  EXPECT_EQ(run.tool, ExternalTool::kChromeTrace);
  EXPECT_EQ(run.latency.value, Millis(1));
}

TEST(TensorRt, WhatIsNoneIsOneLine) {
  EXPECT_THAT(test::refusal(R"({"Layers": []})"), HasSubstr("not how long they take"));
  EXPECT_THAT(test::refusal(R"([{"count": 3}, {"name": "a", "averageMs": -1}])"), HasSubstr("averageMs"));
  EXPECT_THAT(test::refusal(R"([{"count": 3}, {"name": "a", "averageMs": "fast"}])"), HasSubstr("averageMs"));
  EXPECT_THAT(test::refusal(R"([{"averageMs": 1}])"), HasSubstr("has no times of layers or runs"));
  EXPECT_THAT(test::refusal(R"([{"name": "a", "averageMs": 1)"), HasSubstr("times.txt"));
  EXPECT_THAT(test::refusal(R"([{"computeMs": null, "averageMs": 1}])"), HasSubstr("has no times"));
}

}  // namespace
}  // namespace iosx
