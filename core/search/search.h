#pragma once

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/stage_candidates.h"

namespace iosx {

struct PartSummary {
  PartId part;
  std::int64_t states = 0;
  std::int64_t transitions = 0;
  std::int64_t stages = 0;  // distinct stages; states, transitions and stages are 0 after an earlier stop
  Millis cost{0};           // stages and the overhead before them; 0 if the part stayed sequential
  bool complete = true;     // false: stopped before all its stages had a latency, or before it began
  friend bool operator==(const PartSummary&, const PartSummary&) = default;
};

// The progress of a search.
struct SearchMoment {
  Seconds elapsed{0};
  std::int64_t needed = 0;  // distinct requested structures
  Millis best{0};           // cost of the best schedule so far; 0: none yet
  Millis bound{0};          // lower bound of every schedule, as LazyReport::bound; 0: not computed
  friend bool operator==(const SearchMoment&, const SearchMoment&) = default;
};

// Isomorphic parts that a search works on as one: where its time goes, and where more may be gained.
struct SearchTask {
  std::vector<PartId> parts;
  Millis cost{0};               // of each part, as known so far
  Millis least{0};              // estimated minimum of each: see LazyReport::estimated_gap
  std::int64_t measured = 0;    // stages of one such part
  std::int64_t candidates = 0;  // all stages
  friend bool operator==(const SearchTask&, const SearchTask&) = default;
};

// Pieces of one part that was too large to list and was cut. They are searched across the cuts in windows of a few
// stages.
struct JoinedParts {
  PartId first;
  PartId last;
  std::size_t units = 0;
  double states = 0;          // roughly, of all as one part
  std::int64_t windows = 0;   // searched windows
  std::int64_t improved = 0;  // of these, those that found an improvement
  Millis before{0};           // cost of all stages and overhead before it, as cut
  Millis after{0};
  friend bool operator==(const JoinedParts&, const JoinedParts&) = default;
};

// What a lazy search assumes, and how well that held. Gaps are relative to the cost of the optimum under the
// search's options.
struct LazyReport {
  std::int64_t candidates = 0;  // all stages; equal ones count separately
  // Lower bound of every schedule, if every stage costs at least what its units' times imply (the audit tells how that
  // held).
  Millis bound{0};
  double certified_gap = 0;  // result over that bound, less 1
  // The same, where every unmeasured stage costs at least 0.9 of its prediction: an estimate. With cut parts
  // there is no estimate, and this is the certified gap.
  double estimated_gap = 0;
  bool has_estimate() const { return estimated_gap < certified_gap; }
  // How many predictions were made before their stage was measured, and their relative errors.
  std::int64_t predicted = 0;
  double median_error = 0;
  double large_error = 0;  // one in ten is larger
  // On how many measured stages the bound's assumption was checked, and how it held.
  std::int64_t audited = 0;
  std::int64_t below_bound = 0;
  double worst_below = 1;  // the least latency over its bound; 1: none was below
  // SearchEffort::budget ended the search, or where none is given that of windows across cuts (Windows).
  bool out_of_budget = false;
  // The limits that a longer search went on to; some parts may have stages beyond the options.
  std::optional<Pruning> widened = {};
  std::vector<SearchMoment> history = {};
  std::vector<SearchTask> tasks = {};
  std::vector<JoinedParts> joined = {};  // their bound is the longest path; there is no estimate
  friend bool operator==(const LazyReport&, const LazyReport&) = default;
};

// A schedule whose stages a search may choose in addition to its own, and the outcome; see search.h.
struct WarmStart {
  std::string name;     // of that schedule
  Millis cost{0};       // stages and the overhead between them
  bool better = false;  // the search found something better
  // Stages of the result that the search could not reach by itself. improve() leaves them empty.
  std::vector<StageBeyond> beyond = {};
  friend bool operator==(const WarmStart&, const WarmStart&) = default;
};

// The relative error of a sum of the same latencies in another order.
inline constexpr double kSumRounding = 1e-9;

struct SearchResult {
  Schedule schedule;
  Millis stage_sum{0};  // of the solved parts: their stages and the overhead between them (InterStageOverhead)
  // Parts whose stages the search chose, possibly only from those measured before a stop. The others run sequentially.
  std::size_t solved_parts = 0;
  // False: stopped. The part in work then has the best schedule of the stages measured so far; later parts run
  // sequentially.
  bool complete = true;
  std::vector<PartSummary> parts;
  Seconds elapsed{0};
  StageTally tally;                     // of the requested stages
  std::optional<LazyReport> lazy = {};  // none: exhaustive
  // False: chosen among the stages that the source knew, which were not all (LatencySource::measures()).
  bool knew_all = true;
  std::optional<WarmStart> warm_start = {};  // none: it started without a schedule
  // It certifies nothing: parts that were too large to list were cut, and nothing across the cuts was searched, or
  // costs are unknown. A lazy search goes across the cuts (LazyReport::joined).
  bool cut = false;
  friend bool operator==(const SearchResult&, const SearchResult&) = default;
};

// Called on the search's own thread after every few measurements and on every improvement; must return quickly. The
// tasks are empty until first computed, then the latest ones. `better` is the best schedule so far if it was not
// reported before, else null; of several in quick succession only one is reported.
using SearchWatch = std::function<void(const SearchMoment&, std::span<const SearchTask>, const Schedule* better)>;

// Enumerates, measures and solves, part by part of graph.parts(), which should come from prepare(), or all parts
// together (lazy). Progress counts units or names the measured stages. Errors: a part with more than kMaxPartUnits
// units, a search space that does not fit into memory, and the latency source's.
Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job, const SearchWatch& watch = {});

enum class Care { kQuickEstimate, kRefined };

// Returns the source's checked latencies: one per stage unless a stop came, none below zero. Reports the stages of
// this request on top of `done`, out of `total`.
Result<std::vector<Latency>> ask_source(LatencySource& latencies, Care care, std::span<const Stage> stages,
                                        std::int64_t done, std::int64_t total, const JobContext& job);

// Searches that start from an existing schedule, such as one made by hand. stage_candidates.h says why a search would
// not make one of its stages.
struct Improvement {
  SearchResult found;  // costs at most as much as the start; the start itself where nothing is better
  Millis start{0};     // the start's cost: stages and the overhead between them
  bool better = false;
};

// Returns options for improve() and the prepare() before it: the start's stages with these numbers (from 0) are
// pinned, the others are candidates in addition to the search's own stages.
SearchOptions improving(SearchOptions options, const Schedule& start, std::span<const std::size_t> pinned);

// Returns the best schedule that contains the pinned stages. `prepared` comes from prepare() with the same options,
// which come from improving(); the start is legal for the graph. After an early stop the result is the start. Errors:
// as search().
Result<Improvement> improve(const Graph& prepared, const Schedule& start, LatencySource& latencies,
                            const SearchOptions& options, const JobContext& job, const SearchWatch& watch = {});

}  // namespace iosx
