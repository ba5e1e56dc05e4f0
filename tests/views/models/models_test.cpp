#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "core/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/views/bridge/fake_device.h"
#include "views/models/inspector_model.h"
#include "views/models/schedule_list_model.h"
#include "views/models/stage_table_model.h"
#include "views/models/tsv.h"

namespace iosx {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Fatal;

std::shared_ptr<const Comparison> compare_on_fake(Graph graph) {
  test::FakeDevice device(std::make_shared<test::FakeBehaviour>());
  CompareOptions options;
  options.schedules = {"sequential", "greedy", "ios-both"};
  auto result = compare(graph, device, options, JobContext{});
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return result ? std::make_shared<const Comparison>(std::move(*result)) : nullptr;
}

std::string cell(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole) {
  return model.index(row, column).data(role).toString().toStdString();
}

bool right_aligned(const QAbstractItemModel& model, int column) {
  const auto at = static_cast<Qt::Alignment>(model.index(0, column).data(Qt::TextAlignmentRole).toInt());
  const auto head = static_cast<Qt::Alignment>(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
  return at.testFlag(Qt::AlignRight) && head.testFlag(Qt::AlignRight);
}

// a → {b, c} → d on the fake device, every unit one kernel: a stage takes 1.1 ms whether it runs one or two of them.
class DiamondTest : public testing::Test {
 protected:
  std::shared_ptr<const Comparison> comparison_ = compare_on_fake(test::diamond());
};

TEST_F(DiamondTest, ScheduleListHoldsEachSchedule) {
  ScheduleListModel model;
  Tester tester(&model, kFatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.setComparison(comparison_);
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kName), "Sequential");
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kLatency), "4.400");
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kSpeedUp), "1.00");
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kStages), "4");
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kSearchTime), "–");
  EXPECT_EQ(cell(model, 0, ScheduleListModel::kOrigin), "simulated");
  EXPECT_EQ(cell(model, 1, ScheduleListModel::kLatency), "3.300");
  EXPECT_EQ(cell(model, 1, ScheduleListModel::kSpeedUp), "1.33");
  EXPECT_NE(cell(model, 2, ScheduleListModel::kMeasurements), "–");
  for (const int column : {ScheduleListModel::kLatency, ScheduleListModel::kSpeedUp, ScheduleListModel::kStageSum,
                           ScheduleListModel::kStages, ScheduleListModel::kSearchTime}) {
    EXPECT_TRUE(right_aligned(model, column)) << column;
  }
  EXPECT_FALSE(right_aligned(model, ScheduleListModel::kName));
  model.setTheme(Theme::darkTheme());
  model.setComparison(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DiamondTest, StageTableShowsOneSchedule) {
  StageTableModel model;
  Tester tester(&model, kFatal);
  model.setResult(comparison_, 1);  // greedy: a | b, c | d
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 1, StageTableModel::kNumber), "2");
  EXPECT_EQ(cell(model, 1, StageTableModel::kStrategy), "concurrent");
  EXPECT_EQ(cell(model, 1, StageTableModel::kUnitCount), "2");
  EXPECT_EQ(cell(model, 1, StageTableModel::kGroups), "b  |  c");
  EXPECT_EQ(cell(model, 1, StageTableModel::kLatency), "1.100");
  EXPECT_EQ(cell(model, 1, StageTableModel::kShare), "33.3");
  EXPECT_EQ(cell(model, 0, StageTableModel::kWarps), "50.0");
  EXPECT_EQ(cell(model, 1, StageTableModel::kWarps), "100.0");
  EXPECT_TRUE(right_aligned(model, StageTableModel::kLatency));
  model.setResult(comparison_, 99);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DiamondTest, StageTableMapsSelections) {
  StageTableModel model;
  model.setResult(comparison_, 1);
  const Selection stage = model.selection(1);
  EXPECT_EQ(stage.units, (std::vector<UnitId>{UnitId(1), UnitId(2)}));
  EXPECT_EQ(stage.schedule, "greedy");
  EXPECT_EQ(model.rows(stage), std::vector<int>{1});
  EXPECT_EQ(model.rows({{UnitId(0), UnitId(3)}, "", {}}), (std::vector<int>{0, 2}));
  // A stage of another schedule: every stage that has its units.
  EXPECT_EQ(model.rows({{UnitId(1)}, "sequential", 1}), std::vector<int>{1});
  EXPECT_TRUE(model.rows({}).empty());
  EXPECT_TRUE(model.selection(17).empty());
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

  model.setProperties(describe(graph, {{UnitId(1)}, "", {}}, comparison_.get(), 1));
  EXPECT_EQ(value(QStringLiteral("Kind")), "conv");
  EXPECT_EQ(value(QStringLiteral("Kernel")), "3 × 3");
  EXPECT_EQ(value(QStringLiteral("Activation")), "relu");
  EXPECT_EQ(value(QStringLiteral("Output")), "8 × 16 × 16");
  EXPECT_EQ(value(QStringLiteral("Greedy")), "stage 2 of 3, group 1 of 2, 1.100 ms");

  model.setProperties(describe(graph, {{UnitId(1), UnitId(2)}, "greedy", 1}, comparison_.get(), 1));
  EXPECT_EQ(value(QStringLiteral("Group 1")), "b");
  EXPECT_EQ(value(QStringLiteral("Group 2")), "c");
  EXPECT_EQ(value(QStringLiteral("Latency")), "1.100 ms (33.3 % of the stage sum)");

  // Work grows with the batch; a unit that the graph does not have is not described.
  model.setProperties(describe(graph, {{UnitId(1)}, "", {}}, nullptr, 1));
  const std::string once = value(QStringLiteral("Computation"));
  model.setProperties(describe(graph, {{UnitId(1)}, "", {}}, nullptr, 8));
  EXPECT_NE(value(QStringLiteral("Computation")), once);
  model.setProperties(describe(graph, {{UnitId(77)}, "", {}}, nullptr, 1));
  EXPECT_EQ(value(QStringLiteral("Units")), "4");
}

TEST_F(DiamondTest, CopiesRowsAsTabSeparatedText) {
  StageTableModel model;
  model.setResult(comparison_, 1);
  QModelIndexList cells;
  for (const int row : {2, 0}) {
    for (const int column : {StageTableModel::kGroups, StageTableModel::kNumber}) cells << model.index(row, column);
  }
  EXPECT_EQ(tsv(model, cells), QStringLiteral("#\tGroups\n1\ta\n3\td\n"));
  EXPECT_EQ(tsv(model, {}), QString());
  EXPECT_EQ(tsv(model, {model.index(0, 0), model.index(1, 2)}), QStringLiteral("#\tGroups\n1\t\n\tb  |  c\n"));
}

}  // namespace
}  // namespace iosx
