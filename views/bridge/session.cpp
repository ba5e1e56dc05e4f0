#include "views/bridge/session.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/graph/partition.h"

namespace iosx {
namespace {

bool same_search(const SearchOptions& a, const SearchOptions& b) {
  return a.rule == b.rule && a.pruning.r == b.pruning.r && a.pruning.s == b.pruning.s;
}

CompareOptions compare_options(const RunSettings& settings, const Document& document) {
  CompareOptions options;
  options.batch = settings.batch;
  options.schedules = settings.schedules;
  options.search = settings.search;
  if (document.schedule) options.given.push_back(*document.schedule);
  return options;
}

bool has_search(const Comparison& comparison) {
  return std::any_of(comparison.results.begin(), comparison.results.end(),
                     [](const ScheduleResult& result) { return result.search.has_value(); });
}

// A schedule in a file must not be taken for one that the program makes itself.
void rename_if_reserved(Schedule& schedule) {
  static constexpr std::array<std::string_view, 5> kOurs{"sequential", "greedy", "ios-merge", "ios-parallel",
                                                         "ios-both"};
  if (schedule.name.empty()) schedule.name = "file";
  if (std::find(kOurs.begin(), kOurs.end(), schedule.name) != kOurs.end()) schedule.name += " (file)";
}

}  // namespace

bool operator==(const RunSettings& a, const RunSettings& b) {
  return a.device == b.device && a.batch == b.batch && a.schedules == b.schedules && same_search(a.search, b.search);
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
  const auto work = [this, source, opener = opener_](const JobContext& job) -> Result<JobRunner::Delivery> {
    job.report("reading", 0, 0);
    Result<Document> document = opener(source.toStdString());
    if (!document) return tl::unexpected<Error>(document.error());
    if (job.stopped()) return JobRunner::Delivery{};
    if (document->schedule) rename_if_reserved(*document->schedule);
    const Graph& graph = *document->graph;
    document->graph = std::make_shared<const Graph>(graph.with_parts(partition(graph)));
    return JobRunner::Delivery{[this, source, document = std::move(*document)] { setDocument(document, source); }};
  };
  runner_.start(tr("Opening %1").arg(source), work);
}

void Session::optimize() {
  if (!hasDocument()) return;
  compareWith(tr("Optimizing %1").arg(QString::fromStdString(document_.graph->name())), settings_.schedules);
}

void Session::compareWith(const QString& title, std::vector<std::string> schedules) {
  RunSettings settings = settings_;
  settings.schedules = std::move(schedules);
  const auto work = [this, settings, document = document_](const JobContext& job) -> Result<JobRunner::Delivery> {
    // The registry does not change while the session lives, so reading it from here is safe.
    Result<std::unique_ptr<Device>> device = devices_.open(settings.device);
    if (!device) return tl::unexpected<Error>(device.error());
    Result<Comparison> result = compare(document.graph, **device, compare_options(settings, document), job);
    if (!result) return tl::unexpected<Error>(result.error());
    if (result->results.empty()) return JobRunner::Delivery{};
    auto comparison = std::make_shared<const Comparison>(std::move(*result));
    return JobRunner::Delivery{[this, comparison, settings] { setComparison(comparison, settings); }};
  };
  runner_.start(title, work);
}

void Session::setDocument(Document document, const QString& source) {
  document_ = std::move(document);
  source_ = source;
  comparison_.reset();
  compared_with_.reset();
  active_ = 0;
  emit documentChanged();
  emit comparisonChanged();

  const DeviceInfo* chosen = device();
  const bool quick = document_.graph->units().size() <= kQuickUnits;
  if (chosen == nullptr || chosen->origin != Origin::kSimulated) return;
  if (quick) return optimize();
  compareWith(tr("Running the baselines of %1").arg(QString::fromStdString(document_.graph->name())),
              {"sequential", "greedy"});
}

void Session::setComparison(std::shared_ptr<const Comparison> comparison, const RunSettings& settings) {
  // What the user looks at stays. Otherwise they want to see, at first, the file's own schedule; after a search the
  // best.
  std::string wanted;
  if (!comparison_) {
    if (document_.schedule) wanted = document_.schedule->name;
  } else if (has_search(*comparison_)) {
    wanted = comparison_->results[active_].schedule.name;
  }
  comparison_ = std::move(comparison);
  compared_with_ = settings;
  active_ = comparison_->best();
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (comparison_->results[i].schedule.name == wanted) active_ = i;
  }
  emit comparisonChanged();
}

bool Session::upToDate() const {
  if (!comparison_ || !compared_with_ || !(*compared_with_ == settings_)) return false;
  return std::all_of(settings_.schedules.begin(), settings_.schedules.end(), [this](const std::string& name) {
    const ScheduleResult* result = comparison_->find(name);
    return result != nullptr && (!result->search || result->search->complete);
  });
}

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
