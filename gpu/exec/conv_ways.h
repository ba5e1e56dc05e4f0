#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/exec/conv_choice.h"

namespace iosx::gpu {

// Returns every way to compute a convolution that may be worth its time, what is likely fast first: our own kernel for
// a depthwise one; the library's plans with as much fused as it can; the same on dense copies of slices and of pixels
// that are worse aligned than dense ones. Throws Unsupported if there is none.
std::vector<ConvWay> candidate_ways(const ConvProblem& problem, ConvLibrary& library);

// Restores the way of this name, with its library plan as ConvPlan::serialised() wrote it (empty without one). It
// returns none if the library does not take it back.
std::optional<ConvWay> restored_way(const ConvProblem& problem, std::string_view name, const std::string& plan,
                                    ConvLibrary& library);

}  // namespace iosx::gpu
