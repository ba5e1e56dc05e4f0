#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/search/search.h"
#include "core/search/search_algorithm.h"

namespace iosx {

// Puts the parts' solutions together: of every part one path, so that their sum is the least. What a part's first stage
// costs depends on the last stage of the part before.
class PartChain {
 public:
  static bool usable(const PartSolution& solution);

  void add(PartSolution solution);
  // A part that was not solved: one stage of one group, of unknown cost.
  void add_sequential(const Part& part);

  // Fills in schedule, costs of the parts and their sum.
  void choose(SearchResult& result) const;

 private:
  // The cheapest way to the end of a part whose last stage has one width.
  struct Reached {
    bool reachable = false;
    Millis cost{0};
    std::size_t stages = 0;
    std::size_t before = 0;  // width of the last stage of the part before
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
