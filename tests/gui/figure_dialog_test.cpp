#include "views/window/dialogs/figure_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>

#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

using test::WindowTest;

class Sheet final : public Figure {
 public:
  QString title() const override { return QStringLiteral("sheet"); }
  QString fileStem() const override { return QStringLiteral("sheet"); }
  QSizeF size() const override { return {900, 300}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.fillRect(area, theme.schedule(ColorRole::kBoth));
  }
  QString csv() const override { return QStringLiteral("a\n"); }
};

class FigureDialogTest : public testing::Test {
 protected:
  template <typename T>
  T* part(FigureDialog& dialog, const char* name) {
    return dialog.findChild<T*>(QString::fromLatin1(name));
  }

  Sheet sheet_;
};

TEST_F(FigureDialogTest, BeginsWithWhatWasChosenLast) {
  FigureDialog screen(sheet_, std::nullopt, nullptr);
  EXPECT_FALSE(screen.paper());
  EXPECT_FALSE(part<QDoubleSpinBox>(screen, "figure-width")->isEnabled());
  const PaperFormat wide{.width_mm = 120, .font_points = 9, .png_dpi = 600};
  EXPECT_EQ(FigureDialog(sheet_, wide, nullptr).paper(), wide);
  const PaperFormat column{.width_mm = kDoubleColumnMm, .font_points = 7};
  FigureDialog preset(sheet_, column, nullptr);
  EXPECT_EQ(part<QComboBox>(preset, "figure-size")->currentIndex(), 2);
  EXPECT_EQ(preset.paper(), column);
}

TEST_F(FigureDialogTest, KeysChooseAColumnAndASizeOfText) {
  FigureDialog dialog(sheet_, std::nullopt, nullptr);
  dialog.show();
  auto* size = part<QComboBox>(dialog, "figure-size");
  size->setFocus();
  QTest::keyClick(size, Qt::Key_Down);
  ASSERT_TRUE(dialog.paper());
  EXPECT_EQ(dialog.paper()->width_mm, kSingleColumnMm);
  auto* font = part<QDoubleSpinBox>(dialog, "figure-font");
  QTest::keyClick(font, Qt::Key_Up);
  EXPECT_EQ(dialog.paper()->font_points, PaperFormat{}.font_points + 0.5);
  EXPECT_TRUE(part<QLabel>(dialog, "figure-note")->text().startsWith(QStringLiteral("84 mm wide")));
  EXPECT_FALSE(part<QLabel>(dialog, "figure-preview")->pixmap().isNull());
}

TEST_F(FigureDialogTest, AWidthInInchesIsTheSameWidth) {
  FigureDialog dialog(sheet_, PaperFormat{.width_mm = 127}, nullptr);
  auto* unit = part<QComboBox>(dialog, "figure-unit");
  unit->setCurrentIndex(1);
  EXPECT_EQ(part<QDoubleSpinBox>(dialog, "figure-width")->value(), 5.0);
  EXPECT_DOUBLE_EQ(dialog.paper()->width_mm, 127);
  unit->setCurrentIndex(0);
  EXPECT_EQ(part<QDoubleSpinBox>(dialog, "figure-width")->value(), 127);
}

// Text that a figure shrinks with its width can never be large enough.
TEST_F(FigureDialogTest, WhatCannotBeDrawnIsSaidAndNotExported) {
  class Shrinking final : public Figure {
   public:
    QString title() const override { return QStringLiteral("shrinking"); }
    QString fileStem() const override { return QStringLiteral("shrinking"); }
    QSizeF size() const override { return {3000, 300}; }
    void paint(QPainter& painter, const QRectF& area, const Theme&) const override {
      painter.scale(area.width() / 3000, area.width() / 3000);
      QFont font = painter.font();
      font.setPixelSize(12);
      painter.setFont(font);
      painter.drawText(QPointF(0, 20), QStringLiteral("small"));
    }
    QString csv() const override { return {}; }
  };
  const Shrinking shrinking;
  FigureDialog dialog(shrinking, PaperFormat{}, nullptr);
  EXPECT_TRUE(part<QLabel>(dialog, "figure-note")->text().contains(QStringLiteral("smaller than 6 pt")));
  const auto buttons = dialog.findChildren<QPushButton*>();
  EXPECT_TRUE(
      std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) { return !button->isEnabled(); }));
}

TEST_F(WindowTest, FiguresForAPaperHaveItsWidth) {
  open(QStringLiteral("sample"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_->views().graph()->layoutShown() != nullptr; }, 20000));
  window_->setMode(Mode::kEditGraph);  // for the drawing
  window_->setMode(Mode::kExplore);
  lookAtSweep();
  const PaperFormat paper{.width_mm = 84, .font_points = 8, .png_dpi = 300};
  for (const FigureKind kind : kFigureKinds) {
    const QString png = path("figure.png");
    ASSERT_TRUE(window_->exports().exportFigure(kind, png, paper)) << window_->messages().text().toStdString();
    EXPECT_NEAR(QImage(png).width(), 84 / 25.4 * 300, 1) << static_cast<int>(kind);
    EXPECT_NEAR(QImage(png).dotsPerMeterX(), 300 / 0.0254, 40);
  }
}

TEST(PaperSettings, AreRemembered) {
  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  Settings settings(file);
  EXPECT_FALSE(settings.figurePaper());
  const PaperFormat paper{.width_mm = 100, .font_points = 7.5, .png_dpi = 450};
  settings.setFigurePaper(paper);
  EXPECT_EQ(Settings(file).figurePaper(), paper);
  settings.setFigurePaper(std::nullopt);
  EXPECT_FALSE(Settings(file).figurePaper());
}

}  // namespace
}  // namespace iosx
