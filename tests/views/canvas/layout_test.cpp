#include <iostream>

#include "core/model/graph/networks.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/layout/frame_columns.h"
#include "views/canvas/weave/weave.h"

namespace iosx::canvas::test {
namespace {

using iosx::test::random_dag;
using std::chrono::milliseconds;

std::shared_ptr<const Graph> share(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

// What holds for every layout, however it was made.
void expect_sound(const Graph& graph, const Layout& layout) {
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    ASSERT_TRUE(layout.node_of[u].has_value()) << graph.units()[u].name;
    EXPECT_EQ(layout.nodes[*layout.node_of[u]].unit, UnitId(u));
  }
  for (const FrameBox& frame : layout.frames) {
    EXPECT_TRUE(layout.bounds.grown(0.01).contains(frame.box));
    for (std::size_t i = frame.nodes.first; i < frame.nodes.second; ++i) {
      EXPECT_TRUE(frame.box.grown(0.01).contains(layout.nodes[i].box));
      EXPECT_FALSE(frame.header.intersects(layout.nodes[i].box));
      for (std::size_t j = i + 1; j < frame.nodes.second; ++j) {
        EXPECT_FALSE(layout.nodes[i].box.grown(-0.01).intersects(layout.nodes[j].box)) << i << " and " << j;
      }
    }
  }
  for (std::size_t i = 0; i < layout.frames.size(); ++i) {
    for (std::size_t j = i + 1; j < layout.frames.size(); ++j) {
      EXPECT_FALSE(layout.frames[i].box.intersects(layout.frames[j].box));
    }
  }
}

// Edges start on their first box's border and end on their second's; one that a fold cuts does either.
void expect_edges_at_boxes(const Layout& layout) {
  const auto at = [&](std::size_t node, const Point& point) {
    const auto on = [&](const Rect& rect) {
      return rect.grown(1.5).contains(point) && !rect.grown(-1.5).contains(point);
    };
    return on(layout.nodes[node].box) || std::ranges::any_of(layout.nodes[node].shape.pieces, on);
  };
  for (const EdgePath& edge : layout.edges) {
    ASSERT_GE(edge.curve.size(), 4U);
    EXPECT_EQ(edge.curve.size() % 3, 1U);
    const bool begins = at(edge.from, edge.curve.front());
    const bool ends = at(edge.to, edge.curve.back());
    EXPECT_TRUE(edge.corners ? begins && ends : begins || ends);
    for (const Point& p : edge.curve) EXPECT_TRUE(edge.bounds.grown(0.01).contains(p));
  }
}

// Points along a curve, 16 a segment.
std::vector<Point> sample_curve(const Curve& curve) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
    for (int k = 0; k <= 16; ++k) {
      const double t = k / 16.0;
      const double s = 1 - t;
      const auto mix = [&](double a, double b, double c, double d) {
        return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
      };
      points.push_back({mix(curve[i].x, curve[i + 1].x, curve[i + 2].x, curve[i + 3].x),
                        mix(curve[i].y, curve[i + 1].y, curve[i + 2].y, curve[i + 3].y)});
    }
  }
  return points;
}

// Every unit with a kernel stands in the band of its stage, and bands are in order.
void expect_sound_bands(const Graph& graph, const Schedule& schedule, const Layout& layout) {
  for (const FrameBox& frame : layout.frames) {
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      const BandBox& band = layout.bands[b];
      EXPECT_TRUE(frame.box.contains(band.box));
      if (b == frame.bands.first) continue;
      EXPECT_LE(layout.bands[b - 1].stage, band.stage);
      const Rect& before = layout.bands[b - 1].box;  // above, or in the panel to the left
      EXPECT_TRUE(band.box.y > before.bottom() - 0.01 || band.box.x > before.right());
    }
  }
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    for (const UnitId unit : schedule.stages[s].units()) {
      const NodeBox& node = layout.nodes[*layout.node_of[unit.index()]];
      const auto holds = [&](const BandBox& band) {
        return band.stage == s && band.box.grown(0.01).contains(node.shape.pieces.front());
      };
      EXPECT_TRUE(node.shape.pill || std::ranges::any_of(layout.bands, holds)) << graph.unit(unit).name;
    }
  }
}

bool same(const Layout& a, const Layout& b) {
  const auto nodes = [](const NodeBox& x, const NodeBox& y) { return x.box == y.box && x.unit == y.unit; };
  const auto edges = [](const EdgePath& x, const EdgePath& y) { return x.curve == y.curve && x.to == y.to; };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), nodes) &&
         std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), edges);
}

TEST(Layout, PartsAreLaidOutWithoutOverlaps) {
  const auto graph = branches(120, 4);
  const Layout layout = lay_out(graph);
  ASSERT_EQ(layout.frames.size(), 4U);
  expect_sound(*graph, layout);
  expect_edges_at_boxes(layout);
}

TEST(Layout, IsSoundOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto graph = share(random_dag(seed, 6 + seed));
    const Layout layout = lay_out(graph);
    expect_sound(*graph, layout);
    expect_edges_at_boxes(layout);
  }
}

TEST(Layout, EdgesBeginAtTheUnitOfAnyOperatorThatIsRead) {
  const auto graph = share(iosx::test::whole_unit());
  const Layout layout = lay_out(graph);
  ASSERT_EQ(layout.edges.size(), 1U);
  EXPECT_EQ(layout.edges[0].from, *layout.node_of[0]);
  EXPECT_EQ(layout.edges[0].to, *layout.node_of[1]);
}

TEST(Layout, SameRequestSameLayout) {
  const auto graph = share(random_dag(7, 40));
  EXPECT_TRUE(same(lay_out(graph), lay_out(graph)));
  const auto [scheduled, schedule] = small_scheduled();
  EXPECT_TRUE(same(lay_out(scheduled, &schedule), lay_out(scheduled, &schedule)));
}

TEST(Layout, StagesAreBandsInOrder) {
  const auto [graph, schedule] = small_scheduled();
  ASSERT_TRUE(check_legal(*graph, schedule).has_value());
  const Layout layout = lay_out(graph, &schedule);
  expect_sound(*graph, layout);
  expect_sound_bands(*graph, schedule, layout);
  expect_edges_at_boxes(layout);
  ASSERT_EQ(layout.merged.size(), 1U);
  for (const UnitId unit : layout.merged[0].units) {
    EXPECT_TRUE(layout.merged[0].box.contains(layout.nodes[*layout.node_of[unit.index()]].box));
  }
}

// Stages that take every ready unit at once, each its own group.
Schedule by_depth(const Graph& graph) {
  std::vector<std::size_t> depth(graph.units().size(), 0);
  Schedule schedule{.name = "by-depth"};
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    for (const UnitId before : graph.predecessors(UnitId(u))) depth[u] = std::max(depth[u], depth[before.index()] + 1);
    if (schedule.stages.size() <= depth[u]) schedule.stages.resize(depth[u] + 1);
    schedule.stages[depth[u]].groups.push_back(Group{{Step{{UnitId(u)}}}});
  }
  return schedule;
}

TEST(Layout, BandsAreSoundOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto graph = share(random_dag(seed, 5 + seed));
    const Schedule schedule = by_depth(*graph);
    const Layout layout = lay_out(graph, &schedule);
    expect_sound(*graph, layout);
    expect_sound_bands(*graph, schedule, layout);
    expect_edges_at_boxes(layout);
  }
}

TEST(Layout, EveryNetworkOfTheZooIsLaidOut) {
  for (const ZooNetwork& network : zoo()) {
    SCOPED_TRACE(network.name);
    const auto graph = share(network.build());
    const auto start = std::chrono::steady_clock::now();
    const Layout layout = lay_out(graph);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    std::cout << network.name << ": " << graph->units().size() << " units in " << layout.frames.size() << " frames, "
              << taken.count() << " ms\n";
    expect_sound(*graph, layout);
    expect_edges_at_boxes(layout);
    // Not one thin thread: within a factor of four of the window's shape where there are frames enough to arrange.
    if (layout.frames.size() >= 6) {
      EXPECT_LT(layout.bounds.height, 4 * layout.bounds.width);
      EXPECT_LT(layout.bounds.width, 7 * layout.bounds.height);
    }
  }
}

TEST(Layout, TakesEightThousandUnits) {
  for (const std::size_t parts : {160U, 1U}) {
    const auto graph = branches(8000, parts);
    const auto start = std::chrono::steady_clock::now();
    const Layout layout = lay_out(graph);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    std::cout << "layout of 8000 units, " << parts << " part(s) declared: " << taken.count() << " ms\n";
    EXPECT_EQ(std::count_if(layout.nodes.begin(), layout.nodes.end(), [](const NodeBox& n) { return n.unit.valid(); }),
              8000);
    expect_edges_at_boxes(layout);
  }
}

TEST(Layout, OnlyTheExpandedPartIsLaidOut) {
  const auto graph = branches(120, 4);
  LayoutRequest request{.graph = graph, .expanded = PartId(2)};
  const Layout layout = weave_graph(request);
  ASSERT_EQ(layout.frames.size(), 4U);
  for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(layout.frames[f].collapsed, f != 2);
  for (std::size_t u = 0; u < 120; ++u) {
    EXPECT_EQ(layout.node_of[u].has_value(), graph->units()[u].part == PartId(2));
  }
}

TEST(Layout, AStopGivesAnEmptyLayout) {
  LayoutRequest request{.graph = branches(400, 8)};
  EXPECT_TRUE(weave_graph(request, stopped_token()).nodes.empty());
}

// A long chain with a skip connection over every `skip` units.
std::shared_ptr<const Graph> chain(std::size_t length, std::size_t skip) {
  GraphBuilder builder("chain");
  builder.begin_part("all of it");
  Conv conv{.out_channels = 8};
  Value last = builder.add("stem", conv, {builder.input("in", {8, 16, 16})});
  Value kept = last;
  for (std::size_t u = 0; u < length; ++u) {
    if (u % skip == skip - 1) {
      last = kept = builder.add("add" + std::to_string(u), Add{}, {last, kept});
    } else {
      last = builder.add("conv" + std::to_string(u), conv, {last});
    }
  }
  auto graph = std::move(builder).build();
  EXPECT_TRUE(graph.has_value());
  return std::make_shared<const Graph>(std::move(*graph));
}

// A plan of the whole graph, in layers by the longest path from an input.
FramePlan plan_of(const Graph& graph) {
  FramePlan plan;
  std::vector<std::size_t> depth(graph.units().size(), 0);
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    plan.nodes.push_back({{100, 40}, UnitId(u)});
    for (const UnitId from : graph.predecessors(UnitId(u))) {
      plan.edges.emplace_back(from.index(), u);
      depth[u] = std::max(depth[u], depth[from.index()] + 1);
    }
    if (plan.layers.size() <= depth[u]) plan.layers.resize(depth[u] + 1);
    plan.layers[depth[u]].push_back(u);
  }
  return plan;
}

TEST(Layered, EdgesCrossNoBoxAndBoxesStandApart) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const FramePlan plan = plan_of(random_dag(seed, 6 + seed));
    const FrameLayout layout = layered_layout(plan, {});
    for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
      for (std::size_t b = a + 1; b < layout.boxes.size(); ++b)
        EXPECT_FALSE(layout.boxes[a].intersects(layout.boxes[b]));
    }
    for (std::size_t e = 0; e < plan.edges.size(); ++e) {
      const auto [from, to] = plan.edges[e];
      EXPECT_NEAR(layout.curves[e].front().y, layout.boxes[from].bottom(), 0.01);
      EXPECT_NEAR(layout.curves[e].back().y, layout.boxes[to].y, 0.01);
      for (const Point& point : sample_curve(layout.curves[e])) {
        for (std::size_t n = 0; n < layout.boxes.size(); ++n) {
          EXPECT_FALSE(n != from && n != to && layout.boxes[n].grown(-1).contains(point)) << from << " to " << to;
        }
      }
    }
  }
}

TEST(Fold, KeepsBoxesApartAndEdgesAtTheirEnds) {
  const auto graph = chain(39, 5);
  const FramePlan plan = plan_of(*graph);
  const FrameLayout tall = layered_layout(plan, {});
  ASSERT_GT(tall.layers.size(), 1U);
  for (const double height : {tall.size.height / 2, tall.size.height / 3, tall.size.height / 7}) {
    const FrameLayout folded = canvas::folded(plan, tall, height);
    EXPECT_EQ(folded.size, folded_size(plan, tall, height));
    EXPECT_LE(folded.size.height, height);
    EXPECT_TRUE(std::any_of(folded.corners.begin(), folded.corners.end(), [](bool crosses) { return crosses; }));
    const Rect all = Rect{0, 0, folded.size.width, folded.size.height}.grown(0.01);
    for (std::size_t i = 0; i < folded.boxes.size(); ++i) {
      EXPECT_TRUE(all.contains(folded.boxes[i]));
      for (std::size_t j = i + 1; j < folded.boxes.size(); ++j)
        EXPECT_FALSE(folded.boxes[i].intersects(folded.boxes[j]));
    }
    for (std::size_t e = 0; e < folded.curves.size(); ++e) {
      const Curve& curve = folded.curves[e];
      EXPECT_EQ(curve.size() % 3, 1U);
      EXPECT_NEAR(curve.front().y, folded.boxes[plan.edges[e].first].bottom(), 0.01);
      EXPECT_NEAR(curve.back().y, folded.boxes[plan.edges[e].second].y, 0.01);
      for (const Point& p : curve) EXPECT_TRUE(all.contains(p));
    }
  }
}

// Lines over a cut come out in the order in which they go in, and no two lie on one another.
TEST(Fold, LinesOverACutDoNotCross) {
  const auto graph = branches(40, 1);
  const FramePlan plan = plan_of(*graph);
  const FrameLayout tall = layered_layout(plan, {});
  const FrameLayout folded = canvas::folded(plan, tall, tall.size.height / 4);
  std::vector<std::vector<std::pair<Point, Point>>> lines;  // of the edges that cross
  std::vector<std::size_t> producers;
  for (std::size_t e = 0; e < folded.curves.size(); ++e) {
    if (!folded.corners[e]) continue;
    auto& pieces = lines.emplace_back();
    producers.push_back(plan.edges[e].first);
    for (std::size_t i = 0; i + 3 < folded.curves[e].size(); i += 3) {
      const Point& a = folded.curves[e][i];
      const Point& b = folded.curves[e][i + 3];
      if (std::abs(a.x - b.x) < 0.01 && std::abs(a.y - b.y) > 40) pieces.emplace_back(a, b);  // between the columns
    }
  }
  ASSERT_FALSE(lines.empty());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      if (producers[i] == producers[j]) continue;
      for (const auto& a : lines[i]) {
        for (const auto& b : lines[j]) EXPECT_GT(std::abs(a.first.x - b.first.x), 1);
      }
    }
  }
}

TEST(Fold, IsTheSameEveryTime) {
  const auto graph = chain(39, 4);
  const FramePlan plan = plan_of(*graph);
  const FrameLayout tall = layered_layout(plan, {});
  const FrameLayout a = folded(plan, tall, 500);
  const FrameLayout b = folded(plan, tall, 500);
  EXPECT_EQ(a.boxes, b.boxes);
  EXPECT_EQ(a.curves, b.curves);
}

// What is asked for: the picture is not much taller than the window, whatever shape the network has. One whose widest
// layer is wider than the window stays so: layers are not folded.
TEST(Fold, NetworksComeNearToTheWindowsShape) {
  for (const ZooNetwork& network : zoo()) {
    const auto graph = std::make_shared<const Graph>(network.build());
    for (const double aspect : {0.7, 1.6}) {
      LayoutRequest request{.graph = graph, .room = {1000 * aspect, 1000}};
      const Layout layout = weave_graph(request);
      const double shape = layout.bounds.width / layout.bounds.height;
      EXPECT_LT(aspect / shape, 2.5) << network.name << " has " << shape << " for " << aspect;
    }
  }
}

}  // namespace

}  // namespace iosx::canvas::test
