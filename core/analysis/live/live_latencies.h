#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/devices/measure/latency_sources.h"
#include "core/model/cost/latency.h"
#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"
#include "core/model/plan/stage_key.h"
#include "core/search/options.h"
#include "core/search/prepare.h"

namespace iosx {

// Latencies of stages by key, for one device and batch: the latencies of one version of a graph serve the next one.
using StageMemory = std::unordered_map<StageKey, Latency>;

// The latencies of a graph's schedules that a search finds.
struct FoundFigures {
  Latency ios;                       // of stages, by both strategies
  std::optional<Latency> list = {};  // of sequential's kernels on lanes; none without lanes
  friend bool operator==(const FoundFigures&, const FoundFigures&) = default;
};

// The latencies of a graph's schedules.
struct LiveFigures {
  Latency sequential;
  Latency greedy;
  std::optional<FoundFigures> found = {};  // none: not searched yet
  std::size_t left_out = 0;                // invalid operators, which are in none of them
};

// The limits of a search.
struct LiveLimits {
  SearchOptions options = {};
  std::size_t max_part_size = kDefaultMaxPartSize;
  friend bool operator==(const LiveLimits&, const LiveLimits&) = default;
};

// Returns those of stages for a graph, from a source that may measure: sums of refined stages, each by itself. Errors:
// the search's, or a stop.
Result<LiveFigures> measured_figures(const Graph& graph, LatencySource& latencies, const LiveLimits& search,
                                     const JobContext& job);

// Returns the first mistake that excludes an operator, so that the timed network lacks it, or null.
const Problem* what_leaves_out(const GraphCheck& check);

// Times successive versions of a graph that is being drawn. Stages of all versions stay known. A search keeps earlier
// results for unchanged parts and searches only the others; a version that was searched before, as after an undo, is
// known completely. For a deterministic device; latencies are those of whole runs, as in a comparison. One call at a
// time, from any thread.
//
// A kept part is as good as a search of that part alone. A search of everything would gain at most the gap between two
// parts in addition.
class LiveLatencies {
 public:
  LiveLatencies(std::unique_ptr<Device> device, std::int64_t batch);

  const DeviceInfo& device() const { return device_->info(); }
  std::int64_t batch() const { return batch_; }

  // Makes a version the present one, and returns its baselines and the result of an earlier search like this one.
  Result<LiveFigures> show(const EditableGraph& graph, const GraphCheck& check, const LiveLimits& search,
                           const JobContext& job);
  // Searches the present version. Errors: the search's, or a stop before its end.
  Result<FoundFigures> search(const LiveLimits& search, const JobContext& job);

  // Prepares for another graph, whose keys mean other operators: only stages stay known.
  void turn();

  // Return the number of parts of the last search, and of those searched anew.
  std::size_t parts() const { return parts_; }
  std::size_t searched_parts() const { return searched_parts_; }
  const StageMemory& stages() const { return stages_; }

 private:
  // A graph with its origin: by unit the key of its stage alone.
  struct Version {
    std::shared_ptr<const Graph> graph;
    std::vector<OperatorKey> operators;  // by id
    KeyMap<OperatorKey, OperatorId> ids;
    std::vector<StageKey> units;
  };
  struct Found {
    std::shared_ptr<const Version> version;
    LiveLimits search;
    Graph prepared;
    Schedule schedule;
    FoundFigures figures;
  };

  static std::optional<UnitId> same_unit(const Version& now, UnitId unit, const Version& before);
  static bool same(const Version& a, const Version& b);
  Result<Latency> run(const Schedule& schedule, const JobContext& job);
  const Found* known(const LiveLimits& search) const;
  std::vector<Stage> pinned_stages(const Graph& prepared, const Found& before) const;

  std::unique_ptr<Device> device_;
  std::int64_t batch_;
  StageMemory stages_;
  std::shared_ptr<const Version> version_;
  std::unique_ptr<StageLatencySource> source_;  // of the present version
  std::deque<Found> found_;                     // the newest first
  std::size_t parts_ = 0;
  std::size_t searched_parts_ = 0;
};

}  // namespace iosx
