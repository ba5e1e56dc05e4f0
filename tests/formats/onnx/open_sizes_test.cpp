#include "core/formats/document.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

// Sizes that models leave open: by options, or chosen by what the axes seem to be.
namespace iosx::onnx_import {
namespace {

using namespace test;

// A shape of which each axis is a number, a name, or "?" for neither.
void declare(onnx::ModelProto& model, int input, const std::vector<std::string>& axes,
             onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT) {
  auto& tensor = *model.mutable_graph()->mutable_input(input)->mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape()->clear_dim();
  for (const std::string& axis : axes) {
    auto& dim = *tensor.mutable_shape()->add_dim();
    if (axis == "?") continue;
    if (axis.find_first_not_of("-0123456789") == std::string::npos) {
      dim.set_dim_value(std::stoll(axis));
    } else {
      dim.set_dim_param(axis);
    }
  }
}

// Inputs x, y, … of these axes, each read by an Identity.
onnx::ModelProto model_with_inputs(const std::vector<std::vector<std::string>>& inputs,
                                   onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT) {
  std::vector<InputDims> declared;
  for (std::size_t i = 0; i < inputs.size(); ++i) declared.push_back({std::string(1, static_cast<char>('x' + i)), {1}});
  auto model = model_of(declared);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    declare(model, static_cast<int>(i), inputs[i], type);
    const std::string name = declared[i].name;
    add_node(model, "Identity", {name}, {name + ".out"});
    add_output(model, name + ".out");
  }
  return model;
}

FileInterface file_of(const onnx::ModelProto& model, const OnnxOptions& options = {}) {
  return must(converted(model, options)).file;
}

std::string shapes_of(const FileInterface& file) {
  std::string text;
  for (const FileTensor& input : file.inputs) text += (text.empty() ? "" : " ") + sizes_text(input.shape());
  return text;
}

std::string shapes_of(const onnx::ModelProto& model, const OnnxOptions& options = {}) {
  return shapes_of(file_of(model, options));
}

std::vector<std::string> names_of(const FileInterface& file) { return mapped<std::string>(file.open, &OpenDim::name); }

TEST(OpenSizes, OfImagesAreTheUsualOnes) {
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "3", "height", "width"}})), "1x3x224x224");
  EXPECT_EQ(shapes_of(model_with_inputs({{"-1", "1", "-1", "-1"}})), "1x1x224x224");
  EXPECT_EQ(shapes_of(model_with_inputs({{"0", "3", "0", "0"}})), "1x3x224x224");
  EXPECT_EQ(shapes_of(model_with_inputs({{"?", "?", "?", "3"}})), "1x224x224x3");
  EXPECT_EQ(shapes_of(model_with_inputs({{"?", "?", "?", "?"}})), "1x3x224x224");
  EXPECT_EQ(shapes_of(model_with_inputs({{"3", "h", "w"}})), "3x224x224");
  // The other side of the image says more.
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "3", "640", "?"}})), "1x3x640x640");
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "3", "48", "?"}})), "1x3x48x320");
}

TEST(OpenSizes, OfTextAndSequences) {
  const auto text = file_of(model_with_inputs({{"?", "?"}, {"?", "?"}}, onnx::TensorProto::INT64));
  EXPECT_EQ(shapes_of(text), "1x128 1x128");
  EXPECT_THAT(names_of(text), ElementsAre("batch", "sequence"));
  EXPECT_EQ(text.inputs[0].type, "int64");
  EXPECT_EQ(shapes_of(model_with_inputs({{"batch", "time", "80"}})), "1x128x80");
  EXPECT_EQ(shapes_of(model_with_inputs({{"time", "batch", "80"}})), "128x1x80");
  EXPECT_EQ(shapes_of(model_with_inputs({{"T", "N", "80"}})), "128x1x80");
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "12", "past", "64"}})), "1x12x128x64");
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "?"}})), "1x1");
}

// What the weights say is no choice.
TEST(OpenSizes, OfRecurrentStatesAreTheBatch) {
  auto model = model_with_inputs({{"?", "?"}, {"2", "?", "128"}});
  auto& graph = *model.mutable_graph();
  graph.mutable_input(1)->set_name("state");
  graph.mutable_node(1)->set_input(0, "state");
  EXPECT_EQ(shapes_of(model), "1x1 2x1x128");
  graph.mutable_input(1)->set_name("hidden_states");
  graph.mutable_node(1)->set_input(0, "hidden_states");
  EXPECT_EQ(shapes_of(model), "1x1 2x128x128");
}

TEST(OpenSizes, OfWhatARecurrentLayerReadsAreTimeFirst) {
  auto model = model_with_inputs({{"?", "?", "?"}});
  EXPECT_EQ(shapes_of(model).substr(0, 2), "1x");
  add_filled(model, "w", {1, 6, 3});
  add_filled(model, "r", {1, 6, 2});
  auto& gru = add_node(model, "GRU", {model.graph().input(0).name(), "w", "r"}, {"h"});
  set_int(gru, "hidden_size", 2);
  add_output(model, "h");
  EXPECT_EQ(shapes_of(model), "128x1x3");
}

// A branch that does not fit leaves a node that cannot be executed: other sizes are tried first.
TEST(OpenSizes, AreTriedUntilBranchesFit) {
  auto model = model_with_inputs({{"?", "?"}});
  auto& graph = *model.mutable_graph();
  auto& chooses = *graph.add_input();
  chooses.set_name("chooses");
  chooses.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  chooses.mutable_type()->mutable_tensor_type()->mutable_shape();
  add_ints(model, "pads", {0, 9, 0, 0});
  auto& node = add_node(model, "If", {"chooses"}, {"y"});
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    auto& pad = *attribute.mutable_g()->add_node();
    pad.set_op_type("Pad");
    pad.add_input("x");
    pad.add_input("pads");
    pad.add_output("padded");
    set_text(pad, "mode", "reflect");
    attribute.mutable_g()->add_output()->set_name("padded");
  }
  add_output(model, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(shapes_of(loaded.file), "1x16 scalar");
  EXPECT_THAT(units_of(loaded.graph), Not(Contains(HasSubstr("not executable"))));
}

TEST(OpenSizes, FollowTheWeightsThatReadThem) {
  auto model = model_of({{"x", {1, 1}}});
  declare(model, 0, {"N", "features"});
  add_filled(model, "w", {7, 5});
  add_result(model, "MatMul", {"x", "w"}, "y");
  EXPECT_EQ(shapes_of(model), "1x7");

  auto images = model_of({{"x", {1, 1, 1, 1}}});
  declare(images, 0, {"N", "?", "?", "?"});
  add_conv(images, "x", "y", {4, 6, 3, 3});
  add_output(images, "y");
  EXPECT_EQ(shapes_of(images), "1x6x224x224");
}

// Halved so often, and enlarged as often, that only multiples of 128 come back to their size.
TEST(OpenSizes, AreTriedUntilTheModelFits) {
  auto model = model_of({{"x", {1, 1, 1, 1}}});
  declare(model, 0, {"N", "3", "height", "width"});
  std::string last = "x";
  for (int i = 0; i < 7; ++i) {
    auto& pool = add_node(model, "MaxPool", {last}, {last + "p"});
    set_ints(pool, "kernel_shape", {2, 2});
    set_ints(pool, "strides", {2, 2});
    last += "p";
  }
  for (int i = 0; i < 7; ++i) {
    add_filled(model, last + ".w", {3, 3, 2, 2});
    set_ints(add_node(model, "ConvTranspose", {last, last + ".w"}, {last + "u"}), "strides", {2, 2});
    last += "u";
  }
  set_int(add_result(model, "Concat", {"x", last}, "y"), "axis", 1);
  EXPECT_EQ(shapes_of(model), "1x3x256x256");

  // Given ones stand: the error names the node, the dimension and the option.
  const std::string refusal = refusal_of(model, {.dims = {{"height", 200}}});
  EXPECT_THAT(refusal, AllOf(HasSubstr("node 14 (Concat)"), HasSubstr("'height' 200 given"),
                             HasSubstr("--dim height=SIZE or --shape x=1x3x200x224")));
}

// Where only another number of samples fits, the error says one.
TEST(OpenSizes, OfABatchThatDoesNotFitSayOneThatDoes) {
  auto concat = model_of({{"x", {-1, 4}}});
  add_filled(concat, "two", {2, 1});
  set_int(add_result(concat, "Concat", {"x", "two"}, "y"), "axis", 1);
  EXPECT_THAT(refusal_of(concat), HasSubstr("cannot be concatenated (with 'N' 1 chosen: give --dim N=2)"));
  EXPECT_THAT(refusal_of(concat, {.dims = {{"N", 9}}}), HasSubstr("(with 'N' 9 given: give --dim N=2)"));
  OnnxOptions shape{.shapes = {{"x", {3, 4}}}};
  EXPECT_THAT(refusal_of(concat, shape), HasSubstr("(with 'N' 3 given: give --shape x=2x4)"));
  EXPECT_EQ(shapes_of(concat, {.dims = {{"N", 2}}}), "2x4");

  auto gather = model_of({{"x", {-1, 4}}});
  add_ints(gather, "last", {2});
  set_int(add_result(gather, "Gather", {"x", "last"}, "y"), "axis", 0);
  EXPECT_THAT(refusal_of(gather), HasSubstr("(with 'N' 1 chosen: give --dim N=3)"));

  // With no number of samples it is another model: then that is no remedy.
  add_filled(concat, "three", {3, 1});
  set_int(add_result(concat, "Concat", {"x", "three"}, "z"), "axis", 1);
  EXPECT_THAT(refusal_of(concat), Not(HasSubstr("--dim")));
  EXPECT_THAT(refusal_of(concat, {.dims = {{"N", 9}}}), HasSubstr("--dim N=SIZE"));
}

TEST(OpenSizes, AreGivenByNameOrByInput) {
  const auto model = model_with_inputs({{"N", "3", "height", "width"}, {"N", "1", "height", "?"}});
  EXPECT_EQ(shapes_of(model, {.dims = {{"height", 64}, {"width", 96}}}), "1x3x64x96 1x1x64x96");
  OnnxOptions options{.shapes = {{"x", {2, 3, 64, 32}}}};
  EXPECT_EQ(shapes_of(model, options), "2x3x64x32 2x1x64x32");
  // An axis without a name of its own may differ.
  options.shapes["y"] = {2, 1, 64, 48};
  const FileInterface file = file_of(model, options);
  EXPECT_EQ(shapes_of(file), "2x3x64x32 2x1x64x48");
  EXPECT_EQ(open_text(file, SizeOrigin::kChosen), "");
  EXPECT_EQ(open_text(file, SizeOrigin::kGiven), "'height' 64 and 'width' 32");
  EXPECT_EQ(chosen_text(file), "");
}

TEST(OpenSizes, OfOneNameOrASumOfNames) {
  const auto model = model_with_inputs({{"batch", "sequence"}, {"batch", "past + sequence"}, {"batch", "past"}},
                                       onnx::TensorProto::INT64);
  EXPECT_EQ(shapes_of(model), "1x128 1x256 1x128");
  EXPECT_EQ(shapes_of(model, {.dims = {{"past", 10}}}), "1x128 1x138 1x10");
  EXPECT_THAT(names_of(file_of(model)), ElementsAre("batch", "sequence", "past"));
  EXPECT_EQ(shapes_of(model_with_inputs({{"N", "3", "2*h", "(h + 8)//2"}, {"N", "3", "h", "h"}})),
            "1x3x448x116 1x3x224x224");
}

// Of a size that follows from another, the other follows.
TEST(OpenSizes, OfASumSayWhatItsNamesAre) {
  const auto model = model_with_inputs({{"batch", "sequence"}, {"batch", "past + sequence"}, {"batch", "past"}},
                                       onnx::TensorProto::INT64);
  EXPECT_EQ(shapes_of(model, {.dims = {{"past", 10}, {"past + sequence", 42}}}), "1x32 1x42 1x10");
  OnnxOptions options{.shapes = {{"x", {1, 1}}, {"y", {1, 17}}}};
  const FileInterface file = file_of(model, options);
  EXPECT_EQ(shapes_of(file), "1x1 1x17 1x16");
  EXPECT_EQ(open_text(file, SizeOrigin::kGiven), "'sequence' 1 and 'past' 16");
  EXPECT_THAT(
      refusal_of(model, {.dims = {{"past + sequence", 42}}}),
      HasSubstr("'past + sequence' was given the size 42, which does not determine the sizes that it depends on"));
  EXPECT_THAT(refusal_of(model, {.dims = {{"past", 10}, {"sequence", 3}, {"past + sequence", 14}}}),
              HasSubstr("was given the size 14, but the other sizes make it 13"));
  EXPECT_THAT(refusal_of(model, {.dims = {{"past", 10}, {"past + sequence", 10}}}), HasSubstr("does not determine"));

  const auto of_h = [](const std::string& sum, std::int64_t size) {
    return shapes_of(model_with_inputs({{"N", "4", "h"}, {"N", "4", sum}}), {.dims = {{sum, size}}});
  };
  EXPECT_EQ(of_h("h - 100", 5), "1x4x105 1x4x5");
  EXPECT_EQ(of_h("(h + 1) // 2", 8), "1x4x15 1x4x8");  // the least
  EXPECT_EQ(of_h("h*h*h*h", 81), "1x4x3 1x4x81");
  const auto powers = model_with_inputs({{"N", "4", "h"}, {"N", "4", "h*h*h*h"}});
  EXPECT_THAT(refusal_of(powers, {.dims = {{"h*h*h*h", 80}}}), HasSubstr("does not determine"));
  EXPECT_THAT(refusal_of(powers, {.dims = {{"h", 300}}}), HasSubstr("make 'h*h*h*h' 8100000000, outside 1..16777216"));
  EXPECT_THAT(refusal_of(powers, {.dims = {{"h", 16777216}}}), HasSubstr("make 'h*h*h*h' no size, outside"));
  EXPECT_THAT(refusal_of(model_with_inputs({{"N", "h"}, {"N", "h - 100"}}), {.dims = {{"h", 50}}}),
              HasSubstr("make 'h - 100' no size"));
}

// A decoder reads the whole sequence, that of earlier steps and that of this one. At its first step there is no earlier
// one.
TEST(OpenSizes, OfADecoderAddUp) {
  auto model = model_of({{"ids", {1}}, {"mask", {1}}, {"past", {1}}});
  for (const auto& [i, name] :
       {std::pair{0, "sequence_length"}, {1, "total_sequence_length"}, {2, "past_sequence_length"}})
    declare(model, i, {"batch", name}, onnx::TensorProto::FLOAT);
  set_int(add_node(model, "Concat", {"past", "ids"}, {"all"}), "axis", 1);
  add_result(model, "Add", {"all", "mask"}, "y");
  EXPECT_EQ(shapes_of(model), "1x128 1x256 1x128");
  EXPECT_EQ(shapes_of(model, {.dims = {{"past_sequence_length", 8}, {"sequence_length", 1}}}), "1x1 1x9 1x8");
  EXPECT_EQ(shapes_of(model, {.dims = {{"total_sequence_length", 9}, {"sequence_length", 1}}}), "1x1 1x9 1x8");
  EXPECT_THAT(names_of(file_of(model)), ElementsAre("batch", "sequence_length", "past_sequence_length"));
  const auto first = must(converted(model, {.dims = {{"past_sequence_length", 0}, {"sequence_length", 8}}}));
  EXPECT_EQ(shapes_of(first.file), "1x8 1x8") << "what has no elements is not fed";
  EXPECT_EQ(first.graph.inputs().size(), 2U);
  EXPECT_EQ(sizes_text(first.file.outputs[0].shape()), "1x8");
  EXPECT_THAT(refusal_of(model, {.dims = {{"sequence_length", 0}}}), HasSubstr("make 'sequence_length' 0, outside"));
}

TEST(OpenSizes, OptionsThatDoNotFitAreRefused) {
  const auto model = model_with_inputs({{"N", "3", "height", "width"}});
  EXPECT_THAT(refusal_of(model, {.dims = {{"hight", 64}}}),
              AllOf(StartsWith("--dim hight=64: "), HasSubstr("'N', 'height', 'width'")));
  const auto with = [&](const std::string& input, std::vector<std::int64_t> shape) {
    OnnxOptions options;
    options.shapes[input] = std::move(shape);
    options.dims = {{"height", 64}};
    return refusal_of(model, options);
  };
  EXPECT_THAT(with("z", {1}), AllOf(StartsWith("--shape z=1: "), HasSubstr("its inputs are 'x'")));
  EXPECT_THAT(with("x", {1, 3, 64}), HasSubstr("has rank 3, but the input has rank 4 (give Nx3xheightxwidth)"));
  EXPECT_THAT(with("x", {1, 4, 64, 64}), HasSubstr("axis 1 has the size 3 in the file, not 4"));
  EXPECT_THAT(with("x", {1, 3, 32, 64}), HasSubstr("--dim height=64: contradicts the shape of 'x', which has 32"));
  EXPECT_THAT(with("x", {1, 3, 64, std::int64_t{1} << 40}), HasSubstr("graph input 'x'"));
  EXPECT_THAT(refusal_of(model_with_inputs({{"1", "3", "8", "8"}}), {.dims = {{"height", 64}}}),
              HasSubstr("the file leaves no dimension open"));
}

TEST(OpenSizes, ABatchMayStandAnywhere) {
  auto model = model_of({{"x", {1}}, {"state", {1}}, {"rate", {1}}});
  declare(model, 0, {"batch", "?"});
  declare(model, 1, {"2", "batch", "16"});
  declare(model, 2, {}, onnx::TensorProto::INT64);
  for (const char* name : {"x", "state", "rate"}) {
    add_node(model, "Identity", {name}, {std::string(name) + ".out"});
    add_output(model, std::string(name) + ".out");
  }
  const FileInterface file = file_of(model, {.dims = {{"batch", 3}}});
  EXPECT_EQ(shapes_of(file), "3x1 2x3x16 scalar");
  EXPECT_FALSE(file.leading_batch);
  EXPECT_EQ(sizes_text(file.outputs[1].shape()), "2x3x16");
  EXPECT_EQ(file.inputs[2].type, "int64");
}

TEST(OpenSizes, ShapesThatTheFileLacksAreGiven) {
  auto model = model_with_inputs({{"1"}});
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_THAT(refusal_of(model), HasSubstr("has no declared shape (give it with --shape x="));
  OnnxOptions options{.shapes = {{"x", {2, 5}}}};
  EXPECT_EQ(shapes_of(model, options), "2x5");
  options.shapes["x"].resize(30, 1);
  EXPECT_THAT(refusal_of(model, options), HasSubstr("has 30 axes (at most"));
}

TEST(OpenSizes, OutputsHaveTheBatchToo) {
  auto model = model_with_inputs({{"N", "3", "height", "width"}});
  const FileInterface file = file_of(model, {.batch = 4});
  ASSERT_EQ(file.outputs.size(), 1U);
  EXPECT_EQ(file.outputs[0].name, "x.out");
  EXPECT_EQ(sizes_text(file.outputs[0].shape()), "4x3x224x224");
  EXPECT_TRUE(file.leading_batch);
  EXPECT_THAT(chosen_text(file), HasSubstr("'height' 224 and 'width' 224; --dim height=SIZE or --shape x=4x3x224x224"));
}

TEST(OpenSizes, AreReadFromText) {
  InputSizes sizes;
  EXPECT_TRUE(add_shape(sizes, "a=b:0=1x3x640x640"));
  EXPECT_TRUE(add_dim(sizes, "height=640"));
  EXPECT_THAT(sizes.shapes["a=b:0"], ElementsAre(1, 3, 640, 640));
  EXPECT_EQ(sizes.dims["height"], 640);
  for (const char* text : {"", "x", "x=", "=3", "x=3x", "x=3x-1", "x=3xx4", "x=0", "x=1e3", "x=99999999999999999999"}) {
    EXPECT_FALSE(add_shape(sizes, text)) << text;
    if (std::string_view(text) != "x=0") {
      EXPECT_FALSE(add_dim(sizes, text)) << text;
    }
  }
  EXPECT_TRUE(add_dim(sizes, "past=0"));
  EXPECT_THAT(add_dim(sizes, "height=64").error().text(), HasSubstr("contradicts height=640"));
  EXPECT_THAT(add_shape(sizes, "a=b:0=1x3").error().text(), HasSubstr("contradicts a=b:0=1x3x640x640"));
}

TEST(OpenSizes, AreForOnnxModelsOnly) {
  EXPECT_THAT(check_no_sizes({.dims = {{"height", 3}}}).error().text(), StartsWith("--dim: "));
  EXPECT_TRUE(check_no_sizes({}));
  const TemporaryFolder folder;
  const auto file = folder.write("net.json", "{}");
  EXPECT_THAT(load_document(file, {.dims = {{"height", 3}}}).error().text(), HasSubstr("ONNX models"));
}

TEST(OpenSizes, SayWhatIsInTheDocument) {
  const TemporaryFolder folder;
  const auto path = folder.write("net.onnx", model_with_inputs({{"N", "3", "height", "32"}}).SerializeAsString());
  const auto document = must(load_document(path, {.shapes = {{"x", {5, 3, 64, 32}}}}));
  EXPECT_EQ(document.batch, 5);
  EXPECT_EQ(shapes_of(interface_of(document, 7)), "7x3x64x32");
  EXPECT_THAT(document.warnings, IsEmpty());
}

using namespace test;

TEST(OnnxBatch, IsTakenOff) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  add_conv(model, "x", "y", {4, 3, 3, 3});
  add_output(model, "y");
  const auto loaded = must(converted(model, {.batch = 5, .dims = {}, .bind = {}}));
  EXPECT_TRUE(loaded.batched);
  EXPECT_EQ(loaded.batch, 5);
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: conv 4x6x6 <- x"));
}

TEST(OnnxBatch, MayBeFixedInTheFile) {
  auto model = model_of({{"x", {2, 3, 8, 8}}});
  add_ints(model, "shape", {2, 3, 2, 4, 8});
  add_result(model, "Reshape", {"x", "shape"}, "y");
  const auto loaded = must(converted(model));
  EXPECT_EQ(loaded.batch, 2);
  EXPECT_THAT(units_of(loaded.graph), ElementsAre("y: reshape 3x2x4x8 <- x"));
}

// x.view(x.shape[0], -1) as exporters write it.
TEST(OnnxBatch, PassesThroughShapeArithmetic) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  *model.mutable_graph()->add_initializer() = int_tensor("zero", {}, {0});
  add_ints(model, "rest", {-1});
  add_ints(model, "first", {0});
  add_node(model, "Shape", {"x"}, {"shape"});
  add_node(model, "Gather", {"shape", "zero"}, {"n"});
  add_node(model, "Unsqueeze", {"n", "first"}, {"n1"});
  set_int(add_node(model, "Concat", {"n1", "rest"}, {"to"}), "axis", 0);
  add_result(model, "Reshape", {"x", "to"}, "y");
  for (const std::int64_t batch : {1, 7}) {
    EXPECT_THAT(units_of(model, {.batch = batch, .dims = {}, .bind = {}}), ElementsAre("y: reshape 192 <- x"));
  }
}

// The node that mixes samples, and the rest, read with all axes.
void expect_unbatched(const onnx::ModelProto& model, const std::string& why, const std::vector<std::string>& units) {
  const auto loaded = must(converted(model));
  EXPECT_FALSE(loaded.batched);
  EXPECT_EQ(loaded.batch, 1);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_THAT(loaded.warnings[0], HasSubstr(why));
  EXPECT_EQ(units_of(loaded.graph), units);
}

TEST(OnnxBatch, StaysWhereAnOperatorMixesSamples) {
  auto transposed = model_of({{"x", {-1, 3, 8}}});
  set_ints(add_result(transposed, "Transpose", {"x"}, "y", "swap"), "perm", {1, 0, 2});
  expect_unbatched(transposed, "node 0 (Transpose 'swap'): it moves the batch axis", {"y: transpose 3x1x8 <- x"});

  auto merged = model_of({{"x", {-1, 4, 8}}});
  add_ints(merged, "shape", {-1, 2, 8});
  add_result(merged, "Reshape", {"x", "shape"}, "y");
  expect_unbatched(merged, "does not begin with the batch axis", {"y: reshape 2x2x8 <- x"});

  auto summed = model_of({{"x", {-1, 3}}});
  add_filled(summed, "w", {4, 2});
  set_int(add_node(summed, "Concat", {"x", "x"}, {"c"}), "axis", 0);
  set_int(add_result(summed, "Softmax", {"c"}, "y"), "axis", 0);
  expect_unbatched(summed, "works along the batch axis", {"c: concat 2x3 <- x, x", "y: softmax 2x3 <- c"});
}

TEST(OnnxBatch, StaysWhereInputsDoNotShareOne) {
  auto model = model_of({{"x", {2, 3}}, {"b", {3}}});
  add_result(model, "Add", {"x", "b"}, "y");
  expect_unbatched(model, "inputs do not share a leading axis", {"y: add 2x3 <- x, b"});
}

TEST(OnnxBatch, ConstantsAreTheSameForAllSamples) {
  auto model = model_of({{"x", {2, 3, 4}}});
  add_filled(model, "row", {4});
  add_filled(model, "all", {1, 3, 4});
  add_node(model, "Add", {"x", "row"}, {"a"});
  add_result(model, "Mul", {"a", "all"}, "y");
  EXPECT_THAT(units_of(model), ElementsAre("a: add 3x4 <- x, {4}", "y: mul 3x4 <- a, {3x4}"));

  auto each = model_of({{"x", {2, 3, 4}}});
  std::vector<float> numbers(24, 1);
  numbers.back() = 2;
  add_floats(each, "one", {2, 3, 4}, std::move(numbers));
  add_result(each, "Add", {"x", "one"}, "y");
  expect_unbatched(each, "a constant for each", {"y: add 2x3x4 <- x, {2x3x4}"});
}

TEST(OnnxBatch, WithoutOneConvolutionsSeeASample) {
  auto model = model_of({{"x", {-1, 3, 8, 8}}});
  add_conv(model, "x", "c", {4, 3, 3, 3});
  add_node(model, "Relu", {"c"}, {"r"});
  add_conv(model, "r", "d", {4, 4, 1, 1});
  add_node(model, "Add", {"r", "d"}, {"s"});
  set_ints(add_result(model, "Transpose", {"s"}, "y"), "perm", {2, 3, 0, 1});
  const auto lines = units_of(model);
  EXPECT_THAT(lines, ElementsAre("c: reshape 3x8x8 + conv(relu) 4x6x6 <- x",
                                 "y: conv 4x6x6 + add 4x6x6 + reshape 1x4x6x6 + transpose 6x6x1x4 <- c, c"));
}

// x.expand(rows, 4) of one sample: whatever the number is, it is no batch, and the graph has one sample's rows.
TEST(OnnxBatch, IsNothingThatAConstantEquals) {
  for (const std::int64_t rows : {2, 3, 5, 7, 11, 13, 64}) {
    const std::string all = fmt::format("{}x4", rows);
    const auto sized = [&](const auto& add_nodes) {
      auto model = model_of({{"x", {-1, 4}}});
      add_nodes(model);
      add_output(model, "y");
      const auto loaded = must(converted(model));
      EXPECT_FALSE(loaded.batched);
      return shape_text(loaded.graph.op(*loaded.graph.find_operator("y")).output);
    };
    EXPECT_EQ(sized([&](auto& model) { reads_ints(model, add_node(model, "Expand", {"x"}, {"y"}), {rows, 4}); }), all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 4});
                add_node(model, "Mul", {"x", "ones"}, {"y"});
              }),
              all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 1});
                add_node(model, "Add", {"ones", "x"}, {"y"});
              }),
              all);
    EXPECT_EQ(sized([&](auto& model) {
                add_filled(model, "ones", {rows, 1, 1});
                add_node(model, "Unsqueeze", {"x", "axes"}, {"u"});
                add_ints(model, "axes", {1});
                add_node(model, "MatMul", {"ones", "u"}, {"product"});
                set_int(add_node(model, "Flatten", {"product"}, {"y"}), "axis", 2);
              }),
              all);
  }
}

TEST(OnnxBatch, OfOneIsNotThatOfAReshapeToMore) {
  auto model = model_of({{"x", {-1, 4}}});
  reads_ints(model, add_node(model, "Reshape", {"x"}, {"y"}), {2, 2});
  add_output(model, "y");
  EXPECT_THAT(units_of(model), ElementsAre("y: reshape 2x2 <- x"));
  // With two samples it is the batch by chance, for that number of samples only.
  auto two = model_of({{"x", {-1, 4}}});
  reads_ints(two, add_node(two, "Reshape", {"x"}, {"y"}), {2, 2, 2});
  add_output(two, "y");
  const auto loaded = must(converted(two, {.batch = 1, .dims = {{"N", 2}}, .bind = {}}));
  EXPECT_TRUE(loaded.batched);
  EXPECT_FALSE(loaded.file.any_batch);
  EXPECT_EQ(loaded.batch, 2);
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_THAT(loaded.warnings[0], HasSubstr("The model runs only with batch 2: "));
}

TEST(OnnxBatch, OfOneSampleMayBeAnotherComputation) {
  auto squeezed = model_of({{"x", {-1, 1, 4}}});
  add_result(squeezed, "Squeeze", {"x"}, "y");
  EXPECT_THAT(units_of(squeezed), ElementsAre("y: reshape 4 <- x"));
  EXPECT_THAT(units_of(squeezed, {.batch = 3, .dims = {}, .bind = {}}), ElementsAre("y: reshape 4 <- x"));
  EXPECT_FALSE(converted(squeezed)->batched);
  EXPECT_TRUE(converted(squeezed, {.batch = 3, .dims = {}, .bind = {}})->file.any_batch);

  // Its name stands for another axis too, so that a sample's shape follows from their number.
  auto square = model_of({{"x", {-1, -1}}});
  add_result(square, "Relu", {"x"}, "y");
  const auto loaded = must(converted(square));
  EXPECT_FALSE(loaded.batched);
  EXPECT_FALSE(loaded.file.any_batch);
}

// Constants in whose shape nothing is repeated, unlike those of element-wise operators.
TEST(OnnxBatch, IndicesOfOneSampleAreNotThoseOfAll) {
  auto model = model_of({{"x", {2, 6}}});
  *model.mutable_graph()->add_initializer() = int_tensor("at", {1, 5}, {0, 5, 5, 2, 1});
  set_int(add_result(model, "GatherElements", {"x", "at"}, "y"), "axis", 1);
  EXPECT_THAT(units_of(model), ElementsAre("y: gather elements 1x5 <- x, {1x5}"));
  auto each = model_of({{"x", {2, 6}}});
  *each.mutable_graph()->add_initializer() = int_tensor("at", {2, 2}, {3, 1, 3, 1});
  set_int(add_result(each, "GatherElements", {"x", "at"}, "y"), "axis", 1);
  EXPECT_THAT(units_of(each), ElementsAre("y: gather elements 2 <- x, {2}"));
}

TEST(OnnxBatch, InputsMayBeGivenAsConstants) {
  auto model = model_of({{"x", {-1, 6}}, {"shape", {3}}});
  add_result(model, "Reshape", {"x", "shape"}, "y");
  const OnnxOptions options{.batch = 4, .dims = {}, .bind = {{"shape", HostTensor::of_integers({3}, {4, 2, 3})}}};
  EXPECT_THAT(units_of(model, options), ElementsAre("y: reshape 2x3 <- x"));
}

}  // namespace

}  // namespace iosx::onnx_import
