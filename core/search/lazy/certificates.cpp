#include "core/search/lazy/certificates.h"

namespace iosx {

using Candidate = LazyPart::Candidate;

Millis Certificates::known() { return cheapest(known_cost); }

Millis Certificates::bound(std::vector<Wanted>* wanted) {
  return cheapest([&](const LazyPart& part, Candidate c) { return least_cost(part, c); }, wanted);
}

Millis Certificates::estimate() { return cheapest(estimated_cost); }

Millis Certificates::known_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const {
  return cheapest_of(part, first, known_cost);
}

Millis Certificates::estimate_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const {
  return cheapest_of(part, first, estimated_cost);
}

Millis Certificates::bound_beside(const std::set<PartId>& apart, Millis joined) {
  const InterStageOverhead& overhead = knowledge_.overhead();
  Millis sum = joined;
  for (LazyPart& part : parts_) {
    const auto alone = std::ranges::count_if(part.parts(), [&](PartId id) { return !apart.contains(id); });
    if (alone == 0) continue;
    part.take_costs([&](Candidate c) { return least_cost(part, c); });
    double least = kNever;
    for (const InterStageOverhead::ByWidth& before : {overhead.first, overhead.between[0], overhead.between[1]}) {
      for (const auto& path : part.cheapest_by_last(before, overhead)) {
        if (path) least = std::min(least, path->cost.count());
      }
    }
    sum += Millis(least * static_cast<double>(alone));
  }
  return sum;
}

std::vector<std::size_t> Certificates::owners() const {
  std::vector<std::size_t> owners(knowledge_.graph().parts().size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (const PartId part : parts_[p].parts()) owners[part.index()] = p;
  }
  return owners;
}

Millis Certificates::put_together(std::span<const Ways> ways, std::vector<Wanted>* wanted) const {
  const std::vector<std::size_t> owner = owners();
  const auto ways_into = [&](std::size_t i, std::size_t before) -> const LazyPart::PathByLast& {
    return i == 0 ? ways[owner[i]].at_start : ways[owner[i]].after[before];
  };
  struct Reached {
    double cost = kNever;
    std::size_t before = 0;
  };
  std::vector<std::array<Reached, 2>> reached(owner.size());
  for (std::size_t i = 0; i < owner.size(); ++i) {
    for (std::size_t before = 0; before < (i == 0 ? 1 : 2); ++before) {
      const double so_far = i == 0 ? 0 : reached[i - 1][before].cost;
      for (std::size_t last = 0; last < 2; ++last) {
        const auto& way = ways_into(i, before)[last];
        if (way && so_far + way->cost.count() < reached[i][last].cost) {
          reached[i][last] = {so_far + way->cost.count(), before};
        }
      }
    }
  }
  std::size_t last = reached.back()[1].cost < reached.back()[0].cost ? 1 : 0;
  const Millis sum(reached.back()[last].cost);
  for (std::size_t i = owner.size(); wanted != nullptr && i-- > 0;) {
    const std::size_t before = reached[i][last].before;
    for (const Candidate c : ways_into(i, before)[last]->stages) {
      if (!parts_[owner[i]].known(c)) wanted->push_back({owner[i], c});
    }
    last = before;
  }
  return sum;
}

}  // namespace iosx
