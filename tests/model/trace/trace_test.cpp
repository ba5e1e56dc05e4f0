#include "core/model/trace/trace.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

Counter steps() { return Counter{"active warps", "warps", 100, {Micros(0), Micros(2), Micros(5)}, {10, 40, 0}}; }

TEST(Counter, AreaOfWholeAndOfWindows) {
  const Counter counter = steps();
  EXPECT_DOUBLE_EQ(counter.area(Micros(0), Micros(10)), 10 * 2 + 40 * 3);
  EXPECT_DOUBLE_EQ(counter.area(Micros(1), Micros(3)), 10 * 1 + 40 * 1);
  EXPECT_DOUBLE_EQ(counter.area(Micros(5), Micros(10)), 0);
  EXPECT_DOUBLE_EQ(counter.area(Micros(3), Micros(3)), 0);
}

TEST(Counter, MeanIsTimeWeighted) {
  EXPECT_DOUBLE_EQ(steps().mean(Micros(0), Micros(5)), 140.0 / 5);
  EXPECT_DOUBLE_EQ(steps().mean(Micros(4), Micros(4)), 0);
}

TEST(Counter, LastValueHoldsToTheEndAndNothingBeforeTheFirst) {
  const Counter counter{"n", "u", 1, {Micros(2)}, {3}};
  EXPECT_DOUBLE_EQ(counter.area(Micros(0), Micros(4)), 6);
  EXPECT_DOUBLE_EQ(Counter{}.area(Micros(0), Micros(4)), 0);
}

using nlohmann::json;

Trace sample_trace() {
  Trace trace{.lanes = 2, .duration = Micros(30)};
  trace.kernels = {KernelSpan{"conv \"a\"", KernelId(0), 0, 0, Micros(1), Micros(9)},
                   KernelSpan{"b\\n", KernelId(1), 1, 0, Micros(2), Micros(20.5)}};
  trace.stages = {StageSpan{Micros(0), Micros(20.5)}};
  trace.counters = {Counter{"active warps", "warps", 64, {Micros(0), Micros(9)}, {32, 8}}};
  return trace;
}

TEST(ChromeTrace, EventsCarryTimesLanesAndNames) {
  const Trace trace = sample_trace();
  const NamedTrace named[] = {{"sequential", &trace}, {"ios-both", &trace}};
  const json document = json::parse(chrome_trace_json(named, "Tesla V100", "simulated"));
  EXPECT_EQ(document["otherData"]["device"], "Tesla V100");
  EXPECT_EQ(document["otherData"]["origin"], "simulated");

  std::map<std::string, int> phases;
  std::set<int> processes;
  std::map<std::pair<int, int>, std::string> threads;
  for (const json& event : document["traceEvents"]) {
    ++phases[event["ph"]];
    processes.insert(event["pid"].get<int>());
    if (event["name"] == "thread_name") threads[{event["pid"], event["tid"]}] = event["args"]["name"];
  }
  EXPECT_EQ(phases["X"], 2 * 3);
  EXPECT_EQ(phases["C"], 2 * 3);  // two samples and the end
  EXPECT_EQ(processes, (std::set<int>{1, 2}));
  EXPECT_EQ(threads.size(), 2U * 3);

  for (const json& event : document["traceEvents"]) {
    if (event["ph"] != "X" || event["name"] != "b\\n" || event["pid"] != 1) continue;
    EXPECT_DOUBLE_EQ(event["ts"].get<double>(), 2);
    EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 18.5);
    EXPECT_EQ((threads[{1, event["tid"].get<int>()}]), "lane 2");
    EXPECT_EQ(event["args"]["stage"], 1);
  }
}

TEST(ChromeTrace, LaunchesAreArgumentsOfTheirKernel) {
  Trace trace = sample_trace();
  trace.kernels[0].launches = {{.name = "implicit_gemm<float>",
                                .begin = Micros(1),
                                .end = Micros(9),
                                .grid = {8, 2, 1},
                                .block = {128, 1, 1},
                                .registers = 64,
                                .shared_bytes = 4096,
                                .occupancy = 0.5}};
  const NamedTrace named[] = {{"x", &trace}};
  const json document = json::parse(chrome_trace_json(named, "d", "o"));
  std::size_t launches = 0;
  for (const json& event : document["traceEvents"]) {
    if (event["ph"] != "X" || !event.contains("args") || !event["args"].contains("launches")) continue;
    EXPECT_EQ(event["name"], "conv \"a\"");
    const json& launch = event["args"]["launches"].at(0);
    EXPECT_EQ(launch["function"], "implicit_gemm<float>");
    EXPECT_EQ(launch["us"], 8);
    EXPECT_EQ(launch["grid"], (json{8, 2, 1}));
    EXPECT_EQ(launch["occupancy"], 0.5);
    ++launches;
  }
  EXPECT_EQ(launches, 1U);
}

TEST(ChromeTrace, EveryEventIsOneThatViewersKnow) {
  const Trace trace = sample_trace();
  const NamedTrace named[] = {{"x", &trace}};
  const json document = json::parse(chrome_trace_json(named, "d", "o"));
  for (const json& event : document["traceEvents"]) {
    const std::string phase = event["ph"];
    ASSERT_TRUE(phase == "X" || phase == "C" || phase == "M") << event;
    EXPECT_TRUE(event["name"].is_string());
    EXPECT_TRUE(event["pid"].is_number_integer() && event["tid"].is_number_integer());
    if (phase == "M") continue;
    EXPECT_GE(event["ts"].get<double>(), 0);
    if (phase == "X") {
      EXPECT_GE(event["dur"].get<double>(), 0);
    } else {
      for (const auto& [key, value] : event["args"].items()) EXPECT_TRUE(value.is_number()) << key;
    }
  }
}

TEST(ChromeTrace, NamesThatAreNotUtf8AndEmptyTraces) {
  Trace trace = sample_trace();
  trace.kernels[0].name = "\xff\xfe";
  const NamedTrace named[] = {{"x", &trace}};
  EXPECT_TRUE(json::accept(chrome_trace_json(named, "d", "o")));
  const Trace empty;
  const NamedTrace nothing[] = {{"x", &empty}};
  EXPECT_TRUE(json::accept(chrome_trace_json(nothing, "d", "o")));
  EXPECT_TRUE(json::accept(chrome_trace_json({}, "d", "o")));
}

}  // namespace

}  // namespace iosx
