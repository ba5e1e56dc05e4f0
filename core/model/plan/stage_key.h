#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace iosx {

// Identifies what a stage computes and how a device runs it, in 128 bits: the hash (XXH3) of its canonical lowered
// plan, without names and ids. Equal keys mean the same measurement on one device. Keys are fixed: the same on every
// computer and in every version with the same kStageKeyVersion (core/model/plan/stage_planner.h), so that they can be
// stored.
struct StageKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const StageKey&, const StageKey&) = default;

  std::string text() const;  // 32 hexadecimal digits
  static std::optional<StageKey> parse(std::string_view text);
};

}  // namespace iosx

template <>
struct std::hash<iosx::StageKey> {
  std::size_t operator()(const iosx::StageKey& key) const noexcept { return key.low; }
};
