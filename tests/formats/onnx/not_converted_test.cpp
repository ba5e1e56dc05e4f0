#include "core/formats/onnx/draft/draft.h"
#include "core/model/graph/work.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using namespace test;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

using Ints = std::vector<std::int64_t>;

// What a node has besides x, in the order of its inputs.
struct NodeParts {
  Ints weights = {};                // the dims of ones that it reads
  std::vector<Ints> integers = {};  // each an input
  std::vector<std::pair<std::string, std::variant<std::int64_t, Ints, std::string>>> attributes = {};
  std::function<void(onnx::ModelProto&, onnx::NodeProto&)> other = {};
};

// A model of one node that reads x (N x 4 x 8 x 8).
struct Case {
  const char* what;
  const char* op_type;
  NodeParts node;
  const char* message;
};

void reads(onnx::ModelProto& model, onnx::NodeProto& node, Ints dims) {
  add_filled(model, "w", std::move(dims));
  node.add_input(std::string("w"));
}

onnx::ModelProto model_of_case(const Case& bad) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  onnx::NodeProto& node = add_node(model, bad.op_type, {"x"}, {"y"}, "it");
  if (!bad.node.weights.empty()) reads(model, node, bad.node.weights);
  for (const Ints& integers : bad.node.integers) reads_ints(model, node, integers);
  for (const auto& [name, value] : bad.node.attributes) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) set_int(node, name, *number);
    if (const auto* const numbers = std::get_if<Ints>(&value)) set_ints(node, name, *numbers);
    if (const auto* const text = std::get_if<std::string>(&value)) set_text(node, name, *text);
  }
  if (bad.node.other) bad.node.other(model, node);
  add_output(model, "y");
  return model;
}

const Case kCases[] = {
    {"channels", "Conv", {.weights = {4, 3, 1, 1}}, "weights are for 3 channels"},
    {"rank", "Conv", {.weights = {4, 4, 1}}, "its weights have 3 axes"},
    {"empty weights", "Conv", {.weights = {0, 4, 1, 1}}, "and 0 elements"},
    {"no weights", "Conv", {}, "its input 1 is absent"},
    {"large kernel", "Conv", {.weights = {1, 4, 9, 9}}, "does not fit"},
    {"groups", "Conv", {.weights = {4, 4, 1, 1}, .attributes = {{"group", 0}}}, "its 0 groups do not divide"},
    {"stride",
     "Conv",
     {.weights = {4, 4, 1, 1}, .attributes = {{"strides", Ints{0, 1}}}},
     "'strides' [0, 1] has values outside"},
    {"pads", "Conv", {.weights = {4, 4, 1, 1}, .attributes = {{"pads", Ints{kHuge, 0, 0, kHuge}}}}, "'pads'"},
    {"few pads", "Conv", {.weights = {4, 4, 1, 1}, .attributes = {{"pads", Ints{1, 1}}}}, "2 values instead of 4"},
    {"kernel",
     "Conv",
     {.weights = {4, 4, 1, 1}, .attributes = {{"kernel_shape", Ints{3, 3}}}},
     "does not match its weights"},
    {"kind",
     "Conv",
     {.weights = {4, 4, 1, 1}, .attributes = {{"strides", "two"}}},
     "'strides' is not a list of integers"},
    {"crop",
     "ConvTranspose",
     {.weights = {4, 4, 1, 1}, .attributes = {{"pads", Ints{9, 9, 9, 9}}}},
     "dimension outside"},
    {"groups' weights", "ConvTranspose", {.weights = {3, 4, 1, 1}}, "weights are for 3 channels"},
    {"no kernel", "MaxPool", {}, "'kernel_shape' is missing"},
    {"auto pad",
     "MaxPool",
     {.attributes = {{"kernel_shape", Ints{2, 2}}, {"auto_pad", "SOME"}}},
     "'auto_pad' is 'SOME'"},
    {"no shape", "Reshape", {}, "its new shape is missing"},
    {"size", "Reshape", {.integers = {{1, kHuge}}}, "its dims do not fit the number of elements"},
    {"two open", "Reshape", {.integers = {{1, -1, -1}}}, "has two dims to infer"},
    {"too few", "Reshape", {.integers = {{1, 7}}}, "its dims do not fit the number of elements"},
    {"axis", "Flatten", {.attributes = {{"axis", kLeast}}}, "is not one of the 4"},
    {"axis", "Softmax", {.attributes = {{"axis", 4}}}, "its axis 4 is not one of the 4"},
    {"order", "Transpose", {.attributes = {{"perm", Ints{0, 1, 1, 2}}}}, "not a permutation"},
    {"length", "Transpose", {.attributes = {{"perm", Ints{0, 1}}}}, "permutes 2 axes, but its input has 4"},
    {"squeezed", "Squeeze", {.integers = {{1}}}, "drops an axis of 4"},
    {"twice", "Unsqueeze", {.integers = {{1, 1}}}, "names an axis twice"},
    {"step", "Slice", {.integers = {{0}, {9}, {1}, {0}}}, "its step is 0"},
    {"unequal", "Slice", {.integers = {{0, 0}, {1}}}, "differ in number"},
    {"index", "Gather", {.integers = {{8}}, .attributes = {{"axis", 2}}}, "its index 8 is not one of 8"},
    {"pads", "Pad", {.integers = {{1, 1}}}, "2 pads for 4 axes"},
    {"all cropped", "Pad", {.integers = {{0, 0, -8, 0, 0, 0, 0, 0}}}, "dimension outside"},
    {"scale",
     "Resize",
     {.other =
          [](auto& m, auto& n) {
            n.add_input(std::string(""));
            add_floats(m, "s", {4}, {1, 1, std::numeric_limits<float>::quiet_NaN(), 1});
            n.add_input(std::string("s"));
          }},
     "cannot scale 8 elements by nan"},
    {"statistics",
     "BatchNormalization",
     {.other =
          [](auto& m, auto& n) {
            reads(m, n, {3});
            for (int i = 0; i < 3; ++i) n.add_input(std::string("w"));
          }},
     "its input 1 has 3 elements for 4 channels"},
    {"surplus", "Identity", {.other = [](auto&, auto& n) { n.add_input(std::string("x")); }}, "reads 2 inputs"},
    {"surplus", "Transpose", {.other = [](auto&, auto& n) { n.add_input(std::string("x")); }}, "reads 2 inputs"},
    {"lrn", "LRN", {}, "size 0 must lie in"},
    {"outputs",
     "Relu",
     {.other =
          [](auto& m, auto& n) {
            n.add_output(std::string("z"));
            add_output(m, "z");
          }},
     "has no output 1"},
};

TEST(BadOnnxGraph, IsRefusedWithItsNode) {
  for (const Case& bad : kCases) {
    SCOPED_TRACE(fmt::format("{}: {}", bad.op_type, bad.what));
    const std::string text = refusal_of(model_of_case(bad));
    EXPECT_THAT(text, AllOf(HasSubstr(" 'it')"), HasSubstr(bad.message)));
  }
}

TEST(BadOnnxGraph, MatricesThatDoNotFit) {
  const auto gemm = [](std::vector<std::int64_t> weights, std::vector<std::int64_t> bias) {
    auto model = model_of({{"x", {-1, 4}}});
    add_filled(model, "w", std::move(weights));
    add_filled(model, "b", std::move(bias));
    add_result(model, "Gemm", {"x", "w", "b"}, "y", "it");
    return refusal_of(model);
  };
  EXPECT_THAT(gemm({3, 5}, {5}), HasSubstr("its weights 3 x 5 do not fit an input of 4 elements"));
  EXPECT_THAT(gemm({4, 5}, {4}), HasSubstr("its input 2 has 4 elements for 5 features"));
  EXPECT_THAT(gemm({4, 5}, {0}), HasSubstr("its input 2 has 0 elements"));
  EXPECT_THAT(gemm({4}, {5}), HasSubstr("needs two matrices"));
}

TEST(BadOnnxGraph, InputsWithoutASize) {
  auto model = model_of({{"x", {-1, 1 << 25, 4}}});
  add_result(model, "Relu", {"x"}, "y");
  EXPECT_THAT(refusal_of(model), HasSubstr("graph input 'x'"));
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_THAT(refusal_of(model), HasSubstr("has no declared shape"));
  EXPECT_THAT(refusal_of(model, {.batch = 0, .dims = {}, .bind = {}}), HasSubstr("the batch 0 must lie in"));
}

// A small file must not make the importer fill the memory.
TEST(BadOnnxGraph, NumbersThatGrow) {
  Draft draft(1000);
  EXPECT_TRUE(draft.spend(100));    // floats
  EXPECT_TRUE(draft.spend(50, 8));  // integers
  EXPECT_EQ(draft.elements_left(), 25);
  EXPECT_FALSE(draft.spend(26, 8));
  EXPECT_TRUE(draft.spend(50));
  EXPECT_FALSE(draft.spend(1));
  EXPECT_FALSE(Draft(1000).spend(-1));
}

// The sum of the input and so many constants that nodes of the model make.
onnx::ModelProto model_of_constants(std::int64_t elements, std::size_t count) {
  auto model = model_of({{"x", {-1, elements}}});
  add_ints(model, "dims", {elements});
  std::string sum = "x";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string made = "made" + std::to_string(i);
    add_node(model, "ConstantOfShape", {"dims"}, {made}, made);
    add_node(model, "Add", {sum, made}, {made + "+"});
    sum = made + "+";
  }
  add_output(model, sum);
  return model;
}

TEST(BadOnnxGraph, ConstantsThatTogetherTakeTooMuch) {
  OnnxOptions options{.memory = 1 << 20};
  EXPECT_EQ(refusal_of(model_of_constants(1000, 20), options), "converted");
  EXPECT_THAT(refusal_of(model_of_constants(1000, 400), options), HasSubstr("ConstantOfShape 'made"));
  // What does not fit by itself is refused before it is computed.
  EXPECT_THAT(refusal_of(model_of_constants(200'000, 1), options), HasSubstr("too many elements"));
}

using namespace test;

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
  add_result(model, "Relu", {"a"}, "y");
  add_output(model, "b");
  const auto loaded = must(converted(model));
  ASSERT_EQ(loaded.graph.operators().size(), 4U);
  const auto* const opaque = must(loaded.graph.op(*loaded.graph.find_operator("a")).as<Opaque>());
  EXPECT_EQ(opaque->type, "com.example.Foo");
  EXPECT_EQ(opaque->place, "node 0 (Foo 'foo')");
  EXPECT_EQ(opaque->shape, (Shape{2, 3}));
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("1 operator of type com.example.Foo cannot be executed"),
                                           HasSubstr("so the cost of what follows from them is unknown")));
  EXPECT_TRUE(loaded.graph.op(*loaded.graph.find_operator("b")).as<Opaque>()->guessed);
  EXPECT_FALSE(loaded.graph.has_known_cost());
}

const Opaque& opaque_at(const LoadedOnnx& loaded, const std::string& name) {
  return *must(loaded.graph.op(*loaded.graph.find_operator(name)).as<Opaque>());
}

onnx::NodeProto& add_microsoft(onnx::ModelProto& model, const std::string& op_type,
                               const std::vector<std::string>& inputs, const std::string& output) {
  auto& opset = *model.add_opset_import();
  opset.set_domain("com.microsoft");
  opset.set_version(1);
  auto& node = add_result(model, op_type, inputs, output);
  node.set_domain("com.microsoft");
  return node;
}

// 32 x 64 weights of 4 bits, two in a byte, with a scale for 32 of them.
TEST(OnnxOpaque, HasTheShapeAndCostOfItsAttributes) {
  auto model = model_of({{"x", {1, 3, 64}}});
  *model.mutable_graph()->add_initializer() =
      raw_tensor<std::uint8_t>("b", {32, 2, 16}, onnx::TensorProto::UINT8, std::vector<std::uint8_t>(1024));
  add_filled(model, "scales", {64});
  auto& node = add_microsoft(model, "MatMulNBits", {"x", "b", "scales"}, "y");
  for (const auto& [name, value] : {std::pair{"N", 32}, {"K", 64}, {"bits", 4}, {"block_size", 32}})
    set_int(node, name, value);
  const auto loaded = must(converted(model));
  const Opaque& opaque = opaque_at(loaded, "y");
  EXPECT_EQ(opaque.shape, (Shape{3, 32}));
  EXPECT_TRUE(opaque.costed);
  EXPECT_EQ(opaque.flops, 2 * 3 * 32 * 64);
  EXPECT_EQ(opaque.parameters, 32 * 64);
  EXPECT_EQ(opaque.weight_bytes, 1024 + 64 * 4);
  EXPECT_TRUE(loaded.graph.has_known_cost());
  EXPECT_EQ(total_work(loaded.graph, 2).flops, 2 * 2 * 3 * 32 * 64);
  EXPECT_EQ(total_work(loaded.graph, 1).bytes_read, 4 * 3 * 64 + 1024 + 64 * 4);
}

// The weights of 4 bits are not read, but their sizes are known.
TEST(OnnxOpaque, CountsWeightsAsTheFilePacksThem) {
  constexpr auto kUint4 = static_cast<onnx::TensorProto::DataType>(21);
  auto model = model_of({{"x", {1, 6, 8}}}, 21);
  *model.mutable_graph()->add_initializer() =
      raw_tensor<std::uint8_t>("q", {8, 5}, kUint4, std::vector<std::uint8_t>(20));
  add_floats(model, "scale", {}, {0.5F});
  set_int(add_node(model, "DequantizeLinear", {"q", "scale"}, {"w"}), "block_size", 0);  // newer than ONNX's library
  set_ints(add_node(model, "Transpose", {"w"}, {"turned"}), "perm", {1, 0});
  set_ints(add_node(model, "Transpose", {"turned"}, {"back"}), "perm", {1, 0});
  add_result(model, "MatMul", {"x", "back"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(loaded.graph.units().size(), 1U) << "what follows from weights is weights";
  const Opaque& opaque = opaque_at(loaded, "y");
  EXPECT_EQ(opaque.shape, (Shape{6, 5}));
  EXPECT_EQ(opaque.flops, 2 * 6 * 8 * 5);
  EXPECT_EQ(opaque.parameters, 40);
  EXPECT_EQ(opaque.weight_bytes, 20);
}

// Rows of 8 numbers of 4 bits, of which a run reads four.
TEST(OnnxOpaque, CountsWhatItReadsOfATable) {
  constexpr auto kUint4 = static_cast<onnx::TensorProto::DataType>(21);
  auto model = model_of({{"x", {1, 4}}}, 21);
  *model.mutable_graph()->add_initializer() =
      raw_tensor<std::uint8_t>("table", {64, 8}, kUint4, std::vector<std::uint8_t>(256));
  set_int(add_node(model, "Cast", {"x"}, {"rows"}), "to", onnx::TensorProto::INT64);
  add_result(model, "Gather", {"table", "rows"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(opaque_at(loaded, "y").shape, (Shape{4, 8}));
  EXPECT_EQ(opaque_at(loaded, "y").weight_bytes, 16);
}

// Two rows take one of four experts each.
TEST(OnnxOpaque, CountsTheExpertsThatARunReads) {
  for (const bool constant : {true, false}) {
    std::vector<InputDims> inputs{{"x", {1, 2, 8}}, {"router", {1, 2, 4}}};
    if (!constant) inputs.push_back({"w", {1, 64, 8}});
    auto model = model_of(inputs);
    if (constant) add_filled(model, "first", {4, 16, 8});
    add_filled(model, "first_bias", {4, 16});
    add_filled(model, "second", {4, 8, 16});
    add_filled(model, "second_bias", {4, 8});
    add_microsoft(model, "MoE", {"x", "router", constant ? "first" : "w", "first_bias", "second", "second_bias"}, "y");
    const auto loaded = must(converted(model));
    const Opaque& opaque = opaque_at(loaded, "y");
    const std::int64_t own = (constant ? 512 : 0) + 64 + 512 + 32;
    EXPECT_EQ(opaque.flops, 2 * 2 * (512 + 512) / 4);
    EXPECT_EQ(opaque.parameters, own);
    EXPECT_EQ(opaque.weight_bytes, 4 * own / 2);
  }
  auto model = model_of({{"x", {1, 2, 8}}, {"router", {1, 2, 4}}});
  for (const auto& [name, bytes] : {std::pair{"first", 256}, {"second", 256}}) {
    *model.mutable_graph()->add_initializer() = raw_tensor<std::uint8_t>(
        name, {4, 8, 8}, onnx::TensorProto::UINT8, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
  }
  add_filled(model, "scales", {4, 16});
  add_filled(model, "bias", {4, 16});
  add_microsoft(model, "QMoE", {"x", "router", "first", "scales", "bias", "second", "scales"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(opaque_at(loaded, "y").parameters, 2 * 512 + 64);
  EXPECT_EQ(opaque_at(loaded, "y").weight_bytes, (2 * 256 + 3 * 64 * 4) / 2);
}

// Of 64 positions a run reads four; tables are no weights.
TEST(OnnxOpaque, CountsWhatItReadsOfTablesOfRotations) {
  auto attention = model_of({{"x", {1, 4, 32}}, {"keys", {1, 1, 12, 8}}, {"values", {1, 1, 12, 8}}});
  auto rotation = model_of({{"x", {1, 4, 8}}});
  for (auto* const model : {&attention, &rotation}) {
    for (const char* const name : {"cos", "sin"}) add_filled(*model, name, {64, 4});
    add_ints(*model, "number", {15});
  }
  auto& node = add_microsoft(attention, "GroupQueryAttention",
                             {"x", "", "", "keys", "values", "number", "number", "cos", "sin"}, "y");
  set_int(node, "num_heads", 2);
  set_int(node, "kv_num_heads", 1);
  add_microsoft(rotation, "RotaryEmbedding", {"x", "number", "cos", "sin"}, "y");
  const auto attended = must(converted(attention));
  EXPECT_TRUE(opaque_at(attended, "y").costed);
  EXPECT_EQ(opaque_at(attended, "y").parameters, 0);
  EXPECT_EQ(opaque_at(attended, "y").weight_bytes, 2 * 4 * 4 * 4 + 2 * 8);
  const auto rotated = must(converted(rotation));
  EXPECT_TRUE(opaque_at(rotated, "y").costed);
  EXPECT_EQ(opaque_at(rotated, "y").parameters, 0);
  EXPECT_EQ(opaque_at(rotated, "y").weight_bytes, 2 * 4 * 4 * 4 + 8);
}

// The inputs are read once, whatever the number of outputs.
TEST(OnnxOpaque, OfSeveralOutputsReadsItsInputsOnce) {
  auto model = model_of({{"x", {1, 8, 4}}});
  auto& node = add_microsoft(model, "Foo", {"x"}, "y");
  for (const char* const name : {"z", "unused"}) node.add_output(name);
  for (const char* const name : {"y", "z"}) declare(model, name, onnx::TensorProto::FLOAT, {1, 2});
  add_output(model, "z");
  EXPECT_EQ(total_work(must(converted(model)).graph, 1).bytes_read, 4 * (8 * 4 + 4));
}

// Each of its outputs stands after all of its inputs.
TEST(OnnxOpaque, OfManyInputsAndOutputsIsRefused) {
  const auto with = [](int many) {
    auto model = model_of({{"x", {1, 4}}});
    std::vector<std::string> outputs;
    for (int i = 0; i < many; ++i) outputs.push_back(fmt::format("y{}", i));
    add_node(model, "Foo", std::vector<std::string>(outputs.size(), "x"), outputs);
    for (const std::string& name : outputs) add_output(model, name);
    return refusal_of(model, {.memory = 1 << 20});
  };
  EXPECT_EQ(with(10), "converted");
  EXPECT_THAT(with(200), HasSubstr("all together need too much memory"));
}

// Up to opset 19 a transform is along axis 1, if its node says no other.
TEST(OnnxOpaque, HasTheAxisOfItsOpset) {
  auto model = model_of({{"x", {1, 4, 6, 2}}});
  auto& node = add_result(model, "DFT", {"x"}, "y");
  for (const char* const name : {"inverse", "onesided"}) set_int(node, name, 1);
  EXPECT_EQ(opaque_at(must(converted(model)), "y").shape, (Shape{3, 6, 2}));
}

// ONNX's own inference would divide by them, or read what is not there.
TEST(OnnxOpaque, OfSenselessNumbersHasNoKnownCost) {
  auto gather = model_of({{"x", {1, 4}}, {"i", {1, 2}}});
  set_int(add_node(gather, "Cast", {"i"}, {"places"}), "to", onnx::TensorProto::INT64);
  set_int(add_result(gather, "GatherND", {"x", "places"}, "y"), "batch_dims", -9);
  auto conv = model_of({{"x", {1, 4, 8, 8}}});
  add_filled(conv, "w", {4, 4});
  add_result(conv, "Conv", {"x", "w"}, "y");
  auto blocks = model_of({{"x", {1, 4, 2, 2}}});
  set_int(add_result(blocks, "DepthToSpace", {"x"}, "y"), "blocksize", std::int64_t{1} << 62);
  for (const auto& model : {gather, conv, blocks}) {
    const auto loaded = converted(model);
    EXPECT_TRUE(!loaded || !loaded->graph.has_known_cost());
  }
}

// Nodes in branches count too.
TEST(OnnxOpaque, StandsForALoopOfTooManyNodes) {
  const auto with = [](std::int64_t trips) {
    auto model = model_of({{"x", {2, 2}}});
    *model.mutable_graph()->add_initializer() = int_tensor("trips", {}, {trips});
    auto& body = add_graph(add_node(model, "Loop", {"trips", "", "x"}, {"y"}), "body", {"trip", "goes_on", "before"},
                           {"still", "after"});
    add_output(model, "y");
    add_node(body, "Identity", {"goes_on"}, {"still"});
    auto& choice = add_node(body, "If", {"goes_on"}, {"after"});
    for (const char* const name : {"then_branch", "else_branch"})
      add_node(add_graph(choice, name, {}, {"result"}), "Exp", {"before"}, {"result"});
    return must(converted(model));
  };
  EXPECT_EQ(with(100).graph.operators().size(), 101U);
  for (const std::int64_t trips : {std::int64_t{5000}, std::numeric_limits<std::int64_t>::max()}) {
    const auto loaded = with(trips);
    EXPECT_EQ(opaque_at(loaded, "y").type, "Loop");
    EXPECT_THAT(loaded.warnings, Contains(HasSubstr("they are too many")));
  }
}

// The others are computed whenever the network runs.
TEST(OnnxOpaque, ComputesFewLargeProductsOfConstants) {
  const auto products_of = [](std::int64_t size) {
    auto model = model_of({{"x", {size, size}}});
    add_ints(model, "dims", {size, size});
    *model.mutable_graph()->add_initializer() = int_tensor("trips", {}, {20});
    add_node(model, "ConstantOfShape", {"dims"}, {"zeros"});
    auto& loop = add_node(model, "Loop", {"trips", "", "zeros"}, {"product"});
    auto& body = add_graph(loop, "body", {"trip", "goes_on", "before"}, {"still", "after"});
    add_node(body, "Identity", {"goes_on"}, {"still"});
    add_node(body, "MatMul", {"before", "before"}, {"after"});
    add_result(model, "MatMul", {"product", "x"}, "y");
    std::size_t computed = 0;
    const auto compute = [&](const Graph&, std::vector<Tensor> inputs) {
      ++computed;
      return Result<std::vector<Tensor>>(std::move(inputs));
    };
    const auto loaded = must(converted(model, {.compute = compute}));
    return std::pair{computed, loaded.graph.operators().size()};
  };
  const auto [small, folded] = products_of(8);
  const auto [large, kept] = products_of(1024);
  EXPECT_LT(large, small);
  EXPECT_GE(kept, folded + 16);
}

TEST(OnnxOpaque, OfTooManyTripsLeavesFollowingLoopsTheirs) {
  auto model = model_of({{"x", {2, 2}}});
  for (const auto& [name, trips] : {std::pair{"many", 1'000'000'000}, {"three", 3}}) {
    *model.mutable_graph()->add_initializer() = int_tensor(name, {}, {trips});
    auto& loop = add_node(model, "Loop", {name, "", "x"}, {fmt::format("{}_trips", name)});
    auto& body = add_graph(loop, "body", {"trip", "goes_on", "before"}, {"still", "after"});
    add_node(body, "Identity", {"goes_on"}, {"still"});
    add_node(body, "Exp", {"before"}, {"after"});
    add_output(model, fmt::format("{}_trips", name));
  }
  const auto loaded = must(converted(model));
  EXPECT_EQ(opaque_at(loaded, "many_trips").type, "Loop");
  EXPECT_EQ(loaded.graph.op(*loaded.graph.find_operator("three_trips")).as<Opaque>(), nullptr);
}

// The time does not grow with the types of operators that were seen before.
TEST(OnnxOpaque, OfManyTypesLeavesLoopsFast) {
  const auto time_of = [](bool loops_first) {
    constexpr int kMany = 1000;
    auto model = model_of({{"x", {1, 4}}});
    *model.mutable_graph()->add_initializer() = int_tensor("none", {}, {0});
    const auto add_loops = [&] {
      for (int i = 0; i < kMany; ++i) {
        auto& loop = add_node(model, "Loop", {"none", "", "x"}, {fmt::format("loop{}", i)});
        auto& body = add_graph(loop, "body", {"trip", "goes_on", "before"}, {"goes_on", "after"});
        add_node(body, "Relu", {"before"}, {"after"});
      }
    };
    if (loops_first) add_loops();
    for (int i = 0; i < kMany; ++i) {
      add_node(model, fmt::format("Unknown{}", i), {"x"}, {fmt::format("unread{}", i)});
    }
    if (!loops_first) add_loops();
    add_result(model, "Relu", {"x"}, "y");
    auto best = std::chrono::steady_clock::duration::max();
    for (int attempt = 0; attempt < 3; ++attempt) {
      const auto start = std::chrono::steady_clock::now();
      must(converted(model));
      best = std::min(best, std::chrono::steady_clock::now() - start);
    }
    return std::chrono::duration<double>(best).count();
  };
  EXPECT_LT(time_of(false), 5 * time_of(true));
}

// ONNX's own inference knows shapes of operators that we do not; their cost stays unknown.
TEST(OnnxOpaque, HasTheShapeThatOnnxInfers) {
  auto model = model_of({{"x", {1, 4, 8, 8}}, {"regions", {1, 5}}});
  set_ints(add_node(model, "MaxRoiPool", {"x", "regions"}, {"d"}), "pooled_shape", {2, 3});
  add_result(model, "Relu", {"d"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(opaque_at(loaded, "d").shape, (Shape{4, 2, 3}));
  EXPECT_FALSE(opaque_at(loaded, "d").guessed);
  EXPECT_FALSE(opaque_at(loaded, "d").costed);
  const Operator& behind = loaded.graph.op(*loaded.graph.find_operator("y"));
  EXPECT_TRUE(behind.has_known_cost()) << "its shape is known";
  EXPECT_FALSE(total_work(loaded.graph, 1).known);
}

// What ONNX cannot infer, because an input is computed, the file may declare.
TEST(OnnxOpaque, HasTheCostThatFollowsFromDeclaredSizes) {
  const auto with = [](const std::string& op_type, const std::vector<std::int64_t>& sizes) {
    auto model = model_of({{"x", {2, 4}}, {"i", {2}}});
    set_int(add_node(model, "Cast", {"i"}, {"computed"}), "to", onnx::TensorProto::INT64);
    add_node(model, op_type, {"x", "computed"}, {"z"});
    declare(model, "z", onnx::TensorProto::FLOAT, sizes);
    add_result(model, "Relu", {"z"}, "y");
    return must(converted(model));
  };
  const std::tuple<const char*, Ints, int> cases[] = {{"Reshape", {4, 2}, 0}, {"ReduceSum", {1, 1}, 8}};
  for (const auto& [op_type, sizes, flops] : cases) {
    SCOPED_TRACE(op_type);
    const LoadedOnnx loaded = with(op_type, sizes);
    EXPECT_EQ(opaque_at(loaded, "z").shape, Shape(sizes));
    EXPECT_EQ(opaque_at(loaded, "z").flops, flops);
    EXPECT_TRUE(loaded.graph.has_known_cost());
  }
}

// How many elements are unique depends on them.
TEST(OnnxOpaque, LeavesUnknownWhatFollowsFromAnUnknownShape) {
  auto model = model_of({{"x", {1, 10}}});
  add_node(model, "Unique", {"x"}, {"u"});
  add_node(model, "Shape", {"u"}, {"size"});
  add_ints(model, "first", {0});
  add_node(model, "Gather", {"size", "first"}, {"count"});
  add_node(model, "Reshape", {"x", "count"}, {"z"});
  add_result(model, "Relu", {"z"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_FALSE(loaded.graph.op(*loaded.graph.find_operator("y")).sized);
  EXPECT_FALSE(loaded.graph.has_known_cost());
}

// A random tensor in the shape of a constant.
TEST(OnnxOpaque, OfAConstantKeepsItsShape) {
  auto model = model_of({{"x", {1, 8}}});
  add_filled(model, "like", {2, 4, 8});
  add_node(model, "RandomNormalLike", {"like"}, {"noise"});
  add_node(model, "Shape", {"noise"}, {"size"});
  add_ints(model, "second", {1});
  add_node(model, "Gather", {"size", "second"}, {"four"});
  add_ints(model, "last", {8});
  set_int(add_node(model, "Concat", {"four", "last"}, {"dims"}), "axis", 0);
  add_node(model, "Expand", {"x", "dims"}, {"z"});
  add_result(model, "Add", {"z", "noise"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(opaque_at(loaded, "noise").shape, (Shape{2, 4, 8}));
  EXPECT_EQ(loaded.graph.op(*loaded.graph.find_operator("y")).output, (Shape{2, 4, 8}));
  EXPECT_TRUE(loaded.graph.has_known_cost());
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
    add_filled(model, "w", {2, 3, 1, 1});
    add_result(model, "Conv", {"b", "w"}, "y", "conv");
    return converted(model);
  };
  const auto guessed = must(with(false));
  EXPECT_NE(guessed.graph.op(*guessed.graph.find_operator("y")).as<Opaque>(), nullptr);
  EXPECT_THAT(guessed.warnings, Contains(HasSubstr("(node 2 (Conv 'conv'): it reads a tensor of unknown shape: ")));
  const auto known = with(true);
  ASSERT_FALSE(known) << "a shape that the file declares is no guess";
  EXPECT_THAT(known.error().text(), HasSubstr("weights are for 3 channels"));
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
    set_float(add_result(model, "BatchNormalization", {"x", "w", "w", "w", "w"}, "y"), "epsilon", epsilon);
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
  const auto loaded = must(converted(model));
  ASSERT_EQ(loaded.warnings.size(), 10U);
  EXPECT_THAT(loaded.warnings[0], HasSubstr("5 operators of type Unknown0 cannot be executed"));
  EXPECT_THAT(loaded.warnings[8], HasSubstr("12 other types"));
}

// Integers and truths are numbers like all others.
TEST(OnnxOpaque, IsNoIntegerArithmetic) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  set_int(add_node(model, "ArgMax", {"x"}, {"i"}), "axis", 1);
  add_node(model, "Add", {"i", "i"}, {"j"});
  set_int(add_node(model, "Cast", {"j"}, {"f"}), "to", onnx::TensorProto::FLOAT);
  add_result(model, "Relu", {"f"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("i: arg max 1x8x8 <- x", "y: add 1x8x8 + relu 1x8x8 <- i, i"));
  auto strings = model_of({{"x", {1, 4}}});
  strings.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::STRING);
  add_result(strings, "Identity", {"x"}, "y");
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
