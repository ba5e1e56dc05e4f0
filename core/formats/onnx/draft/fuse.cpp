#include "core/formats/onnx/draft/fuse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace iosx::onnx_import {
namespace {

// Functions that exporters write as several operators: the computation of an operator and those before it, as one
// operator of one value.
struct Pattern {
  Attributes attributes;
  DraftValue of;
};

// Returns the number that all elements equal; none if they differ.
std::optional<float> uniform(const Tensor& tensor) {
  const auto elements = tensor.elements();
  if (elements.empty()) return std::nullopt;
  const bool same = std::ranges::all_of(elements, [&](float x) { return x == elements.front(); });
  return same ? std::optional(elements.front()) : std::nullopt;
}

// Nearly equal: written constants are rounded.
bool near(float a, float b) { return std::abs(a - b) < 1e-4F * std::abs(b); }

bool same_value(const DraftValue& a, const DraftValue& b) {
  return a.producer == b.producer && a.begin == b.begin && a.end == b.end && a.shape == b.shape;
}

// Returns the two inputs in either order.
std::vector<std::pair<DraftValue, DraftValue>> both(const DraftOperator& op) {
  return {{op.inputs[0], op.inputs[1]}, {op.inputs[1], op.inputs[0]}};
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
    const bool first = std::get<Affine>(op->attributes).shift_first;
    return Scaled{op->inputs.front(), *scale, first ? *scale * *shift : *shift};
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
    if (rest == nullptr || std::get<Binary>(rest->attributes).function != BinaryFunction::kSub)
      return Pattern{*found, x};
    const DraftOperator* const mean = only_made_by<Reduce>(rest->inputs[1]);
    const auto axis = mean == nullptr ? std::nullopt : mean_from(*mean);
    if (axis != found->axis || !same_value(mean->inputs.front(), rest->inputs[0])) return Pattern{*found, x};
    found->centred = true;
    return Pattern{*found, rest->inputs[0]};
  }

 private:
  const Draft& draft_;
  const std::function<bool(std::size_t)>& sole_;
};

// `sole` returns whether an operator has a single reader. Recognised at their last operator: gelu with erf or tanh,
// mish, layer normalisation and RMS normalisation. The pattern's operators have no outside readers, except for the
// value itself.
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

// Multiplies the weights and bias of a Conv, ConvTranspose, Linear or Affine by a factor per output channel, and adds
// the shift to the bias, unless it is empty.
Result<void> scale_outputs(Draft& draft, DraftOperator& op, const Tensor& scale, const Tensor& shift) {
  const auto factors = scale.elements();
  const auto offsets = shift.elements();
  IOS_TRY(draft.spend(static_cast<std::int64_t>(op.weights.elements().size() + factors.size())));
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
      rewritten_ = i;
      IOS_TRY(rewrite(i));
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
    hand_over_names(i, source);
  }

  // Names of one operator are names of the other from now on.
  void hand_over_names(std::size_t from, std::size_t to) {
    if (from == to || at(from).is_source()) return;
    std::vector<std::string>& names = at(to).aliases;
    if (!at(from).name.empty()) names.push_back(at(from).name);
    names.insert(names.end(), at(from).aliases.begin(), at(from).aliases.end());
    at(from).aliases.clear();
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

  // Operators without readers no longer read: they are part of the one that is rewritten. Patterns are a few operators
  // deep.
  void unread(std::size_t i) {
    if (--readers_[i] > 0) return;
    hand_over_names(i, rewritten_);
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
    IOS_TRY(take_scale_and_bias(i));
    if (std::holds_alternative<Affine>(at(i).attributes)) find_divided_gate(i);
    if (std::holds_alternative<Affine>(at(i).attributes)) return fold_affine(i);
    if (std::holds_alternative<Activate>(at(i).attributes)) fold_activation(i);
    return {};
  }

  void skip_reshape(std::size_t i) {
    DraftValue& input = at(i).inputs.front();
    const DraftOperator& source = at(input.producer);
    if (!std::holds_alternative<Reshape>(source.attributes) || !draft_.is_whole(input)) return;
    read_before(input);
  }

  // Lets the input read what its producer reads alone.
  void read_before(DraftValue& input) {
    const DraftValue before = at(input.producer).inputs.front();
    ++readers_[before.producer];
    unread(std::exchange(input, before).producer);
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
    read_before(at(i).inputs.front());
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
    for (const auto& [value, given] : both(at(i))) {
      DraftOperator* const source = sole(value);
      const DraftOperator& constant = at(given.producer);
      if (source == nullptr || !std::holds_alternative<Constant>(constant.attributes)) continue;
      if (constant.weights.empty() || !draft_.is_whole(given) || at(i).output != source->output) continue;
      IOS_TRY(const auto taken, takes(*source, given.shape, constant.weights, scales));
      if (!taken) continue;
      unread(given.producer);
      at(i).inputs = {value};
      merge_into_source(i);
      return {};
    }
    return {};
  }

  Result<bool> takes(DraftOperator& source, const Shape& shape, const Tensor& numbers, bool scales) {
    if (auto* const norm = std::get_if<Normalize>(&source.attributes))
      return norm_takes(source, *norm, shape, numbers, scales);
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
    for (const auto& [x, gate] : both(at(i))) {
      const DraftOperator* const source = sole(gate);
      const Activate* const activate = source == nullptr ? nullptr : std::get_if<Activate>(&source->attributes);
      if (activate == nullptr || !same_value(source->inputs.front(), x)) continue;
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
    if (is_shifted_relu6(*source))
      return become(i, DraftValue(source->inputs.front()), {ActivationKind::kHardSigmoid, 1.0F / 6, 0.5F});
    if (!std::holds_alternative<Mul>(source->attributes) || source->inputs.size() != 2) return;
    for (const auto& [x, gate] : both(*source)) {
      const DraftOperator* const gating = sole(gate);
      if (gating == nullptr || !is_shifted_relu6(*gating) || !same_value(gating->inputs.front(), x)) continue;
      return become(i, DraftValue(x), Activation::kHardSwish);
    }
  }

  // Where the shift comes first, it stays first if only a factor follows. A term that follows ends that: it is
  // scale · x + the sum of all terms then.
  static bool joined_shift_first(DraftOperator& source, const DraftOperator& then) {
    auto* const affine = std::get_if<Affine>(&source.attributes);
    if (affine == nullptr || !affine->shift_first) return false;
    const auto times = [](const Tensor& numbers, const Tensor& factors) {
      return scaled(numbers, [all = factors.elements()](std::size_t c) { return all[c]; });
    };
    affine->shift_first = uniform(then.bias) == 0.0F;
    if (affine->shift_first) {
      source.weights = times(source.weights, then.weights);
    } else {
      source.bias = times(source.bias, source.weights);
    }
    return affine->shift_first;
  }

  Result<void> fold_affine(std::size_t i) {
    DraftOperator* const source = sole_source(i);
    const Activation* const activation = source == nullptr ? nullptr : fused_activation(source->attributes);
    if (activation == nullptr || *activation != Activation::kIdentity) return {};
    if (at(i).inputs.front().shape != source->output) return {};
    if (joined_shift_first(*source, at(i))) {
      merge_into_source(i);
      return {};
    }
    Tensor scale = at(i).weights;
    Tensor shift = at(i).bias;
    if (const Linear* const linear = std::get_if<Linear>(&source->attributes); linear != nullptr && linear->axis > 0) {
      const auto factor = uniform(scale);  // of axis 0, which is not that of the features
      const auto term = uniform(shift);
      if (!factor || !term) return {};
      scale = filled(linear->out_features, *factor);
      shift = filled(linear->out_features, *term);
    }
    IOS_TRY(scale_outputs(draft_, *source, scale, shift));
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
  std::size_t rewritten_ = 0;         // the operator that is looked at now
  std::vector<std::size_t> forward_;  // which operator an operator became part of, itself if none
};

}  // namespace

Result<void> fuse(Draft& draft) { return Fusion(draft).run(); }

}  // namespace iosx::onnx_import
