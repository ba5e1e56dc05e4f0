#pragma once

#include <string_view>

namespace iosx {

enum class ActivationKind {
  kIdentity,
  kRelu,
  kSigmoid,
  kTanh,
  kLeakyRelu,    // x < 0 ? alpha x : x
  kElu,          // x < 0 ? alpha (e^x - 1) : x
  kClip,         // to [alpha, beta]
  kHardSigmoid,  // alpha x + beta, clipped to [0, 1]
  kHardSwish,    // x · (x / 6 + 0.5 clipped to [0, 1])
  kSwish,        // x · sigmoid(x)
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

std::string_view activation_name(Activation activation);  // "identity", "relu", "leaky relu", … without parameters
float apply(Activation activation, float x);

}  // namespace iosx
