// Transposes between matrix products and other tensors (LowerOptions::strided_products).

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using Axes = std::vector<SeenAxis>;

constexpr LowerOptions kStrided{.strided_products = true};

ExecutionPlan one_by_one(const Graph& graph, std::int64_t batch = 1, const LowerOptions& wishes = kStrided) {
  ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), batch, wishes);
  must(check_plan(plan));
  return plan;
}

const Kernel& kernel(const ExecutionPlan& plan, std::string_view name) {
  const auto found = std::ranges::find(plan.kernels, name, &Kernel::name);
  IOS_CHECK(found != plan.kernels.end());
  return *found;
}

std::string buffer_name(const ExecutionPlan& plan, const TensorView& view) {
  return plan.buffers[view.buffer.index()].name;
}

TEST(SeenTensors, HeadsAreSeenInTheRowsOfTokens) {
  const Graph graph = test::interleaved_heads();
  const ExecutionPlan plan = one_by_one(graph);
  EXPECT_THAT(kernel_names(plan),
              ElementsAre("a.query", "a.key", "a.value", "a.scores", "a.softmax", "a.context", "a.output", "b.all",
                          "b.scores", "b.softmax", "b.context", "b.output", "square", "turned again", "sum"));
  const Kernel& scores = kernel(plan, "a.scores");
  EXPECT_EQ(buffer_name(plan, scores.reads[0]), "a.query");
  EXPECT_EQ(scores.reads[0].seen, (Axes{{1, 3, 4}, {0, 5, 1}, {1, 4, 1}}));
  EXPECT_EQ(shape_of(plan.buffers[scores.reads[0].buffer.index()], scores.reads[0]), (Shape{3, 5, 4}));
  EXPECT_EQ(scores.reads[1].seen, (Axes{{1, 3, 4}, {1, 4, 1}, {0, 5, 1}}));
  EXPECT_THAT(scores.writes.seen, IsEmpty());
  const Kernel& context = kernel(plan, "a.context");
  EXPECT_EQ(buffer_name(plan, context.writes), "a.join");
  EXPECT_EQ(context.writes.seen, (Axes{{1, 3, 4}, {0, 5, 1}, {1, 4, 1}}));
  EXPECT_EQ(context.output, (Shape{3, 5, 4}));
  EXPECT_EQ(kernel(plan, "a.output").reads[0], (TensorView{context.writes.buffer, 0, 5}));
}

TEST(SeenTensors, AThirdOfTheColumnsBeginsWhereItLies) {
  const ExecutionPlan plan = one_by_one(test::interleaved_heads());
  const Kernel& scores = kernel(plan, "b.scores");
  EXPECT_EQ(buffer_name(plan, scores.reads[0]), "b.all");
  EXPECT_EQ(scores.reads[0].seen, (Axes{{1, 3, 4}, {0, 5, 1}, {1, 4, 1}}));
  EXPECT_EQ(scores.reads[1].seen, (Axes{{1, 3, 4, 12}, {1, 4, 1}, {0, 5, 1}}));
  EXPECT_EQ(kernel(plan, "b.context").reads[1].seen, (Axes{{1, 3, 4, 24}, {0, 5, 1}, {1, 4, 1}}));
}

// One matrix of each sample has one stride; heads of each sample have two.
TEST(SeenTensors, OfABatchOnlySingleMatricesAre) {
  const ExecutionPlan plan = one_by_one(test::interleaved_heads(), 2);
  const auto names = kernel_names(plan);
  EXPECT_THAT(names, IsSupersetOf({"a.query.turn", "a.key.turn", "a.turn", "b.turn all"}));
  EXPECT_THAT(names, Not(Contains("turned")));
  EXPECT_EQ(kernel(plan, "square").reads[0].seen, (Axes{{1, 12, 1}, {0, 5, 1}}));
}

TEST(SeenTensors, WhatOthersReadStays) {
  GraphBuilder builder("test");
  const Value in = builder.input("in", {4, 6});
  const auto turn = [&](const std::string& name, const Value& value) {
    return builder.add(name, Transpose{{1, 0}}, {value});
  };
  const Value shared = turn("shared", in);
  const Value product = builder.add("product", MatMul{}, {in, shared});
  builder.add("relu", Activate{Activation::kRelu}, {shared});
  const Value twice = builder.add("twice", MatMul{}, {product, in});
  builder.add("turned", Activate{Activation::kRelu}, {turn("of two readers", twice)});
  builder.add("plain", Activate{Activation::kRelu}, {twice});
  // Rows of 3 run over the columns, turned or not.
  const Value rows = builder.add("rows", Reshape{Shape{8, 3}}, {turn("first", in)});
  builder.add("last", MatMul{}, {rows, builder.input("right", {3, 2})});
  const ExecutionPlan plan = one_by_one(std::move(builder).build().value());
  EXPECT_THAT(kernel_names(plan), ElementsAre("shared", "product", "relu", "twice", "of two readers", "turned", "plain",
                                              "first", "rows", "last"));
}

TEST(SeenTensors, AProductReadsOneOfSeveral) {
  GraphBuilder builder("test");
  const Value in = builder.input("in", {5, 8});
  const Value split = builder.add("split", Reshape{Shape{5, 2, 4}}, {in});
  const Value turned = builder.add("turned", Transpose{{1, 0, 2}}, {split});
  builder.add("first", MatMul{}, {Value{turned.producer, 0, 1}, builder.input("right", {1, 4, 3})});
  builder.add("second", MatMul{}, {Value{turned.producer, 1, 2}, builder.input("other", {1, 4, 3})});
  const ExecutionPlan plan = one_by_one(std::move(builder).build().value());
  EXPECT_THAT(kernel_names(plan), ElementsAre("first", "second"));
  EXPECT_EQ(plan.kernels[0].reads[0].seen, (Axes{{1, 1, 4}, {0, 5, 1}, {1, 4, 1}}));
  EXPECT_EQ(plan.kernels[1].reads[0].seen, (Axes{{1, 1, 4}, {0, 5, 1}, {1, 4, 1, 4}}));
}

TEST(SeenTensors, AreValidUnderEverySchedule) {
  const Graph graph = test::interleaved_heads();
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    const Schedule schedule = test::random_schedule(graph, random);
    LowerOptions wishes{.fuse = i % 2 == 0, .concat_in_place = i % 3 == 0, .free_columns = i % 4 < 2};
    wishes.strided_products = true;
    const ExecutionPlan plan = lower(graph, schedule, 1, wishes);
    must(check_plan(plan));
    EXPECT_EQ(plan.stages.size(), schedule.stages.size());
    std::size_t steps = 0;
    for (const OperatorStep& step : operator_steps(graph, plan)) steps += step.operators.size();
    EXPECT_EQ(steps, graph.operators().size() - 1) << "all but the input";
    for (const Stage& stage : schedule.stages) must(check_plan(lower_stage(graph, stage, 1, wishes)));
  }
}

// Where nothing is seen otherwise, the keys of stages are those that were kept.
TEST(SeenTensors, DistinguishStagesOnlyWhereTheyAre) {
  const Graph graph = test::interleaved_heads();
  StagePlanner plain(graph, 1, {});
  StagePlanner strided(graph, 1, kStrided);
  std::vector<std::string> others;
  for (const Stage& stage : one_by_one_schedule(graph).stages) {
    const PlannedStage planned = strided.plan(stage);
    if (planned.key != plain.plan(stage).key) {
      others.push_back(planned.plan.kernels.empty() ? "" : planned.plan.kernels.front().name);
    }
  }
  std::erase(others, "");
  EXPECT_THAT(others, ElementsAre("a.scores", "a.context", "b.scores", "b.context", "square"));
}

TEST(SeenTensors, OfAnotherDeviceAreChecked) {
  const ExecutionPlan plan = one_by_one(test::interleaved_heads());
  const auto refusal = [&](const auto& change) {
    ExecutionPlan faulty = plan;
    change(faulty);
    return refused(check_plan(faulty)).where;
  };
  const auto scores = static_cast<std::size_t>(&kernel(plan, "b.scores") - plan.kernels.data());
  const auto axes = [scores](ExecutionPlan& faulty) -> Axes& { return faulty.kernels[scores].reads[1].seen; };
  const std::string place = fmt::format("kernels[{}]", scores);
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) { axes(faulty)[0].begin = 25; }), place + ".reads[1]");
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) { axes(faulty)[0].step = 3; }), place + ".reads[1]");
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) { axes(faulty)[2].axis = 2; }), place + ".reads[1]");
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) { axes(faulty)[1].begin = -1; }), place + ".reads[1]");
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) { axes(faulty)[1].size = std::int64_t{1} << 60; }), place + ".reads[1]");
  EXPECT_EQ(refusal([&](ExecutionPlan& faulty) {
              faulty.kernels[scores].writes.seen = {{0, 3, 1}, {1, 4, 1}, {2, 5, 1}};
              faulty.kernels[scores].output = Shape{3, 4, 5};
            }),
            place + ".writes");
  EXPECT_EQ(refusal([](ExecutionPlan& faulty) {
              faulty.kernels[0].reads[0].seen = {{1, 12, 1}, {0, 5, 1}};
            }),
            "kernels[0]");
  EXPECT_EQ(refusal([](ExecutionPlan& faulty) {
              faulty.outputs[0].view.seen = {{1, 5, 1}, {0, 12, 1}};
            }),
            "outputs[0].view");
}

}  // namespace
}  // namespace iosx
