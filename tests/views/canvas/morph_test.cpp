#include "views/canvas/paint/morph.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>
#include <array>

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/graph_view.h"

namespace iosx::canvas::test {
namespace {

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

// Bands of the new schedule lie around their units from the first moment on, whatever stages there were before.
TEST_F(MorphTest, BandsBeginAroundTheirUnits) {
  for (const double share : {0.0, 0.3, 0.9}) {
    const Layout now = morph(from_, to_, share);
    ASSERT_EQ(now.bands.size(), to_.bands.size());
    for (std::size_t f = 0; f < to_.frames.size(); ++f) {
      const FrameBox& frame = to_.frames[f];
      for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
        for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
          if (!to_.nodes[n].unit.valid() || !to_.bands[b].box.contains(to_.nodes[n].box.center())) continue;
          EXPECT_TRUE(now.bands[b].box.grown(0.01).contains(now.nodes[n].box)) << share << ", band " << b;
        }
      }
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
  LayoutRequest request;
  request.graph = graph_;
  request.style = plain_style();
  request.expanded = PartId(1);
  const Layout closed = layout_graph(request);
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
