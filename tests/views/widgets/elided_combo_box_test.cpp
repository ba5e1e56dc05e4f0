#include "views/widgets/elided_combo_box.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPixmap>

namespace iosx {
namespace {

// Cut off at the end they would look alike.
TEST(ElidedComboBox, TextsThatDifferAtTheirEndsLookDifferentHoweverNarrowItIs) {
  ElidedComboBox box;
  box.addItems({QStringLiteral("A schedule with a long name, batch 1"),
                QStringLiteral("A schedule with a long name, batch 32")});
  box.resize(120, 28);
  const QImage first = box.grab().toImage();
  box.setCurrentIndex(1);
  EXPECT_NE(box.grab().toImage(), first);
  box.setCurrentIndex(0);
  EXPECT_EQ(box.grab().toImage(), first);
}

}  // namespace
}  // namespace iosx
