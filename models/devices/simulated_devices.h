#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/registry.h"
#include "core/devices/simulated/description.h"

namespace iosx {

// Returns the simulated devices of a description: captured in each of its formats, the default one first, and
// launched by the host.
Result<std::vector<simulated::DeviceDescription>> simulated_descriptions(std::string_view json,
                                                                         const std::string& origin);

// Returns all simulated devices with compiled-in descriptions; tesla-v100, the default, comes first.
std::vector<simulated::DeviceDescription> simulated_descriptions();

// Returns the one of this id, which must exist.
simulated::DeviceDescription simulated_description(std::string_view id);

// Adds the simulated devices with compiled-in descriptions; tesla-v100, the default, comes first.
void add_simulated_devices(DeviceRegistry& registry);

}  // namespace iosx
