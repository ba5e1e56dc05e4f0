#include "core/base/file_type.h"

#include <fmt/format.h>

#include <system_error>

namespace iosx {

namespace fs = std::filesystem;

namespace {

const char* text_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::fifo: return "a named pipe";
    case fs::file_type::socket: return "a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "a device";
    default: break;
  }
  return "something else";
}

}  // namespace

Result<void> check_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const std::string where = path.string();
  if (status.type() == fs::file_type::not_found)
    return fail(message("there is no such file"), where, message("check the path"));
  if (error) return fail(message("cannot be read: {}", error.message()), where, message("check the path"));
  if (fs::is_regular_file(status)) return {};
  if (fs::is_directory(status)) return fail(message("is a folder, not a file"), where, message("choose a file in it"));
  return fail(message("is {}, not a regular file", text_of(status.type())), where,
              message("write its output to a file, and choose that file"));
}

}  // namespace iosx
