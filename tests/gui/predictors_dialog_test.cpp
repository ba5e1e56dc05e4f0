// Predictors: what they learned from, how far they are off, what the open network would take, and how they are trained.
#include "views/window/devices/predictors_dialog.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <fstream>
#include <latch>

#include "core/operators/training.h"
#include "tests/gui/window_fixture.h"
#include "views/window/devices/train_dialog.h"

namespace iosx {
namespace {

constexpr int kPredictionTime = test::kSanitized ? 120000 : 30000;  // ms

class PredictorsDialogTest : public test::WindowTest {
 protected:
  PredictorsDialogTest() { qputenv("XDG_DATA_HOME", data_.path().toLocal8Bit()); }
  ~PredictorsDialogTest() override {
    window_.reset();
    qputenv("XDG_DATA_HOME", data_before_);
  }

  static std::vector<KnownStage> stages(std::uint64_t count, bool pairs) {
    std::vector<KnownStage> stages;
    for (std::uint64_t i = 1; i <= count; ++i) {
      OperatorFeatures x{.kind = i % 2 == 0 ? "conv" : "max pool", .channels = static_cast<std::int64_t>(i * 3)};
      x.flops = static_cast<double>(i) * 1e6;
      x.bytes_read = static_cast<double>(i) * 1e4;
      KnownStage stage;
      stage.key = {1, i};
      stage.set.fingerprint = "fake-1";
      const bool together = pairs && i > 35;
      stage.features = together ? StageFeatures{{x}, {x}} : StageFeatures{{x}};
      stage.latency.value = Millis(static_cast<double>(i) * (together ? 0.012 : 0.01));
      stages.push_back(std::move(stage));
    }
    return stages;
  }
  static KeptPredictor trained(const std::string& name, bool pairs) {
    TrainingOptions options;
    options.name = name;
    options.unseen = {"bert_base"};
    DeviceInfo device;
    device.id = "fake";
    device.name = "A fake card";
    device.fingerprint = "fake-1";
    return std::move(*train_predictor(stages(60, pairs), device, options));
  }
  void keep(const std::string& name, bool pairs) {
    const auto folder = predictor_folder();
    ASSERT_TRUE(folder);
    ASSERT_TRUE(write_predictor(*folder / (name + ".json"), trained(name, pairs)));
  }
  PredictorsDialog* openDialog() {
    window_->activateWindow();
    window_->findChild<QAction*>(QStringLiteral("predictors"))->trigger();
    dialog_ = window_->findChild<PredictorsDialog*>();
    return dialog_;
  }
  // The window's store, with so many stages of a card that is not here.
  void keepStages(std::uint64_t count) {
    const std::filesystem::path file = path("store.db").toStdString();
    jobs_->setStore({.kept = true, .file = file});
    if (count == 0) return;
    auto store = MeasurementStore::open(file);
    ASSERT_TRUE(store) << store.error().text();
    const MeasurementSet set{.fingerprint = "fake-1",
                             .precision = "f32",
                             .origin = Origin::kMeasured,
                             .device_id = "Fake Card",
                             .device_name = "A fake card"};
    for (const KnownStage& stage : stages(count, true)) {
      Latency latency = stage.latency;
      latency.samples = 1;
      const Measurement measurement{.key = stage.key, .latency = latency, .date = date_now()};
      ASSERT_TRUE((*store)->append(set, measurement));
      ASSERT_TRUE((*store)->describe(std::vector<DescribedStage>{{stage.key, to_text(stage.features)}}));
    }
  }
  void click(const char* button) {
    auto* const found = dialog_->findChild<QPushButton*>(QString::fromLatin1(button));
    ASSERT_NE(found, nullptr) << button;
    QTest::mouseClick(found, Qt::LeftButton);
  }
  // Opens the dialog that asks what to train from, and waits until it has read the store.
  void askTraining() {
    ASSERT_NE(openDialog(), nullptr);
    click("predictors-train");
    train_ = dialog_->findChild<TrainDialog*>();
    ASSERT_NE(train_, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !said().startsWith(QStringLiteral("Reading")); }, kPredictionTime));
  }
  QString said() const { return train_->findChild<QLabel*>(QStringLiteral("train-said"))->text(); }
  QPushButton* trainButton() const { return train_->findChild<QPushButton*>(QStringLiteral("train")); }
  QString dialogText(const char* label) const {
    return dialog_->findChild<QLabel*>(QString::fromLatin1(label))->text();
  }
  // A job that runs until the end of the test, or until it is let go.
  void occupyJobs() {
    jobs_->workFor({}, QStringLiteral("another job"),
                   [this](const JobContext&, const std::stop_token&) -> Result<JobRunner::Delivery> {
                     go_.wait();
                     return JobRunner::Delivery{};
                   });
  }

  QString cell(const char* table, int row, int column) const {
    auto* view = dialog_->findChild<QTableView*>(QString::fromLatin1(table));
    return view->model()->index(row, column).data().toString();
  }

  QByteArray data_before_ = qgetenv("XDG_DATA_HOME");
  QTemporaryDir data_;
  QPointer<PredictorsDialog> dialog_;
  QPointer<TrainDialog> train_;
  std::latch go_{1};
};

TEST_F(PredictorsDialogTest, WithoutPredictorsItSaysHowToGetSome) {
  ASSERT_NE(openDialog(), nullptr);
  bool said = false;
  for (const QLabel* label : dialog_->findChildren<QLabel*>()) {
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("iosx operators train")));
  }
  EXPECT_TRUE(said);
}

TEST_F(PredictorsDialogTest, SaysWhatEachLearnedFromAndHowFarItIsOff) {
  keep("alone", false);
  keep("both", true);
  ASSERT_NE(openDialog(), nullptr);
  ASSERT_EQ(dialog_->predictors().size(), 2U);
  EXPECT_EQ(cell("predictors-table", 0, 0), QStringLiteral("alone"));
  EXPECT_EQ(cell("predictors-table", 0, 1), QStringLiteral("A fake card"));
  EXPECT_EQ(cell("predictors-table", 0, 2), QStringLiteral("60"));
  EXPECT_EQ(cell("predictors-table", 0, 5), QStringLiteral("–"));
  EXPECT_EQ(cell("predictors-table", 1, 2), QStringLiteral("35"));
  EXPECT_EQ(cell("predictors-table", 1, 3), QStringLiteral("25"));
  EXPECT_TRUE(cell("predictors-table", 1, 5).endsWith(QLatin1Char('%')));
  const QString chosen = dialog_->findChild<QLabel*>(QStringLiteral("predictors-chosen"))->text();
  EXPECT_TRUE(chosen.contains(QStringLiteral("bert_base"))) << chosen.toStdString();
  EXPECT_TRUE(chosen.contains(QStringLiteral("Too few stages side by side"))) << chosen.toStdString();
  // Both kinds of regression, then kinds, then times.
  EXPECT_EQ(cell("predictors-errors", 0, 0), QStringLiteral("alone, ridge regression"));
  EXPECT_EQ(cell("predictors-errors", 2, 0), QStringLiteral("conv"));
}

TEST_F(PredictorsDialogTest, SaysWhatTheOpenNetworkWouldTake) {
  keep("mine", true);
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return cell("predictors-table", 0, 6).endsWith(QStringLiteral("ms")); }, kPredictionTime))
      << cell("predictors-table", 0, 6).toStdString();
}

TEST_F(PredictorsDialogTest, AFileThatIsNoneIsNamed) {
  keep("mine", false);
  std::ofstream(*predictor_folder() / "broken.json") << "{";
  ASSERT_NE(openDialog(), nullptr);
  const auto* problem = dialog_->findChild<QLabel*>(QStringLiteral("predictors-problem"));
  EXPECT_TRUE(problem->isVisible());
  EXPECT_TRUE(problem->text().contains(QStringLiteral("broken.json")));
  EXPECT_EQ(dialog_->predictors().size(), 1U);
}

TEST_F(PredictorsDialogTest, WithoutMeasurementsTrainingSaysWhatToDo) {
  keepStages(0);
  askTraining();
  EXPECT_FALSE(trainButton()->isEnabled());
  EXPECT_TRUE(said().contains(QStringLiteral("iosx profile-operators"))) << said().toStdString();
}

TEST_F(PredictorsDialogTest, TooFewOperatorsAreCountedAndNotLearnedFrom) {
  keepStages(19);
  askTraining();
  EXPECT_FALSE(trainButton()->isEnabled());
  EXPECT_TRUE(said().startsWith(QStringLiteral("19 single operators are too few"))) << said().toStdString();
  EXPECT_TRUE(said().contains(QStringLiteral("iosx profile-operators"))) << said().toStdString();
}

TEST_F(PredictorsDialogTest, WhatIsTrainedIsListedAndADeviceAtOnce) {
  keep("mine", false);
  keepStages(60);
  askTraining();
  auto* data = train_->findChild<QComboBox*>(QStringLiteral("train-data"));
  ASSERT_EQ(data->count(), 1);
  EXPECT_EQ(data->itemText(0), QStringLiteral("A fake card, measured: 35 single operators, 25 stages of several"));
  auto* name = train_->findChild<QLineEdit*>(QStringLiteral("train-name"));
  EXPECT_EQ(name->text(), QStringLiteral("fake-card"));
  name->setText(QStringLiteral("a b"));
  EXPECT_FALSE(trainButton()->isEnabled());
  name->setText(QStringLiteral("mine"));
  EXPECT_TRUE(said().contains(QStringLiteral("replaces the predictor"))) << said().toStdString();
  name->setText(QStringLiteral("another"));
  EXPECT_TRUE(said().isEmpty()) << said().toStdString();
  train_->findChild<QComboBox*>(QStringLiteral("train-method"))->setCurrentIndex(2);

  QTest::mouseClick(trainButton(), Qt::LeftButton);
  EXPECT_TRUE(controllers_->predictors.busy());
  EXPECT_FALSE(dialog_->findChild<QPushButton*>(QStringLiteral("predictors-train"))->isEnabled());
  ASSERT_TRUE(QTest::qWaitFor([this] { return !controllers_->predictors.busy(); }, kPredictionTime));
  ASSERT_EQ(dialog_->predictors().size(), 2U) << dialogText("predictors-said").toStdString();
  EXPECT_EQ(dialog_->predictors()[0].name, "another");
  EXPECT_EQ(dialog_->predictors()[0].kind_alone, "alone, ridge regression");
  EXPECT_EQ(dialog_->predictors()[0].device.name, "A fake card");
  EXPECT_EQ(selected_rows("predictors-table"), std::vector<int>{0});
  EXPECT_TRUE(dialogText("predictors-said").contains(QStringLiteral("predicted:another")));
  EXPECT_NE(devices_.find("predicted:another"), nullptr);
  EXPECT_GE(window_->findChild<QComboBox*>(QStringLiteral("device"))->findData(QStringLiteral("predicted:another")), 0);
  EXPECT_FALSE(jobs_->busy());
}

TEST_F(PredictorsDialogTest, WhatIsCancelledIsNotKept) {
  keepStages(60);
  occupyJobs();
  askTraining();
  QTest::mouseClick(trainButton(), Qt::LeftButton);
  EXPECT_TRUE(controllers_->predictors.waiting());
  EXPECT_TRUE(dialogText("predictors-job").contains(QStringLiteral("waits")))
      << dialogText("predictors-job").toStdString();
  click("predictors-cancel");
  EXPECT_FALSE(controllers_->predictors.busy());
  EXPECT_TRUE(dialog_->findChild<QPushButton*>(QStringLiteral("predictors-train"))->isEnabled());
  go_.count_down();
  idle();
  EXPECT_TRUE(predictor_files(*predictor_folder()).empty());
  EXPECT_TRUE(dialog_->predictors().empty());
}

TEST_F(PredictorsDialogTest, WhatCannotBeLearnedFromIsSaid) {
  keepStages(60);
  occupyJobs();
  askTraining();
  QTest::mouseClick(trainButton(), Qt::LeftButton);
  // Meanwhile somebody else removes the measurements.
  ASSERT_TRUE((*MeasurementStore::open(jobs_->store().file))->prune({}));
  go_.count_down();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !controllers_->predictors.busy(); }, kPredictionTime));
  EXPECT_TRUE(dialogText("predictors-said").contains(QStringLiteral("contains no operators")))
      << dialogText("predictors-said").toStdString();
}

TEST_F(PredictorsDialogTest, OperatorsOfTheOpenNetworkAreMeasured) {
  keepStages(0);
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  click("predictors-measure");
  auto* ask = dialog_->findChild<MeasureOperatorsDialog*>();
  ASSERT_NE(ask, nullptr);
  EXPECT_FALSE(ask->device().empty());
  ask->findChild<QSpinBox*>(QStringLiteral("measure-most"))->setValue(40);
  QTest::mouseClick(ask->findChild<QPushButton*>(QStringLiteral("measure")), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !controllers_->predictors.busy(); }, kPredictionTime));
  EXPECT_TRUE(dialogText("predictors-said").startsWith(QStringLiteral("40 stages were measured")))
      << dialogText("predictors-said").toStdString();
  const auto store = MeasurementStore::open(jobs_->store().file, MeasurementStore::Access::kReadOnly);
  ASSERT_TRUE(store) << store.error().text();
  const auto known = known_devices(**store);
  ASSERT_TRUE(known);
  ASSERT_EQ(known->size(), 1U);
  EXPECT_EQ(known->front().alone + known->front().together, 40);
}

TEST_F(PredictorsDialogTest, WithoutAStoreNothingIsMeasured) {
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  click("predictors-measure");
  auto* ask = dialog_->findChild<MeasureOperatorsDialog*>();
  EXPECT_FALSE(ask->findChild<QPushButton*>(QStringLiteral("measure"))->isEnabled());
  EXPECT_TRUE(ask->findChild<QLabel*>(QStringLiteral("measure-problem"))
                  ->text()
                  .contains(QStringLiteral("No measurements are kept")));
}

}  // namespace
}  // namespace iosx
