#include "app/gui/display.h"

#include <gtest/gtest.h>

#include <QByteArray>
#include <cstdlib>

namespace iosx {
namespace {

// The variables that say where to draw, put back afterwards.
class DisplayTest : public testing::Test {
 protected:
  DisplayTest() {
    for (std::size_t i = 0; i < kCount; ++i) {
      before_[i] = qgetenv(kVariables[i]);
      qunsetenv(kVariables[i]);
    }
  }
  ~DisplayTest() override {
    for (std::size_t i = 0; i < kCount; ++i)
      before_[i].isNull() ? qunsetenv(kVariables[i]) : qputenv(kVariables[i], before_[i]);
  }

  static constexpr std::size_t kCount = 3;
  static constexpr const char* kVariables[kCount] = {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"};
  QByteArray before_[kCount];
};

TEST_F(DisplayTest, AnEmptyDisplayIsNone) {
  EXPECT_FALSE(choose_platform(false));
  qputenv("DISPLAY", "");
  EXPECT_FALSE(choose_platform(false));
  qputenv("DISPLAY", ":0");
  EXPECT_TRUE(choose_platform(false));
  EXPECT_TRUE(qgetenv("QT_QPA_PLATFORM").isEmpty());
}

TEST_F(DisplayTest, AReportNeedsNoDisplayAndAGivenPlatformStays) {
  qputenv("DISPLAY", ":99");
  EXPECT_TRUE(choose_platform(true));
  EXPECT_EQ(qgetenv("QT_QPA_PLATFORM"), "offscreen");
  qputenv("QT_QPA_PLATFORM", "minimal");
  EXPECT_TRUE(choose_platform(true));
  EXPECT_EQ(qgetenv("QT_QPA_PLATFORM"), "minimal");
}

}  // namespace
}  // namespace iosx
