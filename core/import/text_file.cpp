#include "core/import/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace iosx {

Result<std::string> read_text_file(const std::filesystem::path& path) {
  const std::string where = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const bool absent = status.type() == std::filesystem::file_type::not_found;
    return fail(absent ? "there is no such file" : "cannot be read: " + error.message(), where, "check the path");
  }
  if (std::filesystem::is_directory(status)) return fail("is a folder, not a file", where, "choose a file in it");
  if (!std::filesystem::is_regular_file(status)) return fail("is not a regular file", where, "choose another file");
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail("cannot be read: " + error.message(), where, "check the path");
  if (size > kMaxFileBytes) {
    return fail(fmt::format("has {} MiB", size >> 20U), where, fmt::format("at most {} MiB", kMaxFileBytes >> 20U));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(fmt::format("cannot be opened: {}", std::strerror(errno)), where, "check its permissions");
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.bad()) return fail(fmt::format("cannot be read: {}", std::strerror(errno)), where);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace iosx
