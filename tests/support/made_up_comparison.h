#pragma once

#include <cstddef>
#include <memory>

#include "core/analysis/compare/comparison.h"

namespace iosx::test {

// For tests only: nothing here was run on any device. A stem convolution feeds convolutions a, b and a pooling c, whose
// outputs are joined. Three schedules: sequential, greedy (a, b, c side by side), ios-both (a and b merged, beside c).
// Kernel i of a plan lasts 20 + 10 i µs, stages are 4 µs apart, a running kernel has 800 of 5120 warps active.
std::shared_ptr<Comparison> made_up_comparison();

// The same, and a second run of ios-both beside them: its kernel i lasted 25 + 10 i µs.
std::shared_ptr<Comparison> made_up_twins();

// The same, and the kernels of greedy without barriers beside them, on its lanes and as long: a kernel begins when its
// lane is free and what it needs has ended, 1 µs later where that is on another lane. Lanes are measured
// against greedy, whose own ones are said to have taken 5 µs less without barriers.
std::shared_ptr<Comparison> made_up_lanes();

// A chain of `kernels` convolutions, sequential only, 3 µs a kernel.
std::shared_ptr<Comparison> made_up_chain(std::size_t kernels);

}  // namespace iosx::test
