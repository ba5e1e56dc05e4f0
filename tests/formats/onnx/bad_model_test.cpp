#include <gmock/gmock.h>

#include <fstream>

#include "tests/formats/onnx/protos.h"

namespace iosx::onnx_import {
namespace {

using test::add_node;
using test::add_output;
using test::error_of;
using test::parse;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
  EXPECT_THAT(error, testing::Not(HasSubstr("'d'")));
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

}  // namespace
}  // namespace iosx::onnx_import
