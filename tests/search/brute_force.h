#pragma once

#include "core/search/options.h"
#include "core/search/part_graph.h"
#include "tests/support/prelude.h"

// The search space straight from its definition, by loops over all subsets; for parts of up to about ten units. It
// shares only the edges with the tested code.
namespace iosx::test {

class BruteForce {
 public:
  BruteForce(const PartGraph& part, EndingRule rule, Pruning pruning);

  // Returns every legal ending of a state, by its number as a bit set.
  const std::vector<UnitSet>& endings(UnitSet state) const;
  std::set<UnitSet> states() const;  // reachable, without the empty one

  struct Counts {
    std::int64_t states = 0;
    std::int64_t transitions = 0;
    std::int64_t stages = 0;
    std::uint64_t schedules = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
  };
  Counts counts() const;

  // A schedule as its endings in execution order.
  struct Best {
    double cost = 0;
    std::vector<UnitSet> stages;
  };
  // Returns the cheapest schedule of a state; on ties the shorter, then the one with the smaller last ending.
  Best best(UnitSet state, const std::function<double(UnitSet)>& latency) const;

  // Calls visit with every schedule of the state, without memory of states: only for the smallest parts.
  void for_each_schedule(UnitSet state, const std::function<void(const std::vector<UnitSet>&)>& visit) const;

 private:
  bool legal(UnitSet state, UnitSet ending) const;
  std::vector<UnitSet> groups(UnitSet ending) const;
  Best best(UnitSet state, const std::function<double(UnitSet)>& latency, std::map<UnitSet, Best>& known) const;

  std::size_t size_;
  std::vector<std::vector<bool>> edge_;  // edge_[i][j]: j reads i
  EndingRule rule_;
  Pruning pruning_;
  mutable std::map<UnitSet, std::vector<UnitSet>> endings_;  // by state, as far as requested
};

}  // namespace iosx::test
