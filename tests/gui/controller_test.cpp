// What surrounds the work: messages, the command palette, keys, the start page, hints, menus, what is remembered.

#include "app/gui/arguments.h"
#include "core/analysis/compare/compare.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/graphs.h"
#include "tests/views/tables/column_of.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/window/actions/command_palette.h"
#include "views/window/actions/key_sheet.h"
#include "views/window/actions/keys.h"
#include "views/window/base/table_view.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/panels.h"
#include "views/window/panels/status_bar.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/start/help.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

using test::WindowTest;

class ControllerTest : public WindowTest {
 protected:
  QString state() { return part<StateLine>("state-line")->text(); }
  // The menu that is on the screen, as an event that opens it would leave it; its actions' texts.
  QStringList menuOf(const std::function<void()>& open) {
    QStringList texts;
    QTimer::singleShot(0, qApp, [&texts] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) return;
      for (const QAction* action : menu->actions()) {
        if (action->isEnabled() || action->isSeparator()) texts << plain_text(action->text());
      }
      menu->close();
    });
    open();
    return texts;
  }
};

// ---- Messages

TEST_F(ControllerTest, AMessageMovesNothing) {
  open(QStringLiteral("sample"));
  QCoreApplication::processEvents();
  const QWidget* graph = window_->views().graph();
  const QRect before = graph->geometry();
  const QSize size = window_->size();
  window_->messages().showError(QStringLiteral("something long enough to need several lines ").repeated(6));
  window_->messages().showNote(QStringLiteral("a note"), {QStringLiteral("Do it"), [] {}});
  QCoreApplication::processEvents();
  EXPECT_EQ(graph->geometry(), before);
  EXPECT_EQ(window_->size(), size);
  ASSERT_EQ(window_->messages().shown().size(), 2U);
  const auto& shown = window_->messages().shown();
  const auto all_in = [&](const QWidget* widget) {
    const QRect place(widget->mapTo(window_.get(), QPoint(0, 0)), widget->size());
    EXPECT_FALSE(shown[0]->geometry().intersects(shown[1]->geometry()));
    return std::ranges::all_of(shown, [&](const Toast* toast) { return place.contains(toast->geometry()); });
  };
  auto* tree = part<QWidget>("project-tree");
  EXPECT_TRUE(all_in(tree));  // which leaves the graph clear
  EXPECT_FALSE(all_in(graph));
  part<QDockWidget>("project")->hide();
  QCoreApplication::processEvents();
  EXPECT_TRUE(all_in(graph));
}

// Otherwise Space would press a button of the tool bar.
TEST_F(ControllerTest, AModeBeginsWithTheKeyboardInItsView) {
  window_->start(QStringLiteral("sample"), false);
  EXPECT_EQ(window_->focusWidget(), window_->views().graph());
  window_->setMode(Mode::kCompare);
  EXPECT_EQ(window_->focusWidget(), window_->views().compared()->page()->canvases()->canvasA());
}

TEST_F(ControllerTest, ErrorsAndOffersStayAndNotesGo) {
  Toasts& messages = window_->messages();
  messages.showNote(QStringLiteral("passing"));
  messages.showError(QStringLiteral("broken"));
  bool taken = false;
  messages.showNote(QStringLiteral("sizes are open"), {QStringLiteral("Choose"), [&] { taken = true; }});
  EXPECT_EQ(messages.text(), "passing\nbroken\nsizes are open");
  messages.shown().front()->closeAfter(0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return messages.shown().size() == 2; }));
  EXPECT_TRUE(messages.showsError());
  messages.showError(QStringLiteral("broken"));  // is there already
  EXPECT_EQ(messages.shown().size(), 2U);
  auto* offer = must(messages.shown().back()->findChild<QPushButton*>(QStringLiteral("toast-offer")));
  QTest::mouseClick(offer, Qt::LeftButton);
  EXPECT_TRUE(taken);
  EXPECT_EQ(messages.text(), "broken");
  EXPECT_EQ(messages.history().size(), 3U);
}

TEST_F(ControllerTest, MessagesCloseByTheKeyboard) {
  Toasts& messages = window_->messages();
  messages.showError(QStringLiteral("first"));
  messages.showError(QStringLiteral("second"));
  window_->actionsOfWindow()["focus-message"]->trigger();
  QWidget* focus = must(window_->focusWidget());
  EXPECT_TRUE(messages.shown().back()->isAncestorOf(focus));
  QTest::keyClick(focus, Qt::Key_Escape);
  EXPECT_EQ(messages.text(), "first");
  window_->actionsOfWindow()["close-message"]->trigger();
  EXPECT_TRUE(messages.shown().empty());
}

TEST_F(ControllerTest, AMessageIsReadToThoseWhoDoNotSeeIt) {
  QAccessible::setActive(true);
  static std::vector<std::pair<QAccessible::Event, QObject*>> told;
  told.clear();
  const auto before = QAccessible::installUpdateHandler(
      [](QAccessibleEvent* event) { told.emplace_back(event->type(), event->object()); });
  window_->messages().showError(QStringLiteral("the file is <b>broken</b>"));
  QAccessible::installUpdateHandler(before);
  Toast* toast = window_->messages().shown().front();
  // Qt tells events only where assistive technology runs.
  const bool heard =
      std::ranges::find(told, std::pair<QAccessible::Event, QObject*>(QAccessible::Alert, toast)) != told.end();
  EXPECT_EQ(heard, QAccessible::isActive());
  QAccessibleInterface* face = must(QAccessible::queryAccessibleInterface(toast));
  EXPECT_EQ(face->role(), QAccessible::AlertMessage);
  EXPECT_EQ(face->text(QAccessible::Name), "Error: the file is <b>broken</b>");
  EXPECT_EQ(toast->findChild<QLabel*>(QStringLiteral("toast-text"))->textFormat(), Qt::PlainText);
}

TEST_F(ControllerTest, ManyMessagesAreKeptInTheHistory) {
  Toasts& messages = window_->messages();
  for (int i = 0; i < 10; ++i) messages.showNote(QStringLiteral("note %1").arg(i));
  messages.showError(QStringLiteral("long ").repeated(200'000));  // laid out as far as it fits
  EXPECT_EQ(messages.shown().size(), Toasts::kMostAtOnce);
  auto* button = part<QToolButton>("messages");
  ASSERT_TRUE(QTest::qWaitFor([&] { return button->isVisible(); }));
  EXPECT_TRUE(button->text().contains("11"));
  QTest::mouseClick(button, Qt::LeftButton);
  auto* table = must(part<QTableWidget>("message-table"));
  EXPECT_EQ(table->rowCount(), 11);
  EXPECT_EQ(table->item(10, 2)->text(), "note 0");
  EXPECT_EQ(table->item(0, 1)->text(), "Error");
}

// ---- What is shown, and whether it is current

TEST_F(ControllerTest, OtherSettingsAreSaidWithWhatDiffers) {
  open(QStringLiteral("sample"));
  EXPECT_EQ(state(), QString::fromUtf8("Up to date – Simulated Tesla V100-SXM2, batch 1"));
  part<QSpinBox>("batch")->setValue(16);
  part<QSpinBox>("r")->setValue(8);
  EXPECT_EQ(state(),
            QString::fromUtf8("Settings changed – Optimize to update (shown: Simulated Tesla V100-SXM2, batch 1)"));
  EXPECT_TRUE(part<StateLine>("state-line")->toolTip().contains("batch 1, now 16; Units per group (r) 3, now 8"));
  EXPECT_TRUE(window_->messages().text().isEmpty());
  int optimize = 0;
  for (const auto* button : window_->findChildren<QAbstractButton*>()) {
    optimize += button->isVisible() && button->text() == QStringLiteral("Optimize") ? 1 : 0;
  }
  EXPECT_EQ(optimize, 1);
}

// ---- Command palette

TEST_F(ControllerTest, ThePaletteHasEveryActionOfTheMenus) {
  const auto entries = entries_of_menus(*window_, {});
  const Actions& actions = window_->actionsOfWindow();
  const auto has = [&](const QAction* action) {
    return std::ranges::any_of(entries,
                               [&](const PaletteEntry& entry) { return entry.item.id == action->objectName(); });
  };
  for (const QAction* action : window_->actions()) {
    if (action->objectName().isEmpty()) continue;
    EXPECT_TRUE(has(action)) << action->objectName().toStdString();
  }
  const auto verify = std::ranges::find_if(
      entries, [&](const PaletteEntry& entry) { return entry.item.id == actions["verify"]->objectName(); });
  ASSERT_NE(verify, entries.end());
  EXPECT_EQ(verify->item.place, "Schedule");
  EXPECT_EQ(verify->reason, "There is no schedule yet");
  for (const PaletteEntry& entry : entries) EXPECT_EQ(entry.reason.isEmpty(), entry.item.enabled);
}

// An action that has a control is in no menu, and rare ones are below Advanced; the palette has all of them.
TEST_F(ControllerTest, TheMenusAreShort) {
  const Actions& actions = window_->actionsOfWindow();
  const std::vector<const QMenu*> contents{actions.menu("zoo"), actions.menu("recent"), actions.menu("unfinished")};
  const std::function<int(const QMenu*)> entries = [&](const QMenu* menu) {
    int count = 0;
    for (const QAction* action : menu->actions()) {
      const QMenu* below = action->menu();
      if (action->isSeparator()) continue;
      if (below == nullptr || std::ranges::find(contents, below) != contents.end()) {
        ++count;
      } else if (!below->title().contains("vanced")) {
        count += entries(below);
      }
    }
    return count;
  };
  int count = 0;
  for (const QAction* top : window_->menuBar()->actions()) count += entries(top->menu());
  EXPECT_LE(count, 69);
  EXPECT_FALSE(actions.place(actions["colour-flops"]).isEmpty());
  const auto palette = entries_of_menus(*window_, {});
  for (const char* id : {"colour-flops", "next-schedule", "align-left", "export-timeline", "predictors", "mode-compare",
                         "zoom-in", "legend", "experiment-devices", "export-onnx", "export-original-graph", "save-run",
                         "save-page", "export-animation", "pause", "external-matches"}) {
    EXPECT_EQ(std::ranges::count_if(palette, [id](const PaletteEntry& entry) { return entry.item.id == id; }), 1) << id;
  }
}

TEST_F(ControllerTest, NoTwoActionsHaveOneKeyOrOneId) {
  std::vector<QString> ids;
  std::vector<QString> keys;
  for (const QAction* action : window_->actions()) {
    if (!action->objectName().isEmpty()) ids.push_back(action->objectName());
    if (!action->shortcut().isEmpty()) keys.push_back(action->shortcut().toString());
  }
  std::ranges::sort(ids);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST_F(ControllerTest, ThePaletteOpensNetworksShowsSchedulesAndRemembers) {
  const auto type = [&](const char* letters) {
    window_->actionsOfWindow()["palette"]->trigger();
    auto* typed = part<QLineEdit>("palette-typed");
    if (typed == nullptr) return;
    QTest::keyClicks(typed, QString::fromLatin1(letters));
    QTest::keyClick(typed, Qt::Key_Return);
    QTest::qWait(10);  // the command runs when the palette has gone
  };
  type("open iossamp");
  idle();
  ASSERT_TRUE(session_->comparison());
  EXPECT_EQ(session_->source(), "sample");
  type("show greedy");
  EXPECT_EQ(session_->comparison()->results[session_->activeSchedule()].id, ScheduleId("greedy"));
  EXPECT_EQ(settings_.recentCommands(),
            (QStringList{QStringLiteral("schedule/greedy"), QStringLiteral("network/sample")}));
  EXPECT_EQ(window_->actionsOfWindow()["palette"]->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+P")));
  window_->actionsOfWindow()["palette"]->trigger();
  auto* list = must(part<QListView>("palette-list"));
  EXPECT_EQ(list->model()->index(0, 0).data().toString(), "Show Greedy");
  // What cannot be done now says why and does nothing.
  auto* typed = part<QLineEdit>("palette-typed");
  QTest::keyClicks(typed, QStringLiteral("profile schedule"));
  EXPECT_TRUE(list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains("simulated"));
  QTest::keyClick(typed, Qt::Key_Return);
  EXPECT_TRUE(list->isVisible());
  QTest::keyClicks(typed, QStringLiteral(" zzz"));
  EXPECT_FALSE(list->isVisible());
  EXPECT_TRUE(part<QLabel>("palette-nothing")->isVisible());
  QTest::keyClick(typed, Qt::Key_Escape);
  EXPECT_TRUE(QTest::qWaitFor([&] { return part<QListView>("palette-list") == nullptr; }));
}

TEST_F(ControllerTest, ThePaletteHasADeviceForEachCard) {
  std::vector<std::string> chosen;
  const auto entries = entries_of_devices(*session_, [&](const std::vector<std::string>& ids) { chosen = ids; });
  EXPECT_LE(entries.size(), 16U);
  const auto h200 = std::ranges::find_if(
      entries, [](const PaletteEntry& entry) { return entry.item.title == QStringLiteral("Device: H200-SXM \u25B8"); });
  ASSERT_NE(h200, entries.end());
  EXPECT_TRUE(h200->item.place.contains("bfloat16")) << "found by the way that it computes";
  h200->run();
  ASSERT_EQ(chosen.size(), 5U);
  std::string used;
  const auto variants = entries_of_variants(*session_, chosen, [&](const std::string& id) { used = id; });
  ASSERT_EQ(variants.size(), 5U);
  EXPECT_EQ(variants[0].item.title, "float32 (TF32)");
  variants[2].run();
  EXPECT_EQ(used, "h200-f16");
  // Through the palette itself.
  window_->actionsOfWindow()["palette"]->trigger();
  QTest::keyClicks(part<QLineEdit>("palette-typed"), QStringLiteral("device k80"));
  QTest::keyClick(part<QLineEdit>("palette-typed"), Qt::Key_Return);
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->settings().device == "tesla-k80"; }));
}

// ---- Keys

TEST_F(ControllerTest, KeysCanBeChangedAndAreKept) {
  QAction* open_action = window_->actionsOfWindow()["open"];
  const QKeySequence standard = open_action->shortcut();
  window_->actionsOfWindow()["keys"]->trigger();
  auto* tree = part<QTreeWidget>("key-tree");
  auto* edit = part<QKeySequenceEdit>("key-edit");
  auto* set = part<QPushButton>("key-set");
  auto* said = part<QLabel>("key-said");
  ASSERT_NE(tree, nullptr);
  const auto row_of = [&](const QString& what) {
    const auto found = tree->findItems(what, Qt::MatchExactly | Qt::MatchRecursive, 0);
    return found.isEmpty() ? nullptr : found.front();
  };
  tree->setCurrentItem(row_of(QStringLiteral("Open…")));
  EXPECT_EQ(edit->keySequence(), standard);
  EXPECT_FALSE(set->isEnabled());
  // Optimize has that key: it is said before it is taken.
  QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);
  QCoreApplication::processEvents();
  EXPECT_TRUE(said->text().contains("belongs to 'Optimize'")) << said->text().toStdString();
  QTest::mouseClick(set, Qt::LeftButton);
  EXPECT_EQ(open_action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Return));
  EXPECT_TRUE(window_->actionsOfWindow()["optimize"]->shortcut().isEmpty());
  EXPECT_TRUE(open_action->toolTip().contains("Ctrl+Return")) << open_action->toolTip().toStdString();
  // A view's own key may be taken, but is said.
  QTest::keyClick(edit, Qt::Key_Z);
  QCoreApplication::processEvents();
  EXPECT_TRUE(said->text().contains("'Graph'")) << said->text().toStdString();
  {
    MainWindow again(*session_, *jobs_, *controllers_, settings_, false);
    EXPECT_EQ(again.actionsOfWindow()["open"]->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Return));
    EXPECT_TRUE(again.actionsOfWindow()["optimize"]->shortcut().isEmpty());
  }
  QTest::mouseClick(part<QPushButton>("key-reset"), Qt::LeftButton);
  EXPECT_EQ(open_action->shortcut(), standard);
  QTest::mouseClick(part<QPushButton>("key-reset-all"), Qt::LeftButton);
  EXPECT_EQ(window_->actionsOfWindow()["optimize"]->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Return));
  EXPECT_FALSE(settings_.keys(QStringLiteral("open")));
  EXPECT_FALSE(settings_.keys(QStringLiteral("optimize")));
}

TEST_F(ControllerTest, TheKeySheetListsEveryActionAndFindsThem) {
  window_->actionsOfWindow()["keys"]->trigger();
  auto* tree = must(part<QTreeWidget>("key-tree"));
  for (const QAction* action : window_->actions()) {
    if (action->objectName().isEmpty()) continue;
    const auto rows = tree->findItems(plain_text(action->text()), Qt::MatchEndsWith | Qt::MatchRecursive, 0);
    EXPECT_FALSE(rows.isEmpty()) << action->objectName().toStdString();
  }
  QTest::keyClicks(part<QLineEdit>("key-filter"), QStringLiteral("palette"));
  int shown = 0;
  for (int g = 0; g < tree->topLevelItemCount(); ++g) {
    for (int i = 0; i < tree->topLevelItem(g)->childCount(); ++i)
      shown += tree->topLevelItem(g)->child(i)->isHidden() ? 0 : 1;
  }
  EXPECT_EQ(shown, 1);
}

// Every key of the table is one that the view takes, or that is taken wherever the focus is, and the other way round.
TEST_F(ControllerTest, TheTableOfKeysIsWhatTheViewsDo) {
  open(QStringLiteral("sample"));
  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, 20000));
  const auto takes = [&](QWidget* view, int key) {
    const ScheduleResult& active = session_->comparison()->results[session_->activeSchedule()];
    window_->selection().select(stage_selection(active, 0));  // so that there is something to move from or to clear
    window_->views().timeline()->nextSpan();
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    press.setAccepted(true);
    QApplication::sendEvent(view, &press);
    return press.isAccepted();
  };
  const auto tables = view_keys();
  const auto listed = [&](std::size_t table, int key) {
    return std::ranges::any_of(tables[table].keys, [&](const ViewKey& row) {
      return std::ranges::find(row.keys, QKeySequence(key)) != row.keys.end();
    });
  };
  std::vector<int> keys{Qt::Key_Home, Qt::Key_Escape, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Period, Qt::Key_Comma};
  for (int key = Qt::Key_A; key <= Qt::Key_Z; ++key) keys.push_back(key);
  for (const int key : keys) {
    EXPECT_EQ(takes(graph, key), listed(0, key) || listed(tables.size() - 1, key))
        << "graph, " << QKeySequence(key).toString().toStdString();
  }
  for (const int key : {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D, Qt::Key_F, Qt::Key_Z, Qt::Key_Period, Qt::Key_Comma,
                        Qt::Key_Return, Qt::Key_Escape, Qt::Key_Up, Qt::Key_Left}) {
    // A key that the view wants for itself goes past the window's shortcuts.
    QKeyEvent wanted(QEvent::ShortcutOverride, key, Qt::NoModifier);
    wanted.setAccepted(false);
    QApplication::sendEvent(window_->views().timeline(), &wanted);
    EXPECT_EQ(wanted.isAccepted(), listed(1, key)) << "timeline, " << QKeySequence(key).toString().toStdString();
  }
  window_->setMode(Mode::kEditGraph);
  EditCanvas* canvas = window_->graphEditing().canvas();
  for (const int key : keys) {
    GraphController& controller = window_->graphEditing().controller();
    controller.select({controller.graph().operators()[1].first});
    EXPECT_EQ(takes(canvas, key), listed(2, key)) << "drawing, " << QKeySequence(key).toString().toStdString();
  }
}

// ---- Choosing a network

TEST_F(ControllerTest, ArrowsInTheNetworkBoxOpenNothing) {
  open(QStringLiteral("sample"));
  auto* box = part<QComboBox>("network");
  box->setFocus();
  QSignalSpy jobs(jobs_.get(), &Jobs::started);
  const int before = box->currentIndex();
  for (const int key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_PageDown}) {
    QTest::keyClick(QApplication::activePopupWidget() != nullptr ? box->view() : static_cast<QWidget*>(box),
                    static_cast<Qt::Key>(key));
  }
  EXPECT_EQ(jobs.count(), 0);
  EXPECT_EQ(box->currentIndex(), before);
  ASSERT_TRUE(box->view()->isVisible());
  EXPECT_NE(box->view()->currentIndex().row(), before);
  QTest::keyClick(box->view(), Qt::Key_Return);
  EXPECT_EQ(jobs.count(), 1);
  // Its search goes on behind it, and is not what is looked at here.
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->source() != QStringLiteral("sample"); }, 60000));
  jobs_->cancel();
  idle();
}

TEST_F(ControllerTest, TheButtonOfTheToolBarIsReadInFull) {
  auto* go = part<QToolButton>("go");
  for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight, ThemeMode::kDark}) {
    window_->resize(1280, 800);
    window_->setThemeMode(mode);
    QCoreApplication::processEvents();
    EXPECT_GE(go->width(), go->sizeHint().width());
  }
}

TEST_F(ControllerTest, AThemeChangesNoSize) {
  open(QStringLiteral("sample"));
  window_->setThemeMode(ThemeMode::kLight);
  QCoreApplication::processEvents();
  const auto sizes = [this] {
    QMap<QString, QString> all;
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      if (widget->objectName().isEmpty() || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
      all[widget->objectName()] = QStringLiteral("%1 pt, %2")
                                      .arg(widget->font().pointSizeF())
                                      .arg(widget->fontMetrics().horizontalAdvance(QStringLiteral("Sequential 0.123")));
    }
    all[QStringLiteral("row")] = QString::number(table("stages-table")->rowHeight(0));
    return all;
  };
  const auto first = sizes();
  for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight, ThemeMode::kDark}) {
    window_->setThemeMode(mode);
    QCoreApplication::processEvents();
    const auto now = sizes();
    for (auto each = first.begin(); each != first.end(); ++each) {
      EXPECT_EQ(now.value(each.key()), each.value()) << each.key().toStdString();
    }
  }
}

// ---- Tables

TEST_F(ControllerTest, StagesCanBeSortedAndFiltered) {
  open(QStringLiteral("squeezenet"));
  session_->setActiveSchedule(ScheduleId("greedy"));
  auto* stages = must(qobject_cast<TableView*>(table("stages-table")));
  const auto& result = *session_->comparison()->find(ScheduleKind::kGreedy);
  stages->sortByColumn(test::column_of(*stages->model(), "latency_ms"), Qt::DescendingOrder);
  const auto latency = [&](int row) {
    return stages->model()->index(row, test::column_of(*stages->model(), "latency_ms")).data(cell::kSort).toDouble();
  };
  for (int row = 1; row < stages->model()->rowCount(); ++row) EXPECT_GE(latency(row - 1), latency(row));
  EXPECT_EQ(stages->model()->index(0, test::column_of(*stages->model(), "latency_ms")).data(cell::kBar).toDouble(), 1);
  // The selection goes by the stage, not by the row.
  stages->selectRow(0);
  const auto longest = std::ranges::max_element(result.stage_latencies, {}, &Latency::value);
  EXPECT_EQ(window_->selection().current().stage, static_cast<std::size_t>(longest - result.stage_latencies.begin()));
  window_->selection().select(stage_selection(result, 3));
  ASSERT_EQ(selected_rows("stages-table").size(), 1U);
  EXPECT_EQ(stages->model()
                ->index(selected_rows("stages-table").front(), test::column_of(*stages->model(), "stage"))
                .data()
                .toString(),
            "4");
  // All rows are of one height, and text is drawn in one line.
  for (int row = 1; row < stages->model()->rowCount(); ++row) EXPECT_EQ(stages->rowHeight(row), stages->rowHeight(0));

  QTest::keyClick(stages, Qt::Key_F, Qt::ControlModifier);
  auto* filter = part<QLineEdit>("stages-filter");
  const int all = stages->model()->rowCount();
  EXPECT_TRUE(filter->hasFocus() || !window_->isActiveWindow());
  QTest::keyClicks(filter, QStringLiteral("concurrent"));
  const int concurrent = stages->model()->rowCount();
  EXPECT_GT(concurrent, 0);
  EXPECT_LT(concurrent, all);
  QTest::keyClicks(filter, QStringLiteral(" nothing-has-this-name"));
  EXPECT_EQ(stages->model()->rowCount(), 0);
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_EQ(stages->model()->rowCount(), all);
}

TEST_F(ControllerTest, RowsAreCopiedAsCsvToo) {
  open(QStringLiteral("sample"));
  auto* schedules = qobject_cast<TableView*>(table("schedules-table"));
  schedules->selectRow(0);
  schedules->copyAsCsv();
  const QStringList lines = QGuiApplication::clipboard()->text().split(QStringLiteral("\n"));
  ASSERT_EQ(lines.size(), 3);
  EXPECT_TRUE(lines[0].startsWith("schedule,latency_ms,"));
  EXPECT_TRUE(lines[1].startsWith("sequential,"));
}

TEST_F(ControllerTest, ARightClickOffersTheSameEverywhere) {
  open(QStringLiteral("sample"));
  const ScheduleResult& active = session_->comparison()->results[session_->activeSchedule()];
  window_->selection().select(stage_selection(active, 0));
  TimelineView* timeline = window_->views().timeline();
  const auto ask = [&](QWidget* view) {
    return menuOf([&] {
      QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), view->mapToGlobal(QPoint(5, 5)));
      QApplication::sendEvent(view, &event);
    });
  };
  for (QWidget* view :
       {static_cast<QWidget*>(window_->views().graph()), timeline->viewport(), table("stages-table")->viewport()}) {
    const QStringList texts = ask(view);
    for (const char* wanted :
         {"Show in the graph", "Show in the timeline", "Why this stage", "Copy names", "Copy units as CSV"}) {
      EXPECT_TRUE(texts.contains(QString::fromLatin1(wanted)))
          << wanted << " in " << texts.join(QLatin1Char('|')).toStdString();
    }
  }
  EXPECT_TRUE(ask(timeline->viewport()).contains("Schedules"));
  EXPECT_TRUE(ask(table("stages-table")->viewport()).contains("Copy as CSV"));
}

// ---- Inspector

TEST_F(ControllerTest, TheInspectorElidesNothing) {
  open(QStringLiteral("inception_v3"));
  auto* inspector = table("inspector-table");
  const ScheduleResult& active = session_->comparison()->results[session_->activeSchedule()];
  window_->selection().select(stage_selection(active, 20));
  for (const int width : {260, 420}) {
    window_->resizeDocks({part<QDockWidget>("inspector")}, {width}, Qt::Horizontal);
    QTest::qWait(30);
    for (int row = 0; row < inspector->model()->rowCount(); ++row) {
      for (int column = 0; column < 2; ++column) {
        if (column == 1 && inspector->columnSpan(row, 0) == 2) continue;
        int room = inspector->columnWidth(column);
        if (inspector->columnSpan(row, column) == 2) room += inspector->columnWidth(1);
        const QModelIndex index = inspector->model()->index(row, column);
        const auto font = index.data(Qt::FontRole);
        EXPECT_GE(inspector->rowHeight(row),
                  WrapDelegate::heightFor(
                      index.data().toString(),
                      font.isValid() ? font.value<QFont>().resolve(inspector->font()) : inspector->font(), room))
            << width << ": " << index.data().toString().toStdString();
      }
    }
    EXPECT_EQ(inspector->horizontalScrollBar()->maximum(), 0);
  }
}

TEST(WrapDelegateHeight, GrowsWithinAWordToo) {
  const QFont font;
  const QString name(200, QLatin1Char('m'));
  const int one = WrapDelegate::heightFor(QStringLiteral("m"), font, 200);
  EXPECT_GT(WrapDelegate::heightFor(name, font, 200), 5 * one);
  EXPECT_LT(WrapDelegate::heightFor(name, font, 100000), one + 2);
}

TEST_F(ControllerTest, TheInspectorCountsPartsAsTheCanvasDoes) {
  for (const char* network : {"inception_v3", "yolox_s"}) {
    open(QString::fromLatin1(network));
    GraphView* graph = window_->views().graph();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, 30000));
    std::size_t seen = 0;
    for (const canvas::FrameBox& frame : graph->layoutShown()->frames) {
      seen += frame.parts.first == frame.parts.second ? 1 : 0;  // its only part has no border of its own
      for (std::size_t p = frame.parts.first; p < frame.parts.second; ++p) {
        seen += graph->layoutShown()->parts[p].goes_on ? 0 : 1;
      }
    }
    const auto* model = table("inspector-table")->model();
    QString parts;
    QStringList names;
    for (int row = 0; row < model->rowCount(); ++row) {
      const QString name = model->index(row, 0).data().toString();
      names << name;
      if (name == QStringLiteral("Parts")) parts = model->index(row, 1).data().toString();
    }
    EXPECT_EQ(parts, QString::number(seen)) << network;
    // Every row can be told from the others.
    EXPECT_EQ(names.removeDuplicates(), names.contains("Batch") ? 1 : 0) << names.join(QLatin1Char('|')).toStdString();
  }
}

// ---- Start page

TEST_F(ControllerTest, ABadNameShowsTheStartPageWithTheError) {
  openAsked(QStringLiteral("nosuch"));
  EXPECT_TRUE(window_->startPage().isVisible());
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_TRUE(window_->messages().text().contains("nosuch"));
  // The error lies over the page, in sight.
  const Toast* toast = window_->messages().shown().front();
  EXPECT_EQ(window_->childAt(toast->geometry().center())->window(), window_.get());
  EXPECT_TRUE(toast->isAncestorOf(window_->childAt(toast->geometry().center())) ||
              window_->childAt(toast->geometry().center()) == toast);
  auto* card = must(part<NetworkCard>("card-sample"));
  QTest::mouseClick(card, Qt::LeftButton);
  idle();
  EXPECT_FALSE(window_->startPage().isVisible());
  EXPECT_EQ(session_->source(), "sample");
  EXPECT_FALSE(window_->messages().showsError());
}

TEST_F(ControllerTest, TheStartPageIsUsedByTheKeyboard) {
  open(QStringLiteral("sample"));
  settings_.addRecentFile(path("gone.onnx"));
  window_->actionsOfWindow()["start-page"]->trigger();
  StartPage& page = window_->startPage();
  ASSERT_TRUE(page.isVisible());
  window_->activateWindow();
  page.findChild<QPushButton*>(QStringLiteral("start-open"))->setFocus();
  // Tab goes round within the page and meets every card.
  std::set<QWidget*> met;
  for (int i = 0; i < 80; ++i) {
    QWidget* focus = window_->focusWidget();
    ASSERT_TRUE(page.isAncestorOf(focus));
    met.insert(focus);
    QTest::keyClick(focus, Qt::Key_Tab);
  }
  for (NetworkCard* card : page.findChildren<NetworkCard*>()) {
    EXPECT_TRUE(met.contains(card)) << card->source().toStdString();
    EXPECT_FALSE(card->accessibleName().isEmpty());
  }
  auto* sample = part<NetworkCard>("card-sample");
  sample->setFocus();
  QTest::keyClick(sample, Qt::Key_Right);
  EXPECT_EQ(window_->focusWidget(), part<NetworkCard>("card-inception_v3"));
  QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(page.isVisible());
}

TEST_F(ControllerTest, CardsHaveAPictureAndTheWinOfEveryNetwork) {
  window_->actionsOfWindow()["start-page"]->trigger();
  auto* card = part<NetworkCard>("card-inception_v3");
  EXPECT_TRUE(QTest::qWaitFor([&] { return card->accessibleName().contains("119 units"); }, 60000))
      << card->accessibleName().toStdString();
  EXPECT_TRUE(card->accessibleName().contains("on a simulated V100"));
}

TEST(NetworkSketchTest, IsAsHighAsTheNetworkIsWide) {
  const NetworkSketch diamond = sketch_of(test::diamond());
  ASSERT_EQ(diamond.columns.size(), 3U);  // a, then b and c, then d
  EXPECT_EQ(diamond.columns[1].size(), 2U);
  EXPECT_EQ(diamond.widest, 2U);
  EXPECT_EQ(diamond.units, 4U);
  const NetworkSketch narrow = sketch_of(test::diamond(), 1);
  ASSERT_EQ(narrow.columns.size(), 1U);
  EXPECT_EQ(narrow.columns[0].size(), 2U);  // of the widest depth
}

// The table of figures is of this zoo and says what the program computes.
TEST(ZooFigures, AreWhatTheProgramComputes) {
  const auto figures = must(built_in_zoo_figures());
  DeviceRegistry devices;
  add_simulated_devices(devices);
  constexpr std::size_t kQuick = 130;  // units; larger networks are searched for seconds: zoo_figures.py --check
  for (const ZooNetwork& network : zoo()) {
    const Graph graph = network.build();
    for (const char* id : {"tesla-v100", "h200"}) {
      const ZooFigure* figure = find(figures, network.name, id);
      ASSERT_NE(figure, nullptr) << network.name << " on " << id;
      if (graph.units().size() > kQuick || network.group == ZooGroup::kDetection ||
          network.group == ZooGroup::kTransformer || network.name == "randwire") {
        continue;
      }
      auto device = must(devices.open(id));
      const auto computed = must(compare(graph, *device, CompareOptions{}, JobContext{}));
      EXPECT_NEAR(figure->sequential.count(), computed.find(ScheduleKind::kSequential)->latency.value.count(), 1e-9);
      EXPECT_NEAR(figure->best.count(), computed.results[computed.best()].latency.value.count(), 1e-9) << network.name;
    }
  }
  // The file has all that was measured, as the run says.
  std::size_t measured = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(IOS_SOURCE_FOLDER "/gpu/bench/measured")) {
    if (file.path().extension() != ".iosrun") continue;
    const iosx::Run run = must(open_run(file.path()));
    const ZooFigure* figure = find(figures, run.network.source, "h200", Origin::kMeasured);
    ASSERT_NE(figure, nullptr) << file.path();
    const Comparison& comparison = run.comparison;
    EXPECT_NEAR(figure->sequential.count(), comparison.find(ScheduleKind::kSequential)->latency.value.count(), 1e-9);
    EXPECT_NEAR(figure->best.count(), comparison.results[comparison.best()].latency.value.count(), 1e-9);
    ++measured;
  }
  EXPECT_EQ(measured, 8U);
  EXPECT_EQ(figures.size(), zoo().size() * 2 + measured);
  EXPECT_FALSE(zoo_figures("{}"));
  EXPECT_FALSE(zoo_figures(R"({"figures": [{"network": "x", "device": "h200", "sequential_ms": 1}]})"));
  EXPECT_FALSE(zoo_figures(
      R"({"figures": [{"network": "x", "device": "h200", "origin": "guessed", "sequential_ms": 1, "best_ms": 1}]})"));
}

// ---- The first minute

TEST(BubblePlaces, AreBesideTheTargetAndInsideTheWindow) {
  const QRect window(0, 0, 1000, 800);
  const QSize bubble(300, 120);
  for (const QRect& target :
       {QRect(20, 20, 40, 30), QRect(900, 700, 80, 60), QRect(400, 20, 200, 20), QRect(0, 300, 1000, 30)}) {
    const BubblePlace place = place_bubble(target, bubble, window);
    EXPECT_TRUE(window.contains(place.bubble));
    EXPECT_FALSE(place.bubble.intersects(target));
    EXPECT_TRUE(QRectF(target).adjusted(-1, -1, 1, 1).contains(place.tip));
  }
  EXPECT_TRUE(window.contains(place_bubble(window, bubble, window).bubble));
}

class FirstMinuteTest : public ControllerTest {
 protected:
  using Step = FirstMinute::Step;
  QRect target_{100, 100, 50, 20};
  FirstMinute* minute_ = new FirstMinute(window_.get(), settings_);

  Step step(const char* words) {
    return {std::chrono::milliseconds(1), [words] { return QString::fromLatin1(words); }, [this] { return target_; }};
  }
  bool shows(const char* words) {
    return QTest::qWaitFor(
        [&] { return minute_->bubble().isVisible() && minute_->bubble().text() == QLatin1String(words); }, 2000);
  }
};

TEST_F(FirstMinuteTest, GoesFromHintToHint) {
  minute_->setSteps({step("one"), step("two"), step("three")});
  minute_->start(false);
  ASSERT_TRUE(shows("one"));
  EXPECT_TRUE(QWidget::mouseGrabber() == nullptr && QApplication::activeModalWidget() == nullptr);
  minute_->done(0);  // the person did it
  ASSERT_TRUE(shows("two"));
  minute_->done(2);  // and what the third would ask for
  QTest::mouseClick(minute_->bubble().findChild<QPushButton*>(QStringLiteral("hint-next")), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !minute_->running(); }));
  EXPECT_FALSE(minute_->bubble().isVisible());
  EXPECT_TRUE(settings_.firstMinuteDone());
}

TEST_F(FirstMinuteTest, IsSentAwayForGood) {
  minute_->setSteps({step("one"), step("two")});
  minute_->start(true);
  ASSERT_TRUE(shows("one"));
  QTest::mouseClick(minute_->bubble().findChild<QPushButton*>(QStringLiteral("hint-enough")), Qt::LeftButton);
  EXPECT_FALSE(minute_->running());
  EXPECT_TRUE(settings_.firstMinuteDone());
  const StartPlan plan = plan_start({}, settings_, devices_);
  EXPECT_FALSE(plan.hints);
  EXPECT_TRUE(plan.source.isEmpty()) << "the start page offers what there is";
}

TEST_F(FirstMinuteTest, LeavesOutWhatIsNotThere) {
  Step away = step("away");
  away.target = [] { return QRect(); };
  minute_->setSteps({away, step("two")});
  minute_->start(false);
  EXPECT_TRUE(shows("two"));
}

TEST_F(FirstMinuteTest, AHintFollowsWhatItPointsAt) {
  Step one = step("one");
  QString words = QStringLiteral("one");
  one.text = [&words] { return words; };
  minute_->setSteps({one, step("two")});
  minute_->start(true);
  ASSERT_TRUE(shows("one"));
  const QPoint before = minute_->bubble().pos();
  words = QStringLiteral("another");
  target_.translate(200, 100);
  minute_->follow();
  EXPECT_EQ(minute_->bubble().text(), "another");
  EXPECT_NE(minute_->bubble().pos(), before);
  const QRect there = std::exchange(target_, QRect());
  minute_->follow();
  EXPECT_FALSE(minute_->bubble().isVisible());
  target_ = there;
  EXPECT_TRUE(shows("another")) << "it is there again";
}

TEST_F(FirstMinuteTest, WaitsWhileSomethingElseIsShown) {
  minute_->setSteps({step("one"), step("two")});
  minute_->start(true);
  ASSERT_TRUE(shows("one"));
  minute_->setPaused(true);
  EXPECT_FALSE(minute_->bubble().isVisible());
  QTest::qWait(50);
  EXPECT_FALSE(minute_->bubble().isVisible());
  EXPECT_TRUE(minute_->running());
  minute_->setPaused(false);
  EXPECT_TRUE(shows("one"));
}

TEST_F(ControllerTest, NoHintLiesOverTheModeThatCompares) {
  open(QStringLiteral("sample"));
  window_->actionsOfWindow()["first-minute"]->trigger();
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_->firstMinute().bubble().isVisible(); }, 20000));
  window_->setMode(Mode::kCompare);
  EXPECT_FALSE(window_->firstMinute().bubble().isVisible());
  window_->setMode(Mode::kExplore);
  EXPECT_TRUE(QTest::qWaitFor([this] { return window_->firstMinute().bubble().isVisible(); }, 20000));
}

TEST_F(ControllerTest, TheFirstHintIsAtTheWidestRow) {
  open(QStringLiteral("sample"));
  session_->setActiveSchedule(ScheduleId("greedy"));
  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, 20000));
  window_->actionsOfWindow()["first-minute"]->trigger();
  const HintBubble& bubble = window_->firstMinute().bubble();
  ASSERT_TRUE(QTest::qWaitFor([&] { return bubble.isVisible(); }));
  const ScheduleResult& active = session_->comparison()->results[session_->activeSchedule()];
  std::size_t widest = 0;
  for (const Stage& stage : active.schedule.stages) widest = std::max(widest, stage.groups.size());
  EXPECT_TRUE(bubble.text().contains(QStringLiteral("here %1.").arg(widest))) << bubble.text().toStdString();
  EXPECT_TRUE(QTest::qWaitFor([&] { return window_->rect().contains(bubble.geometry()); }))
      << bubble.geometry().x() << " " << bubble.geometry().y() << " " << bubble.width() << "x" << bubble.height();
  // Out of sight there is nothing that it could point at.
  const canvas::ViewPlace fitted = graph->place();
  graph->setPlace({.unit = {}, .offset = {}, .share = {40, 40}, .zoom = 4, .fitted = false});
  window_->firstMinute().follow();
  EXPECT_FALSE(bubble.isVisible());
  graph->setPlace(fitted);
  ASSERT_TRUE(QTest::qWaitFor([&] { return bubble.isVisible(); }));
  window_->selection().select(stage_selection(active, 0));
  EXPECT_TRUE(QTest::qWaitFor([&] { return bubble.isVisible() && bubble.text().contains("schedules"); }));
}

TEST_F(ControllerTest, TheFirstHintHoldsForLanesTooAndIsLeftOutWhereNothingRunsAtOnce) {
  open(QStringLiteral("sample"));
  session_->setActiveSchedule(ScheduleId("ios-flow"));
  ASSERT_TRUE(session_->comparison()->results[session_->activeSchedule()].lanes);
  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, 20000));
  window_->actionsOfWindow()["first-minute"]->trigger();
  const HintBubble& bubble = window_->firstMinute().bubble();
  ASSERT_TRUE(QTest::qWaitFor([&] { return bubble.isVisible(); }));
  std::size_t widest = 0;
  for (const auto& row : graph->layoutShown()->rows) widest = std::max(widest, row.own.size());
  EXPECT_TRUE(bubble.text().contains(QStringLiteral("here %1.").arg(widest))) << bubble.text().toStdString();
  EXPECT_FALSE(bubble.text().contains("stage")) << "lanes have none";
  session_->setActiveSchedule(ScheduleId("sequential"));
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return !bubble.isVisible() || !bubble.text().contains("ran at the same time"); }, 20000))
      << bubble.text().toStdString();
}

// ---- What comes back at the next start

TEST_F(ControllerTest, TheFirstStartShowsInceptionSearchedOnASimulatedDevice) {
  const StartPlan plan = plan_start({}, settings_, devices_);
  EXPECT_EQ(plan,
            (StartPlan{.source = QStringLiteral("inception_v3"), .device = "tesla-v100", .batch = 1, .hints = true}));
  window_->start(plan.source, plan.hints);
  idle();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->searched() && !jobs_->runner().busy(); }, 60000));
  EXPECT_EQ(behaviour_->requests, 0);
  EXPECT_TRUE(window_->firstMinute().running());
}

Arguments said_of(const char* graph) {
  Arguments arguments;
  arguments.graph = graph;
  return arguments;
}

TEST_F(ControllerTest, AfterTheFirstMinuteTheStartPageIsWhatAStartShows) {
  settings_.setFirstMinuteDone(true);
  settings_.setLastStart({.source = QStringLiteral("squeezenet"), .device = "a100", .batch = 8});
  const StartPlan plan = plan_start({}, settings_, devices_);
  EXPECT_EQ(plan.device, "a100");
  EXPECT_EQ(plan.batch, 8);
  window_->start(plan.source, plan.hints);
  EXPECT_TRUE(window_->startPage().isVisible());
  EXPECT_FALSE(session_->hasDocument());
  EXPECT_FALSE(jobs_->busy());
  // A network that was named is opened all the same.
  EXPECT_EQ(plan_start(said_of("vgg19"), settings_, devices_).source, "vgg19");
}

TEST_F(ControllerTest, WhatWasOpenComesBack) {
  part<QSpinBox>("batch")->setValue(8);
  open(QStringLiteral("squeezenet"));
  choose("a100");
  auto* strategy = part<QComboBox>("strategy");
  strategy->setCurrentIndex(strategy->findData(QStringLiteral("merge")));
  part<QSpinBox>("r")->setValue(2);
  part<QSpinBox>("s")->setValue(0);
  window_->close();
  EXPECT_EQ(plan_start({}, settings_, devices_), (StartPlan{.source = QStringLiteral("squeezenet"),
                                                            .device = "a100",
                                                            .batch = 8,
                                                            .strategies = StrategySet::kMerge,
                                                            .pruning = {2, 0},
                                                            .hints = true}));
  // The command line goes first, and then all of it counts.
  const StartPlan said = plan_start(said_of("vgg19"), settings_, devices_);
  EXPECT_EQ(said.source, "vgg19");
  EXPECT_EQ(said.device, "tesla-v100");
  EXPECT_EQ(said.batch, 1);
  EXPECT_EQ(said.strategies, StrategySet::kBoth);
  EXPECT_EQ(said.pruning, SearchOptions().pruning);
  EXPECT_FALSE(said.hints);
}

TEST_F(ControllerTest, ALimitThatSomebodyWroteIntoTheSettingsIsKeptInBounds) {
  settings_.setLastStart({.source = QStringLiteral("sample"), .device = "a100", .pruning = {1000, 5}});
  EXPECT_EQ(settings_.lastStart()->pruning, (Pruning{64, 5}));
}

TEST_F(ControllerTest, NotesOfTheProjectAreWrittenBesideItAndComeBack) {
  open(QStringLiteral("sample"));
  auto* fold = part<QToolButton>("notes-fold");
  auto* text = part<QPlainTextEdit>("notes-text");
  EXPECT_FALSE(text->isVisible()) << "nothing to say yet";
  QTest::mouseClick(fold, Qt::LeftButton);
  EXPECT_TRUE(text->isVisible());
  QTest::keyClicks(text, QStringLiteral("try <b>r 2</b> next"));
  EXPECT_EQ(session_->workspace().notes(), "try <b>r 2</b> next");
  jobs_->saveProject(path("noted.iosproj"));
  idle();
  EXPECT_FALSE(session_->editor().modified());
  QTest::keyClicks(text, QStringLiteral("!"));
  EXPECT_TRUE(session_->editor().modified());
  text->clear();
  QTest::mouseClick(fold, Qt::LeftButton);
  EXPECT_FALSE(text->isVisible());
  test::Answers answers;
  answers.press(QMessageBox::Discard);
  jobs_->open(path("noted.iosproj"));
  idle();
  EXPECT_TRUE(answers.given());
  EXPECT_EQ(text->toPlainText(), "try <b>r 2</b> next");
  EXPECT_TRUE(text->isVisible());
}

TEST_F(ControllerTest, TheHeadlineAsksWhereTheTimeWentAndLeadsToTheAnswer) {
  open(QStringLiteral("sample"));
  auto* question = part<QLabel>("headline-question");
  ASSERT_TRUE(question->isVisible());
  const Comparison& comparison = *session_->comparison();
  const ScheduleResult& sequential = *comparison.find(ScheduleKind::kSequential);
  const ScheduleResult& best = comparison.results[*best_ios(comparison)];
  EXPECT_TRUE(question->text().contains(duration_text(sequential.latency.value - best.latency.value)));
  emit question->linkActivated(QStringLiteral("compare"));
  EXPECT_EQ(window_->mode(), Mode::kCompare);
  ComparedRuns& compared = *window_->views().compared();
  const RunId run = session_->runId();
  EXPECT_EQ(compared.choices(), (std::vector{Choice{run, sequential.id}, Choice{run, best.id}}));
  EXPECT_EQ(compared.page()->runs()->matrix.baseline, 0U);
}

TEST_F(ControllerTest, AMessageIsAsHighAsItsText) {
  const QString words = QStringLiteral("A sentence of about the length that people read on a screen. ");
  window_->messages().showNote(words.repeated(4));
  const Toast* toast = window_->messages().shown().front();
  const auto* text = toast->findChild<QLabel*>(QStringLiteral("toast-text"));
  const QRect needed =
      text->fontMetrics().boundingRect(QRect(0, 0, text->width(), 4000), Qt::TextWordWrap, text->text());
  EXPECT_GE(toast->height(), needed.height());
  EXPECT_LE(toast->height(), needed.height() + 2 * text->fontMetrics().height() + 16);
}

TEST_F(ControllerTest, AnErrorGoesWhenTheNextThingSucceeds) {
  open(QStringLiteral("no such network"));
  ASSERT_TRUE(window_->messages().showsError());
  open(QStringLiteral("still no such network"));
  EXPECT_TRUE(window_->messages().showsError()) << "what failed is said";
  open(QStringLiteral("sample"));
  EXPECT_FALSE(window_->messages().showsError());
  EXPECT_GE(window_->messages().history().size(), 2U);
}

TEST_F(ControllerTest, TheHeadlinesLinkHasTheColourOfTheTheme) {
  open(QStringLiteral("sample"));
  auto* question = part<QLabel>("headline-question");
  for (const char* theme : {"theme-dark", "theme-light", "theme-dark"}) {
    window_->findChild<QAction*>(QString::fromLatin1(theme))->trigger();
    QCoreApplication::sendPostedEvents();
    EXPECT_TRUE(question->text().contains(qApp->palette().color(QPalette::Link).name())) << theme;
  }
}

TEST_F(ControllerTest, TheAnswerToTheHeadlineLeavesWhatIsPickedAsItWas) {
  open(QStringLiteral("sample"));
  auto* question = part<QLabel>("headline-question");
  const auto& results = session_->comparison()->results;
  const RunId run = session_->runId();
  const Choice greedy{run, results[1].id};
  const Choice sequential{run, results[0].id};
  session_->editor().setCompared(greedy, true);
  session_->editor().setCompared(sequential, true);
  session_->editor().setBaseline(greedy);
  const auto picked = session_->workspace().compared();
  emit question->linkActivated(QStringLiteral("compare"));
  ComparedRuns& compared = *window_->views().compared();
  EXPECT_NE(compared.choices(), picked);
  EXPECT_EQ(session_->workspace().compared(), picked);
  EXPECT_EQ(session_->workspace().baseline(), greedy);
  window_->setMode(Mode::kExplore);
  window_->setMode(Mode::kCompare);
  EXPECT_EQ(compared.choices(), picked) << "back from the answer";
  // The answer gives way to what is picked while it is shown.
  emit question->linkActivated(QStringLiteral("compare"));
  session_->editor().setCompared(sequential, false);
  EXPECT_EQ(compared.choices(), (std::vector{greedy}));
}

TEST_F(ControllerTest, AStageOfOneRunIsNoneOfAnotherOne) {
  open(QStringLiteral("sample"));
  const RunId first = session_->runId();
  part<QSpinBox>("batch")->setValue(2);
  optimize();
  const RunId second = session_->runId();
  ASSERT_NE(first, second);
  const ScheduleResult& active = session_->comparison()->results[session_->activeSchedule()];
  window_->selection().select(stage_selection(active, 0));
  EXPECT_EQ(window_->selection().current().run, second);
  const auto units = window_->selection().current().units;
  session_->showRun(first);
  EXPECT_FALSE(window_->selection().current().stage);
  EXPECT_EQ(window_->selection().current().units, units);
}

TEST_F(ControllerTest, WhatIsGoneOrMeasuresIsNotStartedUnasked) {
  settings_.setLastStart({.source = path("gone.onnx"), .device = "absent", .batch = 4});
  const StartPlan gone = plan_start({}, settings_, devices_);
  EXPECT_EQ(gone.source, "inception_v3");
  EXPECT_EQ(gone.device, "tesla-v100");
  settings_.setLastStart({.source = QStringLiteral("sample"), .device = "fake-computer", .batch = 4});
  const StartPlan measuring = plan_start({}, settings_, devices_);
  EXPECT_EQ(measuring.device, "fake-computer");
  RunSettings run = session_->settings();
  run.device = measuring.device;
  session_->setSettings(run);
  window_->start(measuring.source, measuring.hints);
  idle();
  EXPECT_TRUE(session_->hasDocument());
  EXPECT_FALSE(session_->comparison());
  EXPECT_EQ(behaviour_->requests, 0);
  EXPECT_TRUE(state().startsWith("Optimize searches schedules")) << state().toStdString();
}

// ---- At any scale, and for everybody

TEST_F(ControllerTest, NewWidgetsHaveAccessibleNames) {
  window_->actionsOfWindow()["start-page"]->trigger();
  window_->messages().showError(QStringLiteral("broken"), {QStringLiteral("Mend"), [] {}});
  window_->actionsOfWindow()["keys"]->trigger();
  for (const QWidget* widget : window_->findChildren<QWidget*>()) {
    const bool takes_keys = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible();
    if (!takes_keys || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    QAccessibleInterface* face = must(QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget)));
    EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
        << widget->metaObject()->className() << " " << widget->objectName().toStdString();
  }
}

// Of one drawing at a scale.
QImage drawn(double scale, const std::function<void(QPainter&)>& draw) {
  constexpr QSize kSize(240, 26);
  QImage image(kSize * scale, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::white);
  QPainter painter(&image);
  draw(painter);
  return image;
}

TEST_F(ControllerTest, CellsAndIconsAreSharpAtAnyScale) {
  open(QStringLiteral("squeezenet"));
  session_->setActiveSchedule(ScheduleId("greedy"));
  auto* stages = table("stages-table");
  const auto concurrent =
      stages->model()->match(stages->model()->index(0, test::column_of(*stages->model(), "strategy")), Qt::DisplayRole,
                             QStringLiteral("concurrent"));
  ASSERT_FALSE(concurrent.isEmpty());
  for (const char* id : {"strategy", "units", "latency_ms"}) {
    const int column = test::column_of(*stages->model(), id);
    const auto draw = [&](QPainter& painter) {
      QStyleOptionViewItem option;
      option.rect = QRect(0, 0, 240, 26);
      option.font = stages->font();
      option.palette = stages->palette();
      option.widget = stages;
      option.state = QStyle::State_Enabled;
      stages->itemDelegate()->paint(&painter, option, concurrent.front().siblingAtColumn(column));
    };
    const QImage once = drawn(1, draw);
    for (const double scale : {1.5, 2.0}) {
      const QImage image = drawn(scale, draw);
      QImage blown_up = once.scaled(image.size(), Qt::IgnoreAspectRatio, Qt::FastTransformation);
      blown_up.setDevicePixelRatio(scale);
      EXPECT_NE(image, blown_up) << "column " << column << " at " << scale;
    }
  }
  for (const char* name : {"open", "optimize", "fit", "zoom-in", "zoom-out", "cancel"}) {
    const QIcon icon(QStringLiteral(":/icons/%1.svg").arg(QString::fromLatin1(name)));
    EXPECT_EQ(icon.pixmap(QSize(18, 18), 2.0).size(), QSize(36, 36)) << name;
    EXPECT_EQ(icon.pixmap(QSize(18, 18), 1.5).size(), QSize(27, 27)) << name;
  }
}

}  // namespace
}  // namespace iosx
