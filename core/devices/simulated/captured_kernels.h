#pragma once

#include <vector>

#include "core/devices/simulated/description.h"
#include "core/devices/simulated/kernel_form.h"

namespace iosx::simulated {

// Returns the launches of a plan's kernel on a captured device, of families whose time alone is known (captured.h). No
// value where no launch of the operator was measured: the library's ways have to do.
std::optional<std::vector<KernelLoad>> captured_loads(const DeviceDescription& device, const KernelForm& kernel);

}  // namespace iosx::simulated
