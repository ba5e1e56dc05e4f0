#include "core/model/schedule/draft_history.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule_draft.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using History = DraftHistory<ScheduleDraft>;

// A chain of four units, a stage each.
ScheduleDraft chain_draft() {
  const auto graph = std::make_shared<const Graph>(test::chain(4));
  return ScheduleDraft::make(graph, one_by_one_schedule(*graph)).value();
}

History history_of(ScheduleDraft draft, std::size_t most_steps = History::kMostSteps) {
  return History({"copy", std::move(draft), DraftOrigin{ScheduleKind::kSequential, "Sequential"}}, most_steps);
}

std::string name_of(const History::Step* step) { return step == nullptr ? "" : step->name; }

TEST(DraftHistory, UndoAndRedoAreALine) {
  const ScheduleDraft start = chain_draft();
  History history = history_of(start);
  EXPECT_EQ(history.to_undo(), nullptr) << "a copy is where it begins";
  EXPECT_FALSE(history.undo());
  ASSERT_TRUE(history.push({"first", start.joined(0).value()}));
  const ScheduleDraft first = history.draft();
  ASSERT_TRUE(history.push({"second", first.joined(1).value()}));
  const ScheduleDraft second = history.draft();
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.draft(), first);
  EXPECT_EQ(name_of(history.to_undo()), "first");
  EXPECT_EQ(name_of(history.to_redo()), "second");
  ASSERT_TRUE(history.undo());
  EXPECT_FALSE(history.undo());
  EXPECT_EQ(history.draft(), start);
  ASSERT_TRUE(history.redo());
  ASSERT_TRUE(history.redo());
  EXPECT_FALSE(history.redo());
  EXPECT_EQ(history.draft(), second);
}

TEST(DraftHistory, AnEditForgetsWhatCouldBeDoneAgain) {
  History history = history_of(chain_draft());
  history.push({"first", history.draft().joined(0).value()});
  history.push({"second", history.draft().joined(0).value()});
  history.undo();
  ASSERT_TRUE(history.push({"third", history.draft().with_lock(1, true)}));
  EXPECT_EQ(history.to_redo(), nullptr);
  EXPECT_EQ(name_of(history.to_undo()), "third");
  EXPECT_TRUE(history.draft().locked(1)) << "a lock is a step too";
  history.undo();
  EXPECT_EQ(name_of(history.to_undo()), "first");
}

TEST(DraftHistory, WhatChangesNothingIsNoStepAndForgetsNothing) {
  History history = history_of(chain_draft());
  history.push({"first", history.draft().joined(0).value()});
  history.undo();
  EXPECT_FALSE(history.push({"nothing", history.draft()}));
  EXPECT_EQ(history.to_undo(), nullptr);
  EXPECT_EQ(name_of(history.to_redo()), "first");
}

TEST(DraftHistory, EveryStepIsToldAgainstTheCopyBeforeIt) {
  const ScheduleDraft start = chain_draft();
  History history = history_of(start);
  history.push({"first", start.joined(0).value()});
  EXPECT_EQ(history.start().draft, start);
  EXPECT_EQ(history.start().copy_of->title, "Sequential");
  const ScheduleDraft other = start.joined(2).value();
  history.push({"another copy", other, DraftOrigin{ScheduleKind::kGreedy, "Greedy"}});
  history.push({"second", other.joined(0).value()});
  EXPECT_EQ(history.start().draft, other);
  EXPECT_EQ(history.start().copy_of->schedule_kind, ScheduleKind::kGreedy);
  history.undo();
  EXPECT_EQ(history.start().draft, other) << "the copy itself";
  history.undo();
  EXPECT_EQ(history.start().draft, start);
}

TEST(DraftHistory, TheOldestStepsGo) {
  History history = history_of(chain_draft(), 3);
  for (int i = 0; i < 4; ++i) history.push({std::to_string(i), history.draft().with_lock(0, i % 2 == 0)});
  EXPECT_EQ(name_of(history.to_undo()), "3");
  EXPECT_TRUE(history.undo());
  EXPECT_TRUE(history.undo());
  EXPECT_FALSE(history.undo()) << "three are kept";
  EXPECT_FALSE(history.draft().locked(0)) << "the step called 1";
  EXPECT_EQ(&history.start().draft, &history.draft()) << "what is first is what later steps are told against";
  EXPECT_EQ(history.start().copy_of->title, "");
  EXPECT_EQ(name_of(history.to_redo()), "2");
}

}  // namespace
}  // namespace iosx
