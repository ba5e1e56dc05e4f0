// What if one thing were different: the tab of the drawer, with mouse and keys.
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>

#include "core/analysis/sweep/resized.h"
#include "core/analysis/sweep/sweep.h"
#include "tests/gui/window_fixture.h"
#include "views/app_model/selection.h"
#include "views/edit_graph/graph_controller.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"

namespace iosx {
namespace {

using test::WindowTest;

class SweepTest : public WindowTest {
 protected:
  template <typename Widget>
  Widget* part(const char* name) {
    return window_->findChild<Widget*>(QString::fromLatin1(name));
  }
  void look() {
    QDockWidget* dock = part<QDockWidget>("sweep");
    dock->show();
    dock->raise();
  }
  // Until every value is there: then the state says nothing.
  bool done(int values) {
    return QTest::qWaitFor(
        [&] { return slider()->isEnabled() && slider()->maximum() == values - 1 && state().isEmpty(); },
        test::kSanitized ? 200000 : 30000);
  }
  void vary(SweepParameter parameter) {
    auto* box = part<QComboBox>("sweep-parameter");
    box->setFocus();
    while (box->currentIndex() != static_cast<int>(parameter)) {
      QTest::keyClick(box, box->currentIndex() < static_cast<int>(parameter) ? Qt::Key_Down : Qt::Key_Up);
    }
  }
  QSlider* slider() { return part<QSlider>("sweep-slider"); }
  QString state() { return part<QLabel>("sweep-state")->text(); }
  QString reading() { return part<QLabel>("sweep-reading")->text(); }
};

TEST_F(SweepTest, ReadsTheCurveValueByValueAndTakesOneOver) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  EXPECT_EQ(slider()->value(), 0);  // batch 1, as it is
  EXPECT_TRUE(reading().startsWith(QStringLiteral("Batch size: 1 – Sequential 0.498 ms, Greedy 0.355 ms (1.40×)")))
      << reading().toStdString();
  auto* use = part<QPushButton>("sweep-use");
  EXPECT_FALSE(use->isEnabled());
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_Right);
  QTest::keyClick(slider(), Qt::Key_Right);
  EXPECT_TRUE(reading().startsWith(QStringLiteral("Batch size: 4 – "))) << reading().toStdString();
  ASSERT_TRUE(use->isEnabled());
  QTest::mouseClick(use, Qt::LeftButton);
  EXPECT_EQ(session_->settings().options.batch, 4);
  const RunSettings before = session_->settings();
  const auto take_last = [&](SweepParameter parameter) {
    vary(parameter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled() && state().isEmpty(); }, 30000));
    slider()->setFocus();
    QTest::keyClick(slider(), slider()->value() == slider()->maximum() ? Qt::Key_Home : Qt::Key_End);
    ASSERT_TRUE(use->isEnabled());
    QTest::mouseClick(use, Qt::LeftButton);
  };
  take_last(SweepParameter::kR);
  EXPECT_NE(session_->settings().options.search.pruning.r, before.options.search.pruning.r);
  take_last(SweepParameter::kS);
  EXPECT_NE(session_->settings().options.search.pruning.s, before.options.search.pruning.s);
  take_last(SweepParameter::kDevice);
  EXPECT_NE(session_->settings().device, before.device);
  EXPECT_NE(window_->views().figure(FigureKind::kSweep), nullptr);
}

TEST_F(SweepTest, NoParameterMakesTheWindowWider) {
  open(QStringLiteral("sample"));
  const QSize before = window_->size();
  look();
  ASSERT_TRUE(done(8));
  vary(SweepParameter::kInputSize);
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled() && state().isEmpty(); }, 30000));
  QTest::qWait(100);  // for the plot and what follows it
  EXPECT_EQ(window_->size(), before);
  EXPECT_LE(window_->minimumSizeHint().width(), before.width());
  auto* view = part<SweepView>("sweep-view");
  for (QWidget* each = slider(); each != nullptr && view == nullptr; each = each->parentWidget())
    view = qobject_cast<SweepView*>(each);
  ASSERT_NE(view, nullptr);
  EXPECT_TRUE(view->rect().contains(QRect(slider()->mapTo(view, QPoint(0, 0)), slider()->size())));
}

TEST_F(SweepTest, OfTheSelectedOperatorsKernel) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  vary(SweepParameter::kKernel);
  EXPECT_EQ(state(), QStringLiteral("Select an operator on the canvas."));
  const ScheduleResult* sequential = session_->comparison()->find(ScheduleKind::kSequential);
  session_->setActiveSchedule(sequential->id);
  auto* stages = part<QDockWidget>("stages");
  stages->show();
  stages->raise();
  QTableView* rows = table("stages-table");
  QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, rows->visualRect(rows->model()->index(0, 0)).center());
  look();
  ASSERT_TRUE(done(4));
  EXPECT_EQ(part<QLabel>("sweep-operator")->text(), QStringLiteral("sample.conv_a"));
  auto* values = part<QLineEdit>("sweep-values");
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("1, 3, 99999999999, -5, x"));
  QTest::keyClick(values, Qt::Key_Return);
  ASSERT_TRUE(done(3));  // 1, 3 and 5: a sign is nothing between numbers
}

TEST_F(SweepTest, AKernelIsTakenIntoTheDrawingInOneStep) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  const auto before = session_->document().graph;
  const OperatorId conv = *before->find_operator("sample.conv_b");
  vary(SweepParameter::kKernel);
  UnitId unit;
  for (std::size_t i = 0; i < before->units().size(); ++i) {
    if (before->units()[i].name == "sample.conv_b") unit = UnitId(i);
  }
  window_->selection().select({{unit}, {}, {}, {}});
  ASSERT_TRUE(done(4));
  auto* use = part<QPushButton>("sweep-use");
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_End);
  ASSERT_TRUE(use->isEnabled());
  const std::int64_t wanted = 7;
  ASSERT_TRUE(reading().contains(QStringLiteral("Kernel size: 7"))) << reading().toStdString();
  QTest::mouseClick(use, Qt::LeftButton);
  EXPECT_EQ(window_->mode(), Mode::kEditGraph);
  GraphController& controller = window_->graphEditing().controller();
  EXPECT_EQ(controller.undoText(), QStringLiteral("Change sample.conv_b"));
  ASSERT_EQ(controller.selected().size(), 1U);
  EXPECT_EQ(controller.graph().op(controller.selected().front()).name, "sample.conv_b");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->document().graph != before; }));
  const Graph& now = *session_->document().graph;
  EXPECT_EQ(kernel_of(now, *now.find_operator("sample.conv_b")), wanted);
  EXPECT_NE(kernel_of(*before, conv), wanted);
  // As the sweep had it.
  const auto resized = with_kernel(*before, conv, wanted);
  ASSERT_TRUE(resized);
  EXPECT_TRUE(same_structure(now, *resized));
  QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(controller.undoText().isEmpty()) << "one step";
  ASSERT_TRUE(QTest::qWaitFor([&] { return same_structure(*session_->document().graph, *before); }));
}

TEST_F(SweepTest, AnInputSizeAndChannelsAreTakenToo) {
  open(QStringLiteral("squeezenet"));
  look();
  vary(SweepParameter::kInputSize);
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled(); }, 20000));
  auto* values = part<QLineEdit>("sweep-values");
  const std::int64_t present = input_size(*session_->document().graph);
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("%1 %2").arg(present).arg(present + 32));
  QTest::keyClick(values, Qt::Key_Return);
  ASSERT_TRUE(done(2));
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_End);
  QTest::mouseClick(part<QPushButton>("sweep-use"), Qt::LeftButton);
  GraphController& controller = window_->graphEditing().controller();
  EXPECT_FALSE(controller.undoText().isEmpty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return input_size(*session_->document().graph) == present + 32; }));
  controller.undo();
  EXPECT_TRUE(controller.undoText().isEmpty());
}

TEST_F(SweepTest, ADeviceThatMeasuresIsAskedByAButtonOnly) {
  choose("fake-computer");
  open(QStringLiteral("sample"));
  const int before = behaviour_->requests;
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return state() == QStringLiteral("Some values were never measured."); }, 10000))
      << state().toStdString();
  EXPECT_EQ(behaviour_->requests, before);
  EXPECT_TRUE(reading().contains(QStringLiteral("not measured yet"))) << reading().toStdString();
  auto* values = part<QLineEdit>("sweep-values");
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("1 2"));
  QTest::keyClick(values, Qt::Key_Return);
  auto* measure = part<QPushButton>("sweep-measure-now");
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->maximum() == 1 && measure->isVisible(); }, 10000));
  QTest::mouseClick(measure, Qt::LeftButton);
  idle();
  EXPECT_GT(behaviour_->requests, before);
  EXPECT_FALSE(measure->isVisible());
  EXPECT_TRUE(reading().contains(QStringLiteral("Sequential"))) << reading().toStdString();
}

TEST_F(SweepTest, NothingIsComputedWhileNobodyLooks) {
  open(QStringLiteral("sample"));
  QTest::qWait(400);
  EXPECT_EQ(window_->views().figure(FigureKind::kSweep), nullptr);
}

}  // namespace
}  // namespace iosx
