#include "core/model/graph/work.h"

#include <gtest/gtest.h>

#include "core/model/graph/builder.h"

namespace iosx {
namespace {

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
  ConvTranspose transposed;
  transposed.out_channels = 6;
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
    GraphBuilder builder("one");
    const Value in = builder.input("in", each.input);
    builder.leave_out_bias(builder.add("op", each.attributes, {in}));
    const auto graph = std::move(builder).build();
    ASSERT_TRUE(graph.has_value()) << graph.error().text();
    const Work with = work_of(each.attributes, {each.input}, 3);
    const OperatorId op(1);
    const Work without = work(*graph, op, 3);
    EXPECT_EQ(without.parameters, with.parameters - each.bias);
    EXPECT_DOUBLE_EQ(without.flops, with.flops - 3 * each.flops);
    EXPECT_EQ(without.bytes_read, with.bytes_read - 4 * each.bias);
    EXPECT_EQ(without.bytes_written, with.bytes_written);
    EXPECT_EQ(total_work(*graph, 3), without);
    EXPECT_EQ(kernel_work(*graph, op, 3), with);
    EXPECT_FALSE(graph->parameters()->has_bias(op));
    const Tensor zeros = graph->parameters()->bias(op);
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
  GraphBuilder builder("product");
  const Value in = builder.input("in", Shape{5, 12});
  builder.add("op", MatMul{}, {in, builder.constant("matrix", Shape{12, 7})});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const Work one = work(*graph, UnitId(0), 1);
  EXPECT_EQ(one.parameters, 12 * 7);
  EXPECT_EQ(one.bytes_read, 4 * (5 * 12 + 12 * 7));
  EXPECT_EQ(total_work(*graph, 3), work(*graph, UnitId(0), 3));
  EXPECT_EQ(total_work(*graph, 3).parameters, one.parameters);
  EXPECT_EQ(total_work(*graph, 3).bytes_read, 4 * (3 * 5 * 12 + 12 * 7));
}

TEST(Work, ReadsOnlyTheSlice) {
  GraphBuilder builder("slice");
  const Value in = builder.input("in", Shape{12, 10, 10});
  builder.add("op", conv(8, 1), {Value{in.producer, 4, 8}});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(work(*graph, UnitId(0), 1).parameters, 8 * 4 + 8);
  EXPECT_EQ(work(*graph, UnitId(0), 1).bytes_read, 4 * (400 + 40));
}

// Of a table what is looked up.
TEST(Work, LooksUpAFewRows) {
  GraphBuilder builder("look up");
  const Value table = builder.constant("table", Shape{1000, 8});
  const Value in = builder.input("in", Shape{5});
  builder.add("op", Gather{}, {table, in});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(work(*graph, UnitId(0), 1).bytes_read, 4 * (5 * 8 + 5));
  EXPECT_EQ(work(*graph, UnitId(0), 1).flops, 0);
}

TEST(Work, AddsUp) {
  GraphBuilder builder("two");
  const Value in = builder.input("in", Shape{4, 6, 6});
  builder.begin_unit("unit");
  const Value sum = builder.add("sum", Add{}, {in, in});
  builder.add("conv", conv(4, 3, 1, 1), {sum});
  const Value unit = builder.end_unit();
  builder.add("relu", Activate{Activation::kRelu}, {unit});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const Work first = work(*graph, UnitId(0), 2);
  EXPECT_DOUBLE_EQ(first.flops, 2 * (144.0 + 144 * (2 * 36 + 1)));
  EXPECT_DOUBLE_EQ(total_work(*graph, 2).flops, first.flops + 2 * 144);
  EXPECT_EQ(total_work(*graph, 2).bytes(), first.bytes() + work(*graph, UnitId(1), 2).bytes());
}

}  // namespace
}  // namespace iosx
