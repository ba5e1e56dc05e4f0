#include "core/formats/onnx/draft/patterns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace iosx::onnx_import {
namespace {

// Nearly equal: written constants are rounded.
bool near(float a, float b) { return std::abs(a - b) < 1e-4F * std::abs(b); }

bool same_value(const DraftValue& a, const DraftValue& b) {
  return a.producer == b.producer && a.begin == b.begin && a.end == b.end && a.shape == b.shape;
}

// Every step returns none where the operator is another one, or has other readers.
class Matcher {
 public:
  Matcher(const Draft& draft, const std::function<bool(std::size_t)>& sole) : draft_(draft), sole_(sole) {}

  template <typename Kind>
  const DraftOperator* made_by(const DraftValue& value) const {
    const DraftOperator& op = draft_.operators[value.producer];
    return std::holds_alternative<Kind>(op.attributes) && draft_.is_whole(value) ? &op : nullptr;
  }
  template <typename Kind>
  const DraftOperator* only_made_by(const DraftValue& value) const {
    return sole_(value.producer) ? made_by<Kind>(value) : nullptr;
  }

  // The input of `scale · x + shift` and the activation.
  struct Scaled {
    DraftValue of;
    float scale = 1;
    float shift = 0;
  };
  std::optional<Scaled> scaled(const DraftValue& value, const Activation& then = Activation::kIdentity) const {
    const DraftOperator* const op = only_made_by<Affine>(value);
    if (op == nullptr || std::get<Affine>(op->attributes).activation != then) return std::nullopt;
    const auto scale = uniform(op->weights);
    const auto shift = uniform(op->bias);
    if (!scale || !shift) return std::nullopt;
    return Scaled{op->inputs.front(), *scale, *shift};
  }
  const DraftValue* function(const DraftValue& value, ActivationKind kind) const {
    const DraftOperator* const op = only_made_by<Activate>(value);
    const bool fits = op != nullptr && std::get<Activate>(op->attributes).function.kind == kind;
    return fits ? &op->inputs.front() : nullptr;
  }

  // Returns x of x³: a product of three, or of a square.
  std::optional<DraftValue> cubed(const DraftValue& value) const {
    const DraftOperator* const op = only_made_by<Mul>(value);
    if (op == nullptr) return std::nullopt;
    std::vector<DraftValue> factors;
    for (const DraftValue& each : op->inputs) {
      const DraftOperator* const square = op->inputs.size() == 2 ? only_made_by<Mul>(each) : nullptr;
      if (square == nullptr) {
        factors.push_back(each);
      } else {
        factors.insert(factors.end(), square->inputs.begin(), square->inputs.end());
      }
    }
    const bool cube = factors.size() == 3 && same_value(factors[0], factors[1]) && same_value(factors[0], factors[2]);
    return cube ? std::optional(factors[0]) : std::nullopt;
  }

  // factor · (1 + erf(x / √2)), or with gelu's tanh.
  struct Gate {
    DraftValue of;
    ActivationKind kind = ActivationKind::kGelu;
    float factor = 1;
  };
  std::optional<Gate> gate(const DraftValue& value) const {
    const auto sum = scaled(value);
    if (!sum || sum->scale != sum->shift) return std::nullopt;
    if (const DraftValue* const inside = function(sum->of, ActivationKind::kErf)) {
      const auto x = scaled(*inside);
      if (!x || !near(x->scale, 0.70710678F) || x->shift != 0) return std::nullopt;
      return Gate{x->of, ActivationKind::kGelu, sum->scale};
    }
    const auto inside = scaled(sum->of, Activation::kTanh);
    if (!inside || !near(inside->scale, 0.79788456F) || inside->shift != 0) return std::nullopt;
    const DraftOperator* const terms = only_made_by<Add>(inside->of);
    if (terms == nullptr || terms->inputs.size() != 2) return std::nullopt;
    for (const auto& [x, other] : both(*terms)) {
      const auto term = scaled(other);
      if (!term || !near(term->scale, 0.044715F) || term->shift != 0) continue;
      const auto base = cubed(term->of);
      if (base && same_value(*base, x)) return Gate{x, ActivationKind::kGeluTanh, sum->scale};
    }
    return std::nullopt;
  }

  // Recognises times · x · (1 + …) with all factors 1/2.
  std::optional<Pattern> gelu(const DraftOperator& product, float times) const {
    if (!std::holds_alternative<Mul>(product.attributes) || product.inputs.size() != 2) return std::nullopt;
    for (const auto& [left, right] : both(product)) {
      const auto found = gate(right);
      if (!found) continue;
      const auto half = same_value(left, found->of) ? std::optional(Scaled{left, 1, 0}) : scaled(left);
      if (!half || !same_value(half->of, found->of) || half->shift != 0) continue;
      if (near(times * half->scale * found->factor, 0.5F)) return Pattern{Activate{{found->kind}}, found->of};
    }
    return std::nullopt;
  }

  // Recognises x · tanh(ln(1 + e^x)).
  std::optional<Pattern> mish(const DraftOperator& product) const {
    if (!std::holds_alternative<Mul>(product.attributes) || product.inputs.size() != 2) return std::nullopt;
    for (const auto& [x, other] : both(product)) {
      const DraftValue* const inside = function(other, ActivationKind::kTanh);
      const DraftValue* const of = inside == nullptr ? nullptr : function(*inside, ActivationKind::kSoftplus);
      if (of != nullptr && same_value(*of, x)) return Pattern{Activate{{ActivationKind::kMish}}, x};
    }
    return std::nullopt;
  }

  // Returns the first axis of those that a mean is over, to the last one.
  std::optional<std::size_t> mean_from(const DraftOperator& op) const {
    const auto* const reduce = std::get_if<Reduce>(&op.attributes);
    if (reduce == nullptr || reduce->kind != ReduceKind::kMean || !reduce->keep_dims) return std::nullopt;
    const std::size_t rank = op.inputs.front().shape.rank();
    if (reduce->axes.empty() || reduce->axes.back() + 1 != rank) return std::nullopt;
    const bool adjacent = reduce->axes.back() - reduce->axes.front() + 1 == reduce->axes.size();
    return adjacent ? std::optional(reduce->axes.front()) : std::nullopt;
  }

  // Returns the axis and epsilon of `root` = √(mean of x² + epsilon), if it is of this x.
  std::optional<Normalize> root_of_mean_square(const DraftValue& root, const DraftValue& x) const {
    const DraftValue* const sum = function(root, ActivationKind::kSqrt);
    const auto variance = sum == nullptr ? std::nullopt : scaled(*sum);
    if (!variance || variance->scale != 1 || !(variance->shift >= 0)) return std::nullopt;
    const DraftOperator* const mean = only_made_by<Reduce>(variance->of);
    const auto axis = mean == nullptr ? std::nullopt : mean_from(*mean);
    const DraftOperator* const square = axis ? only_made_by<Mul>(mean->inputs.front()) : nullptr;
    if (square == nullptr || square->inputs.size() != 2) return std::nullopt;
    if (!same_value(square->inputs[0], x) || !same_value(square->inputs[1], x)) return std::nullopt;
    return Normalize{*axis, variance->shift, false, false};
  }

  // Recognises x / root, or x · (1 / root).
  std::optional<Pattern> norm(const DraftOperator& op) const {
    const auto* const binary = std::get_if<Binary>(&op.attributes);
    std::optional<Normalize> found;
    DraftValue x;
    if (binary != nullptr && binary->function == BinaryFunction::kDiv) {
      x = op.inputs[0];
      found = root_of_mean_square(op.inputs[1], x);
    } else if (std::holds_alternative<Mul>(op.attributes) && op.inputs.size() == 2) {
      for (const auto& [value, inverse] : both(op)) {
        const DraftValue* const root = function(inverse, ActivationKind::kReciprocal);
        if (root == nullptr) continue;
        x = value;
        found = root_of_mean_square(*root, x);
      }
    }
    if (!found) return std::nullopt;
    // x itself may be what is left of a value without its mean.
    const DraftOperator* const rest = made_by<Binary>(x);
    if (rest == nullptr || std::get<Binary>(rest->attributes).function != BinaryFunction::kSub) {
      return Pattern{*found, x};
    }
    const DraftOperator* const mean = only_made_by<Reduce>(rest->inputs[1]);
    const auto axis = mean == nullptr ? std::nullopt : mean_from(*mean);
    if (axis != found->axis || !same_value(mean->inputs.front(), rest->inputs[0])) return Pattern{*found, x};
    found->centred = true;
    return Pattern{*found, rest->inputs[0]};
  }

  static std::vector<std::pair<DraftValue, DraftValue>> both(const DraftOperator& op) {
    return {{op.inputs[0], op.inputs[1]}, {op.inputs[1], op.inputs[0]}};
  }

 private:
  const Draft& draft_;
  const std::function<bool(std::size_t)>& sole_;
};

}  // namespace

std::optional<float> uniform(const Tensor& tensor) {
  const auto elements = tensor.elements();
  if (elements.empty()) return std::nullopt;
  const bool same = std::ranges::all_of(elements, [&](float x) { return x == elements.front(); });
  return same ? std::optional(elements.front()) : std::nullopt;
}

std::optional<Pattern> pattern_at(const Draft& draft, std::size_t i, const std::function<bool(std::size_t)>& sole) {
  const Matcher matcher(draft, sole);
  const DraftOperator& op = draft.operators[i];
  if (std::holds_alternative<Affine>(op.attributes)) {
    // A gelu whose factor 1/2 comes last.
    const auto times = uniform(op.weights);
    const DraftOperator* const product = matcher.only_made_by<Mul>(op.inputs.front());
    const bool plain = std::get<Affine>(op.attributes).activation == Activation::kIdentity && uniform(op.bias) == 0.0F;
    return product != nullptr && times && plain ? matcher.gelu(*product, *times) : std::nullopt;
  }
  if (auto found = matcher.gelu(op, 1)) return found;
  if (auto found = matcher.mish(op)) return found;
  return matcher.norm(op);
}

}  // namespace iosx::onnx_import
