#include "core/formats/onnx/read/read_model.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using test::add_node;
using test::add_output;
using test::parse;

std::vector<std::string> op_types(const OnnxModel& model) { return mapped<std::string>(model.nodes, &Node::op_type); }

TEST(ReadModel, ReadsWhatTheFileSays) {
  onnx::ModelProto proto = test::model_with(test::float_tensor("w", {3}, {1, 2, 3}));
  proto.set_producer_name("tool");
  proto.set_producer_version("1.0");
  proto.add_opset_import()->set_domain("com.example");
  proto.mutable_opset_import(1)->set_version(2);
  proto.mutable_graph()->add_value_info()->set_name("y");
  const auto model = must(parse(proto));
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.opset(), 17);
  EXPECT_EQ(model.opsets.at("com.example"), 2);
  EXPECT_EQ(model.producer, "tool 1.0");
  EXPECT_EQ(model.graph_name, "test");
  ASSERT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.inputs[0].name, "x");
  EXPECT_EQ(model.inputs[0].type, ElementType::kFloat32);
  ASSERT_TRUE(model.inputs[0].dims);
  EXPECT_EQ((*model.inputs[0].dims)[0].symbol, "batch");
  EXPECT_FALSE((*model.inputs[0].dims)[0].size);
  EXPECT_EQ((*model.inputs[0].dims)[1].size, 3);
  ASSERT_EQ(model.outputs.size(), 1U);
  EXPECT_FALSE(model.outputs[0].dims);
  EXPECT_TRUE(model.value_info.contains("y"));
  EXPECT_THAT(model.initializers.at("w").floats(), ElementsAre(1, 2, 3));
  ASSERT_EQ(model.nodes.size(), 1U);
  EXPECT_EQ(model.nodes[0].where(), "node 0 (Add 'add')");
  EXPECT_THAT(model.nodes[0].inputs, ElementsAre("x", "w"));
  EXPECT_THAT(model.warnings, IsEmpty());
}

TEST(ReadModel, LeavesInitializersOutOfTheInputs) {
  onnx::ModelProto proto = test::model_with(test::float_tensor("w", {3}, {1, 2, 3}));
  proto.mutable_graph()->add_input()->set_name("w");
  EXPECT_EQ(must(parse(proto)).inputs.size(), 1U);
}

TEST(ReadModel, ReadsEveryKindOfAttribute) {
  onnx::ModelProto proto = test::relu_model();
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  const auto add = [&](const char* name, onnx::AttributeProto::AttributeType type) -> onnx::AttributeProto& {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  };
  add("i", onnx::AttributeProto::INT).set_i(-7);
  add("f", onnx::AttributeProto::FLOAT).set_f(0.5F);
  add("s", onnx::AttributeProto::STRING).set_s("text");
  add("is", onnx::AttributeProto::INTS).add_ints(4);
  add("fs", onnx::AttributeProto::FLOATS).add_floats(0.25F);
  add("ss", onnx::AttributeProto::STRINGS).add_strings("a");
  *add("t", onnx::AttributeProto::TENSOR).mutable_t() = test::int_tensor("", {2}, {5, 6});
  add("tp", onnx::AttributeProto::TYPE_PROTO).mutable_tp();
  onnx::AttributeProto& untyped = *node.add_attribute();  // as in files of IR version 1
  untyped.set_name("untyped");
  untyped.add_ints(9);
  const auto model = must(parse(proto));
  const Node& read = model.nodes[0];
  EXPECT_EQ(int_attribute(read, "i", 0).value(), -7);
  EXPECT_EQ(int_attribute(read, "absent", 3).value(), 3);
  EXPECT_EQ(float_attribute(read, "f", 0).value(), 0.5F);
  EXPECT_EQ(string_attribute(read, "s", "").value(), "text");
  EXPECT_THAT(ints_attribute(read, "is").value().value(), ElementsAre(4));
  EXPECT_THAT(std::get<std::vector<float>>(*find_attribute(read, "fs")), ElementsAre(0.25F));
  EXPECT_THAT(std::get<std::vector<std::string>>(*find_attribute(read, "ss")), ElementsAre("a"));
  EXPECT_THAT(std::get<HostTensor>(*find_attribute(read, "t")).integers(), ElementsAre(5, 6));
  EXPECT_TRUE(std::holds_alternative<UnknownAttribute>(*find_attribute(read, "tp")));
  EXPECT_THAT(ints_attribute(read, "untyped").value().value(), ElementsAre(9));
  EXPECT_EQ(int_attribute(read, "s", 0).error().text(),
            "node 0 (Relu 'relu'): its attribute 's' is not an integer (export the model again)");
}

TEST(ReadModel, KeepsTheFilesOrderWhereItCan) {
  onnx::ModelProto proto = test::empty_model();
  add_node(proto, "C", {"a", "b"}, {"c"});
  add_node(proto, "B", {"x"}, {"b"});
  add_node(proto, "A", {"x"}, {"a"});
  add_result(proto, "D", {"c"}, "d");
  const auto model = must(parse(proto));
  EXPECT_THAT(op_types(model), ElementsAre("B", "A", "C", "D"));
  EXPECT_EQ(model.nodes[2].index, 0U);
}

TEST(ReadModel, SortsAfterWhatSubgraphsRead) {
  onnx::ModelProto proto = test::empty_model();
  onnx::NodeProto& branch = add_node(proto, "If", {"x"}, {"y"});
  onnx::AttributeProto& then = *branch.add_attribute();
  then.set_name("then_branch");
  then.set_type(onnx::AttributeProto::GRAPH);
  then.mutable_g()->set_name("then");
  onnx::NodeProto& inner = *then.mutable_g()->add_node();
  inner.set_op_type("Add");
  inner.add_input("outer");
  inner.add_input("own");
  inner.add_output("result");
  *then.mutable_g()->add_initializer() = test::float_tensor("own", {1}, {1});
  then.mutable_g()->add_output()->set_name("result");
  add_node(proto, "Relu", {"x"}, {"outer"});
  add_output(proto, "y");
  const auto model = must(parse(proto));
  EXPECT_THAT(op_types(model), ElementsAre("Relu", "If"));
  const auto& subgraphs = std::get<Subgraphs>(*find_attribute(model.nodes[1], "then_branch"));
  EXPECT_THAT(subgraphs.names, ElementsAre("then"));
  EXPECT_THAT(subgraphs.captures, ElementsAre("outer"));
}

TEST(ReadModel, OpensNewerOpsetsWithAWarning) {
  onnx::ModelProto proto = test::relu_model();
  proto.mutable_opset_import(0)->set_version(23);
  EXPECT_THAT(parse(proto)->warnings, IsEmpty());
  proto.mutable_opset_import(0)->set_version(24);
  EXPECT_THAT(must(parse(proto)).warnings, ElementsAre(HasSubstr("opset 24")));
}

TEST(ReadModel, TakesUnknownDomainsAndFields) {
  onnx::ModelProto proto = test::relu_model();
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  node.set_domain("com.example");
  node.mutable_unknown_fields()->AddVarint(99, 1);
  node.mutable_unknown_fields()->AddLengthDelimited(98, "new");
  proto.clear_opset_import();
  const auto model = must(parse(proto));
  EXPECT_EQ(model.nodes[0].domain, "com.example");
  EXPECT_EQ(model.opset(), 0);
}

TEST(ReadModel, ReadsTheNameOfOnnxsOwnDomainAsEmpty) {
  onnx::ModelProto proto = test::relu_model();
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  const auto model = must(parse(proto));
  EXPECT_EQ(model.nodes[0].domain, "");
  EXPECT_EQ(model.opset(), 17);
}

TEST(ReadModel, OpensTenThousandNodes) {
  onnx::ModelProto proto = test::empty_model();
  constexpr int kNodes = 10'000;
  for (int i = kNodes; i-- > 0;) {  // last first
    add_node(proto, "Relu", {i == 0 ? "x" : fmt::format("t{}", i)}, {fmt::format("t{}", i + 1)});
  }
  add_output(proto, "t10000");
  const auto model = must(parse(proto));
  ASSERT_EQ(model.nodes.size(), 10'000U);
  EXPECT_EQ(model.nodes.front().inputs[0], "x");
  EXPECT_EQ(model.nodes.back().outputs[0], "t10000");
}

TEST(ReadModel, ReadsFiles) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("model.onnx", test::relu_model().SerializeAsString());
  EXPECT_EQ(must(read_onnx(path)).nodes.size(), 1U);
  const auto tensor =
      read_tensor_file(folder.write("input_0.pb", test::float_tensor("t", {1, 2}, {3, 4}).SerializeAsString()));
  ASSERT_TRUE(tensor) << tensor.error().text();
  EXPECT_THAT(tensor->dims(), ElementsAre(1, 2));
  EXPECT_THAT(tensor->floats(), ElementsAre(3, 4));
}

using test::add_node;
using test::add_output;
using test::error_of;
using test::parse;

TEST(BadModel, WhatIsNoModel) {
  EXPECT_THAT(error_of(parse(std::string())), StartsWith("is empty"));
  EXPECT_THAT(error_of(parse(std::string("{\"not\": \"onnx\"}"))), HasSubstr("is not an ONNX model"));
  EXPECT_THAT(error_of(parse(std::string(1000, '\xff'))), HasSubstr("is not an ONNX model"));
  EXPECT_THAT(error_of(parse(std::string("\x08\x08", 2))), HasSubstr("has no graph"));
  EXPECT_THAT(error_of(parse(std::string("\x89PNG\r\n\x1a\n rest of a picture"))), HasSubstr("not an ONNX model"));
}

// Wherever a file is cut, it does not open, and nothing worse happens.
TEST(BadModel, EveryTruncation) {
  const std::string whole = test::model_with(test::float_tensor("w", {3}, {1, 2, 3})).SerializeAsString();
  ASSERT_EQ(error_of(parse(whole)), "opened");
  std::size_t named = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string error = error_of(parse(whole.substr(0, size)));
    const bool before_graph_or_opset =
        error.find("has no graph") != std::string::npos || error.find("which opset") != std::string::npos;
    named += error.find("is truncated") != std::string::npos ? 1 : 0;
    EXPECT_TRUE(error != "opened" || size + 8 > whole.size() || before_graph_or_opset) << size;
  }
  EXPECT_GT(named, whole.size() / 2);
}

TEST(BadModel, EveryChangedByteEndsInAnAnswer) {
  const std::string whole = test::model_with(test::float_tensor("w", {3}, {1, 2, 3})).SerializeAsString();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      parse(changed);
    }
  }
}

TEST(BadModel, TooManyParts) {
  // Five million empty nodes in ten megabytes would take gigabytes as messages.
  std::string nodes;
  for (int i = 0; i < 5'000'000; ++i) nodes += std::string("\x0a\x00", 2);
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  std::string bytes = proto.SerializeAsString() + "\x3a";
  for (std::size_t rest = nodes.size(); rest > 0; rest >>= 7) {
    bytes += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  EXPECT_THAT(error_of(parse(bytes + nodes)), HasSubstr("more than 4194304 parts"));
}

TEST(BadModel, TooDeep) {
  onnx::ModelProto proto = test::relu_model();
  onnx::NodeProto* node = proto.mutable_graph()->mutable_node(0);
  for (int depth = 0; depth < 200; ++depth) {
    onnx::AttributeProto& attribute = *node->add_attribute();
    attribute.set_name("body");
    attribute.set_type(onnx::AttributeProto::GRAPH);
    node = attribute.mutable_g()->add_node();
  }
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("nested too deeply"));
}

TEST(BadModel, Opsets) {
  onnx::ModelProto proto = test::relu_model();
  proto.mutable_opset_import(0)->set_version(7);
  EXPECT_EQ(error_of(parse(proto)), "opened");
  proto.mutable_opset_import(0)->set_version(6);
  EXPECT_THAT(error_of(parse(proto)), AllOf(HasSubstr("opset 6"), HasSubstr("with opset 7 to 23")));
  proto.mutable_opset_import(0)->set_version(-1);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("opset -1"));
  proto.clear_opset_import();
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("does not say which opset"));
  proto.add_opset_import()->set_version(13);
  proto.add_opset_import()->set_version(14);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("two versions"));
}

TEST(BadModel, EmptyGraphs) {
  onnx::ModelProto proto = test::empty_model();
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("has no operators"));
  add_node(proto, "Relu", {"x"}, {"y"});
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("has no outputs"));
}

TEST(BadModel, Names) {
  onnx::ModelProto proto = test::relu_model();
  add_node(proto, "Sigmoid", {"x"}, {"y"}, "again");
  EXPECT_THAT(error_of(parse(proto)),
              HasSubstr("node 1 (Sigmoid 'again'): its output 'y' is already defined by node 0 (Relu 'relu')"));
  proto = test::relu_model();
  add_node(proto, "Sigmoid", {"y"}, {"x"});
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("already defined by a graph input"));
  proto = test::relu_model();
  add_node(proto, "Conv", {"y", "w"}, {"z"}, "conv");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("node 1 (Conv 'conv'): reads 'w', which is not an input"));
  proto = test::relu_model();
  add_output(proto, "z");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("graph output 'z': no node computes it"));
  // An output may be listed twice, as runtimes allow.
  proto = test::relu_model();
  add_output(proto, "y");
  EXPECT_EQ(parse(proto)->outputs.size(), 2U);
  proto = test::relu_model();
  *proto.mutable_graph()->add_input() = proto.graph().input(0);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("graph input 'x': appears twice"));
  proto = test::model_with(test::float_tensor("w", {1}, {1}));
  *proto.mutable_graph()->add_initializer() = proto.graph().initializer(0);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("initializer 'w': appears twice"));
  EXPECT_THAT(error_of(parse(test::model_with(test::float_tensor("", {1}, {1})))), HasSubstr("has no name"));
  proto = test::relu_model();
  proto.mutable_graph()->mutable_node(0)->clear_op_type();
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("has no operator type"));
}

TEST(BadModel, LongNamesAreShortenedInMessages) {
  onnx::ModelProto proto = test::relu_model();
  add_node(proto, std::string(1'000'000, 'T'), {std::string(1'000'000, 'w')}, {"z"}, std::string(1'000'000, 'n'));
  EXPECT_LT(error_of(parse(proto)).size(), 600U);
}

TEST(BadModel, Cycles) {
  onnx::ModelProto proto = test::relu_model();
  add_node(proto, "Add", {"y", "c"}, {"a"}, "a");
  add_node(proto, "Relu", {"a"}, {"b"}, "b");
  add_node(proto, "Relu", {"b"}, {"c"}, "c");
  add_node(proto, "Relu", {"c"}, {"d"}, "d");
  const std::string error = error_of(parse(proto));
  EXPECT_THAT(error, HasSubstr("the graph has a cycle"));
  EXPECT_THAT(error, AllOf(HasSubstr("(Add 'a')"), HasSubstr("(Relu 'b')"), HasSubstr("(Relu 'c')")));
  EXPECT_THAT(error, Not(HasSubstr("'d'")));
  proto = test::relu_model();
  add_node(proto, "Relu", {"self"}, {"self"}, "loop");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("node 1 (Relu 'loop'), which reads the first"));
}

TEST(BadModel, InputDims) {
  onnx::ModelProto proto = test::relu_model();
  auto& shape = *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape.mutable_dim(1)->set_dim_value(-3);  // left open
  EXPECT_EQ(error_of(parse(proto)), "opened");
  shape.mutable_dim(1)->set_dim_value(std::int64_t{1} << 40);
  shape.add_dim()->set_dim_value(std::int64_t{1} << 40);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("product is too large"));
}

TEST(BadModel, Attributes) {
  onnx::ModelProto proto = test::relu_model();
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  for (int i = 0; i < 2; ++i) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("alpha");
    attribute.set_type(onnx::AttributeProto::FLOAT);
  }
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("attribute 'alpha' of node 0 (Relu 'relu'): appears twice"));
  node.mutable_attribute()->RemoveLast();
  node.mutable_attribute(0)->set_ref_attr_name("of_function");
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("uses an attribute of a function"));
}

TEST(BadModel, Files) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(error_of(read_onnx(folder.path() / "absent.onnx")), HasSubstr("there is no such file"));
  EXPECT_THAT(error_of(read_onnx(folder.path())), HasSubstr("is a folder, not a file"));
  EXPECT_THAT(error_of(read_onnx(folder.write("empty.onnx", ""))), HasSubstr("empty.onnx: is empty"));
  onnx::ModelProto proto = test::relu_model();
  add_node(proto, "Relu", {"w"}, {"z"});
  EXPECT_THAT(error_of(read_onnx(folder.write("bad.onnx", proto.SerializeAsString()))),
              HasSubstr("bad.onnx, node 1 (Relu): reads 'w'"));
  const auto large = folder.write("large.onnx", "");
  std::filesystem::resize_file(large, std::uintmax_t{3} << 30);  // sparse: takes no space
  EXPECT_THAT(error_of(read_onnx(large)), AllOf(HasSubstr("has 3072 MiB"), HasSubstr("external data")));
}

using test::error_of;
using test::parse;

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
  const auto model = must(parse(calling_model()));
  ASSERT_EQ(model.nodes.size(), 4U);
  EXPECT_EQ(model.nodes[0].op_type, "LeakyRelu");
  EXPECT_EQ(float_attribute(model.nodes[0], "alpha", 0).value(), 0.25F);
  EXPECT_EQ(float_attribute(model.nodes[2], "alpha", 0).value(), 0.5F);
  EXPECT_THAT(model.nodes[0].inputs, ElementsAre("x"));
  EXPECT_THAT(model.nodes[1].outputs, ElementsAre("m"));
  EXPECT_THAT(model.nodes[2].inputs, ElementsAre("m"));
  EXPECT_THAT(model.nodes[3].outputs, ElementsAre("y"));
  EXPECT_EQ(model.nodes[0].outputs, model.nodes[1].inputs);
  EXPECT_NE(model.nodes[0].outputs, model.nodes[2].outputs);
  EXPECT_EQ(model.nodes[0].name, "m/LeakyRelu");
}

TEST(Functions, TakeDefaultsOfAttributes) {
  onnx::ModelProto proto = calling_model();
  proto.mutable_graph()->mutable_node(0)->clear_attribute();
  onnx::AttributeProto slope;
  slope.set_name("slope");
  slope.set_type(onnx::AttributeProto::FLOAT);
  slope.set_f(0.125F);
  proto.mutable_functions(0)->mutable_unknown_fields()->AddLengthDelimited(11, slope.SerializeAsString());
  const auto model = must(parse(proto));
  EXPECT_EQ(float_attribute(model.nodes[0], "alpha", 0).value(), 0.125F);
  EXPECT_EQ(float_attribute(model.nodes[2], "alpha", 0).value(), 0.5F);
}

// An If whose branches are this node.
onnx::NodeProto choice_of(const onnx::NodeProto& inner, const std::string& input, const std::string& output) {
  onnx::NodeProto choice;
  choice.set_op_type("If");
  choice.add_input(input);
  choice.add_output(output);
  for (const char* const name : {"then_branch", "else_branch"})
    *test::add_graph(choice, name, {}, {inner.output(0)}).add_node() = inner;
  return choice;
}

const Branch& branch_of(const Node& node) { return *std::get<Subgraphs>(*find_attribute(node, "then_branch")).branch; }

TEST(Functions, AreInlinedInBranches) {
  onnx::ModelProto proto = calling_model();
  onnx::NodeProto call = proto.graph().node(0);
  call.set_output(0, "inside");
  *proto.mutable_graph()->mutable_node(0) = choice_of(call, "x", "m");
  const auto model = must(parse(proto));
  const Branch& branch = branch_of(model.nodes[0]);
  ASSERT_EQ(branch.nodes.size(), 2U);
  EXPECT_EQ(branch.nodes[0].op_type, "LeakyRelu");
  EXPECT_EQ(float_attribute(branch.nodes[0], "alpha", 0).value(), 0.25F);
  EXPECT_THAT(branch.nodes[1].outputs, ElementsAre("inside"));
}

TEST(Functions, GiveTheirAttributesToBranches) {
  onnx::ModelProto proto = calling_model();
  auto& function = *proto.mutable_functions(0);
  onnx::NodeProto inner = function.node(0);
  inner.set_output(0, "inside");
  *function.mutable_node(0) = choice_of(inner, "a", "inner");
  const auto model = must(parse(proto));
  ASSERT_EQ(model.nodes.size(), 4U);
  EXPECT_EQ(float_attribute(branch_of(model.nodes[0]).nodes[0], "alpha", 0).value(), 0.25F);
  EXPECT_EQ(float_attribute(branch_of(model.nodes[2]).nodes[0], "alpha", 0).value(), 0.5F);
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
  const auto model = must(parse(proto));
  ASSERT_EQ(model.nodes.size(), 4U);
  EXPECT_EQ(model.nodes[1].op_type, "Tanh");
  EXPECT_EQ(model.nodes[3].op_type, "Sigmoid");
  *proto.add_functions() = proto.functions(1);
  EXPECT_THAT(error_of(parse(proto)), HasSubstr("function 'mine.leaky:tanh': is defined twice"));
}

TEST(Functions, MayPassAnInputThrough) {
  onnx::ModelProto proto = calling_model();
  proto.mutable_functions(0)->add_output("a");
  proto.mutable_graph()->mutable_node(0)->add_output("same");
  test::add_output(proto, "same");
  const auto model = must(parse(proto));
  EXPECT_EQ(model.nodes[0].op_type, "Identity");
  EXPECT_THAT(model.nodes[0].inputs, ElementsAre("x"));
  EXPECT_THAT(model.nodes[0].outputs, ElementsAre("same"));
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
              AnyOf(HasSubstr("too often"), HasSubstr("too large"), HasSubstr("more than 1000000 nodes")));
}

}  // namespace

}  // namespace iosx::onnx_import
