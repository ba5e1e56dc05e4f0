#include "core/model/graph/partition.h"

#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using testing::Le;

std::vector<std::size_t> sizes(const std::vector<Part>& parts) {
  return mapped<std::size_t>(parts, [](const Part& part) { return part.units.size(); });
}

// The parts cover all units in order, which with_parts() checks.
void expect_cover(const Graph& graph, const std::vector<Part>& parts) {
  EXPECT_EQ(graph.with_parts(parts).parts().size(), parts.size());
}

// stem (2 units) → diamond of branches (b, c → d) twice → tail of 2.
Graph two_diamonds() {
  auto [builder, last] = test::sketch("two_diamonds", Shape{4, 2, 2});
  const Activate relu{Activation::kRelu};
  for (const char* name : {"s1", "s2"}) last = builder.add(name, relu, {last});
  for (const std::string cell : {"x", "y"}) {
    const Value b = builder.add(cell + "b", relu, {last});
    const Value c = builder.add(cell + "c", relu, {last});
    last = builder.add(cell + "d", Add{}, {b, c});
  }
  for (const char* name : {"t1", "t2"}) last = builder.add(name, relu, {last});
  return *std::move(builder).build();
}

TEST(Partition, KeepsAChainWhole) { EXPECT_THAT(sizes(partition(test::chain(7))), ElementsAre(7)); }

TEST(Partition, KeepsAForkWhole) { EXPECT_THAT(sizes(partition(test::fork(5))), ElementsAre(5)); }

TEST(Partition, CutsWhereOneTensorIsLive) {
  const Graph graph = two_diamonds();
  const auto parts = partition(graph);
  EXPECT_THAT(sizes(parts), ElementsAre(2, 3, 3, 2));
  expect_cover(graph, parts);
}

// A skip over the first diamond keeps two tensors live, so there is no cut inside.
TEST(Partition, DoesNotCutUnderASkipConnection) {
  auto [builder, in] = test::sketch("skip", Shape{4, 2, 2});
  const Activate relu{Activation::kRelu};
  const Value a = builder.add("a", relu, {in});
  const Value b = builder.add("b", relu, {a});
  const Value c = builder.add("c", relu, {b});
  const Value d = builder.add("d", Add{}, {c, a});
  builder.add("e", relu, {d});
  EXPECT_THAT(sizes(partition(*std::move(builder).build())), ElementsAre(1, 3, 1));
}

// The input itself is live until its last reader.
TEST(Partition, CountsTheInputAsLive) {
  auto [builder, in] = test::sketch("input", Shape{4, 2, 2});
  const Activate relu{Activation::kRelu};
  const Value a = builder.add("a", relu, {in});
  const Value b = builder.add("b", relu, {a});
  const Value c = builder.add("c", Add{}, {b, in});
  builder.add("d", relu, {c});
  EXPECT_THAT(sizes(partition(*std::move(builder).build())), ElementsAre(3, 1));
}

TEST(Partition, KeepsDeclaredParts) {
  const Graph graph = test::two_parts();
  const auto parts = partition(graph);
  EXPECT_THAT(sizes(parts), ElementsAre(2, 2));
  EXPECT_EQ(parts[0].name, "first");
  EXPECT_EQ(parts[1].name, "second");
}

TEST(Partition, CutsWhatIsTooLarge) {
  const Graph graph = test::chain(101);
  PartitionOptions options{.max_part_size = 20};
  const auto parts = partition(graph, options);
  EXPECT_THAT(sizes(parts), Each(Le(20U)));
  EXPECT_LE(parts.size(), 8U);
  expect_cover(graph, parts);

  const Graph clique = test::clique(30);
  options.max_part_size = 7;
  EXPECT_THAT(sizes(partition(clique, options)), Each(Le(7U)));
  expect_cover(clique, partition(clique, options));
}

TEST(Partition, CutsDeclaredPartsThatAreTooLarge) {
  PartitionOptions options{.max_part_size = 1};
  const Graph graph = test::two_parts();
  const auto parts = partition(graph, options);
  EXPECT_THAT(sizes(parts), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(parts[0].name, "first.1");
}

TEST(Partition, CutsWhatIsTooComplex) {
  PartitionOptions options;
  std::size_t asked = 0;
  options.too_complex = [&](std::span<const UnitId> units) {
    ++asked;
    EXPECT_GT(units.size(), 1U);
    return units.size() > 4;
  };
  const Graph graph = test::random_dag(1, 24);
  const auto parts = partition(graph, options);
  EXPECT_THAT(sizes(parts), Each(Le(4U)));
  EXPECT_GT(asked, 0U);
  expect_cover(graph, parts);
}

// Fewest tensors are live at the edge of a fan; cutting there would take it apart unit by unit.
TEST(Partition, CutsAWideFanInItsMiddleHalf) {
  const Graph graph = test::fork_join(199);
  const auto parts = partition(graph);
  EXPECT_LE(parts.size(), 14U);
  EXPECT_EQ(parts.front().units.size(), 1U);  // its output is the only tensor live
  for (std::size_t p = 1; p < parts.size(); ++p) EXPECT_GE(parts[p].units.size(), 13U) << p;
  expect_cover(graph, parts);
}

TEST(Partition, CutsWhereFewestTensorsAreLive) {
  GraphBuilder builder("waist");  // two wide cells joined by a waist of two tensors, so no cut at one tensor
  const Value in = builder.input("in", Shape{4, 2, 2});
  Value left = in;
  Value right = in;
  for (const std::string cell : {"x", "y"}) {
    std::vector<Value> wide;
    for (int i = 0; i < 4; ++i) wide.push_back(builder.add(cell + std::to_string(i), Add{}, {left, right}));
    left = builder.add(cell + "left", Add{}, wide);
    right = builder.add(cell + "right", Add{}, {wide[0], wide[1]});
  }
  builder.add("end", Add{}, {left, right});
  const Graph graph = *std::move(builder).build();
  EXPECT_THAT(sizes(partition(graph, PartitionOptions{.max_part_size = 8})), ElementsAre(6, 7));
}

// Units without any tensor that all paths go through: one part, of which a search needs pieces.
TEST(Partition, PiecesOfASearchAreShownAsOnePart) {
  const Graph graph = test::fork_join(199);
  const std::vector<Part> shown = shown_parts(graph);
  const Graph cut = graph.with_parts(partition(graph, PartitionOptions{.max_part_size = 20}));
  EXPECT_GT(cut.parts().size(), 8U);
  EXPECT_EQ(sizes(shown_parts(cut)), sizes(shown));
  EXPECT_EQ(shown_parts(cut).back().name, shown.back().name);
  // A small graph without declared parts is one, wherever a search cut it.
  const Graph small = two_diamonds();
  const Graph searched = small.with_parts(partition(small));
  EXPECT_GT(searched.parts().size(), 1U);
  EXPECT_THAT(mapped<std::string>(shown_parts(small), &Part::name), ElementsAre(small.name()));
  EXPECT_THAT(mapped<std::string>(shown_parts(searched), &Part::name), ElementsAre(small.name()));
  // So many units are shown in pieces, before a search and after it.
  const Graph huge = test::fork_join(1000);
  const Graph pieces = huge.with_parts(partition(huge, PartitionOptions{.max_part_size = 20}));
  EXPECT_THAT(sizes(shown_parts(huge)), testing::Each(Le(kMaxPartUnits)));
  EXPECT_EQ(sizes(shown_parts(pieces)), sizes(shown_parts(huge)));
}

}  // namespace
}  // namespace iosx
