#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/devices/measure/device_latency_source.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/workbench/workbench.h"

namespace iosx {

// Owns what a request has open while it runs: devices, each once, and one store for all that measure. What happened to
// the store is told as it is opened and at the end, of a request that failed too; what happened to devices at the end,
// and before by telling().
class RequestResources {
 public:
  // Both must outlive it.
  RequestResources(const Workbench& workbench, const JobHooks& hooks) : workbench_(workbench), hooks_(hooks) {}
  ~RequestResources();
  RequestResources(const RequestResources&) = delete;
  RequestResources& operator=(const RequestResources&) = delete;

  Result<Device*> device(const std::string& id);
  // Returns what the device's outputs are verified against; null stands for the device itself. It is an error where
  // either does not compute. For `id` see requests.h.
  Result<Device*> reference(const std::string& id, const Device& device);
  // Says where latencies of the device are kept: nowhere if it is simulated, unless the store was named.
  Result<Keeping> keeping(const DeviceInfo& device, bool anew = false);
  // Holds the store to read alone, and its set that was measured on a device: see recorded_set().
  struct Recorded {
    MeasurementStore* store = nullptr;
    MeasurementSet set;
  };
  Result<Recorded> recorded(const std::string& device, std::int64_t batch);
  // Returns the store to read; null where nothing is kept or it cannot be read: a request that measures nothing goes
  // on.
  MeasurementStore* known();

  // Returns the job of the request, which tells at its reports of progress what happened to the devices until then.
  JobContext telling(const JobContext& job);
  // Tells each notice once, however many parts of the request come upon it.
  void tell(const std::vector<Message>& notices);

 private:
  Result<MeasurementStore*> store();

  const Workbench& workbench_;
  const JobHooks& hooks_;
  std::set<std::string> told_;
  std::optional<Result<std::unique_ptr<MeasurementStore>>> kept_;        // to write, once it was asked for; may be null
  std::optional<std::unique_ptr<MeasurementStore>> known_;               // to read alone, the same
  std::map<std::string, std::unique_ptr<Device>, std::less<>> devices_;  // they keep their methods in the store
};

// Answers latencies of stages without anything being measured: a simulated device that is here in the same form is
// asked; of another one counts what the store knows, what a comparison on it found, and what was given.
class KnownLatencies {
 public:
  // The graph and the workbench's registry must outlive it.
  KnownLatencies(const Workbench& workbench, const Graph& graph, const DeviceInfo& device, std::int64_t batch,
                 const Comparison* comparison);
  KnownLatencies(KnownLatencies&&) = default;

  StageLatencySource& source() { return *source_; }
  bool asks_device() const { return device_ != nullptr; }
  // Adds what is known from elsewhere, before anything is asked; does nothing where the device is asked.
  void give(const Stage& stage, const Latency& latency);
  // Returns one latency a stage, none where it is not known. The error is the simulated device's.
  Result<std::vector<std::optional<Latency>>> answers(const std::vector<Stage>& stages);

 private:
  void give(const Comparison& comparison);

  std::unique_ptr<Device> device_;
  std::unique_ptr<MeasurementStore> store_;
  std::unique_ptr<StageLatencySource> source_;
  RecordedLatencySource* recorded_ = nullptr;  // source_, unless the device is asked
};

}  // namespace iosx
