#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/explain/changes.h"
#include "core/devices/device.h"
#include "core/model/cost/latency.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"
#include "core/search/lazy/stage_predictor.h"
#include "core/search/stage_candidates.h"

namespace iosx {

// How a cost is known, the most reliable first.
enum class Basis {
  kSimulated,
  kLearned,  // by a device that predicts all of them
  kMeasured,
  kReused,     // measured on this device earlier, and kept
  kRecorded,   // measured elsewhere or earlier, from a saved run or replayed store
  kPredicted,  // from units alone and known stages
  kBound,      // a lower bound, as far as BoundFactors hold
  kUnknown,
};
std::string_view basis_name(Basis basis);  // "simulated", "measured", "reused", "recorded", "predicted", …
inline bool is_known(Basis basis) { return basis <= Basis::kRecorded; }

struct StageCost {
  Millis value{0};
  Basis basis = Basis::kUnknown;
  // Half width of the 95 % interval of the median, from the spread, for normally distributed samples; 0 without noise,
  // and for predictions and bounds.
  Millis error{0};
  friend bool operator==(const StageCost&, const StageCost&) = default;
};

// Explains a schedule: the costs of its stages, alternatives at a stage with their costs, and the distance of the whole
// from the limits of network and device.

// A change that the schedule did not make.
struct Alternative {
  Change change;
  std::vector<StageCost> costs;  // of change.stages
  // The change of the stages' sum, with the overhead between them; unused where the basis is unknown.
  Millis difference{0};
  Basis basis = Basis::kUnknown;      // the weakest of its costs
  Millis error{0};                    // of a known difference: half width of its 95 % interval
  std::vector<Exclusion> excluded{};  // why no search with the options takes it; empty: one may

  // Returns whether it is lower than the schedule by more than the noise, or by prediction.
  bool is_better() const { return basis <= Basis::kPredicted && difference < -error - kNothing; }
  static constexpr Millis kNothing{1e-4};  // smaller differences are no reason for a change
};

struct StageExplanation {
  std::size_t stage = 0;  // from 0
  StageCost cost;
  std::vector<Exclusion> excluded;  // why no search with the options takes the stage itself
  Message no_merge;                 // why its units cannot be merged to one convolution; empty: they can, or are
  // The cheapest first, unknown ones last.
  std::vector<Alternative> alternatives;

  // Returns, among those that a search may take, the cheapest one that is better, else the cheapest; null where all
  // are unknown.
  const Alternative* next_best() const;
};

// The longest chain of units, with each unit's time alone.
struct CriticalPath {
  Millis length{0};
  Basis basis = Basis::kUnknown;
  std::vector<UnitId> units;
  // Lower bound of all schedules, if stages keep to `factors`, which every known stage does.
  Millis at_least{0};
  BoundFactors factors = {};
};

// The network's total work at the device's full rates; convolutions as if computed directly (Winograd's
// algorithm needs less).
struct WorkTime {
  Millis compute{0};
  Millis memory{0};
};

struct Explanation {
  std::vector<StageCost> stages;  // one per stage
  Millis overhead{0};             // between the stages
  Millis sum{0};                  // of both; of the known stages where one is unknown
  Basis basis = Basis::kUnknown;  // the weakest of the stages'
  // None where a unit was never measured by itself; unknown_units has their number.
  std::optional<CriticalPath> critical_path;
  std::size_t unknown_units = 0;
  std::optional<WorkTime> work;  // none where the device's rates are unknown
  std::size_t learned = 0;       // number of stages from which predictions were learned
  std::vector<StageExplanation> explained;

  double share(std::size_t stage) const { return sum > Millis(0) ? stages[stage].value / sum : 0; }
};

struct ExplainOptions {
  std::optional<std::size_t> stage = {};  // from 0; none: every one
  SearchOptions search = {};              // limits of a search
  std::optional<PeakRates> rates = {};    // of the device
};

// Returns the error text for a schedule without a stage of this number (from 0): Error::what.
Message no_such_stage(std::size_t stage);

// `graph` is cut into the parts of a search. A measuring source is asked for all named stages; from another one known
// latencies count. Errors: a schedule that is not legal, a missing stage, the source's, a stop.
Result<Explanation> explain(const Graph& graph, std::int64_t batch, const Schedule& schedule, LatencySource& source,
                            const ExplainOptions& options, const JobContext& job);

// A change of the lanes by which one kernel would have begun earlier, with the rest of the run unchanged.
struct EarlierStart {
  enum class By {
    kNeed,   // an earlier end of `kernel`, which it needs
    kOrder,  // a launch before `kernel`, which it does not need and which would then wait for it
    kLane,   // a place on `lane`, which was idle long enough for all of it
  };
  By by = By::kNeed;
  KernelId kernel = {};  // for kNeed and kOrder
  std::size_t lane = 0;  // for kLane
  Micros most{0};        // the largest gain: then it would wait for something else
  friend bool operator==(const EarlierStart&, const EarlierStart&) = default;
};

// Why a kernel of a barrier-free run began at its time. Times count from the start of the run.
struct KernelWait {
  enum class For {
    kNothing,  // the first on its lane, without needs
    kNeed,     // its needs: its lane was free earlier, or at the same time
    kLane,     // its lane: its needs had ended earlier
  };
  KernelId kernel;
  Micros begin{0};
  std::optional<KernelId> need;    // the need that ended last
  Micros needs_ended{0};           // its end; 0: no needs
  std::optional<KernelId> before;  // the previous one on its lane
  Micros lane_free{0};             // its end; 0: none
  std::vector<EarlierStart> earlier;

  For what() const;
  std::optional<KernelId> last() const;  // the last one to end before it could begin
  Micros ready() const { return std::max(needs_ended, lane_free); }
  // Returns how long its lane idled for its needs, or its met needs waited for the lane.
  Micros waited() const { return std::chrono::abs(needs_ended - lane_free); }
  // Returns the time from when it could begin until it did: its launch, and the cost of a wait between lanes. Negative
  // where the trace shows an earlier begin, within the resolution of a profiler's clock.
  Micros start() const { return begin - ready(); }
};

// Analyses what the kernels of a barrier-free run waited for.
class KernelWaits {
 public:
  // The plan must be barrier-free and the trace one of it (check_trace()); both must outlive this.
  KernelWaits(const ExecutionPlan& plan, const Trace& trace);
  // None for a kernel that the trace lacks. A need that the trace lacks counts as ended at 0.
  std::optional<KernelWait> of(KernelId kernel) const;

 private:
  void add_need_earlier(KernelWait& wait) const;
  void add_lane_earlier(KernelWait& wait) const;
  Micros end_of(KernelId kernel) const;

  const ExecutionPlan& plan_;
  std::vector<std::vector<KernelId>> needs_;
  std::vector<std::vector<KernelId>> lanes_;  // kernels in launch order
  std::vector<std::size_t> places_;           // by kernel: its place on its lane
  std::vector<const KernelSpan*> spans_;      // by kernel; null: not in the trace
};

}  // namespace iosx
