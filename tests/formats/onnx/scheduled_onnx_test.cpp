#include "core/formats/scheduled_onnx.h"

#include <onnx/onnx_pb.h>

#include "core/formats/document.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using onnx_import::test::TemporaryFolder;

onnx::ModelProto model_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromIstream(&file));
  return model;
}

nlohmann::json json_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file, nullptr, false);
}

TEST(ExportScheduled, SaysWhereEveryNodeRuns) {
  const TemporaryFolder folder;
  const Graph graph = test::sample();
  const Schedule greedy = greedy_schedule(graph);
  const auto file = folder.path() / "x.onnx";
  ScheduledOnnxOptions options{.schedule = "Greedy"};
  options.notes.device = "h200";
  options.notes.latency_ms = 0.5;
  ASSERT_TRUE(write_scheduled_onnx(graph, lower(graph, greedy, 1), file, options));
  const onnx::ModelProto model = model_in(file);
  ASSERT_EQ(model.metadata_props_size(), 1);
  EXPECT_EQ(model.metadata_props(0).key(), "ios_explorer.schedule");
  const auto schedule = nlohmann::json::parse(model.metadata_props(0).value());
  EXPECT_EQ(schedule.at("format"), "iosx-onnx-schedule");
  EXPECT_EQ(schedule.at("schedule"), "Greedy");
  EXPECT_EQ(schedule.at("device"), "h200");
  EXPECT_EQ(schedule.at("latency_ms"), 0.5);
  EXPECT_EQ(schedule.at("barriers"), true);
  ASSERT_EQ(schedule.at("launches").size(), graph.operators().size() - 1);
  std::set<std::string> nodes;
  for (const onnx::NodeProto& node : model.graph().node()) {
    EXPECT_TRUE(nodes.insert(node.name()).second) << node.name();
    EXPECT_THAT(node.doc_string(), testing::MatchesRegex("stage [0-9]+, lane [0-9]+"));
  }
  for (const auto& launch : schedule.at("launches")) EXPECT_TRUE(nodes.contains(launch.at(0))) << launch;
}

// ONNX Runtime refuses a partition that lacks a node, and runs no node twice.
TEST(ExportScheduled, PutsEveryNodeIntoOneStream) {
  const TemporaryFolder folder;
  for (const Graph& graph :
       {zoo_network("squeezenet").value(), zoo_network("nasnet_mobile").value(), test::linear_siblings()}) {
    const std::string& name = graph.name();
    const ExecutionPlan staged = lower(graph, greedy_schedule(graph), 1);
    const ExecutionPlan free = on_lanes(staged, needs_of(staged), same_lanes(staged));
    const auto file = folder.path() / "x.onnx";
    const auto streams = folder.path() / "streams.json";
    ASSERT_TRUE(write_scheduled_onnx(graph, free, file, {.streams = streams, .streams_on = StreamsOn::kCpu})) << name;
    const auto partition = json_in(streams);
    EXPECT_EQ(partition.at("type"), "DeviceBasedPartitioner");
    EXPECT_EQ(partition.at("devices").size(), partition.at("streams").size());
    EXPECT_EQ(partition.at("devices").at(0), "0");
    std::multiset<std::string> listed;
    for (const auto& stream : partition.at("streams")) {
      for (const auto& node : stream) listed.insert(node.get<std::string>());
    }
    std::multiset<std::string> nodes;
    const onnx::ModelProto model = model_in(file);
    for (const onnx::NodeProto& node : model.graph().node()) nodes.insert(node.name());
    EXPECT_EQ(listed, nodes) << name;
  }
}

TEST(ExportScheduled, KeepsTheInterfaceOfTheFile) {
  const TemporaryFolder folder;
  const Graph graph = test::fork(2);  // both are outputs, and merge
  const Schedule merged{"merged", {merge_stage({unit(graph, "a"), unit(graph, "b")})}};
  const auto file = folder.path() / "x.onnx";
  ASSERT_TRUE(write_scheduled_onnx(graph, lower(graph, merged, 1), file, {.schedule = "merged"}));
  const onnx::ModelProto model = model_in(file);
  ASSERT_EQ(model.graph().output_size(), 2);
  EXPECT_EQ(model.graph().output(0).name(), "a");
  EXPECT_EQ(model.graph().output(1).name(), "b");
  const auto& nodes = model.graph().node();
  EXPECT_EQ(std::ranges::count(nodes, "Conv", &onnx::NodeProto::op_type), 1);
}

// The names of a schedule's units, by stage and group.
std::vector<std::vector<std::vector<std::string>>> names_in(const Graph& graph, const Schedule& schedule) {
  std::vector<std::vector<std::vector<std::string>>> all;
  for (const Stage& stage : schedule.stages) {
    auto& groups = all.emplace_back();
    for (const Group& group : stage.groups) {
      auto& units = groups.emplace_back();
      for (const Step& step : group.steps) {
        for (const UnitId unit : step.units) units.push_back(graph.unit(unit).name);
      }
    }
    std::ranges::sort(groups);
  }
  return all;
}

Document written_and_read(const Graph& graph, const ExecutionPlan& plan, const ScheduledOnnxOptions& options = {}) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x.onnx";
  EXPECT_TRUE(write_scheduled_onnx(graph, plan, file, options));
  return must(load_document(file));
}

TEST(ReadScheduled, HasTheScheduleThatWasWritten) {
  for (const Graph& graph : {test::sample(), zoo_network("inception_v3").value()}) {
    for (const Schedule& schedule : {greedy_schedule(graph), sequential_schedule(graph), one_by_one_schedule(graph)}) {
      const Document document =
          written_and_read(graph, lower(graph, schedule, 1), {.schedule = std::string(schedule.name)});
      ASSERT_TRUE(document.schedule) << graph.name() << ", " << schedule.name;
      EXPECT_EQ(document.schedule->schedule.name, schedule.name);
      EXPECT_TRUE(document.warnings.empty());
      EXPECT_EQ(names_in(*document.graph, document.schedule->schedule), names_in(graph, schedule)) << schedule.name;
    }
  }
}

// What the graph as it is read has in one unit may have run in several stages.
TEST(ReadScheduled, PartsUnitsThatRanInSeveralPlaces) {
  const std::array names{"nasnet_mobile", "squeezenet", "randwire"};
  for (std::size_t i = 0; i < names.size(); i += test::every(3)) {
    const char* const name = names[i];
    const Graph graph = zoo_network(name).value();
    for (const Schedule& schedule : {greedy_schedule(graph), sequential_schedule(graph), one_by_one_schedule(graph)}) {
      const Document document = written_and_read(graph, lower(graph, schedule, 1));
      ASSERT_TRUE(document.schedule) << name << ", " << schedule.name << ": " << document.warnings.front().text();
      EXPECT_TRUE(check_legal(*document.graph, document.schedule->schedule));
      EXPECT_EQ(document.schedule->schedule.stages.size(), schedule.stages.size()) << name << ", " << schedule.name;
    }
  }
}

// A linear layer is a product and a sum in the model, a norm is more nodes: all of them run where the operator ran.
TEST(ReadScheduled, HasAnOperatorThatIsSeveralNodesInOnePlace) {
  for (const Graph& graph : {test::linear_layers(), zoo_network("mixture_of_experts").value()}) {
    const Schedule greedy = greedy_schedule(graph);
    const Document document = written_and_read(graph, lower(graph, greedy, 1), {.schedule = "greedy"});
    ASSERT_TRUE(document.schedule) << graph.name() << ": " << document.warnings.front().text();
    EXPECT_TRUE(check_legal(*document.graph, document.schedule->schedule));
    EXPECT_EQ(document.schedule->schedule.stages.size(), greedy.stages.size()) << graph.name();
  }
}

TEST(ReadScheduled, HasAMergedLayerAsTheOneNodeThatItIs) {
  const Graph graph = test::fork(2);
  const Schedule merged{"merged", {merge_stage({unit(graph, "a"), unit(graph, "b")})}};
  const Document document = written_and_read(graph, lower(graph, merged, 1), {.schedule = "merged"});
  ASSERT_TRUE(document.schedule);
  ASSERT_EQ(document.schedule->schedule.stages.size(), 1U);
  EXPECT_TRUE(check_legal(*document.graph, document.schedule->schedule));
  EXPECT_TRUE(document.graph->find_operator("a+b"));
}

TEST(ReadScheduled, SaysWhyThereIsNone) {
  const Graph graph = test::sample();
  const ExecutionPlan staged = lower(graph, greedy_schedule(graph), 1);
  const ExecutionPlan free = on_lanes(staged, needs_of(staged), same_lanes(staged));
  const Document document = written_and_read(graph, free);
  EXPECT_FALSE(document.schedule);
  ASSERT_EQ(document.warnings.size(), 1U);
  EXPECT_THAT(document.warnings[0].text(), HasSubstr("it has no barriers"));
  EXPECT_TRUE(written_and_read(graph, staged).schedule) << "and it needs no name";
}

// A model may be anybody's, and what it says of itself anything.
TEST(ReadScheduled, RefusesWhatFitsNoGraph) {
  const Graph graph = test::chain(2);
  const std::string begin = R"({"format":"iosx-onnx-schedule","version":1,"schedule":"s","barriers":true,"launches":)";
  EXPECT_TRUE(schedule_of_onnx(begin + R"([["a",0,0],["b",1,0]]})", graph));
  EXPECT_TRUE(schedule_of_onnx(begin + R"([["a",0,0],["x",0,1],["b",0,0]]})", graph)) << "nodes that became none";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {begin + R"([["a",1,0],["b",0,0]]})", "b"},
      {begin + R"([["a",0,0],["b",0,1]]})", "b"},
      {begin + R"([["a",0,0]]})", "no node of it"},
      {begin + R"([["a",0,0],["a",1,0]]})", "twice"},
      {begin + R"([["a",0]]})", "members"},
      {begin + R"([["a",-1,0],["b",1,0]]})", "launches[0]"},
      {R"({"format":"iosx-schedule","version":1,"schedule":"s","launches":[]})", "must be"},
      {R"({"format":"iosx-onnx-schedule","version":9,"schedule":"s","launches":[]})", "version"},
      {"[", "line 1"},
      {"", "empty"}};
  for (const auto& [text, part] : wrong) {
    const auto refused = schedule_of_onnx(text, graph);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().text(), HasSubstr(part)) << text;
  }
}

TEST(ExportScheduled, SaysWhatItCannotWrite) {
  const TemporaryFolder folder;
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1);
  EXPECT_FALSE(write_scheduled_onnx(graph, plan, folder.path() / "no" / "x.onnx", {}));
  const auto streams =
      write_scheduled_onnx(graph, plan, folder.path() / "x.onnx", {.streams = folder.path() / "no" / "streams.json"});
  ASSERT_FALSE(streams);
  EXPECT_THAT(streams.error().text(), HasSubstr("streams.json"));
}

}  // namespace
}  // namespace iosx
