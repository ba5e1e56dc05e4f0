// The history and the costs of schedules that are changed by hand, without a board.
#include "tests/views/edit_schedule/board_fixture.h"

namespace iosx {
namespace {

using test::BoardFixture;

class ControllerOfSchedules : public BoardFixture {};

TEST_F(ControllerOfSchedules, CostsAreTheSearchsOwn) {
  open("squeezenet", ScheduleKind::kGreedy);
  EXPECT_NEAR(controller_->costs().sum->count(), result(ScheduleKind::kGreedy).stage_sum.count(), 1e-12);
  ASSERT_EQ(controller_->references().size(), 3U);
  const Millis ios = std::min({result(ScheduleKind::kIosBoth).stage_sum, result(ScheduleKind::kIosParallel).stage_sum,
                               result(ScheduleKind::kIosMerge).stage_sum});
  EXPECT_EQ(controller_->references()[0].sum, ios);
  EXPECT_EQ(controller_->references()[1].sum, result(ScheduleKind::kGreedy).stage_sum);
  EXPECT_EQ(controller_->references()[2].sum, result(ScheduleKind::kSequential).stage_sum);
  for (const auto& change : controller_->changes()) EXPECT_FALSE(change.has_value()) << "nothing was changed";
}

TEST_F(ControllerOfSchedules, ChangesAddUpToTheDifferenceOfTheStages) {
  open("squeezenet", ScheduleKind::kGreedy);
  const auto stages_of = [this] {
    Millis sum(0);
    for (const auto& latency : controller_->costs().stages) sum += latency->value;
    return sum;
  };
  const Millis before = stages_of();
  for (std::size_t stage = 0; stage + 1 < stages(); stage += 2) controller_->take({}, draft().joined(stage));
  Millis changes(0);
  for (const auto& change : controller_->changes()) changes += change.value_or(Millis(0));
  EXPECT_NEAR((stages_of() - before).count(), changes.count(), 1e-9);
}

TEST_F(ControllerOfSchedules, TheOrderOfLanesIsNoChange) {
  open("squeezenet", ScheduleKind::kGreedy);
  Schedule turned = draft().schedule();
  std::size_t wide = 0;
  for (Stage& stage : turned.stages) {
    wide += stage.groups.size() > 1 ? 1U : 0U;
    std::ranges::reverse(stage.groups);
  }
  ASSERT_GT(wide, 0U);
  ASSERT_TRUE(controller_->take(QStringLiteral("turn"), draft().replaced(turned)));
  for (const auto& change : controller_->changes()) EXPECT_FALSE(change.has_value());
  EXPECT_EQ(&controller_->insight(), &controller_->insight()) << "found once, whoever repaints";
}

TEST_F(ControllerOfSchedules, UndoAndRedoAreALine) {
  open("sample");
  const ScheduleDraft start = draft();
  EXPECT_TRUE(controller_->undoName().isEmpty()) << "a copy is where it begins";
  ASSERT_TRUE(controller_->take(QStringLiteral("first"), draft().joined(0)));
  const ScheduleDraft first = draft();
  ASSERT_TRUE(controller_->take(QStringLiteral("second"), draft().joined(1)));
  const ScheduleDraft second = draft();
  controller_->undo();
  EXPECT_EQ(draft(), first);
  EXPECT_EQ(controller_->undoName(), "first");
  EXPECT_EQ(controller_->redoName(), "second");
  controller_->undo();
  controller_->undo();
  EXPECT_EQ(draft(), start);
  controller_->redo();
  controller_->redo();
  EXPECT_EQ(draft(), second);
  // What changes nothing is no step, and forgets nothing.
  controller_->undo();
  EXPECT_TRUE(controller_->take(QStringLiteral("nothing"), draft()));
  EXPECT_EQ(controller_->redoName(), "second");
  EXPECT_FALSE(controller_->take(QStringLiteral("wrong"), draft().joined(stages() - 1)));
  EXPECT_EQ(refused_, "no stage follows the last one");
  EXPECT_EQ(controller_->redoName(), "second");
  // Another copy is one step more.
  controller_->copy({session_->runId(), result(ScheduleKind::kGreedy).id});
  EXPECT_EQ(draft().schedule().stages, result(ScheduleKind::kGreedy).schedule.stages);
  EXPECT_EQ(controller_->startTitle(), "Greedy");
  controller_->undo();
  EXPECT_EQ(draft(), first);
  EXPECT_EQ(controller_->startTitle(), "One by one");
}

TEST_F(ControllerOfSchedules, EveryNetworkHasAHistoryOfItsOwn) {
  open("sample");
  controller_->take(QStringLiteral("join"), draft().joined(0));
  const NetworkId sample = session_->networkId();
  const Schedule joined = draft().schedule();
  open("squeezenet");
  EXPECT_TRUE(controller_->undoName().isEmpty());
  session_->showNetwork(sample);
  EXPECT_EQ(draft().schedule(), joined);
  EXPECT_EQ(controller_->undoName(), "join");
  session_->editor().remove(sample);
  EXPECT_TRUE(controller_->undoName().isEmpty());
}

TEST_F(ControllerOfSchedules, AProjectHasWhatIsChangedByHand) {
  open("squeezenet", ScheduleKind::kGreedy);
  session_->editor().savedAs(QStringLiteral("p.iosproj"), session_->editor().changes());
  const Schedule start = draft().schedule();
  EXPECT_FALSE(session_->editor().modified()) << "a copy is no change";
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(3)));
  EXPECT_TRUE(session_->editor().modified());
  controller_->undo();
  controller_->redo();
  ASSERT_TRUE(controller_->take(QStringLiteral("lock"), draft().with_lock(5, true)));
  const ScheduleDraft edited = draft();
  auto read = must(project_from_bytes(project_to_bytes(session_->workspace()), "p"));
  session_->editor().takeProject({}, {}, false);
  EXPECT_EQ(controller_->draft(), nullptr);
  session_->editor().takeProject(std::move(read), QStringLiteral("p.iosproj"), false);
  ASSERT_NE(controller_->draft(), nullptr);
  EXPECT_FALSE(session_->editor().modified()) << "looking at it is no change";
  EXPECT_EQ(draft().schedule(), edited.schedule());
  EXPECT_EQ(draft().locked_stages(), std::vector<std::size_t>{5});
  EXPECT_EQ(controller_->startTitle(), "Greedy");
  EXPECT_TRUE(controller_->costs().sum.has_value());
  EXPECT_TRUE(controller_->redoName().isEmpty());
  controller_->undo();
  EXPECT_EQ(draft().schedule(), start);
  EXPECT_TRUE(controller_->undoName().isEmpty());
  EXPECT_TRUE(session_->editor().modified());
}

TEST_F(ControllerOfSchedules, FillKeepsLockedStagesAndIsNeverWorse) {
  open("inception_v3", ScheduleKind::kGreedy);
  for (const std::size_t stage : {std::size_t{8}, std::size_t{20}, std::size_t{31}})
    controller_->take({}, draft().with_lock(stage, true));
  const ScheduleDraft before = draft();
  const Millis cost = *controller_->costs().sum;
  controller_->fill();
  idle();
  EXPECT_LT(*controller_->costs().sum, cost) << "greedy is not the best there";
  ASSERT_EQ(draft().locked_stages().size(), 3U);
  for (const std::size_t stage : before.locked_stages()) {
    const Stage& kept = before.schedule().stages[stage];
    EXPECT_NE(std::ranges::find_if(draft().schedule().stages,
                                   [&](const Stage& other) { return other.units() == kept.units(); }),
              draft().schedule().stages.end())
        << "stage " << stage + 1;
  }
  EXPECT_TRUE(told_.contains("→")) << told_.toStdString();
  EXPECT_TRUE(told_.contains("3 locked stages kept")) << told_.toStdString();
  EXPECT_EQ(controller_->undoName(), "Fill by IOS");
  controller_->undo();
  EXPECT_EQ(draft(), before) << "one step";
}

TEST_F(ControllerOfSchedules, WhatIsEditedWhileASearchRunsStays) {
  open("inception_v3", ScheduleKind::kGreedy);
  QString offer;
  std::function<void()> take;
  QObject::connect(controller_.get(), &ScheduleController::offered,
                   [&](const QString& sentence, const std::function<void()>& taken) {
                     offer = sentence;
                     take = taken;
                   });
  controller_->fill();
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(controller_->take(QStringLiteral("lock"), draft().with_lock(3, true)));
  const ScheduleDraft edited = draft();
  idle();
  EXPECT_EQ(draft(), edited);
  EXPECT_EQ(controller_->undoName(), "lock");
  EXPECT_TRUE(offer.contains("→")) << offer.toStdString();
  ASSERT_TRUE(take);
  const Millis cost = *controller_->costs().sum;
  take();
  EXPECT_LT(*controller_->costs().sum, cost);
  EXPECT_EQ(controller_->undoName(), "Fill by IOS");
  controller_->undo();
  EXPECT_EQ(draft(), edited) << "one step";
}

TEST_F(ControllerOfSchedules, AnEditOfTheNetworkKeepsWhatIsMadeByHand) {
  open("sample");
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(controller_->take(QStringLiteral("lock"), draft().with_lock(0, true)));
  const Schedule mine = draft().schedule();
  const auto before = session_->document().graph;
  const OperatorId conv = *before->find_operator("sample.conv_b");
  const auto draw = [this](Result<Graph> graph) {
    ASSERT_TRUE(graph);
    Document document{.graph = std::make_shared<const Graph>(std::move(*graph))};
    session_->editor().addDrawn(session_->networkId(), std::move(document), {}, false);
  };
  const NetworkId opened = session_->networkId();
  NetworkId drawn;
  for (const std::int64_t kernel : {7, 5}) {  // a network of its own, which then changes
    draw(with_kernel(*before, conv, kernel));
    EXPECT_TRUE(!drawn.valid() || session_->networkId() == drawn);
    drawn = session_->networkId();
    EXPECT_NE(drawn, opened);
    ASSERT_NE(controller_->draft(), nullptr) << kernel;
    EXPECT_EQ(draft().schedule(), mine);
    EXPECT_EQ(draft().locked_stages(), std::vector<std::size_t>{0});
    EXPECT_EQ(draft().shared_graph(), session_->document().graph);
    EXPECT_TRUE(told_.isEmpty()) << told_.toStdString();
  }
  controller_->undo();
  EXPECT_NE(draft().schedule(), mine);
  EXPECT_EQ(controller_->startTitle(), "One by one");
  controller_->redo();
  draw(test::two_parts());
  EXPECT_EQ(controller_->draft(), nullptr);
  EXPECT_TRUE(told_.contains("does not fit")) << told_.toStdString();
}

TEST_F(ControllerOfSchedules, OneSearchOfAScheduleIsEnough) {
  open("inception_v3", ScheduleKind::kGreedy);
  EXPECT_TRUE(controller_->improveDisabledReason().isEmpty());
  controller_->fill();
  EXPECT_EQ(controller_->improving(), ScheduleController::Improving::kFill);
  EXPECT_FALSE(controller_->improveDisabledReason().isEmpty());
  const std::size_t jobs = jobs_->runner().waiting().size() + (jobs_->runner().running() != 0 ? 1 : 0);
  controller_->fill();
  controller_->searchFromHere();
  EXPECT_EQ(jobs_->runner().waiting().size() + (jobs_->runner().running() != 0 ? 1 : 0), jobs);
  EXPECT_EQ(controller_->improving(), ScheduleController::Improving::kFill);
  jobs_->cancel();
  idle();
  EXPECT_EQ(controller_->improving(), ScheduleController::Improving::kNot) << "cancelled or done";
  controller_->searchFromHere();
  EXPECT_EQ(controller_->improving(), ScheduleController::Improving::kSearch);
  jobs_->abandon();
  idle();
  EXPECT_TRUE(controller_->improveDisabledReason().isEmpty());
}

TEST_F(ControllerOfSchedules, SearchFromHereIsOfferedEverything) {
  open("sample");
  controller_->take({}, draft().with_lock(0, true));
  controller_->searchFromHere();
  idle();
  EXPECT_NEAR(controller_->costs().sum->count(), result(ScheduleKind::kIosBoth).stage_sum.count(), 1e-12);
  controller_->searchFromHere();
  idle();
  EXPECT_TRUE(told_.startsWith("No schedule faster")) << told_.toStdString();
}

TEST_F(ControllerOfSchedules, WhatBeatsTheSearchSaysWhyItWasNotFound) {
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {1, 1}; });
  open("sample");
  EXPECT_FALSE(controller_->insight().has_value());
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_EQ(draft().schedule().stages[0].groups.size(), 2U);
  ASSERT_TRUE(controller_->insight().has_value());
  const DraftInsight insight = *controller_->insight();
  EXPECT_NEAR(insight.gained.count(), (controller_->references().front().sum - *controller_->costs().sum).count(),
              1e-12);
  ASSERT_FALSE(insight.stages.empty() || insight.stages[0].why.empty());
  EXPECT_EQ(insight.stages[0].why[0].limit, Limit::kS);
}

TEST_F(ControllerOfSchedules, WhatGainsMostIsToldFirst) {
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {1, 1}; });
  open("squeezenet");
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(1)));  // a chain: the same
  for (int fire = 2; fire <= 9; ++fire) {
    const std::string one = fmt::format("fire{}.expand1x1", fire);
    const std::string three = fmt::format("fire{}.expand3x3", fire);
    const std::vector<UnitId> pair{unit(one), unit(three)};
    ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(std::min(stage_of(one), stage_of(three)))));
    ASSERT_TRUE(controller_->take(QStringLiteral("merge"), draft().merged(pair)));
  }
  const auto insight = must(controller_->insight());
  ASSERT_GE(insight.stages.size(), 9U);
  std::vector<Millis> changes;
  for (const StageBeyond& each : insight.stages)
    changes.push_back(controller_->changes()[each.stage].value_or(Millis(0)));
  EXPECT_LT(changes.front(), Millis(0));
  EXPECT_TRUE(std::ranges::is_sorted(changes));
}

TEST_F(ControllerOfSchedules, WhatBeatsTheSearchIsWhereLaterOnesStart) {
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {1, 1}; });
  open("sample");
  const Millis alone = result(ScheduleKind::kIosBoth).stage_sum;
  EXPECT_FALSE(session_->shownNetwork()->warm_start.has_value());
  EXPECT_FALSE(controller_->startsSearches());
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(0)));
  ASSERT_TRUE(session_->shownNetwork()->warm_start.has_value());
  EXPECT_TRUE(controller_->startsSearches());
  const Schedule taught = draft().schedule();
  const Millis cost = *controller_->costs().sum;
  controller_->undo();
  EXPECT_EQ(session_->shownNetwork()->warm_start->schedule, taught) << "what is worse takes nothing's place";
  EXPECT_FALSE(controller_->startsSearches());
  optimize();
  const ScheduleResult& both = result(ScheduleKind::kIosBoth);
  EXPECT_LT(both.stage_sum, alone);
  ASSERT_TRUE(both.search->warm_start.has_value());
  EXPECT_EQ(both.search->warm_start->name, "Manual");
  EXPECT_EQ(both.search->warm_start->cost, cost);
  EXPECT_TRUE(both.search->warm_start->better) << "merges, beside the stage that it was taught";
  EXPECT_LT(both.stage_sum, cost);
  ASSERT_EQ(both.search->warm_start->beyond.size(), 1U);
  EXPECT_EQ(both.search->warm_start->beyond[0].why.front().limit, Limit::kS);
  controller_->redo();
  EXPECT_FALSE(controller_->insight().has_value()) << "the search knows it now";
  // Who wants to see what a search finds by itself says so.
  session_->editor().setWarmStartUsed(session_->networkId(), false);
  optimize();
  EXPECT_FALSE(result(ScheduleKind::kIosBoth).search->warm_start.has_value());
  EXPECT_NEAR(result(ScheduleKind::kIosBoth).stage_sum.count(), alone.count(), 1e-12);
}

TEST_F(ControllerOfSchedules, AScheduleFromAFileThatBeatsTheSearchIsAStartToo) {
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {1, 1}; });
  open("sample");
  Schedule joined = draft().joined(0)->schedule();
  joined.name = "from a file";
  session_->editor().addSchedule(session_->networkId(), joined);
  optimize();
  ASSERT_TRUE(session_->shownNetwork()->warm_start.has_value());
  EXPECT_EQ(session_->shownNetwork()->warm_start->schedule.name, "from a file");
  EXPECT_FALSE(result(ScheduleKind::kIosBoth).search->warm_start.has_value());
  optimize();
  EXPECT_TRUE(result(ScheduleKind::kIosBoth).search->warm_start.has_value());
}

TEST_F(ControllerOfSchedules, NothingIsMeasuredUnasked) {
  open("sample");
  test::set(*session_, [](RunSettings& settings) {
    settings.device = test::ScriptedDevice::make_info(test::ScriptedKind::kComputer).id;
  });
  optimize();
  ASSERT_EQ(session_->comparison()->device.origin, Origin::kMeasured);
  controller_->copy({session_->runId(), result(ScheduleKind::kOneByOne).id});
  const int measured = behaviour_->measured;
  ASSERT_TRUE(controller_->take(QStringLiteral("lanes"),
                                draft().moved(std::vector<UnitId>{unit("conv_d")}, {.stage = 0, .group = 0})));
  idle();
  EXPECT_EQ(behaviour_->measured, measured);
  EXPECT_TRUE(controller_->lacksCosts());
  EXPECT_FALSE(controller_->costs().sum.has_value());
  controller_->measure();
  idle();
  EXPECT_EQ(behaviour_->measured, measured + 1);
  ASSERT_TRUE(controller_->costs().sum.has_value());
  EXPECT_GT(controller_->costs().spread.count(), 0);
  EXPECT_EQ(controller_->costs().stages[0]->origin, Origin::kMeasured);
  controller_->setMeasuresAfterDrop(true);
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(1)));
  idle();
  EXPECT_TRUE(controller_->costs().sum.has_value());
}

TEST_F(ControllerOfSchedules, WhatRunsStandsBesideTheOthers) {
  open("squeezenet", ScheduleKind::kGreedy);
  controller_->take(QStringLiteral("join"), draft().joined(3));
  const std::size_t before = session_->comparison()->results.size();
  EXPECT_FALSE(controller_->result().has_value());
  controller_->run();
  idle();
  ASSERT_EQ(session_->comparison()->results.size(), before + 1);
  const ScheduleResult& mine = session_->comparison()->results.back();
  EXPECT_EQ(mine.title(), "Manual");
  EXPECT_EQ(mine.stage_latencies.size(), stages());
  EXPECT_NEAR(mine.stage_sum.count(), controller_->costs().sum->count(), 1e-12);
  EXPECT_GT(mine.latency.value.count(), 0);
  controller_->run();
  idle();
  EXPECT_EQ(session_->comparison()->results.size(), before + 1) << "the same again is none more";
  controller_->take(QStringLiteral("join"), draft().joined(6));
  controller_->run();
  idle();
  EXPECT_EQ(session_->comparison()->results.size(), before + 2) << "nothing that was found is replaced";
}

}  // namespace
}  // namespace iosx
