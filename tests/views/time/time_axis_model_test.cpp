#include "views/time/time_axis_model.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <cmath>

namespace iosx {
namespace {

TEST(TimeAxisModel, ShowsEverythingAtFirstAndKeepsTheZoomForTheSameDuration) {
  TimeAxisModel model;
  model.setDuration(Micros(4000));
  EXPECT_EQ(model.visible(), model.extent());
  EXPECT_GT(model.extent().end, Micros(4000));
  model.setVisible({Micros(10), Micros(20)});
  model.setDuration(Micros(4000));
  EXPECT_EQ(model.visible(), (TimeRange{Micros(10), Micros(20)}));
  model.setDuration(Micros(5000));
  EXPECT_EQ(model.visible(), model.extent());
}

TEST(TimeAxisModel, ZoomingInForeverEndsAndZoomingOutEndsAtTheExtent) {
  TimeAxisModel model;
  model.setDuration(Micros(4000));
  for (int i = 0; i < 200; ++i) model.zoomAt(Micros(1234), 0.8);
  EXPECT_GT(model.visible().length(), Micros(0.01));
  EXPECT_TRUE(model.visible().contains(Micros(1234)));
  for (int i = 0; i < 200; ++i) model.zoomAt(Micros(1234), 1.25);
  EXPECT_EQ(model.visible(), model.extent());
}

TEST(TimeAxisModel, PanningStopsAtTheEnds) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  model.setVisible({Micros(100), Micros(200)});
  model.pan(Micros(-5000));
  EXPECT_EQ(model.visible(), (TimeRange{Micros(0), Micros(100)}));
  model.pan(Micros(1e9));
  EXPECT_EQ(model.visible().end, model.extent().end);
  EXPECT_NEAR(model.visible().length().count(), 100, 1e-6);
}

TEST(TimeAxisModel, KeysZoomAtTheCursor) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  model.setCursor(Micros(250));
  EXPECT_TRUE(model.handleKey(Qt::Key_W));
  EXPECT_LT(model.visible().length(), model.extent().length());
  EXPECT_NEAR((Micros(250) - model.visible().begin) / model.visible().length(), 250.0 / 1080.0, 1e-9);
  EXPECT_TRUE(model.handleKey(Qt::Key_D));
  EXPECT_TRUE(model.handleKey(Qt::Key_F));
  EXPECT_EQ(model.visible(), model.extent());
  EXPECT_FALSE(model.handleKey(Qt::Key_Q));
}

TEST(TimeAxisModel, TellsOnlyOfChanges) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  QSignalSpy visible(&model, &TimeAxisModel::visibleChanged);
  QSignalSpy margins(&model, &TimeAxisModel::marginsChanged);
  model.fitAll();
  model.setVisible({Micros(std::nan("")), Micros(5)});
  EXPECT_EQ(visible.size(), 0);
  model.fit({Micros(100), Micros(200)});
  EXPECT_EQ(visible.size(), 1);
  model.setMargins(220, 12);
  model.setMargins(220, 12);
  EXPECT_EQ(margins.size(), 1);
}

}  // namespace
}  // namespace iosx
