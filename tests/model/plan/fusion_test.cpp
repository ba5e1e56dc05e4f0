#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr LowerOptions kFuse{.fuse = true};
constexpr LowerOptions kFuseSums{.fuse = true, .fuse_sums = true};

// Units of single operators unless begun otherwise; the schedule is one group of all units.
class FusionTest : public testing::Test {
 protected:
  Value conv(const std::string& name, const Value& input, Activation activation = Activation::kIdentity) {
    Conv made{.out_channels = 4, .activation = activation};
    return builder_.add(name, made, {input});
  }
  Value add(const std::string& name, std::vector<Value> inputs) { return builder_.add(name, Add{}, std::move(inputs)); }
  Value relu(const std::string& name, const Value& input) {
    return builder_.add(name, Activate{Activation::kRelu}, {input});
  }

  std::vector<std::string> kernels() {
    graph_.emplace(std::move(builder_).build().value());
    Stage stage{{Group{}}};
    for (std::size_t i = 0; i < graph_->units().size(); ++i) stage.groups[0].steps.push_back(Step{{UnitId(i)}});
    return lowered({"", {stage}});
  }
  std::vector<std::string> lowered(const Schedule& schedule) {
    plan_ = lower(*graph_, schedule, 3, options_);
    return mapped<std::string>(plan_.kernels, &Kernel::name);
  }
  std::vector<std::string> names(const std::vector<OperatorId>& ids) {
    return mapped<std::string>(ids, [&](const OperatorId id) { return graph_->op(id).name; });
  }

  GraphBuilder builder_{"test"};
  Value in_ = builder_.input("in", {4, 2, 2});
  LowerOptions options_ = kFuse;
  std::optional<Graph> graph_;
  ExecutionPlan plan_;
};

TEST_F(FusionTest, ConvolutionSumAndActivationOfAUnitAreOneKernel) {
  const Value other = relu("other", in_);
  builder_.begin_unit("block");
  relu("act", add("add", {other, conv("conv", in_)}));
  builder_.end_unit();
  EXPECT_THAT(kernels(), ElementsAre("other", "conv"));
  const Kernel& kernel = plan_.kernels[1];
  EXPECT_THAT(names(kernel.operators), ElementsAre("conv"));
  EXPECT_THAT(names(kernel.fused), ElementsAre("add", "act"));
  EXPECT_EQ(kernel.units.size(), 1U);
  EXPECT_EQ(fused_activation(kernel.attributes), Activation::kRelu);
  ASSERT_EQ(kernel.reads.size(), 2U);
  EXPECT_EQ(kernel.reads[0].buffer, plan_.inputs[0]);
  EXPECT_EQ(kernel.reads[1].buffer, plan_.kernels[0].writes.buffer);
  EXPECT_EQ(plan_.buffers[kernel.writes.buffer.index()].name, "act");
  EXPECT_EQ(plan_.outputs[0].view.buffer, kernel.writes.buffer);
  double flops = 0;
  std::int64_t bytes = 0;
  for (const char* name : {"conv", "add", "act"}) {
    flops += work(*graph_, graph_->find_operator(name).value(), 3).flops;
    bytes += work(*graph_, graph_->find_operator(name).value(), 3).bytes();
  }
  EXPECT_EQ(kernel.work.flops, flops);
  EXPECT_EQ(kernel.work.bytes(), bytes);
}

TEST_F(FusionTest, SumOrActivationAlone) {
  builder_.begin_unit("first");
  const Value sum = add("add", {conv("a", in_), in_});
  builder_.end_unit();
  builder_.begin_unit("second");
  relu("act", conv("b", sum));
  builder_.end_unit();
  builder_.begin_unit("third");
  relu("tail", builder_.add("fc", Linear{7, Activation::kIdentity}, {sum}));
  builder_.end_unit();
  EXPECT_THAT(kernels(), ElementsAre("a", "b", "fc"));
  EXPECT_EQ(fused_activation(std::as_const(plan_.kernels[0].attributes)), Activation::kIdentity);
  EXPECT_EQ(plan_.kernels[0].reads.size(), 2U);
  EXPECT_EQ(fused_activation(std::as_const(plan_.kernels[1].attributes)), Activation::kRelu);
  EXPECT_EQ(plan_.kernels[1].reads.size(), 1U);
  EXPECT_EQ(fused_activation(std::as_const(plan_.kernels[2].attributes)), Activation::kRelu);
}

// Only the later of the two can add the other's result.
TEST_F(FusionTest, TheOtherOperandMustBeThere) {
  builder_.begin_unit("block");
  const Value early = conv("early", in_);
  add("add", {early, conv("late", in_)});
  builder_.end_unit();
  EXPECT_THAT(kernels(), ElementsAre("early", "late"));
  EXPECT_THAT(plan_.kernels[0].fused, IsEmpty());
  EXPECT_EQ(plan_.kernels[1].reads[1].buffer, plan_.kernels[0].writes.buffer);
}

TEST_F(FusionTest, WhatSomebodyElseReadsStays) {
  const Value read_twice = conv("read twice", in_);
  const Value sum = add("sum", {read_twice, in_});
  relu("reader", read_twice);
  const Value sum_read_twice = add("sum read twice", {conv("b", in_), sum});
  relu("act", sum_read_twice);
  relu("act2", sum_read_twice);
  EXPECT_THAT(kernels(), ElementsAre("read twice", "sum", "reader", "b", "act", "act2"));
  EXPECT_THAT(names(plan_.kernels[3].fused), ElementsAre("sum read twice"));
}

TEST_F(FusionTest, WhatDoesNotFitStays) {
  const Value active = conv("active", in_, Activation::kRelu);
  const Value sum = add("sum of active", {active, in_});
  const Value fixed = builder_.constant("fixed", Tensor({4, 2, 2}, std::vector<float>(16, 1)));
  const Value row = builder_.input("row", {4, 1, 1});
  add("with constant", {conv("a", sum), fixed});
  add("broadcast", {conv("b", sum), row});
  add("three", {conv("c", sum), sum, in_});
  const Value twice = conv("d", sum);
  add("twice", {twice, twice});
  const Value sliced = conv("e", sum);
  relu("slice", Value{sliced.producer, 0, 2});
  builder_.begin_unit("sum then activation");
  relu("act", add("add", {sum, in_}));
  builder_.end_unit();
  kernels();
  for (const Kernel& kernel : plan_.kernels) {
    EXPECT_THAT(kernel.fused, IsEmpty()) << kernel.name;
    if (std::holds_alternative<Conv>(kernel.attributes)) {
      EXPECT_EQ(kernel.reads.size(), 1U);
    }
  }
}

// conv1, conv2, join = relu(conv2 + in): as ResNets are in the zoo. A stage decides alone what is fused in it.
TEST_F(FusionTest, AcrossTheUnitsOfAGroup) {
  const Value first = conv("conv1", in_, Activation::kRelu);
  const Value second = conv("conv2", first);
  builder_.begin_unit("join");
  relu("act", add("add", {second, in_}));
  builder_.end_unit();
  EXPECT_THAT(kernels(), ElementsAre("conv1", "conv2"));
  EXPECT_EQ(plan_.kernels[1].units, (std::vector{UnitId(1), UnitId(2)}));
  EXPECT_THAT(lowered(one_by_one_schedule(*graph_)), ElementsAre("conv1", "conv2", "add", "act"));
}

TEST_F(FusionTest, ASumTakesTheActivationThatAloneReadsIt) {
  options_ = kFuseSums;
  const Value row = builder_.input("row", {4, 1, 1});
  const Value sum = add("sum", {in_, row, in_});
  builder_.add("act", Activate{Activation::kSwish}, {sum});
  EXPECT_THAT(kernels(), ElementsAre("sum"));
  const Kernel& kernel = plan_.kernels[0];
  EXPECT_EQ(kernel.attributes, Attributes(Activate{Activation::kSwish}));
  EXPECT_EQ(kernel.reads.size(), 3U);
  EXPECT_THAT(names(kernel.operators), ElementsAre("sum"));
  EXPECT_THAT(names(kernel.fused), ElementsAre("act"));
  EXPECT_EQ(kernel.units.size(), 2U);
  EXPECT_EQ(plan_.buffers[kernel.writes.buffer.index()].name, "act");
  EXPECT_TRUE(check_plan(plan_));
  EXPECT_THAT(lowered(one_by_one_schedule(*graph_)), ElementsAre("sum", "act")) << "in groups of their own";
  options_ = kFuse;
  EXPECT_THAT(lowered(greedy_schedule(*graph_)), ElementsAre("sum", "act"));
}

TEST_F(FusionTest, ASumThatOthersReadStaysApart) {
  options_ = kFuseSums;
  const Value shared = add("shared", {in_, in_});
  relu("act", shared);
  relu("act2", shared);
  const Value sliced = add("sliced", {in_, in_});
  relu("act of a slice", Value{sliced.producer, 0, 2});
  builder_.add("rounded", Activate{ActivationKind::kRound}, {add("sum", {in_, in_})});
  EXPECT_THAT(kernels(), ElementsAre("shared", "act", "act2", "sliced", "act of a slice", "sum", "rounded"));
  for (const Kernel& kernel : plan_.kernels) EXPECT_THAT(kernel.fused, IsEmpty()) << kernel.name;
}

// The convolution takes the sum and its activation, as without fuse_sums; a sum that it cannot take has its own.
TEST_F(FusionTest, AConvolutionTakesTheSumFirst) {
  options_ = kFuseSums;
  const Value fixed = builder_.constant("fixed", Tensor({4, 2, 2}, std::vector<float>(16, 1)));
  relu("act", add("add", {conv("conv", in_), in_}));
  relu("act2", add("add2", {conv("conv2", in_), fixed}));
  EXPECT_THAT(kernels(), ElementsAre("conv", "conv2", "add2"));
  EXPECT_THAT(names(plan_.kernels[0].fused), ElementsAre("add", "act"));
  EXPECT_THAT(names(plan_.kernels[2].fused), ElementsAre("act2"));
}

TEST_F(FusionTest, AConvolutionTakesTheFunctionOfItsInputThatItAloneReads) {
  graph_.emplace(test::activated_inputs());
  options_ = {.fuse = true, .fuse_before = true};
  EXPECT_THAT(lowered(one_by_one_schedule(*graph_)),
              ElementsAre("taken 3x3", "taken 5x5", "taken, strided", "taken 1x1", "taken, summed",
                          "taken 1x1, strided", "padded.before", "padded", "dense.before", "dense", "smooth.before",
                          "smooth", "shared", "shared 1", "shared 2"));
  must(check_plan(plan_));
  for (const Kernel& kernel : plan_.kernels) {
    EXPECT_EQ(kernel.before != Activation::kIdentity, kernel.name.starts_with("taken")) << kernel.name;
  }
  const Kernel& kernel = plan_.kernels[4];
  EXPECT_EQ(kernel.before, (Activation{ActivationKind::kClip, 0.25F, 0.75F}));
  EXPECT_EQ(fused_activation(kernel.attributes), Activation::kTanh);
  EXPECT_THAT(names(kernel.fused), ElementsAre("taken, summed.before", "sum", "after"));
  EXPECT_THAT(names({kernel.result(), plan_.kernels[0].result()}), ElementsAre("after", "taken 3x3"));
  EXPECT_EQ(kernel.reads[0], (TensorView{plan_.inputs[0], 2, 10}));
  EXPECT_EQ(kernel.reads[1].buffer, plan_.kernels[3].writes.buffer);
  EXPECT_EQ(plan_.buffers[kernel.writes.buffer.index()].name, "after");
  const auto steps = operator_steps(*graph_, plan_);
  EXPECT_THAT(names(steps[4].operators), ElementsAre("taken, summed.before", "taken, summed", "sum", "after"));
}

TEST_F(FusionTest, WhatIsBeforeAConvolutionIsOfItsGroupAndPart) {
  options_ = {.fuse = true, .fuse_before = true};
  conv("taken", relu("act", in_));
  builder_.begin_part("next");
  const Value act = relu("act2", in_);
  builder_.begin_part("last");
  conv("apart", act);
  EXPECT_THAT(kernels(), ElementsAre("taken", "act2", "apart"));
  EXPECT_THAT(names(plan_.kernels[0].fused), ElementsAre("act"));
  EXPECT_EQ(plan_.kernels[0].units.size(), 2U);
  EXPECT_THAT(lowered(one_by_one_schedule(*graph_)), ElementsAre("act", "taken", "act2", "apart"));
}

// The producer takes it, as without fuse_before.
TEST_F(FusionTest, AnActivationIsComputedOnce) {
  options_ = {.fuse = true, .fuse_sums = true, .fuse_before = true};
  conv("after a sum", relu("act2", add("sum", {conv("conv2", relu("act", conv("conv", in_))), in_, in_})));
  EXPECT_THAT(kernels(), ElementsAre("conv", "conv2", "sum", "after a sum"));
  for (const Kernel& kernel : plan_.kernels) EXPECT_EQ(kernel.before, Activation::kIdentity) << kernel.name;
}

TEST_F(FusionTest, PlansMayHaveFunctionsOnlyBeforeConvolutionsThatTakeThem) {
  options_ = {.fuse = true, .fuse_before = true};
  conv("conv", relu("act", in_));
  kernels();
  const auto error_with = [&](const auto& change) {
    ExecutionPlan plan = plan_;
    change(plan.kernels[0]);
    const auto checked = check_plan(plan);
    return checked ? std::string() : checked.error().where;
  };
  EXPECT_EQ(error_with([](Kernel& kernel) { kernel.before = {ActivationKind::kClip, -1, 1}; }), "");
  EXPECT_EQ(error_with([](Kernel& kernel) { kernel.before = Activation::kSwish; }), "kernels[0].before");
  EXPECT_EQ(error_with([](Kernel& kernel) { kernel.fused.clear(); }), "kernels[0].before");
  EXPECT_EQ(error_with([](Kernel& kernel) { kernel.attributes = Identity{}; }), "kernels[0].before");
}

TEST_F(FusionTest, MergedConvolutionsHaveNoResidual) {
  const Value a = conv("a", in_);
  const Value b = conv("b", in_);
  builder_.add("sum a", Add{}, {a, in_});
  builder_.add("sum b", Add{}, {b, in_});
  kernels();
  const Stage stage{{Group{{Step{{UnitId(0), UnitId(1)}}, Step{{UnitId(2)}}, Step{{UnitId(3)}}}}}};
  EXPECT_THAT(lowered({"", {stage}}), ElementsAre("a + b", "copy of a", "copy of b", "sum a", "sum b"));
}

TEST_F(FusionTest, NothingIsFusedForOtherDevices) {
  builder_.begin_unit("block");
  relu("act", add("add", {in_, conv("conv", in_)}));
  builder_.end_unit();
  kernels();
  EXPECT_EQ(lower(*graph_, one_by_one_schedule(*graph_), 1).kernels.size(), 3U);
}

}  // namespace
}  // namespace iosx
