#pragma once

#include <span>
#include <string_view>

namespace iosx {

// Element-wise functions of one tensor. Comparisons and logic give 1 for true and 0 for false.
enum class ActivationKind {
  kIdentity,
  kRelu,
  kSigmoid,
  kTanh,
  kLeakyRelu,        // x < 0 ? alpha x : x
  kElu,              // x < 0 ? alpha (e^x - 1) : x
  kClip,             // to [alpha, beta]
  kHardSigmoid,      // alpha x + beta, clipped to [0, 1]
  kHardSwish,        // x · (x / 6 + 0.5 clipped to [0, 1])
  kSwish,            // x · sigmoid(x)
  kGelu,             // x · (1 + erf(x / √2)) / 2
  kGeluTanh,         // its approximation: x · (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2
  kMish,             // x · tanh(ln(1 + e^x))
  kSelu,             // beta (x < 0 ? alpha (e^x - 1) : x)
  kCelu,             // x < 0 ? alpha (e^(x / alpha) - 1) : x
  kSoftplus,         // ln(1 + e^x)
  kSoftsign,         // x / (1 + |x|)
  kThresholdedRelu,  // x > alpha ? x : 0
  kShrink,           // x < -alpha ? x + beta : x > alpha ? x - beta : 0
  kErf,
  kSqrt,
  kExp,
  kLog,
  kAbs,
  kNeg,
  kReciprocal,
  kFloor,
  kCeil,
  kRound,     // halves to the even neighbour
  kTruncate,  // towards zero
  kSign,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kNot,  // x == 0
  kIsNan,
  kIsInf,     // x is -∞ (where alpha is not 0) or +∞ (where beta is not 0)
  kFloat16,   // the nearest number that the type can hold, ties to the even one; ∞ beyond the largest
  kBfloat16,  // the same
};

// An element-wise function of one tensor.
struct Activation {
  ActivationKind kind = ActivationKind::kIdentity;
  float alpha = 0;
  float beta = 0;

  static const Activation kIdentity;
  static const Activation kRelu;
  static const Activation kSigmoid;
  static const Activation kTanh;
  static const Activation kHardSwish;
  static const Activation kSwish;
  friend bool operator==(const Activation&, const Activation&) = default;
};

inline constexpr Activation Activation::kIdentity{ActivationKind::kIdentity};
inline constexpr Activation Activation::kRelu{ActivationKind::kRelu};
inline constexpr Activation Activation::kSigmoid{ActivationKind::kSigmoid};
inline constexpr Activation Activation::kTanh{ActivationKind::kTanh};
inline constexpr Activation Activation::kHardSwish{ActivationKind::kHardSwish};
inline constexpr Activation Activation::kSwish{ActivationKind::kSwish};

// A function's properties, in the order of ActivationKind.
struct ActivationRow {
  ActivationKind kind = ActivationKind::kIdentity;
  std::string_view name;
  int parameters = 0;  // how many of alpha and beta it has
  bool fuses = false;  // may be fused into a convolution or a linear layer
};
std::span<const ActivationRow> activation_rows();
const ActivationRow& activation_row(ActivationKind kind);

std::string_view activation_name(Activation activation);  // "identity", "relu", "leaky relu", … without parameters
float apply(Activation activation, float x);

// Element-wise functions of two tensors. Comparisons and logic give 1 for true and 0 for false.
enum class BinaryFunction {
  kAdd,
  kMul,
  kSub,
  kDiv,
  kPow,
  kMin,  // NaN if either is NaN
  kMax,
  kMod,   // the remainder with b's sign
  kFmod,  // the remainder with a's sign
  kEqual,
  kGreater,
  kGreaterOrEqual,
  kLess,
  kLessOrEqual,
  kAnd,
  kOr,
  kXor,
  kPRelu,  // a < 0 ? a · b : a
};

struct BinaryRow {
  BinaryFunction function = BinaryFunction::kAdd;
  std::string_view name;
  std::string_view mark;  // for small boxes
};
std::span<const BinaryRow> binary_rows();  // in the order of BinaryFunction
const BinaryRow& binary_row(BinaryFunction function);

float apply(BinaryFunction function, float a, float b);

}  // namespace iosx
