#include "core/model/graph/shape_inference.h"
#include "core/model/graph/work.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.channels() << "x" << shape.height() << "x" << shape.width();
}

namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

Conv conv(std::int64_t out, Extent kernel, Extent stride = {}, Extent padding = {0, 0}, Extent dilation = {},
          std::int64_t groups = 1) {
  return Conv{out, kernel, stride, padding, dilation, groups, Activation::kIdentity, {}};
}

struct Fits {
  const char* name;
  Attributes attributes;
  std::vector<Shape> inputs;
  Shape output;
};

void PrintTo(const Fits& a_case, std::ostream* out) { *out << a_case.name; }

class ShapeFits : public testing::TestWithParam<Fits> {};

TEST_P(ShapeFits, IsInferred) {
  EXPECT_EQ(must(infer_shape(GetParam().attributes, GetParam().inputs)), GetParam().output);
}

// The expected sizes were worked out by hand from floor((in + 2 padding - dilation (kernel - 1) - 1) / stride) + 1.
INSTANTIATE_TEST_SUITE_P(
    Operators, ShapeFits,
    testing::Values(
        Fits{"Input", Input{{3, 224, 200}}, {}, {3, 224, 200}},
        Fits{"ConvValid", conv(32, {3, 3}, {2, 2}), {{3, 299, 299}}, {32, 149, 149}},
        Fits{"ConvSame", conv(64, {3, 3}, {1, 1}, {1, 1}), {{3, 32, 33}}, {64, 32, 33}},
        Fits{"ConvStemOfResnet", conv(64, {7, 7}, {2, 2}, {3, 3}), {{3, 224, 224}}, {64, 112, 112}},
        Fits{"ConvRow", conv(192, {1, 7}, {1, 1}, {0, 3}), {{128, 17, 17}}, {192, 17, 17}},
        Fits{"ConvColumnUnpadded", conv(8, {7, 1}), {{8, 17, 17}}, {8, 11, 17}},
        Fits{"ConvStrideOfOneAxis", conv(8, {3, 3}, {1, 2}, {1, 1}), {{8, 9, 9}}, {8, 9, 5}},
        Fits{"ConvDilated", conv(8, {3, 3}, {1, 1}, {2, 2}, {2, 2}), {{4, 10, 12}}, {8, 10, 12}},
        Fits{"ConvDilatedOneAxis", conv(8, {3, 3}, {1, 1}, {0, 0}, {3, 1}), {{4, 10, 12}}, {8, 4, 10}},
        Fits{"ConvDepthwise", conv(42, {5, 5}, {2, 2}, {2, 2}, {1, 1}, 42), {{42, 165, 165}}, {42, 83, 83}},
        Fits{"ConvGroups", conv(6, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 2), {{4, 5, 5}}, {6, 5, 5}},
        Fits{"ConvKernelFillsPaddedInput", conv(1, {5, 5}, {1, 1}, {1, 1}), {{1, 3, 3}}, {1, 1, 1}},
        Fits{"MaxPool", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, false}, {{96, 112, 112}}, {96, 55, 55}},
        Fits{"MaxPoolCeil", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, true}, {{96, 112, 112}}, {96, 56, 56}},
        Fits{"CeilWithNothingLeft", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, true}, {{8, 7, 7}}, {8, 3, 3}},
        // A fourth window would start at pixel 6 of input plus left padding 1 + 5 = 6: only in right padding, so none.
        Fits{"CeilWindowOnlyInPadding", Pool{PoolKind::kAverage, {2, 2}, {2, 2}, {1, 1}, true}, {{8, 5, 5}}, {8, 3, 3}},
        Fits{"AveragePool", Pool{PoolKind::kAverage, {3, 3}, {1, 1}, {1, 1}, false}, {{192, 35, 35}}, {192, 35, 35}},
        Fits{"GlobalAverage", Pool{PoolKind::kGlobalAverage, {}, {}, {0, 0}, false}, {{2048, 8, 7}}, {2048, 1, 1}},
        Fits{"GlobalMax", Pool{PoolKind::kGlobalMax, {}, {}, {0, 0}, false}, {{5, 8, 7}}, {5, 1, 1}},
        Fits{"Relu", Activate{Activation::kRelu}, {{5, 8, 7}}, {5, 8, 7}},
        Fits{"Identity", Identity{}, {{5, 8, 7}}, {5, 8, 7}},
        Fits{"AddOfThree", Add{}, {{5, 8, 7}, {5, 8, 7}, {5, 8, 7}}, {5, 8, 7}},
        Fits{"Mul", Mul{}, {{5, 8, 7}, {5, 8, 7}}, {5, 8, 7}},
        Fits{"Concat", Concat{}, {{5, 8, 7}, {1, 8, 7}, {10, 8, 7}}, {16, 8, 7}},
        Fits{"ConcatOfOne", Concat{}, {{5, 8, 7}}, {5, 8, 7}},
        Fits{"Linear", Linear{1000, Activation::kIdentity}, {{256, 6, 6}}, {1000}},
        Fits{"LinearOfEachPlace", Linear{1000, Activation::kIdentity, 1}, {{256, 6, 6}}, {256, 1000}},
        Fits{"LinearOfTheLastAxis", Linear{5, Activation::kIdentity, 2}, {{4, 6, 7}}, {4, 6, 5}}),
    [](const auto& info) { return std::string(info.param.name); });

struct Misfit {
  const char* name;
  Attributes attributes;
  std::vector<Shape> inputs;
  const char* says;
};

void PrintTo(const Misfit& a_case, std::ostream* out) { *out << a_case.name; }

class ShapeMisfits : public testing::TestWithParam<Misfit> {};

TEST_P(ShapeMisfits, AreErrors) {
  const Error error = refused(infer_shape(GetParam().attributes, GetParam().inputs));
  EXPECT_THAT(error.what, HasSubstr(GetParam().says));
  EXPECT_EQ(error.where, "");
}

INSTANTIATE_TEST_SUITE_P(
    Operators, ShapeMisfits,
    testing::Values(
        Misfit{"InputWithoutChannels", Input{{0, 2, 2}}, {}, "outside 1.."},
        Misfit{"InputTooWide", Input{{1, 2, kHuge}}, {}, "outside 1.."},
        Misfit{"InputWithTooManyElements", Input{{1 << 20, 1 << 20, 1 << 20}}, {}, "elements"},
        Misfit{"ConvWithoutInput", conv(8, {1, 1}), {}, "needs 1 input(s), has 0"},
        Misfit{"ConvWithTwoInputs", conv(8, {1, 1}), {{1, 1, 1}, {1, 1, 1}}, "needs 1 input(s), has 2"},
        Misfit{"ConvKernelTooLarge", conv(8, {5, 5}), {{3, 4, 9}}, "kernel [5, 5] does not fit"},
        Misfit{"ConvDilatedKernelTooLarge", conv(8, {3, 3}, {}, {0, 0}, {4, 4}), {{3, 8, 8}}, "does not fit"},
        Misfit{"ConvNoOutput", conv(0, {1, 1}), {{3, 4, 4}}, "Output channels 0"},
        Misfit{"ConvZeroKernel", conv(8, {0, 1}), {{3, 4, 4}}, "Kernel [0, 1]"},
        Misfit{"ConvZeroStride", conv(8, {1, 1}, {1, 0}), {{3, 4, 4}}, "Stride [1, 0]"},
        Misfit{"ConvNegativePadding", conv(8, {1, 1}, {}, {-1, 0}), {{3, 4, 4}}, "Padding [-1, 0]"},
        Misfit{"ConvZeroDilation", conv(8, {1, 1}, {}, {0, 0}, {1, 0}), {{3, 4, 4}}, "Dilation [1, 0]"},
        Misfit{"ConvHugeEverything", conv(kHuge, {kHuge, kHuge}, {}, {kHuge, kHuge}), {{3, 4, 4}}, "Output channels"},
        Misfit{"ConvHugeWindow", conv(8, {kHuge, kHuge}, {}, {kHuge, kHuge}), {{3, 4, 4}}, "Kernel ["},
        Misfit{"ConvTooManyWeights", conv(1 << 23, {9, 9}, {}, {8, 8}), {{1 << 20, 2, 2}}, "weights"},
        Misfit{"GroupsDoNotDivideInput", conv(6, {1, 1}, {}, {0, 0}, {}, 3), {{4, 5, 5}}, "groups 3 must divide"},
        Misfit{"GroupsDoNotDivideOutput", conv(6, {1, 1}, {}, {0, 0}, {}, 4), {{4, 5, 5}}, "groups 4 must divide"},
        Misfit{"GroupsZero", conv(6, {1, 1}, {}, {0, 0}, {}, 0), {{4, 5, 5}}, "groups 0"},
        Misfit{"PoolPaddingTooLarge",
               Pool{PoolKind::kMax, {3, 3}, {2, 2}, {3, 3}, false},
               {{8, 9, 9}},
               "smaller than the kernel"},
        Misfit{
            "PoolHugePadding", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {kHuge, kHuge}, false}, {{8, 9, 9}}, "Padding ["},
        Misfit{"AddOfOne", Add{}, {{1, 2, 2}}, "at least 2 inputs, has 1"},
        Misfit{"AddOfDifferentShapes", Add{}, {{3, 2, 2}, {2, 2, 2}}, "different shapes, 3x2x2 and 2x2x2"},
        Misfit{"MulOfDifferentShapes", Mul{}, {{1, 2, 2}, {1, 2, 3}}, "different shapes"},
        Misfit{"ConcatOfDifferentSizes", Concat{}, {{1, 2, 2}, {1, 2, 3}}, "more than channels"},
        Misfit{"ConcatTooManyChannels", Concat{}, {{1 << 24, 1, 1}, {1, 1, 1}}, "outside 1.."},
        Misfit{"ReluOfTwo", Activate{Activation::kRelu}, {{1, 2, 2}, {1, 2, 2}}, "needs 1 input"},
        Misfit{"FusedFunctionThatNoLibraryFuses", Affine{{ActivationKind::kErf}}, {{1, 2, 2}}, "cannot apply erf"},
        Misfit{"BinaryThatIsASum", Binary{BinaryFunction::kAdd}, {{1, 2, 2}, {1, 2, 2}}, "add is a separate operator"},
        Misfit{"WhereOfTwo", Where{}, {{1, 2, 2}, {1, 2, 2}}, "needs 3 input(s), has 2"},
        Misfit{"WhereOfDifferentShapes", Where{}, {{1, 2, 2}, {1, 2, 3}, {1, 2, 2}}, "different shapes"},
        Misfit{"ExpandToLess", Expand{{1, 2}}, {{2, 2}}, "2x2 cannot be repeated to 1x2"},
        Misfit{"ExpandOtherwise", Expand{{4, 2}}, {{3, 2}}, "cannot be repeated"},
        Misfit{"GatherAlongNothing", Gather{GatherKind::kSlices, 2}, {{3, 2}, {4}}, "has no axis 2"},
        Misfit{
            "GatherToTooManyAxes", Gather{GatherKind::kSlices, 0}, {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}}, "too many axes"},
        Misfit{"GatherElementsOfAnotherRank", Gather{GatherKind::kElements, 0}, {{3, 2}, {4}}, "indices 4 do not fit"},
        Misfit{"GatherElementsOfMore", Gather{GatherKind::kElements, 0}, {{3, 2}, {4, 3}}, "do not fit 3x2"},
        Misfit{"NormalizeFromNothing", Normalize{2}, {{3, 2}}, "has no axis 2"},
        Misfit{"NormalizeWithNegativeEpsilon", Normalize{0, -1}, {{3, 2}}, "epsilon -1 must not be negative"},
        Misfit{"ArgMaxAlongTwo", Reduce{ReduceKind::kArgMax, {0, 1}}, {{3, 2}}, "along one axis only"},
        Misfit{"ReduceTwice", Reduce{ReduceKind::kSum, {1, 1}}, {{3, 2}}, "names axis 1 twice"},
        Misfit{
            "LinearBeyondItsAxes", Linear{3, Activation::kIdentity, 2}, {{4, 6}}, "axis 2 is outside its input of 2"},
        Misfit{"GruWithALastCellState",
               Recurrent{.kind = RecurrentKind::kGru, .last_cell = true},
               {{5, 1, 3}},
               "has no cell state"},
        Misfit{"LinearWithoutOutput", Linear{0, Activation::kIdentity}, {{1, 2, 2}}, "Output features 0"},
        Misfit{"LinearTooManyWeights", Linear{1 << 24, Activation::kIdentity}, {{1 << 20, 2, 2}}, "weights"}),
    [](const auto& info) { return std::string(info.param.name); });

Conv conv(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1, std::int64_t padding = 0,
          std::int64_t groups = 1) {
  return Conv{out, {kernel, kernel}, {stride, stride}, {padding, padding}, {}, groups, Activation::kRelu, {}};
}

Work work_of(const Attributes& attributes, std::vector<Shape> inputs, std::int64_t batch = 1, std::int64_t bytes = 4) {
  GraphBuilder builder("one");
  std::vector<Value> values;
  for (const Shape& shape : inputs) values.push_back(builder.input("", shape));
  builder.add("op", attributes, values);
  const auto graph = std::move(builder).build();
  EXPECT_TRUE(graph.has_value());
  return work(*graph, UnitId(0), batch, bytes);
}

// The first convolution of ResNet: 64 filters of 3×7×7 with bias; 112×112 outputs a filter.
TEST(Work, CountsAConvolution) {
  const Work sum = work_of(conv(64, 7, 2, 3), {{3, 224, 224}});
  EXPECT_EQ(sum.parameters, 9408 + 64);
  EXPECT_DOUBLE_EQ(sum.flops, 2.0 * 118'013'952 + 802'816);  // 118 M multiply-adds is the published count
  EXPECT_EQ(sum.bytes_read, 4 * (3 * 224 * 224 + 9408 + 64));
  EXPECT_EQ(sum.bytes_written, 4 * 64 * 112 * 112);
}

// An estimate stands where nobody knows the cost, and is marked.
TEST(Work, OfWhatCannotBeExecutedIsKnownOrNot) {
  const auto graph_with = [](const Opaque& opaque) {
    auto [builder, in] = test::sketch("opaque", Shape{4});
    const Value made = builder.add("made", opaque, {in});
    builder.add("y", Activate{{ActivationKind::kRelu}}, {made});
    return must(std::move(builder).build());
  };
  const Opaque costed{.type = "Foo", .shape = {3}, .costed = true, .flops = 8, .parameters = 6, .weight_bytes = 3};
  const Graph known = graph_with(costed);
  const Work sum = work(known, UnitId(0), 2);
  EXPECT_TRUE(sum.known);
  EXPECT_EQ(sum.flops, 16);
  EXPECT_EQ(sum.parameters, 6);
  EXPECT_EQ(sum.bytes_read, 2 * 4 * 4 + 3) << "weights as they are packed, once";
  EXPECT_TRUE(known.has_known_cost());

  const Graph unknown = graph_with({.type = "Foo", .shape = {3}});
  EXPECT_FALSE(work(unknown, UnitId(0), 1).known);
  EXPECT_TRUE(work(unknown, UnitId(1), 1).known) << "the shape is known";
  EXPECT_FALSE(unknown.has_known_cost());

  Opaque guessed = costed;
  guessed.guessed = true;
  const Graph made_up = graph_with(guessed);
  EXPECT_FALSE(has_known_cost(made_up, UnitId(0)));
  EXPECT_FALSE(has_known_cost(made_up, UnitId(1))) << "it follows from a shape that is not known";
}

TEST(Work, CountsADepthwiseConvolution) {
  const Work sum = work_of(conv(42, 5, 2, 2, 42), {{42, 165, 165}});
  EXPECT_EQ(sum.parameters, 42 * 25 + 42);
  EXPECT_DOUBLE_EQ(sum.flops, 42.0 * 83 * 83 * (2 * 25 + 1));
}

// The first fully connected layer of VGG-16.
TEST(Work, CountsALinearLayer) {
  const Work sum = work_of(Linear{4096, Activation::kRelu}, {{512, 7, 7}});
  EXPECT_EQ(sum.parameters, 102'764'544);  // the published count, bias included
  EXPECT_DOUBLE_EQ(sum.flops, 2.0 * 102'760'448 + 4096);
}

// What a network does not have is not counted; devices add zeros.
TEST(Work, LeavesOutABiasThatIsNotThere) {
  struct Case {
    Attributes attributes;
    Shape input;
    std::int64_t bias;
    double flops;  // of the bias
  };
  ConvTranspose transposed{.out_channels = 6};
  transposed.kernel = transposed.stride = {2, 2};
  const std::vector<Case> cases{
      {conv(8, 3, 1, 1), {4, 10, 10}, 8, 800},
      {transposed, {4, 10, 10}, 6, 6 * 400},
      {Linear{7}, {512}, 7, 7},
      {Linear{7, Activation::kRelu, 1}, {5, 512}, 7, 35},
      {Affine{}, {4, 10, 10}, 4, 400},
      {Normalize{1, 1e-5F, false, true}, {5, 64}, 64, 5 * 64},
      {Recurrent{RecurrentKind::kLstm, RecurrentDirection::kBoth, 3}, {6, 1, 5}, 2 * 2 * 12, 2 * 6 * 2 * 12},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(kind_name(each.attributes));
    auto [builder, in] = test::sketch("one", each.input);
    builder.leave_out_bias(builder.add("op", each.attributes, {in}));
    const auto graph = must(std::move(builder).build());
    const Work with = work_of(each.attributes, {each.input}, 3);
    const OperatorId op(1);
    const Work without = work(graph, op, 3);
    EXPECT_EQ(without.parameters, with.parameters - each.bias);
    EXPECT_DOUBLE_EQ(without.flops, with.flops - 3 * each.flops);
    EXPECT_EQ(without.bytes_read, with.bytes_read - 4 * each.bias);
    EXPECT_EQ(without.bytes_written, with.bytes_written);
    EXPECT_EQ(total_work(graph, 3), without);
    EXPECT_EQ(kernel_work(graph, op, 3), with);
    EXPECT_FALSE(graph.parameters()->has_bias(op));
    const Tensor zeros = graph.parameters()->bias(op);
    EXPECT_EQ(zeros.elements().size(), static_cast<std::size_t>(each.bias));
    for (const float value : zeros.elements()) EXPECT_EQ(value, 0);
  }
}

TEST(Work, CountsOtherOperators) {
  EXPECT_DOUBLE_EQ(work_of(Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, false}, {{96, 112, 112}}).flops,
                   96.0 * 55 * 55 * 9);
  EXPECT_DOUBLE_EQ(work_of(Pool{PoolKind::kGlobalAverage, {}, {}, {0, 0}, false}, {{2048, 8, 8}}).flops, 2048.0 * 64);
  EXPECT_DOUBLE_EQ(work_of(Add{}, {{4, 5, 5}, {4, 5, 5}, {4, 5, 5}}).flops, 2.0 * 100);
  EXPECT_DOUBLE_EQ(work_of(Mul{}, {{4, 5, 5}, {4, 5, 5}}).flops, 100);
  EXPECT_DOUBLE_EQ(work_of(Activate{Activation::kTanh}, {{4, 5, 5}}).flops, 100);
  const Work concat = work_of(Concat{}, {{4, 5, 5}, {2, 5, 5}});
  EXPECT_EQ(concat.flops, 0);
  EXPECT_EQ(concat.bytes(), 2 * 4 * 150);
  EXPECT_EQ(work_of(Identity{}, {{4, 5, 5}}).parameters, 0);
}

TEST(Work, ScalesWithBatchAndElementSizeButNotItsWeights) {
  const Work one = work_of(conv(8, 3, 1, 1), {{4, 10, 10}});
  const Work many = work_of(conv(8, 3, 1, 1), {{4, 10, 10}}, 32, 2);
  EXPECT_DOUBLE_EQ(many.flops, 32 * one.flops);
  EXPECT_EQ(many.parameters, one.parameters);
  EXPECT_EQ(many.bytes_written, 32 * 2 * 800);
  EXPECT_EQ(many.bytes_read, 2 * (32 * 400 + one.parameters));
}

TEST(Work, AMatrixOfTheModelIsAParameterOfWhatReadsIt) {
  auto [builder, in] = test::sketch("product", Shape{5, 12});
  builder.add("op", MatMul{}, {in, builder.constant("matrix", Shape{12, 7})});
  const auto graph = must(std::move(builder).build());
  const Work one = work(graph, UnitId(0), 1);
  EXPECT_EQ(one.parameters, 12 * 7);
  EXPECT_EQ(one.bytes_read, 4 * (5 * 12 + 12 * 7));
  EXPECT_EQ(total_work(graph, 3), work(graph, UnitId(0), 3));
  EXPECT_EQ(total_work(graph, 3).parameters, one.parameters);
  EXPECT_EQ(total_work(graph, 3).bytes_read, 4 * (3 * 5 * 12 + 12 * 7));
}

TEST(Work, ReadsOnlyTheSlice) {
  auto [builder, in] = test::sketch("slice", Shape{12, 10, 10});
  builder.add("op", conv(8, 1), {Value{in.producer, 4, 8}});
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(work(graph, UnitId(0), 1).parameters, 8 * 4 + 8);
  EXPECT_EQ(work(graph, UnitId(0), 1).bytes_read, 4 * (400 + 40));
}

// Of a table what is looked up.
TEST(Work, LooksUpAFewRows) {
  GraphBuilder builder("look up");
  const Value table = builder.constant("table", Shape{1000, 8});
  const Value in = builder.input("in", Shape{5});
  builder.add("op", Gather{}, {table, in});
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(work(graph, UnitId(0), 1).bytes_read, 4 * (5 * 8 + 5));
  EXPECT_EQ(work(graph, UnitId(0), 1).flops, 0);
}

TEST(Work, AddsUp) {
  auto [builder, in] = test::sketch("two", Shape{4, 6, 6});
  builder.begin_unit("unit");
  const Value sum = builder.add("sum", Add{}, {in, in});
  builder.add("conv", conv(4, 3, 1, 1), {sum});
  const Value unit = builder.end_unit();
  builder.add("relu", Activate{Activation::kRelu}, {unit});
  const auto graph = must(std::move(builder).build());
  const Work first = work(graph, UnitId(0), 2);
  EXPECT_DOUBLE_EQ(first.flops, 2 * (144.0 + 144 * (2 * 36 + 1)));
  EXPECT_DOUBLE_EQ(total_work(graph, 2).flops, first.flops + 2 * 144);
  EXPECT_EQ(total_work(graph, 2).bytes(), first.bytes() + work(graph, UnitId(1), 2).bytes());
}

}  // namespace

}  // namespace iosx
