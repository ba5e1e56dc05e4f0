#include "core/base/json/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/file_type.h"

namespace iosx {

Result<std::string> read_text_file(const std::filesystem::path& path) {
  IOS_TRY(check_regular_file(path));
  const std::string where = path.string();
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail(message("cannot be read: {}", error.message()), where, message("check the path"));
  if (size > kMaxFileBytes) {
    return fail(message("has {} MiB", size >> 20U), where, message("at most {} MiB", kMaxFileBytes >> 20U));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(message("cannot be opened: {}", std::strerror(errno)), where, message("check its permissions"));
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.bad()) return fail(message("cannot be read: {}", std::strerror(errno)), where);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace iosx
