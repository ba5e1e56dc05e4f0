#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/experiment.h"
#include "core/analysis/experiment/sweep.h"
#include "core/analysis/explain/explain.h"
#include "core/analysis/live/live_latencies.h"
#include "core/analysis/validate/validate.h"
#include "core/base/progress.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/registry.h"
#include "core/operators/profiling.h"
#include "core/search/search.h"

// The requests to a workbench and their outcomes. Both are values without pointers to others' objects: a request may
// be stored, compared in a test, or written down for a remote worker.
//
// In all of them `device` is an id of the registry, `timing` says how thoroughly a measuring device works, and `anew`
// that stages known to the store are measured again and replaced. `reference` is the id of the device whose outputs
// count as right in verification; empty: the registry's, or the device itself without one.
namespace iosx {

using SharedGraph = std::shared_ptr<const Graph>;

// Compares schedules: compare(), or with `replay` replay(), from the store alone. `device` may then be a fingerprint,
// or empty where the store has only one. With `predictor`, the id of a device that predicts stages, searches begin with
// its predictions, and the schedule of a search on it, without measurements, runs as well. The outcome is a Comparison.
struct CompareRequest {
  SharedGraph graph;
  std::string device;
  CompareOptions options = {};
  bool replay = false;
  bool anew = false;
  std::string reference = {};
  std::string predictor = {};
};

// Evaluates one schedule: evaluate(). With `inputs` (one per plan input, or none: made up) also its outputs. The
// outcome is an Evaluation.
struct EvaluateRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  GivenSchedule given;
  bool verify = false;
  std::string reference = {};
  std::optional<std::vector<Tensor>> inputs = {};
  bool methods = false;  // wanted
};
struct Evaluation {
  ScheduleResult result;
  DeviceInfo device;
  std::vector<Tensor> outputs = {};       // one per plan output, if requested
  std::vector<std::string> methods = {};  // LoadedPlan::methods() of result.plan, if requested
};

// Searches from an existing schedule: improve(). The stages with the numbers `pinned` (from 0) stay. With `run` both
// schedules then run side by side, the start first. The outcome is an ImproveOutcome.
struct ImproveRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  GivenSchedule start;
  std::vector<std::size_t> pinned = {};
  SearchOptions search = {};
  std::size_t max_part_size = kDefaultMaxPartSize;
  bool anew = false;
  bool run = false;
  std::string name = {};  // of the result; empty: the start's
  bool verify = false;
  std::string reference = {};
};
struct ImproveOutcome {
  Improvement improvement;
  // On request: the start, the result, and the baselines; and the stages of the result that a search from nothing could
  // not reach.
  std::optional<Comparison> comparison = {};
  std::vector<StageBeyond> beyond = {};
};

// Measures stages, each by itself and refined. The outcome is StageLatencies.
struct MeasureStagesRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::vector<Stage> stages;
};
struct StageLatencies {
  std::vector<Latency> latencies;  // one per stage
};

// Measures sequential, greedy and a search of a drawing: measured_figures(). The outcome is a MeasuredDrawing.
struct MeasureDrawingRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  LiveLimits limits = {};
};
struct MeasuredDrawing {
  LiveFigures figures;
  DeviceInfo device;
};

// Explains a schedule: explain(). With a set of strategies in place of the schedule, it searches first. Latencies come
// from
//   with `known`    the comparison and the store, or the device if it is simulated and here: nothing is measured;
//   with `replay`   the store alone, as in CompareRequest;
//   else            the device, if it is simulated or `measure` or `anew` asks for it, otherwise the store.
// The outcome is an ExplainOutcome.
struct ExplainRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::variant<Schedule, StrategySet> schedule;
  std::optional<std::size_t> stage = {};  // from 0; none: every one
  SearchOptions search = {};              // limits of a search
  // Cuts parts to this size first; none: the graph is in its parts already.
  std::optional<std::size_t> max_part_size = kDefaultMaxPartSize;
  std::shared_ptr<const Comparison> known = nullptr;
  bool replay = false;
  bool measure = false;
  bool anew = false;

  // Returns whether this device is used; if not, only the store's latencies are known.
  bool asks(const DeviceInfo& chosen) const {
    return known == nullptr && !replay && (measure || anew || is_modelled(chosen.origin));
  }
};
struct ExplainOutcome {
  SharedGraph graph;  // in its parts
  Schedule schedule;  // in the form of its measured stages
  DeviceInfo device;
  SearchOptions search;  // with the pruning of the search's end
  Explanation explanation;
  bool asked_device = false;  // false: stages without a measurement stayed unknown
};

// Evaluates one value after another: sweep_point(). Without `measure` a measuring device is not used, and the store's
// latencies count. The outcome is a SweepOutcome; JobHooks::point receives each as soon as it is known.
struct SweepRequest {
  Sweep sweep;
  std::vector<std::int64_t> values;
  bool measure = true;
  bool anew = false;
};
struct SweepOutcome {
  std::vector<SweepPoint> points;  // those before a stop: at least one
};

// Compares a schedule's outputs with the sequential one's. The outcome is a Verification.
struct VerifyRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  Schedule schedule;
  // For a barrier-free one, for the kernels of these lowering options; the device may be another one.
  std::optional<LaneSchedule> lanes = {};
  LowerOptions lowering = {};
  std::string reference = {};
};

// Profiles the runs of a comparison: profile(). Without a comparison one is made first, with `options`; after a
// stop of that nothing is profiled. The outcome is a ProfileOutcome.
struct ProfileRequest {
  SharedGraph graph;  // with the runs' weights
  std::string device;
  std::shared_ptr<const Comparison> comparison = nullptr;
  CompareOptions options = {};
  ProfileOptions profile = {};
  bool anew = false;
};
struct ProfileOutcome {
  Comparison comparison;
  bool profiled = false;                       // false: see above
  std::optional<Error> without_counters = {};  // why the timelines lack counters
};

// Runs an experiment: run_experiment(), on the devices in order. The outcome is an ExperimentResult.
struct ExperimentRequest {
  ExperimentKind kind = ExperimentKind::kSchedules;
  SharedGraph graph = {};
  std::vector<std::string> devices = {};
  ExperimentOptions options = {};
  bool anew = false;
};

// Compares the simulated V100 and K80 with publications, simulated devices with operators measured by others, and the
// captured one with launches that a GPU ran: validate(), validate_operators(), validate_captured(). `networks` are by
// name, in their parts. The outcome is a Validation.
struct ValidateRequest {
  std::map<std::string, SharedGraph, std::less<>> networks;
  std::vector<MeasuredOperator> operators = {};
  std::vector<simulated::DeviceDescription> simulated = {};  // on which the operators are looked up
  std::vector<RecordedNetwork> recorded = {};
  simulated::CapturedEngine captured = {};  // measured on the device of the recorded networks
  ValidationOptions options = {};
};

// Measures operators of a graph alone and side by side into the store, which must exist: profile_operators(). The
// outcome is an OperatorProfile.
struct ProfileOperatorsRequest {
  SharedGraph graph;
  std::string device;
  OperatorProfileOptions options = {};
};

using Request = std::variant<CompareRequest, EvaluateRequest, ImproveRequest, MeasureStagesRequest,
                             MeasureDrawingRequest, ExplainRequest, SweepRequest, VerifyRequest, ProfileRequest,
                             ExperimentRequest, ValidateRequest, ProfileOperatorsRequest>;
using Outcome = std::variant<Comparison, Evaluation, ImproveOutcome, StageLatencies, MeasuredDrawing, ExplainOutcome,
                             SweepOutcome, Verification, ProfileOutcome, ExperimentResult, Validation, OperatorProfile>;

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
