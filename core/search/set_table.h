#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/search/part_graph.h"

namespace iosx {

// Numbers non-empty unit sets 0, 1, 2, … in order of first use. Open addressing, at most half full.
class SetTable {
 public:
  // How many sets ahead to prefetch.
  static constexpr std::size_t kSetsAhead = 16;

  // Returns the set's number, and whether it is new.
  std::pair<std::uint32_t, bool> find_or_add(UnitSet set) {
    if (2 * (sets_.size() + 1) > slots_.size()) grow();
    Slot& slot = place(set);
    if (slot.set == set) return {slot.number, false};
    slot = Slot{set, static_cast<std::uint32_t>(sets_.size())};
    sets_.push_back(set);
    return {slot.number, true};
  }

  // Loads the set's slot into the cache for a later look-up.
  void prefetch(UnitSet set) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(set)]);
  }

  // Returns its number, if any.
  std::optional<std::uint32_t> find(UnitSet set) const {
    if (set == 0 || slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[index_of(set)];
    return slot.set == set ? std::optional(slot.number) : std::nullopt;
  }

  std::size_t size() const { return sets_.size(); }
  UnitSet operator[](std::size_t number) const { return sets_[number]; }
  const std::vector<UnitSet>& sets() const { return sets_; }
  std::vector<UnitSet> take_sets() && { return std::move(sets_); }

 private:
  struct Slot {
    UnitSet set = 0;  // 0: free
    std::uint32_t number = 0;
  };

  std::size_t home_of(UnitSet set) const { return static_cast<std::size_t>((set * 0x9E3779B97F4A7C15ULL) >> shift_); }
  // Returns its slot, or the one it would get.
  std::size_t index_of(UnitSet set) const {
    std::size_t at = home_of(set);
    while (slots_[at].set != 0 && slots_[at].set != set) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  Slot& place(UnitSet set) { return slots_[index_of(set)]; }

  void grow() {
    --shift_;
    slots_.assign(std::size_t{1} << (64 - shift_), Slot{});
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (i + kSetsAhead < sets_.size()) prefetch(sets_[i + kSetsAhead]);
      place(sets_[i]) = Slot{sets_[i], static_cast<std::uint32_t>(i)};
    }
  }

  unsigned shift_ = 59;  // the first growth makes 64 slots
  std::vector<Slot> slots_;
  std::vector<UnitSet> sets_;
};

}  // namespace iosx
