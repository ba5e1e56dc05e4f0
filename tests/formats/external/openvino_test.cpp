#include "core/formats/external/openvino.h"

#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OpenVino, CountersAreLayersThatRan) {
  const Graph graph = test::chain(4);
  const ExternalRun run = test::read_one(R"J({"report_type": "detailed", "detailed_performance": [
    {"nodes": [
      {"name": "x", "node_type": "Parameter", "status": "Status.NOT_RUN", "real_time": "0.000", "cpu_time": "0", "exec_type": "u"},
      {"name": "a/WithoutBiases", "node_type": "Convolution", "status": "Status.EXECUTED", "real_time": "0.5", "cpu_time": "0.5"},
      {"name": "b", "node_type": "Pooling", "status": "Status.EXECUTED", "real_time": "0.25", "cpu_time": "0.25"}],
     "total_real_time": "0.75"},
    {"nodes": [
      {"name": "a/WithoutBiases", "node_type": "Convolution", "status": "Status.EXECUTED", "real_time": "0.7", "cpu_time": "0.5"},
      {"name": "b", "node_type": "Pooling", "status": "Status.EXECUTED", "real_time": "0.25", "cpu_time": "0.25"}]}]})J",
                                         {.graph = &graph});
  EXPECT_EQ(run.tool, ExternalTool::kOpenVino);
  EXPECT_THAT(test::names_of(run), ElementsAre("a/WithoutBiases", "b"));
  EXPECT_EQ(run.entries[0].type, "Convolution");
  EXPECT_NEAR(run.entries[0].duration.count(), 0.6, 1e-9);
  EXPECT_NEAR(run.latency.value.count(), 0.85, 1e-9);
  EXPECT_DOUBLE_EQ(run.matched_share(), 1);
}

TEST(OpenVino, ReportIsAWholeRun) {
  const ExternalRun run = test::read_one(R"J({"cmd_options": {"-m": "x.onnx"},
    "execution_results": {"latency (ms)": "12.50", "throughput": "80"
}
})J");
  EXPECT_EQ(run.tool, ExternalTool::kOpenVino);
  EXPECT_TRUE(run.entries.empty());
  EXPECT_EQ(run.latency.value, Millis(12.5));
}

// As benchmark_app writes counters without -json_stats: the last row is the sum of the others.
TEST(OpenVino, TableHasASumThatIsNoLayer) {
  const ExternalRun run = test::read_one(
      "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n"
      "x;Status.NOT_RUN;Parameter;unknown;0.000;0.000\n"
      "y;Status.OPTIMIZED_OUT;Relu;undef;0.000;0.000\n"
      "a;Status.EXECUTED;Convolution;jit;1.500;1.500\n"
      "b;Status.EXECUTED;Pooling;jit;0.500;0.500\n"
      "Total;;;;2.000;2.000\n");
  EXPECT_THAT(test::names_of(run), ElementsAre("a", "b")) << "what was not run is no layer";
  EXPECT_NEAR(run.latency.value.count(), 2, 1e-9);
  EXPECT_THAT(run.notices, testing::Contains(testing::ResultOf([](const Message& notice) { return notice.text(); },
                                                               HasSubstr("'Total' is the sum of the others"))));
  // One that is no sum is an operator with an odd name.
  EXPECT_THAT(test::names_of(test::read_one("name,ms\na,1\nb,2\ntotal,7\n")), ElementsAre("a", "b", "total"));
}

TEST(OpenVino, WhatIsNoneIsOneLine) {
  EXPECT_THAT(test::refusal(R"J({"detailed_performance": []})J"), HasSubstr("has no executed layer"));
  EXPECT_THAT(test::refusal(R"J({"execution_results": {}})J"), HasSubstr("latency (ms)"));
  EXPECT_THAT(test::refusal(R"J({"execution_results": {"latency (ms)": "nan"
}
})J"),
              HasSubstr("is not a time in ms"));
  EXPECT_THAT(test::refusal(R"J({"execution_results": {"latency (ms)": "-1"
}
})J"),
              HasSubstr("is not a time in ms"));
  EXPECT_THAT(test::refusal(R"J({"detailed_performance": [{"nodes": [{"name": "a"}]}]})J"), HasSubstr("real_time"));
}

}  // namespace
}  // namespace iosx
