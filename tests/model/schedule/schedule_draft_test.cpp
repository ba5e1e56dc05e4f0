#include "core/model/schedule/schedule_draft.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using ::testing::HasSubstr;
using Place = ScheduleDraft::Place;

constexpr UnitId kA(0);
constexpr UnitId kB(1);
constexpr UnitId kC(2);
constexpr UnitId kD(3);

ScheduleDraft draft_of(Graph graph, bool greedy = false) {
  const auto shared = std::make_shared<const Graph>(std::move(graph));
  auto draft = ScheduleDraft::make(shared, greedy ? greedy_schedule(*shared) : one_by_one_schedule(*shared));
  EXPECT_TRUE(draft.has_value());
  return *std::move(draft);
}

std::string words(const ScheduleDraft& draft) {
  std::string text;
  for (const Stage& stage : draft.schedule().stages) {
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      text += g > 0 ? " | " : "";
      for (std::size_t i = 0; i < stage.groups[g].steps.size(); ++i) {
        text += i > 0 ? " " : "";
        for (std::size_t u = 0; u < stage.groups[g].steps[i].units.size(); ++u) {
          text += (u > 0 ? "+" : "") + draft.graph().unit(stage.groups[g].steps[i].units[u]).name;
        }
      }
    }
    text += "; ";
  }
  return text;
}

std::string refusal(const Result<ScheduleDraft>& edit) { return edit ? "" : edit.error().what.text(); }

TEST(ScheduleDraft, MovesUnitsBetweenStagesAndLanes) {
  const ScheduleDraft draft = draft_of(test::diamond());  // a; b; c; d
  const auto beside = must(draft.moved(std::vector{kC}, {.stage = 1, .group = 1}));
  EXPECT_EQ(words(beside), "a; b | c; d; ");
  EXPECT_EQ(words(draft), "a; b; c; d; ");
  EXPECT_EQ(words(*beside.moved(std::vector{kC}, {.stage = 1, .group = 0})), "a; b c; d; ");
  EXPECT_EQ(words(*beside.moved(std::vector{kC}, {.stage = 1, .group = 0, .step = 0})), "a; c b; d; ");
  EXPECT_EQ(words(*beside.moved(std::vector{kB}, {.stage = 0, .group = 0})), "a b; c; d; ");
  EXPECT_EQ(words(*beside.moved(std::vector{kC}, {.stage = 2, .new_stage = true})), "a; b; c; d; ");
  EXPECT_EQ(words(*beside.moved(std::vector{kB, kC}, {.stage = 2, .new_stage = true})), "a; b | c; d; ");
  EXPECT_EQ(*beside.moved(std::vector{kC}, {.stage = 1, .group = 1}), beside);
}

TEST(ScheduleDraft, ADependencyRefusesWithItsReason) {
  const ScheduleDraft draft = draft_of(test::diamond(), true);  // a; b | c; d
  EXPECT_EQ(refusal(draft.moved(std::vector{kD}, {.stage = 1, .group = 2})),
            "'d' needs 'b', which is in another lane of this stage");
  EXPECT_EQ(refusal(draft.moved(std::vector{kB}, {.stage = 0, .group = 1})),
            "'b' needs 'a', which is in another lane of this stage");
  EXPECT_EQ(refusal(draft.moved(std::vector{kB}, {.stage = 0, .group = 0, .step = 0})),
            "'b' needs 'a', which would run later");
  EXPECT_EQ(refusal(draft.moved(std::vector{kA}, {.stage = 3, .new_stage = true})),
            "'a' is needed by 'b', which is in stage 2");
  EXPECT_EQ(refusal(draft.moved(std::vector{kD}, {.stage = 0, .new_stage = true})),
            "'d' needs 'b', which is in stage 2");
  EXPECT_EQ(refusal(draft.stage_moved(0, 1)), "'a' is needed by 'b', which is in stage 2");
  EXPECT_EQ(refusal(draft.stage_moved(2, 0)), "'d' needs 'b', which is in stage 2");
  EXPECT_EQ(refusal(draft.joined(2)), "no stage follows the last one");
  EXPECT_EQ(refusal(draft.split(0)), "one operator cannot be split");
}

TEST(ScheduleDraft, JoinsAndSplitsStages) {
  const ScheduleDraft draft = draft_of(test::diamond());
  const auto first = must(draft.joined(1));
  EXPECT_EQ(words(first), "a; b | c; d; ");
  EXPECT_EQ(words(*first.joined(0)), "a b c; d; ");
  EXPECT_EQ(words(*first.split(1)), "a; b; c; d; ");
  EXPECT_EQ(words(*first.split(1, std::vector{kB})), "a; c; b; d; ");
  const ScheduleDraft chain = draft_of(test::chain(4));
  const auto one = chain.joined(0)->joined(0)->joined(0);
  EXPECT_EQ(words(*one), "a b c d; ");
  EXPECT_EQ(words(*one->split(0)), "a b; c d; ");
  EXPECT_EQ(words(*one->split(0, std::vector{kA})), "a; b c d; ");  // not after what reads it
  EXPECT_THAT(refusal(one->split(0, std::vector{kB})), HasSubstr("'b' is needed by 'c'"));
}

TEST(ScheduleDraft, MergesWhatTheRuleAllows) {
  const ScheduleDraft draft = draft_of(test::diamond(), true);
  const auto merged = must(draft.merged(std::vector{kC, kB}));
  EXPECT_EQ(words(merged), "a; b+c; d; ");
  EXPECT_EQ(words(*merged.unmerged(kC)), "a; b | c; d; ");
  EXPECT_EQ(words(*merged.moved(std::vector{kC}, {.stage = 1, .group = 1})), "a; b | c; d; ");
  EXPECT_EQ(words(*merged.moved(std::vector{kB, kC}, {.stage = 0, .group = 0})), "a b+c; d; ");
  EXPECT_EQ(refusal(merged.split(1)), "a merged layer cannot be split: unmerge it first");
  EXPECT_EQ(refusal(draft.merged(std::vector{kA, kB})),
            "they cannot be merged: they do not all read the same channels of the same tensor");
  EXPECT_THAT(refusal(draft_of(test::diamond()).merged(std::vector{kB, kC})), HasSubstr("only layers of one stage"));
}

TEST(ScheduleDraft, ALockedStageStaysAsItIs) {
  const ScheduleDraft draft = draft_of(test::diamond()).with_lock(1, true);  // b
  EXPECT_EQ(draft.locked_stages(), std::vector<std::size_t>{1});
  EXPECT_EQ(refusal(draft.moved(std::vector{kC}, {.stage = 1, .group = 1})), "stage 2 is locked");
  EXPECT_EQ(refusal(draft.moved(std::vector{kB}, {.stage = 2, .group = 0})), "stage 2 is locked");
  EXPECT_EQ(refusal(draft.joined(0)), "stage 2 is locked");
  EXPECT_EQ(refusal(draft.stage_moved(1, 2)), "stage 2 is locked");
  EXPECT_EQ(draft.stage_moved(1, 1).value(), draft) << "it stays";
  const auto turned = must(draft.stage_moved(2, 1));
  EXPECT_EQ(words(turned), "a; c; b; d; ");
  EXPECT_EQ(turned.locked_stages(), std::vector<std::size_t>{2});
  const auto before = draft.moved(std::vector{kC}, {.stage = 1, .new_stage = true});
  EXPECT_EQ(before->locked_stages(), std::vector<std::size_t>{2});
  EXPECT_EQ(turned.replaced(draft.schedule())->locked_stages(), std::vector<std::size_t>{1});
}

// Whatever is asked for, the draft is legal; what refusal() says of a place is what moving there says.
TEST(ScheduleDraft, EveryEditIsLegalOrRefused) {
  std::mt19937 random(7);
  int done = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    ScheduleDraft draft = draft_of(test::random_dag(seed, 12), seed % 2 == 0);
    for (int i = 0; i < 250; ++i) {
      const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
      const std::size_t stages = draft.schedule().stages.size();
      std::vector<UnitId> units{UnitId(below(12))};
      while (below(3) == 0) units.emplace_back(below(12));
      const std::size_t stage = below(stages);
      Result<ScheduleDraft> next = draft;
      switch (below(7)) {
        case 0:
        case 1: {
          Place place{.stage = stage, .group = below(draft.schedule().stages[stage].groups.size() + 1)};
          if (place.group < draft.schedule().stages[stage].groups.size() && below(2) == 0) {
            place.step = below(draft.schedule().stages[stage].groups[place.group].steps.size() + 1);
          }
          next = draft.moved(units, place);
          EXPECT_EQ(draft.refusal(units, place).value_or(Message()).text(), refusal(next));
          break;
        }
        case 2: {
          const Place place{.stage = below(stages + 1), .new_stage = true};
          next = draft.moved(units, place);
          EXPECT_EQ(draft.refusal(units, place).value_or(Message()).text(), refusal(next));
          break;
        }
        case 3: next = draft.joined(stage); break;
        case 4: next = draft.split(stage); break;
        case 5: next = draft.stage_moved(stage, below(stages)); break;
        default: next = units.size() > 1 ? draft.merged(units) : draft.unmerged(units.front()); break;
      }
      ++(next ? done : refused);
      if (!next) continue;
      ASSERT_TRUE(check_legal(next->graph(), next->schedule()).has_value())
          << check_legal(next->graph(), next->schedule()).error().text();
      draft = *next;
    }
  }
  EXPECT_GT(done, 300);
  EXPECT_GT(refused, 300);
}

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
