#include "tests/support/element_functions.h"

#include <algorithm>
#include <cmath>

namespace iosx::test {

double activated(const Activation& activation, double x) {
  const double alpha = activation.alpha;
  const double beta = activation.beta;
  switch (activation.kind) {
    case ActivationKind::kIdentity: return x;
    case ActivationKind::kRelu: return std::max(x, 0.0);
    case ActivationKind::kSigmoid: return 1 / (1 + std::exp(-x));
    case ActivationKind::kTanh: return std::tanh(x);
    case ActivationKind::kLeakyRelu: return x < 0 ? alpha * x : x;
    case ActivationKind::kElu: return x < 0 ? alpha * std::expm1(x) : x;
    case ActivationKind::kClip: return std::min(std::max(x, alpha), beta);
    case ActivationKind::kHardSigmoid: return std::min(std::max(alpha * x + beta, 0.0), 1.0);
    case ActivationKind::kHardSwish: return x * std::min(std::max(x + 3, 0.0), 6.0) / 6;
    case ActivationKind::kSwish: return x / (1 + std::exp(-x));
    case ActivationKind::kGelu: return x * std::erfc(-x / std::sqrt(2.0)) / 2;
    case ActivationKind::kGeluTanh: {
      const double pi = std::acos(-1.0);
      return x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x))) / 2;
    }
    case ActivationKind::kMish: return x * std::tanh(std::log1p(std::exp(x)));
    case ActivationKind::kSelu: return beta * (x < 0 ? alpha * std::expm1(x) : x);
    case ActivationKind::kCelu: return x < 0 ? alpha * std::expm1(x / alpha) : x;
    case ActivationKind::kSoftplus: return x > 30 ? x : std::log1p(std::exp(x));
    case ActivationKind::kSoftsign: return x / (1 + std::abs(x));
    case ActivationKind::kThresholdedRelu: return x > alpha ? x : 0;
    case ActivationKind::kShrink: return x < -alpha ? x + beta : x > alpha ? x - beta : 0;
    case ActivationKind::kErf: return std::erf(x);
    case ActivationKind::kSqrt: return std::sqrt(x);
    case ActivationKind::kExp: return std::exp(x);
    case ActivationKind::kLog: return std::log(x);
    case ActivationKind::kAbs: return std::abs(x);
    case ActivationKind::kNeg: return -x;
    case ActivationKind::kReciprocal: return 1 / x;
    case ActivationKind::kFloor: return std::floor(x);
    case ActivationKind::kCeil: return std::ceil(x);
    case ActivationKind::kRound: return std::remainder(x, 1.0) == 0 ? x : x - std::remainder(x, 1.0);
    case ActivationKind::kTruncate: return std::trunc(x) + 0.0;
    case ActivationKind::kSign: return x == 0 ? 0 : std::copysign(1.0, x);
    case ActivationKind::kSin: return std::sin(x);
    case ActivationKind::kCos: return std::cos(x);
    case ActivationKind::kTan: return std::tan(x);
    case ActivationKind::kAsin: return std::asin(x);
    case ActivationKind::kAcos: return std::acos(x);
    case ActivationKind::kAtan: return std::atan(x);
    case ActivationKind::kSinh: return std::sinh(x);
    case ActivationKind::kCosh: return std::cosh(x);
    case ActivationKind::kAsinh: return std::asinh(x);
    case ActivationKind::kAcosh: return std::acosh(x);
    case ActivationKind::kAtanh: return std::atanh(x);
    case ActivationKind::kNot: return x == 0 ? 1 : 0;
    case ActivationKind::kIsNan: return std::isnan(x) ? 1 : 0;
    case ActivationKind::kIsInf: return (alpha != 0 && x == -INFINITY) || (beta != 0 && x == INFINITY) ? 1 : 0;
    case ActivationKind::kFloat16:
    case ActivationKind::kBfloat16: {
      const bool half = activation.kind == ActivationKind::kFloat16;
      int exponent = 0;
      std::frexp(x, &exponent);
      const double step = std::ldexp(1.0, half ? std::max(exponent, -13) - 11 : std::max(exponent, -125) - 8);
      const double rounded = x - std::remainder(x, step);  // ties to even
      return std::abs(rounded) > (half ? 65504.0 : 3.3895313892515355e38) ? std::copysign(INFINITY, x) : rounded;
    }
  }
  return x;
}

double applied(BinaryFunction function, double a, double b) {
  switch (function) {
    case BinaryFunction::kAdd: return a + b;
    case BinaryFunction::kMul: return a * b;
    case BinaryFunction::kSub: return a - b;
    case BinaryFunction::kDiv: return a / b;
    case BinaryFunction::kPow: return std::pow(a, b);
    case BinaryFunction::kMin: return std::min(a, b);
    case BinaryFunction::kMax: return std::max(a, b);
    case BinaryFunction::kMod: return a - std::floor(a / b) * b;
    case BinaryFunction::kFmod: return a - std::trunc(a / b) * b;
    case BinaryFunction::kEqual: return a == b ? 1 : 0;
    case BinaryFunction::kGreater: return a > b ? 1 : 0;
    case BinaryFunction::kGreaterOrEqual: return a >= b ? 1 : 0;
    case BinaryFunction::kLess: return a < b ? 1 : 0;
    case BinaryFunction::kLessOrEqual: return a <= b ? 1 : 0;
    case BinaryFunction::kAnd: return a != 0 && b != 0 ? 1 : 0;
    case BinaryFunction::kOr: return a != 0 || b != 0 ? 1 : 0;
    case BinaryFunction::kXor: return (a != 0) != (b != 0) ? 1 : 0;
    case BinaryFunction::kPRelu: return a < 0 ? a * b : a;
  }
  return 0;
}

std::vector<Activation> every_activation() {
  std::vector<Activation> all;
  for (const ActivationRow& row : activation_rows()) {
    const bool truths = row.kind == ActivationKind::kIsInf;
    all.push_back(
        {row.kind, row.parameters > 0 ? (truths ? 1 : 0.25F) : 0, row.parameters > 1 ? (truths ? 1 : 0.75F) : 0});
  }
  return all;
}

bool jumps(ActivationKind kind) {
  using enum ActivationKind;
  switch (kind) {
    case kThresholdedRelu:
    case kShrink:
    case kFloor:
    case kCeil:
    case kRound:
    case kTruncate:
    case kSign:
    case kNot:
    case kIsNan:
    case kIsInf:
    case kFloat16:
    case kBfloat16: return true;
    default: return false;
  }
}

bool jumps(BinaryFunction function) {
  using enum BinaryFunction;
  switch (function) {
    case kAdd:
    case kMul:
    case kSub:
    case kMin:
    case kMax:
    case kPRelu: return false;
    default: return true;  // quotients and powers: next to 0
  }
}

bool tame(ActivationKind kind) {
  using enum ActivationKind;
  return kind != kSqrt && kind != kLog && kind != kReciprocal && kind != kAsin && kind != kAcos && kind != kAcosh &&
         kind != kAtanh;
}

}  // namespace iosx::test
