#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/model/trace/chrome_trace.h"
#include "tests/formats/external/reading.h"

namespace iosx {
namespace {

using nlohmann::json;
using test::read_all;
using test::read_one;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

json span(const std::string& name, const std::string& category, double ts, double dur, json args = json::object(),
          json tid = 1) {
  return {{"name", name}, {"cat", category}, {"ph", "X"},  {"pid", 1},
          {"tid", tid},   {"ts", ts},        {"dur", dur}, {"args", std::move(args)}};
}

json node(const std::string& name, const std::string& type, double ts, double dur, const json& output) {
  return span(name + "_kernel_time", "Node", ts, dur,
              {{"op_name", type},
               {"node_index", "3"},
               {"thread_scheduling_stats", {{"main_thread", {{"block_size", {1, 2}}, {"op_name", "Wrong"}}}}},
               {"input_type_shape", {{{"float", {1, 3, 8, 8}}}, {{"float", {4, 3, 3, 3}}}}},
               {"output_type_shape", {{{"float", output}}}}});
}

// Three runs, the second one slow.
json onnxruntime_profile() {
  json events = json::array({span("session_initialization", "Session", 0, 900)});
  double at = 1000;
  for (const double stretch : {1.0, 3.0, 1.5}) {
    events.push_back(node("conv1", "Conv", at + 10, 40 * stretch, {1, 4, 8, 8}));
    events.push_back(span("conv1_fence_before", "Node", at + 9, 0, {{"op_name", "Conv"}}));
    events.push_back(node("relu1", "Relu", at + 20 + 40 * stretch, 20 * stretch, {1, 4, 8, 8}));
    events.push_back(span("SequentialExecutor::Execute", "Session", at + 5, 75 * stretch));
    events.push_back(span("model_run", "Session", at, 100 * stretch));
    at += 1000;
  }
  return events;
}

TEST(OnnxRuntimeProfile, GivesRunsNodesAndATrace) {
  const ExternalRun run = read_one(onnxruntime_profile().dump());
  EXPECT_EQ(run.tool, ExternalTool::kOnnxRuntime);
  EXPECT_EQ(recorded_by(run), "recorded by ONNX Runtime");
  EXPECT_THAT(run.samples, ElementsAre(Millis(0.1), Millis(0.3), Millis(0.15)));
  EXPECT_EQ(run.latency.value, Millis(0.15));
  EXPECT_EQ(run.latency.origin, Origin::kRecorded);
  ASSERT_THAT(test::names_of(run), ElementsAre("conv1", "relu1"));
  const ExternalEntry& conv = run.entries[0];
  EXPECT_EQ(conv.type, "Conv");
  EXPECT_EQ(conv.samples.size(), 3U);
  EXPECT_DOUBLE_EQ(conv.duration.count(), 0.06);
  EXPECT_THAT(conv.dims, ElementsAre(1, 4, 8, 8));
  ASSERT_EQ(conv.inputs.size(), 2U);
  EXPECT_THAT(conv.inputs[1], ElementsAre(4, 3, 3, 3));
  // The trace is the third run's, which took the median.
  ASSERT_EQ(run.trace.kernels.size(), 2U);
  EXPECT_THAT(run.of_kernel, ElementsAre(0, 1));
  EXPECT_EQ(run.trace.kernels[0].begin, Micros(0));
  EXPECT_EQ(run.trace.kernels[1].begin, Micros(70));
  EXPECT_EQ(run.trace.duration, Micros(100));
  EXPECT_EQ(run.trace.lanes, 1U);
  EXPECT_TRUE(run.entries[1].timed);
}

TEST(OnnxRuntimeProfile, WithoutRunsIsOneRun) {
  json events = onnxruntime_profile();
  for (json& event : events) {
    if (event["name"] == "model_run") event["name"] = "something";
  }
  const ExternalRun run = read_one(events.dump());
  EXPECT_EQ(run.samples.size(), 1U);
  EXPECT_EQ(run.entries.size(), 6U);  // the second conv1 is another one
}

// Ours of two iterations; operators that call others, on two threads.
json pytorch_trace(bool steps) {
  json events = json::array();
  double at = 100;
  for (int step = 0; step < 2; ++step) {
    if (steps) events.push_back(span(fmt::format("ProfilerStep#{}", step), "user_annotation", at, 90));
    events.push_back(
        span("aten::conv2d", "cpu_op", at + 5, 40,
             {{"External id", 1 + 10 * step}, {"Input Dims", {{1, 3, 8, 8}, {4, 3, 3, 3}, json::array()}}}));
    events.push_back(span("aten::convolution", "cpu_op", at + 6, 38, {{"External id", 2 + 10 * step}}));
    events.push_back(span("aten::mkldnn_convolution", "cpu_op", at + 7, 36, {{"External id", 3 + 10 * step}}));
    events.push_back(span("block", "user_annotation", at + 48, 30));
    events.push_back(span("aten::relu_", "cpu_op", at + 50, 20, {{"External id", 4 + 10 * step}}));
    at += 100;
  }
  return events;
}

TEST(PyTorchTrace, OnACpuHasTheOutermostOperators) {
  const ExternalRun run = read_one(json{{"schemaVersion", 1}, {"traceEvents", pytorch_trace(true)}}.dump());
  EXPECT_EQ(run.tool, ExternalTool::kPyTorch);
  ASSERT_THAT(test::names_of(run), ElementsAre("aten::conv2d", "aten::relu_"));
  EXPECT_THAT(run.samples, ElementsAre(Millis(0.065), Millis(0.065)));
  EXPECT_EQ(run.entries[0].inputs.size(), 3U);
  EXPECT_THAT(run.entries[0].inputs[1], ElementsAre(4, 3, 3, 3));
  EXPECT_THAT(run.entries[1].within, ElementsAre("block"));
  EXPECT_EQ(run.entries[0].samples.size(), 2U);
}

TEST(PyTorchTrace, WithoutStepsTakesWhatRepeatsOnlyWhenTold) {
  json events = pytorch_trace(false);
  for (json& event : events) {
    if (event["name"] == "block") event["cat"] = "other";
  }
  const std::string text = json{{"traceEvents", events}}.dump();
  EXPECT_EQ(read_one(text).samples.size(), 1U);
  EXPECT_EQ(read_one(text).entries.size(), 4U);
  const ExternalRun two = read_one(text, {.runs = 2});
  EXPECT_EQ(two.samples.size(), 2U);
  EXPECT_EQ(two.entries.size(), 2U);
  EXPECT_THAT(refusal(text, {.runs = 3}), HasSubstr("are not 3 times the same ones"));
}

TEST(PyTorchTrace, OnAGpuHasKernelsUnderTheOperatorThatLaunchedThem) {
  json events = pytorch_trace(true);
  double at = 100;
  for (int step = 0; step < 2; ++step) {
    const int id = 10 * step;
    events.push_back(span("cudaLaunchKernel", "cuda_runtime", at + 10, 2, {{"correlation", 100 + id}}));
    events.push_back(span("cudaLaunchKernel", "cuda_runtime", at + 55, 2, {{"correlation", 101 + id}}));
    // Kernels run when the step has ended long ago.
    events.push_back(
        span("sgemm", "kernel", at + 1000, 30, {{"correlation", 100 + id}, {"stream", 7}, {"External id", 3 + id}}, 7));
    events.push_back(span("elementwise", "kernel", at + 1020, 30, {{"correlation", 101 + id}, {"stream", 8}}, 8));
    at += 100;
  }
  const ExternalRun run = read_one(json{{"traceEvents", events}}.dump());
  ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "elementwise"));
  EXPECT_EQ(run.entries[0].type, "aten::conv2d");
  EXPECT_EQ(run.entries[1].type, "aten::relu_");
  EXPECT_THAT(run.samples, ElementsAre(Millis(0.05), Millis(0.05)));
  EXPECT_EQ(run.trace.lanes, 2U);
}

// What torch.profiler writes when its schedule has dropped all steps.
TEST(PyTorchTrace, WithoutOperatorsIsRefused) {
  const json events = json::array({span("PyTorch Profiler (0)", "Trace", 0, 199)});
  EXPECT_THAT(refusal(json{{"traceEvents", events}}.dump()), HasSubstr("holds no kernels or operators"));
}

TEST(ChromeTrace, PairsBeginsWithEndsAndTakesWhatHoldsNothing) {
  const std::string text = R"([
    {"ph":"B","name":"whole","ts":0,"pid":"p","tid":"t"},
    {"ph":"B","name":"a","ts":10,"pid":"p","tid":"t","args":{"output":"tensor_a"}},
    {"ph":"B","name":"other thread","ts":12,"pid":"p","tid":"u"},
    {"ph":"E","ts":30,"pid":"p","tid":"t"},
    {"ph":"X","name":"b","ts":30,"dur":5,"pid":"p","tid":"t"},
    {"ph":"E","ts":50,"pid":"p","tid":"u"},
    {"ph":"E","ts":60,"pid":"p","tid":"t"},
    {"ph":"E","ts":61,"pid":"p","tid":"t"},
    {"ph":"X","name":"no time","pid":"p","tid":"t"},
    {"ph":"X","name":"negative","ts":5,"dur":-1,"pid":"p","tid":"t"},
    {"ph":"i","name":"mark","ts":5}
  ])";
  const ExternalRun run = read_one(text);
  EXPECT_EQ(run.tool, ExternalTool::kChromeTrace);
  ASSERT_THAT(test::names_of(run), ElementsAre("a", "other thread", "b"));
  EXPECT_EQ(run.entries[0].duration, Millis(0.02));
  EXPECT_EQ(run.entries[0].output, "tensor_a");
  EXPECT_THAT(run.entries[0].within, ElementsAre("whole"));
  EXPECT_EQ(run.trace.lanes, 2U);
  EXPECT_EQ(run.latency.value, Millis(0.04));
  ASSERT_EQ(run.notices.size(), 2U);
  EXPECT_THAT(run.notices[0], HasSubstr("1 events that begin or end"));
  EXPECT_THAT(run.notices[1], HasSubstr("2 events without a time"));
}

TEST(ChromeTrace, MayBreakOffAfterAnEvent) {
  EXPECT_EQ(read_one(R"([{"ph":"X","name":"a","ts":0,"dur":5},{"ph":"X","name":"b","ts":9,"dur":5})").entries.size(),
            2U);
  EXPECT_THAT(refusal(R"([{"ph":"X","name":"a","ts":0,"dur":5},{"ph":"X","na)"), HasSubstr("not valid JSON"));
}

TEST(ChromeTrace, OfOursIsARunForEachSchedule) {
  Trace trace;
  trace.lanes = 2;
  trace.duration = Micros(50);
  trace.kernels = {{.name = "a", .kernel = KernelId(0), .lane = 0, .stage = 0, .begin = Micros(0), .end = Micros(20)},
                   {.name = "b", .kernel = KernelId(1), .lane = 1, .stage = 0, .begin = Micros(5), .end = Micros(50)}};
  trace.stages = {{.begin = Micros(0), .end = Micros(50)}};
  const std::vector<NamedTrace> named{{"sequential", &trace}, {"ios-both", &trace}};
  const auto runs = read_all(chrome_trace_json(named, "device", "simulated"));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].tool, ExternalTool::kOwnTrace);
  EXPECT_EQ(runs[1].label, "times: ios-both");
  EXPECT_THAT(test::names_of(runs[0]), ElementsAre("a", "b"));
  EXPECT_EQ(runs[0].latency.value, Millis(0.05));
  EXPECT_EQ(runs[0].latency.origin, Origin::kRecorded);
}

TEST(ExternalTrace, OfAnythingElseIsRefusedInALine) {
  EXPECT_THAT(refusal("{}"), HasSubstr("no list of trace events"));
  EXPECT_THAT(refusal(R"({"a":[1,2]})"), HasSubstr("no list of trace events"));
  EXPECT_THAT(refusal("[]"), HasSubstr("holds no events"));
  EXPECT_THAT(refusal("[1, \"x\", null, [[]], {}]"), HasSubstr("holds no events"));
  EXPECT_THAT(refusal("{\"traceEvents\":[\n{\"ph\":\"X\",}]}"), HasSubstr("line 2: is not valid JSON"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested"));
  EXPECT_THAT(refusal(R"([{"ph":"X","name":"a","ts":1e300,"dur":1},{"ph":"X","name":"a","ts":1,"dur":1e300}])"),
              HasSubstr("holds no events"));
}

// As many ranges around one another as nobody writes: no time or stack in the square of them.
TEST(ExternalTrace, DeepNestingTakesLinearTime) {
  std::string text = "[";
  constexpr int kDeep = 60'000;
  for (int i = 0; i < kDeep; ++i) {
    const char* category = i % 2 == 0 ? "cpu_op" : "user_annotation";
    text += fmt::format(R"({{"ph":"X","cat":"{}","name":"n{}","ts":{},"dur":{}}},)", category, i, i, 2 * kDeep - 2 * i);
  }
  text.back() = ']';
  const ExternalRun run = read_one(text);
  EXPECT_EQ(run.entries.size(), 1U);  // the outermost operator
}

TEST(ExternalTrace, TooManyEventsAreRefused) {
  std::string text = "[";
  for (int i = 0; i < 2'000'001; ++i) text += R"({"ph":"X","ts":1,"dur":1},)";
  text.back() = ']';
  EXPECT_THAT(refusal(text), HasSubstr("has more than 2000000 events"));
}

}  // namespace
}  // namespace iosx
