#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace iosx
