#pragma once

#include <string>

namespace iosx {

// An additional interface of devices (core/devices/device.h) that know their piece of this host's hardware.
class OnHardware {
 public:
  virtual ~OnHardware() = default;
  // Returns its name: "GPU-8f2c…". Devices of one name, also in other processes, would disturb each other's
  // measurements.
  virtual std::string hardware() const = 0;
};

}  // namespace iosx
