#include "views/explore/experiment/experiment_figure.h"

#include <qcustomplot.h>

#include <QAbstractItemModelTester>
#include <QImage>
#include <QTest>

#include "core/analysis/experiment/report.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"
#include "views/figures/exporter.h"
#include "views/tables/table_model.h"

namespace iosx {
namespace {

using Tester = QAbstractItemModelTester;

std::shared_ptr<ExperimentResult> made_up_matrix(Origin origin = Origin::kSimulated) {
  auto result = std::make_shared<ExperimentResult>();
  result->kind = ExperimentKind::kBatches;
  result->network = "net";
  result->devices = {{.id = "dev", .name = "Device", .summary = "", .fingerprint = "", .origin = origin}};
  result->factors = {{"found_for_batch", "found for batch", true}, {"run_at_batch", "run at batch", true}};
  result->measures = {
      {"latency_ms", "latency", "ms", 3}, {"spread_ms", "+-", "ms", 3, true}, {"loss_percent", "loss", "%", 1}};
  const double spread = origin == Origin::kSimulated ? 0 : 0.25;
  result->trials = {{.levels = {"1", "1"}, .values = {2.125, spread, 0.0}, .origin = origin, .best = true},
                    {.levels = {"8", "1"}, .values = {2.5, spread, 17.6}, .origin = origin},
                    {.levels = {"8", "8"}, .values = {109.125, spread, 0.0}, .origin = origin}};
  return result;
}

// Run for real, on the simulated V100.
std::shared_ptr<const ExperimentResult> run(ExperimentKind kind) {
  const auto device = test::simulated("tesla-v100");
  const ExperimentDevice one{device.get()};
  ExperimentOptions options{.batches = {1, 16}};
  return std::make_shared<const ExperimentResult>(
      run_experiment(kind, zoo_network("squeezenet").value(), {&one, 1}, options, {}).value());
}

QString svg(const Figure& figure) { return QString::fromUtf8(render_figure(figure, FigureFormat::kSvg).value()); }

TEST(HeatMap, HasTheLatencyAndLossOfEveryCell) {
  const auto figure = make_experiment_figure(made_up_matrix());
  const QString drawing = svg(*figure);
  for (const char* text :
       {"Batch sizes: net, simulated Device", "found for batch", "run at batch", "2.125 ms", "+17.6 %", "109.1 ms",
        "its own · best", "not run", "loss 0 %", "17.6 %", "best of its column"}) {
    EXPECT_TRUE(drawing.contains(QString::fromUtf8(text))) << text;
  }
  EXPECT_EQ(figure->fileStem(), "experiment-batches");
  EXPECT_EQ(figure->csv().toStdString(), table_csv(trial_list(*made_up_matrix())));
}

TEST(HeatMap, ColoursNoLossInsideTheNoise) {
  const auto painted = [](bool within_noise) {
    auto result = made_up_matrix(Origin::kMeasured);
    result->trials[1].within_noise = within_noise;
    FigureWidget widget(make_experiment_figure(result));
    widget.resize(600, 320);
    return widget.grab().toImage();
  };
  // In the lower left cell, above its text.
  const auto colour = [&](bool within_noise) { return painted(within_noise).pixelColor(280, 174); };
  EXPECT_GT(colour(false).saturation(), 100);
  EXPECT_LT(colour(true).saturation(), 20);
}

TEST(HeatMap, ShowsTheSpreadOfWhatWasMeasured) {
  const QString drawing = svg(*make_experiment_figure(made_up_matrix(Origin::kMeasured)));
  EXPECT_TRUE(drawing.contains(QString::fromUtf8("2.50 ± 0.25 ms")));
  EXPECT_TRUE(drawing.contains("measured Device"));
}

TEST(Curves, HaveOneCurveALevel) {
  QCustomPlot throughput;
  throughput.resize(800, 400);
  const auto samples = run(ExperimentKind::kThroughput);
  build_throughput(throughput, *samples, Theme::light(), {});
  ASSERT_EQ(throughput.graphCount(), 3);
  EXPECT_EQ(throughput.graph(2)->name(), "IOS-Both");
  EXPECT_EQ(throughput.graph(2)->data()->at(1)->value,
            samples->value(*samples->find("16", "IOS-Both"), "samples_per_second"));
  EXPECT_TRUE(throughput.yAxis->label().contains("simulated"));

  QCustomPlot pruning;
  build_pruning(pruning, *run(ExperimentKind::kPruning), Theme::light(), {});
  EXPECT_EQ(pruning.graphCount(), 2);  // s = 3 and 8
  EXPECT_EQ(pruning.graph(0)->dataCount(), 3);
  EXPECT_EQ(pruning.itemCount(), 6);  // r at every point

  QCustomPlot search;
  build_search_cost(search, *run(ExperimentKind::kSearch), Theme::light(), {});
  EXPECT_EQ(search.graphCount(), 6);  // two rules, three seeds
  const auto last = search.graph(0)->data()->constEnd() - 1;
  EXPECT_LT(last->key, 100);
  EXPECT_GT(last->key, 0);
}

TEST(Curves, OfMemoryHaveLanesAndEverySchedule) {
  const auto device = test::simulated("h200");
  const ExperimentDevice one{device.get()};
  const auto result = run_experiment(ExperimentKind::kMemory, zoo_network("sample").value(), {&one, 1}, {}, {}).value();
  QCustomPlot plot;
  build_memory(plot, result, Theme::light(), {});
  int points = 0;
  int lanes = 0;
  for (int i = 0; i < plot.graphCount(); ++i) {
    points += plot.graph(i)->dataCount();
    if (plot.graph(i)->name() == QStringLiteral("lanes")) lanes = plot.graph(i)->dataCount();
  }
  EXPECT_EQ(points, static_cast<int>(result.trials.size()));
  EXPECT_GT(lanes, 1);
  EXPECT_TRUE(plot.xAxis->label().contains("planned"));
  EXPECT_TRUE(plot.yAxis->label().contains("simulated"));
}

TEST(Curves, AreDrawnWithTheirNames) {
  const QString drawing = svg(*make_experiment_figure(run(ExperimentKind::kPruning)));
  for (const char* text : {"s = 3", "s = 8", "r = 1", "stages that the search needed"}) {
    EXPECT_TRUE(drawing.contains(QString::fromUtf8(text))) << text;
  }
}

TEST(ExperimentTable, ShowsMarksAsPeopleKnowThem) {
  auto result = made_up_matrix(Origin::kMeasured);
  result->trials[1].within_noise = true;
  TableModel model;
  model.setTable(experiment_table(*result));
  const Tester tester(&model, Tester::FailureReportingMode::Fatal);
  ASSERT_EQ(model.rowCount(), 2);
  ASSERT_EQ(model.columnCount(), 3);
  EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), "1");
  EXPECT_EQ(model.index(0, 1).data().toString(), QString::fromUtf8("2.125 ± 0.250 +0.0 % ★"));
  EXPECT_EQ(model.index(1, 1).data().toString(), QString::fromUtf8("2.500 ± 0.250 +17.6 % ≈"));
  EXPECT_EQ(model.index(0, 2).data().toString(), QString::fromUtf8("–"));
}

}  // namespace
}  // namespace iosx
