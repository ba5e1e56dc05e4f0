#include <iostream>

#include "core/model/graph/networks.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/layout/frame_columns.h"

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

// Edges start on their first box's border and end on their second's.
void expect_edges_at_boxes(const Layout& layout) {
  for (const EdgePath& edge : layout.edges) {
    ASSERT_GE(edge.curve.size(), 4U);
    EXPECT_EQ(edge.curve.size() % 3, 1U);
    const Rect& from = layout.nodes[edge.from].box;
    const Rect& to = layout.nodes[edge.to].box;
    EXPECT_TRUE(from.grown(1.5).contains(edge.curve.front()));
    EXPECT_TRUE(to.grown(1.5).contains(edge.curve.back()));
    EXPECT_FALSE(from.grown(-1.5).contains(edge.curve.front()));
    EXPECT_FALSE(to.grown(-1.5).contains(edge.curve.back()));
    for (const Point& p : edge.curve) EXPECT_TRUE(edge.bounds.grown(0.01).contains(p));
  }
}

// Groups stand from left to right as they are numbered.
void expect_groups_in_order(const Layout& layout) {
  for (const GroupBox& a : layout.groups) {
    for (const GroupBox& b : layout.groups) {
      if (a.stage == b.stage && a.group < b.group) {
        EXPECT_LE(a.box.right(), b.box.x + 0.01) << "stage " << a.stage;
      }
    }
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

void expect_edges_cross_no_box(const Layout& layout) {
  for (const EdgePath& edge : layout.edges) {
    const auto points = sample_curve(edge.curve);
    for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
      if (n == edge.from || n == edge.to || !edge.bounds.grown(1).intersects(layout.nodes[n].box)) continue;
      const Rect inside = layout.nodes[n].box.grown(-1);
      EXPECT_TRUE(std::none_of(points.begin(), points.end(), [&](const Point& p) { return inside.contains(p); }))
          << "edge " << edge.from << " to " << edge.to << " runs through box " << n;
    }
  }
}

void expect_sound_bands(const Graph& graph, const Schedule& schedule, const Layout& layout) {
  ASSERT_EQ(layout.bands.size(), schedule.stages.size());
  for (const FrameBox& frame : layout.frames) {
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      EXPECT_TRUE(frame.box.contains(layout.bands[b].box));
      EXPECT_TRUE(layout.bands[b].box.contains(layout.bands[b].label));
      if (b > frame.bands.first) {
        const Rect& before = layout.bands[b - 1].box;  // above, or in the column to the left
        EXPECT_TRUE(layout.bands[b].box.y > before.bottom() || layout.bands[b].box.x > before.right());
      }
    }
  }
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) EXPECT_EQ(layout.bands[s].stage, s);
  for (const GroupBox& group : layout.groups) {
    EXPECT_TRUE(layout.bands[group.stage].box.contains(group.box));
    EXPECT_FALSE(layout.bands[group.stage].label.intersects(group.box));
    for (const GroupBox& other : layout.groups) {
      if (&other != &group) {
        EXPECT_FALSE(group.box.intersects(other.box));
      }
    }
    for (const Step& step : schedule.stages[group.stage].groups[group.group].steps) {
      double top = -1;
      for (const UnitId unit : step.units) {
        const Rect& box = layout.nodes[*layout.node_of[unit.index()]].box;
        EXPECT_TRUE(group.box.grown(0.01).contains(box)) << graph.unit(unit).name;
        if (top >= 0) {
          EXPECT_EQ(box.y, top);  // a merged step's boxes stand beside one another
        }
        top = box.y;
      }
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
  expect_edges_cross_no_box(layout);
}

TEST(Layout, IsSoundOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto graph = share(random_dag(seed, 6 + seed));
    const Layout layout = lay_out(graph);
    expect_sound(*graph, layout);
    expect_edges_at_boxes(layout);
    expect_edges_cross_no_box(layout);
  }
}

TEST(Layout, EdgesBeginAtTheUnitOfAnyOperatorThatIsRead) {
  const auto graph = share(iosx::test::whole_unit());
  const Layout layout = lay_out(graph);
  ASSERT_EQ(layout.edges.size(), 2U);
  EXPECT_EQ(layout.edges[0].from, *layout.node_of[0]);
  EXPECT_EQ(layout.edges[0].to, *layout.node_of[1]);
}

TEST(Layout, SameRequestSameLayout) {
  const auto graph = share(random_dag(7, 40));
  EXPECT_TRUE(same(lay_out(graph), lay_out(graph)));
  const auto [scheduled, schedule] = small_scheduled();
  EXPECT_TRUE(same(lay_out(scheduled, &schedule), lay_out(scheduled, &schedule)));
}

TEST(Layout, StagesAreDisjointBandsInOrderWithTheirGroupsInside) {
  const auto [graph, schedule] = small_scheduled();
  ASSERT_TRUE(check_legal(*graph, schedule).has_value());
  const Layout layout = lay_out(graph, &schedule);
  expect_sound(*graph, layout);
  expect_groups_in_order(layout);
  expect_sound_bands(*graph, schedule, layout);
  expect_edges_at_boxes(layout);
  expect_edges_cross_no_box(layout);
  ASSERT_EQ(layout.merged.size(), 1U);
  EXPECT_EQ(layout.merged[0].stage, 2U);
  for (const UnitId unit : layout.merged[0].units) {
    EXPECT_TRUE(layout.merged[0].box.contains(layout.nodes[*layout.node_of[unit.index()]].box));
  }
  EXPECT_TRUE(std::any_of(layout.groups.begin(), layout.groups.end(), [](const GroupBox& g) { return g.outlined; }));
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
    expect_groups_in_order(layout);
    expect_sound_bands(*graph, schedule, layout);
    expect_edges_at_boxes(layout);
    expect_edges_cross_no_box(layout);
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
  LayoutRequest request{.graph = graph, .style = plain_style(), .expanded = PartId(2)};
  const Layout layout = layout_graph(request);
  ASSERT_EQ(layout.frames.size(), 4U);
  for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(layout.frames[f].collapsed, f != 2);
  for (std::size_t u = 0; u < 120; ++u) {
    EXPECT_EQ(layout.node_of[u].has_value(), graph->units()[u].part == PartId(2));
  }
}

TEST(Layout, AStopGivesAnEmptyLayout) {
  LayoutRequest request{.graph = branches(400, 8), .style = plain_style()};
  EXPECT_TRUE(layout_graph(request, stopped_token()).nodes.empty());
}

TEST(Layout, PartsThatReadElsewhereGetPorts) {
  const auto graph = branches(40, 2);
  const Layout layout = lay_out(graph);
  const FrameBox& second = layout.frames[1];
  std::size_t ports = 0;
  for (std::size_t n = second.nodes.first; n < second.nodes.second; ++n) ports += layout.nodes[n].unit.valid() ? 0 : 1;
  EXPECT_EQ(ports, 1U);
  EXPECT_EQ(layout.links.size(), 1U);
}

// Networks that run together stand in frames of their own, unless stages hold units of several.
TEST(FramePlan, GivesEveryNetworkItsFrame) {
  const Graph one = iosx::test::chain(3);
  const Graph other = iosx::test::fork_join(2);
  const Graph both = *unite(std::array{&one, &other});
  const TextStyle style = plain_style();
  const Schedule turn = sequential_schedule(both);
  for (const Schedule* schedule : std::array<const Schedule*, 2>{nullptr, &turn}) {
    const auto frames = plan_frames(both, schedule, style);
    ASSERT_EQ(frames.size(), 2U);
    for (std::size_t f = 0; f < 2; ++f) {
      EXPECT_EQ(frames[f].title, both.networks()[f]);
      for (const PlanNode& node : frames[f].nodes) EXPECT_EQ(both.op(node.source).network, MemberId(f));
    }
  }
  const Schedule side = side_by_side_schedule(both);
  EXPECT_EQ(plan_frames(both, &side, style).size(), 1U);
  EXPECT_FALSE(frames_of_networks(both, &side));
  EXPECT_FALSE(frames_of_networks(one, nullptr));
}

TEST(FramePlan, SaysWhichFrameOfAPartItIs) {
  const Graph one = iosx::test::chain(3);
  const Graph other = iosx::test::chain(3);
  const Graph both = *unite(std::array{&one, &other});
  const Schedule turn = one_by_one_schedule(both);
  ASSERT_EQ(turn.stages.size(), 6U);
  const auto titles = [&](std::initializer_list<std::size_t> order) {
    Schedule schedule = turn;
    schedule.stages.clear();
    for (const std::size_t s : order) schedule.stages.push_back(turn.stages[s]);
    std::vector<std::string> all;
    for (const FramePlan& frame : plan_frames(both, &schedule, plain_style())) {
      all.push_back(frame.title);
      EXPECT_EQ(frame.goes_on, std::ranges::count(both.networks(), frame.title) == 0);
    }
    return all;
  };
  const std::string a = both.networks()[0];
  const std::string b = both.networks()[1];
  EXPECT_EQ(titles({0, 1, 3, 4, 2, 5}), (std::vector<std::string>{a, b, a + ", continued", b + ", continued"}));
  EXPECT_EQ(titles({0, 3, 4, 1, 5, 2}),
            (std::vector<std::string>{a, b, a + " (2 of 3)", b + ", continued", a + " (3 of 3)"}));
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

FramePlan plan_of(const Graph& graph) { return plan_frames(graph, nullptr, plain_style()).front(); }

TEST(Fold, KeepsBoxesApartAndEdgesAtTheirEnds) {
  const auto graph = chain(39, 5);
  const FramePlan plan = plan_of(*graph);
  const FrameLayout tall = layered_layout(plan, {});
  ASSERT_GT(tall.layers.size(), 1U);
  for (const double height : {tall.size.height / 2, tall.size.height / 3, tall.size.height / 7}) {
    const FrameLayout folded = canvas::folded(plan, tall, height);
    EXPECT_EQ(folded.size, folded_size(plan, tall, height));
    EXPECT_LE(folded.size.height, height);
    EXPECT_TRUE(std::any_of(folded.folded.begin(), folded.folded.end(), [](bool crosses) { return crosses; }));
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
    if (!folded.folded[e]) continue;
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
      LayoutRequest request{.graph = graph, .style = plain_style(), .room = {1000 * aspect, 1000}};
      const Layout layout = layout_graph(request);
      const double shape = layout.bounds.width / layout.bounds.height;
      EXPECT_LT(aspect / shape, 2.5) << network.name << " has " << shape << " for " << aspect;
    }
  }
}

}  // namespace

}  // namespace iosx::canvas::test
