#include "tests/formats/onnx/protos.h"

#include <stdexcept>
#include <system_error>

namespace iosx::onnx_import::test {

onnx::TensorProto bare_tensor(const std::string& name, std::vector<std::int64_t> dims,
                              onnx::TensorProto::DataType type) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

onnx::TensorProto float_tensor(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values) {
  onnx::TensorProto tensor = bare_tensor(name, std::move(dims), onnx::TensorProto::FLOAT);
  for (const float value : values) tensor.add_float_data(value);
  return tensor;
}

onnx::TensorProto int_tensor(const std::string& name, std::vector<std::int64_t> dims,
                             std::vector<std::int64_t> values) {
  onnx::TensorProto tensor = bare_tensor(name, std::move(dims), onnx::TensorProto::INT64);
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return tensor;
}

onnx::ModelProto empty_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("test");
  auto& input = *model.mutable_graph()->add_input();
  input.set_name("x");
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape()->add_dim()->set_dim_param("batch");
  type.mutable_shape()->add_dim()->set_dim_value(3);
  return model;
}

onnx::NodeProto& add_node(onnx::ModelProto& model, const std::string& op_type, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& name) {
  onnx::NodeProto& node = add_node(*model.mutable_graph(), op_type, inputs, outputs);
  node.set_name(name);
  return node;
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const std::string& op_type, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op_type);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

onnx::GraphProto& add_graph(onnx::NodeProto& node, const std::string& attribute, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs) {
  onnx::AttributeProto& added = *node.add_attribute();
  added.set_name(attribute);
  added.set_type(onnx::AttributeProto::GRAPH);
  for (const std::string& input : inputs) added.mutable_g()->add_input()->set_name(input);
  for (const std::string& output : outputs) added.mutable_g()->add_output()->set_name(output);
  return *added.mutable_g();
}

void add_output(onnx::ModelProto& model, const std::string& name) {
  model.mutable_graph()->add_output()->set_name(name);
}

onnx::NodeProto& add_result(onnx::ModelProto& model, const std::string& op_type, const std::vector<std::string>& inputs,
                            const std::string& output, const std::string& name) {
  add_output(model, output);
  return add_node(model, op_type, inputs, {output}, name);
}

onnx::ModelProto relu_model() {
  onnx::ModelProto model = empty_model();
  add_node(model, "Relu", {"x"}, {"y"}, "relu");
  add_output(model, "y");
  return model;
}

onnx::ModelProto model_with(const onnx::TensorProto& initializer) {
  onnx::ModelProto model = empty_model();
  *model.mutable_graph()->add_initializer() = initializer;
  add_node(model, "Add", {"x", initializer.name()}, {"y"}, "add");
  add_output(model, "y");
  return model;
}

Result<OnnxModel> parse(const std::string& bytes, const std::filesystem::path& folder) {
  return parse_onnx(std::as_bytes(std::span(bytes)), folder);
}

Result<OnnxModel> parse(const onnx::ModelProto& model, const std::filesystem::path& folder) {
  return parse(model.SerializeAsString(), folder);
}

std::string error_of(const Result<OnnxModel>& result) { return result ? "opened" : result.error().text(); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "iosx-onnx-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

namespace {

std::size_t product(const std::vector<std::int64_t>& dims) {
  return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const std::string& name,
                                    onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

std::string operator_text(const Operator& op) {
  std::string text(kind_name(op.attributes));
  const Activation activation = fused_activation(op.attributes);
  if (activation.kind != ActivationKind::kIdentity) text += fmt::format("({})", activation_name(activation));
  return fmt::format("{} {}", text, shape_text(op.output));
}

std::string value_text(const Graph& graph, const Value& value) {
  const Operator& producer = graph.op(value.producer);
  if (producer.is_constant()) return fmt::format("{{{}}}", shape_text(producer.output));
  if (value == graph.whole(value.producer)) return producer.name;
  return fmt::format("{}[{}:{}]", producer.name, value.begin, value.end);
}

std::vector<float> elements(const Tensor& tensor) { return {tensor.elements().begin(), tensor.elements().end()}; }

}  // namespace

onnx::ModelProto model_of(const std::vector<InputDims>& inputs, std::int64_t opset) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  model.mutable_graph()->set_name("model");
  for (const auto& [name, dims] : inputs) {
    auto& input = *model.mutable_graph()->add_input();
    input.set_name(name);
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape();
    for (const std::int64_t dim : dims) {
      auto& added = *type.mutable_shape()->add_dim();
      if (dim < 0) added.set_dim_param("N");
      if (dim >= 0) added.set_dim_value(dim);
    }
  }
  return model;
}

void add_floats(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> dims,
                std::vector<float> values) {
  *model.mutable_graph()->add_initializer() = float_tensor(name, std::move(dims), std::move(values));
}

void add_filled(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> dims, float value) {
  std::vector<float> values(product(dims), value);
  add_floats(model, name, std::move(dims), std::move(values));
}

void add_ints(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  *model.mutable_graph()->add_initializer() = int_tensor(name, {count}, std::move(values));
}

void reads_ints(onnx::ModelProto& model, onnx::NodeProto& node, std::vector<std::int64_t> values) {
  const std::string name = fmt::format("i{}", node.input_size());
  add_ints(model, name, std::move(values));
  node.add_input(name);
}

onnx::NodeProto& add_conv(onnx::ModelProto& model, const std::string& input, const std::string& output,
                          std::vector<std::int64_t> weights) {
  add_filled(model, output + ".w", std::move(weights));
  return add_node(model, "Conv", {input, output + ".w"}, {output});
}

void set_int(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  add_attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}
void set_float(onnx::NodeProto& node, const std::string& name, float value) {
  add_attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}
void set_ints(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  auto& attribute = add_attribute(node, name, onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}
void set_text(onnx::NodeProto& node, const std::string& name, const std::string& value) {
  add_attribute(node, name, onnx::AttributeProto::STRING).set_s(value);
}

Result<LoadedOnnx> converted(const onnx::ModelProto& model, const OnnxOptions& options) {
  const auto parsed = parse(model);
  if (!parsed) return tl::unexpected(parsed.error());
  return to_graph(*parsed, options);
}

std::string refusal_of(const onnx::ModelProto& model, const OnnxOptions& options) {
  const auto result = converted(model, options);
  return result ? "converted" : result.error().text();
}

std::vector<std::string> units_of(const Graph& graph) {
  std::vector<std::string> lines;
  for (const Unit& unit : graph.units()) {
    std::vector<std::string> operators;
    std::vector<std::string> reads;
    for (const OperatorId id : unit.operators) {
      const Operator& op = graph.op(id);
      operators.push_back(operator_text(op));
      for (const Value& value : op.inputs) {
        const Operator& producer = graph.op(value.producer);
        if (producer.is_source() || producer.unit != op.unit) reads.push_back(value_text(graph, value));
      }
    }
    lines.push_back(fmt::format("{}: {} <- {}", unit.name, fmt::join(operators, " + "), fmt::join(reads, ", ")));
  }
  return lines;
}

std::vector<std::string> units_of(const onnx::ModelProto& model, const OnnxOptions& options) {
  const auto result = converted(model, options);
  return result ? units_of(result->graph) : std::vector{result.error().text()};
}

std::vector<float> weights_of(const Graph& graph, const std::string& name) {
  const auto id = graph.find_operator(name);
  return id ? elements(graph.parameters()->weights(*id)) : std::vector<float>();
}

std::vector<float> bias_of(const Graph& graph, const std::string& name) {
  const auto id = graph.find_operator(name);
  return id ? elements(graph.parameters()->bias(*id)) : std::vector<float>();
}

}  // namespace iosx::onnx_import::test
