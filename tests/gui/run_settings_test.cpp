// Schedule ▸ Run settings…: a control for every option of a comparison, made from its row.
#include <gmock/gmock.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "tests/gui/window_fixture.h"
#include "views/text/qstring.h"
#include "views/window/base/option_form.h"
#include "views/window/dialogs/run_settings_dialog.h"

namespace iosx {
namespace {

class RunSettingsTest : public test::WindowTest {
 protected:
  RunSettingsDialog* ask() {
    delete window_->findChild<RunSettingsDialog*>();
    window_->actionsOfWindow()["run-settings"]->trigger();
    return window_->findChild<RunSettingsDialog*>();
  }
};

TEST_F(RunSettingsTest, EveryOptionHasAControlWithItsBounds) {
  auto* dialog = ask();
  ASSERT_NE(dialog, nullptr);
  CompareOptions options = session_->settings().options;
  for (const BoundOption& option : options_of(options, use::kCompare)) {
    SCOPED_TRACE(option.info->id);
    auto* control = dialog->findChild<QWidget*>(qstring(option.info->id));
    ASSERT_NE(control, nullptr);
    EXPECT_FALSE(control->accessibleName().isEmpty());
    EXPECT_FALSE(control->toolTip().isEmpty());
    if (option.kind == OptionKind::kWhole) {
      auto* box = dynamic_cast<QSpinBox*>(control);
      ASSERT_NE(box, nullptr);
      EXPECT_EQ(box->minimum(), option.info->whole_bounds().least);
      EXPECT_EQ(box->maximum(), option.info->whole_bounds().most);
      EXPECT_EQ(OptionValue(std::int64_t{box->value()}), option.get());
    } else if (option.kind == OptionKind::kNumber) {
      auto* box = dynamic_cast<QDoubleSpinBox*>(control);
      ASSERT_NE(box, nullptr);
      EXPECT_LE(box->minimum(), option.info->bounds.least);
      EXPECT_EQ(box->maximum(), option.info->bounds.most);
    }
  }
  dialog->accept();
  EXPECT_EQ(session_->settings().options, options) << "nothing was edited";
}

// A limit of 2 TB: the core takes it, so the window does.
TEST_F(RunSettingsTest, WhatIsSetIsRunWith) {
  auto* dialog = ask();
  auto* limit = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memory_limit"));
  EXPECT_EQ(limit->text(), QStringLiteral("no limit"));
  limit->setValue(2e6);
  dialog->findChild<QSpinBox*>(QStringLiteral("max_part_size"))->setValue(3);
  dialog->findChild<QComboBox*>(QStringLiteral("ending_rule"))->setCurrentIndex(1);
  dialog->findChild<QDoubleSpinBox*>(QStringLiteral("epsilon"))->setValue(0);
  EXPECT_EQ(dialog->findChild<QComboBox*>(QStringLiteral("search"))->currentData(), QStringLiteral("lazy"))
      << "which alone certifies a gap";
  dialog->accept();
  const CompareOptions& options = session_->settings().options;
  EXPECT_EQ(options.memory_limit, 2'000'000'000'000);
  EXPECT_EQ(options.max_part_size, 3U);
  EXPECT_EQ(options.search.rule, EndingRule::kSingleRoot);
  EXPECT_EQ(options.search.effort.epsilon, 0.0);
  EXPECT_EQ(options.search.method, SearchMethod::kLazy);

  dialog = ask();
  auto* buttons = dialog->findChild<QDialogButtonBox*>();
  buttons->button(QDialogButtonBox::RestoreDefaults)->click();
  EXPECT_EQ(dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memory_limit"))->text(), QStringLiteral("no limit"));
  buttons->button(QDialogButtonBox::Ok)->click();
  EXPECT_EQ(session_->settings().options.memory_limit, 0);
  EXPECT_EQ(session_->settings().options.search, SearchOptions());
}

TEST_F(RunSettingsTest, OptionsThatContradictOneAnotherAreNotTaken) {
  auto* dialog = ask();
  dialog->findChild<QCheckBox*>(QStringLiteral("longer"))->setChecked(true);
  auto* method = dialog->findChild<QComboBox*>(QStringLiteral("search"));
  method->setCurrentIndex(method->findData(QStringLiteral("exhaustive")));
  auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  EXPECT_FALSE(ok->isEnabled());
  EXPECT_TRUE(
      dialog->findChild<QLabel*>(QStringLiteral("option-problem"))->text().contains(QStringLiteral("--longer")));
  dialog->findChild<QCheckBox*>(QStringLiteral("longer"))->setChecked(false);
  EXPECT_TRUE(ok->isEnabled());
}

TEST_F(RunSettingsTest, TimingIsOfDevicesThatMeasure) {
  open(QStringLiteral("sample"));
  EXPECT_FALSE(ask()->findChild<QWidget*>(QStringLiteral("warmup"))->isEnabled());
  EXPECT_FALSE(ask()->findChild<QWidget*>(QStringLiteral("verify"))->isEnabled());
  choose("fake-computer");
  auto* dialog = ask();
  EXPECT_TRUE(dialog->findChild<QWidget*>(QStringLiteral("warmup"))->isEnabled());
  EXPECT_TRUE(dialog->findChild<QWidget*>(QStringLiteral("verify"))->isEnabled());
  dialog->findChild<QSpinBox*>(QStringLiteral("repeat"))->setValue(300);  // more than the most runs
  EXPECT_GE(dialog->options().timing.max_repeats, 300);
  dialog->accept();
  EXPECT_EQ(session_->settings().options.timing.repeats, 300);
  EXPECT_EQ(settings_.timing().repeats, 300) << "kept for the next start";
  EXPECT_GE(settings_.timing().max_repeats, 300);
}

TEST_F(RunSettingsTest, TheToolBarLeadsThere) {
  QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("search-limits")), Qt::LeftButton);
  QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("all-settings")), Qt::LeftButton);
  EXPECT_NE(window_->findChild<RunSettingsDialog*>(), nullptr);
}

}  // namespace
}  // namespace iosx
