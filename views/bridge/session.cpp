#include "views/bridge/session.h"

#include <QCoreApplication>
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/base/printable.h"
#include "core/compare/profile.h"
#include "core/compare/verify.h"
#include "core/import/schedule_file.h"
#include "core/plan/stage_planner.h"
#include "core/runfile/run_file.h"
#include "core/workspace/project_file.h"

namespace iosx {
namespace {

QString shown_name(const std::string& name) { return QString::fromStdString(printable(name)); }

// What a device's outputs are verified against: null where that is the device itself.
Result<std::unique_ptr<Device>> open_reference(const DeviceRegistry& devices, const std::string& device) {
  const DeviceRegistry::Entry* entry = devices.reference();
  if (entry == nullptr || entry->info.id == device) return std::unique_ptr<Device>();
  return entry->open();
}

bool has_search(const Comparison& comparison) {
  return std::any_of(comparison.results.begin(), comparison.results.end(),
                     [](const ScheduleResult& result) { return result.search.has_value(); });
}

// The one from a file that was added last; may be null.
const ScheduleResult* newest_given(const Comparison& comparison) {
  const ScheduleResult* newest = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.recipe).given()) newest = &result;
  }
  return newest;
}

}  // namespace

class Session::Notices {
 public:
  void add(const std::vector<std::string>& sentences) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& sentence : sentences) sentences_ << shown_name(sentence);
  }
  QStringList take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(sentences_, {});
  }

 private:
  std::mutex mutex_;
  QStringList sentences_;
};

RunSettings settings_of(const Run& run) {
  return {.device = run.comparison.device.id,
          .batch = run.comparison.batch,
          .recipes = run.options.recipes,
          .search = run.options.search,
          .max_part_size = run.options.max_part_size,
          .timing = run.options.timing};
}

Session::Session(const DeviceRegistry& devices, Opener opener, QObject* parent)
    : QObject(parent), devices_(devices), opener_(std::move(opener)), notices_(std::make_shared<Notices>()) {
  if (const DeviceRegistry::Entry* best = devices_.best(); best != nullptr) settings_.device = best->info.id;
  connect(&runner_, &JobRunner::started, &watcher_, &SearchWatcher::begin);
  connect(&runner_, &JobRunner::finished, &watcher_, &SearchWatcher::end);
  connect(&watcher_, &SearchWatcher::changed, this, &Session::searchingChanged);
  connect(&runner_, &JobRunner::finished, this, [this] {
    // Those that wait or run are still of interest.
    std::erase_if(asked_, [this](const auto& job) {
      return job.first != runner_.running() &&
             !std::ranges::any_of(runner_.waiting(), [&](const auto& waiting) { return waiting.id == job.first; });
    });
  });
  for (JobRunner* runner : {&reader_, &runner_}) {
    connect(runner, &JobRunner::started, this, &Session::jobStarted);
    connect(runner, &JobRunner::progressed, this, &Session::jobProgress);
    connect(runner, &JobRunner::failed, this, &Session::jobFailed);
    connect(runner, &JobRunner::finished, this, &Session::jobFinished);
    connect(runner, &JobRunner::waitingChanged, this, &Session::jobsChanged);
    connect(runner, &JobRunner::progressed, this, &Session::tellNotices);
    // Later: a job that waits begins first, and what is said then is not taken for news of before it.
    connect(runner, &JobRunner::finished, this, &Session::tellNotices, Qt::QueuedConnection);
  }
}

void Session::tellNotices() {
  if (const QStringList sentences = notices_->take(); !sentences.isEmpty()) emit noticed(sentences);
}

namespace {

// What a project file lacks: weights, and what the file says of its inputs. A network whose file has gone or changed
// stays as it was saved.
void read_again(Workspace& workspace, const Session::Opener& opener, const JobContext& job) {
  for (const WorkspaceNetwork& network : std::vector(workspace.networks())) {
    if (job.stopped()) return;
    auto document = opener(network.source, network.sizes);
    if (document && same_structure(*document->graph, *network.document.graph)) {
      workspace.set_document(network.id, std::move(*document));
    }
  }
}

}  // namespace

JobRunner::Work Session::projectWork(const QString& path, const QString& named) {
  return [this, path, named, opener = opener_](const JobContext& job,
                                               const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("reading", 0, 0);
    auto opened = open_project(path.toStdString());
    if (!opened) return tl::unexpected<Error>(opened.error());
    read_again(*opened, opener, job);
    if (job.stopped()) return JobRunner::Delivery{};
    return JobRunner::Delivery{[this, workspace = *opened, named] { takeProject(workspace, named); }};
  };
}

JobRunner::Work Session::openingWork(const QString& source, const InputSizes& sizes) {
  const WorkspaceNetwork* shown = workspace_.find(network_);
  return [this, source, sizes, opener = opener_, network = network_,
          current = shown != nullptr ? shown->document.graph : nullptr](
             const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("reading", 0, 0);
    const std::string name = source.toStdString();
    std::optional<Error> mismatch;
    if (is_run_file(name)) {
      auto file = open_run(name);
      if (!file) return tl::unexpected<Error>(file.error());
      auto run = std::make_shared<const Run>(std::move(*file));
      return JobRunner::Delivery{[this, run, source] {
        addRecorded(run);
        emit opened(source);
      }};
    }
    if (is_project_file(name)) return projectWork(source, source)(job, {});
    if (current && is_schedule_file(name)) {
      auto file = load_schedule(name, *current);
      if (file) {
        return JobRunner::Delivery{[this, network, source, file = *file] {
          addSchedule(network, file.schedule);
          emit opened(source);
        }};
      }
      mismatch = file.error();
    }
    Result<Document> document = opener(name, sizes);
    // A schedule file that neither fits the open network nor opens by itself: what is wrong is how it fits.
    if (!document) return tl::unexpected<Error>(mismatch.value_or(document.error()));
    if (job.stopped()) return JobRunner::Delivery{};
    if (document->schedule) {
      // The original's files do not name their schedules; the file's own name says more.
      std::string own = document->schedule->name;
      if (own.empty() || own == row_of(Recipe::kFile).id) own = std::filesystem::path(name).stem().string();
      document->schedule->name = free_schedule_name(own, {});
    }
    return JobRunner::Delivery{[this, source, sizes, document = *document] {
      addDocument(document, source, sizes);
      emit opened(source);
    }};
  };
}

void Session::open(const QString& source, const InputSizes& sizes) {
  reader_.start(tr("Opening %1").arg(source), openingWork(source, sizes));
}

void Session::restore(const QString& path) { reader_.start(tr("Opening what was kept"), projectWork(path, {})); }

void Session::enqueue(NetworkId network, const QString& title, JobRunner::Work work, JobRunner::Turn turn) {
  asked_[runner_.next()] = {network, {}};
  runner_.enqueue(title, std::move(work), turn);
}

NetworkId Session::networkOf(JobRunner::JobId id) const {
  const auto found = asked_.find(id);
  return found == asked_.end() ? NetworkId() : found->second.network;
}

void Session::optimize() {
  if (!hasDocument()) return;
  const bool asked = std::ranges::any_of(
      asked_, [this](const auto& job) { return job.second.network == network_ && job.second.settings == settings_; });
  if (asked) return;
  abandonAutomatic();  // it would show less
  const QString title = tr("Optimizing %1").arg(shown_name(document().graph->name()));
  asked_[runner_.next()] = {network_, settings_};
  runner_.enqueue(title, comparingWork(network_, settings_, false));
}

JobRunner::Work Session::comparingWork(NetworkId network, const RunSettings& settings, bool automatic) {
  const WorkspaceNetwork& of = *workspace_.find(network);
  return [this, network, settings, automatic, graph = of.document.graph, given = of.given, source = of.source,
          batched = of.document.batched, left_behind = of.weights_left_behind, place = store_, notices = notices_,
          version = QCoreApplication::applicationVersion().toStdString()](
             const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    // The registry does not change while the session lives, so reading it from here is safe.
    Result<std::unique_ptr<Device>> device = devices_.open(settings.device);
    if (!device) return tl::unexpected<Error>(device.error());
    CompareOptions options;
    options.batch = settings.batch;
    options.recipes = settings.recipes;
    options.search = settings.search;
    options.max_part_size = settings.max_part_size;
    options.timing = settings.timing;
    options.given.assign(given.begin(), given.end());
    options.abandon = abandon;
    auto store = open_store(place, (*device)->info());
    if (!store) notices->add({not_kept(store.error())});
    options.keeping = {store ? store->get() : nullptr, version};
    if (options.keeping.store != nullptr) notices->add(options.keeping.store->take_notices());
    watcher_.attach(options, (*device)->info());
    Result<Comparison> result = compare(*graph, **device, options, job);
    if (options.keeping.store != nullptr) notices->add(options.keeping.store->take_notices());
    if (result) notices->add(result->notices);
    if (!result) return tl::unexpected<Error>(result.error());
    auto run = std::make_shared<Run>(make_run(std::move(*result), options, {source, graph, batched}, version));
    run->own_weights = run->own_weights || left_behind;
    return JobRunner::Delivery{[this, network, run, automatic] { deliver(network, run, automatic); }};
  };
}

void Session::deliver(NetworkId network, std::shared_ptr<const Run> run, bool automatic) {
  if (workspace_.find(network) == nullptr) return;  // removed meanwhile
  const bool complete = run->comparison.complete;
  const WorkspaceRun* before = workspace_.find(last_run_[network]);
  // A search stopped before it found anything adds nothing to what is known.
  if (!complete && before != nullptr && !has_search(run->comparison)) return;
  // What the user has turned to stays. Otherwise they want to see, at first, the file's own schedule; after a search
  // the best.
  ScheduleId wanted;
  const ScheduleResult* newest = newest_given(run->comparison);
  const bool new_given =
      newest != nullptr && (before == nullptr || before->run->comparison.find(newest->id) == nullptr);
  if (new_given) {
    wanted = newest->id;
  } else if (before != nullptr && network == network_ && before->id == run_ && has_search(before->run->comparison) &&
             active_ != before->run->comparison.best()) {
    wanted = before->run->comparison.results[active_].id;
  }
  // One that was stopped stands beside the complete one, which stays in sight.
  const bool stays =
      !complete && before != nullptr && before->run->comparison.complete && has_search(before->run->comparison);
  const RunId id = workspace_.add({.network = network, .run = std::move(run), .automatic = automatic});
  if (!stays) {
    last_run_[network] = id;
    if (wanted != ScheduleId()) last_shown_[id] = wanted;
    if (network == network_) turnTo(network, id);
  }
  changed(!automatic);
  emit runAdded(id);
}

void Session::startAutomatically(std::vector<Recipe> recipes, const QString& title) {
  RunSettings settings = settings_;
  settings.recipes = std::move(recipes);
  const bool all = settings == settings_;
  automatic_ = runner_.next();  // known before it starts, which may be at once
  asked_[automatic_] = {network_, all ? std::optional(settings) : std::nullopt};
  runner_.enqueue(title, comparingWork(network_, settings, !all), JobRunner::Turn::kNext);
}

void Session::abandonAutomatic() {
  if (automatic_ == 0) return;
  abandonJob(automatic_);
  automatic_ = 0;
}

void Session::abandonJob(JobRunner::JobId id) {
  asked_.erase(id);  // who asks for the same again gets it
  runner_.abandon(id);
}

QString Session::whyNotVerify() const {
  if (!shownRun()) return tr("There is no schedule yet");
  if (recorded() != nullptr) return tr("This run was recorded; Optimize runs it here, then it can be verified");
  const DeviceInfo* chosen = device();
  if (chosen == nullptr) return tr("There is no such device");
  const Result<void> computes = check_computes(*chosen);
  return computes ? QString() : QString::fromStdString(computes.error().text());
}

void Session::verify() {
  if (!whyNotVerify().isEmpty()) return;
  const auto work = [this, device_id = settings_.device, id = run_, run = shared(), index = active_](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    Result<std::unique_ptr<Device>> device = devices_.open(device_id);
    if (!device) return tl::unexpected<Error>(device.error());
    Result<std::unique_ptr<Device>> reference = open_reference(devices_, device_id);
    if (!reference) return tl::unexpected<Error>(reference.error());
    const Comparison& comparison = run->comparison;
    const Graph& graph = *comparison.graph;
    const Schedule& schedule = comparison.results[index].schedule;
    StagePlanner planner(graph, comparison.batch, (*device)->info().lowering);
    auto loaded = (*device)->load(planner.plan(schedule), {}, job);
    Verifier verifier(graph, **device, comparison.batch, {}, reference->get());
    Result<Verification> found =
        loaded.and_then([&](std::unique_ptr<LoadedPlan>& plan) { return verifier.verify(*plan, job); });
    if (job.stopped()) return JobRunner::Delivery{};
    if (!found) return tl::unexpected<Error>(found.error());
    return JobRunner::Delivery{[this, id, index, verification = std::move(*found)] {
      const WorkspaceRun* now = workspace_.find(id);
      if (now == nullptr) return;
      auto verified_run = std::make_shared<Run>(*now->run);
      verified_run->comparison.results[index].verification = verification;
      workspace_.replace(id, std::move(verified_run));
      changed();
      if (id == run_) emit verified(index);
    }};
  };
  enqueue(network_, tr("Verifying %1").arg(shown_name(comparison()->results[active_].title())), work,
          JobRunner::Turn::kLast);
}

QString Session::whyNotProfile() const {
  if (!shownRun()) return tr("There is no schedule yet");
  if (recorded() != nullptr) return tr("This run was recorded; Optimize runs it here, then it can be profiled");
  const DeviceInfo& device = comparison()->device;
  if (device.origin == Origin::kSimulated) return tr("A simulated device shows all that it knows at once");
  if (devices_.find(device.id) == nullptr) return tr("There is no such device");
  return {};
}

void Session::profile() {
  if (!whyNotProfile().isEmpty()) return;
  const auto work = [this, id = run_, run = shared(), notices = notices_](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    Result<std::unique_ptr<Device>> device = devices_.open(run->comparison.device.id);
    if (!device) return tl::unexpected<Error>(device.error());
    auto profiled = std::make_shared<Run>(*run);
    const std::size_t known = profiled->comparison.notices.size();
    auto done = iosx::profile(profiled->comparison, **device, {}, job);
    if (job.stopped()) return JobRunner::Delivery{};
    if (!done) return tl::unexpected<Error>(done.error());
    const std::vector<std::string>& all = profiled->comparison.notices;
    notices->add({all.begin() + static_cast<std::ptrdiff_t>(known), all.end()});
    return JobRunner::Delivery{[this, id, profiled] {
      if (workspace_.find(id) == nullptr) return;
      workspace_.replace(id, profiled);
      changed();
      if (id == run_) emit comparisonChanged();
    }};
  };
  enqueue(network_, tr("Profiling the schedules of %1").arg(shown_name(document().graph->name())), work,
          JobRunner::Turn::kLast);
}

QString Session::whyNotExperiment(ExperimentKind kind) const {
  if (!hasDocument()) return tr("No network is open");
  if (!document().batched && !usual_batches(kind).empty()) return tr("This network runs with a batch of 1 only");
  return {};
}

namespace {

// The devices of an experiment; those that measure share one store.
struct Bench {
  std::vector<std::unique_ptr<Device>> open;
  std::unique_ptr<MeasurementStore> store;
  std::vector<ExperimentDevice> devices;
  std::vector<std::string> notices;
};

Result<Bench> open_bench(const DeviceRegistry& registry, const std::vector<std::string>& ids, const StorePlace& place,
                         const std::string& version) {
  Bench bench;
  for (const std::string& id : ids) {
    auto device = registry.open(id);
    if (!device) return tl::unexpected<Error>(device.error());
    const DeviceInfo& info = (*device)->info();
    if (bench.store == nullptr) {
      auto store = open_store(place, info);
      if (!store) bench.notices.push_back(not_kept(store.error()));
      if (store) bench.store = std::move(*store);
    }
    MeasurementStore* const keeps = info.origin == Origin::kSimulated ? nullptr : bench.store.get();
    bench.devices.push_back({device->get(), {keeps, version}});
    bench.open.push_back(std::move(*device));
  }
  return bench;
}

ExperimentOptions experiment_options(const ExperimentRequest& request, const RunSettings& settings) {
  ExperimentOptions options;
  options.batch = settings.batch;
  options.batches = request.batches;
  options.r = request.r;
  options.s = request.s;
  options.search = settings.search;
  options.max_part_size = settings.max_part_size;
  options.timing = settings.timing;
  return options;
}

}  // namespace

void Session::experiment(const ExperimentRequest& request) {
  if (!whyNotExperiment(request.kind).isEmpty()) return;
  const bool several = request.kind == ExperimentKind::kDevices;
  const auto work = [this, request, graph = document().graph, place = store_, notices = notices_,
                     ids = several ? request.devices : std::vector{settings_.device},
                     options = experiment_options(request, settings_),
                     version = QCoreApplication::applicationVersion().toStdString()](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    auto bench = open_bench(devices_, ids, place, version);
    if (!bench) return tl::unexpected<Error>(bench.error());
    notices->add(bench->notices);
    ExperimentOptions abandonable = options;
    abandonable.abandon = abandon;
    auto result = run_experiment(request.kind, *graph, bench->devices, abandonable, job);
    if (bench->store != nullptr) notices->add(bench->store->take_notices());
    if (!result) return tl::unexpected<Error>(result.error());
    notices->add(result->notices);
    return JobRunner::Delivery{[this, result = std::make_shared<const ExperimentResult>(std::move(*result))] {
      emit experimentEnded(result);
    }};
  };
  const QString title = QString::fromStdString(std::string(row_of(request.kind).title)).toLower();
  enqueue(network_, tr("Experiment with %1: %2").arg(shown_name(document().graph->name()), title), work,
          JobRunner::Turn::kLast);
}

const Verification* Session::verification(std::size_t result) const {
  const WorkspaceRun* run = shownRun();
  if (run == nullptr || result >= run->run->comparison.results.size()) return nullptr;
  const auto& found = run->run->comparison.results[result].verification;
  return found ? &*found : nullptr;
}

void Session::writeNetwork(const QString& path, Writer writer) {
  if (!hasDocument()) return;
  const auto work = [this, path, graph = document().graph, writer = std::move(writer)](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("writing", 0, 0);
    if (Result<void> written = writer(*graph, path.toStdString()); !written) {
      return tl::unexpected<Error>(written.error());
    }
    return JobRunner::Delivery{[this, path] { emit networkWritten(path); }};
  };
  enqueue({}, tr("Writing %1").arg(path), work, JobRunner::Turn::kNext);
}

void Session::saveRun(const QString& path) {
  if (!shownRun()) return;
  const auto work = [this, path, run = shared()](const JobContext& job,
                                                 const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("writing", 0, 0);
    if (auto written = save_run(*run, path.toStdString()); !written) return tl::unexpected<Error>(written.error());
    return JobRunner::Delivery{[this, path] { emit runSaved(path); }};
  };
  enqueue({}, tr("Saving %1").arg(path), work, JobRunner::Turn::kNext);
}

void Session::saveProject(const QString& path) {
  const auto work = [this, path, workspace = workspace_](const JobContext& job,
                                                         const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("writing", 0, 0);
    if (auto written = save_project(workspace, path.toStdString()); !written) {
      return tl::unexpected<Error>(written.error());
    }
    return JobRunner::Delivery{[this, path] {
      project_path_ = path;
      modified_ = false;
      emit projectSaved(path);
      emit workspaceChanged();
    }};
  };
  enqueue({}, tr("Saving %1").arg(path), work, JobRunner::Turn::kNext);
}

void Session::cancel() {
  if (runner_.busy()) return runner_.cancel();
  reader_.cancel();
}

void Session::abandon() {
  reader_.abandon();
  runner_.abandon();
}

// What Optimize would need to do the same here. The device stays where this computer lacks the run's.
void Session::useSettingsOf(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr) return;
  RunSettings settings = settings_of(*run->run);
  // What was made of a baseline alone asks for no search.
  if (!has_search(run->run->comparison)) settings.recipes = settings_.recipes;
  const DeviceRegistry::Entry* entry = devices_.find(settings.device);
  if (entry == nullptr || !entry->unavailable.empty()) settings.device = settings_.device;
  setSettings(std::move(settings));
}

void Session::addRecorded(std::shared_ptr<const Run> run) {
  const WorkspaceNetwork* known = workspace_.same(run->network.source, *run->network.graph);
  NetworkId network;
  if (known != nullptr) {
    network = known->id;
  } else {
    WorkspaceNetwork opened;
    opened.document = Document{run->network.graph, std::nullopt, run->network.batched};
    opened.source = run->network.source;
    opened.weights_left_behind = run->own_weights;
    network = workspace_.add(std::move(opened));
  }
  for (const ScheduleResult& result : run->comparison.results) {
    if (!row_of(result.recipe).given()) continue;
    const auto& given = workspace_.find(network)->given;
    const bool there = std::ranges::any_of(given, [&](const Schedule& other) { return other == result.schedule; });
    if (!there) workspace_.give_schedule(network, result.schedule);
  }
  abandonAutomatic();
  const RunId id = workspace_.add({.network = network, .run = std::move(run), .recorded = true});
  turnTo(network, id);
  changed();
  useSettingsOf(id);
  emit runAdded(id);
}

void Session::addDocument(Document document, const QString& source, const InputSizes& sizes) {
  abandonAutomatic();
  const WorkspaceNetwork* known = workspace_.same(source.toStdString(), *document.graph);
  const bool fresh = known == nullptr || known->weights_left_behind || !(known->sizes == sizes);
  if (known != nullptr && !fresh) {
    // Read again because somebody wants to see it again; its runs are there.
    workspace_.set_document(known->id, std::move(document));
    showNetwork(known->id);
    if (comparison() == nullptr) startWith(this->document());
    return;
  }
  if (known != nullptr) {
    const NetworkId id = known->id;
    workspace_.set_document(id, std::move(document));
    showNetwork(id);
    startWith(this->document());
    return;
  }
  WorkspaceNetwork network;
  if (document.schedule) network.given.push_back(*document.schedule);
  network.document = std::move(document);
  network.source = source.toStdString();
  network.sizes = sizes;
  turnTo(workspace_.add(std::move(network)), {});
  changed(false);
  startWith(this->document());
}

void Session::startWith(const Document& document) {
  const auto& open = document.file.open;
  const bool given =
      std::ranges::any_of(open, [](const OpenDim& dim) { return dim.batch && dim.origin == SizeOrigin::kGiven; });
  const std::int64_t batch = !document.batched ? 1 : given ? document.batch : settings_.batch;
  if (batch != settings_.batch) {
    RunSettings settings = settings_;
    settings.batch = batch;
    setSettings(std::move(settings));
  }
  const DeviceInfo* chosen = device();
  // Nothing is measured without being asked for.
  if (chosen == nullptr || chosen->origin != Origin::kSimulated) return;
  const QString network = shown_name(document.graph->name());
  if (document.graph->units().size() <= kQuickUnits) {
    startAutomatically(settings_.recipes, tr("Optimizing %1").arg(network));
  } else {
    startAutomatically({Recipe::kSequential, Recipe::kGreedy}, tr("Running the baselines of %1").arg(network));
  }
}

void Session::addSchedule(NetworkId network, Schedule schedule) {
  const WorkspaceNetwork* to = workspace_.find(network);
  if (to == nullptr) return;
  schedule.name = free_schedule_name(schedule.name, to->given);
  workspace_.give_schedule(network, std::move(schedule));
  changed();
  if (network != network_) return;
  if (searched()) return optimize();
  // Who brings a schedule wants to see it run.
  RunSettings settings = settings_;
  settings.recipes = {Recipe::kSequential, Recipe::kGreedy};
  enqueue(network, tr("Running the schedules of %1").arg(shown_name(to->document.graph->name())),
          comparingWork(network, settings, false), JobRunner::Turn::kLast);
}

void Session::takeProject(Workspace workspace, const QString& path) {
  runner_.abandon();
  asked_.clear();
  automatic_ = 0;
  workspace_ = std::move(workspace);
  project_path_ = path;
  last_run_.clear();
  last_shown_.clear();
  network_ = {};
  run_ = {};
  const auto shown = workspace_.shown();
  const WorkspaceRun* run = shown ? workspace_.find(shown->run) : nullptr;
  if (run != nullptr) {
    last_shown_[run->id] = shown->schedule;
    turnTo(run->network, run->id);
  } else if (!workspace_.networks().empty()) {
    showNetwork(workspace_.networks().back().id);
  } else {
    turnTo({}, {});
  }
  changed(false);
  modified_ = path.isEmpty();
  useSettingsOf(run_);
  emit projectOpened();
  if (!path.isEmpty()) emit opened(path);
}

void Session::changed(bool modified) {
  modified_ = modified_ || modified;
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
    active_ =
        last == last_shown_.end() ? comparison.best() : comparison.index_of(last->second).value_or(comparison.best());
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
  if (id != network_) abandonAutomatic();
  const auto last = last_run_.find(id);
  const auto runs = workspace_.runs_of(id);
  const bool there = last != last_run_.end() && workspace_.find(last->second) != nullptr;
  const RunId run = there ? last->second : runs.empty() ? RunId() : runs.back()->id;
  if (id == network_ && run == run_) return;
  turnTo(id, run);
  emit workspaceChanged();
}

void Session::showRun(RunId id) {
  const WorkspaceRun* run = workspace_.find(id);
  if (run == nullptr || id == run_) return;
  if (run->network != network_) abandonAutomatic();
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
  changed();
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

void Session::removeRun(RunId id) {
  if (workspace_.find(id) == nullptr) return;
  workspace_.remove(id);
  last_shown_.erase(id);
  if (id == run_) {
    last_run_.erase(network_);
    const auto left = workspace_.runs_of(network_);
    turnTo(network_, left.empty() ? RunId() : left.back()->id);
  }
  changed();
}

void Session::removeNetwork(NetworkId id) {
  if (workspace_.find(id) == nullptr) return;
  for (const auto& [job, asked] : std::map(asked_)) {
    if (asked.network == id) abandonJob(job);
  }
  workspace_.remove(id);
  last_run_.erase(id);
  if (id == network_) {
    run_ = {};
    const auto& left = workspace_.networks();
    if (left.empty()) {
      turnTo({}, {});
    } else {
      showNetwork(left.back().id);
    }
  }
  changed();
}

const Run* Session::recorded() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && run->recorded ? run->run.get() : nullptr;
}

bool Session::weightsLeftBehind() const {
  const WorkspaceNetwork* network = workspace_.find(network_);
  return network != nullptr && network->weights_left_behind;
}

const Document& Session::document() const {
  static const Document kNone;
  const WorkspaceNetwork* network = workspace_.find(network_);
  return network == nullptr ? kNone : network->document;
}

QString Session::source() const {
  const WorkspaceNetwork* network = workspace_.find(network_);
  return network == nullptr ? QString() : QString::fromStdString(network->source);
}

std::shared_ptr<const Run> Session::shared() const {
  const WorkspaceRun* run = shownRun();
  return run == nullptr ? nullptr : run->run;
}

std::shared_ptr<const Comparison> Session::comparison() const {
  auto run = shared();
  return run ? std::shared_ptr<const Comparison>(run, &run->comparison) : nullptr;
}

bool Session::searched() const {
  const auto run = shared();
  return run && has_search(run->comparison);
}

bool Session::upToDate() const {
  const WorkspaceRun* run = shownRun();
  return run != nullptr && !run->recorded && run->run->comparison.complete && settings_of(*run->run) == settings_;
}

void Session::setActiveSchedule(std::size_t index) {
  const auto run = shared();
  if (!run || index >= run->comparison.results.size() || index == active_) return;
  active_ = index;
  last_shown_[run_] = run->comparison.results[index].id;
  workspace_.set_shown(Choice{run_, run->comparison.results[index].id});
  emit activeScheduleChanged();
}

void Session::setActiveSchedule(const ScheduleId& id) {
  const auto run = shared();
  if (!run) return;
  if (const auto index = run->comparison.index_of(id)) setActiveSchedule(*index);
}

void Session::setSettings(RunSettings settings) {
  if (settings == settings_) return;
  settings_ = std::move(settings);
  emit settingsChanged();
}

const DeviceInfo* Session::device() const {
  const DeviceRegistry::Entry* entry = devices_.find(settings_.device);
  return entry == nullptr ? nullptr : &entry->info;
}

}  // namespace iosx
