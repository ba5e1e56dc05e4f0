#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using namespace test;

void add_scalar(onnx::ModelProto& model, const std::string& name, float value) { add_floats(model, name, {}, {value}); }

// x · (1 + erf(x / √2)) / 2 as exporters write it, the factor 1/2 at the end or at x.
onnx::ModelProto gelu_model(bool half_last, float root) {
  auto model = model_of({{"x", {-1, 5, 4}}});
  add_scalar(model, "root", root);
  add_scalar(model, "one", 1);
  add_scalar(model, "half", 0.5F);
  add_node(model, "Div", {"x", "root"}, {"d"});
  add_node(model, "Erf", {"d"}, {"e"});
  add_node(model, "Add", {"e", "one"}, {"s"});
  if (half_last) {
    add_node(model, "Mul", {"x", "s"}, {"p"});
    add_node(model, "Mul", {"p", "half"}, {"y"});
  } else {
    add_node(model, "Mul", {"x", "half"}, {"h"});
    add_node(model, "Mul", {"h", "s"}, {"y"});
  }
  add_output(model, "y");
  return model;
}

TEST(OnnxPatterns, GeluIsOneFunction) {
  EXPECT_THAT(units_of(gelu_model(true, 1.41421354F)), ElementsAre("y: gelu 5x4 <- x"));
  EXPECT_THAT(units_of(gelu_model(false, 1.41421354F)), ElementsAre("y: gelu 5x4 <- x"));
  EXPECT_THAT(units_of(gelu_model(true, 1.5F)), Each(Not(HasSubstr("gelu"))));
}

// Profiles call nodes by their names, also those that became part of another operator.
TEST(OnnxPatterns, OperatorsKnowTheNamesOfTheirNodes) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_conv(model, "x", "c", {4, 4, 1, 1});
  model.mutable_graph()->mutable_node(0)->set_name("conv_0");
  add_node(model, "Relu", {"c"}, {"r"}, "relu_0");
  add_result(model, "Sigmoid", {"r"}, "y", "gate");
  const auto loaded = must(converted(model));
  const Graph& graph = loaded.graph;
  EXPECT_THAT(graph.op(must(graph.find_operator("conv_0"))).aliases, ElementsAre("relu_0"));
  EXPECT_THAT(graph.op(must(graph.find_operator("y"))).aliases, ElementsAre("gate"));
  auto gelu = gelu_model(true, 1.41421354F);
  int number = 0;
  for (auto& node : *gelu.mutable_graph()->mutable_node()) node.set_name(fmt::format("node_{}", number++));
  const auto one = must(converted(gelu));
  EXPECT_THAT(one.graph.op(must(one.graph.find_operator("y"))).aliases,
              UnorderedElementsAre("node_0", "node_1", "node_2", "node_3", "node_4"));
}

TEST(OnnxPatterns, WhatOthersReadStays) {
  auto model = gelu_model(true, 1.41421354F);
  add_output(model, "e");
  EXPECT_THAT(units_of(model), Each(Not(HasSubstr("gelu"))));
}

TEST(OnnxPatterns, GeluWithTanhIsOneFunction) {
  auto model = model_of({{"x", {-1, 5, 4}}});
  add_scalar(model, "three", 3);
  add_scalar(model, "factor", 0.044715F);
  add_scalar(model, "root", 0.7978846F);
  add_scalar(model, "one", 1);
  add_scalar(model, "half", 0.5F);
  add_node(model, "Pow", {"x", "three"}, {"c"});
  add_node(model, "Mul", {"c", "factor"}, {"f"});
  add_node(model, "Add", {"x", "f"}, {"s"});
  add_node(model, "Mul", {"s", "root"}, {"i"});
  add_node(model, "Tanh", {"i"}, {"t"});
  add_node(model, "Add", {"t", "one"}, {"g"});
  add_node(model, "Mul", {"x", "half"}, {"h"});
  add_result(model, "Mul", {"h", "g"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gelu (tanh) 5x4 <- x"));
}

TEST(OnnxPatterns, MishIsOneFunction) {
  auto model = model_of({{"x", {-1, 4}}});
  add_node(model, "Softplus", {"x"}, {"s"});
  add_node(model, "Tanh", {"s"}, {"t"});
  add_result(model, "Mul", {"x", "t"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: mish 4 <- x"));
}

// (x - mean) / √(variance + epsilon), with or without the mean.
onnx::ModelProto norm_model(bool centred) {
  auto model = model_of({{"x", {-1, 5, 4}}});
  add_scalar(model, "two", 2);
  add_scalar(model, "epsilon", 1e-3F);
  add_floats(model, "scale", {4}, {1, 2, 3, 4});
  add_floats(model, "bias", {4}, {5, 6, 7, 8});
  const std::string rest = centred ? "r" : "x";
  if (centred) {
    set_ints(add_node(model, "ReduceMean", {"x"}, {"m"}), "axes", {-1});
    add_node(model, "Sub", {"x", "m"}, {"r"});
  }
  add_node(model, "Pow", {rest, "two"}, {"q"});
  set_ints(add_node(model, "ReduceMean", {"q"}, {"v"}), "axes", {-1});
  add_node(model, "Add", {"v", "epsilon"}, {"s"});
  add_node(model, "Sqrt", {"s"}, {"d"});
  if (centred) {
    add_node(model, "Div", {rest, "d"}, {"n"});
  } else {
    add_node(model, "Reciprocal", {"d"}, {"i"});
    add_node(model, "Mul", {rest, "i"}, {"n"});
  }
  add_node(model, "Mul", {"n", "scale"}, {"t"});
  add_result(model, "Add", {"t", "bias"}, "y");
  return model;
}

TEST(OnnxPatterns, NormalisationsAreOneOperatorWithScaleAndBias) {
  for (const bool centred : {true, false}) {
    const auto loaded = must(converted(norm_model(centred)));
    ASSERT_EQ(loaded.graph.units().size(), 1U);
    const OperatorId id = loaded.graph.units().front().output();
    const auto* const norm = must(loaded.graph.op(id).as<Normalize>());
    EXPECT_EQ(*norm, (Normalize{1, 1e-3F, centred, true}));
    const std::string name = loaded.graph.op(id).name;
    EXPECT_THAT(weights_of(loaded.graph, name), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(bias_of(loaded.graph, name), ElementsAre(5, 6, 7, 8));
  }
}

using namespace test;
using testing::FloatEq;

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
  add_result(model, "Relu", {"n"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: conv(relu) 2x4x4 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(FloatEq(4), FloatEq(3)));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(FloatEq(25), FloatEq(21.5F)));
  EXPECT_TRUE(loaded.graph.parameters()->complete());
}

TEST(OnnxFusion, ScalesEachGroupOfATransposedConvolution) {
  auto model = model_of({{"x", {-1, 4, 4, 4}}});
  add_filled(model, "w", {4, 1, 1, 2});
  set_int(add_node(model, "ConvTranspose", {"x", "w"}, {"c"}), "group", 2);
  add_normalisation(model, "c", "y");
  add_output(model, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: transposed conv 2x4x5 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"),
              Pointwise(FloatEq(), std::vector<float>{4, 4, 4, 4, 1.5F, 1.5F, 1.5F, 1.5F}));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(FloatEq(-15), FloatEq(-8.5F)));
}

TEST(OnnxFusion, KeepsANormalisationOfWhatOthersRead) {
  auto model = model_of({{"x", {-1, 1, 4, 4}}});
  add_conv(model, "x", "c", {2, 1, 1, 1});
  add_normalisation(model, "c", "n");
  add_node(model, "Relu", {"n"}, {"r"});
  add_result(model, "Add", {"c", "r"}, "y");
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
  add_result(model, "Sub", {"summand", "d"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: conv 2x4x4 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(FloatEq(-1), FloatEq(-1.5F)));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(FloatEq(5), FloatEq(10)));
}

TEST(OnnxFusion, FindsSwish) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_conv(model, "x", "c", {2, 2, 1, 1});
  add_node(model, "Sigmoid", {"c"}, {"s"});
  add_result(model, "Mul", {"s", "c"}, "y");
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
  const auto loaded = must(converted(padded(0)));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: conv 2x8x10 <- x"));
  const Conv& conv = *loaded.graph.op(*loaded.graph.find_operator("y")).as<Conv>();
  EXPECT_EQ(conv.padding, (Extent{1, 2}));
  EXPECT_EQ(conv.end_padding, (Extent{2, 2}));
  EXPECT_THAT(units_of(padded(1)), ElementsAre("y: pad 2x8x10 + conv 2x8x10 <- x"));
}

TEST(OnnxFusion, JoinsConcatenations) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_node(model, "Relu", {"x"}, {"a"});
  add_node(model, "Sigmoid", {"x"}, {"b"});
  set_int(add_node(model, "Concat", {"a", "b"}, {"inner"}), "axis", 1);
  set_int(add_result(model, "Concat", {"x", "inner", "x"}, "y"), "axis", 1);
  EXPECT_THAT(units_of(model),
              ElementsAre("a: relu 2x4x4 <- x", "b: sigmoid 2x4x4 <- x", "y: concat 8x4x4 <- x, a, b, x"));
}

// Operators that are read as several.

std::vector<std::string> einsum(const std::string& equation, const std::vector<InputDims>& inputs) {
  auto model = model_of(inputs);
  const auto names = mapped<std::string>(inputs, &InputDims::name);
  set_text(add_node(model, "Einsum", names, {"y"}), "equation", equation);
  add_output(model, "y");
  return units_of(model);
}

TEST(OnnxEinsum, IsTranspositionsAndMatrixProducts) {
  EXPECT_THAT(einsum("bij->bji", {{"x", {-1, 2, 3}}}), ElementsAre("y: transpose 3x2 <- x"));
  EXPECT_THAT(einsum("bij, bjk -> bik", {{"a", {-1, 2, 3}}, {"b", {-1, 3, 4}}}), ElementsAre("y: matmul 2x4 <- a, b"));
  // Scores of attention: heads are shared, the batch leads.
  EXPECT_THAT(einsum("bhqd,bhkd->bhqk", {{"a", {-1, 2, 5, 3}}, {"b", {-1, 2, 7, 3}}}),
              ElementsAre("y: transpose 2x3x7 + matmul 2x5x7 <- b, a"));
  EXPECT_THAT(einsum("...ij,...jk", {{"a", {-1, 2, 3}}, {"b", {-1, 3, 4}}}), ElementsAre("y: matmul 2x4 <- a, b"));
  // Nothing is summed: a product under the output's axes.
  EXPECT_THAT(einsum("bi,bj->bij", {{"a", {-1, 2}}, {"b", {-1, 3}}}),
              ElementsAre("y: reshape 2x1 + reshape 1x3 + mul 2x3 <- a, b"));
}

TEST(OnnxEinsum, TakesDiagonals) {
  EXPECT_THAT(einsum("bii->bi", {{"x", {-1, 3, 3}}}), ElementsAre("y: reshape 9 + slice 3 <- x"));
}

TEST(OnnxEinsum, RefusesWhatDoesNotFit) {
  EXPECT_THAT(einsum("bii->bi", {{"x", {-1, 2, 3}}}), ElementsAre(HasSubstr("two sizes")));
  EXPECT_THAT(einsum("bij,bjk->bik", {{"a", {-1, 2, 3}}, {"b", {-1, 4, 4}}}), ElementsAre(HasSubstr("stands for 3")));
  EXPECT_THAT(einsum("bi->bij", {{"x", {-1, 2}}}), ElementsAre(HasSubstr("a letter that no input has")));
  EXPECT_THAT(einsum("b1->b1", {{"x", {-1, 2}}}), ElementsAre(HasSubstr("characters other than letters")));
  EXPECT_THAT(einsum("bijk->bi", {{"x", {-1, 2}}}), ElementsAre(HasSubstr("names 4 axes")));
}

TEST(OnnxDepthToSpace, IsATranspositionOfBlocks) {
  const auto with = [](const std::string& type, const std::string& mode) {
    auto model = model_of({{"x", {-1, 8, 4, 4}}});
    auto& node = add_node(model, type, {"x"}, {"y"});
    set_int(node, "blocksize", 2);
    if (!mode.empty()) set_text(node, "mode", mode);
    add_output(model, "y");
    return units_of(model);
  };
  EXPECT_THAT(with("DepthToSpace", "DCR"),
              ElementsAre("y: reshape 2x2x2x4x4 + transpose 2x4x2x4x2 + reshape 2x8x8 <- x"));
  EXPECT_THAT(with("SpaceToDepth", ""),
              ElementsAre("y: reshape 8x2x2x2x2 + transpose 2x2x8x2x2 + reshape 32x2x2 <- x"));
  EXPECT_THAT(with("DepthToSpace", "XYZ"), ElementsAre(HasSubstr("has the unknown mode 'XYZ'")));
}

// x -> If(condition) -> y, with Tanh of a sum in the one branch and Sigmoid in the other.
onnx::ModelProto branching(bool condition) {
  auto model = model_of({{"x", {-1, 4}}});
  add_node(model, "Relu", {"x"}, {"outer"});
  onnx::TensorProto& flag = *model.mutable_graph()->add_initializer();
  flag.set_name("condition");
  flag.set_data_type(onnx::TensorProto::BOOL);
  flag.add_int32_data(condition ? 1 : 0);
  auto& node = add_node(model, "If", {"condition"}, {"y"}, "choice");
  for (const bool then : {true, false}) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(then ? "then_branch" : "else_branch");
    attribute.set_type(onnx::AttributeProto::GRAPH);
    auto& graph = *attribute.mutable_g();
    if (then) *graph.add_initializer() = float_tensor("w", {4}, {1, 2, 3, 4});
    auto& first = *graph.add_node();
    first.set_op_type(then ? "Add" : "Sigmoid");
    first.add_input("outer");
    if (then) first.add_input("w");
    first.add_output("result");
    graph.add_output()->set_name("result");
  }
  add_output(model, "y");
  return model;
}

TEST(OnnxIf, TheBranchOfAConstantConditionStandsForIt) {
  EXPECT_THAT(units_of(branching(true)), ElementsAre("y: relu 4 + batch norm 4 <- x"));
  EXPECT_THAT(units_of(branching(false)), ElementsAre("y: relu 4 + sigmoid 4 <- x"));
}

// The same with an input that chooses; the branches yield 4 and `other` numbers a sample.
onnx::ModelProto choosing(std::int64_t other) {
  auto model = branching(true);
  auto& graph = *model.mutable_graph();
  graph.mutable_initializer()->Clear();
  auto& rate = *graph.add_input();
  rate.set_name("rate");
  rate.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  rate.mutable_type()->mutable_tensor_type()->mutable_shape();
  add_ints(model, "known", {16000});
  add_node(model, "Equal", {"rate", "known"}, {"condition"});
  graph.mutable_node()->SwapElements(1, 2);  // before the If
  auto& no = *graph.mutable_node(2)->mutable_attribute(1)->mutable_g();
  *no.add_initializer() = int_tensor("repeats", {2}, {1, other / 4});
  no.mutable_node(0)->set_op_type("Tile");
  no.mutable_node(0)->add_input("repeats");
  return model;
}

TEST(OnnxIf, AConditionThatIsComputedChoosesBetweenBothBranches) {
  const auto loaded = must(converted(choosing(4)));
  EXPECT_FALSE(loaded.batched);
  EXPECT_THAT(loaded.warnings, Contains(HasSubstr("1 If has a computed condition: both branches")));
  const auto units = units_of(loaded.graph);
  EXPECT_THAT(units, Not(Contains(HasSubstr("not executable"))));
  EXPECT_THAT(units.back(), HasSubstr("where 1x4 <- "));
}

TEST(OnnxIf, BranchesOfOtherShapesAreNotExecuted) {
  const auto loaded = must(converted(choosing(8)));
  EXPECT_THAT(loaded.warnings, Contains(HasSubstr("its branches yield 1x4 and 1x8")));
  EXPECT_THAT(units_of(loaded.graph), Contains(HasSubstr("not executable")));
}

TEST(OnnxIf, AConditionOfManyTruthsIsNotExecuted) {
  auto model = branching(true);
  model.mutable_graph()->mutable_initializer()->Clear();
  add_node(model, "Sigmoid", {"x"}, {"condition"});
  const auto loaded = must(converted(model));
  EXPECT_THAT(loaded.warnings, Contains(HasSubstr("its condition is not a single truth value")));
}

TEST(OnnxIf, ABranchThatContradictsItselfIsBad) {
  auto model = branching(true);
  for (auto& attribute : *model.mutable_graph()->mutable_node(1)->mutable_attribute()) {
    attribute.mutable_g()->mutable_output(0)->set_name("nothing");
  }
  EXPECT_THAT(refusal_of(model), HasSubstr("nothing"));
}

onnx::ModelProto attention(const std::vector<InputDims>& inputs, bool causal) {
  auto model = model_of(inputs, 23);
  const auto names = mapped<std::string>(inputs, &InputDims::name);
  auto& node = add_node(model, "Attention", names, {"y"});
  if (inputs.front().dims.size() == 3) {
    set_int(node, "q_num_heads", 4);
    set_int(node, "kv_num_heads", 2);
  }
  set_int(node, "is_causal", causal ? 1 : 0);
  add_output(model, "y");
  return model;
}

TEST(OnnxAttention, IsOneUnit) {
  EXPECT_THAT(units_of(attention({{"q", {-1, 2, 5, 8}}, {"k", {-1, 2, 7, 8}}, {"v", {-1, 2, 7, 3}}}, true)),
              ElementsAre("y: batch norm 2x5x8 + transpose 2x8x7 + matmul 2x5x7 + add 2x5x7 + softmax 2x5x7 + "
                          "matmul 2x5x3 <- q, k, {5x7}, v"));
  // Four heads of queries share two of keys and values.
  const auto grouped = units_of(attention({{"q", {-1, 5, 32}}, {"k", {-1, 7, 16}}, {"v", {-1, 7, 6}}}, false));
  ASSERT_EQ(grouped.size(), 1U) << testing::PrintToString(grouped);
  EXPECT_THAT(grouped[0],
              AllOf(HasSubstr("matmul 2x10x7"), HasSubstr("softmax 4x5x7"), HasSubstr("reshape 5x12 <- q, k, v")));
}

TEST(OnnxAttention, SaysWhatDoesNotFit) {
  EXPECT_THAT(refusal_of(attention({{"q", {-1, 2, 5, 8}}, {"k", {-1, 2, 7, 9}}, {"v", {-1, 2, 7, 3}}}, false)),
              HasSubstr("do not fit together"));
  EXPECT_THAT(refusal_of(attention({{"q", {-1, 5, 30}}, {"k", {-1, 7, 16}}, {"v", {-1, 7, 6}}}, false)),
              HasSubstr("30 features among 4 heads"));
}

// As exporters write it: what is scaled, and where a mask comes in, differ.
enum class Scaling { kScoresDivided, kScoresMultiplied, kQueries };

std::vector<std::string> written_out(Scaling scaling, bool masked, bool read_twice) {
  auto model = model_of({{"x", {-1, 5, 8}}, {"mask", {-1, 1, 1, 5}}});
  add_filled(model, "factor", {}, 4);
  add_ints(model, "apart", {0, 0, 2, 4});
  add_ints(model, "together", {0, 0, 8});
  for (const std::string name : {"q", "k", "v"}) {
    add_filled(model, "w" + name, {8, 8});
    add_filled(model, "b" + name, {8});
    add_node(model, "MatMul", {"x", "w" + name}, {name + "m"});
    add_node(model, "Add", {"b" + name, name + "m"}, {name + "b"});
    add_node(model, "Reshape", {name + "b", "apart"}, {name + "r"});
    const bool keys = name == "k";
    set_ints(add_node(model, "Transpose", {name + "r"}, {name + "t"}), "perm",
             keys ? std::vector<std::int64_t>{0, 2, 3, 1} : std::vector<std::int64_t>{0, 2, 1, 3});
  }
  std::string query = "qt";
  if (scaling == Scaling::kQueries) {
    add_node(model, "Mul", {"qt", "factor"}, {"scaled"});
    query = "scaled";
  }
  add_node(model, "MatMul", {query, "kt"}, {"scores"});
  std::string scores = "scores";
  if (scaling != Scaling::kQueries) {
    add_node(model, scaling == Scaling::kScoresDivided ? "Div" : "Mul", {"scores", "factor"}, {"s"});
    scores = "s";
  }
  if (masked) {
    add_node(model, "Add", {scores, "mask"}, {"m"});
    scores = "m";
  }
  set_int(add_node(model, "Softmax", {scores}, {"p"}), "axis", -1);
  add_node(model, "MatMul", {"p", "vt"}, {"c"});
  set_ints(add_node(model, "Transpose", {"c"}, {"ct"}), "perm", {0, 2, 1, 3});
  add_result(model, "Reshape", {"ct", "together"}, "y");
  if (read_twice) add_output(model, "p");
  return units_of(model);
}

TEST(OnnxUnits, AnAttentionThatIsWrittenOutIsOne) {
  for (const Scaling scaling : {Scaling::kScoresDivided, Scaling::kScoresMultiplied, Scaling::kQueries}) {
    for (const bool masked : {false, true}) {
      const auto units = written_out(scaling, masked, false);
      ASSERT_EQ(units.size(), 4U) << testing::PrintToString(units);  // three projections with their biases
      EXPECT_THAT(units[0], HasSubstr("linear 5x8 <- x"));
      EXPECT_THAT(units[3], StartsWith("y: "));
      EXPECT_THAT(units[3], EndsWith("reshape 5x8 <- qm, km, vm" + std::string(masked ? ", mask" : "")))
          << testing::PrintToString(units);
    }
  }
}

TEST(OnnxUnits, AnAttentionWhoseWeightsAreReadElsewhereIsNotOne) {
  EXPECT_THAT(written_out(Scaling::kScoresDivided, true, true), Not(SizeIs(4)));
}

}  // namespace

}  // namespace iosx::onnx_import
