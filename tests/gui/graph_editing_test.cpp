// Drawing and changing graphs, with the events that a hand gives.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QInputDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QTreeWidget>
#include <functional>

#include "app/gui/graph_editing.h"
#include "core/edit/edit_text.h"
#include "core/edit/templates.h"
#include "core/edit/units.h"
#include "models/networks/zoo.h"
#include "tests/edit/support.h"
#include "tests/gui/window_fixture.h"
#include "views/editor/edit_canvas.h"
#include "views/editor/graph_desk.h"
#include "views/editor/operator_palette.h"
#include "views/editor/problem_list.h"

namespace iosx {
namespace {

using test::WindowTest;

class GraphEditingTest : public WindowTest {
 protected:
  GraphDesk& desk() { return window_->graphEditing().desk(); }
  EditCanvas* canvas() { return window_->graphEditing().canvas(); }
  const Actions& actions() { return window_->actionsOfWindow(); }
  template <typename Widget>
  Widget* part(const char* name) {
    return window_->findChild<Widget*>(QString::fromLatin1(name));
  }
  void activate() {
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  }
  void startNew() {
    activate();
    QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
    ASSERT_EQ(window_->mode(), Mode::kEditGraph);
    ASSERT_TRUE(desk().graph().operators().empty());
  }
  void editing(const QString& source) {
    open(source);
    activate();
    QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
    ASSERT_EQ(window_->mode(), Mode::kEditGraph);
    ASSERT_FALSE(desk().graph().operators().empty());
  }

  OperatorKey key(const char* name) { return test::key_of(desk().graph(), name); }
  const editor::EditBox& box(const char* name) { return *desk().scene().find(key(name)); }
  QPoint at(const canvas::Point& point) { return canvas()->toView(point).toPoint(); }
  QPoint middle(const char* name) { return at(box(name).box.center()); }
  QPoint output(const char* name) { return at(desk().scene().output(box(name))); }
  QPoint input(const char* name, std::size_t slot) { return at(editor::EditScene::input(box(name), slot)); }
  void click(const char* name, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(canvas(), Qt::LeftButton, keys, middle(name));
  }
  // Holds the button until release().
  void drag(const QPoint& from, const QPoint& to) {
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas(), (from + to) / 2);
    QTest::mouseMove(canvas(), to);
  }
  void release(const QPoint& to) { QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to); }
  void pull(const QPoint& from, const QPoint& to) {
    drag(from, to);
    release(to);
  }
  void add(const char* what) {
    QTest::keyClick(canvas(), Qt::Key_A);
    auto* search = part<QLineEdit>("palette-search");
    search->clear();
    QTest::keyClicks(search, QString::fromLatin1(what));
    QTest::keyClick(search, Qt::Key_Return);
  }
  void rename(const char* name) {
    QTest::keyClick(canvas(), Qt::Key_F2);
    auto* line = part<QLineEdit>("edit-name");
    ASSERT_NE(line, nullptr);
    line->selectAll();
    QTest::keyClicks(line, QString::fromLatin1(name));
    QTest::keyClick(line, Qt::Key_Return);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  void type(const char* editor, const char* text) {
    auto* widget = part<QWidget>(editor);
    ASSERT_NE(widget, nullptr) << editor;
    widget->setFocus();
    if (auto* line = qobject_cast<QLineEdit*>(widget)) line->selectAll();
    if (auto* spin = qobject_cast<QSpinBox*>(widget)) spin->selectAll();
    QTest::keyClicks(widget, QString::fromLatin1(text));
    canvas()->setFocus();
  }
  // Answers the next question for a text.
  static void answer(const QString& text) {
    QTimer::singleShot(0, qApp, [text] {
      auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
      ASSERT_NE(dialog, nullptr);
      auto* line = dialog->findChild<QLineEdit*>();
      line->selectAll();
      QTest::keyClicks(line, text);
      QTest::keyClick(line, Qt::Key_Return);
    });
  }
  std::string text() { return edit_to_text(desk().graph()); }
  std::vector<std::string> reads(const char* name) {
    std::vector<std::string> names;
    for (const EditInput& each : desk().graph().op(key(name)).inputs)
      names.push_back(each.open() ? "" : desk().graph().op(each.producer).name);
    return names;
  }
};

TEST_F(GraphEditingTest, TheSampleDrawnFromNothingIsTheZoos) {
  startNew();
  add("input");
  type("attribute-shape", "375 15 15");
  rename("input");
  add("conv");
  rename("sample.conv_a");
  click("input");
  add("conv");
  type("attribute-out-channels", "750");
  rename("sample.conv_b");
  click("input");
  add("conv");
  rename("sample.conv_c");
  click("sample.conv_a");
  add("conv");
  type("attribute-out-channels", "750");
  rename("sample.conv_d");
  click("sample.conv_b");
  add("concat");
  rename("sample.concat");
  pull(output("sample.conv_c"), input("sample.concat", 1));
  pull(output("sample.conv_d"), input("sample.concat", 2));  // one more than there are
  answer(QStringLiteral("sample"));
  actions().rename_graph->trigger();

  const auto made = desk().built();
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(test::problems(desk().graph()), "");
  test::expect_equal(*made, zoo_network("sample").value());
  EXPECT_EQ(session_->document().graph, made);
}

TEST_F(GraphEditingTest, ACircleIsRefusedWhileItIsDragged) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  drag(output("sample.conv_d"), input("sample.conv_a", 0));
  EXPECT_EQ(canvas()->reasonShown(),
            QStringLiteral("that would be a circle: 'sample.conv_a' → 'sample.conv_d' → 'sample.conv_a'"));
  release(input("sample.conv_a", 0));
  EXPECT_EQ(canvas()->reasonShown(), QString());
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(actions().undo->isEnabled());
}

TEST_F(GraphEditingTest, AShapeThatDoesNotFitIsRefusedWhileItIsDragged) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  add("add");
  EXPECT_EQ(reads("add1"), (std::vector<std::string>{"sample.conv_a", ""}));
  const std::string before = text();
  drag(output("sample.conv_b"), input("add1", 1));
  EXPECT_TRUE(canvas()->reasonShown().startsWith(QStringLiteral("'add1' (add) does not take 750x15x15: ")))
      << canvas()->reasonShown().toStdString();
  release(input("add1", 1));
  EXPECT_EQ(text(), before);
  pull(output("sample.conv_c"), input("add1", 1));
  EXPECT_EQ(reads("add1"), (std::vector<std::string>{"sample.conv_a", "sample.conv_c"}));
}

TEST_F(GraphEditingTest, ConnectionsAreTakenOffAndPutElsewhere) {
  editing(QStringLiteral("sample"));
  const QPoint nowhere(12, 12);
  pull(input("sample.conv_d", 0), nowhere);
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{""}));
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItemCount(), 1);
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItem(0)->text(0), QStringLiteral("sample.conv_d"));
  EXPECT_EQ(box("sample.conv_d").problems.size(), 1U);
  pull(output("sample.conv_c"), input("sample.conv_d", 0));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"sample.conv_c"}));
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItemCount(), 0);
}

TEST_F(GraphEditingTest, AClickOnAProblemGoesToItsOperator) {
  editing(QStringLiteral("sample"));
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  desk().select({});
  auto* list = part<QTreeWidget>("problems");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->topLevelItem(0)).center());
  EXPECT_EQ(desk().selected(), std::vector{key("sample.conv_d")});
}

TEST_F(GraphEditingTest, DeletingHealsOrNot) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  QTest::keyClick(canvas(), Qt::Key_Delete, Qt::ShiftModifier);
  EXPECT_FALSE(desk().graph().find_operator("sample.conv_a"));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"input"}));
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"sample.conv_a"}));
  click("sample.conv_a");
  QTest::keyClick(canvas(), Qt::Key_Delete);
  EXPECT_FALSE(desk().graph().find_operator("sample.conv_a"));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{""}));
}

TEST_F(GraphEditingTest, EveryGestureIsOneStepThatIsUndoneAndDoneAgain) {
  editing(QStringLiteral("sample"));
  std::vector<std::string> states{text()};
  const auto did = [&](const char* what) {
    EXPECT_TRUE(text() != states.back()) << what;
    states.push_back(text());
  };
  click("sample.conv_b");
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  did("moved");
  type("attribute-out-channels", "96");
  did("changed");
  add("conv");
  did("added");
  rename("tail");
  did("renamed");
  pull(output("sample.conv_c"), input("tail", 0));
  did("connected");
  QTest::keyClick(canvas(), Qt::Key_D, Qt::ControlModifier);
  did("duplicated");
  QTest::keyClick(canvas(), Qt::Key_Delete);
  did("deleted");
  click("sample.conv_a");
  click("sample.conv_d", Qt::ControlModifier);
  EXPECT_EQ(desk().selected().size(), 2U);
  actions().align.front()->trigger();
  did("aligned");
  QTest::keyClick(canvas(), Qt::Key_G, Qt::ControlModifier);
  did("grouped");
  QTest::keyClick(canvas(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  did("split");
  QTest::keyClick(canvas(), Qt::Key_X, Qt::ControlModifier);
  did("cut");
  QTest::keyClick(canvas(), Qt::Key_V, Qt::ControlModifier);
  did("pasted");
  click("sample.concat");
  actions().begin_part->trigger();
  did("begun a part");
  actions().join_part->trigger();
  did("joined parts");
  QTest::keyClick(canvas(), Qt::Key_Left, Qt::AltModifier);
  QTest::keyClick(canvas(), Qt::Key_Left, Qt::AltModifier);
  did("nudged twice");
  actions().release_place->trigger();
  did("released");

  for (std::size_t n = states.size(); n-- > 1;) {
    EXPECT_TRUE(text() == states[n]) << n;
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  }
  EXPECT_TRUE(text() == states.front());
  EXPECT_FALSE(actions().undo->isEnabled());
  for (std::size_t n = 1; n < states.size(); ++n) {
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(text() == states[n]) << n;
  }
  EXPECT_FALSE(actions().redo->isEnabled());
}

TEST_F(GraphEditingTest, AnOperatorIsPutOnAConnection) {
  editing(QStringLiteral("sample"));
  const auto& wires = desk().scene().wires();
  const auto wire = std::ranges::find_if(
      wires, [&](const editor::EditWire& each) { return desk().scene().boxes()[each.to].key == key("sample.conv_d"); });
  ASSERT_NE(wire, wires.end());
  const canvas::Point& a = wire->curve.front();
  const canvas::Point& b = wire->curve.back();
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at({(a.x + b.x) / 2, (a.y + b.y) / 2}));
  ASSERT_TRUE(desk().wire());
  add("activation");
  EXPECT_EQ(reads("relu1"), (std::vector<std::string>{"sample.conv_a"}));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"relu1"}));
}

TEST_F(GraphEditingTest, ARubberBandSelectsWhatItTouches) {
  editing(QStringLiteral("sample"));
  pull(QPoint(2, 2), QPoint(canvas()->width() - 2, canvas()->height() - 2));
  EXPECT_EQ(desk().selected().size(), desk().graph().operators().size());
  QTest::keyClick(canvas(), Qt::Key_Escape);
  EXPECT_TRUE(desk().selected().empty());
}

TEST_F(GraphEditingTest, TheKeyboardAloneConnects) {
  editing(QStringLiteral("sample"));
  click("sample.conv_b");
  add("add");
  desk().select({key("sample.conv_d")});
  QTest::keyClick(canvas(), Qt::Key_C);
  const auto target = [&] { return canvas()->property("target").toString(); };
  for (int step = 0; step < 8 && target() != QLatin1String("add1"); ++step) QTest::keyClick(canvas(), Qt::Key_Tab);
  ASSERT_EQ(target(), QStringLiteral("add1"));
  QTest::keyClick(canvas(), Qt::Key_Return);
  EXPECT_EQ(reads("add1"), (std::vector<std::string>{"sample.conv_b", "sample.conv_d"}));
}

TEST_F(GraphEditingTest, WrongAttributesAreSaidBesideThem) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  const std::string before = text();
  type("attribute-kernel", "three");
  EXPECT_FALSE(part<QWidget>("error-kernel")->isHidden());
  type("attribute-kernel", "0");
  EXPECT_FALSE(part<QWidget>("error-kernel")->isHidden());
  EXPECT_EQ(text(), before);
  type("attribute-kernel", "5");
  EXPECT_TRUE(part<QWidget>("error-kernel")->isHidden());
  EXPECT_EQ(std::get<Conv>(desk().graph().op(key("sample.conv_a")).attributes).kernel, (Extent{5, 5}));
}

TEST_F(GraphEditingTest, PiecesGoFromWindowToWindowAsText) {
  editing(QStringLiteral("sample"));
  QTest::keyClick(canvas(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_FALSE(QApplication::clipboard()->text().isEmpty());

  Session session(devices_);
  Jobs jobs(session, open_for_test);
  Settings settings(path("other.ini"));
  MainWindow other(session, jobs, settings, false);
  other.show();
  other.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
  QTest::keyClick(&other, Qt::Key_N, Qt::ControlModifier);
  EditCanvas* const to = other.graphEditing().canvas();
  QTest::keyClick(to, Qt::Key_V, Qt::ControlModifier);
  const auto made = other.graphEditing().desk().built();
  ASSERT_NE(made, nullptr);
  const Graph sample = zoo_network("sample").value();
  ASSERT_EQ(made->operators().size(), sample.operators().size());
  for (std::size_t i = 0; i < sample.operators().size(); ++i) {
    EXPECT_EQ(made->operators()[i].name, sample.operators()[i].name);
    EXPECT_TRUE(made->operators()[i].attributes == sample.operators()[i].attributes);
    EXPECT_EQ(made->operators()[i].inputs, sample.operators()[i].inputs);
  }
}

TEST_F(GraphEditingTest, WhatIsOnTheClipboardMayBeAnything) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  QApplication::clipboard()->setText(QStringLiteral("{\"operators\": 7}"));
  QTest::keyClick(canvas(), Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(text(), before);
}

TEST_F(GraphEditingTest, RunsMadeBeforeAnEditAreOfAnOlderVersion) {
  editing(QStringLiteral("sample"));
  const NetworkId first = session_->networkId();
  const std::size_t runs = session_->workspace().runs_of(first).size();
  ASSERT_GT(runs, 0U);
  click("sample.conv_a");
  type("attribute-kernel", "5");
  ASSERT_NE(desk().built(), nullptr);
  const NetworkId second = session_->networkId();
  EXPECT_NE(second, first);
  EXPECT_TRUE(session_->workspace().of_older_file(first));
  EXPECT_EQ(session_->workspace().runs_of(first).size(), runs);
  // Nothing was found of it yet, so the next edit is of the same version.
  type("attribute-kernel", "7");
  desk().built();
  EXPECT_EQ(session_->networkId(), second);
  EXPECT_EQ(session_->workspace().networks().size(), 2U);
}

TEST_F(GraphEditingTest, MovingAnOperatorIsNoNewVersion) {
  editing(QStringLiteral("sample"));
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  EXPECT_TRUE(actions().undo->isEnabled());
  desk().built();
  EXPECT_EQ(session_->workspace().networks().size(), 1U);
}

TEST_F(GraphEditingTest, DrawingGoesOnWhileASearchRuns) {
  editing(QStringLiteral("sample"));
  const NetworkId first = session_->networkId();
  jobs_->optimize();
  click("sample.conv_a");
  type("attribute-kernel", "5");
  ASSERT_NE(desk().built(), nullptr);
  EXPECT_NE(session_->networkId(), first);
  idle();
  EXPECT_NE(session_->networkId(), first);
  for (const WorkspaceRun* run : session_->workspace().runs_of(first))
    EXPECT_EQ(std::get<Conv>(run->run->comparison.graph->op(OperatorId(1)).attributes).kernel, (Extent{3, 3}));
}

TEST_F(GraphEditingTest, ASelectionBecomesATemplateOfOnesOwn) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  click("sample.conv_d", Qt::ControlModifier);
  answer(QStringLiteral("two convs"));
  actions().save_template->trigger();
  const std::size_t before = desk().graph().operators().size();
  click("sample.conv_c");
  add("two convs");
  EXPECT_EQ(desk().graph().operators().size(), before + 2);
  ASSERT_EQ(desk().selected().size(), 2U);
  EXPECT_EQ(desk().graph().op(desk().selected().front()).inputs.front().producer, key("sample.conv_c"));
}

TEST_F(GraphEditingTest, TheBuiltInTemplatesAreSound) {
  for (const GraphTemplate& each : graph_templates()) {
    const bool tokens = each.input.starts_with("tokens");
    EditableGraph graph;
    EditOperator source{.name = "input", .attributes = Input{tokens ? Shape{49, 64} : Shape{64, 28, 28}}, .inputs = {}};
    const OperatorKey from = graph.add(std::move(source));
    InsertOptions options;
    options.feed = EditInput{from, std::nullopt};
    apply(graph, insert_fragment(graph, each.make(), options).patch);
    EXPECT_EQ(test::problems(graph), "") << each.id;
    EXPECT_GT(test::built(graph).units().size(), 0U) << each.id;
  }
}

}  // namespace
}  // namespace iosx
