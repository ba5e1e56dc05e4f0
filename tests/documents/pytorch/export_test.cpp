#include "core/documents/pytorch/export.h"

#include <stdlib.h>

#include "core/documents/pytorch/network_source.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::pytorch {
namespace {

namespace fs = std::filesystem;

class PytorchExport : public testing::Test {
 protected:
  std::string read(const std::string& name) const { return test::read_file(folder_ / "out" / name); }

  // network.py of an export that must succeed.
  std::string network(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes = {}) const {
    must(write_package(graph, schedule, folder_ / "out", {.notes = notes}));
    return read("network.py");
  }

  std::vector<std::string> names() const {
    return mapped<std::string>(fs::directory_iterator(folder_ / "out"),
                               [](const auto& entry) { return entry.path().filename(); });
  }

  const test::Folder folder_;
};

Group group(std::initializer_list<std::size_t> units) {
  Group made;
  for (const std::size_t unit : units) made.steps.push_back(Step{{UnitId(unit)}});
  return made;
}

// Everything public in lanes.py may be imported, and no operator takes its name.
TEST_F(PytorchExport, KnowsWhatLanesHave) {
  network(test::sample(), one_by_one_schedule(test::sample()));
  std::istringstream lanes(read("lanes.py"));
  std::vector<std::string> found;
  for (std::string line; std::getline(lanes, line);) {
    const std::size_t begin = line.starts_with("class ") ? 6 : line.starts_with("def ") ? 4 : 0;
    if (begin == 0 || line[begin] == '_') continue;
    found.push_back(line.substr(begin, line.find_first_of("(:", begin) - begin));
  }
  std::erase(found, "read_safetensors");  // for what is in lanes.py alone
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(kFromLanes));
}

TEST_F(PytorchExport, WritesAMethodForEachStage) {
  const Graph graph = test::sample();
  const Schedule schedule{"by hand",
                          {Stage{{Group{{Step{{UnitId(0), UnitId(2)}}}}, group({1})}}, single_unit_stage(UnitId(3)),
                           single_unit_stage(UnitId(4))}};
  const std::string text = network(
      graph, schedule, {.device = "tesla-v100", .batch = 4, .origin = "simulated", .latency_ms = 0.25, .stage_ms = {}});
  EXPECT_THAT(text, HasSubstr("3 stages, up to 2 streams, 1 merged layer.\n\n"
                              "Found for tesla-v100, batch 4: 0.250 ms, simulated.\n"));
  EXPECT_THAT(text, HasSubstr("class Sample(ScheduledNetwork):"));
  EXPECT_THAT(text, HasSubstr("self.a = nn.Conv2d(375, 375, (3, 3), padding=(1, 1))"));
  EXPECT_THAT(text, HasSubstr("self.stage_1_merged = MergedConv(self.a, self.c, activation=F.relu)"));
  EXPECT_THAT(text, HasSubstr(R"(
        a, c, b = self.stage_1(in_2)
        d = self.stage_2(a)
        del a
        concat = self.stage_3(b, c, d)
        del b, c, d
        return concat

    def stage_1(self, in_2):
        """2 groups side by side."""

        def group_1():
            # merged: a + c
            a, c = self.stage_1_merged(in_2, self.sequential)
            return a, c

        def group_2():
            b = F.relu(self.b(in_2))  # conv, 750x15x15
            return b

        (a, c), b = self.side_by_side(group_1, group_2)
        return a, c, b

    def stage_2(self, a):
        d = F.relu(self.d(a))  # conv, 750x15x15
        return d

    def stage_3(self, b, c, d):
        concat = torch.cat((b, c, d), dim=1)  # concat, 1875x15x15
        return concat
)"));
}

TEST_F(PytorchExport, ReturnsEachOutputOfAWholeUnit) {
  const Graph graph = test::whole_unit();
  const std::string text = network(graph, one_by_one_schedule(graph));
  EXPECT_THAT(text, HasSubstr("        a, b = self.stage_1(in_2)\n        c = self.stage_2(a)\n"));
  EXPECT_THAT(text, HasSubstr("return b, c"));
  const ExecutionPlan staged = lower(graph, one_by_one_schedule(graph), 1);
  const ExecutionPlan plan =
      on_lanes(staged, needs_of(staged), {{{KernelId(0), 0}, {KernelId(1), 1}, {KernelId(2), 0}}});
  must(write_package(graph, one_by_one_schedule(graph), folder_ / "lanes", {.barrier_free = plan}));
  EXPECT_THAT(test::read_file(folder_ / "lanes" / "network.py"), HasSubstr("with lanes(1, after=(1,)):"));
}

TEST_F(PytorchExport, MergesLinearLayersBeforeTheRestOfTheirUnits) {
  const Graph graph = test::linear_siblings();
  Schedule schedule = one_by_one_schedule(graph);
  const auto unit = [&](const char* name) { return *graph.find_unit(name); };
  schedule.stages.erase(schedule.stages.begin(), schedule.stages.begin() + 3);  // query, key, value
  schedule.stages.insert(schedule.stages.begin(), merge_stage({unit("value"), unit("key"), unit("query")}));
  const std::string text = network(graph, schedule);
  EXPECT_THAT(text, HasSubstr("self.stage_1_merged = MergedLinear(self.value, self.key_linear, self.query_linear)"));
  EXPECT_THAT(text, HasSubstr("import MergedLinear, ScheduledNetwork"));
  EXPECT_THAT(text, HasSubstr(R"(
        # merged: value + key.linear + query.linear
        value, key_linear, query_linear = self.stage_1_merged(in_2, self.sequential)
        key_turn = key_linear.permute(0, 2, 1))"));
}

// The paper's sample, a on one lane with d behind it, b and c merged on the other; concat has no kernel of its own
// where it lies in place.
TEST_F(PytorchExport, LaunchesKernelsOnLanesWithoutBarriers) {
  const Graph graph = test::sample();
  const Schedule schedule{"by hand",
                          {Stage{{group({0}), Group{{Step{{UnitId(1), UnitId(2)}}}}}}, single_unit_stage(UnitId(3)),
                           single_unit_stage(UnitId(4))}};
  const ExecutionPlan staged = lower(graph, schedule, 1, {.concat_in_place = true});
  LaneSchedule lanes;
  for (std::size_t k = 0; k < staged.kernels.size(); ++k) {
    lanes.launches.push_back({KernelId(k), staged.kernels[k].name == "b + c" ? 1U : 0U});
  }
  const ExecutionPlan plan = on_lanes(staged, needs_of(staged), lanes);
  must(write_package(graph, schedule, folder_ / "out", {.barrier_free = plan}));
  const std::string text = read("network.py");
  EXPECT_THAT(text, HasSubstr("with the schedule by hand: 2 lanes without barriers for its kernels, 1 merged layer."));
  EXPECT_THAT(text, HasSubstr("self.group_merged_1 = MergedConv(self.b, self.c, activation=F.relu)"));
  EXPECT_THAT(text, HasSubstr("        lanes = self.on_lanes(2)\n        with lanes(0):\n"));
  EXPECT_THAT(text, HasSubstr("            d = F.relu(self.d(a))  # conv, 750x15x15\n            del a\n"));
  // The concatenation waits for the merged convolution, the only step that has an event.
  EXPECT_THAT(text, AllOf(HasSubstr("b, c = self.group_merged_1(in_2, self.sequential)\n            lanes.done(1)\n"),
                          HasSubstr(", after=(1,)):\n            concat = torch.cat((b, c, d), dim=1)"),
                          HasSubstr("        lanes.end("), Not(HasSubstr("def stage_"))));
}

TEST_F(PytorchExport, IsAWholePackage) {
  network(test::sample(), greedy_schedule(test::sample()));
  EXPECT_THAT(names(), UnorderedElementsAre("__init__.py", "network.py", "lanes.py", "check.py", "order.py",
                                            "README.md", "weights.safetensors"));
  EXPECT_THAT(read("__init__.py"), HasSubstr("from .network import Network, Sample"));
  EXPECT_THAT(read("lanes.py"), HasSubstr("def capture(self"));
  EXPECT_THAT(read("check.py"), StartsWith("#!/usr/bin/env python3\n"));
  EXPECT_THAT(read("README.md"), HasSubstr("torch.rand(1, 375, 15, 15)"));
}

// Format: https://github.com/huggingface/safetensors, "Format".
TEST_F(PytorchExport, WeightsAreThoseThatDevicesCompute) {
  const Graph graph = test::sample();
  network(graph, one_by_one_schedule(graph));
  const std::string bytes = read("weights.safetensors");
  std::uint64_t size = 0;
  ASSERT_GT(bytes.size(), sizeof(size));
  std::memcpy(&size, bytes.data(), sizeof(size));
  ASSERT_LT(size, bytes.size());
  const auto header = nlohmann::json::parse(bytes.substr(sizeof(size), size));
  EXPECT_EQ(header.size(), 9U);  // a weight and a bias of four convolutions, and the metadata
  const auto& weight = header.at("d.weight");
  EXPECT_EQ(weight.at("dtype"), "F32");
  EXPECT_EQ(weight.at("shape"), (std::vector<int>{750, 375, 3, 3}));
  const OperatorId d = graph.find_operator("d").value();
  const Tensor expected = graph.parameters()->weights(d);
  const std::size_t begin = sizeof(size) + size + weight.at("data_offsets").at(0).get<std::size_t>();
  ASSERT_LE(begin + expected.elements().size_bytes(), bytes.size());
  EXPECT_EQ(std::memcmp(bytes.data() + begin, expected.elements().data(), expected.elements().size_bytes()), 0);
}

TEST(NetworkSource, TakesEveryBuiltInNetwork) {
  for (const ZooNetwork& one : zoo()) {
    const Graph graph = one.build();
    const auto text = must(network_source(graph, greedy_schedule(graph), PythonNames(graph), {}, {}));
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    EXPECT_LE(longest, kColumns) << one.name;
  }
}

TEST_F(PytorchExport, RefusesWhatItCannotWriteBeforeItWrites) {
  auto [builder, in] = iosx::test::sketch("strange", Shape{4, 4});
  builder.add("thing", Opaque{"LSTM", "node 3", Shape{4}}, {in});
  const auto graph = must(std::move(builder).build());
  const Error error = refused(write_package(graph, one_by_one_schedule(graph), folder_ / "out"));
  EXPECT_EQ(error.where, "thing");
  EXPECT_THAT(error.what, HasSubstr("LSTM"));
  EXPECT_FALSE(error.remedy.empty());
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(PytorchExport, RefusesASchedulesMistakes) {
  const Graph graph = test::chain(2);
  const Schedule wrong{"wrong", {single_unit_stage(UnitId(1)), single_unit_stage(UnitId(0))}};
  EXPECT_FALSE(write_package(graph, wrong, folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(PytorchExport, ReplacesAnEarlierExportAndLeavesOtherFilesThere) {
  network(test::chain(2), one_by_one_schedule(test::chain(2)));
  std::ofstream(folder_ / "out" / "notes.txt") << "mine";
  EXPECT_THAT(network(test::sample(), greedy_schedule(test::sample())), HasSubstr("class Sample("));
  EXPECT_EQ(read("notes.txt"), "mine");
  EXPECT_EQ(names().size(), 8U);
}

TEST_F(PytorchExport, ReplacesNothingForeign) {
  const Graph graph = test::chain(2);
  const Schedule schedule = one_by_one_schedule(graph);
  fs::create_directory(folder_ / "out");
  EXPECT_TRUE(check_folder(folder_ / "out"));
  std::ofstream(folder_ / "out" / "notes.txt") << "mine";
  EXPECT_THAT(refused(write_package(graph, schedule, folder_ / "out")).text(), HasSubstr("not empty"));
  EXPECT_THAT(names(), UnorderedElementsAre("notes.txt"));

  fs::remove(folder_ / "out" / "notes.txt");
  network(graph, schedule);
  const std::string before = read("network.py");
  std::ofstream(folder_ / "out" / "README.md") << "mine";
  EXPECT_THAT(refused(write_package(test::sample(), greedy_schedule(test::sample()), folder_ / "out")).where,
              HasSubstr("README.md"));
  EXPECT_EQ(read("network.py"), before);

  std::ofstream(folder_ / "file") << "mine";
  EXPECT_FALSE(check_folder(folder_ / "file"));
  EXPECT_FALSE(check_folder(""));
}

TEST(PythonNames, AreIdentifiersThatNothingElseHas) {
  auto [builder, x] = iosx::test::sketch("2 nets", Shape{4, 5, 5}, "class");
  for (const char* name : {"a.b", "a/b", "__init__", "7", "stage_1", "forward", "\xFF"}) {
    x = builder.add(name, Activate{}, {x});
  }
  const auto graph = must(std::move(builder).build());
  const PythonNames names(graph);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) all.push_back(names.of(OperatorId(i)));
  EXPECT_THAT(all, ElementsAre("class_2", "a_b", "a_b_2", "init", "op_7", "op_stage_1", "forward_2", "op_"));
  EXPECT_EQ(names.network(), "Network2Nets");
}

TEST(PythonText, IsWrappedInsideItsLastBrackets) {
  const std::string word(50, 'x');
  EXPECT_EQ(line(1, "a = b(c)"), "    a = b(c)\n");
  EXPECT_EQ(line(0, "a = b(" + word + ", " + word + ", " + word + ")"),
            "a = b(\n    " + word + ", " + word + ",\n    " + word + "\n)\n");
}

TEST(PythonText, QuotesWhatPythonReadsBack) {
  EXPECT_EQ(string_text("a\"b\\\n"), R"("a\"b\\\n")");
  EXPECT_EQ(comment("two\nlines"), "two\\nlines");
  EXPECT_EQ(literal(0.1F), "0.1");
  EXPECT_EQ(literal(-std::numeric_limits<float>::infinity()), "float('-inf')");
}

}  // namespace
}  // namespace iosx::pytorch
