#pragma once

#include <cstddef>
#include <string_view>

// Where characters of UTF-8 begin, so that text is never cut within one.
namespace iosx {

inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// These return the nearest byte at which a character begins, at or after `at`, and at or before it; the text's size
// where there is none after, 0 where there is none before.
inline std::size_t character_from(std::string_view text, std::size_t at) {
  while (at < text.size() && !starts_character(text[at])) ++at;
  return at;
}
inline std::size_t character_until(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && !starts_character(text[at])) --at;
  return at;
}

}  // namespace iosx
