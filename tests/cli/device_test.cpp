// The default device, and the CPU through the whole program.

#include "core/formats/document.h"
#include "core/model/schedule/baselines.h"
#include "tests/cli/process.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(DefaultDevice, IsTheFirstThatIsThere) {
  std::string first;
  bool measured = false;
  const Json list = iosx({"devices", "--json"}).json().at("devices");
  for (const Json& device : list) {
    if (!first.empty() || !device.at("available").get<bool>()) continue;
    first = device.at("id");
    measured = device.at("origin") == "measured";
  }
  const Finished run = iosx_as_given(briefly({"run", "sample", "--schedule", "sequential", "--json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json().at("device"), first);
  EXPECT_EQ(run.error_lines(), 1U) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr((measured ? "measuring on " : "simulating ") + first), HasSubstr("--device")));
}

TEST(Profile, ShowsWhatTheDeviceKnows) {
  const Finished run = iosx_done({"profile", "sample", "--device", "tesla-v100", "--json"});
  const Json json = run.json();
  ASSERT_EQ(json.at("schedules").size(), 3U);
  for (const Json& schedule : json.at("schedules")) {
    EXPECT_EQ(schedule.at("timeline"), "simulated");
    EXPECT_NEAR(schedule.at("timeline_ms").get<double>(), schedule.at("latency_ms").get<double>(), 1e-9);
    ASSERT_EQ(schedule.at("counters").size(), 1U);
    const Json& warps = schedule.at("counters")[0];
    EXPECT_EQ(warps.at("name"), "active warps");
    EXPECT_EQ(warps.at("source"), "simulated");
    EXPECT_GT(warps.at("mean").get<double>(), 0);
    EXPECT_GT(warps.at("stages").size(), 0U);
  }
  const Finished words = iosx_done({"profile", "sample", "--device", "tesla-v100", "--schedule", "greedy"});
  EXPECT_THAT(words.out, AllOf(HasSubstr("(simulated)"), HasSubstr("x sequential's")));
  EXPECT_EQ(iosx({"profile", "sample", "--interval", "0"}).exit_code, 2);
  EXPECT_EQ(iosx({"profile", "sample", "--replays", "3"}).exit_code, 2);
  EXPECT_EQ(iosx({"profile", "sample", "--schedule", "ios-both"}).exit_code, 2) << "there is no such file";
  EXPECT_EQ(iosx({"profile", "sample", "-o", "/nowhere/run.iosrun"}).exit_code, 1);
  iosx_done({"profile", "--schedule", "greedy", "sample", "--device", "tesla-v100"});
}

TEST(Profile, OfTheCpuHasItsOwnTimes) {
  if (!available("cpu")) GTEST_SKIP() << "this build has no CPU device";
  const Json json =
      iosx_done(briefly({"profile", "sample", "--device", "cpu", "--schedule", "sequential", "--no-store", "--json"}))
          .json();
  ASSERT_EQ(json.at("schedules").size(), 2U);
  EXPECT_EQ(json.at("schedules")[0].at("timeline"), "clock readings of the cores");
}

TEST(DefaultDevice, WithoutAGpuIsTheSimulatedV100AndTheProcessorIsOffered) {
  if (available("gpu")) GTEST_SKIP() << "there is a GPU";
  const Finished run = iosx_as_given({"run", "sample", "--schedule", "sequential", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json().at("device"), "tesla-v100");
  EXPECT_EQ(run.json().at("origin"), "simulated");
  if (available("cpu")) {
    EXPECT_THAT(run.err, HasSubstr("--device cpu measures on this machine"));
  }
  const Json devices = iosx({"devices", "--json"}).json().at("devices");
  for (const Json& device : devices) EXPECT_EQ(device.at("default"), device.at("id") == "tesla-v100");
}

TEST(DefaultDevice, ComputesWhereOutputsAreWanted) {
  if (available("gpu") || !available("cpu")) GTEST_SKIP() << "wants the CPU and no GPU";
  const Finished run = iosx_as_given(briefly({"run", "sample", "--schedule", "sequential", "--verify", "--json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json().at("device"), "cpu");
  const TemporaryFolder folder;
  const Finished outputs = iosx_as_given(
      briefly({"run", "sample", "--schedule", "sequential", "--output-dir", folder.file("out"), "--json"}));
  ASSERT_EQ(outputs.exit_code, 0) << outputs.err;
  EXPECT_EQ(outputs.json().at("device"), "cpu");
}

TEST(TimingFlags, DoNotChangeWhatIsSimulated) {
  const Json plain = iosx({"run", "sample", "--schedule", "greedy", "--json"}).json();
  EXPECT_EQ(iosx(briefly({"run", "sample", "--schedule", "greedy", "--json"})).json(), plain);
}

// A small network: one convolution feeds three, which are concatenated.
class OnTheCpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!available("cpu")) GTEST_SKIP() << "no CPU device here";
    const Graph graph = fork_join(3);
    const auto json = must(to_ios_json(graph, one_by_one_schedule(graph)));
    graph_ = folder_.write("small.json", json);
  }
  TemporaryFolder folder_;
  std::string graph_;
};

TEST_F(OnTheCpu, RunMeasuresAndVerifies) {
  const Finished run =
      iosx_done(briefly({"run", graph_, "--schedule", "greedy", "--device", "cpu", "--verify", "--json"}));
  const Json json = run.json();
  EXPECT_EQ(json.at("origin"), "measured");
  const Json& schedule = json.at("schedule");
  EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
  EXPECT_GT(schedule.at("peak_bytes").get<std::int64_t>(), 0);
  std::size_t shared = 0;  // stages of kernels, which share the cores
  for (const Json& stage : schedule.at("stages")) {
    if (!stage.contains("lane_threads")) continue;  // nothing to do: written in place before
    EXPECT_EQ(stage.at("lane_threads").size(), stage.at("groups").size());
    ++shared;
  }
  EXPECT_GT(shared, 0U);
  EXPECT_EQ(schedule.at("verification").at("passed"), true);
  EXPECT_GT(schedule.at("verification").at("outputs")[0].at("magnitude").get<double>(), 0);
  EXPECT_THAT(iosx(briefly({"run", graph_, "--schedule", "greedy", "--device", "cpu", "--verify"})).out,
              AllOf(HasSubstr("verify: passed"), HasSubstr("memory: ")));
}

TEST_F(OnTheCpu, VerifiesBfloat16AgainstFloat32) {
  if (!available("cpu-bf16")) GTEST_SKIP() << "this processor does not compute in bfloat16";
  const auto verified = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run",      graph_,     "--schedule", "greedy",
                                       "--device", "cpu-bf16", "--verify",   "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished run = iosx_done(briefly(arguments));
    return run.json().at("schedule").at("verification");
  };
  const Json usual = verified({});
  EXPECT_THAT(usual.at("reference").get<std::string>(), StartsWith("sequential on CPU ("));
  EXPECT_EQ(usual.at("tolerance"), 5e-2);
  EXPECT_GT(usual.at("outputs")[0].at("max_abs").get<double>(), 0);
  const Json itself = verified({"--reference", "cpu-bf16"});
  EXPECT_THAT(itself.at("reference").get<std::string>(), StartsWith("sequential on CPU, bfloat16"));
}

TEST_F(OnTheCpu, ReferenceIsADeviceThatComputes) {
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", graph_, "--schedule", "greedy", "--device", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return iosx(briefly(arguments));
  };
  const Finished simulated = run({"--verify", "--reference", "tesla-v100"});
  EXPECT_EQ(simulated.exit_code, 2);
  EXPECT_THAT(simulated.err, HasSubstr("computes no outputs"));
  const Finished unknown = run({"--verify", "--reference", "nothing"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no device 'nothing'"));
  EXPECT_EQ(run({"--reference", "cpu"}).exit_code, 2);  // nothing is verified
  EXPECT_EQ(run({"--verify", "--reference", "cpu"}).exit_code, 0);
}

TEST_F(OnTheCpu, RepetitionsAreAsAskedFor) {
  const auto samples = [&](std::vector<std::string> timing) {
    std::vector<std::string> arguments{"run", graph_, "--schedule", "sequential", "--device", "cpu", "--json"};
    arguments.insert(arguments.end(), timing.begin(), timing.end());
    const Finished run = iosx_done(arguments);
    return run.json().at("schedule").at("samples").get<int>();
  };
  constexpr int kRounds = 7;
  EXPECT_EQ(samples({"--repeat", "9"}), 9 * kRounds);
  EXPECT_EQ(samples({"--repeat", "300", "--warmup", "1", "--min-time", "0"}), 300 * kRounds);
  EXPECT_GE(samples({"--min-time", "20", "--repeat", "3"}), 3 * kRounds);
}

TEST_F(OnTheCpu, CompareVerifiesEverySchedule) {
  const Json json = iosx_done(briefly({"compare", graph_, "--device", "cpu", "--verify", "--json"})).json();
  ASSERT_GE(json.at("schedules").size(), 5U);
  for (const Json& schedule : json.at("schedules")) {
    EXPECT_EQ(schedule.at("verification").at("passed"), true) << schedule.at("name");
    EXPECT_TRUE(schedule.contains("within_noise"));
  }
}

TEST_F(OnTheCpu, OptimizeWritesAScheduleThatVerifies) {
  const std::string file = folder_.file("best.json");
  const Finished run = iosx_done(briefly({"optimize", graph_, "--device", "cpu", "--verify", "-o", file}));
  EXPECT_THAT(run.out, AllOf(HasSubstr("measured"), HasSubstr("verify: passed")));
  EXPECT_EQ(iosx(briefly({"run", graph_, "--schedule", file, "--device", "cpu", "--verify"})).exit_code, 0);
}

// What there is time for after the signal is run and shown, and the rest named; nothing hangs.
TEST_F(OnTheCpu, InterruptKeepsWhatIsThere) {
  using namespace std::chrono_literals;
  const Finished run = iosx({"compare", "squeezenet", "--device", "cpu", "--json"}, 300ms);
  if (run.exit_code == -1) GTEST_SKIP() << "stopped before iosx had set up its handling";
  if (run.out.empty()) {
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("cancelled before any of these ran"));
    return;
  }
  const Json json = run.json();
  EXPECT_EQ(json.at("complete").get<bool>(), run.exit_code == 0);
  ASSERT_GE(json.at("schedules").size(), 1U);
  if (json.at("schedules").size() < 2) {
    EXPECT_THAT(run.err, HasSubstr("Stopped before these ran"));
  }
  for (const Json& schedule : json.at("schedules")) EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
}

// Operators measured, queried, learned from, and predicted, seen through the whole program.

class OperatorCommands : public testing::Test {
 protected:
  // Other tests list the devices that there are.
  ~OperatorCommands() override { std::filesystem::remove_all(data_folder() / "ios-explorer" / "predictors"); }
  std::string store() const { return folder_.file("m.db"); }
  // On a simulated device, so that it takes no time.
  void profile() {
    const Finished run = iosx_done(
        {"profile-operators", "squeezenet", "--device", "tesla-v100", "--store", store(), "--most", "90", "--json"});
    const auto graph = run.json().at("graphs").at(0);
    EXPECT_EQ(graph.at("measured"), 90);
    EXPECT_GE(graph.at("alone").get<int>(), 20);
  }
  TemporaryFolder folder_;
};

TEST_F(OperatorCommands, FromNothingToAPrediction) {
  profile();
  const Finished found = iosx_done({"operators", "query", "kind=conv kernel=3 channels>=16", "--store", store()});
  EXPECT_THAT(found.out, HasSubstr("conv 3x3"));
  const Finished csv = iosx({"operators", "query", "--csv", "-", "--store", store()});
  EXPECT_THAT(csv.out, StartsWith("device,origin,precision,stage,"));

  const Finished trained = iosx_done({"operators", "train", "mine", "--store", store()});
  EXPECT_THAT(trained.out, HasSubstr("predicted:mine: learned from"));
  EXPECT_THAT(iosx({"operators", "judge", "mine", "squeezenet", "--store", store()}).out, HasSubstr("within 10 %"));
  EXPECT_THAT(iosx({"operators", "insight", "--store", store()}).out, HasSubstr("rank correlations"));
  // Its pairs are what the simulator says: to compare it with these would be no test of it.
  const Finished pairs = iosx({"operators", "pairs", "--store", store()});
  EXPECT_NE(pairs.exit_code, 0);
  EXPECT_THAT(pairs.err, HasSubstr("is simulated"));

  // What was measured elsewhere is learned from here.
  const std::string text = folder_.file("measured.jsonl");
  iosx_done({"store", "export", "--store", store(), "-o", text});
  const std::string other = folder_.file("other.db");
  iosx_done({"store", "import", text, "--store", other});
  EXPECT_EQ(iosx({"operators", "query", "--store", other}).out, iosx({"operators", "query", "--store", store()}).out);

  EXPECT_THAT(iosx({"devices"}).out, HasSubstr("predicted:mine"));
  const Finished compared = iosx_done({"compare", "squeezenet", "--device", "predicted:mine", "--json"});
  EXPECT_EQ(compared.json().at("origin"), "predicted");
  const Finished beside = iosx_done({"compare", "squeezenet", "--device", "tesla-v100", "--predictor", "predicted:mine",
                                     "--schedules", "sequential,ios-both"});
  EXPECT_THAT(beside.out, HasSubstr("predicted-mine"));
}

TEST_F(OperatorCommands, MistakesAreOneLine) {
  const auto fails = [](const std::vector<std::string>& arguments, const char* says) {
    const Finished run = iosx(arguments);
    EXPECT_NE(run.exit_code, 0);
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  };
  fails({"operators", "query", "--store", store()}, "there is no such file");
  profile();
  fails({"operators", "query", "colour=3", "--store", store()}, "is not a column");
  fails({"operators", "query", "--device", "cpu", "--store", store()}, "contains no operators of 'cpu'");
  fails({"operators", "train", "../up", "--store", store()}, "is not a predictor name");
  fails({"operators", "train", "x", "--card", "none", "--store", store()}, "is not a card");
  fails({"operators", "judge", "none", "--store", store()}, "none.json");
  fails({"profile-operators", "--device", "tesla-v100", "--store", store()}, "needs networks or a grid");
  fails({"profile-operators", "squeezenet", "--device", "tesla-v100"}, "without a store");
  fails({"compare", "sample", "--device", "tesla-v100", "--predictor", "tesla-k80"}, "makes no predictions");
  std::ofstream(folder_.file("t.csv")) << "device,latency_ms\na,1\n";
  fails({"operators", "import", folder_.file("t.csv"), "--store", store()}, "there is no column");
  std::ofstream(folder_.file("g.txt")) << "conv channels=8\n";
  fails({"profile-operators", "--grid", folder_.file("g.txt"), "--device", "tesla-v100", "--store", store()},
        "does not give 'filters'");
}

TEST_F(OperatorCommands, TablesOfOthersAreRecorded) {
  std::ofstream table(folder_.file("t.csv"));
  table << "source,device,precision,op,latency_us,rows,columns\n";
  for (int i = 1; i <= 40; ++i) table << "mine,My card,float32,relu," << 10 * i << ',' << 64 * i << ",64\n";
  table.close();
  const Finished imported = iosx_done({"operators", "import", folder_.file("t.csv"), "--store", store()});
  EXPECT_THAT(imported.out, HasSubstr("My card (mine), f32: 40 operators"));
  const Finished trained = iosx_done({"operators", "train", "card", "--device", "My card", "--store", store()});
  EXPECT_THAT(iosx({"compare", "sample", "--device", "predicted:card"}).out, HasSubstr("predicted"));
  EXPECT_THAT(iosx({"store", "list", "--store", store()}).out, HasSubstr("recorded"));
}

}  // namespace

}  // namespace iosx::test
