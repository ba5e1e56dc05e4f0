// Operators that one kernel computes together: attention, and squeeze and excitation.

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/model/trace/unit_spans.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

constexpr LowerOptions kAttention{.fuse = true, .fuse_attention = true, .strided_products = true};

ExecutionPlan one_by_one(const Graph& graph, const LowerOptions& wishes, std::int64_t batch = 1) {
  ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), batch, wishes);
  must(check_plan(plan));
  return plan;
}

const Kernel& kernel_named(const ExecutionPlan& plan, std::string_view name) {
  const auto found = std::ranges::find(plan.kernels, name, &Kernel::name);
  IOS_CHECK(found != plan.kernels.end());
  return *found;
}

std::map<std::string, float> scales(const ExecutionPlan& plan) {
  std::map<std::string, float> scales;
  for (const Kernel& kernel : plan.kernels) {
    if (kernel.is_attention()) scales[kernel.name] = kernel.scale;
  }
  return scales;
}

TEST(Attention, IsOneKernelInEveryForm) {
  const Graph graph = test::attention_forms();
  const std::map<std::string, float> expected{{"plain.scores", 1.0F},
                                              {"scaled.scores", 0.25F},
                                              {"divided.scores", 0.25F},
                                              {"both.query.factor", -0.375F},
                                              {"single.scores", 0.5F}};
  const ExecutionPlan plan = one_by_one(graph, kAttention);
  EXPECT_EQ(scales(plan), expected);
  for (const std::string apart : {"masked", "shared", "across"}) {
    EXPECT_THAT(kernel_names(plan), IsSupersetOf({apart + ".scores", apart + ".softmax", apart + ".context"}));
  }
  const Kernel& kernel = kernel_named(plan, "both.query.factor");
  const auto names = mapped<std::string>(kernel.fused, [&](OperatorId id) { return graph.op(id).name; });
  EXPECT_THAT(names, ElementsAre("both.key.factor", "both.scores", "both.softmax", "both.context"));
  EXPECT_EQ(graph.op(kernel.result()).name, "both.context");
  EXPECT_EQ(plan.buffers[kernel.reads[1].buffer.index()].name, "both.key") << "nobody turns it";
  EXPECT_EQ(kernel.reads[1].seen, (std::vector<SeenAxis>{{1, 2, 8}, {1, 8, 1}, {0, 5, 1}}));
  EXPECT_EQ(plan.buffers[kernel.writes.buffer.index()].name, "both.join");
  EXPECT_EQ(kernel_named(plan, "single.scores").reads[1].seen, (std::vector<SeenAxis>{{1, 8, 1}, {0, 5, 1}}))
      << "the other unit leaves it as it is";

  LowerOptions turned = kAttention;
  turned.strided_products = false;
  EXPECT_EQ(scales(one_by_one(graph, turned)), expected);
  EXPECT_EQ(scales(one_by_one(graph, kAttention, 2)), expected);
  EXPECT_THAT(scales(one_by_one(graph, {.fuse = true, .strided_products = true})), IsEmpty());
}

TEST(Attention, IsInOneUnitAndNotOfSparseProducts) {
  EXPECT_THAT(scales(one_by_one(test::interleaved_heads(), kAttention)), IsEmpty()) << "each operator is a unit";
  for (const bool sparse : {false, true}) {
    GraphBuilder builder("test");
    const Value in = builder.input("in", {4, 4});
    builder.begin_unit("attention");
    const Value scores = builder.add("scores", MatMul{sparse}, {in, in});
    builder.add("context", MatMul{}, {builder.add("softmax", Softmax{1}, {scores}), in});
    builder.end_unit();
    EXPECT_EQ(scales(one_by_one(std::move(builder).build().value(), kAttention)).empty(), sparse);
  }
}

// One operator may read another one's result twice.
TEST(Attention, ReadsNothingThatItComputes) {
  GraphBuilder builder("test");
  const Value in = builder.input("in", {4, 4});
  const Value half = builder.constant("half", Tensor({1}, {0.5F}));
  builder.begin_unit("squared shares");
  const Value shares = builder.add("shares", Softmax{1}, {builder.add("scores", MatMul{}, {in, in})});
  const Value first = (builder.add("squared", MatMul{}, {shares, shares}), builder.end_unit());
  builder.begin_unit("squared queries");
  const Value queries = builder.add("queries", Mul{}, {first, half});
  const Value square = builder.add("square", MatMul{}, {queries, queries});
  builder.add("context", MatMul{}, {builder.add("softmax", Softmax{1}, {square}), in});
  builder.end_unit();
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = one_by_one(graph, kAttention);
  EXPECT_EQ(scales(plan), (std::map<std::string, float>{{"square", 1.0F}}));
  EXPECT_EQ(plan.kernels.size(), 5U);
}

TEST(Attention, IsOneKernelUnderEverySchedule) {
  const Graph graph = test::attention_forms();
  std::mt19937 random(5);
  for (int i = 0; i < 30; ++i) {
    const ExecutionPlan plan = lower(graph, test::random_schedule(graph, random), 1 + i % 2, kAttention);
    must(check_plan(plan));
    EXPECT_EQ(scales(plan).size(), 5U);
    std::size_t operators = 0;
    for (const OperatorStep& step : operator_steps(graph, plan)) operators += step.operators.size();
    EXPECT_EQ(operators, static_cast<std::size_t>(std::ranges::count_if(
                             graph.operators(), [](const Operator& op) { return !op.is_source(); })));
  }
}

TEST(Attention, MayStandOnlyWhereItIs) {
  const Graph graph = test::attention_forms();
  const ExecutionPlan plan = one_by_one(graph, kAttention);
  const auto error_with = [&](const std::string& name, const auto& change) {
    ExecutionPlan other = plan;
    change(const_cast<Kernel&>(kernel_named(other, name)));
    const auto checked = check_plan(other);
    return checked ? std::string() : checked.error().where.substr(checked.error().where.find('.') + 1);
  };
  EXPECT_EQ(error_with("scaled.scores", [](Kernel& kernel) { kernel.scale = 3; }), "");
  EXPECT_EQ(error_with("scaled.scores", [](Kernel& kernel) { kernel.scale = NAN; }), "scale");
  EXPECT_EQ(error_with("masked.scores", [](Kernel& kernel) { kernel.scale = 3; }), "scale");
  EXPECT_EQ(error_with("scaled.scores", [](Kernel& kernel) { std::swap(kernel.reads[1], kernel.reads[2]); }),
            "attributes");
  EXPECT_EQ(error_with("scaled.scores", [](Kernel& kernel) { kernel.excitation.squeezed = 4; }), "excitation");
}

constexpr LowerOptions kExcitation{.fuse = true, .fuse_excitation = true};

std::vector<std::string> excited(const Graph& graph, const ExecutionPlan& plan) {
  std::vector<std::string> names;
  for (const Kernel& kernel : plan.kernels) {
    if (kernel.excitation.squeeze.valid()) names.push_back(graph.op(kernel.result()).name);
  }
  return names;
}

TEST(Excitation, IsOneKernelInOneGroup) {
  const Graph graph = test::excited_maps();
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 2, kExcitation);
  must(check_plan(plan));
  EXPECT_THAT(excited(graph, plan), ElementsAre("convolved.scale", "linear.scale", "apart.scale"));
  EXPECT_THAT(excited(graph, one_by_one(graph, kExcitation)), ElementsAre("convolved.scale", "linear.scale"));
  EXPECT_THAT(excited(graph, one_by_one(graph, {.fuse = true})), IsEmpty());
  const Kernel& kernel = kernel_named(plan, "linear.pool");
  EXPECT_EQ(kernel.excitation, (Excitation{.squeeze = graph.find_operator("linear.squeeze").value(),
                                           .excite = graph.find_operator("linear.excite").value(),
                                           .squeezed = 6,
                                           .inner = Activation::kTanh,
                                           .gate = Activation::kSigmoid}));
  const auto names = mapped<std::string>(kernel.fused, [&](OperatorId id) { return graph.op(id).name; });
  EXPECT_THAT(names, ElementsAre("linear.squeeze", "linear.inner", "linear.excite", "linear.reshape", "linear.scale"));
  ASSERT_EQ(kernel.reads.size(), 1U);
  EXPECT_EQ(plan.buffers[kernel.reads[0].buffer.index()].name, "linear.map");
  EXPECT_EQ(plan.buffers[kernel.writes.buffer.index()].name, "linear.scale");
  const UnitSpans spans = expected_spans(graph, plan);
  const auto unit = [&](const std::string& name) { return graph.find_unit(name).value(); };
  EXPECT_FALSE(spans.computed_with[unit("apart.pool").index()].valid());
  EXPECT_TRUE(spans.of_unit[unit("apart.scale").index()].empty());
  for (const std::string other : {"apart.squeeze", "apart.excite", "apart.gate", "apart.scale"}) {
    EXPECT_EQ(spans.computed_with[unit(other).index()], unit("apart.pool")) << other;
  }
}

TEST(Excitation, HasFewWeightsAndOnePart) {
  const auto counted = [](const std::string& network, const LowerOptions& wishes) {
    const Graph graph = zoo_network(network).value();
    return excited(graph, lower(graph, sequential_schedule(graph), 1, wishes)).size();
  };
  EXPECT_EQ(counted("efficientnet_b0", kExcitation), 16U) << "all of its blocks";
  EXPECT_EQ(counted("mobilenet_v3_large", kExcitation), 4U) << "the others have 672 or 960 channels";
  EXPECT_EQ(counted("efficientnet_b0", {.fuse = true}), 0U);
  for (const bool parts : {false, true}) {
    GraphBuilder builder("test");
    const Value in = builder.input("in", {8, 4, 4});
    Pool mean;
    mean.kind = PoolKind::kGlobalAverage;
    Value gate = builder.add("squeeze", Conv{.out_channels = 2}, {builder.add("pool", mean, {in})});
    if (parts) builder.begin_part("next");
    gate = builder.add("excite", Conv{.out_channels = 8}, {gate});
    builder.add("scale", Mul{}, {in, gate});
    const Graph graph = std::move(builder).build().value();
    Stage stage{{Group{}}};
    for (std::size_t i = 0; i < graph.units().size(); ++i) stage.groups[0].steps.push_back(Step{{UnitId(i)}});
    EXPECT_EQ(excited(graph, lower(graph, {"", {stage}}, 1, kExcitation)).size(), parts ? 0U : 1U);
  }
}

// A gate has as many numbers as the map has channels, and yet multiplies pixels or columns.
TEST(Excitation, HasANumberForEachChannel) {
  const auto counted = [](const Shape& map, const Shape& gate_shape) {
    GraphBuilder builder("test");
    const Value in = builder.input("in", map);
    Pool mean;
    mean.kind = PoolKind::kGlobalAverage;
    builder.begin_unit("unit");
    Value gate = builder.add("squeeze", Conv{.out_channels = 2}, {builder.add("pool", mean, {in})});
    gate = builder.add("excite", Conv{.out_channels = map.channels()}, {gate});
    if (gate_shape.rank() > 0) gate = builder.add("reshape", Reshape{gate_shape}, {gate});
    builder.add("scale", Mul{}, {gate, in});
    builder.end_unit();
    const Graph graph = std::move(builder).build().value();
    return excited(graph, one_by_one(graph, kExcitation)).size();
  };
  EXPECT_EQ(counted({16, 4, 4}, {}), 1U);
  EXPECT_EQ(counted({16, 4, 4}, {16, 1, 1}), 1U);
  EXPECT_EQ(counted({16, 4, 4}, {1, 4, 4}), 0U);
  EXPECT_EQ(counted({4, 4, 4}, {4}), 0U);
  EXPECT_EQ(counted({4, 4, 4}, {1, 4, 1}), 0U);
  EXPECT_EQ(counted({16, 1, 2}, {}), 1U);
  EXPECT_EQ(counted({16, 1, 1}, {}), 0U) << "one pixel is its own mean";
}

TEST(Excitation, IsValidUnderEverySchedule) {
  const Graph graph = test::excited_maps();
  std::mt19937 random(6);
  std::size_t found = 0;
  for (int i = 0; i < 30; ++i) {
    const ExecutionPlan plan = lower(graph, test::random_schedule(graph, random), 1 + i % 2, kExcitation);
    must(check_plan(plan));
    found += excited(graph, plan).size();
  }
  EXPECT_GE(found, 60U);
}

TEST(Excitation, MayStandOnlyWhereItIs) {
  const Graph graph = test::excited_maps();
  const ExecutionPlan plan = one_by_one(graph, kExcitation);
  const auto sound = [&](const auto& change) {
    ExecutionPlan other = plan;
    change(const_cast<Kernel&>(kernel_named(other, "convolved.pool")));
    const auto checked = check_plan(other);
    return checked.has_value() || !checked.error().where.ends_with(".excitation");
  };
  EXPECT_TRUE(sound([](Kernel& kernel) { kernel.excitation.gate = Activation::kTanh; }));
  EXPECT_FALSE(sound([](Kernel& kernel) { kernel.excitation.squeezed = 5; }));
  EXPECT_FALSE(sound([](Kernel& kernel) { kernel.excitation.squeeze = OperatorId(1000); }));
  EXPECT_FALSE(sound([](Kernel& kernel) { std::swap(kernel.excitation.squeeze, kernel.excitation.excite); }));
  EXPECT_FALSE(sound([](Kernel& kernel) { kernel.attributes = Add{}; }));
  EXPECT_FALSE(sound([](Kernel& kernel) { kernel.reads.push_back(kernel.reads[0]); }));

  GraphBuilder builder("test");
  const Value in = builder.input("in", {4096, 2, 2});
  Pool mean;
  mean.kind = PoolKind::kGlobalAverage;
  const Value squeeze = builder.add("squeeze", Conv{.out_channels = 8}, {builder.add("pool", mean, {in})});
  builder.add("scale", Mul{}, {in, builder.add("excite", Conv{.out_channels = 4096}, {squeeze})});
  ExecutionPlan large = one_by_one(std::move(builder).build().value(), kExcitation);
  Kernel& scale = large.kernels.back();
  ASSERT_FALSE(scale.excitation.squeeze.valid());
  scale.reads.resize(1);
  scale.excitation = {.squeeze = squeeze.producer, .excite = OperatorId(3), .squeezed = 8, .inner = {}, .gate = {}};
  EXPECT_THAT(check_plan(large).error().where, EndsWith(".excitation"));
}

// Stage keys of networks without a pattern do not change, so what was measured stays known.
TEST(Patterns, LeaveOtherNetworksTheirKeys) {
  for (const std::string network : {"squeezenet", "resnet18", "nasnet"}) {
    const Graph graph = zoo_network(network).value();
    StagePlanner before(graph, 1, {.fuse = true, .strided_products = true});
    StagePlanner after(graph, 1,
                       {.fuse = true, .fuse_attention = true, .fuse_excitation = true, .strided_products = true});
    for (const Stage& stage : greedy_schedule(graph).stages) {
      EXPECT_EQ(before.canonical(stage).key.text(), after.canonical(stage).key.text()) << network;
    }
  }
}

}  // namespace
}  // namespace iosx
