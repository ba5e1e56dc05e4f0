#include "views/edit_schedule/lane_costs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/devices/registry.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

constexpr std::size_t kPlacesAtOnce = 8;  // between two looks at where the pointer is

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

void LaneCosts::clear() {
  forgetPlaces();
  runs_.drop();
  draft_.reset();
  latency_.reset();
  references_.clear();
  times_.clear();
  timed_.reset();
  problem_.clear();
}

void LaneCosts::show(const LaneDraft& draft, const LaneDraft& start, const DeviceInfo* device, std::int64_t batch,
                     const Comparison* run) {
  forgetPlaces();
  runs_.drop();
  latency_.reset();
  problem_.clear();
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

}  // namespace iosx

#include "moc_lane_costs.cpp"
