#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/model_walk.h"

// Nodes that no device executes: their shapes, their costs, and what follows from shapes that are
// unknown.
namespace iosx::onnx_import {

bool ModelConverter::pass_unreadable(const Node& node, const std::vector<const HostTensor*>& inputs) {
  if (!is_deterministic(node) || node.outputs.size() != 1 || results_.contains(node.outputs.front())) return false;
  const TensorFacts made = not_executed(node, facts_of(node), opset_of(node)).outputs.front();
  if (!made.has_sizes() || !element_count(*made.dims)) return false;
  const HostTensor* cause = nullptr;
  double elements = 0;
  std::optional<double> bytes = 0;
  for (const HostTensor* const tensor : inputs) {
    if (tensor == nullptr || !tensor->is_opaque()) continue;
    if (cause == nullptr) cause = tensor;
    elements += static_cast<double>(tensor->elements());
    const auto stored = tensor->stored_bytes();
    bytes = stored && bytes ? std::optional(*bytes + static_cast<double>(*stored)) : std::nullopt;
  }
  std::optional<std::int64_t> stored;
  if (bytes) {
    const double part = elements > 0 ? std::min(1.0, static_cast<double>(made.elements()) / elements) : 0;
    stored = static_cast<std::int64_t>(std::min(*bytes * part, static_cast<double>(kMostExact)));
  }
  import_.known.insert_or_assign(node.outputs.front(),
                                 HostTensor::opaque(*made.dims, made.type, cause->why_opaque(), stored));
  return true;
}

void ModelConverter::pass_unknown_dims(const Node& node, std::size_t rank) {
  Dims dims;
  if (node.op_type == "Shape") {
    const auto axes = static_cast<std::int64_t>(rank);
    const auto start = int_attribute(node, "start", 0).value_or(0);
    const auto end = int_attribute(node, "end", axes).value_or(axes);
    dims.push_back(slice_range(start, end, 1, axes).count);
  }
  import_.known.insert_or_assign(node.outputs.front(),
                                 HostTensor::opaque(std::move(dims), ElementType::kInt64,
                                                    message("it is the shape of a tensor of unknown shape")));
}

std::int64_t ModelConverter::opset_of(const Node& node) const {
  const auto found = model_.opsets.find(node.domain);
  return found == model_.opsets.end() ? 0 : found->second;
}

std::vector<TensorFacts> ModelConverter::facts_of(const Node& node) {
  const ConversionContext call(import_, node);
  std::vector<TensorFacts> facts(node.inputs.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (const DraftValue* const value = call.computed(i)) {
      facts[i] = {.type = value->type};
      if (!is_guess(*value)) facts[i].dims = call.dims(*value);
    } else if (const HostTensor* const tensor = call.constant(i)) {
      facts[i] = {
          .type = tensor->type(), .dims = Dims(tensor->dims().begin(), tensor->dims().end()), .constant = tensor};
    }
  }
  return facts;
}

const DraftValue* ModelConverter::computed(const std::string& name) const {
  const auto found = import_.known.find(name);
  return found == import_.known.end() ? nullptr : std::get_if<DraftValue>(&found->second);
}

bool ModelConverter::is_guess(const DraftValue& value) {
  const auto& operators = import_.draft.operators;
  guessed_.resize(operators.size(), false);
  for (; guesses_known_ < operators.size(); ++guesses_known_) {
    if (std::holds_alternative<Opaque>(operators[guesses_known_].attributes)) continue;  // says it of itself
    for (const DraftValue& input : operators[guesses_known_].inputs) {
      if (guessed_[input.producer]) guessed_[guesses_known_] = true;
    }
  }
  return guessed_[value.producer];
}

bool ModelConverter::rests_on_guess(const Node& node) {
  bool rests = false;
  for_each_read(node, [&](const std::string& name) {
    const DraftValue* const value = computed(name);
    rests = rests || (value != nullptr && is_guess(*value));
  });
  return rests;
}

void ModelConverter::make_opaque(const Node& node, const Message& why) {
  std::vector<std::optional<Dims>> declared(node.outputs.size());
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const ValueInfo* const info = declaration_of(node.outputs[i]);
    if (info == nullptr || !info->dims || !is_sized(*info->dims)) continue;
    declared[i] = sizes(*info->dims, info->name);
  }
  const std::int64_t samples = import_.batched ? import_.batch : 1;
  const NotExecuted found = not_executed(node, facts_of(node), opset_of(node), declared, samples);
  bool first_read = true;
  std::vector<DraftValue> inputs;
  for_each_read(node, [&](const std::string& name) {
    const DraftValue* const value = computed(name);
    if (value != nullptr) inputs.push_back(*value);
  });
  const std::string type = node.domain.empty() ? node.op_type : node.domain + "." + node.op_type;
  auto& [count, first] = opaque_[type];
  if (count++ == 0) first = message("{}: {}", node.where(), why);
  noted_.push_back(type);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& name = node.outputs[i];
    if (name.empty() || !import_.reads_left.contains(name)) continue;
    taken(import_.draft.spend(std::ssize(inputs), sizeof(DraftValue)), node.where());
    const ValueInfo* const info = declaration_of(name);
    Opaque opaque{.type = type, .place = node.where()};
    auto shape = opaque_shape(info, found.outputs[i], opaque.guessed);
    if (!shape && import_.batched) mixes_batch(shape.error().what, node.where());
    if (!shape) bad(message("its output {}", shape.error().what), node.where(), kExportAgain);
    opaque.shape = *shape;
    opaque.costed = found.has_cost();
    if (std::exchange(first_read, false)) {
      take_cost(found, opaque);
    } else {
      for (DraftValue& input : inputs) {
        if (input.shape.rank() > 0) input = Draft::channels(input, 0, 1);
      }
    }
    const bool guessed = opaque.guessed;
    auto value = taken(import_.draft.add(name, std::move(opaque), inputs), node.where(), kExportAgain);
    const ElementType inferred = found.outputs[i].type;
    if (info != nullptr && info->type != ElementType::kUndefined) {
      value.type = info->type;
    } else if (inferred != ElementType::kUndefined) {
      value.type = inferred;
    }
    guessed_.resize(import_.draft.operators.size(), false);
    guessed_[value.producer] = guessed;
    import_.known.insert_or_assign(name, value);
  }
}

void ModelConverter::take_cost(const NotExecuted& found, Opaque& opaque) const {
  constexpr auto kMost = static_cast<double>(kMostExact);
  if (!found.has_cost()) return;
  const double samples = import_.batched ? static_cast<double>(import_.batch) : 1;
  opaque.flops = static_cast<std::int64_t>(std::min(*found.flops / samples, kMost));
  opaque.weight_bytes = static_cast<std::int64_t>(std::min(*found.weight_bytes, kMost));
  opaque.parameters = found.parameters;
}

Result<Shape> ModelConverter::opaque_shape(const ValueInfo* info, const TensorFacts& inferred, bool& guessed) {
  const bool declared = info != nullptr && info->dims;
  if (inferred.has_sizes()) {
    if (auto shape = own_shape(*inferred.dims); shape || import_.batched) return shape;
  }
  if (declared && is_sized(*info->dims)) return own_shape(sizes(*info->dims, info->name));
  guessed = true;
  ++unknown_shapes_;
  if (declared) return own_shape(sizes(*info->dims, info->name));
  Dims any = inferred.dims.value_or(Dims{});
  if (import_.batched && any.empty()) return Shape{};
  std::ranges::replace(any, kUnknownSize, std::int64_t{1});
  return own_shape(any);
}

const ValueInfo* ModelConverter::declaration_of(const std::string& name) const {
  const auto declared = declared_.find(name);
  return declared == declared_.end() ? nullptr : declared->second;
}

bool ModelConverter::is_sized(const std::vector<Dim>& dims) const {
  return std::ranges::all_of(dims, [&](const Dim& dim) { return dim.size || sizes_.of(dim.symbol); });
}

}  // namespace iosx::onnx_import
