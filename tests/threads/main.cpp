#include <QCoreApplication>
#include <QTemporaryDir>

#include "tests/support/prelude.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Where a test says nothing else, nothing may reach the user's own measurements.
  const QTemporaryDir data;
  qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
  QCoreApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
