#pragma once

#include <memory>
#include <string_view>

#include "core/devices/registry.h"
#include "models/devices/simulated_devices.h"

namespace iosx::test {

// Returns the simulated device of that id, which must be one of the program's.
inline std::unique_ptr<Device> simulated(std::string_view id) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  return std::move(devices.open(id).value());
}

}  // namespace iosx::test
