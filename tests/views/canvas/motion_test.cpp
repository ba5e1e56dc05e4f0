#include <QElapsedTimer>
#include <QTest>

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/weave/weave.h"

namespace iosx::canvas::test {
namespace {

void expect_near(const Point& a, const Point& b) {
  EXPECT_NEAR(a.x, b.x, 1e-9);
  EXPECT_NEAR(a.y, b.y, 1e-9);
}

TEST(Camera, KeepsThePointUnderTheCursor) {
  Camera camera;
  camera.pan(40, -10);
  const Point before = camera.to_scene({120, 80});
  camera.zoom_at({120, 80}, 0.3);
  const Point after = camera.to_scene({120, 80});
  EXPECT_NEAR(before.x, after.x, 1e-9);
  EXPECT_NEAR(before.y, after.y, 1e-9);
}

TEST(Camera, FitsAnySize) {
  for (const double extent : {10.0, 1e3, 1e7}) {
    Camera camera;
    const Rect scene{-extent, 3, 2 * extent, extent};
    camera.fit(scene, {10, 10, 780, 580});
    EXPECT_TRUE(camera.visible({800, 600}).contains(scene)) << extent;
    EXPECT_LE(camera.zoom, Camera::kMaxFitZoom);
    camera.zoom_at({0, 0}, 0.9, camera.zoom);
    EXPECT_TRUE(std::isfinite(camera.zoom) && camera.zoom > 0);
  }
}

TEST(Camera, GoesThereAndBack) {
  const Camera camera{2, {10, -5}};
  EXPECT_EQ(camera.to_view({13, 0}), (Point{6, 10}));
  EXPECT_EQ(camera.to_scene({6, 10}), (Point{13, 0}));
  EXPECT_EQ(camera.scene_rect({6, 10, 40, 20}), (Rect{13, 0, 20, 10}));
  EXPECT_EQ(camera.visible({100, 50}), (Rect{10, -5, 50, 25}));
}

TEST(Camera, PutsAPointWhereItIsWanted) {
  Camera camera{0.5, {7, 7}};
  camera.put({100, -40}, {33, 44});
  expect_near(camera.to_view({100, -40}), {33, 44});
}

// By 24 pixels beyond what is out of sight, and not at all sideways.
TEST(Camera, RevealsWithTheLeastMove) {
  Camera camera{2, {0, 0}};  // sees 200 × 100
  const Rect window{0, 0, 400, 200};
  EXPECT_FALSE(camera.reveal({20, 20, 30, 30}, window, 24));
  EXPECT_EQ(camera.origin, (Point{0, 0}));
  EXPECT_TRUE(camera.reveal({20, 90, 30, 30}, window, 24));
  EXPECT_EQ(camera.origin, (Point{0, 32}));  // 120 and 12 more are at the lower border
  EXPECT_TRUE(camera.reveal({20, 0, 30, 30}, window, 24));
  EXPECT_EQ(camera.origin, (Point{0, -12}));
  EXPECT_EQ(camera.zoom, 2);
}

TEST(Camera, RevealsBelowABar) {
  Camera camera;
  EXPECT_TRUE(camera.reveal({10, 10, 50, 50}, {0, 30, 400, 170}, 0));
  EXPECT_EQ(camera.to_view({10, 10}), (Point{10, 30}));
}

TEST(Camera, CentresWhatIsTooLargeToBeRevealed) {
  Camera camera{2, {500, 500}};
  EXPECT_TRUE(camera.reveal({0, 0, 300, 20}, {0, 0, 400, 200}, 24));
  expect_near(camera.to_view({150, 10}), {200, 100});
}

TEST(Camera, RevealsNothingOfNothing) {
  Camera camera{1, {500, 500}};
  EXPECT_FALSE(camera.reveal({}, {0, 0, 400, 200}, 24));
  EXPECT_EQ(camera.origin, (Point{500, 500}));
}

// However large a scene is, the zoom at which it fits is within the limits.
TEST(Camera, ZoomsOutUntilEverythingIsInSight) {
  const Rect scene{0, 0, 4e6, 1e6};
  const Rect window{0, 0, 800, 600};
  const double all = Camera::fitting_zoom(scene, window);
  EXPECT_DOUBLE_EQ(all, 2e-4);
  Camera camera;
  for (int i = 0; i < 100; ++i) camera.zoom_at({400, 300}, 0.8, all);
  EXPECT_DOUBLE_EQ(camera.zoom, all);
  for (int i = 0; i < 200; ++i) camera.zoom_at({400, 300}, 1.25, all);
  EXPECT_DOUBLE_EQ(camera.zoom, Camera::kMaxZoom);
}

class MorphTest : public testing::Test {
 protected:
  MorphTest() : graph_(std::make_shared<const Graph>(zoo_network("inception_v3").value())) {
    from_ = laid_out(sequential_schedule(*graph_));
    to_ = laid_out(greedy_schedule(*graph_));
  }

  Layout laid_out(const Schedule& schedule) { return lay_out(graph_, &schedule); }
  static const Rect& box(const Layout& layout, std::size_t unit) { return layout.nodes[*layout.node_of[unit]].box; }

  std::shared_ptr<const Graph> graph_;
  Layout from_;
  Layout to_;
};

TEST_F(MorphTest, UnitsGoFromWhereTheyWereToWhereTheyWillBe) {
  const Layout begin = morph(from_, to_, 0);
  const Layout half = morph(from_, to_, 0.5);
  const Layout end = morph(from_, to_, 1);
  bool any = false;
  for (std::size_t u = 0; u < graph_->units().size(); ++u) {
    EXPECT_EQ(box(begin, u), box(from_, u)) << u;
    EXPECT_EQ(box(end, u), box(to_, u)) << u;
    EXPECT_NEAR(box(half, u).x, (box(from_, u).x + box(to_, u).x) / 2, 1e-9) << u;
    any = any || box(from_, u).y != box(to_, u).y;
  }
  EXPECT_TRUE(any) << "the schedules differ";
}

// The pieces of a unit move with its box.
TEST_F(MorphTest, PiecesGoWithTheirUnits) {
  for (const double share : {0.0, 0.3, 0.9}) {
    const Layout now = morph(from_, to_, share);
    for (std::size_t n = 0; n < now.nodes.size(); ++n) {
      const Rect& box = now.nodes[n].box;
      ASSERT_FALSE(now.nodes[n].shape.pieces.empty());
      const Rect& piece = now.nodes[n].shape.pieces.front();
      EXPECT_NEAR(piece.x - box.x, to_.nodes[n].shape.pieces.front().x - to_.nodes[n].box.x, 1e-6);
      EXPECT_NEAR(piece.y - box.y, to_.nodes[n].shape.pieces.front().y - to_.nodes[n].box.y, 1e-6);
    }
  }
}

TEST_F(MorphTest, EdgesStayAtTheirUnits) {
  const Layout now = morph(from_, to_, 0.4);
  for (const EdgePath& edge : now.edges) {
    EXPECT_TRUE(now.nodes[edge.from].box.grown(40).contains(edge.curve.front()));
    EXPECT_TRUE(now.nodes[edge.to].box.grown(40).contains(edge.curve.back()));
    for (const Point& p : edge.curve) EXPECT_TRUE(edge.bounds.grown(0.01).contains(p));
  }
  EXPECT_TRUE(now.links.empty());
}

// A part that was closed has units that were nowhere.
TEST_F(MorphTest, WhatWasNowhereStandsWhereItWillBe) {
  LayoutRequest request{.graph = graph_, .expanded = PartId(1)};
  const Layout closed = weave_graph(request);
  const Layout begin = morph(closed, to_, 0);
  for (std::size_t u = 0; u < graph_->units().size(); ++u) {
    const Rect now = box(begin, u);
    if (closed.node_of[u]) {
      EXPECT_EQ(now, box(closed, u));
    } else {
      EXPECT_EQ(now.width, box(to_, u).width);
    }
  }
  EXPECT_TRUE(morph(Layout(), to_, 0.5).nodes.size() == to_.nodes.size());
}

// What is shown is always one schedule with its own layout, whatever is set while it moves.
TEST_F(MorphTest, AScheduleThatComesMeanwhileIsNotTheOneOnTheWay) {
  GraphView view;
  view.resize(900, 600);
  view.show();
  view.setGraph(graph_);
  const std::array schedules{sequential_schedule(*graph_), greedy_schedule(*graph_)};
  ASSERT_NE(schedules[0].stages.size(), schedules[1].stages.size());
  view.setSchedule(&schedules[1], {});
  ASSERT_TRUE(QTest::qWaitFor([&] { return !view.layoutPending(); }, 20000));
  view.setMorphing(true);
  QElapsedTimer since;
  since.start();
  for (int turn = 0; since.elapsed() < 2000; ++turn) {
    view.setSchedule(&schedules[static_cast<std::size_t>(turn) % 2], {});
    QTest::qWait(turn % 3 == 0 ? 380 : 130);
    ASSERT_NE(view.modelShown()->schedule, nullptr);
    for (const BandBox& band : view.layoutShown()->bands) {
      ASSERT_LT(band.stage, view.modelShown()->schedule->stages.size());
    }
    view.grab();
  }
}

}  // namespace

}  // namespace iosx::canvas::test
