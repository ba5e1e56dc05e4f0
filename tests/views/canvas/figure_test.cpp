#include <QSvgGenerator>
#include <QtWidgets>

#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/graph_figure.h"
#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/hit.h"

namespace iosx::canvas::test {
namespace {

QByteArray svg(const Figure& figure) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(figure.size().toSize());
  generator.setViewBox(QRectF(QPointF(), figure.size()));
  QPainter painter(&generator);
  figure.paint(painter, QRectF(QPointF(), figure.size()), Theme::light());
  painter.end();
  return buffer.data();
}

TEST(GraphFigure, PaintsEveryUnitAsVectors) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> latencies(4, Latency{Millis(0.162), Millis(0), 1, Origin::kSimulated});
  const auto figure = graph_figure(graph, &schedule, latencies);
  const QByteArray drawing = svg(*figure);
  EXPECT_FALSE(drawing.contains("<image"));
  EXPECT_GT(drawing.count("<path"), 10);
  for (const char* text : {">1<", ">4<", "conv 3", "merged", ">barrier<"}) {
    EXPECT_TRUE(drawing.contains(text)) << text;
  }
  EXPECT_EQ(figure->title(), "Stages of by-hand: small");
  EXPECT_EQ(graph_figure(graph, &schedule, {})->fileStem(), "graph-by-hand");  // its name
  const auto twin = graph_figure(graph, &schedule, {}, "small", Overlay::kNone, {ScheduleId("mine-2"), "Mine 2"});
  EXPECT_EQ(twin->fileStem(), "graph-mine-2");
  EXPECT_EQ(twin->title(), "Stages of Mine 2: small");
  EXPECT_EQ(graph_figure(graph, &schedule, {}, "small, simulated GPU, batch 1")->title(),
            "Stages of by-hand: small, simulated GPU, batch 1");
}

TEST(GraphFigure, DataSaysStageAndGroupOfEachUnit) {
  const auto [graph, schedule] = small_scheduled();
  const QStringList lines = graph_figure(graph, &schedule, {})->csv().split("\n", Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 8);
  EXPECT_EQ(lines[0], "name,kind,part,stage,group,channels,height,width,flops,shape");
  EXPECT_TRUE(lines[4].startsWith("d,conv 3×3 · 8→8,1,2,2,8,16,16,")) << lines[4].toStdString();
  EXPECT_TRUE(graph_figure(graph, nullptr, {})->csv().contains("g,concat of 5,1,,,40,16,16,0,40x16x16"));
}

TEST(GraphFigure, StaysInItsArea) {
  const auto figure = graph_figure(branches(60, 3), nullptr, {});
  const QRectF area(QPointF(100, 80), figure->sizeWithin(500));
  QImage image(700, static_cast<int>(area.bottom()) + 80, QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  figure->paint(painter, area, Theme::light());
  painter.end();
  for (int x = 0; x < image.width(); ++x) {
    for (int y = 0; y < image.height(); ++y) {
      if (!area.adjusted(-1, -1, 1, 1).contains(x, y)) {
        ASSERT_EQ(image.pixelColor(x, y), QColor(Qt::magenta));
      }
    }
  }
  EXPECT_NE(image.pixelColor(300, 200), QColor(Qt::magenta));
}

TEST(Overlay, ColoursByWorkAndByStageLatency) {
  const auto [graph, schedule] = small_scheduled();
  std::vector<Latency> latencies;
  for (const double ms : {0.1, 0.4, 0.2, 0.1}) latencies.push_back({Millis(ms), Millis(0), 1, Origin::kMeasured});
  const auto plain = make_model(graph, plain_style());
  EXPECT_FALSE(OverlayScale(*plain, Overlay::kNone).active());
  EXPECT_FALSE(OverlayScale(*plain, Overlay::kLatency).active());
  const auto model = with_schedule(*plain, &schedule, latencies);
  const OverlayScale latency(*model, Overlay::kLatency);
  ASSERT_TRUE(latency.active());
  EXPECT_EQ(latency.text(UnitId(3)), "0.400 ms");
  EXPECT_EQ(latency.low(), "0.100 ms");
  EXPECT_FALSE(latency.title().contains("simulated"));
  latencies[0].origin = Origin::kSimulated;
  EXPECT_TRUE(
      OverlayScale(*with_schedule(*plain, &schedule, latencies), Overlay::kLatency).title().contains("simulated"));
  const Theme theme = Theme::light();
  EXPECT_EQ(latency.color(UnitId(2), theme), OverlayScale::ramp(1, theme));
  EXPECT_EQ(latency.color(UnitId(0), theme), OverlayScale::ramp(0, theme));
  const OverlayScale flops(*model, Overlay::kFlops);
  EXPECT_NE(flops.color(UnitId(1), theme), flops.color(UnitId(0), theme));  // 1×1 against 3×3
}

UnitColumn column_with(std::vector<std::optional<double>> values) {
  values.resize(7);  // units of the small graph
  return {"energy (mJ)", "values.csv", ColumnJoin::kSum, std::move(values)};
}

TEST(Overlay, ColoursByAColumnOfSomebodysTable) {
  const auto model = make_model(small_scheduled().graph, plain_style());
  const Theme theme = Theme::light();
  const UnitColumn energy = column_with({2, 4, std::nullopt, 3});
  const OverlayScale scale(*model, Overlay::kColumn, {}, &energy);
  ASSERT_TRUE(scale.active());
  EXPECT_EQ(scale.title(), "energy (mJ)");
  EXPECT_EQ(scale.low(), "2");
  EXPECT_EQ(scale.high(), "4");
  EXPECT_EQ(scale.text(UnitId(3)), "3");
  EXPECT_EQ(scale.color(UnitId(0), theme), OverlayScale::ramp(0, theme));
  EXPECT_EQ(scale.color(UnitId(3), theme), OverlayScale::ramp(0.5, theme));
  EXPECT_EQ(scale.color(UnitId(1), theme), OverlayScale::ramp(1, theme));
  EXPECT_EQ(scale.color(UnitId(2), theme), theme.panel) << "it has no value";
  EXPECT_EQ(scale.text(UnitId(2)), "");
  EXPECT_TRUE(scale.lacks(UnitId(2))) << "it is hatched: no fill would tell it from a pale value";
  EXPECT_FALSE(scale.lacks(UnitId(3)));
  EXPECT_TRUE(scale.notes().join('\n').contains("4 of 7 units have no value"))
      << scale.notes().join('\n').toStdString();
  EXPECT_TRUE(scale.notes().join('\n').contains("sum"));
  EXPECT_FALSE(scale.notes().join('\n').contains("logarithmic"));
}

TEST(Overlay, AColumnOfBothSignsDivergesAroundZero) {
  const auto model = make_model(small_scheduled().graph, plain_style());
  const Theme theme = Theme::darkTheme();
  const UnitColumn deltas = column_with({-1, 0, 4});
  const OverlayScale scale(*model, Overlay::kColumn, {}, &deltas);
  EXPECT_EQ(scale.low(), QString::fromUtf8("\u22124"));  // as far from zero as the other end
  EXPECT_EQ(scale.high(), "4");
  EXPECT_EQ(scale.color(UnitId(1), theme), OverlayScale::diverging(0, theme));
  EXPECT_EQ(scale.color(UnitId(2), theme), OverlayScale::diverging(1, theme));
  EXPECT_EQ(scale.color(UnitId(0), theme), OverlayScale::diverging(-0.25, theme));
  EXPECT_TRUE(scale.notes().join('\n').contains(QString::fromUtf8("from \u22121 to 4"))) << "what there really is";
}

TEST(Overlay, AColumnFarFromZeroStandsOut) {
  const auto model = make_model(small_scheduled().graph, plain_style());
  const Theme theme = Theme::light();
  const UnitColumn below = column_with({-8, -1, -2});
  const OverlayScale negative(*model, Overlay::kColumn, {}, &below);
  EXPECT_EQ(negative.color(UnitId(0), theme), OverlayScale::ramp(1, theme));
  EXPECT_EQ(negative.color(UnitId(1), theme), OverlayScale::ramp(0, theme));
  const UnitColumn wide = column_with({1, 10, 100});
  const OverlayScale logarithmic(*model, Overlay::kColumn, {}, &wide);
  EXPECT_EQ(logarithmic.color(UnitId(1), theme), OverlayScale::ramp(0.5, theme));
  EXPECT_TRUE(logarithmic.notes().join('\n').contains("logarithmic"));
  const UnitColumn zeros = column_with({0, 0});
  EXPECT_EQ(OverlayScale(*model, Overlay::kColumn, {}, &zeros).color(UnitId(0), theme), OverlayScale::ramp(1, theme));
}

TEST(Overlay, WithoutAColumnNothingIsColoured) {
  const auto model = make_model(small_scheduled().graph, plain_style());
  EXPECT_FALSE(OverlayScale(*model, Overlay::kColumn).active());
  UnitColumn other = column_with({1, 2});
  other.values.pop_back();  // of a graph with other units
  EXPECT_FALSE(OverlayScale(*model, Overlay::kColumn, {}, &other).active());
  const UnitColumn none = column_with({});
  const OverlayScale scale(*model, Overlay::kColumn, {}, &none);
  EXPECT_FALSE(scale.active());
  EXPECT_TRUE(scale.title().contains("no unit has a value"));
}

TEST(Model, StagesSayWhereTheirLatencyComesFrom) {
  const auto [graph, schedule] = small_scheduled();
  std::vector<Latency> latencies(4, Latency{Millis(0.5), Millis(0.01), 20, Origin::kMeasured});
  EXPECT_EQ(band_lines(*with_schedule(*make_model(graph, plain_style()), &schedule, latencies), 0).back(),
            "0.500 ms measured");
}

TEST(GraphFigure, MarksWhatNoDeviceCanExecute) {
  auto [builder, in] = iosx::test::sketch("odd", {4, 8, 8});
  builder.add("rnn", Opaque{"LSTM", "node 'rnn'", {6, 8}}, {in});
  auto graph = must(std::move(builder).build());
  const auto shared = std::make_shared<const Graph>(std::move(graph));
  EXPECT_EQ(make_model(shared, plain_style())->labels[0].what, OperatorClass::kOpaque);
  const QByteArray drawing = svg(*graph_figure(shared, nullptr, {}));
  EXPECT_TRUE(drawing.contains("LSTM"));
  EXPECT_TRUE(drawing.contains(">not executable<"));  // the legend
  EXPECT_FALSE(drawing.contains("<pattern"));
  QImage with(400, 300, QImage::Format_RGB32);
  with.fill(Qt::white);
  QPainter painter(&with);
  graph_figure(shared, nullptr, {})->paint(painter, QRectF(0, 0, 400, 300), Theme::light());
  painter.end();
  EXPECT_NE(Theme::light().operatorFill(OperatorClass::kOpaque), Theme::light().operatorFill(OperatorClass::kConcat));
}

TEST(Model, LatenciesThatAreNotOneAStageAreDropped) {
  const auto [graph, schedule] = small_scheduled();
  const auto model = with_schedule(*make_model(graph, plain_style()), &schedule, {Latency{}, Latency{}});
  ASSERT_NE(model->schedule, nullptr);
  EXPECT_TRUE(model->latencies.empty());
  EXPECT_EQ(band_lines(*model, 1), QStringList({"stage 2", "concurrent · 2 groups"}));
}

// Without barriers units have lanes and launches, and stages are where they come from.
TEST(GraphFigure, OfLanesSaysLaneAndLaunchOfEachUnit) {
  const auto [graph, schedule] = small_scheduled();
  ScheduleLabel label{ScheduleId("ios-flow"), "IOS-Flow", UnitLaunches(graph->units().size())};
  for (std::size_t u = 0; u + 1 < label.launches.size(); ++u) label.launches[u] = {{u % 3, u + 40}};
  label.launches[1].push_back({2, 77});
  const std::vector<Latency> latencies(4, Latency{Millis(0.162), Millis(0), 1, Origin::kSimulated});
  const auto figure = graph_figure(graph, &schedule, latencies, "small", Overlay::kNone, label);
  EXPECT_EQ(figure->title(), "Lanes of IOS-Flow: small");
  const QString drawing = QString::fromUtf8(svg(*figure));
  EXPECT_FALSE(drawing.contains("barrier")) << "the stages did not run";
  const QStringList lines = figure->csv().split("\n", Qt::SkipEmptyParts);
  EXPECT_TRUE(lines[0].endsWith(",shape,lane,launch"));
  EXPECT_TRUE(lines[2].endsWith(",2; 3,42; 78")) << lines[2].toStdString();
  EXPECT_TRUE(lines.back().endsWith(",,")) << "what lies in place is not launched";
  label.launches.pop_back();  // not one a unit
  EXPECT_EQ(graph_figure(graph, &schedule, {}, "small", Overlay::kNone, label)->title(), "Stages of IOS-Flow: small");
}

// Two units a part, and unit 6 in none that is known.
Deltas deltas_of(std::vector<Delta> parts) {
  Deltas deltas{QStringLiteral("Sequential"), true, {Delta{Millis(-0.3)}, std::nullopt}};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    deltas.parts.push_back({{UnitId(2 * p), UnitId(2 * p + 1)}, parts[p]});
  }
  return deltas;
}

using Units = std::vector<UnitId>;
const Units kFirst{UnitId(0), UnitId(1)};
const Units kSecond{UnitId(2), UnitId(3)};
const Units kBoth{UnitId(0), UnitId(1), UnitId(2), UnitId(3)};

TEST(PartGains, SayHowMuchOfTheLargestPartsSaveOrLose) {
  const PartGains gains(deltas_of({Delta{Millis(-0.4)}, Delta{Millis(0.1)}}));
  EXPECT_TRUE(gains.active());
  EXPECT_TRUE(gains.anyLoses());
  EXPECT_DOUBLE_EQ(gains.lost(kFirst), -1);
  EXPECT_DOUBLE_EQ(gains.lost(kSecond), 0.25);
  EXPECT_EQ(gains.figure(kFirst), QString::fromUtf8("\u22120.40"));
  EXPECT_EQ(gains.figure(kSecond), "+0.10");
  EXPECT_EQ(gains.figure(kBoth), QString::fromUtf8("\u22120.30"));
  EXPECT_DOUBLE_EQ(gains.lost(kBoth), -0.75);
  EXPECT_EQ(gains.stageFigure(0), QString::fromUtf8("\u22120.30"));
  EXPECT_EQ(gains.stageFigure(1), QString());
  EXPECT_EQ(gains.stageFigure(7), QString());
}

TEST(PartGains, OfUnitsThatAreNotAllKnownSayNothing) {
  const PartGains gains(deltas_of({Delta{Millis(-0.4)}, Delta{Millis(0.1)}}));
  for (const Units& units : {Units{UnitId(6)}, Units{UnitId(0), UnitId(1), UnitId(6)}, Units{UnitId(0)},
                             Units{UnitId(0), UnitId(1), UnitId(2)}, Units{}}) {
    EXPECT_EQ(gains.lost(units), 0);
    EXPECT_EQ(gains.figure(units), QString());
  }
}

TEST(PartGains, NothingInsideTheNoiseHasATint) {
  const PartGains gains(deltas_of({Delta{Millis(-0.4), Millis(0.1)}, Delta{Millis(0.1), Millis(0.2)}}));
  EXPECT_LT(gains.lost(kFirst), 0);
  EXPECT_EQ(gains.lost(kSecond), 0);
  EXPECT_FALSE(gains.anyLoses());
}

TEST(PartGains, OfNothingSayNothing) {
  EXPECT_FALSE(PartGains().active());
  EXPECT_FALSE(PartGains(deltas_of({})).active());
  const PartGains same(deltas_of({Delta{Millis(0)}}));
  EXPECT_TRUE(same.active());
  EXPECT_EQ(same.lost(kFirst), 0);
  EXPECT_EQ(same.figure(kFirst), QString());
}

using Source = UnitCosts::Source;

Latency latency(double ms) { return {Millis(ms), Millis(0), 1, Origin::kSimulated}; }

// a → b → {e, f}, a → c → d, all → g.
TEST(CriticalPath, IsTheLongestChainAndSlackIsWhatIsLeft) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Millis> costs{Millis(1), Millis(2), Millis(4), Millis(3), Millis(1), Millis(2), Millis(5)};
  const CriticalPath path = critical_path(*graph, costs);
  EXPECT_DOUBLE_EQ(path.length.count(), 1 + 4 + 3 + 5);
  EXPECT_EQ(path.units, (std::vector<UnitId>{UnitId(0), UnitId(2), UnitId(3), UnitId(6)}));
  const std::vector<double> slack{0, 3, 0, 0, 4, 3, 0};
  for (std::size_t u = 0; u < slack.size(); ++u) EXPECT_DOUBLE_EQ(path.slack[u].count(), slack[u]) << u;
}

// Against every path, listed one by one.
double longest_from(const Graph& graph, const std::vector<Millis>& costs, UnitId unit) {
  double longest = 0;
  for (const UnitId next : graph.successors(unit)) longest = std::max(longest, longest_from(graph, costs, next));
  return longest + costs[unit.index()].count();
}
double longest_to(const Graph& graph, const std::vector<Millis>& costs, UnitId unit) {
  double longest = 0;
  for (const UnitId before : graph.predecessors(unit)) longest = std::max(longest, longest_to(graph, costs, before));
  return longest + costs[unit.index()].count();
}

TEST(CriticalPath, AgreesWithAllPathsOfRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = iosx::test::random_dag(seed, 12);
    std::vector<Millis> costs;
    for (std::size_t u = 0; u < graph.units().size(); ++u)
      costs.emplace_back(static_cast<double>((seed * 7 + u * 13) % 11));
    const CriticalPath path = critical_path(graph, costs);
    double longest = 0;
    for (std::size_t u = 0; u < costs.size(); ++u) longest = std::max(longest, longest_from(graph, costs, UnitId(u)));
    EXPECT_DOUBLE_EQ(path.length.count(), longest);
    double sum = 0;
    for (std::size_t i = 0; i < path.units.size(); ++i) {
      sum += costs[path.units[i].index()].count();
      if (i == 0) continue;
      const auto before = graph.predecessors(path.units[i]);
      EXPECT_NE(std::find(before.begin(), before.end(), path.units[i - 1]), before.end());
    }
    EXPECT_DOUBLE_EQ(sum, longest);
    for (std::size_t u = 0; u < costs.size(); ++u) {
      const double through =
          longest_to(graph, costs, UnitId(u)) + longest_from(graph, costs, UnitId(u)) - costs[u].count();
      EXPECT_NEAR(path.slack[u].count(), longest - through, 1e-9);
    }
  }
}

TEST(UnitCosts, AStageOfOneUnitIsThatUnitsLatency) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_EQ(costs.sources[0], Source::kAlone);
  EXPECT_DOUBLE_EQ(costs.values[0].count(), 1);
  EXPECT_EQ(costs.sources[6], Source::kAlone);
  EXPECT_DOUBLE_EQ(costs.values[6].count(), 0.5);
  EXPECT_EQ(costs.count(Source::kAlone), 2U);
  EXPECT_EQ(costs.count(Source::kShare), 5U);
}

TEST(UnitCosts, AStageIsSharedOutSoThatItsSlowestGroupTakesAllOfIt) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_DOUBLE_EQ(costs.values[2].count() + costs.values[3].count(), 6);  // two 3×3, one after the other
  EXPECT_DOUBLE_EQ(costs.values[2].count(), costs.values[3].count());
  EXPECT_GT(costs.values[1].count(), 0);  // a 1×1 beside them
  EXPECT_LT(costs.values[1].count(), costs.values[2].count());
  EXPECT_DOUBLE_EQ(costs.values[4].count(), 2);  // merged: each ends with the step
  EXPECT_DOUBLE_EQ(costs.values[5].count(), 2);
}

TEST(UnitCosts, WhatAUnitTakesByItselfComesFirst) {
  auto [graph, schedule] = small_scheduled();
  // Unit 2 gets a stage of its own, before what is left of the one that it shared with units 1 and 3.
  std::vector<Step>& steps = schedule.stages[1].groups[1].steps;
  ASSERT_EQ(steps.front(), Step{{UnitId(2)}});
  steps.erase(steps.begin());
  schedule.stages.insert(schedule.stages.begin() + 1, single_unit_stage(UnitId(2)));
  const std::vector<Latency> stages{latency(1), latency(2.5), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_DOUBLE_EQ(costs.values[2].count(), 2.5);
  EXPECT_EQ(costs.sources[2], Source::kAlone);
  EXPECT_EQ(costs.sources[3], Source::kShare);
}

// A schedule cannot be faster than the longest chain where each unit takes what it takes by itself.
TEST(CriticalPath, IsNoLongerThanTheStagesWhereCostsComeFromThem) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const CriticalPath path = critical_path(*graph, unit_costs(*graph, schedule, stages).values);
  EXPECT_LE(path.length.count(), 9.5 + 1e-12);
}

EdgePath straight(Point from, Point to) {
  return EdgePath{.curve = {from, {from.x, (from.y + to.y) / 2}, {to.x, (from.y + to.y) / 2}, to}};
}

// Twenty lines 8 apart, and one by itself.
Layout bundle_and_one() {
  Layout layout;
  for (int i = 0; i < 20; ++i) layout.edges.push_back(straight({8.0 * i, 0}, {8.0 * i, 1000}));
  layout.edges.push_back(straight({5000, 0}, {5000, 1000}));
  return layout;
}

TEST(EdgeDensity, CountsWhatRunsBesideAnEdge) {
  const EdgeDensity density(bundle_and_one());
  EXPECT_NEAR(density.linesPerLength(8), 1.0 / 8, 0.01);
  EXPECT_NEAR(density.linesPerLength(20), 1.0 / 64, 1e-9) << "alone in its place";
  EXPECT_EQ(density.linesPerLength(21), 0) << "there is none";
}

TEST(EdgeDensity, EdgesAreFainterWhereManyRunAndFurtherOut) {
  const EdgeDensity density(bundle_and_one());
  EXPECT_EQ(density.strength(8, 1), 1) << "8 pixels apart";
  EXPECT_LT(density.strength(8, 0.4), 1);
  EXPECT_LT(density.strength(8, 0.25), density.strength(8, 0.4));
  EXPECT_EQ(density.strength(8, 0.01), EdgeDensity::kFaintest) << "never gone";
  EXPECT_EQ(density.strength(20, 0.25), 1);
  EXPECT_EQ(EdgeDensity().strength(0, 1), 1) << "nothing is known";
}

TEST(EdgeDensity, OfARandomNetworkIsHigherThanOfAChain) {
  const auto mean = [](const char* network) {
    const Layout layout = lay_out(std::make_shared<const Graph>(*zoo_network(network)));
    const EdgeDensity density(layout);
    double sum = 0;
    for (std::size_t e = 0; e < layout.edges.size(); ++e) sum += density.strength(e, 0.12);
    return sum / static_cast<double>(layout.edges.size());
  };
  EXPECT_LT(mean("randwire"), mean("vgg16"));
}

}  // namespace

}  // namespace iosx::canvas::test
