#pragma once

#include <cstdint>

#include "core/devices/simulated/kernel_form.h"

namespace iosx::simulated {

// The error of the kernel model. A redrawn simulated device multiplies every kernel's time by a factor of this spread,
// which shows which of its answers depend on the model's errors.

// Kinds of kernels with separate measurements: convolutions, matrix products, streams (elementwise, pools, copies)
// and reductions of rows.
enum class ResidualKind { kConvolution, kMatrix, kStream, kRows };
ResidualKind residual_kind(const Attributes& attributes);

// Returns the standard deviation of ln(measured / simulated) for a kernel of that kind and duration. It comes from the
// operators that iosx validate reads, in float32 where available, as 1.25 times the mean absolute error (a normal
// distribution). Kernels shorter than all measured ones get the value of the shortest.
double residual_spread(ResidualKind kind, double microseconds);

// Returns the kernel's factor in that draw: exp(spread · z) with normal z. Operator, sizes and draw alone determine
// it, not what is fused into the kernel, so the same operator has the same factor everywhere; different ones are
// independent.
double residual_factor(const KernelForm& form, double microseconds, std::uint64_t draw);

// Returns a number of the standard normal distribution, the same for the same seed and draw on every computer.
double normal(std::uint64_t seed, std::uint64_t draw);

}  // namespace iosx::simulated
