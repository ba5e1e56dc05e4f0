// Plans on streams.

#include "gpu/exec/enqueue.h"

#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/gpu/measure/measuring.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/reference.h"

namespace iosx::gpu::test {
namespace {

Conv plain_conv(std::int64_t channels) { return Conv{.out_channels = channels}; }

// in → a, in → b, (a, b) → sum; a and b side by side, sum in a stage of its own.
Graph two_lanes() {
  auto [builder, in] = iosx::test::sketch("two_lanes", Shape{4, 2, 2});
  const Value a = builder.add("a", plain_conv(4), {in});
  const Value b = builder.add("b", plain_conv(4), {in});
  builder.add("sum", Add{}, {a, b});
  return std::move(builder).build().value();
}

std::string text(const HostRuntime::Operation& operation) {
  struct Text {
    std::string operator()(const HostRuntime::Launch& launch) const {
      if (std::holds_alternative<LibraryStep>(launch.step)) return "conv";
      return std::holds_alternative<CombineCall>(std::get<KernelCall>(launch.step)) ? "combine" : "kernel";
    }
    std::string operator()(const HostRuntime::Record& record) const {
      return fmt::format("record {}", record.event.index());
    }
    std::string operator()(const HostRuntime::Wait& wait) const { return fmt::format("wait {}", wait.event.index()); }
    std::string operator()(const HostRuntime::Mark& mark) const { return fmt::format("mark {}", mark.timer.index()); }
  };
  return fmt::format("{}: {}", operation.stream.index(), std::visit(Text{}, operation.what));
}

std::vector<std::string> texts(const std::vector<HostRuntime::Operation>& operations) {
  return mapped<std::string>(operations, [&](const auto& operation) { return text(operation); });
}

class Enqueued : public testing::Test {
 protected:
  Enqueued() : graph_(two_lanes()), plan_(lower(graph_, greedy_schedule(graph_), 1, kLowering)) {}

  std::vector<std::string> captured(const Marks& marks = {}, int copies = 1) {
    const PreparedPlan made = prepared(bench_, plan_);
    capture(made, bench_.runtime, marks, copies);
    return texts(bench_.runtime.captured());
  }

  Bench bench_;
  Graph graph_;
  ExecutionPlan plan_;
};

TEST_F(Enqueued, ForksWaitsAndJoins) {
  EXPECT_THAT(captured(),
              ElementsAre("0: record 0", "0: conv", "1: wait 0", "1: conv", "1: record 1", "0: wait 1", "0: combine"));
}

TEST_F(Enqueued, IsTheSameWithoutAGraph) {
  const auto graph = captured();
  const PreparedPlan made = prepared(bench_, plan_);
  const auto before = static_cast<std::ptrdiff_t>(bench_.runtime.operations().size());
  enqueue(made, bench_.runtime);
  const auto& all = bench_.runtime.operations();
  EXPECT_EQ(texts({all.begin() + before, all.end()}), graph);
}

TEST_F(Enqueued, OfSeveralCopiesRunsOneAfterAnother) {
  const auto one = captured();
  auto two = one;
  two.insert(two.end(), one.begin(), one.end());
  EXPECT_EQ(captured({}, 2), two);
}

TEST_F(Enqueued, MarksKernelsOnTheirStreams) {
  EXPECT_THAT(captured({.kernels = true}),
              ElementsAre("0: mark 16", "0: record 0", "0: mark 18", "0: conv", "0: mark 19", "1: wait 0", "1: mark 20",
                          "1: conv", "1: mark 21", "1: record 1", "0: wait 1", "0: mark 22", "0: combine", "0: mark 23",
                          "0: mark 17"));
}

TEST_F(Enqueued, MarksStagesOnTheOrigin) {
  EXPECT_THAT(captured({.stages = true}),
              ElementsAre("0: mark 16", "0: mark 18", "0: record 0", "0: conv", "1: wait 0", "1: conv", "1: record 1",
                          "0: wait 1", "0: mark 19", "0: mark 20", "0: combine", "0: mark 21", "0: mark 17"));
}

// What runs last on a lane is joined, though nothing of the plan waits for it.
TEST_F(Enqueued, JoinsTheLastStage) {
  const ExecutionPlan stage = lower_stage(graph_, greedy_schedule(graph_).stages[0], 1, kLowering);
  const PreparedPlan made = prepared(bench_, stage);
  capture(made, bench_.runtime);
  EXPECT_THAT(texts(bench_.runtime.captured()),
              ElementsAre("0: record 0", "0: conv", "1: wait 0", "1: conv", "1: record 1", "0: wait 1"));
}

// Edges between launches, as CUDA would capture them: a stream's next node depends on what it waits for.
std::size_t edges_of(const std::vector<HostRuntime::Operation>& operations) {
  std::map<std::size_t, std::set<std::size_t>> streams;
  std::map<std::size_t, std::set<std::size_t>> events;
  std::size_t nodes = 0;
  std::size_t edges = 0;
  for (const auto& operation : operations) {
    std::set<std::size_t>& before = streams[operation.stream.index()];
    const auto add_node = [&] {
      edges += before.size();
      before = {nodes++};
    };
    if (std::holds_alternative<HostRuntime::Launch>(operation.what)) add_node();
    if (const auto* record = std::get_if<HostRuntime::Record>(&operation.what)) {
      events[record->event.index()] = before;
    }
    if (const auto* wait = std::get_if<HostRuntime::Wait>(&operation.what)) {
      before.insert(events[wait->event.index()].begin(), events[wait->event.index()].end());
    }
  }
  return edges;
}

// Two stages of five lanes each: each lane of the second one starts after all of the first one.
TEST_F(Enqueued, LanesThatWaitForAllLanes) {
  constexpr std::size_t kLanes = 5;
  auto [builder, in] = iosx::test::sketch("wide", Shape{8, 3, 3});
  std::vector<Value> lanes;
  lanes.reserve(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) lanes.push_back(builder.add(fmt::format("a{}", i), plain_conv(8), {in}));
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = builder.add(fmt::format("b{}", i), plain_conv(8), {lanes[i]});
  builder.add("end", Concat{}, lanes);
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, kLowering);
  ASSERT_EQ(plan.stages[1].lanes.size(), kLanes);
  std::size_t waits = 0;
  for (const Kernel& kernel : plan.kernels) waits += kernel.waits.size();
  ASSERT_EQ(waits, kLanes * (kLanes - 1));
  const auto inputs = synthetic_inputs(plan);
  const auto expected = iosx::test::reference_outputs(graph, inputs, 1);
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    Bench bench(Math::kStrict, {.seed = seed});
    PreparedPlan made = prepared(bench, plan);
    expect_close(expected, outputs_of(bench, made, inputs), 1e-5, "streams");
    expect_close(expected, outputs_of(bench, made, inputs, {.graph = true, .copies = 2}), 1e-5, "graph");
    capture(made, bench.runtime);
    EXPECT_EQ(edges_of(bench.runtime.captured()), kLanes * kLanes);
  }
}

// Edges of the graph of so many copies, captured.
std::size_t edges_of(const ExecutionPlan& plan, int copies) {
  Bench bench;
  const PreparedPlan made = prepared(bench, plan);
  capture(made, bench.runtime, {}, copies);
  return edges_of(bench.runtime.captured());
}

// A stage that follows itself is as much waiting in a graph of copies, by which it is measured, as in a plan that has
// it twice: or searches would prefer stages for what the measurement adds.
TEST_F(Enqueued, CopiesOfAStageMeetLikeStagesOfAPlan) {
  constexpr std::size_t kStages = 3;
  std::size_t wide = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::size_t> lengths(1 + random() % 9);
    for (std::size_t& length : lengths) length = 1 + random() % 3;
    GraphBuilder builder("stages");
    std::vector<Value> lanes(lengths.size(), builder.input("in", Shape{8, 3, 3}));
    Schedule schedule;
    std::size_t units = 0;
    for (std::size_t i = 0; i < kStages; ++i) {
      Stage& stage = schedule.stages.emplace_back();
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        Group& group = stage.groups.emplace_back();
        for (std::size_t k = 0; k < lengths[lane]; ++k) {
          lanes[lane] = builder.add(fmt::format("u{}", units), plain_conv(8), {lanes[lane]});
          group.steps.push_back({.units = {UnitId(units++)}});
        }
      }
    }
    const Graph graph = std::move(builder).build().value();
    const ExecutionPlan plan = lower(graph, schedule, 1, kLowering);
    const ExecutionPlan stage = lower_stage(graph, schedule.stages[1], 1, kLowering);
    EXPECT_EQ(edges_of(stage, kStages), edges_of(plan, 1)) << "seed " << seed << ", " << lanes.size() << " lanes";
    if (lanes.size() > 2) ++wide;
  }
  EXPECT_GT(wide, 100U);
}

TEST_F(Enqueued, OfNothingIsNothing) {
  ExecutionPlan empty{.parameters = plan_.parameters};
  const PreparedPlan made = prepared(bench_, empty);
  const Captured graph = capture(made, bench_.runtime, {.stages = true}, 2);
  EXPECT_THAT(texts(bench_.runtime.captured()), ElementsAre("0: mark 16", "0: mark 17"));
  bench_.runtime.launch(StreamId(0), *graph.graph);
  bench_.runtime.synchronize(StreamId(0));
  EXPECT_EQ(bench_.runtime.between(graph.marked.begin, graph.marked.end).count(), 0);
}

// Convolutions take 10 µs and half the device, everything else 1 µs.
TEST_F(Enqueued, MarksSayWhenThingsRan) {
  const auto cost = [](const Step& step) {
    return std::holds_alternative<LibraryStep>(step) ? std::pair(Micros{10}, 0.5) : std::pair(Micros{1}, 0.0);
  };
  Bench bench(Math::kStrict, {.compute = false, .cost = cost});
  const PreparedPlan made = prepared(bench, plan_);
  for (const bool graph : {false, true}) {
    for (const Marks& marks : {Marks{.stages = true}, Marks{.kernels = true}}) {
      Marked timers;
      Captured captured;
      if (graph) {
        captured = capture(made, bench.runtime, marks);
        timers = captured.marked;
        bench.runtime.launch(StreamId(0), *captured.graph);
      } else {
        timers = enqueue(made, bench.runtime, marks);
      }
      bench.runtime.synchronize(StreamId(0));
      const auto micros = [&](const auto& pair) {
        return Micros(bench.runtime.between(pair.first, pair.second)).count();
      };
      EXPECT_NEAR(micros(std::pair(timers.begin, timers.end)), 11, 1e-9);
      const auto& marked = marks.stages ? timers.stages : timers.kernels;
      const auto took =
          mapped<double>(marked, [&](const auto& pair) { return std::round(micros(pair) * 1000) / 1000; });
      EXPECT_EQ(took, marks.stages ? (std::vector<double>{10, 1}) : (std::vector<double>{10, 10, 1}));
    }
  }
}

TEST_F(Enqueued, AFailureDuringACaptureAbandonsIt) {
  PreparedPlan made = prepared(bench_, plan_);
  const auto inputs = synthetic_inputs(plan_);
  FailingRuntime failing(bench_.runtime);
  for (int convolutions = 0; convolutions < 2; ++convolutions) {
    int left = convolutions;
    failing.before_convolution = [&](const auto&, const auto&) {
      if (left-- == 0) throw GpuError("a launch failed");
    };
    EXPECT_THROW(capture(made, failing), GpuError);
    EXPECT_FALSE(failing.capturing);
    expect_close(iosx::test::reference_outputs(graph_, inputs, 1), outputs_of(bench_, made, inputs, {.graph = true}),
                 1e-5, "after a failure");
  }
}

TEST_F(Enqueued, GraphAndStreamsGiveTheSame) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    Bench bench(Math::kHalf, {.seed = seed});
    std::mt19937 random(seed);
    const Graph graph = iosx::test::random_concat_graph(seed, 14);
    const ExecutionPlan plan = lower(graph, iosx::test::random_schedule(graph, random), 1, kLowering);
    const auto inputs = synthetic_inputs(plan);
    PreparedPlan made = prepared(bench, plan);
    const auto eager = outputs_of(bench, made, inputs);
    expect_close(eager, outputs_of(bench, made, inputs, {.graph = true}), 0, "one graph");
    expect_close(eager, outputs_of(bench, made, inputs, {.graph = true, .copies = 3}), 0, "three copies");
  }
}

// Takes one wait of the plan away, where another does not imply it.
std::optional<ExecutionPlan> with_a_wait_less(ExecutionPlan plan, std::size_t which) {
  for (Kernel& kernel : plan.kernels) {
    if (which < kernel.waits.size()) {
      kernel.waits.erase(kernel.waits.begin() + static_cast<std::ptrdiff_t>(which));
      return plan;
    }
    which -= kernel.waits.size();
  }
  return std::nullopt;
}

struct Mutants {
  int all = 0;
  int refused = 0;  // as a race
  int wrong = 0;    // by their outputs
};

Mutants mutants_of(const Graph& graph, const Schedule& schedule) {
  const ExecutionPlan plan = lower(graph, schedule, 1, kLowering);
  const auto inputs = synthetic_inputs(plan);
  const auto expected = iosx::test::reference_outputs(graph, inputs, 1);
  const auto differ = [&](const std::vector<Tensor>& actual) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (!(iosx::test::largest_error(expected[i], actual[i]) < 1e-4)) return true;
    }
    return false;
  };
  Mutants mutants;
  for (std::size_t which = 0;; ++which) {
    const auto mutant = with_a_wait_less(plan, which);
    if (!mutant) return mutants;
    ++mutants.all;
    Bench looking;
    PreparedPlan made = prepared(looking, *mutant);
    try {
      outputs_of(looking, made, inputs);
    } catch (const GpuError&) {
      ++mutants.refused;
    }
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      Bench bench(Math::kStrict, {.seed = seed, .races = false});
      PreparedPlan other = prepared(bench, *mutant);
      if (!differ(outputs_of(bench, other, inputs))) continue;
      ++mutants.wrong;
      break;
    }
  }
}

// Each wait of this plan is needed: without it the sum, or its reader, starts too early.
TEST_F(Enqueued, WithoutAWaitTheTestsFail) {
  for (const Graph& graph : {graph_, iosx::test::fork_join(4)}) {
    const Mutants mutants = mutants_of(graph, greedy_schedule(graph));
    EXPECT_GT(mutants.all, 0);
    EXPECT_EQ(mutants.refused, mutants.all) << graph.name();
    EXPECT_EQ(mutants.wrong, mutants.all) << graph.name();
  }
}

}  // namespace
}  // namespace iosx::gpu::test
