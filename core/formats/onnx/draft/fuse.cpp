#include "core/formats/onnx/draft/fuse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/formats/onnx/draft/patterns.h"

namespace iosx::onnx_import {
namespace {

// The most inputs of a joined concatenation: long chains would take long otherwise.
constexpr std::size_t kMaxJoined = 256;

// Nearly equal: written constants such as 0.1666667 are rounded.
bool about(float a, float b) { return std::abs(a - b) < 1e-5F; }

Tensor filled(std::int64_t count, float value) {
  return {{count}, std::vector<float>(static_cast<std::size_t>(count), value)};
}

// Adds that many numbers to a bias, which may be missing.
Tensor sum(const Tensor& bias, std::span<const float> numbers) {
  std::vector<float> made(numbers.begin(), numbers.end());
  const auto before = bias.elements();
  for (std::size_t i = 0; i < before.size(); ++i) made[i] += before[i];
  const auto count = static_cast<std::int64_t>(made.size());
  return {{count}, std::move(made)};
}

// One pass over the operators in order. An operator that became part of another is forwarded to it.
class Fusion {
 public:
  explicit Fusion(Draft& draft) : draft_(draft), readers_(draft.operators.size(), 0) {
    const auto live = needed(draft);
    for (std::size_t i = 0; i < draft.operators.size(); ++i) {
      forward_.push_back(i);
      if (!live[i]) continue;
      for (const DraftValue& input : draft.operators[i].inputs) ++readers_[input.producer];
    }
    for (const auto& [name, value] : draft.outputs) ++readers_[value.producer];
  }

  Result<void> run() {
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (readers_[i] == 0) continue;
      for (DraftValue& input : draft_.operators[i].inputs) input.producer = forward_[input.producer];
      if (auto done = rewrite(i); !done) return done;
    }
    for (auto& [name, value] : draft_.outputs) value.producer = forward_[value.producer];
    return {};
  }

 private:
  DraftOperator& at(std::size_t i) { return draft_.operators[i]; }

  // Returns the producer of the operator's only input if nothing else reads it.
  DraftOperator* sole_source(std::size_t i) {
    const DraftOperator& op = at(i);
    return op.inputs.size() == 1 ? sole(op.inputs.front()) : nullptr;
  }
  DraftOperator* sole(const DraftValue& value) {
    return readers_[value.producer] == 1 && draft_.is_whole(value) ? &at(value.producer) : nullptr;
  }

  // Operator i is now part of the one that it reads.
  void merge_into_source(std::size_t i) {
    const std::size_t source = at(i).inputs.front().producer;
    readers_[source] = readers_[i];
    readers_[i] = 0;
    forward_[i] = source;
  }

  // Operator i now is this, of a value that it, or what it reads, read before.
  void become(std::size_t i, const DraftValue& of, const Activation& function) { become(i, of, Activate{function}); }
  void become(std::size_t i, const DraftValue& of, Attributes attributes) {
    std::vector<DraftValue> before = std::move(at(i).inputs);
    ++readers_[of.producer];
    at(i).attributes = std::move(attributes);
    at(i).inputs = {of};
    at(i).weights = {};
    at(i).bias = {};
    for (const DraftValue& value : before) unread(value.producer);
  }

  // Operators without readers no longer read. Patterns are a few operators deep.
  void unread(std::size_t i) {
    if (--readers_[i] > 0) return;
    for (const DraftValue& input : at(i).inputs) unread(input.producer);
    at(i).inputs.clear();
  }

  Result<void> rewrite(std::size_t i) {
    const Linear* const linear = std::get_if<Linear>(&at(i).attributes);
    if (linear != nullptr && linear->axis == 0) skip_reshape(i);
    if (std::holds_alternative<Conv>(at(i).attributes)) take_padding(i);
    if (std::holds_alternative<Concat>(at(i).attributes)) flatten_concat(i);
    if (std::holds_alternative<Mul>(at(i).attributes)) find_gate(i);
    find_pattern(i);
    if (auto done = take_scale_and_bias(i); !done) return done;
    if (std::holds_alternative<Affine>(at(i).attributes)) find_divided_gate(i);
    if (std::holds_alternative<Affine>(at(i).attributes)) return fold_affine(i);
    if (std::holds_alternative<Activate>(at(i).attributes)) fold_activation(i);
    return {};
  }

  void skip_reshape(std::size_t i) {
    DraftValue& input = at(i).inputs.front();
    const DraftOperator& source = at(input.producer);
    if (!std::holds_alternative<Reshape>(source.attributes) || !draft_.is_whole(input)) return;
    const DraftValue before = source.inputs.front();
    ++readers_[before.producer];
    unread(input.producer);
    input = before;
  }

  // Lets the operator read the parts of concatenations that it concatenates and nothing else reads.
  void flatten_concat(std::size_t i) {
    const std::size_t axis = std::get<Concat>(at(i).attributes).axis;
    std::vector<DraftValue> flat;
    for (const DraftValue& input : std::vector<DraftValue>(at(i).inputs)) {
      const DraftOperator* const source = sole(input);
      const Concat* const inner = source == nullptr ? nullptr : std::get_if<Concat>(&source->attributes);
      if (inner == nullptr || inner->axis != axis || flat.size() + source->inputs.size() > kMaxJoined) {
        flat.push_back(input);
        continue;
      }
      for (const DraftValue& each : source->inputs) {
        ++readers_[each.producer];
        flat.push_back(each);
      }
      unread(input.producer);
    }
    at(i).inputs = std::move(flat);
  }

  void take_padding(std::size_t i) {
    const DraftOperator* const source = sole_source(i);
    const Pad* const pad = source == nullptr ? nullptr : std::get_if<Pad>(&source->attributes);
    if (pad == nullptr || pad->mode != PadMode::kConstant || pad->value != 0) return;
    const auto negative = [](std::int64_t amount) { return amount < 0; };
    if (pad->begins[0] != 0 || pad->ends[0] != 0 || std::any_of(pad->begins.begin(), pad->begins.end(), negative) ||
        std::any_of(pad->ends.begin(), pad->ends.end(), negative)) {
      return;
    }
    auto& conv = std::get<Conv>(at(i).attributes);
    conv.padding = {conv.padding.height + pad->begins[1], conv.padding.width + pad->begins[2]};
    conv.end_padding = {conv.end_padding.height + pad->ends[1] - pad->begins[1],
                        conv.end_padding.width + pad->ends[2] - pad->begins[2]};
    const DraftValue before = source->inputs.front();
    const std::size_t old = at(i).inputs.front().producer;
    ++readers_[before.producer];
    at(i).inputs.front() = before;
    unread(old);
  }

  static bool same(const DraftValue& a, const DraftValue& b) {
    return a.producer == b.producer && a.begin == b.begin && a.end == b.end && a.shape == b.shape;
  }

  void find_pattern(std::size_t i) {
    const Attributes& attributes = at(i).attributes;
    const bool may_end_one = std::holds_alternative<Mul>(attributes) || std::holds_alternative<Affine>(attributes) ||
                             std::holds_alternative<Binary>(attributes);
    if (!may_end_one || at(i).inputs.empty()) return;
    if (auto found = pattern_at(draft_, i, [this](std::size_t op) { return readers_[op] == 1; })) {
      become(i, DraftValue(found->of), std::move(found->attributes));
    }
  }

  // Constant factors and terms become parameters of what makes the other operand, where they fit these.
  Result<void> take_scale_and_bias(std::size_t i) {
    const bool scales = std::holds_alternative<Mul>(at(i).attributes);
    if ((!scales && !std::holds_alternative<Add>(at(i).attributes)) || at(i).inputs.size() != 2) return {};
    for (const auto& [value, given] :
         {std::pair(at(i).inputs[0], at(i).inputs[1]), std::pair(at(i).inputs[1], at(i).inputs[0])}) {
      DraftOperator* const source = sole(value);
      const DraftOperator& constant = at(given.producer);
      if (source == nullptr || !std::holds_alternative<Constant>(constant.attributes)) continue;
      if (constant.weights.empty() || !draft_.is_whole(given) || at(i).output != source->output) continue;
      IOS_TRY(const auto taken, takes(*source, given.shape, constant.weights, scales));
      if (!taken) continue;
      const DraftValue before = value;
      unread(given.producer);
      at(i).inputs = {before};
      merge_into_source(i);
      return {};
    }
    return {};
  }

  Result<bool> takes(DraftOperator& source, const Shape& shape, const Tensor& numbers, bool scales) {
    if (auto* const norm = std::get_if<Normalize>(&source.attributes)) {
      return norm_takes(source, *norm, shape, numbers, scales);
    }
    const auto* const linear = std::get_if<Linear>(&source.attributes);
    return linear != nullptr ? features_take(source, *linear, shape, numbers, scales) : false;
  }

  // Puts numbers into a normalisation, one for each of all that it takes together: factors, then terms.
  static bool norm_takes(DraftOperator& source, Normalize& norm, const Shape& shape, const Tensor& numbers,
                         bool scales) {
    if (norm.scaled == scales || shape != Shape(source.output.dims().subspan(norm.axis))) return false;
    if (!scales && !source.bias.empty() && uniform(source.bias) != 0.0F) return false;
    if (scales) {
      norm.scaled = true;
      source.weights = numbers;
    } else {
      source.bias = numbers;
    }
    return true;
  }

  // Puts numbers into a linear layer, one for each of the features that it makes of every place.
  Result<bool> features_take(DraftOperator& source, const Linear& linear, const Shape& shape, const Tensor& numbers,
                             bool scales) {
    if (linear.axis == 0 || linear.activation != Activation::kIdentity) return false;
    const bool row =
        shape.rank() > 0 && shape[shape.rank() - 1] == linear.out_features && shape.elements() == linear.out_features;
    if (!row) return false;
    if (!scales) {
      source.bias = sum(source.bias, numbers.elements());
      return true;
    }
    IOS_TRY(scale_outputs(draft_, source, numbers, {}));
    return true;
  }

  // Finds x · sigmoid(x), and x · hard sigmoid(x) with the factors of hard swish.
  void find_gate(std::size_t i) {
    if (at(i).inputs.size() != 2) return;
    for (const auto& [x, gate] :
         {std::pair(at(i).inputs[0], at(i).inputs[1]), std::pair(at(i).inputs[1], at(i).inputs[0])}) {
      const DraftOperator* const source = sole(gate);
      const Activate* const activate = source == nullptr ? nullptr : std::get_if<Activate>(&source->attributes);
      if (activate == nullptr || !same(source->inputs.front(), x)) continue;
      const Activation function = activate->function;
      if (function == Activation::kSigmoid) return become(i, DraftValue(x), Activation::kSwish);
      if (function.kind == ActivationKind::kHardSigmoid && about(function.alpha, 1.0F / 6) &&
          about(function.beta, 0.5F)) {
        return become(i, DraftValue(x), Activation::kHardSwish);
      }
    }
  }

  // Returns whether the operator is clip(x + 3, 0, 6).
  static bool is_shifted_relu6(const DraftOperator& op) {
    const Affine* const affine = std::get_if<Affine>(&op.attributes);
    return affine != nullptr && affine->activation == Activation{ActivationKind::kClip, 0, 6} &&
           uniform(op.weights) == 1.0F && uniform(op.bias) == 3.0F;
  }

  // Finds clip(x + 3, 0, 6) / 6 and x · clip(x + 3, 0, 6) / 6: hard sigmoid and hard swish as older exporters write
  // them.
  void find_divided_gate(std::size_t i) {
    const auto scale = uniform(at(i).weights);
    if (!scale || !about(*scale, 1.0F / 6) || uniform(at(i).bias) != 0.0F || at(i).inputs.empty()) return;
    if (std::get<Affine>(at(i).attributes).activation != Activation::kIdentity) return;
    const DraftOperator* const source = sole_source(i);
    if (source == nullptr) return;
    if (is_shifted_relu6(*source)) {
      return become(i, DraftValue(source->inputs.front()), {ActivationKind::kHardSigmoid, 1.0F / 6, 0.5F});
    }
    if (!std::holds_alternative<Mul>(source->attributes) || source->inputs.size() != 2) return;
    for (const auto& [x, gate] :
         {std::pair(source->inputs[0], source->inputs[1]), std::pair(source->inputs[1], source->inputs[0])}) {
      const DraftOperator* const gating = sole(gate);
      if (gating == nullptr || !is_shifted_relu6(*gating) || !same(gating->inputs.front(), x)) continue;
      return become(i, DraftValue(x), Activation::kHardSwish);
    }
  }

  Result<void> fold_affine(std::size_t i) {
    DraftOperator* const source = sole_source(i);
    const Activation* const activation = source == nullptr ? nullptr : fused_activation(source->attributes);
    if (activation == nullptr || *activation != Activation::kIdentity) return {};
    if (at(i).inputs.front().shape != source->output) return {};
    Tensor scale = at(i).weights;
    Tensor shift = at(i).bias;
    if (const Linear* const linear = std::get_if<Linear>(&source->attributes); linear != nullptr && linear->axis > 0) {
      const auto factor = uniform(scale);  // of axis 0, which is not that of the features
      const auto term = uniform(shift);
      if (!factor || !term) return {};
      scale = filled(linear->out_features, *factor);
      shift = filled(linear->out_features, *term);
    }
    if (auto done = scale_outputs(draft_, *source, scale, shift); !done) return done;
    merge_into_source(i);
    return {};
  }

  void fold_activation(std::size_t i) {
    DraftOperator* const source = sole_source(i);
    Activation* const activation = source == nullptr ? nullptr : fused_activation(source->attributes);
    if (activation == nullptr || *activation != Activation::kIdentity) return;
    if (!activation_row(std::get<Activate>(at(i).attributes).function.kind).fuses) return;
    *activation = std::get<Activate>(at(i).attributes).function;
    merge_into_source(i);
  }

  Draft& draft_;
  std::vector<std::size_t> readers_;  // input slots and outputs that read the operator; 0: not needed
  std::vector<std::size_t> forward_;  // which operator an operator became part of, itself if none
};

// Returns the weights, each multiplied by the factor of its output channel.
Tensor scaled(const Tensor& weights, const std::function<float(std::size_t)>& factor_at) {
  std::vector<float> made(weights.elements().begin(), weights.elements().end());
  for (std::size_t i = 0; i < made.size(); ++i) made[i] *= factor_at(i);
  return {{weights.dims().begin(), weights.dims().end()}, std::move(made)};
}

std::size_t product(std::span<const std::int64_t> dims) {
  return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

// Weights of a transposed convolution are in channels x out channels / groups x kernel.
Tensor scaled_transposed(const DraftOperator& op, std::int64_t groups, std::span<const float> scale) {
  const auto dims = op.weights.dims();
  const auto outputs = static_cast<std::size_t>(dims[1]);
  const auto kernel = product(dims.subspan(2));
  const auto inputs_per_group = static_cast<std::size_t>(dims[0] / groups);
  return scaled(op.weights, [=](std::size_t i) {
    const std::size_t input = i / (kernel * outputs);
    return scale[input / inputs_per_group * outputs + i / kernel % outputs];
  });
}

}  // namespace

Result<void> fuse(Draft& draft) { return Fusion(draft).run(); }

Result<void> scale_outputs(Draft& draft, DraftOperator& op, const Tensor& scale, const Tensor& shift) {
  const auto factors = scale.elements();
  const auto offsets = shift.elements();
  if (auto spent = draft.spend(static_cast<std::int64_t>(op.weights.elements().size() + factors.size())); !spent) {
    return spent;
  }
  if (const auto* const transposed = std::get_if<ConvTranspose>(&op.attributes)) {
    op.weights = scaled_transposed(op, transposed->groups, factors);
  } else {
    const std::size_t each = product(op.weights.dims().subspan(1));
    op.weights = scaled(op.weights, [=](std::size_t i) { return factors[i / each]; });
  }
  if (op.bias.empty() && shift.empty()) return {};
  std::vector<float> bias(factors.size(), 0.0F);
  const auto before = op.bias.elements();
  for (std::size_t c = 0; c < before.size(); ++c) bias[c] = factors[c] * before[c];
  for (std::size_t c = 0; c < offsets.size(); ++c) bias[c] += offsets[c];
  const auto channels = static_cast<std::int64_t>(bias.size());
  op.bias = Tensor({channels}, std::move(bias));
  return {};
}

}  // namespace iosx::onnx_import
