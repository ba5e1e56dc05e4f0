#include <gmock/gmock.h>

#include "tests/formats/onnx/converted.h"

namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
  add_node(model, "Mul", {"h", "g"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gelu (tanh) 5x4 <- x"));
}

TEST(OnnxPatterns, MishIsOneFunction) {
  auto model = model_of({{"x", {-1, 4}}});
  add_node(model, "Softplus", {"x"}, {"s"});
  add_node(model, "Tanh", {"s"}, {"t"});
  add_node(model, "Mul", {"x", "t"}, {"y"});
  add_output(model, "y");
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
  add_node(model, "Add", {"t", "bias"}, {"y"});
  add_output(model, "y");
  return model;
}

TEST(OnnxPatterns, NormalisationsAreOneOperatorWithScaleAndBias) {
  for (const bool centred : {true, false}) {
    const auto loaded = converted(norm_model(centred));
    ASSERT_TRUE(loaded) << loaded.error().text();
    ASSERT_EQ(loaded->graph.units().size(), 1U);
    const OperatorId id = loaded->graph.units().front().output();
    const auto* const norm = loaded->graph.op(id).as<Normalize>();
    ASSERT_NE(norm, nullptr);
    EXPECT_EQ(*norm, (Normalize{1, 1e-3F, centred, true}));
    const std::string name = loaded->graph.op(id).name;
    EXPECT_THAT(weights_of(loaded->graph, name), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(bias_of(loaded->graph, name), ElementsAre(5, 6, 7, 8));
  }
}

}  // namespace
}  // namespace iosx::onnx_import
