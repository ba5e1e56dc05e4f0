#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/formats/onnx/element_functions.h"
#include "tests/formats/onnx/converted.h"

// Operators that are one function of our graphs, and what is made of others.
namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

onnx::ModelProto integer_model(const std::vector<std::int64_t>& dims) {
  auto model = model_of({{"x", dims}});
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  return model;
}

TEST(OnnxElements, EveryFunctionOfOneIsItsRow) {
  for (const ElementFunction& row : element_functions()) {
    auto model = model_of({{"x", {-1, 4}}});
    add_node(model, std::string(row.op_type), {"x"}, {"y"});
    add_output(model, "y");
    EXPECT_THAT(units_of(model), ElementsAre(fmt::format("y: {} 4 <- x", activation_row(row.kind).name)));
  }
}

TEST(OnnxElements, EveryFunctionOfTwoIsItsRow) {
  for (const BinaryOperator& row : binary_operators()) {
    auto model = model_of({{"a", {-1, 4}}, {"b", {-1, 4}}});
    add_node(model, std::string(row.op_type), {"a", "b"}, {"y"});
    add_output(model, "y");
    EXPECT_THAT(units_of(model), ElementsAre(fmt::format("y: {} 4 <- a, b", binary_row(row.function).name)));
  }
}

TEST(OnnxElements, EveryReductionIsItsRow) {
  for (const ReduceOperator& row : reduce_operators()) {
    auto model = model_of({{"x", {-1, 5, 4}}}, 17);
    auto& node = add_node(model, std::string(row.op_type), {"x"}, {"y"});
    if (row.op_type == "ReduceSum") {
      reads_ints(model, node, {-1});
    } else {
      set_ints(node, "axes", {-1});
    }
    set_int(node, "keepdims", 0);
    add_output(model, "y");
    const auto lines = units_of(model);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), HasSubstr(": ")) << row.op_type;
    EXPECT_THAT(lines, SizeIs(row.exponential ? 4 : 1)) << row.op_type;
  }
}

TEST(OnnxElements, UsualPowersAreProducts) {
  const auto raised = [](float exponent) {
    auto model = model_of({{"x", {-1, 4}}});
    add_floats(model, "e", {}, {exponent});
    add_node(model, "Pow", {"x", "e"}, {"y"});
    add_output(model, "y");
    return units_of(model);
  };
  EXPECT_THAT(raised(2), ElementsAre("y: mul 4 <- x, x"));
  EXPECT_THAT(raised(3), ElementsAre("y: mul 4 <- x, x, x"));
  EXPECT_THAT(raised(0.5F), ElementsAre("y: sqrt 4 <- x"));
  EXPECT_THAT(raised(-1), ElementsAre("y: reciprocal 4 <- x"));
  EXPECT_THAT(raised(1.7F), ElementsAre("y: pow 4 <- x, {scalar}"));
}

TEST(OnnxElements, IntegersAreCutWhereTheyAreDivided) {
  auto model = integer_model({-1, 4});
  add_ints(model, "three", {3});
  add_node(model, "Div", {"x", "three"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: div 4 + truncate 4 <- x, {1}"));
}

TEST(OnnxElements, CastsChangeWhatATypeCannotHold) {
  const auto cast = [](onnx::TensorProto::DataType from, onnx::TensorProto::DataType to) {
    auto model = model_of({{"x", {-1, 4}}});
    model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(from);
    set_int(add_node(model, "Cast", {"x"}, {"c"}), "to", to);
    add_node(model, "Neg", {"c"}, {"y"});
    add_output(model, "y");
    return units_of(model);
  };
  EXPECT_THAT(cast(onnx::TensorProto::INT64, onnx::TensorProto::FLOAT), ElementsAre("y: neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT, onnx::TensorProto::FLOAT16), ElementsAre("y: neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT, onnx::TensorProto::INT32), ElementsAre("y: truncate 4 + neg 4 <- x"));
}

// Token ids: the table is the same for all samples.
TEST(OnnxElements, EmbeddingsAreGathers) {
  auto model = integer_model({-1, 6});
  add_filled(model, "table", {10, 3});
  add_node(model, "Gather", {"table", "x"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gather 6x3 <- {10x3}, x"));
}

TEST(OnnxElements, GatherOfOtherPlacesIsAGather) {
  auto model = model_of({{"x", {-1, 6, 3}}});
  reads_ints(model, add_node(model, "Gather", {"x"}, {"y"}), {0, 1, 5});
  set_int(*model.mutable_graph()->mutable_node(0), "axis", 1);
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gather 3x3 <- x, {3}"));
}

TEST(OnnxElements, ExpandAndTileRepeat) {
  auto model = model_of({{"x", {1, 1, 3}}});
  reads_ints(model, add_node(model, "Expand", {"x"}, {"e"}), {1, 4, 3});
  auto& tile = add_node(model, "Tile", {"e"}, {"y"});
  add_ints(model, "repeats", {1, 2, 1});
  tile.add_input("repeats");
  add_output(model, "y");
  const auto lines = units_of(model);
  EXPECT_THAT(lines.front(), HasSubstr("expand 4x3"));
  EXPECT_THAT(lines.back(), HasSubstr("reshape 8x3"));
}

// Zeros in the shape of something computed have the batch, and keep samples apart all the same.
TEST(OnnxElements, ConstantsAlikeForAllSamplesAreOfOne) {
  auto model = model_of({{"x", {3, 4}}});
  add_node(model, "Shape", {"x"}, {"dims"});
  add_node(model, "ConstantOfShape", {"dims"}, {"zeros"});
  add_node(model, "Greater", {"x", "zeros"}, {"more"});
  add_node(model, "Where", {"more", "x", "zeros"}, {"y"});
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->batched);
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("more: greater 4 <- x, {4}", "y: where 4 <- more, x, {4}"));
}

TEST(OnnxNorms, LayerNormalisationTakesItsWeights) {
  auto model = model_of({{"x", {-1, 5, 4}}});
  add_floats(model, "s", {4}, {1, 2, 3, 4});
  add_floats(model, "b", {4}, {5, 6, 7, 8});
  set_float(add_node(model, "LayerNormalization", {"x", "s", "b"}, {"y"}), "epsilon", 0.25F);
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: layer norm 5x4 <- x"));
  EXPECT_EQ(*loaded->graph.op(*loaded->graph.find_operator("y")).as<Normalize>(), (Normalize{1, 0.25F, true, true}));
  EXPECT_THAT(weights_of(loaded->graph, "y"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bias_of(loaded->graph, "y"), ElementsAre(5, 6, 7, 8));
}

// A bias that stands beside a normalisation without one becomes its own.
TEST(OnnxNorms, LayerNormalisationTakesABiasThatFollows) {
  for (const bool biased : {false, true}) {
    auto model = model_of({{"x", {-1, 5, 2}}});
    add_floats(model, "scale", {2}, {3, 0.5F});
    add_floats(model, "bias", {2}, {7, 8});
    add_node(model, "LayerNormalization", {"x", "scale"}, {"n"});
    add_node(model, "Add", {"n", "bias"}, {"a"});
    add_output(model, biased ? "a" : "n");
    const auto loaded = converted(model);
    ASSERT_TRUE(loaded) << loaded.error().text();
    ASSERT_EQ(loaded->graph.units().size(), 1U);
    const OperatorId norm = *loaded->graph.find_operator(biased ? "a" : "n");
    EXPECT_EQ(loaded->graph.parameters()->has_bias(norm), biased);
    const Tensor bias = loaded->graph.parameters()->bias(norm);
    EXPECT_EQ(bias.elements().back(), biased ? 8 : 0);
  }
}

TEST(OnnxNorms, InstanceNormalisationIsOfEachChannel) {
  auto model = model_of({{"x", {-1, 2, 3, 5}}});
  add_floats(model, "s", {2}, {1, 2});
  add_floats(model, "b", {2}, {3, 4});
  add_node(model, "InstanceNormalization", {"x", "s", "b"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: layer norm 2x3x5 + batch norm 2x3x5 <- x"));
}

TEST(OnnxNorms, GroupsMustDivideChannels) {
  auto model = model_of({{"x", {-1, 4, 3, 5}}});
  add_filled(model, "s", {4});
  set_int(add_node(model, "GroupNormalization", {"x", "s", "s"}, {"y"}), "num_groups", 3);
  add_output(model, "y");
  EXPECT_THAT(refusal_of(model), HasSubstr("3 groups do not divide 4 channels"));
}

}  // namespace
}  // namespace iosx::onnx_import
