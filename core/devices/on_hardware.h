#pragma once

#include <string>

namespace iosx {

// Is what a device is besides (core/devices/device.h) that knows on which piece of this host's hardware it measures.
class OnHardware {
 public:
  virtual ~OnHardware() = default;
  // Names it: "GPU-8f2c…". Devices of one name, in other processes too, would disturb each other's measurements.
  virtual std::string hardware() const = 0;
};

}  // namespace iosx
