#pragma once

#include "core/base/parallel.h"
#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_knowledge.h"
#include "core/search/search.h"

namespace iosx {

// The state of a lazy search: its parts, their known and predicted stages, and its limits. Planner, Polisher,
// Refiner and Gap change it one after another on the search's own thread; they themselves keep only their progress.
struct LazyState {
  using Candidate = LazyPart::Candidate;
  using Wanted = StageKnowledge::Wanted;                     // with the part as an index into `parts`
  using Paths = std::vector<std::optional<LazyPart::Path>>;  // by index into `parts`

  // All must outlive it.
  LazyState(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
            const SpaceBudget& budget);

  // Returns whether the user or the budget ended the planning.
  bool stopped() const { return knowledge.stopped() || out_of_work(); }
  // Returns whether a search without a time budget, a gap or a longer search has planned so much that it ends. The
  // limit counts transitions instead of using clocks, so that the result is the same on every computer.
  bool out_of_work() const { return !options.effort.lazy() && work >= budget.planned; }
  // Returns whether the graph has parts that are pieces of one (Part::continued).
  bool is_cut() const;
  // Returns the number of stages of all parts, measured or not.
  std::size_t candidates() const;
  // Returns the number of stages with a latency; those of isomorphic parts count once.
  std::int64_t known_stages() const;

  // Returns the overhead before the part's first stage, for the current end of the part before.
  const InterStageOverhead::ByWidth& first_overhead(const LazyPart& part) const;
  std::vector<std::size_t> all_parts() const;  // 0 … parts.size() - 1
  // Returns the cheapest path of each of these parts where a candidate costs cost(part, candidate) ms; none for other
  // parts.
  template <typename Cost>
  Paths paths_of(const std::vector<std::size_t>& which, Cost cost) {
    Paths paths(parts.size());
    for (const std::size_t p : which) work += parts[p].problem().space.transitions.size();
    parallel_for(which.size(), [&](std::size_t i) {
      LazyPart& part = parts[which[i]];
      paths[which[i]] =
          part.cheapest(first_overhead(part), knowledge.overhead(), [&](Candidate c) { return cost(part, c); });
    });
    return paths;
  }
  // Returns the cheapest path of every part over its measured stages alone.
  Paths known_paths();

  // Reports the number of requested stages and the best schedule's cost to the job.
  void report_progress() const;

  const Graph& graph;
  LatencySource& latencies;
  const JobContext& job;
  const SpaceBudget budget;
  SearchOptions options;  // a longer search raises r and s
  StageKnowledge knowledge;
  std::vector<LazyPart> parts;
  std::vector<StageWidth> last_width;  // by part of the graph: the width of its last stage in the latest plan
  Millis best{0};                      // cost of the best schedule of measured stages; 0: unknown
  LazyReport report;                   // the search's report so far
  std::size_t work = 0;                // transitions that paths_of() has looked at
};

// Records a lazy search's progress in the state's report and notifies the watch. Bound and tasks take time, so they
// are updated only as often as that costs a small share of the search's time.
class LazyProgress {
 public:
  // State and certificates must outlive it; the watch may be empty. `best_schedule` makes the best schedule from known
  // stages.
  LazyProgress(LazyState& state, Certificates& certificates, SearchWatch watch, std::function<Schedule()> best_schedule)
      : state_(state),
        certificates_(certificates),
        watch_(std::move(watch)),
        best_schedule_(std::move(best_schedule)) {}

  // Computes the cost of the best schedule of measured stages; records and reports it where it is the first or
  // improves.
  void note_best();
  // Discards the recorded best schedule and takes the current one.
  void note_best_anew();
  void tell(const Schedule* better = nullptr) const;
  // Reports the end of the search with its final bound and the report's tasks.
  void tell_end(Millis found, Millis bound);

  // Returns the parts with their current costs.
  std::vector<SearchTask> tasks();
  // Returns by part of the state, in ms, how much of the run may be gained there; while that is unknown, the time
  // of its units.
  std::vector<double> worth() const;

 private:
  SearchMoment now() const;
  bool look_closer();  // true: it had time

  LazyState& state_;
  Certificates& certificates_;
  const SearchWatch watch_;
  const std::function<Schedule()> best_schedule_;
  Seconds looking_{0};  // spent on look_closer()
};

// Reports progress, then requests the latencies of these stages, from which all parts learn. Returns false if stopped
// before the end. Errors are the source's.
Result<bool> measure(LazyState& state, const LazyProgress& progress, std::vector<LazyState::Wanted> wanted);

}  // namespace iosx
