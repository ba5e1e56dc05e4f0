// Drawing and changing graphs, with the events that a hand gives.

#include "views/window/shell/graph_editing.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/units.h"
#include "models/networks/zoo.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/editing.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_graph/problem_list.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/window/panels/status_bar.h"
#include "views/window/shell/project_keeper.h"

namespace iosx {
namespace {

using test::ScriptedDevice;
using test::ScriptedKind;
using test::WindowTest;

class GraphEditingTest : public WindowTest {
 protected:
  GraphController& controller() { return window_->graphEditing().controller(); }
  EditCanvas* canvas() { return window_->graphEditing().canvas(); }
  const Actions& actions() { return window_->actionsOfWindow(); }
  void startNew() {
    activate();
    QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
    ASSERT_EQ(window_->mode(), Mode::kEditGraph);
    ASSERT_TRUE(controller().graph().operators().empty());
  }
  void editing(const QString& source) {
    open(source);
    activate();
    QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
    ASSERT_EQ(window_->mode(), Mode::kEditGraph);
    ASSERT_FALSE(controller().graph().operators().empty());
  }

  OperatorKey key(const char* name) { return test::key_of(controller().graph(), name); }
  const editor::EditBox& box(const char* name) { return *controller().scene().find(key(name)); }
  QPoint at(const canvas::Point& point) { return canvas()->toView(point).toPoint(); }
  QPoint middle(const char* name) { return at(box(name).box.center()); }
  QPoint output(const char* name) { return at(controller().scene().output(box(name))); }
  QPoint input(const char* name, std::size_t slot) { return at(editor::EditScene::input(box(name), slot)); }
  // The middle of the wire that leads to it.
  QPoint on_wire_to(const char* name) {
    for (const editor::EditWire& wire : controller().scene().wires()) {
      if (controller().scene().boxes()[wire.to].key != key(name)) continue;
      const canvas::Point& a = wire.curve.front();
      const canvas::Point& b = wire.curve.back();
      return at({(a.x + b.x) / 2, (a.y + b.y) / 2});
    }
    ADD_FAILURE() << name << " reads nothing";
    return {};
  }
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
    auto* line = must(part<QLineEdit>("edit-name"));
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
  std::string text() { return edit_to_text(controller().graph()); }
  std::vector<std::string> reads(const char* name) {
    std::vector<std::string> names;
    for (const EditInput& each : controller().graph().op(key(name)).inputs)
      names.push_back(each.open() ? "" : controller().graph().op(each.producer).name);
    return names;
  }
};

// The window stays alive meanwhile; an edit does not wait for it.
TEST_F(GraphEditingTest, ALargeDrawingIsLaidOutMeanwhile) {
  choose("fake-computer");  // which measures nothing unasked
  jobs_->open(QStringLiteral("randwire_320"));
  idle();
  for (const bool edit : {false, true}) {
    window_->setMode(Mode::kEditGraph);
    ASSERT_GT(controller().graph().operators().size(), 4000U);
    EXPECT_TRUE(controller().layingOut());
    EXPECT_TRUE(controller().scene().boxes().empty());
    if (edit) {
      controller().layOut();
      EXPECT_FALSE(controller().layingOut());
    } else {
      EXPECT_TRUE(QTest::qWaitFor([&] { return !controller().layingOut(); }, test::kSanitized ? 400000 : 60000));
    }
    EXPECT_EQ(controller().scene().boxes().size(), controller().graph().operators().size());
    EXPECT_GT(controller().scene().wires().size(), 10000U);
    EXPECT_TRUE(canvas()->rect().contains(at(controller().scene().boxes().front().box.center()))) << "all is in sight";
    if (edit) break;
    window_->setMode(Mode::kExplore);
    jobs_->open(QStringLiteral("sample"));
    idle();
    window_->setMode(Mode::kEditGraph);
    window_->setMode(Mode::kExplore);
    jobs_->open(QStringLiteral("randwire_320"));
    idle();
  }
}

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
  actions()["rename-graph"]->trigger();

  const auto made = must(controller().built());
  EXPECT_EQ(test::problems(controller().graph()), "");
  test::expect_equal(*made, zoo_network("sample").value());
  EXPECT_EQ(session_->document().graph, made);
}

TEST_F(GraphEditingTest, ACircleIsRefusedWhileItIsDragged) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  drag(output("sample.conv_d"), input("sample.conv_a", 0));
  EXPECT_EQ(canvas()->reasonShown(), "that would make a cycle: 'sample.conv_a' → 'sample.conv_d' → 'sample.conv_a'");
  release(input("sample.conv_a", 0));
  EXPECT_EQ(canvas()->reasonShown(), QString());
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(actions()["undo"]->isEnabled());
}

TEST_F(GraphEditingTest, AShapeThatDoesNotFitIsRefusedWhileItIsDragged) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  add("add");
  EXPECT_EQ(reads("add1"), (std::vector<std::string>{"sample.conv_a", ""}));
  const std::string before = text();
  drag(output("sample.conv_b"), input("add1", 1));
  EXPECT_TRUE(canvas()->reasonShown().startsWith("'add1' (add) does not accept 750x15x15: "))
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
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItem(0)->text(0), "sample.conv_d");
  EXPECT_EQ(box("sample.conv_d").problems.size(), 1U);
  pull(output("sample.conv_c"), input("sample.conv_d", 0));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"sample.conv_c"}));
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItemCount(), 0);
}

TEST_F(GraphEditingTest, WhatGoesWhileItIsDraggedEndsTheDrag) {
  editing(QStringLiteral("sample"));
  click("sample.concat");
  const QPoint end = input("sample.concat", 0);
  drag(output("sample.conv_d"), end);
  controller().remove(Healing::kNone);
  release(end);
  EXPECT_EQ(controller().graph().find_operator("sample.concat"), std::nullopt);
  EXPECT_EQ(canvas()->reasonShown(), QString());
  controller().undo();
  EXPECT_NE(controller().graph().find_operator("sample.concat"), std::nullopt);
  // An operator that is moved as well.
  click("sample.conv_d");
  const QPoint from = middle("sample.conv_d");
  drag(from, from + QPoint(60, 40));
  controller().remove(Healing::kNone);
  const std::string removed = text();
  release(from + QPoint(60, 40));
  EXPECT_EQ(text(), removed);
}

TEST_F(GraphEditingTest, WhatGoesWhileItIsConnectedByKeysEndsThat) {
  startNew();
  add("input");
  add("conv");
  QTest::keyClick(canvas(), Qt::Key_Up);
  QTest::keyClick(canvas(), Qt::Key_C);
  controller().undo();
  QTest::keyClick(canvas(), Qt::Key_Return);
  EXPECT_EQ(controller().graph().operators().size(), 1U);
}

TEST_F(GraphEditingTest, AConnectionIsPutElsewhereInOneStep) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  const std::vector<std::string> all = reads("sample.concat");
  pull(input("sample.concat", 0), input("sample.conv_d", 0));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{all[0]}));
  EXPECT_EQ(reads("sample.concat")[0], "");
  controller().undo();
  EXPECT_EQ(text(), before);
  // Within one operator too.
  pull(input("sample.concat", 0), input("sample.concat", 1));
  EXPECT_EQ(reads("sample.concat"), (std::vector<std::string>{"", all[0], all[2]}));
  controller().undo();
  EXPECT_EQ(text(), before);
}

TEST_F(GraphEditingTest, WhatCannotBeComputedAnyMoreIsNotResized) {
  editing(QStringLiteral("sample"));
  controller().selectAll();
  std::vector<OperatorKey> all_but_the_input = controller().selected();
  std::erase_if(all_but_the_input, [&](OperatorKey each) { return controller().graph().op(each).inputs.empty(); });
  controller().select(all_but_the_input);
  controller().remove(Healing::kNone);
  const std::string before = text();
  EXPECT_FALSE(controller().resize(SweepParameter::kInputSize, {}, 30));
  EXPECT_EQ(text(), before);
}

TEST_F(GraphEditingTest, AClickOnAProblemGoesToItsOperator) {
  editing(QStringLiteral("sample"));
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  controller().select({});
  auto* list = part<QTreeWidget>("problems");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->topLevelItem(0)).center());
  EXPECT_EQ(controller().selected(), std::vector{key("sample.conv_d")});
}

TEST_F(GraphEditingTest, DeletingHealsOrNot) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  QTest::keyClick(canvas(), Qt::Key_Delete, Qt::ShiftModifier);
  EXPECT_FALSE(controller().graph().find_operator("sample.conv_a"));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"input"}));
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"sample.conv_a"}));
  click("sample.conv_a");
  QTest::keyClick(canvas(), Qt::Key_Delete);
  EXPECT_FALSE(controller().graph().find_operator("sample.conv_a"));
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
  EXPECT_EQ(controller().selected().size(), 2U);
  actions()["align-left"]->trigger();
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
  actions()["begin-part"]->trigger();
  did("begun a part");
  actions()["join-part"]->trigger();
  did("joined parts");
  QTest::keyClick(canvas(), Qt::Key_Left, Qt::AltModifier);
  QTest::keyClick(canvas(), Qt::Key_Left, Qt::AltModifier);
  did("nudged twice");
  actions()["release-place"]->trigger();
  did("released");

  for (std::size_t n = states.size(); n-- > 1;) {
    EXPECT_TRUE(text() == states[n]) << n;
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  }
  EXPECT_TRUE(text() == states.front());
  EXPECT_FALSE(actions()["undo"]->isEnabled());
  for (std::size_t n = 1; n < states.size(); ++n) {
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(text() == states[n]) << n;
  }
  EXPECT_FALSE(actions()["redo"]->isEnabled());
}

TEST_F(GraphEditingTest, AnOperatorIsPutOnAConnection) {
  editing(QStringLiteral("sample"));
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, on_wire_to("sample.conv_d"));
  ASSERT_TRUE(controller().wire());
  add("activation");
  EXPECT_EQ(reads("relu1"), (std::vector<std::string>{"sample.conv_a"}));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"relu1"}));
}

TEST_F(GraphEditingTest, ARubberBandSelectsWhatItTouches) {
  editing(QStringLiteral("sample"));
  pull(QPoint(2, 2), QPoint(canvas()->width() - 2, canvas()->height() - 2));
  EXPECT_EQ(controller().selected().size(), controller().graph().operators().size());
  QTest::keyClick(canvas(), Qt::Key_Escape);
  EXPECT_TRUE(controller().selected().empty());
}

TEST_F(GraphEditingTest, TheKeyboardAloneConnects) {
  editing(QStringLiteral("sample"));
  click("sample.conv_b");
  add("add");
  controller().select({key("sample.conv_d")});
  QTest::keyClick(canvas(), Qt::Key_C);
  const auto target = [&] { return canvas()->property("target").toString(); };
  for (int step = 0; step < 8 && target() != QLatin1String("add1"); ++step) QTest::keyClick(canvas(), Qt::Key_Tab);
  ASSERT_EQ(target(), "add1");
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
  EXPECT_EQ(std::get<Conv>(controller().graph().op(key("sample.conv_a")).attributes).kernel, (Extent{5, 5}));
}

TEST_F(GraphEditingTest, WhatWasTypedOnTheWayToARefusalIsTakenBack) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  const std::string before = text();
  auto* kernel = part<QLineEdit>("attribute-kernel");
  kernel->setFocus();
  kernel->selectAll();
  QTest::keyClicks(kernel, QStringLiteral("5"));
  EXPECT_NE(text(), before);
  QTest::keyClicks(kernel, QStringLiteral(" x"));
  QTest::keyClicks(kernel, QStringLiteral(" 0"));  // nobody meant 5 x 5
  EXPECT_FALSE(part<QWidget>("error-kernel")->isHidden());
  EXPECT_EQ(kernel->text(), "5 x 0");
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(actions()["undo"]->isEnabled());
  QTest::keyClick(kernel, Qt::Key_Return);
  EXPECT_EQ(kernel->text(), "3 × 3");
  EXPECT_TRUE(part<QLabel>("error-kernel")->text().endsWith("The value is kept"));

  type("attribute-groups", "7");
  EXPECT_EQ(text(), before);
  EXPECT_EQ(part<QSpinBox>("attribute-groups")->value(), 1);
  type("attribute-groups", "75");  // 7 is on the way to it
  EXPECT_EQ(std::get<Conv>(controller().graph().op(key("sample.conv_a")).attributes).groups, 75);
  EXPECT_TRUE(part<QWidget>("error-groups")->isHidden());
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text(), before);
}

// Whatever ends the typing without asking the line first: another selection, another row, the operator's end.
TEST_F(GraphEditingTest, WhatIsBeingTypedIsOfTheOperatorThatWasShown) {
  editing(QStringLiteral("sample"));
  const auto typing = [&](const char* line, const char* name, const char* typed) {
    controller().select({key(name)});
    part<QLineEdit>(line)->setFocus();
    part<QLineEdit>(line)->selectAll();
    QTest::keyClicks(part<QLineEdit>(line), QString::fromLatin1(typed));
  };
  const auto d = key("sample.conv_d");
  typing("attribute-name", "sample.conv_a", "first");
  controller().select({d});
  EXPECT_EQ(controller().graph().op(d).name, "sample.conv_d");
  EXPECT_EQ(part<QLineEdit>("attribute-name")->text(), "sample.conv_d");
  typing("attribute-name", "first", "again");
  controller().select({key("first"), d});
  typing("attribute-part", "sample.conv_b", "half");
  controller().select({});
  EXPECT_EQ(controller().graph().parts().size(), 1U);
  typing("attribute-name", "sample.concat", "joined");
  part<QToolButton>("input-add")->click();
  EXPECT_EQ(controller().graph().op(key("joined")).inputs.size(), 4U);
  EXPECT_EQ(controller().graph().op(key("again")).name, "again");
  typing("attribute-name", "again", "gone");
  EXPECT_TRUE(controller().remove(Healing::kNone));
  EXPECT_TRUE(controller().selected().empty());
}

// The Inspector counts what is computed, and so does this.
TEST_F(GraphEditingTest, CountsTheOperatorsOfTheNetwork) {
  editing(QStringLiteral("sample"));
  const Graph& graph = *session_->document().graph;
  const auto computed = std::ranges::count_if(graph.operators(), [](const Operator& op) { return !op.is_source(); });
  ASSERT_LT(computed, static_cast<std::ptrdiff_t>(graph.operators().size()));
  EXPECT_EQ(part<QLabel>("graph-operators")->text(), QString::number(computed));
}

TEST_F(GraphEditingTest, AnEmptyDrawingIsNotUpToDate) {
  editing(QStringLiteral("sample"));
  const auto* state = part<StateLine>("state-line");
  EXPECT_TRUE(state->text().startsWith("Up to date")) << state->text().toStdString();
  controller().newGraph();
  EXPECT_TRUE(state->text().startsWith("The new graph is empty. sample: Up to date")) << state->text().toStdString();
}

TEST_F(GraphEditingTest, OtherModesSayWhatTheyLackOfTheDrawing) {
  editing(QStringLiteral("sample"));
  const auto* state = part<StateLine>("state-line");
  EXPECT_FALSE(state->text().contains("drawing"));
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
  EXPECT_TRUE(state->text().startsWith("The drawing has mistakes: 2 of its operators are left out here"))
      << state->text().toStdString();
  EXPECT_FALSE(state->isCurrent());
  auto* messages = window_->findChild<Toasts*>();
  EXPECT_TRUE(messages->text().contains("2 of its operators")) << messages->text().toStdString();
  auto* back = must(messages->shown().back()->findChild<QPushButton*>());
  QTest::mouseClick(back, Qt::LeftButton);
  EXPECT_EQ(window_->mode(), Mode::kEditGraph);

  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
  EXPECT_FALSE(state->text().contains("drawing")) << state->text().toStdString();

  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_Delete);
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
  EXPECT_TRUE(state->text().contains("the state before")) << state->text().toStdString();
}

TEST_F(GraphEditingTest, WhatIsPutOnAConnectionGetsRoomBetweenItsEnds) {
  editing(QStringLiteral("googlenet"));
  const auto place = [this](const char* name) { return box(name).box; };
  const canvas::Rect producer = place("inception3a.branch2.0");
  const canvas::Rect reader = place("inception3a.branch2.1");
  const std::size_t relu = Attributes(Activate{}).index();
  for (const char* made : {"relu1", "relu2", "relu3"}) {  // none of them fits in as it was
    ASSERT_TRUE(controller().insert(relu, {key("inception3a.branch2.1"), 0}));
    const canvas::Rect own = place(made);
    const canvas::Rect above = box(reads(made).front().c_str()).box;
    EXPECT_EQ(own.center().x, above.center().x);
    EXPECT_GT(own.y, above.bottom());
    EXPECT_LT(own.bottom(), place("inception3a.branch2.1").y);
  }
  EXPECT_EQ(place("inception3a.branch2.0").y, producer.y);
  EXPECT_GT(place("inception3a.branch2.1").y, reader.y);
  const auto& boxes = controller().scene().boxes();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      EXPECT_FALSE(boxes[i].box.intersects(boxes[j].box))
          << controller().graph().op(boxes[i].key).name << " and " << controller().graph().op(boxes[j].key).name;
    }
  }
  // Routes end where their operators are.
  for (const editor::EditWire& wire : controller().scene().wires()) {
    EXPECT_NEAR(wire.curve.front().y, boxes[wire.from].box.bottom(), 0.5);
    EXPECT_NEAR(wire.curve.back().y, boxes[wire.to].box.y, 0.5);
  }
}

TEST_F(GraphEditingTest, PiecesGoFromWindowToWindowAsText) {
  editing(QStringLiteral("sample"));
  QTest::keyClick(canvas(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_FALSE(QApplication::clipboard()->text().isEmpty());

  Session session(devices_);
  Jobs jobs(session, open_for_test);
  Settings settings(path("other.ini"));
  Controllers controllers(devices_, session, jobs);
  MainWindow other(session, jobs, controllers, settings, false);
  other.show();
  other.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
  QTest::keyClick(&other, Qt::Key_N, Qt::ControlModifier);
  EditCanvas* const to = other.graphEditing().canvas();
  QTest::keyClick(to, Qt::Key_V, Qt::ControlModifier);
  const auto made = must(other.graphEditing().controller().built());
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
  ASSERT_NE(controller().built(), nullptr);
  const NetworkId second = session_->networkId();
  EXPECT_NE(second, first);
  EXPECT_TRUE(session_->workspace().of_older_file(first));
  EXPECT_EQ(session_->workspace().runs_of(first).size(), runs);
  // Nothing was found of it yet, so the next edit is of the same version.
  type("attribute-kernel", "7");
  controller().built();
  EXPECT_EQ(session_->networkId(), second);
  EXPECT_EQ(session_->workspace().networks().size(), 2U);
}

TEST_F(GraphEditingTest, TheRestOfTheWindowFollowsAMomentAfterAnEdit) {
  editing(QStringLiteral("sample"));
  const auto before = session_->document().graph;
  click("sample.conv_a");
  type("attribute-out-channels", "96");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->document().graph != before; }, 20000));
  const Graph& graph = *session_->document().graph;
  EXPECT_EQ(std::get<Conv>(graph.op(*graph.find_operator("sample.conv_a")).attributes).out_channels, 96);
  const auto edited = session_->document().graph;
  controller().undo();
  window_->setMode(Mode::kExplore);  // who leaves does not wait
  EXPECT_NE(session_->document().graph, edited);
}

TEST_F(GraphEditingTest, MovingAnOperatorIsNoNewVersion) {
  editing(QStringLiteral("sample"));
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  EXPECT_TRUE(actions()["undo"]->isEnabled());
  controller().built();
  EXPECT_EQ(session_->workspace().networks().size(), 1U);
}

TEST_F(GraphEditingTest, DrawingGoesOnWhileASearchRuns) {
  editing(QStringLiteral("sample"));
  const NetworkId first = session_->networkId();
  jobs_->optimize();
  click("sample.conv_a");
  type("attribute-kernel", "5");
  ASSERT_NE(controller().built(), nullptr);
  EXPECT_NE(session_->networkId(), first);
  idle();
  EXPECT_NE(session_->networkId(), first);
  for (const WorkspaceRun* run : session_->workspace().runs_of(first))
    EXPECT_EQ(std::get<Conv>(run->run->comparison.graph->op(OperatorId(1)).attributes).kernel, (Extent{3, 3}));
}

TEST_F(GraphEditingTest, SlotsAreReorderedAddedAndTakenAway) {
  editing(QStringLiteral("sample"));
  click("sample.concat");
  const auto press = [this](const char* name) {
    auto* button = part<QToolButton>(name);
    ASSERT_NE(button, nullptr) << name;
    QTest::mouseClick(button, Qt::LeftButton);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  };
  const auto before = reads("sample.concat");
  ASSERT_EQ(before.size(), 3U);
  EXPECT_FALSE(part<QToolButton>("input-up-0")->isEnabled());
  EXPECT_FALSE(part<QToolButton>("input-down-2")->isEnabled());
  press("input-up-2");
  EXPECT_EQ(reads("sample.concat"), (std::vector<std::string>{before[0], before[2], before[1]}));
  press("input-remove-0");
  EXPECT_EQ(reads("sample.concat"), (std::vector<std::string>{before[2], before[1]}));
  press("input-add");
  EXPECT_EQ(reads("sample.concat"), (std::vector<std::string>{before[2], before[1], ""}));
  EXPECT_FALSE(part<QLineEdit>("input-channels-2")->isEnabled());
  for (int step = 0; step < 3; ++step) controller().undo();
  EXPECT_EQ(reads("sample.concat"), before);
  click("sample.conv_a");  // a convolution has one input, no more and no fewer
  EXPECT_EQ(part<QToolButton>("input-add"), nullptr);
  EXPECT_EQ(part<QToolButton>("input-remove-0"), nullptr);
}

TEST_F(GraphEditingTest, ASlotReadsSomeChannels) {
  editing(QStringLiteral("sample"));
  click("sample.conv_d");
  const auto shape = [this] { return part<QLabel>("input-0")->text(); };
  type("input-channels-0", "0 - 100");
  const auto& input = [this]() -> const EditInput& {
    return controller().graph().op(key("sample.conv_d")).inputs.front();
  };
  ASSERT_TRUE(input().channels);
  EXPECT_EQ(*input().channels, (ChannelRange{0, 100}));
  EXPECT_TRUE(shape().contains("100×15×15")) << shape().toStdString();
  const std::string some = text();
  type("input-channels-0", "0 - 9999");
  EXPECT_FALSE(part<QLabel>("error-channels-0")->isHidden());
  EXPECT_TRUE(part<QLabel>("error-channels-0")->text().contains("not 0 to 9999"));
  type("input-channels-0", "half");
  EXPECT_FALSE(part<QLabel>("error-channels-0")->isHidden());
  EXPECT_EQ(text(), some);
  auto* line = part<QLineEdit>("input-channels-0");
  line->setFocus();
  line->selectAll();
  QTest::keyClick(line, Qt::Key_Delete);
  canvas()->setFocus();
  EXPECT_FALSE(input().channels);
}

TEST_F(GraphEditingTest, UnitsAndPartsAreRenamed) {
  editing(QStringLiteral("sample"));
  click("sample.conv_d");
  type("attribute-unit", "block");
  type("attribute-part", "neck");
  const EditOperator& op = controller().graph().op(key("sample.conv_d"));
  EXPECT_EQ(controller().graph().unit(op.unit).name, "block");
  EXPECT_EQ(controller().graph().find(controller().graph().unit(op.unit).part)->name, "neck");
  QStringList refusals;
  QObject::connect(&controller(), &GraphController::refused, [&](const QString& reason) { refusals << reason; });
  type("attribute-unit", "sample.conv_a");  // another's
  EXPECT_EQ(refusals.size(), 1);
  EXPECT_EQ(part<QLineEdit>("attribute-unit")->text(), "block");
}

TEST_F(GraphEditingTest, TheGraphsNameAndABiasAreUndone) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  answer(QStringLiteral("other"));
  actions()["rename-graph"]->trigger();
  EXPECT_EQ(controller().graph().name(), "other");
  click("sample.conv_a");
  QTest::mouseClick(part<QCheckBox>("attribute-bias"), Qt::LeftButton);
  EXPECT_FALSE(controller().graph().op(key("sample.conv_a")).biased);
  EXPECT_FALSE(controller().built()->parameters()->has_bias(*controller().built()->find_operator("sample.conv_a")));
  controller().undo();
  EXPECT_TRUE(controller().graph().op(key("sample.conv_a")).biased);
  EXPECT_TRUE(part<QCheckBox>("attribute-bias")->isChecked());
  controller().undo();
  EXPECT_EQ(controller().graph().name(), "sample");
  EXPECT_EQ(text(), before);
}

TEST_F(GraphEditingTest, OperatorsOfThePaletteAreDropped) {
  editing(QStringLiteral("sample"));
  const auto drop = [this](std::size_t kind, const QPoint& at) {
    QMimeData data;
    data.setData(QLatin1String(kKindMimeType), QByteArray::number(static_cast<qulonglong>(kind)));
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &event);
  };
  const std::size_t relu = Attributes(Activate{}).index();
  const QPoint free = QPoint(canvas()->width() - 60, canvas()->height() - 40);
  const canvas::Point place = canvas()->toScene(free);
  drop(relu, free);
  const auto made = must(controller().graph().find_operator("relu1"));
  ASSERT_TRUE(controller().graph().op(made).place);
  EXPECT_NEAR(controller().graph().op(made).place->x, place.x, 1);
  EXPECT_NEAR(controller().graph().op(made).place->y, place.y, 1);
  EXPECT_EQ(reads("relu1"), (std::vector<std::string>{""}));

  drop(relu, on_wire_to("sample.conv_d"));
  EXPECT_FALSE(controller().graph().op(key("relu2")).place);  // the layout makes room for it
  EXPECT_EQ(reads("relu2"), (std::vector<std::string>{"sample.conv_a"}));
  EXPECT_EQ(reads("sample.conv_d"), (std::vector<std::string>{"relu2"}));
}

TEST_F(GraphEditingTest, WhatWasDrawnIsExported) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  type("attribute-out-channels", "96");
  const Graph drawn = test::built(controller().graph());

  test::Answers answers;
  answers.typeFile(path("drawn.json"));
  actions()["export-original-graph"]->trigger();
  EXPECT_TRUE(answers.given());
  const auto json = must(open_graph(path("drawn.json").toStdString()));
  ASSERT_EQ(json.graph->units().size(), drawn.units().size());
  EXPECT_EQ(std::get<Conv>(json.graph->op(*json.graph->find_operator("sample.conv_a")).attributes).out_channels, 96);

  answers.typeFile(path("drawn.onnx"));
  actions()["export-onnx"]->trigger();
  idle();
  EXPECT_TRUE(answers.given());
  const auto onnx = must(open_graph(path("drawn.onnx").toStdString()));
  ASSERT_EQ(onnx.graph->units().size(), drawn.units().size());
  EXPECT_EQ(std::get<Conv>(onnx.graph->op(*onnx.graph->find_operator("sample.conv_a")).attributes).out_channels, 96);
}

TEST_F(GraphEditingTest, OperatorsAreFound) {
  editing(QStringLiteral("sample"));
  QTest::keyClick(canvas(), Qt::Key_F, Qt::ControlModifier);
  auto* bar = must(canvas()->findChild<QWidget*>(QStringLiteral("canvas-find")));
  ASSERT_TRUE(bar->isVisible());
  auto* line = bar->findChild<QLineEdit*>();
  QTest::keyClicks(line, QStringLiteral("conv_b"));
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_EQ(controller().selected(), std::vector{key("sample.conv_b")});
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral("SAMPLE conv"));  // of name or kind, all but the input; the sum of both words
  std::vector<OperatorKey> gone;
  for (int step = 0; step < 4; ++step) {
    QTest::keyClick(line, Qt::Key_Return);
    ASSERT_EQ(controller().selected().size(), 1U);
    gone.push_back(controller().selected().front());
  }
  EXPECT_EQ(std::set<OperatorKey>(gone.begin(), gone.end()).size(), 4U);
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral("nothing like it"));
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_EQ(controller().selected(), std::vector{gone.back()});
  QTest::keyClick(line, Qt::Key_Escape);
  EXPECT_FALSE(bar->isVisible());
  EXPECT_TRUE(canvas()->hasFocus());
}

TEST_F(GraphEditingTest, AssistiveTechnologyReadsTheDrawing) {
  editing(QStringLiteral("sample"));
  QAccessibleInterface* face = must(QAccessible::queryAccessibleInterface(canvas()));
  ASSERT_EQ(face->childCount(), static_cast<int>(controller().graph().operators().size()));
  QStringList names;
  for (int i = 0; i < face->childCount(); ++i) names << face->child(i)->text(QAccessible::Name);
  const QString concat = names.filter(QStringLiteral("sample.concat,")).value(0);
  EXPECT_TRUE(concat.contains("reads sample.conv_b, sample.conv_c, sample.conv_d"))
      << names.join(QLatin1Char('\n')).toStdString();
  QAccessibleInterface* last = face->child(face->childCount() - 1);
  last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  ASSERT_EQ(controller().selected().size(), 1U);
  EXPECT_TRUE(last->state().selected);
  EXPECT_FALSE(face->child(0)->state().selected);
  const QPoint middle_of_last = last->rect().center();
  EXPECT_EQ(face->childAt(middle_of_last.x(), middle_of_last.y()), last);
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  names.clear();
  for (int i = 0; i < face->childCount(); ++i) names << face->child(i)->text(QAccessible::Name);
  EXPECT_FALSE(names.filter(QStringLiteral("has no inputs yet")).isEmpty())
      << names.join(QLatin1Char('\n')).toStdString();
}

TEST_F(GraphEditingTest, WhatWasEditedLeavesItsOriginalToBeOpened) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  type("attribute-out-channels", "96");
  controller().built();
  auto* box = part<QComboBox>("network");
  EXPECT_EQ(box->currentText(), "sample, edited");
  const int original = box->findData(QStringLiteral("sample"));
  ASSERT_GE(original, 0);
  box->setCurrentIndex(original);
  emit box->activated(original);
  idle();
  EXPECT_EQ(std::get<Conv>(controller().graph().op(key("sample.conv_a")).attributes).out_channels, 375);
  EXPECT_NE(box->currentText(), "sample, edited");
}

TEST_F(GraphEditingTest, ConnectionsBetweenColumnsOfPartsKeepOutOfOperators) {
  editing(QStringLiteral("inception_v3"));
  const editor::EditScene& scene = controller().scene();
  const EditableGraph& graph = controller().graph();
  const auto part_of = [&](const editor::EditBox& box) {
    const EditUnit* unit = graph.find(graph.op(box.key).unit);
    return unit == nullptr ? PartKey() : unit->part;
  };
  std::size_t between = 0;
  for (const editor::EditWire& wire : scene.wires()) {
    const editor::EditBox& from = scene.boxes()[wire.from];
    const editor::EditBox& to = scene.boxes()[wire.to];
    if (part_of(from) == part_of(to) || to.box.y > from.box.bottom()) continue;  // to another column
    ++between;
    for (std::size_t i = 0; i + 3 < wire.curve.size(); i += 3) {
      const canvas::Point& a = wire.curve[i];
      const canvas::Point& b = wire.curve[i + 3];
      for (int step = 1; step < 20; ++step) {
        const canvas::Point at{a.x + (b.x - a.x) * step / 20, a.y + (b.y - a.y) * step / 20};
        const auto hit = scene.boxAt(at);
        EXPECT_TRUE(!hit || *hit == wire.from || *hit == wire.to)
            << graph.op(from.key).name << " to " << graph.op(to.key).name << " crosses "
            << graph.op(scene.boxes()[*hit].key).name;
      }
    }
  }
  EXPECT_GT(between, 0U);
}

// ---- What is kept of it ----

class KeptDrawingTest : public GraphEditingTest {
 protected:
  // Saves what is open as a project and opens that in another window.
  void reopen() {
    const QString file = path("drawn.iosproj");
    jobs_->saveProject(file);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->saving(); }, 60000));
    EXPECT_FALSE(session_->editor().modified());
    window_.reset();
    controllers_.reset();
    jobs_.reset();
    session_ = std::make_unique<Session>(devices_);
    jobs_ = std::make_unique<Jobs>(*session_, open_for_test);
    controllers_ = std::make_unique<Controllers>(devices_, *session_, *jobs_);
    window_ = std::make_unique<MainWindow>(*session_, *jobs_, *controllers_, settings_, false);
    window_->resize(1600, 1000);
    window_->show();
    jobs_->open(file);
    idle();
  }
};

TEST_F(KeptDrawingTest, AProjectBringsPlacesAndOpenEndsBack) {
  editing(QStringLiteral("sample"));
  EXPECT_FALSE(session_->editor().modified());
  click("sample.conv_b");
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  EXPECT_TRUE(session_->editor().modified());
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  const std::string drawn = text();
  const auto place = controller().graph().op(key("sample.conv_b")).place;
  ASSERT_TRUE(place);
  controller().built();
  reopen();
  activate();
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  EXPECT_EQ(text(), drawn);
  EXPECT_EQ(controller().graph().op(key("sample.conv_b")).place, place);
  EXPECT_EQ(part<QTreeWidget>("problems")->topLevelItemCount(), 1);
  EXPECT_FALSE(session_->editor().modified());
  // It goes on from there.
  pull(output("sample.conv_c"), input("sample.conv_d", 0));
  EXPECT_EQ(test::problems(controller().graph()), "");
  ASSERT_NE(controller().built(), nullptr);
  EXPECT_EQ(session_->document().graph, controller().built());
}

TEST_F(KeptDrawingTest, WhatCannotBeComputedAtAllIsKeptToo) {
  startNew();
  EXPECT_FALSE(session_->editor().modified());
  add("conv");
  rename("lonely");
  EXPECT_EQ(controller().built(), nullptr);
  EXPECT_TRUE(session_->editor().modified());  // so closing asks
  const std::string drawn = text();
  reopen();
  EXPECT_EQ(window_->mode(), Mode::kEditGraph);
  EXPECT_EQ(text(), drawn);
  EXPECT_EQ(session_->workspace().drawings().size(), 1U);
}

TEST_F(KeptDrawingTest, UnfinishedGraphsAreFoundAgain) {
  startNew();
  add("conv");
  const std::string first = text();
  startNew();
  add("activation");
  editing(QStringLiteral("sample"));
  auto* menu = must(part<QMenu>("unfinished"));
  ASSERT_EQ(menu->actions().size(), 2);
  menu->actions().front()->trigger();
  EXPECT_EQ(text(), first);
  EXPECT_TRUE(actions()["undo"]->isEnabled());
  QTest::keyClick(canvas(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_Delete);
  EXPECT_EQ(menu->actions().size(), 1);  // of nothing nothing is kept
}

TEST_F(KeptDrawingTest, WhatWasAllUndoneIsNotKept) {
  editing(QStringLiteral("sample"));
  click("sample.conv_b");
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  EXPECT_EQ(session_->workspace().drawings().size(), 1U);
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(session_->workspace().drawings().empty());
}

TEST_F(KeptDrawingTest, TheLastSessionHasIt) {
  {
    Autosave autosave(*session_, folder_.path());
    startNew();
    add("conv");
  }
  const auto kept = must(open_kept_project(path("last-session.iosproj").toStdString()));
  ASSERT_EQ(kept.workspace.drawings().size(), 1U);
  EXPECT_EQ(edit_to_text(*kept.workspace.drawings().front().graph), text());
}

TEST_F(KeptDrawingTest, AnotherProjectTakesThePlaceOfAllDrawings) {
  startNew();
  add("conv");
  const QString file = path("first.iosproj");
  jobs_->saveProject(file);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->saving(); }, 60000));
  const std::string first = text();
  add("activation");
  jobs_->saveProject(path("second.iosproj"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->saving(); }, 60000));
  jobs_->open(file);
  idle();
  EXPECT_EQ(text(), first);
  EXPECT_FALSE(actions()["undo"]->isEnabled());
  EXPECT_EQ(session_->workspace().drawings().size(), 1U);
}

TEST_F(GraphEditingTest, ASizeIsChangedWithWhatFollows) {
  editing(QStringLiteral("sample"));
  const std::string before = text();
  EXPECT_TRUE(controller().resize(SweepParameter::kChannels, QStringLiteral("sample.conv_a"), 64));
  EXPECT_EQ(std::get<Conv>(controller().graph().op(key("sample.conv_a")).attributes).out_channels, 64);
  EXPECT_EQ(test::problems(controller().graph()), "");
  EXPECT_TRUE(controller().resize(SweepParameter::kInputSize, {}, 30));
  EXPECT_EQ(std::get<Input>(controller().graph().op(key("input")).attributes).shape, (Shape{375, 30, 30}));
  EXPECT_FALSE(controller().resize(SweepParameter::kKernel, QStringLiteral("nobody"), 3));
  EXPECT_FALSE(controller().resize(SweepParameter::kBatch, {}, 3));
  controller().undo();
  controller().undo();
  EXPECT_EQ(text(), before);
}

// ---- What it takes ----

class EditLatenciesTest : public GraphEditingTest {
 protected:
  EditLatencies& latencies() { return window_->graphEditing().latencies(); }
  QString line() { return part<QLabel>("edit-latencies")->text(); }
  // Of the drawing, once all three are known.
  EditLatencies::Figures known() {
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return latencies().figures() != nullptr && latencies().figures()->now.found; }, 60000))
        << line().toStdString();
    return latencies().figures() == nullptr ? EditLatencies::Figures{} : *latencies().figures();
  }
  void widen(const char* channels, const char* name = "sample.conv_a") {
    click(name);
    type("attribute-out-channels", channels);
  }
};

TEST_F(EditLatenciesTest, AnEditChangesTheFiguresAndUndoBringsThemBack) {
  editing(QStringLiteral("sample"));
  const LiveFigures first = known().now;
  ASSERT_TRUE(first.found);
  const Comparison& compared = *session_->comparison();
  const auto is = [&](const Latency& latency, ScheduleKind kind) {
    EXPECT_DOUBLE_EQ(latency.value.count(), compared.find(kind)->latency.value.count());
  };
  is(first.sequential, ScheduleKind::kSequential);
  is(first.greedy, ScheduleKind::kGreedy);
  is(first.found->ios, ScheduleKind::kIosBoth);
  is(first.found->list.value(), ScheduleKind::kList);
  EXPECT_EQ(latencies().site(), nullptr);
  EXPECT_FALSE(line().contains("▲"));

  widen("750");
  const EditLatencies::Figures larger = known();
  ASSERT_TRUE(larger.now.found);
  EXPECT_GT(larger.now.sequential.value, first.sequential.value);
  EXPECT_GT(larger.now.found->ios.value, first.found->ios.value);
  ASSERT_TRUE(larger.before);
  EXPECT_EQ(larger.before->found, first.found);
  ASSERT_NE(latencies().site(), nullptr);
  EXPECT_EQ(latencies().site()->operators, std::vector{key("sample.conv_a")});
  EXPECT_TRUE(line().contains("▲")) << line().toStdString();
  EXPECT_TRUE(line().contains("simulated")) << line().toStdString();

  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return latencies().figures() != nullptr; }, 60000));
  const EditLatencies::Figures back = *latencies().figures();
  EXPECT_EQ(back.now.sequential, first.sequential);
  EXPECT_EQ(back.now.greedy, first.greedy);
  EXPECT_EQ(back.now.found, first.found);  // known, not searched for again
  EXPECT_EQ(back.before->sequential, larger.now.sequential);
  EXPECT_TRUE(line().contains("▼")) << line().toStdString();
}

// The first page of the guide has a table of what its two pictures show.
TEST_F(EditLatenciesTest, TheTableOfTheGuideIsWhatItsPicturesShow) {
  editing(QStringLiteral("sample"));
  const LiveFigures before = known().now;
  ASSERT_TRUE(controller().resize(SweepParameter::kKernel, QStringLiteral("sample.conv_b"), 5));
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return latencies().figures() != nullptr && latencies().figures()->now.sequential != before.sequential; }));
  const LiveFigures after = known().now;
  for (const char* page : {"draw.md", "draw.zh_CN.md"}) {
    QFile file(QStringLiteral(":/help/guide/") + QString::fromLatin1(page));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << page;
    const QString text = QString::fromUtf8(file.readAll());
    for (const auto& [was, is] :
         {std::pair(before.sequential, after.sequential), std::pair(before.greedy, after.greedy),
          std::pair(before.found->ios, after.found->ios),
          std::pair(before.found->list.value(), after.found->list.value())}) {
      const QString row = QStringLiteral("| %1 | %2 |").arg(latency_text(was), latency_text(is));
      EXPECT_TRUE(text.contains(row)) << page << " lacks " << row.toStdString();
      EXPECT_TRUE(line().replace(QChar(0xA0), QLatin1Char(' ')).contains(latency_text(is))) << line().toStdString();
    }
  }
}

TEST_F(EditLatenciesTest, WhereTheEditWasItsChangeIsPainted) {
  editing(QStringLiteral("sample"));
  known();
  widen("750");
  known();
  controller().select({});
  canvas()->clearFocus();
  const QImage with = canvas()->grab().toImage();
  const QRect beside = canvas()->labelShown().toAlignedRect();
  ASSERT_FALSE(beside.isEmpty());
  for (const editor::EditBox& each : controller().scene().boxes())
    EXPECT_FALSE(canvas()->rectOf(each).intersects(beside)) << controller().graph().op(each.key).name;
  EXPECT_LT((beside.center() - middle("sample.conv_a")).manhattanLength(), 400);
  QSet<QRgb> colours;
  for (int y = beside.top(); y < beside.bottom(); ++y) {
    for (int x = beside.left(); x < beside.right(); ++x) colours << with.pixel(x, y);
  }
  EXPECT_GT(colours.size(), 6) << "no text beside the edited operator";
}

TEST_F(EditLatenciesTest, MovingAnOperatorAsksForNothing) {
  editing(QStringLiteral("sample"));
  known();
  QSignalSpy changes(&latencies(), &EditLatencies::changed);
  pull(middle("sample.conv_b"), middle("sample.conv_b") + QPoint(-60, 30));
  EXPECT_TRUE(actions()["undo"]->isEnabled());
  EXPECT_NE(latencies().figures(), nullptr);
  EXPECT_EQ(changes.count(), 0);
}

TEST_F(EditLatenciesTest, ASecondEditEndsTheSearchOfTheFirst) {
  devices_.add({ScriptedDevice::make_info(),
                [behaviour = behaviour_]() -> Result<std::unique_ptr<Device>> {
                  return std::make_unique<ScriptedDevice>(behaviour);
                },
                {}});
  editing(QStringLiteral("sample"));
  test::set(*session_, [](RunSettings& settings) { settings.device = ScriptedDevice::make_info().id; });
  known();
  widen("750");
  behaviour_->plan_millis = 200;
  ASSERT_TRUE(QTest::qWaitFor([this] { return latencies().searching(); }, 60000));
  EXPECT_FALSE(latencies().figures()->now.found);
  widen("900", "sample.conv_b");
  behaviour_->plan_millis = 0;
  EXPECT_FALSE(latencies().searching());
  EXPECT_EQ(latencies().figures(), nullptr);  // of the first edit they are no more
  known();
  // Nobody knows what the first one's search would have found.
  controller().undo();
  ASSERT_TRUE(QTest::qWaitFor([this] { return latencies().figures() != nullptr; }, 60000));
  EXPECT_FALSE(latencies().figures()->now.found);
  known();
}

TEST_F(EditLatenciesTest, WhatCanBeComputedHasItsLatenciesAndTheRestIsSaid) {
  editing(QStringLiteral("sample"));
  const LiveFigures whole = known().now;
  pull(input("sample.conv_d", 0), QPoint(12, 12));
  const EditLatencies::Figures rest = known();
  EXPECT_EQ(rest.now.left_out, 2U);  // the concatenation reads it
  EXPECT_LT(rest.now.sequential.value, whole.sequential.value);
  const QString why = message_text(controller().check().problems.front().wording);
  EXPECT_EQ(latencies().reasonLeftOut(), why);
  EXPECT_TRUE(part<QLabel>("edit-latencies")->toolTip().contains(why.toHtmlEscaped()));
  EXPECT_TRUE(line().contains(QStringLiteral("left out: 2").replace(QLatin1Char(' '), QChar(0xA0))))
      << line().toStdString();
  EXPECT_FALSE(line().contains("▼")) << "that something is missing makes nothing faster";

  // What is edited next is compared with nothing either; once it is whole again, with what was whole.
  widen("750");
  EXPECT_FALSE(known().now.left_out == 0);
  EXPECT_FALSE(line().contains("▲")) << line().toStdString();
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
  const EditLatencies::Figures back = known();
  EXPECT_EQ(back.now.sequential, whole.sequential);
  ASSERT_TRUE(back.before);
  EXPECT_EQ(back.before->sequential, whole.sequential);
  EXPECT_FALSE(line().contains("left")) << line().toStdString();

  startNew();
  EXPECT_EQ(latencies().figures(), nullptr);
  EXPECT_EQ(latencies().problem(), "the drawing computes nothing");
  add("convolution");
  EXPECT_EQ(latencies().problem(), message_text(controller().check().problems.front().wording));
}

TEST_F(EditLatenciesTest, ADeviceThatMeasuresIsAskedOnlyWhereThatIsWanted) {
  editing(QStringLiteral("sample"));
  known();
  EXPECT_TRUE(part<QWidget>("edit-measure")->isHidden());
  choose(ScriptedDevice::make_info(ScriptedKind::kComputer).id.c_str());
  EXPECT_EQ(known().device.origin, Origin::kSimulated);
  EXPECT_EQ(behaviour_->measured, 0);
  EXPECT_FALSE(part<QWidget>("edit-measure")->isHidden());

  QTest::mouseClick(part<QToolButton>("edit-measure"), Qt::LeftButton);
  idle();
  ASSERT_NE(latencies().figures(), nullptr);
  EXPECT_EQ(latencies().figures()->now.sequential.origin, Origin::kMeasured);
  EXPECT_GT(latencies().figures()->now.found->ios.spread.count(), 0);
  EXPECT_TRUE(line().contains("measured")) << line().toStdString();
  widen("750");
  EXPECT_EQ(known().now.sequential.origin, Origin::kSimulated);

  QTest::mouseClick(part<QCheckBox>("edit-always"), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor(
      [this] {
        const auto* figures = latencies().figures();
        return figures != nullptr && figures->now.sequential.origin == Origin::kMeasured;
      },
      60000));
  ASSERT_TRUE(latencies().figures()->before);  // what was measured before the edit, not what was simulated
  EXPECT_EQ(latencies().figures()->before->sequential.origin, Origin::kMeasured);
}

TEST_F(GraphEditingTest, ASelectionBecomesATemplateOfOnesOwn) {
  editing(QStringLiteral("sample"));
  click("sample.conv_a");
  click("sample.conv_d", Qt::ControlModifier);
  answer(QStringLiteral("two convs"));
  actions()["save-template"]->trigger();
  const std::size_t before = controller().graph().operators().size();
  click("sample.conv_c");
  add("two convs");
  EXPECT_EQ(controller().graph().operators().size(), before + 2);
  ASSERT_EQ(controller().selected().size(), 2U);
  EXPECT_EQ(controller().graph().op(controller().selected().front()).inputs.front().producer, key("sample.conv_c"));
}

TEST_F(GraphEditingTest, TemplatesNeverCoverWhatIsThere) {
  editing(QStringLiteral("sample"));
  const auto no_overlap = [this] {
    const auto& boxes = controller().scene().boxes();
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (boxes[a].box.intersects(boxes[b].box)) return false;
      }
    }
    return true;
  };
  ASSERT_TRUE(no_overlap());
  const canvas::Point middle = controller().scene().bounds().center();
  std::size_t operators = controller().graph().operators().size();
  for (const GraphTemplate& each : graph_templates()) {
    for (int again = 0; again < 2; ++again) {
      const Fragment fragment = each.make();
      ASSERT_TRUE(controller().insertFragment(fragment, CanvasPlace{middle.x, middle.y}, false)) << each.id;
      operators += fragment.graph.operators().size();
      EXPECT_EQ(controller().graph().operators().size(), operators);
      EXPECT_TRUE(no_overlap()) << each.id << " dropped in the middle of the drawing, time " << again + 1;
    }
  }
  // The same after a selected operator, below which others stand.
  for (int again = 0; again < 3; ++again) {
    controller().select({key("sample.conv_a")});
    ASSERT_TRUE(controller().insertFragment(graph_templates().front().make(), std::nullopt, true));
    EXPECT_TRUE(no_overlap()) << "after conv_a, time " << again + 1;
  }
}

TEST_F(GraphEditingTest, TheBuiltInTemplatesAreSound) {
  for (const GraphTemplate& each : graph_templates()) {
    const bool tokens = each.input.starts_with("tokens");
    EditableGraph graph;
    EditOperator source{.name = "input", .attributes = Input{tokens ? Shape{49, 64} : Shape{64, 28, 28}}, .inputs = {}};
    const OperatorKey from = graph.add(std::move(source));
    InsertOptions options{.feed = EditInput{from, std::nullopt}};
    apply(graph, insert_fragment(graph, each.make(), options).patch);
    EXPECT_EQ(test::problems(graph), "") << each.id;
    EXPECT_GT(test::built(graph).units().size(), 0U) << each.id;
  }
}

}  // namespace
}  // namespace iosx
