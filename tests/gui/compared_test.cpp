// The page that compares, with what the rest of the window gives it: what others recorded, pages of HTML, experiments,
// menus, and its arrangement.

#include "app/gui/report.h"
#include "tests/gui/window_fixture.h"
#include "tests/views/tables/column_of.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_menu.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/difference_tables.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/window/dialogs/experiment_dialogs.h"
#include "views/window/menus/column_menu.h"
#include "views/window/menus/export_menu.h"
#include "views/window/menus/external_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"
#include "views/window/shell/experiment_panel.h"

namespace iosx {
namespace {

class ComparedTest : public test::WindowTest {
 protected:
  void SetUp() override {
    choose("tesla-v100");
    open(QStringLiteral("sample"));
    window_->setMode(Mode::kCompare);
  }

  ComparePage& page() { return *window_->views().compared()->page(); }
  const std::vector<LatencyBar>& bars() { return page().chart()->bars(); }
  QString written(const char* name, const QByteArray& text) {
    QFile file(path(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    return path(name);
  }
  QString content(const char* name) {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  CompareMenu& menu() { return *page().findChild<CompareMenu*>(); }
  static QAction* action(const QMenu& menu, const QString& text) {
    for (QAction* action : menu.actions()) {
      if (action->text().remove(QLatin1Char('&')).startsWith(text)) return action;
    }
    return nullptr;
  }
  void idleReader() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, 60000));
  }
};

TEST_F(ComparedTest, TheShownScheduleIsBUntilSomebodyChoosesAnother) {
  const auto b = [this] { return page().runs()->subjects[page().subjectB().value()].result; };
  EXPECT_EQ(b(), session_->activeSchedule());
  const Comparison& compared = *session_->comparison();
  const auto index_of = [&](ScheduleKind kind) { return compared.index_of(compared.find(kind)->id).value(); };
  session_->setActiveSchedule(index_of(ScheduleKind::kIosBoth));
  EXPECT_EQ(b(), index_of(ScheduleKind::kIosBoth));
  page().chooseSubject(index_of(ScheduleKind::kGreedy));
  session_->setActiveSchedule(index_of(ScheduleKind::kList));
  EXPECT_EQ(b(), index_of(ScheduleKind::kGreedy));
}

TEST_F(ComparedTest, WhatOthersRecordedStandsBesideOursAndIsCalledRecorded) {
  ASSERT_EQ(bars().size(), 7U);
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\nTVM,0.9\nTVM,1.1\n"));
  idleReader();
  ASSERT_EQ(bars().size(), 9U) << window_->messages().text().toStdString();
  const LatencyBar& bar = bars()[8];
  EXPECT_TRUE(bar.external);
  EXPECT_EQ(bar.label, "TVM");
  EXPECT_EQ(bar.latency.origin, Origin::kRecorded);
  EXPECT_EQ(bar.latency.samples, 2);
  EXPECT_EQ(bar.source, "recorded in engines.csv");
  EXPECT_TRUE(window_->messages().text().contains("recorded in engines.csv"));
  EXPECT_FALSE(window_->messages().text().contains("measured"));
  // A run that comes later is shown beside them too.
  optimize();
  EXPECT_EQ(bars().size(), 9U);
  // The same file read again takes the old one's place.
  window_->external().add(path("engines.csv"));
  idleReader();
  EXPECT_EQ(bars().size(), 9U);
}

TEST_F(ComparedTest, ATraceSaysHowMuchOfItIsMatched) {
  QByteArray trace = "[";
  double begin = 0;
  for (const Operator& op : session_->document().graph->operators()) {
    trace += R"({"ph":"X","cat":"Node","pid":1,"tid":1,"dur":10,"name":")" + QByteArray::fromStdString(op.name) +
             R"(","ts":)" + QByteArray::number(begin) + "},";
    begin += 10;
  }
  trace += R"({"ph":"X","cat":"Node","pid":1,"tid":1,"dur":10,"name":"something else","ts":5000}])";
  window_->external().add(written("profile.json", trace));
  idleReader();
  ASSERT_EQ(bars().size(), 8U) << window_->messages().text().toStdString();
  EXPECT_TRUE(bars()[7].source.contains("% matched")) << bars()[7].source.toStdString();
  EXPECT_TRUE(window_->messages().text().contains("is matched to operators"));
  EXPECT_EQ(session_->workspace().networks().size(), 1U);
}

TEST_F(ComparedTest, FilesThatAreDroppedAreAddedAndWrongOnesAreErrors) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(written("a.csv", "name,ms\nTensorRT,0.5\n")),
                QUrl::fromLocalFile(written("b.csv", "name,ms\nTVM,0.7\n"))});
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  static_cast<QObject&>(*window_).event(&drop);
  idleReader();
  EXPECT_EQ(bars().size(), 9U);
  window_->external().add(written("broken.csv", "name,ms\nTensorRT,soon\n"));
  idleReader();
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_EQ(bars().size(), 9U);
  window_->external().add(path("not there.csv"));
  idleReader();
  EXPECT_EQ(bars().size(), 9U);
}

TEST_F(ComparedTest, AMeasurementIsRemovedByItsMenu) {
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\nTVM,0.9\n"));
  idleReader();
  ASSERT_EQ(bars().size(), 9U);
  QMenu own;
  menu().fillBar(own, 1);
  EXPECT_EQ(action(own, QStringLiteral("Remove")), nullptr);
  QMenu other;
  menu().fillBar(other, 7);
  ASSERT_NE(action(other, QStringLiteral("Remove")), nullptr);
  EXPECT_EQ(action(other, QStringLiteral("Make it")), nullptr);
  action(other, QStringLiteral("Remove"))->trigger();
  ASSERT_EQ(bars().size(), 8U);
  EXPECT_EQ(bars()[7].label, "TVM");
}

TEST_F(ComparedTest, AProjectKeepsWhatOthersRecorded) {
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\n"));
  idleReader();
  jobs_->saveProject(path("p.iosproj"));
  idle();
  jobs_->open(QStringLiteral("squeezenet"));
  idle();
  EXPECT_TRUE(std::ranges::none_of(bars(), &LatencyBar::external)) << "it is of another network";
  jobs_->open(path("p.iosproj"));
  idle();
  ASSERT_EQ(bars().size(), 8U) << window_->messages().text().toStdString();
  EXPECT_EQ(bars()[7].label, "TensorRT");
}

TEST_F(ComparedTest, WithoutANetworkTheyAreRefusedInWords) {
  session_->editor().remove(session_->networkId());
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\n"));
  EXPECT_FALSE(jobs_->busy());
  EXPECT_TRUE(window_->messages().showsError());
}

TEST_F(ComparedTest, ThePageOfHtmlHasWhatIsCompared) {
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\n"));
  idleReader();
  auto* html = window_->findChild<HtmlMenu*>();
  html->save(path("all.html"));
  idle();
  const QString all = content("all.html");
  EXPECT_TRUE(all.startsWith(QStringLiteral("<!doctype html>"), Qt::CaseInsensitive)) << all.left(40).toStdString();
  EXPECT_TRUE(all.contains("TensorRT"));
  EXPECT_TRUE(all.contains("recorded in engines.csv"));
  EXPECT_TRUE(all.contains("IOS-Both"));
  const auto toast = window_->messages().shown().back();
  EXPECT_NE(toast->findChild<QPushButton*>(), nullptr) << "it offers to open the page";
  // Only what is picked.
  const RunId run = session_->runId();
  const auto& results = session_->comparison()->results;
  session_->editor().setCompared({run, results[0].id}, true);
  session_->editor().setCompared({run, results[1].id}, true);
  html->save(path("two.html"));
  idle();
  EXPECT_LT(content("two.html").size(), all.size());
  EXPECT_FALSE(content("two.html").contains("IOS-Both"));
  html->save(path("no such folder/page.html"));
  idle();
  EXPECT_TRUE(window_->messages().showsError());
}

// Where the faster one has ended its canvas says so, while the slower one still runs.
TEST_F(ComparedTest, BothSchedulesRunOnOneClock) {
  open(QStringLiteral("squeezenet"));
  optimize();
  window_->setMode(Mode::kCompare);
  ComparedRuns& compared = *window_->views().compared();
  ComparePage& page = *compared.page();
  auto* time = compared.findChild<TimeAxisModel*>();
  ASSERT_NE(page.pair(), nullptr);
  const auto titles = [&page] {
    QStringList found;
    for (const QLabel* label : page.canvases()->findChildren<QLabel*>()) {
      const QString text = label->text();
      if (text.startsWith("A: ") || text.startsWith("B: ")) found << text;
    }
    found.sort();
    return found;
  };
  const QStringList before = titles();
  ASSERT_EQ(before.size(), 2);
  EXPECT_TRUE(before.filter(QStringLiteral("finished")).isEmpty());
  const Micros end_b = page.pair()->b.schedule().latency.value;
  const Micros end_a = page.pair()->a.schedule().latency.value;
  ASSERT_LT(end_b, end_a);
  time->setPlayhead(Micros(end_b.count() / 2));
  EXPECT_FALSE(compared.timeline()->frontOf(0).running.empty());
  EXPECT_FALSE(compared.timeline()->frontOf(1).ahead.empty());
  EXPECT_EQ(titles(), before);
  time->setPlayhead((end_a + end_b) / 2);
  EXPECT_EQ(titles().front(), before.front()) << "it still runs";
  EXPECT_TRUE(titles().back().contains("finished")) << titles().back().toStdString();
  EXPECT_FALSE(compared.timeline()->frontOf(0).ahead.empty());
  EXPECT_TRUE(compared.timeline()->frontOf(1).running.empty());
  time->setPlayhead(std::nullopt);
  EXPECT_EQ(titles(), before);
  EXPECT_TRUE(compared.timeline()->frontOf(0).running.empty());
}

TEST_F(ComparedTest, ExperimentsStandInTheirPanelWithWhatIf) {
  window_->actionsOfWindow()["show-experiments"]->trigger();
  auto* shelf = must(window_->findChild<ExperimentPanel*>());
  ASSERT_TRUE(shelf->isVisible());
  EXPECT_TRUE(window_->views().sweep()->isVisible());
  EXPECT_EQ(shelf->figure(), nullptr);
  auto* list = part<QListWidget>("experiment-list");
  EXPECT_EQ(list->count(), static_cast<int>(experiment_table().size()) + 2);  // What if, and a heading
  list->setCurrentRow(list->count() - 1);
  EXPECT_FALSE(window_->views().sweep()->isVisible());
  EXPECT_EQ(part<QPushButton>("experiment-run")->text(), "&Run…") << "frameworks ask for an interpreter";
  EXPECT_FALSE(part<QComboBox>("experiment-box")->isVisible()) << "there is no result yet";
  jobs_->experiment({.kind = ExperimentKind::kSchedules});
  idle();
  jobs_->experiment({.kind = ExperimentKind::kThroughput, .options = {.batches = {1, 4}}});
  idle();
  ASSERT_NE(shelf->figure(), nullptr);
  EXPECT_TRUE(shelf->figure()->figure().fileStem().contains("throughput"));
  auto* box = shelf->findChild<QComboBox*>(QStringLiteral("experiment-box"));
  EXPECT_EQ(box->count(), 1);
  shelf->choose(ExperimentKind::kSchedules);
  EXPECT_EQ(shelf->figure()->figure().fileStem(), "comparison");
  for (ExperimentWindow* open : window_->findChildren<ExperimentWindow*>()) delete open;
  part<QPushButton>("experiment-open")->click();
  EXPECT_EQ(window_->findChildren<ExperimentWindow*>().size(), 1);
  part<QPushButton>("experiment-run")->click();
  idle();
  EXPECT_EQ(part<QComboBox>("experiment-box")->count(), 2);
}

TEST_F(ComparedTest, WhatAProfileAndTheNetworkLackOfEachOtherIsListedAndColoured) {
  EXPECT_FALSE(window_->actionsOfWindow()["external-matches"]->isEnabled());
  window_->external().add(
      written("profile.csv", "name,duration (ms)\nsample.conv_a,1\nsample.conv_b,4\nReformatCopy,2.5\n"));
  idleReader();
  ASSERT_EQ(session_->workspace().external().size(), 1U);
  const Graph& graph = *session_->document().graph;
  window_->actionsOfWindow()["external-matches"]->trigger();
  auto* tree = must(part<QTreeWidget>("matches"));
  ASSERT_EQ(tree->topLevelItemCount(), 3);
  const QTreeWidgetItem* lost = tree->topLevelItem(0);
  ASSERT_EQ(lost->childCount(), 1);
  EXPECT_EQ(lost->child(0)->text(0), "ReformatCopy");
  EXPECT_EQ(lost->child(0)->text(2), "2.50 ms");
  EXPECT_EQ(lost->child(0)->background(0).color(), theme_of(tree->palette()).errorFill);
  QTreeWidgetItem* bare = tree->topLevelItem(1);
  ASSERT_EQ(bare->childCount(), static_cast<int>(graph.units().size()) - 2);
  EXPECT_EQ(tree->topLevelItem(2)->childCount(), 2);
  EXPECT_EQ(tree->topLevelItem(2)->child(0)->text(4), "name");
  // A unit of the list is selected in the graph.
  tree->setCurrentItem(bare->child(0));
  ASSERT_EQ(window_->selection().current().units.size(), 1U);
  EXPECT_EQ(graph.unit(window_->selection().current().units.front()).name, bare->child(0)->text(0).toStdString());
  // The canvas shows the times of the profile, and which units have none.
  part<QPushButton>("colour-matches")->click();
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  EXPECT_EQ(window_->views().graph()->overlay(), canvas::Overlay::kColumn);
  const auto& column = session_->shownNetwork()->column;
  ASSERT_NE(column, nullptr);
  std::size_t known = 0;
  for (std::size_t u = 0; u < column->values.size(); ++u) {
    if (!column->values[u]) continue;
    ++known;
    EXPECT_EQ(*column->values[u], graph.unit(UnitId(u)).name == "sample.conv_b" ? 4 : 1);
  }
  EXPECT_EQ(known, 2U);
}

TEST_F(ComparedTest, MatchesOutliveAnEditOfTheGraph) {
  const NetworkId drawn = session_->editor().addDrawn({}, *open_graph("squeezenet"), QStringLiteral("mine"), false);
  ASSERT_EQ(session_->networkId(), drawn);
  QByteArray table = "name,duration (ms)\n";
  for (const Operator& op : session_->document().graph->operators())
    table += QByteArray::fromStdString(op.name) + ",1\n";
  window_->external().add(written("profile.csv", table));
  idleReader();
  window_->actionsOfWindow()["external-matches"]->trigger();
  auto* tree = must(part<QTreeWidget>("matches"));
  session_->editor().addDrawn(drawn, *open_graph("sample"), QStringLiteral("mine"), false);
  ASSERT_EQ(session_->networkId(), drawn);
  const Graph& graph = *session_->document().graph;
  // The open window has units that are gone: it selects none, and colours what is left.
  QTreeWidgetItem* matched = tree->topLevelItem(2);
  ASSERT_GT(matched->childCount(), static_cast<int>(graph.units().size()));
  tree->setCurrentItem(matched->child(matched->childCount() - 1));
  EXPECT_TRUE(window_->selection().current().units.empty());
  part<QPushButton>("colour-matches")->click();
  ASSERT_NE(session_->shownNetwork()->column, nullptr);
  EXPECT_EQ(session_->shownNetwork()->column->values.size(), graph.units().size());
  part<QDialog>("match-window")->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  // Another one speaks of the graph as it is.
  window_->actionsOfWindow()["external-matches"]->trigger();
  tree = must(part<QTreeWidget>("matches"));
  int units = 0;
  for (const QTreeWidgetItem* group : {tree->topLevelItem(1), tree->topLevelItem(2)}) units += group->childCount();
  EXPECT_GE(units, static_cast<int>(graph.units().size()));
}

TEST_F(ComparedTest, StatisticsHaveARowForWhatOthersRecorded) {
  window_->external().add(written("engines.csv", "framework,latency_ms\nTensorRT,0.5\nTVM,0.9\n"));
  idleReader();
  const QAbstractItemModel& rows = *page().statisticsTable()->model();
  const auto own = static_cast<int>(page().runs()->subjects.size());
  ASSERT_EQ(rows.rowCount(), own + 2);
  EXPECT_EQ(rows.index(own, test::column_of(rows, "schedule")).data().toString(), "TensorRT");
  EXPECT_EQ(rows.index(own, test::column_of(rows, "median_ms")).data().toString(), "0.500");
  EXPECT_TRUE(rows.index(own, test::column_of(rows, "origin")).data().toString().contains("engines.csv"));
  EXPECT_TRUE(rows.index(own, test::column_of(rows, "delta_ms")).data().toString().endsWith(" ?"));
  EXPECT_TRUE(page().figure(ComparedFigure::kStatistics)->csv().contains("\nTVM,0.9,"));
  QMenu menu_of_row;
  menu().fillStatistics(menu_of_row, rows.index(own, 0));  // there is no schedule to make a baseline
  for (const QAction* one : menu_of_row.actions()) EXPECT_FALSE(one->text().contains("baseline"));
}

TEST_F(ComparedTest, MenusCopyChooseAndExplore) {
  QClipboard* clipboard = QGuiApplication::clipboard();
  const QAbstractItemModel& matrix = *page().matrixTable()->model();
  QMenu cell;
  const std::size_t beside = *page().matrix().subject(2);
  menu().fillMatrix(cell, matrix.index(0, 2));
  action(cell, QStringLiteral("Copy value"))->trigger();
  EXPECT_EQ(clipboard->text(), matrix.index(0, 2).data().toString());
  action(cell, QStringLiteral("Copy row as CSV"))->trigger();
  EXPECT_EQ(clipboard->text().count(QLatin1Char('\n')), 2) << clipboard->text().toStdString();
  action(cell, QStringLiteral("Copy table as CSV"))->trigger();
  EXPECT_EQ(clipboard->text().count(QLatin1Char('\n')), matrix.rowCount() + 1);
  action(cell, QStringLiteral("Make it the baseline"))->trigger();
  ASSERT_TRUE(session_->workspace().baseline());
  EXPECT_EQ(session_->workspace().baseline()->schedule, session_->comparison()->results[beside].id);

  const QAbstractItemModel& stages = *page().stagesTable()->model();
  int row = 0;
  while (stages.index(row, 1).data().toString().isEmpty()) ++row;  // stages of B
  QMenu stage;
  const QModelIndex index = stages.index(row, 1);
  menu().fillStages(stage, index);
  const std::size_t shown = page().stagesOf(index).b.front();
  const std::size_t b = *page().subjectB();
  action(stage, QStringLiteral("Show the stage of B"))->trigger();
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  EXPECT_EQ(session_->activeSchedule(), b);
  EXPECT_EQ(window_->selection().current().stage, shown);

  QMenu nothing;
  menu().fillStatistics(nothing, {});
  EXPECT_EQ(action(nothing, QStringLiteral("Copy")), nullptr);
  QSignalSpy asked(&menu(), &CompareMenu::figureAsked);
  asked.clear();
  EXPECT_TRUE(action(nothing, QStringLiteral("Export this figure"))->isEnabled());
}

TEST_F(ComparedTest, TheFirstSequentialScheduleIsTheBaseline) {
  test::set(*session_, [](RunSettings& settings) { settings.options.batch = 8; });
  optimize();
  for (const WorkspaceRun& run : session_->workspace().runs()) {
    session_->editor().setCompared({run.id, run.run->comparison.results.front().id}, true);
  }
  ASSERT_EQ(page().runs()->subjects.size(), 2U);
  EXPECT_EQ(page().runs()->matrix.baseline, 0U);
  EXPECT_EQ(page().runs()->baseline().comparison->batch, 1);
}

// The boxes of the project panel say what bars, matrix and timelines show, whoever changes it.
class TickedTest : public ComparedTest {
 protected:
  QAbstractItemModel& rows() { return *part<QTreeView>("project-tree")->model(); }
  std::vector<QModelIndex> schedules() {
    std::vector<QModelIndex> found;
    for (int network = 0; network < rows().rowCount(); ++network) {
      const QModelIndex top = rows().index(network, 0);
      for (int run = 0; run < rows().rowCount(top); ++run) {
        const QModelIndex below = rows().index(run, 0, top);
        for (int row = 0; row < rows().rowCount(below); ++row) found.push_back(rows().index(row, 0, below));
      }
    }
    return found;
  }
  static bool ticked(const QModelIndex& row) { return row.data(Qt::CheckStateRole).toInt() == Qt::Checked; }
  void tick(int schedule, bool on) {
    rows().setData(schedules()[static_cast<std::size_t>(schedule)], on ? Qt::Checked : Qt::Unchecked,
                   Qt::CheckStateRole);
  }
  QString marked(const QString& letter) {
    QStringList found;
    for (const QModelIndex& row : schedules()) {
      if (row.data().toString().startsWith(letter + QStringLiteral(": "))) found << row.data().toString();
    }
    return found.join(QLatin1Char(','));
  }
  void expectAgreement(std::size_t count) {
    std::vector<Choice> chosen;
    auto& model = dynamic_cast<ProjectModel&>(rows());
    for (const QModelIndex& row : schedules()) {
      if (ticked(row)) chosen.push_back(*model.choice(row));
    }
    EXPECT_EQ(chosen.size(), count);
    ComparedRuns& compared = *window_->views().compared();
    ASSERT_NE(page().runs(), nullptr);
    ASSERT_EQ(page().runs()->subjects.size(), count);
    EXPECT_EQ(bars().size(), count);
    EXPECT_EQ(page().matrixTable()->model()->columnCount(), static_cast<int>(count) + 1);
    EXPECT_EQ(compared.timeline()->tracks().shown_tracks().size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NE(std::ranges::find(chosen, *compared.choice(i)), chosen.end()) << i;
    }
    const auto title = [&](std::size_t subject) {
      return schedule_title(*session_->workspace().find(*compared.choice(subject)));
    };
    EXPECT_EQ(marked(QStringLiteral("A")), QStringLiteral("A: ") + title(page().runs()->matrix.baseline));
    EXPECT_EQ(marked(QStringLiteral("B")),
              page().subjectB() ? QStringLiteral("B: ") + title(*page().subjectB()) : QString());
  }
};

TEST_F(TickedTest, BoxesAgreeWithThePageAndChangeIt) {
  expectAgreement(7);  // the shown run's, which nobody picked
  tick(2, false);
  expectAgreement(6);
  tick(2, true);
  expectAgreement(7);
  // A and B too: others take their places.
  tick(0, false);
  expectAgreement(6);
  const std::size_t b = *page().subjectB();
  const Choice before = *window_->views().compared()->choice(b);
  page().chooseSubject(b == 1 ? 2 : 1);
  expectAgreement(6);
  page().chooseBaseline(3);
  expectAgreement(6);
  EXPECT_NE(window_->views().compared()->choice(*page().subjectB()), before);
  for (int i = 1; i < 6; ++i) {
    QSignalSpy changes(session_.get(), &Session::workspaceChanged);
    tick(i, false);
    EXPECT_EQ(changes.size(), 1) << i;
  }
  expectAgreement(1);
  tick(6, false);  // the last one stays
  expectAgreement(1);
  tick(0, true);
  expectAgreement(2);
}

TEST_F(TickedTest, BoxesOfOtherRunsAddAndTheShownRunIsFollowedUntilSomethingIsPicked) {
  const RunId first = session_->runId();
  test::set(*session_, [](RunSettings& settings) { settings.options.batch = 8; });
  optimize();
  ASSERT_NE(session_->runId(), first);
  expectAgreement(7);
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(ticked(schedules()[static_cast<std::size_t>(i)])) << i;
  session_->showRun(first);
  expectAgreement(7);
  EXPECT_TRUE(ticked(schedules()[0]));
  tick(9, true);  // of the other run
  expectAgreement(8);
  session_->showRun(session_->workspace().runs()[1].id);
  expectAgreement(8);
  session_->editor().remove(session_->workspace().runs()[1].id);
  expectAgreement(7);
}

TEST_F(TickedTest, AQuestionsPairIsTickedAndTickingAThirdKeepsIt) {
  const RunId run = session_->runId();
  const auto& results = session_->comparison()->results;
  window_->views().compared()->showPair({run, results[1].id}, {run, results[4].id});
  expectAgreement(2);
  EXPECT_TRUE(ticked(schedules()[1]) && ticked(schedules()[4]));
  page().chooseBaseline(1);
  expectAgreement(2);
  page().chooseBaseline(0);
  expectAgreement(2);
  tick(2, true);
  expectAgreement(3);
  EXPECT_EQ(window_->views().compared()->choice(page().runs()->matrix.baseline), (Choice{run, results[1].id}));
  EXPECT_EQ(session_->workspace().compared().size(), 3U);
}

TEST_F(TickedTest, AHandMadeScheduleIsPickedAndBecomesB) {
  const RunId run = session_->runId();
  session_->editor().setAllCompared(
      {{run, session_->comparison()->results[0].id}, {run, session_->comparison()->results[4].id}}, std::nullopt);
  expectAgreement(2);
  ScheduleResult mine = session_->comparison()->results[1];
  mine.schedule_kind = ScheduleKind::kByHand;
  mine.schedule.name = "by hand";
  window_->setMode(Mode::kExplore);
  session_->editor().addHandMade(run, mine);  // as the editor does after it ran
  window_->setMode(Mode::kCompare);
  expectAgreement(3);
  const auto b = must(window_->views().compared()->choice(*page().subjectB()));
  EXPECT_EQ(session_->workspace().find(b)->schedule_kind, ScheduleKind::kByHand);
  // Another choice of B is the user's, and stays when it runs no more.
  page().chooseSubject(1);
  session_->editor().setNote(run, QStringLiteral("a note"));
  expectAgreement(3);
  EXPECT_EQ(page().subjectB(), 1U);
}

TEST_F(ComparedTest, ItsArrangementIsRemembered) {
  QSplitter* overview = nullptr;
  for (QSplitter* splitter : page().findChildren<QSplitter*>()) {
    if (splitter->indexOf(page().matrixTable()) >= 0) overview = splitter;
  }
  ASSERT_NE(overview, nullptr);
  QTest::qWait(50);
  const auto share = [](const QSplitter* splitter) {
    return static_cast<double>(splitter->sizes()[1]) / (splitter->sizes()[0] + splitter->sizes()[1]);
  };
  const double before = share(overview);
  QSplitterHandle* handle = overview->handle(1);
  const QPoint at = handle->rect().center();
  QTest::mousePress(handle, Qt::LeftButton, {}, at);
  QTest::mouseMove(handle, at - QPoint(150, 0));
  QTest::mouseRelease(handle, Qt::LeftButton, {}, at - QPoint(150, 0));
  const double after = share(overview);
  EXPECT_GT(after, before + 0.02);
  window_->resize(1500, 900);
  QTest::qWait(20);
  EXPECT_NEAR(share(overview), after, 0.02) << "a share, not a number of pixels";

  Session again(devices_);
  Jobs jobs_again(again, open_for_test);
  Controllers controllers_again(devices_, again, jobs_again);
  MainWindow other(again, jobs_again, controllers_again, settings_, false);
  other.resize(1600, 1000);
  other.show();
  other.setMode(Mode::kCompare);
  QTest::qWait(50);
  const QSplitter* restored = nullptr;
  for (const QSplitter* splitter : other.findChildren<QSplitter*>()) {
    if (splitter->indexOf(other.views().compared()->page()->matrixTable()) >= 0) restored = splitter;
  }
  EXPECT_NEAR(share(restored), after, 0.03);
  // And how the height is shared out.
  page().setSectionShown(CompareSection::kDetails, false);
  other.views().compared()->page()->setArrangement(settings_.layout(QStringLiteral("compare-page")));
  EXPECT_FALSE(other.views().compared()->page()->sectionShown(CompareSection::kDetails));
  page().setSectionShown(CompareSection::kDetails, true);
  for (const QByteArray& nonsense : {QByteArray(), QByteArray("no"), QByteArray(1000, '\xFF')}) {
    page().setArrangement(nonsense);
  }
  EXPECT_NEAR(share(overview), after, 0.03);
  page().resetArrangement();
  EXPECT_NEAR(share(overview), before, 0.05);
}

TEST_F(ComparedTest, AReportFitsANarrowColumn) {
  const std::filesystem::path folder = path("narrow").toStdString();
  ASSERT_TRUE(make_report_folder(folder));
  std::ostringstream notes;
  for (const double width : {60.0, 84.0}) {
    const auto files = write_report(session_->comparison(), folder, notes, PaperFormat{.width_mm = width});
    ASSERT_TRUE(files) << width << ": " << files.error().text();
  }
}

// Colouring the graph by a column of somebody's table, as a user does.

class ColumnTest : public test::WindowTest {
 protected:
  void SetUp() override {
    choose("tesla-v100");
    open(QStringLiteral("sample"));  // units sample.conv_a to sample.conv_d, sample.concat
  }

  GraphView& graph() { return *window_->views().graph(); }
  QString written(const char* name, const QByteArray& text) {
    QFile file(path(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
  }
  void read(const char* name, const QByteArray& text) {
    window_->columns().read(written(name, text));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, 60000));
  }
  std::string said() { return window_->messages().text().toStdString(); }
  QAction* choice() { return window_->actionsOfWindow()["colour-column"]; }
};

TEST_F(ColumnTest, ATableOfOneColumnIsShownAtOnce) {
  EXPECT_FALSE(choice()->isEnabled());
  window_->setMode(Mode::kEditSchedule);
  read("memory.csv", "name,memory (MB)\nsample.conv_a,1\nsample.conv_b,4\nsample.conv_d,2.5\nelsewhere,9\n");
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kColumn);
  EXPECT_EQ(graph().overlayScale().title(), "memory (MB)");
  EXPECT_EQ(graph().overlayScale().text(UnitId(3)), "2.5");
  EXPECT_EQ(graph().overlayScale().text(UnitId(2)), "");
  EXPECT_TRUE(choice()->isEnabled());
  EXPECT_TRUE(choice()->isChecked());
  EXPECT_NE(said().find("3 of 4 names of memory.csv are operators of sample"), std::string::npos) << said();
  EXPECT_NE(said().find("elsewhere"), std::string::npos);
  window_->selection().select({{UnitId(3)}, {}, {}});
  const auto* inspector = part<QDockWidget>("inspector")->findChild<QTableView*>();
  QStringList names;
  for (int row = 0; row < inspector->model()->rowCount(); ++row) {
    names << inspector->model()->index(row, 0).data().toString() + "=" +
                 inspector->model()->index(row, 1).data().toString();
  }
  EXPECT_TRUE(names.contains("memory (MB)=2.5")) << names.join('\n').toStdString();
}

TEST_F(ColumnTest, WhatIsComparedIsColouredWhereItStands) {
  window_->setMode(Mode::kCompare);
  const CanvasPair& pair = *window_->views().compared()->page()->canvases();
  EXPECT_TRUE(pair.canvasA()->columnTitle().isEmpty());
  read("memory.csv", "name,memory (MB)\nsample.conv_a,1\nsample.conv_b,4\nsample.conv_d,2.5\n");
  EXPECT_EQ(window_->mode(), Mode::kCompare);
  for (const GraphView* canvas : {pair.canvasA(), pair.canvasB()}) {
    EXPECT_EQ(canvas->columnTitle(), "memory (MB)");
    EXPECT_EQ(canvas->overlay(), canvas::Overlay::kColumn);
    EXPECT_EQ(canvas->overlayScale().text(UnitId(3)), "2.5");
  }
  // A run of another network has none of it.
  open(QStringLiteral("squeezenet"));
  EXPECT_TRUE(pair.canvasA()->columnTitle().isEmpty());
  EXPECT_EQ(pair.canvasA()->overlay(), canvas::Overlay::kNone);
}

TEST_F(ColumnTest, OfSeveralColumnsOneIsAskedFor) {
  read(
      "table.json",
      R"([{"name": "sample.conv_a", "memory": 1, "error": -0.5}, {"name": "sample.conv_b", "memory": 3, "error": 0.25}])");
  auto* dialog = must(window_->findChild<ColumnDialog*>());
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone) << "nothing is chosen yet";
  auto* column = dialog->findChild<QComboBox*>(QStringLiteral("column"));
  auto* join = dialog->findChild<QComboBox*>(QStringLiteral("join"));
  ASSERT_EQ(column->count(), 2);
  column->setCurrentIndex(column->findText(QStringLiteral("memory")));
  EXPECT_EQ(join->currentIndex(), static_cast<int>(ColumnJoin::kSum));
  column->setCurrentIndex(column->findText(QStringLiteral("error")));
  EXPECT_EQ(join->currentIndex(), static_cast<int>(ColumnJoin::kLargest)) << "errors do not add up";
  EXPECT_TRUE(dialog->findChild<QLabel*>(QStringLiteral("found"))->text().contains("All 2 names"));
  dialog->accept();
  EXPECT_EQ(graph().overlayScale().title(), "error");
  EXPECT_EQ(graph().overlayScale().high(), "0.5");  // as far as the other side of zero
  EXPECT_EQ(session_->shownNetwork()->column->join, ColumnJoin::kLargest);
}

TEST_F(ColumnTest, EachNetworkHasItsOwn) {
  read("memory.csv", "name,memory\nsample.conv_a,1\nsample.conv_b,4\n");
  const NetworkId first = session_->networkId();
  open(QStringLiteral("squeezenet"));
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone);
  EXPECT_FALSE(choice()->isEnabled());
  session_->showNetwork(first);
  EXPECT_TRUE(choice()->isEnabled());
  graph().setOverlay(canvas::Overlay::kColumn);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !graph().layoutPending(); }, 60000));
  EXPECT_EQ(graph().overlayScale().title().toStdString(), "memory");
  const std::unique_ptr<Figure> figure = window_->views().figure(FigureKind::kGraph);
  EXPECT_TRUE(figure->csv().contains(",memory\n")) << figure->csv().toStdString();
}

TEST_F(ColumnTest, WhatIsNoTableOfThisNetworkChangesNothing) {
  read("other.csv", "name,v\nw,1\nx,2\n");
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_NE(said().find("None of the 2 names of other.csv is an operator of sample"), std::string::npos) << said();
  read("words.csv", "name,v\na,x\n");
  EXPECT_NE(said().find("has no column of numbers"), std::string::npos) << said();
  window_->columns().read(QStringLiteral("/no/such/table.csv"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, 60000));
  EXPECT_NE(said().find("table.csv"), std::string::npos);
  EXPECT_EQ(graph().overlay(), canvas::Overlay::kNone);
  EXPECT_FALSE(session_->shownNetwork()->column);
  EXPECT_FALSE(choice()->isEnabled());
}

}  // namespace

}  // namespace iosx
