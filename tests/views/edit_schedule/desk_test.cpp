// The history and the costs of schedules that are changed by hand, without a board.
#include "tests/views/edit_schedule/board_fixture.h"

#include <algorithm>

#include "core/analysis/sweep/resized.h"
#include "core/documents/project/project_file.h"

namespace iosx {
namespace {

using test::BoardFixture;

class DeskOfSchedules : public BoardFixture {};

TEST_F(DeskOfSchedules, CostsAreTheSearchsOwn) {
  open("squeezenet", Recipe::kGreedy);
  EXPECT_NEAR(desk_->costs().sum->count(), result(Recipe::kGreedy).stage_sum.count(), 1e-12);
  ASSERT_EQ(desk_->references().size(), 3U);
  const Millis ios = std::min({result(Recipe::kIosBoth).stage_sum, result(Recipe::kIosParallel).stage_sum,
                               result(Recipe::kIosMerge).stage_sum});
  EXPECT_EQ(desk_->references()[0].sum, ios);
  EXPECT_EQ(desk_->references()[1].sum, result(Recipe::kGreedy).stage_sum);
  EXPECT_EQ(desk_->references()[2].sum, result(Recipe::kSequential).stage_sum);
  for (const auto& change : desk_->changes()) EXPECT_FALSE(change.has_value()) << "nothing was changed";
}

TEST_F(DeskOfSchedules, ChangesAddUpToTheDifferenceOfTheStages) {
  open("squeezenet", Recipe::kGreedy);
  const auto stages_of = [this] {
    Millis sum(0);
    for (const auto& latency : desk_->costs().stages) sum += latency->value;
    return sum;
  };
  const Millis before = stages_of();
  for (std::size_t stage = 0; stage + 1 < stages(); stage += 2) desk_->take({}, draft().joined(stage));
  Millis changes(0);
  for (const auto& change : desk_->changes()) changes += change.value_or(Millis(0));
  EXPECT_NEAR((stages_of() - before).count(), changes.count(), 1e-9);
}

TEST_F(DeskOfSchedules, TheOrderOfLanesIsNoChange) {
  open("squeezenet", Recipe::kGreedy);
  Schedule turned = draft().schedule();
  std::size_t wide = 0;
  for (Stage& stage : turned.stages) {
    wide += stage.groups.size() > 1 ? 1U : 0U;
    std::ranges::reverse(stage.groups);
  }
  ASSERT_GT(wide, 0U);
  ASSERT_TRUE(desk_->take(QStringLiteral("turn"), draft().replaced(turned)));
  for (const auto& change : desk_->changes()) EXPECT_FALSE(change.has_value());
  EXPECT_EQ(&desk_->lesson(), &desk_->lesson()) << "found once, whoever repaints";
}

TEST_F(DeskOfSchedules, UndoAndRedoAreALine) {
  open("sample");
  const ScheduleDraft start = draft();
  EXPECT_TRUE(desk_->undoName().isEmpty()) << "a copy is where it begins";
  ASSERT_TRUE(desk_->take(QStringLiteral("first"), draft().joined(0)));
  const ScheduleDraft first = draft();
  ASSERT_TRUE(desk_->take(QStringLiteral("second"), draft().joined(1)));
  const ScheduleDraft second = draft();
  desk_->undo();
  EXPECT_EQ(draft(), first);
  EXPECT_EQ(desk_->undoName(), QStringLiteral("first"));
  EXPECT_EQ(desk_->redoName(), QStringLiteral("second"));
  desk_->undo();
  desk_->undo();
  EXPECT_EQ(draft(), start);
  desk_->redo();
  desk_->redo();
  EXPECT_EQ(draft(), second);
  // What changes nothing is no step, and forgets nothing.
  desk_->undo();
  EXPECT_TRUE(desk_->take(QStringLiteral("nothing"), draft()));
  EXPECT_EQ(desk_->redoName(), QStringLiteral("second"));
  EXPECT_FALSE(desk_->take(QStringLiteral("wrong"), draft().joined(stages() - 1)));
  EXPECT_EQ(refused_, QStringLiteral("no stage follows the last one"));
  EXPECT_EQ(desk_->redoName(), QStringLiteral("second"));
  // Another copy is one step more.
  desk_->copy({session_->runId(), result(Recipe::kGreedy).id});
  EXPECT_EQ(draft().schedule().stages, result(Recipe::kGreedy).schedule.stages);
  EXPECT_EQ(desk_->startTitle(), QStringLiteral("Greedy"));
  desk_->undo();
  EXPECT_EQ(draft(), first);
  EXPECT_EQ(desk_->startTitle(), QStringLiteral("Sequential"));
}

TEST_F(DeskOfSchedules, EveryNetworkHasAHistoryOfItsOwn) {
  open("sample");
  desk_->take(QStringLiteral("join"), draft().joined(0));
  const NetworkId sample = session_->networkId();
  const Schedule joined = draft().schedule();
  open("squeezenet");
  EXPECT_TRUE(desk_->undoName().isEmpty());
  session_->showNetwork(sample);
  EXPECT_EQ(draft().schedule(), joined);
  EXPECT_EQ(desk_->undoName(), QStringLiteral("join"));
  session_->removeNetwork(sample);
  EXPECT_TRUE(desk_->undoName().isEmpty());
}

TEST_F(DeskOfSchedules, AProjectHasWhatIsChangedByHand) {
  open("squeezenet", Recipe::kGreedy);
  session_->savedAs(QStringLiteral("p.iosproj"), session_->changes());
  const Schedule start = draft().schedule();
  EXPECT_FALSE(session_->modified()) << "a copy is no change";
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(3)));
  EXPECT_TRUE(session_->modified());
  desk_->undo();
  desk_->redo();
  ASSERT_TRUE(desk_->take(QStringLiteral("lock"), draft().with_lock(5, true)));
  const ScheduleDraft edited = draft();
  auto read = project_from_bytes(project_to_bytes(session_->workspace()), "p");
  ASSERT_TRUE(read) << read.error().text();
  session_->takeProject({}, {}, false);
  EXPECT_EQ(desk_->draft(), nullptr);
  session_->takeProject(std::move(*read), QStringLiteral("p.iosproj"), false);
  ASSERT_NE(desk_->draft(), nullptr);
  EXPECT_FALSE(session_->modified()) << "looking at it is no change";
  EXPECT_EQ(draft().schedule(), edited.schedule());
  EXPECT_EQ(draft().locked_stages(), std::vector<std::size_t>{5});
  EXPECT_EQ(desk_->startTitle(), QStringLiteral("Greedy"));
  EXPECT_TRUE(desk_->costs().sum.has_value());
  EXPECT_TRUE(desk_->redoName().isEmpty());
  desk_->undo();
  EXPECT_EQ(draft().schedule(), start);
  EXPECT_TRUE(desk_->undoName().isEmpty());
  EXPECT_TRUE(session_->modified());
}

TEST_F(DeskOfSchedules, FillKeepsLockedStagesAndIsNeverWorse) {
  open("inception_v3", Recipe::kGreedy);
  for (const std::size_t stage : {std::size_t{8}, std::size_t{20}, std::size_t{31}})
    desk_->take({}, draft().with_lock(stage, true));
  const ScheduleDraft before = draft();
  const Millis cost = *desk_->costs().sum;
  desk_->fill();
  idle();
  EXPECT_LT(*desk_->costs().sum, cost) << "greedy is not the best there";
  ASSERT_EQ(draft().locked_stages().size(), 3U);
  for (const std::size_t stage : before.locked_stages()) {
    const Stage& kept = before.schedule().stages[stage];
    EXPECT_NE(std::ranges::find_if(draft().schedule().stages,
                                   [&](const Stage& other) { return other.units() == kept.units(); }),
              draft().schedule().stages.end())
        << "stage " << stage + 1;
  }
  EXPECT_TRUE(told_.contains(QStringLiteral("→"))) << told_.toStdString();
  EXPECT_TRUE(told_.contains(QStringLiteral("3 locked stages kept"))) << told_.toStdString();
  EXPECT_EQ(desk_->undoName(), QStringLiteral("Fill by IOS"));
  desk_->undo();
  EXPECT_EQ(draft(), before) << "one step";
}

TEST_F(DeskOfSchedules, WhatIsEditedWhileASearchRunsStays) {
  open("inception_v3", Recipe::kGreedy);
  QString offer;
  std::function<void()> take;
  QObject::connect(desk_, &ScheduleDesk::offered, [&](const QString& sentence, const std::function<void()>& taken) {
    offer = sentence;
    take = taken;
  });
  desk_->fill();
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(desk_->take(QStringLiteral("lock"), draft().with_lock(3, true)));
  const ScheduleDraft edited = draft();
  idle();
  EXPECT_EQ(draft(), edited);
  EXPECT_EQ(desk_->undoName(), QStringLiteral("lock"));
  EXPECT_TRUE(offer.contains(QStringLiteral("→"))) << offer.toStdString();
  ASSERT_TRUE(take);
  const Millis cost = *desk_->costs().sum;
  take();
  EXPECT_LT(*desk_->costs().sum, cost);
  EXPECT_EQ(desk_->undoName(), QStringLiteral("Fill by IOS"));
  desk_->undo();
  EXPECT_EQ(draft(), edited) << "one step";
}

TEST_F(DeskOfSchedules, AnEditOfTheNetworkKeepsWhatIsMadeByHand) {
  open("sample");
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(desk_->take(QStringLiteral("lock"), draft().with_lock(0, true)));
  const Schedule mine = draft().schedule();
  const auto before = session_->document().graph;
  const OperatorId conv = *before->find_operator("sample.conv_b");
  const auto draw = [this](Result<Graph> graph) {
    ASSERT_TRUE(graph);
    Document document;
    document.graph = std::make_shared<const Graph>(std::move(*graph));
    session_->addDrawn(session_->networkId(), std::move(document), {}, false);
  };
  const NetworkId opened = session_->networkId();
  NetworkId drawn;
  for (const std::int64_t kernel : {7, 5}) {  // a network of its own, which then changes
    draw(with_kernel(*before, conv, kernel));
    EXPECT_TRUE(!drawn.valid() || session_->networkId() == drawn);
    drawn = session_->networkId();
    EXPECT_NE(drawn, opened);
    ASSERT_NE(desk_->draft(), nullptr) << kernel;
    EXPECT_EQ(draft().schedule(), mine);
    EXPECT_EQ(draft().locked_stages(), std::vector<std::size_t>{0});
    EXPECT_EQ(draft().shared_graph(), session_->document().graph);
    EXPECT_TRUE(told_.isEmpty()) << told_.toStdString();
  }
  desk_->undo();
  EXPECT_NE(draft().schedule(), mine);
  EXPECT_EQ(desk_->startTitle(), QStringLiteral("Sequential"));
  desk_->redo();
  draw(test::two_parts());
  EXPECT_EQ(desk_->draft(), nullptr);
  EXPECT_TRUE(told_.contains(QStringLiteral("does not fit"))) << told_.toStdString();
}

TEST_F(DeskOfSchedules, OneSearchOfAScheduleIsEnough) {
  open("inception_v3", Recipe::kGreedy);
  EXPECT_TRUE(desk_->whyNotImprove().isEmpty());
  desk_->fill();
  EXPECT_EQ(desk_->improving(), ScheduleDesk::Improving::kFill);
  EXPECT_FALSE(desk_->whyNotImprove().isEmpty());
  const std::size_t jobs = jobs_->runner().waiting().size() + (jobs_->runner().running() != 0 ? 1 : 0);
  desk_->fill();
  desk_->searchFromHere();
  EXPECT_EQ(jobs_->runner().waiting().size() + (jobs_->runner().running() != 0 ? 1 : 0), jobs);
  EXPECT_EQ(desk_->improving(), ScheduleDesk::Improving::kFill);
  jobs_->cancel();
  idle();
  EXPECT_EQ(desk_->improving(), ScheduleDesk::Improving::kNot) << "cancelled or done";
  desk_->searchFromHere();
  EXPECT_EQ(desk_->improving(), ScheduleDesk::Improving::kSearch);
  jobs_->abandon();
  idle();
  EXPECT_TRUE(desk_->whyNotImprove().isEmpty());
}

TEST_F(DeskOfSchedules, SearchFromHereIsOfferedEverything) {
  open("sample");
  desk_->take({}, draft().with_lock(0, true));
  desk_->searchFromHere();
  idle();
  EXPECT_NEAR(desk_->costs().sum->count(), result(Recipe::kIosBoth).stage_sum.count(), 1e-12);
  desk_->searchFromHere();
  idle();
  EXPECT_TRUE(told_.startsWith(QStringLiteral("Nothing better"))) << told_.toStdString();
}

TEST_F(DeskOfSchedules, WhatBeatsTheSearchSaysWhyItWasNotFound) {
  RunSettings settings = session_->settings();
  settings.search.pruning = {1, 1};
  session_->setSettings(settings);
  open("sample");
  EXPECT_FALSE(desk_->lesson().has_value());
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_EQ(draft().schedule().stages[0].groups.size(), 2U);
  ASSERT_TRUE(desk_->lesson().has_value());
  const ScheduleDesk::Lesson lesson = *desk_->lesson();
  EXPECT_NEAR(lesson.gained.count(), (desk_->references().front().sum - *desk_->costs().sum).count(), 1e-12);
  ASSERT_EQ(lesson.stages.size(), 1U);
  ASSERT_FALSE(lesson.stages[0].why.empty());
  EXPECT_EQ(lesson.stages[0].why[0].limit, Limit::kS);
}

TEST_F(DeskOfSchedules, WhatGainsMostIsToldFirst) {
  RunSettings settings = session_->settings();
  settings.search.pruning = {1, 1};
  session_->setSettings(settings);
  open("squeezenet");
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(1)));  // a chain: the same
  const std::vector<UnitId> pair{unit("fire2.expand1x1"), unit("fire2.expand3x3")};
  ASSERT_TRUE(desk_->take(QStringLiteral("join"),
                          draft().joined(std::min(stage_of("fire2.expand1x1"), stage_of("fire2.expand3x3")))));
  ASSERT_TRUE(desk_->take(QStringLiteral("merge"), draft().merged(pair)));
  const auto lesson = desk_->lesson();
  ASSERT_TRUE(lesson.has_value());
  ASSERT_GE(lesson->stages.size(), 2U);
  EXPECT_EQ(lesson->stages.front().stage, stage_of("fire2.expand1x1"));
}

TEST_F(DeskOfSchedules, WhatBeatsTheSearchIsWhereLaterOnesStart) {
  RunSettings settings = session_->settings();
  settings.search.pruning = {1, 1};
  session_->setSettings(settings);
  open("sample");
  const Millis alone = result(Recipe::kIosBoth).stage_sum;
  EXPECT_FALSE(session_->shownNetwork()->start.has_value());
  EXPECT_FALSE(desk_->startsSearches());
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(session_->shownNetwork()->start.has_value());
  EXPECT_TRUE(desk_->startsSearches());
  const Schedule taught = draft().schedule();
  const Millis cost = *desk_->costs().sum;
  desk_->undo();
  EXPECT_EQ(session_->shownNetwork()->start->schedule, taught) << "what is worse takes nothing's place";
  EXPECT_FALSE(desk_->startsSearches());
  jobs_->optimize();
  idle();
  const ScheduleResult& both = result(Recipe::kIosBoth);
  EXPECT_LT(both.stage_sum, alone);
  ASSERT_TRUE(both.search->start.has_value());
  EXPECT_EQ(both.search->start->name, "mine");
  EXPECT_EQ(both.search->start->cost, cost);
  EXPECT_TRUE(both.search->start->better) << "merges, beside the stage that it was taught";
  EXPECT_LT(both.stage_sum, cost);
  ASSERT_EQ(both.search->start->beyond.size(), 1U);
  EXPECT_EQ(both.search->start->beyond[0].why.front().limit, Limit::kS);
  desk_->redo();
  EXPECT_FALSE(desk_->lesson().has_value()) << "the search knows it now";
  // Who wants to see what a search finds by itself says so.
  session_->setStartUsed(session_->networkId(), false);
  jobs_->optimize();
  idle();
  EXPECT_FALSE(result(Recipe::kIosBoth).search->start.has_value());
  EXPECT_NEAR(result(Recipe::kIosBoth).stage_sum.count(), alone.count(), 1e-12);
}

TEST_F(DeskOfSchedules, AScheduleFromAFileThatBeatsTheSearchIsAStartToo) {
  RunSettings settings = session_->settings();
  settings.search.pruning = {1, 1};
  session_->setSettings(settings);
  open("sample");
  Schedule joined = draft().joined(0)->schedule();
  joined.name = "from a file";
  session_->addSchedule(session_->networkId(), joined);
  jobs_->optimize();
  idle();
  ASSERT_TRUE(session_->shownNetwork()->start.has_value());
  EXPECT_EQ(session_->shownNetwork()->start->schedule.name, "from a file");
  EXPECT_FALSE(result(Recipe::kIosBoth).search->start.has_value());
  jobs_->optimize();
  idle();
  EXPECT_TRUE(result(Recipe::kIosBoth).search->start.has_value());
}

TEST_F(DeskOfSchedules, NothingIsMeasuredUnasked) {
  open("sample");
  RunSettings settings = session_->settings();
  settings.device = test::FakeDevice::make_info(test::FakeKind::kComputer).id;
  session_->setSettings(settings);
  jobs_->optimize();
  idle();
  ASSERT_EQ(session_->comparison()->device.origin, Origin::kMeasured);
  desk_->copy({session_->runId(), result(Recipe::kSequential).id});
  const int measured = behaviour_->measured;
  ASSERT_TRUE(desk_->take(QStringLiteral("lanes"),
                          draft().moved(std::vector<UnitId>{unit("conv_d")}, {.stage = 0, .group = 0})));
  idle();
  EXPECT_EQ(behaviour_->measured, measured);
  EXPECT_TRUE(desk_->lacksCosts());
  EXPECT_FALSE(desk_->costs().sum.has_value());
  desk_->measure();
  idle();
  EXPECT_EQ(behaviour_->measured, measured + 1);
  ASSERT_TRUE(desk_->costs().sum.has_value());
  EXPECT_GT(desk_->costs().spread.count(), 0);
  EXPECT_EQ(desk_->costs().stages[0]->origin, Origin::kMeasured);
  desk_->setMeasuresAfterDrop(true);
  ASSERT_TRUE(desk_->take(QStringLiteral("join"), draft().joined(1)));
  idle();
  EXPECT_TRUE(desk_->costs().sum.has_value());
}

TEST_F(DeskOfSchedules, WhatRunsStandsBesideTheOthers) {
  open("squeezenet", Recipe::kGreedy);
  desk_->take(QStringLiteral("join"), draft().joined(3));
  const std::size_t before = session_->comparison()->results.size();
  EXPECT_FALSE(desk_->result().has_value());
  desk_->run();
  idle();
  ASSERT_EQ(session_->comparison()->results.size(), before + 1);
  const ScheduleResult& mine = session_->comparison()->results.back();
  EXPECT_EQ(mine.title(), "mine");
  EXPECT_EQ(mine.stage_latencies.size(), stages());
  EXPECT_NEAR(mine.stage_sum.count(), desk_->costs().sum->count(), 1e-12);
  EXPECT_GT(mine.latency.value.count(), 0);
  desk_->run();
  idle();
  EXPECT_EQ(session_->comparison()->results.size(), before + 1) << "the same again is none more";
  desk_->take(QStringLiteral("join"), draft().joined(6));
  desk_->run();
  idle();
  EXPECT_EQ(session_->comparison()->results.size(), before + 2) << "nothing that was found is replaced";
}

}  // namespace
}  // namespace iosx
