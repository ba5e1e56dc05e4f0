#include <unistd.h>

#include "core/formats/file_kind.h"
#include "core/model/trace/trace.h"
#include "tests/formats/external/reading.h"
#include "tests/support/gzipped.h"

namespace iosx {
namespace {

using nlohmann::json;
using test::read_all;
using test::read_one;
using test::refusal;

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
  EXPECT_THAT(refusal(text, {.runs = 3}), HasSubstr("are not 3 repetitions of the same ones"));
}

// A name that repeats may be a step, or the optimizer's, or a block: only a person knows.
TEST(PyTorchTrace, TakesARangeForARunOnlyWhereOneIsNamed) {
  const std::string text = json{{"traceEvents", pytorch_trace(false)}}.dump();
  const ExternalRun whole = read_one(text);
  EXPECT_EQ(whole.samples.size(), 1U);
  EXPECT_EQ(whole.entries.size(), 4U);
  EXPECT_THAT(whole.notices, Contains(HasSubstr("the range 'block' repeats 2 times and can be chosen as a run")));
  const ExternalRun blocks = read_one(text, {.range = "block"});
  EXPECT_EQ(blocks.samples.size(), 2U);
  EXPECT_THAT(test::names_of(blocks), ElementsAre("aten::relu_"));
  EXPECT_THAT(refusal(text, {.range = "blocks"}), HasSubstr("has no range named 'blocks' (it has 'block')"));
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
  EXPECT_THAT(refusal(json{{"traceEvents", events}}.dump()), HasSubstr("contains no kernels or operators"));
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
  EXPECT_THAT(run.notices[0], HasSubstr("1 events without a begin"));
  EXPECT_THAT(run.notices[1], HasSubstr("2 events without a valid time"));
}

TEST(ChromeTrace, MayBreakOffAfterAnEvent) {
  EXPECT_EQ(read_one(R"([{"ph":"X","name":"a","ts":0,"dur":5},{"ph":"X","name":"b","ts":9,"dur":5})").entries.size(),
            2U);
  EXPECT_THAT(refusal(R"([{"ph":"X","name":"a","ts":0,"dur":5},{"ph":"X","na)"), HasSubstr("not valid JSON"));
}

TEST(ChromeTrace, OfOursIsARunForEachSchedule) {
  Trace trace{.lanes = 2, .duration = Micros(50)};
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
  EXPECT_THAT(refusal("{}"), HasSubstr("not a list of trace events"));
  EXPECT_THAT(refusal(R"({"a":[1,2]})"), HasSubstr("not a list of trace events"));
  EXPECT_THAT(refusal("[]"), HasSubstr("contains no events"));
  EXPECT_THAT(refusal("[1, \"x\", null, [[]], {}]"), HasSubstr("contains no events"));
  EXPECT_THAT(refusal("{\"traceEvents\":[\n{\"ph\":\"X\",}]}"), HasSubstr("line 2, column 11: is not valid JSON: "));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested"));
  EXPECT_THAT(refusal(R"([{"ph":"X","name":"a","ts":1e300,"dur":1},{"ph":"X","name":"a","ts":1,"dur":1e300}])"),
              HasSubstr("contains no events"));
}

// A GPU's run of one network, 0.230 ms of kernels in two steps: the times of what Kineto writes, in any of its forms.
// `time` writes a time, `id` a number in args, `capital` is the PyTorch of 2021.
std::string gpu_trace(
    const std::function<std::string(int)>& time,
    const std::function<std::string(int)>& id = [](int i) { return std::to_string(i); }, bool capital = false) {
  std::string text = R"({"schemaVersion": 1, "traceEvents": [)";
  const auto add = [&](const char* category, const std::string& name, int at, int duration, const std::string& args,
                       int process) {
    text += fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": 7, "ts": {}, "dur": {}, "args": {{{}}}}},)",
        category, name, process, time(at), duration, args);
  };
  const std::string external = capital ? "external id" : "External id";
  for (const int step : {0, 1}) {
    const int at = 1000 + 1000 * step;
    add(capital ? "Operator" : "user_annotation", fmt::format("ProfilerStep#{}", step), at, 900, "", 10);
    for (const int op : {0, 1}) {
      const int number = 1 + op + 10 * step;
      add(capital ? "Operator" : "cpu_op", op == 0 ? "aten::conv2d" : "aten::relu", at + 10 + 200 * op, 150,
          fmt::format(R"("{}": {})", external, id(number)), 10);
      add(capital ? "Runtime" : "cuda_runtime", "cudaLaunchKernel", at + 30 + 200 * op, 10,
          fmt::format(R"("correlation": {})", id(100 + number)), 10);
      add(capital ? "Kernel" : "kernel", op == 0 ? "implicit_gemm" : "relu_kernel", at + 70 + 200 * op,
          op == 0 ? 100 : 30,
          fmt::format(R"("{}": {}, "correlation": {}, "stream": {}, "device": 0)", external, id(number),
                      id(100 + number), id(7)),
          0);
    }
  }
  text.back() = ']';
  return text + '}';
}

void expect_gpu_run(const std::string& text, const std::string& what) {
  SCOPED_TRACE(what);
  const ExternalRun run = read_one(text);
  EXPECT_EQ(run.tool, ExternalTool::kPyTorch);
  ASSERT_THAT(test::names_of(run), ElementsAre("implicit_gemm", "relu_kernel"));
  EXPECT_THAT(run.samples, ElementsAre(Millis(0.23), Millis(0.23)));
  EXPECT_DOUBLE_EQ(run.entries[0].duration.count(), 0.1);
  EXPECT_DOUBLE_EQ(run.entries[1].duration.count(), 0.03);
  EXPECT_EQ(run.entries[0].type, "aten::conv2d");
  EXPECT_EQ(run.entries[1].type, "aten::relu");
}

// Kineto's times have been absolute and relative, whole and with nanoseconds, and other tools write texts.
TEST(PyTorchTrace, TimesMayBeOfAnyClockAndForm) {
  const auto text = [](int i) { return fmt::format("\"{}\"", i); };
  expect_gpu_run(gpu_trace([](int at) { return std::to_string(at); }), "relative");
  expect_gpu_run(gpu_trace([](int at) { return fmt::format("{}.0", at); }), "relative, as fractions");
  expect_gpu_run(gpu_trace(text), "texts");
  expect_gpu_run(gpu_trace([](int at) { return std::to_string(at); }, text), "numbers in args are texts");
  expect_gpu_run(gpu_trace([](int at) { return std::to_string(at); }, [](int i) { return fmt::format("{}.0", i); }),
                 "numbers in args are fractions");
  for (const std::int64_t zero : {1'680'718'159'987'758LL, 900'000'000'001'000LL, 1'680'718'159'987'758'000LL,
                                  -1'680'718'159'987'758LL, 4'000'000'000'000LL}) {
    expect_gpu_run(gpu_trace([&](int at) { return std::to_string(zero + at); }), fmt::format("{}", zero));
    expect_gpu_run(gpu_trace([&](int at) { return fmt::format("{}.000", zero + at); }), fmt::format("{}.000", zero));
    expect_gpu_run(gpu_trace([&](int at) { return fmt::format("\" {} \"", zero + at); }), fmt::format("'{}'", zero));
  }
  expect_gpu_run(gpu_trace([](int at) { return fmt::format("{:.15e}", 1'680'718'159'000'000.0 + at); }), "exponents");
}

// torch's own handler writes .json.gz, and so do JAX and Perfetto.
TEST(PyTorchTrace, MayBePackedByGzip) {
  const std::string text = gpu_trace([](int at) { return std::to_string(at); });
  expect_gpu_run(test::gzipped(text), "gzip");
  const auto file = std::filesystem::temp_directory_path() / fmt::format("iosx-{}.trace.json.gz", ::getpid());
  std::ofstream(file, std::ios::binary) << test::gzipped(text);
  EXPECT_EQ(file_kind(file), FileKind::kExternal);
  EXPECT_EQ(must(read_external(file, {}, {})).front().label, file.stem().stem());
  std::filesystem::remove(file);
}

TEST(PyTorchTrace, OfOldVersionsHasCapitals) {
  expect_gpu_run(gpu_trace([](int at) { return std::to_string(at); }, [](int i) { return std::to_string(i); }, true),
                 "capital");
}

// A nanosecond is there, at times that a double holds to a quarter of a microsecond.
TEST(ChromeTrace, AbsoluteTimesKeepTheirNanoseconds) {
  const ExternalRun run = read_one(
      R"([{"ph":"X","name":"a","ts":1680718159987758.101,"dur":5.25},{"ph":"X","name":"b","ts":1680718159987763.352,"dur":1}])");
  ASSERT_EQ(run.entries.size(), 2U);
  EXPECT_NEAR(run.entries[1].begin.count(), 5.251, 1e-6);
}

// Profilers write zeros for what they did not see; it is no begin of the run.
TEST(PyTorchTrace, KernelsWithoutATimeAreLeftOut) {
  for (const char* zero : {R"("ts": 0, "dur": 0)", R"("ts": "0", "dur": "0")", R"("ts": 0.0, "dur": 0.0)"}) {
    std::string text = gpu_trace([](int at) { return std::to_string(at + 5000); });
    text.insert(text.size() - 2,
                std::string(R"(,{"ph": "X", "cat": "kernel", "name": "unseen", "pid": 0, "tid": 7, )") + zero +
                    R"(, "args": {"correlation": 101, "stream": 7}})");
    expect_gpu_run(text, zero);
    EXPECT_THAT(read_one(text).notices, ElementsAre(HasSubstr("1 events without a valid time")));
  }
}

// Two processes of one computation count their launches from one on.
TEST(PyTorchTrace, ProcessesNumberTheirLaunchesApart) {
  json events = json::array();
  for (const int process : {0, 1}) {
    const double at = 1000 * process;
    json op = span(process == 0 ? "aten::conv2d" : "aten::relu", "cpu_op", at, 50, {{"External id", 1}});
    json launch = span("cudaLaunchKernel", "cuda_runtime", at + 10, 2, {{"correlation", 5}});
    json kernel = span(process == 0 ? "gemm" : "relu", "kernel", at + 60, 20, {{"correlation", 5}, {"stream", 7}});
    op["pid"] = launch["pid"] = 100 + process;
    kernel["pid"] = process;
    for (const json& event : {kernel, op, launch}) events.insert(events.begin(), event);
  }
  const ExternalRun run = read_one(json{{"traceEvents", events}}.dump());
  ASSERT_THAT(test::names_of(run), ElementsAre("gemm", "relu"));
  EXPECT_EQ(run.entries[0].type, "aten::conv2d");
  EXPECT_EQ(run.entries[1].type, "aten::relu");
}

TEST(ChromeTrace, BeginsAndEndsMayStandInAnyOrder) {
  const auto event = [](char phase, const char* name, int at) {
    return fmt::format(R"({{"ph":"{}","name":"{}","ts":{},"pid":1,"tid":1}})", phase, name, at);
  };
  std::vector<std::string> events{event('B', "run", 0),    event('B', "conv1", 1), event('E', "", 31),
                                  event('B', "relu1", 35), event('E', "", 45),     event('E', "", 50)};
  std::ranges::sort(events);
  do {
    const ExternalRun run = read_one("[" + fmt::format("{}", fmt::join(events, ",")) + "]");
    ASSERT_THAT(test::names_of(run), ElementsAre("conv1", "relu1"));
    ASSERT_DOUBLE_EQ(run.entries[0].duration.count(), 0.03);
    ASSERT_DOUBLE_EQ(run.entries[1].duration.count(), 0.01);
    ASSERT_THAT(run.entries[0].within, ElementsAre("run"));
    ASSERT_TRUE(run.notices.empty());
  } while (std::ranges::next_permutation(events).found);
  // Where one ends when the next begins, a file that is out of order has no say.
  const std::vector<std::string> backwards{event('E', "", 45), event('B', "relu1", 31), event('E', "", 31),
                                           event('B', "conv1", 1)};
  const ExternalRun run = read_one("[" + fmt::format("{}", fmt::join(backwards, ",")) + "]");
  ASSERT_THAT(test::names_of(run), ElementsAre("conv1", "relu1"));
  EXPECT_DOUBLE_EQ(run.entries[0].duration.count(), 0.03);
}

TEST(ChromeTrace, AnEndWithANameEndsTheBeginOfThatName) {
  const ExternalRun run = read_one(R"([
    {"ph":"B","name":"a","ts":0,"pid":1,"tid":1},{"ph":"B","name":"b","ts":5,"pid":1,"tid":1},
    {"ph":"E","name":"a","ts":10,"pid":1,"tid":1},{"ph":"E","name":"b","ts":30,"pid":1,"tid":1},
    {"ph":"E","name":"c","ts":40,"pid":1,"tid":1}])");
  ASSERT_THAT(test::names_of(run), ElementsAre("a", "b"));
  EXPECT_DOUBLE_EQ(run.entries[0].duration.count(), 0.01);
  EXPECT_DOUBLE_EQ(run.entries[1].duration.count(), 0.025);
  EXPECT_THAT(run.notices, ElementsAre(HasSubstr("1 events without a begin")));
}

// As editors and shells of Windows write it.
TEST(ExternalFile, MayBeInUtf16OrBehindAByteOrderMark) {
  const std::string text = gpu_trace([](int at) { return std::to_string(at); });
  const auto utf16 = [](std::u16string_view units, bool low_first) {
    std::string bytes;
    for (const char16_t unit : units) {
      const char low = static_cast<char>(unit & 0xFF);
      const char high = static_cast<char>(unit >> 8);
      bytes += low_first ? std::string{low, high} : std::string{high, low};
    }
    return bytes;
  };
  const std::string little = utf16(std::u16string(text.begin(), text.end()), true);
  const std::string big = utf16(std::u16string(text.begin(), text.end()), false);
  expect_gpu_run("\xEF\xBB\xBF" + text, "UTF-8");
  expect_gpu_run("\xFF\xFE" + little, "UTF-16, low byte first");
  expect_gpu_run("\xFE\xFF" + big, "UTF-16, high byte first");
  expect_gpu_run(little, "UTF-16 without a mark, low byte first");
  expect_gpu_run(big, "UTF-16 without a mark, high byte first");
  const ExternalRun table = read_one("\xFF\xFE" + utf16(u"name,ms\r\na\U00020D20\u00e9\xD800,2\r\n", true));
  EXPECT_EQ(table.entries.front().name, "a\xF0\xA0\xB4\xA0\xC3\xA9\xEF\xBF\xBD");
}

TEST(ExternalTrace, ThatIsNoJsonSaysWhy) {
  for (const char* none : {"NaN", "Infinity", "-Infinity", "nan"}) {
    EXPECT_THAT(refusal(std::string(R"([{"ph":"X","name":"a","ts":1,"dur":)") + none + "}]"),
                HasSubstr("a number is NaN or infinite"));
  }
  EXPECT_THAT(refusal(R"([{"ph":"X","name":"a)"), HasSubstr("line 1, column 20: is not valid JSON: invalid string"));
  EXPECT_THAT(refusal(R"([{"ph":"b","name":"conv1","cat":"x","id":1,"ts":0},{"ph":"e","name":"conv1","id":1,"ts":9}])"),
              HasSubstr("contains only asynchronous events"));
  EXPECT_THAT(refusal(R"([{"ph":"B","name":"conv1","ts":0}])"), HasSubstr("but 1 that lack one"));
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

// A range's name stands at every kernel in it, so that 2 MB of file would be gigabytes.
TEST(ExternalTrace, TooMuchTextIsRefused) {
  const std::string name(1'000'000, 'x');
  std::string text = fmt::format(R"([{{"ph":"X","name":"{}","ts":0,"dur":9000000}})", name);
  for (int i = 0; i < 400; ++i) text += fmt::format(R"(,{{"ph":"X","name":"k","ts":{},"dur":1}})", 2 * i + 1);
  EXPECT_THAT(refusal(text + "]"), HasSubstr("the names of its kernels and ranges have more than 256 MiB"));
  text = fmt::format(R"([{{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{{"name":"{}"}}}})", name);
  for (int i = 0; i < 400; ++i)
    text += fmt::format(R"(,{{"ph":"X","name":"k","pid":1,"tid":1,"ts":{},"dur":1}})", 2 * i);
  EXPECT_THAT(refusal(text + "]"), HasSubstr("more than 256 MiB"));
}

TEST(ExternalTrace, TooManyEventsAreRefused) {
  std::string text = "[";
  for (int i = 0; i < 2'000'001; ++i) text += R"({"ph":"X","ts":1,"dur":1},)";
  text.back() = ']';
  EXPECT_THAT(refusal(text), HasSubstr("has more than 2000000 events"));
}

}  // namespace
}  // namespace iosx
