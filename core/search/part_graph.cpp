#include "core/search/part_graph.h"

#include <algorithm>

#include "core/base/check.h"

namespace iosx {
namespace {

// Maximum matching between units and later units: each matched pair saves one chain of a chain cover.
class ChainCover {
 public:
  explicit ChainCover(const PartGraph& part) : part_(part) { before_.fill(kNone); }

  std::size_t chains() {
    std::size_t matched = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      UnitSet tried = 0;
      if (extend(i, tried)) ++matched;
    }
    return part_.size() - matched;
  }

 private:
  static constexpr std::size_t kNone = kMaxPartUnits;

  bool extend(std::size_t i, UnitSet& tried) {
    const UnitSet after = part_.descendants(i) & ~singleton(i);
    for (UnitSet rest = after & ~tried; rest != 0; rest = after & ~tried) {
      const std::size_t next = first_of(rest);
      tried |= singleton(next);
      if (before_[next] == kNone || extend(before_[next], tried)) {
        before_[next] = i;
        return true;
      }
    }
    return false;
  }

  const PartGraph& part_;
  std::array<std::size_t, kMaxPartUnits> before_{};  // in its chain, by unit
};

}  // namespace

PartGraph::PartGraph(const Graph& graph, std::span<const UnitId> units)
    : size_(units.size()), units_(units.begin(), units.end()) {
  IOS_CHECK(size_ >= 1 && size_ <= kMaxPartUnits);
  IOS_CHECK(std::ranges::is_sorted(units_));
  for (std::size_t i = 0; i < size_; ++i) {
    for (const UnitId before : graph.predecessors(units_[i])) {
      const auto at = std::ranges::lower_bound(units_, before);
      if (at != units_.end() && *at == before)
        predecessors_[i] |= singleton(static_cast<std::size_t>(at - units_.begin()));
    }
  }
  close();
}

PartGraph::PartGraph(std::span<const UnitSet> predecessors) : size_(predecessors.size()) {
  IOS_CHECK(size_ >= 1 && size_ <= kMaxPartUnits);
  for (std::size_t i = 0; i < size_; ++i) {
    IOS_CHECK((predecessors[i] & ~(singleton(i) - 1)) == 0);
    predecessors_[i] = predecessors[i];
    units_.emplace_back(i);
  }
  close();
}

PartGraph::PartGraph(const Graph& graph, std::span<const UnitId> units, const SearchOptions& options)
    : PartGraph(graph, units) {
  for (const Stage& stage : options.pinned_stages) give(stage, true);
  for (const Stage& stage : options.candidate_stages) give(stage, false);
}

void PartGraph::give(const Stage& stage, bool pinned) {
  const std::vector<UnitId> units = stage.units();
  if (!std::ranges::includes(units_, units)) return;
  GivenStage given{set(units), stage, pinned};
  for (const GivenStage& other : given_) {
    if (other.pinned && (other.units & given.units) != 0) return;
  }
  std::ranges::sort(given.stage.groups, {}, [](const Group& group) {
    UnitId lowest = group.steps.front().units.front();
    for (const Step& step : group.steps) lowest = std::min(lowest, *std::ranges::min_element(step.units));
    return lowest;
  });
  given_.push_back(std::move(given));
}

const GivenStage* PartGraph::pinned(UnitSet ending) const {
  const auto at =
      std::ranges::find_if(given_, [&](const GivenStage& given) { return given.pinned && given.units == ending; });
  return at == given_.end() ? nullptr : &*at;
}

void PartGraph::close() {
  for (std::size_t i = 0; i < size_; ++i) {
    ancestors_[i] = singleton(i);
    for (UnitSet rest = predecessors_[i]; rest != 0; rest &= rest - 1) {
      ancestors_[i] |= ancestors_[first_of(rest)];
      successors_[first_of(rest)] |= singleton(i);
    }
  }
  for (std::size_t i = size_; i-- > 0;) {
    descendants_[i] = singleton(i);
    for (UnitSet rest = successors_[i]; rest != 0; rest &= rest - 1) descendants_[i] |= descendants_[first_of(rest)];
  }
}

std::vector<UnitId> PartGraph::units(UnitSet set) const {
  std::vector<UnitId> list;
  list.reserve(size_of(set));
  for (UnitSet rest = set; rest != 0; rest &= rest - 1) list.push_back(unit(first_of(rest)));
  return list;
}

UnitSet PartGraph::set(std::span<const UnitId> units) const {
  UnitSet set = 0;
  for (const UnitId unit : units) {
    const auto at = std::ranges::lower_bound(units_, unit);
    IOS_CHECK(at != units_.end() && *at == unit);
    set |= singleton(static_cast<std::size_t>(at - units_.begin()));
  }
  return set;
}

UnitSet PartGraph::component(UnitSet set, std::size_t i) const {
  UnitSet reached = singleton(i);
  for (UnitSet open = reached; open != 0;) {
    const std::size_t next = first_of(open);
    const UnitSet fresh = (predecessors_[next] | successors_[next]) & set & ~reached;
    reached |= fresh;
    open = (open & (open - 1)) | fresh;
  }
  return reached;
}

std::size_t PartGraph::width() const { return ChainCover(*this).chains(); }

}  // namespace iosx
