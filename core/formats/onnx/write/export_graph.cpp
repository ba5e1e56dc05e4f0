#include "core/formats/onnx/write/export_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/formats/onnx/element_functions.h"
#include "core/model/graph/operator_table.h"

namespace iosx::onnx_import {
namespace {

constexpr const char* kBatch = "batch";

int data_type(const FileTensor& tensor) {
  const std::int64_t number = onnx_number_of(element_type_named(tensor.type));
  return number == 0 ? static_cast<int>(onnx::TensorProto::FLOAT) : static_cast<int>(number);
}

// Returns whether the file's operators are those of the graph, with its axes.
bool fits(const FileInterface& file, const Graph& graph) {
  if (file.inputs.size() != graph.inputs().size() || file.outputs.empty()) return false;
  const auto same = [&](const FileTensor& tensor, bool input) {
    const auto id = graph.find_operator(tensor.op);
    if (!id || graph.op(*id).is_input() != input) return false;
    const auto sizes = tensor.shape();
    if (file.leading_batch && sizes.empty()) return false;
    return std::ranges::equal(std::span(sizes).subspan(file.leading_batch ? 1 : 0), graph.op(*id).output.dims());
  };
  return std::ranges::all_of(file.inputs, [&](const FileTensor& tensor) { return same(tensor, true); }) &&
         std::ranges::all_of(file.outputs, [&](const FileTensor& tensor) { return same(tensor, false); });
}

// An axis without a name stays one of unknown size.
void set_open(onnx::TensorShapeProto::Dimension& dim, const std::string& name) {
  if (!name.empty()) dim.set_dim_param(name);
}

// Returns the name of the leading axis, or null where the file has its size.
const std::string* leading_dim(const FileInterface& file) {
  for (const FileTensor& input : file.inputs) {
    if (!input.axes.empty() && !input.axes.front().dim.empty()) return &input.axes.front().dim;
  }
  return nullptr;
}

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
    : graph_(graph), options_(options), store_(store), out_(out), batch_(exported_batch(graph, options)) {
  for (const Operator& op : graph.operators()) {
    names_.insert(op.name);
    tensors_.push_back(op.name);
  }
  if (!fits(options.file, graph)) return;
  file_ = &options.file;
  whole_ = !file_->leading_batch;
  for (const auto* tensors : {&file_->inputs, &file_->outputs}) {
    for (const FileTensor& tensor : *tensors) names_.insert(tensor.name);
  }
}

std::optional<std::int64_t> exported_batch(const Graph& graph, const OnnxExportOptions& options) {
  const FileInterface& file = options.file;
  if (!fits(file, graph)) return options.batch;
  if (!file.leading_batch) return 1;
  if (options.batch || file.inputs.empty() || (file.any_batch && leading_dim(file) != nullptr)) return options.batch;
  return file.inputs.front().axes.front().size;
}

Result<OnnxNodes> GraphExport::run() {
  out_.set_name(graph_.name().empty() ? "graph" : graph_.name());
  IOS_TRY(name_border());
  for (std::size_t i = 0; i < graph_.operators().size() && status_; ++i) {
    id_ = OperatorId(i);
    op_ = &graph_.op(id_);
    write();
    if (!status_ && status_.error().where.empty()) status_.error().where = op_->name;
  }
  declare_outputs();
  IOS_TRY(status_);
  return finish_nodes();
}

OnnxNodes GraphExport::finish_nodes() {
  OnnxNodes nodes(graph_.operators().size());
  for (int i = 0; i < out_.node_size(); ++i) {
    onnx::NodeProto& node = *out_.mutable_node(i);
    const std::size_t of = of_node_[static_cast<std::size_t>(i)].index();
    nodes[of].push_back(node.name());
    if (!options_.notes.empty()) node.set_doc_string(options_.notes[of]);
  }
  return nodes;
}

void GraphExport::refuse(Message what, Message remedy) {
  if (status_) status_ = fail(std::move(what), op_->name, std::move(remedy));
}

// Operators whose results the file calls otherwise than we do yield them under its name; what it has of other types
// they yield under a name of their own, which is cast at the end.
Result<void> GraphExport::name_border() {
  if (file_ == nullptr) return {};
  const bool other_batch = options_.batch && !file_->any_batch;
  const std::int64_t own = file_->leading_batch && !file_->inputs.empty() ? file_->inputs.front().axes.front().size : 1;
  if (other_batch && *options_.batch != own) {
    return fail(message("runs only with a batch of {}, not {}", own, *options_.batch), graph_.name(),
                message("give no batch"));
  }
  std::set<std::string_view> taken;
  for (const FileTensor& input : file_->inputs) taken.insert(input.name);
  for (const FileTensor& output : file_->outputs) {
    id_ = *graph_.find_operator(output.op);
    op_ = &graph_.op(id_);
    std::string& name = tensors_[id_.index()];
    const bool own = taken.insert(output.name).second;
    const bool cast = data_type(output) != onnx::TensorProto::FLOAT;
    name = !own ? fresh("again") : cast ? fresh("float32") : output.name;
  }
  return {};
}

void GraphExport::declare(onnx::ValueInfoProto& info, OperatorId id, const FileTensor* file) {
  info.set_name(file == nullptr ? graph_.op(id).name : file->name);
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(file == nullptr ? onnx::TensorProto::FLOAT : data_type(*file));
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  if (!whole_) {
    auto& first = *shape.add_dim();
    const bool open = file != nullptr && (file->axes.front().open || !batch_);
    if (open && !options_.batch) {
      set_open(first, file->axes.front().dim);
    } else if (batch_) {
      first.set_dim_value(*batch_);
    } else {
      first.set_dim_param(kBatch);
    }
  }
  const auto dims = graph_.op(id).output.dims();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const FileAxis* const axis = file == nullptr ? nullptr : &file->axes[i + (whole_ ? 0 : 1)];
    auto& dim = *shape.add_dim();
    if (axis != nullptr && axis->open) {
      set_open(dim, axis->dim);
    } else {
      dim.set_dim_value(dims[i]);
    }
  }
}

void GraphExport::declare_input() {
  const FileTensor* file = nullptr;
  if (file_ != nullptr) {
    const auto found = std::ranges::find(file_->inputs, op_->name, &FileTensor::op);
    if (found != file_->inputs.end()) file = &*found;
  }
  declare(*out_.add_input(), id_, file);
  if (file == nullptr) return;
  std::string& name = tensors_[id_.index()];
  name = file->name;
  if (data_type(*file) != onnx::TensorProto::FLOAT) name = cast(file->name, onnx::TensorProto::FLOAT, "float32");
}

// The file's outputs come first; operators that it does not know are outputs under their own names.
void GraphExport::declare_outputs() {
  if (!status_) return;
  std::set<std::size_t> listed;
  std::set<std::string_view> yielded;
  if (file_ != nullptr) {
    for (const FileTensor& input : file_->inputs) yielded.insert(input.name);
    for (const FileTensor& output : file_->outputs) {
      id_ = *graph_.find_operator(output.op);
      op_ = &graph_.op(id_);
      listed.insert(id_.index());
      declare(*out_.add_output(), id_, &output);
      const std::string& own = tensors_[id_.index()];
      if (!yielded.insert(output.name).second || own == output.name) continue;
      const int type = data_type(output);
      const bool cast = type != onnx::TensorProto::FLOAT;
      onnx::NodeProto& last = node(cast ? "Cast" : "Identity", {own}, output.name);
      last.set_name(fresh("output"));
      if (cast) set(last, "to", std::int64_t{type});
    }
  }
  for (const OperatorId id : output_operators(graph_, options_.outputs)) {
    if (!listed.contains(id.index())) declare(*out_.add_output(), id, nullptr);
  }
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
  of_node_.push_back(id_);
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
  const std::string& producer = tensors_[value.producer.index()];
  if (value == graph_.whole(value.producer)) return producer;
  std::string& name = slices_[{value.producer.index(), value.begin, value.end}];
  if (name.empty()) {
    const std::string suffix = fmt::format("channels_{}_{}", value.begin, value.end);
    const std::int64_t axis = has_batch(value) ? 1 : 0;
    const auto list = [&](std::string_view what, std::int64_t number) {
      return integers(fmt::format("{}_{}", suffix, what), std::span(&number, 1));
    };
    name = helper("Slice", {producer, list("from", value.begin), list("to", value.end), list("axis", axis)}, suffix);
  }
  return name;
}

std::string GraphExport::dims_with_batch(std::span<const std::int64_t> dims) {
  if (batch_ || lead_ == 0) return integers("dims", with_lead(batch_.value_or(1), dims));
  if (graph_.inputs().empty()) {
    refuse(message("depends on the batch size, which no input gives"), message("export with a fixed batch"));
    return {};
  }
  const std::int64_t zero = 0;
  const std::int64_t one = 1;
  const std::string whole = helper("Shape", {tensors_[graph_.inputs().front().index()]}, "input_dims");
  const std::string from = integers("first", std::span(&zero, 1));
  const std::string to = integers("second", std::span(&one, 1));
  std::string batch = helper("Slice", {whole, from, to}, "batch");
  if (dims.empty()) return batch;
  std::string made = helper("Concat", {batch, integers("sample_dims", dims)}, "dims");
  set(*out_.mutable_node(out_.node_size() - 1), "axis", std::int64_t{0});
  return made;
}

std::vector<std::int64_t> GraphExport::axes(std::span<const std::size_t> ours) const {
  std::vector<std::int64_t> all;
  for (const std::size_t each : ours) all.push_back(axis(each));
  return all;
}

std::vector<std::int64_t> GraphExport::with_lead(std::int64_t batch, std::span<const std::int64_t> ours) const {
  std::vector<std::int64_t> all(lead_, batch);
  all.insert(all.end(), ours.begin(), ours.end());
  return all;
}

std::string GraphExport::read_with_batch(const Value& value) {
  if (lead_ == 0 || has_batch(value)) return read(value);
  const std::string alone = read(value);
  std::string& name = expanded_[{value.producer.index(), value.begin, value.end}];
  if (name.empty()) name = helper("Expand", {alone, dims_with_batch(graph_.shape(value).dims())}, "expanded");
  return name;
}

GraphExport::Names GraphExport::aligned() {
  std::size_t rank = 0;
  bool any_batch = lead_ == 0;
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
  if (function == Activation::kIdentity) return result_;
  return fresh(kind_name(op_->attributes));
}

void GraphExport::fused(const Activation& function, const std::string& in) {
  if (function != Activation::kIdentity) activation(function, in, result_, false);
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
    case ActivationKind::kFloat16: return cast_back(cast(in, onnx::TensorProto::FLOAT16, "half"), out, named);
    case ActivationKind::kBfloat16: return cast_back(cast(in, onnx::TensorProto::BFLOAT16, "half"), out, named);
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
