#include "core/formats/onnx/read/read_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/formats/onnx/protos.h"

namespace iosx::onnx_import {
namespace {

using test::add_node;
using test::add_output;
using test::parse;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> op_types(const OnnxModel& model) {
  std::vector<std::string> types;
  for (const Node& node : model.nodes) types.push_back(node.op_type);
  return types;
}

TEST(ReadModel, ReadsWhatTheFileSays) {
  onnx::ModelProto proto = test::model_with(test::float_tensor("w", {3}, {1, 2, 3}));
  proto.set_producer_name("tool");
  proto.set_producer_version("1.0");
  proto.add_opset_import()->set_domain("com.example");
  proto.mutable_opset_import(1)->set_version(2);
  proto.mutable_graph()->add_value_info()->set_name("y");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->opset(), 17);
  EXPECT_EQ(model->opsets.at("com.example"), 2);
  EXPECT_EQ(model->producer, "tool 1.0");
  EXPECT_EQ(model->graph_name, "test");
  ASSERT_EQ(model->inputs.size(), 1U);
  EXPECT_EQ(model->inputs[0].name, "x");
  EXPECT_EQ(model->inputs[0].type, ElementType::kFloat32);
  ASSERT_TRUE(model->inputs[0].dims);
  EXPECT_EQ((*model->inputs[0].dims)[0].symbol, "batch");
  EXPECT_FALSE((*model->inputs[0].dims)[0].size);
  EXPECT_EQ((*model->inputs[0].dims)[1].size, 3);
  ASSERT_EQ(model->outputs.size(), 1U);
  EXPECT_FALSE(model->outputs[0].dims);
  EXPECT_TRUE(model->value_info.contains("y"));
  EXPECT_THAT(model->initializers.at("w").floats(), ElementsAre(1, 2, 3));
  ASSERT_EQ(model->nodes.size(), 1U);
  EXPECT_EQ(model->nodes[0].where(), "node 0 (Add 'add')");
  EXPECT_THAT(model->nodes[0].inputs, ElementsAre("x", "w"));
  EXPECT_THAT(model->warnings, IsEmpty());
}

TEST(ReadModel, LeavesInitializersOutOfTheInputs) {
  onnx::ModelProto proto = test::model_with(test::float_tensor("w", {3}, {1, 2, 3}));
  proto.mutable_graph()->add_input()->set_name("w");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->inputs.size(), 1U);
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
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  const Node& read = model->nodes[0];
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
  add_node(proto, "D", {"c"}, {"d"});
  add_output(proto, "d");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(op_types(*model), ElementsAre("B", "A", "C", "D"));
  EXPECT_EQ(model->nodes[2].index, 0U);
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
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(op_types(*model), ElementsAre("Relu", "If"));
  const auto& subgraphs = std::get<Subgraphs>(*find_attribute(model->nodes[1], "then_branch"));
  EXPECT_THAT(subgraphs.names, ElementsAre("then"));
  EXPECT_THAT(subgraphs.captures, ElementsAre("outer"));
}

TEST(ReadModel, OpensNewerOpsetsWithAWarning) {
  onnx::ModelProto proto = test::relu_model();
  proto.mutable_opset_import(0)->set_version(23);
  EXPECT_THAT(parse(proto)->warnings, IsEmpty());
  proto.mutable_opset_import(0)->set_version(24);
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->warnings, ElementsAre(testing::HasSubstr("opset 24")));
}

TEST(ReadModel, TakesUnknownDomainsAndFields) {
  onnx::ModelProto proto = test::relu_model();
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  node.set_domain("com.example");
  node.mutable_unknown_fields()->AddVarint(99, 1);
  node.mutable_unknown_fields()->AddLengthDelimited(98, "new");
  proto.clear_opset_import();
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nodes[0].domain, "com.example");
  EXPECT_EQ(model->opset(), 0);
}

TEST(ReadModel, ReadsTheNameOfOnnxsOwnDomainAsEmpty) {
  onnx::ModelProto proto = test::relu_model();
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nodes[0].domain, "");
  EXPECT_EQ(model->opset(), 17);
}

TEST(ReadModel, OpensTenThousandNodes) {
  onnx::ModelProto proto = test::empty_model();
  constexpr int kNodes = 10'000;
  for (int i = kNodes; i-- > 0;) {  // last first
    add_node(proto, "Relu", {i == 0 ? "x" : fmt::format("t{}", i)}, {fmt::format("t{}", i + 1)});
  }
  add_output(proto, "t10000");
  const auto model = parse(proto);
  ASSERT_TRUE(model) << model.error().text();
  ASSERT_EQ(model->nodes.size(), 10'000U);
  EXPECT_EQ(model->nodes.front().inputs[0], "x");
  EXPECT_EQ(model->nodes.back().outputs[0], "t10000");
}

TEST(ReadModel, ReadsFiles) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("model.onnx", test::relu_model().SerializeAsString());
  const auto model = read_onnx(path);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nodes.size(), 1U);
  const auto tensor =
      read_tensor_file(folder.write("input_0.pb", test::float_tensor("t", {1, 2}, {3, 4}).SerializeAsString()));
  ASSERT_TRUE(tensor) << tensor.error().text();
  EXPECT_THAT(tensor->dims(), ElementsAre(1, 2));
  EXPECT_THAT(tensor->floats(), ElementsAre(3, 4));
}

}  // namespace
}  // namespace iosx::onnx_import
