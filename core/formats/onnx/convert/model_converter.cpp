#include "core/formats/onnx/convert/model_converter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/not_executed.h"
#include "core/formats/onnx/fold/fold.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

[[noreturn]] void bad(Message what, std::string where, Message remedy = {}) {
  throw Refusal{Refusal::Kind::kBad, {std::move(what), std::move(where), std::move(remedy)}};
}
[[noreturn]] void mixes_batch(Message what, std::string where) {
  throw Refusal{Refusal::Kind::kMixesBatch, {std::move(what), std::move(where), {}}};
}

// Returns the result's value; its error is bad, at this place.
template <typename T>
T taken(Result<T> result, const std::string& where, const Message& remedy = {}) {
  if (!result) bad(std::move(result.error().what), where, remedy);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

constexpr std::size_t kMaxNamed = 8;  // in warnings that list something

bool same_constant(const Known& a, const Known& b) {
  const auto* const one = std::get_if<HostTensor>(&a);
  const auto* const other = std::get_if<HostTensor>(&b);
  if (one == nullptr || other == nullptr || one->is_opaque() || other->is_opaque()) return false;
  return one->type() == other->type() && std::ranges::equal(one->dims(), other->dims()) &&
         std::ranges::equal(one->floats(), other->floats()) && std::ranges::equal(one->integers(), other->integers());
}

HostTensor empty_tensor(Dims dims, ElementType type) {
  if (is_integer(type)) return HostTensor::of_integers(std::move(dims), {}, type);
  return HostTensor::of_floats(std::move(dims), {}, is_float(type) ? type : ElementType::kFloat32);
}

bool works_on_dims(const Node& node) {
  return node.domain.empty() && (node.op_type == "Shape" || node.op_type == "Size");
}

// Limits all trips of all loops together.
constexpr std::size_t kMostUnrolled = 20'000;                     // nodes
constexpr std::size_t kMostUnrolledBytes = std::size_t{1} << 28;  // of these nodes

constexpr double kMostFlops = 1e10;  // of all constants that are computed: a second or a few

// A graph inside a node in place of it: its own tensors get new names, tensors of the outer graph keep theirs.
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

// Returns how many nodes and initializers a graph inside a node has, with those of the graphs in its nodes.
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

// A sequence of tensors whose number is known. Copies share the tensors.
using Sequence = std::shared_ptr<const std::vector<Known>>;
using Carried = std::variant<Known, Sequence>;  // what goes into and out of a graph inside a node

class ModelConverter {
 public:
  ModelConverter(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                 std::optional<std::int64_t> batch)
      : model_(model), options_(options), sizes_(sizes), import_{model,
                                                                 batch.has_value(),
                                                                 batch.value_or(1),
                                                                 Draft(options.memory),
                                                                 {},
                                                                 {}} {}

  ConvertedModel run() && {
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

 private:
  void count_reads() {
    for (const Node& node : model_.nodes) {
      for_each_read(node, [&](const std::string& name) { ++import_.reads_left[name]; });
    }
    for (const ValueInfo& output : model_.outputs) ++import_.reads_left[output.name];
  }

  // Forgets tensors that nothing reads any more.
  void release(const Node& node) {
    for_each_read(node, [&](const std::string& name) {
      if (--import_.reads_left[name] == 0) forget(name);
    });
    for (const std::string& name : node.outputs) {
      if (!import_.reads_left.contains(name)) forget(name);
    }
  }

  void forget(const std::string& name) {
    import_.known.erase(name);
    sequences_.erase(name);
  }

  void remember(const std::string& name, Carried item) {
    if (name.empty()) return;
    if (auto* const tensor = std::get_if<Known>(&item)) {
      import_.known.insert_or_assign(name, std::move(*tensor));
    } else {
      sequences_.insert_or_assign(name, std::get<Sequence>(std::move(item)));
    }
  }

  bool is_remembered(const std::string& name) const {
    return import_.known.contains(name) || sequences_.contains(name);
  }

  std::optional<Carried> remembered(const std::string& name) const {
    if (const auto tensor = import_.known.find(name); tensor != import_.known.end()) return tensor->second;
    if (const auto sequence = sequences_.find(name); sequence != sequences_.end()) return sequence->second;
    return std::nullopt;
  }

  // Returns sizes of the declared shape of a tensor that nothing here computes.
  Dims sizes(const std::vector<Dim>& dims, const std::string& tensor) {
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

  void take_inputs() {
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

  // Returns the shape without the batch axis, where that is taken off.
  Result<Shape> own_shape(std::span<const std::int64_t> dims) const {
    if (import_.batched) {
      if (dims.empty() || dims.front() != import_.batch) return fail(message("does not begin with the batch axis"));
      dims = dims.subspan(1);
    }
    if (dims.size() > Shape::kMaxRank) return fail(message("has {} axes", dims.size()));
    return checked_shape(Shape(dims));
  }

  void take_if(const Node& node) {
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

  // Returns the outputs of the branch that replaces the node, one per output of the node; none if it cannot be read.
  std::vector<Carried> take_branch(const Node& node, bool condition) {
    const Subgraphs* const subgraphs = branch_of(node, condition ? "then_branch" : "else_branch");
    return subgraphs == nullptr ? std::vector<Carried>() : take_body(node, *subgraphs, {}, node.outputs.size());
  }

  // Returns the outputs of a graph inside the node that stands for it, with these inputs; so many at least.
  std::vector<Carried> take_body(const Node& node, const Subgraphs& subgraphs, std::span<const Carried> inputs,
                                 std::size_t outputs) {
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

  // A condition that is computed chooses between the results of both branches, where they can be computed with the
  // same sizes. Otherwise the node stays one that cannot be executed, and other sizes may do better.
  void take_both(const Node& node, const DraftValue& condition) {
    const auto refused = attempted([&] {
      choose_results(node, condition);
      ++both_;
    });
    if (!refused) return;
    fits_ = false;
    make_opaque(node,
                message("its condition is not constant, and not both of its branches can be computed: {}", *refused));
  }

  // Does it, or undoes what it began and returns why it was refused. Where samples were mixed the refusal goes on.
  template <typename Make>
  std::optional<Message> attempted(Make make) {
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

  // A Loop whose trips follow from constants is its body as often, one after another.
  void take_loop(const Node& node) {
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

  // The inputs are the most trips, a condition, and what the body carries from trip to trip. The body's outputs are a
  // condition, what it carries, and what the loop stacks.
  void unroll(const Node& node, const Subgraphs& body) {
    ConversionContext call(import_, node);
    const std::int64_t trips =
        call.given(0) ? call.constant(0)->integers()[0] : std::numeric_limits<std::int64_t>::max();
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

  static Known tensor_of(const ConversionContext& call, const Carried& item) {
    const auto* const tensor = std::get_if<Known>(&item);
    if (tensor == nullptr) call.unsupported(message("a sequence of tensors"));
    return *tensor;
  }

  // Joins tensors along an axis, which may be a new one.
  static Known joined(ConversionContext& call, std::vector<std::optional<Known>> parts, std::int64_t axis, bool stack) {
    if (parts.empty()) call.unsupported(message("a stack of nothing"));
    for (auto& part : parts) {
      if (!stack) continue;
      if (call.opset() < 13) {
        part = call.compose("Unsqueeze", {part}, "part", {{"axes", Dims{axis}}});
      } else {
        part = call.compose("Unsqueeze", {part, HostTensor::of_integers({1}, {axis})}, "part");
      }
    }
    return call.compose("Concat", parts, "stack", {{"axis", axis}});
  }

  // Takes an operator on sequences whose numbers of tensors and positions are known. Returns false of others, and where
  // the sequence is a result of the model.
  bool take_sequence(const Node& node) {
    constexpr std::array<std::string_view, 5> kMade{"Identity", "SequenceConstruct", "SequenceEmpty", "SequenceErase",
                                                    "SequenceInsert"};
    ConversionContext call(import_, node);
    const bool makes = std::ranges::find(kMade, node.op_type) != kMade.end();
    if (node.outputs.size() != 1 || (makes && results_.contains(node.outputs.front()))) return false;
    Sequence given;
    std::vector<Known> made;
    if (node.op_type == "SequenceConstruct") {
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const auto tensor = call.input(i);
        if (!tensor) return false;
        made.push_back(*tensor);
      }
    } else if (node.op_type != "SequenceEmpty") {
      const std::string* const name = node.input(0);
      const auto sequence = name == nullptr ? sequences_.end() : sequences_.find(*name);
      if (sequence == sequences_.end()) return false;
      given = sequence->second;
    }
    if (node.op_type == "Identity") {
      remember(node.outputs.front(), std::move(given));
      return true;
    }
    if (node.op_type == "ConcatFromSequence") {
      taken(import_.draft.spend(std::ssize(*given), sizeof(Known)), node.where());
      const std::vector<std::optional<Known>> parts(given->begin(), given->end());
      remember(node.outputs.front(), joined(call, parts, call.integer("axis", 0), call.integer("new_axis", 0) != 0));
      return true;
    }
    if (node.op_type == "SequenceLength") {
      remember(node.outputs.front(), HostTensor::of_integers({}, {std::ssize(*given)}));
      return true;
    }
    if (node.op_type == "SequenceAt") {
      const auto at = position_in(call, 1, std::ssize(*given));
      if (at) remember(node.outputs.front(), (*given)[*at]);
      return at.has_value();
    }
    if (!makes) return false;
    if (node.op_type == "SequenceErase") {
      const auto at = position_in(call, 1, std::ssize(*given));
      if (!at) return false;
      made = *given;
      made.erase(made.begin() + static_cast<std::ptrdiff_t>(*at));
    } else if (node.op_type == "SequenceInsert") {
      const auto at = position_in(call, 2, std::ssize(*given) + 1);
      const auto tensor = call.input(1);
      if (!at || !tensor) return false;
      made = *given;
      made.insert(made.begin() + static_cast<std::ptrdiff_t>(*at), *tensor);
    }
    taken(import_.draft.spend(std::ssize(made), sizeof(Known)), node.where());
    remember(node.outputs.front(), std::make_shared<const std::vector<Known>>(std::move(made)));
    return true;
  }

  // Returns which of so many positions an input says; without it the last one.
  static std::optional<std::size_t> position_in(const ConversionContext& call, std::size_t input,
                                                std::int64_t positions) {
    std::int64_t at = positions - 1;
    if (call.given(input)) {
      const HostTensor* const given = call.constant(input);
      if (given == nullptr || !given->holds_integers() || given->elements() != 1) return std::nullopt;
      at = given->integers()[0];
    }
    if (at < 0) at += call.node().op_type == "SequenceInsert" ? positions - 1 : positions;
    return at >= 0 && at < positions ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
  }

  void choose_results(const Node& node, const DraftValue& condition) {
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
      if (a.shape != b.shape)
        call.bad(message("its branches yield {} and {}", shape_text(a.shape), shape_text(b.shape)));
      const auto value = taken(import_.draft.add(node.outputs[i], Where{}, {*truth, a, b}), node.where(), kExportAgain);
      import_.known.insert_or_assign(node.outputs[i], value.of_type(a.type));
    }
  }

  void take(const Node& node) {
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

  // While a refusal is handled: goes on with it where the node has to be as it says.
  void take_refused(const Node& node, const Refusal& refusal) {
    if (refusal.kind != Refusal::Kind::kMixesBatch && know_empty(node)) return;
    if (refusal.kind == Refusal::Kind::kUnsupported) return make_opaque(node, refusal.error.what);
    if (refusal.kind == Refusal::Kind::kBad && rests_on_guess(node))
      return make_opaque(node, message("it reads a tensor of unknown shape: {}", refusal.error.what));
    throw;
  }

  // The result of unreadable constants is unreadable too, for the same reason, and takes as many bytes, or as many as
  // its part of the elements. Returns false where its shape is not known, or it is a result of the model.
  bool pass_unreadable(const Node& node, const std::vector<const HostTensor*>& inputs) {
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

  // The sizes of a tensor of unknown shape are unreadable.
  void pass_unknown_dims(const Node& node, std::size_t rank) {
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

  std::int64_t opset_of(const Node& node) const {
    const auto found = model_.opsets.find(node.domain);
    return found == model_.opsets.end() ? 0 : found->second;
  }

  // Returns what is known of a node's inputs.
  std::vector<TensorFacts> facts_of(const Node& node) {
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

  // Returns null for a tensor that is constant, or not there.
  const DraftValue* computed(const std::string& name) const {
    const auto found = import_.known.find(name);
    return found == import_.known.end() ? nullptr : std::get_if<DraftValue>(&found->second);
  }

  // Returns whether the value's shape is made up, or follows from one that is.
  bool is_guess(const DraftValue& value) {
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

  // Returns whether a made-up shape may be why the node does not fit its inputs.
  bool rests_on_guess(const Node& node) {
    bool rests = false;
    for_each_read(node, [&](const std::string& name) {
      const DraftValue* const value = computed(name);
      rests = rests || (value != nullptr && is_guess(*value));
    });
    return rests;
  }

  void fold_node(const Node& node, const std::vector<const HostTensor*>& inputs) {
    auto results = fold(node, inputs, model_.opset(), import_.draft.elements_left());
    if (!results &&
        std::ranges::none_of(inputs, [](const auto* each) { return each != nullptr && each->is_opaque(); })) {
      // The device may compute what folding refuses, such as roots of integers.
      auto computed = compute_constant(node, inputs, model_, options_, flops_left_);
      if (computed && *computed) return know(node, std::move(**computed));
    }
    if (!results) throw Refusal{Refusal::Kind::kBad, std::move(results.error())};
    know(node, std::move(*results));
  }

  // Parts of tensors that have no elements are constants, whatever the tensors are. Returns false where the node does
  // not only move elements, or yields some.
  bool know_empty(const Node& node) {
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

  // Takes what a node yields, from its first output on.
  void know(const Node& node, std::vector<HostTensor> results) {
    for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
      HostTensor& result = results[i];
      const std::size_t bytes = result.holds_integers() ? sizeof(std::int64_t) : sizeof(float);
      if (auto spent = import_.draft.spend(result.elements(), static_cast<std::int64_t>(bytes)); !spent)
        bad(spent.error().what, node.where(), spent.error().remedy);
      if (!node.outputs[i].empty()) import_.known.insert_or_assign(node.outputs[i], std::move(result));
    }
  }

  void keep(const Node& node, const Converted& outputs) {
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

  // Makes one Opaque for each output that is read. The first has the cost and reads the inputs; the others stand after
  // what they read a little of.
  void make_opaque(const Node& node, const Message& why) {
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

  // A run's FLOPs are those of all samples; every sample reads the same weights.
  void take_cost(const NotExecuted& found, Opaque& opaque) const {
    constexpr auto kMost = static_cast<double>(kMostExact);
    if (!found.has_cost()) return;
    const double samples = import_.batched ? static_cast<double>(import_.batch) : 1;
    opaque.flops = static_cast<std::int64_t>(std::min(*found.flops / samples, kMost));
    opaque.weight_bytes = static_cast<std::int64_t>(std::min(*found.weight_bytes, kMost));
    opaque.parameters = found.parameters;
  }

  // Sizes that are inferred, or else declared; any for those that are neither, which makes the shape a guess.
  Result<Shape> opaque_shape(const ValueInfo* info, const TensorFacts& inferred, bool& guessed) {
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

  // Returns null for a tensor that the file does not declare.
  const ValueInfo* declaration_of(const std::string& name) const {
    const auto declared = declared_.find(name);
    return declared == declared_.end() ? nullptr : declared->second;
  }

  bool is_sized(const std::vector<Dim>& dims) const {
    return std::ranges::all_of(dims, [&](const Dim& dim) { return dim.size || sizes_.of(dim.symbol); });
  }

  void take_outputs() {
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

  void warn() {
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
      warnings_.push_back(
          message("Operators of {} other types cannot be executed either.", opaque_.size() - kMaxNamed));
    }
    if (unknown_shapes_ > 0) {
      warnings_.push_back(
          message("The shape of {} of their outputs is not known, so the cost of what follows from them is unknown.",
                  unknown_shapes_));
    }
  }

  const OnnxModel& model_;
  const OnnxOptions& options_;
  const Sizes& sizes_;
  Import import_;
  std::unordered_map<std::string, Sequence> sequences_;  // by name
  std::unordered_map<std::string, const ValueInfo*> declared_;
  std::unordered_set<std::string> results_;                        // names of the model's outputs
  std::unordered_map<std::string, std::size_t> node_of_;           // by tensor: Draft::node that yielded it
  std::set<std::string> open_;                                     // axes of unknown size
  std::map<std::string, std::pair<std::size_t, Message>> opaque_;  // by type: how many, and the first
  std::vector<std::string> noted_;                                 // their types, one after another
  std::size_t unknown_shapes_ = 0;
  std::vector<bool> guessed_;      // by operator of the draft: whether its shape was made up, or follows from one
  std::size_t guesses_known_ = 0;  // how many of them were looked at
  std::size_t branches_ = 0;       // that stand for their nodes
  std::size_t unrolled_ = 0;       // nodes of the trips of loops
  std::size_t unrolled_bytes_ = 0;
  double flops_left_ = kMostFlops;
  std::size_t both_ = 0;  // nodes that both branches stand for
  bool fits_ = true;
  std::vector<Message> warnings_;
};

}  // namespace

tl::expected<ConvertedModel, Refusal> walk(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                                           std::optional<std::int64_t> batch) {
  try {
    return ModelConverter(model, options, sizes, batch).run();
  } catch (Refusal& refusal) {
    return tl::unexpected(std::move(refusal));
  }
}

}  // namespace iosx::onnx_import
