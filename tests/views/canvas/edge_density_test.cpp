#include "views/canvas/paint/edge_density.h"

#include <gtest/gtest.h>

#include "models/networks/zoo.h"
#include "tests/views/canvas/canvas_graphs.h"

namespace iosx::canvas::test {
namespace {

EdgePath straight(Point from, Point to) {
  EdgePath edge;
  edge.curve = {from, {from.x, (from.y + to.y) / 2}, {to.x, (from.y + to.y) / 2}, to};
  return edge;
}

// Twenty lines 8 apart, and one by itself.
Layout bundle_and_one() {
  Layout layout;
  for (int i = 0; i < 20; ++i) layout.edges.push_back(straight({8.0 * i, 0}, {8.0 * i, 1000}));
  layout.edges.push_back(straight({5000, 0}, {5000, 1000}));
  return layout;
}

TEST(EdgeDensity, CountsWhatRunsBesideAnEdge) {
  const EdgeDensity density(bundle_and_one());
  EXPECT_NEAR(density.linesPerLength(8), 1.0 / 8, 0.01);
  EXPECT_NEAR(density.linesPerLength(20), 1.0 / 64, 1e-9) << "alone in its place";
  EXPECT_EQ(density.linesPerLength(21), 0) << "there is none";
}

TEST(EdgeDensity, EdgesAreFainterWhereManyRunAndFurtherOut) {
  const EdgeDensity density(bundle_and_one());
  EXPECT_EQ(density.strength(8, 1), 1) << "8 pixels apart";
  EXPECT_LT(density.strength(8, 0.4), 1);
  EXPECT_LT(density.strength(8, 0.25), density.strength(8, 0.4));
  EXPECT_EQ(density.strength(8, 0.01), EdgeDensity::kFaintest) << "never gone";
  EXPECT_EQ(density.strength(20, 0.25), 1);
  EXPECT_EQ(EdgeDensity().strength(0, 1), 1) << "nothing is known";
}

TEST(EdgeDensity, OfARandomNetworkIsHigherThanOfAChain) {
  const auto mean = [](const char* network) {
    const Layout layout = lay_out(std::make_shared<const Graph>(*zoo_network(network)));
    const EdgeDensity density(layout);
    double sum = 0;
    for (std::size_t e = 0; e < layout.edges.size(); ++e) sum += density.strength(e, 0.12);
    return sum / static_cast<double>(layout.edges.size());
  };
  EXPECT_LT(mean("randwire"), mean("vgg16"));
}

}  // namespace
}  // namespace iosx::canvas::test
