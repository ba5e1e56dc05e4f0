#include "core/model/plan/stage_key.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace iosx {

constexpr std::size_t kDigits = 16;  // of one half

std::string StageKey::text() const { return fmt::format("{:016x}{:016x}", high, low); }

std::optional<StageKey> StageKey::parse(std::string_view text) {
  if (text.size() != 2 * kDigits) return std::nullopt;
  const auto high = read_number<std::uint64_t>(text.substr(0, kDigits), 16);
  const auto low = read_number<std::uint64_t>(text.substr(kDigits), 16);
  if (!high || !low) return std::nullopt;
  return StageKey{*high, *low};
}

}  // namespace iosx
