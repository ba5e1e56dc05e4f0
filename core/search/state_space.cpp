#include "core/search/state_space.h"

#include <array>
#include <optional>
#include <utility>

#include "core/search/big_count.h"
#include "core/search/ending_enumerator.h"
#include "core/search/set_table.h"

namespace iosx {
namespace {

constexpr std::size_t kStopCheckInterval = 1 << 14;  // transitions

// Walks the states reachable from the whole part, the largest first: when a state's turn comes, every transition into
// it has been seen. Calls enter(state number), then step(target number, ending) for each of its transitions. The empty
// set has number 0, other states number 1, 2, … in the order found.
class Explorer {
 public:
  Explorer(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceBudget& budget, std::stop_token stop)
      : enumerator_(part, rule, pruning), budget_(budget), stop_(std::move(stop)) {
    add(part.all());
    largest_ = part.size();
  }

  template <typename Enter, typename Step>
  std::optional<SpaceRefusal> run(Enter&& enter, Step&& step) {
    for (std::size_t size = largest_; size > 0; --size) {
      for (const std::uint32_t number : std::exchange(by_size_[size], {})) {
        enter(number);
        const UnitSet state = states_[number - 1];
        enumerator_.for_each(state, [&](UnitSet ending) {
          if (!admit()) return false;
          step(ending == state ? 0 : add(state ^ ending), ending);
          return true;
        });
        if (refusal_) return refusal_;
      }
    }
    return std::nullopt;
  }

  std::size_t transitions() const { return transitions_; }
  std::size_t state_count() const { return states_.size(); }
  const std::vector<UnitSet>& states() const { return states_.sets(); }

 private:
  std::uint32_t add(UnitSet state) {
    const auto [number, is_new] = states_.find_or_add(state);
    if (is_new) by_size_[size_of(state)].push_back(number + 1);
    return number + 1;
  }

  bool admit() {
    if (++transitions_ > budget_.transitions) {
      refusal_ = SpaceRefusal::kTooManyTransitions;
    } else if (states_.size() > budget_.states) {
      refusal_ = SpaceRefusal::kTooManyStates;
    } else if (transitions_ % kStopCheckInterval == 1 && stop_.stop_requested()) {
      refusal_ = SpaceRefusal::kStopped;
    }
    return !refusal_;
  }

  EndingEnumerator enumerator_;
  SpaceBudget budget_;
  std::stop_token stop_;
  std::size_t largest_ = 0;
  std::size_t transitions_ = 0;
  std::optional<SpaceRefusal> refusal_;
  SetTable states_;
  std::array<std::vector<std::uint32_t>, kMaxPartUnits + 1> by_size_;  // states whose turn has not come
};

}  // namespace

tl::expected<StateSpace, SpaceRefusal> enumerate(const PartGraph& part, EndingRule rule, Pruning pruning,
                                                 const SpaceBudget& budget, std::stop_token stop) {
  Explorer explorer(part, rule, pruning, budget, std::move(stop));
  StateSpace space;
  SetTable stages;
  const auto refusal = explorer.run(
      [&](std::uint32_t state) {
        space.order.push_back(state);
        space.first_transition.push_back(space.transitions.size());
      },
      [&](std::uint32_t target, UnitSet ending) {
        space.transitions.push_back(Transition{target, stages.find_or_add(ending).first});
      });
  if (refusal) return tl::unexpected(*refusal);
  space.first_transition.push_back(space.transitions.size());
  space.states.push_back(0);
  space.states.insert(space.states.end(), explorer.states().begin(), explorer.states().end());
  space.stages = std::move(stages).take_sets();
  return space;
}

tl::expected<SpaceCount, SpaceRefusal> count(const PartGraph& part, EndingRule rule, Pruning pruning,
                                             const SpaceBudget& budget, std::stop_token stop) {
  Explorer explorer(part, rule, pruning, budget, std::move(stop));
  SetTable stages;
  std::vector<BigCount> ways(2);  // by state number: sequences of stages from the whole part to it
  ways[1] = BigCount(1);
  BigCount here;
  const auto refusal = explorer.run([&](std::uint32_t state) { here = ways[state]; },
                                    [&](std::uint32_t target, UnitSet ending) {
                                      stages.find_or_add(ending);
                                      if (target >= ways.size()) ways.resize(target + 1);
                                      ways[target] += here;
                                    });
  if (refusal) return tl::unexpected(*refusal);
  return SpaceCount{static_cast<std::int64_t>(explorer.state_count()),
                    static_cast<std::int64_t>(explorer.transitions()), static_cast<std::int64_t>(stages.size()),
                    ways[0].decimal()};
}

bool fits(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceBudget& budget, std::stop_token stop) {
  Explorer explorer(part, rule, pruning, budget, std::move(stop));
  const auto refusal = explorer.run([](std::uint32_t) {}, [](std::uint32_t, UnitSet) {});
  return !refusal || *refusal == SpaceRefusal::kStopped;
}

}  // namespace iosx
