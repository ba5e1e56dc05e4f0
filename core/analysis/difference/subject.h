#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/statistics.h"

namespace iosx {

// One compared schedule of one run. Runs may be of several devices, batches and networks, made here or read from
// files.
struct Subject {
  std::shared_ptr<const Comparison> comparison;
  std::size_t result = 0;
  std::string label = {};  // its name next to the others; may contain untrusted names

  const ScheduleResult& schedule() const { return comparison->results[result]; }
  const Graph& graph() const { return *comparison->graph; }
  // Returns whether it is within its comparison's memory limit: what is not is never the fastest.
  bool fits() const { return comparison->fits(schedule()); }
  // Returns whether it has a comparison with a graph and the result.
  bool valid() const;
  // Returns whether it has one latency per stage.
  bool has_stages() const;
  // Returns whether the whole ran: Latency::samples is 0 where nothing ran end to end (replay()).
  bool ran() const { return schedule().latency.samples > 0; }
};

// The basis of times: a run of the whole batch, or one sample where runs of several batches are compared.
enum class Per { kBatch, kSample };
Per per_of(std::span<const Subject> subjects);
double share(const Subject& subject, Per per);  // the factor for a time of its batch
Latency told(const Subject& subject, const Latency& latency, Per per);

// The words of labels. They are English; a view supplies its own language.
struct LabelWords {
  std::function<std::string(const ScheduleResult&)> title;  // "IOS-Both"
  std::function<std::string(std::int64_t)> batch;           // "batch 32"
  std::function<std::string(Origin)> origin;                // "simulated"
  std::function<std::string(int)> run;                      // "run 2"
};
LabelWords english_labels();

// Sets labels: the schedules' titles, each with as much of network, device, batch and time as distinguishes them:
// "IOS-Both", "IOS-Both, H200", "IOS-Both, H200, batch 32". Remaining duplicates are numbered: "IOS-Both, run 2".
void label_subjects(std::span<Subject> subjects, const LabelWords& words = english_labels());

// Statistics of a schedule's end-to-end latency, independent of its stages.
struct SubjectStatistics {
  Latency latency;  // median, spread, samples, origin, clock
  // Of the rounds' medians; none without rounds.
  std::optional<Millis> mean = {};
  std::optional<Millis> lowest = {};
  std::optional<Millis> highest = {};
  std::optional<Interval> interval = {};  // of the median, 95 %; none for fewer than six rounds
  std::size_t rounds = 0;
  std::int64_t discarded = 0;  // samples
  bool low_clock = false;
  Percentiles percentiles = {};  // of single runs, where known
};
SubjectStatistics statistics_of(const Subject& subject);

// Returns "simulated", "measured", "measured, recorded on gpu-server, 2026-03-01 14:05 UTC".
std::string origin_words(const Subject& subject);

// The conclusion about a difference. Nothing is faster within the noise.
enum class Verdict { kFaster, kSlower, kSame, kUnknown };

// A difference of two latencies, B minus A: below 0 where B is faster.
struct Delta {
  Millis value{0};
  std::optional<Millis> noise = Millis{0};  // half width of its 95 % interval; none: too few samples

  Verdict verdict() const;
  bool outside_noise() const { return verdict() == Verdict::kFaster || verdict() == Verdict::kSlower; }
};

// Sums latencies into a difference. A measurement that is in it several times, as a stage that repeats or that both
// schedules have, has the same error each time: it counts as often as the sides differ in it. Errors of different
// measurements are independent, each by error_of_median().
class DeltaSum {
 public:
  void add(const Latency& latency, int times = 1);  // below 0: for A
  Delta delta() const;

 private:
  struct Measurement {
    Millis value;
    Millis spread;
    std::int64_t samples;
    Origin origin;
    friend auto operator<=>(const Measurement&, const Measurement&) = default;
  };
  Millis sum_{0};
  std::map<Measurement, int> times_;
};

// Compares whole runs by speedup(): rounds count where both are of one comparison, which ran them side by side. Where
// both are sums of stages that never ran in one piece (replay()), the noise is that of the stages.
struct WholeDifference {
  Millis a{0};
  Millis b{0};
  Delta delta;
  Speedup speedup;  // how many times as fast B is as A
};
WholeDifference whole_difference(const Subject& a, const Subject& b, Per per = Per::kBatch);

// Returns each kernel's share of the traced run: concurrent kernels share the time equally, and idle time counts for
// the kernel that begins next. The first kernel of a stage that waited at a barrier counts from the stage's begin, if
// the trace has its stages, and the run's first one without the time that the run takes beyond its stages. Without
// barriers the shares add up to the end of the last kernel. Empty without a trace.
//
// Example, without barriers: a runs from 0 to 4 µs, b from 2 to 6, c from 7 to 8. a takes 2 + 1, b 1 + 2, c 1 + 1 µs.
std::vector<Micros> kernel_shares(const ScheduleResult& result);

// Returns each stage's latency in a schedule. Without barriers it is the share of its kernels in the traced run,
// scaled so that the trace is as long as the latency. All are of the batch. Empty where neither is known.
std::vector<Latency> stage_times(const Subject& subject);

// Returns a schedule's times for sets of its units. `set_of_unit` gives each unit's set, of `sets`, or none. Stages
// inside one set count as in stage_times(); a stage of several is divided by its kernels' shares in the trace. The
// result is one list per set, of times that add up; none where a kernel, or a stage without a trace, belongs to
// several sets.
std::vector<std::optional<std::vector<Latency>>> times_of_sets(const Subject& subject,
                                                               std::span<const std::optional<std::size_t>> set_of_unit,
                                                               std::size_t sets);

}  // namespace iosx
