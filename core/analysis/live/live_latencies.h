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
#include "core/model/cost/latency_source.h"
#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"
#include "core/model/plan/stage_key.h"
#include "core/search/options.h"
#include "core/search/prepare.h"

namespace iosx {

// Latencies of stages by what they compute, of one device and batch: what was asked for one version of a graph serves
// the next one.
using StageMemory = std::unordered_map<StageKey, Latency>;

// Holds what the schedules of a graph take: stages, each by itself, and the overhead between them.
struct LiveFigures {
  Latency sequential;
  Latency greedy;
  std::optional<Latency> ios = {};  // none: not searched for yet
  std::size_t left_out = 0;         // operators that are in none of them, because they are not valid
};

// Says what a search is allowed.
struct LiveLimits {
  SearchOptions options = {};
  std::size_t max_part_size = kDefaultMaxPartSize;
  friend bool operator==(const LiveLimits&, const LiveLimits&) = default;
};

// The sum of a schedule's stages and overhead, with the spread that it has as far as stages vary independently. The
// error is the source's, or that a stop came.
Result<Latency> sum_of_stages(const Schedule& schedule, LatencySource& latencies, const JobContext& job);

// All three of a graph, from a source that may measure, each stage with care. The error is the search's, or that a stop
// came.
Result<LiveFigures> measured_figures(const Graph& graph, LatencySource& latencies, const LiveLimits& search,
                                     const JobContext& job);

// The first mistake that leaves an operator out of what can be computed: what is timed is the network without it. Null
// where there is none.
const Problem* what_leaves_out(const GraphCheck& check);

// Times a graph that is being drawn, version after version. A stage that was asked for in any version is known; a
// search keeps what an earlier one found for parts in which nothing changed, so that only the others are searched; a
// version that was searched before, as after an undo, is known altogether. For a device that always answers the same.
// One call at a time, from any thread.
//
// A kept part is as good as a search of that part alone would make it. What a search of everything would win besides is
// at most the gap between two parts.
class LiveLatencies {
 public:
  LiveLatencies(std::unique_ptr<Device> device, std::int64_t batch);

  const DeviceInfo& device() const { return device_->info(); }
  std::int64_t batch() const { return batch_; }

  // The baselines of a version, from now on the present one, and what a search like this one found of it before.
  Result<LiveFigures> show(const EditableGraph& graph, const GraphCheck& check, const LiveLimits& search,
                           const JobContext& job);
  // Searches the present version. The error is the search's, or that a stop came before its end.
  Result<Latency> search(const LiveLimits& search, const JobContext& job);

  // Another graph comes next, whose keys mean other operators: of what was searched only the stages stay known.
  void turn();

  // These count the parts of the last search, and those of them that were searched anew.
  std::size_t parts() const { return parts_; }
  std::size_t searched_parts() const { return searched_parts_; }
  const StageMemory& stages() const { return stages_; }

 private:
  // A graph with what it is made of: by unit the key of its stage alone.
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
    Latency latency;
  };

  static std::optional<UnitId> same_unit(const Version& now, UnitId unit, const Version& before);
  static bool same(const Version& a, const Version& b);
  const Found* known(const LiveLimits& search) const;
  std::vector<Stage> pinned_stages(const Graph& prepared, const Found& before) const;

  std::unique_ptr<Device> device_;
  std::int64_t batch_;
  StageMemory stages_;
  std::shared_ptr<const Version> version_;
  std::unique_ptr<LatencySource> source_;  // of the present version
  std::deque<Found> found_;                // the newest first
  std::size_t parts_ = 0;
  std::size_t searched_parts_ = 0;
};

}  // namespace iosx
