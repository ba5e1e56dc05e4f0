#include "core/devices/measure/stored_methods.h"

namespace iosx {

std::optional<std::string> StoredMethods::find(const std::string& problem) {
  auto found = store_.find_choice(device_, problem);
  if (!found && failed_) failed_(found.error());
  return found.value_or(std::nullopt);
}

std::string StoredMethods::keep(const std::string& problem, const std::string& method) {
  auto kept = store_.keep_choice(device_, id_, problem, method);
  if (!kept && failed_) failed_(kept.error());
  return kept.value_or(method);
}

}  // namespace iosx
