#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/formats/onnx/convert/model_walk.h"

// If and Loop: nodes that graphs inside them stand for.
namespace iosx::onnx_import {
namespace {

bool same_constant(const Known& a, const Known& b) {
  const auto* const one = std::get_if<HostTensor>(&a);
  const auto* const other = std::get_if<HostTensor>(&b);
  if (one == nullptr || other == nullptr || one->is_opaque() || other->is_opaque()) return false;
  return one->type() == other->type() && std::ranges::equal(one->dims(), other->dims()) &&
         std::ranges::equal(one->floats(), other->floats()) && std::ranges::equal(one->integers(), other->integers());
}

// Limits all trips of all loops together.
constexpr std::size_t kMostUnrolled = 20'000;                     // nodes
constexpr std::size_t kMostUnrolledBytes = std::size_t{1} << 28;  // of these nodes

// A graph inside a node in place of it: its own tensors get new names, tensors of the outer graph
// keep theirs.
struct Inlined {
  std::vector<std::string> inputs;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, HostTensor>> initializers;
  std::vector<std::string> outputs;
};

// Returns the graph that this attribute is; null if it cannot be read.
const Subgraphs* branch_of(const Node& node, std::string_view name) {
  const auto* const subgraphs = std::get_if<Subgraphs>(find_attribute(node, name));
  if (subgraphs == nullptr || subgraphs->branch == nullptr) return nullptr;
  // A model's own branch is in no function whose attributes it could use.
  const auto refers = [](const Node& inner) { return !inner.references.empty(); };
  return std::ranges::any_of(subgraphs->branch->nodes, refers) ? nullptr : subgraphs;
}

// Returns the value of a constant condition; none where it has none.
std::optional<bool> truth_of(const HostTensor& condition) {
  if (!condition.holds_integers() || condition.elements() != 1) return std::nullopt;
  return condition.integers()[0] != 0;
}

// Returns whether the body of a Loop always yields the condition that it is given, or a true one,
// so that only the number of trips ends the loop.
bool keeps_condition(const Branch& body) {
  if (body.inputs.size() < 2 || body.outputs.empty()) return false;
  std::string name = body.outputs.front();
  for (auto node = body.nodes.rbegin(); node != body.nodes.rend(); ++node) {
    if (!node->domain.empty() || node->outputs != std::vector{name}) continue;
    if (node->op_type == "Identity" && node->input(0) != nullptr) name = node->inputs.front();
    const auto* const constant = std::get_if<HostTensor>(find_attribute(*node, "value"));
    if (node->op_type == "Constant" && constant != nullptr) return truth_of(*constant) == true;
  }
  if (name == body.inputs[1]) return true;
  const auto constant = body.initializers.find(name);
  return constant != body.initializers.end() && truth_of(constant->second) == true;
}

// Returns how many nodes and initializers a graph inside a node has, with those of the graphs in
// its nodes.
std::size_t size_of(const Branch& branch) {
  std::size_t size = branch.nodes.size() + branch.initializers.size();
  for (const Node& node : branch.nodes) {
    for (const auto& [name, attribute] : node.attributes) {
      const auto* const graphs = std::get_if<Subgraphs>(&attribute);
      if (graphs != nullptr && graphs->branch != nullptr) size += size_of(*graphs->branch);
    }
  }
  return size;
}

// Returns the branch that the subgraphs have. `number` is unique per call.
Inlined inlined(const Node& node, const Subgraphs& subgraphs, std::size_t number) {
  const std::string prefix = fmt::format("{}#{}/", node.op_type, number);
  std::unordered_map<std::string, std::string> names;
  for (std::size_t i = 0; i < subgraphs.captures_inside.size(); ++i) {
    names.emplace(subgraphs.captures_inside[i], subgraphs.captures[i]);
  }
  const auto rename = [&](std::string& name) {
    if (!name.empty()) name = names.emplace(name, prefix + name).first->second;
  };
  Inlined made;
  for (const auto& [name, tensor] : subgraphs.branch->initializers)
    made.initializers.emplace_back(prefix + name, tensor);
  for (Node inner : subgraphs.branch->nodes) {
    stand_for(node, inner, rename);
    made.nodes.push_back(std::move(inner));
  }
  made.inputs = subgraphs.branch->inputs;
  std::ranges::for_each(made.inputs, rename);
  made.outputs = subgraphs.branch->outputs;
  std::ranges::for_each(made.outputs, rename);
  return made;
}

}  // namespace

template <typename Make>
std::optional<Message> ModelConverter::attempted(Make make) {
  const std::size_t operators = import_.draft.operators.size();
  const std::size_t quantised = import_.quantised;
  const std::size_t both = both_;
  const std::size_t unknown_shapes = unknown_shapes_;
  const std::size_t noted = noted_.size();
  Message refused;
  try {
    make();
    return std::nullopt;
  } catch (const Refusal& refusal) {
    if (refusal.kind == Refusal::Kind::kMixesBatch && import_.batched) throw;
    refused = refusal.error.line();
  }
  auto& made = import_.draft.operators;
  made.erase(made.begin() + static_cast<std::ptrdiff_t>(operators), made.end());
  guessed_.resize(std::min(guessed_.size(), operators));
  guesses_known_ = std::min(guesses_known_, operators);
  import_.quantised = quantised;
  both_ = both;
  unknown_shapes_ = unknown_shapes;
  for (; noted_.size() > noted; noted_.pop_back()) {
    const auto last = opaque_.find(noted_.back());
    if (--last->second.first == 0) opaque_.erase(last);
  }
  return refused;
}

void ModelConverter::take_if(const Node& node) {
  const ConversionContext call(import_, node);
  if (const HostTensor* const condition = call.constant(0)) {
    const auto truth = truth_of(*condition);
    if (!truth) return make_opaque(node, message("its condition cannot be read"));
    auto yielded = take_branch(node, *truth);
    if (yielded.empty()) return make_opaque(node, message("its branch cannot be read"));
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      remember(node.outputs[i], std::move(yielded[i]));
    }
    return;
  }
  const DraftValue* const condition = call.computed(0);
  if (condition == nullptr || condition->shape.elements() != 1)
    return make_opaque(node, message("its condition is not a single truth value"));
  if (import_.batched) mixes_batch(message("its condition depends on the whole batch"), node.where());
  take_both(node, *condition);
}

std::vector<Carried> ModelConverter::take_branch(const Node& node, bool condition) {
  const Subgraphs* const subgraphs = branch_of(node, condition ? "then_branch" : "else_branch");
  return subgraphs == nullptr ? std::vector<Carried>() : take_body(node, *subgraphs, {}, node.outputs.size());
}

std::vector<Carried> ModelConverter::take_body(const Node& node, const Subgraphs& subgraphs,
                                               std::span<const Carried> inputs, std::size_t outputs) {
  Inlined branch = inlined(node, subgraphs, ++branches_);
  for (std::size_t i = 0; i < std::min(inputs.size(), branch.inputs.size()); ++i) {
    remember(branch.inputs[i], inputs[i]);
  }
  for (const auto& [name, tensor] : branch.initializers) import_.known.insert_or_assign(name, tensor);
  for (const Node& inner : branch.nodes) for_each_read(inner, [&](const auto& name) { ++import_.reads_left[name]; });
  for (const std::string& name : branch.outputs) ++import_.reads_left[name];
  for (const Node& inner : branch.nodes) {
    std::string missing;
    for_each_read(inner, [&](const auto& name) { missing = is_remembered(name) ? missing : name; });
    if (!missing.empty())
      bad(message("reads {}, which no earlier node computes", name_text(missing)), inner.where(), kExportAgain);
    take(inner);
    release(inner);
  }
  if (branch.outputs.size() < outputs) bad(message("has more outputs than its branches"), node.where(), kExportAgain);
  std::vector<Carried> yielded;
  for (std::size_t i = 0; i < outputs; ++i) {
    auto found = remembered(branch.outputs[i]);
    if (!found) bad(message("no node computes output {} of its branch", i), node.where(), kExportAgain);
    yielded.push_back(*std::move(found));
  }
  for (const std::string& name : branch.inputs) forget(name);
  for (const auto& [name, tensor] : branch.initializers) forget(name);
  for (const std::string& name : branch.outputs) {
    if (--import_.reads_left[name] == 0) forget(name);
  }
  return yielded;
}

void ModelConverter::take_both(const Node& node, const DraftValue& condition) {
  const auto refused = attempted([&] {
    choose_results(node, condition);
    ++both_;
  });
  if (!refused) return;
  fits_ = false;
  make_opaque(node,
              message("its condition is not constant, and not both of its branches can be computed: {}", *refused));
}

void ModelConverter::take_loop(const Node& node) {
  const Subgraphs* const body = branch_of(node, "body");
  if (body == nullptr) return make_opaque(node, message("its body cannot be read"));
  const ConversionContext call(import_, node);
  for (std::size_t i = 0; i < 2; ++i) {
    const HostTensor* const limit = call.constant(i);
    if (!call.given(i) || (limit != nullptr && limit->holds_integers() && limit->elements() == 1)) continue;
    return make_opaque(node, message("the number of its trips is not constant"));
  }
  if (const auto refused = attempted([&] { unroll(node, *body); })) {
    make_opaque(node, message("not all of its trips can be computed: {}", *refused));
  }
}

void ModelConverter::unroll(const Node& node, const Subgraphs& body) {
  ConversionContext call(import_, node);
  const std::int64_t trips = call.given(0) ? call.constant(0)->integers()[0] : std::numeric_limits<std::int64_t>::max();
  bool goes_on = !call.given(1) || call.constant(1)->integers()[0] != 0;
  std::vector<Carried> carried;
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    const auto given = remembered(node.inputs[i]);
    if (!given) call.bad(message("its input {} is absent", i));
    carried.push_back(*given);
  }
  if (node.outputs.size() < carried.size()) call.bad(message("has fewer outputs than it carries"));
  std::vector<std::vector<std::optional<Known>>> stacks(node.outputs.size() - carried.size());
  const std::size_t size = size_of(*body.branch) + 1;
  const std::size_t bytes = bytes_of(node) + size * node.name.size();  // which names of nodes in the body begin with
  // Many trips that cannot end earlier take nothing from the loops that follow.
  const auto fit = [&](std::int64_t count) {
    const auto more = static_cast<double>(count);
    const double nodes = static_cast<double>(unrolled_) + more * static_cast<double>(size);
    const double text = static_cast<double>(unrolled_bytes_) + more * static_cast<double>(bytes);
    return nodes <= kMostUnrolled && text <= kMostUnrolledBytes;
  };
  const bool runs_all = goes_on && keeps_condition(*body.branch);
  if (runs_all && !fit(trips)) call.unsupported(message("they are too many"));
  for (std::int64_t trip = 0; goes_on && trip < trips; ++trip) {
    if (!fit(1)) call.unsupported(message("they are too many"));
    unrolled_ += size;
    unrolled_bytes_ += bytes;
    std::vector<Carried> inputs{HostTensor::of_integers({}, {trip}),
                                HostTensor::of_integers({}, {1}, ElementType::kBool)};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    const auto yielded = take_body(node, body, inputs, 1 + node.outputs.size());
    const Known condition = tensor_of(call, yielded.front());
    const auto* const constant = std::get_if<HostTensor>(&condition);
    const auto truth = constant == nullptr ? std::nullopt : truth_of(*constant);
    if (!truth) call.unsupported(message("its condition is not constant"));
    goes_on = *truth;
    carried.assign(yielded.begin() + 1, yielded.begin() + 1 + std::ssize(carried));
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      stacks[i].emplace_back(tensor_of(call, yielded[1 + carried.size() + i]));
    }
  }
  ++import_.draft.node;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const std::string& name = node.outputs[carried.size() + i];
    if (import_.reads_left.contains(name)) remember(name, joined(call, std::move(stacks[i]), 0, true));
  }
  for (std::size_t i = 0; i < carried.size(); ++i) remember(node.outputs[i], std::move(carried[i]));
}

void ModelConverter::choose_results(const Node& node, const DraftValue& condition) {
  auto truth = import_.draft.reshape(node.where() + "/condition", condition, Shape{});
  if (!truth) throw Refusal{Refusal::Kind::kBad, std::move(truth.error())};
  const auto yes = take_branch(node, true);
  const auto no = take_branch(node, false);
  if (yes.empty() || no.empty()) bad(message("a branch cannot be read"), node.where(), kExportAgain);
  ++import_.draft.node;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!import_.reads_left.contains(node.outputs[i])) continue;
    ConversionContext call(import_, node);
    const Known one = tensor_of(call, yes[i]);
    const Known other = tensor_of(call, no[i]);
    if (same_constant(one, other)) {
      import_.known.insert_or_assign(node.outputs[i], one);
      continue;
    }
    const DraftValue a = call.as_value(one);
    const DraftValue b = call.as_value(other);
    if (a.shape != b.shape) call.bad(message("its branches yield {} and {}", shape_text(a.shape), shape_text(b.shape)));
    const auto value = taken(import_.draft.add(node.outputs[i], Where{}, {*truth, a, b}), node.where(), kExportAgain);
    import_.known.insert_or_assign(node.outputs[i], value.of_type(a.type));
  }
}

}  // namespace iosx::onnx_import
