#include "views/canvas/layout/camera.h"

#include <gtest/gtest.h>

#include <cmath>

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
    const Rect view = camera.visible({800, 600});
    EXPECT_TRUE(view.contains(scene)) << extent;
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

}  // namespace
}  // namespace iosx::canvas::test
