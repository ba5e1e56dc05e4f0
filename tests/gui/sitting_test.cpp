// One sitting at the window from the first key to the files that one takes home, with the mouse and keys alone.
#include <iostream>

#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/compare/compare_page.h"
#include "views/compare/difference_tables.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/window/dialogs/export_dialog.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

constexpr int kLongJob = 60000;  // ms
constexpr int kStageRow = 3;

class SittingTest : public test::WindowTest {
 protected:
  SittingTest() {
    // Dialogs run their own event loop: this answers them as a user would.
    QObject::connect(&hands_, &QTimer::timeout, [this] { answer(QApplication::activeModalWidget()); });
    hands_.start(20);
  }

  void answer(QWidget* dialog) {
    if (auto* figure = qobject_cast<ExportDialog*>(dialog)) {
      auto* what = figure->findChild<QTreeWidget*>(QStringLiteral("export-what"));
      what->setCurrentItem(what->findItems(export_, Qt::MatchExactly | Qt::MatchRecursive).value(0));
      for (QPushButton* button : figure->findChildren<QPushButton*>()) {
        if (button->isDefault() && button->isEnabled()) QTest::mouseClick(button, Qt::LeftButton);
      }
    } else if (auto* file = qobject_cast<QFileDialog*>(dialog)) {
      auto* name = file->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      if (name->text() == answer_) {  // the first click closes what completes names
        QTest::mouseClick(file->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
      } else {
        name->selectAll();
        QTest::keyClicks(name, answer_);
      }
    }
  }

  // From the menu bar down to the action, a click an entry.
  void chooseInMenu(const QAction* wanted) {
    std::vector<QAction*> way;
    const std::function<bool(QMenu*)> find = [&](QMenu* menu) {
      for (QAction* action : menu->actions()) {
        way.push_back(action);
        if (action == wanted || (action->menu() != nullptr && find(action->menu()))) return true;
        way.pop_back();
      }
      return false;
    };
    for (QAction* top : window_->menuBar()->actions()) {
      way.assign({top});
      if (top->menu() != nullptr && find(top->menu())) break;
    }
    ASSERT_EQ(way.empty() ? nullptr : way.back(), wanted) << "not in the menus";
    QTest::mouseClick(window_->menuBar(), Qt::LeftButton, {}, window_->menuBar()->actionGeometry(way[0]).center());
    for (std::size_t i = 1; i < way.size(); ++i) {
      QMenu* menu = way[i - 1]->menu();
      ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible(); })) << way[i - 1]->text().toStdString();
      QTest::mouseMove(menu, menu->actionGeometry(way[i]).center());
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(way[i]).center());
    }
  }

  void optimizeWithTheButton() {
    auto* button = must(part<QToolButton>("go"));
    QTest::mouseClick(button, Qt::LeftButton);
    idle();
  }

  // What a program printed, and what it said on stderr.
  static std::pair<QString, QString> ran(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    EXPECT_TRUE(process.waitForFinished(kLongJob)) << program.toStdString();
    return {QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
  }

  QTimer hands_;
  QString answer_;  // the path for the next file dialog
  QString export_;  // the title in the next export dialog
};

TEST_F(SittingTest, FromOpeningToTakingHome) {
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  // Open Inception V3: by name in the command palette.
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* typed = must(part<QLineEdit>("palette-typed"));
  QTest::keyClicks(typed, QStringLiteral("open inception v3"));
  QTest::keyClick(typed, Qt::Key_Return);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->hasDocument(); }, kLongJob));
  idle();
  EXPECT_EQ(session_->source(), "inception_v3");
  window_->activateWindow();  // as a window manager does when the palette goes
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));

  optimizeWithTheButton();
  ASSERT_TRUE(session_->comparison());
  const std::size_t runs_before = session_->workspace().runs().size();
  session_->setActiveSchedule(session_->comparison()->find(ScheduleKind::kIosBoth)->id);  // which has stages
  const ScheduleResult& shown = session_->comparison()->results[session_->activeSchedule()];

  // Select a stage in the table: it is on the canvas and in the timeline.
  QTableView* stages = table("stages-table");
  stages->scrollTo(stages->model()->index(kStageRow, 0));
  if (auto* tabs = stages->parentWidget(); !stages->isVisible() && tabs != nullptr) {
    part<QWidget>("stages")->raise();
    QTest::qWait(50);
  }
  QTest::mouseClick(stages->viewport(), Qt::LeftButton, {},
                    stages->visualRect(stages->model()->index(kStageRow, 1)).center());
  const Selection selection = window_->selection().current();
  ASSERT_TRUE(selection.stage);
  ASSERT_EQ(selection.units, shown.schedule.stages[*selection.stage].units());

  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, kLongJob));
  const canvas::Layout& layout = *graph->layoutShown();
  const auto on_screen = [&](UnitId unit) {
    const auto node = layout.node_of[unit.index()];
    if (!node) return QRectF();
    const canvas::Rect& box = layout.nodes[*node].box;
    const canvas::Point corner = graph->camera().to_view({box.x, box.y});
    return QRectF(corner.x, corner.y, box.width * graph->camera().zoom, box.height * graph->camera().zoom);
  };
  for (const UnitId unit : selection.units) {
    EXPECT_TRUE(QRectF(graph->rect()).contains(on_screen(unit).center())) << "in view on the canvas";
  }
  // The same on the canvas: a click on one of its units selects this stage again.
  QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(window_->selection().current().empty());
  QTest::mouseClick(graph, Qt::LeftButton, {}, on_screen(selection.units.front()).center().toPoint());
  ASSERT_FALSE(window_->selection().current().empty());
  EXPECT_EQ(window_->selection().current().units.front(), selection.units.front());
  EXPECT_FALSE(selected_rows("stages-table").empty());

  // In the timeline: Z shows the stage, and a drag over it measures its time.
  QTest::mouseClick(stages->viewport(), Qt::LeftButton, {},
                    stages->visualRect(stages->model()->index(kStageRow, 1)).center());
  TimelineView* timeline = window_->views().timeline();
  part<QWidget>("timeline")->raise();
  ASSERT_TRUE(QTest::qWaitFor([&] { return timeline->isVisible() && timeline->height() > 50; }));
  QTest::keyClick(timeline, Qt::Key_Z);
  const auto& tracks = timeline->tracks().tracks();
  std::size_t track = 0;
  while (tracks[track].comparison != session_->comparison() || tracks[track].schedule().id != shown.id) ++track;
  const TimelineBand* band = must(timeline->scene().band_of(track));
  const TimeRange range = band->index->stages()[*selection.stage];
  const auto point = [&](Micros time) {
    return timeline->viewportAt({timeline->axis().x(time), band->strip_top() + 5}).toPoint();
  };
  EXPECT_TRUE(timeline->viewport()->rect().contains(point(range.begin)));
  EXPECT_TRUE(timeline->viewport()->rect().contains(point(range.end)));
  QTest::mousePress(timeline->viewport(), Qt::LeftButton, {}, point(range.begin));
  QTest::mouseMove(timeline->viewport(), (point(range.begin) + point(range.end)) / 2);
  QTest::mouseMove(timeline->viewport(), point(range.end));
  QTest::mouseRelease(timeline->viewport(), Qt::LeftButton, {}, point(range.end));
  ASSERT_TRUE(timeline->measure());
  const Micros span = timeline->measure()->range().end - timeline->measure()->range().begin;
  EXPECT_NEAR(span.count(), (range.end - range.begin).count(), 0.02 * (range.end - range.begin).count());

  // Batch 32, optimised again: one more run.
  auto* batch = part<QSpinBox>("batch");
  QTest::mouseDClick(batch->findChild<QLineEdit*>(), Qt::LeftButton);
  QTest::keyClick(batch, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(batch, QStringLiteral("32"));
  QTest::keyClick(batch, Qt::Key_Return);
  EXPECT_EQ(session_->settings().options.batch, 32);
  optimizeWithTheButton();
  ASSERT_EQ(session_->workspace().runs().size(), runs_before + 1);
  EXPECT_EQ(session_->comparison()->batch, 32);

  // Both runs beside one another: tick their best schedules, of which one is shown already.
  QTest::keyClick(window_.get(), Qt::Key_4, Qt::ControlModifier);
  auto* tree = part<QTreeView>("project-tree");
  const QAbstractItemModel& model = *tree->model();
  const QModelIndex network = model.index(0, 0);
  ASSERT_EQ(model.rowCount(network), static_cast<int>(runs_before) + 1);
  for (int run = 0; run < model.rowCount(network); ++run) {
    const QModelIndex schedules = model.index(run, 0, network);
    tree->expand(schedules);
    const QModelIndex best = model.index(model.rowCount(schedules) - 1, 0, schedules);
    tree->scrollTo(best);
    QTest::qWait(20);
    const QRect row = tree->visualRect(best);
    if (best.data(Qt::CheckStateRole).toInt() == static_cast<int>(Qt::Unchecked)) {
      QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 10, row.center().y()));
    }
    EXPECT_EQ(best.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked)) << run;
  }
  const ComparePage* page = window_->views().compared()->page();
  ASSERT_NE(page->runs(), nullptr);
  EXPECT_TRUE(page->sentence().contains("batch 32")) << page->sentence().toStdString();
  EXPECT_GT(page->matrixTable()->model()->rowCount(), 5);
  EXPECT_GT(page->stagesTable()->model()->rowCount(), 10);

  // The page of it opens in a browser and its script finds nothing wrong.
  answer_ = path("page.html");
  export_ = QStringLiteral("HTML report");
  chooseInMenu(window_->actionsOfWindow()["export"]);
  ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path("page.html")); }, kLongJob))
      << window_->messages().text().toStdString();
  if (const QString browser = QStandardPaths::findExecutable(QStringLiteral("chromium")); browser.isEmpty()) {
    std::cout << "the page was not opened: there is no chromium\n";
  } else {
    const QStringList arguments{QStringLiteral("--headless"),
                                QStringLiteral("--no-sandbox"),
                                QStringLiteral("--disable-gpu"),
                                QStringLiteral("--enable-logging=stderr"),
                                QStringLiteral("--user-data-dir=") + path("browser"),
                                QStringLiteral("--virtual-time-budget=5000"),
                                QStringLiteral("--dump-dom"),
                                QStringLiteral("file://") + path("page.html")};
    const auto [page_text, said] = ran(browser, arguments);
    EXPECT_TRUE(page_text.contains("data-ready=\"yes\"")) << said.toStdString();
    EXPECT_FALSE(said.contains("CONSOLE")) << said.toStdString();
    EXPECT_TRUE(page_text.contains("batch 32"));
  }

  // A PDF of the timeline for a paper: its text is text.
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
  answer_ = path("timeline.pdf");
  export_ = QStringLiteral("Timeline");
  chooseInMenu(window_->actionsOfWindow()["export"]);
  ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path("timeline.pdf")); }, kLongJob))
      << window_->messages().text().toStdString();
  const QString reader = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
  if (reader.isEmpty()) {
    std::cout << "the PDF's text was not read: there is no pdftotext\n";
  } else {
    const QString text = ran(reader, {path("timeline.pdf"), QStringLiteral("-")}).first;
    EXPECT_TRUE(text.contains(QStringLiteral("inception_v3"), Qt::CaseInsensitive)) << text.toStdString();
    EXPECT_TRUE(text.contains("IOS-Both")) << text.toStdString();
    EXPECT_TRUE(text.contains("simulated")) << text.toStdString();
  }
}

}  // namespace
}  // namespace iosx
