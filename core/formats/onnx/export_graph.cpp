#include "core/formats/onnx/export_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/formats/onnx/element_functions.h"
#include "core/formats/onnx/export_kinds.h"
#include "core/model/graph/operator_table.h"

namespace iosx::onnx_import {
namespace {

constexpr const char* kBatch = "batch";

onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const std::string& name,
                                    onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

}  // namespace

void set(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  add_attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}
void set(onnx::NodeProto& node, const std::string& name, float value) {
  add_attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}
void set(onnx::NodeProto& node, const std::string& name, std::string_view value) {
  add_attribute(node, name, onnx::AttributeProto::STRING).set_s(std::string(value));
}
void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::AttributeProto& attribute = add_attribute(node, name, onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

GraphExport::GraphExport(const Graph& graph, const OnnxExportOptions& options, const StoreFloats& store,
                         onnx::GraphProto& out)
    : graph_(graph), options_(options), store_(store), out_(out) {
  for (const Operator& op : graph.operators()) names_.insert(op.name);
}

Result<void> GraphExport::run() {
  out_.set_name(graph_.name().empty() ? "graph" : graph_.name());
  for (std::size_t i = 0; i < graph_.operators().size() && status_; ++i) {
    id_ = OperatorId(i);
    op_ = &graph_.op(id_);
    visit_kind(Kinds{*this}, op_->attributes);
    if (!status_ && status_.error().where.empty()) status_.error().where = op_->name;
  }
  for (const OperatorId id : output_operators(graph_, options_.outputs)) declare(*out_.add_output(), id);
  return status_;
}

void GraphExport::refuse(Message what, Message remedy) {
  if (status_) status_ = fail(std::move(what), op_->name, std::move(remedy));
}

void GraphExport::declare(onnx::ValueInfoProto& info, OperatorId id) {
  info.set_name(graph_.op(id).name);
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  onnx::TensorShapeProto::Dimension& first = *type.mutable_shape()->add_dim();
  if (options_.batch) {
    first.set_dim_value(*options_.batch);
  } else {
    first.set_dim_param(kBatch);
  }
  for (const std::int64_t size : graph_.op(id).output.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
}

std::string GraphExport::fresh(std::string_view suffix) {
  std::string name = fmt::format("{}/{}", op_->name, suffix);
  while (!names_.insert(name).second) name += '_';
  return name;
}

void GraphExport::store(const std::string& name, const Tensor& tensor) {
  if (!status_) return;
  onnx::TensorProto& proto = *out_.add_initializer();
  proto.set_name(name);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t size : tensor.dims()) proto.add_dims(size);
  if (auto stored = store_(proto, tensor.elements()); !stored) status_ = std::move(stored);
}

std::string GraphExport::floats(std::string_view suffix, const Tensor& tensor) {
  std::string name = fresh(suffix);
  store(name, tensor);
  return name;
}

std::string GraphExport::bias(std::string_view suffix) {
  const Parameters& parameters = *graph_.parameters();
  return parameters.has_bias(id_) ? floats(suffix, parameters.bias(id_)) : std::string();
}

std::string GraphExport::scalar(std::string_view suffix, float value) {
  return floats(suffix, Tensor(std::vector<std::int64_t>{}, {value}));
}

std::string GraphExport::integers(std::string_view suffix, std::span<const std::int64_t> values) {
  onnx::TensorProto& proto = *out_.add_initializer();
  proto.set_name(fresh(suffix));
  proto.set_data_type(onnx::TensorProto::INT64);
  proto.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) proto.add_int64_data(value);
  return proto.name();
}

onnx::NodeProto& GraphExport::node(std::string_view type, const Names& inputs, const std::string& output) {
  onnx::NodeProto& node = *out_.add_node();
  node.set_op_type(std::string(type));
  node.set_name(output);
  for (const std::string& input : inputs) node.add_input(input);
  while (node.input_size() > 0 && node.input(node.input_size() - 1).empty()) node.mutable_input()->RemoveLast();
  node.add_output(output);
  return node;
}

onnx::NodeProto& GraphExport::main_node(std::string_view type, const Names& inputs, const std::string& output) {
  onnx::NodeProto& made = node(type, inputs, output);
  made.set_name(op_->name);
  return made;
}

std::string GraphExport::helper(std::string_view type, const Names& inputs, std::string_view suffix) {
  return node(type, inputs, fresh(suffix)).output(0);
}

std::string GraphExport::read(const Value& value) {
  const Operator& producer = graph_.op(value.producer);
  if (value == graph_.whole(value.producer)) return producer.name;
  std::string& name = slices_[{value.producer.index(), value.begin, value.end}];
  if (name.empty()) {
    const std::string suffix = fmt::format("channels_{}_{}", value.begin, value.end);
    const std::int64_t axis = has_batch(value) ? 1 : 0;
    const auto list = [&](std::string_view what, std::int64_t number) {
      return integers(fmt::format("{}_{}", suffix, what), std::span(&number, 1));
    };
    name =
        helper("Slice", {producer.name, list("from", value.begin), list("to", value.end), list("axis", axis)}, suffix);
  }
  return name;
}

std::string GraphExport::dims_with_batch(std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> all{options_.batch.value_or(0)};
  all.insert(all.end(), dims.begin(), dims.end());
  if (options_.batch) return integers("dims", all);
  if (graph_.inputs().empty()) {
    refuse(message("depends on the size of the batch, which no input gives"), message("export with a fixed batch"));
    return {};
  }
  const std::int64_t zero = 0;
  const std::int64_t one = 1;
  const std::string whole = helper("Shape", {graph_.op(graph_.inputs().front()).name}, "input_dims");
  const std::string from = integers("first", std::span(&zero, 1));
  const std::string to = integers("second", std::span(&one, 1));
  std::string batch = helper("Slice", {whole, from, to}, "batch");
  if (dims.empty()) return batch;
  std::string made = helper("Concat", {batch, integers("sample_dims", dims)}, "dims");
  set(*out_.mutable_node(out_.node_size() - 1), "axis", std::int64_t{0});
  return made;
}

std::string GraphExport::read_with_batch(const Value& value) {
  if (has_batch(value)) return read(value);
  const std::string alone = read(value);
  std::string& name = expanded_[{value.producer.index(), value.begin, value.end}];
  if (name.empty()) name = helper("Expand", {alone, dims_with_batch(graph_.shape(value).dims())}, "expanded");
  return name;
}

GraphExport::Names GraphExport::aligned() {
  std::size_t rank = 0;
  bool any_batch = false;
  for (const Value& value : op_->inputs) {
    rank = std::max(rank, graph_.shape(value).rank());
    any_batch = any_batch || has_batch(value);
  }
  Names names;
  for (const Value& value : op_->inputs) {
    // One operand with the batch is enough: the others broadcast.
    const bool needs_batch = !any_batch && names.empty();
    names.push_back(needs_batch ? read_with_batch(value) : read(value));
    const std::size_t own = graph_.shape(value).rank();
    if (own == rank || !(needs_batch || has_batch(value))) continue;
    std::vector<std::int64_t> axes;
    for (std::size_t axis = 1; axis <= rank - own; ++axis) axes.push_back(static_cast<std::int64_t>(axis));
    names.back() = helper("Unsqueeze", {names.back(), integers("axes", axes)}, "unsqueezed");
  }
  return names;
}

std::string GraphExport::before(const Activation& function) {
  if (function == Activation::kIdentity) return op_->name;
  return fresh(kind_name(op_->attributes));
}

void GraphExport::fused(const Activation& function, const std::string& in) {
  if (function != Activation::kIdentity) activation(function, in, op_->name, false);
}

void GraphExport::activation(const Activation& function, const std::string& in, const std::string& out, bool named) {
  const auto last = [&](std::string_view type, const Names& inputs) -> onnx::NodeProto& {
    onnx::NodeProto& made = node(type, inputs, out);
    made.set_name(named ? op_->name : fresh("activation"));
    return made;
  };
  const auto truth = [&](std::string_view type, const std::string& of) {
    cast_back(helper(type, {of}, "truth"), out, named);
  };
  switch (function.kind) {
    case ActivationKind::kIdentity: last("Identity", {in}); return;
    case ActivationKind::kClip: {
      const std::string low = scalar("low", function.alpha);
      last("Clip", {in, low, scalar("high", function.beta)});
      return;
    }
    case ActivationKind::kSwish: last("Mul", {in, helper("Sigmoid", {in}, "sigmoid")}); return;
    // Functions that newer opsets have, of those before.
    case ActivationKind::kMish:
      last("Mul", {in, helper("Tanh", {helper("Softplus", {in}, "softplus")}, "tanh")});
      return;
    case ActivationKind::kGelu: {
      const std::string erf = helper("Erf", {helper("Mul", {in, scalar("root", 0.707106781F)}, "scaled")}, "erf");
      const std::string half = helper("Mul", {in, scalar("half", 0.5F)}, "halved");
      last("Mul", {half, helper("Add", {erf, scalar("one", 1)}, "sum")});
      return;
    }
    case ActivationKind::kGeluTanh: {
      const std::string cube = helper("Mul", {helper("Mul", {in, in}, "square"), in}, "cube");
      const std::string sum = helper("Add", {in, helper("Mul", {cube, scalar("factor", 0.044715F)}, "scaled")}, "term");
      const std::string tanh = helper("Tanh", {helper("Mul", {sum, scalar("root", 0.797884561F)}, "inside")}, "tanh");
      const std::string half = helper("Mul", {in, scalar("half", 0.5F)}, "halved");
      last("Mul", {half, helper("Add", {tanh, scalar("one", 1)}, "sum")});
      return;
    }
    case ActivationKind::kTruncate:
      last("Mul", {helper("Sign", {in}, "sign"), helper("Floor", {helper("Abs", {in}, "size")}, "floor")});
      return;
    case ActivationKind::kNot: return truth("Not", cast(in, onnx::TensorProto::BOOL, "bool"));
    case ActivationKind::kIsNan: return truth("IsNaN", in);
    case ActivationKind::kIsInf: {
      const std::string found = helper("IsInf", {in}, "truth");
      onnx::NodeProto& made = *out_.mutable_node(out_.node_size() - 1);
      set(made, "detect_negative", std::int64_t{function.alpha != 0});
      set(made, "detect_positive", std::int64_t{function.beta != 0});
      return cast_back(found, out, named);
    }
    default: break;
  }
  const ElementFunction& row = *element_function(function.kind);
  onnx::NodeProto& made = last(row.op_type, {in});
  if (!row.alpha.attribute.empty()) set(made, std::string(row.alpha.attribute), function.alpha);
  if (!row.beta.attribute.empty()) set(made, std::string(row.beta.attribute), function.beta);
}

std::string GraphExport::cast(const std::string& from, std::int64_t type, std::string_view suffix) {
  std::string name = helper("Cast", {from}, suffix);
  set(*out_.mutable_node(out_.node_size() - 1), "to", type);
  return name;
}

void GraphExport::cast_back(const std::string& from, const std::string& out, bool named) {
  onnx::NodeProto& made = node("Cast", {from}, out);
  made.set_name(named ? op_->name : fresh("activation"));
  set(made, "to", std::int64_t{onnx::TensorProto::FLOAT});
}

}  // namespace iosx::onnx_import
