#include <algorithm>
#include <optional>

#include "core/formats/onnx/draft/attention_pattern.h"
#include "core/formats/onnx/draft/emit.h"
#include "core/model/graph/operator_table.h"

namespace iosx::onnx_import {
namespace {

template <typename... Kinds>
bool is_one_of(const DraftOperator& op) {
  return (std::holds_alternative<Kinds>(op.attributes) || ...);
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
