#pragma once

#include <limits>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// The source of a latency. A simulated or predicted one is never shown as measured.
enum class Origin {
  kSimulated,  // from a description of the hardware
  kMeasured,
  kRecorded,   // measured elsewhere or earlier
  kPredicted,  // from training on measured operators
};
std::string_view origin_name(Origin origin);  // "simulated", "measured", "recorded", "predicted"
// Returns whether it comes from a model of a device: it has no noise, takes no device time, and is always the same.
inline bool is_modelled(Origin origin) { return origin == Origin::kSimulated || origin == Origin::kPredicted; }

struct Latency {
  Millis value{0};   // median
  Millis spread{0};  // half width of the interval that holds 95 % of the samples; 0 for a deterministic source
  std::int64_t samples = 0;
  Origin origin = Origin::kSimulated;
  double clock_mhz = 0;  // median of the device during the measurement; 0: unknown

  // Returns the latency of what cannot be measured, and so cannot be chosen: it is infinite.
  static Latency left_out(Origin origin) {
    Latency latency;
    latency.value = Millis(std::numeric_limits<double>::infinity());
    latency.origin = origin;
    return latency;
  }
  bool is_left_out() const { return value.count() == std::numeric_limits<double>::infinity(); }
  friend bool operator==(const Latency&, const Latency&) = default;
};

// Returns half the width of the interval with the true median at 95 %, for normally distributed samples: 1.2533
// spreads over the root of their number.
Millis error_of_median(const Latency& latency);

// The property of a stage that its neighbours depend on.
enum class StageWidth { kOneLane, kSeveralLanes };
inline constexpr std::array kStageWidths{StageWidth::kOneLane, StageWidth::kSeveralLanes};

StageWidth width_of(const Stage& stage);

// The time of a run between two stages, in ms, in addition to the stages' own latencies: waits for several lanes, and
// launches that nothing hides. All zero where a stage's own latency includes it.
struct InterStageOverhead {
  using ByWidth = std::array<Millis, 2>;  // of the next stage
  ByWidth first{};                        // before the first stage of a run
  std::array<ByWidth, 2> between{};       // by the width of the previous stage

  Millis before(std::optional<StageWidth> last, StageWidth next) const;
  Millis sum(const Schedule& schedule) const;  // all overhead of a run

  friend bool operator==(const InterStageOverhead&, const InterStageOverhead&) = default;
};

// Counts distinct stage structures, however often each was requested.
struct StageTally {
  std::int64_t needed = 0;
  std::int64_t measured = 0;                                 // of these, those unknown before
  std::int64_t reused() const { return needed - measured; }  // the others: requested before, or kept in a store
  friend bool operator==(const StageTally&, const StageTally&) = default;
};

// Provides the latency of each stage by itself for a search. It is bound to one graph, device and batch size.
class LatencySource {
 public:
  virtual ~LatencySource() = default;

  // Returns one latency per stage, in order; on a stop, a prefix. The error is the device's. Where measuring takes
  // time this may be a quick estimate with few samples, because most requested stages do not matter.
  virtual Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) = 0;
  // Returns refined latencies, for the stages that a choice depends on. From then on stage_latencies() returns
  // them too.
  virtual Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) {
    return stage_latencies(stages, job);
  }
  // Returns whether refined_latencies() may differ from stage_latencies().
  virtual bool estimates_quickly() const { return false; }

  // Returns whether it can measure unknown stages. If not, requesting one is an error, and known_latencies() returns
  // the known ones.
  virtual bool measures() const { return true; }
  // Returns the known latency of each stage without measuring.
  virtual Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) {
    return std::vector<std::optional<Latency>>(stages.size());
  }

  // Returns a model's predictions of the stages' times in ms, without measuring. They are as good as their training
  // data, so a search still measures what it chooses. Empty without such a model.
  virtual std::vector<double> guesses(std::span<const Stage> /*stages*/) { return {}; }

  // Returns how many stages were known when a search of these words, which describe the search and its options, came to
  // its end; none if it did not. If they are still known nothing is left to request. Device, batch and thoroughness are
  // the source's own matter.
  virtual std::optional<std::int64_t> searched_before(std::string_view /*words*/) { return std::nullopt; }
  virtual void note_searched(std::string_view /*words*/, std::int64_t /*stages*/) {}

  // Returns the overhead between stages of a run.
  virtual InterStageOverhead overhead() const = 0;

  // Counts the latencies returned since start_tally(), or since the source was made.
  virtual void start_tally() = 0;
  virtual StageTally tally() const = 0;
};

}  // namespace iosx
