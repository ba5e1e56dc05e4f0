#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/exec/conv_choice.h"

namespace iosx::gpu {

// Returns every way to compute a convolution that may be worth measuring, likely fast ones first: our own kernel for a
// depthwise one; the library's plans with as much fused as possible; the same on dense copies of slices and of badly
// aligned pixels. Throws Unsupported if there is none.
std::vector<ConvWay> candidate_ways(const ConvProblem& problem, ConvLibrary& library);

// Restores the way of this name, with its library plan from ConvPlan::serialised() (empty without one). Returns
// none if the library rejects the plan.
std::optional<ConvWay> restored_way(const ConvProblem& problem, std::string_view name, const std::string& plan,
                                    ConvLibrary& library);

}  // namespace iosx::gpu
