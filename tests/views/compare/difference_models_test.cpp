#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <algorithm>
#include <cmath>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"
#include "tests/views/compare/runs.h"
#include "views/compare/difference_figures.h"
#include "views/compare/difference_text.h"
#include "views/compare/part_matrix_model.h"
#include "views/compare/stage_difference_model.h"
#include "views/compare/statistics_model.h"
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
      const auto bytes = render_figure(*figure, format);
      ASSERT_TRUE(bytes);
      EXPECT_GT(bytes->size(), 200);
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
  const auto runs = make_run_matrix(subjects, 2);
  ASSERT_NE(runs, nullptr);
  EXPECT_EQ(runs->subjects.size(), 7U);
  EXPECT_EQ(runs->baseline().result, 1U);
}

}  // namespace
}  // namespace iosx
