#pragma once

#include <string>
#include <string_view>

namespace iosx::test {

// Returns the text as gzip packs it.
std::string gzipped(std::string_view text);

// Returns the text as zlib packs it, without the head of a file.
std::string deflated(std::string_view text);

}  // namespace iosx::test
