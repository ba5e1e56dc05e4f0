#include <QApplication>
#include <QTemporaryDir>

#include "tests/support/prelude.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  // Where a test says nothing else, nothing may reach the user's own measurements.
  const QTemporaryDir data;
  qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
  qputenv("XDG_CONFIG_HOME", data.path().toLocal8Bit());  // no list of workers
  QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
