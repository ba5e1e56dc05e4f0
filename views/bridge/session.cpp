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

// A schedule from a file must not be taken for one that the program makes itself, or for another file's.
std::string free_name(std::string name, const std::vector<Schedule>& others) {
  if (name.empty()) name = row_of(Recipe::kFile).id;
  const auto taken = [&others](const std::string& candidate) {
    const auto recipe = parse_recipe(candidate);
    return (recipe && !row_of(*recipe).given()) ||
           std::any_of(others.begin(), others.end(), [&](const Schedule& other) { return other.name == candidate; });
  };
  if (!taken(name)) return name;
  std::string candidate = name + " (file)";
  for (int number = 2; taken(candidate); ++number) candidate = name + " (file " + std::to_string(number) + ")";
  return candidate;
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

Session::Session(const DeviceRegistry& devices, Opener opener, QObject* parent)
    : QObject(parent), devices_(devices), opener_(std::move(opener)), notices_(std::make_shared<Notices>()) {
  if (const DeviceRegistry::Entry* best = devices_.best(); best != nullptr) settings_.device = best->info.id;
  connect(&runner_, &JobRunner::started, &watcher_, &SearchWatcher::begin);
  connect(&runner_, &JobRunner::finished, &watcher_, &SearchWatcher::end);
  connect(&watcher_, &SearchWatcher::changed, this, &Session::searchingChanged);
  connect(&runner_, &JobRunner::started, this, &Session::jobStarted);
  connect(&runner_, &JobRunner::progressed, this, &Session::jobProgress);
  connect(&runner_, &JobRunner::failed, this, &Session::jobFailed);
  connect(&runner_, &JobRunner::finished, this, &Session::jobFinished);
  connect(&runner_, &JobRunner::progressed, this, &Session::tellNotices);
  // Later: a job that waits begins first, and what is said then is not taken for news of before it.
  connect(&runner_, &JobRunner::finished, this, &Session::tellNotices, Qt::QueuedConnection);
}

void Session::tellNotices() {
  if (const QStringList sentences = notices_->take(); !sentences.isEmpty()) emit noticed(sentences);
}

void Session::open(const QString& source, const InputSizes& sizes) {
  const auto work = [this, source, sizes, opener = opener_, current = document_.graph](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("reading", 0, 0);
    const std::string name = source.toStdString();
    std::optional<Error> mismatch;
    if (is_run_file(name)) {
      auto opened = open_run(name);
      if (!opened) return tl::unexpected<Error>(opened.error());
      auto run = std::make_shared<const Run>(std::move(*opened));
      return JobRunner::Delivery{[this, source, run] { showRecorded(run, source); }};
    }
    if (current && is_schedule_file(name)) {
      auto file = load_schedule(name, *current);
      if (file) return JobRunner::Delivery{[this, file = *file] { addSchedule(file.schedule); }};
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
      document->schedule->name = free_name(own, {});
    }
    return JobRunner::Delivery{[this, source, document = *document] { setDocument(document, source); }};
  };
  runner_.start(tr("Opening %1").arg(source), work);
}

void Session::optimize() {
  then_optimize_ = false;
  if (!hasDocument()) return;
  compareWith(tr("Optimizing %1").arg(shown_name(document_.graph->name())), settings_.recipes, settings_.timing);
}

void Session::compareWith(const QString& title, std::vector<Recipe> recipes, const TimingOptions& timing) {
  RunSettings settings = settings_;
  settings.recipes = std::move(recipes);
  const auto work = [this, settings, timing, graph = document_.graph, given = given_, network = network_,
                     batched = document_.batched, left_behind = weights_left_behind_, place = store_,
                     notices = notices_, version = QCoreApplication::applicationVersion().toStdString()](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    // The registry does not change while the session lives, so reading it from here is safe.
    Result<std::unique_ptr<Device>> device = devices_.open(settings.device);
    if (!device) return tl::unexpected<Error>(device.error());
    CompareOptions options;
    options.batch = settings.batch;
    options.recipes = settings.recipes;
    options.search = settings.search;
    options.max_part_size = settings.max_part_size;
    options.timing = timing;
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
    auto run = std::make_shared<Run>(make_run(std::move(*result), options, {network, graph, batched}, version));
    run->own_weights = run->own_weights || left_behind;
    return JobRunner::Delivery{[this, run, settings] { deliver(run, settings); }};
  };
  runner_.start(title, work);
}

void Session::deliver(std::shared_ptr<const Run> run, const RunSettings& settings) {
  const bool complete = run->comparison.complete;
  setRun(std::move(run), settings);
  if (then_optimize_ && complete) optimize();
}

void Session::compareBaselines() {
  // People wait for the first picture: noise may not hold it up for long.
  TimingOptions timing = settings_.timing;
  timing.max_time = std::min(timing.max_time, Millis{50});
  compareWith(tr("Running the baselines of %1").arg(shown_name(document_.graph->name())),
              {Recipe::kSequential, Recipe::kGreedy}, timing);
}

QString Session::whyNotVerify() const {
  if (!run_) return tr("There is no schedule yet");
  if (recorded_) return tr("This run was recorded; Optimize runs it here, then it can be verified");
  const DeviceInfo* chosen = device();
  if (chosen == nullptr) return tr("There is no such device");
  const Result<void> computes = check_computes(*chosen);
  return computes ? QString() : QString::fromStdString(computes.error().text());
}

void Session::verify() {
  if (!whyNotVerify().isEmpty()) return;
  const auto work = [this, id = settings_.device, run = run_, index = active_](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    Result<std::unique_ptr<Device>> device = devices_.open(id);
    if (!device) return tl::unexpected<Error>(device.error());
    Result<std::unique_ptr<Device>> reference = open_reference(devices_, id);
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
    return JobRunner::Delivery{[this, run, index, verification = std::move(*found)] {
      if (run != run_) return;
      verified_[run->comparison.results[index].id] = verification;
      emit verified(index);
    }};
  };
  runner_.start(tr("Verifying %1").arg(shown_name(run_->comparison.results[active_].title())), work);
}

QString Session::whyNotProfile() const {
  if (!run_) return tr("There is no schedule yet");
  if (recorded_) return tr("This run was recorded; Optimize runs it here, then it can be profiled");
  const DeviceInfo& device = run_->comparison.device;
  if (device.origin == Origin::kSimulated) return tr("A simulated device shows all that it knows at once");
  if (devices_.find(device.id) == nullptr) return tr("There is no such device");
  return {};
}

void Session::profile() {
  if (!whyNotProfile().isEmpty()) return;
  const auto work = [this, run = run_, notices = notices_](const JobContext& job,
                                                           const std::stop_token&) -> Result<JobRunner::Delivery> {
    Result<std::unique_ptr<Device>> device = devices_.open(run->comparison.device.id);
    if (!device) return tl::unexpected<Error>(device.error());
    auto profiled = std::make_shared<Run>(*run);
    const std::size_t known = profiled->comparison.notices.size();
    auto done = iosx::profile(profiled->comparison, **device, {}, job);
    if (job.stopped()) return JobRunner::Delivery{};
    if (!done) return tl::unexpected<Error>(done.error());
    const std::vector<std::string>& all = profiled->comparison.notices;
    notices->add({all.begin() + static_cast<std::ptrdiff_t>(known), all.end()});
    return JobRunner::Delivery{[this, run, profiled] {
      if (run != run_) return;
      run_ = profiled;
      emit comparisonChanged();
    }};
  };
  runner_.start(tr("Profiling the schedules of %1").arg(shown_name(document_.graph->name())), work);
}

QString Session::whyNotExperiment(ExperimentKind kind) const {
  if (!hasDocument()) return tr("No network is open");
  if (!document_.batched && !usual_batches(kind).empty()) return tr("This network runs with a batch of 1 only");
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
  const auto work = [this, request, graph = document_.graph, place = store_, notices = notices_,
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
  runner_.start(tr("Experiment with %1: %2").arg(shown_name(document_.graph->name()), title), work);
}

const Verification* Session::verification(std::size_t result) const {
  if (!run_ || result >= run_->comparison.results.size()) return nullptr;
  const auto found = verified_.find(run_->comparison.results[result].id);
  if (found != verified_.end()) return &found->second;
  const auto& compared = run_->comparison.results[result].verification;
  return compared ? &*compared : nullptr;
}

void Session::writeNetwork(const QString& path, Writer writer) {
  if (!hasDocument()) return;
  const auto work = [this, path, graph = document_.graph, writer = std::move(writer)](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("writing", 0, 0);
    if (Result<void> written = writer(*graph, path.toStdString()); !written) {
      return tl::unexpected<Error>(written.error());
    }
    return JobRunner::Delivery{[this, path] { emit networkWritten(path); }};
  };
  runner_.start(tr("Writing %1").arg(path), work);
}

void Session::saveRun(const QString& path) {
  if (!run_) return;
  const auto work = [this, path, run = run_, verified = verified_](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("writing", 0, 0);
    Run saved = *run;
    for (ScheduleResult& result : saved.comparison.results) {
      if (const auto found = verified.find(result.id); found != verified.end()) result.verification = found->second;
    }
    if (auto written = save_run(saved, path.toStdString()); !written) return tl::unexpected<Error>(written.error());
    return JobRunner::Delivery{[this, path] { emit runSaved(path); }};
  };
  runner_.start(tr("Saving %1").arg(path), work);
}

void Session::showRecorded(std::shared_ptr<const Run> run, const QString& source) {
  const Comparison& comparison = run->comparison;
  document_ = Document{run->network.graph, std::nullopt, run->network.batched};
  source_ = source;
  network_ = run->network.source;
  weights_left_behind_ = run->own_weights;
  given_.clear();
  for (const ScheduleResult& result : comparison.results) {
    if (row_of(result.recipe).given()) given_.push_back(result.schedule);
  }
  run_ = std::move(run);
  recorded_ = true;
  compared_with_.reset();
  then_optimize_ = false;
  verified_.clear();
  active_ = comparison.best();
  // What Optimize would need to do the same here. The device stays where this computer lacks the run's.
  RunSettings settings = settings_;
  settings.batch = comparison.batch;
  settings.search = run_->options.search;
  settings.max_part_size = run_->options.max_part_size;
  settings.timing = run_->options.timing;
  const DeviceRegistry::Entry* entry = devices_.find(comparison.device.id);
  if (entry != nullptr && entry->unavailable.empty()) settings.device = comparison.device.id;
  setSettings(std::move(settings));
  emit documentChanged();
  emit comparisonChanged();
}

void Session::setDocument(Document document, const QString& source) {
  document_ = std::move(document);
  source_ = source;
  network_ = source.toStdString();
  weights_left_behind_ = false;
  given_.clear();
  if (document_.schedule) given_.push_back(*document_.schedule);
  run_.reset();
  recorded_ = false;
  compared_with_.reset();
  verified_.clear();
  active_ = 0;
  const auto& open = document_.file.open;
  const bool given =
      std::ranges::any_of(open, [](const OpenDim& dim) { return dim.batch && dim.origin == SizeOrigin::kGiven; });
  const std::int64_t batch = !document_.batched ? 1 : given ? document_.batch : settings_.batch;
  if (batch != settings_.batch) {
    settings_.batch = batch;
    emit settingsChanged();
  }
  emit documentChanged();
  emit comparisonChanged();

  const DeviceInfo* chosen = device();
  if (chosen == nullptr) return;
  const bool simulated = chosen->origin == Origin::kSimulated;
  const bool quick = document_.graph->units().size() <= (simulated ? kQuickUnits : kQuickMeasuredUnits);
  if (quick && simulated) return optimize();
  then_optimize_ = quick;
  compareBaselines();
}

void Session::addSchedule(Schedule schedule) {
  schedule.name = free_name(schedule.name, given_);
  given_.push_back(std::move(schedule));
  if (searched()) return optimize();
  compareBaselines();
}

void Session::setRun(std::shared_ptr<const Run> run, const RunSettings& settings) {
  const Comparison& comparison = run->comparison;
  // A search stopped before it found anything is no reason to forget what an earlier one found.
  if (!comparison.complete && searched() && !has_search(comparison)) return;
  // What the user has turned to stays. Otherwise they want to see, at first, the file's own schedule; after a search
  // the best.
  ScheduleId wanted;
  const ScheduleResult* given = newest_given(comparison);
  if (given != nullptr && (!run_ || run_->comparison.find(given->id) == nullptr)) {
    wanted = given->id;
  } else if (searched() && active_ != run_->comparison.best()) {
    wanted = run_->comparison.results[active_].id;
  }
  run_ = std::move(run);
  recorded_ = false;
  compared_with_ = settings;
  verified_.clear();
  active_ = comparison.index_of(wanted).value_or(comparison.best());
  emit comparisonChanged();
}

bool Session::searched() const { return run_ && has_search(run_->comparison); }

bool Session::upToDate() const { return run_ && run_->comparison.complete && compared_with_ == settings_; }

void Session::setActiveSchedule(std::size_t index) {
  if (!run_ || index >= run_->comparison.results.size() || index == active_) return;
  active_ = index;
  emit activeScheduleChanged();
}

void Session::setActiveSchedule(const ScheduleId& id) {
  if (!run_) return;
  if (const auto index = run_->comparison.index_of(id)) setActiveSchedule(*index);
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
