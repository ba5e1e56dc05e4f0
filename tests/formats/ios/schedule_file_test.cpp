#include "core/formats/schedule_file.h"
#include "core/formats/file_kind.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using OrderedJson = nlohmann::ordered_json;

// a, b and c merged; then d beside nothing; then the concat.
Schedule merged_schedule() {
  return {"ios-both",
          {merge_stage({UnitId(0), UnitId(1), UnitId(2)}), single_unit_stage(UnitId(3)), single_unit_stage(UnitId(4))}};
}

ScheduleNotes notes() { return {"tesla-v100", 32, "simulated", "", 0.3333, {0.1615, 0.1545, 0.0173}}; }

TEST(ScheduleFiles, SurviveARoundTrip) {
  const Graph graph = test::sample();
  for (const Schedule& schedule : {merged_schedule(), one_by_one_schedule(graph), greedy_schedule(graph)}) {
    const bool timed = schedule.stages.size() == 3;
    const std::string text = schedule_to_json(graph, schedule, timed ? notes() : ScheduleNotes{});
    const auto file = must(parse_schedule_json(text, "s.json", graph));
    EXPECT_EQ(file.schedule, schedule);
    EXPECT_EQ(file.notes, timed ? notes() : ScheduleNotes{});
    EXPECT_EQ(schedule_to_json(graph, file.schedule, file.notes), text);
  }
}

TEST(ScheduleFiles, AreWrittenOneStageALine) {
  EXPECT_EQ(schedule_to_json(test::sample(), merged_schedule(), notes()),
            R"({"format":"iosx-schedule","version":1,"graph":"sample","schedule":"ios-both","device":"tesla-v100",)"
            R"("batch":32,"origin":"simulated","latency_ms":0.3333,)"
            "\n\"stages\":[\n"
            R"({"strategy":"merge","groups":[[["a","b","c"]]],"latency_ms":0.1615},)"
            "\n"
            R"({"strategy":"concurrent","groups":[[["d"]]],"latency_ms":0.1545},)"
            "\n"
            R"({"strategy":"concurrent","groups":[[["concat"]]],"latency_ms":0.0173})"
            "\n]}\n");
}

// The window and the command line ask the same function what a file is.
TEST(ScheduleFiles, AreToldApartByTheirFormat) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ios-schedule-file-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto is_one = [&](const std::string& text) {
    std::ofstream(folder / "file.json", std::ios::binary) << text;
    return file_kind(folder / "file.json") == FileKind::kSchedule;
  };
  const std::string ours = schedule_to_json(test::sample(), merged_schedule(), notes());
  EXPECT_TRUE(is_one(ours));
  EXPECT_TRUE(is_one(nlohmann::ordered_json::parse(ours).dump(4)));
  EXPECT_TRUE(is_one("{ \"format\"\n :\t\"iosx-schedule\"}"));
  nlohmann::json sorted = nlohmann::json::parse(ours);  // "batch", "device", "format", …
  sorted["device"] = std::string(300, 'x');
  EXPECT_TRUE(is_one(sorted.dump(4)));
  EXPECT_FALSE(is_one(R"({"name":"iosx-schedule","input":{},"blocks":[]})"));  // the original's, with an odd name
  EXPECT_FALSE(is_one(R"({"format":"something-else","note":"iosx-schedule"})"));
  EXPECT_FALSE(is_one(R"({"format" "iosx-schedule"})"));
  EXPECT_FALSE(is_one("{\"format\":"));
  EXPECT_FALSE(is_one(""));
  EXPECT_NE(file_kind(folder), FileKind::kSchedule);
  EXPECT_NE(file_kind(folder / "missing.json"), FileKind::kSchedule);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(file_kind(folder / "pipe"), FileKind::kSchedule);  // does not wait for a writer
  std::filesystem::remove_all(folder);
}

TEST(ScheduleFiles, AreWrittenAsCsv) {
  const Schedule schedule{
      "s",
      {Stage{{Group{{Step{{UnitId(0)}}, Step{{UnitId(3)}}}}, Group{{Step{{UnitId(1), UnitId(2)}}}}}},
       single_unit_stage(UnitId(4))}};
  EXPECT_EQ(schedule_to_csv(test::sample(), schedule, {"", 1, "", "", std::nullopt, {0.25, 1.5}}),
            "stage,strategy,group,step,units,latency_ms\n"
            "1,concurrent,1,1,a,0.25\n"
            "1,concurrent,1,2,d,\n"
            "1,concurrent,2,1,b c,\n"
            "2,concurrent,1,1,concat,1.5\n");
}

TEST(ScheduleFiles, QuoteNamesInCsv) {
  GraphBuilder builder("quotes");
  builder.add("a,\"b\"", Activate{Activation::kRelu}, {builder.input("in", Shape{1, 1, 1})});
  const Graph graph = *std::move(builder).build();
  EXPECT_THAT(schedule_to_csv(graph, one_by_one_schedule(graph)), HasSubstr("1,concurrent,1,1,\"a,\"\"b\"\"\",\n"));
}

TEST(ScheduleFiles, AreLoadedFromDisk) {
  const auto path = std::filesystem::temp_directory_path() / ("iosx_schedule_" + std::to_string(::getpid()) + ".json");
  std::ofstream(path) << schedule_to_json(test::sample(), merged_schedule(), notes());
  const auto file = load_schedule(path, test::sample());
  std::filesystem::remove(path);
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->schedule, merged_schedule());
  EXPECT_FALSE(load_schedule(path, test::sample()).has_value());
}

struct ScheduleChange {
  const char* name;
  std::function<void(OrderedJson&)> make;
  const char* where;
  const char* says;
};

void PrintTo(const ScheduleChange& change, std::ostream* out) { *out << change.name; }

class BadSchedule : public testing::TestWithParam<ScheduleChange> {};

TEST_P(BadSchedule, IsAnErrorAtItsPlace) {
  OrderedJson json = OrderedJson::parse(schedule_to_json(test::sample(), merged_schedule(), notes()));
  GetParam().make(json);
  const Error error = refused(parse_schedule_json(json.dump(), "s.json", test::sample()));
  EXPECT_THAT(error.where, AllOf(StartsWith("s.json"), HasSubstr(GetParam().where)));
  EXPECT_THAT(error.text(), HasSubstr(GetParam().says));
}

OrderedJson& group(OrderedJson& json, int stage) { return json["stages"][stage]["groups"][0]; }

INSTANTIATE_TEST_SUITE_P(
    Cases, BadSchedule,
    testing::Values(
        ScheduleChange{"NotASchedule", [](OrderedJson& j) { j = OrderedJson::object(); }, "s.json",
                       "'format' is missing"},
        ScheduleChange{"List", [](OrderedJson& j) { j = OrderedJson::array(); }, "s.json", "must be an object"},
        ScheduleChange{"OtherFormat", [](OrderedJson& j) { j["format"] = "png"; }, "format", "must be 'iosx-schedule'"},
        ScheduleChange{"NewerVersion", [](OrderedJson& j) { j["version"] = 3; }, "version", "version 3 is unknown"},
        ScheduleChange{"OtherGraph", [](OrderedJson& j) { j["graph"] = "vgg"; }, "graph",
                       "is for the graph 'vgg', not for 'sample'"},
        ScheduleChange{"BatchZero", [](OrderedJson& j) { j["batch"] = 0; }, "batch", "0 must lie in 1.."},
        ScheduleChange{"NegativeLatency", [](OrderedJson& j) { j["latency_ms"] = -1.5; }, "latency_ms", "at least 0"},
        ScheduleChange{"LatencyAsText", [](OrderedJson& j) { j["stages"][1]["latency_ms"] = "fast"; },
                       "stages[1].latency_ms", "a number"},
        ScheduleChange{"OneLatencyMissing", [](OrderedJson& j) { j["stages"][1].erase("latency_ms"); }, "stages",
                       "give all or none"},
        ScheduleChange{"NoStages", [](OrderedJson& j) { j.erase("stages"); }, "s.json", "'stages' is missing"},
        ScheduleChange{"EmptyStages", [](OrderedJson& j) { j["stages"] = OrderedJson::array(); }, "s.json", "no stage"},
        ScheduleChange{"EmptyGroups", [](OrderedJson& j) { j["stages"][1]["groups"] = OrderedJson::array(); },
                       "stages[1]", "no groups"},
        ScheduleChange{"EmptyGroup", [](OrderedJson& j) { group(j, 1) = OrderedJson::array(); }, "stages[1].groups[0]",
                       "group is empty"},
        ScheduleChange{"EmptyStep", [](OrderedJson& j) { group(j, 1)[0] = OrderedJson::array(); },
                       "stages[1].groups[0][0]", "step is empty"},
        ScheduleChange{"StepAsText", [](OrderedJson& j) { group(j, 1)[0] = "d"; }, "stages[1].groups[0][0]",
                       "must be a list"},
        ScheduleChange{"UnknownUnit", [](OrderedJson& j) { group(j, 1)[0][0] = "w"; }, "stages[1].groups[0][0][0]",
                       "has no unit 'w'"},
        ScheduleChange{"UnitTwice", [](OrderedJson& j) { group(j, 1)[0][0] = "b"; }, "stages[1].groups[0][0][0]",
                       "'b' already runs at stages[0].groups[0][0][1]"},
        ScheduleChange{"UnitLeftOut", [](OrderedJson& j) { j["stages"].erase(2); }, "s.json", "'concat'"},
        ScheduleChange{"WrongOrder", [](OrderedJson& j) { std::swap(j["stages"][0], j["stages"][1]); },
                       "s.json: stage 1", "reads 'a'"},
        ScheduleChange{"IllegalMerge",
                       [](OrderedJson& j) {
                         group(j, 0)[0] = OrderedJson::array({"a", "b"});
                         group(j, 1)[0] = OrderedJson::array({"d", "c"});
                         j["stages"][1].erase("strategy");
                       },
                       "s.json: stage 2", "cannot be merged"},
        ScheduleChange{"UnknownStrategy", [](OrderedJson& j) { j["stages"][0]["strategy"] = "hope"; },
                       "stages[0].strategy", "unknown strategy 'hope'"},
        ScheduleChange{"WrongStrategy", [](OrderedJson& j) { j["stages"][1]["strategy"] = "merge"; },
                       "stages[1].strategy", "says 'merge', which does not match the groups"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace iosx
