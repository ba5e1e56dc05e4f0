#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

// This is the name of a first entry, not compressed, by whose bytes programs tell what kind of file it is.
inline constexpr std::string_view kMimetypeEntry = "mimetype";

struct ArchiveEntry {
  std::string_view name;
  std::string_view bytes;
  bool compress = true;
};

// Makes a zip file with these entries, in order; the same entries give the same bytes. Together they must be below 2
// GiB.
std::string zip(std::span<const ArchiveEntry> entries);

// Returns one entry of a zip file, whose checksum is checked. Any bytes are safe to read: what is not a zip file, is
// cut short or changed, lacks the entry, or holds more than `most_bytes` in it is an error; so are entries that share
// their names or bytes, whose headers contradict one another, or that have more than 1 GiB together. `origin` (a path)
// leads it.
Result<std::string> unzip(std::string_view archive, std::string_view name, std::size_t most_bytes,
                          const std::string& origin);

}  // namespace iosx
