#include <stdlib.h>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/run_file/archive.h"
#include "core/documents/run_file/comparison_fields.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/wire/writer.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Device> simulated() { return test::simulated("tesla-v100"); }

Run run_of(const Graph& graph, Device& device, CompareOptions options = {}) {
  auto comparison = must(compare(graph, device, options, {}));
  return make_run(std::move(comparison), options, {"some network", std::make_shared<const Graph>(graph), true},
                  "1.2.3");
}

// Run files of every version have these keys in this order.
TEST(RunFile, HasTheOptionsUnderTheirKeys) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential}};
  options.search.effort.epsilon = 0.05;
  options.memory_limit = 3'000'000;
  wire::Writer writer;
  writer.put(options);
  const std::string_view expected =
      R"({"batch":1,"schedule_kinds":["sequential"],"search":{"rule":"connected","pruning":{"r":3,"s":8},)"
      R"("strategies":"both","method":"automatic","effort":{"longer":false,"epsilon":0.05,"budget_s":0,"seed":1}},)"
      R"("max_part_size":64,"max_streams":10,"timing":{"warmup":2,"repeats":5,"max_repeats":100,"min_time_ms":2,)"
      R"("precision":0.02,"max_time_ms":200},"verify":false,"doubt":false,"quick":false,"memory_limit_bytes":3000000})";
  EXPECT_EQ(std::move(writer).take(), expected);
}

// Everything but the pointers to weights, which stay with the graph.
void expect_same(const Run& read, const Run& run) {
  EXPECT_EQ(test::describe(*read.comparison.graph), test::describe(*run.comparison.graph));
  DeviceInfo device = run.comparison.device;
  device.grade = verbatim(device.grade.text());  // messages are written in English
  EXPECT_EQ(read.comparison.device, device);
  EXPECT_EQ(read.comparison.batch, run.comparison.batch);
  EXPECT_EQ(read.comparison.complete, run.comparison.complete);
  EXPECT_EQ(read.network.source, run.network.source);
  EXPECT_EQ(read.network.batched, run.network.batched);
  EXPECT_EQ(read.own_weights, run.own_weights);
  EXPECT_EQ(read.place, run.place);
  EXPECT_EQ(test::describe(*read.network.graph), test::describe(*run.network.graph));
  EXPECT_EQ(read.options.schedule_kinds, run.options.schedule_kinds);
  EXPECT_EQ(read.options.search, run.options.search);
  EXPECT_EQ(read.options.timing, run.options.timing);
  EXPECT_EQ(read.options.max_part_size, run.options.max_part_size);
  ASSERT_EQ(read.comparison.results.size(), run.comparison.results.size());
  for (std::size_t i = 0; i < run.comparison.results.size(); ++i) {
    ScheduleResult expected = run.comparison.results[i];
    EXPECT_EQ(read.comparison.results[i].plan.parameters, read.comparison.graph->parameters());
    expected.plan.parameters = read.comparison.graph->parameters();
    EXPECT_TRUE(read.comparison.results[i] == expected) << expected.schedule.name;
  }
}

class RunFileTest : public testing::Test {
 protected:
  const test::Folder folder_;
};

// Launches, where counters come from, and how far off they may be.
TEST_F(RunFileTest, BringsAProfileBackExactly) {
  const auto device = simulated();
  iosx::Run run = run_of(*zoo_network("squeezenet"), *device);
  Trace& trace = run.comparison.results[1].trace;
  trace.source = "CUPTI activity records";
  for (KernelSpan& span : trace.kernels) {
    span.launches = {{.name = "f<float, 3>",
                      .begin = span.begin,
                      .end = span.end,
                      .grid = {132, 2, 1},
                      .block = {256, 1, 1},
                      .registers = 168,
                      .shared_bytes = 49152,
                      .occupancy = 0.1875}};
  }
  Counter& counter = trace.counters.front();
  counter.source = "CUPTI PM sampling every 5 us, 200 runs laid over one another";
  for (const double value : counter.values) counter.errors.push_back(value / 64);
  counter.stage_errors.assign(trace.stages.size(), 0.25);
  counter.error = 0.125;
  EXPECT_EQ(must(run_from_bytes(run_to_bytes(run), "run")).comparison.results[1].trace, trace);
  // What is not consistent is refused.
  trace.kernels[0].launches[0].end = trace.kernels[0].end + Micros(1);
  EXPECT_THAT(refused(run_from_bytes(run_to_bytes(run), "run")).text(), HasSubstr("a launch outside its own time"));
  trace.kernels[0].launches.clear();
  trace.counters.front().errors.pop_back();
  EXPECT_THAT(refused(run_from_bytes(run_to_bytes(run), "run")).text(), HasSubstr("one error per value"));
}

TEST_F(RunFileTest, BringsInceptionBackExactly) {
  const auto device = simulated();
  const iosx::Run run = run_of(*zoo_network("inception_v3"), *device);
  ASSERT_EQ(run.comparison.results.size(), 7U);
  ASSERT_TRUE(run.comparison.results[6].lanes) << "what runs without barriers comes back too";
  ASSERT_TRUE(run.comparison.lane_gain(run.comparison.results[6])) << "with what that gains";
  ASSERT_TRUE(run.comparison.results[4].search);
  ASSERT_FALSE(run.comparison.results[4].trace.counters.empty());
  const fs::path path = folder_ / "inception.iosrun";
  must(save_run(run, path));
  auto read = must(open_run(path));
  expect_same(read, run);
  EXPECT_EQ(run_to_bytes(read), run_to_bytes(run));
  EXPECT_THAT(table_csv(stage_list(read.comparison)), HasSubstr("recorded on "));
  EXPECT_THAT(comparison_trace(read.comparison), HasSubstr("recorded on "));
  // But for that mark everything is as it was.
  read.comparison.recorded = run.comparison.recorded;
  EXPECT_EQ(comparison_table(read.comparison), comparison_table(run.comparison));
  EXPECT_EQ(comparison_json(read.comparison), comparison_json(run.comparison));
  EXPECT_EQ(table_csv(stage_list(read.comparison)), table_csv(stage_list(run.comparison)));
  EXPECT_EQ(comparison_trace(read.comparison), comparison_trace(run.comparison));
}

TEST_F(RunFileTest, BringsThePiecesOfWholeUnitsBack) {
  const auto device = simulated();
  const iosx::Run run = run_of(test::whole_unit(), *device);
  ASSERT_TRUE(run.comparison.results.front().plan.kernels.front().piece.valid());
  expect_same(must(run_from_bytes(run_to_bytes(run), "run")), run);
}

TEST_F(RunFileTest, BringsBackWhatASearchStartedFrom) {
  const auto device = simulated();
  CompareOptions options;
  options.search.pruning.s = 1;
  options.warm_start = greedy_schedule(test::fork_join(3));
  const auto run = run_of(test::fork_join(3), *device, options);
  ASSERT_TRUE(run.comparison.find(ScheduleKind::kIosBoth)->search->warm_start);
  EXPECT_FALSE(run.comparison.find(ScheduleKind::kIosBoth)->search->warm_start->beyond.empty());
  EXPECT_FALSE(run.options.warm_start) << "its result holds it";
  const auto read = must(run_from_bytes(run_to_bytes(run), "f"));
  expect_same(read, run);
}

TEST_F(RunFileTest, BringsMeasuredLatenciesAndVerificationsBack) {
  test::ComputingDevice device;
  device.change = [](std::size_t run, std::vector<Tensor>& outputs) {
    if (run == 1) outputs[0] = test::with(outputs[0], 3, std::numeric_limits<float>::quiet_NaN());
    if (run == 2) outputs[0] = test::with(outputs[0], 3, -std::numeric_limits<float>::infinity());
  };
  CompareOptions options{.batch = 3, .verify = true};
  options.timing.min_time = Millis{0.1};
  options.search.pruning = {2, 0};
  iosx::Run run = run_of(test::fork_join(3), device, options);
  ASSERT_TRUE(run.comparison.failed_verification());
  run.comparison.results[0].latency.clock_mhz = 1979.5;
  run.comparison.results[0].samples = {Millis{0.25}, Millis{1e-3}, Millis{2.0 / 3}};
  run.comparison.results[0].rounds = {Millis{0.1}, Millis{1e-300}, Millis{1.0 / 3}};
  const auto read = must(run_from_bytes(run_to_bytes(run), "f"));
  EXPECT_EQ(run_to_bytes(read), run_to_bytes(run));  // NaN is not equal to itself
  EXPECT_EQ(read.comparison.results[0].latency.origin, device.info().origin);
  EXPECT_EQ(read.comparison.results[0].rounds, run.comparison.results[0].rounds);
  EXPECT_EQ(read.comparison.results[0].samples, run.comparison.results[0].samples);
  bool nan = false;
  bool infinite = false;
  for (const ScheduleResult& result : read.comparison.results) {
    nan = nan || std::isnan(result.verification->outputs[0].value);
    infinite = infinite || result.verification->outputs[0].value == -std::numeric_limits<float>::infinity();
  }
  EXPECT_TRUE(nan);
  EXPECT_TRUE(infinite);
}

TEST_F(RunFileTest, SaysWhereAndWhen) {
  const auto device = simulated();
  iosx::Run run = run_of(test::diamond(), *device);
  EXPECT_LT(std::chrono::abs(std::chrono::system_clock::now() - run.place.when), std::chrono::minutes(5));
  EXPECT_FALSE(run.place.host.empty());
  run.place.host = "gpu-server";
  run.place.when =
      std::chrono::sys_days{std::chrono::March / 1 / 2026} + std::chrono::hours(14) + std::chrono::seconds(359);
  const auto read = must(run_from_bytes(run_to_bytes(run), "f"));
  EXPECT_EQ(read.place, run.place);
  EXPECT_EQ(read.place.program, "1.2.3");
  EXPECT_EQ(recorded_text(read), "recorded on gpu-server, 2026-03-01 14:05 UTC, " + run.comparison.device.name);
}

// A computer without a battery begins in 1970 or before.
TEST_F(RunFileTest, OfAnyClockOpensAgain) {
  const auto device = simulated();
  iosx::Run run = run_of(test::diamond(), *device);
  for (const int days : {-1, -10'000, -700'000}) {
    run.place.when = std::chrono::sys_seconds(std::chrono::days(days));
    const auto read = must(run_from_bytes(run_to_bytes(run), "f"));
    EXPECT_EQ(read.place.when, run.place.when);
  }
  run.place.when = std::chrono::sys_seconds(std::chrono::seconds(-1));
  EXPECT_THAT(recorded_text(run.place).text(), HasSubstr("1969-12-31 23:59 UTC"));
}

// A small file would be gigabytes of one name.
TEST_F(RunFileTest, WithAnEndlessTextIsRefused) {
  const auto device = simulated();
  iosx::Run run = run_of(test::diamond(), *device);
  run.network.source = std::string(2'000'000, 'x');
  EXPECT_EQ(refused(run_from_bytes(run_to_bytes(run), "f")).what, "contains a text of more than 1 MiB");
  run.network.source = std::string(1'000'000, 'x');
  EXPECT_TRUE(run_from_bytes(run_to_bytes(run), "f"));
}

TEST_F(RunFileTest, TellsWhenTheFileHadWeightsOfItsOwn) {
  auto [builder, in] = test::sketch("weights", Shape{1, 2, 2});
  Conv one{.out_channels = 1};
  const Value conv = builder.add("conv", one, {in});
  builder.set_parameters(conv, Tensor({1, 1, 1, 1}, {2}));
  const auto graph = std::move(builder).build();
  const auto device = simulated();
  const auto read = must(run_from_bytes(run_to_bytes(run_of(*graph, *device)), "f"));
  EXPECT_TRUE(read.own_weights);
  EXPECT_FALSE(read.comparison.graph->parameters()->complete());
  EXPECT_FALSE(run_of(test::diamond(), *device).own_weights);
}

TEST_F(RunFileTest, CutShortIsAnErrorAtEveryLength) {
  const auto device = simulated();
  const std::string bytes = run_to_bytes(run_of(test::diamond(), *device));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = run_from_bytes(std::string_view(bytes).substr(0, size), "some file");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().where, "some file");
  }
}

TEST_F(RunFileTest, FlippedBitsAreAnErrorOrChangeNothing) {
  const auto device = simulated();
  const iosx::Run run = run_of(test::diamond(), *device);
  const std::string bytes = run_to_bytes(run);
  std::size_t refused = 0;
  std::size_t tried = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 7) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto read = run_from_bytes(flipped, "f");
    ++tried;
    if (read) {
      EXPECT_EQ(run_to_bytes(*read), bytes) << "bit " << bit;
    } else {
      ++refused;
      EXPECT_FALSE(read.error().what.empty());
    }
  }
  EXPECT_GT(refused, tried * 9 / 10);
}

// Checksums do not help against people.
TEST_F(RunFileTest, WhatIsNotConsistentIsAnErrorWithItsPlace) {
  const auto device = simulated();
  CompareOptions options;
  options.search.pruning.s = 1;
  options.warm_start = greedy_schedule(test::diamond());
  const std::string bytes = run_to_bytes(run_of(test::diamond(), *device, options));
  const auto json = nlohmann::json::parse(*unzip(bytes, "run.json", 1 << 24, "f"));
  constexpr std::array<std::array<const char*, 3>, 33> kEdits{{
      {"/comparison/results/0/id", "\"../../x\"", "comparison.results[0].id"},
      {"/comparison/results/0/id", "\"greedy\"", "comparison.results[1].id"},
      {"/comparison/results/0/schedule_kind", "\"magic\"", "comparison.results[0].schedule_kind"},
      {"/declared_parts", "[]", "declared_parts"},
      {"/declared_parts/0/units", "9", "declared_parts[0]"},
      {"/comparison/results", "[]", "comparison.results"},
      {"/comparison/batch", "0", "comparison.batch"},
      {"/comparison/batch", "2", "comparison.results[0].plan.batch"},
      {"/comparison/results/0/schedule/stages/0", "[]", "comparison.results[0].schedule"},
      {"/comparison/results/0/schedule/stages/0/0/0/0", "77", "comparison.results[0].schedule"},
      {"/comparison/results/0/stage_latencies", "[]", "comparison.results[0].stage_latencies"},
      {"/comparison/results/0/latency/ms", "1e999", ""},
      {"/comparison/results/0/latency/ms", "-1", "comparison.results[0].latency.ms"},
      {"/comparison/results/0/plan/stages", "[]", "comparison.results[0].plan.stages"},
      {"/comparison/results/0/plan/kernels/0/units/0", "77", "comparison.results[0].plan.kernels[0]"},
      {"/comparison/results/0/plan/kernels/0/writes/2", "77", "comparison.results[0].plan.kernels[0].writes"},
      {"/comparison/results/0/trace/lanes", "1000000", "comparison.results[0].trace.lanes"},
      {"/comparison/results/0/trace/kernels/0/kernel", "77", "comparison.results[0].trace.kernels[0]"},
      {"/comparison/results/2/search/parts/0/part", "7", "comparison.results[2].search.parts[0]"},
      {"/comparison/results/2/search/parts/0/states", "-7", "comparison.results[2].search.parts[0].states"},
      {"/comparison/results/4/search/warm_start/beyond", R"([{"stage":99,"why":[]}])",
       "comparison.results[4].search.warm_start.beyond"},
      {"/comparison/results/4/search/warm_start/beyond/0/stage", "-1",
       "comparison.results[4].search.warm_start.beyond[0].stage"},
      {"/comparison/results/4/search/warm_start/beyond/0/why/0/limit", "\"taste\"",
       "comparison.results[4].search.warm_start.beyond[0].why[0].limit"},
      {"/comparison/own_lanes",
       R"({"of":"x","latency":{"ms":1,"spread_ms":0,"samples":1,"origin":"simulated","clock_mhz":0},"rounds_ms":[]})",
       "comparison.own_lanes"},
      {"/comparison/results/0/verification", R"({"reference":"","tolerance":0,"outputs":[]})",
       "comparison.results[0].verification.outputs"},
      {"/comparison/device/origin", "\"dreamt\"", "comparison.device.origin"},
      {"/comparison/device/lowering/input_channel_multiple", "0", "comparison.device.lowering.input_channel_multiple"},
      {"/comparison/device/lowering/input_channel_multiple", "-8", "comparison.device.lowering.input_channel_multiple"},
      {"/comparison/device/lowering/input_channel_multiple", "65", "comparison.device.lowering.input_channel_multiple"},
      {"/graph/operators/1/inputs/0/0", "5", "graph.operators[1]"},
      {"/place/when", "-62135596801", "place.when"},
      {"/place/when", "253402300800", "place.when"},
      {"/options/search/rule", "\"any\"", "options.search.rule"},
  }};
  for (const auto& [pointer, value, place] : kEdits) {
    auto edited = json;
    // A number that JSON cannot hold is put in as text.
    const bool too_large = std::string_view(value) == "1e999";
    edited["content"][nlohmann::json::json_pointer(pointer)] =
        too_large ? nlohmann::json("HERE") : nlohmann::json::parse(value);
    std::string text = edited.dump();
    if (too_large) text.replace(text.find("\"HERE\""), 6, value);
    const std::array<ArchiveEntry, 1> entries{{{"run.json", text}}};
    const auto read = run_from_bytes(zip(entries), "f");
    ASSERT_FALSE(read) << pointer << " = " << value;
    if (!too_large) {
      EXPECT_THAT(read.error().where, StartsWith(std::string("f: content.") + place)) << read.error().text();
    }
  }
}

TEST_F(RunFileTest, WithoutWhatCameLaterOpens) {
  const auto device = simulated();
  auto json = nlohmann::json::parse(*unzip(run_to_bytes(run_of(test::diamond(), *device)), "run.json", 1 << 24, "f"));
  for (auto& result : json["content"]["comparison"]["results"]) result.erase("samples_ms");
  const std::string text = json.dump();
  const std::array<ArchiveEntry, 1> entries{{{"run.json", text}}};
  const auto read = must(run_from_bytes(zip(entries), "f"));
  EXPECT_TRUE(read.comparison.results[0].samples.empty());
  EXPECT_EQ(read.comparison.results[0].latency.samples, 1);
}

TEST_F(RunFileTest, OfAnotherVersionIsRefusedInWords) {
  const auto device = simulated();
  auto json = nlohmann::json::parse(*unzip(run_to_bytes(run_of(test::diamond(), *device)), "run.json", 1 << 24, "f"));
  for (const int version : {1, 9}) {
    json["version"] = version;
    const std::string text = json.dump();
    const std::array<ArchiveEntry, 1> entries{{{"run.json", text}}};
    const Error error = refused(run_from_bytes(zip(entries), "f"));
    EXPECT_THAT(error.text(), HasSubstr("version " + std::to_string(version)));
    EXPECT_THAT(error.text(), HasSubstr("use the version of IOS Explorer that wrote it"));
  }
}

TEST_F(RunFileTest, IsToldFromOtherFiles) {
  const auto device = simulated();
  const fs::path run = folder_ / "a run without a suffix";
  ASSERT_TRUE(save_run(run_of(test::diamond(), *device), run));
  EXPECT_EQ(file_kind(run), FileKind::kRun);
  EXPECT_EQ(file_kind(folder_ / "absent.iosrun"), FileKind::kRun);
  std::ofstream(folder_ / "x.json") << "{}";
  EXPECT_NE(file_kind(folder_ / "x.json"), FileKind::kRun);
  EXPECT_NE(file_kind(folder_.path()), FileKind::kRun);
  EXPECT_THAT(refused(open_run(folder_ / "x.json")).what, HasSubstr("not a run file"));
  EXPECT_FALSE(open_run(folder_ / "absent.iosrun"));
  EXPECT_FALSE(open_run(folder_.path()));
}

TEST_F(RunFileTest, ReplacesAnOlderOneWholeOrNotAtAll) {
  const auto device = simulated();
  const fs::path path = folder_ / "x.iosrun";
  ASSERT_TRUE(save_run(run_of(test::diamond(), *device), path));
  ASSERT_TRUE(save_run(run_of(test::chain(3), *device), path));
  EXPECT_EQ(open_run(path)->comparison.graph->units().size(), 3U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator{}),
            1);  // nothing is left over
  EXPECT_FALSE(save_run(run_of(test::chain(3), *device), folder_ / "absent" / "x.iosrun"));
}

constexpr std::size_t kMost = 1 << 20;

// Half of it compresses well.
std::string text_of(std::size_t size) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < size) text += random() % 2 == 0 ? "the same words again " : std::to_string(random());
  text.resize(size);
  return text;
}

std::string archive_of(std::string_view text) {
  const std::array<ArchiveEntry, 3> entries{{{"mimetype", "text/x-test", false}, {"text", text}, {"empty", ""}}};
  return zip(entries);
}

TEST(Archive, GivesBackWhatWasPutIn) {
  for (const std::size_t size : {0, 1, 100, 70000, 1 << 20}) {
    const std::string text = text_of(size);
    const std::string archive = archive_of(text);
    EXPECT_EQ(unzip(archive, "text", kMost, "f"), text);
    EXPECT_EQ(unzip(archive, "mimetype", kMost, "f"), "text/x-test");
    EXPECT_EQ(unzip(archive, "empty", kMost, "f"), "");
    EXPECT_EQ(archive_of(text), archive);
    if (size > 1000) {
      EXPECT_LT(archive.size(), size * 3 / 4);
    }
  }
}

TEST(Archive, IsAZipFileToOtherPrograms) {
  if (std::system("python3 -c 'import zipfile' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const test::Folder kept;
  const std::string folder = kept.path().string();
  std::ofstream(folder + "/x.zip", std::ios::binary) << archive_of(text_of(5000));
  std::ofstream(folder + "/check.py") << "import sys, zipfile\n"
                                         "archive = zipfile.ZipFile(sys.argv[1])\n"
                                         "assert archive.testzip() is None\n"
                                         "assert archive.namelist() == ['mimetype', 'text', 'empty']\n"
                                         "assert len(archive.read('text')) == 5000\n"
                                         // and the other way round
                                         "made = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)\n"
                                         "made.writestr('text', 'from elsewhere')\n"
                                         "made.close()\n";
  const std::string command = "python3 " + folder + "/check.py " + folder + "/x.zip " + folder + "/y.zip";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string theirs = test::read_file(kept / "y.zip");
  EXPECT_EQ(unzip(theirs, "text", kMost, "f"), "from elsewhere");
}

TEST(Archive, CutShortIsAnError) {
  const std::string archive = archive_of(text_of(3000));
  for (std::size_t size = 0; size < archive.size(); ++size) {
    const auto read = unzip(std::string_view(archive).substr(0, size), "text", kMost, "some file");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().where, "some file");
  }
}

TEST(Archive, NeverGivesAnythingElseWhenBitsFlip) {
  const std::string text = text_of(600);
  const std::string archive = archive_of(text);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < archive.size() * 8; ++bit) {
    std::string flipped = archive;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto read = unzip(flipped, "text", kMost, "f");
    if (!read) {
      ++refused;
    } else {
      EXPECT_EQ(*read, text) << "bit " << bit;  // what flipped was a date, or another entry
    }
  }
  EXPECT_GT(refused, archive.size() * 3);  // of eight bits a byte
}

TEST(Archive, OfMoreThanIsWantedIsRefusedBeforeItIsUnpacked) {
  const std::string zeros(kMost + 1, '\0');
  EXPECT_THAT(refused(unzip(archive_of(zeros), "text", kMost, "f")).what, HasSubstr("1 MiB"));
  // A size that deflate cannot make of so few bytes.
  std::string liar = archive_of("a few bytes");
  const std::size_t size_at = liar.find("PK\x01\x02", liar.find("PK\x01\x02") + 1) + 24;
  liar[size_at + 2] = 0x0F;
  EXPECT_FALSE(unzip(liar, "text", kMost, "f"));
}

// Changes a number of 16 bits of the n-th header that begins with `mark`.
std::string with16(std::string archive, std::string_view mark, int n, std::size_t place, std::uint16_t value) {
  std::size_t at = archive.find(mark);
  for (int i = 0; i < n; ++i) at = archive.find(mark, at + 1);
  archive[at + place] = static_cast<char>(value & 0xFF);
  archive[at + place + 1] = static_cast<char>(value >> 8);
  return archive;
}

// The same bytes as many entries are a small file that needs all memory.
TEST(Archive, EntriesHaveTheirNamesAndBytesForThemselves) {
  constexpr std::string_view kLocal("PK\x03\x04");
  constexpr std::string_view kCentral("PK\x01\x02");
  const std::string archive = archive_of("a text of some words");
  ASSERT_TRUE(unzip(archive, "text", kMost, "f"));
  const auto refused = [](const std::string& bytes) { return !unzip(bytes, "text", kMost, "f").has_value(); };
  // The last entry's place is that of the one before.
  const std::size_t second = archive.find(kLocal, archive.find(kLocal) + 1);
  EXPECT_TRUE(refused(with16(archive, kCentral, 2, 42, static_cast<std::uint16_t>(second))));
  // Headers contradict one another in the method, the checksum, a size, the name.
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 8, 0)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 14, 7)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 18, 3)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 22, 3)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 30, 'x')));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 6, 1)));
  const std::array<ArchiveEntry, 2> twice{{{"text", "one"}, {"text", "two"}}};
  EXPECT_TRUE(refused(zip(twice)));
}

TEST(Archive, OfTooMuchTogetherIsRefused) {
  const std::string zeros(std::size_t{300} << 20U, '\0');
  std::array<std::string, 4> names{"a", "b", "c", "d"};
  const auto entries = mapped<ArchiveEntry>(names, [&](const std::string& name) { return ArchiveEntry{name, zeros}; });
  const std::string bomb = zip(entries);
  EXPECT_LT(bomb.size(), std::size_t{2} << 20U);
  EXPECT_EQ(refused(unzip(bomb, "a", std::size_t{1} << 30U, "f")).what, "holds 1200 MiB");
}

TEST(Archive, NamesWhatIsMissing) {
  EXPECT_THAT(refused(unzip(archive_of("x"), "other", kMost, "f")).what, HasSubstr("'other'"));
  EXPECT_FALSE(unzip("", "text", kMost, "f"));
  EXPECT_FALSE(unzip("PK", "text", kMost, "f"));
  EXPECT_FALSE(unzip(std::string(100000, 'x'), "text", kMost, "f"));
}

}  // namespace

}  // namespace iosx
