#pragma once

#include <stop_token>
#include <tl/expected.hpp>

#include "core/base/parallel.h"
#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// Running `stage` last in a state leaves `target`. Both are indices into the StateSpace.
struct Transition {
  std::uint32_t target = 0;
  std::uint32_t stage = 0;
};

// All facts about one part's schedules that do not depend on latencies. It takes 8 bytes per transition.
//
// Example: a diamond, unit 0 before units 1 and 2, these before unit 3, without pruning. A set is written as its units.
//
//   state   its endings: what can run last       left over
//   0123    3, 13, 23, 123, 0123                 012, 02, 01, 0, nothing
//   012     1, 2, 12, 012                        02, 01, 0, nothing
//   02      2, 02                                0, nothing
//   01      1, 01                                0, nothing
//   0       0                                    nothing
//
// That makes 5 states and 14 transitions, one per ending of a state. They have 12 distinct stages; the one of units 1
// and 2 has two groups, because nothing connects these. The transitions from 0123 to nothing give every schedule
// backwards, 12 of them (2 of state 01, 2 of 02, 6 of 012). With at most one unit per group, 5 stages and 3 schedules
// are left.
struct StateSpace {
  // states[0] is the empty set. In order of discovery; a target has fewer units than its state.
  std::vector<UnitSet> states;
  std::vector<UnitSet> stages;  // distinct endings
  // The non-empty states, the largest first; the whole part is the first.
  std::vector<std::uint32_t> order;
  std::vector<Transition> transitions;
  // Transitions of order[i] are transitions[first_transition[i]] up to transitions[first_transition[i + 1]].
  std::vector<std::size_t> first_transition;

  std::size_t state_count() const { return order.size(); }
  std::span<const Transition> transitions_of(std::size_t i) const {
    return std::span(transitions).subspan(first_transition[i], first_transition[i + 1] - first_transition[i]);
  }
};

// Sizes of one part's search space. States do not count the empty set; stages are distinct endings; schedules are
// sequences of stages, as a decimal number (RandWire has 9e22).
struct SpaceCount {
  std::int64_t states = 0;
  std::int64_t transitions = 0;
  std::int64_t stages = 0;
  std::string schedules;
};

// The size at which to give up on a part. The default keeps it within about 3 GB.
struct SpaceBudget {
  std::size_t states = 20'000'000;
  std::size_t transitions = 60'000'000;
  // Of all parts together, of a lazy search that is given no limit: the transitions that its plans may look at, each as
  // often as they do. That takes some seconds of one core.
  std::size_t planned = 400'000'000;
};

enum class SpaceRefusal { kTooManyStates, kTooManyTransitions, kStopped };

// Enumerates every state reachable from the whole part; the number of threads does not change the result.
// It honours a stop within milliseconds.
tl::expected<StateSpace, SpaceRefusal> enumerate(const PartGraph& part, EndingRule rule, Pruning pruning,
                                                 const SpaceBudget& budget = {}, std::stop_token stop = {},
                                                 std::size_t threads = free_threads());

// Does the same without keeping the transitions.
tl::expected<SpaceCount, SpaceRefusal> count(const PartGraph& part, EndingRule rule, Pruning pruning,
                                             const SpaceBudget& budget = {}, std::stop_token stop = {},
                                             std::size_t threads = free_threads());

struct SpaceFit {
  bool fits = true;
  std::size_t transitions = 0;  // transitions visited: the cost of the check
};
// Returns whether the part's search space keeps to the budget, and visits no more of it than needed. After a stop
// the answer is yes: nothing contradicted it.
SpaceFit fits(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceBudget& budget,
              std::stop_token stop = {}, std::size_t threads = free_threads());

}  // namespace iosx
