#include "core/formats/onnx/write/export.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

// A model that was read and is written again has the file's inputs and outputs, and computes the same.
namespace iosx::onnx_import::test {
namespace {

using iosx::test::reference_outputs;

constexpr int kInt64 = onnx::TensorProto::INT64;

onnx::ModelProto written(const LoadedOnnx& loaded, std::optional<std::int64_t> batch = {}) {
  onnx::ModelProto model;
  const auto bytes = to_onnx(loaded.graph, {.batch = batch, .file = loaded.file});
  EXPECT_TRUE(bytes) << bytes.error().text();
  EXPECT_TRUE(bytes && model.ParseFromString(*bytes));
  return model;
}

// "x int64 Nx3", one an input or output.
std::string text_of(const onnx::ValueInfoProto& info) {
  const auto& type = info.type().tensor_type();
  std::string dims;
  for (const auto& dim : type.shape().dim()) {
    dims += (dims.empty() ? "" : "x") + (dim.has_dim_param() ? dim.dim_param() : fmt::to_string(dim.dim_value()));
  }
  return fmt::format("{} {} {}", info.name(), to_string(element_type_of(type.elem_type())), dims);
}

std::vector<std::string> interface_of(const onnx::ModelProto& model) {
  auto lines = mapped<std::string>(model.graph().input(), [&](const auto& input) { return text_of(input); });
  for (const auto& output : model.graph().output()) lines.push_back("-> " + text_of(output));
  return lines;
}

// Small whole numbers, which are numbers of every type and places of every axis.
std::vector<Tensor> inputs_of(const Graph& graph, std::int64_t batch) {
  std::vector<Tensor> tensors;
  for (const OperatorId id : graph.inputs()) {
    const Shape& shape = graph.op(id).output;
    std::vector<std::int64_t> dims{batch};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    std::vector<float> numbers(static_cast<std::size_t>(batch * shape.elements()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7 + tensors.size()) % 3);
    tensors.emplace_back(std::move(dims), std::move(numbers));
  }
  return tensors;
}

// By the file's order.
std::vector<std::vector<float>> outputs_of(const LoadedOnnx& loaded) {
  const std::int64_t batch = loaded.batched ? loaded.batch : 1;
  const auto all = reference_outputs(loaded.graph, inputs_of(loaded.graph, batch), batch);
  std::vector<std::vector<float>> found;
  for (const FileTensor& output : loaded.file.outputs) {
    const auto outputs = loaded.graph.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (loaded.graph.op(outputs[i]).name != output.op) continue;
      found.emplace_back(all[i].elements().begin(), all[i].elements().end());
    }
  }
  return found;
}

LoadedOnnx read(const onnx::ModelProto& model) {
  auto loaded = must(converted(model));
  EXPECT_TRUE(std::ranges::none_of(loaded.graph.operators(), [](const Operator& op) { return op.as<Opaque>(); }))
      << testing::PrintToString(loaded.warnings);
  return loaded;
}

// Returns the interface of what is written, which computes what the model does.
std::vector<std::string> round_trip(const onnx::ModelProto& model) {
  const LoadedOnnx before = read(model);
  const onnx::ModelProto again = written(before);
  const auto expected = outputs_of(before);
  const auto actual = outputs_of(read(again));
  EXPECT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    EXPECT_EQ(actual[i].size(), expected[i].size());
    for (std::size_t k = 0; k < expected[i].size(); ++k) EXPECT_NEAR(actual[i][k], expected[i][k], 1e-5);
  }
  return interface_of(again);
}

onnx::ModelProto typed(const std::vector<InputDims>& inputs, int type, std::int64_t opset = 17) {
  auto model = model_of(inputs, opset);
  for (auto& input : *model.mutable_graph()->mutable_input()) {
    input.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  }
  return model;
}

void add_typed_output(onnx::ModelProto& model, const std::string& name, int type) {
  add_output(model, name);
  model.mutable_graph()
      ->mutable_output(model.graph().output_size() - 1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(type);
}

TEST(ExportInterface, HasTheFilesTypes) {
  for (const int type : {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 16}) {
    const std::string name(to_string(element_type_of(type)));
    for (const std::int64_t lead : {-1, 3}) {
      auto model = typed({{"b", {lead, 4}}, {"a", {lead, 4}}}, type);
      add_node(model, "Add", {"a", "b"}, {"z"});
      add_node(model, "Identity", {"z"}, {"y"});
      add_typed_output(model, "z", type);
      add_typed_output(model, "y", type);
      const std::string dims = lead < 0 ? "Nx4" : "3x4";
      EXPECT_THAT(round_trip(model),
                  ElementsAre(fmt::format("b {} {}", name, dims), fmt::format("a {} {}", name, dims),
                              fmt::format("-> z {} {}", name, dims), fmt::format("-> y {} {}", name, dims)));
    }
  }
  auto truths = typed({{"x", {-1, 4}}}, onnx::TensorProto::BOOL);
  add_node(truths, "Not", {"x"}, {"y"});
  add_typed_output(truths, "y", onnx::TensorProto::BOOL);
  EXPECT_THAT(round_trip(truths), ElementsAre("x bool Nx4", "-> y bool Nx4"));
  auto compared = model_of({{"x", {-1, 4}}});
  add_node(compared, "Greater", {"x", "one"}, {"y"});
  add_floats(compared, "one", {1}, {1});
  set_int(add_node(compared, "ArgMax", {"x"}, {"at"}), "axis", 1);
  add_output(compared, "y");
  add_output(compared, "at");
  EXPECT_THAT(round_trip(compared), ElementsAre("x float32 Nx4", "-> y bool Nx4", "-> at int64 Nx1"));
}

// A graph whose shapes have all axes is written without another before them, also where ONNX has an operator for
// batches only.
TEST(ExportInterface, HasNoFurtherAxis) {
  auto mixed = model_of({{"x", {2, 3, 4, 4}}});
  add_conv(mixed, "x", "c", {4, 3, 3, 3});
  set_ints(add_node(mixed, "MaxPool", {"c"}, {"p"}), "kernel_shape", {2, 2});
  add_node(mixed, "ReduceSum", {"p", "axes"}, {"s"});
  add_ints(mixed, "axes", {0});
  add_result(mixed, "Relu", {"s"}, "y");
  EXPECT_THAT(round_trip(mixed), ElementsAre("x float32 2x3x4x4", "-> y float32 1x4x1x1"));

  auto vector = model_of({{"x", {6}}});
  add_node(vector, "Relu", {"x"}, {"r"});
  set_int(add_result(vector, "Softmax", {"r"}, "y"), "axis", 0);
  EXPECT_THAT(round_trip(vector), ElementsAre("x float32 6", "-> y float32 6"));

  auto scalar = model_of({{"x", {}}, {"w", {3}}});
  add_result(scalar, "Mul", {"x", "w"}, "y");
  EXPECT_THAT(round_trip(scalar), ElementsAre("x float32 ", "w float32 3", "-> y float32 3"));

  auto kinds = model_of({{"x", {3, 2, 4}}});
  set_ints(add_node(kinds, "Transpose", {"x"}, {"t"}), "perm", {2, 0, 1});
  reads_ints(kinds, add_node(kinds, "Reshape", {"t"}, {"r"}), {4, 6});
  add_ints(kinds, "pads", {1, 0, 0, 2});
  add_node(kinds, "Pad", {"r", "pads"}, {"p"});
  auto& slice = add_node(kinds, "Slice", {"p", "from", "to", "along", "by"}, {"s"});
  add_ints(kinds, "from", {4, 1});
  add_ints(kinds, "to", {0, 8});
  add_ints(kinds, "along", {0, 1});
  add_ints(kinds, "by", {-2, 3});
  EXPECT_EQ(slice.input_size(), 5);
  set_int(add_node(kinds, "Concat", {"s", "s"}, {"c"}), "axis", 0);
  add_ints(kinds, "more", {2, 1, 3});
  add_node(kinds, "Expand", {"c", "more"}, {"e"});
  set_int(add_result(kinds, "ArgMax", {"e"}, "y"), "axis", 0);
  EXPECT_THAT(round_trip(kinds), ElementsAre("x float32 3x2x4", "-> y int64 1x4x3"));

  auto resized = model_of({{"x", {1, 2, 2, 2, 3}}});
  add_floats(resized, "scales", {5}, {1, 1, 2, 2, 2});
  add_node(resized, "Resize", {"x", "", "scales"}, {"r"});
  set_ints(add_result(resized, "Transpose", {"r"}, "y"), "perm", {4, 3, 2, 1, 0});
  EXPECT_THAT(round_trip(resized), ElementsAre("x float32 1x2x2x2x3", "-> y float32 6x4x4x2x1"));
  const onnx::ModelProto again = written(read(resized));
  for (const auto& node : again.graph().node()) EXPECT_NE(node.op_type(), "Unsqueeze");
}

TEST(ExportInterface, HasTheFilesNamesAndOrder) {
  auto model = model_of({{"x", {-1, 4}}, {"x/y", {-1, 4}}});
  add_node(model, "Relu", {"x"}, {"r"}, "x/y");
  add_node(model, "Identity", {"r"}, {"out"});
  add_node(model, "Add", {"r", "x/y"}, {"sum"});
  for (const char* name : {"sum", "out", "r", "x", "out"}) add_output(model, name);
  EXPECT_THAT(round_trip(model),
              ElementsAre("x float32 Nx4", "x/y float32 Nx4", "-> sum float32 Nx4", "-> out float32 Nx4",
                          "-> r float32 Nx4", "-> x float32 Nx4", "-> out float32 Nx4"));
  auto numbered = model_of({{"x", {-1, 4}}});
  add_node(numbered, "Relu", {"x"}, {"x_1"});
  for (const char* name : {"x", "x_1"}) add_output(numbered, name);
  EXPECT_THAT(round_trip(numbered), ElementsAre("x float32 Nx4", "-> x float32 Nx4", "-> x_1 float32 Nx4"));
  auto constant = model_of({{"x", {1, 4}}});
  add_filled(constant, "w", {3}, 2);
  add_node(constant, "Relu", {"x"}, {"y"});
  add_output(constant, "w");
  add_output(constant, "y");
  EXPECT_THAT(round_trip(constant), ElementsAre("x float32 1x4", "-> w float32 3", "-> y float32 1x4"));
}

TEST(ExportInterface, HasAnotherBatchWhereTheGraphHoldsForIt) {
  auto model = model_of({{"x", {-1, 4}}});
  add_result(model, "Relu", {"x"}, "y");
  EXPECT_THAT(interface_of(written(read(model), 5)), ElementsAre("x float32 5x4", "-> y float32 5x4"));
  EXPECT_EQ(exported_batch(read(model).graph, {.file = read(model).file}), std::nullopt);
  auto rows = model_of({{"x", {-1, 4}}});
  reads_ints(rows, add_node(rows, "Expand", {"x"}, {"y"}), {3, 4});
  add_output(rows, "y");
  const LoadedOnnx loaded = read(rows);
  EXPECT_THAT(interface_of(written(loaded)), ElementsAre("x float32 1x4", "-> y float32 3x4"));
  EXPECT_THAT(refused(to_onnx(loaded.graph, {.batch = 5, .file = loaded.file})).text(),
              HasSubstr("runs only with a batch of 1, not 5"));
}

// As iosx convert writes it.
std::vector<std::string> interface_kept_open(const onnx::ModelProto& model) {
  const LoadedOnnx loaded = read(model);
  const auto kept = kept_open(loaded.graph, loaded.file, [&](const InputSizes& sizes) -> Result<SizedModel> {
    IOS_TRY(auto again, converted(model, {.dims = sizes.dims}));
    return SizedModel{std::move(again.graph), std::move(again.file)};
  });
  onnx::ModelProto made;
  EXPECT_TRUE(made.ParseFromString(to_onnx(loaded.graph, {.file = kept}).value()));
  return interface_of(made);
}

void name_dims(onnx::ModelProto& model, const std::vector<std::string>& names) {
  auto& shape = *model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) shape.mutable_dim(static_cast<int>(i))->set_dim_param(names[i]);
  }
}

TEST(ExportInterface, StaysOpenWhereSizesDecideNothing) {
  auto image = model_of({{"x", {-1, 3, 8, 8}}});
  name_dims(image, {"", "", "high", "wide"});
  add_conv(image, "x", "y", {4, 3, 3, 3});
  add_output(image, "y");
  auto& declared = *image.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type();
  for (const char* dim : {"N", "", "out_high", "out_wide"}) declared.mutable_shape()->add_dim()->set_dim_param(dim);
  declared.mutable_shape()->mutable_dim(1)->set_dim_value(4);
  EXPECT_THAT(interface_kept_open(image), ElementsAre("x float32 Nx3xhighxwide", "-> y float32 Nx4xout_highxout_wide"));

  // Its padding follows from the height, so that is fixed, and the width is not.
  auto padded = model_of({{"x", {-1, 3, 8, 8}}});
  name_dims(padded, {"", "", "high", "wide"});
  set_text(add_node(padded, "MaxPool", {"x"}, {"p"}), "auto_pad", "SAME_UPPER");
  auto& pool = *padded.mutable_graph()->mutable_node(0);
  set_ints(pool, "kernel_shape", {4, 1});
  set_ints(pool, "strides", {4, 1});
  add_result(padded, "Relu", {"p"}, "y");
  EXPECT_THAT(interface_kept_open(padded), ElementsAre("x float32 Nx3x224xwide", "-> y float32 Nx3x56x0"));

  auto mixed = model_of({{"x", {-1, 3}}});
  set_ints(add_result(mixed, "Transpose", {"x"}, "y"), "perm", {1, 0});
  EXPECT_THAT(interface_kept_open(mixed), ElementsAre("x float32 Nx3", "-> y float32 3x0"));

  auto flat = model_of({{"x", {-1, 3}}});
  reads_ints(flat, add_node(flat, "Reshape", {"x"}, {"y"}), {3, -1});
  add_output(flat, "y");
  EXPECT_THAT(interface_kept_open(flat), ElementsAre("x float32 1x3", "-> y float32 3x1"));
}

struct Lookup {
  std::int64_t axis;
  bool table;  // the data are constant
  bool fixed;  // the indices are
  bool whole;  // an operator after it mixes samples
};

class ExportLookup : public testing::TestWithParam<Lookup> {
 protected:
  static onnx::ModelProto model(const std::string& type, const std::vector<std::int64_t>& data,
                                const std::vector<std::int64_t>& indices) {
    const auto [axis, table, fixed, whole] = GetParam();
    std::vector<InputDims> inputs;
    if (!table) inputs.push_back({"data", data});
    if (!fixed) inputs.push_back({"indices", indices});
    auto model = model_of(inputs);
    if (!fixed) {
      auto& input = *model.mutable_graph()->mutable_input(table ? 0 : 1);
      input.mutable_type()->mutable_tensor_type()->set_elem_type(kInt64);
    }
    if (table) {
      std::vector<float> numbers(static_cast<std::size_t>(element_count(data).value()));
      std::iota(numbers.begin(), numbers.end(), 0.0F);
      add_floats(model, "data", data, std::move(numbers));
    }
    if (fixed) {
      std::vector<std::int64_t> places(static_cast<std::size_t>(element_count(indices).value()));
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i * i % 3) - 1;
      *model.mutable_graph()->add_initializer() = int_tensor("indices", indices, std::move(places));
    }
    auto& node = add_node(model, type, {"data", "indices"}, {"found"});
    if (type != "GatherND") set_int(node, "axis", axis);
    if (whole) {
      add_ints(model, "all", {-1, 1});
      add_node(model, "Reshape", {"found", "all"}, {"column"});
      set_int(add_node(model, "Softmax", {"column"}, {"y"}), "axis", 0);
    } else {
      add_node(model, "Neg", {"found"}, {"y"});
    }
    add_output(model, "y");
    return model;
  }
};

TEST_P(ExportLookup, OfSlicesIsWritten) {
  if (GetParam().table && GetParam().fixed) return;
  round_trip(model("Gather", {3, 3, 4, 3}, {3, 2, 2}));
  round_trip(model("Gather", {3, 3, 4, 3}, {3, 1}));
}

TEST_P(ExportLookup, OfElementsIsWritten) {
  if (GetParam().table && GetParam().fixed) return;
  round_trip(model("GatherElements", {3, 3, 4, 3}, {3, 2, 3, 3}));
}

TEST_P(ExportLookup, OfPlacesIsWritten) {
  if (GetParam().table && GetParam().fixed) return;
  round_trip(model("GatherND", {3, 3, 4}, {3, 2, 2}));
  round_trip(model("GatherND", {3, 3, 4}, {2, 1}));
}

INSTANTIATE_TEST_SUITE_P(Export, ExportLookup, testing::ValuesIn([] {
                           std::vector<Lookup> all;
                           for (const std::int64_t axis : {0, 1, 2, -1}) {
                             for (int bits = 0; bits < 8; ++bits) {
                               all.push_back({axis, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0});
                             }
                           }
                           return all;
                         }()));

// Places that are constant are a gathering, by which ONNX has them.
TEST(ExportInterface, HasScatteredElements) {
  for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
    auto model = model_of({{"x", {3, 4}}, {"u", {2, 4}}}, 18);
    *model.mutable_graph()->add_initializer() = int_tensor("at", {2, 1}, {2, 0});
    set_text(add_result(model, "ScatterND", {"x", "at", "u"}, "y"), "reduction", reduction);
    EXPECT_THAT(round_trip(model), ElementsAre("x float32 3x4", "u float32 2x4", "-> y float32 3x4"));
    auto along = model_of({{"x", {3, 4}}, {"u", {1, 4}}}, 18);
    *along.mutable_graph()->add_initializer() = int_tensor("at", {1, 4}, {2, 0, -1, 1});
    auto& node = add_node(along, "ScatterElements", {"x", "at", "u"}, {"y"});
    set_text(node, "reduction", reduction);
    set_int(node, "axis", 0);
    add_output(along, "y");
    EXPECT_THAT(round_trip(along), ElementsAre("x float32 3x4", "u float32 1x4", "-> y float32 3x4"));
  }
}

}  // namespace
}  // namespace iosx::onnx_import::test
