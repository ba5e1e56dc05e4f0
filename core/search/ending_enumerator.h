#pragma once

#include <algorithm>
#include <limits>

#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// Returns whether the rule and the pruning allow an ending, for any state of which it is an ending.
inline bool is_allowed(const PartGraph& part, UnitSet ending, EndingRule rule, Pruning pruning) {
  std::size_t groups = 0;
  while (ending != 0) {
    const UnitSet group = part.component(ending, first_of(ending));
    ending &= ~group;
    if (pruning.r > 0 && size_of(group) > pruning.r) return false;
    if (pruning.s > 0 && ++groups > pruning.s) return false;
    std::size_t roots = 0;
    for (UnitSet rest = group; rest != 0; rest &= rest - 1) {
      roots += (part.predecessors(first_of(rest)) & group) == 0 ? 1 : 0;
    }
    if (rule == EndingRule::kSingleRoot && roots > 1) return false;
  }
  return true;
}

// Visits every ending of a state that the rule and the pruning allow, each exactly once, and nothing else: the time is
// proportional to the number of endings. Given stages are endings too: a pinned one is the only ending with any of its
// units, a candidate is an additional one.
//
// A group of an ending is closed under successors inside the state S, so it is the union of D(u) = descendants of u in
// S over its roots u (units without a predecessor in the group), and it is connected exactly when the D of its roots
// overlap in a connected way. Groups of one ending do not overlap, and no edge runs between them then. Under the
// single-root rule a group is one D(u). So an ending is enumerated as groups in the order of their lowest root, and a
// group by growing it root by root (connected sub-graphs of the overlap graph). Both r and s only ever get exceeded by
// growing, so the first set that exceeds them ends its branch.
class EndingEnumerator {
 public:
  EndingEnumerator(const PartGraph& part, EndingRule rule, Pruning pruning)
      : part_(part), grows_(rule == EndingRule::kConnected), r_(limit(pruning.r)), s_(limit(pruning.s)) {
    for (const GivenStage& given : part.given()) {
      if (given.pinned) pinned_ |= given.units;
      if (given.pinned || !is_allowed(part, given.units, rule, pruning)) given_.push_back(given.units);
    }
    std::ranges::sort(given_);
    given_.erase(std::unique(given_.begin(), given_.end()), given_.end());
  }

  // visit(UnitSet ending) → bool; false stops. The state is not empty and closed under predecessors. Returns
  // false if stopped.
  template <typename Visit>
  bool for_each(UnitSet state, Visit&& visit) {
    prepare(state);
    for (const UnitSet given : given_) {
      if (is_ending(given, state) && !visit(given)) return false;
    }
    return open_groups(Branch{}, roots_, 0, visit);
  }

 private:
  struct Branch {
    UnitSet ending = 0;     // all groups so far
    UnitSet group = 0;      // the newest of them
    UnitSet touched = 0;    // units whose D overlaps the ending
    UnitSet forbidden = 0;  // roots excluded from this group: decided already, or related to one of its roots
    UnitSet joinable = 0;   // roots that it may get next
    std::size_t lowest_root = 0;
  };

  static std::size_t limit(std::size_t option) {
    return option == 0 ? std::numeric_limits<std::size_t>::max() : option;
  }
  static UnitSet up_to(std::size_t i) { return singleton(i) | (singleton(i) - 1); }
  UnitSet related(std::size_t u) const { return part_.ancestors(u) | part_.descendants(u); }

  void prepare(UnitSet state) {
    roots_ = 0;
    for (UnitSet rest = state; rest != 0;) {
      const std::size_t u = static_cast<std::size_t>(std::bit_width(rest)) - 1;  // successors first
      rest ^= singleton(u);
      inside_[u] = part_.descendants(u) & state;
      overlap_[u] = part_.ancestors(u);
      for (UnitSet next = part_.successors(u) & state; next != 0; next &= next - 1) {
        overlap_[u] |= overlap_[first_of(next)];
      }
      if (size_of(inside_[u]) <= r_ && (inside_[u] & pinned_) == 0) roots_ |= singleton(u);
    }
  }

  bool is_ending(UnitSet units, UnitSet state) const {
    if ((units & ~state) != 0) return false;
    for (UnitSet rest = units; rest != 0; rest &= rest - 1) {
      if ((inside_[first_of(rest)] & ~units) != 0) return false;
    }
    return true;
  }

  // Extends the ending by one group, in every way that starts at one of `starts`.
  template <typename Visit>
  bool open_groups(const Branch& from, UnitSet starts, std::size_t groups, Visit& visit) {
    for (; starts != 0; starts &= starts - 1) {
      const std::size_t u = first_of(starts);
      Branch next;
      next.group = inside_[u];
      next.ending = from.ending | next.group;
      next.touched = from.touched | overlap_[u];
      next.lowest_root = u;
      if (grows_) {
        next.forbidden = from.touched | up_to(u) | related(u);
        next.joinable = overlap_[u] & roots_ & ~next.forbidden;
      }
      if (!extend(next, groups + 1, visit)) return false;
    }
    return true;
  }

  template <typename Visit>
  bool extend(const Branch& branch, std::size_t groups, Visit& visit) {
    if (!visit(branch.ending)) return false;
    UnitSet decided = branch.forbidden;
    for (UnitSet rest = branch.joinable; rest != 0;) {
      const std::size_t u = first_of(rest);
      rest &= rest - 1;
      decided |= singleton(u);
      Branch next;
      next.group = branch.group | inside_[u];
      if (size_of(next.group) > r_) continue;
      next.ending = branch.ending | next.group;
      next.touched = branch.touched | overlap_[u];
      next.forbidden = decided | related(u);
      next.joinable = (rest | (overlap_[u] & roots_)) & ~next.forbidden;
      next.lowest_root = branch.lowest_root;
      if (!extend(next, groups, visit)) return false;
    }
    if (groups >= s_) return true;
    return open_groups(branch, roots_ & ~branch.touched & ~up_to(branch.lowest_root), groups, visit);
  }

  const PartGraph& part_;
  bool grows_;
  std::size_t r_;
  std::size_t s_;
  UnitSet pinned_ = 0;                            // units of pinned stages
  std::vector<UnitSet> given_;                    // endings in addition to the allowed ones
  UnitSet roots_ = 0;                             // of the state: u with D(u) not larger than r
  std::array<UnitSet, kMaxPartUnits> inside_{};   // D(u)
  std::array<UnitSet, kMaxPartUnits> overlap_{};  // every v whose D overlaps D(u), u included
};

}  // namespace iosx
