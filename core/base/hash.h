#pragma once

#include <cstdint>
#include <string_view>

namespace iosx {

// These hashes are XXH3 of the bytes, which is fixed and the same on every computer.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};
Hash128 hash128(std::string_view bytes);
std::uint64_t hash64(std::string_view bytes);

}  // namespace iosx
