#include "core/documents/project/project_file.h"

#include "core/documents/run_file/archive.h"
#include "core/formats/external/read_external.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/convert.h"
#include "core/model/edit/operators.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "tests/documents/project/made_up.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

Workspace two_networks() {
  Workspace workspace;
  WorkspaceNetwork fork = test::network_of(test::fork_join(3), "fork");
  fork.sizes.dims["height"] = 640;
  fork.sizes.shapes["x"] = {1, 3, 640, 640};
  Schedule own = one_by_one_schedule(*fork.document.graph);
  own.name = "mine";
  fork.given.push_back(own);
  const NetworkId first = workspace.add(std::move(fork));
  WorkspaceNetwork wide = test::network_of(test::fork_join(5), "/somewhere/wide.onnx");
  wide.draft = test::draft_of(*wide.document.graph);
  wide.warm_start = {.schedule = wide.draft->schedule, .fingerprint = "some V100", .batch = 4, .cost = Millis(1.25)};
  wide.column = std::make_shared<const UnitColumn>(
      UnitColumn{"error <max>", "/tables/q.csv", ColumnJoin::kLargest, {0.5, {}, -2.25, 1e-9, {}, 0, 7}});
  const NetworkId second = workspace.add(std::move(wide));
  const RunId a = workspace.add({.network = first,
                                 .run = test::run_on(*workspace.find(first), {ScheduleKind::kIosBoth}),
                                 .note = "before the change"});
  workspace.add({.network = second, .run = test::run_on(*workspace.find(second), {ScheduleKind::kGreedy}, 4)});
  const Choice best{a, workspace.find(a)->run->comparison.results.front().id};
  workspace.set_baseline(best);
  workspace.set_compared(best, true);
  workspace.set_shown(best);
  workspace.set_notes("what <b>we</b> tried");
  return workspace;
}

TEST(ProjectFile, BringsEverythingBack) {
  const Workspace saved = two_networks();
  const auto opened = must(project_from_bytes(project_to_bytes(saved), "p"));
  ASSERT_EQ(opened.networks().size(), 2U);
  ASSERT_EQ(opened.runs().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const WorkspaceNetwork& was = saved.networks()[i];
    const WorkspaceNetwork& is = opened.networks()[i];
    EXPECT_TRUE(same_structure(*is.document.graph, *was.document.graph));
    EXPECT_EQ(is.source, was.source);
    EXPECT_EQ(is.sizes, was.sizes);
    EXPECT_EQ(is.given, was.given);
    EXPECT_EQ(is.draft, was.draft);
    EXPECT_EQ(is.warm_start, was.warm_start);
    ASSERT_EQ(is.column == nullptr, was.column == nullptr);
    if (is.column) {
      EXPECT_EQ(*is.column, *was.column);
    }
    const Comparison& before = saved.runs()[i].run->comparison;
    const Comparison& after = opened.runs()[i].run->comparison;
    EXPECT_EQ(after.batch, before.batch);
    ASSERT_EQ(after.results.size(), before.results.size());
    for (std::size_t k = 0; k < before.results.size(); ++k) {
      EXPECT_EQ(after.results[k].schedule, before.results[k].schedule);
      EXPECT_EQ(after.results[k].latency.value, before.results[k].latency.value);
    }
    EXPECT_TRUE(opened.runs()[i].recorded);
    EXPECT_THAT(after.recorded, HasSubstr("recorded on"));
    EXPECT_EQ(opened.runs()[i].note, saved.runs()[i].note);
  }
  EXPECT_EQ(opened.baseline()->schedule, saved.baseline()->schedule);
  EXPECT_EQ(opened.compared().size(), 1U);
  EXPECT_EQ(opened.find(*opened.shown())->schedule, saved.find(*saved.shown())->schedule);
  EXPECT_EQ(opened.notes(), saved.notes());
  // What was read is written as the same bytes, but for the mark that nothing of it was made here.
  EXPECT_EQ(project_to_bytes(opened), project_to_bytes(saved));
}

ExternalRun profile_of(const Graph& graph) {
  std::string text = "[";
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    text += fmt::format(R"({}{{"ph":"X","name":"{}","cat":"Node","pid":1,"tid":{},"ts":{},"dur":90}})",
                        i == 0 ? "" : ",", graph.operators()[i].name, i % 2, 100 * i);
  }
  return must(read_external_text(text + "]", "folder/times.json", "TensorRT \xFF <10>", {.graph = &graph})).front();
}

TEST(ProjectFile, KeepsWhatOthersRecorded) {
  Workspace saved = two_networks();
  const NetworkId second = saved.networks()[1].id;
  const Graph& graph = *saved.networks()[1].document.graph;
  const ExternalRun profile = profile_of(graph);
  ASSERT_GT(profile.matched_share(), 0.8);  // all but the input
  saved.add({.network = second, .run = std::make_shared<const ExternalRun>(profile)});
  const auto opened = must(project_from_bytes(project_to_bytes(saved), "p"));
  ASSERT_EQ(opened.external().size(), 1U);
  EXPECT_EQ(opened.external().front().network, opened.networks()[1].id);
  const ExternalRun& is = *opened.external().front().run;
  EXPECT_EQ(is.label, profile.label);
  EXPECT_EQ(is.tool, profile.tool);
  EXPECT_EQ(is.file, profile.file);
  EXPECT_EQ(is.latency.value, profile.latency.value);
  EXPECT_EQ(is.latency.origin, Origin::kRecorded);
  EXPECT_EQ(is.trace, profile.trace);
  EXPECT_EQ(is.of_kernel, profile.of_kernel);
  ASSERT_EQ(is.entries.size(), profile.entries.size());
  for (std::size_t i = 0; i < is.entries.size(); ++i) EXPECT_EQ(is.entries[i].match, profile.entries[i].match);
}

TEST(ProjectFile, KeepsFilesAndChoicesOfRecordings) {
  Workspace saved = two_networks();
  const RecordingChoices choices{
      .with = {"/run/run.et.json", "/run/graph.dot"}, .step = 2, .range = "my step", .device = 1, .share = 0.25};
  saved.add(WorkspaceRecording{.file = "/run/run.trace.json.gz", .choices = choices});
  saved.set_shown_recording(saved.add(WorkspaceRecording{.file = "/run/other.sqlite"}));
  const auto opened = must(project_from_bytes(project_to_bytes(saved), "p"));
  ASSERT_EQ(opened.recordings().size(), 2U);
  EXPECT_EQ(opened.recordings()[0].file, "/run/run.trace.json.gz");
  EXPECT_EQ(opened.recordings()[0].choices, choices);
  EXPECT_EQ(opened.recordings()[0].opened, nullptr);
  EXPECT_EQ(opened.recordings()[1].choices, RecordingChoices());
  EXPECT_EQ(opened.shown_recording(), opened.recordings()[1].id);
}

TEST(ProjectFile, ExternalRunsThatAreNotConsistentAreRefused) {
  const Workspace saved = two_networks();
  const Graph& graph = *saved.networks()[1].document.graph;
  ExternalRun run = profile_of(graph);
  ASSERT_TRUE(external_from_json(external_to_json(run), "f", graph));
  run.latency.origin = Origin::kMeasured;
  EXPECT_EQ(external_from_json(external_to_json(run), "f", graph)->latency.origin, Origin::kRecorded);
  const auto refused = [&](auto change, const char* why) {
    ExternalRun broken = run;
    change(broken);
    const auto read = external_from_json(external_to_json(broken), "f", graph);
    ASSERT_FALSE(read) << why;
    EXPECT_THAT(read.error().text(), HasSubstr(why));
  };
  refused([](ExternalRun& one) { one.of_kernel.front() = 1000; }, "kernel that belongs to no entry");
  refused([](ExternalRun& one) { one.of_kernel.pop_back(); }, "does not name one entry per kernel");
  refused([](ExternalRun& one) { one.trace.kernels.front().lane = 99; }, "lane that does not exist");
  EXPECT_FALSE(external_from_json("{", "f", graph));
  EXPECT_FALSE(external_from_json(R"({"format":"iosx-external-run","version":4,"content":{}})", "f", graph));
}

// Of a network, with one operator put somewhere and another cut off; and one of which nothing can be computed.
Workspace with_drawings() {
  Workspace workspace = two_networks();
  const WorkspaceNetwork& fork = workspace.networks().front();
  EditableGraph changed = editable(*fork.document.graph);
  const OperatorKey first = changed.operators()[1].first;
  EditOperator moved = changed.op(first);
  moved.place = CanvasPlace{12.5, -3};
  changed.set(first, moved);
  apply(changed, disconnect(changed, changed.operators()[2].first, 0).value());
  workspace.add(WorkspaceDrawing{
      .network = fork.id, .source = "fork", .graph = std::make_shared<const EditableGraph>(std::move(changed))});
  EditableGraph loose("loose \xFF <ends>");
  apply(loose, add_operator(loose, Activate{}, CanvasPlace{1, 2}).patch);
  workspace.add(
      WorkspaceDrawing{.source = "graph 1", .graph = std::make_shared<const EditableGraph>(std::move(loose))});
  return workspace;
}

TEST(ProjectFile, KeepsWhatIsDrawn) {
  const Workspace saved = with_drawings();
  const auto opened = must(project_from_bytes(project_to_bytes(saved), "p"));
  ASSERT_EQ(opened.drawings().size(), 2U);
  EXPECT_EQ(opened.drawings()[0].network, opened.networks()[0].id);
  EXPECT_FALSE(opened.drawings()[1].network.valid());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(opened.drawings()[i].source, saved.drawings()[i].source);
    EXPECT_EQ(edit_to_text(*opened.drawings()[i].graph), edit_to_text(*saved.drawings()[i].graph));
  }
  EXPECT_EQ(opened.drawings()[0].graph->operators()[1].second->place, (CanvasPlace{12.5, -3}));
  EXPECT_EQ(project_to_bytes(opened), project_to_bytes(saved));
}

TEST(ProjectFile, WritesNoHeapsOfWeightsOfADrawing) {
  Workspace workspace;
  EditableGraph graph("heavy");
  EditOperator constant{.name = "c", .attributes = Constant{Shape{1024, 1025}}, .inputs = {}};
  constant.weights = Tensor({1024, 1025}, std::vector<float>(1024 * 1025, 0.5F));
  graph.add(constant);
  workspace.add(WorkspaceDrawing{.graph = std::make_shared<const EditableGraph>(graph)});
  const std::string bytes = project_to_bytes(workspace);
  EXPECT_LT(bytes.size(), 100'000U);
  EXPECT_TRUE(project_from_bytes(bytes, "p")->drawings().front().graph->operators()[0].second->weights.empty());
  EXPECT_FALSE(graph.operators()[0].second->weights.empty());
  constant.weights = Tensor({2}, {1.5F, 2.5F});
  constant.attributes = Constant{Shape{2}};
  EditableGraph few("few");
  few.add(constant);
  Workspace other;
  other.add(WorkspaceDrawing{.graph = std::make_shared<const EditableGraph>(few)});
  const auto back = project_from_bytes(project_to_bytes(other), "p");
  EXPECT_EQ(back->drawings().front().graph->operators()[0].second->weights.elements()[1], 2.5F);
}

TEST(ProjectFile, IsKnownByNameOrFirstBytes) {
  const fs::path folder = fs::temp_directory_path() / ("iosx-project-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  ASSERT_TRUE(save_project(two_networks(), folder / "named-otherwise"));
  EXPECT_EQ(file_kind(folder / "named-otherwise"), FileKind::kProject);
  EXPECT_NE(file_kind(folder / "named-otherwise"), FileKind::kRun);
  EXPECT_EQ(file_kind("not there.iosproj"), FileKind::kProject);
  EXPECT_NE(file_kind(folder / "not there"), FileKind::kProject);
  EXPECT_TRUE(open_project(folder / "named-otherwise"));
  fs::remove_all(folder);
}

TEST(ProjectFile, WhatIsKeptKnowsItsFile) {
  const fs::path folder = fs::temp_directory_path() / ("iosx-kept-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const KeptOf of{.file = "/somewhere/nets \xFF.iosproj", .changed = false};
  ASSERT_TRUE(keep_project(two_networks(), of, folder / "kept.iosproj"));
  EXPECT_EQ(fs::status(folder / "kept.iosproj").permissions(), fs::perms(0600));
  const auto kept = must(open_kept_project(folder / "kept.iosproj"));
  EXPECT_EQ(kept.workspace.runs().size(), 2U);
  EXPECT_EQ(kept.of, of);
  EXPECT_TRUE(open_project(folder / "kept.iosproj")) << "a project like any other";
  ASSERT_TRUE(save_project(two_networks(), folder / "saved.iosproj"));
  EXPECT_EQ(must(open_kept_project(folder / "saved.iosproj")).of, KeptOf());
  EXPECT_FALSE(open_kept_project(folder / "gone.iosproj"));
  fs::remove_all(folder);
}

TEST(ProjectFile, SaysWhatIsWrong) {
  EXPECT_THAT(project_from_bytes("hello", "p").error().text(), HasSubstr("is not a project file"));
  const std::string run = run_to_bytes(*two_networks().runs().front().run);
  EXPECT_FALSE(project_from_bytes(run, "p"));
  const std::string bytes = project_to_bytes(two_networks());
  for (std::size_t cut = 0; cut < bytes.size(); cut += bytes.size() / 50) {
    EXPECT_FALSE(project_from_bytes(std::string_view(bytes).substr(0, cut), "p")) << cut;
  }
  const std::string drawn = project_to_bytes(with_drawings());
  for (std::size_t at = 0; at < drawn.size(); at += drawn.size() / (400 / test::every(4))) {
    std::string changed = drawn;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    static_cast<void>(project_from_bytes(changed, "p"));
  }
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / (200 / test::every(4))) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    static_cast<void>(project_from_bytes(changed, "p"));  // whatever it answers, it must not crash
  }
}

// The entries of a project, one of them changed.
std::string with_project_json(const std::string& bytes, std::string_view from, std::string_view to) {
  std::string json = *unzip(bytes, "project.json", bytes.max_size(), "p");
  const auto at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  json.replace(at, from.size(), to);
  const std::string first = *unzip(bytes, "runs/0.json", bytes.max_size(), "p");
  const std::string second = *unzip(bytes, "runs/1.json", bytes.max_size(), "p");
  const std::vector<ArchiveEntry> entries{
      {"mimetype", kProjectMimeType, false}, {"project.json", json}, {"runs/0.json", first}, {"runs/1.json", second}};
  return zip(entries);
}

// A project whose only entry besides the project itself is a drawing, as somebody may make it up.
std::string with_drawing_json(std::string_view drawing, std::string_view from = "", std::string_view to = "") {
  Workspace workspace;
  workspace.add(WorkspaceDrawing{.graph = std::make_shared<const EditableGraph>("g")});
  std::string json = *unzip(project_to_bytes(workspace), "project.json", 1U << 20U, "p");
  if (!from.empty()) json.replace(json.find(from), from.size(), to);
  std::vector<ArchiveEntry> entries{{"mimetype", kProjectMimeType, false}, {"project.json", json}};
  if (!drawing.empty()) entries.push_back({"drawings/0.json", drawing});
  return zip(entries);
}

TEST(ProjectFile, OfEarlierVersionsHasNoRecordings) {
  const std::string bytes = project_to_bytes(two_networks());
  const std::string older = with_project_json(bytes, R"(,"recordings":[],"shown_recording":[])", "");
  const auto opened = must(project_from_bytes(older, "p"));
  EXPECT_EQ(opened.networks().size(), 2U);
  EXPECT_TRUE(opened.recordings().empty());
  EXPECT_FALSE(opened.shown_recording().valid());
}

TEST(ProjectFile, DrawingsThatAreNoneAreRefused) {
  const std::string good = edit_to_text(EditableGraph("g"));
  ASSERT_TRUE(project_from_bytes(with_drawing_json(good), "p"));
  const auto refused = [](const std::string& bytes) {
    const auto opened = project_from_bytes(bytes, "p");
    return opened ? std::string("accepted") : opened.error().text();
  };
  EXPECT_THAT(refused(with_drawing_json("")), HasSubstr("drawings/0.json"));
  EXPECT_THAT(refused(with_drawing_json("{\"operators\": 7}")), HasSubstr("p: drawings/0.json"));
  EXPECT_THAT(refused(with_drawing_json(good.substr(0, good.size() / 2))), HasSubstr("p: drawings/0.json"));
  EXPECT_THAT(refused(with_drawing_json(std::string(100, '['))), HasSubstr("p: drawings/0.json"));
  EXPECT_THAT(refused(with_drawing_json(good, R"("network":[])", R"("network":[0])")), HasSubstr("names no network"));
  EXPECT_NE(refused(with_drawing_json(good, R"("network":[])", R"("network":[-1])")), "accepted");
  EXPECT_THAT(refused(with_drawing_json("", R"(,"drawings":[{"network":[],"source":""}])", "")),
              HasSubstr("the key 'drawings' is missing"));
}

TEST(ProjectFile, WhatDoesNotFitTogetherIsRefused) {
  const std::string bytes = project_to_bytes(two_networks());
  const auto refused = [&](std::string_view from, std::string_view to) {
    const auto opened = project_from_bytes(with_project_json(bytes, from, to), "p");
    return opened ? std::string("accepted") : opened.error().text();
  };
  EXPECT_THAT(refused(R"("network":1)", R"("network":7)"), HasSubstr("names no network"));
  EXPECT_THAT(refused(R"("network":1)", R"("network":0)"), HasSubstr("run of another network"));
  EXPECT_THAT(refused(R"("version":4)", R"("version":99)"), HasSubstr("version 99"));
  EXPECT_THAT(refused(R"("version":4)", R"("version":3)"), HasSubstr("version 3"));
  EXPECT_THAT(refused(R"("locked":[0,1])", R"("locked":[0,3])"),
              HasSubstr("content.networks[1].draft.locked[1]: locks a stage that does not exist"));
  EXPECT_THAT(refused(R"("locked":[0,1])", R"("locked":[1,1])"), HasSubstr("content.networks[1].draft.locked[1]"));
  EXPECT_THAT(refused(R"("locked":[0,1])", R"("locked":[-1])"), HasSubstr("content.networks[1].draft.locked[0]"));
  EXPECT_THAT(refused(R"("draft":{"schedule":{)", R"("draft":{"other":{)"), HasSubstr("content.networks[1].draft"));
  EXPECT_THAT(refused(R"("schedule_kind":"greedy","title":"Greedy")", R"("schedule_kind":"guessed","title":"Greedy")"),
              HasSubstr("content.networks[1].draft.schedule_kind"));
  EXPECT_THAT(refused(R"("batch":4,"cost_ms":1.25)", R"("batch":0,"cost_ms":1.25)"),
              HasSubstr("content.networks[1].warm_start.batch"));
  EXPECT_THAT(refused(R"("batch":4,"cost_ms":1.25)", R"("batch":4,"cost_ms":-1)"),
              HasSubstr("content.networks[1].warm_start.cost_ms"));
  EXPECT_THAT(refused(R"([0.5,null,)", R"([)"),
              HasSubstr("content.networks[1].column.values: does not have one value per unit"));
  EXPECT_THAT(refused(R"([0.5,null,)", R"([1e305,null,)"), HasSubstr("column.values[0]: is too large"));
  EXPECT_THAT(refused(R"("join":"largest")", R"("join":"guessed")"), HasSubstr("content.networks[1].column.join"));
  // Projects of before have none.
  const auto older = must(project_from_bytes(with_project_json(bytes, R"("column":{)", R"("other":{)"), "p"));
  EXPECT_FALSE(older.networks()[1].column);
  // A choice of what is not there is none.
  const auto opened =
      project_from_bytes(with_project_json(bytes, R"("baseline":[{"run":0)", R"("baseline":[{"run":9)"), "p");
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_FALSE(opened->baseline());
}

TEST(ProjectFile, DraftsThatAreNotLegalAreRefused) {
  const auto refused = [](auto change) {
    Workspace workspace = two_networks();
    WorkspaceDraft draft = *workspace.networks()[1].draft;
    change(draft);
    workspace.set_draft(workspace.networks()[1].id, draft);
    const auto opened = project_from_bytes(project_to_bytes(workspace), "p");
    return opened ? std::string("accepted") : opened.error().text();
  };
  EXPECT_EQ(refused([](WorkspaceDraft&) {}), "accepted");
  const auto drop_stage = [](Schedule& schedule) { schedule.stages.pop_back(); };
  EXPECT_THAT(refused([&](WorkspaceDraft& draft) { drop_stage(draft.schedule); }),
              HasSubstr("p: content.networks[1].draft.schedule"));
  EXPECT_THAT(refused([&](WorkspaceDraft& draft) { drop_stage(draft.start); }),
              HasSubstr("p: content.networks[1].draft.start"));
  EXPECT_THAT(refused([](WorkspaceDraft& draft) { std::swap(draft.schedule.stages[0], draft.schedule.stages[1]); }),
              HasSubstr("p: content.networks[1].draft.schedule"));
  EXPECT_THAT(
      refused([](WorkspaceDraft& draft) { draft.schedule.stages[0].groups[0].steps[0].units.front() = UnitId(1000); }),
      HasSubstr("a unit that the graph does not have"));
  Workspace workspace = two_networks();
  WorkspaceWarmStart start = *workspace.networks()[1].warm_start;
  start.schedule.stages.pop_back();
  workspace.set_warm_start(workspace.networks()[1].id, start);
  EXPECT_THAT(project_from_bytes(project_to_bytes(workspace), "p").error().text(),
              HasSubstr("p: content.networks[1].warm_start.schedule"));
}

TEST(ProjectFile, LanesThatAreNotOfTheirKernelsAreRefused) {
  const auto opened = [](auto change) {
    Workspace workspace = two_networks();
    const WorkspaceNetwork& network = workspace.networks()[1];
    WorkspaceDraft draft = *network.draft;
    const auto kernels = lane_kernels(network.document.graph, draft.schedule, 2, {});
    const LaneSchedule lanes = named(same_lanes(kernels->staged), kernels->staged);
    draft.lanes = WorkspaceLanes{.lanes = lanes, .start = lanes, .batch = 2};
    change(*draft.lanes);
    workspace.set_draft(network.id, draft);
    auto read = project_from_bytes(project_to_bytes(workspace), "p");
    if (read) {
      EXPECT_EQ(read->networks()[1].draft, draft);
    }
    return read ? std::string("accepted") : read.error().text();
  };
  EXPECT_EQ(opened([](WorkspaceLanes&) {}), "accepted");
  EXPECT_THAT(opened([](WorkspaceLanes& kept) { kept.lanes.launches.pop_back(); }),
              HasSubstr("p: content.networks[1].draft.lanes.lanes"));
  EXPECT_THAT(opened([](WorkspaceLanes& kept) { kept.start.launches.front().name = "else"; }),
              HasSubstr("p: content.networks[1].draft.lanes.start"));
  EXPECT_THAT(opened([](WorkspaceLanes& kept) { std::ranges::reverse(kept.lanes.launches); }),
              HasSubstr("which it needs"));
  EXPECT_THAT(opened([](WorkspaceLanes& kept) { kept.lanes.launches.front().lane = kMostLanes; }),
              HasSubstr("content.networks[1].draft.lanes"));
  EXPECT_THAT(opened([](WorkspaceLanes& kept) { kept.batch = 0; }), HasSubstr("content.networks[1].draft.lanes.batch"));
}

}  // namespace
}  // namespace iosx
