#include <bit>

#include "core/formats/onnx/write/export.h"
#include "models/networks/zoo.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/element_functions.h"
#include "tests/support/graphs.h"
#include "tests/support/operator_cases.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

namespace iosx::onnx_import::test {
namespace {

using iosx::test::OperatorCase;
using iosx::test::Placement;
using iosx::test::reference_outputs;

LoadedOnnx reloaded(const Graph& graph, const OnnxExportOptions& options = {}) {
  const auto bytes = must(to_onnx(graph, options));
  const auto model = must(parse_onnx(std::as_bytes(std::span(bytes)), {}));
  return must(to_graph(model, OnnxOptions{.batch = options.batch.value_or(1)}, graph.name()));
}

// Bit for bit.
bool same(const Tensor& a, const Tensor& b) {
  return std::ranges::equal(a.dims(), b.dims()) && std::ranges::equal(a.elements(), b.elements(), [](float x, float y) {
           return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
         });
}

// Activations that reading a model fuses into the convolution before them, which nothing else reads.
bool is_fused(const Graph& graph, const Operator& op) {
  if (!op.as<Activate>()) return false;
  const Operator& source = graph.op(op.inputs.front().producer);
  return source.as<Conv>() && source.as<Conv>()->activation == Activation::kIdentity &&
         op.inputs.front() == graph.whole(op.inputs.front().producer) &&
         graph.consumers(op.inputs.front().producer).size() == 1;
}

Attributes with_fused_activation(const Graph& graph, OperatorId id) {
  Attributes attributes = graph.op(id).attributes;
  if (graph.consumers(id).empty()) return attributes;
  const Operator& reader = graph.op(graph.consumers(id).front());
  if (is_fused(graph, reader)) std::get<Conv>(attributes).activation = reader.as<Activate>()->function;
  return attributes;
}

// What computes the operator's output once that is done.
const std::string& computed_by(const Graph& graph, OperatorId id) {
  const Operator& op = graph.op(id);
  return is_fused(graph, op) ? graph.op(op.inputs.front().producer).name : op.name;
}

// Every operator under its name, with what it reads and its weights. Units are ours alone.
void expect_same_operators(const Graph& before, const Graph& after) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before.operators().size(); ++i) {
    const Operator& old = before.operators()[i];
    if (is_fused(before, old)) continue;
    ++kept;
    const auto found = std::ranges::find(after.operators(), old.name, &Operator::name);
    ASSERT_NE(found, after.operators().end()) << "lost " << old.name;
    EXPECT_TRUE(with_fused_activation(before, OperatorId(i)) == found->attributes) << old.name;
    EXPECT_EQ(old.output, found->output) << old.name;
    ASSERT_EQ(old.inputs.size(), found->inputs.size()) << old.name;
    for (std::size_t input = 0; input < old.inputs.size(); ++input) {
      EXPECT_EQ(computed_by(before, old.inputs[input].producer), after.op(found->inputs[input].producer).name)
          << old.name;
      EXPECT_EQ(old.inputs[input].begin, found->inputs[input].begin) << old.name;
      EXPECT_EQ(old.inputs[input].end, found->inputs[input].end) << old.name;
    }
    const OperatorId id(static_cast<std::size_t>(found - after.operators().begin()));
    EXPECT_TRUE(same(before.parameters()->weights(OperatorId(i)), after.parameters()->weights(id))) << old.name;
    EXPECT_TRUE(same(before.parameters()->bias(OperatorId(i)), after.parameters()->bias(id))) << old.name;
    EXPECT_EQ(before.parameters()->has_bias(OperatorId(i)), after.parameters()->has_bias(id)) << old.name;
  }
  EXPECT_EQ(kept, after.operators().size());
}

void expect_round_trip(const Graph& graph) {
  const LoadedOnnx loaded = reloaded(graph);
  EXPECT_TRUE(loaded.batched);
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_TRUE(loaded.graph.parameters()->complete());
  expect_same_operators(graph, loaded.graph);
}

TEST(Export, OfSmallGraphsComesBack) {
  expect_round_trip(iosx::test::chain(3));
  expect_round_trip(iosx::test::fork_join(4));
  expect_round_trip(iosx::test::diamond());
  expect_round_trip(iosx::test::sample());
  for (std::uint64_t seed = 0; seed < 20; ++seed) expect_round_trip(iosx::test::random_dag(seed, 12));
}

class ExportZoo : public testing::TestWithParam<std::string_view> {};

TEST_P(ExportZoo, ComesBackWithEveryOperatorAndWeight) { expect_round_trip(zoo_network(GetParam()).value()); }

// The largest networks are left out for time: VGG has nothing that AlexNet has not.
INSTANTIATE_TEST_SUITE_P(Networks, ExportZoo, testing::Values("sample", "squeezenet", "resnet18", "googlenet"),
                         [](const auto& test) { return std::string(test.param); });
#ifndef IOS_SANITIZED  // they have more weights and no other operators
INSTANTIATE_TEST_SUITE_P(MoreNetworks, ExportZoo, testing::Values("inception_v3", "nasnet", "randwire", "resnet50"),
                         [](const auto& test) { return std::string(test.param); });
#endif

TEST(Export, KeepsAFixedBatch) {
  const LoadedOnnx loaded = reloaded(iosx::test::diamond(), {.batch = 3});
  EXPECT_TRUE(loaded.batched);
  EXPECT_EQ(loaded.batch, 3);
}

// One operator that reads "x", of this shape, and more constants.
Graph with(Attributes attributes, const Shape& shape, const std::vector<Tensor>& constants = {}) {
  GraphBuilder builder("one");
  std::vector<Value> inputs{builder.input("x", shape)};
  for (const Tensor& constant : constants) inputs.push_back(builder.constant({}, constant));
  builder.add("y", std::move(attributes), inputs);
  return must(std::move(builder).build());
}

template <typename Kind, typename Change>
Kind made(Change change) {
  Kind kind;
  change(kind);
  return kind;
}

TEST(Export, OfEveryKindOfOperatorComesBack) {
  const Shape map{4, 9, 7};
  const std::vector<Graph> graphs{
      with(made<Conv>([](Conv& conv) {
             conv.out_channels = 6;
             conv.kernel = {3, 2};
             conv.stride = {2, 1};
             conv.padding = {1, 0};
             conv.groups = 2;
             conv.end_padding = {-1, 1};
           }),
           map),
      with(made<Conv>([](Conv& conv) {
             conv.out_channels = 6;
             conv.kernel = {3, 2};
             conv.dilation = {2, 3};
           }),
           map),
      with(made<ConvTranspose>([](ConvTranspose& conv) {
             conv.out_channels = 6;
             conv.kernel = {3, 2};
             conv.stride = {2, 1};
             conv.padding = {1, 0};
             conv.groups = 2;
             conv.end_padding = {-1, 1};
             conv.output_padding = {1, 0};
           }),
           map),
      with(made<Pool>([](Pool& pool) {
             pool.kernel = {3, 2};
             pool.stride = {2, 2};
             pool.dilation = {2, 1};
           }),
           map),
      with(made<Pool>([](Pool& pool) {
             pool.kind = PoolKind::kAverage;
             pool.kernel = {3, 3};
             pool.padding = {1, 1};
             pool.end_padding = {0, 1};
           }),
           map),
      with(made<Pool>([](Pool& pool) {
             pool.kind = PoolKind::kAverage;
             pool.kernel = {3, 3};
             pool.padding = {1, 1};
             pool.count_padding = false;
           }),
           map),
      with(made<Pool>([](Pool& pool) { pool.kind = PoolKind::kGlobalMax; }), map),
      with(made<Pool>([](Pool& pool) { pool.kind = PoolKind::kGlobalAverage; }), map),
      with(Affine{}, map),
      with(Affine{Activation::kRelu}, map),
      with(Identity{}, map),
      with(Linear{5}, map),
      with(Linear{5, Activation::kTanh}, Shape{7}),
      with(Linear{5, Activation::kTanh, 1}, Shape{3, 7}),
      with(Linear{5, Activation::kIdentity, 2}, map),
      with(Reshape{Shape{4, 63}}, map),
      with(Transpose{{2, 0, 1}}, map),
      with(Slice{{1, 8, 0}, {1, -3, 2}, Shape{3, 3, 3}}, map),
      with(Pad{PadMode::kReflect, {0, 1, 2}, {0, 3, 0}}, map),
      with(Pad{PadMode::kConstant, {0, -1, 2}, {0, 0, 0}, 0.5F}, map),
      with(Resize{ResizeMode::kNearest, ResizeCoordinates::kAsymmetric, ResizeRounding::kFloor, {1, 2, 2}, {4, 18, 14}},
           map),
      with(Resize{ResizeMode::kLinear, ResizeCoordinates::kAlignCorners, {}, {1, 1.5F, 1.25F}, {4, 13, 8}}, map),
      with(Softmax{2}, map),
      with(TopK{2, 1, false, TopKOutput::kValues}, map),
      with(Lrn{.size = 3, .alpha = 0.5F, .beta = 0.25F, .bias = 2}, map),
      with(Reduce{ReduceKind::kMean, {0, 2}, false}, map),
      with(Reduce{ReduceKind::kMean, {2}, true}, map),
      with(Reduce{ReduceKind::kSum, {1}, true}, map),
      with(Reduce{ReduceKind::kL2, {0, 1}, false}, map),
      with(Reduce{ReduceKind::kArgMax, {1}, false, true}, map),
      with(Expand{Shape{4, 9, 7}}, Shape{4, 1, 7}),
      with(Normalize{1, 1e-3F, true, true}, Shape{6, 5}),
      with(Normalize{0, 1e-3F, false, true}, Shape{6, 5}),
  };
  for (const Graph& graph : graphs) {
    SCOPED_TRACE(kind_name(graph.operators().back().attributes));
    expect_round_trip(graph);
  }
}

TEST(Export, OfWhatHasNoBiasComesBackWithoutOne) {
  const auto without_bias = [](Attributes attributes, const Shape& shape) {
    GraphBuilder builder("one");
    builder.leave_out_bias(builder.add("y", std::move(attributes), {builder.input("x", shape)}));
    return std::move(builder).build().value();
  };
  expect_round_trip(without_bias(made<Conv>([](Conv& conv) { conv.out_channels = 6; }), {4, 9, 7}));
  expect_round_trip(without_bias(made<ConvTranspose>([](ConvTranspose& conv) { conv.out_channels = 6; }), {4, 9, 7}));
  expect_round_trip(without_bias(Linear{5}, {4, 9, 7}));
  expect_round_trip(without_bias(Linear{5, Activation::kTanh, 1}, {3, 7}));
  expect_round_trip(without_bias(Normalize{1, 1e-3F, true, true}, {6, 5}));
  expect_round_trip(without_bias(Normalize{1, 1e-3F, false, true}, {6, 5}));
}

TEST(Export, OfEveryActivationComesBack) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<Activation> all = iosx::test::every_activation();
  all.push_back({ActivationKind::kClip, -infinity, 2});
  for (const Activation& function : all) {
    // Written with operators that stay apart, or that come back as another of the same value.
    const bool apart = function.kind == ActivationKind::kIdentity || function.kind == ActivationKind::kTruncate ||
                       function.kind == ActivationKind::kMish || function.kind == ActivationKind::kNot;
    if (apart) continue;
    SCOPED_TRACE(activation_name(function));
    expect_round_trip(with(Activate{function}, {4, 9, 7}));
    if (!activation_row(function.kind).fuses) continue;
    const auto set = [&](Conv& conv) { conv.out_channels = 2, conv.activation = function; };
    expect_round_trip(with(made<Conv>(set), {4, 9, 7}));
  }
}

// Operators of several inputs, with what their types need around them.
TEST(Export, OfSeveralInputsComesBack) {
  std::vector<Attributes> kinds{Where{}, Gather{GatherKind::kElements, 1}};
  for (const BinaryRow& row : binary_rows()) {
    const bool other = row.function == BinaryFunction::kAdd || row.function == BinaryFunction::kMul;
    // ONNX's remainder of floats has the sign of the dividend: the other one is written with a quotient.
    if (!other && row.function != BinaryFunction::kMod) kinds.emplace_back(Binary{row.function});
  }
  for (const Attributes& kind : kinds) {
    SCOPED_TRACE(kind_name(kind));
    GraphBuilder b("several");
    std::vector<Value> inputs{b.input("a", Shape{4, 9}), b.input("b", Shape{4, 9})};
    if (std::holds_alternative<Where>(kind)) inputs.push_back(b.input("c", Shape{4, 9}));
    b.add("y", kind, inputs);
    const auto graph = must(std::move(b).build());
    const LoadedOnnx loaded = reloaded(graph);
    EXPECT_TRUE(
        std::ranges::any_of(loaded.graph.operators(), [&](const Operator& op) { return op.attributes == kind; }));
    EXPECT_TRUE(loaded.warnings.empty());
  }
}

TEST(Export, NamesInputsAndOutputsAfterOperators) {
  const auto bytes = must(to_onnx(iosx::test::sample()));
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(bytes));
  EXPECT_EQ(model.opset_import(0).version(), 17);
  const onnx::GraphProto& graph = model.graph();
  ASSERT_EQ(graph.input_size(), 1);
  ASSERT_EQ(graph.output_size(), 1);
  EXPECT_EQ(graph.input(0).name(), iosx::test::sample().operators().front().name);
  EXPECT_EQ(graph.input(0).type().tensor_type().shape().dim(0).dim_param(), "batch");
  EXPECT_EQ(graph.input(0).type().tensor_type().shape().dim(1).dim_value(), 375);
  EXPECT_EQ(graph.output(0).name(), "concat");
}

// The nodes' types, in order.
std::vector<std::string> types(const Graph& graph, const OnnxExportOptions& options = {}) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(to_onnx(graph, options).value()));
  return mapped<std::string>(model.graph().node(), [](const onnx::NodeProto& node) { return node.op_type(); });
}

TEST(Export, SlicesChannelsOnceForAllReaders) {
  auto [builder, x] = iosx::test::sketch("slices", {8, 4, 4}, "x");
  const Value half{x.producer, 2, 6};
  builder.add("a", Activate{Activation::kRelu}, {half});
  builder.add("b", Activate{Activation::kTanh}, {half});
  builder.add("c", Activate{Activation::kTanh}, {Value{x.producer, 0, 6}});
  const Graph graph = std::move(builder).build().value();
  EXPECT_THAT(types(graph), ElementsAre("Slice", "Relu", "Tanh", "Slice", "Tanh"));
  expect_round_trip(graph);
}

TEST(Export, WritesPoolsThatRuntimesWouldRoundDifferentlyWithoutCeilMode) {
  // Windows of 2 start at -1 and 2 and, by ONNX's older rule, at 5, outside of 5 pixels.
  const auto rounded = [](Pool& pool) {
    pool.kernel = {2, 2};
    pool.stride = {3, 3};
    pool.padding = {1, 1};
    pool.ceil_mode = true;
  };
  const Graph rule = with(made<Pool>(rounded), {2, 5, 5});
  const LoadedOnnx loaded = reloaded(rule);
  const Pool& pool = *loaded.graph.operators().back().as<Pool>();
  EXPECT_FALSE(pool.ceil_mode);
  EXPECT_EQ(loaded.graph.operators().back().output, rule.operators().back().output);
  // A window that hangs over padding that counts: the zeros become a node.
  const Graph hanging =
      with(Pool{.kind = PoolKind::kAverage, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .ceil_mode = true},
           {2, 6, 6});
  EXPECT_THAT(types(hanging), ElementsAre("Pad", "AveragePool"));
  EXPECT_EQ(reloaded(hanging).graph.operators().back().output, hanging.operators().back().output);
}

TEST(Export, LetsOperandsOfDifferentRankBroadcastBesideTheBatch) {
  auto [builder, map] = iosx::test::sketch("ranks", {4, 3, 5}, "map");
  const Value row = builder.input("row", {5});
  const Value weights = builder.constant("weights", Tensor({3, 1}, {1, 2, 3}));
  builder.add("product", Mul{}, {map, row, weights});
  const Graph graph = std::move(builder).build().value();
  EXPECT_THAT(types(graph), ElementsAre("Unsqueeze", "Mul", "Mul"));
  EXPECT_EQ(reloaded(graph).graph.operators().back().output, (Shape{4, 3, 5}));
}

TEST(Export, GivesAConstantTheBatchWhereNothingBroadcasts) {
  const Graph graph = with(Concat{0}, {2, 3}, {Tensor({1, 3}, {1, 2, 3})});
  EXPECT_THAT(types(graph, {.batch = 2}), ElementsAre("Expand", "Concat"));
  EXPECT_THAT(types(graph), ElementsAre("Shape", "Slice", "Concat", "Expand", "Concat"));
}

TEST(Export, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refused(to_onnx(with(Opaque{"LSTM", "node 3", Shape{2}}, {2}))).text(),
              AllOf(HasSubstr("y"), HasSubstr("LSTM")));
  EXPECT_FALSE(to_onnx(iosx::test::chain(1), {.batch = 0}));
}

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& folder) {
  auto names = mapped<std::string>(fs::directory_iterator(folder),
                                   [](const auto& entry) { return entry.path().filename().string(); });
  std::ranges::sort(names);
  return names;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExportFile, IsTheSameAsTheBytesAndAlone) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::diamond();
  ASSERT_TRUE(write_onnx(graph, folder.path() / "x.onnx"));
  EXPECT_THAT(files_in(folder.path()), ElementsAre("x.onnx"));
  EXPECT_EQ(text_of(folder.path() / "x.onnx"), to_onnx(graph).value());
}

// A file lists its outputs as it likes.
TEST(ExportFile, HasTheOutputsInTheOrderGiven) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::fork(3);
  const auto names = [&](std::vector<std::string> first) {
    EXPECT_TRUE(write_onnx(graph, folder.path() / "x.onnx", {.outputs = std::move(first)}));
    const auto loaded = must(load_onnx(folder.path() / "x.onnx"));
    return mapped<std::string>(loaded.outputs, &OnnxOutput::op);
  };
  EXPECT_THAT(names({}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names({"c", "none", "a"}), ElementsAre("c", "a", "b"));
}

TEST(ExportFile, PutsManyWeightsBesideTheModel) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::diamond();
  const fs::path path = folder.path() / "x.onnx";
  ASSERT_TRUE(write_onnx(graph, path, {.max_inline_bytes = 100}));
  EXPECT_THAT(files_in(folder.path()), ElementsAre("x.onnx", "x.onnx.data"));
  EXPECT_LT(fs::file_size(path), fs::file_size(folder.path() / "x.onnx.data") / 4);
  const auto loaded = must(load_onnx(path));
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const auto found = loaded.graph.find_operator(graph.operators()[i].name);
    ASSERT_TRUE(found) << graph.operators()[i].name;
    EXPECT_TRUE(std::ranges::equal(graph.parameters()->weights(OperatorId(i)).elements(),
                                   loaded.graph.parameters()->weights(*found).elements()));
  }
}

TEST(ExportFile, LeavesTheOldFileWhenItFails) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("x.onnx", "old");
  GraphBuilder builder("opaque");
  builder.add("y", Opaque{"LSTM", "", Shape{2}}, {builder.input("x", {2})});
  const Graph graph = std::move(builder).build().value();
  EXPECT_FALSE(write_onnx(graph, path));
  EXPECT_FALSE(write_onnx(graph, path, {.max_inline_bytes = 0}));
  EXPECT_EQ(text_of(path), "old");
  EXPECT_THAT(files_in(folder.path()), ElementsAre("x.onnx"));
}

TEST(ExportFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::chain(1);
  EXPECT_THAT(refused(write_onnx(graph, folder.path() / "missing" / "x.onnx")).text(), HasSubstr("missing/x.onnx"));
  EXPECT_FALSE(write_onnx(graph, folder.path()));
  EXPECT_FALSE(write_onnx(graph, ""));
  EXPECT_FALSE(write_onnx(graph, "/dev/full"));
}

// What comes back as other operators than those written (recurrent layers of all samples at once) computes the same.

constexpr std::int64_t kBatch = 3;

// Samples as the graph reads them: beside it, or as an axis of its own.
std::vector<Tensor> samples_of(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const OperatorId id : graph.inputs()) {
    const Shape& shape = graph.op(id).output;
    std::vector<std::int64_t> dims{kBatch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    const auto seed = synthetic_seed(graph.op(id).name);
    inputs.emplace_back(std::move(dims), synthetic_values(seed, kBatch * shape.elements(), ParameterInit::kScaled));
  }
  return inputs;
}

Tensor with_dims(const Tensor& tensor, std::vector<std::int64_t> dims) {
  return {std::move(dims), {tensor.elements().begin(), tensor.elements().end()}};
}

class ExportNumbers : public testing::TestWithParam<OperatorCase> {
 protected:
  static void check(const Graph& graph) {
    const auto bytes = must(to_onnx(graph, {.batch = kBatch}));
    const auto model = must(parse_onnx(std::as_bytes(std::span(bytes)), {}));
    const auto loaded = must(to_graph(model, {.batch = kBatch}, graph.name()));
    EXPECT_TRUE(std::ranges::none_of(loaded.graph.operators(), [](const Operator& op) { return op.as<Opaque>(); }));
    const auto inputs = samples_of(graph);
    const auto expected = reference_outputs(graph, inputs, kBatch);
    auto again = inputs;
    if (!loaded.batched) {
      for (Tensor& input : again) {
        std::vector<std::int64_t> dims{1};
        dims.insert(dims.end(), input.dims().begin(), input.dims().end());
        input = with_dims(input, std::move(dims));
      }
    }
    const auto actual = reference_outputs(loaded.graph, again, loaded.batched ? kBatch : 1);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const auto dims = actual[i].dims().subspan(loaded.batched ? 0 : 1);
      ASSERT_TRUE(std::ranges::equal(dims, expected[i].dims()));
      const Tensor same = with_dims(actual[i], {expected[i].dims().begin(), expected[i].dims().end()});
      EXPECT_LT(iosx::test::largest_error(expected[i], same), 1e-6);
    }
  }
};

TEST_P(ExportNumbers, StayWhatTheyWere) { check(network_of(GetParam(), Placement::kWhole)); }
TEST_P(ExportNumbers, StayThoseOfSlices) { check(network_of(GetParam(), Placement::kSliced)); }

INSTANTIATE_TEST_SUITE_P(Operators, ExportNumbers, testing::ValuesIn(iosx::test::host_operator_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

}  // namespace iosx::onnx_import::test
