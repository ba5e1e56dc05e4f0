#pragma once

#include <cstdint>
#include <string_view>

namespace iosx {

// XXH3 hashes of bytes. They are the same on every computer and in every version.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};
Hash128 hash128(std::string_view bytes);
std::uint64_t hash64(std::string_view bytes);

}  // namespace iosx
