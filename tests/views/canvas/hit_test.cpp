#include "views/canvas/paint/hit.h"

#include "tests/support/prelude.h"
#include "views/canvas/layout/frame_columns.h"

namespace iosx::canvas {
namespace {

constexpr double kRoom = 60;  // for a header

// Two panels, one under the other, each with a box below its header.
Layout two_frames() {
  Layout layout;
  double top = 100;
  for (std::size_t f = 0; f < 2; ++f) {
    FrameBox frame{.box = {10, top, 200, 300}, .header = {10, top, 200, kRoom}};
    frame.columns = {frame.box};
    frame.nodes = {f, f + 1};
    layout.frames.push_back(frame);
    NodeBox node{.box = {30, top + kRoom + 10, 100, 40}};
    layout.nodes.push_back(node);
    top += frame.box.height + kFrameGap;
  }
  return layout;
}

bool is(const Hit& found, Hit::Kind kind, std::size_t index) { return found.kind == kind && found.index == index; }

TEST(Hit, HeadersTakeALineOnTheScreenOfTheRoomThatTheyHave) {
  const Layout layout = two_frames();
  const FrameBox& second = layout.frames[1];
  EXPECT_EQ(header_target(second, 1).height, kHeaderHeight);
  EXPECT_EQ(header_target(second, 1).bottom(), second.header.bottom()) << "zoomed in, the panel begins lower";
  const Rect smaller = header_target(second, 0.4);
  EXPECT_NEAR(smaller.height, 16 / 0.4, 1e-9);
  EXPECT_EQ(smaller.bottom(), second.header.bottom()) << "nothing below is covered";
  const Rect smallest = header_target(second, 0.05);
  EXPECT_EQ(smallest.y, second.box.y) << "not onto the frame above";
  EXPECT_EQ(smallest.bottom(), second.header.bottom());
}

TEST(Hit, FindsHeadersWhereTheyAreDrawn) {
  const Layout layout = two_frames();
  const Point above{100, layout.frames[1].header.bottom() - 35};
  EXPECT_TRUE(is(hit(layout, above, 1), Hit::Kind::kNothing, 0));
  EXPECT_TRUE(is(hit(layout, above, 0.4), Hit::Kind::kHeader, 1));
  const Point on_node = layout.nodes[1].box.center();
  EXPECT_TRUE(is(hit(layout, on_node, 0.3), Hit::Kind::kNode, 1));
}

}  // namespace
}  // namespace iosx::canvas
