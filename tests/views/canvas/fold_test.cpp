#include "views/canvas/layout/fold.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/graph/builder.h"
#include "models/networks/zoo.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/layout/frame_columns.h"

namespace iosx::canvas::test {
namespace {

// A long chain with a skip connection over every `skip` units.
std::shared_ptr<const Graph> chain(std::size_t length, std::size_t skip) {
  GraphBuilder builder("chain");
  builder.begin_part("all of it");
  Conv conv;
  conv.out_channels = 8;
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
  const Folder folder(plan, tall);
  ASSERT_TRUE(folder.foldable());
  for (const double height : {tall.size.height / 2, tall.size.height / 3, tall.size.height / 7}) {
    const FrameLayout folded = folder.fold(height);
    EXPECT_EQ(folded.size, folder.size(height));
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
  const FrameLayout folded = Folder(plan, tall).fold(tall.size.height / 4);
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
  const FrameLayout a = Folder(plan, tall).fold(500);
  const FrameLayout b = Folder(plan, tall).fold(500);
  EXPECT_EQ(a.boxes, b.boxes);
  EXPECT_EQ(a.curves, b.curves);
}

// What is asked for: the picture is not much taller than the window, whatever shape the network has. One whose widest
// layer is wider than the window stays so: layers are not folded.
TEST(Fold, NetworksComeNearToTheWindowsShape) {
  for (const ZooNetwork& network : zoo()) {
    const auto graph = std::make_shared<const Graph>(network.build());
    for (const double aspect : {0.7, 1.6}) {
      LayoutRequest request;
      request.graph = graph;
      request.style = plain_style();
      request.room = {1000 * aspect, 1000};
      const Layout layout = layout_graph(request);
      const double shape = layout.bounds.width / layout.bounds.height;
      EXPECT_LT(aspect / shape, 2.5) << network.name << " has " << shape << " for " << aspect;
    }
  }
}

}  // namespace
}  // namespace iosx::canvas::test
