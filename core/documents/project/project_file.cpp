#include "core/documents/project/project_file.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <utility>

#include "core/base/json/text_file.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/archive.h"
#include "core/documents/run_file/comparison_fields.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/graph_wire.h"
#include "core/formats/wire/message_fields.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

namespace wire {
namespace {

struct ShapeRecord {
  std::string input;
  std::vector<std::int64_t> sizes;
};
IOS_FIELDS(ShapeRecord, all, field("input", x.input), field("sizes", x.sizes, 1, kMostExact));
struct DimRecord {
  std::string name;
  std::int64_t size = 1;
};
IOS_FIELDS(DimRecord, all, field("name", x.name), field("size", x.size, 1, kMostExact));

struct NetworkRecord {
  std::string source;
  std::vector<ShapeRecord> shapes;  // given sizes of inputs
  std::vector<DimRecord> dims;      // and of open dimensions
  GraphRecord graph;
  bool batched = true;
  std::int64_t batch = 1;
  bool own_weights = false;
  std::vector<Schedule> given;
  bool drawn = false;
  std::optional<WorkspaceDraft> draft;
  std::optional<WorkspaceWarmStart> warm_start;
  std::optional<UnitColumn> column;
};
IOS_FIELDS(NetworkRecord, all, field("source", x.source), field("shapes", x.shapes), field("dims", x.dims),
           field("graph", x.graph), field("batched", x.batched), field("batch", x.batch, 1, kMaxBatch),
           field("own_weights", x.own_weights), field("given", x.given), field("drawn", x.drawn),
           field("draft", x.draft), field("warm_start", x.warm_start), later(field("column", x.column)));

struct KeptRunRecord {
  std::size_t network = 0;
  bool automatic = false;
  std::string note;
};
IOS_FIELDS(KeptRunRecord, all, not_negative("network", x.network), field("automatic", x.automatic),
           field("note", x.note));

struct KeptExternalRecord {
  std::size_t network = 0;
};
IOS_FIELDS(KeptExternalRecord, all, not_negative("network", x.network));

struct KeptDrawingRecord {
  std::vector<std::size_t> network;  // one at most
  std::string source;
};
IOS_FIELDS(KeptDrawingRecord, all, not_negative("network", x.network), field("source", x.source));

struct KeptRecordingRecord {
  std::string file;
  RecordingChoices choices;
};
IOS_FIELDS(KeptRecordingRecord, all, field("file", x.file), field("choices", x.choices));

struct ChoiceRecord {
  std::size_t run = 0;
  ScheduleId schedule;
};
IOS_FIELDS(ChoiceRecord, all, not_negative("run", x.run), field("schedule", x.schedule));

struct ProjectRecord {
  std::vector<NetworkRecord> networks;
  std::vector<KeptRunRecord> runs;
  std::vector<ChoiceRecord> baseline;  // one at most
  std::vector<ChoiceRecord> compared;
  std::vector<ChoiceRecord> shown;  // one at most
  std::string notes;
  std::vector<KeptExternalRecord> external;
  std::vector<KeptDrawingRecord> drawings;
  std::vector<KeptRecordingRecord> recordings;
  std::vector<std::size_t> shown_recording;  // one at most
};
IOS_FIELDS(ProjectRecord, all, field("networks", x.networks), field("runs", x.runs), field("baseline", x.baseline),
           field("compared", x.compared), field("shown", x.shown), field("notes", x.notes),
           field("external", x.external), field("drawings", x.drawings), later(field("recordings", x.recordings)),
           later(not_negative("shown_recording", x.shown_recording)));

}  // namespace

IOS_FIELDS(WorkspaceLanes, all, field("lanes", x.lanes), field("start", x.start), field("lowering", x.lowering),
           field("batch", x.batch, 1, kMaxBatch));
IOS_FIELDS(WorkspaceDraft, all, field("schedule", x.schedule), not_negative("locked", x.locked),
           field("start", x.start), field("schedule_kind", x.schedule_kind), field("title", x.title),
           later(field("lanes", x.lanes)));

IOS_FIELDS(RecordingChoices, all, field("with", x.with), not_negative("step", x.step), field("range", x.range),
           field("device", x.device), field("share", x.share));

IOS_FIELDS(WorkspaceWarmStart, all, field("schedule", x.schedule), field("fingerprint", x.fingerprint),
           field("batch", x.batch, 1, kMaxBatch), not_negative("cost_ms", x.cost), field("used", x.used));
inline std::string_view word(Spelled<ColumnJoin> x) { return join_name(x.value); }
IOS_FIELDS(UnitColumn, all, field("title", x.title), field("file", x.file), field("join", x.join),
           field("values", x.values));
IOS_FIELDS(KeptOf, all, field("file", x.file), field("changed", x.changed), field("networks", x.networks));

}  // namespace wire

namespace {

constexpr std::string_view kFormat = "iosx-project";
constexpr std::string_view kProjectEntry = "project.json";
constexpr std::string_view kRuns = "runs";
constexpr std::string_view kExternal = "external";
constexpr std::string_view kDrawings = "drawings";
constexpr std::string_view kExternalFormat = "iosx-external-run";
constexpr std::string_view kKeptFormat = "iosx-kept-project";
constexpr std::string_view kKeptEntry = "kept.json";
constexpr std::size_t kMostKeptBytes = std::size_t{1} << 20U;
constexpr std::size_t kMostNumbers = std::size_t{1} << 20U;  // given weights of a drawing
constexpr std::size_t kMostBytes = std::size_t{512} << 20U;  // of project.json

std::string entry_name(std::string_view folder, std::size_t index) { return fmt::format("{}/{}.json", folder, index); }

// Weights are made up again where the given ones are too many to write down, as those of networks are.
std::string drawing_text(const EditableGraph& graph) {
  std::size_t numbers = 0;
  for (const auto& [key, op] : graph.operators()) numbers += op->weights.elements().size() + op->bias.elements().size();
  if (numbers <= kMostNumbers) return edit_to_text(graph);
  EditableGraph light = graph;
  for (const auto& [key, op] : graph.operators()) {
    if (op->weights.empty() && op->bias.empty()) continue;
    EditOperator without = *op;
    without.weights = without.bias = {};
    light.set(key, std::move(without));
  }
  return edit_to_text(light);
}

template <typename Items, typename Key>
std::size_t index_of(const Items& items, Key id) {
  return static_cast<std::size_t>(std::ranges::find(items, id, &Items::value_type::id) - items.begin());
}

wire::NetworkRecord record_of(const WorkspaceNetwork& network) {
  wire::NetworkRecord record{
      .source = network.source,
      .shapes = {},
      .dims = {},
      .graph = wire::record_of(*network.document.graph),
      .batched = network.document.batched,
      .batch = network.document.batch,
      .own_weights = network.weights_left_behind || has_numbers_of_its_own(*network.document.graph),
      .given = network.given,
      .drawn = network.drawn,
      .draft = network.draft,
      .warm_start = network.warm_start,
      .column = network.column ? std::optional(*network.column) : std::nullopt};
  for (const auto& [input, sizes] : network.sizes.shapes) record.shapes.push_back({input, sizes});
  for (const auto& [name, size] : network.sizes.dims) record.dims.push_back({name, size});
  return record;
}

wire::ProjectRecord record_of(const Workspace& workspace) {
  wire::ProjectRecord record;
  for (const WorkspaceNetwork& network : workspace.networks()) record.networks.push_back(record_of(network));
  for (const WorkspaceRun& run : workspace.runs()) {
    record.runs.push_back({index_of(workspace.networks(), run.network), run.automatic, run.note});
  }
  for (const WorkspaceExternal& external : workspace.external()) {
    record.external.push_back({index_of(workspace.networks(), external.network)});
  }
  for (const WorkspaceDrawing& drawing : workspace.drawings()) {
    wire::KeptDrawingRecord kept{.network = {}, .source = drawing.source};
    if (drawing.network.valid()) kept.network.push_back(index_of(workspace.networks(), drawing.network));
    record.drawings.push_back(std::move(kept));
  }
  for (const WorkspaceRecording& recording : workspace.recordings()) {
    record.recordings.push_back({recording.file, recording.choices});
  }
  if (workspace.shown_recording().valid())
    record.shown_recording.push_back(index_of(workspace.recordings(), workspace.shown_recording()));
  const auto choice = [&workspace](const Choice& chosen) {
    return wire::ChoiceRecord{index_of(workspace.runs(), chosen.run), chosen.schedule};
  };
  if (workspace.baseline()) record.baseline.push_back(choice(*workspace.baseline()));
  for (const Choice& chosen : workspace.compared()) record.compared.push_back(choice(chosen));
  if (workspace.shown()) record.shown.push_back(choice(*workspace.shown()));
  record.notes = workspace.notes();
  return record;
}

Result<void> check_draft(const Graph& graph, const WorkspaceDraft& draft) {
  IOS_TRY(wire::inside(check_legal(graph, draft.schedule), {}, "draft.schedule"));
  IOS_TRY(wire::inside(check_legal(graph, draft.start), {}, "draft.start"));
  for (std::size_t i = 0; i < draft.locked.size(); ++i) {
    const std::string where = fmt::format("draft.locked[{}]", i);
    if (draft.locked[i] >= draft.schedule.stages.size())
      return fail(message("locks a stage that does not exist"), where);
    if (i > 0 && draft.locked[i] <= draft.locked[i - 1]) return fail(message("is not in ascending order"), where);
  }
  return {};
}

Result<void> check_draft_lanes(const std::shared_ptr<const Graph>& graph, const WorkspaceDraft& draft) {
  if (!draft.lanes) return {};
  const auto kernels = lane_kernels(graph, draft.schedule, draft.lanes->batch, draft.lanes->lowering);
  IOS_TRY(wire::inside(LaneDraft::make(kernels, draft.lanes->lanes), {}, "draft.lanes.lanes"));
  IOS_TRY(wire::inside(LaneDraft::make(kernels, draft.lanes->start), {}, "draft.lanes.start"));
  return {};
}

Result<void> check_column(const Graph& graph, const UnitColumn& column) {
  if (column.values.size() != graph.units().size())
    return fail(message("does not have one value per unit"), "column.values");
  for (std::size_t u = 0; u < column.values.size(); ++u) {
    const std::optional<double>& value = column.values[u];
    if (value && std::abs(*value) > kMostValue)
      return fail(message("is too large"), fmt::format("column.values[{}]", u));
  }
  return {};
}

Result<WorkspaceNetwork> network_of(wire::NetworkRecord record) {
  IOS_TRY(auto graph, wire::graph_of(std::move(record.graph)));
  for (const Schedule& schedule : record.given) IOS_TRY(check_legal(graph, schedule));
  if (record.draft) IOS_TRY(check_draft(graph, *record.draft));
  if (record.warm_start)
    IOS_TRY(wire::inside(check_legal(graph, record.warm_start->schedule), {}, "warm_start.schedule"));
  if (record.column) IOS_TRY(check_column(graph, *record.column));
  WorkspaceNetwork network;
  network.document.graph = std::make_shared<const Graph>(std::move(graph));
  if (record.draft) IOS_TRY(check_draft_lanes(network.document.graph, *record.draft));
  network.document.batched = record.batched;
  network.document.batch = record.batch;
  network.source = std::move(record.source);
  for (wire::ShapeRecord& shape : record.shapes) network.sizes.shapes[shape.input] = std::move(shape.sizes);
  for (const wire::DimRecord& dim : record.dims) network.sizes.dims[dim.name] = dim.size;
  network.weights_left_behind = record.own_weights;
  network.given = std::move(record.given);
  network.drawn = record.drawn;
  network.draft = std::move(record.draft);
  network.warm_start = std::move(record.warm_start);
  if (record.column) network.column = std::make_shared<const UnitColumn>(std::move(*record.column));
  return network;
}

// Choices of what is not there are passed over: views do without them.
void choose(Workspace& workspace, const std::vector<RunId>& runs, const wire::ProjectRecord& record) {
  const auto choice = [&](const wire::ChoiceRecord& chosen) -> std::optional<Choice> {
    if (chosen.run >= runs.size()) return std::nullopt;
    Choice found{runs[chosen.run], chosen.schedule};
    if (workspace.find(found) == nullptr) return std::nullopt;
    return found;
  };
  if (!record.baseline.empty()) workspace.set_baseline(choice(record.baseline.front()));
  for (const wire::ChoiceRecord& chosen : record.compared) {
    if (const auto found = choice(chosen)) workspace.set_compared(*found, true);
  }
  if (!record.shown.empty()) workspace.set_shown(choice(record.shown.front()));
  workspace.set_notes(record.notes);
}

// `beside` has entries in addition to those of the workspace.
std::string bytes_of(const Workspace& workspace, const std::vector<ArchiveEntry>& beside) {
  const std::string project = wire::write_document(kFormat, record_of(workspace));
  std::deque<std::pair<std::string, std::string>> texts;  // entries look into them
  std::vector<ArchiveEntry> entries{{kMimetypeEntry, kProjectMimeType, false}, {kProjectEntry, project}};
  const auto add = [&](std::string name, std::string text) {
    const auto& [kept_name, kept_text] = texts.emplace_back(std::move(name), std::move(text));
    entries.push_back({kept_name, kept_text});
  };
  for (std::size_t i = 0; i < workspace.runs().size(); ++i) {
    add(entry_name(kRuns, i), run_to_json(*workspace.runs()[i].run));
  }
  for (std::size_t i = 0; i < workspace.external().size(); ++i) {
    add(entry_name(kExternal, i), external_to_json(*workspace.external()[i].run));
  }
  for (std::size_t i = 0; i < workspace.drawings().size(); ++i) {
    add(entry_name(kDrawings, i), drawing_text(*workspace.drawings()[i].graph));
  }
  entries.insert(entries.end(), beside.begin(), beside.end());
  return zip(entries);
}

Result<KeptOf> kept_of(std::string_view bytes, const std::string& origin) {
  IOS_TRY(const auto kept, unzip(bytes, kKeptEntry, kMostKeptBytes, origin));
  return wire::read_document<KeptOf>(kept, origin, kKeptFormat);
}

}  // namespace

std::string project_to_bytes(const Workspace& workspace) { return bytes_of(workspace, {}); }

Result<Workspace> project_from_bytes(std::string_view bytes, const std::string& origin) {
  if (!bytes.starts_with("PK")) return fail(message("is not a project file"), origin, message("choose a project file"));
  IOS_TRY(const auto text, unzip(bytes, kProjectEntry, kMostBytes, origin));
  IOS_TRY(auto record, wire::read_document<wire::ProjectRecord>(text, origin, kFormat));
  Workspace workspace;
  std::vector<NetworkId> networks;
  for (std::size_t i = 0; i < record.networks.size(); ++i) {
    IOS_TRY(auto network,
            wire::inside(network_of(std::move(record.networks[i])), origin, fmt::format("content.networks[{}]", i)));
    networks.push_back(workspace.add(std::move(network)));
  }
  std::vector<RunId> runs;
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    const wire::KeptRunRecord& kept = record.runs[i];
    if (kept.network >= networks.size())
      return fail(message("names no network"), fmt::format("{}: content.runs[{}]", origin, i));
    IOS_TRY(const auto entry, unzip(bytes, entry_name(kRuns, i), kMostRunBytes, origin));
    IOS_TRY(auto run, run_from_json(entry, fmt::format("{}: {}", origin, entry_name(kRuns, i))));
    const Graph& graph = *workspace.find(networks[kept.network])->document.graph;
    if (!same_structure(*run.comparison.graph, graph))
      return fail(message("is a run of another network"), fmt::format("{}: {}", origin, entry_name(kRuns, i)));
    runs.push_back(workspace.add({.network = networks[kept.network],
                                  .run = std::make_shared<const Run>(std::move(run)),
                                  .recorded = true,
                                  .automatic = kept.automatic,
                                  .note = kept.note}));
  }
  for (std::size_t i = 0; i < record.external.size(); ++i) {
    const std::size_t network = record.external[i].network;
    if (network >= networks.size())
      return fail(message("names no network"), fmt::format("{}: content.external[{}]", origin, i));
    IOS_TRY(const auto entry, unzip(bytes, entry_name(kExternal, i), kMostRunBytes, origin));
    const Graph& graph = *workspace.find(networks[network])->document.graph;
    IOS_TRY(auto external, external_from_json(entry, fmt::format("{}: {}", origin, entry_name(kExternal, i)), graph));
    workspace.add({.network = networks[network], .run = std::make_shared<const ExternalRun>(std::move(external))});
  }
  for (std::size_t i = 0; i < record.drawings.size(); ++i) {
    const wire::KeptDrawingRecord& kept = record.drawings[i];
    if (kept.network.size() > 1 || (!kept.network.empty() && kept.network.front() >= networks.size()))
      return fail(message("names no network"), fmt::format("{}: content.drawings[{}]", origin, i));
    IOS_TRY(const auto entry, unzip(bytes, entry_name(kDrawings, i), kMostBytes, origin));
    IOS_TRY(auto graph, edit_from_text(entry, fmt::format("{}: {}", origin, entry_name(kDrawings, i))));
    workspace.add(WorkspaceDrawing{.network = kept.network.empty() ? NetworkId() : networks[kept.network.front()],
                                   .source = kept.source,
                                   .graph = std::make_shared<const EditableGraph>(std::move(graph))});
  }
  std::vector<RecordingId> recordings;
  for (const wire::KeptRecordingRecord& kept : record.recordings)
    recordings.push_back(workspace.add(WorkspaceRecording{.file = kept.file, .choices = kept.choices}));
  if (!record.shown_recording.empty() && record.shown_recording.front() < recordings.size())
    workspace.set_shown_recording(recordings[record.shown_recording.front()]);
  choose(workspace, runs, record);
  return workspace;
}

Result<void> save_project(const Workspace& workspace, const std::filesystem::path& path) {
  return write_file(path, project_to_bytes(workspace));
}

Result<Workspace> open_project(const std::filesystem::path& path) {
  IOS_TRY(const auto bytes, read_bytes(path));
  return project_from_bytes(bytes, path.string());
}

Result<void> keep_project(const Workspace& workspace, const KeptOf& of, const std::filesystem::path& path) {
  const std::string kept = wire::write_document(kKeptFormat, of);
  return write_file(path, bytes_of(workspace, {{kKeptEntry, kept}}), Readers::kOwner);
}

Result<KeptProject> open_kept_project(const std::filesystem::path& path) {
  IOS_TRY(const auto bytes, read_bytes(path));
  IOS_TRY(auto workspace, project_from_bytes(bytes, path.string()));
  auto of = kept_of(bytes, path.string());
  return KeptProject{std::move(workspace), of ? std::move(*of) : KeptOf()};
}

Result<KeptOf> read_kept_of(const std::filesystem::path& path) {
  IOS_TRY(const auto bytes, read_bytes(path));
  return kept_of(bytes, path.string());
}

std::string external_to_json(const ExternalRun& run) { return wire::write_document(kExternalFormat, run); }

Result<ExternalRun> external_from_json(std::string_view text, const std::string& origin, const Graph& graph) {
  auto run = wire::read_document<ExternalRun>(text, origin, kExternalFormat);
  if (!run) return run;
  if (auto settled = settle_external(*run, graph); !settled) return fail(std::move(settled.error().what), origin);
  return run;
}

}  // namespace iosx
