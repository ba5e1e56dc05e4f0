#include "views/edit_schedule/schedule_controller.h"

#include <QPointer>
#include <algorithm>

#include "core/analysis/compare/make_schedules.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule.h"
#include "views/app_model/session.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

QString title_of(const DraftOrigin& origin) {
  return origin.title.empty() ? ScheduleController::tr("an earlier step")
                              : schedule_title(origin.schedule_kind, origin.title);
}

// Returns what hand-made schedules are called in files and lists.
Schedule manual(Schedule schedule) {
  schedule.name = std::string(kManualName);
  return schedule;
}

// Adds the remedy where lanes from a file are for other kernels.
Error with_their_place(Error error, const ScheduleNotes& notes) {
  if (!notes.device.empty()) {
    error.remedy =
        message("they were found on {} with batch {}: show such a run, then open them", notes.device, notes.batch);
  }
  return error;
}

}  // namespace

ScheduleController::ScheduleController(Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), work_(session, jobs), lane_costs_(session.devices()) {
  connect(&session_, &Session::documentChanged, this, &ScheduleController::follow);
  connect(&session_, &Session::comparisonChanged, this, &ScheduleController::follow);
  connect(&session_, &Session::workspaceChanged, this, [this] {
    std::erase_if(histories_, [this](const auto& each) { return session_.workspace().find(each.first) == nullptr; });
  });
  connect(&session_.editor(), &WorkspaceEditor::draftLeft, this,
          [this] { emit told(tr("The hand-made schedule does not fit the changed network: start with a copy")); });
  connect(&session_, &Session::settingsChanged, this, [this] {
    session_.comparison() == nullptr ? follow() : emit costsChanged();  // Run says at which batch, where that differs
  });
  connect(&jobs_, &Jobs::waitingChanged, this, &ScheduleController::workChanged);
  connect(&jobs_, &Jobs::finished, this, &ScheduleController::workChanged);
  connect(&lane_costs_, &LaneCosts::changed, this, &ScheduleController::costsChanged);
  jobs_.handLanesTo([self = QPointer(this)](const ScheduleFile& file) -> Result<void> {
    return self ? self->openLanes(file) : Result<void>();
  });
  follow();
}

ScheduleController::~ScheduleController() = default;

ScheduleController::History::Step ScheduleController::copied(Draft draft, DraftOrigin origin) {
  return {tr("Copy %1").arg(title_of(origin)).toStdString(), std::move(draft), std::move(origin)};
}

QString ScheduleController::nameOf(const History::Step* step) {
  return step == nullptr ? QString() : QString::fromStdString(step->name);
}

// ---- What is done to it ----

const ScheduleController::History* ScheduleController::history() const {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

ScheduleController::History* ScheduleController::history() {
  const auto found = histories_.find(session_.networkId());
  return found == histories_.end() ? nullptr : &found->second;
}

const ScheduleDraft* ScheduleController::draft() const {
  return edits() ? std::get_if<ScheduleDraft>(&history()->draft()) : nullptr;
}

const ScheduleDraft* ScheduleController::start() const {
  return edits() ? std::get_if<ScheduleDraft>(&history()->start().draft) : nullptr;
}

const LaneDraft* ScheduleController::lanes() const {
  return edits() ? std::get_if<LaneDraft>(&history()->draft()) : nullptr;
}

std::shared_ptr<const Graph> ScheduleController::graph() const {
  if (const ScheduleDraft* staged = draft()) return staged->shared_graph();
  return lanes() == nullptr ? nullptr : lanes()->kernels().graph;
}

QString ScheduleController::startTitle() const { return edits() ? title_of(*history()->start().copy_of) : QString(); }

void ScheduleController::copy(const Choice& choice) {
  session_.showSchedule(choice);
  copyShown();
}

void ScheduleController::copyShown() {
  if (!session_.hasDocument()) return;
  const auto& graph = session_.document().graph;
  const auto comparison = session_.comparison();
  const ScheduleResult* shown = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  if (shown != nullptr && shown->lanes) return copyLanes(*shown);
  DraftOrigin origin{ScheduleKind::kGreedy, std::string(row_of(ScheduleKind::kGreedy).title)};
  if (shown != nullptr) origin = {shown->schedule_kind, shown->title()};
  auto made = ScheduleDraft::make(graph, manual(shown != nullptr ? shown->schedule : greedy_schedule(*graph)));
  if (!made) return emit failed(made.error());
  if (const ScheduleDraft* now = draft(); now != nullptr && now->schedule() == made->schedule()) return;
  pushCopy(copied(*std::move(made), std::move(origin)));
}

std::shared_ptr<const LaneKernels> ScheduleController::kernelsFor(Schedule schedule, std::int64_t batch,
                                                                  const LowerOptions& lowering) const {
  const auto& graph = session_.document().graph;
  if (const LaneDraft* now = lanes()) {
    const LaneKernels& own = now->kernels();
    if (own.graph == graph && own.schedule == schedule && own.staged.batch == batch && own.lowering == lowering)
      return now->shared_kernels();
  }
  return lane_kernels(graph, schedule, batch, lowering);
}

void ScheduleController::copyLanes(const ScheduleResult& result) {
  const Comparison& comparison = *session_.comparison();
  auto made =
      LaneDraft::make(kernelsFor(manual(result.schedule), comparison.batch, comparison.device.lowering), *result.lanes);
  if (!made) return emit failed(made.error());
  if (const LaneDraft* now = lanes(); now != nullptr && *now == *made) return;
  pushCopy(copied(*std::move(made), {result.schedule_kind, result.title()}));
}

void ScheduleController::copyStages() {
  if (lanes() == nullptr) return;
  const DraftOrigin origin = *history()->start().copy_of;
  auto made = ScheduleDraft::make(lanes()->kernels().graph, lanes()->kernels().schedule);
  if (made) pushCopy(copied(*std::move(made), origin));
}

Result<void> ScheduleController::openLanes(const ScheduleFile& file) {
  const DeviceInfo* on = device();
  if (on == nullptr) return fail(message("there is no device"));
  if (!on->barrier_free) return tl::unexpected(with_their_place(runs_stages_only(*on, file.schedule.name), file.notes));
  if (!session_.hasDocument()) return {};  // it has gone
  IOS_TRY(check_legal(*session_.document().graph, file.schedule));
  auto made = LaneDraft::make(kernelsFor(manual(file.schedule), batch(), on->lowering), *file.lanes);
  if (!made) return tl::unexpected(with_their_place(std::move(made.error()), file.notes));
  pushCopy(copied(*std::move(made), {ScheduleKind::kFile, file.schedule.name}));
  emit lanesOpened();
  const std::string& found_on = file.notes.device;  // iosx writes ids, the window names
  const bool here = found_on == on->id || found_on == on->name;
  if (!found_on.empty() && (!here || file.notes.batch != batch())) {
    const QString sentence =
        tr("The lanes were found on %1 with batch %2; their latency here is that on %3 with batch %4")
            .arg(shown_name(file.notes.device))
            .arg(file.notes.batch)
            .arg(shown_name(on->name))
            .arg(batch());
    // After what is said of a file that was opened.
    QMetaObject::invokeMethod(
        this, [this, sentence] { emit told(sentence); }, Qt::QueuedConnection);
  }
  return {};
}

void ScheduleController::pushCopy(History::Step step) {
  if (History* own = history()) {
    own->push(std::move(step));
  } else {
    histories_.emplace(session_.networkId(), History(std::move(step)));
  }
  tellChanged();
  if (measures_after_drop_) measure();
}

bool ScheduleController::push(const QString& name, Draft next) {
  if (!edits()) return false;
  if (!history()->push({name.toStdString(), std::move(next)})) return true;
  tellChanged();
  if (measures_after_drop_) measure();
  return true;
}

bool ScheduleController::take(const QString& name, Result<ScheduleDraft> next) {
  if (next) return push(name, *std::move(next));
  emit refused(message_text(next.error().what));
  return false;
}

bool ScheduleController::take(const QString& name, Result<LaneDraft> next) {
  if (next) return push(name, *std::move(next));
  emit refused(message_text(next.error().what));
  return false;
}

void ScheduleController::beginOneByOne() {
  if (draft() == nullptr) return;
  take(schedule_title(ScheduleKind::kOneByOne, {}),
       ScheduleDraft::make(draft()->shared_graph(), one_by_one_schedule(draft()->graph())));
}

QString ScheduleController::undoName() const { return edits() ? nameOf(history()->to_undo()) : QString(); }

QString ScheduleController::redoName() const { return edits() ? nameOf(history()->to_redo()) : QString(); }

void ScheduleController::undo() {
  if (edits() && history()->undo()) tellChanged();
}

void ScheduleController::redo() {
  if (edits() && history()->redo()) tellChanged();
}

void ScheduleController::keep(NetworkId network) {
  const auto own = histories_.find(network);
  if (own == histories_.end()) return;
  const History::Step& start = own->second.start();
  WorkspaceDraft kept{.schedule_kind = start.copy_of->schedule_kind, .title = start.copy_of->title};
  if (const auto* staged = std::get_if<ScheduleDraft>(&own->second.draft())) {
    kept.schedule = staged->schedule();
    kept.locked = staged->locked_stages();
    kept.start = std::get<ScheduleDraft>(start.draft).schedule();
  } else {
    const auto& free = std::get<LaneDraft>(own->second.draft());
    kept.schedule = kept.start = free.kernels().schedule;
    kept.lanes = WorkspaceLanes{.lanes = free.lanes(),
                                .start = std::get<LaneDraft>(start.draft).lanes(),
                                .lowering = free.kernels().lowering,
                                .batch = free.kernels().staged.batch};
  }
  session_.editor().setDraft(network, std::move(kept));
}

// Restores what it was copied from and what has become of it, as two steps.
void ScheduleController::restoreKept() {
  const WorkspaceNetwork* network = session_.shownNetwork();
  if (network == nullptr || !network->draft || history() != nullptr) return;
  const WorkspaceDraft& kept = *network->draft;
  const auto restore = [&](Draft start, Draft draft) {
    History restored(copied(std::move(start), {kept.schedule_kind, kept.title}));
    if (kept.edited()) restored.push({tr("Earlier changes").toStdString(), std::move(draft)});
    histories_.insert_or_assign(network->id, std::move(restored));
  };
  const auto& graph = network->document.graph;
  if (kept.lanes) {
    const auto kernels = lane_kernels(graph, kept.schedule, kept.lanes->batch, kept.lanes->lowering);
    auto start = LaneDraft::make(kernels, kept.lanes->start);
    auto draft = LaneDraft::make(kernels, kept.lanes->lanes);
    if (start && draft) restore(*std::move(start), *std::move(draft));
    return;
  }
  auto start = ScheduleDraft::make(graph, kept.start);
  auto draft = ScheduleDraft::make(graph, kept.schedule);
  if (!start || !draft) return;
  for (const std::size_t stage : kept.locked) draft = draft->with_lock(stage, true);
  restore(*std::move(start), *std::move(draft));
}

void ScheduleController::follow() {
  const bool other_network = session_.networkId() != network_;
  network_ = session_.networkId();
  restoreKept();
  bool dropped = false;
  if (const auto now = graph();
      now != nullptr && session_.hasDocument() && !same_structure(*now, *session_.document().graph)) {
    histories_.erase(session_.networkId());
    restoreKept();  // what the session has carried over to the new graph
    dropped = true;
  }
  if (other_network || dropped) return tellChanged();
  evaluate();
  emit costsChanged();
}

// Receivers of a draft change find its costs updated.
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
  const auto comparison = session_.comparison();
  if (const LaneDraft* free = lanes()) {
    return lane_costs_.show(*free, std::get<LaneDraft>(history()->start().draft), device(), batch(), comparison.get());
  }
  lane_costs_.clear();
  const ScheduleDraft* now = draft();
  if (now == nullptr) return;
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
  session_.editor().offerWarmStart(session_.networkId(),
                                   {now->schedule(), device()->fingerprint, batch(), *costs().sum});
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
  if (lanes() != nullptr) return tr("A search uses stages, and these lanes have none");
  if (draft() == nullptr) return tr("No schedule is being edited");
  return improving() == Improving::kNot ? QString() : tr("A search of this schedule already runs or waits");
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
  if (!found.better) return emit told(tr("No schedule faster than %1 ms was found%2").arg(before, keeps));
  const QString name = fills ? tr("Fill by IOS") : tr("Search from here");
  const auto* now = std::get_if<ScheduleDraft>(&own->second.draft());
  if (now != nullptr && !same_structure(now->graph(), from.graph()))
    return emit told(tr("%1: the network has changed in the meantime, so the result does not fit it").arg(name));
  if (now == nullptr || !(*now == from)) {  // newer edits and locks stay
    emit offered(tr("%1 found %2 → %3 ms%4 for the earlier schedule; your later changes are kept")
                     .arg(name, before, after, keeps),
                 [self = QPointer(this), network, from, schedule = found.found.schedule, name] {
                   if (self) self->acceptLate(network, from, schedule, name);
                 });
    return;
  }
  auto next = from.replaced(found.found.schedule);
  if (!next) return emit failed(next.error());
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
  const auto now = graph();
  if (now == nullptr || !same_structure(*now, from.graph()))
    return emit told(tr("%1: the network has changed in the meantime, so the result does not fit it").arg(name));
  if (lanes() != nullptr) {  // which came after it
    if (auto made = ScheduleDraft::make(now, found))
      pushCopy(copied(*std::move(made), {ScheduleKind::kByHand, name.toStdString()}));
    return;
  }
  take(name, draft()->replaced(found));
}

// Returns what a run is given of the draft, which must be there.
GivenSchedule ScheduleController::given() const {
  if (const LaneDraft* free = lanes()) {
    GivenSchedule given(free->kernels().schedule, ScheduleKind::kByHand);
    given.lanes = free->lanes();
    return given;
  }
  return {draft()->schedule(), ScheduleKind::kByHand};
}

std::optional<ScheduleId> ScheduleController::result() const {
  const auto comparison = session_.comparison();
  if (!comparison || !edits()) return std::nullopt;
  const GivenSchedule own = given();
  const ScheduleResult* run = find_by_hand(*comparison, own.schedule, own.lanes);
  return run == nullptr ? std::nullopt : std::optional(run->id);
}

QString ScheduleController::runDisabledReason() const {
  if (!edits()) return tr("No schedule is being edited");
  if (const QString why = work_.runDisabledReason(); !why.isEmpty() || lanes() == nullptr) return why;
  return lane_costs_.draft() == nullptr ? lane_costs_.problem() : QString();
}

QString ScheduleController::verifyDisabledReason() const {
  const QString why = runDisabledReason();
  return why.isEmpty() ? work_.verifyDisabledReason() : why;
}

void ScheduleController::run(bool verify) {
  if (!(verify ? verifyDisabledReason() : runDisabledReason()).isEmpty()) return;
  if (const auto known = result(); known && !verify) {
    session_.setActiveSchedule(*known);
    emit told(tr("This schedule has already run"));
    return;
  }
  work_.run(given(), verify);
}

}  // namespace iosx

#include "moc_schedule_controller.cpp"
