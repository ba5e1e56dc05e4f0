#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace iosx {

// The time and size of a file. Comparing two stamps tells whether the file changed between them.
struct FileStamp {
  std::filesystem::file_time_type written = {};
  std::uintmax_t size = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Returns the file's current stamp, or none where the file does not exist.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

}  // namespace iosx
