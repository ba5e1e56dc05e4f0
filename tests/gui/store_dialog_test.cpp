// Where the window keeps measurements.
#include "views/window/dialogs/store_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/devices/measure/device_latency_source.h"
#include "tests/gui/window_fixture.h"
#include "tests/views/tables/column_of.h"

namespace iosx {
namespace {

class StoreWindowTest : public test::WindowTest {
 protected:
  StorePlace in(const char* name) const { return {.kept = true, .file = path(name).toStdString()}; }

  StoreDialog* openDialog() {
    window_->actionsOfWindow()["store"]->trigger();
    return window_->findChild<StoreDialog*>();
  }
  template <typename Widget>
  static Widget* part(StoreDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  static bool says(StoreDialog* dialog, const QString& words) {
    return QTest::qWaitFor([&] { return part<QLabel>(dialog, "store-content")->text().contains(words); });
  }
  QString detail() { return window_->findChild<QLabel*>(QStringLiteral("headline-detail"))->text(); }
  QString message() const { return window_->messages().text(); }
  // The tip over how many stages the last search needed.
  QString needed() {
    const QAbstractItemModel& model = *table("schedules-table")->model();
    return model.index(model.rowCount() - 1, test::column_of(model, "stages_needed")).data(Qt::ToolTipRole).toString();
  }
};

TEST_F(StoreWindowTest, TheResultSaysWhatWasMeasuredForIt) {
  choose("fake-computer");
  jobs_->setStore(in("store.db"));
  open(QStringLiteral("sample"));
  EXPECT_TRUE(detail().endsWith(QStringLiteral("stages measured"))) << detail().toStdString();
  const int measured = behaviour_->measured;
  jobs_->optimize();
  idle();
  EXPECT_EQ(behaviour_->measured, measured);
  EXPECT_TRUE(detail().endsWith(QStringLiteral("stages, all kept from earlier runs"))) << detail().toStdString();
  EXPECT_TRUE(needed().endsWith(QStringLiteral("stages, all known from an earlier search or run")))
      << needed().toStdString();
  choose("tesla-v100");
  jobs_->optimize();
  idle();
  EXPECT_FALSE(detail().contains(QStringLiteral("stages"))) << detail().toStdString();
  EXPECT_TRUE(needed().contains(QStringLiteral("Distinct stages"))) << needed().toStdString();
}

TEST_F(StoreWindowTest, AStoreThatCannotBeOpenedIsToldOf) {
  choose("fake-computer");
  jobs_->setStore({.kept = true, .file = folder_.path().toStdString()});
  open(QStringLiteral("warned"));
  ASSERT_TRUE(session_->comparison());
  ASSERT_TRUE(QTest::qWaitFor([&] { return message().contains(QStringLiteral("Measurements are not kept")); }));
  EXPECT_TRUE(session_->upToDate());
  EXPECT_EQ(message().count(QStringLiteral("Measurements are not kept")), 1) << message().toStdString();
  EXPECT_FALSE(window_->messages().showsError());

  jobs_->setStore({});
  jobs_->optimize();
  idle();
  EXPECT_EQ(message(), QString());
}

TEST_F(StoreWindowTest, TheDialogSaysWhatIsThereAndForTheDevice) {
  choose("fake-computer");
  jobs_->setStore(in("store.db"));
  open(QStringLiteral("sample"));
  StoreDialog* dialog = openDialog();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(says(dialog, QStringLiteral(" of 1 device, ")));
  EXPECT_TRUE(says(dialog, QStringLiteral("Of Fake computer: ")));
  EXPECT_TRUE(says(dialog, QStringLiteral(" with batch 1; the last on 20")));
  EXPECT_EQ(dialog->place(), jobs_->store());

  part<QLineEdit>(dialog, "store-file")->setText(path("other.db"));
  EXPECT_TRUE(says(dialog, QStringLiteral("The file does not exist yet")));
  part<QLineEdit>(dialog, "store-file")->setText(folder_.path());
  EXPECT_TRUE(says(dialog, QStringLiteral("is a folder, not a file")));
}

TEST_F(StoreWindowTest, WhatTheDialogIsToldIsUsedAndRemembered) {
  jobs_->setStore(in("mine.db"));  // as by --store
  StoreDialog* dialog = openDialog();
  dialog->accept();  // nothing was changed
  EXPECT_EQ(settings_.store(), StorePlace{.kept = true});
  EXPECT_EQ(jobs_->store(), in("mine.db"));

  jobs_->setStore({.kept = true, .file = "relative.db"});
  delete dialog;
  dialog = openDialog();
  dialog->accept();
  EXPECT_EQ(settings_.store(), StorePlace{.kept = true});

  jobs_->setStore(in("mine.db"));
  delete dialog;
  dialog = openDialog();
  EXPECT_EQ(part<QLineEdit>(dialog, "store-file")->text(), path("mine.db"));
  part<QPushButton>(dialog, "usual-place")->click();
  EXPECT_EQ(dialog->place(), StorePlace{.kept = true});
  part<QLineEdit>(dialog, "store-file")->setText(path("other.db"));
  EXPECT_EQ(dialog->place(), in("other.db"));
  part<QCheckBox>(dialog, "kept")->click();
  EXPECT_FALSE(part<QLineEdit>(dialog, "store-file")->isEnabled());
  dialog->accept();
  EXPECT_FALSE(jobs_->store().kept);
  EXPECT_EQ(settings_.store(), jobs_->store());

  delete dialog;
  dialog = openDialog();
  part<QCheckBox>(dialog, "kept")->click();
  dialog->reject();
  EXPECT_FALSE(jobs_->store().kept);
}

TEST_F(StoreWindowTest, AFileIsNamedFromTheHomeFolderToo) {
  StoreDialog* dialog = openDialog();
  auto* file = part<QLineEdit>(dialog, "store-file");
  file->setText(QStringLiteral("~/kept.db"));
  EXPECT_EQ(dialog->place().file, (QDir::homePath() + QStringLiteral("/kept.db")).toStdString());
  file->setText(QStringLiteral(" "));
  EXPECT_TRUE(dialog->place().file.empty());
  file->setText(QStringLiteral("kept.db"));
  EXPECT_TRUE(dialog->place().file.is_absolute());
}

TEST(StoreContent, CountsWhatIsOfTheDeviceAsItIsNow) {
  const DeviceInfo computer = test::ScriptedDevice::make_info(test::ScriptedKind::kComputer);
  StoreInfo info;
  info.bytes = 123456;
  EXPECT_EQ(content_text(info, nullptr), QString::fromUtf8("0 measurements of 0 devices, 123\u00A0kB"));
  DeviceInfo older = computer;
  older.fingerprint = "fake-1.9";
  const Date date = parse_date("2026-03-01T12:00:00Z").value();
  info.sets = {{measurement_set(older, 1), 7, date, date, {}}};
  info.measurements = 7;
  EXPECT_EQ(
      content_text(info, &computer),
      QString::fromUtf8("7 measurements of 1 device, 123\u00A0kB\nNo measurements of Fake computer as it is now"));
  for (int batch = 1; batch <= 8; ++batch) info.sets.push_back({measurement_set(computer, batch), 10, date, date, {}});
  info.measurements = 87;
  EXPECT_EQ(content_text(info, &computer),
            QString::fromUtf8("87 measurements of 2 devices, 123\u00A0kB\nOf Fake computer: 10 with batch 1, 10 with "
                              "batch 2, 10 with batch 3, 10 with batch 4, 10 with batch 5, 10 with batch 6, 20 with "
                              "other batches; the last on 2026-03-01"));
  const DeviceInfo gpu = test::ScriptedDevice::make_info(test::ScriptedKind::kGpu);
  EXPECT_TRUE(content_text(info, &gpu).endsWith(QStringLiteral("Fake GPU is simulated: its latencies are not kept")));
}

}  // namespace
}  // namespace iosx
