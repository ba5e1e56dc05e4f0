#include "core/model/plan/stage_key.h"

#include <fmt/format.h>

#include <charconv>

namespace iosx {
namespace {

constexpr std::size_t kDigits = 16;  // of one half

std::optional<std::uint64_t> half(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string StageKey::text() const { return fmt::format("{:016x}{:016x}", high, low); }

std::optional<StageKey> StageKey::parse(std::string_view text) {
  if (text.size() != 2 * kDigits) return std::nullopt;
  const auto high = half(text.substr(0, kDigits));
  const auto low = half(text.substr(kDigits));
  if (!high || !low) return std::nullopt;
  return StageKey{*high, *low};
}

}  // namespace iosx
