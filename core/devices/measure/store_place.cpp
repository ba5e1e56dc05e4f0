#include "core/devices/measure/store_place.h"

#include <cstdlib>
#include <optional>

namespace iosx {

Result<std::filesystem::path> default_store_file() {
  const auto folder = [](const char* variable) -> std::optional<std::filesystem::path> {
    const char* const value = std::getenv(variable);
    if (value == nullptr || !std::filesystem::path(value).is_absolute()) return std::nullopt;
    return value;
  };
  const std::filesystem::path name = std::filesystem::path("ios-explorer") / "measurements.db";
  if (const auto data = folder("XDG_DATA_HOME")) return *data / name;
  if (const auto home = folder("HOME")) return *home / ".local" / "share" / name;
  return fail(message("neither XDG_DATA_HOME nor HOME names a folder for measurements"), {},
              message("name a file for them"));
}

Result<std::filesystem::path> StorePlace::path() const {
  if (file.empty()) return default_store_file();
  return file;
}

Message not_kept(const Error& error) { return message("measurements are not kept: {}", error.line()); }

}  // namespace iosx
