#include "core/documents/project/workspace.h"

#include "core/formats/external/match.h"
#include "tests/documents/project/made_up.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

class WorkspaceTest : public testing::Test {
 protected:
  WorkspaceRun made(std::vector<ScheduleKind> schedule_kinds, bool automatic = false, std::int64_t batch = 1) {
    return {
        .network = network_, .run = test::run_on(network(), std::move(schedule_kinds), batch), .automatic = automatic};
  }
  const WorkspaceNetwork& network() const { return *workspace_.find(network_); }

  Workspace workspace_;
  NetworkId network_ = workspace_.add(test::network_of(test::fork_join(3), "fork"));
};

TEST_F(WorkspaceTest, EveryRunIsAdded) {
  const RunId first = workspace_.add(made({ScheduleKind::kIosBoth}));
  EXPECT_NE(first, workspace_.add(made({ScheduleKind::kIosBoth})));
  EXPECT_EQ(workspace_.runs().size(), 2U);
  EXPECT_EQ(workspace_.runs_of(network_).size(), 2U);
}

TEST_F(WorkspaceTest, TheFirstPictureMakesRoomForWhatWasAskedFor) {
  const RunId automatic = workspace_.add(made({ScheduleKind::kSequential}, true));
  const RunId other_batch = workspace_.add(made({ScheduleKind::kSequential}, true, 2));
  const RunId asked = workspace_.add(made({ScheduleKind::kIosBoth}));
  EXPECT_EQ(workspace_.find(automatic), nullptr);
  EXPECT_NE(workspace_.find(other_batch), nullptr);
  EXPECT_EQ(workspace_.add(made({ScheduleKind::kSequential}, true)), asked) << "a better one is there";
  EXPECT_EQ(workspace_.runs().size(), 2U);
}

TEST_F(WorkspaceTest, APartialRunTakesThePlaceOfWhatItHas) {
  const RunId automatic = workspace_.add(made({ScheduleKind::kSequential}, true));
  WorkspaceRun partial = made({ScheduleKind::kSequential, ScheduleKind::kIosBoth}, true);
  iosx::Run stopped = *partial.run;
  stopped.comparison.complete = false;
  partial.run = std::make_shared<const iosx::Run>(std::move(stopped));
  workspace_.add(std::move(partial));
  EXPECT_EQ(workspace_.find(automatic), nullptr);
}

// What other options gave is something to compare with.
TEST_F(WorkspaceTest, ASearchThatNobodyAskedForMakesRoomForTheSameOne) {
  WorkspaceRun searched = made({ScheduleKind::kIosBoth}, true);
  iosx::Run run = *searched.run;
  ASSERT_TRUE(run.comparison.results.front().search.has_value());
  const RunId automatic = workspace_.add(searched);
  iosx::Run other = run;
  other.options.search.pruning.r = 1;
  workspace_.add({.network = network_, .run = std::make_shared<const iosx::Run>(other)});
  EXPECT_NE(workspace_.find(automatic), nullptr);
  workspace_.add({.network = network_, .run = std::make_shared<const iosx::Run>(run)});
  EXPECT_EQ(workspace_.find(automatic), nullptr);
  run.comparison.complete = false;
  searched.run = std::make_shared<const iosx::Run>(run);
  EXPECT_FALSE(workspace_.find(workspace_.add(searched))->automatic) << "one that was asked for is there";
}

TEST_F(WorkspaceTest, WhatSomethingRefersToStays) {
  const RunId automatic = workspace_.add(made({ScheduleKind::kSequential}, true));
  const ScheduleId schedule = workspace_.find(automatic)->run->comparison.results.front().id;
  workspace_.set_baseline(Choice{automatic, schedule});
  workspace_.add(made({ScheduleKind::kIosBoth}));
  EXPECT_NE(workspace_.find(automatic), nullptr);
}

TEST_F(WorkspaceTest, APartialRunTakesNoPlaceOfWhatItLacks) {
  const RunId automatic = workspace_.add(made({ScheduleKind::kSequential, ScheduleKind::kOneByOne}, true));
  WorkspaceRun partial = made({ScheduleKind::kIosBoth});
  iosx::Run stopped = *partial.run;
  stopped.comparison.complete = false;
  partial.run = std::make_shared<const iosx::Run>(std::move(stopped));
  workspace_.add(std::move(partial));
  EXPECT_NE(workspace_.find(automatic), nullptr);
}

TEST_F(WorkspaceTest, WhatIsRemovedIsChosenNoMore) {
  const RunId run = workspace_.add(made({ScheduleKind::kIosBoth}));
  const Choice choice{run, workspace_.find(run)->run->comparison.results.front().id};
  workspace_.set_baseline(choice);
  workspace_.set_shown(choice);
  workspace_.set_compared(choice, true);
  workspace_.set_compared(choice, true);
  EXPECT_THAT(workspace_.compared(), ElementsAre(choice));
  ASSERT_NE(workspace_.find(choice), nullptr);
  workspace_.remove(network_);
  EXPECT_EQ(workspace_.find(choice), nullptr);
  EXPECT_FALSE(workspace_.baseline());
  EXPECT_FALSE(workspace_.shown());
  EXPECT_TRUE(workspace_.compared().empty());
  EXPECT_TRUE(workspace_.runs().empty());
}

TEST_F(WorkspaceTest, ABaselineIsOfItsNetworkBatchAndDevice) {
  const RunId run = workspace_.add(made({ScheduleKind::kIosBoth}));
  const RunId again = workspace_.add(made({ScheduleKind::kSequential}));
  iosx::Run larger = *workspace_.find(run)->run;
  larger.comparison.batch = 32;
  const RunId other_batch =
      workspace_.add({.network = network_, .run = std::make_shared<const iosx::Run>(std::move(larger))});
  iosx::Run abroad = *workspace_.find(run)->run;
  abroad.comparison.device.fingerprint = "another device";
  const RunId other_device =
      workspace_.add({.network = network_, .run = std::make_shared<const iosx::Run>(std::move(abroad))});
  const NetworkId other = workspace_.add(network());
  const RunId elsewhere = workspace_.add({.network = other, .run = workspace_.find(run)->run});
  EXPECT_FALSE(workspace_.baseline_of(run));
  const Choice choice{run, workspace_.find(run)->run->comparison.results.front().id};
  workspace_.set_baseline(choice);
  EXPECT_EQ(workspace_.baseline_of(run), choice);
  EXPECT_EQ(workspace_.baseline_of(again), choice);
  EXPECT_FALSE(workspace_.baseline_of(other_batch));
  EXPECT_FALSE(workspace_.baseline_of(other_device));
  EXPECT_FALSE(workspace_.baseline_of(elsewhere));
  EXPECT_FALSE(workspace_.baseline_of(RunId()));
}

TEST_F(WorkspaceTest, ANetworkIsFoundAgainByNameAndGraph) {
  EXPECT_EQ(workspace_.same("fork", test::fork_join(3)), &network());
  EXPECT_EQ(workspace_.same("fork", test::fork_join(4)), nullptr);
  EXPECT_EQ(workspace_.same("spoon", test::fork_join(3)), nullptr);
}

TEST_F(WorkspaceTest, KnowsWhetherAnybodyAskedForSomethingOfIt) {
  EXPECT_FALSE(workspace_.asked_for()) << "a network can be opened again";
  const RunId picture = workspace_.add(made({ScheduleKind::kSequential}, true));
  EXPECT_FALSE(workspace_.asked_for());
  Workspace noted = workspace_;
  noted.set_note(picture, "look here");
  EXPECT_TRUE(noted.asked_for());
  noted = workspace_;
  noted.set_notes("of all");
  EXPECT_TRUE(noted.asked_for());
  noted = workspace_;
  noted.learn(picture, [](Comparison& known) { known.results.front().verification = Verification(); });
  EXPECT_TRUE(noted.asked_for());
  EXPECT_TRUE(noted.find(picture)->run->comparison.results.front().verification);
  EXPECT_FALSE(workspace_.find(picture)->run->comparison.results.front().verification) << "a snapshot stays as it is";
  workspace_.add(made({ScheduleKind::kIosBoth}));
  EXPECT_TRUE(workspace_.asked_for());
}

TEST_F(WorkspaceTest, TheNextOneHasOtherIds) {
  const RunId run = workspace_.add(made({ScheduleKind::kIosBoth}));
  const ScheduleId schedule = workspace_.find(run)->run->comparison.results.front().id;
  const Choice choice{run, schedule};
  workspace_.set_baseline(choice);
  workspace_.set_compared(choice, true);
  workspace_.set_shown(choice);
  workspace_.add({.network = network_, .run = std::make_shared<const ExternalRun>()});
  Workspace next = workspace_;
  next.continue_ids(workspace_);
  EXPECT_EQ(next.find(network_), nullptr);
  EXPECT_EQ(next.find(run), nullptr);
  const NetworkId network = next.networks().front().id;
  ASSERT_EQ(next.runs_of(network).size(), 1U);
  EXPECT_EQ(next.external_of(network).size(), 1U);
  EXPECT_NE(next.external().front().id, workspace_.external().front().id);
  const Choice moved{next.runs().front().id, schedule};
  EXPECT_EQ(next.baseline(), moved);
  EXPECT_EQ(next.shown(), moved);
  EXPECT_EQ(next.compared(), std::vector{moved});
  const RunId new_run = next.add(made({ScheduleKind::kGreedy}));
  EXPECT_NE(new_run, moved.run);
  EXPECT_EQ(workspace_.find(new_run), nullptr);
}

TEST_F(WorkspaceTest, ADraftIsWorthKeepingOnceItIsNoMereCopy) {
  WorkspaceDraft draft = test::draft_of(*network().document.graph);
  Workspace edited = workspace_;
  edited.set_draft(network_, draft);
  EXPECT_TRUE(edited.asked_for());
  draft.schedule = draft.start;
  edited.set_draft(network_, draft);
  EXPECT_TRUE(edited.asked_for()) << "its locks";
  draft.locked.clear();
  edited.set_draft(network_, draft);
  EXPECT_FALSE(edited.asked_for());
  EXPECT_FALSE(network().draft) << "a snapshot stays as it is";
}

TEST_F(WorkspaceTest, WhatIsMadeByHandGoesWithItsGraph) {
  workspace_.set_draft(network_, test::draft_of(*network().document.graph));
  workspace_.set_warm_start(network_, WorkspaceWarmStart{.schedule = network().draft->schedule});
  EXPECT_TRUE(workspace_.asked_for());
  workspace_.set_document(network_, test::network_of(test::fork_join(3), "").document);
  EXPECT_TRUE(network().draft) << "the same graph, read again";
  workspace_.set_document(network_, test::network_of(test::fork_join(4), "").document);
  EXPECT_FALSE(network().draft);
  EXPECT_FALSE(network().warm_start);
}

TEST_F(WorkspaceTest, AColumnOfValuesGoesWithItsUnitsByName) {
  const std::size_t units = network().document.graph->units().size();
  UnitColumn column{"memory", "m.csv", ColumnJoin::kSum, std::vector<std::optional<double>>(units)};
  column.values[1] = 2.5;
  workspace_.set_column(network_, std::make_shared<const UnitColumn>(column));
  EXPECT_TRUE(workspace_.asked_for());
  workspace_.set_document(network_, test::network_of(test::fork_join(3), "").document);
  EXPECT_EQ(*network().column, column) << "the same graph, read again";
  workspace_.set_document(network_, test::network_of(test::fork_join(4), "").document);
  ASSERT_TRUE(network().column);
  EXPECT_EQ(network().column->values.size(), network().document.graph->units().size());
  EXPECT_EQ(network().column->values[1], 2.5);
}

TEST_F(WorkspaceTest, WhatIsMadeByHandStaysWhereItFits) {
  const Graph& graph = *network().document.graph;
  WorkspaceDraft draft = test::draft_of(graph);
  workspace_.set_draft(network_, draft);
  EXPECT_EQ(carried(draft, graph, graph), draft);
  EXPECT_FALSE(carried(draft, graph, test::fork_join(4)));
}

TEST_F(WorkspaceTest, AFileThatChangedMeanwhileIsAnOlderOne) {
  EXPECT_FALSE(workspace_.of_older_file(network_));
  workspace_.set_changed_since(network_);
  EXPECT_TRUE(workspace_.of_older_file(network_));
  workspace_.set_document(network_, network().document);
  EXPECT_FALSE(workspace_.of_older_file(network_)) << "it is as it was again";
}

TEST_F(WorkspaceTest, WhatWasDrawnIsNotOlderThanItsOriginalOpenedAgain) {
  const auto add = [&](bool drawn) {
    WorkspaceNetwork version = network();
    version.drawn = drawn;
    return workspace_.add(std::move(version));
  };
  const NetworkId drawn = add(true);
  EXPECT_TRUE(workspace_.of_older_file(network_));
  const NetworkId again = add(false);
  EXPECT_FALSE(workspace_.of_older_file(drawn));
  EXPECT_FALSE(workspace_.of_older_file(again));
  add(true);
  EXPECT_TRUE(workspace_.of_older_file(drawn));
}

TEST(WorkspaceRecordings, AreOneOfAFileAndGetOtherIdsInTheNextWorkspace) {
  Workspace first;
  const RecordingId a = first.add(WorkspaceRecording{.file = "a.json"});
  EXPECT_EQ(first.add(WorkspaceRecording{.file = "a.json", .choices = {.step = 1}}), a);
  ASSERT_EQ(first.recordings().size(), 1U);
  EXPECT_EQ(first.recordings()[0].choices.step, 1U);
  // One with an id may have another file: it was found elsewhere.
  EXPECT_EQ(first.add(WorkspaceRecording{.id = a, .file = "b.json"}), a);
  EXPECT_EQ(first.find(a)->file, "b.json");
  first.set_shown_recording(a);
  Workspace next;
  next.set_shown_recording(next.add(WorkspaceRecording{.file = "c.json"}));
  next.continue_ids(first);
  EXPECT_EQ(next.find(a), nullptr);
  EXPECT_EQ(next.find(next.shown_recording())->file, "c.json");
  next.remove(next.shown_recording());
  EXPECT_FALSE(next.shown_recording().valid());
}

TEST(FreeScheduleName, IsNoScheduleKindsAndNobodyElses) {
  EXPECT_EQ(free_schedule_name("mine", {}), "mine");
  EXPECT_EQ(free_schedule_name("greedy", {}), "greedy (file)");
  Schedule taken{.name = "mine"};
  EXPECT_EQ(free_schedule_name("mine", {taken}), "mine (file)");
}

TEST(Workspace, AnEditMatchesWhatOthersRecordedAgain) {
  Workspace workspace;
  const NetworkId network = workspace.add(test::network_of(test::fork_join(8), "fork"));
  ExternalRun run;
  for (const Operator& op : workspace.find(network)->document.graph->operators()) {
    run.entries.push_back({.name = op.name, .duration = Millis(1)});
  }
  match_operators(run, *workspace.find(network)->document.graph);
  workspace.add({.network = network, .run = std::make_shared<const ExternalRun>(run)});
  workspace.set_document(network, test::network_of(test::fork_join(3), "fork").document);
  const Graph& graph = *workspace.find(network)->document.graph;
  const ExternalRun& again = *workspace.external().front().run;
  ASSERT_EQ(again.entries.size(), run.entries.size());
  for (const ExternalEntry& entry : again.entries) {
    for (const OperatorId op : entry.match.operators) {
      ASSERT_LT(op.index(), graph.operators().size()) << entry.name;
      if (entry.match.rule == MatchRule::kName) {
        EXPECT_EQ(graph.op(op).name, entry.name);
      }
    }
  }
  EXPECT_LT(again.matched_share(), 1);
  EXPECT_EQ(column_of_run(again, graph).values.size(), graph.units().size());
}

TEST(Workspace, KeepsWhatOthersRecordedWithItsNetwork) {
  Workspace workspace;
  const NetworkId first = workspace.add(test::network_of(test::fork_join(3), "fork"));
  const NetworkId second = workspace.add(test::network_of(test::fork_join(4), "wide"));
  const auto recorded = [](const char* label, const char* file) {
    auto run = std::make_shared<ExternalRun>();
    run->label = label;
    run->file = file;
    return run;
  };
  const ExternalId a = workspace.add({.network = first, .run = recorded("TensorRT", "a.csv")});
  const ExternalId b = workspace.add({.network = first, .run = recorded("TVM", "a.csv")});
  workspace.add({.network = second, .run = recorded("TensorRT", "a.csv")});
  EXPECT_EQ(workspace.external_of(first).size(), 2U);
  const ExternalId again = workspace.add({.network = first, .run = recorded("TensorRT", "a.csv")});
  EXPECT_NE(again, a) << "read again: it takes the old one's place";
  ASSERT_EQ(workspace.external_of(first).size(), 2U);
  EXPECT_EQ(workspace.external_of(first).front()->id, again);
  workspace.remove(b);
  EXPECT_EQ(workspace.external_of(first).size(), 1U);
  workspace.remove(first);
  EXPECT_EQ(workspace.external().size(), 1U);
  EXPECT_EQ(workspace.external_of(second).size(), 1U);
}

TEST(Workspace, ANetworkHasOneDrawing) {
  const auto drawn = [](const char* name) { return std::make_shared<const EditableGraph>(name); };
  Workspace workspace;
  const NetworkId network = workspace.add(test::network_of(test::fork_join(3), "fork"));
  EXPECT_FALSE(workspace.asked_for());
  const DrawingId loose = workspace.add(WorkspaceDrawing{.graph = drawn("loose")});
  EXPECT_TRUE(workspace.asked_for());
  const DrawingId first = workspace.add(WorkspaceDrawing{.network = network, .graph = drawn("first")});
  EXPECT_EQ(workspace.add(WorkspaceDrawing{.id = first, .network = network, .graph = drawn("later")}), first);
  ASSERT_EQ(workspace.drawings().size(), 2U);
  EXPECT_EQ(workspace.find(first)->graph->name(), "later");
  // What nothing could be computed of has become that network.
  EXPECT_EQ(workspace.add(WorkspaceDrawing{.id = loose, .network = network, .graph = drawn("loose")}), loose);
  EXPECT_EQ(workspace.find(first), nullptr);
  ASSERT_EQ(workspace.drawings().size(), 1U);

  Workspace next;
  const NetworkId other = next.add(test::network_of(test::fork_join(3), "fork"));
  const DrawingId own = next.add(WorkspaceDrawing{.network = other, .graph = drawn("own")});
  ASSERT_EQ(own, loose);  // the same number, before it takes the other one's place
  next.continue_ids(workspace);
  EXPECT_EQ(next.find(loose), nullptr);
  ASSERT_EQ(next.drawings().size(), 1U);
  EXPECT_EQ(next.drawings().front().network, next.networks().front().id);

  next.remove(next.networks().front().id);
  EXPECT_TRUE(next.drawings().empty());
}

}  // namespace
}  // namespace iosx
