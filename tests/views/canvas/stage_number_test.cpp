#include "tests/support/prelude.h"
#include "views/canvas/paint/marks.h"

#include <QFontMetricsF>

namespace iosx::canvas {
namespace {

QFont usual() {
  QFont font;
  font.setPixelSize(10);
  font.setBold(true);
  return font;
}

double width_of(const QString& text) { return QFontMetricsF(usual()).horizontalAdvance(text); }

TEST(StageNumber, IsOfTheUsualSizeWhereItFits) {
  const QRectF column(20, 40, width_of(QStringLiteral("1234")) + 1, 30);
  for (const std::size_t stage : {0U, 8U, 98U, 99U, 319U}) {
    const auto number = stage_number(stage, column, usual());
    ASSERT_TRUE(number) << stage;
    EXPECT_EQ(number->text, QString::number(stage + 1));
    EXPECT_EQ(number->font.pixelSize(), 10);
    EXPECT_TRUE(column.contains(number->box));
    EXPECT_NEAR(number->box.center().y(), column.center().y(), 0.01);
  }
}

// What canvases showed no number for: the column is as wide as two digits.
TEST(StageNumber, OfThreeDigitsIsSmallerWhereTwoFit) {
  const QRectF column(10, 0, width_of(QStringLiteral("88")) + 1, 30);
  EXPECT_EQ(stage_number(98, column, usual())->font.pixelSize(), 10);
  for (const std::size_t stage : {99U, 100U, 187U, 319U, 998U}) {
    const auto number = stage_number(stage, column, usual());
    ASSERT_TRUE(number) << stage;
    EXPECT_EQ(number->text, QString::number(stage + 1));
    EXPECT_LT(number->font.pixelSize(), 10);
    EXPECT_GE(number->font.pixelSize(), 7);
    EXPECT_GE(number->box.left(), column.left() - 4);
    EXPECT_LE(number->box.right(), column.right() + 0.01) << "the units are there";
  }
}

// Else 9 had a number and 10 beside it none.
TEST(StageNumber, OfTwoDigitsIsSmallerWhereOneFits) {
  const QRectF column(10, 0, width_of(QStringLiteral("8")) + 0.5, 30);
  EXPECT_EQ(stage_number(4, column, usual())->font.pixelSize(), 10);
  ASSERT_TRUE(stage_number(41, column, usual()));
  EXPECT_LE(stage_number(41, column, usual())->box.right(), column.right() + 0.01);
}

TEST(StageNumber, IsNoneWhereItWouldLieOnTheUnits) {
  const QRectF column(0, 0, width_of(QStringLiteral("8")) + 0.5, 30);
  EXPECT_FALSE(stage_number(1141, column, usual()));
  EXPECT_FALSE(stage_number(11, QRectF(0, 0, 1, 30), usual()));
  EXPECT_FALSE(stage_number(4, QRectF(), usual()));
}

}  // namespace
}  // namespace iosx::canvas
