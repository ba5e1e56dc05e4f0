#include "core/formats/onnx/convert/model_converter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/formats/onnx/convert/model_walk.h"
#include "core/formats/onnx/fold/fold.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

constexpr std::size_t kMaxNamed = 8;  // in warnings that list something

HostTensor empty_tensor(Dims dims, ElementType type) {
  if (is_integer(type)) return HostTensor::of_integers(std::move(dims), {}, type);
  return HostTensor::of_floats(std::move(dims), {}, is_float(type) ? type : ElementType::kFloat32);
}

bool works_on_dims(const Node& node) {
  return node.domain.empty() && (node.op_type == "Shape" || node.op_type == "Size");
}

}  // namespace

ConvertedModel ModelConverter::run() && {
  count_reads();
  for (const auto& [name, tensor] : model_.initializers) import_.known.emplace(name, tensor);
  for (const ValueInfo& info : model_.outputs) {
    declared_.emplace(info.name, &info);
    results_.insert(info.name);
  }
  for (const auto& [name, info] : model_.value_info) declared_.emplace(name, &info);
  take_inputs();
  for (const Node& node : model_.nodes) {
    take(node);
    release(node);
  }
  take_outputs();
  warn();
  return {std::move(import_.draft), std::move(warnings_), fits_};
}

void ModelConverter::count_reads() {
  for (const Node& node : model_.nodes) {
    for_each_read(node, [&](const std::string& name) { ++import_.reads_left[name]; });
  }
  for (const ValueInfo& output : model_.outputs) ++import_.reads_left[output.name];
}

void ModelConverter::release(const Node& node) {
  for_each_read(node, [&](const std::string& name) {
    if (--import_.reads_left[name] == 0) forget(name);
  });
  for (const std::string& name : node.outputs) {
    if (!import_.reads_left.contains(name)) forget(name);
  }
}

void ModelConverter::forget(const std::string& name) {
  import_.known.erase(name);
  sequences_.erase(name);
}

void ModelConverter::remember(const std::string& name, Carried item) {
  if (name.empty()) return;
  if (auto* const tensor = std::get_if<Known>(&item)) {
    import_.known.insert_or_assign(name, std::move(*tensor));
  } else {
    sequences_.insert_or_assign(name, std::get<Sequence>(std::move(item)));
  }
}

bool ModelConverter::is_remembered(const std::string& name) const {
  return import_.known.contains(name) || sequences_.contains(name);
}

std::optional<Carried> ModelConverter::remembered(const std::string& name) const {
  if (const auto tensor = import_.known.find(name); tensor != import_.known.end()) return tensor->second;
  if (const auto sequence = sequences_.find(name); sequence != sequences_.end()) return sequence->second;
  return std::nullopt;
}

Dims ModelConverter::sizes(const std::vector<Dim>& dims, const std::string& tensor) {
  Dims found;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const Dim& dim = dims[axis];
    if (dim.size) {
      found.push_back(*dim.size);
    } else if (const auto size = sizes_.of(dim.symbol)) {
      found.push_back(*size);
    } else if (axis == 0) {
      found.push_back(import_.batched ? import_.batch : options_.batch);
    } else {
      open_.emplace(dim.symbol.empty() ? fmt::format("axis {} of '{}'", axis, tensor) : "'" + dim.symbol + "'");
      found.push_back(1);
    }
  }
  return found;
}

void ModelConverter::take_inputs() {
  for (const ValueInfo& input : model_.inputs) {
    const std::string where = fmt::format("graph input '{}'", input.name);
    if (const auto bound = options_.bind.find(input.name); bound != options_.bind.end()) {
      import_.known.insert_or_assign(input.name, bound->second);
      continue;
    }
    if (!input.is_tensor)
      bad(message("is not a tensor"), where, message("export the model without sequences and maps"));
    const auto found = sizes_.inputs.find(input.name);
    if (found == sizes_.inputs.end())
      bad(message("has no declared shape"), where, message("give it with --shape {}=1x3x224x224", input.name));
    if (element_count(found->second) == 0) {
      import_.known.emplace(input.name, empty_tensor(found->second, input.type));
      continue;
    }
    const Message remedy = message("export it with other sizes");
    const Shape shape = taken(own_shape(found->second), where, remedy);
    ++import_.draft.node;
    const DraftValue value = taken(import_.draft.add(input.name, Input{shape}, {}), where, remedy);
    const ElementType type = input.type == ElementType::kUndefined ? ElementType::kFloat32 : input.type;
    import_.known.emplace(input.name, value.of_type(type));
  }
}

Result<Shape> ModelConverter::own_shape(std::span<const std::int64_t> dims) const {
  if (import_.batched) {
    if (dims.empty() || dims.front() != import_.batch) return fail(message("does not begin with the batch axis"));
    dims = dims.subspan(1);
  }
  if (dims.size() > Shape::kMaxRank) return fail(message("has {} axes", dims.size()));
  return checked_shape(Shape(dims));
}

void ModelConverter::take(const Node& node) {
  ++import_.draft.node;
  if (node.domain.empty() && node.op_type == "If") return take_if(node);
  if (node.domain.empty() && node.op_type == "Loop") return take_loop(node);
  try {
    if (node.domain.empty() && take_sequence(node)) return;
  } catch (const Refusal& refusal) {
    return take_refused(node, refusal);
  }
  std::vector<const HostTensor*> constants;
  bool all_constant = true;
  bool readable = true;
  std::optional<ElementType> strange;
  std::vector<HostTensor> shapes;
  shapes.reserve(node.inputs.size());
  const bool looks_at_dims = works_on_dims(node);
  ConversionContext call(import_, node);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const HostTensor* tensor = call.constant(i);
    if (const DraftValue* const value = call.computed(i)) {
      all_constant = false;
      if (!is_float(value->type) && !is_integer(value->type)) strange = value->type;
      if (looks_at_dims && is_guess(*value)) return pass_unknown_dims(node, call.rank(*value));
      if (looks_at_dims) {
        shapes.push_back(HostTensor::opaque(call.dims(*value), value->type, message("it is computed")));
        tensor = &shapes.back();
      }
    } else if (tensor != nullptr && tensor->is_opaque()) {
      readable = false;
    }
    constants.push_back(tensor);
  }
  if (looks_at_dims || (all_constant && readable && foldable(node))) return fold_node(node, constants);
  if (all_constant && !readable && pass_unreadable(node, constants)) return;
  const Converter* const converter = find_converter(node);
  if (all_constant && readable && converter != nullptr) {
    auto results = compute_constant(node, constants, model_, options_, flops_left_);
    if (!results) return make_opaque(node, results.error().what);
    if (*results) return know(node, std::move(**results));
  }
  if (converter == nullptr) return make_opaque(node, message("this program has no such operator"));
  if (strange) return make_opaque(node, message("it works on elements of type {}", to_string(*strange)));
  Converted outputs;
  try {
    outputs = converter->convert(call);
  } catch (const Refusal& refusal) {
    return take_refused(node, refusal);
  }
  if (converter->result != ElementType::kUndefined) {
    for (DraftValue& output : outputs) output.type = converter->result;
  }
  keep(node, outputs);
}

void ModelConverter::take_refused(const Node& node, const Refusal& refusal) {
  if (refusal.kind != Refusal::Kind::kMixesBatch && know_empty(node)) return;
  if (refusal.kind == Refusal::Kind::kUnsupported) return make_opaque(node, refusal.error.what);
  if (refusal.kind == Refusal::Kind::kBad && rests_on_guess(node))
    return make_opaque(node, message("it reads a tensor of unknown shape: {}", refusal.error.what));
  throw;
}

void ModelConverter::fold_node(const Node& node, const std::vector<const HostTensor*>& inputs) {
  auto results = fold(node, inputs, model_.opset(), import_.draft.elements_left());
  if (!results && std::ranges::none_of(inputs, [](const auto* each) { return each != nullptr && each->is_opaque(); })) {
    // The device may compute what folding refuses, such as roots of integers.
    auto computed = compute_constant(node, inputs, model_, options_, flops_left_);
    if (computed && *computed) return know(node, std::move(**computed));
  }
  if (!results) throw Refusal{Refusal::Kind::kBad, std::move(results.error())};
  know(node, std::move(*results));
}

bool ModelConverter::know_empty(const Node& node) {
  constexpr std::array<std::string_view, 11> kMoves{"Slice",   "Split",     "Gather",  "Concat",
                                                    "Reshape", "Transpose", "Squeeze", "Unsqueeze",
                                                    "Expand",  "Identity",  "Cast"};
  if (!node.domain.empty() || std::ranges::find(kMoves, node.op_type) == kMoves.end()) return false;
  const auto facts = infer_outputs(node, facts_of(node), model_.opset());
  std::vector<HostTensor> empty;
  for (const TensorFacts& output : facts) {
    if (!output.has_sizes() || output.elements() != 0) return false;
    empty.push_back(empty_tensor(*output.dims, output.type));
  }
  know(node, std::move(empty));
  return true;
}

void ModelConverter::know(const Node& node, std::vector<HostTensor> results) {
  for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
    HostTensor& result = results[i];
    const std::size_t bytes = result.holds_integers() ? sizeof(std::int64_t) : sizeof(float);
    if (auto spent = import_.draft.spend(result.elements(), static_cast<std::int64_t>(bytes)); !spent)
      bad(spent.error().what, node.where(), spent.error().remedy);
    if (!node.outputs[i].empty()) import_.known.insert_or_assign(node.outputs[i], std::move(result));
  }
}

void ModelConverter::keep(const Node& node, const Converted& outputs) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& name = node.outputs[i];
    if (i < outputs.size() && !name.empty()) {
      import_.known.insert_or_assign(name, outputs[i]);
      node_of_[name] = import_.draft.node;
    }
    if (i < outputs.size() || !import_.reads_left.contains(name)) continue;
    bad(message("has no output {}", i), node.where(), kExportAgain);
  }
}

void ModelConverter::take_outputs() {
  for (const ValueInfo& output : model_.outputs) {
    const auto found = import_.known.find(output.name);
    const std::string where = fmt::format("graph output '{}'", output.name);
    if (found == import_.known.end()) bad(message("is not computed"), where, kExportAgain);
    const auto node = node_of_.find(output.name);
    import_.draft.output_nodes.push_back(node == node_of_.end() ? 0 : node->second);
    if (const auto* const value = std::get_if<DraftValue>(&found->second)) {
      import_.draft.outputs.emplace_back(output.name, *value);
      continue;
    }
    const HostTensor& tensor = std::get<HostTensor>(found->second);
    if (import_.batched) mixes_batch(message("is the same for all samples"), where);
    const Message remedy = message("choose another model");
    if (tensor.is_opaque()) bad(tensor.why_opaque(), where, remedy);
    taken(import_.draft.spend(tensor.elements()), where);
    if (tensor.rank() > static_cast<std::int64_t>(Shape::kMaxRank))
      bad(message("has {} axes", tensor.rank()), where, remedy);
    ++import_.draft.node;
    const Constant constant{Shape(tensor.dims())};
    import_.draft.outputs.emplace_back(
        output.name,
        taken(import_.draft.add(output.name + "/constant", constant, {}, tensor.to_tensor()), where, remedy));
  }
}

void ModelConverter::warn() {
  if (!open_.empty()) {
    std::vector<std::string> names(open_.begin(), open_.end());
    const std::size_t named = std::min(names.size(), kMaxNamed);
    const std::size_t more = names.size() - named;
    names.resize(named);
    const std::string list = fmt::format("{}", fmt::join(names, ", "));
    warnings_.push_back(
        more > 0 ? message("The file leaves the size of {} and {} more open, and nothing else gives it; 1 is used.",
                           list, more)
                 : message("The file leaves the size of {} open, and nothing else gives it; 1 is used.", list));
  }
  if (import_.quantised > 0) {
    warnings_.push_back(import_.quantised == 1
                            ? message("{} quantised operator is computed in float32.", import_.quantised)
                            : message("{} quantised operators are computed in float32.", import_.quantised));
  }
  if (both_ > 0) {
    warnings_.push_back(both_ == 1 ? message("{} If has a computed condition: both branches are executed, and the "
                                             "condition chooses between their results.",
                                             both_)
                                   : message("{} Ifs have computed conditions: both branches are executed, and the "
                                             "condition chooses between their results.",
                                             both_));
  }
  std::size_t listed = 0;
  for (const auto& [type, seen] : opaque_) {
    if (++listed > kMaxNamed) break;
    warnings_.push_back(
        seen.first == 1 ? message("{} operator of type {} cannot be executed ({}).", seen.first, type, seen.second)
                        : message("{} operators of type {} cannot be executed ({}).", seen.first, type, seen.second));
  }
  if (opaque_.size() > kMaxNamed) {
    warnings_.push_back(message("Operators of {} other types cannot be executed either.", opaque_.size() - kMaxNamed));
  }
  if (unknown_shapes_ > 0) {
    warnings_.push_back(
        message("The shape of {} of their outputs is not known, so the cost of what follows from them is unknown.",
                unknown_shapes_));
  }
}

tl::expected<ConvertedModel, Refusal> walk(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                                           std::optional<std::int64_t> batch) {
  try {
    return ModelConverter(model, options, sizes, batch).run();
  } catch (Refusal& refusal) {
    return tl::unexpected(std::move(refusal));
  }
}

}  // namespace iosx::onnx_import
