#include "views/tables/project_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "core/analysis/compare/compare.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "views/app_model/search_watcher.h"

namespace iosx {
namespace {

class ProjectModelTest : public testing::Test {
 protected:
  ProjectModelTest() {
    network_ = add_network("diamond");
    run_ = add_run(network_);
    model_.setWorkspace(workspace_);
  }

  NetworkId add_network(const char* source) {
    WorkspaceNetwork network;
    network.document.graph = std::make_shared<const Graph>(test::diamond());
    network.source = source;
    return workspace_.add(std::move(network));
  }
  RunId add_run(NetworkId network, bool complete = true) {
    return workspace_.add({.network = network, .run = made(network, complete)});
  }
  std::shared_ptr<const iosx::Run> made(NetworkId network, bool complete) {
    test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), test::ScriptedKind::kGpu);
    CompareOptions options{
        .schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}};
    const Graph& graph = *workspace_.find(network)->document.graph;
    auto comparison = compare(graph, device, options, {});
    comparison->complete = complete;
    return std::make_shared<const iosx::Run>(
        make_run(std::move(*comparison), options, {"diamond", workspace_.find(network)->document.graph, true}, "1"));
  }
  std::string text(const QModelIndex& index, int column = 0) const {
    return model_.index(index.row(), column, index.parent()).data().toString().toStdString();
  }
  Choice greedy() const { return {run_, ScheduleId("greedy")}; }

  Workspace workspace_;
  NetworkId network_;
  RunId run_;
  ProjectModel model_;
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(ProjectModelTest, NetworksHaveRunsAndRunsHaveSchedules) {
  EXPECT_EQ(model_.rowCount(), 1);
  EXPECT_EQ(model_.rowCount(model_.indexOf(network_)), 1);
  const QModelIndex run = model_.indexOf(run_);
  ASSERT_EQ(model_.rowCount(run), 3);
  EXPECT_TRUE(text(run).find("Batch 1") != std::string::npos) << text(run);
  const QModelIndex row = model_.indexOf(greedy());
  EXPECT_EQ(row.parent(), run);
  EXPECT_EQ(model_.choice(row), greedy());
  EXPECT_EQ(text(row), "Greedy");
  EXPECT_EQ(text(row, ProjectModel::kLatency), "3.300");
  EXPECT_EQ(text(row, ProjectModel::kSpeedUp), "1.27");
  workspace_.set_baseline(greedy());
  model_.setWorkspace(workspace_);
  EXPECT_EQ(text(model_.indexOf(greedy())), "Greedy (baseline)");
  EXPECT_EQ(text(model_.indexOf(greedy()), ProjectModel::kSpeedUp), "1.00");
}

TEST_F(ProjectModelTest, RowsThatStayAreTheSameItems) {
  const QPersistentModelIndex row = model_.indexOf(greedy());
  QSignalSpy resets(&model_, &QAbstractItemModel::modelReset);
  const RunId partial = add_run(network_, false);
  const NetworkId other = add_network("other");
  model_.setWorkspace(workspace_);
  EXPECT_EQ(model_.rowCount(), 2);
  EXPECT_TRUE(text(model_.indexOf(partial)).starts_with("Partial"));
  EXPECT_EQ(row, model_.indexOf(greedy()));
  workspace_.remove(partial);
  workspace_.remove(other);
  model_.setWorkspace(workspace_);
  EXPECT_EQ(row, model_.indexOf(greedy()));
  EXPECT_EQ(resets.count(), 0);
  workspace_.remove(network_);
  model_.setWorkspace(workspace_);
  EXPECT_FALSE(row.isValid());
  EXPECT_EQ(model_.rowCount(), 0);
}

TEST_F(ProjectModelTest, WhatIsBeingMadeIsListedWithWhatItFound) {
  model_.setPending(ProjectModel::Pending{network_, QStringLiteral("Optimizing"), nullptr});
  const QModelIndex top = model_.indexOf(network_);
  ASSERT_EQ(model_.rowCount(top), 2);
  EXPECT_EQ(text(model_.index(1, 0, top)), "Optimizing");
  auto searches = std::make_shared<LiveSearches>();
  LiveSearch search{.schedule_kind = ScheduleKind::kIosMerge};
  search.history.push_back({.best = Millis(0)});  // it has listed, and found nothing yet
  searches->searches.push_back(search);
  model_.setPending(ProjectModel::Pending{network_, QStringLiteral("Optimizing"), searches});
  EXPECT_EQ(text(model_.index(0, 0, model_.index(1, 0, top)), ProjectModel::kLatency), "");
  searches = std::make_shared<LiveSearches>();
  search.history.push_back({.best = Millis(1.25)});
  searches->searches.push_back(search);
  model_.setPending(ProjectModel::Pending{network_, QStringLiteral("Optimizing"), searches});
  const QModelIndex pending = model_.index(1, 0, top);
  ASSERT_EQ(model_.rowCount(pending), 1);
  EXPECT_EQ(text(model_.index(0, 0, pending)), "IOS-Merge");
  EXPECT_EQ(text(model_.index(0, 0, pending), ProjectModel::kLatency), "≈ 1.250");
  model_.setPending({});
  EXPECT_EQ(model_.rowCount(top), 1);
}

TEST_F(ProjectModelTest, ABaselineIsOfItsNetworkAndBatch) {
  const auto add = [this](std::int64_t batch, double ms, Origin origin) {
    auto run = std::make_shared<iosx::Run>(*made(network_, true));
    run->comparison.batch = batch;
    run->comparison.device.origin = origin;
    for (ScheduleResult& each : run->comparison.results) {
      each.latency = Latency{Millis(ms), Millis(0), 1, origin};
      each.rounds.clear();
    }
    return workspace_.add({.network = network_, .run = run});
  };
  const RunId one = add(1, 2, Origin::kSimulated);
  const RunId eight = add(8, 8, Origin::kSimulated);
  const RunId measured = add(8, 4, Origin::kMeasured);
  const NetworkId other = add_network("other.onnx");
  const RunId elsewhere = add_run(other);
  const auto speed_up = [&](RunId run) {
    return text(model_.index(0, 0, model_.indexOf(run)), ProjectModel::kSpeedUp);
  };
  const auto choose = [&](RunId run) {
    workspace_.set_baseline(Choice{run, workspace_.find(run)->run->comparison.results.front().id});
    model_.setWorkspace(workspace_);
  };
  choose(eight);
  EXPECT_EQ(speed_up(eight), "1.00");
  EXPECT_EQ(speed_up(measured), "2.00 ?") << "of one run";
  EXPECT_EQ(speed_up(one), "1.00") << "against its own sequential schedule";
  EXPECT_EQ(speed_up(elsewhere), "1.00") << "the same";
  choose(elsewhere);
  EXPECT_EQ(speed_up(measured), "1.00");
}

// A narrow panel cuts the end of a row.
TEST_F(ProjectModelTest, WhatTellsRunsApartStandsFirst) {
  const std::string alone = text(model_.indexOf(run_));
  const auto other = std::make_shared<iosx::Run>(*made(network_, true));
  other->place.when += std::chrono::hours(48);
  other->comparison.device.name = workspace_.find(run_)->run->comparison.device.name;
  const RunId second = workspace_.add({.network = network_, .run = other});
  model_.setWorkspace(workspace_);
  const std::string device = other->comparison.device.name;
  const std::string row = text(model_.indexOf(second));
  EXPECT_LT(alone.find(device), alone.find(':')) << alone << ": alone the time is last";
  EXPECT_GT(row.find(device), row.find(':')) << row;
}

TEST_F(ProjectModelTest, RunsOfTheSameMinuteAreNumbered) {
  EXPECT_EQ(text(model_.indexOf(run_)).find("run 1"), std::string::npos);
  const auto again = std::make_shared<iosx::Run>(*workspace_.find(run_)->run);
  const RunId second = workspace_.add({.network = network_, .run = again});
  auto other = std::make_shared<iosx::Run>(*again);
  other->options.search.pruning.r = 1;
  const RunId third = workspace_.add({.network = network_, .run = other});
  model_.setWorkspace(workspace_);
  EXPECT_TRUE(text(model_.indexOf(run_)).starts_with("Batch 1 · run 1")) << text(model_.indexOf(run_));
  EXPECT_TRUE(text(model_.indexOf(second)).starts_with("Batch 1 · run 2")) << text(model_.indexOf(second));
  EXPECT_EQ(text(model_.indexOf(third)).find("run "), std::string::npos) << "its limits tell it apart";
}

TEST_F(ProjectModelTest, WhatIsBeingMadeHasOneRowWithItsProgress) {
  auto searches = std::make_shared<LiveSearches>();
  for (const ScheduleKind schedule_kind : {ScheduleKind::kIosMerge, ScheduleKind::kSequential})
    searches->searches.push_back({schedule_kind, {}, {}});
  model_.setPending(ProjectModel::Pending{network_, QStringLiteral("Optimizing"), searches});
  const QModelIndex top = model_.indexOf(network_);
  EXPECT_EQ(model_.pendingIndex(), model_.index(1, 0, top));
  model_.setProgress(62);
  EXPECT_EQ(text(model_.pendingIndex()), "Optimizing, 62 %");
  // From its first schedules on the run itself is that row.
  const RunId growing = workspace_.add({.network = network_, .run = made(network_, false), .growing = true});
  model_.setWorkspace(workspace_);
  ASSERT_EQ(model_.rowCount(top), 2);
  const QModelIndex row = model_.pendingIndex();
  EXPECT_EQ(row, model_.indexOf(growing));
  EXPECT_TRUE(text(row).starts_with("Running, 62 %: ")) << text(row);
  const int results = static_cast<int>(workspace_.find(growing)->run->comparison.results.size());
  ASSERT_EQ(model_.rowCount(row), results + 1) << "sequential has been run already";
  EXPECT_EQ(text(model_.index(results, 0, row)), "IOS-Merge");
  EXPECT_EQ(model_.row(model_.index(results, 0, row)).kind, ProjectModel::Kind::kFound);
  workspace_.remove(growing);
  model_.setWorkspace(workspace_);
  model_.setPending({});
  EXPECT_FALSE(model_.pendingIndex().isValid());
  EXPECT_EQ(model_.rowCount(top), 1);
}

TEST_F(ProjectModelTest, SchedulesArePickedAndRunsNoted) {
  const QModelIndex row = model_.indexOf(greedy());
  EXPECT_FALSE(row.data(Qt::CheckStateRole).isValid());
  model_.setPicking(true);
  EXPECT_EQ(row.data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
  QSignalSpy picked(&model_, &ProjectModel::picked);
  EXPECT_TRUE(model_.setData(row, Qt::Checked, Qt::CheckStateRole));
  EXPECT_EQ(picked.count(), 1);
  EXPECT_EQ(row.data(Qt::CheckStateRole).toInt(), Qt::Unchecked) << "what is shown decides";
  const QString title = row.data().toString();
  model_.setCompared({{greedy()}, {}, greedy()});
  EXPECT_EQ(row.data(Qt::CheckStateRole).toInt(), Qt::Checked);
  EXPECT_EQ(row.data().toString(), QStringLiteral("B: ") + title);
  model_.setCompared({{greedy()}, greedy(), {}});
  EXPECT_EQ(row.data().toString(), QStringLiteral("A: ") + title);
  model_.setCompared({{}, {}, {}});
  EXPECT_EQ(row.data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
  EXPECT_EQ(row.data().toString(), title);
  QSignalSpy noted(&model_, &ProjectModel::noted);
  EXPECT_TRUE(model_.setData(model_.indexOf(run_), QStringLiteral("  why \n not ")));
  EXPECT_EQ(noted.front().at(1).toString(), "why not");
  EXPECT_FALSE(model_.setData(row, QStringLiteral("no")));
}

}  // namespace
}  // namespace iosx
