#pragma once

#include <string>
#include <string_view>

namespace iosx::test {

// Returns the text as gzip packs it.
std::string gzipped(std::string_view text);

}  // namespace iosx::test
