#include "views/edit_graph/edit_latencies.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSearchAfter{250};   // without an edit
constexpr milliseconds kMeasureAfter{800};  // the same

bool computes(const GraphController& controller) {
  const auto& operators = controller.graph().operators();
  return std::ranges::any_of(
      operators, [&](const auto& op) { return !op.second->is_source() && controller.check().valid(op.first); });
}

constexpr double kRounding = 1e-6;  // of a sum, as a share

struct LatencyWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::LatencyWords)
};

editor::LatencyRow row(const QString& schedule, const std::optional<Latency>& now,
                       const std::optional<Latency>& before) {
  editor::LatencyRow made{.schedule = schedule, .now = {}, .change = {}};
  if (!now) return made;
  made.now = latency_text(*now);
  if (!before) return made;
  const double change = (now->value - before->value).count();
  const double noise = std::hypot(now->spread.count(), before->spread.count());
  if (std::abs(change) <= std::max(noise, kRounding * before->value.count())) {
    made.change = LatencyWords::tr("the same");
    return made;
  }
  made.direction = change > 0 ? 1 : -1;
  made.change = (change > 0 ? QStringLiteral("▲ +") : QStringLiteral("▼ −")) + duration_text(Millis(std::abs(change)));
  return made;
}

}  // namespace

// One job of the runner at a time uses it.
struct EditLatencies::Clock {
  std::unique_ptr<LiveLatencies> latencies;
  std::uint64_t drawing = 0;
};

void EditLatencies::Book::edited(bool goes_on) {
  if (known && !goes_on && figures.now.left_out == 0) figures.before = figures.now;
  known = false;
}

void EditLatencies::Book::take(const DeviceInfo& device, std::int64_t batch, const LiveFigures& now) {
  figures.device = device;
  figures.batch = batch;
  figures.now = now;
  if (!figures.first && now.left_out == 0) figures.first = now;
  known = true;
}

EditLatencies::EditLatencies(GraphController& controller, const Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), controller_(controller), session_(session), jobs_(jobs), clock_(std::make_shared<Clock>()) {
  measure_.setSingleShot(true);
  measure_.setInterval(kMeasureAfter);
  connect(&measure_, &QTimer::timeout, this, &EditLatencies::measure);
  connect(&controller_, &GraphController::edited, this, &EditLatencies::follow);
  connect(&controller_, &GraphController::opened, this, &EditLatencies::followDrawing);
  connect(&session_, &Session::settingsChanged, this, &EditLatencies::followSettings);
  connect(&answers_, &LatestAnswer::failed, this, [this](const Error& error) {
    error_ = error_text(error);
    searching_ = false;
    emit changed();
  });
  connect(&jobs_, &Jobs::finished, this, [this] {
    if (measuring_ != 0) emit changed();  // measuring() may have ended
  });
}

EditLatencies::~EditLatencies() = default;

bool EditLatencies::measuring() const { return jobs_.has(measuring_); }

void EditLatencies::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (!active_) return stop();
  followSettings();
  followDrawing();
  if (!simulated_.known || !simulated_.figures.now.found) evaluateSoon();
}

const EditLatencies::Figures* EditLatencies::figures() const {
  if (measured_.known) return &measured_.figures;
  return simulated_.known ? &simulated_.figures : nullptr;
}

QString EditLatencies::problem() const {
  if (figures() != nullptr) return {};
  if (!computes(controller_)) {
    const Problem* const problem = what_leaves_out(controller_.check());
    return problem == nullptr ? tr("the drawing computes nothing") : message_text(problem->wording);
  }
  if (simulatedDevice() == nullptr && measuringDevice() == nullptr) return tr("there is no device");
  return error_;
}

std::size_t EditLatencies::leftOut() const { return figures() == nullptr ? 0 : figures()->now.left_out; }

QString EditLatencies::reasonLeftOut() const {
  const Problem* const problem = leftOut() == 0 ? nullptr : what_leaves_out(controller_.check());
  return problem == nullptr ? QString() : message_text(problem->wording);
}

const DeviceInfo* EditLatencies::measuringDevice() const {
  const DeviceInfo* chosen = session_.device();
  return chosen != nullptr && !is_modelled(chosen->origin) ? chosen : nullptr;
}

const DeviceInfo* EditLatencies::simulatedDevice() const {
  const DeviceInfo* chosen = session_.device();
  if (chosen != nullptr && chosen->origin == Origin::kSimulated) return chosen;
  for (const DeviceRegistry::Entry* const entry : session_.devices().entries()) {
    if (entry->unavailable.empty() && entry->info.origin == Origin::kSimulated) return &entry->info;
  }
  return nullptr;
}

LiveLimits EditLatencies::allowed() const {
  LiveLimits allowed{session_.settings().options.search, session_.settings().options.max_part_size};
  allowed.options.strategies = StrategySet::kBoth;
  return allowed;
}

// ---- What happens ----

void EditLatencies::follow(const EditSite& site, std::uint64_t gesture) {
  const bool goes_on = gesture != 0 && gesture == gesture_;
  gesture_ = gesture;
  ++round_;
  simulated_.edited(goes_on);
  measured_.edited(goes_on);
  if (!goes_on || !site_) site_ = site;
  error_.clear();
  begin();
}

// Results for earlier drawings are not waited for.
void EditLatencies::begin() {
  if (measuring_ != 0) jobs_.abandon(std::exchange(measuring_, 0));
  if (!active_) return;
  stop();
  evaluateSoon();
  if (measures_after_edit_ && measuringDevice() != nullptr) measure_.start();
}

void EditLatencies::followDrawing() {
  if (controller_.drawingNumber() == drawing_) return;
  drawing_ = controller_.drawingNumber();
  forget();
}

void EditLatencies::followSettings() {
  const RunSettings& settings = session_.settings();
  if (settings.device == device_ && settings.options.batch == batch_ && allowed() == allowed_) return;
  device_ = settings.device;
  batch_ = settings.options.batch;
  allowed_ = allowed();
  forget();
}

// Drops earlier results, which are no longer compared.
void EditLatencies::forget() {
  ++round_;
  gesture_ = 0;
  simulated_ = {};
  measured_ = {};
  site_.reset();
  error_.clear();
  begin();
  emit changed();
}

void EditLatencies::stop() {
  measure_.stop();
  searching_ = false;
  answers_.drop();
}

// Evaluates after all changes of one event.
void EditLatencies::evaluateSoon() {
  answers_.askLater(milliseconds(0), [this] { evaluate(); });
}

void EditLatencies::evaluate() {
  const DeviceInfo* const info = simulatedDevice();
  if (info == nullptr || !computes(controller_)) return void(emit changed());
  answers_.ask(
      [clock = clock_, graph = controller_.graph(), check = controller_.check(), id = info->id, batch = batch_,
       allowed = allowed_, drawing = drawing_,
       &devices = session_.devices()](const JobContext& job, const std::stop_token&) -> Result<LiveFigures> {
        if (!clock->latencies || clock->latencies->device().id != id || clock->latencies->batch() != batch) {
          IOS_TRY(auto device, devices.open(id));
          clock->latencies = std::make_unique<LiveLatencies>(std::move(device), batch);
        }
        if (std::exchange(clock->drawing, drawing) != drawing) clock->latencies->turn();
        return clock->latencies->show(graph, check, allowed, job);
      },
      [this, batch = batch_](const LiveFigures& figures) {
        simulated_.take(clock_->latencies->device(), batch, figures);
        if (!figures.found) answers_.askLater(kSearchAfter, [this] { search(); });
        emit changed();
      });
  emit changed();
}

void EditLatencies::search() {
  searching_ = true;
  answers_.ask([clock = clock_, allowed = allowed_](
                   const JobContext& job, const std::stop_token&) { return clock->latencies->search(allowed, job); },
               [this](const FoundFigures& found) {
                 searching_ = false;
                 simulated_.figures.now.found = found;
                 if (simulated_.figures.first && !simulated_.figures.before) simulated_.figures.first->found = found;
                 emit changed();
               });
  emit changed();
}

// ---- Measuring ----

void EditLatencies::setMeasuresAfterEdit(bool on) {
  if (on == measures_after_edit_) return;
  measures_after_edit_ = on;
  if (on && active_ && !measured_.known && measuringDevice() != nullptr) measure_.start();
  emit changed();
}

void EditLatencies::measure() {
  const DeviceInfo* const info = measuringDevice();
  if (info == nullptr || measuring() || !problem().isEmpty()) return;
  const auto graph = controller_.built();
  if (graph == nullptr) return;
  measuring_ = jobs_.runner().next();
  jobs_.workFor(session_.networkId(), tr("Measuring the drawn graph"),
                [self = QPointer(this), left_out = controller_.leftOut(), round = round_, workbench = jobs_.workbench(),
                 &jobs = jobs_,
                 request = MeasureDrawingRequest{.graph = graph,
                                                 .device = info->id,
                                                 .batch = batch_,
                                                 .timing = session_.settings().options.timing,
                                                 .limits = allowed_}](
                    const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
                  auto measured = workbench.run(request, job, jobs.hooks(abandon));
                  if (job.stopped()) return JobRunner::Delivery{};  // the store has what was measured
                  if (!measured) return tl::unexpected(std::move(measured.error()));
                  measured->figures.left_out = left_out;
                  return JobRunner::Delivery{[self, round, found = *measured, batch = request.batch] {
                    if (self.isNull() || round != self->round_) return;
                    self->measured_.take(found.device, batch, found.figures);
                    emit self->changed();
                  }};
                });
  emit changed();
}

std::vector<editor::LatencyRow> editor::latency_rows(const EditLatencies::Figures& figures,
                                                     const std::optional<LiveFigures>& before) {
  const LiveFigures& now = figures.now;
  const bool compared = before && now.left_out == 0;
  const auto of = [&](auto member) { return compared ? std::optional<Latency>((*before).*member) : std::nullopt; };
  const auto found = [](const std::optional<LiveFigures>& in, const auto& pick) -> std::optional<Latency> {
    return in && in->found ? std::optional<Latency>(pick(*in->found)) : std::nullopt;
  };
  const auto searched = [&](const QString& schedule, const auto& pick) {
    return row(schedule, found(now, pick), compared ? found(before, pick) : std::nullopt);
  };
  std::vector<LatencyRow> rows{
      row(schedule_kind_title(ScheduleKind::kSequential), now.sequential, of(&LiveFigures::sequential)),
      row(schedule_kind_title(ScheduleKind::kGreedy), now.greedy, of(&LiveFigures::greedy)),
      searched(schedule_kind_title(ScheduleKind::kIosBoth), [](const FoundFigures& of) { return of.ios; })};
  if (now.found && now.found->list) {
    rows.push_back(searched(schedule_kind_title(ScheduleKind::kList), [](const FoundFigures& of) { return of.list; }));
  }
  return rows;
}

QColor editor::change_color(const Theme& theme, int direction) {
  if (direction == 0) return theme.mutedText;
  if (theme.dark) return direction > 0 ? QColor(0xff, 0x9a, 0x5c) : QColor(0x6c, 0xb8, 0xff);
  return direction > 0 ? QColor(0xb8, 0x42, 0x00) : QColor(0x12, 0x5a, 0xa8);
}

}  // namespace iosx

#include "moc_edit_latencies.cpp"
