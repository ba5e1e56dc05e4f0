#include "views/bridge/selection.h"

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

}  // namespace
}  // namespace iosx
