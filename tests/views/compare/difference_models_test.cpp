#include <QAbstractItemModelTester>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>

#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/views/compare/runs.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/difference_tables.h"
#include "views/compare/difference_text.h"
#include "views/compare/distribution_figure.h"
#include "views/figures/exporter.h"
#include "views/tables/cell_roles.h"

namespace iosx {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Fatal;

std::shared_ptr<const RunMatrix> two_devices() {
  return make_run_matrix(test::all_of({test::simulated_run("squeezenet"), test::simulated_run("squeezenet", "h200")}),
                         0);
}

std::shared_ptr<const StagePair> pair_of(const RunMatrix& runs, std::size_t b) {
  return make_stage_pair(runs.baseline(), runs.subjects[b], runs.matches[b]);
}

Subject measured(std::vector<double> stages, double spread) {
  static const auto graph = std::make_shared<const Graph>(test::two_parts());
  return test::subject_of(graph, test::schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                          {.stages = std::move(stages), .spread = spread, .samples = 100, .origin = Origin::kMeasured});
}

QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

TEST(PartMatrixModel, HasPartsAndTheRestAndKeepsTheRulesOfModels) {
  PartMatrixModel model;
  const Tester tester(&model, kFatal);
  const auto runs = two_devices();
  model.setRuns(runs);
  EXPECT_EQ(model.columnCount(), 15);
  EXPECT_EQ(model.rowCount(), static_cast<int>(runs->matrix.rows.size()) + 3);
  for (int column = 1; column < model.columnCount(); ++column) {
    EXPECT_EQ(model.headerData(column, Qt::Horizontal).toString().contains("H200"), *model.subject(column) >= 7);
  }
  EXPECT_FALSE(model.isPart(model.rowCount() - 1));
  EXPECT_FALSE(model.units(0).empty());
  EXPECT_TRUE(model.units(model.rowCount() - 1).empty());
  model.setTheme(Theme::darkTheme());
  model.setEmphasised(3);
  model.setRuns(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

// Rounding leaves a little of sums, of either sign: nobody reads "-0.000".
TEST(PartMatrixModel, NothingOfTheRestIsZero) {
  PartMatrixModel model;
  auto runs = std::make_shared<RunMatrix>(*two_devices());
  runs->matrix.rest[runs->matrix.baseline] = Millis(-1e-16);
  model.setRuns(runs);
  for (int column = 1; column < model.columnCount(); ++column) {
    if (*model.subject(column) == runs->matrix.baseline) {
      EXPECT_EQ(cell(model, model.rowCount() - 2, column), "0");
    }
  }
}

TEST(PartMatrixModel, WhatTheSentenceSpeaksOfStandsBesideTheBaseline) {
  PartMatrixModel model;
  const Tester tester(&model, kFatal);
  const auto runs = two_devices();
  model.setRuns(runs);
  EXPECT_EQ(model.subject(1), runs->matrix.baseline);
  EXPECT_EQ(model.subject(2), runs->finding.subject);
  model.setEmphasised(9);
  EXPECT_EQ(model.subject(1), 0U);
  EXPECT_EQ(model.subject(2), 9U);
  EXPECT_EQ(model.subject(3), 1U);
  EXPECT_EQ(cell(model, model.rowCount() - 1, 2), delta_words(runs->matrix.whole[9].delta));
  EXPECT_TRUE(model.headerData(2, Qt::Horizontal, Qt::FontRole).value<QFont>().bold());
  model.setEmphasised(900);  // there is no such
  EXPECT_EQ(model.subject(2), 9U);
}

TEST(PartMatrixModel, SaysThatItTellsSamples) {
  PartMatrixModel model;
  const auto runs = make_run_matrix(
      test::all_of({test::simulated_run("squeezenet"), test::simulated_run("squeezenet", "tesla-v100", 8)}), 0);
  model.setRuns(runs);
  EXPECT_TRUE(model.headerData(1, Qt::Horizontal).toString().endsWith("[ms/sample]"));
  EXPECT_TRUE(model.headerData(2, Qt::Horizontal).toString().endsWith(QString::fromUtf8("[Δ ms/sample]")));
  const double ms = runs->subjects[7].schedule().latency.value.count() / 8;
  EXPECT_DOUBLE_EQ(model.latency(model.rowCount() - 1, 7)->count(), ms);
  const auto pair = make_stage_pair(runs->subjects[0], runs->subjects[7], runs->matches[7], runs->matrix.per);
  EXPECT_DOUBLE_EQ(pair->difference.whole.b.count(), ms);
  StageDifferenceModel stages;
  stages.setPair(pair);
  for (const char* id : {"a_ms", "b_ms", "delta_ms", "noise_ms"}) {
    EXPECT_TRUE(stages.headerData(stages.columnOf(id), Qt::Horizontal).toString().contains("/sample")) << id;
  }
  EXPECT_TRUE(make_stage_difference_figure(pair)->csv().contains(",delta_ms_per_sample,"));
}

TEST(PartMatrixModel, IsGreyInsideTheNoiseAndColouredBeyondIt) {
  PartMatrixModel model;
  model.setRuns(make_run_matrix({measured({1, 1, 1, 1}, 0.2), measured({1, 1.01, 1, 0.5}, 0.2)}, 0));
  const Theme theme = Theme::light();
  EXPECT_TRUE(cell(model, 0, 2).endsWith(QString::fromUtf8(" \u2248")));
  const auto grey = model.index(0, 2).data(Qt::BackgroundRole).value<QColor>();
  EXPECT_LT(std::max({grey.red(), grey.green(), grey.blue()}) - std::min({grey.red(), grey.green(), grey.blue()}), 16);
  EXPECT_EQ(model.index(0, 2).data(Qt::ForegroundRole).value<QColor>(), theme.mutedText);
  EXPECT_EQ(cell(model, 1, 2), QString::fromUtf8("\u22120.5000"));
  const auto fill = model.index(1, 2).data(Qt::BackgroundRole).value<QColor>();
  EXPECT_GT(fill.blue(), fill.red());
  EXPECT_TRUE(model.index(0, 2).data(Qt::ToolTipRole).toString().contains("within the noise"));
}

TEST(DeltaFill, CanBeReadInBothPalettes) {
  const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const auto luminance = [&](const QColor& color) {
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
  };
  for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
    for (double ms = -1; ms <= 1; ms += 0.05) {
      const Delta delta{Millis(ms), Millis(0.01)};
      const QColor fill = delta_fill(delta, Millis(1), theme);
      const QColor ink = delta_ink(delta, theme);
      const auto [dark, light] = std::minmax({luminance(fill), luminance(ink)});
      EXPECT_GE((light + 0.05) / (dark + 0.05), 4.5) << ms << (theme.dark ? " dark" : " light");
    }
  }
}

TEST(StageDifferenceModel, SortsByNumbersAndFiltersByWords) {
  StageDifferenceModel model;
  StageDifferenceFilter filter;
  filter.setSourceModel(&model);
  const Tester tester(&model, kFatal);
  const Tester filter_tester(&filter, kFatal);
  const auto runs = two_devices();
  const auto pair = pair_of(*runs, 4);  // IOS-Both
  model.setPair(pair);
  ASSERT_GT(model.rowCount(), 3);
  EXPECT_EQ(filter.rowCount(), model.rowCount());
  const int delta = model.columnOf("delta_ms");
  filter.sort(delta, Qt::AscendingOrder);
  double before = -HUGE_VAL;
  for (int row = 0; row < filter.rowCount(); ++row) {
    const double value = filter.index(row, delta).data(cell::kSort).toDouble();
    EXPECT_GE(value, before);
    before = value;
  }
  filter.setChangedOnly(true);
  const int changed = filter.rowCount();
  EXPECT_LT(changed, model.rowCount());
  EXPECT_EQ(changed, static_cast<int>(std::ranges::count_if(pair->difference.rows, [](const StageRow& row) {
              return !row.same() || row.delta.outside_noise();
            })));
  filter.setWords(QStringLiteral("no such words"));
  EXPECT_EQ(filter.rowCount(), 0);
  filter.setWords({});
  filter.setChangedOnly(false);
  const QString unit =
      QString::fromStdString(runs->baseline().graph().unit(pair->difference.rows[1].units_a.front()).name);
  filter.setWords(unit.toUpper());
  EXPECT_GE(filter.rowCount(), 1);
  EXPECT_LT(filter.rowCount(), model.rowCount());
}

TEST(StageDifferenceModel, FindsTheRowsOfUnits) {
  StageDifferenceModel model;
  const auto runs = two_devices();
  model.setPair(pair_of(*runs, 4));
  for (int row = 0; row < model.rowCount(); ++row) {
    EXPECT_EQ(model.rowsOf({model.row(row).units_a.back()}), std::vector<int>{row});
  }
  EXPECT_TRUE(model.rowsOf({}).empty());
}

TEST(StatisticsModel, SaysWhatIsKnownOfEachRun) {
  StatisticsModel model;
  const Tester tester(&model, kFatal);
  Subject with_rounds = measured({1, 1, 1, 1}, 0.1);
  auto comparison = std::make_shared<Comparison>(*with_rounds.comparison);
  for (int i = 0; i < 7; ++i) comparison->results[0].rounds.emplace_back(4 + 0.01 * i);
  comparison->results[0].discarded = 3;
  comparison->recorded = verbatim("recorded on <b>elsewhere</b>, 2026-01-01");
  model.setRuns(make_run_matrix({{comparison, 0}, measured({1, 1, 1, 0.5}, 0.1)}, 0));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(cell(model, 0, model.columnOf("mean_ms")), "4.030");
  EXPECT_EQ(cell(model, 0, model.columnOf("rounds")), "7");
  EXPECT_TRUE(cell(model, 0, model.columnOf("interval_ms")).contains(QString::fromUtf8("–")));
  EXPECT_TRUE(cell(model, 0, model.columnOf("origin")).contains("recorded on <b>elsewhere</b>"));
  EXPECT_TRUE(cell(model, 0, model.columnOf("remarks")).contains("baseline; 3 samples discarded"));
  EXPECT_EQ(cell(model, 1, model.columnOf("interval_ms")), QString::fromUtf8("–"));
  EXPECT_TRUE(cell(model, 1, model.columnOf("speedup")).startsWith("1.14"));
  // Names are no rich text in tool tips.
  EXPECT_TRUE(model.index(0, model.columnOf("origin")).data(Qt::ToolTipRole).toString().contains("&lt;b&gt;"));
}

TEST(DifferenceFigures, AreDrawnInEveryFormatAndHaveAllNumbers) {
  const auto runs = two_devices();
  const auto matrix = make_part_matrix_figure(runs);
  const auto stages = make_stage_difference_figure(pair_of(*runs, 4));
  for (const Figure* figure : {matrix.get(), stages.get()}) {
    EXPECT_FALSE(figure->title().isEmpty());
    EXPECT_GT(figure->size().width(), 200);
    for (const FigureFormat format : kFigureFormats) {
      EXPECT_GT(must(render_figure(*figure, format)).size(), 200);
    }
  }
  const QString csv = matrix->csv();
  EXPECT_EQ(csv.count(QStringLiteral("\n")),
            1 + static_cast<int>((runs->matrix.rows.size() + 3) * runs->subjects.size()));
  EXPECT_TRUE(csv.contains("between stages"));
  EXPECT_EQ(stages->csv().count(QStringLiteral("\n")),
            1 + static_cast<int>(pair_of(*runs, 4)->difference.rows.size()) + 3);
}

TEST(DifferenceWords, SayWhatTheCoreFoundInTheUsersWords) {
  const auto runs = two_devices();
  const QString sentence = finding_words(runs->subjects, runs->matrix, runs->finding);
  EXPECT_TRUE(sentence.contains(QString::fromUtf8("× as fast as Sequential"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains("simulated"));
  EXPECT_TRUE(sentence.contains("of the difference lies in"));
  // The claim is one sentence that says how much once; all else are the details.
  const QString claim = finding_claim(runs->subjects, runs->finding);
  EXPECT_EQ(claim.count(QString::fromUtf8("×")), 1) << claim.toStdString();
  EXPECT_FALSE(claim.contains("of the difference"));
  EXPECT_TRUE(claim.endsWith(QLatin1Char('.')));
  EXPECT_EQ(sentence, claim + QLatin1Char(' ') + finding_details(runs->subjects, runs->matrix, runs->finding));
  EXPECT_TRUE(finding_words({}, {}, {}).startsWith("Nothing to compare yet"));
  // Where and when something was recorded is a detail, said once where it is of both.
  auto recorded = std::make_shared<Comparison>(*test::simulated_run("squeezenet"));
  recorded->recorded = message("recorded on {}, {}", "a server", "2026-01-01 10:00 UTC");
  const auto both = make_run_matrix({{recorded, 0}, {recorded, 4}}, 0);
  EXPECT_FALSE(finding_claim(both->subjects, both->finding).contains("server"));
  EXPECT_EQ(finding_details(both->subjects, both->matrix, both->finding).count("Recorded on a server"), 1);
  const auto one = make_run_matrix({{test::simulated_run("squeezenet"), 0}, {recorded, 4}}, 0);
  EXPECT_TRUE(finding_details(one->subjects, one->matrix, one->finding)
                  .contains(QString::fromStdString(one->subjects[1].label) + ": Recorded on a server"));
  const auto noisy = make_run_matrix({measured({1, 1, 1, 1}, 0.3), measured({1, 1, 1, 0.9}, 0.3)}, 0);
  EXPECT_TRUE(finding_words(noisy->subjects, noisy->matrix, noisy->finding).contains("as fast as"));
  EXPECT_TRUE(finding_words(noisy->subjects, noisy->matrix, noisy->finding).contains("within the noise"));
}

TEST(RunMatrix, LeavesOutWhatIsNotThere) {
  auto subjects = test::all_of({test::simulated_run("squeezenet")});
  subjects.insert(subjects.begin(), Subject{});
  subjects.push_back({subjects.back().comparison, 99});
  EXPECT_EQ(make_run_matrix(subjects, 0), nullptr);
  const auto runs = must(make_run_matrix(subjects, 2));
  EXPECT_EQ(runs->subjects.size(), 7U);
  EXPECT_EQ(runs->baseline().result, 1U);
}

std::vector<Millis> spread_around(double middle, int count) {
  std::vector<Millis> samples;
  for (int i = 0; i < count; ++i) samples.emplace_back(middle * (1 + 0.001 * i));
  return samples;
}

LatencyBar bar_with(const QString& label, std::vector<Millis> samples, Origin origin = Origin::kMeasured) {
  LatencyBar bar{.label = label};
  bar.latency = {.value = samples.empty() ? Millis(1) : samples.front(),
                 .samples = static_cast<std::int64_t>(samples.size()),
                 .origin = origin};
  bar.samples = std::move(samples);
  return bar;
}

QImage painted(const Figure& figure, double width) {
  QImage image(figure.sizeWithin(width).toSize() + QSize(20, 20), QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  figure.paint(painter, QRectF(QPointF(10, 10), figure.sizeWithin(width)), Theme::light());
  return image;
}

TEST(Distribution, SaysPercentilesAsFarAsTheRunsTellThem) {
  const std::vector<LatencyBar> bars{bar_with("many", spread_around(4, 200)), bar_with("some", spread_around(6, 50)),
                                     bar_with("few", spread_around(6, 7))};
  const auto rows = distribution_rows(bars);
  ASSERT_EQ(rows.size(), 3U);
  // Of 200 values from 4 in steps of 0.004: the middle, the 190th and the 198th.
  EXPECT_EQ(rows[0].percentiles, QString::fromUtf8("p50 4.398 \u00B7 p95 4.756 \u00B7 p99 4.788"));
  EXPECT_EQ(rows[0].runs, "200 runs, measured");
  EXPECT_TRUE(rows[1].percentiles.endsWith(QString::fromUtf8("\u00B7 p99: too few runs")))
      << rows[1].percentiles.toStdString();
  EXPECT_TRUE(rows[2].percentiles.endsWith(QString::fromUtf8("\u00B7 p95: too few runs")))
      << rows[2].percentiles.toStdString();
  EXPECT_TRUE(has_distribution(bars));
}

TEST(Distribution, SaysWhyThereIsNone) {
  LatencyBar averaged = bar_with("gpu", {});
  averaged.latency.samples = 70;
  LatencyBar once = bar_with("other", {Millis(3)}, Origin::kRecorded);
  const std::vector<LatencyBar> bars{bar_with("ios-both", {}, Origin::kSimulated), averaged, once};
  const auto rows = distribution_rows(bars);
  EXPECT_TRUE(rows[0].runs.startsWith("simulated: one run without noise")) << rows[0].runs.toStdString();
  EXPECT_TRUE(rows[1].runs.startsWith("the single runs are not known")) << rows[1].runs.toStdString();
  EXPECT_TRUE(rows[2].runs.startsWith("only one time is known")) << rows[2].runs.toStdString();
  for (const DistributionRow& row : rows) EXPECT_TRUE(row.percentiles.isEmpty());
  EXPECT_FALSE(has_distribution(bars));
  EXPECT_FALSE(painted(*make_distribution_figure(bars, "x"), 600).isNull());
}

TEST(Distribution, OfThinnedSamplesSaysHowManyThereWere) {
  LatencyBar bar = bar_with("a", spread_around(1, 4000));
  bar.latency.samples = 9000;
  EXPECT_EQ(distribution_rows(std::span(&bar, 1)).front().runs.remove(QChar(0x2009)), "4000 of 9000 runs, measured");
}

TEST(Distribution, DataHasEveryRun) {
  std::vector<Millis> samples = spread_around(4, 200);
  samples.emplace_back(500);
  const std::vector<LatencyBar> bars{bar_with("a, \"b\"", samples), bar_with("none", {}, Origin::kSimulated)};
  const QStringList lines = make_distribution_figure(bars, "x")->csv().split("\n", Qt::SkipEmptyParts);
  EXPECT_EQ(lines.front(), "label,origin,runs,p50_ms,p95_ms,p99_ms,from_ms,to_ms,count");
  int runs = 0;
  for (const QString& line : lines.mid(1)) {
    if (line.startsWith("\"a, \"\"b\"\"\",measured,201,")) runs += line.section(',', -1).toInt();
  }
  EXPECT_EQ(runs, 201);
  EXPECT_TRUE(lines[lines.size() - 2].endsWith(",500,1")) << lines[lines.size() - 2].toStdString();
  EXPECT_EQ(lines.back(), "none,simulated,0,,,,,,");
}

TEST(Distribution, StaysInItsArea) {
  std::vector<Millis> samples = spread_around(4, 200);
  samples.emplace_back(500);
  LatencyBar external =
      bar_with("somebody else's program with a name that is quite long", spread_around(4.5, 30), Origin::kRecorded);
  external.external = true;
  external.source = "recorded in times.csv";
  const auto figure = make_distribution_figure({bar_with("ios-both", samples), external}, "sample");
  for (const double width : {900.0, 420.0}) {
    const QImage image = painted(*figure, width);
    const QRect inside(9, 9, image.width() - 18, image.height() - 18);
    bool drawn = false;
    for (int x = 0; x < image.width(); ++x) {
      for (int y = 0; y < image.height(); ++y) {
        const bool touched = image.pixelColor(x, y) != QColor(Qt::magenta);
        drawn = drawn || touched;
        ASSERT_TRUE(inside.contains(x, y) || !touched) << x << ' ' << y;
      }
    }
    EXPECT_TRUE(drawn);
  }
  EXPECT_EQ(figure->title(), "Distribution of the runs: sample");
  EXPECT_EQ(figure->fileStem(), "distribution");
}

constexpr UnitChange kSame = UnitChange::kSame;
constexpr UnitChange kMoved = UnitChange::kMoved;

TEST(MarkedUnits, AreTheFewerOnes) {
  using Changes = std::vector<UnitChange>;
  EXPECT_EQ(marked_units(Changes{kSame, kSame, kMoved}, Changes{kSame, kSame, kMoved}), Marked::kWhatDiffers);
  EXPECT_EQ(marked_units(Changes{kSame, kMoved, UnitChange::kJoined}, Changes{kSame, kMoved, UnitChange::kSplit}),
            Marked::kWhatIsTheSame);
  EXPECT_EQ(marked_units(Changes{kSame, kMoved}, Changes{kSame, kMoved}), Marked::kWhatDiffers) << "as many of each";
  EXPECT_EQ(marked_units({}, {}), Marked::kWhatDiffers);
  // Both canvases count together: they have one legend.
  EXPECT_EQ(marked_units(Changes{kSame}, Changes{UnitChange::kAdded, UnitChange::kAdded, kSame, kSame}),
            Marked::kWhatDiffers);
  EXPECT_EQ(marked_units(Changes{kSame}, Changes{UnitChange::kAdded, UnitChange::kAdded}), Marked::kWhatIsTheSame);
}

// Two schedules of the same six convolutions side by side, a millisecond a stage.
std::shared_ptr<const StagePair> of_fork(const std::vector<std::vector<std::vector<std::size_t>>>& a,
                                         const std::vector<std::vector<std::vector<std::size_t>>>& b) {
  const auto graph = std::make_shared<const Graph>(test::fork(6));
  const Subject first = test::subject_of(graph, test::schedule_of(a), {.stages = std::vector<double>(a.size(), 1)});
  const Subject second = test::subject_of(graph, test::schedule_of(b), {.stages = std::vector<double>(b.size(), 1)});
  return make_stage_pair(first, second, match_graphs(*graph, *graph));
}

std::size_t drawn(const std::vector<canvas::UnitMark>& marks) {
  return static_cast<std::size_t>(std::ranges::count_if(
      marks, [](const canvas::UnitMark& mark) { return !mark.quiet && mark.change != canvas::UnitChange::kSame; }));
}

TEST(UnitMarks, OfFewDifferencesAreOnWhatDiffers) {
  const auto none = of_fork({{{0}, {1}}, {{2, 3}}, {{4}}, {{5}}}, {{{1}, {0}}, {{2, 3}}, {{4}}, {{5}}});
  EXPECT_EQ(drawn(unit_marks(*none, true)), 0U);
  const auto one = of_fork({{{0}, {1}, {2}}, {{3}, {4}}, {{5}}}, {{{0}, {1}}, {{2}, {3}, {4}}, {{5}}});
  for (const bool of_a : {true, false}) {
    const auto marks = unit_marks(*one, of_a);
    EXPECT_EQ(drawn(marks), 1U);
    EXPECT_EQ(marks[2].change, canvas::UnitChange::kMoved);
    EXPECT_FALSE(marks[2].quiet);
    EXPECT_FALSE(marks[2].note.isEmpty());
    EXPECT_EQ(marks[0].change, canvas::UnitChange::kSame);
  }
}

TEST(UnitMarks, OfManyDifferencesAreOnWhatIsTheSame) {
  const auto pair = of_fork({{{0}}, {{1}}, {{2}, {3}}, {{4}}, {{5}}}, {{{0}, {1}}, {{2}}, {{3}}, {{4}}, {{5}}});
  ASSERT_EQ(marked_units(pair->difference.units_a, pair->difference.units_b), Marked::kWhatIsTheSame);
  for (const bool of_a : {true, false}) {
    const auto marks = unit_marks(*pair, of_a);
    EXPECT_EQ(drawn(marks), 2U);
    EXPECT_EQ(marks[4].change, canvas::UnitChange::kAlike);
    EXPECT_FALSE(marks[4].quiet);
    EXPECT_TRUE(marks[0].quiet);
    EXPECT_EQ(marks[0].change, canvas::UnitChange::kJoined) << "the tool tip still says what became of it";
    EXPECT_FALSE(marks[0].note.isEmpty());
  }
}

// The legend has what is drawn: the signs of what differs, or the one of what is the same.
TEST(UnitMarks, TheLegendNamesWhatIsDrawnAndNothingElse) {
  const canvas::Model model;
  const auto texts = [&](canvas::UnitMark mark) { return canvas::GraphLegend(model, {mark}).texts().join(QString()); };
  EXPECT_EQ(texts({canvas::UnitChange::kMoved, {}, false}), canvas::change_word(canvas::UnitChange::kMoved));
  EXPECT_EQ(texts({canvas::UnitChange::kMoved, {}, true}), QString());
  EXPECT_TRUE(texts({canvas::UnitChange::kAlike, {}, false}).contains("same in both"));
  canvas::GraphLegend both(model, {{canvas::UnitChange::kMoved, {}, false}});
  both.add(
      canvas::GraphLegend(model, {{canvas::UnitChange::kMoved, {}, false}, {canvas::UnitChange::kAdded, {}, false}}));
  EXPECT_EQ(both.texts(), (QStringList{canvas::change_word(canvas::UnitChange::kMoved),
                                       canvas::change_word(canvas::UnitChange::kAdded)}));
}

}  // namespace

}  // namespace iosx
