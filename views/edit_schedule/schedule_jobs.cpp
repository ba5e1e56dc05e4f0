#include "views/edit_schedule/schedule_controller.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/draft/draft_evaluation.h"
#include "core/devices/registry.h"
#include "core/workbench/workbench.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

constexpr std::size_t kPlacesAtOnce = 8;  // between two looks at where the pointer is

struct Words {
  Q_DECLARE_TR_FUNCTIONS(iosx::ScheduleJobs)
};

// Keeps how schedules were found when they are compared again.
void recall_searches(Comparison& made, const Comparison& before) {
  for (ScheduleResult& result : made.results) {
    for (const ScheduleResult& old : before.results) {
      if (old.schedule_kind == result.schedule_kind && old.schedule == result.schedule) result.search = old.search;
    }
  }
}

}  // namespace

struct LaneCosts::Clock {
  std::unique_ptr<Device> device;  // null: none was opened yet

  Result<Device*> open(const DeviceRegistry& devices, const std::string& id) {
    if (device == nullptr || device->info().id != id) {
      IOS_TRY(device, devices.open(id));
    }
    return device.get();
  }
};

LaneCosts::LaneCosts(const DeviceRegistry& devices, QObject* parent)
    : QObject(parent),
      devices_(devices),
      run_clock_(std::make_shared<Clock>()),
      place_clock_(std::make_shared<Clock>()) {
  connect(&runs_, &LatestAnswer::failed, this, [this](const Error& error) {
    problem_ = error_text(error);
    emit changed();
  });
  connect(&places_, &LatestAnswer::failed, this, [this] {
    unknown_.clear();
    emit placesChanged();
  });
}

LaneCosts::~LaneCosts() = default;

void LaneCosts::forgetRun() {
  forgetPlaces();
  runs_.drop();
  latency_.reset();
  problem_.clear();
}

void LaneCosts::clear() {
  forgetRun();
  draft_.reset();
  references_.clear();
  times_.clear();
  timed_.reset();
}

void LaneCosts::show(const LaneDraft& draft, const LaneDraft& start, const DeviceInfo* device, std::int64_t batch,
                     const Comparison* run) {
  forgetRun();
  references_ = run == nullptr ? std::vector<DraftReference>() : lane_references(*run);
  if (device == nullptr) {
    draft_.reset();
    problem_ = tr("There is no device");
    device_ = {};
  } else {
    device_ = *device;
    fit(draft, batch);
  }
  const DeviceRegistry::Entry* entry = devices_.find(device_.id);
  here_ = entry != nullptr && entry->unavailable.empty() && entry->info.fingerprint == device_.fingerprint;
  lay_out(draft, start, draft_ ? run : nullptr);
  if (!latency_ && simulates()) this->run();
}

// The kernels of a device are made once, not after every edit.
void LaneCosts::fit(const LaneDraft& draft, std::int64_t batch) {
  const bool known = draft_ && draft_->kernels().graph == draft.kernels().graph &&
                     draft_->kernels().schedule == draft.kernels().schedule &&
                     draft_->kernels().staged.batch == batch && draft_->kernels().lowering == device_.lowering;
  auto fitting = known && device_.barrier_free ? LaneDraft::make(draft_->shared_kernels(), draft.lanes())
                                               : on_device(draft, device_, batch);
  if (fitting) {
    draft_ = std::move(*fitting);
  } else {
    draft_.reset();
    problem_ = error_text(fitting.error());
  }
}

void LaneCosts::lay_out(const LaneDraft& draft, const LaneDraft& start, const Comparison* run) {
  if (const ScheduleResult* same = run == nullptr ? nullptr : find_run(*run, *draft_)) {
    latency_ = same->latency;
    if (!run->recorded.empty() && latency_->origin == Origin::kMeasured) latency_->origin = Origin::kRecorded;
    times_ = times_of(*same->lanes, same->trace);
    times_are_ = Times::kRun;
    timed_ = draft.shared_kernels();
    timed_on_ = device_.fingerprint;
    return;
  }
  if (timed_ != draft.shared_kernels() || timed_on_ != device_.fingerprint || times_are_ == Times::kOrder) {
    times_.clear();
    if (run != nullptr) {
      const ScheduleResult* copied = find_run(*run, start);
      times_ = copied != nullptr ? times_of(*copied->lanes, copied->trace) : times_elsewhere(*run, draft_->kernels());
    }
    times_are_ = times_.empty() ? Times::kOrder : Times::kLaidOut;
    if (times_.empty()) times_.assign(draft.kernels().needs.size(), {Micros(0), Micros(1)});
    timed_ = draft.shared_kernels();
    timed_on_ = device_.fingerprint;
  }
  if (times_are_ == Times::kRun) times_are_ = Times::kLaidOut;
  std::vector<Micros> takes;
  for (const KernelTime& time : times_) takes.push_back(time.end - time.begin);
  times_ = laid_out(draft, takes);
}

void LaneCosts::run() {
  runs_.ask(
      [clock = run_clock_, draft = *draft_, id = device_.id, &devices = devices_](
          const JobContext& job, const std::stop_token&) -> Result<LaneRun> {
        IOS_TRY(Device* const device, clock->open(devices, id));
        return run_lanes(*device, draft, job);
      },
      [this](LaneRun found) {
        latency_ = found.latency;
        times_ = std::move(found.times);
        times_are_ = Times::kRun;
        emit changed();
      });
}

// ---- Places of a kernel ----

void LaneCosts::findPlaces(KernelId kernel) {
  forgetPlaces();
  if (!simulates()) return;
  placed_ = kernel;
  near_ = draft_->place_of(kernel);
  const std::vector<LaneDraft::Reach> reaches = draft_->where_may(kernel);
  for (std::size_t lane = 0; lane < reaches.size(); ++lane) {
    for (std::size_t at = reaches[lane].first; at <= reaches[lane].last; ++at) unknown_.push_back({lane, at});
  }
  askPlaces();
}

void LaneCosts::forgetPlaces() {
  places_.drop();
  placed_.reset();
  unknown_.clear();
  known_.clear();
}

std::optional<Millis> LaneCosts::at(const LaneDraft::Place& place) const {
  const auto found = known_.find({place.lane, place.position});
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<LaneDraft::Place> LaneCosts::best() const {
  const auto least = std::ranges::min_element(known_, {}, [](const auto& each) { return each.second; });
  if (least == known_.end()) return std::nullopt;
  return LaneDraft::Place{least->first.first, least->first.second};
}

// Returns when a kernel that is put there begins, about.
Micros LaneCosts::timeOf(const LaneDraft::Place& place) const {
  if (place.lane >= draft_->rows().size()) return times_[placed_->index()].begin;
  std::size_t left = place.position;
  Micros end{0};
  for (const KernelId kernel : draft_->rows()[place.lane]) {
    if (kernel == *placed_) continue;
    if (left == 0) return times_[kernel.index()].begin;
    --left;
    end = times_[kernel.index()].end;
  }
  return end;
}

std::vector<LaneDraft::Place> LaneCosts::nextPlaces() const {
  const Micros here = timeOf(near_);
  std::vector<std::pair<double, LaneDraft::Place>> by_distance;
  for (const LaneDraft::Place& place : unknown_) {
    const double across = place.lane == near_.lane ? 0 : 1;
    by_distance.emplace_back(std::abs((timeOf(place) - here).count()) * (1 + across) + across, place);
  }
  const std::size_t count = std::min(kPlacesAtOnce, by_distance.size());
  std::ranges::partial_sort(by_distance, by_distance.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [](const auto& each) { return each.first; });
  std::vector<LaneDraft::Place> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(by_distance[i].second);
  return places;
}

void LaneCosts::askPlaces() {
  const std::vector<LaneDraft::Place> places = nextPlaces();
  places_.ask(
      [clock = place_clock_, draft = *draft_, kernel = *placed_, places, id = device_.id, &devices = devices_](
          const JobContext& job, const std::stop_token&) -> Result<std::vector<Millis>> {
        IOS_TRY(Device* const device, clock->open(devices, id));
        return latencies_at(*device, draft, kernel, places, job);
      },
      [this, places](const std::vector<Millis>& found) {
        for (std::size_t i = 0; i < places.size(); ++i) known_[{places[i].lane, places[i].position}] = found[i];
        std::erase_if(unknown_, [&](const LaneDraft::Place& place) { return at(place).has_value(); });
        emit placesChanged();
        if (!unknown_.empty() && placed_) askPlaces();
      });
}

const DeviceInfo* ScheduleJobs::device() const {
  const auto comparison = session_.comparison();
  return comparison ? &comparison->device : session_.device();
}

std::int64_t ScheduleJobs::batch() const {
  const auto comparison = session_.comparison();
  return comparison ? comparison->batch : session_.settings().options.batch;
}

void ScheduleJobs::measure(std::vector<Stage> stages, const std::function<void(const std::vector<Latency>&)>& done) {
  const QString title =
      stages.size() == 1 ? Words::tr("Measuring 1 stage") : Words::tr("Measuring %1 stages").arg(stages.size());
  const MeasureStagesRequest request{.graph = session_.document().graph,
                                     .device = device()->id,
                                     .batch = batch(),
                                     .timing = session_.settings().options.timing,
                                     .stages = std::move(stages)};
  jobs_.workFor(session_.networkId(), title,
                jobs_.running(request, [done](const auto& measured) { done(measured.latencies); }));
}

ScheduleJobs::Improving ScheduleJobs::improving() const {
  const auto found = improvers_.find(session_.networkId());
  return found != improvers_.end() && jobs_.has(found->second.job) ? found->second.how : Improving::kNot;
}

void ScheduleJobs::improve(const ScheduleDraft& from, Improving how,
                           const std::function<void(const Improvement&)>& done) {
  const RunSettings& settings = session_.settings();
  const bool fills = how == Improving::kFill;
  const NetworkId network = session_.networkId();
  ImproveRequest request{.graph = from.shared_graph(),
                         .device = device()->id,
                         .batch = batch(),
                         .timing = settings.options.timing,
                         .start = {from.schedule(), ScheduleKind::kByHand},
                         .search = session_.searched() ? session_.searchedWith() : settings.options.search,
                         .max_part_size = settings.options.max_part_size};
  request.search.strategies = strategies_of(settings.options.schedule_kinds).value_or(StrategySet::kBoth);
  if (fills) request.pinned = from.locked_stages();
  const QString title = fills ? Words::tr("Filling the schedule by IOS") : Words::tr("Searching from the schedule");
  auto work = jobs_.running(request, [done](const auto& outcome) { done(outcome.improvement); });
  improvers_[network] = {jobs_.workFor(network, title, std::move(work)), how};
}

QString ScheduleJobs::runDisabledReason() const {
  const DeviceInfo* info = device();
  const DeviceRegistry::Entry* entry = info == nullptr ? nullptr : session_.devices().find(info->id);
  const bool here = entry != nullptr && entry->unavailable.empty();
  return here ? QString() : Words::tr("The device of this run is not available");
}

QString ScheduleJobs::verifyDisabledReason() const {
  if (const QString why = runDisabledReason(); !why.isEmpty()) return why;
  if (session_.weightsLeftBehind()) return Words::tr("The weights of the network are missing; open the network itself");
  const auto computes = check_computes(*device());
  return computes ? QString() : error_text(computes.error());
}

void ScheduleJobs::run(const GivenSchedule& mine, bool verify) {
  const auto shown = session_.comparison();
  const bool exact = shown && is_modelled(shown->device.origin);
  const RunSettings& settings = session_.settings();
  const std::shared_ptr<const Graph> graph = session_.document().graph;
  const EvaluateRequest alone{.graph = graph,
                              .device = device()->id,
                              .batch = batch(),
                              .timing = settings.options.timing,
                              .given = mine,
                              .verify = verify};
  CompareRequest beside{.graph = graph, .device = device()->id, .options = settings.options};
  beside.options.sensitivity = false;
  beside.options.batch = batch();
  beside.options.schedule_kinds.clear();
  beside.options.verify = verify;
  if (shown) {
    beside.options.search = session_.searchedWith();
    for (const ScheduleResult& result : shown->results) {
      if (row_of(result.schedule_kind).baseline()) continue;
      beside.options.given.emplace_back(result.schedule, result.schedule_kind).lanes = result.lanes;
    }
  }
  beside.options.given.push_back(mine);
  const auto work = [&session = session_, exact, shown, alone, beside, mine, to = session_.runId(),
                     network = session_.networkId(), workbench = jobs_.workbench(), &jobs = jobs_,
                     origin = RunNetwork{session_.source().toStdString(), graph, session_.document().batched}](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    if (exact) {
      auto found = workbench.run(alone, job, jobs.hooks(abandon));
      if (job.stopped()) return JobRunner::Delivery{};
      if (!found) return tl::unexpected(std::move(found.error()));
      return JobRunner::Delivery{
          [&session, to, found = std::move(found->result)] { session.editor().addHandMade(to, found); }};
    }
    IOS_TRY(auto made, workbench.run(beside, job, jobs.hooks(abandon)));
    if (shown) recall_searches(made, *shown);
    auto run = std::make_shared<const Run>(make_run(std::move(made), beside.options, origin, workbench.version()));
    return JobRunner::Delivery{[&session, network, mine, run] {
      session.editor().addRun(network, run, false);
      if (session.networkId() != network || !session.comparison()) return;
      const ScheduleResult* own = find_by_hand(*session.comparison(), mine.schedule, mine.lanes);
      if (own == nullptr) return;
      const Choice choice{session.runId(), own->id};
      session.setActiveSchedule(choice.schedule);
      emit session.editor().handMadeRan(choice);
    }};
  };
  jobs_.workFor(session_.networkId(),
                verify ? Words::tr("Verifying the hand-made schedule") : Words::tr("Running the hand-made schedule"),
                work);
}

}  // namespace iosx
