#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/experiment.h"
#include "core/analysis/explain/explain.h"
#include "core/analysis/live/live_latencies.h"
#include "core/analysis/sweep/sweep.h"
#include "core/analysis/validate/validate.h"
#include "core/operators/profiling.h"
#include "core/search/improve.h"

// These are what a workbench is asked for and what it answers. Both are values, without pointers to what somebody else
// owns: a request may be kept, compared in a test, or written down for a worker elsewhere.
//
// In all of them `device` is an id of the registry, `timing` says how thoroughly a device that measures does so, and
// `anew` that what the store knows is measured all the same, and replaced. `reference` is the id of the device whose
// outputs count as right where something is verified; empty: the registry's, or the device itself where there is none.
namespace iosx {

using SharedGraph = std::shared_ptr<const Graph>;

// Asks for schedules side by side: compare(), or with `replay` replay(), which asks the store alone. `device` may then
// be a fingerprint, or empty where the store has one only. With `predictor`, the id of a device that predicts stages,
// searches begin with what it says, and the schedule that a search on it finds, without anything being measured, is one
// more of those that run. The answer is a Comparison.
struct CompareRequest {
  SharedGraph graph;
  std::string device;
  CompareOptions options = {};
  bool replay = false;
  bool anew = false;
  std::string reference = {};
  std::string predictor = {};
};

// Asks for one schedule: evaluate(). With `inputs` (one a plan input, or none: made up) also for what it computes. The
// answer is an Evaluation.
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
  std::vector<Tensor> outputs = {};       // one a plan output, if asked for
  std::vector<std::string> methods = {};  // LoadedPlan::methods() of result.plan, if asked for
};

// Asks for a search from a schedule that is there: improve(). The stages with the numbers `pinned` (from 0) stay. With
// `run` both schedules are then run side by side, the start first. The answer is an ImproveOutcome.
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
  std::string name = {};  // of what was found; empty: the start's
  bool verify = false;
  std::string reference = {};
};
struct ImproveOutcome {
  Improvement improvement;
  // These are there if asked for: the start, what was found, and the baselines; and the stages of what was found that a
  // search from nothing would not have made.
  std::optional<Comparison> comparison = {};
  std::vector<StageBeyond> beyond = {};
};

// Asks how long stages take, each by itself, measured with care. The answer is StageLatencies.
struct MeasureStagesRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::vector<Stage> stages;
};
struct StageLatencies {
  std::vector<Latency> latencies;  // one a stage
};

// Asks what sequential, greedy and a search of a drawing take: measured_figures(). The answer is a MeasuredDrawing.
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

// Asks why a schedule is as it is: explain(). Where a set of strategies stands for the schedule, it is searched first.
// What tells latencies is
//   with `known`    the comparison and the store, or the device if it is simulated and here: nothing is measured;
//   with `replay`   the store alone, as in CompareRequest;
//   else            the device, if it is simulated or `measure` or `anew` asks for it, otherwise the store.
// The answer is an ExplainOutcome.
struct ExplainRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::variant<Schedule, StrategySet> schedule;
  std::optional<std::size_t> stage = {};  // from 0; none: every one
  SearchOptions search = {};              // what a search may do
  // Parts are cut to this before anything else; none: the graph is in its parts already.
  std::optional<std::size_t> max_part_size = kDefaultMaxPartSize;
  std::shared_ptr<const Comparison> known = nullptr;
  bool replay = false;
  bool measure = false;
  bool anew = false;

  // Says whether this device is asked; if not, only what the store has is known.
  bool asks(const DeviceInfo& chosen) const {
    return known == nullptr && !replay && (measure || anew || is_modelled(chosen.origin));
  }
};
struct ExplainOutcome {
  SharedGraph graph;  // in its parts
  Schedule schedule;  // in the form in which its stages are measured
  DeviceInfo device;
  SearchOptions search;  // with the pruning that a search ended with
  Explanation explanation;
  bool asked_device = false;  // false: what nobody had measured stayed unknown
};

// Asks for latencies for one value after another: sweep_point(). Without `measure` a device that measures is not asked,
// and the store's latencies count. The answer is a SweepOutcome; JobHooks::point has each as soon as it is known.
struct SweepRequest {
  SweepBase base;
  Sweep sweep;
  std::vector<std::int64_t> values;
  bool measure = true;
  bool anew = false;
};
struct SweepOutcome {
  std::vector<SweepPoint> points;  // as far as a stop let it come: one at least
};

// Asks to compare what a schedule computes with what the sequential one does. The answer is a Verification.
struct VerifyRequest {
  SharedGraph graph;
  std::string device;
  std::int64_t batch = 1;
  Schedule schedule;
  // Of a barrier-free one, of the kernels that these wishes make; the device may be another one.
  std::optional<LaneSchedule> lanes = {};
  LowerOptions lowering = {};
  std::string reference = {};
};

// Asks for a look into the runs of a comparison: profile(). Without a comparison one is made first, with `options`;
// where a stop cuts that short nothing is profiled. The answer is a ProfileOutcome.
struct ProfileRequest {
  SharedGraph graph;  // whose weights the runs have
  std::string device;
  std::shared_ptr<const Comparison> comparison = nullptr;
  CompareOptions options = {};
  ProfileOptions profile = {};
  bool anew = false;
};
struct ProfileOutcome {
  Comparison comparison;
  bool profiled = false;                       // false: see above
  std::optional<Error> without_counters = {};  // why the timelines have none, where they could not be had
};

// Asks for an experiment: run_experiment(), on the devices in order. The answer is an ExperimentResult.
struct ExperimentRequest {
  ExperimentKind kind = ExperimentKind::kSchedules;
  SharedGraph graph;
  std::vector<std::string> devices;
  ExperimentOptions options = {};
  bool anew = false;
};

// Asks to compare the simulated V100 and K80 with what was published, and simulated devices with operators that others
// measured: validate(), validate_operators(). `networks` are by name, in their parts. The answer is a Validation.
struct ValidateRequest {
  std::map<std::string, SharedGraph, std::less<>> networks;
  std::vector<MeasuredOperator> operators = {};
  std::vector<simulated::DeviceDescription> simulated = {};  // that the operators are looked for on
  ValidationOptions options = {};
};

// Asks to measure operators of a graph alone and side by side, into the store: profile_operators(). The store must be
// there. The answer is an OperatorProfile.
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

}  // namespace iosx
