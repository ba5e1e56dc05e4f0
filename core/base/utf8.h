#pragma once

#include <cstddef>
#include <string_view>

// Character boundaries of UTF-8, so that text is never cut inside a character.
namespace iosx {

inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Return the nearest character start at or after `at`, and at or before it; the text's size where none follows, 0
// where none precedes.
inline std::size_t character_from(std::string_view text, std::size_t at) {
  while (at < text.size() && !starts_character(text[at])) ++at;
  return at;
}
inline std::size_t character_until(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && !starts_character(text[at])) --at;
  return at;
}

}  // namespace iosx
