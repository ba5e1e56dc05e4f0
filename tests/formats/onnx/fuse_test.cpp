#include <gmock/gmock.h>

#include "tests/formats/onnx/converted.h"

namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::FloatEq;
using testing::Pointwise;

// x -> BatchNormalization -> `output` with scale 2, 3, bias 1, -1, mean 4, 5, variance 0.25, 4 and epsilon 0: y = 4 x
// - 15 and 1.5 x - 8.5.
void add_normalisation(onnx::ModelProto& model, const std::string& input, const std::string& output) {
  add_floats(model, output + ".s", {2}, {2, 3});
  add_floats(model, output + ".b", {2}, {1, -1});
  add_floats(model, output + ".m", {2}, {4, 5});
  add_floats(model, output + ".v", {2}, {0.25F, 4});
  auto& node = add_node(model, "BatchNormalization",
                        {input, output + ".s", output + ".b", output + ".m", output + ".v"}, {output});
  set_float(node, "epsilon", 0);
}

TEST(OnnxFusion, FoldsNormalisationAndActivationIntoAConvolution) {
  auto model = model_of({{"x", {-1, 1, 4, 4}}});
  add_floats(model, "w", {2, 1, 1, 1}, {1, 2});
  add_floats(model, "b", {2}, {10, 20});
  add_node(model, "Conv", {"x", "w", "b"}, {"c"}, "conv");
  add_normalisation(model, "c", "n");
  add_node(model, "Relu", {"n"}, {"y"});
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: conv(relu) 2x4x4 <- x"));
  EXPECT_THAT(weights_of(loaded->graph, "y"), ElementsAre(FloatEq(4), FloatEq(3)));
  EXPECT_THAT(bias_of(loaded->graph, "y"), ElementsAre(FloatEq(25), FloatEq(21.5F)));
  EXPECT_TRUE(loaded->graph.parameters()->complete());
}

TEST(OnnxFusion, ScalesEachGroupOfATransposedConvolution) {
  auto model = model_of({{"x", {-1, 4, 4, 4}}});
  add_filled(model, "w", {4, 1, 1, 2});
  set_int(add_node(model, "ConvTranspose", {"x", "w"}, {"c"}), "group", 2);
  add_normalisation(model, "c", "y");
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: transposed conv 2x4x5 <- x"));
  EXPECT_THAT(weights_of(loaded->graph, "y"),
              Pointwise(FloatEq(), std::vector<float>{4, 4, 4, 4, 1.5F, 1.5F, 1.5F, 1.5F}));
  EXPECT_THAT(bias_of(loaded->graph, "y"), ElementsAre(FloatEq(-15), FloatEq(-8.5F)));
}

TEST(OnnxFusion, KeepsANormalisationOfWhatOthersRead) {
  auto model = model_of({{"x", {-1, 1, 4, 4}}});
  add_conv(model, "x", "c", {2, 1, 1, 1});
  add_normalisation(model, "c", "n");
  add_node(model, "Relu", {"n"}, {"r"});
  add_node(model, "Add", {"c", "r"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model),
              ElementsAre("c: conv 2x4x4 <- x", "n: batch norm(relu) 2x4x4 <- c", "y: add 2x4x4 <- c, n"));
}

TEST(OnnxFusion, FoldsConstantFactorsAndSummands) {
  auto model = model_of({{"x", {-1, 1, 4, 4}}});
  add_conv(model, "x", "c", {2, 1, 1, 1});
  add_floats(model, "factor", {1, 2, 1, 1}, {2, 3});
  add_floats(model, "summand", {2, 1, 1}, {10, 20});
  add_floats(model, "divisor", {}, {2});
  add_node(model, "Mul", {"factor", "c"}, {"m"});
  add_node(model, "Add", {"m", "summand"}, {"a"});
  add_node(model, "Div", {"a", "divisor"}, {"d"});
  add_node(model, "Sub", {"summand", "d"}, {"y"});
  add_output(model, "y");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: conv 2x4x4 <- x"));
  EXPECT_THAT(weights_of(loaded->graph, "y"), ElementsAre(FloatEq(-1), FloatEq(-1.5F)));
  EXPECT_THAT(bias_of(loaded->graph, "y"), ElementsAre(FloatEq(5), FloatEq(10)));
}

TEST(OnnxFusion, FindsSwish) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_conv(model, "x", "c", {2, 2, 1, 1});
  add_node(model, "Sigmoid", {"c"}, {"s"});
  add_node(model, "Mul", {"s", "c"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: conv(swish) 2x4x4 <- x"));
}

TEST(OnnxFusion, FindsHardSwishInEachOfItsForms) {
  const auto form = [](int which) {
    auto model = model_of({{"x", {-1, 2, 4, 4}}});
    add_conv(model, "x", "c", {2, 2, 1, 1});
    for (const auto& [name, value] : {std::pair("0", 0), std::pair("3", 3), std::pair("6", 6)}) {
      add_floats(model, name, {}, {static_cast<float>(value)});
    }
    if (which == 0) {
      auto& gate = add_node(model, "HardSigmoid", {"c"}, {"g"});
      set_float(gate, "alpha", 0.1666667F);
      add_node(model, "Mul", {"c", "g"}, {"y"});
    } else {
      add_node(model, "Add", {"c", "3"}, {"a"});
      add_node(model, "Clip", {"a", "0", "6"}, {"l"});
      add_node(model, which == 1 ? "Div" : "Mul", {which == 1 ? "l" : "c", which == 1 ? "6" : "l"}, {"g"});
      add_node(model, which == 1 ? "Mul" : "Div", {which == 1 ? "c" : "g", which == 1 ? "g" : "6"}, {"y"});
    }
    add_output(model, "y");
    return model;
  };
  for (const int which : {0, 1, 2}) EXPECT_THAT(units_of(form(which)), ElementsAre("y: conv(hard swish) 2x4x4 <- x"));
}

TEST(OnnxFusion, TakesOnlyZeroPaddingIntoAConvolution) {
  const auto padded = [](float value) {
    auto model = model_of({{"x", {-1, 2, 4, 4}}});
    add_ints(model, "pads", {0, 0, 1, 2, 0, 0, 3, 4});
    add_floats(model, "value", {}, {value});
    add_node(model, "Pad", {"x", "pads", "value"}, {"p"});
    add_conv(model, "p", "y", {2, 2, 1, 1});
    add_output(model, "y");
    return model;
  };
  const auto loaded = converted(padded(0));
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(units_of(loaded->graph), ElementsAre("y: conv 2x8x10 <- x"));
  const Conv& conv = *loaded->graph.op(*loaded->graph.find_operator("y")).as<Conv>();
  EXPECT_EQ(conv.padding, (Extent{1, 2}));
  EXPECT_EQ(conv.end_padding, (Extent{2, 2}));
  EXPECT_THAT(units_of(padded(1)), ElementsAre("y: pad 2x8x10 + conv 2x8x10 <- x"));
}

TEST(OnnxFusion, JoinsConcatenations) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_node(model, "Relu", {"x"}, {"a"});
  add_node(model, "Sigmoid", {"x"}, {"b"});
  set_int(add_node(model, "Concat", {"a", "b"}, {"inner"}), "axis", 1);
  set_int(add_node(model, "Concat", {"x", "inner", "x"}, {"y"}), "axis", 1);
  add_output(model, "y");
  EXPECT_THAT(units_of(model),
              ElementsAre("a: relu 2x4x4 <- x", "b: sigmoid 2x4x4 <- x", "y: concat 8x4x4 <- x, a, b, x"));
}

}  // namespace
}  // namespace iosx::onnx_import
