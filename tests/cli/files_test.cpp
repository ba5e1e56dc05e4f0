// What the commands write, and that it can be read again.
#include <sys/stat.h>

#include "tests/cli/process.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

Json parse(const std::string& path) {
  Json json = Json::parse(read(path), nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << path;
  return json;
}

TEST(Optimize, WritesAScheduleThatRunsAsFastAsItSaid) {
  const TemporaryFolder folder;
  const std::string file = folder.file("best.json");
  const Json json = iosx_done({"optimize", "squeezenet", "-o", file, "--json"}).json();
  EXPECT_EQ(json.at("written").at("file"), file);
  EXPECT_EQ(json.at("written").at("format"), "iosx");
  EXPECT_EQ(json.at("written").at("schedule"), json.at("best"));
  EXPECT_EQ(parse(file).at("format"), "iosx-schedule");

  const Finished run = iosx_done({"run", "squeezenet", "--schedule", file, "--json"});
  EXPECT_NEAR(run.json().at("schedule").at("latency_ms").get<double>(), parse(file).at("latency_ms").get<double>(),
              1e-9);
}

TEST(Optimize, IsNeverSlowerThanTheBaselines) {
  const TemporaryFolder folder;
  for (const char* network : {"sample", "vgg16", "resnet18", "squeezenet"}) {
    const std::string file = folder.file("best.json");
    iosx_done({"optimize", network, "-o", file, "--strategy", "merge"});
    const double written = parse(file).at("latency_ms").get<double>();
    const Json baselines = iosx({"compare", network, "--schedules", "sequential,greedy", "--json"}).json();
    for (const Json& schedule : baselines.at("schedules")) {
      EXPECT_LE(written, schedule.at("latency_ms").get<double>() + 1e-9) << network << ' ' << schedule.at("name");
    }
  }
}

TEST(Optimize, SaysWhichScheduleItWrote) {
  const TemporaryFolder folder;
  const Finished run = iosx_done({"optimize", "inception_v3", "-o", folder.file("x.json")});
  EXPECT_THAT(run.out, AllOf(HasSubstr(parse(folder.file("x.json")).at("schedule").get<std::string>()),
                             HasSubstr("simulated"), HasSubstr(folder.file("x.json"))));
}

TEST(ExportPytorch, WritesAPackageWithTheSchedule) {
  const TemporaryFolder folder;
  const std::string schedule = folder.file("found.json");
  const std::string package = folder.file("package");
  iosx_done({"optimize", "squeezenet", "-o", schedule, "--strategy", "merge"});
  const Finished run = iosx_done({"export", "pytorch", "squeezenet", "--schedule", schedule, "-o", package, "--json"});
  const std::size_t stages = parse(schedule).at("stages").size();
  EXPECT_EQ(run.json().at("stages"), stages);
  const std::string network = read(package + "/network.py");
  EXPECT_THAT(network, HasSubstr("Found for tesla-v100, batch 1: "));
  EXPECT_THAT(network, HasSubstr("def stage_" + std::to_string(stages) + "("));
  const Finished again = iosx_done({"export", "pytorch", "squeezenet", "--schedule", "greedy", "-o", package});
  EXPECT_THAT(again.out, HasSubstr("check.py"));
}

TEST(ExportPytorch, WritesLanesWithoutBarriers) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  const std::string package = folder.file("package");
  iosx_done({"compare", "googlenet", "--device", "h200", "--schedules", "list", "-o", out});
  const std::string schedule = out + "/list.schedule.json";
  const Finished run = iosx_done({"export", "pytorch", "googlenet", "--schedule", schedule, "-o", package, "--json"});
  const auto lanes = run.json().at("lanes").get<std::size_t>();
  EXPECT_GT(lanes, 1U);
  const std::string network = read(package + "/network.py");
  EXPECT_THAT(network, HasSubstr("lanes = self.on_lanes(" + std::to_string(lanes) + ")"));
  EXPECT_THAT(network, Not(HasSubstr("def stage_")));
  EXPECT_THAT(read(package + "/README.md"), HasSubstr(std::to_string(lanes) + " lanes without barriers"));
  // The kernels are those of a device that is not known here.
  std::string text = read(schedule);
  text.replace(text.find("\"h200\""), 6, "\"none\"");
  std::ofstream(schedule) << text;
  EXPECT_THAT(iosx_refused({"export", "pytorch", "googlenet", "--schedule", schedule, "-o", package}, 1),
              HasSubstr("'none', which is not a known device on this computer"));
}

TEST(ExportOnnx, WritesTheNetworkAsItsScheduleRunsIt) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  iosx_done({"compare", "squeezenet", "--device", "h200", "--schedules", "list,ios-merge", "-o", out});
  const std::string model = folder.file("x.onnx");
  const std::string streams = folder.file("streams.json");
  const Finished run = iosx_done({"export", "scheduled-onnx", "squeezenet", "--schedule", out + "/list.schedule.json",
                                  "-o", model, "--streams", streams, "--json"});
  EXPECT_EQ(run.json().at("barriers"), false);
  const auto partition = parse(streams);
  EXPECT_EQ(partition.at("streams").size(), run.json().at("lanes"));
  EXPECT_EQ(partition.at("devices").at(0), "1");
  // What the other one merged is one convolution.
  const Finished merged = iosx_done(
      {"export", "scheduled-onnx", "squeezenet", "--schedule", out + "/ios-merge.schedule.json", "-o", model});
  EXPECT_THAT(merged.out, HasSubstr("schedule ios-merge of"));
  const Finished before = iosx({"inspect", "squeezenet", "--json"});
  const Finished after = iosx_done({"inspect", model, "--json"});
  EXPECT_LT(after.json().at("operators").get<int>(), before.json().at("operators").get<int>());
}

TEST(VerifyOrder, LooksAtSchedulesRunsAndRecordings) {
  const TemporaryFolder folder;
  const std::string run = folder.file("x.iosrun");
  iosx_done({"compare", "squeezenet", "--schedules", "greedy,list", "--device", "h200", "--save", run});
  const Finished saved = iosx_done({"verify-order", run, "--json"});
  EXPECT_EQ(saved.json().at("ordered"), true);
  EXPECT_GE(saved.json().at("checked").size(), 4U);  // plans and runs
  const Finished greedy = iosx_done({"verify-order", "squeezenet", "--schedule", "greedy"});
  EXPECT_THAT(greedy.out, HasSubstr("all have it"));
  // A second operator begins before the first has ended, which it reads.
  const std::string trace =
      folder.write("trace.json", R"({"traceEvents":[{"ph":"X","name":"conv1","ts":0,"dur":50,"pid":1,"tid":1},)"
                                 R"({"ph":"X","name":"pool1","ts":20,"dur":50,"pid":1,"tid":2}]})");
  const Finished wrong = iosx({"verify-order", "squeezenet", "--external", trace});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("conv1 has to come before pool1, because of conv1; it began 30.000 us too early"));
}

TEST(VerifyOrder, RefusesWhatItCannotLookAtInOneLine) {
  const TemporaryFolder folder;
  for (const auto& [arguments, code, words] :
       {std::tuple(std::vector<std::string>{"verify-order", folder.path().string()}, 1, "not a PyTorch package"),
        std::tuple(std::vector<std::string>{"verify-order", folder.path().string(), "--schedule", "greedy"}, 2,
                   "remove --schedule"),
        std::tuple(std::vector<std::string>{"verify-order", "squeezenet"}, 2, "--schedule"),
        std::tuple(std::vector<std::string>{"verify-order", "nothing.iosrun"}, 1, "nothing.iosrun")}) {
    EXPECT_THAT(iosx_refused(arguments, code, 1), HasSubstr(words));
  }
  const std::string package = folder.file("package");
  iosx_done({"export", "pytorch", "sample", "--schedule", "greedy", "-o", package});
  EXPECT_THAT(iosx_refused({"verify-order", package, "--python", "/bin/true"}, 1, 2),
              AllOf(HasSubstr("running " + package + "/check.py with /bin/true"), HasSubstr("returned no result")));
}

TEST(VerifyOrder, SaysThatItRunsAPackagesProgramAndTakesCountsOnly) {
  EXPECT_THAT(iosx_done({"verify-order", "--help"}).out, HasSubstr("check.py"));
  const TemporaryFolder folder;
  std::ignore = folder.write("order.py", "");
  for (const char* counts : {R"("pairs":-1,"across":0)", R"("pairs":1,"across":-1)", R"("pairs":1.5,"across":0)",
                             R"("pairs":1,"across":2)", R"("pairs":1)", R"("pairs":"1","across":0)"}) {
    // A shell reads it, too.
    std::ignore = folder.write("check.py", fmt::format("echo '{{{},\"unordered\":[]}}'\n", counts));
    EXPECT_THAT(iosx_refused({"verify-order", folder.path().string(), "--python", "/bin/sh"}, 1, 2),
                HasSubstr("returned no result"));
  }
  std::ignore = folder.write("check.py", R"(echo '{"pairs":2,"across":1,"unordered":[]}')");
  const Finished good = iosx_done({"verify-order", folder.path().string(), "--python", "/bin/sh"});
  EXPECT_THAT(good.err, HasSubstr("running " + folder.file("check.py")));
}

TEST(Optimize, KeepsToALimitOfMemory) {
  const TemporaryFolder folder;
  const std::string file = folder.file("found.json");
  const Finished none = iosx({"optimize", "unet", "--device", "h200", "--memory-limit", "0.01", "-o", file});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err,
              HasSubstr("No schedule fits in 0.01 MB: the smallest planned peak of tensors that was found is"));
  EXPECT_FALSE(std::filesystem::exists(file)) << "no file was written";
  const Finished nothing = iosx_done({"compare", "unet", "--device", "h200", "--memory-limit", "0.01", "--json"});
  EXPECT_TRUE(nothing.json().at("best").is_null() && nothing.json().at("best_id").is_null());
  const std::string saved = folder.file("none.iosrun");
  iosx_done({"compare", "unet", "--device", "h200", "--memory-limit", "0.01", "--save", saved});
  EXPECT_THAT(iosx_refused({"export", "iosx", saved, "-o", file}, 1),
              AllOf(HasSubstr("no schedule fits the limit"), HasSubstr("--schedule")));
  iosx_done({"export", "iosx", saved, "--schedule", "greedy", "-o", folder.file("greedy.json")});
  const Json free = iosx({"compare", "unet", "--device", "h200", "--json"}).json();
  const Json* best = nullptr;
  for (const Json& each : free.at("schedules")) {
    if (each.at("id") == free.at("best_id")) best = &each;
  }
  ASSERT_NE(best, nullptr);
  const auto peak = best->at("planned_peak_bytes").get<std::int64_t>();
  const std::string limit = std::to_string(static_cast<double>(peak - 1) / 1e6);
  const Finished run =
      iosx_done({"optimize", "unet", "--device", "h200", "--memory-limit", limit, "-o", file, "--json"});
  const Json json = run.json();
  EXPECT_LT(json.at("memory_limit_bytes").get<std::int64_t>(), peak);
  for (const Json& each : json.at("schedules")) {
    const bool over = each.at("planned_peak_bytes") > json.at("memory_limit_bytes");
    EXPECT_EQ(each.contains("over_limit"), over);
    if (each.at("id") == json.at("best_id")) {
      EXPECT_FALSE(over);
    }
  }
  iosx_done({"run", "unet", "--device", "h200", "--schedule", file});
  EXPECT_EQ(iosx({"compare", "unet", "--memory-limit", "-3"}).exit_code, 2);
}

TEST(Optimize, WritesEveryFormat) {
  const TemporaryFolder folder;
  iosx_done({"optimize", "squeezenet", "-o", folder.file("a.csv")});
  EXPECT_THAT(read(folder.file("a.csv")), StartsWith("launch,lane,"));
  iosx_done({"optimize", "squeezenet", "-o", folder.file("b"), "--format", "csv"});
  EXPECT_EQ(read(folder.file("a.csv")), read(folder.file("b")));
  iosx_done({"optimize", "squeezenet", "-o", folder.file("c.json"), "--format", "ios"});
  EXPECT_TRUE(parse(folder.file("c.json")).at("blocks").is_array());
  const Finished again = iosx({"run", folder.file("c.json"), "--json"});  // with the schedule inside
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(Optimize, WritesWhatCompareCallsBest) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.json");
  for (const std::vector<std::string>& rest :
       std::vector<std::vector<std::string>>{{}, {"--device", "h200"}, {"--memory-limit", "9"}, {"--batch", "8"}}) {
    for (const char* const network : {"sample", "squeezenet", "sample+squeezenet", "vgg16", "resnet18"}) {
      if (kSanitized && std::string_view(network) == "vgg16") break;
      const Finished optimized = iosx(with({"optimize", network, "-o", file}, rest));
      const Json compared = iosx_done(with({"compare", network, "--json"}, rest)).json();
      EXPECT_EQ(optimized.exit_code == 0, !compared.at("best").is_null()) << network << optimized.err;
      if (optimized.exit_code != 0) continue;
      EXPECT_EQ(parse(file).at("schedule"), compared.at("best")) << network;
      for (const Json& schedule : compared.at("schedules")) {
        if (schedule.at("id") != compared.at("best_id")) continue;
        EXPECT_NEAR(parse(file).at("latency_ms").get<double>(), schedule.at("latency_ms").get<double>(), 1e-9);
      }
    }
  }
}

TEST(Optimize, QuicklyTakesLanesAndSaysWhatIsLeft) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.json");
  const Finished lanes = iosx_done({"optimize", "squeezenet", "--device", "h200", "--quick", "-o", file});
  EXPECT_THAT(lanes.out, HasSubstr("list, "));
  EXPECT_THAT(lanes.err, AllOf(HasSubstr("longest path"), HasSubstr("merging was not tried")));
  EXPECT_EQ(parse(file).at("schedule"), "list");
  for (const std::vector<std::string>& rest : std::vector<std::vector<std::string>>{
           {"-r", "2"}, {"--strategy", "merge"}, {"--budget", "1"}, {"--warm-start", file}}) {
    const Finished refused =
        iosx(with({"optimize", "squeezenet", "--device", "h200", "--quick", "-o", folder.file("y.json")}, rest));
    EXPECT_NE(refused.exit_code, 0) << rest.front();
    EXPECT_THAT(refused.err, HasSubstr("takes no options of a search")) << rest.front();
  }
  // A format without lanes gets the better of the two baselines.
  const Json stages =
      iosx_done({"optimize", "squeezenet", "--device", "h200", "--quick", "--format", "ios", "-o", file, "--json"})
          .json();
  EXPECT_THAT(stages.at("best"), AnyOf("sequential", "greedy"));
}

// The schedule of the network's own file is faster than any that these strategies allow.
TEST(Optimize, KeepsTheScheduleOfAFileWhereNoneIsFaster) {
  const TemporaryFolder folder;
  const std::string own = folder.file("own.schedule.json");
  iosx_done({"optimize", "squeezenet", "-o", own});
  ASSERT_EQ(iosx_done({"compare", own, "--strategy", "merge", "--json"}).json().at("best_id"), "file");
  const std::string found = folder.file("found.schedule.json");
  const Json json = iosx_done({"optimize", own, "--strategy", "merge", "-o", found, "--json"}).json();
  EXPECT_EQ(json.at("written").at("id"), "file");
  // Its lanes are not for the kernels of every device, and no reason to find nothing.
  iosx_done({"optimize", own, "--strategy", "merge", "--device", "h200", "-o", found});
  iosx_done({"optimize", own, "--strategy", "merge", "-o", folder.file("found.csv")});
}

TEST(ScheduleFile, IsAGraphWhereItsNetworkIsBuiltIn) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.json");
  iosx_done({"optimize", "sample", "-o", file});
  EXPECT_EQ(iosx({"inspect", file, "--json"}).json().at("schedule").at("name"), parse(file).at("schedule"));
  const Finished run = iosx_done({"run", file, "--json"});
  EXPECT_NEAR(run.json().at("schedule").at("latency_ms").get<double>(), parse(file).at("latency_ms").get<double>(),
              1e-9);
  EXPECT_EQ(iosx({"compare", file, "--json"}).json().at("schedules").size(), 8U);
}

// Its lanes run wherever it is given, and it has one name everywhere.
TEST(ScheduleFile, WithLanesIsAGraphWithItsLanes) {
  const TemporaryFolder folder;
  const nlohmann::ordered_json compared =
      iosx_done({"compare", "googlenet", "-o", folder.file("out"), "--json"}).json();
  EXPECT_EQ(compared.at("best"), compared.at("best_id"));
  const std::string file = folder.file("out/ios-flow.schedule.json");
  EXPECT_EQ(parse(file).at("schedule"), "ios-flow");
  const double latency = parse(file).at("latency_ms").get<double>();
  EXPECT_EQ(iosx_done({"inspect", file, "--json"}).json().at("schedule").at("name"), "ios-flow");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"run", file, "--json"}, {"run", "googlenet", "--schedule", file, "--json"}}) {
    const nlohmann::ordered_json run = iosx_done(arguments).json();
    EXPECT_GE(run.at("lanes").get<int>(), 2) << arguments[1];
    EXPECT_NEAR(run.at("schedule").at("latency_ms").get<double>(), latency, 1e-9) << arguments[1];
  }
  const auto rows = iosx_done({"compare", file, "--schedules", "file,sequential", "--json"}).json().at("schedules");
  EXPECT_EQ(rows.back().at("id"), "file");
  EXPECT_NEAR(rows.back().at("latency_ms").get<double>(), latency, 1e-9);
  iosx_done({"compare", "nasnet_mobile", "--schedules", "list", "-o", folder.file("nasnet")});
  const Finished finer = iosx_done({"inspect", folder.file("nasnet/list.schedule.json"), "--finer-units"});
  EXPECT_THAT(finer.err, HasSubstr("lanes are left out"));
}

// The program reads what it writes, however long the names are.
TEST(ScheduleFile, HasNamesOfAnyLength) {
  for (const std::size_t letters : {std::size_t{1}, std::size_t{68}, std::size_t{270}, std::size_t{5000}}) {
    const TemporaryFolder folder;
    const std::string graph = folder.write("long.json", network(std::string(letters, 'n')));
    const nlohmann::ordered_json compared = iosx_done({"compare", graph, "-o", folder.file("out"), "--json"}).json();
    for (const auto& schedule : compared.at("schedules")) {
      const std::string file = folder.file("out/") + schedule.at("id").get<std::string>() + ".schedule.json";
      const auto run = iosx_done({"run", graph, "--schedule", file, "--json"}).json();
      EXPECT_NEAR(run.at("schedule").at("latency_ms").get<double>(), schedule.at("latency_ms").get<double>(), 1e-9)
          << letters << ' ' << schedule.at("id");
    }
  }
}

TEST(Optimize, LeavesNothingElseBehindAndReplacesTheOldFile) {
  const TemporaryFolder folder;
  folder.write("x.json", "old");
  iosx_done({"optimize", "sample", "-o", folder.file("x.json")});
  EXPECT_EQ(parse(folder.file("x.json")).at("format"), "iosx-schedule");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(CompareToFolder, WritesTableDataSchedulesAndTraces) {
  const TemporaryFolder folder;
  const std::string out = folder.file("new/folder");
  const Finished run = iosx_done({"compare", "sample", "-o", out, "--json"});
  const Json json = run.json();
  std::set<std::string> listed;
  for (const Json& file : json.at("files")) listed.insert(file.get<std::string>());
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(out)) there.insert(entry.path().string());
  EXPECT_EQ(listed, there);
  EXPECT_EQ(parse(out + "/comparison.json").at("schedules"), json.at("schedules"));
  EXPECT_THAT(read(out + "/comparison.txt"), HasSubstr("ios-both"));
  EXPECT_THAT(read(out + "/stages.csv"), HasSubstr("\nsequential,1,"));
  EXPECT_FALSE(parse(out + "/trace.json").at("traceEvents").empty());
  const Finished again = iosx_done({"run", "sample", "--schedule", out + "/ios-both.schedule.json", "--json"});
}

TEST(RunTrace, IsAChromeTrace) {
  const TemporaryFolder folder;
  const std::string file = folder.file("trace.json");
  const Finished run = iosx_done({"run", "inception_v3", "--schedule", "greedy", "-o", file});
  EXPECT_THAT(run.out, HasSubstr(file));
  std::set<std::string> phases;
  std::size_t spans = 0;
  const Json trace = parse(file);
  for (const Json& event : trace.at("traceEvents")) {
    phases.insert(event.at("ph").get<std::string>());
    if (event.at("ph") != "X") continue;
    ++spans;
    EXPECT_GE(event.at("ts").get<double>(), 0);
    EXPECT_GE(event.at("dur").get<double>(), 0);
  }
  EXPECT_GE(spans, 119U);
  EXPECT_THAT(phases, IsSupersetOf({"X", "C", "M"}));
}

TEST(Convert, GoesThereAndBack) {
  const TemporaryFolder folder;
  const std::string ours = folder.file("ours.json");
  const std::string original = folder.file("original.json");
  iosx_done({"optimize", "squeezenet", "-o", ours, "--strategy", "parallel"});
  EXPECT_EQ(iosx_done({"convert", ours, original, "--json"}).json().at("format"), "ios");
  const Finished back = iosx_done({"convert", original, folder.file("again.json"), "--json"});
  EXPECT_EQ(back.json().at("format"), "iosx");
  EXPECT_EQ(parse(folder.file("again.json")).at("stages").size(), parse(ours).at("stages").size());
  iosx_done({"convert", original, folder.file("x.csv")});
  EXPECT_THAT(read(folder.file("x.csv")), StartsWith("stage,"));
}

TEST(Convert, TellsWhenTheGraphIsMissing) {
  const TemporaryFolder folder;
  const std::string ours = folder.write("ours.json", R"({"format":"iosx-schedule","version":1,"graph":"mine"})");
  EXPECT_THAT(iosx_refused({"convert", ours, folder.file("x.json")}, 2),
              AllOf(HasSubstr("mine"), HasSubstr("--graph")));
}

class PublishedSchedule : public testing::Test {
 protected:
  void SetUp() override {
    if (reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
    file_ = (reference_folder() / "graphs" / "inception_v3-ios-v100.json").string();
  }
  std::string file_;
};

TEST_F(PublishedSchedule, OpensWithItsStages) {
  EXPECT_GT(iosx({"inspect", file_, "--json"}).json().at("schedule").at("stages").get<int>(), 20);
}

TEST_F(PublishedSchedule, IsComparedBesideTheSearches) {
  const Json json = iosx({"compare", file_, "--json"}).json();
  ASSERT_EQ(json.at("schedules").size(), 8U);
  EXPECT_EQ(json.at("schedules")[7].at("name"), "file");
  EXPECT_GT(json.at("merged_in_graph").get<int>(), 0);
  EXPECT_THAT(iosx({"compare", file_, "--schedules", "file"}).out, HasSubstr("merged convolutions"));
  EXPECT_EQ(iosx({"compare", file_, "--schedules", "file", "--json"}).json().at("schedules").size(), 1U);
}

TEST_F(PublishedSchedule, Runs) { EXPECT_THAT(iosx_done({"run", file_}).out, HasSubstr("merge")); }

TEST(Run, IsSavedAndShownAsItWas) {
  const TemporaryFolder folder;
  const std::string file = folder.file("squeezenet.iosrun");
  const Finished compared = iosx_done({"compare", "squeezenet", "--save", file});
  EXPECT_THAT(compared.out, HasSubstr("wrote " + file));
  const Finished shown = iosx_done({"show", file});
  EXPECT_THAT(shown.out, AllOf(StartsWith(compared.out.substr(0, compared.out.find("\nwrote"))),
                               HasSubstr("recorded on "), HasSubstr(" UTC, Tesla V100")));

  const Json json = iosx({"show", file, "--json"}).json();
  EXPECT_FALSE(json.at("recorded").at("host").get<std::string>().empty());
  EXPECT_EQ(json.at("recorded").at("network"), "squeezenet");
  EXPECT_EQ(json.at("schedules").size(), 7U);
  EXPECT_EQ(json.at("origin"), "simulated");

  iosx_done({"show", file, "-o", folder.file("out")});
  EXPECT_THAT(read(folder.file("out/comparison.txt")), HasSubstr("recorded on "));
  EXPECT_EQ(parse(folder.file("out/comparison.json")).at("best"), json.at("best"));
}

TEST(Run, ThatIsNoneOrDamagedIsAnErrorInOneLine) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.iosrun");
  iosx_done({"compare", "sample", "--save", file});
  const std::string bytes = read(file);
  std::ofstream(folder.file("short.iosrun"), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  for (const std::string& bad : {folder.file("short.iosrun"), folder.file("absent.iosrun"), std::string("sample")}) {
    const Finished shown = iosx({"show", bad});
    EXPECT_EQ(shown.exit_code, 1) << bad;
    EXPECT_THAT(shown.err, StartsWith("iosx: " + bad + ": "));
    EXPECT_EQ(std::count(shown.err.begin(), shown.err.end(), '\n'), 1);
  }
}

TEST(Run, ThatCannotBeSavedIsSaidBeforeTheJob) {
  const Finished compared = iosx({"compare", "sample", "--save", "/absent/folder/x.iosrun"});
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_TRUE(compared.out.empty());
  EXPECT_THAT(compared.err, HasSubstr("--save"));
}

// What others recorded beside a comparison, and reports as a page.

constexpr const char* kLayers = "operator,latency_us\nconcat,400\nsomething else,100\nconcat,440\nsomething else,100\n";

TEST(Beside, IsInTheTableAndInTheJson) {
  const TemporaryFolder folder;
  const std::string layers = folder.write("layers.csv", kLayers);
  const std::string programs = folder.write("programs.csv", "framework,ms\nTensorRT,0.25\nTVM,0.5\n");
  const std::vector<std::string> command{"compare",    "sample",           "--schedules", "sequential,ios-both",
                                         "--external", layers + "=ours=x", "--external",  programs};
  const Finished table = iosx_done(command);
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("recorded elsewhere"), HasSubstr("TensorRT"), HasSubstr("recorded in programs.csv")));
  std::vector<std::string> with_json = command;
  with_json.emplace_back("--json");
  const Json json = iosx(with_json).json();
  ASSERT_EQ(json.at("beside").size(), 3U);
  const Json& own = json.at("beside")[0];
  EXPECT_EQ(own.at("label"), "ours=x");
  EXPECT_EQ(own.at("origin"), "recorded");
  EXPECT_EQ(own.at("latency_ms"), 0.52);
  EXPECT_EQ(own.at("samples"), 2);
  EXPECT_DOUBLE_EQ(own.at("matched_share").get<double>(), 0.42 / 0.52);
  const double sequential = json.at("schedules")[0].at("latency_ms");
  EXPECT_DOUBLE_EQ(json.at("beside")[1].at("speedup").get<double>(), sequential / 0.25);
}

// They are wherever the comparison goes.
TEST(Beside, IsInEveryFileAndShownAgain) {
  const TemporaryFolder folder;
  const std::string saved = folder.file("x.iosrun");
  const std::vector<std::string> external{"--external", folder.write("layers.csv", kLayers)};
  const Json json =
      iosx_done(with({"compare", "sample", "-o", folder.file("out"), "--save", saved, "--json"}, external)).json();
  const Json shown = json_of({"show", saved, "-o", folder.file("again"), "--json"});
  EXPECT_EQ(json.at("beside"), shown.at("beside"));
  for (const char* const out : {"out", "again"}) {
    EXPECT_EQ(parse(folder.file(out) + "/comparison.json").at("beside"), json.at("beside"));
    EXPECT_THAT(read(folder.file(out) + "/comparison.txt"), HasSubstr("recorded elsewhere"));
  }
  EXPECT_THAT(iosx_done({"show", saved}).out, HasSubstr("recorded elsewhere"));
  iosx_done({"report", saved, "-o", folder.file("x.html")});
  EXPECT_THAT(read(folder.file("x.html")), HasSubstr("recorded in layers.csv"));
  const std::string plain = folder.file("plain.iosrun");
  iosx_done({"compare", "sample", "--save", plain});
  iosx_done({"report", plain, saved, "-o", folder.file("both.html")});
  EXPECT_THAT(read(folder.file("both.html")), HasSubstr("recorded in layers.csv"));
  // Half of the network's operators: what it takes is not compared.
  const std::string partial = folder.write("partial.csv", "sample.conv_a,0.1\n");
  const Json piece = json_of({"compare", "sample", "--external", partial, "--json"}).at("beside")[0];
  EXPECT_TRUE(piece.at("speedup").is_null()) << piece;
}

TEST(Beside, WhatCannotBeReadIsSaidBeforeAnythingRuns) {
  const TemporaryFolder folder;
  const Finished run = iosx({"compare", "sample", "--external", folder.write("x.csv", "a,b,c\n")});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.error_lines(), 1U);
  EXPECT_THAT(run.err, HasSubstr("no rows with a name and a latency"));
  EXPECT_EQ(iosx({"compare", "sample", "--external", folder.file("none.csv")}).exit_code, 1);
  EXPECT_EQ(iosx({"compare", "sample", "--external-unit", "hours"}).exit_code, 2);
}

TEST(External, ListsWhatIsInAFileAndWhatMatched) {
  const TemporaryFolder folder;
  const std::string layers = folder.write("layers.csv", kLayers);
  EXPECT_THAT(iosx_done({"external", layers}).out, HasSubstr("layers: 0.520 ms"));
  EXPECT_THAT(iosx({"external", layers, "sample"}).out, HasSubstr("80.8 % of the time of its 2 entries"));
  const Json json = iosx({"external", layers, "sample", "--json"}).json().at("runs")[0];
  EXPECT_EQ(json.at("entries")[0].at("match"), "order");  // the operator is sample.concat
  EXPECT_EQ(json.at("entries")[1].at("match"), "none");
  const std::string plain = folder.write("plain.csv", "concat,400\n");
  EXPECT_EQ(iosx({"external", plain, "--unit", "us", "--json"}).json().at("runs")[0].at("latency_ms"), 0.4);
  EXPECT_THAT(iosx_done({"external", plain, "--runs", "3"}).out, HasSubstr("the given number of runs"));
  EXPECT_EQ(iosx({"external", folder.write("x.json", "{}")}).exit_code, 1);
}

TEST(ReportPage, OfAComparisonAndOfSavedRuns) {
  const TemporaryFolder folder;
  const std::string page = folder.file("page.html");
  const std::string saved = folder.file("a.iosrun");
  const Finished run = iosx_done({"compare", "sample", "--report", page, "--save", saved});
  EXPECT_THAT(run.out, HasSubstr("page.html"));
  EXPECT_THAT(read(page), HasSubstr("<!DOCTYPE html>"));
  const std::string other = folder.file("b.iosrun");
  iosx_done({"compare", "sample", "--batch", "8", "--save", other});
  const std::string both = folder.file("both.html");
  const Finished written = iosx_done({"report", saved, other, "-o", both});
  EXPECT_THAT(read(both), AllOf(HasSubstr("batch 8"), HasSubstr("recorded on")));
  const std::string alone = folder.file("alone.html");
  iosx_done({"report", saved, "-o", alone});
  EXPECT_EQ(iosx({"report", saved, "-o", "-"}).out, read(alone));
}

TEST(ReportPage, WritesOverNothingThatItReads) {
  const TemporaryFolder folder;
  const std::string saved = folder.file("a.iosrun");
  iosx_done({"compare", "sample", "--save", saved});
  const std::string before = read(saved);
  EXPECT_EQ(iosx({"report", saved, "-o", saved}).exit_code, 1);
  const std::string times = folder.write("times.csv", kLayers);
  EXPECT_EQ(iosx({"report", saved, "-o", times, "--external", times}).exit_code, 1);
  EXPECT_EQ(iosx({"compare", "sample", "--report", times, "--external", times}).exit_code, 1);
  EXPECT_EQ(read(saved), before);
  EXPECT_EQ(read(times), kLayers);
  EXPECT_EQ(iosx({"report", "-o", folder.file("x.html")}).exit_code, 2);
  EXPECT_EQ(iosx({"report", folder.file("none.iosrun"), "-o", folder.file("x.html")}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.html")));
}

// NumPy files in and out, and ONNX models that hold the same network.

// A NumPy file of version 1.0 with so many elements of one value.
template <typename T = float>
std::string npy(const std::string& shape, std::size_t elements, const std::string& type = "<f4", T value = T(0.5)) {
  std::string bytes = npy_header(type, shape);
  for (std::size_t i = 0; i < elements; ++i) bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes;
}

constexpr std::size_t kSampleInput = 375UL * 15 * 15;
constexpr std::size_t kHeader = 128;  // bytes, of the files that we write

TEST(TensorFiles, HoldTheOutputOfTheInput) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const std::string input = folder.write("in.npy", npy("(1, 375, 15, 15)", kSampleInput));
  const auto run = [&](const std::string& graph, const std::string& out) {
    const Finished done = iosx_done(briefly({"run", graph, "--schedule", "sequential", "--device", "cpu", "--input",
                                             input, "--output-dir", folder.file(out), "--json"}));
    const auto outputs = done.json().at("outputs");
    EXPECT_EQ(outputs.size(), 1U);
    return read(outputs.at(0).at("file").get<std::string>());
  };
  const std::string direct = run("sample", "direct");
  EXPECT_THAT(direct, StartsWith(std::string("\x93NUMPY\x01\x00", 8)));
  EXPECT_THAT(direct.substr(0, kHeader), HasSubstr("(1, 1875, 15, 15)"));
  ASSERT_EQ(direct.size(), kHeader + 1875UL * 15 * 15 * sizeof(float));
  EXPECT_THAT(floats_in(direct), Contains(testing::Gt(0.1F)));

  // The same network from an ONNX model.
  const std::string model = folder.file("sample.onnx");
  EXPECT_EQ(iosx_done({"convert", "sample", "-o", model, "--json"}).json().at("format"), "onnx");
  const std::string imported = run(model, "imported");
  ASSERT_EQ(imported.size(), direct.size());
  EXPECT_EQ(imported.substr(0, kHeader), direct.substr(0, kHeader));
  // Each process tries for itself which way of a convolution is fastest, and the ways round differently.
  EXPECT_THAT(floats_in(imported), Pointwise(FloatNear(1e-4F), floats_in(direct)));
}

TEST(TensorFiles, OfAnyIntegersHoldTheSame) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const auto output = [&](const std::string& input) {
    const std::string file = folder.write("in.npy", input);
    iosx_done(briefly({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--no-store", "--input", file,
                       "--output-dir", folder.file("out")}));
    return read(folder.file("out") + "/output_0.npy");
  };
  const std::string shape = "(1, 375, 15, 15)";
  const std::string right = output(npy<float>(shape, kSampleInput, "<f4", -3));
  EXPECT_EQ(output(npy<std::int8_t>(shape, kSampleInput, "|i1", -3)), right);
  if (kSanitized) return;  // each of the others takes five seconds there, in the same code
  EXPECT_EQ(output(npy<std::int16_t>(shape, kSampleInput, "<i2", -3)), right);
  EXPECT_EQ(output(npy<std::int32_t>(shape, kSampleInput, "<i4", -3)), right);
  EXPECT_EQ(output(npy<std::int64_t>(shape, kSampleInput, "<i8", -3)), right);
  EXPECT_EQ(output(npy<std::uint32_t>(shape, kSampleInput, "<u4", 3)),
            output(npy<float>(shape, kSampleInput, "<f4", 3)));
}

TEST(TensorFiles, ThatDoNotFitAreRefused) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const auto error_with = [&](const std::string& bytes) {
    const Finished done = iosx({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1",
                                "--input", folder.write("in.npy", bytes), "--output-dir", folder.file("out")});
    EXPECT_EQ(done.exit_code, 1);
    return done.err;
  };
  EXPECT_THAT(error_with("nonsense"), HasSubstr("NumPy"));
  EXPECT_THAT(error_with(""), HasSubstr("NumPy"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 14)", 0)), HasSubstr("(1, 375, 15, 15)"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, x)", 0)), HasSubstr("header"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10)), HasSubstr("too early"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10, "<c8")), HasSubstr("does not contain numbers"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10, "<f8")), HasSubstr("too early"));
  std::string large = npy("(1, 375, 15, 15)", 0, "<f8");
  for (std::size_t i = 0; i < kSampleInput; ++i) {
    const double value = i == 7 ? 1e300 : 0.5;
    large.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  EXPECT_THAT(error_with(large), HasSubstr("in.npy: holds 1e+300, which is too large for float32"));
}

// To open a pipe waits for who writes into it.
TEST(TensorFiles, ThatArePipesAreRefused) {
  if (!available("cpu")) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_THAT(iosx_refused({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1", "--input",
                            folder.file("pipe"), "--output-dir", folder.file("out")},
                           1),
              HasSubstr("is a named pipe"));
}

TEST(TensorFiles, NeedADeviceThatComputes) {
  const TemporaryFolder folder;
  EXPECT_THAT(iosx_refused({"run", "sample", "--schedule", "sequential", "--device", "tesla-v100", "--output-dir",
                            folder.file("out")},
                           1),
              HasSubstr("compute"));
}

TEST(ConvertToOnnx, TakesABatchThatOtherFormatsDoNot) {
  const TemporaryFolder folder;
  const Finished fixed = iosx_done({"convert", "sample", folder.file("x.onnx"), "--batch", "2", "--json"});
  EXPECT_EQ(fixed.json().at("batch"), 2);
  EXPECT_EQ(iosx({"convert", "sample", folder.file("x.json"), "--batch", "2"}).exit_code, 2);
  EXPECT_EQ(iosx({"convert", "sample", folder.file("missing/x.onnx")}).exit_code, 1);
}

}  // namespace

}  // namespace iosx::test
