#include "views/edit_schedule/schedule_controller.h"

#include <QPointer>
#include <algorithm>
#include <string>
#include <utility>

#include "core/model/schedule/baselines.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

QString title_of(const DraftHistory::Origin& origin) {
  return origin.title.empty() ? ScheduleController::tr("an earlier step")
                              : schedule_title(origin.schedule_kind, origin.title);
}

DraftHistory::Step copied(ScheduleDraft draft, DraftHistory::Origin origin) {
  return {ScheduleController::tr("Copy %1").arg(title_of(origin)).toStdString(), std::move(draft), std::move(origin)};
}

QString name_of(const DraftHistory::Step* step) {
  return step == nullptr ? QString() : QString::fromStdString(step->name);
}

}  // namespace

ScheduleController::ScheduleController(Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), work_(session, jobs) {
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

// ---- What is done to it ----

const DraftHistory* ScheduleController::history() const {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

DraftHistory* ScheduleController::history() {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

const ScheduleDraft* ScheduleController::draft() const {
  const DraftHistory* own = history();
  return own == nullptr ? nullptr : &own->draft();
}

const ScheduleDraft* ScheduleController::start() const {
  const DraftHistory* own = history();
  return own == nullptr ? nullptr : &own->start().draft;
}

QString ScheduleController::startTitle() const {
  const DraftHistory* own = history();
  return own == nullptr ? QString() : title_of(*own->start().copy_of);
}

void ScheduleController::copy(const Choice& choice) {
  session_.showSchedule(choice);
  copyShown();
}

void ScheduleController::copyShown() {
  if (!session_.hasDocument()) return;
  const auto& graph = session_.document().graph;
  const auto comparison = session_.comparison();
  const ScheduleResult* shown = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  DraftHistory::Origin origin{ScheduleKind::kGreedy, std::string(row_of(ScheduleKind::kGreedy).title)};
  if (shown != nullptr) origin = {shown->schedule_kind, shown->title()};
  Schedule schedule = shown != nullptr ? shown->schedule : greedy_schedule(*graph);
  schedule.name = "mine";
  auto made = ScheduleDraft::make(graph, std::move(schedule));
  if (!made) {
    emit failed(made.error());
    return;
  }
  if (const ScheduleDraft* now = draft(); now != nullptr && now->schedule() == made->schedule()) return;
  DraftHistory::Step step = copied(*std::move(made), std::move(origin));
  if (DraftHistory* own = history()) {
    own->push(std::move(step));
  } else {
    histories_.emplace(session_.networkId(), DraftHistory(std::move(step)));
  }
  tellChanged();
  if (measures_after_drop_) measure();
}

bool ScheduleController::take(const QString& name, Result<ScheduleDraft> next) {
  if (!next) {
    emit refused(message_text(next.error().what));
    return false;
  }
  DraftHistory* own = history();
  if (own == nullptr) return false;
  if (!own->push({name.toStdString(), *std::move(next)})) return true;
  tellChanged();
  if (measures_after_drop_) measure();
  return true;
}

void ScheduleController::beginOneByOne() {
  if (draft() == nullptr) return;
  take(schedule_title(ScheduleKind::kOneByOne, {}),
       ScheduleDraft::make(draft()->shared_graph(), one_by_one_schedule(draft()->graph())));
}

QString ScheduleController::undoName() const {
  const DraftHistory* own = history();
  return own == nullptr ? QString() : name_of(own->to_undo());
}

QString ScheduleController::redoName() const {
  const DraftHistory* own = history();
  return own == nullptr ? QString() : name_of(own->to_redo());
}

void ScheduleController::undo() {
  if (DraftHistory* own = history(); own != nullptr && own->undo()) tellChanged();
}

void ScheduleController::redo() {
  if (DraftHistory* own = history(); own != nullptr && own->redo()) tellChanged();
}

void ScheduleController::keep(NetworkId network) {
  const auto own = histories_.find(network);
  if (own == histories_.end()) return;
  const ScheduleDraft& now = own->second.draft();
  const DraftHistory::Step& start = own->second.start();
  session_.setDraft(network, WorkspaceDraft{.schedule = now.schedule(),
                                            .locked = now.locked_stages(),
                                            .start = start.draft.schedule(),
                                            .schedule_kind = start.copy_of->schedule_kind,
                                            .title = start.copy_of->title});
}

// Restores what it was copied from and what has become of it, as two steps.
void ScheduleController::restoreKept() {
  const WorkspaceNetwork* network = session_.shownNetwork();
  if (network == nullptr || !network->draft || history() != nullptr) return;
  const WorkspaceDraft& kept = *network->draft;
  auto start = ScheduleDraft::make(network->document.graph, kept.start);
  auto draft = ScheduleDraft::make(network->document.graph, kept.schedule);
  if (!start || !draft) return;
  for (const std::size_t stage : kept.locked) draft = draft->with_lock(stage, true);
  DraftHistory restored(copied(*std::move(start), {kept.schedule_kind, kept.title}));
  if (kept.edited()) restored.push({tr("Earlier changes").toStdString(), *std::move(draft)});
  histories_.insert_or_assign(network->id, std::move(restored));
}

void ScheduleController::follow() {
  const bool other_network = session_.networkId() != network_;
  network_ = session_.networkId();
  restoreKept();
  bool dropped = false;
  if (const ScheduleDraft* now = draft();
      now != nullptr && session_.hasDocument() && !same_structure(now->graph(), *session_.document().graph)) {
    histories_.erase(session_.networkId());
    restoreKept();  // what the session has carried over to the new graph
    dropped = true;
  }
  if (other_network || dropped) return tellChanged();
  evaluate();
  emit costsChanged();
}

// Who hears of another draft finds its costs.
void ScheduleController::tellChanged() {
  keep(session_.networkId());
  evaluate();
  emit changed();
  emit costsChanged();
}

// ---- What it costs ----

// A draft that beats the search of the shown run is what later searches start from.
void ScheduleController::evaluate() {
  evaluation_ = {};
  insight_known_ = false;
  const ScheduleDraft* now = draft();
  if (now == nullptr) return;
  const auto comparison = session_.comparison();
  if (const DeviceInfo* on = device(); on != nullptr) {
    const auto& graph = session_.document().graph;
    if (!evaluator_ || !evaluator_->is_for(*graph, *on, batch()))
      evaluator_ = std::make_unique<DraftEvaluator>(graph, *on, batch());
    evaluation_ = evaluator_->evaluate(*now, *start(), comparison.get(), jobs_.workbench());
  } else {
    evaluation_ = evaluate_draft(*now, *start(), nullptr, comparison.get());
  }
  if (evaluation_.error) emit failed(*evaluation_.error);
  if (!comparison || beaten_search(costs(), *comparison) == nullptr) return;
  session_.offerWarmStart(session_.networkId(), {now->schedule(), device()->fingerprint, batch(), *costs().sum});
}

bool ScheduleController::startsSearches() const {
  const WorkspaceNetwork* network = session_.shownNetwork();
  return network != nullptr && network->warm_start && network->warm_start->used && draft() != nullptr &&
         network->warm_start->schedule == draft()->schedule();
}

const std::optional<DraftInsight>& ScheduleController::insight() const {
  if (!insight_known_) {
    const auto comparison = session_.comparison();
    insight_.reset();
    if (comparison && draft() != nullptr)
      insight_ = insight_of(*draft(), evaluation_, *comparison, session_.searchedWith());
    insight_known_ = true;
  }
  return insight_;
}

bool ScheduleController::lacksCosts() const {
  const DeviceInfo* on = device();
  return draft() != nullptr && on != nullptr && on->origin == Origin::kMeasured &&
         std::ranges::any_of(costs().stages, [](const auto& latency) { return !latency; });
}

void ScheduleController::setMeasuresAfterDrop(bool on) {
  if (on == measures_after_drop_) return;
  measures_after_drop_ = on;
  if (on) measure();
}

void ScheduleController::measure() {
  if (!lacksCosts()) return;
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < costs().stages.size(); ++i) {
    if (!costs().stages[i]) stages.push_back(draft()->schedule().stages[i]);
  }
  work_.measure(stages, [self = QPointer(this), stages, graph = session_.document().graph, on = *device(),
                         batch = batch()](const std::vector<Latency>& found) {
    if (!self || !self->evaluator_ || !self->evaluator_->is_for(*graph, on, batch)) return;
    self->evaluator_->learn(stages, found);
    self->evaluate();
    emit self->costsChanged();
  });
}

// ---- Jobs ----

QString ScheduleController::improveDisabledReason() const {
  if (draft() == nullptr) return tr("No schedule is being changed");
  return improving() == Improving::kNot ? QString() : tr("A search of this schedule runs or waits already");
}

void ScheduleController::improve(Improving how) {
  if (device() == nullptr || !improveDisabledReason().isEmpty()) return;
  work_.improve(
      *draft(), how,
      [self = QPointer(this), network = session_.networkId(), from = *draft(), how](const Improvement& found) {
        if (self) self->acceptImproved(network, from, found, how);
      });
  emit workChanged();
}

void ScheduleController::acceptImproved(NetworkId network, const ScheduleDraft& from, const Improvement& found,
                                        Improving how) {
  const auto own = histories_.find(network);
  if (own == histories_.end()) return;
  const bool fills = how == Improving::kFill;
  const auto kept = fills ? static_cast<int>(from.locked_stages().size()) : 0;
  const QString keeps =
      kept > 0 ? (kept == 1 ? tr("; 1 locked stage kept") : tr("; %1 locked stages kept").arg(kept)) : QString();
  const QString before = QString::number(found.start.count(), 'f', 3);
  const QString after = QString::number(found.found.stage_sum.count(), 'f', 3);
  if (!found.better) {
    emit told(tr("Nothing better was found than %1 ms%2").arg(before, keeps));
    return;
  }
  const QString name = fills ? tr("Fill by IOS") : tr("Search from here");
  const ScheduleDraft& now = own->second.draft();
  if (!same_structure(now.graph(), from.graph())) {
    emit told(tr("%1: the network was changed meanwhile, what was found does not fit it").arg(name));
    return;
  }
  if (!(now == from)) {  // newer edits and locks stay
    emit offered(tr("%1 found %2 → %3 ms%4 for the schedule as it was; your changes since then stay")
                     .arg(name, before, after, keeps),
                 [self = QPointer(this), network, from, schedule = found.found.schedule, name] {
                   if (self) self->acceptLate(network, from, schedule, name);
                 });
    return;
  }
  auto next = from.replaced(found.found.schedule);
  if (!next) {
    emit failed(next.error());
    return;
  }
  if (network == session_.networkId()) {
    take(name, std::move(next));
  } else {  // where the user has turned away from
    own->second.push({name.toStdString(), *std::move(next)});
    keep(network);
  }
  emit told(tr("%1 → %2 ms%3").arg(before, after, keeps));
}

// Somebody wants it all the same: one step, as any other.
void ScheduleController::acceptLate(NetworkId network, const ScheduleDraft& from, const Schedule& found,
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
  const ScheduleResult* own =
      comparison && draft() != nullptr ? find_by_hand(*comparison, draft()->schedule()) : nullptr;
  return own == nullptr ? std::nullopt : std::optional(own->id);
}

QString ScheduleController::runDisabledReason() const {
  return draft() == nullptr ? tr("No schedule is being changed") : work_.runDisabledReason();
}

QString ScheduleController::verifyDisabledReason() const {
  return draft() == nullptr ? tr("No schedule is being changed") : work_.verifyDisabledReason();
}

void ScheduleController::run(bool verify) {
  if (!(verify ? verifyDisabledReason() : runDisabledReason()).isEmpty()) return;
  if (const auto known = result(); known && !verify) {
    session_.setActiveSchedule(*known);
    emit told(tr("This schedule has been run already"));
    return;
  }
  work_.run(draft()->schedule(), verify);
}

}  // namespace iosx

#include "moc_schedule_controller.cpp"
