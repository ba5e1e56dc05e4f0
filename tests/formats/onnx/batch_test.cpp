#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/formats/onnx/converted.h"

namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OnnxBatch, IsTakenOff) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  add_conv(model, "x", "y", {4, 3, 3, 3});
  add_output(model, "y");
  const auto loaded = converted(model, {.batch = 5, .dims = {}, .bind = {}});
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->batched);
  EXPECT_EQ(loaded->batch, 5);
  EXPECT_THAT(loaded->warnings, IsEmpty());
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: conv 4x6x6 <- x"));
}

TEST(OnnxBatch, MayBeFixedInTheFile) {
  auto model = model_of({{"x", {2, 3, 8, 8}}});
  add_ints(model, "shape", {2, 3, 2, 4, 8});
  add_node(model, "Reshape", {"x", "shape"}, {"y"});
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->batch, 2);
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: reshape 3x2x4x8 <- x"));
}

// x.view(x.shape[0], -1) as exporters write it.
TEST(OnnxBatch, PassesThroughShapeArithmetic) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  *model.mutable_graph()->add_initializer() = int_tensor("zero", {}, {0});
  add_ints(model, "rest", {-1});
  add_ints(model, "first", {0});
  add_node(model, "Shape", {"x"}, {"shape"});
  add_node(model, "Gather", {"shape", "zero"}, {"n"});
  add_node(model, "Unsqueeze", {"n", "first"}, {"n1"});
  set_int(add_node(model, "Concat", {"n1", "rest"}, {"to"}), "axis", 0);
  add_node(model, "Reshape", {"x", "to"}, {"y"});
  add_output(model, "y");
  for (const std::int64_t batch : {1, 7}) {
    EXPECT_THAT(units_of(model, {.batch = batch, .dims = {}, .bind = {}}), ElementsAre("y: reshape 192 <- x"));
  }
}

// The node that mixes samples, and the rest, read with all axes.
void expect_unbatched(const onnx::ModelProto& model, const std::string& why, const std::vector<std::string>& units) {
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_FALSE(loaded->batched);
  EXPECT_EQ(loaded->batch, 1);
  ASSERT_EQ(loaded->warnings.size(), 1U);
  EXPECT_THAT(loaded->warnings[0], HasSubstr(why));
  EXPECT_EQ(units_of(loaded->graph), units);
}

TEST(OnnxBatch, StaysWhereAnOperatorMixesSamples) {
  auto transposed = model_of({{"x", {-1, 3, 8}}});
  set_ints(add_node(transposed, "Transpose", {"x"}, {"y"}, "swap"), "perm", {1, 0, 2});
  add_output(transposed, "y");
  expect_unbatched(transposed, "node 0 (Transpose 'swap'): it moves the batch axis", {"y: transpose 3x1x8 <- x"});

  auto merged = model_of({{"x", {-1, 4, 8}}});
  add_ints(merged, "shape", {-1, 2, 8});
  add_node(merged, "Reshape", {"x", "shape"}, {"y"});
  add_output(merged, "y");
  expect_unbatched(merged, "does not begin with the batch axis", {"y: reshape 2x2x8 <- x"});

  auto summed = model_of({{"x", {-1, 3}}});
  add_filled(summed, "w", {4, 2});
  set_int(add_node(summed, "Concat", {"x", "x"}, {"c"}), "axis", 0);
  set_int(add_node(summed, "Softmax", {"c"}, {"y"}), "axis", 0);
  add_output(summed, "y");
  expect_unbatched(summed, "works along the batch axis", {"c: concat 2x3 <- x, x", "y: softmax 2x3 <- c"});
}

TEST(OnnxBatch, StaysWhereInputsDoNotShareOne) {
  auto model = model_of({{"x", {2, 3}}, {"b", {3}}});
  add_node(model, "Add", {"x", "b"}, {"y"});
  add_output(model, "y");
  expect_unbatched(model, "inputs do not share a leading axis", {"y: add 2x3 <- x, b"});
}

TEST(OnnxBatch, ConstantsAreTheSameForAllSamples) {
  auto model = model_of({{"x", {2, 3, 4}}});
  add_filled(model, "row", {4});
  add_filled(model, "all", {1, 3, 4});
  add_node(model, "Add", {"x", "row"}, {"a"});
  add_node(model, "Mul", {"a", "all"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("a: add 3x4 <- x, {4}", "y: mul 3x4 <- a, {3x4}"));

  auto each = model_of({{"x", {2, 3, 4}}});
  std::vector<float> numbers(24, 1);
  numbers.back() = 2;
  add_floats(each, "one", {2, 3, 4}, std::move(numbers));
  add_node(each, "Add", {"x", "one"}, {"y"});
  add_output(each, "y");
  expect_unbatched(each, "a constant for each", {"y: add 2x3x4 <- x, {2x3x4}"});
}

TEST(OnnxBatch, WithoutOneConvolutionsSeeASample) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  add_conv(model, "x", "c", {4, 3, 3, 3});
  add_node(model, "Relu", {"c"}, {"r"});
  add_conv(model, "r", "d", {4, 4, 1, 1});
  add_node(model, "Add", {"r", "d"}, {"s"});
  set_ints(add_node(model, "Transpose", {"s"}, {"y"}), "perm", {2, 3, 0, 1});
  add_output(model, "y");
  const auto lines = units_of(model);
  EXPECT_THAT(lines, ElementsAre("c/reshape: reshape 3x8x8 <- x", "c: conv(relu) 4x6x6 <- c/reshape",
                                 "y: conv 4x6x6 + add 4x6x6 + reshape 1x4x6x6 + transpose 6x6x1x4 <- c, c"));
}

// x.expand(rows, 4) of one sample: whatever the number is, it is no batch, and the graph has one sample's rows.
TEST(OnnxBatch, IsNothingThatAConstantEquals) {
  for (const std::int64_t rows : {2, 3, 5, 7, 11, 13, 64}) {
    const std::string all = fmt::format("{}x4", rows);
    const auto sized = [&](const auto& add_nodes) {
      auto model = model_of({{"x", {-1, 4}}});
      add_nodes(model);
      add_output(model, "y");
      const auto loaded = converted(model);
      EXPECT_TRUE(loaded) << loaded.error().text();
      EXPECT_FALSE(loaded->batched);
      return shape_text(loaded->graph.op(*loaded->graph.find_operator("y")).output);
    };
    EXPECT_EQ(sized([&](auto& model) { reads_ints(model, add_node(model, "Expand", {"x"}, {"y"}), {rows, 4}); }), all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 4});
                add_node(model, "Mul", {"x", "ones"}, {"y"});
              }),
              all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 1});
                add_node(model, "Add", {"ones", "x"}, {"y"});
              }),
              all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 1, 1});
                add_node(model, "Unsqueeze", {"x", "axes"}, {"u"});
                add_ints(model, "axes", {1});
                add_node(model, "MatMul", {"ones", "u"}, {"product"});
                set_int(add_node(model, "Flatten", {"product"}, {"y"}), "axis", 2);
              }),
              all);
  }
}

TEST(OnnxBatch, OfOneIsNotThatOfAReshapeToMore) {
  auto model = model_of({{"x", {-1, 4}}});
  reads_ints(model, add_node(model, "Reshape", {"x"}, {"y"}), {2, 2});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: reshape 2x2 <- x"));
  // With two samples it is the batch by chance, for that number of samples only.
  auto two = model_of({{"x", {-1, 4}}});
  reads_ints(two, add_node(two, "Reshape", {"x"}, {"y"}), {2, 2, 2});
  add_output(two, "y");
  const auto loaded = converted(two, {.batch = 1, .dims = {{"N", 2}}, .bind = {}});
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->batched);
  EXPECT_FALSE(loaded->file.any_batch);
  EXPECT_EQ(loaded->batch, 2);
  ASSERT_EQ(loaded->warnings.size(), 1U);
  EXPECT_THAT(loaded->warnings[0], HasSubstr("The model runs only with batch 2: "));
}

TEST(OnnxBatch, OfOneSampleMayBeAnotherComputation) {
  auto squeezed = model_of({{"x", {-1, 1, 4}}});
  add_node(squeezed, "Squeeze", {"x"}, {"y"});
  add_output(squeezed, "y");
  EXPECT_THAT(units_of(squeezed), ElementsAre("y: reshape 4 <- x"));
  EXPECT_THAT(units_of(squeezed, {.batch = 3, .dims = {}, .bind = {}}), ElementsAre("y: reshape 4 <- x"));
  EXPECT_FALSE(converted(squeezed)->batched);
  EXPECT_TRUE(converted(squeezed, {.batch = 3, .dims = {}, .bind = {}})->file.any_batch);

  // Its name stands for another axis too, so that a sample's shape follows from their number.
  auto square = model_of({{"x", {-1, -1}}});
  add_node(square, "Relu", {"x"}, {"y"});
  add_output(square, "y");
  const auto loaded = converted(square);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_FALSE(loaded->batched);
  EXPECT_FALSE(loaded->file.any_batch);
}

// Constants in whose shape nothing is repeated, unlike those of element-wise operators.
TEST(OnnxBatch, IndicesOfOneSampleAreNotThoseOfAll) {
  auto model = model_of({{"x", {2, 6}}});
  *model.mutable_graph()->add_initializer() = int_tensor("at", {1, 5}, {0, 5, 5, 2, 1});
  set_int(add_node(model, "GatherElements", {"x", "at"}, {"y"}), "axis", 1);
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gather elements 1x5 <- x, {1x5}"));
  auto each = model_of({{"x", {2, 6}}});
  *each.mutable_graph()->add_initializer() = int_tensor("at", {2, 2}, {3, 1, 3, 1});
  set_int(add_node(each, "GatherElements", {"x", "at"}, {"y"}), "axis", 1);
  add_output(each, "y");
  EXPECT_THAT(units_of(each), ElementsAre("y: gather elements 2 <- x, {2}"));
}

TEST(OnnxBatch, InputsMayBeGivenAsConstants) {
  auto model = model_of({{"x", {-1, 6}}, {"shape", {3}}});
  add_node(model, "Reshape", {"x", "shape"}, {"y"});
  add_output(model, "y");
  const OnnxOptions options{.batch = 4, .dims = {}, .bind = {{"shape", HostTensor::of_integers({3}, {4, 2, 3})}}};
  EXPECT_THAT(units_of(model, options), ElementsAre("y: reshape 2x3 <- x"));
}

}  // namespace
}  // namespace iosx::onnx_import
