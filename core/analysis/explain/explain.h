#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/explain/changes.h"
#include "core/analysis/explain/stage_costs.h"
#include "core/devices/device.h"
#include "core/search/lazy/stage_facts.h"
#include "core/search/limits.h"

// Explains a schedule: the costs of its stages, alternatives at a stage with their costs, and the distance of the whole
// from the limits of network and device.
namespace iosx {

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

}  // namespace iosx
