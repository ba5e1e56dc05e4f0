#include "core/base/text_table.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/base/text.h"

namespace iosx {
namespace {

// Accepts "-1.5", "+3 %", "-2.4e-7 ms", "-inf", which compute nothing.
bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double ignored = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  if (error != std::errc{} && error != std::errc::result_out_of_range) return false;
  return std::all_of(end, text.data() + text.size(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || c == ' ' || c == '%' || static_cast<unsigned char>(c) >= 0x80;  // of a unit, such as µs
  });
}

}  // namespace

std::string no_formula(std::string_view text) {
  const bool suspicious = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  std::string harmless;
  if (suspicious && !is_number(text)) harmless += '\'';
  return harmless += text;
}

std::string csv_field(std::string_view text) {
  std::string field = printable(no_formula(text));
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace iosx
