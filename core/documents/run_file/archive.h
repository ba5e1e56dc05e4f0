#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

// The name of the first entry, not compressed, whose bytes tell programs the kind of file.
inline constexpr std::string_view kMimetypeEntry = "mimetype";

struct ArchiveEntry {
  std::string_view name;
  std::string_view bytes;
  bool compress = true;
};

// Makes a zip file with these entries, in order; the same entries give the same bytes. Their total must be below 2
// GiB.
std::string zip(std::span<const ArchiveEntry> entries);

// Returns one entry of a zip file and checks its checksum. Any bytes are safe to read. Errors: no zip file, a
// truncated or changed one, a missing entry, an entry above `most_bytes`, entries that share names or bytes,
// contradictory headers, or more than 1 GiB in total. `origin` (a path) begins the error.
Result<std::string> unzip(std::string_view archive, std::string_view name, std::size_t most_bytes,
                          const std::string& origin);

}  // namespace iosx
