#include "views/explore/saving/saving_view.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/views/compare/runs.h"
#include "views/style/fills.h"

namespace iosx {
namespace {

SavingFacts saving_in(const std::shared_ptr<const Comparison>& run, std::size_t baseline, std::size_t schedule) {
  return saving_of(Subject{run, baseline, {}}, {run, schedule, {}});
}

std::shared_ptr<const Comparison> inception() { return test::simulated_run("inception_v3"); }

std::size_t index_of(const Comparison& run, ScheduleKind kind) { return *run.index_of(run.find(kind)->id); }

class SavingViewTest : public testing::Test {
 protected:
  SavingViewTest() {
    view_.resize(1000, view_.sizeHint().height());
    view_.show();
  }
  void show(const SavingFacts& saving) {
    view_.setSaving(saving);
    view_.resize(1000, view_.sizeHint().height());
    QCoreApplication::processEvents();
  }
  void click(std::size_t step) { QTest::mouseClick(&view_, Qt::LeftButton, {}, view_.rectOf(step).center()); }

  SelectionModel selection_;
  SavingView view_{selection_};
};

TEST_F(SavingViewTest, StepsLeadFromOneLatencyToTheOther) {
  const auto run = inception();
  for (const ScheduleKind kind : {ScheduleKind::kIosBoth, ScheduleKind::kIosFlow, ScheduleKind::kGreedy}) {
    const SavingFacts saving = saving_in(run, 0, index_of(*run, kind));
    ASSERT_TRUE(saving.known());
    const SavingPlot plot(saving, QRectF(0, 0, 1000, 80), view_.font());
    ASSERT_EQ(plot.steps(), saving.steps.steps.size());
    EXPECT_TRUE(plot.broken());
    for (std::size_t i = 0; i + 1 < plot.steps(); ++i) {
      const bool lost = saving.steps.steps[i].delta.value > Millis{0};
      const bool next_lost = saving.steps.steps[i + 1].delta.value > Millis{0};
      const double left = lost ? plot.bar(i).top() : plot.bar(i).bottom();
      const double begins = next_lost ? plot.bar(i + 1).bottom() : plot.bar(i + 1).top();
      EXPECT_NEAR(left, begins, 1.6) << i;  // the least height of a bar
      EXPECT_GE(plot.bar(i).top(), 0);
      EXPECT_LE(plot.bar(i).bottom(), 80);
    }
  }
}

TEST_F(SavingViewTest, LabelsNeverOverlapAndTheLargestStepHasOne) {
  const auto run = inception();
  const SavingFacts saving = saving_in(run, 0, index_of(*run, ScheduleKind::kIosFlow));
  const auto& steps = saving.steps.steps;
  const auto largest =
      std::ranges::max_element(steps, {}, [](const SavingStep& step) { return std::abs(step.delta.value.count()); });
  for (const double width : {300.0, 640.0, 1000.0, 2000.0}) {
    const SavingPlot plot(saving, QRectF(0, 0, width, 80), view_.font());
    std::vector<QRectF> boxes;
    for (const auto& label : plot.labels()) {
      if (!label) continue;
      for (const QRectF& other : boxes) EXPECT_FALSE(other.intersects(label->box)) << width;
      boxes.push_back(label->box);
      EXPECT_GE(label->box.left(), 0);
      EXPECT_LE(label->box.right(), width);
    }
    EXPECT_TRUE(plot.labels()[static_cast<std::size_t>(largest - steps.begin())]) << width;
    if (width >= 1000) {
      EXPECT_EQ(boxes.size(), plot.steps() + 2) << "there is room for all";
    }
  }
}

TEST_F(SavingViewTest, TheChosenStepHasItsLabelAndNeighboursGiveWay) {
  const auto run = inception();
  const SavingFacts saving = saving_in(run, 0, index_of(*run, ScheduleKind::kIosFlow));
  const SavingPlot plot(saving, QRectF(0, 0, 300, 80), view_.font());
  const auto without = std::ranges::find_if(plot.labels(), [](const auto& label) { return !label; });
  ASSERT_NE(without, plot.labels().end()) << "so narrow that not all have one";
  const auto step = static_cast<std::size_t>(without - plot.labels().begin());
  for (const bool pointed : {false, true}) {
    const auto shown = pointed ? plot.shownLabels(step, {}) : plot.shownLabels({}, std::vector{step});
    const bool there = std::ranges::any_of(shown, [&](const auto* label) {
      return std::abs(label->box.center().x() - plot.column(step).center().x()) < 1;
    });
    EXPECT_TRUE(there);
    for (const auto* label : shown) {
      if (std::abs(label->box.center().x() - plot.column(step).center().x()) > 1) continue;
      EXPECT_TRUE(plot.frame(step).left() < label->box.left() && plot.frame(step).right() > label->box.right());
    }
    for (const auto* a : shown) {
      for (const auto* b : shown) EXPECT_TRUE(a == b || !a->box.intersects(b->box));
    }
  }
}

// What a hidden view had, the next one gets, and nobody asked for its first step.
TEST_F(SavingViewTest, TellsOfAStepOnceTheKeyboardIsThere) {
  const auto run = inception();
  show(saving_in(run, 0, index_of(*run, ScheduleKind::kIosBoth)));
  const QString whole = view_.sentence();
  view_.activateWindow();
  view_.setFocus(Qt::OtherFocusReason);
  ASSERT_TRUE(QTest::qWaitFor([this] { return view_.hasFocus(); }));
  EXPECT_EQ(view_.sentence(), whole);
  QTest::keyClick(&view_, Qt::Key_Right);
  EXPECT_EQ(view_.sentence(), view_.words(1));
  view_.clearFocus();
  EXPECT_EQ(view_.sentence(), whole);
  view_.setFocus(Qt::TabFocusReason);
  EXPECT_EQ(view_.sentence(), view_.words(1));
}

TEST_F(SavingViewTest, AClickSelectsThePart) {
  const auto run = inception();
  const SavingFacts saving = saving_in(run, 0, index_of(*run, ScheduleKind::kIosBoth));
  show(saving);
  QSignalSpy pressed(&view_, &SavingView::stepPressed);
  click(1);
  EXPECT_EQ(pressed.size(), 1);
  EXPECT_EQ(selection_.current().units, saving.steps.steps[1].units);
  EXPECT_FALSE(selection_.current().stage);
  EXPECT_TRUE(view_.selected(1));
  EXPECT_FALSE(view_.selected(0));
  // The last step is no place in the network.
  click(view_.steps() - 1);
  EXPECT_EQ(pressed.size(), 1);
  EXPECT_EQ(selection_.current().units, saving.steps.steps[1].units);
}

TEST_F(SavingViewTest, OfANetworkWithoutPartsAStepIsAStage) {
  const auto run = test::made_up_comparison();
  show(saving_in(run, 0, 1));
  ASSERT_EQ(view_.steps(), 4U);
  click(1);
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_EQ(selection_.current().schedule, run->results[1].id);
  EXPECT_TRUE(view_.words(1).startsWith("stage 2 saves")) << view_.words(1).toStdString();
}

TEST_F(SavingViewTest, KeysGoFromStepToStepAndSelect) {
  const auto run = inception();
  const SavingFacts saving = saving_in(run, 0, index_of(*run, ScheduleKind::kIosBoth));
  show(saving);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_End);
  EXPECT_EQ(view_.currentStep(), view_.steps() - 1);
  QTest::keyClick(&view_, Qt::Key_Right);
  EXPECT_EQ(view_.currentStep(), view_.steps() - 1);
  QTest::keyClick(&view_, Qt::Key_Home);
  QTest::keyClick(&view_, Qt::Key_Right);
  QTest::keyClick(&view_, Qt::Key_Right);
  QTest::keyClick(&view_, Qt::Key_Left);
  QTest::keyClick(&view_, Qt::Key_Return);
  EXPECT_EQ(selection_.current().units, saving.steps.steps[1].units);
  QAccessibleInterface* list = must(QAccessible::queryAccessibleInterface(&view_));
  EXPECT_EQ(list->text(QAccessible::Name), "Savings by part");
  ASSERT_GE(list->childCount(), static_cast<int>(view_.steps()));
  EXPECT_EQ(list->child(1)->text(QAccessible::Name), view_.words(1));
  EXPECT_TRUE(list->child(1)->state().selected);
}

TEST_F(SavingViewTest, SaysWhatHowMuchAndAgainstWhat) {
  const auto lanes = test::made_up_lanes();
  const SavingFacts faster = saving_in(lanes, 1, 3);
  const SavingFacts slower = saving_in(lanes, 3, 1);
  EXPECT_TRUE(saving_sentence(faster).startsWith("IOS-Flow saves 0.0060 of ")) << saving_sentence(faster).toStdString();
  EXPECT_TRUE(saving_sentence(faster).endsWith("against Greedy (simulated)")) << saving_sentence(faster).toStdString();
  EXPECT_TRUE(saving_sentence(slower).startsWith("Greedy takes 0.0060 ms more")) << "nothing is saved";
  // The headline says how much.
  show(faster);
  EXPECT_EQ(view_.sentence(), "Savings of IOS-Flow by part, against Greedy");
  EXPECT_TRUE(view_.words(0).contains("shares of the traced run")) << view_.words(0).toStdString();
}

TEST_F(SavingViewTest, SaysWhatToDoWhereThereIsNothingToTell) {
  const auto run = test::made_up_comparison();
  show(saving_in(run, 0, 0));
  EXPECT_TRUE(view_.sentence().startsWith("Sequential is the baseline")) << view_.sentence().toStdString();
  EXPECT_EQ(view_.steps(), 0U);
  EXPECT_EQ(view_.figure(), nullptr);
  EXPECT_EQ(view_.currentStep(), std::nullopt);
  QTest::keyClick(&view_, Qt::Key_Return);
  EXPECT_TRUE(selection_.current().empty());
  show(saving_of(std::nullopt, {run, 1, {}}));
  EXPECT_TRUE(view_.sentence().startsWith("No baseline")) << view_.sentence().toStdString();
  auto untimed = std::make_shared<Comparison>(*run);
  untimed->results[1].stage_latencies.clear();
  show(saving_in(untimed, 0, 1));
  EXPECT_TRUE(view_.sentence().contains("not known")) << view_.sentence().toStdString();
  show({});
  EXPECT_EQ(view_.sizeHint().height(), 0);  // it takes no room
}

TEST_F(SavingViewTest, FoldsToItsSentence) {
  show(saving_in(inception(), 0, 1));
  const int open = view_.sizeHint().height();
  QSignalSpy folded(&view_, &SavingView::foldedChanged);
  QTest::mouseClick(view_.findChild<QToolButton*>("fold-saving"), Qt::LeftButton);
  EXPECT_TRUE(view_.folded());
  EXPECT_EQ(folded.size(), 1);
  EXPECT_LT(view_.sizeHint().height(), open / 2);
  EXPECT_FALSE(view_.sentence().isEmpty());
  view_.setFolded(false);
  EXPECT_EQ(folded.size(), 2);
  EXPECT_EQ(view_.sizeHint().height(), open);
}

TEST_F(SavingViewTest, TheFiguresNumbersAddUp) {
  const auto run = inception();
  const SavingFacts saving = saving_in(run, 0, index_of(*run, ScheduleKind::kIosFlow));
  const auto figure = must(make_saving_figure(saving));
  EXPECT_TRUE(figure->title().contains("simulated"));
  const QStringList records = figure->csv().split(QStringLiteral("\n"), Qt::SkipEmptyParts);
  ASSERT_EQ(records.size(), static_cast<qsizetype>(saving.steps.steps.size()) + 1);
  double sum = 0;
  for (qsizetype i = 1; i < records.size(); ++i) sum += records[i].split(QLatin1Char(',')).at(6).toDouble();
  EXPECT_NEAR(sum, saving.steps.whole.delta.value.count(), 1e-9);
  EXPECT_TRUE(records.last().startsWith("gaps and order,"));
}

TEST(GainColor, IsSeenOnCanvasAndPanel) {
  for (const Theme& theme : {Theme::light(), Theme::darkTheme(), Theme::paperTheme()}) {
    for (const bool saved : {false, true}) {
      for (const QColor& ground : {theme.canvas, theme.panel, theme.selectionFill, theme.gridLine}) {
        EXPECT_GE(Theme::contrast(gain_color(saved, theme), ground), 3) << saved << ' ' << ground.name().toStdString();
      }
    }
  }
}

}  // namespace
}  // namespace iosx
