#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/formats/onnx/converted.h"
#include "tests/support/reference.h"

// Operators of ONNX's machine learning domain. The expected numbers are by hand, and ONNX Runtime's.
namespace iosx::onnx_import::test {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

using Integers = std::vector<std::int64_t>;
using Floats = std::vector<float>;

void set_floats(onnx::NodeProto& node, const std::string& name, const Floats& values) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOATS);
  for (const float value : values) attribute.add_floats(value);
}
void set_texts(onnx::NodeProto& node, const std::string& name, const std::vector<std::string>& values) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::STRINGS);
  for (const std::string& value : values) attribute.add_strings(value);
}

// A model of one node of the domain, which reads samples of two numbers.
struct Model {
  explicit Model(const std::string& type, const std::vector<std::string>& outputs) : proto(model_of({{"x", {-1, 2}}})) {
    node = &add_node(proto, type, {"x"}, outputs);
    node->set_domain("ai.onnx.ml");
    for (const std::string& output : outputs) add_output(proto, output);
  }

  // Every output's numbers for these samples.
  std::vector<Floats> of(const Floats& samples) const {
    const auto count = static_cast<std::int64_t>(samples.size() / 2);
    const auto loaded = converted(proto, {.batch = count});
    EXPECT_TRUE(loaded) << loaded.error().text();
    if (!loaded) return {};
    const Graph& graph = loaded->graph;
    const bool opaque = std::ranges::any_of(graph.operators(), [](const Operator& op) { return op.as<Opaque>(); });
    EXPECT_FALSE(opaque) << testing::PrintToString(loaded->warnings);
    if (opaque) return {};
    const std::vector<Tensor> inputs{Tensor({count, 2}, samples)};
    const auto made = iosx::test::reference_outputs(graph, inputs, count);
    std::vector<Floats> all;
    for (const OnnxOutput& output : loaded->outputs) {
      for (std::size_t i = 0; i < made.size(); ++i) {
        if (graph.op(graph.unit(graph.outputs()[i]).output()).name != output.op) continue;
        all.emplace_back(made[i].elements().begin(), made[i].elements().end());
      }
    }
    return all;
  }

  onnx::ModelProto proto;
  onnx::NodeProto* node;
};

TEST(OnnxMl, AScalerIsADifferenceAndAProduct) {
  const auto with = [](const Floats& offset, const Floats& scale) {
    Model model("Scaler", {"y"});
    set_floats(*model.node, "offset", offset);
    set_floats(*model.node, "scale", scale);
    return model;
  };
  EXPECT_THAT(with({1, 2}, {10, 100}).of({3, 3, 1, 0}), ElementsAre(ElementsAre(20, 100, 0, -200)));
  EXPECT_THAT(with({1}, {2}).of({3, 4}), ElementsAre(ElementsAre(4, 6)));
  EXPECT_THAT(refusal_of(with({1, 2, 3}, {2}).proto), HasSubstr("Scaler")) << "three offsets for two features";
}

TEST(OnnxMl, ANormalizerMakesTheMagnitudesOne) {
  Model sum("Normalizer", {"y"});
  set_text(*sum.node, "norm", "L1");
  EXPECT_THAT(sum.of({1, -3, 0, 0}), ElementsAre(ElementsAre(0.25F, -0.75F, 0, 0)));
  Model root("Normalizer", {"y"});
  set_text(*root.node, "norm", "L2");
  EXPECT_THAT(root.of({3, 4}).front(), Pointwise(FloatNear(1e-6F), {0.6F, 0.8F}));
}

// The class with the largest score is the first of those.
TEST(OnnxMl, ALinearClassifierYieldsLabelsAndScores) {
  Model model("LinearClassifier", {"label", "scores"});
  set_floats(*model.node, "coefficients", {1, 0, 0, 1, 1, 1});
  set_floats(*model.node, "intercepts", {0, 0.5F, -1});
  set_ints(*model.node, "classlabels_ints", {5, 7, 9});
  const auto found = model.of({1, 0, 0, 0, 3, 3});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], ElementsAre(5, 7, 9));
  EXPECT_THAT(found[1], ElementsAre(1, 0.5F, 0, 0, 0.5F, -1, 3, 3.5F, 5));

  set_text(*model.node, "post_transform", "LOGISTIC");
  EXPECT_THAT(model.of({1, 0})[1], Pointwise(FloatNear(1e-6F), {0.7310586F, 0.6224593F, 0.5F}));
  for (const float more : {7, 7, 7}) model.node->mutable_attribute(0)->add_floats(more);
  EXPECT_THAT(model.of({1, 0})[0], ElementsAre(5));
  model.node->mutable_attribute(2)->set_name("classlabels_strings");
  EXPECT_THAT(testing::PrintToString(units_of(model.proto)), HasSubstr("not executable"));
}

TEST(OnnxMl, AMapOfLabelsIsItsNumbers) {
  Model model("ZipMap", {"y"});
  set_ints(*model.node, "classlabels_int64s", {0, 1});
  EXPECT_THAT(model.of({0.25F, 0.75F}), ElementsAre(ElementsAre(0.25F, 0.75F)));
}

// x₀ ≤ 0.5: the leaf 1; else x₁ ≤ 3: the leaf 3; else the leaf 4. The second tree asks for x₁ ≤ 0.
void set_trees(onnx::NodeProto& node) {
  set_ints(node, "nodes_treeids", {0, 0, 0, 0, 0, 1, 1, 1});
  set_ints(node, "nodes_nodeids", {0, 1, 2, 3, 4, 0, 1, 2});
  set_ints(node, "nodes_featureids", {0, 0, 1, 0, 0, 1, 0, 0});
  set_floats(node, "nodes_values", {0.5F, 0, 3, 0, 0, 0, 0, 0});
  const std::string leaf = "LEAF";
  const std::string asks = "BRANCH_LEQ";
  set_texts(node, "nodes_modes", {asks, leaf, asks, leaf, leaf, asks, leaf, leaf});
  set_ints(node, "nodes_truenodeids", {1, 0, 3, 0, 0, 1, 0, 0});
  set_ints(node, "nodes_falsenodeids", {2, 0, 4, 0, 0, 2, 0, 0});
}
void set_weights(onnx::NodeProto& node, const std::string& prefix, const Integers& ids, const Floats& weights) {
  set_ints(node, prefix + "treeids", {0, 0, 0, 1, 1});
  set_ints(node, prefix + "nodeids", {1, 3, 4, 1, 2});
  set_ints(node, prefix + "ids", ids);
  set_floats(node, prefix + "weights", weights);
}

TEST(OnnxMl, TreesAreSummedUp) {
  Model model("TreeEnsembleRegressor", {"y"});
  set_trees(*model.node);
  set_weights(*model.node, "target_", {0, 0, 0, 0, 0}, {1, 2, 4, 10, 20});
  set_floats(*model.node, "base_values", {0.5F});
  set_int(*model.node, "n_targets", 1);
  EXPECT_THAT(model.of({0, 1, 0.5F, -1, 1, 3, 1, 4, 1, 0}).front(), ElementsAre(21.5F, 11.5F, 22.5F, 24.5F, 12.5F));
}

TEST(OnnxMl, TreesChooseAClass) {
  Model many("TreeEnsembleClassifier", {"label", "scores"});
  set_trees(*many.node);
  set_weights(*many.node, "class_", {0, 1, 2, 0, 2}, {1, 2, 4, 0.5F, 0.25F});
  set_ints(*many.node, "classlabels_int64s", {3, 4, 8});
  auto found = many.of({0, 0, 1, 1, 1, 4});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], ElementsAre(3, 4, 8));
  EXPECT_THAT(found[1], ElementsAre(1.5F, 0, 0, 0, 2, 0.25F, 0, 0, 4.25F));

  // Of two classes one has weights: probabilities, or scores around 0.
  const auto two_of = [](const Floats& weights, const Integers& ids) {
    Model two("TreeEnsembleClassifier", {"label", "scores"});
    set_trees(*two.node);
    set_weights(*two.node, "class_", ids, weights);
    set_ints(*two.node, "classlabels_int64s", {3, 4});
    return two;
  };
  const auto of_two = [&](const Floats& weights) { return two_of(weights, {0, 0, 0, 0, 0}).of({0, 0, 1, 1, 1, 4}); };
  found = of_two({0.25F, 0.5F, 0.75F, 0.125F, 0});
  EXPECT_THAT(found[0], ElementsAre(3, 3, 4));
  EXPECT_THAT(found[1], ElementsAre(0.625F, 0.375F, 0.5F, 0.5F, 0.25F, 0.75F));
  found = of_two({-1, 0.5F, 0.75F, 0.25F, -0.5F});
  EXPECT_THAT(found[0], ElementsAre(3, 3, 4));
  EXPECT_THAT(found[1], ElementsAre(0.75F, -0.75F, 0, 0, -0.25F, 0.25F));
  EXPECT_THAT(testing::PrintToString(units_of(two_of({1, 2, 3, 4, 5}, {0, 1, 0, 1, 0}).proto)),
              HasSubstr("not executable"));
}

TEST(OnnxMl, WhatAreNoTreesIsRefused) {
  const auto refusal = [](const std::map<std::string, Integers>& changed) {
    Model model("TreeEnsembleRegressor", {"y"});
    set_trees(*model.node);
    set_weights(*model.node, "target_", {0, 0, 0, 0, 0}, {1, 2, 4, 10, 20});
    for (auto& attribute : *model.node->mutable_attribute()) {
      const auto values = changed.find(attribute.name());
      if (values == changed.end()) continue;
      attribute.clear_ints();
      for (const std::int64_t value : values->second) attribute.add_ints(value);
    }
    return refusal_of(model.proto);
  };
  const auto no_trees = HasSubstr("its nodes do not form trees");
  EXPECT_THAT(refusal({{"nodes_truenodeids", {1, 0, 1, 0, 0, 1, 0, 0}}}), no_trees) << "two ways to a leaf";
  EXPECT_THAT(
      refusal({{"nodes_truenodeids", {1, 0, 2, 0, 0, 1, 0, 0}}, {"nodes_falsenodeids", {3, 0, 4, 0, 0, 2, 0, 0}}}),
      no_trees)
      << "a circle";
  EXPECT_THAT(refusal({{"nodes_falsenodeids", {9, 0, 4, 0, 0, 2, 0, 0}}}), no_trees) << "a node that is not there";
  EXPECT_THAT(refusal({{"nodes_falsenodeids", {9}}}), HasSubstr("its lists of nodes differ in length"));
  EXPECT_THAT(refusal({{"nodes_nodeids", {0, 1, 1, 3, 4, 0, 1, 2}}}), HasSubstr("two of its nodes have the same id"));
  EXPECT_THAT(refusal({{"target_nodeids", {0, 3, 4, 1, 2}}}), HasSubstr("weight 0 belongs to no existing leaf"));
  EXPECT_THAT(refusal({{"target_ids", {0, 0, 0, 0, 1}}}), HasSubstr("weight 4 belongs to no existing leaf or target"));
  EXPECT_THAT(refusal({{"target_ids", {0}}}), HasSubstr("its lists of weights differ in length"));
  EXPECT_THAT(refusal({{"nodes_featureids", {0, 0, 7, 0, 0, 1, 0, 0}}}), HasSubstr("index 7"));
}

}  // namespace
}  // namespace iosx::onnx_import::test
