#include "views/app_model/session.h"

#include <algorithm>
#include <utility>

namespace iosx {

RunSettings settings_of(const Run& run) {
  RunSettings settings{.device = run.comparison.device.id, .options = run.options};
  settings.options.batch = run.comparison.batch;
  settings.options.given.clear();
  settings.options.earlier.reset();
  settings.options.warm_start.reset();
  return settings;
}

std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds) {
  const auto found = std::ranges::find(kStrategySets, schedule_kinds, schedule_kinds_within);
  return found == kStrategySets.end() ? std::nullopt : std::optional(*found);
}

namespace {

// Returns the one from a file that was added last; may be null.
const ScheduleResult* newest_given(const Comparison& comparison) {
  const ScheduleResult* newest = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.schedule_kind).given()) newest = &result;
  }
  return newest;
}

// Returns what Optimize would need to do the same here; none of a run that is not there. The device stays where this
// computer lacks the run's.
std::optional<RunSettings> to_repeat(const Session& session, RunId id) {
  const WorkspaceRun* run = session.workspace().find(id);
  if (run == nullptr) return std::nullopt;
  RunSettings settings = settings_of(*run->run);
  // A draft of a baseline requests no search.
  if (!has_search(run->run->comparison)) settings.options.schedule_kinds = session.settings().options.schedule_kinds;
  const DeviceRegistry::Entry* entry = session.devices().find(settings.device);
  if (entry == nullptr || !entry->unavailable.empty()) settings.device = session.settings().device;
  return settings;
}

}  // namespace

Session::Session(const DeviceRegistry& devices, QObject* parent) : QObject(parent), devices_(devices) {
  if (const DeviceRegistry::Entry* best = devices_.best()) settings_.device = best->info.id;
  connect(&editor_, &WorkspaceEditor::changed, this, &Session::follow);
  connect(&editor_, &WorkspaceEditor::projectOpened, this, [this] {
    const RecordingId kept = workspace().shown_recording();
    const auto& recordings = workspace().recordings();
    showRecording(kept.valid() || hasDocument() || recordings.empty() ? kept : recordings.front().id);
    auto settings = to_repeat(*this, run_);
    if (!settings) return;
    // Which schedules to search is the user's choice, and not that of the run shown last.
    settings->options.schedule_kinds = settings_.options.schedule_kinds;
    setSettings(std::move(*settings));
  });
}

// Shows what an edit made, unless the user looks at something that it must not replace. A neighbour
// follows what was removed.
void Session::follow(const WorkspaceChange& change) {
  if (change.recording.valid()) {
    showRecording(change.recording);
    emit workspaceChanged();
    return;
  }
  const WorkspaceRun* const finished = workspace().find(change.run);
  const bool taken = finished != nullptr && (change.recorded || takes(*finished));
  if (taken) last_run_[finished->network] = *finished;
  if (change.hand_made) last_shown_[change.hand_made->run] = change.hand_made->schedule;
  const bool opened = change.network.valid();
  NetworkId network = opened ? change.network : change.recorded ? finished->network : network_;
  if (workspace().find(network) == nullptr) network = kept();  // removed, or of an older project
  const bool without_run = network == network_ && !run_.valid() && !last_run_.contains(network);
  const RunId run = without_run ? RunId() : lastRun(network);
  if (network != network_ || run != run_ || opened || (taken && run == change.run)) {
    turnTo(network, run, opened);
  } else if (const auto* now = shownRun(); now != nullptr && now->run != last_run_[network].run) {
    const Comparison& before = last_run_[network].run->comparison;
    settle(change.hand_made ? change.hand_made->schedule : before.results[active_].id);
    if (!change.verified) emit comparisonChanged();
    if (change.verified) emit verified(*comparison()->index_of(change.verified->schedule));
    if (change.hand_made && verification(active_) != nullptr) emit verified(active_);
  }
  std::erase_if(last_run_, [this](auto& last) { return workspace().find(last.second.id) == nullptr; });
  followRecording(opened || change.recorded);
  emit workspaceChanged();
}

// A network that was opened takes the place of a recording. So does what is left when that was removed.
void Session::followRecording(bool other_opened) {
  if (other_opened) return showRecording({});
  if (!recording_.valid() || shownRecording() != nullptr) return;
  // Which one the workspace names stays: it may be that of a project that was just opened.
  recording_ = workspace().shown_recording();
  if (const auto& left = workspace().recordings(); !recording_.valid() && !hasDocument() && !left.empty())
    recording_ = left.back().id;
  emit recordingChanged();
}

void Session::showRecording(RecordingId id) {
  if (workspace().find(id) == nullptr) id = {};
  if (!id.valid() && !recording_.valid()) return;
  recording_ = id;
  editor_.setShownRecording(id);
  emit recordingChanged();
}

// Returns whether a finished run is shown with its network; chooses its schedule, if not the best.
bool Session::takes(const WorkspaceRun& finished) {
  const Comparison& now = finished.run->comparison;
  const auto last = last_run_.find(finished.network);
  const Comparison* before = last == last_run_.end() ? nullptr : &last->second.run->comparison;
  // A stopped one is next to the complete one, which stays visible.
  if (!now.complete && before != nullptr && before->complete && has_search(*before)) return false;
  // The user's choice stays. Otherwise the first one shown is the file's own schedule; after a search the best.
  const ScheduleResult* const newest = newest_given(now);
  if (newest != nullptr && (before == nullptr || before->find(newest->id) == nullptr)) {
    last_shown_[finished.id] = newest->id;
  } else if (before != nullptr && finished.network == network_ && last->second.id == run_ &&
             (has_search(*before) || finished.automatic)) {
    const ScheduleResult& active = before->results[active_];
    const bool own = finished.automatic && row_of(active.schedule_kind).given();
    if (own || active_ != before->best()) last_shown_[finished.id] = active.id;
  }
  return true;
}

// Returns the network that the workspace was last saved with, or else the one opened last.
NetworkId Session::kept() {
  const auto& shown = workspace().shown();
  if (const auto* run = shown ? workspace().find(shown->run) : nullptr; run != nullptr) {
    last_run_[run->network] = *run;
    last_shown_[run->id] = shown->schedule;
    return run->network;
  }
  return workspace().networks().empty() ? NetworkId() : workspace().networks().back().id;
}

// Returns the run to show with a network: the last shown one, or else the newest.
RunId Session::lastRun(NetworkId network) const {
  const auto old = last_run_.find(network);
  if (old != last_run_.end() && workspace().find(old->second.id) != nullptr) return old->second.id;
  const auto runs = workspace().runs_of(network);
  return runs.empty() ? RunId() : runs.back()->id;
}

void Session::turnTo(NetworkId network, RunId run, bool reopened) {
  const bool other_network = reopened || network != network_;
  network_ = network;
  run_ = run;
  settle(last_shown_[run]);
  if (other_network) emit documentChanged();
  emit comparisonChanged();
}

// Turns to a schedule of the shown run, or else to its best.
void Session::settle(const ScheduleId& wanted) {
  const WorkspaceRun* const run = shownRun();
  active_ = 0;
  if (run == nullptr) return editor_.setShown({});
  const Comparison& comparison = run->run->comparison;
  active_ = comparison.index_of(wanted).value_or(comparison.best());
  last_run_[network_] = *run;
  editor_.setShown(Choice{run_, comparison.results[active_].id});
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

void Session::useSettingsOf(RunId id) {
  if (auto settings = to_repeat(*this, id)) setSettings(std::move(*settings));
}

void Session::showNetwork(NetworkId id) {
  const RunId run = lastRun(id);
  if (workspace().find(id) == nullptr) return;
  showRecording({});
  if (id == network_ && run == run_) return;
  turnTo(id, run);
  emit workspaceChanged();
}

void Session::showRun(RunId id) {
  const WorkspaceRun* run = workspace().find(id);
  if (run == nullptr) return;
  showRecording({});
  if (id == run_) return;
  turnTo(run->network, id);
  emit workspaceChanged();
}

void Session::showSchedule(const Choice& choice) {
  if (workspace().find(choice) == nullptr) return;
  showRecording({});
  if (choice.run == run_) return setActiveSchedule(*comparison()->index_of(choice.schedule));
  last_shown_[choice.run] = choice.schedule;
  showRun(choice.run);
}

const Run* Session::recorded() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && run->recorded ? run->run.get() : nullptr;
}

const Document& Session::document() const {
  static const Document kNone;
  return hasDocument() ? shownNetwork()->document : kNone;
}

QString Session::source() const { return hasDocument() ? QString::fromStdString(shownNetwork()->source) : QString(); }

std::shared_ptr<const Comparison> Session::comparison() const {
  const WorkspaceRun* run = shownRun();
  return run == nullptr ? nullptr : std::shared_ptr<const Comparison>(run->run, &run->run->comparison);
}

bool Session::upToDate() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && !run->recorded && run->run->comparison.complete && settings_of(*run->run) == settings_ &&
         !workspace().of_older_file(network_);
}

void Session::setActiveSchedule(std::size_t index) {
  const auto known = comparison();
  if (!known || index >= known->results.size() || index == active_) return;
  last_shown_[run_] = known->results[index].id;
  settle(last_shown_[run_]);
  emit activeScheduleChanged();
}

void Session::setSettings(RunSettings settings) {
  const DeviceRegistry::Entry* entry = devices_.find(settings.device);
  if (entry == nullptr || !entry->info.computes) settings.options.verify = false;  // no outputs
  if (settings == settings_) return;
  settings_ = std::move(settings);
  emit settingsChanged();
}

bool Session::madeHere(const Run& run) const {
  const DeviceRegistry::Entry* const entry = devices_.find(run.comparison.device.id);
  return made_here(run.place) && entry != nullptr && entry->info.name == run.comparison.device.name;
}

const DeviceInfo* Session::device() const {
  const DeviceRegistry::Entry* entry = devices_.find(settings_.device);
  return entry == nullptr ? nullptr : &entry->info;
}

}  // namespace iosx

#include "moc_session.cpp"
