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

// Why a schedule is as it is: what its stages cost, what else could have been done at a stage and what that would cost,
// and how far the whole is from what the network and the device allow.
namespace iosx {

// A change that the schedule did not make.
struct Alternative {
  Change change;
  std::vector<StageCost> costs;  // of change.stages
  // The sum of the stages would change by this, overhead between them included; nothing where the basis is unknown.
  Millis difference{0};
  Basis basis = Basis::kUnknown;      // the weakest of what went into it
  Millis error{0};                    // of a known difference: half width of its 95 % interval
  std::vector<Exclusion> excluded{};  // why no search with the options takes it; empty: one may

  // It is less than the schedule has by more than the noise, or is expected to be where it is predicted.
  bool is_better() const { return basis <= Basis::kPredicted && difference < -error - kNothing; }
  static constexpr Millis kNothing{1e-4};  // so little is no reason to change anything
};

struct StageExplanation {
  std::size_t stage = 0;  // from 0
  StageCost cost;
  std::vector<Exclusion> excluded;  // why no search with the options takes the stage itself
  Message no_merge;                 // why its units cannot be merged to one convolution; empty: they can, or are
  // The cheapest first, unknown ones last.
  std::vector<Alternative> alternatives;

  // Returns, of those that a search may take, the cheapest that is better, else the cheapest; null where nothing is
  // known of any.
  const Alternative* next_best() const;
};

// The longest chain of units, as long as they take by themselves.
struct CriticalPath {
  Millis length{0};
  Basis basis = Basis::kUnknown;
  std::vector<UnitId> units;
  // No schedule takes less, as far as its stages keep to `factors`, which every known stage does.
  Millis at_least{0};
  BoundFactors factors = {};
};

// All work of the network at the device's full rates; convolutions as if computed directly, of which Winograd's
// algorithm needs less.
struct WorkTime {
  Millis compute{0};
  Millis memory{0};
};

struct Explanation {
  std::vector<StageCost> stages;  // one a stage
  Millis overhead{0};             // between the stages
  Millis sum{0};                  // of both; of the known stages where one is unknown
  Basis basis = Basis::kUnknown;  // the weakest of the stages'
  // None where a unit was never measured by itself; unknown_units says how many.
  std::optional<CriticalPath> critical_path;
  std::size_t unknown_units = 0;
  std::optional<WorkTime> work;  // none where the device does not say what it can do
  std::size_t learned = 0;       // of how many stages predictions were learned
  std::vector<StageExplanation> explained;

  double share(std::size_t stage) const { return sum > Millis(0) ? stages[stage].value / sum : 0; }
};

struct ExplainOptions {
  std::optional<std::size_t> stage = {};  // from 0; none: every one
  SearchOptions search = {};              // what a search may do
  std::optional<PeakRates> rates = {};    // of the device
};

// What is wrong where the schedule has no stage of this number (from 0): Error::what.
Message no_such_stage(std::size_t stage);

// `graph` is cut into the parts that a search would keep to. A source that measures is asked for everything that is
// named; of another one what it knows counts. Errors: a schedule that is not legal, a stage that it does not have, the
// source's, a stop.
Result<Explanation> explain(const Graph& graph, std::int64_t batch, const Schedule& schedule, LatencySource& source,
                            const ExplainOptions& options, const JobContext& job);

}  // namespace iosx
