#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/devices/measure/latency_sources.h"
#include "core/workbench/workbench.h"

namespace iosx {

// Owns everything open during a request: devices, each once, and one store for all measuring ones. Events of the store
// are reported on opening and at the end, also for a failed request; those of devices at the end, and earlier by
// telling().
class RequestResources {
 public:
  // Both must outlive it.
  RequestResources(const Workbench& workbench, const JobHooks& hooks) : workbench_(workbench), hooks_(hooks) {}
  ~RequestResources();
  RequestResources(const RequestResources&) = delete;
  RequestResources& operator=(const RequestResources&) = delete;

  Result<Device*> device(const std::string& id);
  // Returns the reference of the device's outputs; null means the device itself. Returns an error where either does
  // not compute. For `id` see workbench.h.
  Result<Device*> reference(const std::string& id, const Device& device);
  // Returns where latencies of the device are kept: nowhere if it is simulated, unless the store was named.
  Result<Keeping> keeping(const DeviceInfo& device, bool anew = false);
  // A store for reading, and its set measured on a device: see recorded_set().
  struct Recorded {
    MeasurementStore* store = nullptr;
    MeasurementSet set;
  };
  Result<Recorded> recorded(const std::string& device, std::int64_t batch);
  // Returns the store for reading; null where nothing is kept or it cannot be read: a request that measures nothing
  // goes on.
  MeasurementStore* known();

  // Returns the request's job, whose progress reports also send the notices of devices so far.
  JobContext telling(const JobContext& job);
  // Reports each notice once, however many parts of the request produce it.
  void tell(const std::vector<Message>& notices);

 private:
  Result<MeasurementStore*> store();

  const Workbench& workbench_;
  const JobHooks& hooks_;
  std::set<std::string> told_;
  std::optional<Result<std::unique_ptr<MeasurementStore>>> kept_;  // for writing, after the first request; may be null
  std::optional<std::unique_ptr<MeasurementStore>> known_;         // for reading, likewise
  std::map<std::string, std::unique_ptr<Device>, std::less<>> devices_;  // they keep their methods in the store
};

// Returns latencies of stages without measuring: from a simulated device present in the same form; for another one
// from the store, from a comparison on it, and given ones.
class KnownLatencies {
 public:
  // The graph and the workbench's registry must outlive it.
  KnownLatencies(const Workbench& workbench, const Graph& graph, const DeviceInfo& device, std::int64_t batch,
                 const Comparison* comparison);
  KnownLatencies(KnownLatencies&&) = default;

  StageLatencySource& source() { return *source_; }
  bool asks_device() const { return device_ != nullptr; }
  // Adds a known latency before any request; does nothing where the device is used.
  void give(const Stage& stage, const Latency& latency);
  // Returns one latency per stage, none where unknown. The error is the simulated device's.
  Result<std::vector<std::optional<Latency>>> answers(const std::vector<Stage>& stages);

 private:
  void give(const Comparison& comparison);

  std::unique_ptr<Device> device_;
  std::unique_ptr<MeasurementStore> store_;
  std::unique_ptr<StageLatencySource> source_;
  RecordedLatencySource* recorded_ = nullptr;  // source_, unless the device is used
};

}  // namespace iosx
