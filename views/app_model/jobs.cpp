#include "views/app_model/jobs.h"

#include <QCoreApplication>
#include <algorithm>
#include <mutex>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/verify.h"
#include "core/base/text.h"
#include "core/documents/project/project_file.h"
#include "core/documents/run_file/run_file.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

QString title_of(const ScheduleResult& result) {
  const ScheduleKindRow& row = row_of(result.schedule_kind);
  const std::string title = result.title();
  if (row.given() || !title.starts_with(row.title)) return shown_name(title);
  return core_words(row.title) + shown_name(title.substr(row.title.size()));
}

// Returns the chosen device if it computes, and else the best that does; null without any.
const DeviceRegistry::Entry* computing_device(const Session& session) {
  const DeviceRegistry::Entry* const chosen = session.devices().find(session.settings().device);
  if (chosen != nullptr && chosen->info.computes && chosen->unavailable.empty()) return chosen;
  return session.devices().best_computing();
}

// Returns the shown comparison if it is of the network, and of the device and batch of the run; else null.
const Comparison* shown_of(const Session& session, NetworkId network, const Run& run) {
  const Comparison* const shown = network == session.networkId() ? session.comparison().get() : nullptr;
  const Comparison& own = run.comparison;
  return shown != nullptr && shown->device.id == own.device.id && shown->batch == own.batch ? shown : nullptr;
}

// Returns a notice of what a stopped run was asked for and what the shown comparison lacks too; empty without any.
Message still_missing(const Run& run, const Comparison* shown) {
  if (run.comparison.complete) return {};
  std::vector<std::string> titles;
  for (const ScheduleKind kind : run.options.schedule_kinds) {
    const bool runs = run.comparison.device.barrier_free || !row_of(kind).barrier_free;
    if (runs && (shown == nullptr || shown->find(kind) == nullptr)) titles.emplace_back(row_of(kind).title);
  }
  return titles.empty() ? Message() : stopped_before(titles);
}

// Returns the fastest lanes of IOS-Flow that a search with these settings has found before; none without any.
std::optional<GivenSchedule> earlier_flow(const Workspace& workspace, NetworkId network, RunSettings settings) {
  const ScheduleResult* best = nullptr;
  for (const WorkspaceRun* each : workspace.runs_of(network)) {
    settings.options.schedule_kinds = each->run->options.schedule_kinds;
    if (each->recorded || settings_of(*each->run) != settings) continue;
    const ScheduleResult* const flow = each->run->comparison.find(ScheduleKind::kIosFlow);
    if (flow == nullptr || !flow->lanes) continue;
    if (best == nullptr || flow->latency.value < best->latency.value) best = flow;
  }
  if (best == nullptr) return std::nullopt;
  GivenSchedule flow(best->schedule, ScheduleKind::kIosFlow);
  flow.lanes = best->lanes;
  return flow;
}

}  // namespace

class Jobs::Notices {
 public:
  void add(const Message& notice) {
    const std::scoped_lock lock(mutex_);
    notices_.push_back(notice);
  }
  QStringList take() {
    const std::scoped_lock lock(mutex_);
    QStringList sentences;
    for (const Message& notice : std::exchange(notices_, {})) sentences << message_sentence(notice);
    return sentences;
  }

 private:
  std::mutex mutex_;
  std::vector<Message> notices_;
};

Jobs::Jobs(Session& session, Opener opener, QObject* parent)
    : QObject(parent),
      session_(session),
      editor_(session.editor()),
      files_(std::move(opener)),
      notices_(std::make_shared<Notices>()),
      automatic_(
          session_, runner_,
          [this](const RunSettings& settings, bool complete, const QString& title) {
            const NetworkId network = session_.networkId();
            asked_[runner_.next()] = {network, complete ? std::optional(settings) : std::nullopt};
            runner_.enqueue(title, comparingWork(network, settings), JobRunner::Turn::kNext);
          },
          [this](JobId job) { abandon(job); }) {
  connect(&session_, &Session::documentChanged, &automatic_, &AutomaticSearch::turn);
  connect(&session_, &Session::workspaceChanged, this, &Jobs::abandonHomeless);
  connect(&runner_, &JobRunner::started, &watcher_, &SearchWatcher::begin);
  connect(&runner_, &JobRunner::finished, &watcher_, &SearchWatcher::end);
  connect(&watcher_, &SearchWatcher::changed, this, &Jobs::searchingChanged);
  connect(&runner_, &JobRunner::finished, this, &Jobs::forgetEnded);
  connect(&reader_, &JobRunner::failed, this, &Jobs::tellUnread);
  for (const JobRunner* runner : {&writer_, &runner_}) {
    connect(runner, &JobRunner::failed, this, [this](const Error& error) { emit failed(error, {}); });
  }
  for (JobRunner* runner : {&reader_, &runner_}) {
    connect(runner, &JobRunner::started, this, &Jobs::started);
    connect(runner, &JobRunner::progressed, this, [this, runner](const Progress& progress) {
      if (runner == &runner_ || !runner_.busy()) emit progressed(progress);  // of a search rather than of what is read
    });
    connect(runner, &JobRunner::finished, this, &Jobs::finished);
    connect(runner, &JobRunner::waitingChanged, this, &Jobs::waitingChanged);
    connect(runner, &JobRunner::progressed, this, &Jobs::tellNotices);
    // Later: a job that waits begins first, and what is said then is not taken for earlier news.
    connect(runner, &JobRunner::finished, this, &Jobs::tellNotices, Qt::QueuedConnection);
  }
}

void Jobs::tellNotices() {
  if (const QStringList sentences = notices_->take(); !sentences.isEmpty()) emit noticed(sentences);
}

// The newest one is the user's wish; other readings beside the jobs keep waiting.
void Jobs::startReading(const QString& title, const QString& source, bool kept, JobRunner::Work work) {
  reader_.abandon(opening_.id);
  opening_ = {reader_.next(), source, kept};
  reader_.enqueue(title, std::move(work), JobRunner::Turn::kNext);
}

void Jobs::tellUnread(const Error& error, JobId id) {
  if (id != opening_.id) return emit failed(error, {});
  if (opening_.kept) return emit notRestored(opening_.source, error);
  emit failed(error, opening_.source);
}

void Jobs::addNetwork(const QString& source) {
  const WorkspaceNetwork* const shown = session_.shownNetwork();
  if (shown == nullptr) return;
  const QString both = session_.source() + QLatin1Char('+') + source;
  const auto find = [files = files_, document = shown->document, first = session_.source().toStdString(),
                     added = source.toStdString()](const JobContext& job, const std::stop_token&) {
    job.report(message("reading"), 0, 0);
    return files.readBeside(document, first, added);
  };
  const auto give = [this, both, sizes = shown->sizes, network = session_.networkId()](ReadFile read) {
    take(std::move(read), both, sizes, network);
  };
  startReading(tr("Adding %1").arg(source), both, false, JobRunner::work(find, give));
}

void Jobs::open(const QString& source, const InputSizes& sizes) {
  const WorkspaceNetwork* shown = session_.shownNetwork();
  const auto work = [this, source, sizes, files = files_, network = session_.networkId(),
                     current = shown != nullptr ? shown->document.graph : nullptr](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("reading"), 0, 0);
    IOS_TRY(auto read, files.read(source.toStdString(), sizes, current.get(), job));
    if (job.stopped()) return JobRunner::Delivery{};
    return JobRunner::Delivery{
        [this, source, sizes, network, read = std::move(read)] { take(read, source, sizes, network); }};
  };
  startReading(tr("Opening %1").arg(source), source, false, work);
}

void Jobs::openRecording(const QString& file, const RecordingChoices& choices, RecordingId id) {
  const auto work = [this, file, choices, id](const JobContext& job,
                                              const std::stop_token&) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto read, FileReader::readRecording(file.toStdString(), choices, job));
    if (job.stopped()) return JobRunner::Delivery{};
    read.id = id;
    return JobRunner::Delivery{[this, file, read = std::move(read)] {
      editor_.addRecording(read);
      emit opened(file);
    }};
  };
  startReading(tr("Opening %1").arg(file), file, false, work);
}

void Jobs::restore(const QString& path) {
  const auto work = [this, path, files = files_](const JobContext& job,
                                                 const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("reading"), 0, 0);
    IOS_TRY(auto kept, files.readKept(path.toStdString(), job));
    if (job.stopped()) return JobRunner::Delivery{};
    return JobRunner::Delivery{[this, path, kept = std::move(kept)] {
      if (takeProject(kept)) emit restored(path);
    }};
  };
  startReading(tr("Opening the saved session"), path, true, work);
}

Jobs::JobId Jobs::enqueue(NetworkId network, const QString& title, JobRunner::Work work, JobRunner::Turn turn) {
  asked_[runner_.next()] = {network, {}};
  return runner_.enqueue(title, std::move(work), turn);
}

NetworkId Jobs::networkOf(JobId id) const {
  const auto found = asked_.find(id);
  return found == asked_.end() ? NetworkId() : found->second.network;
}

bool Jobs::has(NetworkId network) const {
  return std::ranges::any_of(asked_, [network](const auto& each) { return each.second.network == network; });
}

bool Jobs::has(JobId id) const { return id != 0 && (runner_.running() == id || runner_.waits(id)); }

bool Jobs::comparing(NetworkId network) const {
  return std::ranges::any_of(asked_, [&](const auto& job) {
    return job.second.network == network && (job.second.settings || automatic_.is(job.first)) && has(job.first);
  });
}

void Jobs::optimize() {
  if (!session_.hasDocument()) return;
  const NetworkId network = session_.networkId();
  const RunSettings& settings = session_.settings();
  const auto asked = std::ranges::find_if(asked_, [&](const auto& job) {
    const bool ends = runner_.stopping() && job.first == runner_.running();  // it was cancelled
    return !ends && job.second.network == network && job.second.settings == settings;
  });
  if (asked != asked_.end()) return automatic_.request(asked->first);
  automatic_.abandon();  // it would show less
  asked_[runner_.next()] = {network, settings};
  runner_.enqueue(tr("Optimizing %1").arg(shown_name(session_.document().graph->name())),
                  comparingWork(network, settings));
}

QString Jobs::measureHereDisabledReason() const {
  if (!session_.hasDocument()) return tr("No network is open");
  return session_.devices().best_computing() == nullptr ? tr("No device here measures") : QString();
}

void Jobs::measureHere() {
  if (!measureHereDisabledReason().isEmpty()) return;
  RunSettings settings = session_.settings();
  settings.device = session_.devices().best_computing()->info.id;
  session_.setSettings(std::move(settings));
  optimize();
}

QString Jobs::settingsText(JobId id) const {
  const auto asked = asked_.find(id);
  if (asked == asked_.end() || !asked->second.settings) return {};
  const RunSettings& settings = *asked->second.settings;
  const DeviceRegistry::Entry* const device = session_.devices().find(settings.device);
  const Pruning& pruning = settings.options.search.pruning;
  const auto limit = [](std::size_t number) { return number == 0 ? tr("no limit") : QString::number(number); };
  return tr("batch %1, %2, r %3, s %4")
      .arg(settings.options.batch)
      .arg(device == nullptr ? QString::fromStdString(settings.device) : shown_name(device->info.name))
      .arg(limit(pruning.r), limit(pruning.s));
}

Workbench Jobs::workbench() const {
  return {session_.devices(), {.place = store_}, QCoreApplication::applicationVersion().toStdString()};
}

JobHooks Jobs::hooks(const std::stop_token& abandon) const {
  return {.notice = [notices = notices_](const Message& notice) { notices->add(notice); }, .abandon = abandon};
}

JobRunner::Work Jobs::comparingWork(NetworkId network, const RunSettings& settings) {
  const WorkspaceNetwork& of = *session_.workspace().find(network);
  const JobId id = runner_.next();  // it is enqueued at once
  CompareRequest request{.graph = of.document.graph, .device = settings.device, .options = settings.options};
  request.options.given.assign(of.given.begin(), of.given.end());
  if (of.warm_start && of.warm_start->used) request.options.warm_start = of.warm_start->schedule;
  request.options.earlier = earlier_flow(session_.workspace(), network, settings);
  return [this, id, network, request, workbench = workbench(), left_behind = of.weights_left_behind,
          origin = RunNetwork{of.source, of.document.graph, of.document.batched}](
             const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    const auto run_of = [&](Comparison made) {
      auto run = std::make_shared<Run>(make_run(std::move(made), request.options, origin, workbench.version()));
      run->own_weights = run->own_weights || left_behind;
      return run;
    };
    JobHooks told = hooks(abandon);
    watcher_.attach(told.compare, request.options.batch);
    told.compare.growing = [&](Comparison so_far) {
      postbox_.post([this, id, network, run = run_of(std::move(so_far))] { grow(id, network, run); });
    };
    // Told below: the shown run may be an earlier one, which has what is missing.
    told.notice = [tell = told.notice](const Message& notice) {
      if (notice.pattern() != stopped_before({}).pattern()) tell(notice);
    };
    IOS_TRY(auto comparison, workbench.run(request, job, told));
    return JobRunner::Delivery{[this, id, network, run = run_of(std::move(comparison))] {
      const bool automatic = automatic_.is(id);
      editor_.addRun(network, automatic_.kept(id, run), automatic, std::exchange(growing_, {}));
      const Message lacks = still_missing(*run, shown_of(session_, network, *run));
      if (!lacks.empty()) notices_->add(lacks);
      if (automatic) automatic_.follow(network, *run);
    }};
  };
}

void Jobs::abandon(JobId id) {
  asked_.erase(id);  // who asks for the same again gets it
  runner_.abandon(id);
}

// A run that was opened from a file has made-up weights; its network's own are those that were read here.
std::shared_ptr<const Graph> Jobs::graphOfShownRun() const {
  const std::shared_ptr<const Graph>& compared = session_.comparison()->graph;
  if (session_.recorded() == nullptr) return compared;
  return std::make_shared<const Graph>(
      session_.document().graph->with_parts({compared->parts().begin(), compared->parts().end()}));
}

QString Jobs::verifyDisabledReason() const {
  if (!session_.shownRun()) return tr("There is no schedule yet");
  if (session_.recorded() != nullptr && session_.weightsLeftBehind())
    return tr("This run was recorded, and the weights of its network are missing; open the network itself");
  const DeviceInfo* chosen = session_.device();
  if (chosen == nullptr) return tr("There is no such device");
  const Result<void> computes = check_computes(*chosen);
  return computes ? QString() : error_text(computes.error());
}

void Jobs::verify() {
  if (!verifyDisabledReason().isEmpty()) return;
  const Comparison& comparison = *session_.comparison();
  const ScheduleResult& active = comparison.results[session_.activeSchedule()];
  VerifyRequest request{.graph = graphOfShownRun(),
                        .device = session_.settings().device,
                        .batch = comparison.batch,
                        .schedule = active.schedule,
                        .lanes = active.lanes,
                        .lowering = comparison.device.lowering};
  const auto work = [this, request, workbench = workbench(), id = session_.runId(), of = active.id](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    auto outcome = workbench.run(request, job, hooks(abandon));
    if (job.stopped()) return JobRunner::Delivery{};
    IOS_TRY(auto found, std::move(outcome));
    return JobRunner::Delivery{[this, id, of, found = std::move(found)] { editor_.setVerification(id, of, found); }};
  };
  enqueue(session_.networkId(), tr("Verifying %1").arg(title_of(active)), work);
}

QString Jobs::profileDisabledReason() const {
  if (!session_.shownRun()) return tr("There is no schedule yet");
  const DeviceInfo& device = session_.comparison()->device;
  if (is_modelled(device.origin)) return tr("A simulated device shows all its data without profiling");
  const DeviceRegistry::Entry* here = session_.devices().find(device.id);
  if (session_.recorded() != nullptr) {
    if (here == nullptr || !here->unavailable.empty() || here->info.fingerprint != device.fingerprint)
      return tr("This run was recorded on another device; run it here with Optimize, then profile it");
    if (session_.weightsLeftBehind())
      return tr("This run was recorded, and the weights of its network are missing; open the network itself");
  }
  if (here == nullptr) return tr("There is no such device");
  return {};
}

void Jobs::profile() {
  if (!profileDisabledReason().isEmpty()) return;
  ProfileRequest request{.graph = graphOfShownRun(), .device = session_.comparison()->device.id};
  request.comparison = session_.comparison();
  const auto work = [this, request, workbench = workbench(), id = session_.runId()](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    auto found = workbench.run(request, job, hooks(abandon));
    if (job.stopped()) return JobRunner::Delivery{};
    if (!found) return tl::unexpected<Error>(found.error());
    const auto profiled = std::make_shared<Comparison>(std::move(found->comparison));
    if (found->without_counters) {
      profiled->notices.push_back(message("hardware counters are not shown: {}", found->without_counters->line()));
      notices_->add(profiled->notices.back());
    }
    return JobRunner::Delivery{[this, id, profiled] { editor_.setProfile(id, *profiled); }};
  };
  enqueue(session_.networkId(), tr("Profiling the schedules of %1").arg(shown_name(session_.document().graph->name())),
          work);
}

QString Jobs::experimentDisabledReason(ExperimentKind kind) const {
  if (!session_.hasDocument()) return tr("No network is open");
  if (!session_.document().batched && !usual_batches(kind).empty())
    return tr("This network runs with a batch of 1 only");
  if (kind == ExperimentKind::kFrameworks && computing_device(session_) == nullptr)
    return tr("No device here computes outputs, as engines do");
  return {};
}

bool has_choice(ExperimentKind kind) {
  return kind == ExperimentKind::kPruning || kind == ExperimentKind::kDevices || kind == ExperimentKind::kFrameworks ||
         !usual_batches(kind).empty();
}

void Jobs::experiment(ExperimentRequest request) {
  if (!experimentDisabledReason(request.kind).isEmpty()) return;
  request.graph = session_.document().graph;
  if (request.kind != ExperimentKind::kDevices) request.devices = {session_.settings().device};
  request.options.compare = session_.settings().options;
  if (request.kind == ExperimentKind::kFrameworks) {
    const WorkspaceNetwork* const shown = session_.shownNetwork();
    const bool as_opened = shown != nullptr && !shown->drawn;
    EngineSettings engines = std::move(request.options.rivals.engines);
    request.options.rivals = rivals_of(session_.document(), as_opened ? session_.source().toStdString() : std::string(),
                                       request.options.compare.batch);
    request.options.rivals.engines = std::move(engines);
    request.options.rivals.profile = true;
    request.devices = {computing_device(session_)->info.id};
  }
  const auto work = [this, request, network = session_.networkId(), workbench = workbench()](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto found, workbench.run(request, job, hooks(abandon)));
    std::vector<ExternalRun> records;
    if (request.kind == ExperimentKind::kFrameworks) records = engine_records(found, *request.graph);
    return JobRunner::Delivery{[this, network, records = std::move(records),
                                result = std::make_shared<const ExperimentResult>(std::move(found))]() mutable {
      editor_.addExternal(network, std::move(records));
      session_.addExperiment(result);
      emit experimentEnded(result);
    }};
  };
  const QString title = core_words(row_of(request.kind).title).toLower();
  enqueue(session_.networkId(), tr("Experiment with %1: %2").arg(shown_name(session_.document().graph->name()), title),
          work);
}

void Jobs::writeFile(const QString& path, FileWriter write) {
  const auto work = [this, path, write = std::move(write)](const JobContext& job,
                                                           const std::stop_token&) -> Result<JobRunner::Delivery> {
    IOS_TRY(write(job));
    return JobRunner::Delivery{[this, path] { emit fileWritten(path); }};
  };
  enqueue({}, tr("Writing %1").arg(path), work, JobRunner::Turn::kNext);
}

void Jobs::saveRun(const QString& path) {
  if (!session_.shownRun()) return;
  const auto work = [this, path, run = session_.shownRun()->run](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("writing"), 0, 0);
    IOS_TRY(save_run(*run, path.toStdString()));
    return JobRunner::Delivery{[this, path] { emit runSaved(path); }};
  };
  writer_.enqueue(tr("Saving %1").arg(path), work);
}

void Jobs::saveProject(const QString& path) {
  const auto work = [this, path, workspace = session_.workspace(), changes = editor_.changes()](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("writing"), 0, 0);
    if (auto written = save_project(workspace, path.toStdString()); !written) {
      return JobRunner::Delivery{[this, error = written.error()] { emit projectNotSaved(error); }};
    }
    return JobRunner::Delivery{[this, path, changes, stamp = stamp_of(path.toStdString())] {
      editor_.savedAs(path, changes, stamp);
      emit projectSaved(path);
    }};
  };
  writer_.enqueue(tr("Saving %1").arg(path), work);
}

void Jobs::readBeside(const QString& title, JobRunner::Work work) { reader_.enqueue(title, std::move(work)); }

void Jobs::writeNext(const QString& title, JobRunner::Work work) {
  enqueue({}, title, std::move(work), JobRunner::Turn::kNext);
}

Jobs::JobId Jobs::workFor(NetworkId network, const QString& title, JobRunner::Work work) {
  return enqueue(network, title, std::move(work));
}

void Jobs::setPaused(bool paused) { runner_.setPaused(paused); }

void Jobs::cancel() {
  if (runner_.busy()) return runner_.cancel();
  reader_.cancel();
}

void Jobs::abandon() {
  reader_.abandon();
  runner_.abandon();
}

void Jobs::take(ReadFile read, const QString& source, const InputSizes& sizes, NetworkId network) {
  if (auto* run = std::get_if<std::shared_ptr<const Run>>(&read)) {
    automatic_.abandon();
    editor_.addRecorded(std::move(*run));
  } else if (auto* project = std::get_if<ReadProject>(&read)) {
    if (!takeProject(std::move(*project))) return;
  } else if (auto* recording = std::get_if<WorkspaceRecording>(&read)) {
    editor_.addRecording(std::move(*recording));
  } else if (auto* schedule = std::get_if<Schedule>(&read)) {
    takeSchedule(network, std::move(*schedule));
  } else if (auto* lanes = std::get_if<ReadLanes>(&read)) {
    if (const auto taken = takeLanes(network, std::move(*lanes), source); !taken)
      return emit failed(taken.error(), source);
  } else {
    takeDocument(std::get<Document>(std::move(read)), source, sizes);
  }
  emit opened(source);
}

void Jobs::takeDocument(Document document, const QString& source, const InputSizes& sizes) {
  const bool other = editor_.addDocument(std::move(document), source, sizes);
  // Read again to be seen again; its runs are present.
  if (other || session_.comparison() == nullptr) showFirst(session_.document());
}

void Jobs::showFirst(const Document& document) {
  const auto& open = document.file.open;
  const bool given =
      std::ranges::any_of(open, [](const OpenDim& dim) { return dim.batch && dim.origin == SizeOrigin::kGiven; });
  const std::int64_t batch = !document.batched ? 1 : given ? document.batch : session_.settings().options.batch;
  if (batch != session_.settings().options.batch) {
    RunSettings settings = session_.settings();
    settings.options.batch = batch;
    session_.setSettings(std::move(settings));
  }
  automatic_.compareBaselines();
}

void Jobs::takeSchedule(NetworkId network, Schedule schedule) {
  const WorkspaceNetwork* to = session_.workspace().find(network);
  if (to == nullptr) return;
  editor_.addSchedule(network, std::move(schedule));
  if (network != session_.networkId()) return;
  if (session_.searched() || automatic_.waits()) {  // which lacks it
    automatic_.abandon();
    return optimize();
  }
  // An opened schedule should run.
  RunSettings settings = session_.settings();
  settings.options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy};
  enqueue(network, tr("Running the schedules of %1").arg(shown_name(to->document.graph->name())),
          comparingWork(network, settings));
}

// The error names the file.
Result<void> Jobs::takeLanes(NetworkId network, ReadLanes read, const QString& source) {
  if (!read.network && session_.workspace().find(network) == nullptr) return {};
  if (read.network) {
    const auto entries = session_.devices().entries();
    const auto named = std::ranges::find_if(entries, [&device = read.file.notes.device](const auto* entry) {
      return entry->info.id == device || entry->info.name == device;  // iosx writes ids, we names
    });
    RunSettings settings = session_.settings();
    if (named != entries.end() && (*named)->unavailable.empty()) {
      settings.device = (*named)->info.id;
      settings.options.batch = read.file.notes.batch;
    }
    session_.setSettings(std::move(settings));
    const QString name = QString::fromStdString(read.network->graph->name());  // built in
    takeDocument(std::move(*read.network), name, {});
    emit opened(name);  // whether the lanes fit or not
  } else if (network != session_.networkId()) {
    session_.showNetwork(network);
  }
  auto taken = take_lanes_ ? take_lanes_(read.file) : fail(message("has lanes, which cannot be edited here"));
  if (taken) return {};
  Error error = std::move(taken.error());
  error.where = error.where.empty() ? source.toStdString() : source.toStdString() + ": " + error.where;
  return tl::unexpected(std::move(error));
}

// Jobs of networks that are then gone go with them; what is being written is wanted all the same.
bool Jobs::takeProject(ReadProject read) {
  if (may_replace_ && !may_replace_()) return false;
  growing_ = {};
  automatic_.forget();
  const KeptOf& of = read.project.of;
  editor_.takeProject(std::move(read.project.workspace), QString::fromStdString(of.file), of.changed, read.stamp);
  return true;
}

void Jobs::grow(JobId job, NetworkId network, std::shared_ptr<const Run> run) {
  if (runner_.running() == job && !automatic_.is(job)) growing_ = editor_.grow(growing_, network, std::move(run));
}

void Jobs::forgetEnded() {
  editor_.endGrowing(std::exchange(growing_, {}));
  std::erase_if(asked_, [this](const auto& job) { return !has(job.first); });
}

void Jobs::abandonHomeless() {
  for (const auto& [job, asked] : std::map(asked_)) {
    if (asked.network.valid() && session_.workspace().find(asked.network) == nullptr) abandon(job);
  }
  if (growing_.valid() && session_.workspace().find(growing_) == nullptr) {
    growing_ = {};
    abandon(runner_.running());
  }
}

}  // namespace iosx

#include "moc_jobs.cpp"
