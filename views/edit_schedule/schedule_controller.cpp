#include "views/edit_schedule/schedule_controller.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/analysis/compare/beaten.h"
#include "core/analysis/compare/comparison.h"
#include "core/model/schedule/baselines.h"
#include "core/workbench/opening.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

namespace iosx {
namespace {

constexpr std::size_t kMostEntries = 1000;

QString schedule_kind_words(std::string_view text) {
  return QCoreApplication::translate("iosx::Core", std::string(text).c_str());
}

QString title_words(ScheduleKind schedule_kind, const std::string& title) {
  const ScheduleKindRow& row = row_of(schedule_kind);
  if (row.given() || !title.starts_with(row.title)) return QString::fromStdString(title);
  return schedule_kind_words(row.title) + QString::fromStdString(title.substr(row.title.size()));
}

QString result_title(const ScheduleResult& result) { return title_words(result.schedule_kind, result.title()); }

UnitId first_unit(const Group& group) { return group.steps.front().units.front(); }

// The order of lanes says nothing.
bool same_stage(const Stage& a, const Stage& b) {
  if (a.groups.size() != b.groups.size()) return false;
  const auto lanes = [](const Stage& stage) {
    std::vector<const Group*> sorted;
    for (const Group& group : stage.groups) sorted.push_back(&group);
    std::ranges::sort(sorted, {}, [](const Group* group) { return first_unit(*group); });
    return sorted;
  };
  return std::ranges::equal(lanes(a), lanes(b), [](const Group* x, const Group* y) { return *x == *y; });
}

bool same_stages(const Schedule& a, const Schedule& b) { return std::ranges::equal(a.stages, b.stages, same_stage); }

// Finds stages of a schedule, which must outlive it, without looking at all of them: no two begin alike.
class StagesOf {
 public:
  explicit StagesOf(const Schedule& schedule) {
    for (const Stage& stage : schedule.stages) by_first_.emplace(key(stage), &stage);
  }
  bool has(const Stage& stage) const {
    const auto found = by_first_.find(key(stage));
    return found != by_first_.end() && same_stage(*found->second, stage);
  }

 private:
  static UnitId key(const Stage& stage) { return first_unit(*std::ranges::min_element(stage.groups, {}, first_unit)); }
  std::map<UnitId, const Stage*> by_first_;
};

}  // namespace

struct ScheduleController::Bench {
  std::shared_ptr<const Graph> graph;
  DeviceInfo info;
  std::int64_t batch = 1;
  std::unique_ptr<KnownLatencies> asked;            // of a simulated device: what it answered stays known
  std::vector<std::pair<Stage, Latency>> measured;  // here, as somebody asked for it
};

ScheduleController& ScheduleController::of(Session& session, Jobs& jobs) {
  auto* controller = jobs.findChild<ScheduleController*>(QString(), Qt::FindDirectChildrenOnly);
  return controller != nullptr ? *controller : *new ScheduleController(session, jobs);
}

ScheduleController::ScheduleController(Session& session, Jobs& jobs) : QObject(&jobs), session_(session), jobs_(jobs) {
  connect(&session_, &Session::documentChanged, this, &ScheduleController::follow);
  connect(&session_, &Session::comparisonChanged, this, &ScheduleController::follow);
  connect(&session_, &Session::workspaceChanged, this, [this] {
    std::erase_if(histories_, [this](const auto& each) { return session_.workspace().find(each.first) == nullptr; });
  });
  connect(&session_, &Session::draftLeft, this, [this] {
    emit told(tr("The schedule changed by hand does not fit the changed network: begin with a copy"));
  });
  connect(&session_, &Session::settingsChanged, this, [this] {
    if (session_.comparison() == nullptr) follow();
  });
  connect(&jobs_, &Jobs::waitingChanged, this, &ScheduleController::workChanged);
  connect(&jobs_, &Jobs::finished, this, &ScheduleController::workChanged);
  follow();
}

ScheduleController::~ScheduleController() = default;

ScheduleId ScheduleController::draftId() { return ScheduleId("(draft)"); }

ScheduleController::History* ScheduleController::history() {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

const ScheduleController::History* ScheduleController::history() const {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

const ScheduleDraft* ScheduleController::draft() const {
  const History* own = history();
  return own == nullptr ? nullptr : &own->entries[own->at].draft;
}

const ScheduleController::Entry* ScheduleController::startEntry() const {
  const History* own = history();
  if (own == nullptr) return nullptr;
  for (std::size_t i = own->at + 1; i-- > 0;) {
    if (own->entries[i].copied) return &own->entries[i];
  }
  return nullptr;
}

const ScheduleDraft* ScheduleController::start() const {
  const Entry* entry = startEntry();
  return entry == nullptr ? nullptr : &entry->draft;
}

QString ScheduleController::startTitle() const {
  const Entry* entry = startEntry();
  return entry == nullptr ? QString() : titleOf(entry->schedule_kind, entry->title);
}

QString ScheduleController::titleOf(ScheduleKind schedule_kind, const std::string& title) {
  return title.empty() ? tr("an earlier step") : title_words(schedule_kind, title);
}

void ScheduleController::copy(const Choice& choice) {
  session_.showSchedule(choice);
  copyShown();
}

void ScheduleController::copyShown() {
  const auto comparison = session_.comparison();
  if (!session_.hasDocument()) return;
  const Document& document = session_.document();
  Schedule schedule;
  ScheduleKind schedule_kind = ScheduleKind::kGreedy;
  std::string title(row_of(schedule_kind).title);
  if (comparison) {
    const ScheduleResult& shown = comparison->results[session_.activeSchedule()];
    schedule = shown.schedule;
    schedule_kind = shown.schedule_kind;
    title = shown.title();
  } else {
    schedule = greedy_schedule(*document.graph);
  }
  schedule.name = "mine";
  auto draft = ScheduleDraft::make(document.graph, std::move(schedule));
  if (!draft) {
    emit failed(draft.error());
    return;
  }
  if (const ScheduleDraft* now = this->draft(); now != nullptr && now->schedule() == draft->schedule()) return;
  push({tr("Copy %1").arg(titleOf(schedule_kind, title)), std::move(*draft), true, schedule_kind, title});
}

void ScheduleController::push(Entry entry) {
  History& own = histories_[session_.networkId()];
  if (!own.entries.empty())
    own.entries.erase(own.entries.begin() + static_cast<std::ptrdiff_t>(own.at) + 1, own.entries.end());
  own.entries.push_back(std::move(entry));
  if (own.entries.size() > kMostEntries) {  // the oldest goes; what then is first is what changes are told against
    own.entries.erase(own.entries.begin());
    if (!own.entries.front().copied) {
      own.entries.front().copied = true;
    }
  }
  own.at = own.entries.size() - 1;
  tell();
  if (measures_after_drop_ && lacksCosts()) measure();
}

void ScheduleController::keep(NetworkId network) {
  const auto own = histories_.find(network);
  if (own == histories_.end()) return;
  const History& history = own->second;
  const Entry& now = history.entries[history.at];
  WorkspaceDraft kept{.schedule = now.draft.schedule(), .locked = now.draft.locked_stages()};
  for (std::size_t i = history.at + 1; i-- > 0;) {
    const Entry& entry = history.entries[i];
    if (!entry.copied) continue;
    kept.start = entry.draft.schedule();
    kept.schedule_kind = entry.schedule_kind;
    kept.title = entry.title;
    break;
  }
  session_.setDraft(network, std::move(kept));
}

// What it was copied from and what has become of it: two steps.
void ScheduleController::takeKept() {
  const WorkspaceNetwork* network = session_.shownNetwork();
  if (network == nullptr || !network->draft || history() != nullptr) return;
  const WorkspaceDraft& kept = *network->draft;
  auto start = ScheduleDraft::make(network->document.graph, kept.start);
  auto draft = ScheduleDraft::make(network->document.graph, kept.schedule);
  if (!start || !draft) return;
  for (const std::size_t stage : kept.locked) draft = draft->with_lock(stage, true);
  History taken;
  taken.entries.push_back({tr("Copy %1").arg(titleOf(kept.schedule_kind, kept.title)), std::move(*start), true,
                           kept.schedule_kind, kept.title});
  if (kept.edited()) taken.entries.push_back({tr("Earlier changes"), std::move(*draft)});
  taken.at = taken.entries.size() - 1;
  histories_.insert_or_assign(network->id, std::move(taken));
}

bool ScheduleController::take(const QString& name, Result<ScheduleDraft> next) {
  if (!next) {
    emit refused(QString::fromStdString(next.error().what));
    return false;
  }
  const ScheduleDraft* now = draft();
  if (now == nullptr || *next == *now) return now != nullptr;
  push({name, std::move(*next)});
  return true;
}

QString ScheduleController::undoName() const {
  const History* own = history();
  return own == nullptr || own->at == 0 ? QString() : own->entries[own->at].name;
}

QString ScheduleController::redoName() const {
  const History* own = history();
  return own == nullptr || own->at + 1 == own->entries.size() ? QString() : own->entries[own->at + 1].name;
}

void ScheduleController::undo() {
  if (undoName().isEmpty()) return;
  --history()->at;
  tell();
}

void ScheduleController::redo() {
  if (redoName().isEmpty()) return;
  ++history()->at;
  tell();
}

// ---- What it costs ----

const DeviceInfo* ScheduleController::device() const {
  if (const auto comparison = session_.comparison()) return &comparison->device;
  return session_.device();
}

std::int64_t ScheduleController::batch() const {
  const auto comparison = session_.comparison();
  return comparison ? comparison->batch : session_.settings().batch;
}

void ScheduleController::follow() {
  const bool other_network = session_.networkId() != network_;
  network_ = session_.networkId();
  takeKept();
  bool dropped = false;
  if (History* own = history(); own != nullptr && session_.hasDocument() &&
                                !same_structure(own->entries.front().draft.graph(), *session_.document().graph)) {
    histories_.erase(session_.networkId());
    takeKept();  // what the session has carried over to the new graph
    dropped = true;
  }
  const DeviceInfo* info = device();
  const bool same = bench_ && info != nullptr && session_.hasDocument() && bench_->graph == session_.document().graph &&
                    bench_->info.fingerprint == info->fingerprint && bench_->batch == batch();
  if (!same) bench_.reset();
  if (other_network || dropped) return tell();
  findCosts();
  teach();
  emit costsChanged();
}

// Of another draft. Who hears of it finds its costs.
void ScheduleController::tell() {
  keep(session_.networkId());
  findCosts();
  teach();
  emit changed();
  emit costsChanged();
}

std::vector<std::optional<Latency>> ScheduleController::known(const std::vector<Stage>& stages) {
  std::vector<std::optional<Latency>> answers(stages.size());
  const DeviceInfo* info = device();
  if (info == nullptr || !session_.hasDocument()) return answers;
  if (!bench_) {
    bench_ = std::make_unique<Bench>();
    bench_->graph = session_.document().graph;
    bench_->info = *info;
    bench_->batch = batch();
  }
  // Of a device that measures: what was kept, what the run knows, what was measured for the draft.
  std::unique_ptr<KnownLatencies> fresh;
  if (bench_->asked == nullptr) {
    const auto comparison = session_.comparison();
    fresh = std::make_unique<KnownLatencies>(jobs_.workbench(), *bench_->graph, bench_->info, bench_->batch,
                                             comparison.get());
    if (fresh->asks_device()) {
      bench_->asked = std::move(fresh);
    } else {
      for (const auto& [stage, latency] : bench_->measured) fresh->give(stage, latency);
    }
  }
  auto found = (bench_->asked ? *bench_->asked : *fresh).answers(stages);
  if (found) return std::move(*found);
  if (bench_->asked) emit failed(found.error());
  return answers;
}

ScheduleController::Costs ScheduleController::costs_of(const Schedule& schedule) {
  Costs costs{.stages = known(schedule.stages)};
  const DeviceInfo* info = device();
  if (info == nullptr) return costs;
  Millis sum = info->overhead.sum(schedule);
  std::vector<Latency> latencies;
  for (const auto& latency : costs.stages) {
    if (!latency) return costs;
    sum += latency->value;
    latencies.push_back(*latency);
  }
  costs.sum = sum;
  costs.spread = spread_of(latencies);
  return costs;
}

void ScheduleController::findCosts() {
  changes_.clear();
  insight_known_ = false;
  const ScheduleDraft* now = draft();
  if (now == nullptr) {
    costs_ = {};
    references_.clear();
    return;
  }
  costs_ = costs_of(now->schedule());
  const ScheduleDraft& before = *start();
  start_costs_ = costs_of(before.schedule());
  const std::vector<Stage>& stages = now->schedule().stages;
  changes_.resize(stages.size());
  // Every stage of the start counts for the one that has most of its units.
  std::vector<std::optional<Millis>> sums(stages.size(), Millis(0));
  for (std::size_t i = 0; i < before.schedule().stages.size(); ++i) {
    std::map<std::size_t, std::size_t> shares;
    for (const UnitId unit : before.schedule().stages[i].units()) ++shares[now->stage_of(unit)];
    const auto most = std::ranges::max_element(shares, {}, [](const auto& share) { return share.second; });
    std::optional<Millis>& sum = sums[most->first];
    const auto& latency = start_costs_.stages[i];
    sum = sum && latency ? std::optional(*sum + latency->value) : std::nullopt;
  }
  const StagesOf same(before.schedule());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (same.has(stages[i]) || !costs_.stages[i] || !sums[i]) continue;
    changes_[i] = costs_.stages[i]->value - *sums[i];
  }
  findReferences();
}

void ScheduleController::findReferences() {
  references_.clear();
  const auto comparison = session_.comparison();
  if (comparison) {
    if (const ScheduleResult* best = best_search(*comparison))
      references_.push_back({best->schedule_kind, result_title(*best), best->stage_sum});
  }
  for (const ScheduleKind schedule_kind : {ScheduleKind::kGreedy, ScheduleKind::kSequential}) {
    if (const ScheduleResult* result = comparison ? comparison->find(schedule_kind) : nullptr; result != nullptr) {
      references_.push_back({schedule_kind, result_title(*result), result->stage_sum});
      continue;
    }
    if (!session_.hasDocument() || !bench_ || !bench_->asked) continue;
    const Graph& graph = *session_.document().graph;
    const Costs costs =
        costs_of(schedule_kind == ScheduleKind::kGreedy ? greedy_schedule(graph) : sequential_schedule(graph));
    if (costs.sum) references_.push_back({schedule_kind, schedule_kind_words(row_of(schedule_kind).title), *costs.sum});
  }
}

// The search of the shown run that the draft is faster than; null where there is none.
const ScheduleResult* ScheduleController::beaten() const {
  const auto comparison = session_.comparison();
  if (!comparison || draft() == nullptr || !costs_.sum) return nullptr;
  const ScheduleResult* best = best_search(*comparison);
  return best != nullptr && beats(*costs_.sum, costs_.spread, *best) ? best : nullptr;
}

// Later searches start from it.
void ScheduleController::teach() {
  if (beaten() == nullptr) return;
  session_.offerWarmStart(session_.networkId(), {draft()->schedule(), device()->fingerprint, batch(), *costs_.sum});
}

bool ScheduleController::startsSearches() const {
  const WorkspaceNetwork* network = session_.shownNetwork();
  return network != nullptr && network->warm_start && network->warm_start->used && draft() != nullptr &&
         network->warm_start->schedule == draft()->schedule();
}

const std::optional<ScheduleController::Insight>& ScheduleController::insight() const {
  if (!insight_known_) {
    insight_ = findInsight();
    insight_known_ = true;
  }
  return insight_;
}

std::optional<ScheduleController::Insight> ScheduleController::findInsight() const {
  const ScheduleResult* best = beaten();
  if (best == nullptr) return {};
  const auto comparison = session_.comparison();
  const ScheduleDraft* now = draft();
  Insight insight{.search = result_title(*best), .gained = best->stage_sum - *costs_.sum};
  SearchOptions options = session_.searchedWith();
  if (const auto strategies = row_of(best->schedule_kind).strategies) options.strategies = *strategies;
  const StagesOf found(best->schedule);
  for (std::size_t i = 0; i < now->schedule().stages.size(); ++i) {
    const Stage& stage = now->schedule().stages[i];
    if (!found.has(stage)) insight.stages.push_back({i, exclusions(*comparison->graph, stage, options)});
  }
  const auto change = [this](const Insight::Stage& each) { return changes_[each.stage].value_or(Millis(0)); };
  std::ranges::stable_sort(insight.stages, {}, change);
  return insight;
}

bool ScheduleController::lacksCosts() const {
  const DeviceInfo* info = device();
  return draft() != nullptr && info != nullptr && info->origin == Origin::kMeasured &&
         std::ranges::any_of(costs_.stages, [](const auto& latency) { return !latency; });
}

void ScheduleController::setMeasuresAfterDrop(bool on) {
  if (on == measures_after_drop_) return;
  measures_after_drop_ = on;
  if (on && lacksCosts()) measure();
}

void ScheduleController::measure() {
  if (!lacksCosts()) return;
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < costs_.stages.size(); ++i) {
    if (!costs_.stages[i]) stages.push_back(draft()->schedule().stages[i]);
  }
  const MeasureStagesRequest request{.graph = session_.document().graph,
                                     .device = device()->id,
                                     .batch = batch(),
                                     .timing = session_.settings().timing,
                                     .stages = stages};
  const auto work = [this, request, fingerprint = device()->fingerprint, workbench = jobs_.workbench()](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto measured, workbench.run(request, job));
    return JobRunner::Delivery{[this, fingerprint, graph = request.graph, batch = request.batch,
                                stages = request.stages, found = std::move(measured.latencies)] {
      const bool here =
          bench_ && bench_->graph == graph && bench_->info.fingerprint == fingerprint && bench_->batch == batch;
      if (!here) return;
      for (std::size_t i = 0; i < found.size(); ++i) bench_->measured.emplace_back(stages[i], found[i]);
      findCosts();
      teach();
      emit costsChanged();
    }};
  };
  jobs_.workFor(session_.networkId(),
                stages.size() == 1 ? tr("Measuring 1 stage") : tr("Measuring %1 stages").arg(stages.size()), work);
}

// ---- Jobs ----

ScheduleController::Improving ScheduleController::improving() const {
  const auto found = improvers_.find(session_.networkId());
  return found != improvers_.end() && jobs_.has(found->second.job) ? found->second.how : Improving::kNot;
}

QString ScheduleController::improveDisabledReason() const {
  if (draft() == nullptr) return tr("No schedule is being changed");
  return improving() == Improving::kNot ? QString() : tr("A search of this schedule runs or waits already");
}

void ScheduleController::fill() { improve(true); }

void ScheduleController::searchFromHere() { improve(false); }

void ScheduleController::improve(bool keeps_locked) {
  const ScheduleDraft* now = draft();
  const DeviceInfo* info = device();
  if (info == nullptr || !improveDisabledReason().isEmpty()) return;
  const RunSettings& settings = session_.settings();
  ImproveRequest request{.graph = now->shared_graph(),
                         .device = info->id,
                         .batch = batch(),
                         .timing = settings.timing,
                         .start = {now->schedule(), ScheduleKind::kByHand},
                         .search = session_.searched() ? session_.searchedWith() : settings.search,
                         .max_part_size = settings.max_part_size};
  request.search.strategies = strategies_of(settings.schedule_kinds).value_or(StrategySet::kBoth);
  if (keeps_locked) request.pinned = now->locked_stages();
  const auto work = [this, keeps_locked, request, from = *now, network = session_.networkId(),
                     workbench = jobs_.workbench()](const JobContext& job,
                                                    const std::stop_token&) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto outcome, workbench.run(request, job));
    return JobRunner::Delivery{[this, network, from, found = std::move(outcome.improvement), keeps_locked] {
      takeImproved(network, from, found.found.schedule, found.start, found.found.stage_sum, found.better, keeps_locked);
    }};
  };
  const QString title = keeps_locked ? tr("Filling the schedule by IOS") : tr("Searching from the schedule");
  const NetworkId network = session_.networkId();
  improvers_[network] = {jobs_.workFor(network, title, work), keeps_locked ? Improving::kFill : Improving::kSearch};
  emit workChanged();
}

void ScheduleController::takeImproved(NetworkId network, const ScheduleDraft& from, Schedule found, Millis before,
                                      Millis after, bool better, bool keeps_locked) {
  const auto own = histories_.find(network);
  if (own == histories_.end()) return;
  const int kept = keeps_locked ? static_cast<int>(from.locked_stages().size()) : 0;
  const QString keeps =
      kept > 0 ? (kept == 1 ? tr("; 1 locked stage kept") : tr("; %1 locked stages kept").arg(kept)) : QString();
  if (!better) {
    emit told(tr("Nothing better was found than %1 ms%2").arg(before.count(), 0, 'f', 3).arg(keeps));
    return;
  }
  const QString name = keeps_locked ? tr("Fill by IOS") : tr("Search from here");
  const ScheduleDraft& now = own->second.entries[own->second.at].draft;
  if (!same_structure(now.graph(), from.graph())) {
    emit told(tr("%1: the network was changed meanwhile, what was found does not fit it").arg(name));
    return;
  }
  if (!(now == from)) {  // newer edits and locks stay
    emit offered(tr("%1 found %2 → %3 ms%4 for the schedule as it was; your changes since then stay")
                     .arg(name)
                     .arg(before.count(), 0, 'f', 3)
                     .arg(after.count(), 0, 'f', 3)
                     .arg(keeps),
                 [this, network, from, found, name] { takeLate(network, from, found, name); });
    return;
  }
  auto next = from.replaced(std::move(found));
  if (!next) {
    emit failed(next.error());
    return;
  }
  if (network == session_.networkId()) {
    take(name, std::move(next));
  } else {  // where the user has turned away from
    History& history = own->second;
    history.entries.erase(history.entries.begin() + static_cast<std::ptrdiff_t>(history.at) + 1, history.entries.end());
    history.entries.push_back({name, std::move(*next)});
    history.at = history.entries.size() - 1;
    keep(network);
  }
  emit told(tr("%1 → %2 ms%3").arg(before.count(), 0, 'f', 3).arg(after.count(), 0, 'f', 3).arg(keeps));
}

// Somebody wants it all the same: one step, as any other.
void ScheduleController::takeLate(NetworkId network, const ScheduleDraft& from, const Schedule& found,
                                  const QString& name) {
  if (session_.workspace().find(network) == nullptr) return;
  if (session_.networkId() != network) session_.showNetwork(network);
  const ScheduleDraft* now = draft();
  if (now == nullptr || !same_structure(now->graph(), from.graph())) {
    emit told(tr("%1: the network was changed meanwhile, what was found does not fit it").arg(name));
    return;
  }
  take(name, now->replaced(found));
}

std::optional<ScheduleId> ScheduleController::result() const {
  const auto comparison = session_.comparison();
  const ScheduleDraft* now = draft();
  if (!comparison || now == nullptr) return {};
  for (const ScheduleResult& result : comparison->results) {
    if (result.schedule_kind == ScheduleKind::kByHand && same_stages(result.schedule, now->schedule()))
      return result.id;
  }
  return {};
}

QString ScheduleController::runDisabledReason() const {
  if (draft() == nullptr) return tr("No schedule is being changed");
  const DeviceInfo* info = device();
  const DeviceRegistry::Entry* entry = info == nullptr ? nullptr : session_.devices().find(info->id);
  if (entry == nullptr || !entry->unavailable.empty()) return tr("The device of this run is not here");
  return {};
}

QString ScheduleController::verifyDisabledReason() const {
  if (const QString why = runDisabledReason(); !why.isEmpty()) return why;
  if (session_.weightsLeftBehind()) return tr("The network's weights are not here; open the network itself");
  const auto computes = check_computes(*device());
  return computes ? QString() : QString::fromStdString(computes.error().text());
}

// Beside the others of the shown run where these are exact; what was measured is only compared with what is measured
// in turn with it, which makes another run.
void ScheduleController::run(bool verify) {
  if (!(verify ? verifyDisabledReason() : runDisabledReason()).isEmpty()) return;
  const auto comparison = session_.comparison();
  const RunSettings& settings = session_.settings();
  const Schedule mine = draft()->schedule();
  if (const auto known = result(); known && !verify) {
    session_.setActiveSchedule(*known);
    emit told(tr("This schedule has been run already"));
    return;
  }
  const bool exact = comparison && comparison->device.origin == Origin::kSimulated;
  const std::shared_ptr<const Graph> graph = session_.document().graph;
  EvaluateRequest alone{.graph = graph,
                        .device = device()->id,
                        .batch = batch(),
                        .timing = settings.timing,
                        .given = {mine, ScheduleKind::kByHand},
                        .verify = verify};
  CompareRequest beside{.graph = graph, .device = device()->id, .options = options_of(settings)};
  beside.options.batch = batch();
  beside.options.schedule_kinds.clear();
  if (comparison) beside.options.search = session_.searchedWith();
  beside.options.verify = verify;
  if (comparison) {
    for (const ScheduleResult& result : comparison->results) {
      if (!row_of(result.schedule_kind).baseline())
        beside.options.given.emplace_back(result.schedule, result.schedule_kind);
    }
  }
  beside.options.given.emplace_back(mine, ScheduleKind::kByHand);
  const auto work = [this, exact, comparison, alone, beside, network = session_.networkId(), to = session_.runId(),
                     workbench = jobs_.workbench(),
                     origin = RunNetwork{session_.source().toStdString(), graph, session_.document().batched}](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    if (exact) {
      auto found = workbench.run(alone, job);
      if (job.stopped()) return JobRunner::Delivery{};
      if (!found) return tl::unexpected<Error>(found.error());
      return JobRunner::Delivery{[this, to, found = std::move(found->result)] { session_.addHandMade(to, found); }};
    }
    auto made = workbench.run(beside, job, {.abandon = abandon});
    if (!made) return tl::unexpected<Error>(made.error());
    for (ScheduleResult& result : made->results) {  // how they were found stays known
      if (!comparison) break;
      for (const ScheduleResult& before : comparison->results) {
        if (before.schedule_kind == result.schedule_kind && before.schedule == result.schedule)
          result.search = before.search;
      }
    }
    auto run = std::make_shared<const Run>(make_run(std::move(*made), beside.options, origin, workbench.version()));
    return JobRunner::Delivery{[this, network, run] {
      session_.addRun(network, run, false);
      if (const auto own = result()) session_.setActiveSchedule(*own);
    }};
  };
  jobs_.workFor(session_.networkId(),
                verify ? tr("Verifying the hand-made schedule") : tr("Running the hand-made schedule"), work);
}

}  // namespace iosx

#include "moc_schedule_controller.cpp"
