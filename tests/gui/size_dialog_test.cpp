// Sizes that a model leaves open, in the window.
#include "views/window/dialogs/size_dialog.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "tests/gui/window_fixture.h"
#include "tests/support/open_model.h"

namespace iosx {
namespace {

class SizeWindowTest : public test::WindowTest {
 protected:
  QString write(const char* name, const std::string& bytes) {
    QFile file(path(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName();
  }
  QString image() { return write("image.onnx", test::open_model({{"x", {"N", "3", "height", "width"}}})); }

  void openHere(const QString& source) {
    window_->open(source);
    idle();
  }
  SizeDialog* askSizes() {
    window_->actionsOfWindow()["input-sizes"]->trigger();
    return window_->findChild<SizeDialog*>();
  }
  template <typename Widget>
  static Widget* part(SizeDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  static bool says(SizeDialog* dialog, const QString& words) {
    return QTest::qWaitFor([&] { return part<QLabel>(dialog, "size-trial")->text().contains(words); });
  }
  std::string shape() const {
    return shape_text(session_->document().graph->op(session_->document().graph->inputs()[0]).output);
  }
  QString message() const { return window_->messages().text(); }
};

TEST_F(SizeWindowTest, AModelOpensAtOnceAndANoticeOffersOthers) {
  openHere(image());
  ASSERT_TRUE(session_->hasDocument());
  EXPECT_EQ(shape(), "3x224x224");
  EXPECT_TRUE(message().contains(QStringLiteral("'height' 224 and 'width' 224"))) << message().toStdString();
  EXPECT_TRUE(window_->actionsOfWindow()["input-sizes"]->isEnabled());

  window_->messages().shown().back()->findChild<QPushButton*>(QStringLiteral("toast-offer"))->click();
  auto* dialog = window_->findChild<SizeDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(says(dialog, QString::fromUtf8("x: 1 × 3 × 224 × 224")));
  EXPECT_EQ(part<QSpinBox>(dialog, "size-N"), nullptr);  // the tool bar has the batch
  part<QSpinBox>(dialog, "size-height")->setValue(64);
  EXPECT_TRUE(says(dialog, QString::fromUtf8("1 × 3 × 64 × 224")));
  dialog->accept();
  idle();
  EXPECT_EQ(shape(), "3x64x224");
  EXPECT_FALSE(message().contains(QStringLiteral("chosen"))) << message().toStdString();
}

TEST_F(SizeWindowTest, GivenSizesAreRememberedUntilTheFileChanges) {
  const QString file = image();
  openHere(file);
  SizeDialog* dialog = askSizes();
  part<QSpinBox>(dialog, "size-height")->setValue(96);
  part<QSpinBox>(dialog, "size-width")->setValue(32);
  dialog->accept();
  idle();
  openHere(QStringLiteral("sample"));
  EXPECT_FALSE(window_->actionsOfWindow()["input-sizes"]->isEnabled());
  openHere(file);
  EXPECT_EQ(shape(), "3x96x32");

  dialog = askSizes();
  part<QPushButton>(dialog, "size-choose")->click();
  idle();
  EXPECT_EQ(shape(), "3x224x224");
  EXPECT_TRUE(settings_.inputSizes(file).empty());

  // Remembered for another network of the same length: what does not fit is forgotten.
  settings_.setInputSizes(file, {.dims = {{"depth", 3}}});
  openHere(file);
  ASSERT_TRUE(QTest::qWaitFor([&] { return settings_.inputSizes(file).empty(); }));
  idle();
  EXPECT_EQ(shape(), "3x224x224");
  EXPECT_FALSE(window_->messages().showsError());
}

TEST_F(SizeWindowTest, AModelThatFailsToOpenCanBeGivenSizes) {
  const QString file = image();
  window_->open(file, InputSizes{.shapes = {{"x", {1, 3, 1 << 24, 1 << 24}}}});
  idle();
  EXPECT_TRUE(window_->messages().showsError());
  ASSERT_TRUE(window_->actionsOfWindow()["input-sizes"]->isEnabled());
  SizeDialog* dialog = askSizes();
  ASSERT_TRUE(says(dialog, QStringLiteral("The network fits")));
  part<QSpinBox>(dialog, "size-width")->setValue(64);
  dialog->accept();
  idle();
  EXPECT_EQ(shape(), "3x224x64");
}

TEST_F(SizeWindowTest, TheInspectorShowsInputsAndOutputs) {
  openHere(image());
  QStringList lines;
  const QAbstractItemModel& model = *table("inspector-table")->model();
  for (int row = 0; row < model.rowCount(); ++row) {
    lines << model.index(row, 0).data().toString() + QLatin1Char('|') + model.index(row, 1).data().toString();
  }
  EXPECT_TRUE(lines.contains(QString::fromUtf8("Input x|1 × 3 × 224 × 224 float32"))) << lines.join('\n').toStdString();
  EXPECT_TRUE(lines.contains(QString::fromUtf8("Output x/out|1 × 3 × 224 × 224 float32")));
  EXPECT_TRUE(lines.contains(QStringLiteral("height|224, chosen here; open in the file")));
}

}  // namespace
}  // namespace iosx
