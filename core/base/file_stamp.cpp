#include "core/base/file_stamp.h"

#include <system_error>

namespace iosx {

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  std::error_code error;
  FileStamp stamp{std::filesystem::last_write_time(path, error), 0};
  if (error) return std::nullopt;
  stamp.size = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  return stamp;
}

}  // namespace iosx
