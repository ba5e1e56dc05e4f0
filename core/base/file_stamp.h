#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace iosx {

// Tells, beside a later stamp, whether a file that was read or written is as it was then.
struct FileStamp {
  std::filesystem::file_time_type written = {};
  std::uintmax_t size = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Returns the file's stamp of now; none where there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

}  // namespace iosx
