#pragma once

#include <bit>

#include "core/model/graph/graph.h"
#include "core/model/graph/partition.h"
#include "core/model/schedule/schedule.h"
#include "core/search/options.h"

namespace iosx {

// A set of units of one part: bit i is the part's unit i. States and endings are such sets.
using UnitSet = std::uint64_t;

constexpr UnitSet singleton(std::size_t i) { return UnitSet{1} << i; }
constexpr std::size_t first_of(UnitSet set) { return static_cast<std::size_t>(std::countr_zero(set)); }
constexpr std::size_t size_of(UnitSet set) { return static_cast<std::size_t>(std::popcount(set)); }

// A stage of SearchOptions::pinned_stages or candidate_stages.
struct GivenStage {
  UnitSet units = 0;
  Stage stage;  // groups by their lowest unit
  bool pinned = false;
};

// The dependencies between the units of one part, as bit sets. Units are numbered 0, 1, … in topological order.
// Dependencies on units outside the part are left out: those run before or after it.
class PartGraph {
 public:
  // Takes 1 to kMaxPartUnits units of the graph, sorted by id, without a path that leaves them and comes back: a part
  // of the graph, or the units of consecutive stages.
  PartGraph(const Graph& graph, std::span<const UnitId> units);
  // Takes predecessor sets alone, for graphs without other data; bit j of predecessors[i] only for j < i.
  explicit PartGraph(std::span<const UnitSet> predecessors);
  // Includes the given stages whose units all lie in it.
  PartGraph(const Graph& graph, std::span<const UnitId> units, const SearchOptions& options);

  std::size_t size() const { return size_; }
  UnitSet all() const { return size_ == kMaxPartUnits ? ~UnitSet{0} : singleton(size_) - 1; }
  UnitId unit(std::size_t i) const { return units_[i]; }
  std::span<const UnitId> units() const { return units_; }
  std::vector<UnitId> units(UnitSet set) const;      // sorted by id
  UnitSet set(std::span<const UnitId> units) const;  // all must be in the part

  UnitSet predecessors(std::size_t i) const { return predecessors_[i]; }
  UnitSet successors(std::size_t i) const { return successors_[i]; }
  // Return the unit and everything before / after it.
  UnitSet ancestors(std::size_t i) const { return ancestors_[i]; }
  UnitSet descendants(std::size_t i) const { return descendants_[i]; }

  const std::vector<GivenStage>& given() const { return given_; }
  const GivenStage* pinned(UnitSet ending) const;  // null: no pinned stage has exactly these units

  // Returns the weakly connected component of `set` that contains its unit i.
  UnitSet component(UnitSet set, std::size_t i) const;

  // Returns the largest number of units of which no two depend on one another (Dilworth: the fewest chains that
  // cover the part).
  std::size_t width() const;

 private:
  void close();
  void give(const Stage& stage, bool pinned);

  std::size_t size_ = 0;
  std::vector<UnitId> units_;
  std::array<UnitSet, kMaxPartUnits> predecessors_{};
  std::array<UnitSet, kMaxPartUnits> successors_{};
  std::array<UnitSet, kMaxPartUnits> ancestors_{};
  std::array<UnitSet, kMaxPartUnits> descendants_{};
  std::vector<GivenStage> given_;
};

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
