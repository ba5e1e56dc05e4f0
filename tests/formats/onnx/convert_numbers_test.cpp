#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

// What the operators of a model compute, where that hangs on a detail of ONNX's text. The expected numbers are those of
// ONNX Runtime without optimisation.
namespace iosx::onnx_import::test {
namespace {

struct Computed {
  std::string shape;
  std::vector<float> numbers;
};

// Returns the first output on 1, 2, 3, … in every input.
Computed computed(const onnx::ModelProto& model, float first = 1) {
  const auto loaded = must(converted(model));
  const Graph& graph = loaded.graph;
  const bool opaque = std::ranges::any_of(graph.operators(), [](const Operator& op) { return op.as<Opaque>(); });
  EXPECT_FALSE(opaque) << testing::PrintToString(loaded.warnings);
  std::vector<Tensor> inputs;
  for (const OperatorId id : graph.inputs()) {
    std::vector<std::int64_t> dims{loaded.batch};
    dims.insert(dims.end(), graph.op(id).output.dims().begin(), graph.op(id).output.dims().end());
    std::vector<float> numbers(static_cast<std::size_t>(loaded.batch * graph.op(id).output.elements()));
    std::iota(numbers.begin(), numbers.end(), first);
    inputs.emplace_back(std::move(dims), std::move(numbers));
  }
  if (opaque) return {};
  const auto outputs = iosx::test::reference_outputs(graph, inputs, loaded.batch);
  const auto elements = outputs.front().elements();
  return {sizes_text(loaded.file.outputs.front().shape()), {elements.begin(), elements.end()}};
}

onnx::ModelProto sliced(const std::vector<std::int64_t>& size, std::int64_t from, std::int64_t to, std::int64_t step) {
  auto model = model_of({{"x", size}});
  add_ints(model, "from", {from});
  add_ints(model, "to", {to});
  add_ints(model, "axes", {1});
  add_ints(model, "steps", {step});
  add_result(model, "Slice", {"x", "from", "to", "axes", "steps"}, "y");
  return model;
}

// The mean of the last axes of a map is a global pool, but not that of integers, which is truncated.
TEST(OnnxNumbers, OfTheMeanOfIntegers) {
  for (const std::int64_t axis : {1, 2}) {
    auto model = model_of({{"x", {1, 2, 2, 2}}});
    model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::INT64);
    auto& mean = add_node(model, "ReduceMean", {"x"}, {"mean"});
    set_ints(mean, "axes", {axis, 3});
    set_int(mean, "keepdims", 0);
    set_int(add_result(model, "Cast", {"mean"}, "y"), "to", onnx::TensorProto::FLOAT);
    EXPECT_THAT(computed(model).numbers, axis == 1 ? ElementsAre(3, 5) : ElementsAre(2, 6)) << axis;
    // 41 times the float32 next to 1 / 41 is less than 1, so a device must not multiply.
    const Graph graph = must(converted(model)).graph;
    for (const Operator& op : graph.operators()) {
      const Reduce* const reduce = op.as<Reduce>();
      EXPECT_FALSE(op.as<Pool>() || (reduce && reduce->kind == ReduceKind::kMean)) << op.name;
    }
  }
}

// Going down, a slice begins at an element however far before the first its start is.
TEST(OnnxNumbers, OfASliceThatBeginsBeforeTheFirstElement) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  const Computed down = computed(sliced({1, 2, 3}, -3, kLowest, -2));
  EXPECT_EQ(down.shape, "1x1x3");
  EXPECT_THAT(down.numbers, ElementsAre(1, 2, 3));
  EXPECT_THAT(computed(sliced({1, 4}, -100, kLowest, -1)).numbers, ElementsAre(1));
  EXPECT_THAT(computed(sliced({1, 4}, 100, -100, -3)).numbers, ElementsAre(4, 1));
  EXPECT_THAT(computed(sliced({1, 4}, -3, -5, -1)).numbers, ElementsAre(2, 1));
  EXPECT_THAT(computed(sliced({1, 4}, -100, 2, 1)).numbers, ElementsAre(1, 2));
}

// As PyTorch writes a roll by 0.
TEST(OnnxNumbers, OfAnEmptySliceThatIsJoined) {
  auto model = model_of({{"x", {1, 4}}});
  for (const auto& [name, value] : {std::pair{"zero", 0}, {"four", 4}, {"axis", 1}}) add_ints(model, name, {value});
  add_node(model, "Slice", {"x", "zero", "zero", "axis"}, {"nothing"});
  add_node(model, "Slice", {"x", "zero", "four", "axis"}, {"all"});
  set_int(add_result(model, "Concat", {"nothing", "all"}, "y"), "axis", 1);
  EXPECT_THAT(computed(model).numbers, ElementsAre(1, 2, 3, 4));
}

TEST(OnnxNumbers, OfPoolsWithThreeAxes) {
  const auto with = [](const std::string& op_type) {
    auto model = model_of({{"x", {1, 1, 2, 2, 3}}});
    set_ints(add_result(model, op_type, {"x"}, "y"), "kernel_shape", {2, 2, 2});
    return computed(model);
  };
  EXPECT_EQ(with("MaxPool").shape, "1x1x1x1x2");
  EXPECT_THAT(with("MaxPool").numbers, ElementsAre(11, 12));
  EXPECT_THAT(with("AveragePool").numbers, Pointwise(FloatNear(1e-5F), {6, 7}));
}

TEST(OnnxNumbers, OfADepthwiseConvolutionWithThreeAxes) {
  auto model = model_of({{"x", {1, 96, 3, 1, 2}}});
  add_filled(model, "w", {96, 1, 2, 1, 2});
  set_int(add_result(model, "Conv", {"x", "w"}, "y"), "group", 96);
  const Computed sums = computed(model);
  EXPECT_EQ(sums.shape, "1x96x2x1x1");
  std::vector<float> expected;  // of four numbers in a row
  for (int channel = 0; channel < 96; ++channel) {
    for (const int first : {1, 3}) expected.push_back(static_cast<float>(4 * (6 * channel + first) + 6));
  }
  EXPECT_EQ(sums.numbers, expected);
}

// Each of two groups reads frames 0 and 2, then 1 and 3, of which the last one is padding, of its two channels.
TEST(OnnxNumbers, OfAGroupedConvolutionWithThreeAxes) {
  auto model = model_of({{"x", {1, 4, 3, 1, 1}}});
  add_floats(model, "w", {2, 2, 2, 1, 1}, {1, 10, 100, 1000, 2, 20, 200, 2000});
  auto& node = add_result(model, "Conv", {"x", "w"}, "y");
  set_int(node, "group", 2);
  set_ints(node, "dilations", {2, 1, 1});
  set_ints(node, "pads", {0, 0, 0, 1, 0, 0});
  const Computed sums = computed(model);
  EXPECT_EQ(sums.shape, "1x2x2x1x1");
  EXPECT_THAT(sums.numbers, ElementsAre(6431, 502, 26194, 2216));
}

// Frames 1 and 2, each of one number, by three taps of 1, 10 and 100 at every second place.
TEST(OnnxNumbers, OfATransposedConvolutionWithThreeAxes) {
  const auto with = [](std::vector<std::int64_t> pads) {
    auto model = model_of({{"x", {1, 1, 2, 1, 1}}});
    add_floats(model, "w", {1, 1, 3, 1, 1}, {1, 10, 100});
    add_floats(model, "b", {1}, {0.5F});
    auto& node = add_result(model, "ConvTranspose", {"x", "w", "b"}, "y");
    set_ints(node, "strides", {2, 1, 1});
    set_ints(node, "pads", pads);
    return computed(model);
  };
  EXPECT_EQ(with({0, 0, 0, 0, 0, 0}).shape, "1x1x5x1x1");
  EXPECT_THAT(with({0, 0, 0, 0, 0, 0}).numbers, ElementsAre(1.5F, 10.5F, 102.5F, 20.5F, 200.5F));
  EXPECT_THAT(with({1, 0, 0, 2, 0, 0}).numbers, ElementsAre(10.5F, 102.5F));
}

TEST(OnnxNumbers, OfAFourierTransform) {
  const auto with = [](std::int64_t onesided) {
    auto model = model_of({{"x", {1, 4, 1}}});
    set_int(add_result(model, "DFT", {"x"}, "y"), "onesided", onesided);
    return computed(model);
  };
  EXPECT_EQ(with(0).shape, "1x4x2");
  EXPECT_THAT(with(0).numbers, Pointwise(FloatNear(1e-5F), {10, 0, -2, 2, -2, 0, -2, -2}));
  EXPECT_THAT(with(1).numbers, Pointwise(FloatNear(1e-5F), {10, 0, -2, 2, -2, 0}));
}

TEST(OnnxNumbers, OfAnAffineGrid) {
  auto model = model_of({{"x", {1, 2, 3}}}, 20);
  add_ints(model, "size", {1, 1, 2, 2});
  add_result(model, "AffineGrid", {"x", "size"}, "y");
  const Computed grid = computed(model);
  EXPECT_EQ(grid.shape, "1x2x2x2");
  EXPECT_THAT(grid.numbers, Pointwise(FloatNear(1e-5F), {1.5F, 1.5F, 2.5F, 5.5F, 3.5F, 6.5F, 4.5F, 10.5F}));
}

// By the mean and variance of the samples.
TEST(OnnxNumbers, OfBatchNormalizationInTraining) {
  auto model = model_of({{"x", {2, 2}}});
  add_filled(model, "two", {2}, 2);
  add_filled(model, "one", {2});
  set_int(add_result(model, "BatchNormalization", {"x", "two", "one", "one", "one"}, "y"), "training_mode", 1);
  EXPECT_THAT(computed(model).numbers, Pointwise(FloatNear(1e-3F), {-1, -1, 3, 3}));
}

// A loop of three trips that adds one and stacks the sums.
TEST(OnnxNumbers, OfALoopOfConstantTrips) {
  const auto with = [](const std::string& output) {
    auto model = model_of({{"x", {2, 2}}});
    add_floats(model, "one", {}, {1});
    *model.mutable_graph()->add_initializer() = int_tensor("trips", {}, {3});
    auto& loop = add_node(model, "Loop", {"trips", "", "x"}, {"last", "all"});
    auto& body = add_graph(loop, "body", {"trip", "goes_on", "sum"}, {"still", "more", "kept"});
    add_node(body, "Identity", {"goes_on"}, {"still"});
    add_node(body, "Add", {"sum", "one"}, {"more"});
    add_node(body, "Identity", {"more"}, {"kept"});
    add_result(model, "Relu", {output}, "y");
    return computed(model);
  };
  EXPECT_THAT(with("last").numbers, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(with("all").shape, "3x2x2");
  EXPECT_THAT(with("all").numbers, ElementsAre(2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7));
}

TEST(OnnxNumbers, OfSequencesOfTensors) {
  auto model = model_of({{"x", {1, 2}}});
  add_node(model, "Neg", {"x"}, {"minus"});
  add_node(model, "Exp", {"x"}, {"other"});
  for (const auto& [name, value] : {std::pair{"first", 0}, {"last", -1}})
    *model.mutable_graph()->add_initializer() = int_tensor(name, {}, {value});
  add_node(model, "SequenceConstruct", {"x", "other"}, {"two"});
  add_node(model, "SequenceInsert", {"two", "minus", "first"}, {"three"});
  add_node(model, "SequenceErase", {"three", "last"}, {"kept"});
  add_node(model, "SequenceAt", {"kept", "last"}, {"at"});
  add_node(model, "SequenceInsert", {"kept", "at"}, {"again"});
  set_int(add_result(model, "ConcatFromSequence", {"again"}, "y"), "axis", 1);
  EXPECT_THAT(computed(model).numbers, ElementsAre(-1, -2, 1, 2, 1, 2));
}

TEST(OnnxNumbers, OfATensorThatIsSplitIntoASequence) {
  const auto with = [](const std::optional<onnx::TensorProto>& lengths, std::int64_t keepdims, std::int64_t opset) {
    auto model = model_of({{"x", {1, 3}}}, opset);
    *model.mutable_graph()->add_initializer() = int_tensor("last", {}, {-1});
    if (lengths) *model.mutable_graph()->add_initializer() = *lengths;
    auto& split = add_node(model, "SplitToSequence", {"x"}, {"pieces"});
    if (lengths) split.add_input(lengths->name());
    set_int(split, "axis", -1);
    set_int(split, "keepdims", keepdims);
    add_node(model, "SequenceAt", {"pieces", "last"}, {"at"});
    add_node(model, "SequenceInsert", {"pieces", "at"}, {"again"});
    set_int(add_node(model, "ConcatFromSequence", {"again"}, {"joined"}), "axis", -1);
    add_result(model, "Neg", {"joined"}, "y");
    return computed(model);
  };
  EXPECT_THAT(with(std::nullopt, 1, 17).numbers, ElementsAre(-1, -2, -3, -3));
  EXPECT_THAT(with(int_tensor("two", {}, {2}), 0, 17).numbers, ElementsAre(-1, -2, -3, -3));
  EXPECT_THAT(with(int_tensor("listed", {2}, {1, 2}), 0, 17).numbers, ElementsAre(-1, -2, -3, -2, -3));
  for (const std::int64_t opset : {11, 17}) {
    EXPECT_EQ(with(std::nullopt, 1, opset).shape, "1x4");
    EXPECT_EQ(with(std::nullopt, 0, opset).shape, "4");
    EXPECT_THAT(with(std::nullopt, 0, opset).numbers, ElementsAre(-1, -2, -3, -3));
  }
}

TEST(OnnxNumbers, OfASequenceOfPiecesThatDoNotFit) {
  for (const auto& lengths : {int_tensor("n", {}, {0}), int_tensor("n", {2}, {1, 1}), int_tensor("n", {2}, {4, -1}),
                              int_tensor("n", {2}, {std::numeric_limits<std::int64_t>::max(), 3})}) {
    auto model = model_of({{"x", {1, 3}}});
    *model.mutable_graph()->add_initializer() = lengths;
    set_int(add_node(model, "SplitToSequence", {"x", "n"}, {"pieces"}), "axis", 1);
    set_int(add_result(model, "ConcatFromSequence", {"pieces"}, "y"), "axis", 1);
    EXPECT_THAT(refusal_of(model), HasSubstr("its pieces"));
  }
}

// A sequence that goes from trip to trip takes no more memory with each.
TEST(OnnxNumbers, OfALoopThatCarriesASequence) {
  auto model = model_of({{"x", {1, 2}}});
  for (const auto& [name, value] : {std::pair{"trips", 1000}, {"last", -1}})
    *model.mutable_graph()->add_initializer() = int_tensor(name, {}, {value});
  add_node(model, "SequenceConstruct", std::vector<std::string>(100, "x"), {"many"});
  auto& loop = add_node(model, "Loop", {"trips", "", "many"}, {"same"});
  auto& body = add_graph(loop, "body", {"trip", "goes_on", "before"}, {"still", "after"});
  add_node(body, "Identity", {"goes_on"}, {"still"});
  add_node(body, "Identity", {"before"}, {"after"});
  add_node(model, "SequenceAt", {"same", "last"}, {"at"});
  add_result(model, "Neg", {"at"}, "y");
  const OnnxOptions options{.memory = 1 << 20};
  EXPECT_THAT(units_of(model, options), ElementsAre(HasSubstr("<- x")));
}

onnx::ModelProto resized(std::vector<float> scales, std::int64_t opset) {
  auto model = model_of({{"x", {1, 1, 4, 5}}}, opset);
  add_floats(model, "scales", {4}, std::move(scales));
  set_text(add_result(model, "Resize", {"x", "scales"}, "y"), "mode", "nearest");
  return model;
}

// Sums and interpolation are products with a matrix, whose zeros keep NaN to where it counts.
TEST(OnnxNumbers, OfSumsAndInterpolationKeepNanToWhatReadsIt) {
  const auto with = [](std::vector<float> less, const std::string& op_type, const std::string& other) {
    const auto count = static_cast<std::int64_t>(less.size());
    auto model = model_of({{"x", {1, 1, 1, count}}});
    add_floats(model, "less", {count}, std::move(less));
    add_node(model, "Sub", {"x", "less"}, {"difference"});
    add_node(model, "Log", {"difference"}, {"log"});  // NaN of what is negative
    add_ints(model, "axis", {3});
    add_floats(model, "scales", {4}, {1, 1, 1, 2});
    std::vector<std::string> inputs{"log", other};
    if (op_type == "Resize") inputs.insert(inputs.begin() + 1, "");
    add_node(model, op_type, inputs, {"y"});
    add_output(model, "y");
    return model;
  };
  const auto is_nan = [](float number) { return std::isnan(number); };
  auto sums = with({0, 3, 0, 0}, "CumSum", "axis");
  std::vector<float> numbers = computed(sums).numbers;
  EXPECT_THAT(numbers, ElementsAre(0, testing::Truly(is_nan), testing::Truly(is_nan), testing::Truly(is_nan)));
  set_int(*sums.mutable_graph()->mutable_node()->rbegin(), "reverse", 1);
  numbers = computed(sums).numbers;
  EXPECT_THAT(numbers, ElementsAre(testing::Truly(is_nan), testing::Truly(is_nan), FloatNear(std::log(12.0F), 1e-5F),
                                   FloatNear(std::log(4.0F), 1e-5F)));

  auto cubic = with({0, 0, 0, 0, 0, 0, 0, 9}, "Resize", "scales");
  set_text(*cubic.mutable_graph()->mutable_node()->rbegin(), "mode", "cubic");
  numbers = computed(cubic).numbers;
  ASSERT_EQ(numbers.size(), 16U);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(std::isnan(numbers[i]), i >= 11) << i;
}

TEST(OnnxNumbers, OfResizingToFewerBeforeOpset11) {
  EXPECT_THAT(computed(resized({1, 1, 0.6F, 0.6F}, 10)).numbers, ElementsAre(1, 3, 5, 11, 13, 15));
  EXPECT_THAT(computed(resized({1, 1, 0.5F, 1}, 10)).numbers, ElementsAre(1, 2, 3, 4, 5, 11, 12, 13, 14, 15));
  EXPECT_THAT(computed(resized({1, 1, 0.3F, 1.5F}, 10)).numbers, ElementsAre(1, 1, 2, 3, 3, 4, 5));
}

// Samples are summed, so that they are an axis of the shape.
TEST(OnnxNumbers, OfNormalisingSamplesThatAreMixed) {
  for (const bool image : {true, false}) {
    auto model = model_of({{"x", image ? std::vector<std::int64_t>{2, 3, 1, 2} : std::vector<std::int64_t>{2, 3, 2}}});
    auto& lrn = add_node(model, "LRN", {"x"}, {"n"});
    set_int(lrn, "size", 3);
    set_float(lrn, "alpha", 3);
    set_float(lrn, "beta", 0.5F);
    set_float(lrn, "bias", 0);
    add_ints(model, "axes", {0});
    add_result(model, "ReduceSum", {"n", "axes"}, "y");
    // x / √(sum of the squares of the channel and its neighbours).
    std::vector<float> expected;
    for (int at = 0; at < 6; ++at) {
      double sum = 0;
      for (int sample = 0; sample < 2; ++sample) {
        double squares = 0;
        for (int other = at - 2; other <= at + 2; other += 2) {
          const double x = 1 + 6 * sample + other;
          if (other >= 0 && other < 6) squares += x * x;
        }
        sum += (1 + 6 * sample + at) / std::sqrt(squares);
      }
      expected.push_back(static_cast<float>(sum));
    }
    EXPECT_THAT(computed(model).numbers, Pointwise(FloatNear(1e-5F), expected)) << image;
  }
}

// Tuples of places with leading axes that go along with those of the data, of the batch or not.
TEST(OnnxNumbers, OfPlacesThatGoAlongWithTheData) {
  for (const bool mixed : {true, false}) {
    auto model = model_of({{"x", {2, 2, 3}}});
    const std::vector<std::int64_t> at{0, 2, 1, 0};
    *model.mutable_graph()->add_initializer() = int_tensor("at", {2, 2, 1}, at);
    set_int(add_node(model, "GatherND", {"x", "at"}, {"g"}), "batch_dims", 2);
    set_ints(add_node(model, "Transpose", {"g"}, {"y"}), "perm",
             mixed ? std::vector<std::int64_t>{1, 0} : std::vector<std::int64_t>{0, 1});
    add_output(model, "y");
    EXPECT_THAT(computed(model).numbers, mixed ? ElementsAre(1, 8, 6, 10) : ElementsAre(1, 6, 8, 10));
  }
  auto rows = model_of({{"x", {2, 2, 3}}});
  *rows.mutable_graph()->add_initializer() = int_tensor("at", {2, 3, 1}, {1, 1, 0, 0, -1, 0});
  set_int(add_result(rows, "GatherND", {"x", "at"}, "y"), "batch_dims", 1);
  const Computed found = computed(rows);
  EXPECT_EQ(found.shape, "2x3x3");
  EXPECT_THAT(found.numbers, ElementsAre(4, 5, 6, 4, 5, 6, 1, 2, 3, 7, 8, 9, 10, 11, 12, 7, 8, 9));
  auto beyond = model_of({{"x", {2, 2}}});
  *beyond.mutable_graph()->add_initializer() = int_tensor("at", {2, 1}, {0, 1});
  set_int(add_result(beyond, "GatherND", {"x", "at"}, "y"), "batch_dims", 2);
  EXPECT_THAT(refusal_of(beyond), HasSubstr("batch_dims 2 do not fit its inputs"));
}

// Places that are computed give what the same constant ones do; several at one place are combined, and without a
// reduction the last of them counts.
TEST(OnnxNumbers, OfScatteringToComputedPlaces) {
  struct Case {
    std::string type;
    std::vector<std::int64_t> data;
    std::vector<std::int64_t> dims;  // of the indices
    std::vector<std::int64_t> updates;
    std::vector<std::int64_t> at;
    std::int64_t axis;
  };
  const std::vector<Case> cases{
      {"ScatterND", {3, 4}, {2, 1}, {2, 4}, {2, 0}, 0},
      {"ScatterND", {3, 4}, {2, 2}, {2}, {-1, 0, 1, -2}, 0},
      {"ScatterND", {2, 3, 2}, {1, 2, 2}, {1, 2, 2}, {1, 2, 0, -3}, 0},
      {"ScatterElements", {3, 4}, {2, 4}, {2, 4}, {2, 0, 1, -1, 0, 1, 2, 0}, 0},
      {"ScatterElements", {3, 4}, {2, 3}, {2, 3}, {3, 0, 1, -1, 0, 2}, 1},
      {"ScatterElements", {3, 2, 2}, {1, 2, 1}, {1, 2, 1}, {1, -2}, -2},
  };
  for (const Case& each : cases) {
    for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
      const auto model = [&](bool constant) {
        auto made = model_of({{"x", each.data}, {"u", each.updates}}, 18);
        *made.mutable_graph()->add_initializer() = int_tensor("at", each.dims, each.at);
        std::string at = "at";
        if (!constant) {  // x · 0 + the places is computed, of the shape that they have
          add_ints(made, "all", {0, 1, 2});
          made.mutable_graph()->mutable_initializer(1)->set_dims(0, each.data.size());
          made.mutable_graph()->mutable_initializer(1)->clear_int64_data();
          for (std::size_t i = 0; i < each.data.size(); ++i) {
            made.mutable_graph()->mutable_initializer(1)->add_int64_data(static_cast<std::int64_t>(i));
          }
          set_int(add_node(made, "ReduceSum", {"x", "all"}, {"sum"}), "keepdims", 0);
          add_floats(made, "zero", {}, {0});
          add_node(made, "Mul", {"sum", "zero"}, {"nothing"});
          set_int(add_node(made, "Cast", {"nothing"}, {"whole"}), "to", onnx::TensorProto::INT64);
          add_node(made, "Add", {"whole", "at"}, {"computed"});
          at = "computed";
        }
        auto& scatter = add_node(made, each.type, {"x", at, "u"}, {"y"});
        set_text(scatter, "reduction", reduction);
        if (each.type == "ScatterElements") set_int(scatter, "axis", each.axis);
        add_output(made, "y");
        return computed(made).numbers;
      };
      EXPECT_THAT(model(false), Pointwise(FloatNear(1e-5F), model(true))) << each.type << " " << reduction;
    }
  }
  for (const auto& [reduction, expected] : std::map<std::string, std::vector<float>>{{"none", {1, 2, 3, 4}},
                                                                                     {"add", {1, 2, 8, 4}},
                                                                                     {"mul", {1, 2, 18, 4}},
                                                                                     {"max", {1, 2, 3, 4}},
                                                                                     {"min", {1, 2, 2, 4}}}) {
    for (const bool constant : {true, false}) {
      auto model = model_of({{"x", {4}}, {"at", {2}}}, 18);
      model.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(
          onnx::TensorProto::INT64);
      add_node(model, "Sub", {"at", "at"}, {"none"});
      add_ints(model, "two", {2});
      add_ints(model, "twice", {2, -2});
      add_floats(model, "u", {2}, {2, 3});
      add_node(model, "Add", {"none", "two"}, {"places"});
      auto& scatter = add_node(model, "ScatterElements", {"x", constant ? "twice" : "places", "u"}, {"y"});
      set_text(scatter, "reduction", reduction);
      add_output(model, "y");
      EXPECT_EQ(computed(model).numbers, expected) << reduction;
    }
  }
}

// The operator that cannot be executed says which type is why, also where others are between.
TEST(OnnxNumbers, OfTypesThatCannotBeReadAreNamed) {
  for (const auto& [number, name] : std::map<int, std::string>{{14, "complex64"},
                                                               {15, "complex128"},
                                                               {17, "float8e4m3fn"},
                                                               {18, "float8e4m3fnuz"},
                                                               {19, "float8e5m2"},
                                                               {20, "float8e5m2fnuz"},
                                                               {21, "uint4"},
                                                               {22, "int4"},
                                                               {23, "float4e2m1"},
                                                               {24, "float8e8m0"},
                                                               {25, "uint2"},
                                                               {26, "int2"},
                                                               {27, "float6e2m3"},
                                                               {28, "float6e3m2"}}) {
    EXPECT_EQ(to_string(element_type_of(number)), name);
    EXPECT_EQ(onnx_number_of(element_type_named(name)), number);
    EXPECT_FALSE(is_float(element_type_of(number)) || is_integer(element_type_of(number)));
    auto model = model_of({{"x", {1, 4}}}, 21);
    auto& weights = *model.mutable_graph()->add_initializer();
    weights = float_tensor("q", {4, 3}, {});
    weights.clear_float_data();
    weights.set_data_type(number);
    weights.set_raw_data("123456");
    add_filled(model, "scale", {});
    add_node(model, "DequantizeLinear", {"q", "scale"}, {"w"});
    add_result(model, "MatMul", {"x", "w"}, "y");
    const auto loaded = must(converted(model));
    ASSERT_FALSE(loaded.warnings.empty());
    EXPECT_THAT(loaded.warnings.front(), HasSubstr("node 1 (MatMul): its input 1 cannot be read: its elements are of "
                                                   "type " +
                                                   name));
    EXPECT_EQ(loaded.warnings.size(), 1U) << testing::PrintToString(loaded.warnings);
  }
}

TEST(OnnxNumbers, OfPoolsWithoutAWindowInTheInputAreRefusedForTheirPadding) {
  auto model = model_of({{"x", {1, 1, 4, 4}}});
  auto& pool = add_node(model, "MaxPool", {"x"}, {"y"});
  set_ints(pool, "kernel_shape", {1, 1});
  set_ints(pool, "strides", {2, 2});
  set_ints(pool, "pads", {0, 0, 1, 1});
  add_output(model, "y");
  EXPECT_THAT(refusal_of(model), HasSubstr("padding [0, 0] before and [1, 1] after must be smaller than the kernel"));
}

// Weights that the file computes by operators that folding does not know.

OnnxOptions computing() {
  OnnxOptions options;
  options.compute = [](const Graph& graph, const std::vector<Tensor>& inputs) -> Result<std::vector<Tensor>> {
    return iosx::test::reference_outputs(graph, inputs, 1);
  };
  return options;
}

// A convolution of x, 2 x 1 x 1 kernels of 2 channels, whose weights a chain of operators makes of a constant.
onnx::ModelProto chain(const std::vector<std::string>& operators) {
  auto model = model_of({{"x", {-1, 2, 3, 3}}});
  add_floats(model, "w0", {2, 2, 1, 1}, {1, -2, 3, 0.5F});
  for (std::size_t i = 0; i < operators.size(); ++i) {
    add_node(model, operators[i], {"w" + std::to_string(i)}, {"w" + std::to_string(i + 1)});
  }
  add_result(model, "Conv", {"x", "w" + std::to_string(operators.size())}, "y");
  return model;
}

TEST(ComputedConstant, IsTheWeightsOfAConvolution) {
  const auto model = chain({"LogSoftmax", "HardSwish"});
  EXPECT_THAT(must(converted(model)).warnings.front().text(), HasSubstr("cannot be executed"));
  const auto loaded = must(converted(model, computing()));
  EXPECT_TRUE(loaded.batched);
  EXPECT_THAT(loaded.warnings, ElementsAre());
  EXPECT_EQ(loaded.graph.operators().size(), 2U);  // the input and the convolution
  // The softmax goes along the last axis, of one element: its logarithm is 0, and so is what follows.
  EXPECT_THAT(weights_of(loaded.graph, "y"), ElementsAre(0, 0, 0, 0));
}

TEST(ComputedConstant, GoesOnThroughFoldedOperators) {
  const auto loaded = must(converted(chain({"Neg", "Softplus", "Abs", "Softsign"}), computing()));
  std::vector<float> expected;
  for (const float w : {1.0F, -2.0F, 3.0F, 0.5F}) {
    const float soft = std::log1p(std::exp(-w));
    expected.push_back(soft / (1 + soft));
  }
  EXPECT_THAT(weights_of(loaded.graph, "y"), Pointwise(FloatNear(1e-6F), expected));
}

using Integers = std::vector<std::int64_t>;

// Integers of constants by an operator that sums; x is added so that the model has an input.
std::string warning_of(const onnx::TensorProto& a, const onnx::TensorProto& b) {
  auto model = model_of({{"x", {1, 1}}});
  *model.mutable_graph()->add_initializer() = a;
  *model.mutable_graph()->add_initializer() = b;
  add_node(model, "MatMul", {"a", "b"}, {"product"});
  auto& cast = add_node(model, "Cast", {"product"}, {"number"});
  set_int(cast, "to", 1);
  add_result(model, "Add", {"x", "number"}, "y");
  const auto loaded = converted(model, computing());
  if (!loaded) return loaded.error().text();
  return loaded->warnings.empty() ? "" : loaded->warnings.front().text();
}

// In float32 the first would be 4095.
TEST(ComputedConstant, IsNotMadeOfIntegersThatFloat32DoesNotHold) {
  const auto of_vectors = [](std::initializer_list<std::int64_t> a, std::initializer_list<std::int64_t> b) {
    const auto size = static_cast<std::int64_t>(a.size());
    return warning_of(int_tensor("a", {size}, a), int_tensor("b", {size}, b));
  };
  EXPECT_THAT(of_vectors({4097, 4097, -4097}, {4097, 1, 4097}), HasSubstr("integers that may lie beyond 2^24"));
  EXPECT_THAT(of_vectors({1, 2}, {16'777'217, 3}), HasSubstr("integers that may lie beyond 2^24"));
  EXPECT_EQ(of_vectors({40, 41, -40}, {40, 1, 40}), "");
}

// Each sum has 50 terms; only that of all 20,000 products would be beyond 2^24.
TEST(ComputedConstant, BoundsTheSumsOfOneElement) {
  const auto rows = int_tensor("a", {400, 50}, Integers(20'000, 100));
  EXPECT_THAT(warning_of(rows, int_tensor("b", {50, 1}, Integers(50, 100))), Not(HasSubstr("2^24")));
  EXPECT_THAT(warning_of(rows, int_tensor("b", {50, 1}, Integers(50, 4000))), HasSubstr("2^24"));
}

// Operators of ONNX's machine learning domain. The expected numbers are by hand, and ONNX Runtime's.

using Floats = std::vector<float>;

void set_floats(onnx::NodeProto& node, const std::string& name, const Floats& values) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOATS);
  for (const float value : values) attribute.add_floats(value);
}
void set_texts(onnx::NodeProto& node, const std::string& name, const std::vector<std::string>& values) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::STRINGS);
  for (const std::string& value : values) attribute.add_strings(value);
}

// A model of one node of the domain, which reads samples of two numbers.
struct Model {
  explicit Model(const std::string& type, const std::vector<std::string>& outputs) : proto(model_of({{"x", {-1, 2}}})) {
    node = &add_node(proto, type, {"x"}, outputs);
    node->set_domain("ai.onnx.ml");
    for (const std::string& output : outputs) add_output(proto, output);
  }

  // Every output's numbers for these samples.
  std::vector<Floats> of(const Floats& samples) const {
    const auto count = static_cast<std::int64_t>(samples.size() / 2);
    const auto loaded = must(converted(proto, {.batch = count}));
    const Graph& graph = loaded.graph;
    const bool opaque = std::ranges::any_of(graph.operators(), [](const Operator& op) { return op.as<Opaque>(); });
    EXPECT_FALSE(opaque) << testing::PrintToString(loaded.warnings);
    if (opaque) return {};
    const std::vector<Tensor> inputs{Tensor({count, 2}, samples)};
    const auto made = iosx::test::reference_outputs(graph, inputs, count);
    std::vector<Floats> all;
    for (const OnnxOutput& output : loaded.outputs) {
      for (std::size_t i = 0; i < made.size(); ++i) {
        if (graph.op(graph.outputs()[i]).name != output.op) continue;
        all.emplace_back(made[i].elements().begin(), made[i].elements().end());
      }
    }
    return all;
  }

  onnx::ModelProto proto;
  onnx::NodeProto* node;
};

TEST(OnnxMl, AScalerIsADifferenceAndAProduct) {
  const auto with = [](const Floats& offset, const Floats& scale) {
    Model model("Scaler", {"y"});
    set_floats(*model.node, "offset", offset);
    set_floats(*model.node, "scale", scale);
    return model;
  };
  EXPECT_THAT(with({1, 2}, {10, 100}).of({3, 3, 1, 0}), ElementsAre(ElementsAre(20, 100, 0, -200)));
  EXPECT_THAT(with({1}, {2}).of({3, 4}), ElementsAre(ElementsAre(4, 6)));
  EXPECT_THAT(refusal_of(with({1, 2, 3}, {2}).proto), HasSubstr("Scaler")) << "three offsets for two features";
}

TEST(OnnxMl, ANormalizerMakesTheMagnitudesOne) {
  Model sum("Normalizer", {"y"});
  set_text(*sum.node, "norm", "L1");
  EXPECT_THAT(sum.of({1, -3, 0, 0}), ElementsAre(ElementsAre(0.25F, -0.75F, 0, 0)));
  Model root("Normalizer", {"y"});
  set_text(*root.node, "norm", "L2");
  EXPECT_THAT(root.of({3, 4}).front(), Pointwise(FloatNear(1e-6F), {0.6F, 0.8F}));
}

// The class with the largest score is the first of those.
TEST(OnnxMl, ALinearClassifierYieldsLabelsAndScores) {
  Model model("LinearClassifier", {"label", "scores"});
  set_floats(*model.node, "coefficients", {1, 0, 0, 1, 1, 1});
  set_floats(*model.node, "intercepts", {0, 0.5F, -1});
  set_ints(*model.node, "classlabels_ints", {5, 7, 9});
  const auto found = model.of({1, 0, 0, 0, 3, 3});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], ElementsAre(5, 7, 9));
  EXPECT_THAT(found[1], ElementsAre(1, 0.5F, 0, 0, 0.5F, -1, 3, 3.5F, 5));

  set_text(*model.node, "post_transform", "LOGISTIC");
  EXPECT_THAT(model.of({1, 0})[1], Pointwise(FloatNear(1e-6F), {0.7310586F, 0.6224593F, 0.5F}));
  for (const float more : {7, 7, 7}) model.node->mutable_attribute(0)->add_floats(more);
  EXPECT_THAT(model.of({1, 0})[0], ElementsAre(5));
  model.node->mutable_attribute(2)->set_name("classlabels_strings");
  EXPECT_THAT(testing::PrintToString(units_of(model.proto)), HasSubstr("not executable"));
}

TEST(OnnxMl, AMapOfLabelsIsItsNumbers) {
  Model model("ZipMap", {"y"});
  set_ints(*model.node, "classlabels_int64s", {0, 1});
  EXPECT_THAT(model.of({0.25F, 0.75F}), ElementsAre(ElementsAre(0.25F, 0.75F)));
}

// x₀ ≤ 0.5: the leaf 1; else x₁ ≤ 3: the leaf 3; else the leaf 4. The second tree asks for x₁ ≤ 0.
void set_trees(onnx::NodeProto& node) {
  set_ints(node, "nodes_treeids", {0, 0, 0, 0, 0, 1, 1, 1});
  set_ints(node, "nodes_nodeids", {0, 1, 2, 3, 4, 0, 1, 2});
  set_ints(node, "nodes_featureids", {0, 0, 1, 0, 0, 1, 0, 0});
  set_floats(node, "nodes_values", {0.5F, 0, 3, 0, 0, 0, 0, 0});
  const std::string leaf = "LEAF";
  const std::string asks = "BRANCH_LEQ";
  set_texts(node, "nodes_modes", {asks, leaf, asks, leaf, leaf, asks, leaf, leaf});
  set_ints(node, "nodes_truenodeids", {1, 0, 3, 0, 0, 1, 0, 0});
  set_ints(node, "nodes_falsenodeids", {2, 0, 4, 0, 0, 2, 0, 0});
}
void set_weights(onnx::NodeProto& node, const std::string& prefix, const Integers& ids, const Floats& weights) {
  set_ints(node, prefix + "treeids", {0, 0, 0, 1, 1});
  set_ints(node, prefix + "nodeids", {1, 3, 4, 1, 2});
  set_ints(node, prefix + "ids", ids);
  set_floats(node, prefix + "weights", weights);
}

TEST(OnnxMl, TreesAreSummedUp) {
  Model model("TreeEnsembleRegressor", {"y"});
  set_trees(*model.node);
  set_weights(*model.node, "target_", {0, 0, 0, 0, 0}, {1, 2, 4, 10, 20});
  set_floats(*model.node, "base_values", {0.5F});
  set_int(*model.node, "n_targets", 1);
  EXPECT_THAT(model.of({0, 1, 0.5F, -1, 1, 3, 1, 4, 1, 0}).front(), ElementsAre(21.5F, 11.5F, 22.5F, 24.5F, 12.5F));
}

TEST(OnnxMl, TreesChooseAClass) {
  Model many("TreeEnsembleClassifier", {"label", "scores"});
  set_trees(*many.node);
  set_weights(*many.node, "class_", {0, 1, 2, 0, 2}, {1, 2, 4, 0.5F, 0.25F});
  set_ints(*many.node, "classlabels_int64s", {3, 4, 8});
  auto found = many.of({0, 0, 1, 1, 1, 4});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], ElementsAre(3, 4, 8));
  EXPECT_THAT(found[1], ElementsAre(1.5F, 0, 0, 0, 2, 0.25F, 0, 0, 4.25F));

  // Of two classes one has weights: probabilities, or scores around 0.
  const auto two_of = [](const Floats& weights, const Integers& ids) {
    Model two("TreeEnsembleClassifier", {"label", "scores"});
    set_trees(*two.node);
    set_weights(*two.node, "class_", ids, weights);
    set_ints(*two.node, "classlabels_int64s", {3, 4});
    return two;
  };
  const auto of_two = [&](const Floats& weights) { return two_of(weights, {0, 0, 0, 0, 0}).of({0, 0, 1, 1, 1, 4}); };
  found = of_two({0.25F, 0.5F, 0.75F, 0.125F, 0});
  EXPECT_THAT(found[0], ElementsAre(3, 3, 4));
  EXPECT_THAT(found[1], ElementsAre(0.625F, 0.375F, 0.5F, 0.5F, 0.25F, 0.75F));
  found = of_two({-1, 0.5F, 0.75F, 0.25F, -0.5F});
  EXPECT_THAT(found[0], ElementsAre(3, 3, 4));
  EXPECT_THAT(found[1], ElementsAre(0.75F, -0.75F, 0, 0, -0.25F, 0.25F));
  EXPECT_THAT(testing::PrintToString(units_of(two_of({1, 2, 3, 4, 5}, {0, 1, 0, 1, 0}).proto)),
              HasSubstr("not executable"));
}

TEST(OnnxMl, WhatAreNoTreesIsRefused) {
  const auto refusal = [](const std::map<std::string, Integers>& changed) {
    Model model("TreeEnsembleRegressor", {"y"});
    set_trees(*model.node);
    set_weights(*model.node, "target_", {0, 0, 0, 0, 0}, {1, 2, 4, 10, 20});
    for (auto& attribute : *model.node->mutable_attribute()) {
      const auto values = changed.find(attribute.name());
      if (values == changed.end()) continue;
      attribute.clear_ints();
      for (const std::int64_t value : values->second) attribute.add_ints(value);
    }
    return refusal_of(model.proto);
  };
  const auto no_trees = HasSubstr("its nodes do not form trees");
  EXPECT_THAT(refusal({{"nodes_truenodeids", {1, 0, 1, 0, 0, 1, 0, 0}}}), no_trees) << "two ways to a leaf";
  EXPECT_THAT(
      refusal({{"nodes_truenodeids", {1, 0, 2, 0, 0, 1, 0, 0}}, {"nodes_falsenodeids", {3, 0, 4, 0, 0, 2, 0, 0}}}),
      no_trees)
      << "a circle";
  EXPECT_THAT(refusal({{"nodes_falsenodeids", {9, 0, 4, 0, 0, 2, 0, 0}}}), no_trees) << "a node that is not there";
  EXPECT_THAT(refusal({{"nodes_falsenodeids", {9}}}), HasSubstr("its lists of nodes differ in length"));
  EXPECT_THAT(refusal({{"nodes_nodeids", {0, 1, 1, 3, 4, 0, 1, 2}}}), HasSubstr("two of its nodes have the same id"));
  EXPECT_THAT(refusal({{"target_nodeids", {0, 3, 4, 1, 2}}}), HasSubstr("weight 0 belongs to no existing leaf"));
  EXPECT_THAT(refusal({{"target_ids", {0, 0, 0, 0, 1}}}), HasSubstr("weight 4 belongs to no existing leaf or target"));
  EXPECT_THAT(refusal({{"target_ids", {0}}}), HasSubstr("its lists of weights differ in length"));
  EXPECT_THAT(refusal({{"nodes_featureids", {0, 0, 7, 0, 0, 1, 0, 0}}}), HasSubstr("index 7"));
}

}  // namespace

// x · scale - zero · scale would be off by the rounding of one product.
TEST(OnnxNumbers, OfAZeroPointAreZero) {
  auto model = model_of({{"x", {1, 4}}});
  add_floats(model, "scale", {}, {0.0117F});
  add_floats(model, "zero", {}, {3});
  add_result(model, "DequantizeLinear", {"x", "scale", "zero"}, "y");
  const auto numbers = computed(model).numbers;
  EXPECT_EQ(numbers[2], 0.0F);
  EXPECT_THAT(numbers, Pointwise(testing::FloatEq(), std::vector<float>{-0.0234F, -0.0117F, 0, 0.0117F}));
}

TEST(OnnxNumbers, OfFloat16AreRoundedAndBecomeInfinite) {
  auto model = model_of({{"x", {1, 5}}});
  add_floats(model, "factors", {1, 5}, {0.1F, 35000, 5e-9F, 0.25F, 1e-5F});
  add_node(model, "Mul", {"x", "factors"}, {"p"});
  set_int(add_node(model, "Cast", {"p"}, {"half"}), "to", onnx::TensorProto::FLOAT16);
  set_int(add_result(model, "Cast", {"half"}, "y"), "to", onnx::TensorProto::FLOAT);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(computed(model).numbers, ElementsAre(0.099975586F, infinity, 0, 1, 5.0008297e-05F));
}

}  // namespace iosx::onnx_import::test
