#include "core/formats/onnx/draft/attention_pattern.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

namespace iosx::onnx_import {
namespace {

// The most operators between a matrix product and the softmax.
constexpr int kMaxBetween = 8;

template <typename... Kinds>
bool is_any(const DraftOperator& op) {
  return (std::holds_alternative<Kinds>(op.attributes) || ...);
}

class Finder {
 public:
  Finder(const Draft& draft, const std::vector<std::size_t>& readers)
      : draft_(draft), readers_(readers), taken_(draft.operators.size(), false) {}

  std::vector<std::vector<std::size_t>> run() {
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (readers_[i] == 0 || !is_any<MatMul>(at(i))) continue;
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
    while (inside(i) && is_any<Reshape, Identity>(at(i))) {
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
    if (is_any<MatMul>(at(i))) return true;
    if (is_any<Affine, Activate, Reshape, Add, Mul, Binary, Where>(at(i))) {
      for (const DraftValue& input : at(i).inputs) {
        if (reaches_product(input.producer, steps - 1, way)) return true;
      }
    }
    way.pop_back();
    return false;
  }

  // Returns whether the operator only changes the form or size of one tensor.
  bool prepares(std::size_t i) const {
    if (is_any<Reshape, Transpose, Slice, Expand, Affine>(at(i))) return true;
    if (!is_any<Mul, Binary>(at(i))) return false;
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

}  // namespace

std::vector<std::vector<std::size_t>> attentions(const Draft& draft, const std::vector<std::size_t>& readers) {
  return Finder(draft, readers).run();
}

}  // namespace iosx::onnx_import
