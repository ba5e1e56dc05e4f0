#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/search/search.h"
#include "core/search/search_algorithm.h"

namespace iosx {

// Combines the parts' solutions: one path per part, with the least sum. The cost of a part's first stage depends on the
// last stage of the part before.
class PartChain {
 public:
  static bool usable(const PartSolution& solution);

  void add(PartSolution solution);
  // Adds an unsolved part: one stage of one group, of unknown cost.
  void add_sequential(const Part& part);

  // Sets the schedule, the parts' costs and their sum.
  void choose(SearchResult& result) const;

 private:
  // The cheapest path to the end of a part, for one width of its last stage.
  struct Reached {
    bool reachable = false;
    Millis cost{0};
    std::size_t stages = 0;
    std::size_t before = 0;  // width of the last stage of the previous part
  };
  using Front = std::array<Reached, 2>;  // by width
  struct Link {
    PartSolution solution;
    Front reached;
  };
  static bool better(const Reached& a, const Reached& b);

  std::vector<Link> links_;  // by part
  Front front_;
};

}  // namespace iosx
