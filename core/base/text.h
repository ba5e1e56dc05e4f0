#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace iosx {

// Names come from files and may hold any bytes. A graph keeps them as they are; text that leaves the program (terminal,
// table, figure) goes through one of these functions. The result is visible UTF-8: control characters, invisible
// characters, characters that change the writing direction, and invalid bytes become "\n", "\t", "\x1B" (a byte) or
// "\u{202E}" (a character). Printable text comes back unchanged.

// Returns the text on one line.
std::string printable(std::string_view text);
// Keeps line ends and tabs, for text that the program laid out from printable() names.
std::string printable_lines(std::string_view text);
// Returns printable text for HTML, XML and SVG, between tags or in a quoted attribute value: & < > " ' become
// references.
std::string printable_markup(std::string_view text);
// Returns the same JSON document, already in UTF-8, with JSON's own escapes in its strings ("\u202e").
std::string printable_json(std::string_view json);
// Returns a document in a form for a terminal: JSON as the same document, other text by printable_lines().
std::string printable_document(std::string_view text);

// Character boundaries of UTF-8, so that text is never cut inside a character.
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

// Returns the text without leading and trailing spaces, tabs and line ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Reads a whole text as a number: without a plus in front of it, spaces or a locale. None for anything else. Integers
// may have a base.
template <typename T>
std::optional<T> read_number(std::string_view text, auto... base) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value, base...);
  return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

// Returns the name in a form that can be part of a file name: letters, digits, '.', '_' and '-' stay, every other
// character becomes '-'. The result is never empty and never begins with a dot.
inline std::string file_stem(std::string_view name) {
  std::string stem(name);
  for (char& c : stem) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-') c = '-';
  }
  return stem.empty() || stem.front() == '.' ? "schedule" + stem : stem;
}

}  // namespace iosx
