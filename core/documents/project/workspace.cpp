#include "core/documents/project/workspace.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/formats/external/match.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule.h"

namespace iosx {
namespace {

template <typename Items, typename Key>
auto* by_id(Items& items, Key id) {
  const auto found = std::ranges::find(items, id, &Items::value_type::id);
  return found == items.end() ? nullptr : &*found;
}

// Returns those of a network.
template <typename Item>
std::vector<const Item*> all_of(const std::vector<Item>& items, NetworkId network) {
  std::vector<const Item*> found;
  for (const Item& item : items) {
    if (item.network == network) found.push_back(&item);
  }
  return found;
}

bool same_place(const WorkspaceRun& a, const WorkspaceRun& b) {
  return a.network == b.network && a.run->comparison.device.id == b.run->comparison.device.id &&
         a.run->comparison.batch == b.run->comparison.batch;
}

// Returns true for an automatic run where another one shows at least as much. A complete one does if this was not
// searched, or not to the end, or with the same options; a stopped one does if it has everything that this has and this
// was not searched.
bool makes_room_for(const WorkspaceRun& run, const WorkspaceRun& other) {
  if (!run.automatic || !same_place(run, other)) return false;
  const Comparison& comparison = run.run->comparison;
  const bool searched = has_search(comparison);
  if (other.run->comparison.complete)
    return !searched || !comparison.complete || run.run->options == other.run->options;
  const auto has = [&](const ScheduleResult& result) { return other.run->comparison.find(result.id) != nullptr; };
  return !searched && std::ranges::all_of(comparison.results, has);
}

}  // namespace

const WorkspaceNetwork* Workspace::find(NetworkId id) const { return by_id(networks_, id); }
const WorkspaceRun* Workspace::find(RunId id) const { return by_id(runs_, id); }
const WorkspaceDrawing* Workspace::find(DrawingId id) const { return by_id(drawings_, id); }
const WorkspaceRecording* Workspace::find(RecordingId id) const { return by_id(recordings_, id); }

const ScheduleResult* Workspace::find(const Choice& choice) const {
  const WorkspaceRun* run = find(choice.run);
  return run == nullptr ? nullptr : run->run->comparison.find(choice.schedule);
}

std::vector<const WorkspaceRun*> Workspace::runs_of(NetworkId network) const { return all_of(runs_, network); }
std::vector<const WorkspaceExternal*> Workspace::external_of(NetworkId network) const {
  return all_of(external_, network);
}

const WorkspaceNetwork* Workspace::same(const std::string& source, const Graph& graph) const {
  const auto found = std::ranges::find_if(networks_, [&](const WorkspaceNetwork& network) {
    return network.source == source && same_structure(*network.document.graph, graph);
  });
  return found == networks_.end() ? nullptr : &*found;
}

bool Workspace::of_older_file(NetworkId network) const {
  const WorkspaceNetwork* own = find(network);
  if (own == nullptr) return false;
  if (own->changed_since) return true;
  return std::ranges::any_of(networks_, [own](const WorkspaceNetwork& other) {
    if (own->drawn && !other.drawn) return false;  // its original, opened again
    return other.id != own->id && other.source == own->source && other.sizes == own->sizes && other.read > own->read;
  });
}

bool Workspace::asked_for() const {
  return !notes_.empty() || !external_.empty() || !drawings_.empty() ||
         std::ranges::any_of(networks_,
                             [](const WorkspaceNetwork& network) {
                               return network.warm_start || network.column ||
                                      (network.draft && network.draft->edited());
                             }) ||
         std::ranges::any_of(runs_, [](const WorkspaceRun& run) { return !run.automatic || !run.note.empty(); });
}

void Workspace::continue_ids(const Workspace& before) {
  const auto shifted = []<typename Key>(Key id, std::size_t by) { return id.valid() ? Key(id.index() + by) : id; };
  const auto shift_run = [&](RunId& id) { id = shifted(id, before.next_run_); };
  const auto shift_all = [&](auto& items, std::size_t by) {
    for (auto& item : items) {
      item.id = shifted(item.id, by);
      item.network = shifted(item.network, before.next_network_);
    }
  };
  for (WorkspaceNetwork& network : networks_) {
    network.id = shifted(network.id, before.next_network_);
    network.read += before.next_read_;
  }
  shift_all(runs_, before.next_run_);
  shift_all(external_, before.next_external_);
  shift_all(drawings_, before.next_drawing_);
  for (WorkspaceRecording& recording : recordings_) recording.id = shifted(recording.id, before.next_recording_);
  shown_recording_ = shifted(shown_recording_, before.next_recording_);
  if (baseline_) shift_run(baseline_->run);
  for (Choice& choice : compared_) shift_run(choice.run);
  if (shown_) shift_run(shown_->run);
  next_network_ += before.next_network_;
  next_run_ += before.next_run_;
  next_external_ += before.next_external_;
  next_drawing_ += before.next_drawing_;
  next_recording_ += before.next_recording_;
  next_read_ += before.next_read_;
}

NetworkId Workspace::add(WorkspaceNetwork network) {
  network.id = NetworkId(next_network_++);
  network.read = next_read_++;
  return networks_.emplace_back(std::move(network)).id;
}

RunId Workspace::add(WorkspaceRun run) {
  if (!run.growing) {
    const auto better = std::ranges::find_if(runs_, [&](const WorkspaceRun& other) {
      return !other.automatic && !other.recorded && other.run->comparison.complete && makes_room_for(run, other);
    });
    if (better != runs_.end()) return better->id;
  }
  run.id = RunId(next_run_++);
  if (!run.growing) drop_automatic(run);
  return runs_.emplace_back(std::move(run)).id;
}

ExternalId Workspace::add(WorkspaceExternal external) {
  external.id = ExternalId(next_external_++);
  const auto old = std::ranges::find_if(external_, [&](const WorkspaceExternal& other) {
    return other.network == external.network && other.run->file == external.run->file &&
           other.run->label == external.run->label;
  });
  if (old == external_.end()) return external_.emplace_back(std::move(external)).id;
  *old = std::move(external);
  return old->id;
}

DrawingId Workspace::add(WorkspaceDrawing drawing) {
  WorkspaceDrawing* const old = by_id(drawings_, drawing.id);
  if (old == nullptr) drawing.id = DrawingId(next_drawing_++);
  const DrawingId id = drawing.id;
  const NetworkId network = drawing.network;
  old == nullptr ? void(drawings_.push_back(std::move(drawing))) : void(*old = std::move(drawing));
  std::erase_if(drawings_, [&](const WorkspaceDrawing& other) {
    return other.id != id && network.valid() && other.network == network;
  });
  return id;
}

RecordingId Workspace::add(WorkspaceRecording recording) {
  const auto same = std::ranges::find_if(recordings_, [&](const WorkspaceRecording& other) {
    return recording.id.valid() ? other.id == recording.id : other.file == recording.file;
  });
  if (same == recordings_.end()) {
    recording.id = RecordingId(next_recording_++);
    return recordings_.emplace_back(std::move(recording)).id;
  }
  recording.id = same->id;
  *same = std::move(recording);
  return same->id;
}

void Workspace::remove(RecordingId id) {
  std::erase_if(recordings_, [&](const auto& each) { return each.id == id; });
}

std::optional<Choice> Workspace::baseline_of(RunId run) const {
  const WorkspaceRun* const own = find(run);
  const WorkspaceRun* const chosen = baseline_ ? find(baseline_->run) : nullptr;
  if (own == nullptr || chosen == nullptr || find(*baseline_) == nullptr) return std::nullopt;
  const Comparison& shown = own->run->comparison;
  const Comparison& other = chosen->run->comparison;
  const bool alike = own->network == chosen->network && shown.batch == other.batch &&
                     shown.device.fingerprint == other.device.fingerprint;
  return alike ? baseline_ : std::nullopt;
}

// The shown run changes with every run and keeps none.
bool Workspace::referred_to(RunId id) const {
  return (baseline_ && baseline_->run == id) || std::ranges::find(compared_, id, &Choice::run) != compared_.end();
}

// Drops automatic runs that this one replaces.
void Workspace::drop_automatic(const WorkspaceRun& newest) {
  std::erase_if(runs_, [&](const WorkspaceRun& old) {
    return old.id != newest.id && makes_room_for(old, newest) && !referred_to(old.id) && old.note.empty();
  });
}

void Workspace::finish(RunId id, std::shared_ptr<const Run> run) {
  WorkspaceRun* grown = by_id(runs_, id);
  if (grown == nullptr) return;
  grown->run = std::move(run);
  grown->growing = false;
  std::erase_if(compared_, [this](const Choice& choice) { return find(choice) == nullptr; });
  if (baseline_ && find(*baseline_) == nullptr) baseline_.reset();
  const WorkspaceRun finished = *grown;
  drop_automatic(finished);
}

void Workspace::replace(RunId id, std::shared_ptr<const Run> run) {
  if (WorkspaceRun* old = by_id(runs_, id)) old->run = std::move(run);
}

void Workspace::learn(RunId id, FunctionRef<void(Comparison&)> add_what_is_new) {
  WorkspaceRun* of = by_id(runs_, id);
  if (of == nullptr) return;
  auto run = std::make_shared<Run>(*of->run);
  add_what_is_new(run->comparison);
  of->run = std::move(run);
  of->automatic = false;
}

void Workspace::set_changed_since(NetworkId network) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->changed_since = true;
}

bool Workspace::set_document(NetworkId network, Document document) {
  WorkspaceNetwork* to = by_id(networks_, network);
  if (to == nullptr) return true;
  bool fits = true;
  const bool other = !same_structure(*to->document.graph, *document.graph);
  if ((to->draft || to->warm_start) && other) {
    const bool edited = to->draft && to->draft->edited();  // a mere copy is made anew
    to->draft = edited ? carried(*to->draft, *to->document.graph, *document.graph) : std::nullopt;
    fits = !edited || to->draft.has_value();
    to->warm_start.reset();
  }
  if (to->column && other) {
    to->column = std::make_shared<const UnitColumn>(carried(*to->column, *to->document.graph, *document.graph));
  }
  for (WorkspaceExternal& external : external_) {
    if (!other || external.network != network) continue;
    auto run = std::make_shared<ExternalRun>(*external.run);
    match_operators(*run, *document.graph);
    external.run = std::move(run);
  }
  to->document = std::move(document);
  to->weights_left_behind = false;
  to->changed_since = false;
  to->read = next_read_++;
  return fits;
}

void Workspace::set_sizes(NetworkId network, InputSizes sizes) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->sizes = std::move(sizes);
}
void Workspace::give_schedule(NetworkId network, Schedule schedule) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->given.push_back(std::move(schedule));
}
void Workspace::set_draft(NetworkId network, std::optional<WorkspaceDraft> draft) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->draft = std::move(draft);
}
void Workspace::set_warm_start(NetworkId network, std::optional<WorkspaceWarmStart> warm_start) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->warm_start = std::move(warm_start);
}
void Workspace::set_column(NetworkId network, std::shared_ptr<const UnitColumn> column) {
  if (WorkspaceNetwork* to = by_id(networks_, network)) to->column = std::move(column);
}
void Workspace::set_note(RunId id, std::string note) {
  if (WorkspaceRun* run = by_id(runs_, id)) run->note = std::move(note);
}

// Removes choices of a run.
void Workspace::forget(RunId id) {
  std::erase_if(compared_, [id](const Choice& choice) { return choice.run == id; });
  if (baseline_ && baseline_->run == id) baseline_.reset();
  if (shown_ && shown_->run == id) shown_.reset();
}

void Workspace::remove(RunId id) {
  std::erase_if(runs_, [id](const WorkspaceRun& run) { return run.id == id; });
  forget(id);
}

void Workspace::remove(NetworkId id) {
  for (const WorkspaceRun* run : runs_of(id)) forget(run->id);
  const auto belongs = [id](const auto& item) { return item.network == id; };
  std::erase_if(runs_, belongs);
  std::erase_if(external_, belongs);
  std::erase_if(drawings_, belongs);
  std::erase_if(networks_, [id](const WorkspaceNetwork& network) { return network.id == id; });
}

void Workspace::remove(ExternalId id) {
  std::erase_if(external_, [id](const WorkspaceExternal& external) { return external.id == id; });
}
void Workspace::remove(DrawingId id) {
  std::erase_if(drawings_, [id](const WorkspaceDrawing& drawing) { return drawing.id == id; });
}

void Workspace::set_compared(const Choice& choice, bool compared) {
  const auto found = std::ranges::find(compared_, choice);
  if (compared && found == compared_.end() && find(choice) != nullptr) compared_.push_back(choice);
  if (!compared && found != compared_.end()) compared_.erase(found);
}

bool same_structure(const Graph& a, const Graph& b) {
  if (&a == &b) return true;
  if (a.units().size() != b.units().size() || !std::ranges::equal(a.networks(), b.networks())) return false;
  return std::ranges::equal(a.operators(), b.operators(), [](const Operator& left, const Operator& right) {
    return left.name == right.name && left.attributes == right.attributes && left.inputs == right.inputs &&
           left.unit == right.unit && left.network == right.network;
  });
}

bool same_run(const Run& a, const Run& b) {
  const auto same_result = [](const ScheduleResult& x, const ScheduleResult& y) {
    return x.id == y.id && x.latency.value == y.latency.value;
  };
  return a.place == b.place && a.network.source == b.network.source && a.comparison.batch == b.comparison.batch &&
         a.comparison.device.id == b.comparison.device.id &&
         std::ranges::equal(a.comparison.results, b.comparison.results, same_result) &&
         same_structure(*a.comparison.graph, *b.comparison.graph);
}

std::optional<WorkspaceDraft> carried(const WorkspaceDraft& draft, const Graph& from, const Graph& to) {
  if (draft.lanes) return std::nullopt;
  std::map<std::string_view, UnitId> by_name;
  for (std::size_t i = 0; i < to.units().size(); ++i) by_name.emplace(to.units()[i].name, UnitId(i));
  const auto fit = [&](Schedule schedule) -> std::optional<Schedule> {
    for (Stage& stage : schedule.stages) {
      for (Group& group : stage.groups) {
        for (Step& step : group.steps) {
          for (UnitId& unit : step.units) {
            const auto found = by_name.find(from.unit(unit).name);
            if (found == by_name.end()) return std::nullopt;
            unit = found->second;
          }
        }
      }
    }
    return check_legal(to, schedule) ? std::optional(std::move(schedule)) : std::nullopt;
  };
  auto schedule = fit(draft.schedule);
  if (!schedule) return std::nullopt;
  WorkspaceDraft next = draft;
  next.schedule = std::move(*schedule);
  if (auto start = fit(draft.start)) {
    next.start = std::move(*start);
  } else {
    next.start = greedy_schedule(to);
    next.start.name = draft.start.name;
    next.schedule_kind = ScheduleKind::kGreedy;
    next.title = row_of(next.schedule_kind).title;
  }
  return next;
}

std::string free_schedule_name(std::string name, const std::vector<Schedule>& others) {
  if (name.empty()) name = row_of(ScheduleKind::kFile).id;
  const auto taken = [&others](const std::string& candidate) {
    const auto schedule_kind = parse_schedule_kind(candidate);
    return (schedule_kind && !row_of(*schedule_kind).given()) ||
           std::any_of(others.begin(), others.end(), [&](const Schedule& other) { return other.name == candidate; });
  };
  if (!taken(name)) return name;
  std::string candidate = name + " (file)";
  for (int number = 2; taken(candidate); ++number) candidate = name + " (file " + std::to_string(number) + ")";
  return candidate;
}

}  // namespace iosx
