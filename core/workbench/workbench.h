#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/base/progress.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/registry.h"
#include "core/workbench/requests.h"

namespace iosx {

// Where measurements are kept.
struct StoreChoice {
  StorePlace place = {};
  // The user named this file: it also keeps a simulated device's latencies, and failing to open it is an error.
  // Otherwise a notice reports that, and the request runs without a store.
  bool named = false;
};

// A client's callbacks during a request, on the request's thread; all may be empty.
struct JobHooks {
  // Receives sentences for the user: events of the store, failures to keep something, limits of the result. Also
  // called where the request fails.
  std::function<void(const Message&)> notice = {};
  CompareListener compare = {};                                 // of a CompareRequest
  std::function<Result<void>(const Comparison&)> halfway = {};  // of a ProfileRequest, see profile()
  std::function<void(const SweepPoint&)> point = {};            // of a SweepRequest
  std::stop_token abandon = {};  // ends the request with an error: its result is no longer wanted
};

// The application without a window: it opens the device and the store, runs a request and returns the outcome. It
// is the one place that does so, for the command line, the window's jobs, and reports.
//
// It is a value of a few words that any thread may use, also for concurrent requests. The registry must outlive it.
class Workbench {
 public:
  Workbench(const DeviceRegistry& devices, StoreChoice store, std::string version)
      : devices_(&devices), store_(std::move(store)), version_(std::move(version)) {}

  const DeviceRegistry& devices() const { return *devices_; }
  const StoreChoice& store() const { return store_; }
  const std::string& version() const { return version_; }  // the program's, under which measurements are kept

  // Returns the same with measurements kept elsewhere.
  Workbench with_store(StoreChoice store) const { return {*devices_, std::move(store), version_}; }

  // Returns the default device of a request: the best one, or the best that computes for outputs; null without any.
  const DeviceRegistry::Entry* default_device(bool computes = false) const;

  // Runs a request on the calling thread. A stop ends it as early as the analysis promises, with a partial result if
  // that is useful. Errors: a device or a named store that cannot be opened, and the analysis's.
  Result<Outcome> run(const Request& request, const JobContext& job, const JobHooks& hooks = {}) const;

  // Do the same for a known kind of request.
  Result<Comparison> run(const CompareRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<Evaluation> run(const EvaluateRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<ImproveOutcome> run(const ImproveRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<StageLatencies> run(const MeasureStagesRequest& request, const JobContext& job,
                             const JobHooks& hooks = {}) const;
  Result<MeasuredDrawing> run(const MeasureDrawingRequest& request, const JobContext& job,
                              const JobHooks& hooks = {}) const;
  Result<ExplainOutcome> run(const ExplainRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<SweepOutcome> run(const SweepRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<Verification> run(const VerifyRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<ProfileOutcome> run(const ProfileRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<ExperimentResult> run(const ExperimentRequest& request, const JobContext& job,
                               const JobHooks& hooks = {}) const;
  Result<Validation> run(const ValidateRequest& request, const JobContext& job, const JobHooks& hooks = {}) const;
  Result<OperatorProfile> run(const ProfileOperatorsRequest& request, const JobContext& job,
                              const JobHooks& hooks = {}) const;

 private:
  const DeviceRegistry* devices_;
  StoreChoice store_;
  std::string version_;
};

}  // namespace iosx
