#include "core/formats/external/unit_column.h"
#include "core/formats/file_kind.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using testing::Optional;

ValueTable table_in(std::string_view text) { return must(read_value_table(text, "values.csv")); }

std::string value_refusal(std::string_view text) {
  const auto table = read_value_table(text, "values.csv");
  EXPECT_FALSE(table);
  const std::string line = table ? std::string() : table.error().text();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

std::vector<std::string> titles_of(const ValueTable& table) {
  return mapped<std::string>(table.columns, &ValueColumn::title);
}

TEST(ValueTable, TheHeaderSaysWhereNamesStand) {
  const ValueTable table = table_in("type,memory (MB),Name,sparsity\nConv,1.5,a,0.25\nRelu,2,b,\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(titles_of(table), ElementsAre("memory (MB)", "sparsity"));
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(1.5), Optional(2.0)));
  EXPECT_THAT(table.columns[1].values, ElementsAre(Optional(0.25), testing::Eq(std::nullopt)));
  EXPECT_EQ(table.columns[1].not_numbers, 0U) << "an empty field is no mistake";
  for (const char* header : {"layer,v", "Node Name,v", "kernel_name,v", "operator;v", "anything\tv"}) {
    const char separator = header[std::string_view(header).size() - 2];
    const ValueTable other = table_in(std::string(header) + "\na" + separator + "3\n");
    EXPECT_THAT(other.names, ElementsAre("a")) << header;
    EXPECT_THAT(titles_of(other), ElementsAre("v")) << header;
  }
}

TEST(ValueTable, WithoutAHeaderNamesAreTheFirstWords) {
  const ValueTable table = table_in("1,a,0.5\n2,b,0.25\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(titles_of(table), ElementsAre("column 1", "column 3"));
  // Titles may be numbers where one of them is "name".
  EXPECT_THAT(titles_of(table_in("name,0,1\na,5,6\n")), ElementsAre("0", "1"));
}

TEST(ValueTable, NumbersAreReadAsTheyAreWritten) {
  const ValueTable table = table_in("\xEF\xBB\xBFname,v\r\na,-1e-3\r\nb,\"1,250.5\"\r\nc,+7\r\n");
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(-0.001), Optional(1250.5), Optional(7.0)));
}

TEST(ValueTable, WhatIsNoFiniteNumberIsLeftOutAndCounted) {
  const ValueTable table = table_in("name,v\na,1\nb,NaN\nc,inf\nd,n/a\ne,2\nf,1e305\ng,3\nh,4\n");
  EXPECT_EQ(table.names.size(), 8U);
  EXPECT_EQ(table.columns[0].not_numbers, 4U);
  EXPECT_FALSE(table.columns[0].values[1]);
  EXPECT_FALSE(table.columns[0].values[5]);
  // A column that is mostly words is none.
  EXPECT_THAT(titles_of(table_in("name,v,w\na,1,x\nb,2,y\nc,3,7\n")), ElementsAre("v"));
}

TEST(ValueTable, RowsMayBeShort) {
  const ValueTable table = table_in("name,v,w\na,1,2\nb\nc,3\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(table.columns[1].values,
              ElementsAre(Optional(2.0), testing::Eq(std::nullopt), testing::Eq(std::nullopt)));
}

TEST(ValueTable, JsonMayBeAnObjectOfNames) {
  const ValueTable plain = table_in(R"({"a": 1, "b": 2.5, "c": null, "d": "NaN"})");
  EXPECT_THAT(plain.names, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(titles_of(plain), ElementsAre("value"));
  EXPECT_EQ(plain.columns[0].not_numbers, 1U);
  const ValueTable rows = table_in(R"({"a": {"mem": 1, "type": "Conv"}, "b": {"err": -2, "mem": 3}})");
  EXPECT_THAT(titles_of(rows), ElementsAre("mem", "err"));
  EXPECT_THAT(rows.columns[1].values, ElementsAre(testing::Eq(std::nullopt), Optional(-2.0)));
}

TEST(ValueTable, JsonMayBeAListOfObjects) {
  const ValueTable table = table_in(R"([{"name": "a", "mem": 1}, {"mem": 2, "node": "b"}])");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(1.0), Optional(2.0)));
  EXPECT_THAT(value_refusal(R"([{"name": "a", "mem": 1}, {"mem": 2}])"), HasSubstr("values.csv: [1]: has no name"));
  EXPECT_THAT(value_refusal(R"([1, 2])"), HasSubstr("has no name"));
}

TEST(ValueTable, JsonMayBeNodeDataOfModelExplorer) {
  const char* within = R"("results": {"a": {"value": 4}, "b": {"value": 5, "bgColor": "red"}}, "gradient": [])";
  for (const std::string& text : {std::string("{") + within + "}", std::string(R"({"main": {)") + within + "}}"}) {
    const ValueTable table = table_in(text);
    EXPECT_THAT(table.names, ElementsAre("a", "b"));
    EXPECT_THAT(titles_of(table), ElementsAre("value"));
  }
}

TEST(ValueTable, BadInputIsOneLine) {
  EXPECT_THAT(value_refusal(""), HasSubstr("values.csv: is empty"));
  EXPECT_THAT(value_refusal(" \n"), HasSubstr("is empty"));
  EXPECT_THAT(value_refusal("name,v\n"), HasSubstr("has no rows"));
  EXPECT_THAT(value_refusal("{}"), HasSubstr("has no rows"));
  EXPECT_THAT(value_refusal("name,v\na,x\nb,y\n"), HasSubstr("has no column of numbers"));
  EXPECT_THAT(value_refusal("name\na\nb\n"), HasSubstr("has no column of numbers"));
  EXPECT_THAT(value_refusal("1,2\n3,4\n"), HasSubstr("has no column of names"));
  EXPECT_THAT(value_refusal("name,v\na,\"1\n"), HasSubstr("values.csv: line 2: a quote is not closed"));
  EXPECT_THAT(value_refusal(R"({"a": 1, "a": 2})"), HasSubstr("appears twice"));
  EXPECT_THAT(value_refusal(R"({"a": 1)"), HasSubstr("values.csv"));
  EXPECT_THAT(value_refusal(std::string_view("a,1\0b", 5)), HasSubstr("is not text"));
}

TEST(ValueTable, TooMuchIsRefusedBeforeItIsHeld) {
  std::string rows = "name,v\n";
  for (int i = 0; i < 500'001; ++i) rows += "a,1\n";
  EXPECT_THAT(value_refusal(rows), HasSubstr("has more than 500000 rows"));
  // A wide row makes all others as wide.
  std::string wide = "a";
  for (int i = 0; i < 999; ++i) wide += ",1";
  wide += "\n";
  for (int i = 0; i < 8'001; ++i) wide += "b,1\n";
  EXPECT_THAT(value_refusal(wide), HasSubstr("has more than 8000000 values"));
  EXPECT_THAT(value_refusal("name" + std::string(1001, ',') + "\n"), HasSubstr("has more than 1000 columns"));
}

TEST(ValueTable, AFileThatIsNotThereIsOneLine) {
  const std::filesystem::path folder = testing::TempDir();
  EXPECT_THAT(refused(read_value_table(folder / "there is no such table.csv")).text(),
              HasSubstr("there is no such table.csv"));
  EXPECT_FALSE(read_value_table(folder)) << "a folder is no table";
}

using test::read_all;
using test::read_one;
using test::refusal;

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

TEST(CsvTimes, OfNsysAreLaunchesOfTheAverage) {
  const std::string rows =
      "75.0,30000,3,10000.0,10000,9000,11000,10,sgemm\n25.0,10000,1,10000.0,10000,10000,10000,0,relu\n";
  for (const std::string& header :
       {std::string("Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name"),
        std::string(
            "Time(%),Total Time (ns),Num Calls,Average (ns),Median (ns),Minimum (ns),Maximum (ns),StdDev (ns),Name"),
        std::string("Time(%),Total Time,Instances,Average,Median,Minimum,Maximum,StdDev,Name"),  // of 2020
        std::string("Processing [a.sqlite] with [gpukernsum.py]... \n\n ** CUDA GPU Kernel Summary:\n\n"
                    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name")}) {
    const ExternalRun run = read_one(header + "\n" + rows);
    ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "sgemm", "sgemm", "relu")) << header;
    for (const ExternalEntry& entry : run.entries) EXPECT_DOUBLE_EQ(entry.duration.count(), 0.01) << header;
    EXPECT_DOUBLE_EQ(run.latency.value.count(), 0.04) << header;
    EXPECT_THAT(run.notices, Contains(HasSubstr("its rows are 4 launches")));
  }
  const ExternalRun many = read_one("Total Time (ns),Instances,Avg (ns),Name\n2000000000,2000000,1000,a\n");
  EXPECT_EQ(many.entries.size(), 1U);
  EXPECT_DOUBLE_EQ(many.latency.value.count(), 2000);
}

TEST(CsvTimes, OfNcuAreTheDurationsOfTheirMetrics) {
  for (const char* unit : {"usecond", "us", "\u00b5s", "microsecond"}) {
    const ExternalRun run =
        read_one(fmt::format("==PROF== Connected to process 7, done\n"
                             "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel "
                             "Time\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                             "\"0\",\"9\",\"python\",\"h\",\"sgemm\",\"2026-Jan-01\",\"S\",\"DRAM "
                             "Frequency\",\"cycle/nsecond\",\"1.2\"\n"
                             "\"0\",\"9\",\"python\",\"h\",\"sgemm\",\"2026-Jan-01\",\"S\",\"Duration\",\"{0}\","
                             "\"12.5\"\n"
                             "\"1\",\"9\",\"python\",\"h\",\"sgemm\",\"2026-Jan-01\",\"S\",\"Duration\",\"msecond\","
                             "\"1,250.5\"\n",
                             unit));
    ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "sgemm")) << unit;
    EXPECT_DOUBLE_EQ(run.entries[0].duration.count(), 0.0125) << unit;
    EXPECT_DOUBLE_EQ(run.entries[1].duration.count(), 1250.5) << unit;
    EXPECT_THAT(run.notices, Contains(HasSubstr("1 rows of other metrics are left out")));
  }
  EXPECT_THAT(refusal("ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,a,Duration,cycle,12\n"),
              HasSubstr("line 2: it is measured in 'cycle', which is not a time"));
  // Its page of raw values has the units in a row of their own.
  const ExternalRun raw =
      read_one("ID,Process ID,Kernel Name,gpu__time_duration.sum\n,,,nsecond\n0,9,sgemm,12500\n1,9,relu,500\n");
  ASSERT_THAT(test::names_of(raw), ElementsAre("sgemm", "relu"));
  EXPECT_DOUBLE_EQ(raw.latency.value.count(), 0.013);
}

TEST(CsvTimes, RowsWithBeginsAreATimeline) {
  const ExternalRun run = read_one(
      "Start (ns),Duration (ns),CorrId,Device,Ctx,Strm,Name\n1000000,20000,1,0,1,7,sgemm\n1010000,20000,2,0,1,8,relu\n"
      "1030000,20000,3,0,1,7,sgemm\n");
  ASSERT_THAT(test::names_of(run), ElementsAre("sgemm", "relu", "sgemm"));
  EXPECT_DOUBLE_EQ(run.latency.value.count(), 0.05);
  EXPECT_EQ(run.trace.lanes, 2U);
  EXPECT_EQ(run.trace.kernels[2].begin, Micros(30));
  EXPECT_EQ(run.tool, ExternalTool::kTable);
}

TEST(CsvTimes, TheColumnOfLatenciesIsTheOneThatIsNoOtherQuantity) {
  for (const auto& [text, ms] : std::vector<std::pair<std::string, double>>{
           {"Name,Time (ms),Average (ms),Percentage\nconv1,12.5,1.25,80%\n", 1.25},
           {"Node,Time (%),Time (us)\nconv1,80,1250\n", 1.25},
           {"layer,min (ms),max (ms),avg (ms)\nconv1,1,2,1.25\n", 1.25},
           {"layer,mean_us,median_us\nconv1,1300,1250\n", 1.25},
           {"layer,size (MB),GPU time (us)\nconv1,80,1250\n", 1.25},
           {"layer,Total Time (ms)\nconv1,1.25\n", 1.25},
           {"id,layer,duration [nsecond]\n0,conv1,1250000\n", 1.25},
           {"name,duration,unit\nconv1,1250,us\n", 1.25},
           {"name,duration\nconv1,1250 us\n", 1.25},
           {"name,duration\nconv1,0.00125s\n", 1.25},
           {"layerName;execStatus;layerType;realTime (ms);cpuTime (ms)\nconv1;EXECUTED;Convolution;1.25;1.3\n", 1.25},
           {"layer,time (cycles),duration/us\nconv1,9000,1250\n", 1.25},
           {"Time (%),Total Time (ns),Instances,Avg (ns),Style,Range\n100,1250000,1,1250000,PushPop,conv1\n", 1.25},
           {"#,what,latency_us\n0,conv1,\"1,250.0\"\n", 1.25}}) {
    const ExternalRun run = read_one(text);
    ASSERT_THAT(test::names_of(run), ElementsAre("conv1")) << text;
    EXPECT_DOUBLE_EQ(run.latency.value.count(), ms) << text;
  }
  EXPECT_THAT(read_one("layer,engine_a_ms,engine_b_ms\nconv1,1,2\n").notices,
              Contains(HasSubstr("'engine_a_ms' is used as the latency")));
  EXPECT_THAT(refusal("name,latency_us\nconv1,\"1,25\"\n"), HasSubstr("with a decimal point"));
  EXPECT_THAT(refusal("name;latency_ms\nconv1;1,250\n"), HasSubstr("with a decimal point"));
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
  EXPECT_THAT(refusal(std::string("a\0b,1\nc,2\n", 10)), HasSubstr("is not text"));
  EXPECT_THAT(refusal("a,1\n" + std::string(5000, ',')), HasSubstr("columns"));
  EXPECT_THAT(refusal("\x1F\x8B\x08"), HasSubstr("gzip cannot unpack it"));
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
