#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/distribution.h"
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
Latency told(const Subject& subject, Latency latency, Per per);

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

}  // namespace iosx
