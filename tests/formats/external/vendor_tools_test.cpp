#include <stdlib.h>

#include "core/base/files.h"
#include "core/formats/external/engine_profiles.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

class NsightTest : public testing::Test {
 protected:
  void write(const std::string& sql) { test::write_database(path_, sql); }
  ExternalRun read(const ExternalOptions& options = {}) {
    return std::move(must(read_external(path_, {}, options)).front());
  }
  std::string refusal() { return refused(read_external(path_, {}, {})).text(); }

  const test::Folder folder_;
  const fs::path path_ = folder_ / "report.sqlite";
};

constexpr const char* kTables =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
    " correlationId INTEGER, shortName INTEGER, demangledName INTEGER);"
    "INSERT INTO StringIds VALUES (1, 'sgemm'), (2, 'relu_kernel'), (3, 'a'), (4, 'b');";

// Two runs, whose kernels end after the ranges that launched them.
constexpr const char* kRuns =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, text TEXT, textId "
    "INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10000, 20000, 0, 7, 1, 1, 1), (25000, 30000, 0, 8, 2, 2, 2),"
    " (40000, 54000, 0, 7, 3, 1, 1), (55000, 60000, 0, 8, 4, 2, 2);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1100, 1200, 5, 1), (1500, 1600, 5, 2), (2100, 2200, 5, 3),"
    " (2500, 2600, 5, 4), (3000, 3100, 5, 99);"
    "INSERT INTO NVTX_EVENTS VALUES (1000, 1900, 59, 5, 'run', NULL), (1050, 1250, 59, 5, NULL, 3),"
    " (1450, 1700, 59, 5, NULL, 4), (2000, 2900, 59, 5, 'run', NULL), (2050, 2250, 59, 5, NULL, 3),"
    " (2450, 2700, 59, 5, NULL, 4), (2451, 2699, 59, 6, 'another thread', NULL), (1, NULL, 34, 5, 'mark', NULL);";

TEST_F(NsightTest, KernelsStandInTheRangesOfTheirLaunches) {
  write(std::string(kTables) + kRuns);
  const Graph graph = test::chain(3);
  const ExternalRun run = read({.range = "run", .graph = &graph});
  EXPECT_EQ(run.tool, ExternalTool::kNsight);
  EXPECT_EQ(run.label, "report");
  ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "relu_kernel"));
  EXPECT_THAT(run.entries[0].within, ElementsAre("a", "run"));
  EXPECT_THAT(run.entries[1].within, ElementsAre("b", "run"));
  EXPECT_THAT(run.samples, ElementsAre(Millis(0.02), Millis(0.02)));
  EXPECT_EQ(run.entries[0].duration, Millis(0.012));
  EXPECT_EQ(run.trace.lanes, 2U);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kName);
  EXPECT_THAT(run.entries[0].match.operators, ElementsAre(*graph.find_operator("a")));
  EXPECT_DOUBLE_EQ(run.matched_share(), 1);
}

TEST_F(NsightTest, KernelsAloneAreEnough) {
  write(std::string(kTables) +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 2000, 0, 7, 1, 1, 1), (3000, 2500, 0, 7, 1, 1, 1),"
        " (NULL, 5, 0, 7, 1, 1, 1);");
  const ExternalRun run = read();
  EXPECT_EQ(run.entries.size(), 1U);
  ASSERT_EQ(run.notices.size(), 1U);
  EXPECT_THAT(run.notices[0], HasSubstr("2 kernels"));
}

// nsys has changed its tables now and then, and puts a version behind their names.
TEST_F(NsightTest, TablesMayHaveVersions) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_KERNEL_V3"},
           {"NVTX_EVENTS", "NVTX_EVENTS_V2"},
           {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_RUNTIME_V12"},
           {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"},
           {"StringIds", "StringIds_V2"}}) {
    fs::remove(path_);
    write(std::string(kTables) + kRuns + fmt::format("ALTER TABLE {} RENAME TO {};", from, to));
    const ExternalRun run = read({.range = "run"});
    ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "relu_kernel")) << to;
    EXPECT_THAT(run.entries[0].within, ElementsAre("a", "run")) << to;
    EXPECT_EQ(run.entries[0].duration, Millis(0.012)) << to;
  }
  fs::remove(path_);
  write(std::string(kTables) + kRuns +
        "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_NODE;");
  EXPECT_THAT(refusal(), HasSubstr("without CUDA kernels"));
}

// Correlations are numbers of a process, and the last launch before the kernel where they come again.
TEST_F(NsightTest, LaunchesAreThoseOfTheirProcess) {
  const std::int64_t p = std::int64_t{5} << 24U;
  const std::int64_t q = std::int64_t{6} << 24U;
  write(fmt::format(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, "
      "demangledName);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId);"
      "CREATE TABLE NVTX_EVENTS (start, end, globalTid, text);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10000, 20000, 0, 7, 1, {0}, 'of p'), (10000, 21000, 0, "
      "7, 1, {1}, 'of q');"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1100, 1200, {0} + 3, 1), (1100, 1200, {1} + 4, 1);"
      "INSERT INTO NVTX_EVENTS VALUES (1000, 1300, {0} + 3, 'p'), (1000, 1300, {1} + 4, 'q');",
      p, q));
  const ExternalRun run = read();
  ASSERT_THAT(test::names_of(run), ElementsAre("of p", "of q"));
  EXPECT_THAT(run.entries[0].within, ElementsAre("p"));
  EXPECT_THAT(run.entries[1].within, ElementsAre("q"));
}

// nsys writes zeros for kernels whose times it lost.
TEST_F(NsightTest, KernelsOfNoTimeAreLeftOut) {
  write(std::string(kTables) +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000000, 2000000, 0, 7, 1, 1, 1),"
        " (0, 0, 0, 7, 2, 1, 1);");
  const ExternalRun run = read();
  EXPECT_EQ(run.latency.value, Millis(1));
  EXPECT_THAT(run.notices, Contains(HasSubstr("1 kernels or ranges without a time")));
}

TEST_F(NsightTest, IsOpenedWithoutChangingIt) {
  write(std::string(kTables) + kRuns);
  const auto before = fs::last_write_time(path_);
  read();
  EXPECT_EQ(fs::last_write_time(path_), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(NsightTest, OtherDatabasesAreRefused) {
  write("CREATE TABLE something (x INTEGER); INSERT INTO something VALUES (1);");
  EXPECT_THAT(refusal(), HasSubstr("without CUDA kernels"));
}

TEST_F(NsightTest, ATableWithoutRowsIsRefused) {
  write(kTables);
  EXPECT_THAT(refusal(), HasSubstr("contains no kernels"));
}

// A view can be a computation without an end.
TEST_F(NsightTest, AViewIsNoTable) {
  write(
      "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
      " SELECT x AS start, x AS end, x AS streamId FROM n;");
  EXPECT_THAT(refusal(), HasSubstr("without CUDA kernels"));
}

// Virtual tables read what a view computes, generated columns are computed by functions that no clock interrupts:
// however they are written, none of them runs. Reading any of these would take minutes, or all memory.
TEST_F(NsightTest, NothingOfTheFileIsExecuted) {
  const std::string heavy = "instr(printf('%.90000c', 'a') || x, (printf('%.45000c', 'a') || 'b') || x)";  // 0.1 s
  const std::string view =
      "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) SELECT x AS "
      "id, " +
      heavy + " AS start, x AS end, 1 AS streamId, 'n' AS demangledName FROM n;";
  for (const std::string& sql :
       {view + "CREATE  VIRTUAL\tTABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end, streamId, demangledName, "
               "content='v', content_rowid='id');",
        view + "CREATE/**/VIRTUAL/**/TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end, streamId, content='v', "
               "content_rowid='id');",
        view + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM v;",
        // Tables that would answer in the place of SQLite's own functions.
        view + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM v; CREATE TABLE pragma_table_list(schema, "
               "name, type); INSERT INTO pragma_table_list VALUES('main', 'CUPTI_ACTIVITY_KIND_KERNEL', 'table');",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(x, end, streamId, start AS (" + heavy +
            ")); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(x, end, streamId) VALUES (1, 2, 3), (2, 3, 4);"}) {
    fs::remove(path_);
    write(sql);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(refusal(), HasSubstr("without CUDA kernels")) << sql;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << sql;
  }
}

// A part of the export that is not what it should be is left out, and the rest is read.
TEST_F(NsightTest, TablesOfNamesThatAreNoneAreNotRead) {
  for (const char* names :
       {"DROP TABLE StringIds; CREATE VIEW StringIds AS SELECT 1 AS id, printf('%.900000c', 'x') AS value;",
        "DROP TABLE StringIds; CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value AS (printf('%.900000c', 'x')));"
        "INSERT INTO StringIds(id) VALUES (1), (2);"}) {
    fs::remove(path_);
    write(std::string(kTables) + kRuns + names);
    EXPECT_THAT(test::names_of(read()), Each(SizeIs(testing::Lt(100U)))) << names;
  }
}

TEST_F(NsightTest, ALongValueIsRefused) {
  write(std::string(kTables) +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, 1, 9, 9);"
        "INSERT INTO StringIds VALUES (9, hex(zeroblob(3000000)));");
  EXPECT_THAT(refusal(), HasSubstr("a value is longer than 1048576 bytes (export it again)"));
}

TEST_F(NsightTest, ADamagedFileIsRefused) {
  write(std::string(kTables) + kRuns);
  fs::resize_file(path_, fs::file_size(path_) / 2);
  EXPECT_THAT(refusal(), HasSubstr("report.sqlite"));
}

TEST(ExternalFile, ThatIsNoneIsRefused) {
  EXPECT_FALSE(read_external("/dev/zero", {}, {}));
  EXPECT_FALSE(read_external("no/such/file.json", {}, {}));
}

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
  EXPECT_THAT(run.notices, Contains(testing::ResultOf([](const Message& notice) { return notice.text(); },
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

// As trtexec --exportProfile writes it, with the commas at the begin of lines.
constexpr const char* kProfile = R"([
  { "count" : 1180 }
, { "name" : "a + b", "timeMs" : 118.0, "averageMs" : 0.1, "medianMs" : 0.098, "percentage" : 40.0 }
, { "name" : "__myl_ConvRelu_myl0_1", "timeMs" : 59.0, "averageMs" : 0.05, "percentage" : 20.0 }
, { "name" : "Reformatting CopyNode for Input Tensor 0 to a", "timeMs" : 5.9, "averageMs" : 0.005, "medianMs" : 0.004 }
])";

std::vector<std::string> matched(const ExternalEntry& entry, const Graph& graph) {
  return mapped<std::string>(entry.match.operators, [&](const OperatorId id) { return graph.op(id).name; });
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
  ASSERT_FALSE(read_external_text(kProfile, "p.json", "p", {.layers = file}));
}

TEST(TensorRt, ForeignNodeIsWhatLiesBetweenItsEnds) {
  const Graph graph = test::diamond();
  const auto names = mapped<std::string>(graph.operators(), &Operator::name);
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
