#include "tests/search/brute_force.h"

namespace iosx::test {
namespace {

bool has(UnitSet set, std::size_t i) { return (set >> i & 1) != 0; }

std::size_t elements(UnitSet set) {
  std::size_t n = 0;
  for (; set != 0; set >>= 1) n += set & 1;
  return n;
}

}  // namespace

BruteForce::BruteForce(const PartGraph& part, EndingRule rule, Pruning pruning)
    : size_(part.size()), edge_(size_, std::vector<bool>(size_, false)), rule_(rule), pruning_(pruning) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) edge_[i][j] = has(part.predecessors(j), i);
  }
}

std::vector<UnitSet> BruteForce::groups(UnitSet ending) const {
  std::vector<std::size_t> label(size_);
  for (std::size_t i = 0; i < size_; ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        if (!has(ending, i) || !has(ending, j) || !edge_[i][j] || label[i] == label[j]) continue;
        label[i] = label[j] = std::min(label[i], label[j]);
        changed = true;
      }
    }
  }
  std::map<std::size_t, UnitSet> by_label;
  for (std::size_t i = 0; i < size_; ++i) {
    if (has(ending, i)) by_label[label[i]] |= UnitSet{1} << i;
  }
  std::vector<UnitSet> found;
  for (const auto& [unused, group] : by_label) found.push_back(group);
  return found;
}

bool BruteForce::legal(UnitSet state, UnitSet ending) const {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (edge_[i][j] && has(ending, i) && has(state, j) && !has(ending, j)) return false;
    }
  }
  const auto found = groups(ending);
  if (pruning_.s != 0 && found.size() > pruning_.s) return false;
  for (const UnitSet group : found) {
    if (pruning_.r != 0 && elements(group) > pruning_.r) return false;
    std::size_t roots = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      bool root = has(group, j);
      for (std::size_t i = 0; i < size_; ++i) root = root && !(edge_[i][j] && has(group, i));
      roots += root ? 1 : 0;
    }
    if (rule_ == EndingRule::kSingleRoot && roots != 1) return false;
  }
  return true;
}

const std::vector<UnitSet>& BruteForce::endings(UnitSet state) const {
  const auto [place, fresh] = endings_.try_emplace(state);
  for (UnitSet ending = 1; fresh && ending <= state; ++ending) {
    if ((ending & ~state) == 0 && legal(state, ending)) place->second.push_back(ending);
  }
  return place->second;
}

std::set<UnitSet> BruteForce::states() const {
  std::set<UnitSet> found;
  std::vector<UnitSet> open{(UnitSet{1} << size_) - 1};
  while (!open.empty()) {
    const UnitSet state = open.back();
    open.pop_back();
    if (state == 0 || !found.insert(state).second) continue;
    for (const UnitSet ending : endings(state)) open.push_back(state & ~ending);
  }
  return found;
}

BruteForce::Counts BruteForce::counts() const {
  Counts counts;
  std::set<UnitSet> stages;
  std::map<UnitSet, std::uint64_t> schedules{{0, 1}};
  for (const UnitSet state : states()) {  // a subset is a smaller number: what is left was counted before
    ++counts.states;
    for (const UnitSet ending : endings(state)) {
      ++counts.transitions;
      stages.insert(ending);
      schedules[state] += schedules.at(state & ~ending);
    }
  }
  counts.stages = static_cast<std::int64_t>(stages.size());
  counts.schedules = schedules.at((UnitSet{1} << size_) - 1);
  return counts;
}

BruteForce::Best BruteForce::best(UnitSet state, const std::function<double(UnitSet)>& latency,
                                  std::map<UnitSet, Best>& known) const {
  if (state == 0) return {};
  if (const auto place = known.find(state); place != known.end()) return place->second;
  Best best;
  for (const UnitSet ending : endings(state)) {  // in increasing order
    Best candidate = this->best(state & ~ending, latency, known);
    candidate.cost += latency(ending);
    candidate.stages.push_back(ending);
    const bool better = best.stages.empty() || candidate.cost < best.cost ||
                        (candidate.cost == best.cost && candidate.stages.size() < best.stages.size());
    if (better) best = candidate;
  }
  known.emplace(state, best);
  return best;
}

BruteForce::Best BruteForce::best(UnitSet state, const std::function<double(UnitSet)>& latency) const {
  std::map<UnitSet, Best> known;
  return best(state, latency, known);
}

void BruteForce::for_each_schedule(UnitSet state, const std::function<void(const std::vector<UnitSet>&)>& visit) const {
  if (state == 0) return visit({});
  for (const UnitSet ending : endings(state)) {
    for_each_schedule(state & ~ending, [&](const std::vector<UnitSet>& before) {
      std::vector<UnitSet> all = before;
      all.push_back(ending);
      visit(all);
    });
  }
}

}  // namespace iosx::test
