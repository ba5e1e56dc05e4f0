#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/draft/emit.h"
#include "core/model/graph/operator_table.h"

namespace iosx::onnx_import {
namespace {

template <typename... Kinds>
bool is_one_of(const DraftOperator& op) {
  return (std::holds_alternative<Kinds>(op.attributes) || ...);
}

// The most operators between a matrix product and the softmax.
constexpr int kMaxBetween = 8;

class AttentionFinder {
 public:
  AttentionFinder(const Draft& draft, const std::vector<std::size_t>& readers)
      : draft_(draft), readers_(readers), taken_(draft.operators.size(), false) {}

  std::vector<std::vector<std::size_t>> run() {
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (readers_[i] == 0 || !is_one_of<MatMul>(at(i))) continue;
      std::vector<std::size_t> core = core_of(i);
      if (core.empty()) continue;
      found.push_back(with_preparation(std::move(core)));
      for (const std::size_t op : found.back()) taken_[op] = true;
    }
    return found;
  }

 private:
  const DraftOperator& at(std::size_t i) const { return draft_.operators[i]; }
  bool inside(std::size_t i) const { return readers_[i] == 1 && !at(i).is_source() && !taken_[i]; }

  // Returns the operators from the second matrix product up to the first; it is empty where there is none.
  std::vector<std::size_t> core_of(std::size_t second) const {
    std::vector<std::size_t> core{second};
    std::size_t i = at(second).inputs.front().producer;
    while (inside(i) && is_one_of<Reshape, Identity>(at(i))) {
      core.push_back(i);
      i = at(i).inputs.front().producer;
    }
    const Softmax* const softmax = std::get_if<Softmax>(&at(i).attributes);
    if (!inside(i) || softmax == nullptr || softmax->axis + 1 != at(i).output.rank()) return {};
    core.push_back(i);
    if (!reaches_product(at(i).inputs.front().producer, kMaxBetween, core)) return {};
    return core;
  }

  // Appends the way from operator i to the product that its scores come from.
  bool reaches_product(std::size_t i, int steps, std::vector<std::size_t>& way) const {
    if (steps == 0 || !inside(i)) return false;
    way.push_back(i);
    if (is_one_of<MatMul>(at(i))) return true;
    if (is_one_of<Affine, Activate, Reshape, Add, Mul, Binary, Where>(at(i))) {
      for (const DraftValue& input : at(i).inputs) {
        if (reaches_product(input.producer, steps - 1, way)) return true;
      }
    }
    way.pop_back();
    return false;
  }

  // Returns whether the operator only changes the form or size of one tensor.
  bool prepares(std::size_t i) const {
    if (is_one_of<Reshape, Transpose, Slice, Expand, Affine>(at(i))) return true;
    if (!is_one_of<Mul, Binary>(at(i))) return false;
    const auto& inputs = at(i).inputs;
    const auto constant = [&](const DraftValue& input) {
      return std::holds_alternative<Constant>(at(input.producer).attributes);
    };
    return std::count_if(inputs.begin(), inputs.end(), constant) + 1 == static_cast<std::ptrdiff_t>(inputs.size());
  }

  // Goes through the operators latest first, so that all of an operator's readers are decided before it.
  std::vector<std::size_t> with_preparation(std::vector<std::size_t> unit) const {
    std::map<std::size_t, std::size_t> reads;  // by the unit, of each candidate
    std::priority_queue<std::size_t> candidates;
    const auto look_at_inputs = [&](std::size_t i) {
      for (const DraftValue& input : at(i).inputs) {
        if (++reads[input.producer] == 1) candidates.push(input.producer);
      }
    };
    std::sort(unit.begin(), unit.end());
    const std::vector<std::size_t> core = unit;
    for (const std::size_t i : core) look_at_inputs(i);
    while (!candidates.empty()) {
      const std::size_t i = candidates.top();
      candidates.pop();
      if (at(i).is_source() || taken_[i] || !prepares(i) || reads[i] != readers_[i]) continue;
      if (std::binary_search(core.begin(), core.end(), i)) continue;
      unit.push_back(i);
      look_at_inputs(i);
    }
    std::sort(unit.begin(), unit.end());
    return unit;
  }

  const Draft& draft_;
  const std::vector<std::size_t>& readers_;
  std::vector<bool> taken_;
};

// Finds attention that exporters wrote out, softmax(scale · Q Kᵀ + mask) V, by structure. Returns the operators of
// each, in order: the two matrix products, the operators between them (constant factors and divisors, masks, soft caps,
// the softmax, reshapes), and those that only prepare their inputs (reshapes, transpositions, slices, repetitions and
// constant factors without other readers). The last operator is the second product, and only it has other readers.
// `readers` counts the input slots and outputs that read each operator; 0 where it is not needed.
std::vector<std::vector<std::size_t>> attentions(const Draft& draft, const std::vector<std::size_t>& readers) {
  return AttentionFinder(draft, readers).run();
}

class Grouping {
 public:
  explicit Grouping(const Draft& draft)
      : draft_(draft),
        live_(needed(draft)),
        readers_(draft.operators.size(), 0),
        depth_(draft.operators.size(), 0),
        unit_(draft.operators.size(), 0),
        grouped_(draft.operators.size(), false) {
    for (std::size_t i = 0; i < draft.operators.size(); ++i) {
      if (!live_[i]) continue;
      for (const DraftValue& input : draft.operators[i].inputs) {
        ++readers_[input.producer];
        depth_[i] = std::max(depth_[i], depth_[input.producer] + 1);
      }
    }
    for (const auto& [name, value] : draft.outputs) ++readers_[value.producer];
  }

  std::vector<std::vector<std::size_t>> run() {
    for (auto& attention : attentions(draft_, readers_)) {
      for (const std::size_t i : attention) {
        unit_[i] = units_.size();
        grouped_[i] = true;
      }
      units_.push_back(std::move(attention));
    }
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (!live_[i] || at(i).is_source() || grouped_[i]) continue;
      if (const auto host = host_of(i)) {
        unit_[i] = *host;
        units_[*host].push_back(i);
      } else {
        unit_[i] = units_.size();
        units_.push_back({i});
      }
    }
    // A unit reads the last operator of another unit, which is before its own last.
    std::sort(units_.begin(), units_.end(), [](const auto& a, const auto& b) { return a.back() < b.back(); });
    return std::move(units_);
  }

 private:
  const DraftOperator& at(std::size_t i) const { return draft_.operators[i]; }

  // The unit that operator i continues, if any: one whose last operator nothing else reads.
  std::optional<std::size_t> host_of(std::size_t i) const {
    const DraftOperator& op = at(i);
    if (std::holds_alternative<Add>(op.attributes)) return host_of_sum(i);
    if (op.inputs.size() != 1) return std::nullopt;
    const std::size_t source = op.inputs.front().producer;
    if (!extensible(source)) return std::nullopt;
    const bool follows = is_one_of<Activate, Affine, Reshape, Transpose>(op) && !is_one_of<Concat>(at(source));
    const bool is_layer = operator_row(op.attributes).role == OperatorRole::kLayer;
    const bool prepared = is_layer && only_prepares(unit_[source]);
    return follows || prepared ? std::optional(unit_[source]) : std::nullopt;
  }

  // The convolution at the end of the longest path, because the sum waits for it anyway; or the matrix product whose
  // bias it adds.
  std::optional<std::size_t> host_of_sum(std::size_t i) const {
    std::optional<std::size_t> best;
    const auto& inputs = at(i).inputs;
    for (std::size_t one = 0; inputs.size() == 2 && one < 2; ++one) {
      const std::size_t source = inputs[one].producer;
      const bool bias = std::holds_alternative<Constant>(at(inputs[1 - one].producer).attributes);
      if (bias && is_one_of<MatMul>(at(source)) && extensible(source)) return unit_[source];
    }
    for (const DraftValue& input : at(i).inputs) {
      const std::size_t source = input.producer;
      if (!is_one_of<Conv, ConvTranspose>(at(source)) || !extensible(source)) continue;
      if (!best || depth_[source] >= depth_[*best]) best = source;
    }
    return best ? std::optional(unit_[*best]) : std::nullopt;
  }

  bool extensible(std::size_t source) const { return !at(source).is_source() && readers_[source] == 1; }

  bool only_prepares(std::size_t unit) const {
    return std::all_of(units_[unit].begin(), units_[unit].end(),
                       [&](std::size_t i) { return is_one_of<Activate, Affine, Pad>(at(i)); });
  }

  const Draft& draft_;
  std::vector<bool> live_;
  std::vector<std::size_t> readers_;  // input slots and outputs
  std::vector<std::size_t> depth_;    // operators on the longest path to it
  std::vector<std::size_t> unit_;     // index in units_
  std::vector<bool> grouped_;         // belongs to an attention
  std::vector<std::vector<std::size_t>> units_;
};

}  // namespace

std::vector<std::vector<std::size_t>> units_of(const Draft& draft) { return Grouping(draft).run(); }

}  // namespace iosx::onnx_import
