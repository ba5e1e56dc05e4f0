#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "core/base/text.h"

namespace iosx {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters from U+0080 on that are invisible or change how others appear: controls, direction marks,
// joiners, invisible and line separators, variation and tag characters, and code points that are not
// characters in XML.
constexpr std::array kUnseen{
    Range{0x80, 0x9F},       Range{0xAD, 0xAD},       Range{0x34F, 0x34F},   Range{0x61C, 0x61C},
    Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F}, Range{0x200B, 0x200F},
    Range{0x2028, 0x202E},   Range{0x2060, 0x206F},   Range{0x3164, 0x3164}, Range{0xFE00, 0xFE0F},
    Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB}, Range{0xFFFE, 0xFFFF},
    Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF},
};

bool unseen(char32_t c) {
  return std::ranges::any_of(kUnseen, [c](const Range& range) { return range.first <= c && c <= range.last; });
}

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the first byte begins no character in UTF-8
};

// Reads the first character of text that begins with a byte from 0x80 on.
Character first_of_many(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};  // shorter forms are none
  const bool half = 0xD800 <= code && code <= 0xDFFF;
  if (code < kLeast[bytes] || half || code > 0x10FFFF) return {};
  return {code, bytes};
}

enum class Kind { kOneLine, kLines, kJson };

void escape_ascii(std::string& out, char c, Kind kind) {
  if (kind == Kind::kJson) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(c));
  }
}

void escape_character(std::string& out, char32_t code, Kind kind) {
  const auto number = static_cast<std::uint32_t>(code);
  if (kind != Kind::kJson) {
    fmt::format_to(std::back_inserter(out), "\\u{{{:04X}}}", number);
  } else if (number < 0x10000) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  } else {
    const std::uint32_t rest = number - 0x10000;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
  }
}

std::string escaped_text(std::string_view text, Kind kind) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    std::size_t taken = 1;
    if (static_cast<unsigned char>(c) >= 0x80) {
      const Character character = first_of_many(text);
      taken = std::max<std::size_t>(character.bytes, 1);
      if (character.bytes == 0 && kind == Kind::kJson) {
        out += "\\ufffd";
      } else if (character.bytes == 0) {
        escape_ascii(out, c, kind);
      } else if (unseen(character.code)) {
        escape_character(out, character.code, kind);
      } else {
        out += text.substr(0, taken);
      }
    } else if (c == '\x7f' || (c < ' ' && (kind == Kind::kOneLine || (c != '\n' && c != '\t')))) {
      escape_ascii(out, c, kind);
    } else {
      out += c;
    }
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped_text(text, Kind::kOneLine); }
std::string printable_lines(std::string_view text) { return escaped_text(text, Kind::kLines); }
std::string printable_json(std::string_view json) { return escaped_text(json, Kind::kJson); }

std::string printable_document(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') ? printable_json(text) : printable_lines(text);
}

std::string printable_markup(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace iosx
