#include "views/app_model/session.h"

#include <algorithm>
#include <utility>

#include "core/analysis/compare/comparison.h"

namespace iosx {

RunSettings settings_of(const Run& run) {
  RunSettings settings{.device = run.comparison.device.id, .options = run.options};
  settings.options.batch = run.comparison.batch;
  settings.options.given.clear();
  settings.options.warm_start.reset();
  return settings;
}

std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds) {
  const auto found = std::ranges::find(kStrategySets, schedule_kinds, schedule_kinds_within);
  return found == kStrategySets.end() ? std::nullopt : std::optional(*found);
}

namespace {

RunId newest_of(const Workspace& workspace, NetworkId network) {
  const auto runs = workspace.runs_of(network);
  return runs.empty() ? RunId() : runs.back()->id;
}

bool has_search(const Comparison& comparison) {
  return std::ranges::any_of(comparison.results, [](const auto& result) { return result.search.has_value(); });
}

// Returns the one from a file that was added last; may be null.
const ScheduleResult* newest_given(const Comparison& comparison) {
  const ScheduleResult* newest = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.schedule_kind).given()) newest = &result;
  }
  return newest;
}

}  // namespace

Session::Session(const DeviceRegistry& devices, QObject* parent) : QObject(parent), devices_(devices) {
  if (const DeviceRegistry::Entry* best = devices_.best()) settings_.device = best->info.id;
}

void Session::addRun(NetworkId network, std::shared_ptr<const Run> run, bool automatic, RunId grown) {
  const bool known = workspace_.find(grown) != nullptr;
  if (workspace_.find(network) == nullptr || (grown.valid() && !known)) return;  // removed meanwhile
  const bool complete = run->comparison.complete;
  const WorkspaceRun* before = workspace_.find(last_run_[network]);
  // A search stopped before it found anything adds nothing to what is known.
  if (!complete && before != nullptr && !has_search(run->comparison)) return endGrowing(grown);
  // The user's choice stays. Otherwise the first one shown is the file's own schedule; after a search the best.
  ScheduleId wanted;
  const ScheduleResult* newest = newest_given(run->comparison);
  const bool new_given =
      newest != nullptr && (before == nullptr || before->run->comparison.find(newest->id) == nullptr);
  if (new_given) {
    wanted = newest->id;
  } else if (before != nullptr && network == network_ && before->id == run_ &&
             (has_search(before->run->comparison) || automatic)) {
    const ScheduleResult& active = before->run->comparison.results[active_];
    const bool own = automatic && row_of(active.schedule_kind).given();
    if (own || active_ != before->run->comparison.best()) wanted = active.id;
  }
  // A stopped one is next to the complete one, which stays visible.
  const bool stays =
      !complete && before != nullptr && before->run->comparison.complete && has_search(before->run->comparison);
  if (known) workspace_.finish(grown, run);
  const RunId id = known ? grown : workspace_.add({.network = network, .run = run, .automatic = automatic});
  if (!stays) {
    last_run_[network] = id;
    if (wanted != ScheduleId()) last_shown_[id] = wanted;
    if (network == network_) turnTo(network, id);
  }
  changed(!automatic);
  if (!known) emit runAdded(id);
  if (!automatic) learnFrom(network, *run);
}

RunId Session::grow(RunId id, NetworkId network, std::shared_ptr<const Run> run) {
  if (workspace_.find(network) == nullptr) return id;
  if (!id.valid()) {
    id = workspace_.add({.network = network, .run = std::move(run), .growing = true});
    changed();
    emit runAdded(id);
    return id;
  }
  if (workspace_.find(id) == nullptr) return id;  // the user does not want to see it
  const auto before = id == run_ ? comparison() : nullptr;
  workspace_.replace(id, std::move(run));
  if (before) {
    const Comparison& now = *comparison();
    active_ = now.index_of(before->results[active_].id).value_or(now.best());
  }
  changed();
  if (before) emit comparisonChanged();
  return id;
}

void Session::endGrowing(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr || !run->growing) return;
  workspace_.finish(id, run->run);
  changed();
}

void Session::setProfile(RunId id, const Comparison& profiled) {
  if (workspace_.find(id) == nullptr) return;  // removed meanwhile
  workspace_.learn(id, [&profiled](Comparison& known) {
    for (ScheduleResult& result : known.results) {
      const ScheduleResult* seen = profiled.find(result.id);
      if (seen != nullptr && seen->schedule == result.schedule) result.trace = seen->trace;
    }
    for (const Message& notice : profiled.notices) {
      if (std::ranges::find(known.notices, notice) == known.notices.end()) known.notices.push_back(notice);
    }
  });
  changed();
  if (id == run_) emit comparisonChanged();
}

void Session::setVerification(RunId id, const ScheduleId& schedule, const Verification& verification) {
  const WorkspaceRun* now = workspace_.find(id);
  const auto index = now == nullptr ? std::nullopt : now->run->comparison.index_of(schedule);
  if (!index) return;  // removed meanwhile
  workspace_.learn(id, [&](Comparison& known) { known.results[*index].verification = verification; });
  changed();
  if (id == run_) emit verified(*index);
}

void Session::addHandMade(RunId id, const ScheduleResult& result) {
  if (workspace_.find(id) == nullptr) return;  // removed meanwhile
  ScheduleId added;
  workspace_.learn(id, [&](Comparison& known) {
    const auto same = std::ranges::find_if(known.results, [&](const ScheduleResult& other) {
      return other.schedule_kind == result.schedule_kind && other.schedule == result.schedule &&
             other.lanes == result.lanes;
    });
    ScheduleResult& place = same == known.results.end() ? known.add(result.schedule_kind, result.schedule) : *same;
    added = place.id;
    place = result;
    place.id = added;
  });
  last_shown_[id] = added;
  if (id == run_) {
    active_ = *comparison()->index_of(added);
    workspace_.set_shown(Choice{run_, added});
  }
  changed();
  if (id == run_) emit comparisonChanged();
  if (id == run_ && result.verification) emit verified(active_);
  emit handMadeRan({id, added});
}

void Session::addExperiment(std::shared_ptr<const ExperimentResult> result) {
  experiments_.insert(experiments_.begin(), std::move(result));
  if (experiments_.size() > kMostExperiments) experiments_.pop_back();
  emit experimentAdded();
}

const Verification* Session::verification(std::size_t result) const {
  const auto known = comparison();
  if (!known || result >= known->results.size()) return nullptr;
  const auto& found = known->results[result].verification;
  return found ? &*found : nullptr;
}

// Sets what Optimize would need to do the same here. The device stays where this computer lacks the run's.
void Session::useSettingsOf(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr) return;
  RunSettings settings = settings_of(*run->run);
  // A draft of a baseline requests no search.
  if (!has_search(run->run->comparison)) settings.options.schedule_kinds = settings_.options.schedule_kinds;
  const DeviceRegistry::Entry* entry = devices_.find(settings.device);
  if (entry == nullptr || !entry->unavailable.empty()) settings.device = settings_.device;
  setSettings(std::move(settings));
}

void Session::addRecorded(std::shared_ptr<const Run> run) {
  const WorkspaceNetwork* known = workspace_.same(run->network.source, *run->network.graph);
  NetworkId network = known != nullptr ? known->id : NetworkId();
  if (known == nullptr) {
    WorkspaceNetwork opened;
    opened.document = Document{run->network.graph, std::nullopt, run->network.batched};
    opened.source = run->network.source;
    opened.weights_left_behind = run->own_weights;
    network = workspace_.add(std::move(opened));
  }
  for (const ScheduleResult& result : run->comparison.results) {
    if (!row_of(result.schedule_kind).given() || result.lanes) continue;  // stages only
    const auto& given = workspace_.find(network)->given;
    if (std::ranges::find(given, result.schedule) == given.end()) workspace_.give_schedule(network, result.schedule);
  }
  const RunId id = workspace_.add({.network = network, .run = std::move(run), .recorded = true});
  turnTo(network, id);
  changed();
  useSettingsOf(id);
  emit runAdded(id);
}

bool Session::addDocument(Document document, const QString& source, const InputSizes& sizes) {
  if (const WorkspaceNetwork* known = workspace_.same(source.toStdString(), *document.graph); known != nullptr) {
    const NetworkId id = known->id;
    const bool other = known->weights_left_behind || !(known->sizes == sizes);
    workspace_.set_document(id, std::move(document));
    workspace_.set_sizes(id, sizes);
    if (id == network_) {
      emit documentChanged();
      emit comparisonChanged();
      changed(false);
    } else {
      showNetwork(id);
    }
    return other;
  }
  WorkspaceNetwork network;
  if (document.schedule) network.given.push_back(document.schedule->schedule);
  network.document = std::move(document);
  network.source = source.toStdString();
  network.sizes = sizes;
  turnTo(workspace_.add(std::move(network)), {});
  changed(false);
  return true;
}

NetworkId Session::addDrawn(NetworkId of, Document document, const QString& source, bool in_use) {
  const WorkspaceNetwork* const before = workspace_.find(of);
  if (before != nullptr && before->drawn && !in_use && workspace_.runs_of(of).empty()) {
    const bool fits = workspace_.set_document(of, std::move(document));
    if (of == network_) {
      emit documentChanged();
      emit comparisonChanged();
    } else {
      turnTo(of, {});
    }
    changed();
    if (!fits) emit draftLeft();
    return of;
  }
  WorkspaceNetwork network;
  network.document = std::move(document);
  network.source = source.toStdString();
  if (before != nullptr) network.sizes = before->sizes;
  network.drawn = true;
  const bool by_hand = before != nullptr && before->draft && before->draft->edited();
  if (by_hand) network.draft = carried(*before->draft, *before->document.graph, *network.document.graph);
  const bool fits = !by_hand || network.draft.has_value();
  if (before != nullptr && before->column) {
    network.column =
        std::make_shared<const UnitColumn>(carried(*before->column, *before->document.graph, *network.document.graph));
  }
  const NetworkId id = workspace_.add(std::move(network));
  turnTo(id, {});
  changed();
  if (!fits) emit draftLeft();
  return id;
}

DrawingId Session::keepDrawing(WorkspaceDrawing drawing) {
  const DrawingId id = workspace_.add(std::move(drawing));
  touch();
  emit drawingsChanged();
  return id;
}

void Session::removeDrawing(DrawingId id) {
  if (workspace_.find(id) == nullptr) return;
  workspace_.remove(id);
  touch();
  emit drawingsChanged();
}

void Session::addSchedule(NetworkId network, Schedule schedule) {
  const WorkspaceNetwork* to = workspace_.find(network);
  if (to == nullptr) return;
  schedule.name = free_schedule_name(schedule.name, to->given);
  workspace_.give_schedule(network, std::move(schedule));
  changed();
}

void Session::takeProject(Workspace workspace, const QString& path, bool modified, std::optional<FileStamp> stamp) {
  workspace.continue_ids(workspace_);
  workspace_ = std::move(workspace);
  project_path_ = path;
  project_stamp_ = stamp;
  last_run_.clear();
  last_shown_.clear();
  const auto shown = workspace_.shown();
  const WorkspaceRun* run = shown ? workspace_.find(shown->run) : nullptr;
  if (run != nullptr) {
    last_shown_[run->id] = shown->schedule;
    turnTo(run->network, run->id);
  } else {
    showLastNetwork();
  }
  modified_ = modified;
  taken_at_ = ++changes_;
  changed(false);
  useSettingsOf(run_);
  emit projectOpened();
}

void Session::savedAs(const QString& path, std::uint64_t changes, std::optional<FileStamp> stamp) {
  if (changes < taken_at_) return;
  project_path_ = path;
  project_stamp_ = stamp;
  modified_ = changes_ != changes;
  emit workspaceChanged();
}

void Session::touch() {
  modified_ = true;
  ++changes_;
}

void Session::changed(bool asked) {
  if (asked) touch();
  emit workspaceChanged();
}

void Session::turnTo(NetworkId network, RunId run) {
  const bool other_network = network != network_;
  const WorkspaceRun* to = workspace_.find(run);
  network_ = network;
  run_ = run;
  active_ = 0;
  if (to != nullptr) {
    const Comparison& comparison = to->run->comparison;
    const auto last = last_shown_.find(run);
    active_ = comparison.best();
    if (last != last_shown_.end()) active_ = comparison.index_of(last->second).value_or(active_);
    last_run_[network] = run;
    workspace_.set_shown(Choice{run, comparison.results[active_].id});
  } else {
    workspace_.set_shown({});
  }
  if (other_network) emit documentChanged();
  emit comparisonChanged();
}

void Session::showNetwork(NetworkId id) {
  if (workspace_.find(id) == nullptr) return;
  const auto last = last_run_.find(id);
  const bool there = last != last_run_.end() && workspace_.find(last->second) != nullptr;
  const RunId run = there ? last->second : newest_of(workspace_, id);
  if (id == network_ && run == run_) return;
  turnTo(id, run);
  emit workspaceChanged();
}

void Session::showLastNetwork() {
  workspace_.networks().empty() ? turnTo({}, {}) : showNetwork(workspace_.networks().back().id);
}

void Session::showRun(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr || id == run_) return;
  turnTo(run->network, id);
  emit workspaceChanged();
}

void Session::showSchedule(const Choice& choice) {
  if (workspace_.find(choice) == nullptr) return;
  if (choice.run == run_) return setActiveSchedule(choice.schedule);
  last_shown_[choice.run] = choice.schedule;
  showRun(choice.run);
}

void Session::setNote(RunId id, const QString& note) {
  workspace_.set_note(id, note.toStdString());
  changed();
}

void Session::setNotes(const QString& notes) {
  if (workspace_.notes() == notes.toStdString()) return;
  workspace_.set_notes(notes.toStdString());
  touch();
  emit notesChanged();
}

// A mere copy is worth no question; taking changes back to one is.
void Session::setDraft(NetworkId id, std::optional<WorkspaceDraft> draft) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr || network->draft == draft) return;
  const auto edited = [](const std::optional<WorkspaceDraft>& any) { return any && any->edited(); };
  if (edited(network->draft) || edited(draft)) touch();
  workspace_.set_draft(id, std::move(draft));
  emit draftsChanged();
}

void Session::setColumn(NetworkId network, std::shared_ptr<const UnitColumn> column) {
  if (workspace_.find(network) == nullptr) return;
  workspace_.set_column(network, std::move(column));
  changed();
}

void Session::offerWarmStart(NetworkId id, WorkspaceWarmStart start) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr) return;
  if (const auto& known = network->warm_start; known) {
    const bool same_place = known->fingerprint == start.fingerprint && known->batch == start.batch;
    if (same_place && known->cost <= start.cost) return;
    start.used = known->used;
  }
  workspace_.set_warm_start(id, std::move(start));
  touch();
  emit draftsChanged();
}

void Session::setWarmStartUsed(NetworkId id, bool used) {
  const WorkspaceNetwork* network = workspace_.find(id);
  if (network == nullptr || !network->warm_start || network->warm_start->used == used) return;
  WorkspaceWarmStart start = *network->warm_start;
  start.used = used;
  workspace_.set_warm_start(id, std::move(start));
  touch();
  emit draftsChanged();
}

// Keeps a given schedule that was faster than the run's searches.
void Session::learnFrom(NetworkId network, const Run& run) {
  const Comparison& comparison = run.comparison;
  const ScheduleResult* best = comparison.complete ? best_search(comparison) : nullptr;
  if (best == nullptr) return;
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.schedule_kind).given() && beats(result.stage_sum, spread_of(result.stage_latencies), *best))
      offerWarmStart(network, {result.schedule, comparison.device.fingerprint, comparison.batch, result.stage_sum});
  }
}

void Session::setBaseline(const std::optional<Choice>& baseline) {
  if (baseline == workspace_.baseline()) return;
  workspace_.set_baseline(baseline);
  changed();
}

void Session::setCompared(const Choice& choice, bool compared) {
  workspace_.set_compared(choice, compared);
  changed();
}

void Session::setAllCompared(const std::vector<Choice>& choices, const std::optional<Choice>& baseline) {
  workspace_.set_baseline(baseline);
  const std::vector<Choice> before = workspace_.compared();
  for (const Choice& choice : before) workspace_.set_compared(choice, false);
  for (const Choice& choice : choices) workspace_.set_compared(choice, true);
  changed();
}

void Session::removeRun(RunId id) {
  if (workspace_.find(id) == nullptr) return;
  workspace_.remove(id);
  last_shown_.erase(id);
  if (id == run_) {
    last_run_.erase(network_);
    turnTo(network_, newest_of(workspace_, network_));
  }
  changed();
}

void Session::addExternal(NetworkId network, std::vector<ExternalRun> runs) {
  if (workspace_.find(network) == nullptr || runs.empty()) return;
  for (ExternalRun& run : runs) {
    workspace_.add({.network = network, .run = std::make_shared<const ExternalRun>(std::move(run))});
  }
  changed();
}

void Session::removeExternal(ExternalId id) {
  workspace_.remove(id);
  changed();
}

void Session::removeNetwork(NetworkId id) {
  if (workspace_.find(id) == nullptr) return;
  workspace_.remove(id);
  last_run_.erase(id);
  if (id == network_) {
    run_ = {};
    showLastNetwork();
  }
  changed();
}

const Run* Session::recorded() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && run->recorded ? run->run.get() : nullptr;
}

bool Session::weightsLeftBehind() const { return hasDocument() && shownNetwork()->weights_left_behind; }

const Document& Session::document() const {
  static const Document kNone;
  return hasDocument() ? shownNetwork()->document : kNone;
}

QString Session::source() const { return hasDocument() ? QString::fromStdString(shownNetwork()->source) : QString(); }

std::shared_ptr<const Comparison> Session::comparison() const {
  const WorkspaceRun* run = shownRun();
  return run == nullptr ? nullptr : std::shared_ptr<const Comparison>(run->run, &run->run->comparison);
}

bool Session::searched() const {
  const auto known = comparison();
  return known && has_search(*known);
}

bool Session::upToDate() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && !run->recorded && run->run->comparison.complete && settings_of(*run->run) == settings_ &&
         !workspace_.of_older_file(network_);
}

void Session::setActiveSchedule(std::size_t index) {
  const auto known = comparison();
  if (!known || index >= known->results.size() || index == active_) return;
  active_ = index;
  last_shown_[run_] = known->results[index].id;
  workspace_.set_shown(Choice{run_, known->results[index].id});
  emit activeScheduleChanged();
}

void Session::setActiveSchedule(const ScheduleId& id) {
  const auto known = comparison();
  if (const auto index = known ? known->index_of(id) : std::nullopt) setActiveSchedule(*index);
}

void Session::setSettings(RunSettings settings) {
  const DeviceRegistry::Entry* entry = devices_.find(settings.device);
  if (entry == nullptr || !entry->info.computes) settings.options.verify = false;  // no outputs
  if (settings == settings_) return;
  settings_ = std::move(settings);
  emit settingsChanged();
}

const DeviceInfo* Session::device() const {
  const DeviceRegistry::Entry* entry = devices_.find(settings_.device);
  return entry == nullptr ? nullptr : &entry->info;
}

}  // namespace iosx

#include "moc_session.cpp"
