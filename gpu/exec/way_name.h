#pragma once

#include <string>

#include "gpu/exec/conv_choice.h"

namespace iosx::gpu {

// What ConvWay::name() adds to the name of the library's plan, which is for `problem`; way.plan is not looked at.
std::string name_suffix(const ConvWay& way, const ConvProblem& problem);

}  // namespace iosx::gpu
