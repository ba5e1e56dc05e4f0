#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>

#include "core/analysis/compare/compare.h"
#include "core/model/graph/networks.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/style/fills.h"
#include "views/tables/cell_roles.h"
#include "views/tables/copied_text.h"
#include "views/tables/inspector_model.h"
#include "views/tables/schedule_models.h"
#include "views/text/format.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Fatal;

std::shared_ptr<const Comparison> compare_on_fake(const Graph& graph,
                                                  test::ScriptedKind kind = test::ScriptedKind::kGpu,
                                                  ScheduleKind first = ScheduleKind::kSequential) {
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), kind);
  CompareOptions options{.schedule_kinds = {first, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}};
  auto result = compare(graph, device, options, JobContext{});
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return result ? std::make_shared<const Comparison>(std::move(*result)) : nullptr;
}

std::string cell(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole) {
  return model.index(row, column).data(role).toString().toStdString();
}

std::string cell(const TableModel& model, int row, const char* id, int role = Qt::DisplayRole) {
  return cell(model, row, model.columnOf(id), role);
}

bool right_aligned(const TableModel& model, const char* id) {
  const int column = model.columnOf(id);
  const auto at = static_cast<Qt::Alignment>(model.index(0, column).data(Qt::TextAlignmentRole).toInt());
  const auto head = static_cast<Qt::Alignment>(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
  return at.testFlag(Qt::AlignRight) && head.testFlag(Qt::AlignRight);
}

// a → {b, c} → d on the fake device, every unit one kernel: a stage takes 1.1 ms whether it runs one or two of them.
class DiamondTest : public testing::Test {
 protected:
  std::shared_ptr<const Comparison> comparison_ = compare_on_fake(test::diamond());
};

// Planned, whatever the device; what is over a limit says so, and is not the bold one.
TEST_F(DiamondTest, ThePlannedPeakIsShownBesideItsLimit) {
  auto limited = std::make_shared<Comparison>(*comparison_);
  for (ScheduleResult& result : limited->results) result.planned_bytes = 2'500'000;
  const std::size_t best = limited->best();
  limited->results[best].planned_bytes = 3'500'000;
  ScheduleListModel model;
  const Tester tester(&model, kFatal);
  model.setComparison(limited);
  const int row = static_cast<int>(best);
  EXPECT_EQ(cell(model, row, "planned_peak_bytes"), "3.50");
  EXPECT_TRUE(model.index(row, 0).data(Qt::FontRole).value<QFont>().bold());
  limited->memory_limit = 3'000'000;
  model.setComparison(limited);
  EXPECT_EQ(cell(model, row, "planned_peak_bytes"), "3.50 over the limit");
  EXPECT_EQ(cell(model, row, "planned_peak_bytes", Qt::ToolTipRole),
            "More than the limit of 3.00 MB: never the fastest");
  EXPECT_FALSE(model.index(row, 0).data(Qt::FontRole).value<QFont>().bold());
  EXPECT_EQ(cell(model, 1 - std::min(row, 1), "planned_peak_bytes"), "2.50");
  limited->results[best].planned_bytes = 0;  // of a run file that is older
  model.setComparison(limited);
  EXPECT_EQ(cell(model, row, "planned_peak_bytes"), "–");
}

// A schedule without barriers has stages that chose its kernels: what shows them says so.
TEST_F(DiamondTest, StagesOfLanesAreSaidToHaveChosenTheKernels) {
  ScheduleResult lanes = comparison_->results[1];
  EXPECT_EQ(chosen_by_stages_text(lanes), QString());
  lanes.schedule_kind = ScheduleKind::kIosFlow;
  lanes.lanes = same_lanes(lanes.plan);
  lanes.plan = on_lanes(lanes.plan, needs_of(lanes.plan), *lanes.lanes);
  EXPECT_EQ(chosen_by_stages_text(lanes).toStdString(),
            "The kernels come from these stages (Greedy) and run on 2 lanes without barriers; the latencies are those "
            "of the stages.");
  auto with_lanes = std::make_shared<Comparison>(*comparison_);
  with_lanes->results[1] = lanes;
  const auto lines = describe(*with_lanes->graph, {{UnitId(1), UnitId(2)}, lanes.id, 1}, with_lanes.get(), 1);
  EXPECT_TRUE(
      std::ranges::any_of(lines, [&](const Property& line) { return line.value == chosen_by_stages_text(lanes); }));
}

TEST_F(DiamondTest, TwoRunsOfOneScheduleKindAreTwoRows) {
  auto twins = std::make_shared<Comparison>(*comparison_);
  ScheduleResult again = comparison_->results[1];
  again.id = twins->add(again.schedule_kind, again.schedule).id;
  again.latency.value *= 2;
  twins->results.back() = again;
  ScheduleListModel schedules;
  Tester schedules_tester(&schedules, kFatal);
  schedules.setComparison(twins);
  EXPECT_EQ(cell(schedules, 1, "schedule"), "Greedy");
  EXPECT_EQ(cell(schedules, 3, "schedule"), "Greedy 2");
  EXPECT_EQ(cell(schedules, 3, "latency_ms"), "6.600");
  const auto swatch = [&](int row) {
    return schedules.index(row, 0).data(Qt::DecorationRole).value<QPixmap>().toImage();
  };
  EXPECT_EQ(swatch(1), schedule_swatch(Theme::light(), ScheduleKind::kGreedy, true).toImage()) << "the fastest";
  EXPECT_EQ(swatch(3), schedule_swatch(Theme::light(), ScheduleKind::kGreedy, false).toImage());
  StageTableModel stages;
  stages.setResult(twins, 3);
  const Selection stage = stages.selection(1);
  EXPECT_EQ(stage.schedule, ScheduleId("greedy-2"));
  stages.setResult(twins, 1);
  EXPECT_NE(stages.selection(1).schedule, stage.schedule);
  EXPECT_EQ(describe(*twins->graph, stage, twins.get(), 1).front().name, "Stage 2 of Greedy 2");
}

TEST_F(DiamondTest, ScheduleListHoldsEachSchedule) {
  ScheduleListModel model;
  Tester tester(&model, kFatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.setComparison(comparison_);
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 0, "schedule"), "Sequential");
  EXPECT_EQ(cell(model, 0, "latency_ms"), "4.200");
  EXPECT_EQ(cell(model, 0, "speedup"), "1.00");
  EXPECT_EQ(cell(model, 0, "stages"), "2");  // a stage a part
  EXPECT_EQ(cell(model, 0, "search_seconds"), "–");
  EXPECT_EQ(cell(model, 0, "origin"), "simulated");
  EXPECT_EQ(cell(model, 1, "latency_ms"), "3.300");
  EXPECT_EQ(cell(model, 1, "speedup"), "1.27");
  EXPECT_NE(cell(model, 2, "stages_needed"), "–");
  for (const char* id : {"latency_ms", "speedup", "stage_sum_ms", "stages", "search_seconds"}) {
    EXPECT_TRUE(right_aligned(model, id)) << id;
  }
  EXPECT_FALSE(right_aligned(model, "schedule"));
  model.setTheme(Theme::darkTheme());
  model.setComparison(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DiamondTest, StageTableShowsOneSchedule) {
  StageTableModel model;
  Tester tester(&model, kFatal);
  model.setResult(comparison_, 1);  // greedy: a | b, c | d
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 1, "stage"), "2");
  EXPECT_EQ(cell(model, 1, "strategy"), "concurrent");
  EXPECT_EQ(cell(model, 1, "unit_count"), "2");
  EXPECT_EQ(cell(model, 1, "units"), "b  |  c");
  EXPECT_EQ(cell(model, 1, "latency_ms"), "1.100");
  EXPECT_EQ(cell(model, 1, "share"), "33.3");
  EXPECT_EQ(cell(model, 0, "use"), "50.0");
  EXPECT_EQ(cell(model, 1, "use"), "100.0");
  EXPECT_TRUE(right_aligned(model, "latency_ms"));
  model.setResult(comparison_, 99);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DiamondTest, StageTableSaysWhatEachStageSaves) {
  StageTableModel model;
  Tester tester(&model, kFatal);
  model.setResult(comparison_, 1);
  EXPECT_EQ(cell(model, 0, "saved_ms"), "–");
  const SavingFacts saving = saving_of(Subject{comparison_, 0, {}}, {comparison_, 1, {}});
  ASSERT_TRUE(saving.known());
  model.setSaving(saving);
  double largest = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const auto delta = must(saving.steps.stages[static_cast<std::size_t>(row)]);
    const QModelIndex at = model.index(row, model.columnOf("saved_ms"));
    EXPECT_DOUBLE_EQ(at.data(cell::kSort).toDouble(), -delta.value.count());
    if (at.data(cell::kGain).isValid()) largest = std::max(largest, std::abs(at.data(cell::kGain).toDouble()));
  }
  EXPECT_DOUBLE_EQ(largest, 1);  // the longest bar
  EXPECT_TRUE(right_aligned(model, "saved_ms"));
  EXPECT_TRUE(
      model.headerData(model.columnOf("saved_ms"), Qt::Horizontal, Qt::ToolTipRole).toString().contains("Sequential"));
  // It is of this result alone.
  model.setResult(comparison_, 2);
  EXPECT_EQ(cell(model, 0, "saved_ms"), "–");
  SavingFacts untold = saving;
  untold.steps.stages[1].reset();
  model.setResult(comparison_, 1);
  model.setSaving(untold);
  EXPECT_EQ(cell(model, 1, "saved_ms"), "–");
  EXPECT_NE(cell(model, 0, "saved_ms"), "–");
}

TEST_F(DiamondTest, StageTableMapsSelections) {
  StageTableModel model;
  model.setResult(comparison_, 1);
  const Selection stage = model.selection(1);
  EXPECT_EQ(stage.units, (std::vector<UnitId>{UnitId(1), UnitId(2)}));
  EXPECT_EQ(stage.schedule, ScheduleId("greedy"));
  EXPECT_EQ(model.rows(stage), std::vector<int>{1});
  EXPECT_EQ(model.rows({{UnitId(0), UnitId(3)}, ScheduleId(), {}}), (std::vector<int>{0, 2}));
  // A stage of another schedule: every stage that has its units.
  EXPECT_EQ(model.rows({{UnitId(1)}, ScheduleId("sequential"), 1}), std::vector<int>{1});
  EXPECT_TRUE(model.rows({}).empty());
  EXPECT_TRUE(model.selection(17).empty());
}

TEST_F(DiamondTest, InspectorSaysHowSureTheGainIs) {
  EXPECT_TRUE(describe_sensitivity(*comparison_).empty());  // nobody asked
  Comparison doubted = *comparison_;
  doubted.results[0].sensitivity = Sensitivity{.draws = 40, .wins = 0, .behind = 40, .before = 0};
  doubted.results[1].sensitivity =
      Sensitivity{.draws = 40, .wins = 31, .behind = 0, .before = 0, .speedup_low = 1.1, .speedup_high = 1.5};
  doubted.results[2].sensitivity = Sensitivity{.draws = 40, .wins = 9, .behind = 31, .before = 9};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Property& line : describe_sensitivity(doubted))
    lines.emplace_back(line.name.toStdString(), line.value.toStdString());
  ASSERT_EQ(doubted.best(), 1U);
  EXPECT_EQ(lines[1].second, "1.10× to 1.50× in nine of ten cases");
  EXPECT_EQ(lines[2], std::pair(std::string("Tied with"), doubted.results[2].title()));
  doubted.memory_limit = 1;
  for (ScheduleResult& result : doubted.results) result.planned_bytes = 2;
  EXPECT_TRUE(describe_sensitivity(doubted).empty()) << "no schedule fits";
}

TEST_F(DiamondTest, InspectorDescribesUnitsAndStages) {
  InspectorModel model;
  Tester tester(&model, kFatal);
  const Graph& graph = *comparison_->graph;
  const auto value = [&](const QString& name) {
    for (const Property& property : model.properties()) {
      if (property.name == name) return property.value.toStdString();
    }
    return std::string();
  };
  model.setProperties(describe(graph, {}, comparison_.get(), 1));
  EXPECT_EQ(value(QStringLiteral("Units")), "4");

  model.setProperties(describe(graph, {{UnitId(1)}, ScheduleId(), {}}, comparison_.get(), 1));
  EXPECT_EQ(value(QStringLiteral("Kind")), "conv");
  EXPECT_EQ(value(QStringLiteral("Kernel")), "3 × 3");
  EXPECT_EQ(value(QStringLiteral("Activation")), "relu");
  EXPECT_EQ(value(QStringLiteral("Output")), "8 × 16 × 16");
  EXPECT_EQ(value(QStringLiteral("Greedy")), "stage 2 of 3, group 1 of 2, 1.100 ms (simulated)");

  model.setProperties(describe(graph, {{UnitId(1), UnitId(2)}, ScheduleId("greedy"), 1}, comparison_.get(), 1));
  EXPECT_EQ(value(QStringLiteral("Group 1")), "b");
  EXPECT_EQ(value(QStringLiteral("Group 2")), "c");
  // What one column is too narrow for has both.
  const auto row = std::ranges::find(model.properties(), QStringLiteral("Group 2"), &Property::name);
  const auto at = static_cast<int>(row - model.properties().begin());
  EXPECT_EQ(cell(model, at, InspectorModel::kName), "Group 2: c");
  EXPECT_EQ(cell(model, at, InspectorModel::kValue), "");
  EXPECT_EQ(value(QStringLiteral("Latency")), "1.100 ms (simulated)");
  EXPECT_EQ(value(QStringLiteral("Share")), "33.3 % of the stage sum");
  EXPECT_EQ(value(QStringLiteral("Active warps")), "100.0 % of 100 warps, on average");

  // Work grows with the batch; a unit that the graph does not have is not described.
  model.setProperties(describe(graph, {{UnitId(1)}, ScheduleId(), {}}, nullptr, 1));
  const std::string once = value(QStringLiteral("Computation"));
  model.setProperties(describe(graph, {{UnitId(1)}, ScheduleId(), {}}, nullptr, 8));
  EXPECT_NE(value(QStringLiteral("Computation")), once);
  model.setProperties(describe(graph, {{UnitId(77)}, ScheduleId(), {}}, nullptr, 1));
  EXPECT_EQ(value(QStringLiteral("Units")), "4");
}

TEST_F(DiamondTest, TheInspectorSaysWhyAStageIsAsItIs) {
  comparison_ = compare_on_fake(test::diamond(), test::ScriptedKind::kGpu, ScheduleKind::kOneByOne);
  const ScheduleResult& one_by_one = *comparison_->find(ScheduleKind::kOneByOne);
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>());
  DeviceLatencySource source(*comparison_->graph, device, 1);
  const ExplainOptions options{.stage = 1, .search = {.pruning = {.r = 2}}};
  const auto found = must(explain(*comparison_->graph, 1, one_by_one.schedule, source, options, {}));
  const auto why = describe_why(*comparison_->graph, one_by_one.schedule, found.explained.front());
  ASSERT_FALSE(why.empty());
  EXPECT_EQ(why[0], (Property{QStringLiteral("Why this stage"), {}, true}));
  // b and c take as long side by side as one of them, and merged; the first of equals comes first.
  EXPECT_EQ(why[1].form, Property::Form::kSentence);
  EXPECT_EQ(why[1].name.toStdString(), "Better: join with stage 3, saves 1.100 ms (simulated)");
  EXPECT_EQ(why[2].form, Property::Form::kAlternative);
  EXPECT_EQ(why[2].name, "join with stage 3");
  EXPECT_EQ(why[2].value.toStdString(), "−1.100 ms");
  double longest = 0;
  for (const Property& line : why) {
    if (line.form != Property::Form::kAlternative) continue;
    EXPECT_EQ(line.bar < 0, line.value.startsWith(QChar(0x2212))) << line.value.toStdString();
    longest = std::max(longest, std::abs(line.bar));
    EXPECT_LT(line.alternative, found.explained.front().alternatives.size());
  }
  EXPECT_DOUBLE_EQ(longest, 1);
  EXPECT_LE(std::ranges::count(why, Property::Form::kFold, &Property::form), 1);

  // What limits exclude is one line, and with the reasons when it is opened.
  const ExplainOptions narrow{.stage = 1, .search = {.pruning = {.r = 1, .s = 1}}};
  const auto limited = must(explain(*comparison_->graph, 1, one_by_one.schedule, source, narrow, {}));
  const StageExplanation& stage = limited.explained.front();
  const auto excluded =
      std::ranges::count_if(stage.alternatives, [](const Alternative& a) { return !a.excluded.empty(); });
  ASSERT_GT(excluded, 1);
  const auto folded = describe_why(*comparison_->graph, one_by_one.schedule, stage);
  const auto fold = std::ranges::find(folded, Property::Form::kFold, &Property::form);
  ASSERT_NE(fold, folded.end());
  EXPECT_TRUE(fold->name.contains(QStringLiteral("%1 alternatives excluded by limits").arg(excluded)));
  const auto open = describe_why(*comparison_->graph, one_by_one.schedule, stage, true);
  EXPECT_EQ(open.size(), folded.size() + 2 * static_cast<std::size_t>(std::min<std::ptrdiff_t>(excluded, 6)));
  EXPECT_TRUE(std::ranges::any_of(open, [](const Property& line) {
    return line.form == Property::Form::kSentence && line.name.contains("s = 1");
  }));

  InspectorModel bars;
  bars.setProperties(why);
  EXPECT_EQ(bars.index(2, 0).data(cell::kFigure).toString(), why[2].value);
  EXPECT_DOUBLE_EQ(bars.index(2, 0).data(cell::kCost).toDouble(), why[2].bar);
  EXPECT_FALSE(bars.index(1, 0).data(cell::kFigure).isValid());
  EXPECT_EQ(bars.index(2, 0).data(Qt::AccessibleTextRole).toString(),
            why[2].name + QStringLiteral(": ") + why[2].value);

  // In its place between the stage's latency and its groups.
  const auto lines = describe(*comparison_->graph, stage_selection(one_by_one, 1), comparison_.get(), 1, why);
  EXPECT_EQ(lines[0].value.toStdString() + lines[0].name.toStdString(), "Stage 2 of One by one");
  const auto at = std::ranges::find(lines, why[0]);
  ASSERT_NE(at, lines.end());
  EXPECT_TRUE(std::ranges::any_of(
      at, lines.end(), [](const Property& line) { return line.heading && line.name == QStringLiteral("Unit b"); }));

  EXPECT_EQ(describe_no_why({}).back().value.toStdString(), "being computed");
  EXPECT_EQ(describe_no_why(QStringLiteral("broken")).back().value.toStdString(), "broken");
}

// On a device that measures: its own counter, origin, spread and cores.
TEST(MeasuredModels, NameCounterOriginSpreadAndCores) {
  const auto comparison = compare_on_fake(test::diamond(), test::ScriptedKind::kComputer);
  ScheduleListModel schedules;
  schedules.setComparison(comparison);
  EXPECT_EQ(cell(schedules, 0, "latency_ms"), "4.200 ± 0.084");
  EXPECT_EQ(cell(schedules, 0, "origin"), "measured");
  EXPECT_NE(cell(schedules, 0, "latency_ms", Qt::ToolTipRole).find("measured"), std::string::npos);
  StageTableModel stages;
  stages.setResult(comparison, 1);
  const auto head = [&](int role) {
    return stages.headerData(stages.columnOf("use"), Qt::Horizontal, role).toString().toStdString();
  };
  EXPECT_EQ(head(Qt::DisplayRole), "Cores\n[%]");
  EXPECT_EQ(head(Qt::ToolTipRole), "Mean of the busy cores in the stage, of the 2 cores that the device has");
  EXPECT_EQ(cell(stages, 0, "use"), "50.0");
  const auto lines =
      describe(*comparison->graph, {{UnitId(1), UnitId(2)}, ScheduleId("greedy"), 1}, comparison.get(), 1);
  const auto value = [&](const char* name) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const Property& line) { return line.name == QString::fromUtf8(name); });
    return found == lines.end() ? std::string() : found->value.toStdString();
  };
  EXPECT_EQ(value("Latency"), "1.100 ± 0.022 ms (measured)");
  EXPECT_EQ(value("Cores"), "lane 1: 1, lane 2: 1");
  EXPECT_EQ(value("Busy cores"), "100.0 % of 2 cores, on average");
}

TEST(ScheduleList, NoDifferenceInsideTheNoiseIsAWin) {
  Comparison comparison = *compare_on_fake(test::diamond(), test::ScriptedKind::kComputer);
  const auto set = [&](std::size_t i, double value) {
    comparison.results[i].latency = {Millis(value), Millis(0.1), 20, Origin::kMeasured};
    comparison.results[i].rounds.clear();
  };
  set(0, 4.0);
  set(1, 3.95);
  set(2, 3.9);
  ScheduleListModel model;
  model.setComparison(std::make_shared<const Comparison>(comparison));
  const auto bold = [&](int row) { return model.index(row, 0).data(Qt::FontRole).value<QFont>().bold(); };
  EXPECT_EQ(cell(model, 2, "speedup"), "1.03 ≈");
  EXPECT_TRUE(bold(0));
  EXPECT_TRUE(bold(2));
  set(2, 3.0);
  model.setComparison(std::make_shared<const Comparison>(comparison));
  EXPECT_EQ(cell(model, 2, "speedup"), "1.33");
  EXPECT_FALSE(bold(0));
  EXPECT_TRUE(bold(2));
}

Operator op_of(Attributes attributes) { return Operator{.attributes = std::move(attributes)}; }

std::string properties_of(Attributes attributes) {
  QStringList lines;
  for (const Property& line : attribute_properties(op_of(std::move(attributes)))) {
    lines << line.name + QStringLiteral(": ") + line.value;
  }
  return lines.join(QStringLiteral("; ")).toStdString();
}

TEST(AttributeProperties, SayWhatEachKindComputesWith) {
  Conv conv{.out_channels = 8,
            .kernel = {3, 5},
            .padding = {1, 2},
            .dilation = {2, 2},
            .groups = 4,
            .activation = {ActivationKind::kLeakyRelu, 0.01F},
            .end_padding = {1, 0}};
  EXPECT_EQ(properties_of(conv),
            "Output channels: 8; Kernel: 3 × 5; Stride: 1 × 1; Padding: 1 × 2; More padding after: 1 × 0; "
            "Dilation: 2 × 2; Channel groups: 4; Activation: leaky relu, α = 0.01");
  EXPECT_EQ(properties_of(Conv{.out_channels = 8, .merged_from = {"a", "b"}}),
            "Output channels: 8; Kernel: 1 × 1; Stride: 1 × 1; Padding: 0 × 0; Activation: identity; "
            "Merged from: a + b");
  EXPECT_EQ(properties_of(Pool{.kind = PoolKind::kGlobalMax}), "");  // its window means nothing
  EXPECT_EQ(properties_of(Affine{Activation::kRelu}), "Computes: scale · x + shift, per channel; Activation: relu");
  EXPECT_EQ(properties_of(Activate{{ActivationKind::kClip, 0, 6}}), "Function: clip to 0 … 6");
  EXPECT_EQ(properties_of(Transpose{{1, 2, 0}}), "Axes: 1, 2, 0");
  EXPECT_EQ(properties_of(Slice{{0, 2}, {1, -1}, {3, 3}}), "Begins: 0, 2; Steps: 1, -1");
  EXPECT_EQ(properties_of(Pad{PadMode::kReflect, {0, 1}, {0, 2}, 0}), "Mode: reflect; Before: 0, 1; After: 0, 2");
  Resize resize{.scales = {1, 2, 1.5F}};
  EXPECT_EQ(properties_of(resize), "Mode: nearest; Coordinates: half pixel; Rounding: prefer floor; Scales: 1, 2, 1.5");
  EXPECT_EQ(properties_of(Reduce{ReduceKind::kMean, {1, 2}, true}), "Axes: 1, 2; Keep the axes: yes");
  EXPECT_EQ(properties_of(Lrn{}), "Channels: 1; α: 0.0001; β: 0.75; Bias: 1");
  EXPECT_EQ(properties_of(Concat{2}), "Axis: 2");
  EXPECT_EQ(properties_of(MatMul{}), "");
  EXPECT_EQ(properties_of(Recurrent{RecurrentKind::kGru, RecurrentDirection::kReverse, 7, true}),
            "Direction: reverse; Hidden units: 7; Reset after the product: yes");
  EXPECT_EQ(properties_of(Recurrent{.hidden = 7, .last_cell = true}),
            "Direction: forward; Hidden units: 7; Return the last cell state: yes");
  EXPECT_EQ(properties_of(TopK{3, 1, false, TopKOutput::kIndices}),
            "Elements: 3; Axis: 1; Largest: no; Output: indices");
  EXPECT_EQ(properties_of(GridSample{GridMode::kCubic, GridPadding::kBorder, true}),
            "Mode: cubic; Outside: border; Align corners: yes");
  EXPECT_EQ(properties_of(Opaque{"LSTM", "node 'rnn'", {4}}),
            "Execution: no device can run it; its cost is unknown; Type: LSTM; Place: node 'rnn'");
  EXPECT_EQ(properties_of(Opaque{.type = "Foo", .shape = {4}, .costed = true, .flops = 8, .weight_bytes = 2}),
            "Execution: no device can run it; its cost is known; Type: Foo; Known cost: yes; "
            "FLOP of one sample: 8; Parameters: 0; Bytes of weights: 2");
}

TEST(Verification, IsToldWithItsErrorsAndTolerance) {
  Verification found{.reference = "sequential on Fake computer", .tolerance = 1e-4, .outputs = {}};
  found.outputs.push_back({.name = "y", .dims = {1, 10}, .max_abs = 3e-7, .max_rel = 2e-6, .magnitude = 1});
  found.outputs.back().passed = true;
  EXPECT_EQ(verification_sentence(QStringLiteral("Greedy"), found).toStdString(),
            "Greedy computes the same as sequential on Fake computer: largest error 3e-07 absolute, 2e-06 relative, "
            "tolerance 0.0001 of the output's magnitude.");
  found.outputs.push_back({.name = "z", .dims = {1, 2}, .max_abs = 0.5, .max_rel = 0.5, .magnitude = 1});
  EXPECT_TRUE(verification_sentence(QStringLiteral("Greedy"), found).contains("1 of 2 outputs differ"));
  const auto lines = describe_verification(QStringLiteral("Greedy"), found);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[2].value, "FAILED");
  EXPECT_TRUE(lines[4].value.startsWith("passed"));
  EXPECT_EQ(lines[5].name, QString::fromUtf8("z (1 × 2)"));
  EXPECT_TRUE(lines[5].value.startsWith("FAILED"));
}

TEST_F(DiamondTest, CopiesRowsAsTabSeparatedText) {
  StageTableModel model;
  model.setResult(comparison_, 1);
  QModelIndexList cells;
  for (const int row : {2, 0}) {
    for (const char* id : {"units", "stage"}) cells << model.index(row, model.columnOf(id));
  }
  EXPECT_EQ(tsv(model, cells), "Stage\tGroups\n1\ta\n3\td\n");
  EXPECT_EQ(tsv(model, {}), QString());
  EXPECT_EQ(tsv(model, {model.index(0, 0), model.index(1, 2)}), "Stage\tGroups\n1\t\n\tb  |  c\n");
}

TEST(TaskTable, SaysWhereTimeGoesAndWhatMayBeGained) {
  const auto graph = std::make_shared<const Graph>(test::diamond().with_parts(
      {{"stem", {UnitId(0)}}, {"left", {UnitId(1)}}, {"right", {UnitId(2)}}, {"end", {UnitId(3)}}}));
  const std::vector<SearchTask> tasks{
      {.parts = {PartId(0)}, .cost = Millis(2), .least = Millis(1.9), .measured = 1, .candidates = 1},
      {.parts = {PartId(1), PartId(2)}, .cost = Millis(3), .least = Millis(2.5), .measured = 4, .candidates = 1200},
      {.parts = {PartId(3)}, .cost = Millis(2), .least = Millis(2.2), .measured = 1, .candidates = 2}};
  TaskTableModel model;
  Tester tester(&model, kFatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.setTasks(graph, tasks);
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 1, "parts"), "left and right");
  EXPECT_EQ(cell(model, 1, "times"), "2");
  EXPECT_EQ(cell(model, 1, "cost_ms"), "3.000");
  EXPECT_EQ(cell(model, 1, "cost_share"), "60.0");  // 2 · 3 of 10 ms
  EXPECT_EQ(cell(model, 1, "measured"), "4 of 1200");
  EXPECT_EQ(cell(model, 1, "gain_ms"), "1.000");
  EXPECT_EQ(cell(model, 1, "gain_share"), "10.0");
  EXPECT_EQ(cell(model, 1, "parts", Qt::ToolTipRole), "Same structure, planned as one: left, right");
  EXPECT_EQ(cell(model, 2, "gain_ms"), "0.000");  // an estimate above the cost gains nothing
  EXPECT_EQ(model.index(1, model.columnOf("gain_ms")).data(cell::kSort).toDouble(), 1);
  EXPECT_TRUE(right_aligned(model, "gain_ms"));
  EXPECT_EQ(model.selection(1).units, (std::vector<UnitId>{UnitId(1), UnitId(2)}));

  // While a search runs the rows stay and their numbers change.
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  std::vector<SearchTask> later = tasks;
  later[1].cost = Millis(2.75);
  model.setTasks(graph, later);
  EXPECT_EQ(reset.count(), 0);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(cell(model, 1, "gain_ms"), "0.500");
  later[1].cost = Millis(std::numeric_limits<double>::infinity());
  model.setTasks(graph, later);
  EXPECT_EQ(cell(model, 1, "gain_ms"), "–");
  EXPECT_EQ(cell(model, 0, "cost_share"), "50.0");
  model.setTasks(nullptr, {});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DiamondTest, ScheduleListAndInspectorSayHowMuchFasterTheOptimumMayBe) {
  auto searched = std::make_shared<Comparison>(*comparison_);
  SearchResult& search = *searched->results[2].search;
  const auto tip = [&](const char* id) {
    ScheduleListModel model;
    model.setComparison(searched);
    return cell(model, 2, id, Qt::ToolTipRole);
  };
  EXPECT_NE(tip("stages_needed").find("an exhaustive search, requested every stage"), std::string::npos);
  EXPECT_EQ(describe_search(searched->results[2]).back().value.toStdString(),
            "no schedule within the limits of the search is faster");
  search.lazy = LazyReport{.candidates = 900, .certified_gap = 0.25, .estimated_gap = 0.02};
  for (const char* id : {"schedule", "search_seconds", "stages_needed"}) {
    EXPECT_NE(tip(id).find("the optimum may be 2.0 % faster by estimate, and at most 20 %"), std::string::npos);
  }
  const auto lines = describe_search(searched->results[2]);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].name, "Search of IOS-Both");
  EXPECT_EQ(lines[3].value, "the optimum may be 2.0 % faster by estimate, and at most 20 %");
  EXPECT_TRUE(describe_search(searched->results[0]).empty());
}

TEST_F(DiamondTest, CopiesRowsAsCsv) {
  StageTableModel model;
  model.setResult(comparison_, 1);
  EXPECT_EQ(csv(model, {model.index(0, model.columnOf("stage")), model.index(0, model.columnOf("units"))}),
            "stage,units\n1,[a]\n");
}

TEST_F(DiamondTest, CellsHoldWhatIsSortedAndDrawn) {
  StageTableModel model;
  model.setResult(comparison_, 1);  // greedy: a | b, c | d
  const auto data = [&](int row, const char* id, int role) { return model.index(row, model.columnOf(id)).data(role); };
  EXPECT_EQ(data(1, "units", cell::kChips).toStringList(), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
  EXPECT_EQ(data(1, "strategy", cell::kGlyph).toInt(), static_cast<int>(cell::Glyph::kConcurrent));
  EXPECT_EQ(data(0, "strategy", cell::kGlyph).toInt(), static_cast<int>(cell::Glyph::kOne));
  EXPECT_DOUBLE_EQ(data(1, "latency_ms", cell::kBar).toDouble(), 1);
  EXPECT_FALSE(data(1, "share", cell::kBar).isValid());
  EXPECT_EQ(data(2, "stage", cell::kSort).toInt(), 3);
  EXPECT_NEAR(data(0, "latency_ms", cell::kSort).toDouble(), 1.1, 1e-9);
  EXPECT_TRUE(data(1, "stage", cell::kFilter).toString().contains("concurrent"));
  ScheduleListModel schedules;
  schedules.setComparison(comparison_);
  EXPECT_DOUBLE_EQ(schedules.index(0, schedules.columnOf("latency_ms")).data(cell::kBar).toDouble(), 1);
  EXPECT_NEAR(schedules.index(1, schedules.columnOf("latency_ms")).data(cell::kBar).toDouble(), 3.3 / 4.2, 1e-9);
  EXPECT_NEAR(schedules.index(1, schedules.columnOf("latency_ms")).data(cell::kSort).toDouble(), 3.3, 1e-9);
}

TEST_F(DiamondTest, FilterShowsRowsThatHaveAllWordsAndSortsByNumbers) {
  StageTableModel model;
  model.setResult(comparison_, 1);  // greedy: a | b, c | d
  WordFilter filter;
  filter.setSourceModel(&model);
  const Tester tester(&filter, kFatal);
  filter.setWords(QStringLiteral("CONCURRENT c"));
  ASSERT_EQ(filter.rowCount(), 1);
  EXPECT_EQ(filter.mapToSource(filter.index(0, 0)).row(), 1);
  filter.setWords(QStringLiteral("concurrent nothing"));
  EXPECT_EQ(filter.rowCount(), 0);
  filter.setWords({});
  ASSERT_EQ(filter.rowCount(), 3);
  filter.sort(model.columnOf("stage"), Qt::DescendingOrder);
  EXPECT_EQ(filter.mapToSource(filter.index(0, 0)).row(), 2);
}

TEST_F(DiamondTest, SelectionsAreToldAndCopied) {
  const Graph& graph = *comparison_->graph;
  const ScheduleResult& greedy = *comparison_->find(ScheduleKind::kGreedy);
  const Selection stage = stage_selection(greedy, 1);
  EXPECT_EQ(selection_title(graph, stage, comparison_.get()), "Stage 2 of Greedy");
  EXPECT_EQ(selection_title(graph, {{UnitId(1)}, {}, {}}, nullptr), "Unit b");
  EXPECT_EQ(selection_title(graph, {{UnitId(1), UnitId(3)}, {}, {}}, nullptr), "2 units");
  EXPECT_EQ(selection_title(graph, {}, nullptr), QString());
  EXPECT_EQ(selected_names(graph, stage), "b\nc");
  const auto rows = selected_units(graph, stage, &greedy, 1);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows[1][0], "b");
  EXPECT_EQ(rows[1][1], "conv");
  EXPECT_EQ(rows[1][5], "2");
  EXPECT_EQ(rows[1][6].toDouble(), 1.1);
  EXPECT_TRUE(selected_units(graph, stage, nullptr, 1)[1][5].isEmpty());
  const Graph several = test::whole_unit();  // of two outputs
  const auto outputs = selected_units(several, {{UnitId(0)}, {}, {}}, nullptr, 1)[1][2];
  EXPECT_EQ(outputs, format::shapes(several, UnitId(0)));
  EXPECT_EQ(outputs.count(QStringLiteral(", ")), 1);
  EXPECT_EQ(as_tsv({{QStringLiteral("a"), QStringLiteral("=b")}}), "a\t'=b\n");
  EXPECT_EQ(as_csv({{QStringLiteral("a,b"), QStringLiteral("c")}}), "\"a,b\",c\n");
}

TEST_F(DiamondTest, NothingInATipIsTakenForRichText) {
  auto named = std::make_shared<Comparison>(*comparison_);
  ScheduleResult& own = named->results[1];
  own.schedule_kind = ScheduleKind::kFile;
  own.schedule.name = "<img src=x>";
  own.search = SearchResult{};
  ScheduleListModel model;
  model.setComparison(named);
  EXPECT_FALSE(cell(model, 1, "schedule", Qt::ToolTipRole).find("<img") != std::string::npos);
  InspectorModel inspector;
  inspector.setProperties({{QStringLiteral("Name"), QString(1'000'000, QLatin1Char('x')), false}});
  EXPECT_LT(cell(inspector, 0, InspectorModel::kValue).size(), 4000U);
  EXPECT_NE(cell(inspector, 0, InspectorModel::kValue).find("1000000 letters"), std::string::npos);
}

// Of a kernel that runs without barriers it is told what it waited for: join for c, 9 µs after b, 21 after a on its own
// lane.
TEST(Waits, AreToldOfSelectedKernels) {
  const auto comparison = test::made_up_lanes();
  const ScheduleResult& lanes = comparison->results[3];
  const auto value = [](const std::vector<Property>& lines, const char* name) {
    const auto at = std::ranges::find(lines, QString::fromLatin1(name), &Property::name);
    return at == lines.end() ? std::string() : at->value.toStdString();
  };
  const std::vector<UnitId> join{UnitId(4)};
  const auto waits = describe_waits(lanes, join);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits[0], (Property{QStringLiteral("When join began, in IOS-Flow"), {}, true}));
  EXPECT_EQ(value(waits, "Waited for"), "c (lane 3, launch 4), a dependency: its lane was free 21.0 µs before");
  EXPECT_EQ(value(waits, "Then"), "1.00 µs until it began: its launch, and waits between lanes");
  EXPECT_EQ(value(waits, "Earlier"), "by up to 10.0 µs, if c (lane 3, launch 4) had ended earlier");
  EXPECT_EQ(value(describe_waits(lanes, std::vector<UnitId>{UnitId(0)}), "Waited for"),
            "nothing: it has no dependency and is the first on its lane");
  EXPECT_EQ(value(describe_waits(lanes, std::vector<UnitId>{UnitId(1)}), "Waited for"),
            "stem (lane 1, launch 1), a dependency that precedes it on its lane");
  EXPECT_TRUE(describe_waits(comparison->results[1], join).empty()) << "stages say when that one began";
  EXPECT_TRUE(describe_waits(lanes, std::vector<UnitId>{UnitId(77)}).empty());
  // Between what is said of the unit and its operators; a unit's place in it is a lane, not a stage.
  const auto lines = describe(*comparison->graph, {join, {}, {}}, comparison.get(), 1, waits);
  EXPECT_EQ(value(lines, "IOS-Flow"), "lane 1, launch 5 of 5");
  EXPECT_EQ(value(lines, "Greedy").substr(0, 12), "stage 3 of 3");
  EXPECT_LT(std::ranges::find(lines, waits[0]),
            std::ranges::find(lines, QStringLiteral("Operator join"), &Property::name));
}

// Of several networks each has a column, headed by its name.
TEST(ScheduleList, HasAColumnForEachNetwork) {
  const Graph graph = test::diamond();
  const auto comparison = compare_on_fake(*unite(std::array{&graph, &graph}));
  ScheduleListModel model;
  const Tester tester(&model, kFatal);
  model.setComparison(comparison);
  const int first = ScheduleListModel().columnCount();
  ASSERT_EQ(model.columnCount(), first + 2);
  EXPECT_EQ(model.headerData(first, Qt::Horizontal).toString().toStdString(),
            comparison->graph->networks()[0] + "\n[ms]");
  EXPECT_TRUE(right_aligned(model, (comparison->graph->networks()[0] + "_ms").c_str()));
  // In turn the second network ends with the run.
  EXPECT_EQ(cell(model, 0, first + 1), format::millis(comparison->results[0].latency.value).toStdString());
  EXPECT_LT(model.index(0, first).data(cell::kSort).toDouble(), model.index(0, first + 1).data(cell::kSort).toDouble());
  model.setComparison(compare_on_fake(test::diamond()));
  EXPECT_EQ(model.columnCount(), first);
}

}  // namespace
}  // namespace iosx
