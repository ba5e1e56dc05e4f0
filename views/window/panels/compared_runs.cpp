#include "views/window/panels/compared_runs.h"

#include <QAction>
#include <algorithm>
#include <utility>

#include "core/analysis/difference/subject.h"
#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/time/time_axis.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

std::shared_ptr<const Comparison> comparison_of(const WorkspaceRun& run) { return {run.run, &run.run->comparison}; }

}  // namespace

ComparedRuns::ComparedRuns(Session& session, SelectionModel& selection, QObject* parent)
    : QObject(parent),
      session_(session),
      time_(new TimeAxisModel(this)),
      timeline_(named("compared-timelines", new TimelineView(&selection, time_), tr("Timelines of the comparison"))),
      page_(new ComparePage(&selection)),
      back_(new QAction(tr("Show the chosen ones"), this)) {
  timeline_->setWhyOpen(false);  // there is little room at first
  page_->setTimeline(timeline_);
  connect(time_, &TimeAxisModel::playheadChanged, this, &ComparedRuns::race);
  connect(time_, &TimeAxisModel::measureChanged, this, &ComparedRuns::race);
  connect(&session_, &Session::workspaceChanged, this, &ComparedRuns::follow);
  connect(&session_, &Session::comparisonChanged, this, &ComparedRuns::follow);
  connect(&session_, &Session::activeScheduleChanged, this, &ComparedRuns::follow);
  connect(&session_.editor(), &WorkspaceEditor::projectOpened, this, [this] { b_.reset(); });
  connect(&session_.editor(), &WorkspaceEditor::handMadeRan, this, &ComparedRuns::showHandMade);
  connect(page_, &ComparePage::subjectChosen, this, [this] {
    keepB();
    showColumns();
    showTimelines();
    tellShown();
  });
  connect(page_, &ComparePage::baselineChosen, this, [this](int subject) {
    keepB();  // it may have changed places with A
    if (subject >= 0 && static_cast<std::size_t>(subject) < compared_.size()) {
      chooseBaseline(compared_[static_cast<std::size_t>(subject)]);
    }
    showColumns();
    showTimelines();  // a question's pair is none of the workspace's, which tells of its changes
    tellShown();
  });
  back_->setToolTip(tr("These two are shown because of the question above; your choice has not changed"));
  back_->setVisible(false);
  page_->addHeadAction(back_);
  connect(back_, &QAction::triggered, this, &ComparedRuns::showPicked);
}

void ComparedRuns::setActive(bool active) {
  active_ = active;
  if (!active) pair_.reset();
  follow();
}

std::optional<Choice> ComparedRuns::choice(std::size_t subject) const {
  return subject < compared_.size() ? std::optional(compared_[subject]) : std::nullopt;
}

std::optional<ExternalId> ComparedRuns::external(std::size_t bar) const {
  return bar < external_.size() ? std::optional(external_[bar]) : std::nullopt;
}

void ComparedRuns::follow() {
  const Workspace& workspace = session_.workspace();
  if (pair_ && (workspace.find(pair_->baseline) == nullptr || workspace.find(pair_->other) == nullptr ||
                workspace.compared() != pair_->picked || workspace.baseline() != pair_->picked_baseline)) {
    pair_.reset();
  }
  if (active_) refresh();
}

void ComparedRuns::showPair(const Choice& baseline, const Choice& other) {
  pair_ = Pair{baseline, other, session_.workspace().compared(), session_.workspace().baseline()};
  follow();
}

void ComparedRuns::showPicked() {
  pair_.reset();
  follow();
}

void ComparedRuns::pick(const Choice& choice, bool picked) {
  std::vector<Choice> shown = choices();
  const auto at = std::ranges::find(shown, choice);
  const bool there = at != shown.end();
  if (there == picked || (there && shown.size() == 1)) return;
  if (there) {
    shown.erase(at);
  } else {
    shown.push_back(choice);
  }
  const std::optional<Choice> before = baseline();
  pair_.reset();
  const bool stays = before && std::ranges::find(shown, *before) != shown.end();
  session_.editor().setAllCompared(shown, stays ? before : std::nullopt);
}

void ComparedRuns::showHandMade(const Choice& choice) {
  b_ = choice;
  pair_.reset();
  const std::vector<Choice>& picked = session_.workspace().compared();
  const bool missing = !picked.empty() && std::ranges::find(picked, choice) == picked.end();
  missing ? session_.editor().setCompared(choice, true) : follow();
}

void ComparedRuns::keepB() {
  const auto b = page_->subjectB();
  b_ = b ? choice(*b) : std::nullopt;
}

void ComparedRuns::tellShown() {
  const RunMatrix* const runs = page_->runs();
  ComparedChoices shown{compared_, {}, {}};
  if (runs != nullptr) shown.a = choice(runs->matrix.baseline);
  if (page_->subjectB()) shown.b = choice(*page_->subjectB());
  emit shownChanged(shown);
}

std::optional<Choice> ComparedRuns::baseline() const {
  return pair_ ? std::optional(pair_->baseline) : session_.workspace().baseline();
}

void ComparedRuns::chooseBaseline(const Choice& choice) {
  if (!pair_) return session_.editor().setBaseline(choice);
  if (choice == pair_->other) std::swap(pair_->baseline, pair_->other);
}

void ComparedRuns::showExternal(std::optional<NetworkId> network) {
  external_.clear();
  std::vector<LatencyBar> bars;
  if (network) {
    for (const WorkspaceExternal* external : session_.workspace().external_of(*network)) {
      if (external->run->latency.value <= Millis(0)) continue;
      bars.push_back(external_bar(*external->run, *session_.workspace().find(*network)->document.graph));
      external_.push_back(external->id);
    }
  }
  page_->setExternal(std::move(bars));
}

std::vector<Choice> ComparedRuns::choices() const {
  if (pair_) return {pair_->baseline, pair_->other};
  std::vector<Choice> picked = session_.workspace().compared();
  if (!picked.empty()) {
    // The baseline is part of what is compared.
    const auto& baseline = session_.workspace().baseline();
    const bool there = !baseline || std::ranges::find(picked, *baseline) != picked.end();
    if (!there && session_.workspace().find(*baseline) != nullptr) picked.insert(picked.begin(), *baseline);
    return picked;
  }
  if (const WorkspaceRun* run = session_.shownRun()) {
    for (const ScheduleResult& result : run->run->comparison.results) picked.push_back({run->id, result.id});
  }
  return picked;
}

void ComparedRuns::refresh() {
  const Workspace& workspace = session_.workspace();
  compared_ = choices();
  back_->setVisible(pair_.has_value());
  const std::optional<Choice> chosen = baseline();
  std::vector<Subject> subjects;
  std::optional<std::size_t> found;  // the baseline's place
  for (const Choice& choice : compared_) {
    const WorkspaceRun& run = *workspace.find(choice.run);
    const std::size_t result = *run.run->comparison.index_of(choice.schedule);
    const bool sequential = run.run->comparison.results[result].schedule_kind == ScheduleKind::kSequential;
    if (!found && (chosen ? choice == *chosen : sequential)) found = subjects.size();
    subjects.push_back({comparison_of(run), result, {}});
  }
  const std::size_t baseline = found.value_or(0);
  label_subjects(subjects, shown_labels());
  page_->setSelectionGraph(session_.comparison() ? session_.comparison()->graph : nullptr);
  const std::optional<Choice>& wished = b_ ? b_ : workspace.shown();  // where nobody chose, the shown one is B
  const auto b = wished ? std::ranges::find(compared_, *wished) : compared_.end();
  const bool known = b != compared_.end();
  page_->setSubjects(std::move(subjects), baseline,
                     known ? std::optional(static_cast<std::size_t>(b - compared_.begin())) : std::nullopt);
  showExternal(compared_.empty() ? std::nullopt : std::optional(workspace.find(compared_[baseline].run)->network));
  showColumns();
  showTimelines();
  tellShown();
}

// A network's column is of its own graph, of which an older run may have had fewer units.
void ComparedRuns::showColumns() {
  const RunMatrix* const runs = page_->runs();
  const auto column = [&](std::optional<std::size_t> subject) -> std::shared_ptr<const UnitColumn> {
    const auto chosen = subject ? choice(*subject) : std::nullopt;
    if (runs == nullptr || !chosen) return nullptr;
    const WorkspaceRun* const run = session_.workspace().find(chosen->run);
    const auto& own = run != nullptr ? session_.workspace().find(run->network)->column : nullptr;
    const bool fits = own != nullptr && own->values.size() == runs->subjects[*subject].graph().units().size();
    return fits ? own : nullptr;
  };
  page_->canvases()->canvasA()->setColumn(
      column(runs != nullptr ? std::optional(runs->matrix.baseline) : std::nullopt));
  page_->canvases()->canvasB()->setColumn(column(page_->subjectB()));
}

// A is the line at the top, B below it with all its lanes, the others below them. The selection is of the window's
// graph; where that is not B's, it is of A's.
void ComparedRuns::showTimelines() {
  const RunMatrix* const runs = page_->runs();
  if (runs == nullptr) return timeline_->setTracks({}, std::nullopt);
  const std::size_t a = runs->matrix.baseline;
  const std::optional<std::size_t> b = page_->subjectB();
  std::vector<std::size_t> order{a};
  if (b) order.push_back(*b);
  for (std::size_t i = 0; i < runs->subjects.size(); ++i) {
    if (i != a && i != b) order.push_back(i);
  }
  std::vector<TimelineTrack> tracks;
  for (const std::size_t i : order) {
    tracks.push_back({.comparison = runs->subjects[i].comparison,
                      .result = runs->subjects[i].result,
                      .title = shown_name(runs->subjects[i].label),
                      .run = run_key(compared_[i].run)});
  }
  const std::vector<TimelineTrack>& before = timeline_->tracks().tracks();
  const bool same_pair = before.size() > 1 && tracks.size() > 1 && before[0].key() == tracks[0].key() &&
                         before[1].key() == tracks[1].key();
  const bool b_leads = b && page_->pair()->match.identical;
  const std::size_t shown = tracks.size();
  timeline_->setTracks(std::move(tracks), b_leads ? 1 : 0);
  timeline_->setBaseline(0);
  for (std::size_t i = 0; i < shown; ++i) {
    timeline_->setShown(i, true);
    if (!same_pair) timeline_->setCollapsed(i, b && i != 1);  // later it is the user's
  }
  race();
}

void ComparedRuns::race() {
  const auto progress = [this](std::size_t track) {
    if (track >= timeline_->tracks().tracks().size()) return CanvasPair::Progress();
    TimelineView::Front front = timeline_->frontOf(track);
    return CanvasPair::Progress{std::move(front.running), std::move(front.ahead), front.ended,
                                timeline_->measuredUnits(track)};
  };
  page_->canvases()->setProgress(progress(0), progress(1));
}

}  // namespace iosx

#include "moc_compared_runs.cpp"
