#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/formats/onnx/protos.h"
#include "tests/support/sanitized.h"

namespace iosx::onnx_import {
namespace {

using test::error_of;
using test::parse;
using testing::ElementsAre;
using testing::HasSubstr;

// function scale(a, slope) -> b: LeakyRelu(a) with alpha = slope
onnx::FunctionProto leaky() {
  onnx::FunctionProto function;
  function.set_domain("mine");
  function.set_name("leaky");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("slope");
  auto& opset = *function.add_opset_import();
  opset.set_version(17);
  auto& first = *function.add_node();
  first.set_op_type("LeakyRelu");
  first.add_input("a");
  first.add_output("inner");
  auto& alpha = *first.add_attribute();
  alpha.set_name("alpha");
  alpha.set_type(onnx::AttributeProto::FLOAT);
  alpha.set_ref_attr_name("slope");
  auto& second = *function.add_node();
  second.set_op_type("Sigmoid");
  second.add_input("inner");
  second.add_output("b");
  return function;
}

// Two calls of it, one after the other.
onnx::ModelProto calling_model() {
  onnx::ModelProto model = test::empty_model();
  *model.add_functions() = leaky();
  auto& mine = *model.add_opset_import();
  mine.set_domain("mine");
  mine.set_version(1);
  for (const auto& [from, to] : {std::pair("x", "m"), std::pair("m", "y")}) {
    onnx::NodeProto& call = test::add_node(model, "leaky", {from}, {to}, to);
    call.set_domain("mine");
    auto& slope = *call.add_attribute();
    slope.set_name("slope");
    slope.set_type(onnx::AttributeProto::FLOAT);
    slope.set_f(to == std::string("m") ? 0.25F : 0.5F);
  }
  test::add_output(model, "y");
  return model;
}

TEST(Functions, AreInlined) {
  const auto model = parse(calling_model());
  ASSERT_TRUE(model) << model.error().text();
  ASSERT_EQ(model->nodes.size(), 4U);
  EXPECT_EQ(model->nodes[0].op_type, "LeakyRelu");
  EXPECT_EQ(float_attribute(model->nodes[0], "alpha", 0).value(), 0.25F);
  EXPECT_EQ(float_attribute(model->nodes[2], "alpha", 0).value(), 0.5F);
  EXPECT_THAT(model->nodes[0].inputs, ElementsAre("x"));
  EXPECT_THAT(model->nodes[1].outputs, ElementsAre("m"));
  EXPECT_THAT(model->nodes[2].inputs, ElementsAre("m"));
  EXPECT_THAT(model->nodes[3].outputs, ElementsAre("y"));
  EXPECT_EQ(model->nodes[0].outputs, model->nodes[1].inputs);
  EXPECT_NE(model->nodes[0].outputs, model->nodes[2].outputs);
  EXPECT_EQ(model->nodes[0].name, "m/LeakyRelu");
}

TEST(Functions, TakeDefaultsOfAttributes) {
  onnx::ModelProto proto = calling_model();
  proto.mutable_graph()->mutable_node(0)->clear_attribute();
  onnx::AttributeProto slope;
  slope.set_name("slope");
  slope.set_type(onnx::AttributeProto::FLOAT);
  slope.set_f(0.125F);
  proto.mutable_functions(0)->mutable_unknown_fields()->AddLengthDelimited(11, slope.SerializeAsString());
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(float_attribute(model->nodes[0], "alpha", 0).value(), 0.125F);
  EXPECT_EQ(float_attribute(model->nodes[2], "alpha", 0).value(), 0.5F);
}

// "overload" is a field newer than the classes that the test builds models with.
TEST(Functions, OfOneNameAreToldApartByTheirOverload) {
  onnx::ModelProto proto = calling_model();
  onnx::FunctionProto other = leaky();
  other.mutable_node(1)->set_op_type("Tanh");
  *proto.add_functions() = other;
  for (const int i : {0, 1}) {
    const std::string name = i == 0 ? "sigmoid" : "tanh";
    proto.mutable_functions(i)->mutable_unknown_fields()->AddLengthDelimited(13, name);
    proto.mutable_graph()->mutable_node(1 - i)->mutable_unknown_fields()->AddLengthDelimited(8, name);
  }
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  ASSERT_EQ(model->nodes.size(), 4U);
  EXPECT_EQ(model->nodes[1].op_type, "Tanh");
  EXPECT_EQ(model->nodes[3].op_type, "Sigmoid");
  *proto.add_functions() = proto.functions(1);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("function 'mine.leaky:tanh': is defined twice"));
}

TEST(Functions, MayPassAnInputThrough) {
  onnx::ModelProto proto = calling_model();
  proto.mutable_functions(0)->add_output("a");
  proto.mutable_graph()->mutable_node(0)->add_output("same");
  test::add_output(proto, "same");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nodes[0].op_type, "Identity");
  EXPECT_THAT(model->nodes[0].inputs, ElementsAre("x"));
  EXPECT_THAT(model->nodes[0].outputs, ElementsAre("same"));
}

TEST(Functions, ThatCannotBeInlinedAreNamed) {
  onnx::ModelProto proto = calling_model();
  *proto.add_functions() = proto.functions(0);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("function 'mine.leaky': is defined twice"));
  proto = calling_model();
  proto.mutable_functions(0)->mutable_opset_import(0)->set_version(12);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("written for version 12 of the operators 'ai.onnx'"));
  proto = calling_model();
  proto.mutable_functions(0)->mutable_node(1)->set_domain("mine");
  proto.mutable_functions(0)->mutable_node(1)->set_op_type("leaky");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("function 'mine.leaky': calls itself"));
  proto = calling_model();
  proto.mutable_graph()->mutable_node(0)->add_input("x");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("more inputs or outputs than it has"));
}

// Twenty functions, each of which calls the next one eight times: 8^20 nodes in a few kilobytes.
TEST(Functions, ThatGrowWithoutEndAreRefused) {
  if (iosx::test::every(2) > 1) GTEST_SKIP() << "makes a million nodes, which takes minutes under a sanitizer";
  onnx::ModelProto proto = calling_model();
  proto.clear_functions();
  proto.mutable_graph()->mutable_node(0)->set_op_type("level0");
  for (int level = 0; level < 20; ++level) {
    onnx::FunctionProto function = leaky();
    function.set_name(fmt::format("level{}", level));
    function.clear_node();
    function.set_output(0, "t0");
    for (int i = 0; i < 8; ++i) {
      auto& node = *function.add_node();
      node.set_op_type(fmt::format("level{}", level + 1));
      node.set_domain(function.domain());
      node.add_input(function.input(0));
      node.add_output(fmt::format("t{}", i));
    }
    *proto.add_functions() = function;
  }
  EXPECT_THAT(error_of(parse(proto)),
              testing::AnyOf(HasSubstr("too often"), HasSubstr("too large"), HasSubstr("more than 1000000 nodes")));
}

}  // namespace
}  // namespace iosx::onnx_import
