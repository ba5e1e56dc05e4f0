#include "tests/support/single_operators.h"

#include "tests/formats/onnx/protos.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

// What a library computes as one operator shows no concurrency with itself.
namespace iosx::onnx_import {
namespace {

using namespace test;

// Makes the model of the node that `add` adds, with all outputs of the node, and looks at its graph.
template <typename Add>
void expect_one_piece(const std::string& name, const std::vector<InputDims>& inputs, std::int64_t version,
                      const Add& add) {
  auto model = model_of(inputs, version);
  const onnx::NodeProto& node = add(model);
  for (const std::string& output : node.output()) add_output(model, output);
  if (!node.domain().empty()) {
    auto& opset = *model.add_opset_import();
    opset.set_domain(node.domain());
    opset.set_version(1);
  }
  const auto loaded = must(converted(model));
  iosx::test::expect_one_piece_of_work(loaded.graph, name);
  EXPECT_EQ(loaded.graph.outputs().size(), static_cast<std::size_t>(node.output_size())) << name;
}

const InputDims kMap{"x", {-1, 4, 32, 32}};
constexpr std::int64_t kOpset = 17;

TEST(OnnxSingleOperators, ThatAreSeveralHereAreOnePieceOfWork) {
  expect_one_piece("Conv3d", {{"x", {-1, 4, 8, 32, 32}}}, kOpset, [](auto& model) {
    add_filled(model, "w", {8, 4, 3, 3, 3});
    return add_node(model, "Conv", {"x", "w"}, {"y"});
  });
  expect_one_piece("Conv3d in groups", {{"x", {-1, 96, 8, 8, 8}}}, kOpset, [](auto& model) {
    add_filled(model, "w", {96, 1, 3, 3, 3});
    auto& node = add_node(model, "Conv", {"x", "w"}, {"y"});
    set_int(node, "group", 96);
    return node;
  });
  expect_one_piece("ConvTranspose3d", {{"x", {-1, 4, 4, 8, 8}}}, kOpset, [](auto& model) {
    add_filled(model, "w", {4, 2, 2, 2, 2});
    return add_node(model, "ConvTranspose", {"x", "w"}, {"y"});
  });
  expect_one_piece("MaxPool3d", {{"x", {-1, 4, 8, 16, 16}}}, kOpset, [](auto& model) {
    auto& node = add_node(model, "MaxPool", {"x"}, {"y"});
    set_ints(node, "kernel_shape", {2, 2, 2});
    return node;
  });
  expect_one_piece("DFT", {{"x", {-1, 64, 1}}}, kOpset,
                   [](auto& model) { return add_node(model, "DFT", {"x"}, {"y"}); });
  expect_one_piece("AffineGrid", {{"x", {2, 2, 3}}}, 20, [](auto& model) {
    auto& node = add_node(model, "AffineGrid", {"x"}, {"y"});
    reads_ints(model, node, {2, 1, 16, 16});
    return node;
  });
  expect_one_piece("Lstm", {{"x", {24, 2, 16}}}, kOpset, [](auto& model) {
    add_filled(model, "w", {2, 128, 16});
    add_filled(model, "r", {2, 128, 32});
    auto& node = add_node(model, "LSTM", {"x", "w", "r"}, {"y", "h", "c"});
    set_int(node, "hidden_size", 32);
    set_text(node, "direction", "bidirectional");
    return node;
  });
  expect_one_piece("GroupNormalization", {kMap}, 21, [](auto& model) {
    add_filled(model, "s", {4});
    auto& node = add_node(model, "GroupNormalization", {"x", "s", "s"}, {"y"});
    set_int(node, "num_groups", 2);
    return node;
  });
  expect_one_piece("Einsum", {{"a", {-1, 512}}, {"b", {-1, 512}}}, kOpset, [](auto& model) {
    auto& node = add_node(model, "Einsum", {"a", "b"}, {"y"});
    set_text(node, "equation", "bi,bj->bij");
    return node;
  });
  expect_one_piece("Resize", {kMap}, 18, [](auto& model) {
    auto& node = add_node(model, "Resize", {"x", "", ""}, {"y"});
    set_ints(node, "axes", {2, 3});
    set_text(node, "mode", "cubic");
    reads_ints(model, node, {48, 20});
    return node;
  });
  expect_one_piece("ReduceLogSumExp", {kMap}, kOpset, [](auto& model) {
    auto& node = add_node(model, "ReduceLogSumExp", {"x"}, {"y"});
    set_ints(node, "axes", {1});
    return node;
  });
}

TEST(OnnxSingleOperators, WithSeveralOutputsAreOnePieceOfWork) {
  expect_one_piece("TopK", {{"x", {-1, 64, 256}}}, kOpset, [](auto& model) {
    add_ints(model, "k", {3});
    return add_node(model, "TopK", {"x", "k"}, {"values", "places"});
  });
  expect_one_piece("Unknown", {kMap}, kOpset, [](auto& model) {
    auto& node = add_node(model, "Foo", {"x"}, {"a", "b", "c"});
    node.set_domain("com.example");
    return node;
  });
  for (const int axis : {1, 2}) {  // channels are slices of the input, rows are operators
    expect_one_piece("Split", {kMap}, kOpset, [&](auto& model) {
      auto& node = add_node(model, "Split", {"x"}, {"a", "b"});
      set_int(node, "axis", axis);
      return node;
    });
  }
}

TEST(OnnxSingleOperators, OfATrainingStepAreOnePieceOfWork) {
  expect_one_piece("BatchNormalization", {{"x", {8, 4, 16, 16}}}, kOpset, [](auto& model) {
    add_filled(model, "c", {4});
    auto& node = add_node(model, "BatchNormalization", {"x", "c", "c", "c", "c"}, {"y", "mean", "variance"});
    set_int(node, "training_mode", 1);
    return node;
  });
}

// A loop is its body as often, and the stack of its results.
TEST(OnnxSingleOperators, OfEachTripAreOnePieceOfWork) {
  auto model = model_of({{"x", {1, 4, 8, 8}}});
  *model.mutable_graph()->add_initializer() = int_tensor("trips", {}, {3});
  auto& body = add_graph(add_node(model, "Loop", {"trips", "", "x"}, {"last", "all"}), "body",
                         {"trip", "goes_on", "before"}, {"still", "after", "kept"});
  add_output(model, "all");
  add_node(body, "Identity", {"goes_on"}, {"still"});
  set_ints(add_node(body, "MaxPool", {"before"}, {"after"}), "kernel_shape", {1, 1});
  add_node(body, "Identity", {"after"}, {"kept"});
  const auto loaded = must(converted(model));
  ASSERT_EQ(loaded.graph.units().size(), 4U);
  // The first also takes the batch as an axis like any other.
  for (const UnitId id : {UnitId(1), UnitId(2)}) EXPECT_EQ(loaded.graph.unit(id).operators.size(), 1U);
}

TEST(OnnxSingleOperators, OfQuantisedNumbersAreOnePieceOfWork) {
  expect_one_piece("DynamicQuantizeLinear", {{"x", {64, 256}}}, kOpset, [](auto& model) {
    return add_node(model, "DynamicQuantizeLinear", {"x"}, {"y", "scale", "zero"});
  });
  expect_one_piece("QLinearConv", {kMap}, kOpset, [](auto& model) {
    using Bytes = std::vector<std::uint8_t>;
    constexpr auto kType = onnx::TensorProto::UINT8;
    auto& graph = *model.mutable_graph();
    graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(kType);
    *graph.add_initializer() = raw_tensor("zero", {}, kType, Bytes{3});
    *graph.add_initializer() = raw_tensor("w", {8, 4, 3, 3}, kType, Bytes(8 * 4 * 9, 5));
    add_filled(model, "s", {}, 0.5F);
    return add_node(model, "QLinearConv", {"x", "s", "zero", "w", "s", "zero", "s", "zero"}, {"y"});
  });
}

TEST(OnnxSingleOperators, OfAttentionAreOnePieceOfWork) {
  const std::vector<std::string> outputs{"y", "present_k", "present_v"};
  std::vector<InputDims> inputs;
  for (const char* const name : {"q", "k", "v"}) inputs.push_back({name, {-1, 8, 64, 32}});
  expect_one_piece("Attention", inputs, 23, [&](auto& model) {
    return add_node(model, "Attention", {"q", "k", "v"}, outputs);
  });
  for (const char* const name : {"past_k", "past_v"}) inputs.push_back({name, {-1, 8, 16, 32}});
  expect_one_piece("Attention with past", inputs, 23, [&](auto& model) {
    return add_node(model, "Attention", {"q", "k", "v", "", "past_k", "past_v"}, outputs);
  });
  expect_one_piece("GroupQueryAttention", inputs, kOpset, [&](auto& model) {
    auto& node = add_node(model, "GroupQueryAttention", {"q", "k", "v", "past_k", "past_v"}, outputs);
    node.set_domain("com.microsoft");
    return node;
  });
  inputs.clear();
  for (const char* const name : {"q", "k", "v"}) inputs.push_back({name, {-1, 64, 128}});
  expect_one_piece("MultiHeadAttention", inputs, kOpset, [&](auto& model) {
    auto& node = add_node(model, "MultiHeadAttention", {"q", "k", "v"}, outputs);
    node.set_domain("com.microsoft");
    set_int(node, "num_heads", 4);
    return node;
  });
}

// What follows an operator with several outputs does not join it.
TEST(OnnxSingleOperators, AreReadAtEachOutput) {
  auto model = model_of({{"x", {-1, 8, 10}}});
  add_ints(model, "k", {3});
  add_node(model, "TopK", {"x", "k"}, {"values", "places"});
  add_result(model, "Relu", {"values"}, "y");
  add_output(model, "places");
  const auto loaded = must(converted(model));
  const std::string values = loaded.graph.op(OperatorId(1)).name;
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("places: top k 8x3 + top k 8x3 <- x, x", "y: relu 8x3 <- " + values));
  EXPECT_TRUE(loaded.graph.unit(UnitId(0)).whole);
  EXPECT_FALSE(loaded.graph.unit(UnitId(1)).whole);
  EXPECT_EQ(loaded.graph.outputs().size(), 2U);
}

TEST(OnnxSingleOperators, OfTheCasesAreOnePieceOfWork) {
  const auto folder = iosx::test::reference_folder().parent_path() / "cases/second/zoo";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the folder with the cases is absent";
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx") models.push_back(entry.path());
  }
  EXPECT_GT(iosx::test::expect_one_piece_of_work_each(models), 0U);
}

}  // namespace
}  // namespace iosx::onnx_import
