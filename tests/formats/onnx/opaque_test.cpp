#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/formats/onnx/converted.h"

namespace iosx::onnx_import {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

void declare(onnx::ModelProto& model, const std::string& name, onnx::TensorProto::DataType type,
             const std::vector<std::int64_t>& dims) {
  auto& info = *model.mutable_graph()->add_value_info();
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  for (const std::int64_t dim : dims) tensor.mutable_shape()->add_dim()->set_dim_value(dim);
}

std::string warning_of(const onnx::ModelProto& model) {
  const auto loaded = converted(model);
  if (!loaded) return loaded.error().text();
  return loaded->warnings.empty() ? "" : loaded->warnings.front().text();
}

TEST(OnnxOpaque, StandsForWhatWeDoNotKnow) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  add_node(model, "Foo", {"x"}, {"a", "b", "unread"}, "foo").set_domain("com.example");
  auto& opset = *model.add_opset_import();
  opset.set_domain("com.example");
  opset.set_version(1);
  declare(model, "a", onnx::TensorProto::FLOAT, {1, 2, 3});
  add_node(model, "Relu", {"a"}, {"y"});
  add_output(model, "y");
  add_output(model, "b");
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->graph.operators().size(), 4U);
  const auto* const opaque = loaded->graph.op(*loaded->graph.find_operator("a")).as<Opaque>();
  ASSERT_NE(opaque, nullptr);
  EXPECT_EQ(opaque->type, "com.example.Foo");
  EXPECT_EQ(opaque->place, "node 0 (Foo 'foo')");
  EXPECT_EQ(opaque->shape, (Shape{2, 3}));
  EXPECT_THAT(loaded->warnings, ElementsAre(HasSubstr("1 operator of type com.example.Foo cannot be executed"),
                                            HasSubstr("does not give the shape of 1")));
}

// Foo's shape is made up, so that what does not fit it may be right.
TEST(OnnxOpaque, SpreadsToWhatDoesNotFitAShapeThatWasMadeUp) {
  const auto with = [](bool known) {
    auto model = model_of({{"x", {1, 4, 8, 8}}});
    add_node(model, "Foo", {"x"}, {"a"}).set_domain("com.example");
    auto& opset = *model.add_opset_import();
    opset.set_domain("com.example");
    opset.set_version(1);
    if (known) declare(model, "a", onnx::TensorProto::FLOAT, {1, 4, 8, 8});
    add_node(model, "Relu", {"a"}, {"b"});
    add_filled(model, "w", {1, 3, 1});
    add_node(model, "Add", {"b", "w"}, {"y"}, "sum");
    add_output(model, "y");
    return converted(model);
  };
  const auto guessed = with(false);
  ASSERT_TRUE(guessed) << guessed.error().text();
  EXPECT_NE(guessed->graph.op(*guessed->graph.find_operator("y")).as<Opaque>(), nullptr);
  EXPECT_THAT(guessed->warnings,
              testing::Contains(HasSubstr("(node 2 (Add 'sum'): it reads a tensor of unknown shape: ")));
  const auto known = with(true);
  ASSERT_FALSE(known) << "a shape that the file declares is no guess";
  EXPECT_THAT(known.error().text(), HasSubstr("different shapes"));
}

TEST(OnnxOpaque, StandsForOptionsWeDoNotKnow) {
  const auto with = [](const std::string& op_type, auto set) {
    auto model = model_of({{"x", {1, 4, 8, 8}}});
    set(add_node(model, op_type, {"x"}, {"y"}));
    add_output(model, "y");
    return warning_of(model);
  };
  EXPECT_THAT(with("Det", [](auto&) {}), HasSubstr("Det cannot be executed"));
  // ONNX Runtime and we would differ in which outputs are numbers.
  const auto normalised = [](float epsilon) {
    auto model = model_of({{"x", {1, 4, 8, 8}}});
    add_filled(model, "w", {4});
    set_float(add_node(model, "BatchNormalization", {"x", "w", "w", "w", "w"}, {"y"}), "epsilon", epsilon);
    add_output(model, "y");
    return warning_of(model);
  };
  EXPECT_THAT(normalised(-1e-3F), HasSubstr("an epsilon below 0"));
  EXPECT_EQ(normalised(0), "");
  EXPECT_THAT(with("Dropout", [](auto& node) { node.add_output("mask"); }), "");
  EXPECT_THAT(with("Cast", [](auto& node) { set_int(node, "to", onnx::TensorProto::STRING); }),
              HasSubstr("numbers of type string"));
  EXPECT_THAT(with("LpNormalization", [](auto& node) { set_int(node, "p", 3); }), HasSubstr("the norm of order 3"));
  EXPECT_THAT(with("AveragePool",
                   [](auto& node) {
                     set_ints(node, "kernel_shape", {2, 2});
                     set_ints(node, "dilations", {2, 2});
                   }),
              HasSubstr("average pooling with dilation"));
}

TEST(OnnxOpaque, WarningsAreFew) {
  auto model = model_of({{"x", {1, 4}}});
  std::string last = "x";
  for (int i = 0; i < 100; ++i) {
    const std::string next = fmt::format("t{}", i);
    add_node(model, fmt::format("Unknown{}", i % 20), {last}, {next});
    last = next;
  }
  add_output(model, last);
  const auto loaded = converted(model);
  ASSERT_TRUE(loaded) << loaded.error().text();
  ASSERT_EQ(loaded->warnings.size(), 10U);
  EXPECT_THAT(loaded->warnings[0], HasSubstr("5 operators of type Unknown0 cannot be executed"));
  EXPECT_THAT(loaded->warnings[8], HasSubstr("12 other types"));
}

// Integers and truths are numbers like all others.
TEST(OnnxOpaque, IsNoIntegerArithmetic) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  set_int(add_node(model, "ArgMax", {"x"}, {"i"}), "axis", 1);
  add_node(model, "Add", {"i", "i"}, {"j"});
  set_int(add_node(model, "Cast", {"j"}, {"f"}), "to", onnx::TensorProto::FLOAT);
  add_node(model, "Relu", {"f"}, {"y"});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("i: arg max 1x8x8 <- x", "y: add 1x8x8 + relu 1x8x8 <- i, i"));
  auto strings = model_of({{"x", {1, 4}}});
  strings.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::STRING);
  add_node(strings, "Identity", {"x"}, {"y"});
  add_output(strings, "y");
  EXPECT_THAT(warning_of(strings), HasSubstr("elements of type string"));
}

TEST(OnnxOpaque, ReadsWhatItsSubgraphsUse) {
  auto model = model_of({{"x", {1, 4}}});
  add_node(model, "Relu", {"x"}, {"captured"});
  add_node(model, "Sigmoid", {"x"}, {"condition"});
  auto& branch = add_node(model, "If", {"condition"}, {"y"});
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& attribute = *branch.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    auto& inner = *attribute.mutable_g();
    inner.set_name(name);
    auto& node = *inner.add_node();
    node.set_op_type("Tanh");
    node.add_input("captured");
    node.add_output("inside");
    inner.add_output()->set_name("inside");
  }
  add_output(model, "y");
  const auto lines = units_of(model);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[2], HasSubstr("condition, captured"));
}

}  // namespace
}  // namespace iosx::onnx_import
