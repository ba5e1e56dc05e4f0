#include "views/bridge/session.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/compare/verify.h"
#include "core/import/schedule_file.h"
#include "core/plan/lower.h"

namespace iosx {
namespace {

bool same_search(const SearchOptions& a, const SearchOptions& b) {
  return a.rule == b.rule && a.pruning.r == b.pruning.r && a.pruning.s == b.pruning.s;
}

bool same_timing(const TimingOptions& a, const TimingOptions& b) {
  return a.warmup == b.warmup && a.repeats == b.repeats && a.max_repeats == b.max_repeats && a.min_time == b.min_time &&
         a.precision == b.precision;
}

// What a device's outputs are verified against: null where that is the device itself.
Result<std::unique_ptr<Device>> open_reference(const DeviceRegistry& devices, const std::string& device) {
  const DeviceRegistry::Entry* entry = devices.reference();
  if (entry == nullptr || entry->info.id == device) return std::unique_ptr<Device>();
  return entry->open();
}

// Only a look at the file's beginning; whether it is a good schedule file is for load_schedule() to say.
bool looks_like_schedule_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::string head(200, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("\"iosx-schedule\"") != std::string::npos;
}

bool has_search(const Comparison& comparison) {
  return std::any_of(comparison.results.begin(), comparison.results.end(),
                     [](const ScheduleResult& result) { return result.search.has_value(); });
}

// A schedule from a file must not be taken for one that the program makes itself, or for another file's.
std::string free_name(std::string name, const std::vector<Schedule>& others) {
  if (name.empty()) name = "file";
  const auto taken = [&others](const std::string& candidate) {
    const auto ours = schedule_names();
    return std::find(ours.begin(), ours.end(), candidate) != ours.end() ||
           std::any_of(others.begin(), others.end(), [&](const Schedule& other) { return other.name == candidate; });
  };
  if (!taken(name)) return name;
  std::string candidate = name + " (file)";
  for (int number = 2; taken(candidate); ++number) candidate = name + " (file " + std::to_string(number) + ")";
  return candidate;
}

}  // namespace

bool operator==(const RunSettings& a, const RunSettings& b) {
  return a.device == b.device && a.batch == b.batch && a.schedules == b.schedules && same_search(a.search, b.search) &&
         same_timing(a.timing, b.timing);
}

Session::Session(const DeviceRegistry& devices, Opener opener, QObject* parent)
    : QObject(parent), devices_(devices), opener_(std::move(opener)) {
  for (const DeviceRegistry::Entry& entry : devices_.entries()) {
    if (!entry.unavailable.empty()) continue;
    settings_.device = entry.info.id;
    break;
  }
  connect(&runner_, &JobRunner::started, this, &Session::jobStarted);
  connect(&runner_, &JobRunner::progressed, this, &Session::jobProgress);
  connect(&runner_, &JobRunner::failed, this, &Session::jobFailed);
  connect(&runner_, &JobRunner::finished, this, &Session::jobFinished);
}

void Session::open(const QString& source) {
  const auto work = [this, source, opener = opener_, current = document_.graph](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report("reading", 0, 0);
    const std::string name = source.toStdString();
    std::optional<Error> mismatch;
    if (current && looks_like_schedule_file(name)) {
      auto file = load_schedule(name, *current);
      if (file) return JobRunner::Delivery{[this, file = *file] { addSchedule(file.schedule); }};
      mismatch = file.error();
    }
    Result<Document> document = opener(name);
    // A schedule file that neither fits the open network nor opens by itself: what is wrong is how it fits.
    if (!document) return tl::unexpected<Error>(mismatch.value_or(document.error()));
    if (job.stopped()) return JobRunner::Delivery{};
    if (document->schedule) {
      // The original's files do not name their schedules; the file's own name says more than "file".
      std::string own = document->schedule->name;
      if (own.empty() || own == "file") own = std::filesystem::path(name).stem().string();
      document->schedule->name = free_name(own, {});
    }
    return JobRunner::Delivery{[this, source, document = *document] { setDocument(document, source); }};
  };
  runner_.start(tr("Opening %1").arg(source), work);
}

void Session::optimize() {
  then_optimize_ = false;
  if (!hasDocument()) return;
  compareWith(tr("Optimizing %1").arg(QString::fromStdString(document_.graph->name())), settings_.schedules,
              settings_.timing);
}

void Session::compareWith(const QString& title, std::vector<std::string> schedules, const TimingOptions& timing) {
  RunSettings settings = settings_;
  settings.schedules = std::move(schedules);
  const auto work = [this, settings, timing, graph = document_.graph, given = given_](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    // The registry does not change while the session lives, so reading it from here is safe.
    Result<std::unique_ptr<Device>> device = devices_.open(settings.device);
    if (!device) return tl::unexpected<Error>(device.error());
    CompareOptions options;
    options.batch = settings.batch;
    options.schedules = settings.schedules;
    options.search = settings.search;
    options.timing = timing;
    options.given = given;
    options.abandon = abandon;
    Result<Comparison> result = compare(*graph, **device, options, job);
    if (!result) return tl::unexpected<Error>(result.error());
    auto comparison = std::make_shared<const Comparison>(std::move(*result));
    return JobRunner::Delivery{[this, comparison, settings] { deliver(comparison, settings); }};
  };
  runner_.start(title, work);
}

void Session::deliver(std::shared_ptr<const Comparison> comparison, const RunSettings& settings) {
  const bool complete = comparison->complete;
  setComparison(std::move(comparison), settings);
  if (then_optimize_ && complete) optimize();
}

void Session::compareBaselines() {
  // People wait for the first picture: noise may not hold it up for long.
  TimingOptions timing = settings_.timing;
  timing.max_time = std::min(timing.max_time, Millis{50});
  compareWith(tr("Running the baselines of %1").arg(QString::fromStdString(document_.graph->name())),
              {"sequential", "greedy"}, timing);
}

QString Session::whyNotVerify() const {
  if (!comparison_ || comparison_->results.empty()) return tr("There is no schedule yet");
  const DeviceInfo* chosen = device();
  if (chosen == nullptr) return tr("There is no such device");
  const Result<void> computes = check_computes(*chosen);
  return computes ? QString() : QString::fromStdString(computes.error().text());
}

void Session::verify() {
  if (!whyNotVerify().isEmpty()) return;
  const auto work = [this, id = settings_.device, comparison = comparison_, index = active_](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    Result<std::unique_ptr<Device>> device = devices_.open(id);
    if (!device) return tl::unexpected<Error>(device.error());
    Result<std::unique_ptr<Device>> reference = open_reference(devices_, id);
    if (!reference) return tl::unexpected<Error>(reference.error());
    const Graph& graph = *comparison->graph;
    const Schedule& schedule = comparison->results[index].schedule;
    const ExecutionPlan plan = lower(graph, schedule, comparison->batch, (*device)->info().lowering);
    Result<Verification> found = Verifier(graph, **device, comparison->batch, {}, reference->get()).verify(plan, job);
    if (job.stopped()) return JobRunner::Delivery{};
    if (!found) return tl::unexpected<Error>(found.error());
    return JobRunner::Delivery{[this, comparison, index, verification = std::move(*found)] {
      if (comparison != comparison_) return;
      verified_[comparison->results[index].schedule.name] = verification;
      emit verified(index);
    }};
  };
  const std::string& name = comparison_->results[active_].schedule.name;
  runner_.start(tr("Verifying %1").arg(QString::fromStdString(name)), work);
}

const Verification* Session::verification(std::size_t result) const {
  if (!comparison_ || result >= comparison_->results.size()) return nullptr;
  const auto found = verified_.find(comparison_->results[result].schedule.name);
  if (found != verified_.end()) return &found->second;
  const auto& compared = comparison_->results[result].verification;
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

void Session::setDocument(Document document, const QString& source) {
  document_ = std::move(document);
  source_ = source;
  given_.clear();
  if (document_.schedule) given_.push_back(*document_.schedule);
  comparison_.reset();
  compared_with_.reset();
  verified_.clear();
  active_ = 0;
  if (!document_.batched && settings_.batch != 1) {
    settings_.batch = 1;
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

void Session::setComparison(std::shared_ptr<const Comparison> comparison, const RunSettings& settings) {
  // A search stopped before it found anything is no reason to forget what an earlier one found.
  if (!comparison->complete && searched() && !has_search(*comparison)) return;
  // What the user has turned to stays. Otherwise they want to see, at first, the file's own schedule; after a search
  // the best.
  std::string wanted;
  const bool new_file = !given_.empty() && (!comparison_ || comparison_->find(given_.back().name) == nullptr);
  if (new_file) {
    wanted = given_.back().name;
  } else if (searched() && active_ != comparison_->best()) {
    wanted = comparison_->results[active_].schedule.name;
  }
  comparison_ = std::move(comparison);
  compared_with_ = settings;
  verified_.clear();
  active_ = comparison_->best();
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (comparison_->results[i].schedule.name == wanted) active_ = i;
  }
  emit comparisonChanged();
}

bool Session::searched() const { return comparison_ && has_search(*comparison_); }

bool Session::upToDate() const { return comparison_ && comparison_->complete && compared_with_ == settings_; }

void Session::setActiveSchedule(std::size_t index) {
  if (!comparison_ || index >= comparison_->results.size() || index == active_) return;
  active_ = index;
  emit activeScheduleChanged();
}

void Session::setActiveSchedule(const std::string& name) {
  if (!comparison_) return;
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (comparison_->results[i].schedule.name == name) return setActiveSchedule(i);
  }
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
