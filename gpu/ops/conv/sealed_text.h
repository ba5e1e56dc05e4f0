#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Seals for texts that come back from disk: cuDNN and others receive only texts that they wrote themselves.
namespace iosx::gpu {

// Returns the FNV-1a hash, the same on every machine. Any change of one byte changes it.
std::uint64_t hash_of(std::string_view text);
std::string hex(std::uint64_t number);  // 16 digits

// Returns `text` with a seal of its integrity and its purpose.
std::string sealed(std::string_view purpose, std::string_view text);
// Returns the text, a part of `sealed_text`; none if it is damaged or has another purpose.
std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view sealed_text);

}  // namespace iosx::gpu
