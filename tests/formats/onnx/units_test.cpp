#include "core/formats/document.h"
#include "core/formats/file_kind.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using namespace test;

// The sum is added where the longest path ends, although the other convolution stands later in the file.
TEST(OnnxUnits, ASumBelongsToTheConvolutionItWaitsFor) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_conv(model, "x", "a", {4, 4, 1, 1});
  add_conv(model, "a", "b", {4, 4, 1, 1});
  add_conv(model, "x", "short", {4, 4, 1, 1});
  add_node(model, "Add", {"b", "short"}, {"sum"});
  add_node(model, "Relu", {"sum"}, {"r"});
  add_conv(model, "r", "y", {4, 4, 1, 1});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("a: conv 4x8x8 <- x", "short: conv 4x8x8 <- x",
                                           "r: conv 4x8x8 + add 4x8x8 + relu 4x8x8 <- a, short", "y: conv 4x8x8 <- r"));
}

TEST(OnnxUnits, BranchesAndTheirConcatenationStayApart) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_conv(model, "x", "a", {2, 4, 1, 1});
  add_node(model, "Relu", {"a"}, {"ar"});
  auto& pool = add_node(model, "MaxPool", {"x"}, {"p"});
  set_ints(pool, "kernel_shape", {3, 3});
  set_ints(pool, "pads", {1, 1, 1, 1});
  set_int(add_node(model, "Concat", {"ar", "p"}, {"c"}), "axis", 1);
  add_node(model, "Relu", {"c"}, {"cr"});
  add_conv(model, "cr", "y", {4, 6, 1, 1});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("a: conv(relu) 2x8x8 <- x", "p: max pool 4x8x8 <- x",
                                           "c: concat 6x8x8 <- a, p", "y: relu 6x8x8 + conv 4x8x8 <- c"));
}

TEST(OnnxUnits, AChannelShuffleIsOne) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  add_ints(model, "apart", {1, 2, 2, 8, 8});
  add_ints(model, "together", {1, -1, 8, 8});
  add_node(model, "Reshape", {"x", "apart"}, {"r"});
  set_ints(add_node(model, "Transpose", {"r"}, {"t"}), "perm", {0, 2, 1, 3, 4});
  add_node(model, "Reshape", {"t", "together"}, {"s"});
  set_int(add_node(model, "Split", {"s"}, {"left", "right"}), "axis", 1);
  add_conv(model, "right", "d", {2, 2, 1, 1});
  set_int(add_result(model, "Concat", {"left", "d"}, "y"), "axis", 1);
  EXPECT_THAT(units_of(model), ElementsAre("s: reshape 2x2x8x8 + transpose 2x2x8x8 + reshape 4x8x8 <- x",
                                           "d: conv 2x8x8 <- s[2:4]", "y: concat 4x8x8 <- s[0:2], d"));
}

TEST(OnnxOutputs, AreNamedAndReadByNothing) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_node(model, "Relu", {"x"}, {"a"}, "same");
  add_node(model, "Sigmoid", {"a"}, {"b"}, "same");
  add_node(model, "Tanh", {"a"}, {"c"}, "same");
  add_node(model, "Identity", {"b"}, {"b2"});
  set_int(add_node(model, "Split", {"c"}, {"c0", "c1"}), "axis", 1);
  for (const char* name : {"a", "b", "b2", "c1", "x"}) add_output(model, name);
  const auto loaded = must(converted(model));
  EXPECT_THAT(
      units_of(loaded.graph),
      ElementsAre("a: relu 4x8x8 + identity 4x8x8 <- x", "b2: sigmoid 4x8x8 + identity 4x8x8 + identity 4x8x8 <- same",
                  "c1: tanh 4x8x8 + identity 2x8x8 <- same", "x_1: identity 4x8x8 <- x"));
  ASSERT_EQ(loaded.outputs.size(), 5U);
  EXPECT_EQ(loaded.outputs[4].tensor, "x");
  EXPECT_EQ(loaded.outputs[4].op, "x_1");
}

// Whatever changes nothing yields what it reads: each name is an output of the graph all the same.
TEST(OnnxOutputs, OfOneValueAreAsManyAsTheFileHas) {
  const auto outputs_of = [](const onnx::ModelProto& model) {
    const auto loaded = must(converted(model));
    auto names =
        mapped<std::string>(loaded.graph.outputs(), [&](const OperatorId id) { return loaded.graph.op(id).name; });
    std::ranges::sort(names);
    auto listed = mapped<std::string>(loaded.file.outputs, &FileTensor::op);
    std::ranges::sort(listed);
    EXPECT_EQ(names, listed);
    return names;
  };
  for (const bool first : {false, true}) {
    auto model = model_of({{"x", {-1, 4}}});
    add_node(model, "Relu", {"x"}, {"a"});
    add_node(model, "Identity", {"a"}, {"b"});
    add_node(model, "Dropout", {"b"}, {"c"});
    reads_ints(model, add_node(model, "Reshape", {"a"}, {"d"}), {0, 4});
    add_node(model, "Min", {"d"}, {"e"});
    if (first) add_node(model, "Neg", {"a"}, {"f"});
    for (const char* name : {"e", "d", "c", "b", "a"}) add_output(model, name);
    if (first) add_output(model, "f");
    EXPECT_EQ(outputs_of(model).size(), first ? 6U : 5U);
  }
  auto inputs = model_of({{"x", {-1, 4}}});
  add_node(inputs, "Identity", {"x"}, {"y"});
  for (const char* name : {"x", "y", "y"}) add_output(inputs, name);
  EXPECT_THAT(outputs_of(inputs), ElementsAre("x_1", "y", "y_1"));
  auto constants = model_of({{"x", {1, 4}}});
  add_filled(constants, "w", {3});
  add_node(constants, "Identity", {"w"}, {"v"});
  add_node(constants, "Relu", {"x"}, {"y"});
  for (const char* name : {"w", "v", "y"}) add_output(constants, name);
  EXPECT_THAT(outputs_of(constants), ElementsAre("v", "w", "y"));
}

TEST(OnnxOutputs, WhatTheyDoNotNeedIsLeftOut) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}, {"unused", {-1, 2}}});
  add_conv(model, "x", "dead", {4, 4, 1, 1});
  add_node(model, "Relu", {"dead"}, {"deader"});
  add_result(model, "Relu", {"x"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: relu 4x8x8 <- x"));
  EXPECT_EQ(loaded.graph.inputs().size(), 2U);
}

TEST(OnnxOutputs, MayBeConstant) {
  auto model = model_of({{"x", {1, 4}}});
  add_result(model, "Shape", {"x"}, "s");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("s: identity 2 <- {2}"));
  EXPECT_THAT(weights_of(loaded.graph, "s/constant"), ElementsAre(1, 4));
}

// Names would be looked up, reads counted and units sorted again and again if anything were quadratic.
TEST(OnnxSize, TenThousandNodesTakeLessThanASecond) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_filled(model, "w", {4, 4, 1, 1});
  add_filled(model, "two", {});
  std::string last = "x";
  for (int i = 0; i < 2500; ++i) {
    const auto name = [&](const char* kind) { return fmt::format("{}{}", kind, i); };
    add_node(model, "Conv", {last, "w"}, {name("c")}, "conv");
    add_node(model, "Mul", {name("c"), "two"}, {name("m")}, "mul");
    add_node(model, "Sigmoid", {name("m")}, {name("s")}, "sigmoid");
    add_node(model, "Add", {name("s"), last}, {name("a")}, "add");
    last = name("a");
  }
  add_output(model, last);
  const auto parsed = must(parse(model));
  const auto start = std::chrono::steady_clock::now();
  const auto loaded = to_graph(parsed);
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->graph.units().size(), 2500U);
  EXPECT_LT(seconds, 5.0 * iosx::test::every(6));  // an order more than it takes, for slow builds
}

TEST(OnnxDocument, IsOpenedByItsContent) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  set_int(add_result(model, "Softmax", {"x"}, "y"), "axis", 0);
  const TemporaryFolder folder;
  const auto document = must(load_document(folder.write("net", model.SerializeAsString())));
  EXPECT_EQ(document.graph->name(), "net");
  EXPECT_FALSE(document.batched);
  EXPECT_EQ(document.warnings.size(), 1U);
  EXPECT_NE(file_kind(folder.write("net.json", "{\"name\": 1}")), FileKind::kOnnx);
  EXPECT_NE(file_kind(folder.path()), FileKind::kOnnx);
  EXPECT_EQ(file_kind(folder.write("empty.onnx", "")), FileKind::kOnnx);
  EXPECT_THAT(load_document(folder.path() / "empty.onnx").error().text(), HasSubstr("is empty"));
}

}  // namespace
}  // namespace iosx::onnx_import
