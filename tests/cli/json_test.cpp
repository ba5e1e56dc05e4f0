// With --json every command prints one document; its keys are what programs rely on.

#include "tests/cli/process.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(Devices, AreListed) {
  const Json devices = json_of({"devices", "--json"}).at("devices");
  std::vector<std::string> ids;
  for (const Json& device : devices) {
    ids.push_back(device.at("id"));
    const bool real = ids.back().starts_with("cpu") || ids.back().starts_with("gpu");
    EXPECT_EQ(device.at("origin"), real ? "measured" : "simulated");
    EXPECT_FALSE(device.at("name").get<std::string>().empty());
    EXPECT_EQ(device.at("available"), !device.contains("unavailable"));
    EXPECT_TRUE(!device.at("available").get<bool>() || !device.at("fingerprint").get<std::string>().empty());
    EXPECT_FALSE(device.at(device.at("available") ? "summary" : "unavailable").get<std::string>().empty());
  }
  EXPECT_THAT(ids, IsSupersetOf({"gpu", "cpu", "tesla-v100", "tesla-k80", "rtx-2080-ti", "a100", "h200"}));
  EXPECT_TRUE(ids.front().starts_with("gpu")) << ids.front();  // the best comes first
  const std::string text = iosx({"devices"}).out;
  for (const std::string& id : ids) EXPECT_THAT(text, HasSubstr(id));
}

TEST(Networks, AreListed) {
  const Json networks = json_of({"networks", "--json"}).at("networks");
  const auto names = mapped<std::string>(networks, [](const Json& network) { return network.at("name"); });
  EXPECT_THAT(names, IsSupersetOf({"sample", "inception_v3", "squeezenet", "nasnet", "randwire", "alexnet", "vgg16",
                                   "vgg19", "resnet18", "resnet34", "resnet50", "googlenet", "yolox_s", "bert_base"}));
  EXPECT_EQ(networks.front().at("group"), "Networks of the IOS paper");
  EXPECT_EQ(networks.back().at("group"), "Transformers");
  EXPECT_THAT(iosx({"networks"}).out, HasSubstr("\n\nTransformers\n  vit_b16 "));
}

TEST(RecordingCommand, SaysWhatLaunchesCostAndWhatStreamsCanWin) {
  const auto kernel = [](int number, int begin) {
    return fmt::format(
        R"({{"ph": "X", "cat": "kernel", "name": "k{0}", "pid": 0, "tid": 7, "ts": {1}, "dur": 10, "args": {{"device": 0,)"
        R"( "stream": {2}, "correlation": {0}}}}},)",
        number, begin, 7 + number % 2);
  };
  std::string text = "[" + kernel(1, 0) + kernel(2, 20) + kernel(3, 40);
  text.back() = ']';
  const TemporaryFolder folder;
  const std::string file = folder.write("run.json", text);
  const Json document = json_of({"recording", file, "--share", "0.5", "--json"});
  const auto keys = mapped<std::string>(document.items(), [](const auto& item) { return item.key(); });
  EXPECT_THAT(keys, ElementsAre("kernels", "lanes", "span_ms", "busy_ms", "idle_share", "without_launch_gaps_ms",
                                "streams_at_most", "streams_win_ms", "critical_path_ms", "critical_path_kernels",
                                "idle_ms", "edges", "notices", "predicted"));
  EXPECT_EQ(document.at("predicted").at("lanes"), Json::array());
  EXPECT_THAT(document.at("predicted").at("why_none"), HasSubstr("no kernels are known to be independent"));
  EXPECT_EQ(document.at("kernels"), 3);
  EXPECT_EQ(document.at("lanes"), 2);
  EXPECT_EQ(document.at("span_ms"), 0.05);
  EXPECT_EQ(document.at("busy_ms"), 0.03);
  EXPECT_EQ(document.at("streams_at_most"), 0.5);
  EXPECT_EQ(document.at("edges"), Json({{"order", 1}}));
  EXPECT_NEAR(document.at("without_launch_gaps_ms").get<double>(), 0.02, 1e-9);  // two lanes, half of the device each
  EXPECT_THAT(iosx_done({"recording", file}).out, AllOf(HasSubstr("3 kernels on 2 streams"), HasSubstr("span ")));
  EXPECT_THAT(iosx_refused({"recording", file, "--share", "2"}, 2), HasSubstr("--share"));
  const Json trace = iosx_done({"recording", file, "--trace", "-"}).json();
  EXPECT_EQ(trace.at("traceEvents").front().at("args").at("name"), "recorded: run.json");
  EXPECT_THAT(iosx_refused({"recording", file, "--trace", file}, 1), HasSubstr("run.json"));
  EXPECT_THAT(iosx_refused({"recording", file, "--streams", "-"}, 1), HasSubstr("no kernels are known to be"));
  EXPECT_THAT(iosx_refused({"recording", file, "--streams", "-", "--lanes", "3"}, 2), HasSubstr("--lanes"));
  EXPECT_THAT(iosx_refused({"recording", file, "--step", "0"}, 1), HasSubstr("has no steps of PyTorch's profiler"));
  EXPECT_THAT(iosx_refused({"recording", file, "--with", file}, 1), HasSubstr("is JSON, but no execution trace"));
  EXPECT_THAT(iosx_refused({"recording", folder.write("x.csv", "name,ms\na,1\n")}, 1), HasSubstr("has no begins"));
}

TEST(Latencies, OfAnOperatorOfUnknownCostAreUnknown) {
  const auto model = reference_folder().parent_path() / "cases/second/zoo/unique_shape.onnx";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "the folder with the cases is absent";
  const auto on_v100 = [&](const std::string& command, std::vector<std::string> more) {
    std::vector<std::string> all{command, model.string(), "--device", "tesla-v100"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Json compared = iosx_done(on_v100("compare", {"--json"})).json();
  EXPECT_EQ(compared.at("latencies"), "unknown");
  EXPECT_TRUE(compared.at("best").is_null());
  const Json run = iosx_done(on_v100("run", {"--schedule", "sequential", "--json"})).json();
  EXPECT_TRUE(run.at("schedule").at("latency_ms").is_null());
  const std::string why = "the cost of an operator is unknown";
  EXPECT_THAT(iosx_refused(on_v100("profile", {}), 1), HasSubstr(why));
  EXPECT_THAT(iosx_refused({"experiment", "search", model.string(), "--device", "tesla-v100"}, 1), HasSubstr(why));
  EXPECT_THAT(iosx_refused(on_v100("compare", {"--memory-limit", "1"}), 1),
              HasSubstr("the size of a tensor is unknown"));
  const TemporaryFolder folder;
  iosx_done(on_v100("compare", {"--save", folder.file("run.iosrun"), "--report", folder.file("page.html")}));
  EXPECT_THAT(iosx_refused({"export", "trace", folder.file("run.iosrun"), "-o", folder.file("trace.json")}, 1),
              HasSubstr(why));
  EXPECT_THAT(read(folder.path() / "page.html"), Not(HasSubstr(" ms</td>")));
  iosx_done(on_v100("optimize", {"-o", folder.file("best.schedule.json")}));
  const std::string improved = iosx_done({"improve", model.string(), "--schedule", folder.file("best.schedule.json"),
                                          "--device", "tesla-v100", "-o", folder.file("better.schedule.json")})
                                   .out;
  EXPECT_THAT(improved, AllOf(HasSubstr(why), Not(HasSubstr(" ms"))));
  EXPECT_THAT(iosx_done({"inspect", model.string()}).out, HasSubstr(why));
  EXPECT_THAT(iosx_done(on_v100("run", {"--schedule", "sequential"})).out,
              HasSubstr(why + ", and so are all latencies"));
  EXPECT_THAT(iosx_refused(on_v100("explain", {"--schedule", "greedy"}), 1), HasSubstr(why));
  const std::vector<std::string> both{"diff", model.string() + ":sequential", model.string() + ":greedy", "--device",
                                      "tesla-v100"};
  EXPECT_THAT(iosx_refused(both, 1), HasSubstr(why));
}

TEST(Inspect, ShowsShapesWorkPartsAndUnits) {
  const Json json = json_of({"inspect", "sample", "--json"});
  EXPECT_EQ(json.at("inputs")[0].at("shape"), Json::array({375, 15, 15}));
  EXPECT_EQ(json.at("outputs")[0].at("shape"), Json::array({1875, 15, 15}));
  EXPECT_EQ(json.at("units").size(), 5U);
  EXPECT_EQ(json.at("parts")[0].at("units"), 5);
  EXPECT_EQ(json.at("parts")[0].at("width"), 3);
  double flops = 0;
  std::int64_t parameters = 0;
  for (const Json& unit : json.at("units")) {
    flops += unit.at("flops").get<double>();
    parameters += unit.at("parameters").get<std::int64_t>();
    EXPECT_EQ(unit.at("output").size(), 3U);
    EXPECT_FALSE(unit.at("inputs").empty());
  }
  EXPECT_DOUBLE_EQ(json.at("flops").get<double>(), flops);
  EXPECT_EQ(json.at("parameters").get<std::int64_t>(), parameters);
  // A 3×3 convolution of 375 channels into 375, and 750, 375 and (of 375) 750 more, with biases.
  EXPECT_EQ(parameters, 375 * 9 * (375 + 750 + 375 + 750) + 2250);
  EXPECT_DOUBLE_EQ(json_of({"inspect", "sample", "--batch", "8", "--json"}).at("flops").get<double>(), 8 * flops);
}

TEST(Inspect, TextHasTheSameUnits) {
  const Finished run = iosx_done({"inspect", "squeezenet"});
  const Json json = json_of({"inspect", "squeezenet", "--json"});
  for (const Json& unit : json.at("units")) EXPECT_THAT(run.out, HasSubstr(unit.at("name").get<std::string>()));
}

TEST(Inspect, TextNamesTheFirstOfManyThatAUnitReads) {
  const std::string text = iosx_done({"inspect", "densenet121"}).out;
  std::size_t most = 0;
  const Json json = json_of({"inspect", "densenet121", "--json"});
  for (const Json& unit : json.at("units")) most = std::max(most, unit.at("inputs").size());
  ASSERT_GT(most, 8U);
  EXPECT_THAT(text, HasSubstr(fmt::format(", … and {} more", most - 8)));
  EXPECT_THAT(text, Not(HasSubstr(fmt::format("… and {} more", most - 7))));
}

TEST(Inspect, SaysWhatUnitsHaveOfSomebodysTable) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("table.csv", "name,memory (MB),sparsity\nsample.conv_a,1.5,0.1\nsample.conv_d,4,0.9\nother,1,1\n");
  const Json json = json_of({"inspect", "sample", "--values", file, "--column", "Memory (MB)", "--json"}).at("values");
  EXPECT_EQ(json.at("title"), "memory (MB)");
  EXPECT_EQ(json.at("join"), "sum");
  EXPECT_EQ(json.at("matched"), 2);
  EXPECT_EQ(json.at("names"), 3);
  EXPECT_EQ(json.at("unmatched"), Json::array({"other"}));
  const Json units = json_of({"inspect", "sample", "--json"}).at("units");
  ASSERT_EQ(json.at("of_units").size(), units.size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    const std::string name = units[u].at("name");
    EXPECT_EQ(json.at("of_units")[u], name == "sample.conv_a"   ? Json(1.5)
                                      : name == "sample.conv_d" ? Json(4.0)
                                                                : Json(nullptr))
        << name;
  }
  const Finished text = iosx({"inspect", "sample", "--values", file, "--column", "sparsity"});
  EXPECT_THAT(text.out, HasSubstr("2 of 3 names of table.csv are operators of sample; these are not: 'other'"));
  EXPECT_EQ(json_of({"inspect", "sample", "--values", file, "--column", "sparsity", "--json"}).at("values").at("join"),
            "largest");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--values", file},
                                             {"--values", file, "--column", "power"},
                                             {"--values", file, "--column", "sparsity", "--join", "mean"},
                                             {"--values", folder.file("none.csv")},
                                             {"--values", folder.write("w.csv", "name,v\nw,1\n")},
                                             {"--column", "sparsity"}}) {
    std::vector<std::string> arguments{"inspect", "sample"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const Finished run = iosx(arguments);
    EXPECT_NE(run.exit_code, 0) << wrong.back();
    EXPECT_EQ(run.error_lines(), 1U) << run.err;
    EXPECT_EQ(run.out, "") << wrong.back();
  }
}

TEST(Inspect, CutsPartsAsAskedFor) {
  const Json json = json_of({"inspect", "nasnet", "--max-part-size", "10", "--json"});
  for (const Json& part : json.at("parts")) EXPECT_LE(part.at("units").get<int>(), 10);
}

TEST(Count, HasTheDocumentedForm) {
  const Json json = json_of({"count", "squeezenet", "--json"});
  EXPECT_GE(json.at("seconds").get<double>(), 0);
  const Json& parts = json.at("parts");
  ASSERT_EQ(parts.size(), 12U);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].at("index"), i);
    for (const char* key : {"units", "width", "states", "transitions", "stages"}) {
      EXPECT_TRUE(parts[i].at(key).is_number_integer()) << key;
    }
    EXPECT_TRUE(parts[i].at("schedules").is_string());
  }
}

// The published counts, through the whole program.
TEST(Count, AgreesWithThePublishedCounts) {
  const auto folder = reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder with the published counts is absent";
  std::ifstream stream(folder / "search_space.json");
  const Json reference = Json::parse(stream).at("networks");
  std::size_t compared = 0;
  for (const char* network : {"squeezenet", "inception_v3"}) {
    for (const char* rule : {"connected", "single-root"}) {
      Json known;  // by r and s
      for (const Json& row : reference.at(network)) {
        if (!row.contains(rule)) continue;
        const std::string r = row.at("r").is_null() ? "0" : row.at("r").dump();
        const std::string s = row.at("s").is_null() ? "0" : row.at("s").dump();
        known[r + " " + s].push_back({row.at("part"), row.at(rule)});
      }
      for (const auto& [key, rows] : known.items()) {
        const std::size_t space = key.find(' ');
        const Json parts = json_of({"count", network, "--ending-rule", rule, "-r", key.substr(0, space), "-s",
                                    key.substr(space + 1), "--json"})
                               .at("parts");
        for (const Json& row : rows) {
          const Json& part = parts.at(row[0].get<std::size_t>());
          for (const char* count : {"states", "transitions", "stages"}) EXPECT_EQ(part.at(count), row[1].at(count));
          const Json& schedules = row[1].at("schedules");
          EXPECT_EQ(part.at("schedules"), schedules.is_string() ? schedules.get<std::string>() : schedules.dump());
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 50U);
}

TEST(Experiment, OfEveryKindHasTrialsInJsonCsvAndText) {
  const TemporaryFolder folder;
  for (const char* kind : {"schedules", "pruning", "batches", "devices", "throughput", "utilization", "search"}) {
    const std::string csv = folder.file(std::string(kind) + ".csv");
    const Json json = json_of({"experiment", kind, "squeezenet", "--csv", csv, "--json"});
    EXPECT_EQ(json.at("experiment"), kind);
    EXPECT_EQ(json.at("network"), "squeezenet");
    EXPECT_EQ(json.at("complete"), true);
    EXPECT_EQ(json.at("devices")[0].at("origin"), "simulated");
    ASSERT_GE(json.at("trials").size(), 2U) << kind;
    for (const Json& trial : json.at("trials")) {
      for (const Json& factor : json.at("factors")) EXPECT_TRUE(trial.contains(factor.at("id"))) << kind;
      for (const Json& measure : json.at("measures")) EXPECT_TRUE(trial.contains(measure.at("id"))) << kind;
      EXPECT_EQ(trial.at("origin"), "simulated");
    }
    const std::string lines = read(csv);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(lines, '\n')), json.at("trials").size() + 1) << kind;
    const Finished text = iosx_done({"experiment", kind, "squeezenet"});
    EXPECT_THAT(text.out, HasSubstr("squeezenet, simulated Tesla V100"));
    EXPECT_THAT(text.out, HasSubstr("not measured on it"));
  }
}

// What Table 3 of the paper says of batch sizes: nothing beats a column's own schedule.
TEST(Experiment, OfBatchesHasItsBestOnTheDiagonal) {
  const Json json = json_of({"experiment", "batches", "inception_v3", "--batches", "1,32", "--json"});
  ASSERT_EQ(json.at("trials").size(), 4U);
  for (const Json& trial : json.at("trials")) {
    const bool own = trial.at("found_for_batch") == trial.at("run_at_batch");
    EXPECT_EQ(trial.at("best"), own);
    EXPECT_EQ(trial.at("loss_percent").get<double>() > 0, !own);
  }
}

TEST(Experiment, OfUtilizationTakesThePapersNetwork) {
  EXPECT_EQ(json_of({"experiment", "utilization", "--json"}).at("network"), "sample");
}

TEST(Compare, HasTheDocumentedForm) {
  const Json json = json_of({"compare", "sample", "--batch", "2", "--device", "tesla-k80", "--json"});
  EXPECT_EQ(json.at("graph"), "sample");
  EXPECT_EQ(json.at("device"), "tesla-k80");
  EXPECT_EQ(json.at("origin"), "simulated");
  EXPECT_EQ(json.at("batch"), 2);
  std::vector<std::string> names;
  for (const Json& schedule : json.at("schedules")) {
    names.push_back(schedule.at("name"));
    EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
    EXPECT_GE(schedule.at("search_seconds").get<double>(), 0);
    EXPECT_GE(schedule.at("needed").get<int>(), 0);
    EXPECT_EQ(schedule.at("needed"), schedule.at("measured").get<int>() + schedule.at("reused").get<int>());
    double sum = schedule.at("between_stages_ms").get<double>();
    for (const Json& stage : schedule.at("stages")) {
      EXPECT_THAT(stage.at("strategy").get<std::string>(), AnyOf("concurrent", "merge"));
      EXPECT_TRUE(stage.at("groups").is_array());
      sum += stage.at("latency_ms").get<double>();
    }
    EXPECT_NEAR(schedule.at("stage_sum_ms").get<double>(), sum, 1e-9);
  }
  EXPECT_THAT(names, ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both", "list", "ios-flow"));
}

// A certificate is for all schedules, and nothing across the cuts of large parts was searched.
TEST(Compare, CertifiesNothingAcrossCuts) {
  const std::vector<std::string> exhaustive{"compare", "mixture_of_experts", "--finer-units", "--search", "exhaustive"};
  const Json json = iosx_done(with(exhaustive, {"--device", "h200", "--json"})).json();
  for (const Json& schedule : json.at("schedules")) {
    if (!schedule.contains("method")) continue;
    EXPECT_TRUE(schedule.at("certified_gap").is_null()) << schedule.at("id");
  }
  EXPECT_THAT(iosx_done(with(exhaustive, {"--device", "h200"})).out, HasSubstr("nothing across the cuts was searched"));
  EXPECT_EQ(json_of({"compare", "sample", "--search", "exhaustive", "--json"}).at("schedules")[4].at("certified_gap"),
            0);
}

TEST(Compare, TakesSchedulesAndStrategy) {
  const auto names = [](const Json& json) {
    return mapped<std::string>(json.at("schedules"), [](const Json& schedule) { return schedule.at("name"); });
  };
  EXPECT_THAT(names(json_of({"compare", "sample", "--schedules", "ios-both,sequential", "--json"})),
              ElementsAre("ios-both", "sequential"));
  EXPECT_THAT(names(json_of({"compare", "sample", "--strategy", "merge", "--json"})),
              ElementsAre("sequential", "greedy", "ios-merge"));
}

// Names stay as they were; ids tell two runs of one schedule kind apart.
TEST(Compare, AScheduleKindAskedForTwiceIsRunTwice) {
  const Json json = json_of({"compare", "sample", "--schedules", "greedy,ios-both,ios-both", "--json"});
  ASSERT_EQ(json.at("schedules").size(), 3U);
  EXPECT_EQ(json.at("schedules")[1].at("name"), "ios-both");
  EXPECT_EQ(json.at("schedules")[1].at("id"), "ios-both");
  EXPECT_EQ(json.at("schedules")[2].at("name"), "ios-both");
  EXPECT_EQ(json.at("schedules")[2].at("id"), "ios-both-2");
  EXPECT_EQ(json.at("schedules")[2].at("latency_ms"), json.at("schedules")[1].at("latency_ms"));
  EXPECT_EQ(json.at("best"), json.at("best_id"));
}

TEST(Compare, PruningReachesTheSearch) {
  const Finished run = iosx_done({"compare", "sample", "-r", "1", "-s", "1", "--schedules", "ios-parallel", "--json"});
  EXPECT_THAT(run.err,
              HasSubstr("IOS-Parallel is slower than Greedy: the limit s does not allow so many groups in a stage."));
  const Json json = run.json();
  for (const Json& stage : json.at("schedules")[0].at("stages")) EXPECT_EQ(stage.at("groups").size(), 1U);
}

TEST(Compare, IsTheSameEveryTime) {
  Json first = json_of({"compare", "squeezenet", "--json"});
  Json second = json_of({"compare", "squeezenet", "--json"});
  for (Json* json : {&first, &second}) {
    for (Json& schedule : json->at("schedules")) schedule.erase("search_seconds");
  }
  EXPECT_EQ(first, second);
}

TEST(Run, HasLatencyStagesAndCounters) {
  const Json json = json_of({"run", "sample", "--schedule", "greedy", "--json"});
  EXPECT_EQ(json.at("graph"), "sample");
  EXPECT_EQ(json.at("origin"), "simulated");
  EXPECT_EQ(json.at("schedule").at("name"), "greedy");
  EXPECT_GT(json.at("schedule").at("latency_ms").get<double>(), 0);
  EXPECT_GE(json.at("lanes").get<int>(), 2);
  EXPECT_EQ(json.at("kernels"), 5);
  ASSERT_FALSE(json.at("counters").empty());
  EXPECT_GT(json.at("counters")[0].at("mean").get<double>(), 0);
}

TEST(Validate, PrintsOneDocument) {
  const auto captured = iosx_done({"validate", "--without-searches", "--json"}).json().at("captured");
  for (const char* part : {"fitted", "held_out", "held_out_known"}) {
    for (const char* value : {"latency_error", "gain_error", "pairs_right"}) {
      EXPECT_GT(captured.at(part).at(value).get<double>(), 0) << part << ' ' << value;
    }
  }
  const auto& networks = captured.at("held_out").at("networks");
  EXPECT_EQ(networks.size(), 7U);
  EXPECT_GT(networks.at("nasnet").at("latency_error").get<double>(), 0);
  EXPECT_GT(networks.at("nasnet").at("constants").at("launch").at("gap_us").get<double>(), 0);
  EXPECT_THAT(iosx({"validate", "--without-searches"}).out,
              AllOf(HasSubstr("published"), HasSubstr("captured launches")));
}

TEST(Validate, ReadsFurtherTablesOfMeasuredOperators) {
  const TemporaryFolder folder;
  const std::string table = folder.file("mine.csv");
  std::ofstream(table) << "source,device,precision,op,latency_ms,rows,columns\n"
                          "mine,tesla-v100,float32,relu,0.2,16384,1024\n"
                          "mine,tesla-v100,float32,relu,0.4,16384,2048\n"
                          "mine,abacus,float32,relu,0.4,16384,2048\n";
  const Finished run = iosx_done({"validate", "--without-searches", "--json", "--operators", table});
  const auto operators = run.json().at("operators");
  ASSERT_EQ(operators.size(), 1U);
  EXPECT_EQ(operators[0].at("device"), "tesla-v100");
  EXPECT_EQ(operators[0].at("kind"), "stream");
  EXPECT_EQ(operators[0].at("precision"), "float32");
  EXPECT_EQ(operators[0].at("rows"), 2);
  EXPECT_LT(operators[0].at("mape").get<double>(), 0.25);
  EXPECT_EQ(run.json().at("operators_left_out"), 1);
  const Finished text = iosx({"validate", "--without-searches", "--operators", table, "--plots", folder.file("")});
  EXPECT_TRUE(std::filesystem::exists(folder.file("operators-stream.svg")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("operators-conv.svg")));
  EXPECT_THAT(text.out, AllOf(HasSubstr("stream  float32       2 "), HasSubstr("left out: 1 rows")));
  std::ofstream(table) << "source,device\nmine,tesla-v100\n";
  EXPECT_THAT(iosx_refused({"validate", "--operators", table}, 1), HasSubstr("line 1: there is no column precision"));
}

}  // namespace
}  // namespace iosx::test
