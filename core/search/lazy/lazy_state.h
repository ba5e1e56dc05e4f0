#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/parallel.h"
#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_knowledge.h"
#include "core/search/search.h"

namespace iosx {

// The one thing that a lazy search works on: its parts, what it knows and predicts of their stages, and its limits.
// Planner, Polisher, Refiner and Gap change it one after another, on the search's own thread; what they keep for
// themselves says only how far they are.
struct LazyState {
  using Candidate = LazyPart::Candidate;
  using Wanted = StageKnowledge::Wanted;                     // its part is an index into `parts`
  using Paths = std::vector<std::optional<LazyPart::Path>>;  // by index into `parts`

  // All must outlive it. The budget is that of each part's enumeration.
  LazyState(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
            const SpaceBudget& budget);

  bool stopped() const { return knowledge.stopped(); }
  // Whether the graph has parts that are pieces of one (Part::continued).
  bool is_cut() const;
  // All stages of all parts of the graph, measured or not.
  std::size_t candidates() const;
  // Stages with a latency; those of isomorphic parts count once.
  std::int64_t known_stages() const;

  // What a run adds before the part's first stage, as the part before it ends now.
  const InterStageOverhead::ByWidth& first_overhead(const LazyPart& part) const;
  std::vector<std::size_t> all_parts() const;  // 0 … parts.size() - 1
  // The cheapest path of each of these parts where a candidate costs cost(part, candidate) ms; nothing for the others.
  template <typename Cost>
  Paths paths_of(const std::vector<std::size_t>& which, Cost cost) {
    Paths paths(parts.size());
    parallel_for(which.size(), [&](std::size_t i) {
      LazyPart& part = parts[which[i]];
      paths[which[i]] =
          part.cheapest(first_overhead(part), knowledge.overhead(), [&](Candidate c) { return cost(part, c); });
    });
    return paths;
  }
  // The cheapest path of every part over its measured stages alone.
  Paths known_paths();

  // Says to the job how many stages were asked for and what the best schedule takes.
  void report_progress() const;

  const Graph& graph;
  LatencySource& latencies;
  const JobContext& job;
  const SpaceBudget budget;
  SearchOptions options;  // a longer search widens r and s
  StageKnowledge knowledge;
  std::vector<LazyPart> parts;
  std::vector<StageWidth> last_width;  // by part of the graph: the width of its last stage in the latest plan
  Millis best{0};                      // cost of the best schedule of measured stages; 0: not known
  LazyReport report;                   // what the search says of itself, as far as it has come
};

}  // namespace iosx
