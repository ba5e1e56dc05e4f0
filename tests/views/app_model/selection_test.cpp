#include "views/app_model/selection.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace iosx {
namespace {

TEST(SelectionModel, SortsUnitsAndTellsOnlyOfChanges) {
  SelectionModel model;
  QSignalSpy changed(&model, &SelectionModel::changed);
  model.select({{UnitId(3), UnitId(1)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(changed.count(), 1);
  EXPECT_TRUE(model.current().contains(UnitId(1)));
  EXPECT_FALSE(model.current().contains(UnitId(2)));
  model.select({{UnitId(1), UnitId(3)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(changed.count(), 1);
  model.clear();
  EXPECT_EQ(changed.count(), 2);
  EXPECT_TRUE(model.current().empty());
}

TEST(SelectionModel, AStageIsOfTheRunThatIsShown) {
  SelectionModel model;
  model.setRun(RunId(1));
  model.select({{UnitId(1)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(model.current().run, RunId(1));
  EXPECT_TRUE(model.current().isIn(ScheduleId("greedy"), run_key(RunId(1))));
  EXPECT_FALSE(model.current().isIn(ScheduleId("greedy"), run_key(RunId(2)))) << "of the same schedule_kind";
  EXPECT_FALSE(model.current().isIn(ScheduleId("sequential"), run_key(RunId(1))));
  EXPECT_TRUE(model.current().isIn(ScheduleId("greedy"), {})) << "where no runs are told apart";
  QSignalSpy changed(&model, &SelectionModel::changed);
  model.setRun(RunId(1));
  EXPECT_EQ(changed.count(), 0);
  model.setRun(RunId(2));
  EXPECT_EQ(changed.count(), 1);
  EXPECT_FALSE(model.current().stage);
  EXPECT_EQ(model.current().units, std::vector{UnitId(1)}) << "the operators are in every run";
}

}  // namespace
}  // namespace iosx
