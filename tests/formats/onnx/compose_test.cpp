#include <gmock/gmock.h>

#include "tests/formats/onnx/converted.h"

// Operators that are read as several.
namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> einsum(const std::string& equation, const std::vector<InputDims>& inputs) {
  auto model = model_of(inputs);
  std::vector<std::string> names;
  for (const InputDims& input : inputs) names.push_back(input.name);
  set_text(add_node(model, "Einsum", names, {"y"}), "equation", equation);
  add_output(model, "y");
  return units_of(model);
}

TEST(OnnxEinsum, IsTranspositionsAndMatrixProducts) {
  EXPECT_THAT(einsum("bij->bji", {{"x", {-1, 2, 3}}}), ElementsAre("y: transpose 3x2 <- x"));
  EXPECT_THAT(einsum("bij, bjk -> bik", {{"a", {-1, 2, 3}}, {"b", {-1, 3, 4}}}), ElementsAre("y: matmul 2x4 <- a, b"));
  // Scores of attention: heads are shared, the batch leads.
  EXPECT_THAT(einsum("bhqd,bhkd->bhqk", {{"a", {-1, 2, 5, 3}}, {"b", {-1, 2, 7, 3}}}),
              ElementsAre("y/right: transpose 2x3x7 <- b", "y: matmul 2x5x7 <- a, y/right"));
  EXPECT_THAT(einsum("...ij,...jk", {{"a", {-1, 2, 3}}, {"b", {-1, 3, 4}}}), ElementsAre("y: matmul 2x4 <- a, b"));
  // Nothing is summed: a product under the output's axes.
  EXPECT_THAT(einsum("bi,bj->bij", {{"a", {-1, 2}}, {"b", {-1, 3}}}),
              ElementsAre("y/aligned: reshape 2x1 <- a", "y/aligned_1: reshape 1x3 <- b",
                          "y: mul 2x3 <- y/aligned, y/aligned_1"));
}

TEST(OnnxEinsum, TakesDiagonals) {
  EXPECT_THAT(einsum("bii->bi", {{"x", {-1, 3, 3}}}), ElementsAre("y/flat: reshape 9 <- x", "y: slice 3 <- y/flat"));
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
  const auto loaded = converted(choosing(4));
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_FALSE(loaded->batched);
  EXPECT_THAT(loaded->warnings, testing::Contains(HasSubstr("1 If has a computed condition: both branches")));
  const auto units = units_of(loaded->graph);
  EXPECT_THAT(units, Not(testing::Contains(HasSubstr("not executable"))));
  EXPECT_THAT(units.back(), HasSubstr("where 1x4 <- "));
}

TEST(OnnxIf, BranchesOfOtherShapesAreNotExecuted) {
  const auto loaded = converted(choosing(8));
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(loaded->warnings, testing::Contains(HasSubstr("its branches yield 1x4 and 1x8")));
  EXPECT_THAT(units_of(loaded->graph), testing::Contains(HasSubstr("not executable")));
}

TEST(OnnxIf, AConditionOfManyTruthsIsNotExecuted) {
  auto model = branching(true);
  model.mutable_graph()->mutable_initializer()->Clear();
  add_node(model, "Sigmoid", {"x"}, {"condition"});
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_THAT(loaded->warnings, testing::Contains(HasSubstr("its condition is not a single truth value")));
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
  std::vector<std::string> names;
  for (const InputDims& input : inputs) names.push_back(input.name);
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
  EXPECT_THAT(grouped[0], HasSubstr("matmul 2x10x7"));
  EXPECT_THAT(grouped[0], HasSubstr("softmax 4x5x7"));
  EXPECT_THAT(grouped[0], HasSubstr("reshape 5x12 <- q, k, v"));
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
  add_node(model, "Reshape", {"ct", "together"}, {"y"});
  add_output(model, "y");
  if (read_twice) add_output(model, "p");
  return units_of(model);
}

TEST(OnnxUnits, AnAttentionThatIsWrittenOutIsOne) {
  for (const Scaling scaling : {Scaling::kScoresDivided, Scaling::kScoresMultiplied, Scaling::kQueries}) {
    for (const bool masked : {false, true}) {
      const auto units = written_out(scaling, masked, false);
      ASSERT_EQ(units.size(), 4U) << testing::PrintToString(units);  // three projections with their biases
      EXPECT_THAT(units[0], HasSubstr("linear 5x8 <- x"));
      EXPECT_THAT(units[3], testing::StartsWith("y: "));
      EXPECT_THAT(units[3], testing::EndsWith("reshape 5x8 <- qm, km, vm" + std::string(masked ? ", mask" : "")))
          << testing::PrintToString(units);
    }
  }
}

TEST(OnnxUnits, AnAttentionWhoseWeightsAreReadElsewhereIsNotOne) {
  EXPECT_THAT(written_out(Scaling::kScoresDivided, true, true), Not(testing::SizeIs(4)));
}

}  // namespace
}  // namespace iosx::onnx_import
