#include "views/explore/search/convergence_chart.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QComboBox>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/figures/exporter.h"

namespace iosx {
namespace {

SearchMoment moment(double seconds, std::int64_t needed, double best, double bound = 0) {
  return {Seconds(seconds), needed, Millis(best), Millis(bound)};
}

SearchResult lazy_search() {
  SearchResult search{.stage_sum = Millis(4), .elapsed = Seconds(3)};
  search.tally.needed = 50;
  search.lazy =
      LazyReport{.candidates = 1200,
                 .bound = Millis(3.2),
                 .certified_gap = 0.25,
                 .estimated_gap = 0.02,
                 .history = {moment(0.1, 5, 0), moment(0.5, 10, 6, 3), moment(1, 30, 5), moment(3, 50, 4, 3.2)}};
  return search;
}

SearchResult exhaustive_search() {
  SearchResult search{.stage_sum = Millis(4.5), .elapsed = Seconds(1)};
  search.tally.needed = 90;
  return search;
}

// ios-both found lazily.
std::shared_ptr<Comparison> searched() {
  auto comparison = test::made_up_comparison();
  comparison->results[2].search = lazy_search();
  return comparison;
}

LiveSearches live_of(const Comparison& comparison) {
  return {.graph = comparison.graph,
          .device = comparison.device,
          .batch = comparison.batch,
          .searches = {{ScheduleKind::kIosMerge, {moment(1, 20, 7), moment(2, 40, 6, 3)}, {}}}};
}

QStringList legend(const QCustomPlot& plot) {
  QStringList texts;
  for (int i = 0; i < plot.legend->itemCount(); ++i) {
    texts << qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i))->plottable()->name();
  }
  return texts;
}

TEST(Convergence, HasACurveForEverySearch) {
  const auto comparison = searched();
  comparison->results[1].search = exhaustive_search();
  const Convergence all = convergence_of(comparison.get(), nullptr);
  EXPECT_EQ(all.context, "fork, simulated Made-up GPU, batch 1");
  ASSERT_EQ(all.curves.size(), 2U);
  EXPECT_TRUE(all.curves[0].exhaustive);
  EXPECT_EQ(all.curves[0].moments, std::vector{moment(1, 90, 4.5)});
  EXPECT_FALSE(all.curves[1].exhaustive);
  EXPECT_EQ(all.curves[1].title, "IOS-Both");
  EXPECT_EQ(all.curves[1].moments.size(), 3U);  // without the one that had found nothing
  EXPECT_EQ(all.curves[1].best(), Millis(4));
  EXPECT_EQ(all.curves[1].bound(), Millis(3.2));
}

TEST(Convergence, NeverGoesBackWhereASearchChoseAgain) {
  const auto comparison = searched();
  auto& history = comparison->results[2].search->lazy->history;
  history.push_back(moment(3.5, 12, 4.1));
  const Convergence all = convergence_of(comparison.get(), nullptr);
  EXPECT_EQ(all.curves[0].moments.back(), moment(3.5, 50, 4.1));
  EXPECT_EQ(all.curves[0].bound(), Millis(3.2));
}

TEST(Convergence, ARunningSearchTakesThePlaceOfTheFinishedOne) {
  const auto comparison = searched();
  LiveSearches live = live_of(*comparison);
  Convergence all = convergence_of(comparison.get(), &live);
  ASSERT_EQ(all.curves.size(), 2U);
  EXPECT_FALSE(all.curves[0].running);
  EXPECT_TRUE(all.curves[1].running);
  EXPECT_EQ(all.curves[1].title, "IOS-Merge");
  live.searches[0].schedule_kind = ScheduleKind::kIosBoth;
  all = convergence_of(comparison.get(), &live);
  ASSERT_EQ(all.curves.size(), 1U);
  EXPECT_EQ(all.curves[0].best(), Millis(6));
  // Latencies of another batch say nothing about these.
  live.searches[0].schedule_kind = ScheduleKind::kIosMerge;
  live.batch = 32;
  all = convergence_of(comparison.get(), &live);
  ASSERT_EQ(all.curves.size(), 1U);
  EXPECT_TRUE(all.context.contains("batch 32"));
}

TEST(ConvergenceChart, DrawsBestAndBoundOverStagesOrSeconds) {
  ConvergenceChart chart;
  chart.resize(800, 400);
  chart.setSearches(searched(), 2, nullptr);
  QCustomPlot& plot = *chart.plotWidget();
  ASSERT_EQ(plot.graphCount(), 3);
  EXPECT_EQ(plot.graph(0)->pen().style(), Qt::DashLine);
  EXPECT_EQ(plot.graph(0)->dataCount(), 3);  // the bound holds until there is a better one
  EXPECT_EQ(plot.graph(1)->pen().color(), Theme::light().accent) << "the best one";
  EXPECT_EQ(plot.graph(1)->data()->at(2)->key, 50);
  EXPECT_EQ(plot.graph(1)->data()->at(2)->value, 4);
  EXPECT_EQ(legend(plot), QStringList{"IOS-Both  4.00 ms, bound 3.20 ms"});
  EXPECT_TRUE(plot.yAxis->label().contains("simulated"));
  chart.show();
  QCoreApplication::processEvents();
  EXPECT_EQ(plot.yAxis->label(), "best schedule so far (ms), simulated");
  chart.resize(800, 200);  // upright it would reach into the legend
  QCoreApplication::processEvents();
  EXPECT_EQ(plot.yAxis->label(), "ms, simulated");
  chart.resize(800, 400);
  QCoreApplication::processEvents();
  EXPECT_LE(plot.yAxis->range().lower, 3);
  EXPECT_EQ(
      chart.summary(),
      "IOS-Both requested 50 of 1,200 stages in 3.0 s; the optimum may be 2.0 % faster by estimate, and at most 20 %.");
  // Closer, the bound may be out of sight.
  chart.findChild<QCheckBox*>(QStringLiteral("search-zoom"))->setChecked(true);
  EXPECT_GT(plot.yAxis->range().lower, 3.2);
  EXPECT_LT(plot.yAxis->range().lower, 4);
  EXPECT_GT(plot.yAxis->range().upper, 6);
  chart.findChild<QComboBox*>(QStringLiteral("search-axis"))->setCurrentIndex(1);
  EXPECT_EQ(plot.graph(1)->data()->at(2)->key, 3);
  EXPECT_TRUE(plot.xAxis->label().contains("(s)"));
}

TEST(ConvergenceChart, SaysOfLanesHowTheirKernelsWereFound) {
  ConvergenceChart chart;
  const auto comparison = test::made_up_lanes();
  ScheduleResult& greedy = comparison->results[1];
  greedy.search = lazy_search();
  chart.setSearches(comparison, *comparison->index_of(comparison->find(ScheduleKind::kIosFlow)->id), nullptr);
  EXPECT_TRUE(chart.summary().startsWith("IOS-Flow has the kernels of Greedy. Greedy requested "))
      << chart.summary().toStdString();
}

TEST(ConvergenceChart, SaysWhatRunsAndWhatIsNotThere) {
  ConvergenceChart chart;
  EXPECT_TRUE(chart.summary().startsWith("No search yet"));
  EXPECT_EQ(chart.figure(), nullptr);
  const auto comparison = searched();
  chart.setSearches(test::made_up_comparison(), 0, nullptr);
  EXPECT_TRUE(chart.summary().startsWith("No search yet"));
  chart.setSearches(comparison, 0, nullptr);
  EXPECT_EQ(chart.summary(), "Sequential is not from a search.");
  chart.setSearches(comparison, 0, std::make_shared<const LiveSearches>(live_of(*comparison)));
  EXPECT_EQ(chart.summary(),
            "IOS-Merge is searching: 40 stages requested in 2.0 s, best so far 6.00 ms, certified bound 3.00 ms.");
  EXPECT_TRUE(legend(*chart.plotWidget()).back().contains("so far"));
  comparison->results[2].search = exhaustive_search();
  chart.setSearches(comparison, 2, nullptr);
  EXPECT_EQ(legend(*chart.plotWidget()), QStringList{"IOS-Both  4.50 ms, exhaustive: one point"});
  EXPECT_TRUE(chart.summary().contains("an exhaustive search, requested every stage: 90 in 1.0 s"));
}

TEST(ConvergenceFigure, IsExportedWithItsData) {
  const auto comparison = searched();
  comparison->results[1].search = exhaustive_search();
  const auto figure = must(make_convergence_figure(*comparison));
  EXPECT_EQ(figure->csv().toStdString(),
            "schedule,origin,search,stages_asked_for,seconds,best_ms,bound_ms\n"
            "greedy,simulated,exhaustive,90,1,4.5,\n"
            "ios-both,simulated,lazy,10,0.5,6,3\n"
            "ios-both,simulated,lazy,30,1,5,\n"
            "ios-both,simulated,lazy,50,3,4,3.2\n");
  EXPECT_TRUE(must(render_figure(*figure, FigureFormat::kSvg)).contains("stages requested"));
  EXPECT_EQ(make_convergence_figure(*test::made_up_comparison()), nullptr);
}

}  // namespace
}  // namespace iosx
