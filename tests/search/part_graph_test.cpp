#include "core/search/part_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

PartGraph part_of(const Graph& graph, std::size_t part = 0) { return PartGraph(graph, graph.parts()[part].units); }

TEST(PartGraph, KnowsWhoDependsOnWhom) {
  const PartGraph part = part_of(test::diamond());
  EXPECT_EQ(part.size(), 4U);
  EXPECT_EQ(part.all(), 0b1111U);
  EXPECT_EQ(part.predecessors(3), 0b0110U);
  EXPECT_EQ(part.successors(0), 0b0110U);
  EXPECT_EQ(part.descendants(0), 0b1111U);
  EXPECT_EQ(part.descendants(1), 0b1010U);
  EXPECT_EQ(part.ancestors(3), 0b1111U);
  EXPECT_EQ(part.ancestors(2), 0b0101U);
}

TEST(PartGraph, LeavesOutWhatIsOutsideThePart) {
  const Graph graph = test::two_parts();
  const PartGraph second = part_of(graph, 1);
  EXPECT_EQ(second.predecessors(0), 0U);
  EXPECT_EQ(second.unit(0), graph.parts()[1].units.front());
  const PartGraph first = part_of(graph, 0);
  EXPECT_EQ(first.successors(first.size() - 1), 0U);
}

TEST(PartGraph, FindsComponents) {
  const PartGraph part = part_of(test::diamond());
  EXPECT_EQ(part.component(0b0110, 1), 0b0010U);
  EXPECT_EQ(part.component(0b1110, 1), 0b1110U);
  EXPECT_EQ(part.component(0b1001, 3), 0b1000U);
}

TEST(PartGraph, HoldsSixtyFourUnits) {
  const PartGraph part = part_of(test::chain(64));
  EXPECT_EQ(part.all(), ~UnitSet{0});
  EXPECT_EQ(part.descendants(0), ~UnitSet{0});
  EXPECT_EQ(part.width(), 1U);
  EXPECT_EQ(part_of(test::fork(64)).width(), 64U);
}

// The largest set of pairwise independent units, by trying every set.
std::size_t widest_antichain(const PartGraph& part) {
  std::size_t widest = 0;
  for (UnitSet set = 1; set <= part.all(); ++set) {
    bool independent = true;
    for (UnitSet rest = set; rest != 0; rest &= rest - 1) {
      const std::size_t i = first_of(rest);
      independent = independent && (part.descendants(i) & set) == singleton(i);
    }
    if (independent) widest = std::max(widest, size_of(set));
  }
  return widest;
}

TEST(PartGraph, WidthIsTheWidestAntichain) {
  EXPECT_EQ(part_of(test::diamond()).width(), 2U);
  EXPECT_EQ(part_of(test::clique(5)).width(), 1U);
  EXPECT_EQ(part_of(test::fork_join(5)).width(), 5U);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PartGraph part = part_of(test::random_dag(seed, 10));
    EXPECT_EQ(part.width(), widest_antichain(part)) << seed;
  }
}

// Table 1 of the paper: units and width of the widest part.
TEST(PartGraph, WidthsAreThePapers) {
  const auto widest = [](std::string_view name) {
    const auto graph = zoo_network(name);
    EXPECT_TRUE(graph.has_value());
    std::size_t width = 0;
    for (std::size_t p = 0; p < graph->parts().size(); ++p) width = std::max(width, part_of(*graph, p).width());
    return width;
  };
  EXPECT_EQ(widest("inception_v3"), 6U);
  EXPECT_EQ(widest("nasnet"), 8U);
  EXPECT_EQ(widest("squeezenet"), 3U);
}

}  // namespace
}  // namespace iosx
