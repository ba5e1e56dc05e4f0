#include "core/formats/onnx/convert/infer_outputs.h"

#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace iosx::onnx_import {
namespace {

// The newest opset that the library's definitions are of. Of newer ones it has the older form, which these changed.
constexpr std::int64_t kNewestDefined = 17;
constexpr std::array<std::string_view, 6> kChangedLater{"AveragePool", "DFT", "LpPool", "Pad", "Resize", "Split"};

// ONNX divides by these without a look at them.
constexpr std::array<std::string_view, 3> kPositive{"dilations", "kernel_shape", "strides"};
// It reads beyond the ends of lists for these, where what they read does not fit.
constexpr std::array<std::string_view, 7> kUnchecked{"ConvInteger", "GatherND", "LayerNormalization", "MaxUnpool",
                                                     "QLinearConv", "STFT",     "SplitToSequence"};

constexpr std::int64_t kMostElements = 4096;  // of a constant that a shape follows from

bool is_defined(const Node& node, std::int64_t opset) {
  if (opset <= kNewestDefined) return true;
  return !node.op_type.starts_with("Reduce") && std::ranges::find(kChangedLater, node.op_type) == kChangedLater.end();
}

// Returns whether the library can be asked about a node of whatever file: it takes numbers as sizes and positions, and
// counts up to them, as they are.
bool is_sound(const Node& node, std::span<const TensorFacts> inputs) {
  if (std::ranges::find(kUnchecked, node.op_type) != kUnchecked.end()) return false;
  if (node.op_type == "Slice") return true;  // ends may be as large as they like
  const auto sane = [](std::int64_t value) { return value >= -kMaxExtent && value <= kMaxExtent; };
  for (const auto& [name, attribute] : node.attributes) {
    const bool positive = std::ranges::find(kPositive, name) != kPositive.end();
    const auto* const value = std::get_if<std::int64_t>(&attribute);
    const auto* const list = std::get_if<Dims>(&attribute);
    if (value != nullptr && !sane(*value)) return false;
    const auto fits = [&](std::int64_t each) { return sane(each) && (each > 0 || !positive); };
    if (list != nullptr && !std::ranges::all_of(*list, fits)) return false;
  }
  for (const TensorFacts& input : inputs) {
    const HostTensor* const tensor = input.constant;
    const bool told = tensor != nullptr && tensor->holds_integers() && tensor->elements() <= kMostElements;
    if (told && !std::ranges::all_of(tensor->integers(), sane)) return false;
  }
  if (node.op_type != "Conv" && node.op_type != "ConvTranspose") return true;
  const bool shaped = inputs.size() > 1 && inputs[0].dims && inputs[1].dims;
  return shaped && inputs[0].dims->size() == inputs[1].dims->size() && inputs[0].dims->size() > 2;
}

// The values of long or unreadable tensors are left out: no shape follows from them.
onnx::TensorProto proto_of(const HostTensor& tensor) {
  onnx::TensorProto proto;
  for (const std::int64_t dim : tensor.dims()) proto.add_dims(dim);
  proto.set_data_type(static_cast<std::int32_t>(onnx_number_of(tensor.type())));
  if (tensor.elements() > kMostElements) return proto;
  if (tensor.type() == ElementType::kFloat32) {
    for (const float value : tensor.floats()) proto.add_float_data(value);
  } else if (tensor.type() == ElementType::kInt64) {
    for (const std::int64_t value : tensor.integers()) proto.add_int64_data(value);
  } else if (tensor.type() == ElementType::kInt32) {
    for (const std::int64_t value : tensor.integers()) proto.add_int32_data(static_cast<std::int32_t>(value));
  }
  return proto;
}

bool has_values(const onnx::TensorProto& proto) {
  return proto.float_data_size() > 0 || proto.int64_data_size() > 0 || proto.int32_data_size() > 0;
}

struct AttributeWriter {
  onnx::AttributeProto& proto;

  bool operator()(std::int64_t value) const {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
    return true;
  }
  bool operator()(float value) const {
    proto.set_type(onnx::AttributeProto::FLOAT);
    proto.set_f(value);
    return true;
  }
  bool operator()(const std::string& value) const {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(value);
    return true;
  }
  bool operator()(const std::vector<std::int64_t>& values) const {
    proto.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) proto.add_ints(value);
    return true;
  }
  bool operator()(const std::vector<float>& values) const {
    proto.set_type(onnx::AttributeProto::FLOATS);
    for (const float value : values) proto.add_floats(value);
    return true;
  }
  bool operator()(const std::vector<std::string>& values) const {
    proto.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& value : values) proto.add_strings(value);
    return true;
  }
  bool operator()(const HostTensor& tensor) const {
    proto.set_type(onnx::AttributeProto::TENSOR);
    *proto.mutable_t() = proto_of(tensor);
    return true;
  }
  bool operator()(const auto& /*unread*/) const { return false; }  // graphs, and what is not read
};

// Returns the node as a message; none where a part of it is not kept. Attributes of newer opsets are left out: where
// they decide about shapes, is_defined() says no.
std::optional<onnx::NodeProto> proto_of(const Node& node, const onnx::OpSchema& schema, bool newer) {
  onnx::NodeProto proto;
  proto.set_op_type(node.op_type);
  proto.set_domain(node.domain);
  for (const std::string& name : node.inputs) proto.add_input(name);
  for (const std::string& name : node.outputs) proto.add_output(name);
  for (const auto& [name, attribute] : node.attributes) {
    if (newer && !schema.attributes().contains(name)) continue;
    auto& written = *proto.add_attribute();
    written.set_name(name);
    if (!std::visit(AttributeWriter{written}, attribute)) return std::nullopt;
  }
  return proto;
}

// Answers what ONNX asks about a node, and keeps what it answers.
class Inference final : public onnx::InferenceContext {
 public:
  Inference(const onnx::NodeProto& node, std::span<const TensorFacts> inputs)
      : node_(node), types_(inputs.size()), data_(inputs.size()), known_(inputs.size(), false) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const TensorFacts& input = inputs[i];
      if (input.type == ElementType::kUndefined || onnx_number_of(input.type) == 0) continue;
      known_[i] = true;
      auto& tensor = *types_[i].mutable_tensor_type();
      tensor.set_elem_type(static_cast<std::int32_t>(onnx_number_of(input.type)));
      if (input.constant != nullptr) data_[i] = proto_of(*input.constant);
      if (!input.dims) continue;
      auto& shape = *tensor.mutable_shape();
      for (const std::int64_t dim : *input.dims) {
        auto& size = *shape.add_dim();
        if (dim != kUnknownSize) size.set_dim_value(dim);
      }
    }
    outputs_.resize(static_cast<std::size_t>(node.output_size()));
  }

  const std::vector<onnx::TypeProto>& outputs() const { return outputs_; }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    const auto& all = node_.attribute();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name() == name; });
    return found == all.end() ? nullptr : &*found;
  }
  std::size_t getNumInputs() const override { return types_.size(); }
  const onnx::TypeProto* getInputType(std::size_t i) const override { return known_.at(i) ? &types_[i] : nullptr; }
  const onnx::TensorProto* getInputData(std::size_t i) const override {
    return has_values(data_.at(i)) ? &data_[i] : nullptr;
  }
  std::size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(std::size_t i) override { return &outputs_.at(i); }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    throw std::invalid_argument(name);
  }
  const onnx::SparseTensorProto* getInputSparseData(std::size_t /*i*/) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(std::size_t /*i*/) const override { return nullptr; }

 private:
  const onnx::NodeProto& node_;
  std::vector<onnx::TypeProto> types_;
  std::vector<onnx::TensorProto> data_;
  std::vector<bool> known_;
  std::vector<onnx::TypeProto> outputs_;
};

TensorFacts facts_of(const onnx::TypeProto& type) {
  if (!type.has_tensor_type()) return {};
  const auto& tensor = type.tensor_type();
  TensorFacts facts{.type = element_type_of(tensor.elem_type())};
  if (!tensor.has_shape()) return facts;
  facts.dims.emplace();
  for (const auto& dim : tensor.shape().dim()) {
    const bool known = dim.has_dim_value() && dim.dim_value() >= 0;
    facts.dims->push_back(known ? dim.dim_value() : kUnknownSize);
  }
  return facts;
}

}  // namespace

bool TensorFacts::has_sizes() const { return dims && std::ranges::find(*dims, kUnknownSize) == dims->end(); }

std::int64_t TensorFacts::elements() const { return has_sizes() ? element_count(*dims).value_or(0) : 0; }

std::vector<TensorFacts> infer_outputs(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset) {
  std::vector<TensorFacts> found(node.outputs.size());
  if (!node.domain.empty() || !is_defined(node, opset) || !is_sound(node, inputs)) return found;
  // ONNX throws what does not fit.
  try {
    const auto newest = static_cast<int>(std::min(opset, kNewestDefined));
    const onnx::OpSchema* const schema = onnx::OpSchemaRegistry::Schema(node.op_type, newest, node.domain);
    const auto proto = schema == nullptr ? std::nullopt : proto_of(node, *schema, opset > newest);
    if (!proto) return found;
    schema->Verify(*proto);
    const auto untyped = [](const TensorFacts& input) { return onnx_number_of(input.type) == 0; };
    const auto needed = std::min(static_cast<std::size_t>(schema->min_input()), inputs.size());
    if (std::ranges::any_of(inputs.first(needed), untyped)) return found;
    Inference inference(*proto, inputs);
    schema->GetTypeAndShapeInferenceFunction()(inference);
    std::ranges::transform(inference.outputs(), found.begin(), facts_of);
  } catch (const std::exception&) {
    return std::vector<TensorFacts>(node.outputs.size());
  }
  return found;
}

}  // namespace iosx::onnx_import
