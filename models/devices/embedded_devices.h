#pragma once

#include <span>
#include <string_view>

namespace iosx {

// A device description that is part of the program.
struct EmbeddedDevice {
  std::string_view file;  // "tesla-v100.json"
  std::string_view json;
};

std::span<const EmbeddedDevice> embedded_devices();

}  // namespace iosx
