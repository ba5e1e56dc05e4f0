#include <qcustomplot.h>

#include <QSignalSpy>
#include <QTest>
#include <QtWidgets>

#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/views/compare/runs.h"
#include "views/canvas/corner_cards.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/difference_tables.h"

namespace iosx {
namespace {

class ComparePageTest : public testing::Test {
 protected:
  ComparePageTest() {
    page_.resize(1280, 800);
    page_.show();
  }

  void set(std::vector<Subject> subjects, std::size_t baseline = 0) {
    page_.setSubjects(std::move(subjects), baseline);
    settle();
  }
  void settle() {
    QApplication::processEvents();
    EXPECT_TRUE(QTest::qWaitFor([this] {
      return !page_.canvases()->canvasA()->layoutPending() && !page_.canvases()->canvasB()->layoutPending();
    }));
  }
  // What a user does: its tab is turned to, the cell scrolled to and clicked.
  void click(CompareTable& table, int row, int column) {
    turnTo(table);
    const QModelIndex index = table.model()->index(row, column);
    table.scrollTo(index);
    QApplication::processEvents();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
  }
  void turnTo(const QWidget& content) {
    auto* tabs = page_.findChild<QTabWidget*>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      if (tabs->widget(tab) == &content || tabs->widget(tab)->isAncestorOf(&content)) tabs->setCurrentIndex(tab);
    }
    QApplication::processEvents();
  }
  int lines(const char* label) const {
    const auto* words = page_.findChild<QLabel*>(QString::fromLatin1(label));
    return static_cast<int>(std::lround(static_cast<double>(words->height()) / words->fontMetrics().lineSpacing()));
  }
  // Pictures for looking at, where a folder is named.
  void picture(const QString& name) {
    const QString folder = qEnvironmentVariable("IOSX_PICTURES");
    if (!folder.isEmpty()) page_.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
  }

  SelectionModel selection_;
  ComparePage page_{&selection_};
};

TEST_F(ComparePageTest, OfNothingSaysSo) {
  EXPECT_TRUE(page_.sentence().startsWith("Nothing to compare yet"));
  EXPECT_EQ(page_.runs(), nullptr);
  EXPECT_EQ(page_.figure(ComparedFigure::kMatrix), nullptr);
  EXPECT_FALSE(page_.grab().isNull());
}

TEST_F(ComparePageTest, ShowsOneTwoAndManySubjectsInAnyWindow) {
  const auto v100 = test::simulated_run("squeezenet");
  const auto h200 = test::simulated_run("squeezenet", "h200");
  set({{v100, 0}});
  EXPECT_TRUE(page_.sentence().contains("Add another"));
  EXPECT_EQ(page_.pair(), nullptr);
  picture("one");
  set({{v100, 0}, {v100, 4}});
  ASSERT_NE(page_.pair(), nullptr);
  EXPECT_EQ(page_.subjectB(), 1U);
  picture("two");
  auto eight = test::all_of({v100, h200});
  eight.resize(8);
  set(eight);
  EXPECT_EQ(page_.matrixTable()->model()->columnCount(), 9);
  EXPECT_EQ(page_.chart()->bars().size(), 8U);
  picture("eight");
  EXPECT_GE(page_.canvases()->canvasA()->height(), 200);
  EXPECT_GE(page_.canvases()->canvasB()->width(), 400);
  turnTo(*page_.stagesTable());
  EXPECT_GE(page_.stagesTable()->height(), 100);
}

TEST_F(ComparePageTest, AClickOnStagesSelectsTheirUnitsEverywhere) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  const auto& model = *page_.stagesTable()->model();
  const int row = model.rowCount() / 2;
  click(*page_.stagesTable(), row, model.columnCount() - 1);
  const auto& filter = dynamic_cast<const StageDifferenceFilter&>(model);
  const int source = filter.mapToSource(filter.index(row, 0)).row();
  const std::vector<UnitId> units = page_.pair()->difference.rows[static_cast<std::size_t>(source)].units_a;
  EXPECT_EQ(selection_.current().units, units);
  EXPECT_EQ(page_.canvases()->selectionA()->current().units, units);
  EXPECT_EQ(page_.canvases()->selectionB()->current().units, units);  // of the same network
  // By the keyboard too.
  QTest::keyClick(page_.stagesTable(), Qt::Key_Down);
  EXPECT_NE(selection_.current().units, units);
  EXPECT_FALSE(selection_.current().empty());
}

TEST_F(ComparePageTest, ATabThatIsTurnedToShowsWhatIsSelected) {
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 4}});
  const std::size_t row = page_.pair()->difference.rows.size() - 1;
  selection_.select({{page_.pair()->difference.rows[row].units_a.front()}, {}, {}});
  turnTo(*page_.stagesTable());
  const auto rows = page_.stagesTable()->selectionModel()->selectedRows();
  ASSERT_EQ(rows.size(), 1);
  EXPECT_TRUE(page_.stagesTable()->viewport()->rect().contains(page_.stagesTable()->visualRect(rows[0]).center()));
}

TEST_F(ComparePageTest, AClickOnAPartSelectsIt) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  click(*page_.matrixTable(), 2, 2);
  EXPECT_EQ(selection_.current().units, page_.runs()->matrix.rows[2].cells[0].units);
  // Its stages are shown as selected.
  EXPECT_FALSE(page_.stagesTable()->selectionModel()->selectedRows().empty());
}

TEST_F(ComparePageTest, WhatTheWindowSelectsIsSelectedHere) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  const UnitId unit = page_.pair()->difference.rows[3].units_a.front();
  selection_.select({{unit}, ScheduleId("greedy"), 3});
  EXPECT_EQ(page_.canvases()->selectionB()->current().units, std::vector{unit});
  ASSERT_EQ(page_.stagesTable()->selectionModel()->selectedRows().size(), 1);
  // Nothing came back: the window's stage is still selected.
  EXPECT_EQ(selection_.current().stage, 3U);
  selection_.clear();
  EXPECT_TRUE(page_.stagesTable()->selectionModel()->selectedRows().empty());
}

TEST_F(ComparePageTest, BarsTitlesAndBoxesChooseWhatIsCompared) {
  const auto run = test::simulated_run("squeezenet");
  set(test::all_of({run}));
  ASSERT_EQ(page_.runs()->subjects.size(), 7U);
  page_.chooseSubject(3);
  QSignalSpy chosen(&page_, &ComparePage::subjectChosen);
  QSignalSpy baseline(&page_, &ComparePage::baselineChosen);
  page_.chart()->plotWidget()->replot();
  QTest::mouseClick(page_.chart()->plotWidget(), Qt::LeftButton, {}, page_.chart()->centerOfBar(2));
  EXPECT_EQ(page_.subjectB(), 2U);
  QHeaderView* head = page_.matrixTable()->horizontalHeader();
  page_.matrixTable()->scrollTo(page_.matrixTable()->model()->index(0, 3));  // beside B's
  QApplication::processEvents();
  QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                    QPoint(head->sectionViewportPosition(3) + head->sectionSize(3) / 2, head->height() / 2));
  EXPECT_EQ(page_.subjectB(), 1U);
  EXPECT_EQ(chosen.size(), 2);
  // The baseline by the keyboard: from Sequential to Greedy, which was B, so that they change places.
  auto* box = page_.findChildren<QComboBox*>().front();
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Down);
  EXPECT_EQ(page_.runs()->matrix.baseline, 1U);
  EXPECT_EQ(page_.subjectB(), 0U);
  ASSERT_EQ(baseline.size(), 1);
  EXPECT_EQ(baseline[0][0].toInt(), 1);
  EXPECT_EQ(page_.chart()->bars()[1].remark, "baseline");
}

TEST_F(ComparePageTest, FiltersStagesByWhatIsTyped) {
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 4}});
  const int all = page_.stagesTable()->model()->rowCount();
  auto* filter = page_.findChild<QLineEdit*>(QStringLiteral("compare-filter"));
  turnTo(*page_.stagesTable());
  filter->setFocus();
  QTest::keyClicks(filter, "merged");
  const int merged = page_.stagesTable()->model()->rowCount();
  EXPECT_LT(merged, all);
  filter->clear();
  EXPECT_EQ(page_.stagesTable()->model()->rowCount(), all);
  picture("inception");
}

TEST_F(ComparePageTest, OfDifferentNetworksMarksWhatIsMissingAndAdded) {
  const auto a = test::simulated_run("resnet18");
  const auto b = test::simulated_run("resnet34");
  set({{a, 0}, {b, 0}});
  EXPECT_TRUE(page_.sentence().contains("The networks differ"));
  EXPECT_FALSE(page_.pair()->match.added().empty());
  bool told = false;
  for (const QLabel* label : page_.findChildren<QLabel*>()) told = told || label->text().contains("only in B");
  EXPECT_TRUE(told);
  picture("networks");
  // Of a unit that both have, the counterpart is selected.
  for (std::size_t i = 0; i < page_.pair()->match.units_in_b.size(); ++i) {
    const UnitId other = page_.pair()->match.units_in_b[i];
    if (!other.valid()) continue;
    selection_.select({{UnitId(i)}, {}, {}});
    EXPECT_EQ(page_.canvases()->selectionB()->current().units, std::vector{other});
    break;
  }
}

TEST_F(ComparePageTest, OfOtherDevicesBatchesAndRecordedRunsSaysWhatTheyAre) {
  const auto here = test::simulated_run("squeezenet");
  const auto batch = test::simulated_run("squeezenet", "h200", 8);
  auto recorded = std::make_shared<Comparison>(*here);
  recorded->recorded = verbatim("recorded on a server, 2026-01-01 10:00 UTC");
  for (ScheduleResult& result : recorded->results) {
    result.trace = {};
    result.rounds.clear();
  }
  recorded->results[4].stage_latencies.clear();
  set({{here, 0}, {batch, 4}, {recorded, 4}, {recorded, 1}});
  EXPECT_TRUE(page_.sentence().contains("batch")) << page_.sentence().toStdString();
  for (std::size_t i = 1; i < 4; ++i) {
    page_.chooseSubject(i);
    settle();
    EXPECT_FALSE(page_.grab().isNull());
    for (const ComparedFigure kind : {ComparedFigure::kBars, ComparedFigure::kMatrix, ComparedFigure::kStages}) {
      const auto figure = must(page_.figure(kind));
      EXPECT_FALSE(figure->csv().isEmpty());
    }
  }
  page_.chooseSubject(2);  // without stage latencies
  EXPECT_FALSE(page_.pair()->difference.has_latencies);
  picture("recorded");
}

TEST_F(ComparePageTest, ExternalNumbersAreBarsBesideOurs) {
  const auto run = test::simulated_run("squeezenet");
  LatencyBar external;
  external.label = QStringLiteral("TensorRT");
  external.source = QStringLiteral("profile.json");
  external.latency = {Millis(0.5), Millis(0.02), 30, Origin::kRecorded};
  page_.setExternal({external});
  set({{run, 0}, {run, 4}});
  ASSERT_EQ(page_.chart()->bars().size(), 3U);
  EXPECT_TRUE(page_.chart()->bars()[2].external);
  EXPECT_FALSE(page_.chart()->bars()[2].remark.isEmpty());
  EXPECT_TRUE(page_.figure(ComparedFigure::kBars)->csv().contains("TensorRT,profile.json,yes,recorded,"));
  page_.chart()->plotWidget()->replot();
  QTest::mouseClick(page_.chart()->plotWidget(), Qt::LeftButton, {}, page_.chart()->centerOfBar(2));
  EXPECT_EQ(page_.subjectB(), 1U);  // nobody's schedule
  picture("external");
}

TEST_F(ComparePageTest, APieceOfTheNetworkIsComparedWithNothing) {
  const auto run = test::simulated_run("squeezenet");
  LatencyBar piece{.label = QStringLiteral("a trace"),
                   .latency = {Millis(0.001), Millis(0), 1, Origin::kRecorded},
                   .remark = QStringLiteral("3 of 66 operators"),
                   .piece = true};
  page_.setExternal({piece});
  set({{run, 0}, {run, 4}});
  const std::vector<LatencyBar>& bars = page_.chart()->bars();
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_EQ(bars[2].remark, piece.remark);
  EXPECT_FALSE(bars[2].ratio);
  EXPECT_FALSE(bars[2].fastest);
  EXPECT_TRUE(bars[1].fastest) << "of those that ran all of it";
}

TEST_F(ComparePageTest, BarsOfOtherBatchesAreOfOneSample) {
  const auto one = test::simulated_run("squeezenet");
  const auto eight = test::simulated_run("squeezenet", "tesla-v100", 8);
  LatencyBar external{.label = QStringLiteral("TensorRT"), .latency = {Millis(4), Millis(0.8), 30, Origin::kRecorded}};
  page_.setExternal({external});
  set({{eight, 0}, {one, 0}});
  const std::vector<LatencyBar>& bars = page_.chart()->bars();
  ASSERT_EQ(bars.size(), 3U);
  const Millis of_eight = eight->results[0].latency.value;
  const Millis of_one = one->results[0].latency.value;
  EXPECT_DOUBLE_EQ(bars[0].latency.value.count(), of_eight.count() / 8);
  EXPECT_DOUBLE_EQ(bars[1].latency.value.count(), of_one.count());
  ASSERT_TRUE(bars[0].whole);
  EXPECT_DOUBLE_EQ(bars[0].whole->value.count(), of_eight.count());
  EXPECT_NEAR(*bars[1].ratio, (of_eight / 8) / of_one, 1e-9) << "the ratio is that of the bars' lengths";
  EXPECT_TRUE(bars[0].fastest);
  EXPECT_FALSE(bars[1].fastest) << "its latency is shorter, but it is of one sample";
  // What others recorded counts as the baseline's batch.
  EXPECT_DOUBLE_EQ(bars[2].latency.value.count(), 0.5);
  EXPECT_DOUBLE_EQ(bars[2].latency.spread.count(), 0.1);
  // The sentence has the same two numbers, and nothing on the page speaks of images.
  EXPECT_TRUE(page_.sentence().contains("per sample")) << page_.sentence().toStdString();
  EXPECT_EQ(page_.chart()->plotWidget()->xAxis->label().section(QLatin1Char(','), 0, 0), "latency per sample (ms)");
  const QString csv = page_.figure(ComparedFigure::kBars)->csv();
  const QStringList record = csv.split(QStringLiteral("\n")).value(1).split(QLatin1Char(','));
  EXPECT_EQ(record.mid(record.size() - 3, 2), (QStringList{"sample", "8"})) << csv.toStdString();
  EXPECT_NEAR(record.last().toDouble(), of_eight.count(), 1e-4);
  // Of one batch nothing is divided.
  set({{eight, 0}, {eight, 1}});
  EXPECT_DOUBLE_EQ(page_.chart()->bars()[0].latency.value.count(), of_eight.count());
  EXPECT_FALSE(page_.chart()->bars()[0].whole);
  EXPECT_TRUE(page_.chart()->plotWidget()->xAxis->label().startsWith("end-to-end latency (ms)"));
}

TEST_F(ComparePageTest, KeepsBWhenTheSubjectsChange) {
  const auto run = test::simulated_run("squeezenet");
  set(test::all_of({run}));
  page_.chooseSubject(1);
  auto more = test::all_of({run});
  std::ranges::reverse(more);  // Greedy is the sixth now
  set(more, 6);
  EXPECT_EQ(page_.subjectB(), 5U);
}

TEST_F(ComparePageTest, SelectionOfAnotherNetworkIsTranslated) {
  const auto a = test::simulated_run("resnet18");
  const auto window = test::simulated_run("resnet34");
  set({{a, 0}, {a, 4}});
  page_.setSelectionGraph(window->graph);
  const GraphMatch match = match_graphs(*window->graph, *a->graph);
  selection_.select({{UnitId(0)}, {}, {}});
  EXPECT_EQ(page_.canvases()->selectionA()->current().units, std::vector{match.units_in_b[0]});
}

// Wherever the pointer is, the wheel zooms a canvas or scrolls a list: nothing around a canvas scrolls.
TEST_F(ComparePageTest, TheWheelOverACanvasZoomsItAndMovesNothingElse) {
  page_.resize(1012, 708);
  page_.setTimeline(new QLabel(QStringLiteral("a timeline")));
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 1}});
  for (const QWidget* above = page_.canvases(); above != nullptr; above = above->parentWidget()) {
    EXPECT_EQ(qobject_cast<const QAbstractScrollArea*>(above), nullptr);
  }
  GraphView* canvas = page_.canvases()->canvasA();
  const QRect before(canvas->mapTo(&page_, QPoint()), canvas->size());
  const double zoom = canvas->place().zoom;
  const QPointF at = canvas->rect().center();
  for (const int step : {240, -240, -240, 240, 240}) {
    QWheelEvent wheel(at, canvas->mapToGlobal(at), {}, {0, step}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(canvas, &wheel);
  }
  EXPECT_GT(canvas->place().zoom, zoom);
  EXPECT_EQ(QRect(canvas->mapTo(&page_, QPoint()), canvas->size()), before);
}

// The page has these sizes in windows of 1280 x 800 and 1600 x 1000.
TEST_F(ComparePageTest, EverythingStandsInTheWindowTimelinesDirectlyBelowTheSentence) {
  auto* timeline = new QLabel(QStringLiteral("a timeline"));
  page_.setTimeline(timeline);
  const auto one = test::simulated_run("inception_v3");
  const auto many = test::simulated_run("inception_v3", "h200", 32);
  for (const QSize& size : {QSize(1012, 708), QSize(1332, 908)}) {
    page_.resize(size);
    for (const auto& subjects : {test::all_of({one}), test::all_of({one, many}), {{one, 0}, {many, 1}}}) {
      set(subjects);
      const auto top = [&](const QWidget* widget) { return widget->mapTo(&page_, QPoint()).y(); };
      const QWidget* sentence = page_.findChild<QLabel*>(QStringLiteral("compare-sentence"));
      EXPECT_LE(lines("compare-sentence"), 2);
      EXPECT_GE(timeline->height(), 90);
      EXPECT_GT(top(timeline), top(sentence));
      EXPECT_LT(top(timeline) - top(sentence) - sentence->height(), 60) << "one line of details is between them";
      EXPECT_LT(top(timeline), top(page_.chart()));
      EXPECT_LT(top(page_.chart()), top(page_.canvases()));
      EXPECT_GE(page_.canvases()->height(), size.height() / 4);
      EXPECT_LE(top(page_.canvases()) + page_.canvases()->height(), size.height());
    }
  }
  page_.setTimeline(nullptr);
}

TEST_F(ComparePageTest, ALongSentenceIsCutAtTwoLinesAndItsTipHasAllOfIt) {
  page_.resize(1012, 708);
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0, std::string(200, 'a') + ' ' + std::string(60, 'b')}, {run, 4, std::string(300, 'c') + " d"}});
  const auto* label = page_.findChild<QLabel*>(QStringLiteral("compare-sentence"));
  EXPECT_LE(lines("compare-sentence"), 2);
  EXPECT_TRUE(label->text().endsWith("…")) << label->text().toStdString();
  EXPECT_TRUE(label->toolTip().contains("simulated")) << label->toolTip().toStdString();
  EXPECT_TRUE(page_.sentence().contains("simulated"));
}

TEST_F(ComparePageTest, SectionsCollapseAreKeptAndComeBack) {
  page_.resize(1012, 708);
  page_.setTimeline(new QLabel(QStringLiteral("a timeline")));
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  const QList<int> first = page_.sections()->sizes();
  QSignalSpy arranged(&page_, &ComparePage::arranged);
  // By the menu, which says what is open.
  const auto* menu = page_.findChild<QToolButton*>(QStringLiteral("compare-sections"))->menu();
  ASSERT_EQ(menu->actions().size(), 3);
  for (const QAction* action : menu->actions()) EXPECT_TRUE(action->isChecked());
  menu->actions()[1]->trigger();
  EXPECT_FALSE(page_.sectionShown(CompareSection::kDetails));
  EXPECT_FALSE(menu->actions()[1]->isChecked());
  EXPECT_GT(page_.sections()->sizes()[2], first[2]);
  EXPECT_EQ(arranged.size(), 1);
  // Another page that gets the arrangement has it too, in a window of another size.
  SelectionModel other_selection;
  ComparePage other(&other_selection);
  other.setTimeline(new QLabel(QStringLiteral("a timeline")));
  other.resize(1500, 1000);
  other.show();
  other.setArrangement(page_.arrangement());
  QApplication::processEvents();
  EXPECT_FALSE(other.sectionShown(CompareSection::kDetails));
  EXPECT_NEAR(static_cast<double>(other.sections()->sizes()[0]) / other.sections()->sizes()[2],
              static_cast<double>(page_.sections()->sizes()[0]) / page_.sections()->sizes()[2], 0.02);
  page_.setSectionShown(CompareSection::kDetails, true);
  EXPECT_TRUE(page_.sectionShown(CompareSection::kDetails));
  EXPECT_GE(page_.sections()->sizes()[1], 84);
  // One is always open.
  for (const auto section : {CompareSection::kTimelines, CompareSection::kDetails, CompareSection::kGraphs}) {
    page_.setSectionShown(section, false);
  }
  EXPECT_TRUE(page_.sectionShown(CompareSection::kGraphs));
  EXPECT_TRUE(menu->actions()[2]->isChecked());
  page_.resetArrangement();
  EXPECT_EQ(page_.sections()->sizes(), first);
  // What is no arrangement changes nothing.
  for (const QByteArray& nonsense : {QByteArray(), QByteArray("no"), QByteArray(1000, '\xFF')}) {
    page_.setArrangement(nonsense);
    EXPECT_EQ(page_.sections()->sizes(), first);
  }
}

TEST_F(ComparePageTest, TheSentenceSpeaksOfB) {
  const auto run = test::simulated_run("squeezenet");
  set(test::all_of({run}));
  for (std::size_t b = 1; b < 7; ++b) {
    page_.chooseSubject(b);
    EXPECT_EQ(page_.runs()->finding.subject, b);
    EXPECT_TRUE(page_.sentence().contains(QString::fromStdString(page_.runs()->subjects[b].label)));
  }
}

// Sequential has one stage where B has several: what each saves is known all the same, as in Explore.
TEST_F(ComparePageTest, HeadersOfBSayWhatTheySaveAgainstA) {
  const auto run = test::simulated_run("inception_v3");
  const std::size_t both = *run->index_of(run->find(ScheduleKind::kIosBoth)->id);
  set({{run, 0}, {run, both}});
  const auto saved = [](const GraphView* canvas) {
    const auto buttons = canvas->findChildren<QToolButton*>();
    return *std::ranges::find(buttons, QStringLiteral("Saved"), &QToolButton::text);
  };
  EXPECT_TRUE(saved(page_.canvases()->canvasB())->isEnabled());
  EXPECT_FALSE(saved(page_.canvases()->canvasA())->isEnabled());
  EXPECT_FALSE(page_.canvases()->canvasB()->legend().texts().filter(QStringLiteral("saving of the part")).isEmpty());
  const auto deltas = stage_savings({run, 0}, {run, both}, page_.pair()->match, Per::kBatch);
  EXPECT_TRUE(std::ranges::all_of(deltas, [](const auto& delta) { return delta.has_value(); }));
  EXPECT_EQ(page_.canvases()->canvasB()->deltas().values.size(), deltas.size());
  EXPECT_EQ(page_.canvases()->canvasB()->deltas().values.back()->value, deltas.back()->value);
}

// Sequential runs nothing at once, so all pairs of B are new.
TEST_F(ComparePageTest, TiesMarkWhatRunsAtOnceInOneOfThemOnly) {
  const auto run = test::simulated_run("inception_v3");
  const std::size_t both = *run->index_of(run->find(ScheduleKind::kIosBoth)->id);
  set({{run, 0}, {run, both}});
  const auto ties = page_.canvases()->canvasB()->ties();
  EXPECT_GT(ties.size(), 20U);
  EXPECT_TRUE(page_.canvases()->canvasA()->ties().empty());
  const auto titles = page_.canvases()->findChildren<QLabel*>();
  const QString counts = QStringLiteral("0 in both, 0 in A, %1 in B").arg(ties.size());
  EXPECT_TRUE(std::ranges::any_of(titles, [&](const QLabel* label) { return label->text().contains(counts); }));
  set({{run, both}, {run, 0}});
  EXPECT_EQ(page_.canvases()->canvasA()->ties(), ties);
  EXPECT_TRUE(page_.canvases()->canvasB()->ties().empty());
}

// A unit that both show has the same place from left to right in both, whatever the window's size was before.
TEST_F(ComparePageTest, BothCanvasesHaveTheSameColumns) {
  const auto run = test::simulated_run("inception_v3");
  const std::size_t both = *run->index_of(run->find(ScheduleKind::kIosBoth)->id);
  set({{run, 0}});
  for (const QSize& size : {QSize(1280, 800), QSize(1500, 700), QSize(1300, 1000)}) {
    page_.resize(size);
    set({{run, 0}, {run, both}});
    QTest::qWait(300);  // until it is sure that the window's size stays
    settle();
    const canvas::Layout& a = *page_.canvases()->canvasA()->layoutShown();
    const canvas::Layout& b = *page_.canvases()->canvasB()->layoutShown();
    ASSERT_EQ(a.frames.size(), b.frames.size());
    for (std::size_t f = 0; f < a.frames.size(); ++f) {
      EXPECT_NEAR(a.frames[f].box.x, b.frames[f].box.x, 1e-6) << a.frames[f].title;
      EXPECT_NEAR(a.frames[f].box.width, b.frames[f].box.width, 1e-6) << a.frames[f].title;
    }
  }
}

TEST_F(ComparePageTest, BothCanvasesHaveOneLegend) {
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 4}});
  SharedLegend* legend = page_.canvases()->legend();
  EXPECT_TRUE(legend->isVisible());
  const QStringList texts = legend->legend().texts();
  EXPECT_EQ(QSet<QString>(texts.begin(), texts.end()).size(), texts.size()) << "nothing twice";
  // It has what stands on B alone: groups beside one another.
  EXPECT_FALSE(page_.canvases()->canvasA()->legend().texts().contains("merged: layers run as one"));
  for (const QString& text : page_.canvases()->canvasB()->legend().texts()) EXPECT_TRUE(texts.contains(text));
  for (const GraphView* canvas : {page_.canvases()->canvasA(), page_.canvases()->canvasB()}) {
    for (const QWidget* card : canvas->findChildren<canvas::LegendCard*>()) EXPECT_FALSE(card->isVisible());
  }
  page_.canvases()->canvasB()->setLegendVisible(false);  // its button, or the key L
  EXPECT_FALSE(legend->isVisible());
  EXPECT_FALSE(page_.canvases()->canvasA()->legendVisible());
  page_.canvases()->canvasA()->setLegendVisible(true);
  EXPECT_TRUE(legend->isVisible());
  EXPECT_TRUE(page_.canvases()->canvasB()->legendVisible());
}

TEST_F(ComparePageTest, TheBGivenIsTheOneShown) {
  const auto run = test::simulated_run("squeezenet");
  page_.setSubjects(test::all_of({run}), 0, 2);
  EXPECT_EQ(page_.subjectB(), 2U);
  page_.setSubjects(test::all_of({run}), 0, 0);  // the baseline cannot be
  EXPECT_EQ(page_.subjectB(), 2U);
  page_.setSubjects(test::all_of({run}), 0, 99);
  EXPECT_EQ(page_.subjectB(), 2U);
  settle();
}

TEST(ComparisonChart, TakesAnyScheduleAsBaseline) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.setComparison(test::simulated_run("squeezenet"));
  EXPECT_EQ(chart.bars()[0].remark, "baseline");
  chart.setBaseline(ScheduleId("greedy"));
  EXPECT_EQ(chart.bars()[1].remark, "baseline");
  EXPECT_TRUE(chart.bars()[0].remark.endsWith(QString::fromUtf8("×")));
  EXPECT_TRUE(chart.figure()->csv().contains(",greedy,1,"));
  chart.setBaseline(ScheduleId("no such schedule"));
  EXPECT_EQ(chart.bars()[0].remark, "baseline");
}

TEST_F(ComparePageTest, HasAPlaceForTheTimeline) {
  auto* timeline = new QLabel(QStringLiteral("a timeline"));
  page_.setTimeline(timeline);
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  EXPECT_TRUE(timeline->isVisible());
  EXPECT_GE(timeline->height(), 150);
  page_.setTimeline(nullptr);
}

TEST_F(ComparePageTest, LooksRightInTheDark) {
  apply_theme(*qApp, Theme::darkTheme());
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 1}, {run, 4}});
  picture("dark");
  page_.resize(1600, 1000);
  settle();
  picture("dark-large");
  EXPECT_GT(page_.canvases()->canvasA()->height(), 250);
  apply_theme(*qApp, Theme::light());
}

// Where the time went stands below the sentence, of every schedule with lanes.
TEST_F(ComparePageTest, SaysWhereTheTimeOfLanesWent) {
  const auto* gains = must(page_.findChild<QLabel*>(QStringLiteral("compare-gains")));
  const auto lanes = test::made_up_lanes();
  set({{lanes, 1}, {lanes, 3}});
  EXPECT_TRUE(gains->isVisible());
  EXPECT_EQ(
      gains->text(),
      QString::fromUtf8("IOS-Flow takes 6.00 \u00B5s less than Greedy: no barriers \u22125.00 \u00B5s, other lanes "
                        "and order \u22121.00 \u00B5s."));
  set({{lanes, 0}, {lanes, 1}});
  EXPECT_FALSE(gains->isVisible());
}

int sum(const SectionHeights& heights) { return std::accumulate(heights.begin(), heights.end(), 0); }

TEST(SectionHeights, AtFirstTheCanvasesHaveTheLargestShare) {
  for (const int room : {300, 420, 585, 790, 1300}) {
    const SectionHeights heights = first_heights(room, 260, 400, 30);
    EXPECT_EQ(sum(heights), room);
    EXPECT_GE(heights[2], heights[0]) << room;
    EXPECT_GE(heights[2], heights[1]) << room;
  }
  EXPECT_EQ(first_heights(790, 130, 150, 30), (SectionHeights{130, 150, 510})) << "nobody has more than it wishes for";
}

TEST(SectionHeights, ALowRoomHasTheTabsOfTheDetails) {
  EXPECT_EQ(first_heights(600, 260, 400, 30), (SectionHeights{260, 30, 310}));
  EXPECT_EQ(first_heights(600, 900, 400, 30), (SectionHeights{270, 30, 300}));
}

TEST(SectionHeights, WithoutTimelinesTheOthersHaveTheirRoom) {
  EXPECT_EQ(first_heights(790, 260, 150, 30, true), (SectionHeights{0, 150, 640}));
}

TEST(SectionHeights, AreNeverNegative) {
  for (const int room : {-10, 0, 1, 7, 50}) {
    const SectionHeights heights = first_heights(room, 260, 400, 30);
    EXPECT_EQ(sum(heights), std::max(room, 0));
    for (const int height : heights) EXPECT_GE(height, 0) << room;
    EXPECT_EQ(sum(chosen_heights(room, {0.2, 0.3, 0.5})), std::max(room, 0));
  }
}

TEST(SectionHeights, AChoiceIsAShareOfAnyRoom) {
  const SectionShares shares = shares_of({150, 0, 450});
  EXPECT_EQ(chosen_heights(600, shares), (SectionHeights{150, 0, 450}));
  EXPECT_EQ(chosen_heights(1200, shares), (SectionHeights{300, 0, 900}));
  EXPECT_EQ(sum(chosen_heights(601, {1.0 / 3, 1.0 / 3, 1.0 / 3})), 601);
  EXPECT_EQ(chosen_heights(601, {0.5, 0.5, 0})[2], 0) << "what is collapsed stays so";
  EXPECT_EQ(shares_of({0, 0, 0}), SectionShares{});
}

TEST(SectionHeights, ASectionIsCollapsedAndOpened) {
  const SectionShares all = shares_of({150, 150, 300});
  const SectionShares two = with_section(all, CompareSection::kDetails, false);
  EXPECT_EQ(chosen_heights(600, two), (SectionHeights{200, 0, 400}));
  const SectionHeights again = chosen_heights(600, with_section(two, CompareSection::kDetails, true));
  EXPECT_GT(again[1], 150);
  EXPECT_EQ(sum(again), 600);
  EXPECT_EQ(with_section(all, CompareSection::kGraphs, true), all) << "it is open";
  const SectionShares one = with_section({0.4, 0, 0}, CompareSection::kTimelines, false);
  EXPECT_EQ(chosen_heights(600, one), (SectionHeights{600, 0, 0})) << "the last one stays";
}

}  // namespace

}  // namespace iosx
