#pragma once

#include <span>
#include <string_view>

namespace iosx {

// A description compiled into the program, for core/devices/simulated.
struct EmbeddedDescription {
  std::string_view file;  // "tesla-v100.json"
  std::string_view json;
};

std::span<const EmbeddedDescription> embedded_devices();
std::span<const EmbeddedDescription> embedded_engines();
const EmbeddedDescription& embedded_captured();  // what captured launches take
const EmbeddedDescription& embedded_library();
// The launches that a GPU ran, for core/analysis/validate.
const EmbeddedDescription& embedded_launches();

}  // namespace iosx
