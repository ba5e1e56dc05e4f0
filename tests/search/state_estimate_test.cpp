#include "core/search/state_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

double estimate(const Graph& graph) { return estimated_states(graph, graph.parts().front().units); }

TEST(StateEstimate, IsExactWhereEveryDescentIsAlike) {
  EXPECT_DOUBLE_EQ(estimate(test::chain(30)), 30);
  const Graph fork = test::fork(20);
  EXPECT_NEAR(estimate(fork) / (std::pow(2.0, static_cast<double>(fork.units().size())) - 1), 1, 1e-9);
  EXPECT_GT(estimate(test::fork(200)), 1e59);
}

TEST(StateEstimate, IsNearTheCount) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = test::random_dag(seed, 18);
    const auto counted = count(PartGraph(graph, graph.parts().front().units), EndingRule::kConnected, {3, 8});
    ASSERT_TRUE(counted.has_value());
    const double ratio = estimate(graph) / static_cast<double>(counted->states);
    EXPECT_GT(ratio, 0.5) << seed;
    EXPECT_LT(ratio, 2) << seed;
  }
  const Graph randwire = zoo_network("randwire").value();
  for (const Part& part : randwire.parts()) {
    const auto counted = count(PartGraph(randwire, part.units), EndingRule::kConnected, {1, 1});
    EXPECT_NEAR(estimated_states(randwire, part.units) / static_cast<double>(counted->states), 1, 0.5) << part.name;
  }
}

}  // namespace
}  // namespace iosx
