#include "core/workbench/request_resources.h"

#include <algorithm>

#include "core/devices/measure/store_place.h"

namespace iosx {
namespace {

// Opens the device if it is simulated and present in the same form; else null.
std::unique_ptr<Device> simulated_device(const DeviceRegistry& devices, const DeviceInfo& info) {
  if (!is_modelled(info.origin) || devices.find(info.id) == nullptr) return nullptr;
  auto device = devices.open(info.id);
  if (!device || (*device)->info().fingerprint != info.fingerprint) return nullptr;
  return std::move(*device);
}

// Opens the store to read; null where nothing is kept or it cannot be read.
std::unique_ptr<MeasurementStore> store_to_read(const StorePlace& place) {
  const auto file = place.path();
  if (!place.kept || !file) return nullptr;
  auto store = MeasurementStore::open(*file, MeasurementStore::Access::kReadOnly);
  return store ? std::move(*store) : nullptr;
}

}  // namespace

RequestResources::~RequestResources() {
  for (const auto& [id, device] : devices_) tell(device->take_notices());
  if (kept_ && *kept_ && **kept_ != nullptr) tell((**kept_)->take_notices());
}

JobContext RequestResources::telling(const JobContext& job) {
  return {job.stop, [this, report = job.progress](const Progress& progress) {
            for (const auto& [id, device] : devices_) tell(device->take_notices());
            if (report) report(progress);
          }};
}

void RequestResources::tell(const std::vector<Message>& notices) {
  if (!hooks_.notice) return;
  for (const Message& notice : notices) {
    if (told_.insert(notice.text()).second) hooks_.notice(notice);
  }
}

Result<Device*> RequestResources::device(const std::string& id) {
  if (const auto found = devices_.find(id); found != devices_.end()) return found->second.get();
  IOS_TRY(auto opened, workbench_.devices().open(id));
  if (const std::string key = opened->methods_key(); !key.empty() && workbench_.store().place.kept) {
    IOS_TRY(MeasurementStore* const store, store());
    if (store != nullptr) {
      opened->keep_methods(
          std::make_unique<StoredMethods>(*store, key, id, [this](const Error& error) { tell({not_kept(error)}); }));
    }
  }
  return (devices_[id] = std::move(opened)).get();
}

Result<Device*> RequestResources::reference(const std::string& id, const Device& device) {
  IOS_TRY(check_computes(device.info()));
  const DeviceRegistry::Entry* const usual = workbench_.devices().reference();
  const std::string& chosen = !id.empty() ? id : usual != nullptr ? usual->info.id : device.info().id;
  if (chosen == device.info().id) return nullptr;
  IOS_TRY(Device* const reference, this->device(chosen));
  IOS_TRY(check_computes(reference->info()));
  return reference;
}

Result<Keeping> RequestResources::keeping(const DeviceInfo& device, bool anew) {
  const StoreChoice& choice = workbench_.store();
  Keeping keeping{nullptr, workbench_.version(), anew};
  if (!choice.place.kept || (is_modelled(device.origin) && !choice.named)) return keeping;
  IOS_TRY(keeping.store, store());
  return keeping;
}

Result<MeasurementStore*> RequestResources::store() {
  if (!kept_) {
    const auto file = workbench_.store().place.path();
    kept_ = file ? MeasurementStore::open(*file) : tl::unexpected(file.error());
    if (*kept_) {
      tell((**kept_)->take_notices());
    } else if (!workbench_.store().named) {
      tell({not_kept(kept_->error())});
      *kept_ = nullptr;
    }
  }
  if (!*kept_) return tl::unexpected(kept_->error());
  return (*kept_)->get();
}

Result<RequestResources::Recorded> RequestResources::recorded(const std::string& device, std::int64_t batch) {
  IOS_TRY(const auto file, workbench_.store().place.path());
  IOS_TRY(known_, MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
  IOS_TRY(auto set, recorded_set(**known_, device, batch));
  return Recorded{known_->get(), std::move(set)};
}

MeasurementStore* RequestResources::known() {
  if (!known_) known_ = store_to_read(workbench_.store().place);
  return known_->get();
}

KnownLatencies::KnownLatencies(const Workbench& workbench, const Graph& graph, const DeviceInfo& device,
                               std::int64_t batch, const Comparison* comparison)
    : device_(simulated_device(workbench.devices(), device)) {
  if (device_ != nullptr) {
    source_ = std::make_unique<DeviceLatencySource>(graph, *device_, batch);
    return;
  }
  store_ = store_to_read(workbench.store().place);
  auto recorded = std::make_unique<RecordedLatencySource>(graph, store_.get(), measurement_set(device, batch),
                                                          RecordedLatencySource::Where::kHere);
  recorded_ = recorded.get();
  source_ = std::move(recorded);
  if (comparison != nullptr) give(*comparison);
}

void KnownLatencies::give(const Stage& stage, const Latency& latency) {
  if (recorded_ != nullptr) recorded_->give(stage, latency);
}

// A stop leaves latencies of stages within a run, which are not theirs alone.
void KnownLatencies::give(const Comparison& comparison) {
  if (!comparison.complete) return;
  for (const ScheduleResult& result : comparison.results) {
    for (std::size_t i = 0; i < result.stage_latencies.size(); ++i) {
      Latency latency = result.stage_latencies[i];
      if (!comparison.recorded.empty() && latency.origin == Origin::kMeasured) latency.origin = Origin::kRecorded;
      give(result.schedule.stages[i], latency);
    }
  }
}

Result<std::vector<std::optional<Latency>>> KnownLatencies::answers(const std::vector<Stage>& stages) {
  if (!asks_device()) return source_->known_latencies(stages);
  IOS_TRY(const auto found, source_->stage_latencies(stages, {}));
  std::vector<std::optional<Latency>> answers(stages.size());
  std::ranges::copy(found, answers.begin());
  return answers;
}

}  // namespace iosx
