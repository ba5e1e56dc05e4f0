// Predictors: what they learned from, how far they are off, and what the open network would take.
#include "app/gui/predictors_dialog.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QTableView>
#include <QTemporaryDir>
#include <fstream>

#include "core/operators/training.h"
#include "tests/gui/window_fixture.h"

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

  static KeptPredictor trained(const std::string& name, bool pairs) {
    std::vector<KnownStage> stages;
    for (std::uint64_t i = 1; i <= 60; ++i) {
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
    TrainingOptions options;
    options.name = name;
    options.unseen = {"bert_base"};
    DeviceInfo device;
    device.id = "fake";
    device.name = "A fake card";
    device.fingerprint = "fake-1";
    return std::move(*train_predictor(stages, device, options));
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
  QString cell(const char* table, int row, int column) const {
    auto* view = dialog_->findChild<QTableView*>(QString::fromLatin1(table));
    return view->model()->index(row, column).data().toString();
  }

  QByteArray data_before_ = qgetenv("XDG_DATA_HOME");
  QTemporaryDir data_;
  QPointer<PredictorsDialog> dialog_;
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
  EXPECT_TRUE(chosen.contains(QStringLiteral("Too little side by side"))) << chosen.toStdString();
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

}  // namespace
}  // namespace iosx
