#pragma once

#include <algorithm>
#include <limits>
#include <set>

#include "core/base/parallel.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_knowledge.h"

namespace iosx {

// Costs of schedules of the whole graph (best, lower bound and estimate), made from the parts' paths. Each part sees
// how the part before it ends.
class Certificates {
 public:
  using Wanted = StageKnowledge::Wanted;

  // Both must outlive it; parts may be added and changed.
  Certificates(const StageKnowledge& knowledge, std::vector<LazyPart>& parts) : knowledge_(knowledge), parts_(parts) {}

  // Returns the cost of the best schedule of measured stages.
  Millis known();
  // Returns a lower bound of every schedule, as far as BoundFactors hold, and optionally the unmeasured stages of
  // the cheapest one.
  Millis bound(std::vector<Wanted>* wanted = nullptr);
  // Returns the same with these parts joined with the parts next to them; `joined` is their common bound.
  Millis bound_beside(const std::set<PartId>& apart, Millis joined);
  // Returns the cost with each unmeasured stage at kEstimate of its prediction, the least that is plausible.
  Millis estimate();
  // Returns the same for one part, after that overhead.
  Millis known_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const;
  Millis estimate_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const;

 private:
  static constexpr double kEstimate = 0.9;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // The part's paths over its latest costs, by the width before it and its own last width.
  struct Ways {
    std::array<LazyPart::PathByLast, 2> after;
    LazyPart::PathByLast at_start;  // for the graph's first part only
  };
  // From part to part.
  Millis put_together(std::span<const Ways> ways, std::vector<Wanted>* wanted) const;
  std::vector<std::size_t> owners() const;  // index into parts_, by part of the graph

  // Returns the cheapest schedule where candidates cost cost(part, candidate).
  template <typename Cost>
  Millis cheapest(Cost cost, std::vector<Wanted>* wanted = nullptr) {
    std::vector<Ways> ways(parts_.size());
    parallel_for(parts_.size(), [&](std::size_t p) {
      LazyPart& part = parts_[p];
      const InterStageOverhead& overhead = knowledge_.overhead();
      part.take_costs([&](LazyPart::Candidate c) { return cost(part, c); });
      for (std::size_t w = 0; w < 2; ++w) ways[p].after[w] = part.cheapest_by_last(overhead.between[w], overhead);
      const bool first = std::ranges::find(part.parts(), PartId(0)) != part.parts().end();
      if (first) ways[p].at_start = part.cheapest_by_last(overhead.first, overhead);
    });
    return put_together(ways, wanted);
  }
  template <typename Cost>
  Millis cheapest_of(LazyPart& part, const InterStageOverhead::ByWidth& first, Cost cost) const {
    const auto path = part.cheapest(first, knowledge_.overhead(), [&](LazyPart::Candidate c) { return cost(part, c); });
    return path ? path->cost : Millis(0);
  }

  // Costs of one candidate, in ms.
  static double known_cost(const LazyPart& part, LazyPart::Candidate c) {
    return part.known(c) ? part.answer(c) : kNever;
  }
  static double estimated_cost(const LazyPart& part, LazyPart::Candidate c) {
    return part.known(c) ? part.answer(c) : kEstimate * part.predicted(c);
  }
  double least_cost(const LazyPart& part, LazyPart::Candidate c) const {
    return part.known(c) ? part.answer(c) : part.bound(c, knowledge_.factors());
  }

  const StageKnowledge& knowledge_;
  std::vector<LazyPart>& parts_;
};

}  // namespace iosx
