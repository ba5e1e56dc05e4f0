// Where the window keeps measurements.
#include <latch>

#include "core/operators/training.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/open_model.h"
#include "tests/views/tables/column_of.h"
#include "views/window/devices/predictors_dialog.h"
#include "views/window/dialogs/size_dialog.h"
#include "views/window/dialogs/store_dialog.h"

namespace iosx {
namespace {

class StoreWindowTest : public test::WindowTest {
 protected:
  StorePlace in(const char* name) const { return {.kept = true, .file = path(name).toStdString()}; }

  StoreDialog* openDialog() {
    window_->actionsOfWindow()["store"]->trigger();
    return window_->findChild<StoreDialog*>();
  }
  using test::WindowTest::part;
  template <typename Widget>
  static Widget* part(StoreDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  static bool says(StoreDialog* dialog, const QString& words) {
    return QTest::qWaitFor([&] { return part<QLabel>(dialog, "store-content")->text().contains(words); });
  }
  QString detail() { return part<QLabel>("headline-detail")->toolTip(); }
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
  EXPECT_TRUE(detail().endsWith("stages measured")) << detail().toStdString();
  const int measured = behaviour_->measured;
  optimize();
  EXPECT_EQ(behaviour_->measured, measured);
  EXPECT_TRUE(detail().endsWith("stages, all kept from earlier runs")) << detail().toStdString();
  EXPECT_TRUE(needed().endsWith("stages, all known from an earlier search or run")) << needed().toStdString();
  choose("tesla-v100");
  optimize();
  EXPECT_FALSE(detail().contains("stages")) << detail().toStdString();
  EXPECT_TRUE(needed().contains("Distinct stages")) << needed().toStdString();
}

TEST_F(StoreWindowTest, AStoreThatCannotBeOpenedIsToldOf) {
  choose("fake-computer");
  jobs_->setStore({.kept = true, .file = folder_.path().toStdString()});
  open(QStringLiteral("warned"));
  ASSERT_TRUE(session_->comparison());
  ASSERT_TRUE(QTest::qWaitFor([&] { return message().contains("Measurements are not kept"); }));
  EXPECT_TRUE(session_->upToDate());
  EXPECT_EQ(message().count(QStringLiteral("Measurements are not kept")), 1) << message().toStdString();
  EXPECT_FALSE(window_->messages().showsError());

  jobs_->setStore({});
  optimize();
  EXPECT_EQ(message(), QString());
}

TEST_F(StoreWindowTest, TheDialogSaysWhatIsThereAndForTheDevice) {
  choose("fake-computer");
  jobs_->setStore(in("store.db"));
  open(QStringLiteral("sample"));
  StoreDialog* dialog = must(openDialog());
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
  StoreInfo info{.bytes = 123456};
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
  EXPECT_TRUE(content_text(info, &gpu).endsWith("Fake GPU is simulated: its latencies are not kept"));
}

// Sizes that a model leaves open, in the window.

class SizeWindowTest : public test::WindowTest {
 protected:
  QString write(const char* name, const std::string& bytes) {
    QFile file(path(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName();
  }
  QString image() { return write("image.onnx", test::open_model({{"x", {"N", "3", "height", "width"}}})); }

  SizeDialog* askSizes() {
    window_->actionsOfWindow()["input-sizes"]->trigger();
    return window_->findChild<SizeDialog*>();
  }
  using test::WindowTest::part;
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
  openAsked(image());
  ASSERT_TRUE(session_->hasDocument());
  EXPECT_EQ(shape(), "3x224x224");
  EXPECT_TRUE(message().contains("'height' 224 and 'width' 224")) << message().toStdString();
  EXPECT_TRUE(window_->actionsOfWindow()["input-sizes"]->isEnabled());

  window_->messages().shown().back()->findChild<QPushButton*>(QStringLiteral("toast-offer"))->click();
  auto* dialog = must(window_->findChild<SizeDialog*>());
  EXPECT_TRUE(says(dialog, QString::fromUtf8("x: 1 × 3 × 224 × 224")));
  EXPECT_EQ(part<QSpinBox>(dialog, "size-N"), nullptr);  // the tool bar has the batch
  part<QSpinBox>(dialog, "size-height")->setValue(64);
  EXPECT_TRUE(says(dialog, QString::fromUtf8("1 × 3 × 64 × 224")));
  dialog->accept();
  idle();
  EXPECT_EQ(shape(), "3x64x224");
  EXPECT_FALSE(message().contains("chosen")) << message().toStdString();
}

TEST_F(SizeWindowTest, GivenSizesAreRememberedUntilTheFileChanges) {
  const QString file = image();
  openAsked(file);
  SizeDialog* dialog = askSizes();
  part<QSpinBox>(dialog, "size-height")->setValue(96);
  part<QSpinBox>(dialog, "size-width")->setValue(32);
  dialog->accept();
  idle();
  openAsked(QStringLiteral("sample"));
  EXPECT_FALSE(window_->actionsOfWindow()["input-sizes"]->isEnabled());
  openAsked(file);
  EXPECT_EQ(shape(), "3x96x32");

  dialog = askSizes();
  part<QPushButton>(dialog, "size-choose")->click();
  idle();
  EXPECT_EQ(shape(), "3x224x224");
  EXPECT_TRUE(settings_.inputSizes(file).empty());

  // Remembered for another network of the same length: what does not fit is forgotten.
  settings_.setInputSizes(file, {.dims = {{"depth", 3}}});
  openAsked(file);
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
  openAsked(image());
  QStringList lines;
  const QAbstractItemModel& model = *table("inspector-table")->model();
  for (int row = 0; row < model.rowCount(); ++row) {
    lines << model.index(row, 0).data().toString() + QLatin1Char('|') + model.index(row, 1).data().toString();
  }
  EXPECT_TRUE(lines.contains(QString::fromUtf8("Input x|1 × 3 × 224 × 224 float32"))) << lines.join('\n').toStdString();
  EXPECT_TRUE(lines.contains(QString::fromUtf8("Output x/out|1 × 3 × 224 × 224 float32")));
  EXPECT_TRUE(lines.contains("height|224, chosen here; open in the file"));
}

// Predictors: what they learned from, how far they are off, what the open network would take, and how they are trained.

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
      KnownStage stage{.key = {1, i}};
      stage.set.fingerprint = "fake-1";
      const bool together = pairs && i > 35;
      stage.features = together ? StageFeatures{{x}, {x}} : StageFeatures{{x}};
      stage.latency.value = Millis(static_cast<double>(i) * (together ? 0.012 : 0.01));
      stages.push_back(std::move(stage));
    }
    return stages;
  }
  static KeptPredictor trained(const std::string& name, bool pairs) {
    TrainingOptions options{.name = name, .unseen = {"bert_base"}};
    DeviceInfo device{.id = "fake", .name = "A fake card", .fingerprint = "fake-1"};
    return std::move(*train_predictor(stages(60, pairs), device, options));
  }
  void keep(const std::string& name, bool pairs) {
    ASSERT_TRUE(write_predictor(must(predictor_folder()) / (name + ".json"), trained(name, pairs)));
  }
  PredictorsDialog* openDialog() {
    window_->activateWindow();
    part<QAction>("predictors")->trigger();
    dialog_ = window_->findChild<PredictorsDialog*>();
    return dialog_;
  }
  // The window's store, with so many stages of a card that is not here.
  void keepStages(std::uint64_t count) {
    const std::filesystem::path file = path("store.db").toStdString();
    jobs_->setStore({.kept = true, .file = file});
    if (count == 0) return;
    auto store = must(MeasurementStore::open(file));
    const MeasurementSet set{.fingerprint = "fake-1",
                             .precision = "f32",
                             .origin = Origin::kMeasured,
                             .device_id = "Fake Card",
                             .device_name = "A fake card"};
    for (const KnownStage& stage : stages(count, true)) {
      Latency latency = stage.latency;
      latency.samples = 1;
      const Measurement measurement{.key = stage.key, .latency = latency, .date = date_now()};
      ASSERT_TRUE(store->append(set, measurement));
      ASSERT_TRUE(store->describe(std::vector<DescribedStage>{{stage.key, to_text(stage.features)}}));
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
    ASSERT_TRUE(QTest::qWaitFor([this] { return !said().startsWith("Reading"); }, kPredictionTime));
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
    said = said || (label->isVisible() && label->text().contains("iosx operators train"));
  }
  EXPECT_TRUE(said);
}

TEST_F(PredictorsDialogTest, SaysWhatEachLearnedFromAndHowFarItIsOff) {
  keep("alone", false);
  keep("both", true);
  ASSERT_NE(openDialog(), nullptr);
  ASSERT_EQ(dialog_->predictors().size(), 2U);
  EXPECT_EQ(cell("predictors-table", 0, 0), "alone");
  EXPECT_EQ(cell("predictors-table", 0, 1), "A fake card");
  EXPECT_EQ(cell("predictors-table", 0, 2), "60");
  EXPECT_EQ(cell("predictors-table", 0, 5), "–");
  EXPECT_EQ(cell("predictors-table", 1, 2), "35");
  EXPECT_EQ(cell("predictors-table", 1, 3), "25");
  EXPECT_TRUE(cell("predictors-table", 1, 5).endsWith(QLatin1Char('%')));
  const QString chosen = dialog_->findChild<QLabel*>(QStringLiteral("predictors-chosen"))->text();
  EXPECT_TRUE(chosen.contains("bert_base")) << chosen.toStdString();
  EXPECT_TRUE(chosen.contains("Too few concurrent operators")) << chosen.toStdString();
  // Both kinds of regression, then kinds, then times.
  EXPECT_EQ(cell("predictors-errors", 0, 0), "alone, ridge regression");
  EXPECT_EQ(cell("predictors-errors", 2, 0), "conv");
}

TEST_F(PredictorsDialogTest, SaysWhatTheOpenNetworkWouldTake) {
  keep("mine", true);
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return cell("predictors-table", 0, 6).endsWith("ms"); }, kPredictionTime))
      << cell("predictors-table", 0, 6).toStdString();
}

TEST_F(PredictorsDialogTest, AFileThatIsNoneIsNamed) {
  keep("mine", false);
  std::ofstream(*predictor_folder() / "broken.json") << "{";
  ASSERT_NE(openDialog(), nullptr);
  const auto* problem = dialog_->findChild<QLabel*>(QStringLiteral("predictors-problem"));
  EXPECT_TRUE(problem->isVisible());
  EXPECT_TRUE(problem->text().contains("broken.json"));
  EXPECT_EQ(dialog_->predictors().size(), 1U);
}

TEST_F(PredictorsDialogTest, WithoutMeasurementsTrainingSaysWhatToDo) {
  keepStages(0);
  askTraining();
  EXPECT_FALSE(trainButton()->isEnabled());
  EXPECT_TRUE(said().contains("iosx profile-operators")) << said().toStdString();
}

TEST_F(PredictorsDialogTest, TooFewOperatorsAreCountedAndNotLearnedFrom) {
  keepStages(19);
  askTraining();
  EXPECT_FALSE(trainButton()->isEnabled());
  EXPECT_TRUE(said().startsWith("19 single operators are too few")) << said().toStdString();
  EXPECT_TRUE(said().contains("iosx profile-operators")) << said().toStdString();
}

TEST_F(PredictorsDialogTest, WhatIsTrainedIsListedAndADeviceAtOnce) {
  keep("mine", false);
  keepStages(60);
  askTraining();
  auto* data = train_->findChild<QComboBox*>(QStringLiteral("train-data"));
  ASSERT_EQ(data->count(), 1);
  EXPECT_EQ(data->itemText(0), "A fake card, measured: 35 single operators, 25 stages of several");
  auto* name = train_->findChild<QLineEdit*>(QStringLiteral("train-name"));
  EXPECT_EQ(name->text(), "fake-card");
  name->setText(QStringLiteral("a b"));
  EXPECT_FALSE(trainButton()->isEnabled());
  name->setText(QStringLiteral("mine"));
  EXPECT_TRUE(said().contains("replaces the predictor")) << said().toStdString();
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
  EXPECT_TRUE(dialogText("predictors-said").contains("predicted:another"));
  EXPECT_NE(devices_.find("predicted:another"), nullptr);
  EXPECT_GE(part<QComboBox>("device")->findData(QStringLiteral("predicted:another")), 0);
  EXPECT_FALSE(jobs_->busy());
}

TEST_F(PredictorsDialogTest, WhatIsCancelledIsNotKept) {
  keepStages(60);
  occupyJobs();
  askTraining();
  QTest::mouseClick(trainButton(), Qt::LeftButton);
  EXPECT_TRUE(controllers_->predictors.waiting());
  EXPECT_TRUE(dialogText("predictors-job").contains("waits")) << dialogText("predictors-job").toStdString();
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
  EXPECT_TRUE(dialogText("predictors-said").contains("contains no operators"))
      << dialogText("predictors-said").toStdString();
}

TEST_F(PredictorsDialogTest, OperatorsOfTheOpenNetworkAreMeasured) {
  keepStages(0);
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  click("predictors-measure");
  auto* ask = must(dialog_->findChild<MeasureOperatorsDialog*>());
  EXPECT_FALSE(ask->device().empty());
  ask->findChild<QSpinBox*>(QStringLiteral("measure-most"))->setValue(40);
  QTest::mouseClick(ask->findChild<QPushButton*>(QStringLiteral("measure")), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !controllers_->predictors.busy(); }, kPredictionTime));
  EXPECT_TRUE(dialogText("predictors-said").startsWith("40 stages were measured"))
      << dialogText("predictors-said").toStdString();
  const auto store = must(MeasurementStore::open(jobs_->store().file, MeasurementStore::Access::kReadOnly));
  const auto known = must(known_devices(*store));
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known.front().alone + known.front().together, 40);
}

TEST_F(PredictorsDialogTest, WithoutAStoreNothingIsMeasured) {
  open(QStringLiteral("squeezenet"));
  ASSERT_NE(openDialog(), nullptr);
  click("predictors-measure");
  auto* ask = dialog_->findChild<MeasureOperatorsDialog*>();
  EXPECT_FALSE(ask->findChild<QPushButton*>(QStringLiteral("measure"))->isEnabled());
  EXPECT_TRUE(ask->findChild<QLabel*>(QStringLiteral("measure-problem"))->text().contains("No measurements are kept"));
}

}  // namespace

}  // namespace iosx
