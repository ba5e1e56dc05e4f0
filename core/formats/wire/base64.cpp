#include "core/formats/wire/base64.h"

#include <array>
#include <cstdint>

namespace iosx::wire {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

std::uint32_t byte(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t bits = byte(bytes, i) << 16U | byte(bytes, i + 1) << 8U | byte(bytes, i + 2);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += i + digit > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * digit) & 63U];
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr auto kValues = digit_values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = last && text[i + 3] == '=' ? (text[i + 2] == '=' ? 2 : 1) : 0;
    std::uint32_t bits = 0;
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const std::uint8_t value = digit < 4 - padding ? kValues[static_cast<unsigned char>(text[i + digit])] : 0;
      if (value == kNoDigit) return std::nullopt;
      bits = bits << 6U | value;
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(bits >> (16 - 8 * k) & 255U);
    if ((bits & ((1U << (8 * padding)) - 1)) != 0) return std::nullopt;  // bits that no byte holds
  }
  return bytes;
}

}  // namespace iosx::wire
