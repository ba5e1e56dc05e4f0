#include "core/search/state_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/graphs.h"

namespace iosx {
namespace {

// The worked example of state_space.h.
TEST(StateSpace, OfADiamond) {
  const Graph graph = test::diamond();
  const PartGraph part(graph, graph.parts().front().units);
  const Pruning unlimited{.r = 0, .s = 0};
  const StateSpace space = enumerate(part, EndingRule::kConnected, unlimited).value();

  std::vector<UnitSet> states(space.states.begin(), space.states.end());
  EXPECT_THAT(states, testing::UnorderedElementsAre(0b0000, 0b0001, 0b0011, 0b0101, 0b0111, 0b1111));
  EXPECT_EQ(space.states.front(), 0b0000U);
  EXPECT_EQ(space.states[space.order.front()], 0b1111U);
  std::vector<UnitSet> last;
  for (const Transition& transition : space.transitions_of(0)) last.push_back(space.stages[transition.stage]);
  EXPECT_THAT(last, testing::UnorderedElementsAre(0b1000, 0b1010, 0b1100, 0b1110, 0b1111));
  EXPECT_EQ(space.state_count(), 5U);
  EXPECT_EQ(space.transitions.size(), 14U);
  EXPECT_EQ(space.stages.size(), 12U);

  const SpaceCount counted = count(part, EndingRule::kConnected, unlimited).value();
  EXPECT_EQ(counted.states, 5);
  EXPECT_EQ(counted.transitions, 14);
  EXPECT_EQ(counted.stages, 12);
  EXPECT_EQ(counted.schedules, "12");

  // At most one unit in a group: the endings of more than one group are {1, 2} alone.
  EXPECT_EQ(count(part, EndingRule::kConnected, {.r = 1, .s = 0}).value().stages, 5);
  EXPECT_EQ(count(part, EndingRule::kConnected, {.r = 1, .s = 0}).value().schedules, "3");
}

}  // namespace
}  // namespace iosx
