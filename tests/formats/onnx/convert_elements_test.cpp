#include "core/formats/onnx/element_functions.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

// Operators that are one function of our graphs, and what is made of others.
namespace iosx::onnx_import {
namespace {

using namespace test;

onnx::ModelProto integer_model(const std::vector<std::int64_t>& dims) {
  auto model = model_of({{"x", dims}});
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  return model;
}

TEST(OnnxElements, EveryFunctionOfOneIsItsRow) {
  for (const ElementFunction& row : element_functions()) {
    auto model = model_of({{"x", {-1, 4}}});
    add_node(model, std::string(row.op_type), {"x"}, {"y"});
    add_output(model, "y");
    EXPECT_THAT(units_of(model), ElementsAre(fmt::format("y: {} 4 <- x", activation_row(row.kind).name)));
  }
}

TEST(OnnxElements, EveryFunctionOfTwoIsItsRow) {
  for (const BinaryOperator& row : binary_operators()) {
    auto model = model_of({{"a", {-1, 4}}, {"b", {-1, 4}}});
    add_node(model, std::string(row.op_type), {"a", "b"}, {"y"});
    add_output(model, "y");
    EXPECT_THAT(units_of(model), ElementsAre(fmt::format("y: {} 4 <- a, b", binary_row(row.function).name)));
  }
}

TEST(OnnxElements, EveryReductionIsItsRow) {
  for (const ReduceOperator& row : reduce_operators()) {
    auto model = model_of({{"x", {-1, 5, 4}}}, 17);
    auto& node = add_node(model, std::string(row.op_type), {"x"}, {"y"});
    if (row.op_type == "ReduceSum") {
      reads_ints(model, node, {-1});
    } else {
      set_ints(node, "axes", {-1});
    }
    set_int(node, "keepdims", 0);
    add_output(model, "y");
    const auto lines = units_of(model);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), HasSubstr(": ")) << row.op_type;
    EXPECT_THAT(lines, SizeIs(1)) << row.op_type;
  }
}

TEST(OnnxElements, UsualPowersAreProducts) {
  const auto raised = [](float exponent) {
    auto model = model_of({{"x", {-1, 4}}});
    add_floats(model, "e", {}, {exponent});
    add_result(model, "Pow", {"x", "e"}, "y");
    return units_of(model);
  };
  EXPECT_THAT(raised(2), ElementsAre("y: mul 4 <- x, x"));
  EXPECT_THAT(raised(3), ElementsAre("y: mul 4 <- x, x, x"));
  EXPECT_THAT(raised(0.5F), ElementsAre("y: sqrt 4 <- x"));
  EXPECT_THAT(raised(-1), ElementsAre("y: reciprocal 4 <- x"));
  EXPECT_THAT(raised(1.7F), ElementsAre("y: pow 4 <- x, {scalar}"));
}

TEST(OnnxElements, IntegersAreCutWhereTheyAreDivided) {
  auto model = integer_model({-1, 4});
  add_ints(model, "three", {3});
  add_result(model, "Div", {"x", "three"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: div 4 + truncate 4 <- x, {1}"));
}

TEST(OnnxElements, CastsChangeWhatATypeCannotHold) {
  const auto cast = [](onnx::TensorProto::DataType from, onnx::TensorProto::DataType to) {
    auto model = model_of({{"x", {-1, 4}}});
    model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(from);
    set_int(add_node(model, "Cast", {"x"}, {"c"}), "to", to);
    add_result(model, "Neg", {"c"}, "y");
    return units_of(model);
  };
  EXPECT_THAT(cast(onnx::TensorProto::INT64, onnx::TensorProto::FLOAT), ElementsAre("y: neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT16, onnx::TensorProto::FLOAT), ElementsAre("y: neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::INT8, onnx::TensorProto::FLOAT16), ElementsAre("y: neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT, onnx::TensorProto::FLOAT16), ElementsAre("y: float16 4 + neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT16, onnx::TensorProto::BFLOAT16), ElementsAre("y: bfloat16 4 + neg 4 <- x"));
  EXPECT_THAT(cast(onnx::TensorProto::FLOAT, onnx::TensorProto::INT32), ElementsAre("y: truncate 4 + neg 4 <- x"));
}

// Token ids: the table is the same for all samples.
TEST(OnnxElements, EmbeddingsAreGathers) {
  auto model = integer_model({-1, 6});
  add_filled(model, "table", {10, 3});
  add_result(model, "Gather", {"table", "x"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gather 6x3 <- {10x3}, x"));
}

TEST(OnnxElements, GatherOfOtherPlacesIsAGather) {
  auto model = model_of({{"x", {-1, 6, 3}}});
  reads_ints(model, add_node(model, "Gather", {"x"}, {"y"}), {0, 1, 5});
  set_int(*model.mutable_graph()->mutable_node(0), "axis", 1);
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: gather 3x3 <- x, {3}"));
}

TEST(OnnxElements, ExpandAndTileRepeat) {
  auto model = model_of({{"x", {1, 1, 3}}});
  reads_ints(model, add_node(model, "Expand", {"x"}, {"e"}), {1, 4, 3});
  auto& tile = add_node(model, "Tile", {"e"}, {"y"});
  add_ints(model, "repeats", {1, 2, 1});
  tile.add_input("repeats");
  add_output(model, "y");
  const auto lines = units_of(model);
  EXPECT_THAT(lines.front(), HasSubstr("expand 4x3"));
  EXPECT_THAT(lines.back(), HasSubstr("reshape 8x3"));
}

// Zeros in the shape of something computed have the batch, and keep samples apart all the same.
TEST(OnnxElements, ConstantsAlikeForAllSamplesAreOfOne) {
  auto model = model_of({{"x", {3, 4}}});
  add_node(model, "Shape", {"x"}, {"dims"});
  add_node(model, "ConstantOfShape", {"dims"}, {"zeros"});
  add_node(model, "Greater", {"x", "zeros"}, {"more"});
  add_result(model, "Where", {"more", "x", "zeros"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_TRUE(loaded.batched);
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("more: greater 4 <- x, {4}", "y: where 4 <- more, x, {4}"));
}

TEST(OnnxNorms, LayerNormalisationTakesItsWeights) {
  auto model = model_of({{"x", {-1, 5, 4}}});
  add_floats(model, "s", {4}, {1, 2, 3, 4});
  add_floats(model, "b", {4}, {5, 6, 7, 8});
  set_float(add_result(model, "LayerNormalization", {"x", "s", "b"}, "y"), "epsilon", 0.25F);
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: layer norm 5x4 <- x"));
  EXPECT_EQ(*loaded.graph.op(*loaded.graph.find_operator("y")).as<Normalize>(), (Normalize{1, 0.25F, true, true}));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bias_of(loaded.graph, "y"), ElementsAre(5, 6, 7, 8));
}

// A bias that stands beside a normalisation without one becomes its own.
TEST(OnnxNorms, LayerNormalisationTakesABiasThatFollows) {
  for (const bool biased : {false, true}) {
    auto model = model_of({{"x", {-1, 5, 2}}});
    add_floats(model, "scale", {2}, {3, 0.5F});
    add_floats(model, "bias", {2}, {7, 8});
    add_node(model, "LayerNormalization", {"x", "scale"}, {"n"});
    add_node(model, "Add", {"n", "bias"}, {"a"});
    add_output(model, biased ? "a" : "n");
    const auto loaded = must(converted(model));
    ASSERT_EQ(loaded.graph.units().size(), 1U);
    const OperatorId norm = *loaded.graph.find_operator(biased ? "a" : "n");
    EXPECT_EQ(loaded.graph.parameters()->has_bias(norm), biased);
    EXPECT_EQ(loaded.graph.parameters()->bias(norm).elements().back(), biased ? 8 : 0);
  }
}

TEST(OnnxNorms, InstanceNormalisationIsOfEachChannel) {
  auto model = model_of({{"x", {-1, 2, 3, 5}}});
  add_floats(model, "s", {2}, {1, 2});
  add_floats(model, "b", {2}, {3, 4});
  add_result(model, "InstanceNormalization", {"x", "s", "b"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: layer norm 2x3x5 + batch norm 2x3x5 <- x"));
}

TEST(OnnxNorms, GroupsMustDivideChannels) {
  auto model = model_of({{"x", {-1, 4, 3, 5}}});
  add_filled(model, "s", {4});
  set_int(add_result(model, "GroupNormalization", {"x", "s", "s"}, "y"), "num_groups", 3);
  EXPECT_THAT(refusal_of(model), HasSubstr("3 groups do not divide 4 channels"));
}

// Recurrent layers, the largest elements, sampling, and quantised operators as they are read.

// An LSTM over 5 positions of 2 sequences with 3 features and 4 hidden units.
onnx::ModelProto lstm(const std::string& direction, std::int64_t layout, const std::vector<std::string>& more = {}) {
  auto model =
      model_of({{"x", layout == 0 ? std::vector<std::int64_t>{5, 2, 3} : std::vector<std::int64_t>{-1, 5, 3}}});
  const std::int64_t directions = direction == "bidirectional" ? 2 : 1;
  add_filled(model, "w", {directions, 16, 3}, 2);
  add_filled(model, "r", {directions, 16, 4}, 3);
  add_filled(model, "b", {directions, 32}, 4);
  add_filled(model, "zeros", {directions, 2, 4}, 0);
  add_filled(model, "ones", {directions, 2, 4}, 1);
  std::vector<std::string> inputs{"x", "w", "r", "b"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  auto& node = add_node(model, "LSTM", inputs, {"y", "h", "c"});
  set_int(node, "hidden_size", 4);
  set_text(node, "direction", direction);
  if (layout != 0) set_int(node, "layout", layout);
  return model;
}

TEST(OnnxRecurrent, IsReadWithItsWeightsSideBySide) {
  auto model = lstm("forward", 0);
  add_output(model, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: lstm 5x1x2x4 <- x"));
  const auto weights = weights_of(loaded.graph, "y");
  ASSERT_THAT(weights, SizeIs(16 * 7));
  EXPECT_THAT(std::vector<float>(weights.begin(), weights.begin() + 7), ElementsAre(2, 2, 2, 3, 3, 3, 3));
  EXPECT_THAT(bias_of(loaded.graph, "y"), SizeIs(32));
}

TEST(OnnxRecurrent, LastStatesAreWhereEachDirectionEnds) {
  auto forwards = lstm("forward", 0);
  add_output(forwards, "h");
  const auto loaded = must(converted(forwards));
  const Value end = loaded.graph.op(*loaded.graph.find_operator("h")).inputs.front();
  EXPECT_EQ(end.begin, 4);
  EXPECT_EQ(end.end, 5);
  auto both = lstm("bidirectional", 0);
  add_output(both, "h");
  const auto of_both = must(converted(both));
  EXPECT_THAT(units_of(of_both.graph), ElementsAre(HasSubstr("concat 2x2x4")));
  std::vector<std::int64_t> positions;
  for (const Operator& op : of_both.graph.operators()) {
    for (const Value& value : op.inputs) {
      if (value.channels() == 1) positions.push_back(value.begin);
    }
  }
  EXPECT_THAT(positions, IsSupersetOf({4, 0}));
}

// One operator for all of them: the cell state follows the positions.
TEST(OnnxRecurrent, LastCellStateIsOnePositionMore) {
  auto model = lstm("forward", 0);
  for (const char* output : {"y", "h", "c"}) add_output(model, output);
  EXPECT_THAT(units_of(model), ElementsAre("c: lstm 6x1x2x4 + identity 5x1x2x4 + reshape 1x2x4 + reshape 1x2x4 <- x"));
  auto both = lstm("bidirectional", 0);
  add_output(both, "c");
  EXPECT_THAT(units_of(both).back(), HasSubstr("c: lstm 6x2x2x4 + reshape 2x2x4 <- "));
  auto batched = lstm("forward", 1);
  add_output(batched, "c");
  const auto loaded = must(converted(batched));
  EXPECT_TRUE(loaded.batched);
  EXPECT_THAT(units_of(loaded.graph).back(), HasSubstr("lstm 6x1x1x4 + reshape 1x4 <- x"));
}

TEST(OnnxRecurrent, StatesOfZerosAreNone) {
  auto zeros = lstm("forward", 0, {"", "zeros", "zeros"});
  add_output(zeros, "y");
  EXPECT_THAT(units_of(zeros), ElementsAre("y: lstm 5x1x2x4 <- x"));
  auto one = lstm("forward", 0, {"", "ones"});
  add_output(one, "y");
  EXPECT_THAT(units_of(one), ElementsAre("y: lstm 5x1x2x4 <- x, {1x2x4}, {1x2x4}"));
}

TEST(OnnxRecurrent, RunsInBatchesWhereTheBatchLeads) {
  auto model = lstm("forward", 1);
  add_output(model, "y");
  const auto loaded = must(converted(model));
  EXPECT_TRUE(loaded.batched);
  EXPECT_THAT(units_of(loaded.graph), Contains(HasSubstr("lstm 5x1x1x4 + reshape 5x1x4")));
}

// Weights are transposed, with a scale for each direction or for each row.
TEST(OnnxRecurrent, QuantisedWeightsAreReadAsNumbers) {
  for (const bool by_rows : {false, true}) {
    auto model = model_of({{"x", {5, 2, 3}}});
    auto& graph = *model.mutable_graph();
    std::vector<std::int8_t> of_input;
    for (int i = 0; i < 3 * 16; ++i) of_input.push_back(static_cast<std::int8_t>(i));
    *graph.add_initializer() = raw_tensor("w", {1, 3, 16}, onnx::TensorProto::INT8, of_input);
    *graph.add_initializer() =
        raw_tensor("r", {1, 4, 16}, onnx::TensorProto::INT8, std::vector<std::int8_t>(4 * 16, 9));
    const std::vector<std::int64_t> dims = by_rows ? std::vector<std::int64_t>{1, 16} : std::vector<std::int64_t>{1};
    const std::size_t scales = by_rows ? 16 : 1;
    add_filled(model, "scale", dims, 0.5F);
    *graph.add_initializer() = raw_tensor("zero", dims, onnx::TensorProto::INT8, std::vector<std::int8_t>(scales, 1));
    auto& node = add_node(model, "DynamicQuantizeLSTM",
                          {"x", "w", "r", "", "", "", "", "", "scale", "zero", "scale", "zero"}, {"y", "h", "c"});
    node.set_domain("com.microsoft");
    set_int(node, "hidden_size", 4);
    add_output(model, "y");
    add_output(model, "c");
    const auto loaded = must(converted(model));
    EXPECT_THAT(loaded.warnings, Contains("1 quantised operator is computed in float32."));
    EXPECT_THAT(units_of(loaded.graph), Contains(HasSubstr("lstm 6x1x2x4")));
    const auto weights = weights_of(loaded.graph, "y_1");
    ASSERT_THAT(weights, SizeIs(16 * 7));
    // Row 1: column 1 of each of the 3 rows.
    EXPECT_THAT(std::vector<float>(weights.begin() + 7, weights.begin() + 14), ElementsAre(0, 8, 16, 4, 4, 4, 4));
  }
}

TEST(OnnxRecurrent, SaysWhatItCannotDo) {
  auto strange = lstm("forward", 0);
  auto& activations = *strange.mutable_graph()->mutable_node(0)->add_attribute();
  activations.set_name("activations");
  activations.set_type(onnx::AttributeProto::STRINGS);
  for (const char* name : {"Sigmoid", "Relu", "Tanh"}) activations.add_strings(name);
  add_output(strange, "y");
  EXPECT_THAT(units_of(strange), Each(HasSubstr("not executable")));
  auto wrong = lstm("forward", 0);
  wrong.mutable_graph()->mutable_initializer(1)->set_dims(2, 5);
  EXPECT_THAT(refusal_of(wrong), Not("converted"));
  auto sideways = lstm("sideways", 0);
  add_output(sideways, "y");
  EXPECT_THAT(refusal_of(sideways), HasSubstr("'sideways'"));
}

TEST(OnnxTopK, HasAnOperatorForEachOutputThatIsReadInOneUnit) {
  auto model = model_of({{"x", {-1, 8, 10}}});
  add_ints(model, "k", {3});
  add_node(model, "TopK", {"x", "k"}, {"values", "places"});
  add_output(model, "values");
  EXPECT_THAT(units_of(model), ElementsAre("values: top k 8x3 <- x"));
  add_output(model, "places");
  EXPECT_THAT(units_of(model), ElementsAre("places: top k 8x3 + top k 8x3 <- x, x"));
}

TEST(OnnxGridSample, ReadsItsWordsOfBothOpsets) {
  const auto with = [](const std::string& mode, std::int64_t opset) {
    auto model = model_of({{"x", {-1, 4, 8, 8}}, {"grid", {-1, 5, 6, 2}}}, opset);
    auto& node = add_node(model, "GridSample", {"x", "grid"}, {"y"});
    if (!mode.empty()) set_text(node, "mode", mode);
    set_text(node, "padding_mode", "reflection");
    add_output(model, "y");
    const auto loaded = must(converted(model));
    return *loaded.graph.op(*loaded.graph.find_operator("y")).as<GridSample>();
  };
  EXPECT_EQ(with("", 16), (GridSample{GridMode::kLinear, GridPadding::kReflection, false}));
  EXPECT_EQ(with("bicubic", 16).mode, GridMode::kCubic);
  EXPECT_EQ(with("cubic", 20).mode, GridMode::kCubic);
  EXPECT_EQ(with("nearest", 20).mode, GridMode::kNearest);
}

onnx::TensorProto byte_tensor(const std::string& name, std::vector<std::int64_t> dims,
                              const std::vector<std::int8_t>& values) {
  return raw_tensor(name, std::move(dims), onnx::TensorProto::INT8, values);
}

// x -> quantised and back -> conv with quantised weights -> y
TEST(OnnxQuantised, WeightsFoldAndActivationsAreRoundedInFloat) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_floats(model, "scale", {}, {0.5F});
  *model.mutable_graph()->add_initializer() = byte_tensor("zero", {}, {3});
  *model.mutable_graph()->add_initializer() = byte_tensor("w8", {2, 2, 1, 1}, {1, 2, 3, 4});
  add_floats(model, "wscale", {2}, {0.5F, 2});
  *model.mutable_graph()->add_initializer() = byte_tensor("wzero", {2}, {0, 1});
  add_node(model, "QuantizeLinear", {"x", "scale", "zero"}, {"q"});
  add_node(model, "DequantizeLinear", {"q", "scale", "zero"}, {"d"});
  set_int(add_node(model, "DequantizeLinear", {"w8", "wscale", "wzero"}, {"w"}), "axis", 0);
  add_result(model, "Conv", {"d", "w"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_THAT(loaded.warnings, Contains("2 quantised operators are computed in float32."));
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(0.5F, 1, 4, 6));
  EXPECT_THAT(units_of(loaded.graph), Not(Contains(HasSubstr("not executable"))));
}

TEST(OnnxQuantised, ScalesThatDoNotFitAreBad) {
  auto model = model_of({{"x", {-1, 2, 4, 4}}});
  add_floats(model, "scale", {3}, {1, 2, 3});
  add_result(model, "DequantizeLinear", {"x", "scale"}, "y");
  EXPECT_THAT(refusal_of(model), Not("converted"));
}

// What ONNX Runtime's optimiser writes in the place of several operators.
TEST(OnnxContrib, IsReadAsWhatItStandsFor) {
  const auto with = [](const std::string& type, const std::vector<std::string>& inputs) {
    auto model = model_of({{"x", {-1, 5, 8}}, {"skip", {-1, 5, 8}}});
    add_filled(model, "ones", {8}, 1);
    add_node(model, type, inputs, {"y"}).set_domain("com.microsoft");
    add_output(model, "y");
    return testing::PrintToString(units_of(model));
  };
  EXPECT_THAT(with("SkipLayerNormalization", {"x", "skip", "ones", "ones"}), HasSubstr("layer norm 5x8"));
  EXPECT_THAT(with("SkipSimplifiedLayerNormalization", {"x", "skip", "ones"}), HasSubstr("rms norm 5x8"));
  EXPECT_THAT(with("BiasGelu", {"x", "ones"}), HasSubstr("gelu 5x8"));
  EXPECT_THAT(with("QuickGelu", {"x"}), HasSubstr("mul 5x8"));
  EXPECT_THAT(with("FusedMatMul", {"x", "skip"}), HasSubstr("rows of 5x8"));  // which does not fit, untransposed
  EXPECT_THAT(with("Strange", {"x"}), HasSubstr("not executable"));
}

// Behind the output are its mean and its variance, which nothing reads, and then what was normalised. The epsilon is
// not that of ONNX's own normalisations.
TEST(OnnxContrib, ANormalisationYieldsItsSumAsTheFourthOutput) {
  for (const std::string type : {"SkipLayerNormalization", "SkipSimplifiedLayerNormalization"}) {
    auto model = model_of({{"x", {-1, 5, 8}}, {"skip", {-1, 5, 8}}});
    add_filled(model, "ones", {8}, 1);
    add_node(model, type, {"x", "skip", "ones"}, {"y", "", "", "sum"}).set_domain("com.microsoft");
    add_output(model, "y");
    add_output(model, "sum");
    EXPECT_THAT(units_of(model), Contains(HasSubstr("norm 5x8"))) << type;
    const auto loaded = must(converted(model));
    std::vector<std::string> outputs;
    for (const OperatorId output : loaded.graph.outputs()) outputs.push_back(loaded.graph.output_name(output));
    EXPECT_THAT(outputs, UnorderedElementsAre("y", "sum")) << type;
    EXPECT_TRUE(std::ranges::any_of(loaded.graph.operators(), [](const Operator& op) {
      const auto* const norm = std::get_if<Normalize>(&op.attributes);
      return norm != nullptr && norm->epsilon == 1e-12F;
    })) << type;
  }
}

TEST(OnnxQuantised, RangesThatAreComputedAreTakenOverAllNumbers) {
  auto model = model_of({{"x", {2, 3}}});
  add_node(model, "DynamicQuantizeLinear", {"x"}, {"q", "scale", "zero"});
  add_result(model, "DequantizeLinear", {"q", "scale", "zero"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_FALSE(loaded.batched);
  EXPECT_THAT(units_of(loaded.graph), Not(Contains(HasSubstr("not executable"))));
  EXPECT_THAT(units_of(loaded.graph), Contains(HasSubstr("reduce max")));
}

}  // namespace

}  // namespace iosx::onnx_import
