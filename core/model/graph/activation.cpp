#include "core/model/graph/activation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace iosx {
namespace {

using enum ActivationKind;

constexpr std::array kActivations{
    ActivationRow{kIdentity, "identity", 0, true},
    ActivationRow{kRelu, "relu", 0, true},
    ActivationRow{kSigmoid, "sigmoid", 0, true},
    ActivationRow{kTanh, "tanh", 0, true},
    ActivationRow{kLeakyRelu, "leaky relu", 1, true},
    ActivationRow{kElu, "elu", 1, true},
    ActivationRow{kClip, "clip", 2, true},
    ActivationRow{kHardSigmoid, "hard sigmoid", 2, true},
    ActivationRow{kHardSwish, "hard swish", 0, true},
    ActivationRow{kSwish, "swish", 0, true},
    ActivationRow{kGelu, "gelu", 0, true},
    ActivationRow{kGeluTanh, "gelu (tanh)", 0, true},
    ActivationRow{kMish, "mish", 0, true},
    ActivationRow{kSelu, "selu", 2},
    ActivationRow{kCelu, "celu", 1},
    ActivationRow{kSoftplus, "softplus"},
    ActivationRow{kSoftsign, "softsign"},
    ActivationRow{kThresholdedRelu, "thresholded relu", 1},
    ActivationRow{kShrink, "shrink", 2},
    ActivationRow{kErf, "erf"},
    ActivationRow{kSqrt, "sqrt"},
    ActivationRow{kExp, "exp"},
    ActivationRow{kLog, "log"},
    ActivationRow{kAbs, "abs"},
    ActivationRow{kNeg, "neg"},
    ActivationRow{kReciprocal, "reciprocal"},
    ActivationRow{kFloor, "floor"},
    ActivationRow{kCeil, "ceil"},
    ActivationRow{kRound, "round"},
    ActivationRow{kTruncate, "truncate"},
    ActivationRow{kSign, "sign"},
    ActivationRow{kSin, "sin"},
    ActivationRow{kCos, "cos"},
    ActivationRow{kTan, "tan"},
    ActivationRow{kAsin, "asin"},
    ActivationRow{kAcos, "acos"},
    ActivationRow{kAtan, "atan"},
    ActivationRow{kSinh, "sinh"},
    ActivationRow{kCosh, "cosh"},
    ActivationRow{kAsinh, "asinh"},
    ActivationRow{kAcosh, "acosh"},
    ActivationRow{kAtanh, "atanh"},
    ActivationRow{kNot, "not"},
    ActivationRow{kIsNan, "is nan"},
    ActivationRow{kIsInf, "is inf", 2},
    ActivationRow{kFloat16, "float16"},
    ActivationRow{kBfloat16, "bfloat16"},
};

constexpr std::array kBinaries{
    BinaryRow{BinaryFunction::kAdd, "add", "+"},
    BinaryRow{BinaryFunction::kMul, "mul", "×"},
    BinaryRow{BinaryFunction::kSub, "sub", "−"},
    BinaryRow{BinaryFunction::kDiv, "div", "÷"},
    BinaryRow{BinaryFunction::kPow, "pow", "pow"},
    BinaryRow{BinaryFunction::kMin, "min", "min"},
    BinaryRow{BinaryFunction::kMax, "max", "max"},
    BinaryRow{BinaryFunction::kMod, "mod", "mod"},
    BinaryRow{BinaryFunction::kFmod, "fmod", "mod"},
    BinaryRow{BinaryFunction::kEqual, "equal", "="},
    BinaryRow{BinaryFunction::kGreater, "greater", ">"},
    BinaryRow{BinaryFunction::kGreaterOrEqual, "greater or equal", "≥"},
    BinaryRow{BinaryFunction::kLess, "less", "<"},
    BinaryRow{BinaryFunction::kLessOrEqual, "less or equal", "≤"},
    BinaryRow{BinaryFunction::kAnd, "and", "and"},
    BinaryRow{BinaryFunction::kOr, "or", "or"},
    BinaryRow{BinaryFunction::kXor, "xor", "xor"},
    BinaryRow{BinaryFunction::kPRelu, "prelu", "prelu"},
};

consteval bool in_order() {
  for (std::size_t i = 0; i < kActivations.size(); ++i) {
    if (static_cast<std::size_t>(kActivations[i].kind) != i) return false;
  }
  for (std::size_t i = 0; i < kBinaries.size(); ++i) {
    if (static_cast<std::size_t>(kBinaries[i].function) != i) return false;
  }
  return kActivations.back().kind == kBfloat16 && kBinaries.back().function == BinaryFunction::kPRelu;
}
static_assert(in_order(), "a row for each function, in its enumeration's order");

// Returns the nearest number with so many binary digits behind the first, whose exponent is `least` or more; ties go to
// the even one.
float with_digits(float x, int digits, int least) {
  if (x == 0 || !std::isfinite(x)) return x;
  const float step = std::ldexp(1.0F, std::max(std::ilogb(x), least) - digits);
  return std::nearbyint(x / step) * step;
}

float truth(bool is) { return is ? 1.0F : 0.0F; }

}  // namespace

std::span<const ActivationRow> activation_rows() { return kActivations; }
const ActivationRow& activation_row(ActivationKind kind) { return kActivations[static_cast<std::size_t>(kind)]; }
std::string_view activation_name(Activation activation) { return activation_row(activation.kind).name; }

std::span<const BinaryRow> binary_rows() { return kBinaries; }
const BinaryRow& binary_row(BinaryFunction function) { return kBinaries[static_cast<std::size_t>(function)]; }

float apply(Activation activation, float x) {
  const auto [kind, alpha, beta] = activation;
  switch (kind) {
    case kIdentity: return x;
    case kRelu: return std::max(x, 0.0F);
    case kSigmoid: return 1 / (1 + std::exp(-x));
    case kTanh: return std::tanh(x);
    case kLeakyRelu: return x < 0 ? alpha * x : x;
    case kElu: return x < 0 ? alpha * std::expm1(x) : x;
    case kClip: return std::min(std::max(x, alpha), beta);
    case kHardSigmoid: return std::clamp(alpha * x + beta, 0.0F, 1.0F);
    case kHardSwish: return x * std::clamp(x / 6 + 0.5F, 0.0F, 1.0F);
    case kSwish: return x / (1 + std::exp(-x));
    case kGelu: return 0.5F * x * std::erfc(x * -0.707106781F);
    case kGeluTanh: return 0.5F * x * (1 + std::tanh(0.797884561F * (x + 0.044715F * x * x * x)));
    case kMish: return x * std::tanh(apply({kSoftplus}, x));
    case kSelu: return beta * (x < 0 ? alpha * std::expm1(x) : x);
    case kCelu: return x < 0 ? alpha * std::expm1(x / alpha) : x;
    case kSoftplus: return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x)));
    case kSoftsign: return x / (1 + std::abs(x));
    case kThresholdedRelu: return x > alpha ? x : 0.0F;
    case kShrink: return x < -alpha ? x + beta : x > alpha ? x - beta : 0.0F;
    case kErf: return std::erf(x);
    case kSqrt: return std::sqrt(x);
    case kExp: return std::exp(x);
    case kLog: return std::log(x);
    case kAbs: return std::abs(x);
    case kNeg: return -x;
    case kReciprocal: return 1 / x;
    case kFloor: return std::floor(x);
    case kCeil: return std::ceil(x);
    case kRound: return std::nearbyint(x);
    case kTruncate: return std::trunc(x) + 0.0F;  // an integer has no -0
    case kSign: return x > 0 ? 1.0F : x < 0 ? -1.0F : x;
    case kSin: return std::sin(x);
    case kCos: return std::cos(x);
    case kTan: return std::tan(x);
    case kAsin: return std::asin(x);
    case kAcos: return std::acos(x);
    case kAtan: return std::atan(x);
    case kSinh: return std::sinh(x);
    case kCosh: return std::cosh(x);
    case kAsinh: return std::asinh(x);
    case kAcosh: return std::acosh(x);
    case kAtanh: return std::atanh(x);
    case kNot: return truth(x == 0);
    case kIsNan: return truth(std::isnan(x));
    case kIsInf: return truth(std::isinf(x) && (x < 0 ? alpha : beta) != 0);
    case kFloat16: {
      const float rounded = with_digits(x, 10, -14);
      return std::abs(rounded) > 65504 ? std::copysign(std::numeric_limits<float>::infinity(), x) : rounded;
    }
    case kBfloat16: return with_digits(x, 7, -126);
  }
  return x;
}

float apply(BinaryFunction function, float a, float b) {
  switch (function) {
    case BinaryFunction::kAdd: return a + b;
    case BinaryFunction::kMul: return a * b;
    case BinaryFunction::kSub: return a - b;
    case BinaryFunction::kDiv: return a / b;
    case BinaryFunction::kPow: return std::pow(a, b);
    case BinaryFunction::kMin: return std::isnan(a) || a < b ? a : b;
    case BinaryFunction::kMax: return std::isnan(a) || a > b ? a : b;
    case BinaryFunction::kMod: {
      const float rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case BinaryFunction::kFmod: return std::fmod(a, b);
    case BinaryFunction::kEqual: return truth(a == b);
    case BinaryFunction::kGreater: return truth(a > b);
    case BinaryFunction::kGreaterOrEqual: return truth(a >= b);
    case BinaryFunction::kLess: return truth(a < b);
    case BinaryFunction::kLessOrEqual: return truth(a <= b);
    case BinaryFunction::kAnd: return truth(a != 0 && b != 0);
    case BinaryFunction::kOr: return truth(a != 0 || b != 0);
    case BinaryFunction::kXor: return truth((a != 0) != (b != 0));
    case BinaryFunction::kPRelu: return a < 0 ? a * b : a;
  }
  return a;
}

}  // namespace iosx
