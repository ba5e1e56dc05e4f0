#include "core/model/graph/work.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using namespace test;

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int64_t>::max();

// The operator that a model of x (N x 4 x 8 x 8) yields as y.
template <typename Kind, typename Build>
Kind made(Build build, std::int64_t opset = 17) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}}, opset);
  build(model);
  add_output(model, "y");
  const auto loaded = must(converted(model));
  EXPECT_TRUE(loaded.batched) << testing::PrintToString(loaded.warnings);
  const Kind* const kind = loaded.graph.op(*loaded.graph.find_operator("y")).template as<Kind>();
  EXPECT_NE(kind, nullptr) << testing::PrintToString(units_of(loaded.graph));
  return kind == nullptr ? Kind{} : *kind;
}

// The units of a model that has only this one node, with the inputs that follow x.
template <typename Set>
std::vector<std::string> units_with(const std::string& op_type, Set set, std::int64_t opset = 17) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}}, opset);
  set(model, add_node(model, op_type, {"x"}, {"y"}));
  add_output(model, "y");
  return units_of(model);
}

TEST(OnnxConv, PadsAsAutoPadSays) {
  const auto padded = [](const std::string& automatic) {
    return made<Conv>([&](auto& model) {
      auto& node = add_conv(model, "x", "y", {2, 4, 4, 3});
      set_text(node, "auto_pad", automatic);
      set_ints(node, "strides", {1, 2});
      set_ints(node, "dilations", {1, 1});
    });
  };
  const Conv upper = padded("SAME_UPPER");  // 3 rows and 1 column in all
  EXPECT_EQ(upper.padding, (Extent{1, 0}));
  EXPECT_EQ(upper.end_padding, (Extent{1, 1}));
  const Conv lower = padded("SAME_LOWER");
  EXPECT_EQ(lower.padding, (Extent{2, 1}));
  EXPECT_EQ(lower.end_padding, (Extent{-1, -1}));
  EXPECT_EQ(padded("VALID").padding, (Extent{0, 0}));
}

TEST(OnnxConv, ReadsItsAttributes) {
  const Conv conv = made<Conv>([](auto& model) {
    auto& node = add_conv(model, "x", "y", {6, 2, 3, 1});
    set_int(node, "group", 2);
    set_ints(node, "pads", {1, 2, 3, 4});
    set_ints(node, "dilations", {2, 3});
    set_ints(node, "strides", {1, 2});
  });
  EXPECT_EQ(conv.out_channels, 6);
  EXPECT_EQ(conv.groups, 2);
  EXPECT_EQ(conv.kernel, (Extent{3, 1}));
  EXPECT_EQ(conv.padding, (Extent{1, 2}));
  EXPECT_EQ(conv.end_padding, (Extent{2, 2}));
  EXPECT_EQ(conv.dilation, (Extent{2, 3}));
  EXPECT_EQ(conv.stride, (Extent{1, 2}));
}

TEST(OnnxConv, WithoutABiasHasNone) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  add_filled(model, "w", {4, 3, 3, 3});
  add_filled(model, "b", {4});
  add_node(model, "Conv", {"x", "w"}, {"y"});
  add_node(model, "Conv", {"x", "w", "b"}, {"z"});
  add_output(model, "y");
  add_output(model, "z");
  const auto loaded = must(converted(model));
  const Graph& graph = loaded.graph;
  const Work without = work(graph, graph.find_operator("y").value(), 1);
  const Work with = work(graph, graph.find_operator("z").value(), 1);
  EXPECT_EQ(without.parameters, 4 * 27);
  EXPECT_EQ(with.parameters, 4 * 27 + 4);
  EXPECT_DOUBLE_EQ(without.flops, 4.0 * 36 * 2 * 27);
  EXPECT_DOUBLE_EQ(with.flops, 4.0 * 36 * (2 * 27 + 1));
}

TEST(OnnxConv, OfOneAxisHasAHeightOfOne) {
  auto model = model_of({{"x", {-1, 4, 9}}});
  auto& node = add_conv(model, "x", "y", {2, 4, 3});
  set_ints(node, "pads", {1, 0});
  set_ints(node, "strides", {2});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: reshape 4x1x9 + conv 2x1x4 + reshape 2x4 <- x"));
}

// Samples that are not apart lie in the rows, which windows of one axis leave alone.
TEST(OnnxConv, OfOneAxisTakesAMixedBatch) {
  const auto with = [](const std::string& type, std::vector<std::int64_t> weights) {
    auto model = model_of({{"x", {3, 2, 8}}, {"scalar", {}}});
    add_filled(model, "w", std::move(weights));
    set_ints(add_node(model, type, {"x", "w"}, {"made"}), "strides", {2});
    add_result(model, "Mul", {"made", "scalar"}, "y");
    return testing::PrintToString(units_of(model));
  };
  EXPECT_THAT(with("Conv", {4, 2, 3}),
              AllOf(HasSubstr("transpose 2x3x8"), HasSubstr("conv 4x3x3"), HasSubstr("transpose 3x4x3")));
  EXPECT_THAT(with("ConvTranspose", {2, 4, 3}), HasSubstr("transposed conv 4x3x17"));
  EXPECT_THAT(with("Conv", {4, 2, 3}), Not(HasSubstr("not executable")));
}

// One of two axes for each depth, which reads its frames as channels that lie in a row.
TEST(OnnxConv, OfThreeAxesIsOneOfTwoForEachDepth) {
  const auto with = [](const std::vector<std::int64_t>& dilations, std::int64_t groups) {
    auto model = model_of({{"x", {-1, 2, 5, 8, 8}}});
    add_filled(model, "w", {4, 2 / groups, 3, 3, 3});
    auto& node = add_node(model, "Conv", {"x", "w"}, {"y"});
    set_ints(node, "pads", {0, 1, 1, 1, 1, 1});
    set_ints(node, "dilations", dilations);
    set_int(node, "group", groups);
    add_output(model, "y");
    const auto loaded = must(converted(model));
    EXPECT_TRUE(loaded.batched);
    EXPECT_THAT(loaded.graph.units(), SizeIs(1));
    std::string text = testing::PrintToString(units_of(loaded.graph));
    for (const Operator& op : loaded.graph.operators()) {
      if (op.as<Conv>() != nullptr) text += fmt::format("[{}:{}]", op.inputs[0].begin, op.inputs[0].end);
    }
    return text;
  };
  const std::string plain = with({1, 1, 1}, 1);  // of 6 frames, the last one padded
  EXPECT_THAT(plain, AllOf(HasSubstr("transpose 5x2x8x8"), HasSubstr("pad 6x2x8x8")));
  for (const char* const frames : {"[0:6]", "[2:8]", "[4:10]", "[6:12]"}) EXPECT_THAT(plain, HasSubstr(frames));
  EXPECT_THAT(plain, AllOf(HasSubstr("concat 16x8x8"), HasSubstr("transpose 4x4x8x8")));
  EXPECT_THAT(with({2, 1, 1}, 1), HasSubstr("slice 2x3x8x8"));
  EXPECT_THAT(with({1, 1, 1}, 2), HasSubstr("slice 2x3x8x8"));
}

TEST(OnnxConv, OfSamplesThatAreMixedIsOneForEach) {
  const auto with = [](std::int64_t samples) {
    auto model = model_of({{"x", {samples, 2, 8, 8}}, {"scalar", {}}});
    add_conv(model, "x", "made", {4, 2, 3, 3});
    add_result(model, "Mul", {"made", "scalar"}, "y");
    return testing::PrintToString(units_of(model));
  };
  EXPECT_THAT(with(2), AllOf(HasSubstr("concat 2x4x6x6"), HasSubstr("x[0:1]"), HasSubstr("x[1:2]"),
                             Not(HasSubstr("not executable"))));
  EXPECT_THAT(with(65), HasSubstr("not executable"));
}

TEST(OnnxConvTranspose, CropsToTheWantedShape) {
  const auto cropped = [](std::vector<std::int64_t> shape, const std::string& automatic) {
    return made<ConvTranspose>([&](auto& model) {
      add_filled(model, "w", {4, 2, 3, 3});
      auto& node = add_node(model, "ConvTranspose", {"x", "w"}, {"y"});
      set_ints(node, "strides", {2, 2});
      if (!shape.empty()) set_ints(node, "output_shape", shape);
      set_text(node, "auto_pad", automatic);
    });
  };
  const ConvTranspose lower = cropped({14, 18}, "NOTSET");  // of 17: 3 rows cropped, 1 column added
  EXPECT_EQ(lower.padding, (Extent{2, 0}));
  EXPECT_EQ(lower.end_padding, (Extent{-1, 0}));
  EXPECT_EQ(lower.output_padding, (Extent{0, 1}));
  const ConvTranspose upper = cropped({}, "SAME_UPPER");  // 16
  EXPECT_EQ(upper.padding, (Extent{0, 0}));
  EXPECT_EQ(upper.end_padding, (Extent{1, 1}));
}

TEST(OnnxPool, ReadsItsAttributes) {
  const Pool maximum = made<Pool>([](auto& model) {
    auto& node = add_node(model, "MaxPool", {"x"}, {"y"});
    set_ints(node, "kernel_shape", {3, 2});
    set_ints(node, "strides", {2, 1});
    set_ints(node, "pads", {1, 0, 0, 1});
    set_ints(node, "dilations", {2, 1});
    set_int(node, "ceil_mode", 1);
  });
  EXPECT_EQ(maximum.kind, PoolKind::kMax);
  EXPECT_EQ(maximum.kernel, (Extent{3, 2}));
  EXPECT_EQ(maximum.stride, (Extent{2, 1}));
  EXPECT_EQ(maximum.padding, (Extent{1, 0}));
  EXPECT_EQ(maximum.end_padding, (Extent{-1, 1}));
  EXPECT_EQ(maximum.dilation, (Extent{2, 1}));
  EXPECT_TRUE(maximum.ceil_mode);
  for (const int count : {0, 1}) {
    const Pool average = made<Pool>([&](auto& model) {
      auto& node = add_node(model, "AveragePool", {"x"}, {"y"});
      set_ints(node, "kernel_shape", {2, 2});
      if (count == 1) set_int(node, "count_include_pad", 1);
    });
    EXPECT_EQ(average.kind, PoolKind::kAverage);
    EXPECT_EQ(average.count_padding, count == 1);
  }
}

// torch and ONNX Runtime take the mean of the whole input of 8 × 8.
TEST(OnnxPool, AWindowLargerThanTheInputEndsWithIt) {
  const auto kernel_with = [](std::int64_t stride, int rounds_up) {
    return [=](auto& model) {
      auto& node = add_node(model, "AveragePool", {"x"}, {"y"});
      set_ints(node, "kernel_shape", {2560, 2560});
      set_ints(node, "strides", {stride, stride});
      set_int(node, "ceil_mode", rounds_up);
    };
  };
  EXPECT_EQ(made<Pool>(kernel_with(2560, 1)).kernel, (Extent{8, 8}));
  for (const auto& [stride, rounds_up] : {std::pair{2560, 0}, std::pair{1, 1}}) {
    auto model = model_of({{"x", {-1, 4, 8, 8}}});
    kernel_with(stride, rounds_up)(model);
    add_output(model, "y");
    EXPECT_THAT(refused(converted(model)).text(), HasSubstr("does not fit the input")) << stride;
  }
}

TEST(OnnxPool, MeansOverTheImageAreGlobal) {
  const auto none = [](auto&, auto&) {};
  EXPECT_THAT(units_with("GlobalAveragePool", none), ElementsAre("y: global average pool 4x1x1 <- x"));
  EXPECT_THAT(units_with("GlobalMaxPool", none), ElementsAre("y: global max pool 4x1x1 <- x"));
  const auto over = [](std::vector<std::int64_t> axes, bool keep) {
    return units_with("ReduceMean", [&](auto&, auto& node) {
      set_ints(node, "axes", axes);
      set_int(node, "keepdims", keep ? 1 : 0);
    });
  };
  EXPECT_THAT(over({2, 3}, true), ElementsAre("y: global average pool 4x1x1 <- x"));
  EXPECT_THAT(over({-1, -2}, false), ElementsAre("y: global average pool 4x1x1 + reshape 4 <- x"));
  EXPECT_THAT(over({1}, false), ElementsAre(HasSubstr("8x8 <- x")));
}

TEST(OnnxActivations, ReadTheirParameters) {
  const auto function = [](const std::string& op_type, auto set, std::int64_t opset = 17) {
    return made<Activate>([&](auto& model) { set(model, add_node(model, op_type, {"x"}, {"y"})); }, opset).function;
  };
  const auto defaults = [](auto&, auto&) {};
  EXPECT_EQ(function("LeakyRelu", defaults), (Activation{ActivationKind::kLeakyRelu, 0.01F, 0}));
  EXPECT_EQ(function("Elu", defaults), (Activation{ActivationKind::kElu, 1, 0}));
  EXPECT_EQ(function("HardSigmoid", defaults), (Activation{ActivationKind::kHardSigmoid, 0.2F, 0.5F}));
  EXPECT_EQ(function("Tanh", defaults), Activation::kTanh);
  const Activation relu6{ActivationKind::kClip, 0, 6};
  EXPECT_EQ(function("Clip",
                     [](auto& model, auto& node) {
                       add_floats(model, "low", {}, {0});
                       add_floats(model, "high", {}, {6});
                       node.add_input("low");
                       node.add_input("high");
                     }),
            relu6);
  EXPECT_EQ(function(
                "Clip",
                [](auto&, auto& node) {
                  set_float(node, "min", 0);
                  set_float(node, "max", 6);
                },
                10),
            relu6);
  EXPECT_EQ(function("Clip",
                     [](auto& model, auto& node) {
                       add_floats(model, "low", {}, {0});
                       node.add_input("low");
                     }),
            Activation::kRelu);
  EXPECT_EQ(function("PRelu",
                     [](auto& model, auto& node) {
                       add_floats(model, "slope", {1, 1, 1}, {0.25F});
                       node.add_input("slope");
                     }),
            (Activation{ActivationKind::kLeakyRelu, 0.25F, 0}));
}

TEST(OnnxSoftmax, FlattensBeforeOpset13) {
  const auto over = [](std::int64_t axis) { return [axis](auto&, auto& node) { set_int(node, "axis", axis); }; };
  EXPECT_THAT(units_with("Softmax", over(1)), ElementsAre("y: softmax 4x8x8 <- x"));
  EXPECT_THAT(units_with("Softmax", over(2), 11), ElementsAre(HasSubstr("y: reshape 4x64 + softmax 4x64")));
  EXPECT_EQ(made<Softmax>([&](auto& model) { add_node(model, "Softmax", {"x"}, {"y"}); }).axis, 2U);
}

TEST(OnnxLinear, TakesWeightsOutByIn) {
  const auto gemm = [](bool transposed) {
    auto model = model_of({{"x", {-1, 3, 1, 1}}});
    add_node(model, "Flatten", {"x"}, {"f"});
    if (transposed) add_floats(model, "w", {2, 3}, {1, 2, 3, 4, 5, 6});
    if (!transposed) add_floats(model, "w", {3, 2}, {1, 4, 2, 5, 3, 6});
    add_floats(model, "b", {1, 2}, {10, 20});
    auto& node = add_node(model, "Gemm", {"f", "w", "b"}, {"y"});
    set_int(node, "transB", transposed ? 1 : 0);
    set_float(node, "alpha", 2);
    set_float(node, "beta", 0.5F);
    add_output(model, "y");
    return model;
  };
  for (const bool transposed : {false, true}) {
    const auto loaded = must(converted(gemm(transposed)));
    EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear 2 <- x"));
    EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(2, 4, 6, 8, 10, 12));
    EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(5, 10));
  }
}

// The first fully connected layer of VGG-16, with weights that the model describes instead of storing them.
TEST(OnnxLinear, TakesWeightsThatAreLargeAndMadeByTheModel) {
  auto model = model_of({{"x", {-1, 25088}}});
  add_ints(model, "dims", {4096, 25088});
  add_node(model, "ConstantOfShape", {"dims"}, {"w"});
  set_int(add_result(model, "Gemm", {"x", "w"}, "y"), "transB", 1);
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear 4096 <- x"));
  EXPECT_EQ(loaded.graph.parameters()->weights(*loaded.graph.find_operator("y")).elements().size(), 102'760'448U);
}

TEST(OnnxMatMul, OfVectorsWithAConstantIsLinear) {
  auto model = model_of({{"x", {-1, 3}}});
  add_floats(model, "w", {3, 2}, {1, 4, 2, 5, 3, 6});
  add_floats(model, "b", {2}, {10, 20});
  add_node(model, "MatMul", {"x", "w"}, {"m"});
  add_result(model, "Add", {"b", "m"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear 2 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(10, 20));
}

// As in language models: nothing is counted that the file does not have.
TEST(OnnxMatMul, OfAConstantAloneHasNoBias) {
  auto model = model_of({{"x", {-1, 3}}});
  add_filled(model, "w", {3, 2});
  add_filled(model, "v", {2, 4});
  add_filled(model, "b", {4});
  add_node(model, "MatMul", {"x", "w"}, {"m"});
  add_node(model, "Gemm", {"m", "v", "b"}, {"g"});
  add_node(model, "Gemm", {"m", "v"}, {"y"});
  add_output(model, "g");
  add_output(model, "y");
  const auto loaded = must(converted(model));
  const auto parameters = [&](const char* name) {
    return work(loaded.graph, loaded.graph.find_operator(name).value(), 1).parameters;
  };
  EXPECT_EQ(parameters("m"), 6);
  EXPECT_EQ(parameters("g"), 8 + 4);
  EXPECT_EQ(parameters("y"), 8);
}

// Factors that the weights took leave no bias.
TEST(OnnxMatMul, OfScaledTokensHasNoBias) {
  auto model = model_of({{"x", {-1, 5, 3}}});
  add_floats(model, "w", {3, 2}, {1, 4, 2, 5, 3, 6});
  add_floats(model, "gamma", {2}, {3, 0.5F});
  add_node(model, "MatMul", {"x", "w"}, {"m"});
  add_result(model, "Mul", {"m", "gamma"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear 5x2 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(3, 6, 9, 2, 2.5F, 3));
  EXPECT_FALSE(loaded.graph.parameters()->has_bias(*loaded.graph.find_operator("y")));
}

TEST(OnnxMatMul, KeepsSamplesApart) {
  auto model = model_of({{"x", {-1, 5, 3}}, {"z", {-1, 3, 5}}});
  add_filled(model, "w", {3, 2});
  add_filled(model, "v", {2});
  add_node(model, "MatMul", {"x", "z"}, {"p"});
  add_node(model, "MatMul", {"p", "x"}, {"q"});
  add_node(model, "MatMul", {"q", "w"}, {"r"});
  add_result(model, "MatMul", {"r", "v"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("p: matmul 5x5 <- x, z", "q: matmul 5x3 <- p, x", "r: linear 5x2 <- q",
                                           HasSubstr("reshape 5 <- r, {2x1}")));
}

// As exporters write a layer of each token: product, bias, scale of the features, gelu.
TEST(OnnxMatMul, OfTokensWithAConstantIsLinearWithAllThatFollows) {
  auto model = model_of({{"x", {-1, 5, 3}}});
  add_floats(model, "w", {3, 2}, {1, 4, 2, 5, 3, 6});
  add_floats(model, "b", {2}, {10, 20});
  add_floats(model, "gamma", {1, 1, 2}, {3, 0.5F});
  add_floats(model, "half", {}, {0.5F});
  add_node(model, "MatMul", {"x", "w"}, {"m"});
  add_node(model, "Add", {"b", "m"}, {"a"});
  add_node(model, "Mul", {"a", "gamma"}, {"g"});
  add_node(model, "Mul", {"g", "half"}, {"h"});
  add_result(model, "Relu", {"h"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear(relu) 5x2 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(1.5F, 3, 4.5F, 1, 1.25F, 1.5F));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(15, 5));
  const auto* const layer = must(loaded.graph.op(*loaded.graph.find_operator("y")).as<Linear>());
  EXPECT_EQ(*layer, (Linear{2, Activation::kRelu, 1}));
}

TEST(OnnxMatMul, OfTokensWithAMatrixOfIntegersIsLinear) {
  auto model = model_of({{"x", {-1, 5, 3}}});
  add_ints(model, "flat", {1, 4, 2, 5, 3, 6});
  add_ints(model, "dims", {3, 2});
  add_node(model, "Reshape", {"flat", "dims"}, {"w"});
  add_result(model, "MatMul", {"x", "w"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: linear 5x2 <- x"));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(1, 2, 3, 4, 5, 6));
}

// A sum with something for each token is no bias, nor is one that makes the output larger.
TEST(OnnxMatMul, TakesNoBiasThatDiffersFromTokenToToken) {
  const auto with = [](std::initializer_list<std::int64_t> dims) {
    auto model = model_of({{"x", {-1, 1, 3}}});
    add_filled(model, "w", {3, 2});
    add_filled(model, "b", dims);
    add_node(model, "MatMul", {"x", "w"}, {"m"});
    add_result(model, "Add", {"m", "b"}, "y");
    return units_of(model);
  };
  EXPECT_THAT(with({1, 1, 2}), ElementsAre("y: linear 1x2 <- x"));
  EXPECT_THAT(with({1, 4, 2}), ElementsAre("m: linear 1x2 <- x", "y: add 4x2 <- m, {4x2}"));
  EXPECT_THAT(with({1, 4, 1}), ElementsAre("m: linear 1x2 <- x", HasSubstr("add 4x2 <- m")));
}

TEST(OnnxLinear, AddsAComputedNumber) {
  auto model = model_of({{"x", {2, 3}}, {"c", {}}});
  add_filled(model, "w", {3, 2});
  set_float(add_result(model, "Gemm", {"x", "w", "c"}, "y"), "beta", 0.5F);
  EXPECT_THAT(units_of(model), ElementsAre(HasSubstr("y: linear 2x2 + mul scalar + add 2x2 <- x, c")));
}

// Where the batch is an axis like others.
TEST(OnnxLinear, OfMatricesThatAreNoSamples) {
  auto model = model_of({{"x", {2, 3, 4}}});
  add_ints(model, "rows", {6, 4});
  add_filled(model, "w", {5, 4});
  add_filled(model, "b", {5});
  add_filled(model, "all", {6, 5});
  add_node(model, "Reshape", {"x", "rows"}, {"r"});
  set_int(add_node(model, "Gemm", {"r", "w", "b"}, {"g"}), "transB", 1);
  set_int(add_node(model, "Gemm", {"r", "w", "all"}, {"h"}), "transB", 1);
  add_result(model, "Mul", {"g", "h"}, "y");
  EXPECT_THAT(units_of(model),
              ElementsAre("r: reshape 6x4 <- x", "g: linear 6x5 <- r", HasSubstr("add 6x5 <- "), "y: mul 6x5 <- g, h"));
}

TEST(OnnxSlices, OfChannelsAreNoOperators) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  for (const auto& [name, value] : {std::pair("one", 1), std::pair("three", 3), std::pair("axis", 1)}) {
    add_ints(model, name, {value});
  }
  *model.mutable_graph()->add_initializer() = int_tensor("last", {}, {-1});
  add_node(model, "Slice", {"x", "one", "three", "axis"}, {"s"});
  add_node(model, "Relu", {"s"}, {"a"});
  set_int(add_node(model, "Gather", {"x", "last"}, {"g"}), "axis", 1);
  add_node(model, "Unsqueeze", {"g", "axis"}, {"u"});
  set_int(add_result(model, "Concat", {"a", "u"}, "y"), "axis", 1);
  EXPECT_THAT(units_of(model), ElementsAre("a: relu 2x8x8 <- x[1:3]", "y: concat 3x8x8 <- a, x[3:4]"));
}

TEST(OnnxSlices, ClampTheirBounds) {
  const Slice slice = made<Slice>([](auto& model) {
    auto& node = add_node(model, "Slice", {"x"}, {"y"});
    reads_ints(model, node, {0, -3, 100, 1});
    reads_ints(model, node, {kMaxInt, kMaxInt, -kMaxInt, 6});
    reads_ints(model, node, {0, -1, 2, 1});
    reads_ints(model, node, {1, 1, -3, 1});
  });
  EXPECT_THAT(slice.begins, ElementsAre(1, 7, 5));
  EXPECT_THAT(slice.steps, ElementsAre(1, -3, 1));
  EXPECT_EQ(slice.shape, (Shape{3, 3, 3}));
}

TEST(OnnxSplit, SharesTheRestOut) {
  auto model = model_of({{"x", {-1, 5, 8, 8}}}, 18);
  auto& node = add_node(model, "Split", {"x"}, {"a", "b"});
  set_int(node, "axis", -3);
  set_int(node, "num_outputs", 2);
  add_node(model, "Relu", {"a"}, {"c"});
  add_node(model, "Relu", {"b"}, {"d"});
  add_output(model, "c");
  add_output(model, "d");
  EXPECT_THAT(units_of(model), ElementsAre("c: relu 3x8x8 <- x[0:3]", "d: relu 2x8x8 <- x[3:5]"));
}

TEST(OnnxPad, ReadsAxesAndMode) {
  const Pad pad = made<Pad>(
      [](auto& model) {
        auto& node = add_node(model, "Pad", {"x"}, {"y"});
        set_text(node, "mode", "edge");
        reads_ints(model, node, {1, 2, 3, -1});
        node.add_input("");
        reads_ints(model, node, {-1, 1});
      },
      18);
  EXPECT_EQ(pad.mode, PadMode::kEdge);
  EXPECT_THAT(pad.begins, ElementsAre(2, 0, 1));
  EXPECT_THAT(pad.ends, ElementsAre(-1, 0, 3));
}

TEST(OnnxResize, ReadsScalesAndSizes) {
  const Resize scaled = made<Resize>([](auto& model) {
    add_floats(model, "s", {4}, {1, 1, 2, 1.3F});
    auto& node = add_node(model, "Resize", {"x", "", "s"}, {"y"});
    set_text(node, "coordinate_transformation_mode", "asymmetric");
    set_text(node, "nearest_mode", "ceil");
  });
  EXPECT_EQ(scaled.shape, (Shape{4, 16, 10}));
  EXPECT_THAT(scaled.scales, ElementsAre(1, 2, 1.3F));
  EXPECT_EQ(scaled.coordinates, ResizeCoordinates::kAsymmetric);
  EXPECT_EQ(scaled.rounding, ResizeRounding::kCeil);
  const Resize sized = made<Resize>(
      [](auto& model) {
        auto& node = add_node(model, "Resize", {"x", "", ""}, {"y"});
        reads_ints(model, node, {6, 4});
        set_ints(node, "axes", {-1, 2});
        set_text(node, "mode", "linear");
      },
      18);
  EXPECT_EQ(sized.shape, (Shape{4, 4, 6}));
  EXPECT_THAT(sized.scales, ElementsAre(1, 0.5F, 0.75F));
  EXPECT_EQ(sized.mode, ResizeMode::kLinear);
  EXPECT_EQ(sized.coordinates, ResizeCoordinates::kHalfPixel);
  const Resize upsampled = made<Resize>(
      [](auto& model) {
        add_floats(model, "s", {4}, {1, 1, 2, 2});
        add_node(model, "Upsample", {"x", "s"}, {"y"});
      },
      9);
  EXPECT_EQ(upsampled.coordinates, ResizeCoordinates::kAsymmetric);
  EXPECT_EQ(upsampled.rounding, ResizeRounding::kFloor);
}

// Rows of the matrices add up to one, whatever is interpolated how.
TEST(OnnxResize, OtherInterpolationsAreMatrices) {
  const auto with = [](auto set, std::vector<std::int64_t> sizes) {
    auto model = model_of({{"x", {-1, 4, 8, 6}}}, 18);
    auto& node = add_node(model, "Resize", {"x", "region", ""}, {"y"});
    add_floats(model, "region", {4}, {0.5F, 0, 1.5F, 1});
    set_ints(node, "axes", {2, 3});
    reads_ints(model, node, std::move(sizes));
    set(node);
    add_output(model, "y");
    return must(converted(model));
  };
  const auto numbers = [](const LoadedOnnx& loaded, const std::string& name) {
    const auto values = loaded.graph.parameters()->weights(*loaded.graph.find_operator(name)).elements();
    return std::vector<float>(values.begin(), values.end());
  };
  const auto cubic = with([](auto& node) { set_text(node, "mode", "cubic"); }, {16, 3});
  EXPECT_TRUE(cubic.batched);
  EXPECT_THAT(units_of(cubic.graph), ElementsAre("y: matmul 4x8x3 + matmul 4x16x3 <- x, {6x3}, {16x8}"));
  // Halfway between two elements, and beyond the first, which counts for those before it.
  EXPECT_FLOAT_EQ(numbers(cubic, "y/matrix")[0 * 3 + 0], 0.5F);
  const auto shrunk = with(
      [](auto& node) {
        set_text(node, "mode", "linear");
        set_int(node, "antialias", 1);
      },
      {8, 2});
  EXPECT_THAT(numbers(shrunk, "y/matrix").front(), FloatNear(1.0F / 3, 1e-6F));
  const auto cropped = with(
      [](auto& node) {
        set_text(node, "coordinate_transformation_mode", "tf_crop_and_resize");
        set_float(node, "extrapolation_value", 7);
      },
      {3, 6});
  // Elements 3.5, 7 and 10.5 of 8 rows.
  EXPECT_THAT(units_of(cropped.graph), Contains(HasSubstr("where 4x3x6")));
  EXPECT_THAT(numbers(cropped, "y/inside"), ElementsAre(1, 1, 0));
}

TEST(OnnxScatter, GathersFromBothSideBySide) {
  const auto with = [](const std::string& type, std::vector<std::int64_t> dims, std::vector<std::int64_t> places,
                       std::vector<std::int64_t> updates, const std::string& reduction) {
    auto model = model_of({{"x", {3, 4}}, {"u", std::move(updates)}}, 18);
    auto& indices = *model.mutable_graph()->add_initializer();
    indices = int_tensor("places", std::move(dims), places);
    auto& node = add_node(model, type, {"x", "places", "u"}, {"y"});
    if (!reduction.empty()) set_text(node, "reduction", reduction);
    add_output(model, "y");
    return converted(model);
  };
  const auto reads = [](const Result<LoadedOnnx>& loaded, const std::string& name) {
    EXPECT_TRUE(loaded) << loaded.error().text();
    return weights_of(loaded->graph, name);
  };
  const auto rows = with("ScatterND", {2, 1}, {2, 0}, {2, 4}, "");
  EXPECT_THAT(reads(rows, "y/places"), ElementsAre(16, 17, 18, 19, 4, 5, 6, 7, 12, 13, 14, 15));
  EXPECT_THAT(units_of(rows->graph), Not(Contains(HasSubstr("not executable"))));
  const auto elements = with("ScatterElements", {1, 2}, {2, -2}, {1, 2}, "");
  EXPECT_THAT(reads(elements, "y/places"), ElementsAre(0, 1, 2, 3, 4, 13, 6, 7, 12, 9, 10, 11));
  const auto added = must(with("ScatterND", {1, 2}, {1, 1}, {1}, "add"));
  EXPECT_THAT(testing::PrintToString(units_of(added.graph)), HasSubstr("add 12"));
  const auto twice = must(with("ScatterND", {2, 2}, {1, 1, 1, 1}, {2}, "add"));
  // Several at one place are compared with every place, and then combined.
  EXPECT_THAT(testing::PrintToString(units_of(twice.graph)), Not(HasSubstr("not executable")));
  EXPECT_THAT(testing::PrintToString(units_of(twice.graph)), HasSubstr("reduce sum 1x12x1"));
  EXPECT_THAT(refused(with("ScatterND", {1, 1}, {3}, {1, 4}, "")).text(),
              HasSubstr("names element 3 of an axis with 3 elements"));
}

TEST(OnnxLayout, ReshapesThatCancelVanish) {
  auto model = model_of({{"x", {-1, 4, 8, 8}}});
  add_ints(model, "axes", {2, 5});
  add_node(model, "Unsqueeze", {"x", "axes"}, {"u"});
  add_node(model, "Squeeze", {"u", "axes"}, {"s"});
  add_node(model, "Dropout", {"s"}, {"d"});
  set_int(add_node(model, "Cast", {"d"}, {"c"}), "to", onnx::TensorProto::FLOAT);
  add_result(model, "Relu", {"c"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: relu 4x8x8 <- x"));
}

}  // namespace
}  // namespace iosx::onnx_import
