#include "core/formats/file_kind.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::read_all;
using test::read_one;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CsvTimes, WithoutAHeaderAreNamesAndMilliseconds) {
  const ExternalRun run = read_one("a,1.5\nb,0.25\n");
  ASSERT_THAT(test::names_of(run), ElementsAre("a", "b"));
  EXPECT_EQ(run.entries[0].duration, Millis(1.5));
  EXPECT_EQ(run.latency.value, Millis(1.75));
  EXPECT_EQ(run.latency.origin, Origin::kRecorded);
  EXPECT_EQ(run.tool, ExternalTool::kTable);
  EXPECT_EQ(recorded_by(run), "recorded in times.txt");
  EXPECT_FALSE(run.entries[0].timed);
  EXPECT_TRUE(run.trace.kernels.empty());
}

TEST(CsvTimes, TheHeaderSaysTheUnitAndWhereColumnsStand) {
  for (const char* header :
       {"id,latency (us),type,layer", "id,latency_us,type,layer", "id,Time [us],Op Type,Layer Name",
        "id,averageUs,type,node", "id,duration \u00b5s,type,operator", "status,latency(us),type,name"}) {
    const ExternalRun run = read_one(std::string(header) + "\n7,1500,Conv,a\n8,250,Relu,b\n");
    ASSERT_THAT(test::names_of(run), ElementsAre("a", "b")) << header;
    EXPECT_DOUBLE_EQ(run.entries[0].duration.count(), 1.5) << header;
    EXPECT_EQ(run.entries[1].type, "Relu") << header;
  }
  EXPECT_DOUBLE_EQ(read_one("name,latency (s)\na,0.002\n").latency.value.count(), 2);
  EXPECT_DOUBLE_EQ(read_one("name,latency (ns)\na,2000\n").latency.value.count(), 0.002);
}

TEST(CsvTimes, TheOptionSaysWhatTheHeaderDoesNot) {
  EXPECT_DOUBLE_EQ(read_one("a,1500\n", {.unit = TimeUnit::kMicros}).latency.value.count(), 1.5);
  EXPECT_DOUBLE_EQ(read_one("name,latency_ms\na,2\n", {.unit = TimeUnit::kSeconds}).latency.value.count(), 2);
}

TEST(CsvTimes, FieldsMayBeQuotedAndSeparatedOtherwise) {
  const ExternalRun run = read_one("\xEF\xBB\xBFname;ms\r\n\"a;\"\"b\"\"\nc\";3\r\n\n d ;4\r\n");
  EXPECT_THAT(test::names_of(run), ElementsAre("a;\"b\"\nc", "d"));
  EXPECT_EQ(read_one("x\t1,5\t2\ny\t0\t3\n").latency.value, Millis(5));
}

TEST(CsvTimes, SeveralRowsOfANameAreSamples) {
  const ExternalRun run = read_one("a,1\nb,10\na,3\nb,30\na,2\nb,20\n");
  ASSERT_EQ(run.entries.size(), 2U);
  EXPECT_THAT(run.entries[0].samples, ElementsAre(Millis(1), Millis(3), Millis(2)));
  EXPECT_EQ(run.entries[1].duration, Millis(20));
  EXPECT_THAT(run.samples, ElementsAre(Millis(11), Millis(33), Millis(22)));
  EXPECT_EQ(run.latency.value, Millis(22));
  EXPECT_EQ(run.latency.spread, Millis(11));
  EXPECT_EQ(run.latency.samples, 3);
}

TEST(CsvTimes, OfProgramsAreARunEach) {
  const auto runs = read_all("framework,latency_ms\nTensorRT,1.2\nTVM,1.5\nTensorRT,1.4\n");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].label, "TensorRT");
  EXPECT_EQ(runs[0].latency.samples, 2);
  EXPECT_DOUBLE_EQ(runs[0].latency.value.count(), 1.3);
  EXPECT_TRUE(runs[0].entries.empty());
  EXPECT_EQ(runs[1].latency.value, Millis(1.5));
}

TEST(CsvTimes, NamesOfNoOperatorAreProgramsWhereTheHeaderDoesNotSay) {
  const Graph graph = test::chain(3);
  EXPECT_EQ(read_all("TensorRT,1.2\nTVM,1.5\n", {.graph = &graph}).size(), 2U);
  EXPECT_EQ(read_all("TensorRT,1.2\nb,1.5\n", {.graph = &graph}).size(), 1U);
  EXPECT_EQ(read_all("layer,ms\nTensorRT,1.2\nTVM,1.5\n", {.graph = &graph}).size(), 1U);
}

TEST(CsvTimes, OfWrongFilesAreRefusedInALine) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("  \n \n"), HasSubstr("is empty"));
  EXPECT_THAT(refusal("a,b\n"), HasSubstr("no rows"));
  EXPECT_THAT(refusal("a,1\nb,x\n"), HasSubstr("times.txt: line 2: has no latency"));
  EXPECT_THAT(refusal("a,1\nb\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("a,-1\n"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("a,1e300\n"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("a,inf\n"), HasSubstr("no rows"));
  EXPECT_THAT(refusal("a,1\n\"b,2\n"), HasSubstr("line 2: a quote is not closed"));
  EXPECT_THAT(refusal(std::string("a\0b,1\nc,2\n", 10)), HasSubstr("is no text"));
  EXPECT_THAT(refusal("a,1\n" + std::string(5000, ',')), HasSubstr("columns"));
  EXPECT_THAT(refusal("\x1F\x8B\x08"), HasSubstr("gunzip"));
  EXPECT_THAT(refusal("PK\x03\x04"), HasSubstr("zip"));
}

TEST(CsvTable, OfOneProgramIsCalledAsItIsAskedToOrAsTheTableSays) {
  const std::string text = "framework,latency_ms\nTensorRT,2.5\n";
  EXPECT_EQ(read_external_text(text, "folder/engines.csv", "", {})->front().label, "TensorRT");
  EXPECT_EQ(read_external_text(text, "folder/engines.csv", "mine", {})->front().label, "mine");
  EXPECT_EQ(read_external_text("name,ms\nconv1,2.5\n", "folder/times.csv", "", {})->front().file, "folder/times.csv");
}

TEST(LooksExternal, TellsTablesTracesAndDatabasesFromWhatElseIsOpened) {
  const auto folder = std::filesystem::temp_directory_path() / ("iosx-looks-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto looks = [&](const char* name, std::string_view bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return file_kind(folder / name) == FileKind::kExternal;
  };
  EXPECT_TRUE(looks("a.csv", ""));
  EXPECT_TRUE(looks("b.json", R"( {"schemaVersion": 1, "traceEvents": []})"));
  EXPECT_TRUE(looks("c.json", R"([{"ph":"X","ts":1,"dur":2,"name":"conv"}])"));
  EXPECT_TRUE(looks("d", std::string_view("SQLite format 3\0 and more", 24)));
  EXPECT_FALSE(looks("e.json", R"({"input":{"name":"ph"},"blocks":[]})"));
  EXPECT_FALSE(looks("f.onnx", "\x08\x07 \"ph\" \"ts\""));
  EXPECT_FALSE(looks("g.iosrun", "PK\x03\x04"));
  EXPECT_NE(file_kind(folder / "not there.csv"), FileKind::kExternal);
  EXPECT_NE(file_kind(folder), FileKind::kExternal);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace iosx
