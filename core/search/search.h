#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency_source.h"
#include "core/model/schedule/schedule.h"
#include "core/search/limits.h"
#include "core/search/options.h"

namespace iosx {

struct PartSummary {
  PartId part;
  std::int64_t states = 0;
  std::int64_t transitions = 0;
  std::int64_t stages = 0;  // distinct stages; states, transitions and stages are 0 where a stop came before
  Millis cost{0};           // of the stages found and the overhead before them; 0 if the part was left sequential
  bool complete = true;     // false: stopped before all its stages had a latency, or before it was reached
  friend bool operator==(const PartSummary&, const PartSummary&) = default;
};

// How far a search had come.
struct SearchMoment {
  Seconds elapsed{0};
  std::int64_t needed = 0;  // distinct structures asked for
  Millis best{0};           // cost of the best schedule so far; 0: none yet
  Millis bound{0};          // no schedule costs less, as LazyReport::bound; 0: not worked out
  friend bool operator==(const SearchMoment&, const SearchMoment&) = default;
};

// Parts that are isomorphic, which a search works on as one: where the time goes, and where more of it may be gained.
struct SearchTask {
  std::vector<PartId> parts;
  Millis cost{0};               // of each part, as it is best known
  Millis least{0};              // of each, by estimate: see LazyReport::estimated_gap
  std::int64_t measured = 0;    // stages of such a part
  std::int64_t candidates = 0;  // that there are
  friend bool operator==(const SearchTask&, const SearchTask&) = default;
};

// Parts that are one, cut because there is too much of it to list, and searched across the cuts in windows of a few
// stages at a time.
struct JoinedParts {
  PartId first;
  PartId last;
  std::size_t units = 0;
  double states = 0;          // about, of all as one part
  std::int64_t windows = 0;   // searched
  std::int64_t improved = 0;  // of these, those in which something better was found
  Millis before{0};           // cost of all stages and overhead, as cut
  Millis after{0};
  friend bool operator==(const JoinedParts&, const JoinedParts&) = default;
};

// Says what a lazy search believes, and how well that held. Gaps are over the cost of the optimum under the search's
// options.
struct LazyReport {
  std::int64_t candidates = 0;  // stages that there are, alike ones counted apart
  // No schedule costs less, as far as every stage costs at least what its units by themselves say (the audit tells how
  // that held).
  Millis bound{0};
  double certified_gap = 0;  // what was found over that bound, less 1
  // The same where every stage that was not measured costs at least 0.9 of what is predicted of it: an estimate.
  // Where parts are cut there is no estimate: the certified gap.
  double estimated_gap = 0;
  bool has_estimate() const { return estimated_gap < certified_gap; }
  // These count predictions made before their stage was measured, and give their relative errors.
  std::int64_t predicted = 0;
  double median_error = 0;
  double large_error = 0;  // one in ten is larger
  // These tell on how many measured stages the bound's assumption was checked, and how it held.
  std::int64_t audited = 0;
  std::int64_t below_bound = 0;
  double worst_below = 1;      // latency over bound, the least; 1: none was below
  bool out_of_budget = false;  // SearchEffort::budget ended it
  // A longer search went on to these limits; some parts may have stages that the options alone would not allow.
  std::optional<Pruning> widened = {};
  std::vector<SearchMoment> history = {};
  std::vector<SearchTask> tasks = {};
  std::vector<JoinedParts> joined = {};  // of these the bound is their longest path, and there is no estimate
  friend bool operator==(const LazyReport&, const LazyReport&) = default;
};

// A schedule whose stages a search might choose besides its own, and what came of that; see improve.h.
struct WarmStart {
  std::string name;     // of that schedule
  Millis cost{0};       // of its stages and the overhead between them
  bool better = false;  // something better was found
  // These stages of the result the search would not have had by itself. improve() leaves them empty.
  std::vector<StageBeyond> beyond = {};
  friend bool operator==(const WarmStart&, const WarmStart&) = default;
};

struct SearchResult {
  Schedule schedule;
  Millis stage_sum{
      0};  // of the solved parts' costs: their stages and what a run adds between them (InterStageOverhead)
  // Parts whose stages the search chose, if only from those measured before a stop. The others run sequentially.
  std::size_t solved_parts = 0;
  // False: stopped. A part that was being measured then has the best schedule of the stages measured so far; parts
  // after it run sequentially.
  bool complete = true;
  std::vector<PartSummary> parts;
  Seconds elapsed{0};
  StageTally tally;                     // of the stages that it asked for
  std::optional<LazyReport> lazy = {};  // none: exhaustive
  // False: chosen among the stages that the source knew, which were not all (LatencySource::measures()).
  bool knew_all = true;
  std::optional<WarmStart> warm_start = {};  // none: it began with nothing
  friend bool operator==(const SearchResult&, const SearchResult&) = default;
};

// Called on the search's own thread after every few measurements and whenever something better was found; must return
// quickly. The tasks are empty until they were worked out first, then those of the last time. `better` is the best
// schedule so far where it has not been told before, else null: of several that come soon after one another only one
// is.
using SearchWatch = std::function<void(const SearchMoment&, std::span<const SearchTask>, const Schedule* better)>;

// Enumerate, measure, solve: part by part of graph.parts(), which should come from prepare(), or of all parts as one
// (lazy). Progress counts units, or says what was measured. A part with more than kMaxPartUnits units or a search space
// that would not fit into memory is an error; so is the latency source's.
Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job, const SearchWatch& watch = {});

}  // namespace iosx
