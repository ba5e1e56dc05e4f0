#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_knowledge.h"

namespace iosx {

// Says what schedules of the whole graph cost, at best, at least and by estimate: the parts' paths put together, each
// part seeing how the one before it ends.
class Certificates {
 public:
  using Wanted = StageKnowledge::Wanted;

  // Both must outlive it; parts may be added and change.
  Certificates(const StageKnowledge& knowledge, std::vector<LazyPart>& parts) : knowledge_(knowledge), parts_(parts) {}

  // Returns what the best schedule of measured stages costs.
  Millis known();
  // No schedule costs less, as far as BoundFactors hold; and what of the cheapest one nobody measured, if wanted.
  Millis bound(std::vector<Wanted>* wanted = nullptr);
  // The same where these parts are one with those beside them, and `joined` is a bound of theirs.
  Millis bound_beside(const std::set<PartId>& apart, Millis joined);
  // Where a stage that nobody measured costs kEstimate of what is predicted: what nothing is believed to be below.
  Millis estimate();
  // The same of one part, after that overhead.
  Millis known_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const;
  Millis estimate_of(LazyPart& part, const InterStageOverhead::ByWidth& first) const;

 private:
  static constexpr double kEstimate = 0.9;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // The part's paths over the last costs that it took, by the width before it and its own last one.
  struct Ways {
    std::array<LazyPart::PathByLast, 2> after;
    LazyPart::PathByLast at_start;  // of the graph's first part alone
  };
  // From part to part.
  Millis put_together(std::span<const Ways> ways, std::vector<Wanted>* wanted) const;
  std::vector<std::size_t> owners() const;  // index into parts_, by part of the graph

  // The cheapest schedule where candidates cost cost(part, candidate).
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

  // These are costs of one candidate, in ms.
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
