#include "core/model/schedule/merge.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/finer_units.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

Conv conv(std::int64_t channels, Extent kernel, Extent padding) {
  Conv made{.out_channels = channels, .kernel = kernel, .padding = padding, .activation = Activation::kRelu};
  return made;
}

Conv conv3x3() { return conv(16, {3, 3}, {1, 1}); }

Graph built(GraphBuilder builder) { return must(std::move(builder).build()); }

// One unit for each convolution, all on the same input.
Graph siblings(const std::vector<Conv>& convolutions) {
  auto [builder, in] = test::sketch("siblings", {8, 15, 15});
  for (std::size_t i = 0; i < convolutions.size(); ++i)
    builder.add(std::string(1, static_cast<char>('a' + i)), convolutions[i], {in});
  return built(std::move(builder));
}

tl::expected<MergedLayer, MergeRefusal> merge_all(const Graph& graph) {
  std::vector<UnitId> units;
  for (std::size_t i = 0; i < graph.units().size(); ++i) units.emplace_back(i);
  return merge(graph, units);
}

MergeRefusal refusal(const Graph& graph) {
  const auto merged = merge_all(graph);
  EXPECT_FALSE(merged.has_value());
  return merged ? MergeRefusal::kTooFew : merged.error();
}

const Conv& conv_of(const MergedLayer& merged) { return std::get<Conv>(merged.attributes); }

TEST(Merge, StacksFiltersOfEqualKernels) {
  const auto merged = must(merge_all(siblings({conv(16, {3, 3}, {1, 1}), conv(24, {3, 3}, {1, 1})})));
  EXPECT_EQ(conv_of(merged).out_channels, 40);
  EXPECT_EQ(conv_of(merged).kernel, (Extent{3, 3}));
  EXPECT_EQ(conv_of(merged).padding, (Extent{1, 1}));
  EXPECT_EQ(conv_of(merged).activation, Activation::kRelu);
  EXPECT_EQ(conv_of(merged).merged_from, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(merged.axis, 0U);
  EXPECT_EQ(merged.input, (Value{OperatorId(0), 0, 8}));
  EXPECT_EQ(merged.output, (Shape{40, 15, 15}));
  ASSERT_EQ(merged.sources.size(), 2U);
  EXPECT_EQ(merged.sources[0].unit, UnitId(0));
  EXPECT_EQ(merged.sources[0].op, OperatorId(1));
  EXPECT_EQ(merged.sources[0].channel_begin, 0);
  EXPECT_EQ(merged.sources[0].channel_end, 16);
  EXPECT_EQ(merged.sources[1].channel_begin, 16);
  EXPECT_EQ(merged.sources[1].channel_end, 40);
}

TEST(Merge, CentresSmallerKernelsOnEachAxis) {
  const auto merged =
      must(merge_all(siblings({conv(4, {1, 1}, {0, 0}), conv(4, {1, 7}, {0, 3}), conv(4, {5, 1}, {2, 0})})));
  EXPECT_EQ(conv_of(merged).kernel, (Extent{5, 7}));
  EXPECT_EQ(conv_of(merged).padding, (Extent{2, 3}));
  EXPECT_EQ(merged.sources[0].kernel_offset, (Extent{2, 3}));
  EXPECT_EQ(merged.sources[1].kernel_offset, (Extent{2, 0}));
  EXPECT_EQ(merged.sources[2].kernel_offset, (Extent{0, 3}));
}

TEST(Merge, KeepsTheOrderGiven) {
  const Graph graph = siblings({conv(4, {3, 3}, {1, 1}), conv(6, {3, 3}, {1, 1})});
  const auto merged = must(merge(graph, std::vector{UnitId(1), UnitId(0)}));
  EXPECT_EQ(conv_of(merged).merged_from, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(merged.sources[0].unit, UnitId(1));
  EXPECT_EQ(merged.sources[1].channel_begin, 6);
}

TEST(Merge, NamesTheOriginalsOfWhatWasMergedBefore) {
  Conv before = conv3x3();
  before.merged_from = {"x", "y"};
  const auto merged = must(merge_all(siblings({before, conv3x3()})));
  EXPECT_EQ(conv_of(merged).merged_from, (std::vector<std::string>{"x", "y", "b"}));
}

TEST(Merge, LinesUpDilatedKernels) {
  // With dilation 2 a 3×3 kernel reaches two pixels from its centre: the 1×1 kernel needs padding 2 - 2 = 0.
  Conv wide = conv(4, {3, 3}, {2, 2});
  wide.dilation = {2, 2};
  Conv narrow = conv(4, {1, 1}, {0, 0});
  narrow.dilation = {2, 2};
  EXPECT_EQ(must(merge_all(siblings({wide, narrow}))).sources[1].kernel_offset, (Extent{1, 1}));

  // The stride of 4 gives equal output sizes to paddings that do not line up: 3 would do for dilation 1, it takes 4.
  wide.kernel = {5, 5};
  wide.padding = {3, 3};  // (15 + 6 - 9) / 4 + 1 = 4
  wide.stride = narrow.stride = {4, 4};
  narrow.padding = {1, 1};  // (15 + 2 - 1) / 4 + 1 = 5
  EXPECT_EQ(refusal(siblings({wide, narrow})), MergeRefusal::kDifferentOutputSize);
  narrow.padding = {0, 0};  // (15 - 1) / 4 + 1 = 4
  EXPECT_EQ(refusal(siblings({wide, narrow})), MergeRefusal::kNotCentred);
  wide.padding = {4, 4};  // (15 + 8 - 9) / 4 + 1 = 4
  EXPECT_TRUE(merge_all(siblings({wide, narrow})).has_value());
}

TEST(Merge, RefusesFewerThanTwo) {
  const Graph graph = siblings({conv3x3()});
  EXPECT_EQ(refusal(graph), MergeRefusal::kTooFew);
  EXPECT_EQ(merge(graph, {}).error(), MergeRefusal::kTooFew);
}

TEST(Merge, RefusesWhatIsNotExactlyOneConvolution) {
  auto [pool, in] = test::sketch("pool", {8, 15, 15});
  pool.add("a", conv3x3(), {in});
  pool.add("b", Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}, false}, {in});
  EXPECT_EQ(refusal(built(std::move(pool))), MergeRefusal::kNoLayer);

  auto [longer, input] = test::sketch("longer", {8, 15, 15});
  longer.add("a", conv3x3(), {input});
  longer.begin_unit("b");
  longer.add("b1", conv3x3(), {input});
  longer.add("b2", Activate{}, {longer.add("b3", conv3x3(), {input})});
  longer.end_unit();
  EXPECT_EQ(refusal(built(std::move(longer))), MergeRefusal::kNoLayer);
}

// A convolution that is an output of the model too has a copy in its unit.
TEST(Merge, TakesAConvolutionWithItsCopy) {
  auto [builder, in] = test::sketch("output", {8, 15, 15});
  const Value a = builder.add("a", conv3x3(), {in});
  builder.begin_unit("y", "", true);
  const Value b = builder.add("b", conv3x3(), {in});
  builder.add("b.output", Identity{}, {b});
  builder.end_unit();
  builder.add("sum", Add{}, {a, b});
  const Graph graph = built(std::move(builder));
  const std::vector<UnitId> both{UnitId(0), UnitId(1)};
  EXPECT_EQ(must(merge(graph, both)).output, (Shape{32, 15, 15}));
  const std::vector<Stage> stages{{{Group{{Step{both}}}}}, {{Group{{Step{{UnitId(2)}}}}}}};
  const ExecutionPlan plan = lower(graph, {"merged", stages}, 1);
  EXPECT_THAT(kernel_names(plan), Contains("b.output"));
}

tl::expected<MergedLayer, MergeRefusal> merge_named(const Graph& graph, const std::vector<std::string>& names) {
  const auto units = mapped<UnitId>(names, [&](const std::string& name) { return *graph.find_unit(name); });
  return merge(graph, units);
}

TEST(Merge, PutsTheFeaturesOfLinearLayersSideBySide) {
  const Graph graph = test::linear_siblings();
  const auto merged = must(merge_named(graph, {"query", "value", "key"}));
  EXPECT_EQ(merged.attributes, Attributes(Linear{6 + 7 + 6, Activation::kIdentity, 1}));
  EXPECT_EQ(merged.input, graph.whole(*graph.find_operator("in")));
  EXPECT_EQ(merged.output, (Shape{5, 19}));
  EXPECT_EQ(merged.axis, 1U);
  ASSERT_EQ(merged.sources.size(), 3U);
  EXPECT_EQ(merged.sources[0].op, *graph.find_operator("query.linear"));  // its normalisation comes after
  EXPECT_EQ(merged.sources[1].op, *graph.find_operator("value"));
  EXPECT_EQ(merged.sources[1].channel_begin, 6);
  EXPECT_EQ(merged.sources[2].unit, *graph.find_unit("key"));
  EXPECT_EQ(merged.sources[2].channel_begin, 13);
  EXPECT_EQ(merged.sources[2].channel_end, 19);

  const auto wide = must(merge_named(graph, {"left", "right"}));
  EXPECT_EQ(wide.output, (Shape{5, 3, 7}));
  EXPECT_EQ(wide.axis, 2U);
  const auto whole = must(merge_named(graph, {"second", "first"}));
  EXPECT_EQ(whole.output, Shape{7});
  EXPECT_EQ(whole.axis, 0U);
}

TEST(Merge, RefusesLinearLayersThatDiffer) {
  const Graph graph = test::linear_siblings();
  EXPECT_EQ(merge_named(graph, {"value", "gate"}).error(), MergeRefusal::kDifferentActivation);
  EXPECT_EQ(merge_named(graph, {"value", "some"}).error(), MergeRefusal::kDifferentInput);
  EXPECT_EQ(merge_named(graph, {"value", "left"}).error(), MergeRefusal::kDifferentInput);
  EXPECT_EQ(merge_named(graph, {"value", "first"}).error(), MergeRefusal::kDifferentAxis);
  EXPECT_EQ(merge_named(graph, {"value", "scores"}).error(), MergeRefusal::kNoLayer);

  auto [kinds, in] = test::sketch("kinds", {8, 15, 15});
  kinds.add("a", conv3x3(), {in});
  kinds.add("b", Linear{4, Activation::kRelu, 0}, {in});
  EXPECT_EQ(refusal(built(std::move(kinds))), MergeRefusal::kDifferentKind);
}

// What follows a layer in its unit may wait for nothing but that.
TEST(Merge, RefusesLinearLayersWhoseUnitsReadMore) {
  for (const bool other : {false, true}) {
    auto [builder, in] = test::sketch("rest", {5, 8});
    const Value a = builder.add("a", Linear{8, Activation::kIdentity, 1}, {in});
    const Value scale = builder.constant("scale", Shape{1, 8});
    builder.begin_unit("b");
    const Value made = builder.add("b.linear", Linear{8, Activation::kIdentity, 1}, {in});
    builder.add("b.product", Mul{}, {made, other ? a : scale});
    builder.end_unit();
    const auto merged = merge_all(built(std::move(builder)));
    EXPECT_EQ(merged.has_value(), !other);
    if (other) {
      EXPECT_EQ(merged.error(), MergeRefusal::kNoLayer);
    }
  }
}

TEST(Merge, FindsEverySetOfLayers) {
  const Graph graph = test::linear_siblings();
  std::vector<std::vector<std::string>> names;
  for (const auto& set : mergeable_sets(graph)) {
    names.emplace_back();
    for (const UnitId unit : set) names.back().push_back(graph.unit(unit).name);
  }
  EXPECT_EQ(names, (std::vector<std::vector<std::string>>{
                       {"query", "key", "value"}, {"gate", "up"}, {"left", "right"}, {"first", "second"}}));
}

TEST(Merge, RefusesDifferentInputs) {
  GraphBuilder tensors("tensors");
  tensors.add("a", conv3x3(), {tensors.input("x", {8, 15, 15})});
  tensors.add("b", conv3x3(), {tensors.input("y", {8, 15, 15})});
  EXPECT_EQ(refusal(built(std::move(tensors))), MergeRefusal::kDifferentInput);

  auto [slices, in] = test::sketch("slices", {16, 15, 15});
  slices.add("a", conv3x3(), {Value{in.producer, 0, 8}});
  slices.add("b", conv3x3(), {Value{in.producer, 8, 16}});
  EXPECT_EQ(refusal(built(std::move(slices))), MergeRefusal::kDifferentInput);
}

TEST(Merge, AcceptsTheSameSlice) {
  auto [slices, in] = test::sketch("slices", {16, 15, 15});
  slices.add("a", conv3x3(), {Value{in.producer, 8, 16}});
  slices.add("b", conv3x3(), {Value{in.producer, 8, 16}});
  EXPECT_EQ(must(merge_all(built(std::move(slices)))).input, (Value{OperatorId(0), 8, 16}));
}

TEST(Merge, RefusesGroups) {
  Conv grouped = conv3x3();
  grouped.groups = 2;
  EXPECT_EQ(refusal(siblings({conv3x3(), grouped})), MergeRefusal::kGrouped);
  EXPECT_EQ(refusal(siblings({grouped, conv3x3()})), MergeRefusal::kGrouped);
  EXPECT_EQ(refusal(siblings({grouped, grouped})), MergeRefusal::kGrouped);
}

TEST(Merge, RefusesDifferentStride) {
  Conv strided = conv3x3();
  strided.stride = {1, 2};
  EXPECT_EQ(refusal(siblings({conv3x3(), strided})), MergeRefusal::kDifferentStride);
}

TEST(Merge, RefusesDifferentDilation) {
  Conv dilated = conv3x3();
  dilated.dilation = {2, 2};
  dilated.padding = {2, 2};
  EXPECT_EQ(refusal(siblings({conv3x3(), dilated})), MergeRefusal::kDifferentDilation);
}

TEST(Merge, RefusesDifferentActivation) {
  Conv tanh = conv3x3();
  tanh.activation = Activation::kTanh;
  EXPECT_EQ(refusal(siblings({conv3x3(), tanh})), MergeRefusal::kDifferentActivation);
}

TEST(Merge, RefusesDifferentOutputSize) {
  EXPECT_EQ(refusal(siblings({conv3x3(), conv(16, {3, 3}, {0, 1})})), MergeRefusal::kDifferentOutputSize);
  EXPECT_EQ(refusal(siblings({conv3x3(), conv(16, {3, 3}, {1, 0})})), MergeRefusal::kDifferentOutputSize);
}

TEST(Merge, RefusesKernelsThatCannotBeCentred) {
  // Even difference of kernels, same output size thanks to the stride, but the paddings do not line up.
  Conv wide = conv(16, {3, 3}, {0, 0});
  Conv narrow = conv(16, {1, 1}, {0, 0});
  wide.stride = narrow.stride = {3, 3};  // (15 - 3) / 3 + 1 = 5 and (15 - 1) / 3 + 1 = 5
  EXPECT_EQ(refusal(siblings({wide, narrow})), MergeRefusal::kNotCentred);
  EXPECT_EQ(refusal(siblings({narrow, wide})), MergeRefusal::kNotCentred);
  // Odd difference.
  Conv even = conv(16, {2, 2}, {0, 0});
  even.stride = {3, 3};
  EXPECT_EQ(refusal(siblings({even, narrow})), MergeRefusal::kNotCentred);
  // Only the width is off.
  Conv flat = conv(16, {1, 3}, {0, 0});
  flat.stride = {3, 3};
  EXPECT_EQ(refusal(siblings({flat, narrow})), MergeRefusal::kNotCentred);
}

TEST(Merge, EveryRefusalHasItsOwnWords) {
  std::vector<Message> texts;
  for (int i = 0; i <= static_cast<int>(MergeRefusal::kNotCentred); ++i) {
    const Message words = text(static_cast<MergeRefusal>(i));
    EXPECT_EQ(std::count(texts.begin(), texts.end(), words), 0) << words;
    texts.push_back(words);
  }
}

std::vector<std::string> unit_names(const Graph& graph) { return mapped<std::string>(graph.units(), &Unit::name); }

Conv convolution(std::int64_t channels) { return Conv{.out_channels = channels}; }

TEST(FinerUnits, PartAConcatenationFromTheSumsThatItJoins) {
  auto [builder, x] = test::sketch("cell", Shape{4, 8, 8}, "x");
  const Value a = builder.add("a", convolution(4), {x});
  const Value b = builder.add("b", convolution(4), {x});
  builder.begin_unit("join", "Join");
  const Value sum = builder.add("sum", Add{}, {a, b});
  const Value active = builder.add("active", Activate{Activation::kRelu}, {sum});
  const Value other = builder.add("other", Add{}, {x, b});
  builder.add("join", Concat{}, {active, other});
  const Value join = builder.end_unit();
  builder.add("last", convolution(4), {join});
  const Graph graph = std::move(builder).build().value();

  const Graph finer = must(finer_units(graph));
  EXPECT_EQ(unit_names(finer), (std::vector<std::string>{"a", "b", "active", "other", "join", "last"}));
  EXPECT_EQ(finer.unit(UnitId(2)).operators.size(), 2U) << "the activation is all that reads the sum";
  EXPECT_EQ(finer.unit(UnitId(4)).hint, "Join");
  EXPECT_EQ(std::vector(finer.predecessors(UnitId(4)).begin(), finer.predecessors(UnitId(4)).end()),
            (std::vector{UnitId(2), UnitId(3)}));
  EXPECT_EQ(std::vector(finer.outputs().begin(), finer.outputs().end()), std::vector{finer.unit(UnitId(5)).output()});
  EXPECT_FALSE(finer_units(finer)) << "nothing is left to part";
}

TEST(FinerUnits, LeaveWholeUnits) { EXPECT_FALSE(finer_units(test::whole_unit())); }

TEST(FinerUnits, LeaveWhatBeginsWithOneOperator) {
  auto [builder, x] = test::sketch("fork", Shape{4, 8, 8}, "x");
  builder.begin_unit("fork");
  const Value first = builder.add("first", Activate{Activation::kRelu}, {x});
  const Value a = builder.add("a", convolution(4), {first});
  const Value b = builder.add("b", convolution(4), {first});
  builder.add("sum", Add{}, {a, b});
  builder.end_unit();
  EXPECT_FALSE(finer_units(std::move(builder).build().value()));
  EXPECT_FALSE(finer_units(zoo_network("squeezenet").value()));
}

// What a kernel computes and where, without the unit that it is counted to.
std::vector<Kernel> without_units(ExecutionPlan plan) {
  for (Kernel& kernel : plan.kernels) kernel.units.clear();
  return std::move(plan.kernels);
}

TEST(FinerUnits, OfASchedulesUnitsAreTheSameKernels) {
  for (const char* network : {"nasnet", "nasnet_mobile", "mixture_of_experts", "parallel_vit_s16", "efficientdet_d0"}) {
    const Graph graph = prepare(zoo_network(network).value(), {}).value();
    const std::optional<Graph> finer = finer_units(graph);
    if (!finer) continue;
    EXPECT_EQ(finer->parts().size(), graph.parts().size());
    EXPECT_GT(finer->units().size(), graph.units().size());
    for (const LowerOptions& lowering : {LowerOptions{}, LowerOptions{.fuse = true, .concat_in_place = true}}) {
      StagePlanner planner(graph, 1, lowering);
      StagePlanner finer_planner(*finer, 1, lowering);
      for (const Schedule& schedule :
           {sequential_schedule(graph), greedy_schedule(graph), one_by_one_schedule(graph)}) {
        const Schedule same = on_finer_units(schedule, graph, *finer);
        ASSERT_TRUE(check_legal(*finer, same)) << network << ' ' << schedule.name;
        EXPECT_EQ(without_units(finer_planner.plan(same)), without_units(planner.plan(schedule)))
            << network << ' ' << schedule.name;
      }
    }
  }
}

// A cell of the benchmarked NASNet joins five sums, of which its concatenation's unit held all.
TEST(FinerUnits, OfNasnetAreItsSums) {
  const Graph graph = zoo_network("nasnet").value();
  const Graph finer = must(finer_units(graph));
  const std::optional<UnitId> join = finer.find_unit("cell_stem_0.concat");
  ASSERT_TRUE(join) << "the last piece keeps the name";
  EXPECT_EQ(finer.unit(*join).operators.size(), 1U);
}

}  // namespace

}  // namespace iosx
