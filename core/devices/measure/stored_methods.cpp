#include "core/devices/measure/stored_methods.h"

namespace iosx {

std::optional<std::string> StoredMethods::find(const std::string& problem) {
  return store_.find_choice(device_, problem).value_or(std::nullopt);
}

std::string StoredMethods::keep(const std::string& problem, const std::string& method) {
  return store_.keep_choice(device_, problem, method).value_or(method);
}

}  // namespace iosx
