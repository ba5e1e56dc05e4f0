#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Seals are for texts that come back from disk: cuDNN and others get only what they wrote themselves.
namespace iosx::gpu {

// Returns the FNV-1a hash, the same on every machine. Every change of one byte changes it.
std::uint64_t hash_of(std::string_view text);
std::string hex(std::uint64_t number);  // 16 digits

// Returns `text` with a seal that tells whether it is whole and what it is for.
std::string sealed(std::string_view purpose, std::string_view text);
// Returns the text, a part of `sealed_text`; none if it is damaged or sealed for something else.
std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view sealed_text);

}  // namespace iosx::gpu
