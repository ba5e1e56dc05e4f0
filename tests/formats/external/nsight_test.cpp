#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"
#include "tests/support/sqlite_files.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class NsightTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "iosx-nsight-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "report.sqlite";
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const std::string& sql) { test::write_database(path_, sql); }
  ExternalRun read(const ExternalOptions& options = {}) {
    auto runs = read_external(path_, {}, options);
    EXPECT_TRUE(runs) << runs.error().text();
    return runs ? std::move(runs->front()) : ExternalRun{};
  }
  std::string refused() {
    const auto runs = read_external(path_, {}, {});
    EXPECT_FALSE(runs);
    return runs ? std::string() : runs.error().text();
  }

  fs::path folder_;
  fs::path path_;
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
  const ExternalRun run = read({.graph = &graph});
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
    const ExternalRun run = read();
    ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "relu_kernel")) << to;
    EXPECT_THAT(run.entries[0].within, ElementsAre("a", "run")) << to;
    EXPECT_EQ(run.entries[0].duration, Millis(0.012)) << to;
  }
  fs::remove(path_);
  write(std::string(kTables) + kRuns +
        "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_NODE;");
  EXPECT_THAT(refused(), HasSubstr("without CUDA kernels"));
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
  EXPECT_THAT(run.notices, testing::Contains(HasSubstr("1 kernels or ranges without a time")));
}

TEST_F(NsightTest, IsOpenedWithoutChangingIt) {
  write(std::string(kTables) + kRuns);
  const auto before = fs::last_write_time(path_);
  read();
  EXPECT_EQ(fs::last_write_time(path_), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(NsightTest, OtherDatabasesAreRefused) {
  write("CREATE TABLE something (x INTEGER); INSERT INTO something VALUES (1);");
  EXPECT_THAT(refused(), HasSubstr("without CUDA kernels"));
}

TEST_F(NsightTest, ATableWithoutRowsIsRefused) {
  write(kTables);
  EXPECT_THAT(refused(), HasSubstr("contains no kernels"));
}

// A view can be a computation without an end.
TEST_F(NsightTest, AViewIsNoTable) {
  write(
      "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
      " SELECT x AS start, x AS end, x AS streamId FROM n;");
  EXPECT_THAT(refused(), HasSubstr("without CUDA kernels"));
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
    EXPECT_THAT(refused(), HasSubstr("without CUDA kernels")) << sql;
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
    EXPECT_THAT(test::names_of(read()), testing::Each(testing::SizeIs(testing::Lt(100U)))) << names;
  }
}

TEST_F(NsightTest, ALongValueIsRefused) {
  write(std::string(kTables) +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, 1, 9, 9);"
        "INSERT INTO StringIds VALUES (9, hex(zeroblob(3000000)));");
  EXPECT_THAT(refused(), HasSubstr("a value is longer than 1048576 bytes (export it again)"));
}

TEST_F(NsightTest, ADamagedFileIsRefused) {
  write(std::string(kTables) + kRuns);
  fs::resize_file(path_, fs::file_size(path_) / 2);
  EXPECT_THAT(refused(), HasSubstr("report.sqlite"));
}

TEST(ExternalFile, ThatIsNoneIsRefused) {
  EXPECT_FALSE(read_external("/dev/zero", {}, {}));
  EXPECT_FALSE(read_external("no/such/file.json", {}, {}));
}

}  // namespace
}  // namespace iosx
