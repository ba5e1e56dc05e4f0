#pragma once

#include <cstdint>

#include "core/devices/simulated/kernel_model.h"

// How far the kernel model is off. A simulated device that is redrawn has every kernel's time multiplied by a factor of
// this spread, so that one can see which of its answers hang on the model's errors.
namespace iosx::simulated {

// Kinds of kernels by what was measured of them: convolutions, matrix products, streams (element by element, pools,
// copies) and reductions of rows.
enum class ResidualKind { kConvolution, kMatrix, kStream, kRows };
ResidualKind residual_kind(const Attributes& attributes);

// Returns the standard deviation of ln(measured / simulated) of a kernel of that kind that takes so long: from the
// operators that iosx validate reads, float32 where there are such, by the mean absolute error (1.25 times it, as of a
// normal distribution). Of shorter ones than were measured the shortest measured ones' counts.
double residual_spread(ResidualKind kind, double microseconds);

// Returns the factor of that kernel in that draw: exp(spread · z), z normal, fixed by its operator, sizes and the draw
// alone, not by what is fused into it. So the same operator has the same factor wherever it runs; factors of different
// ones are independent. The contention model's own error is not in it: nothing measured says how large it is.
double residual_factor(const KernelForm& form, double microseconds, std::uint64_t draw);

}  // namespace iosx::simulated
