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

// A subject is what is compared: one schedule of one run. Runs may be of several devices, batches and networks, made
// here or read from files.
struct Subject {
  std::shared_ptr<const Comparison> comparison;
  std::size_t result = 0;
  std::string label = {};  // what it is called beside the others; may hold anybody's names

  const ScheduleResult& schedule() const { return comparison->results[result]; }
  const Graph& graph() const { return *comparison->graph; }
  // It has a comparison with a graph, and that has the result.
  bool valid() const;
  // One latency a stage.
  bool has_stages() const;
  // Says whether the whole ran: Latency::samples is 0 where nothing ran end to end (replay()).
  bool ran() const { return schedule().latency.samples > 0; }
};

// Says what times are told of: a run of the whole batch, or one sample of it where runs of several batches are
// compared.
enum class Per { kBatch, kSample };
Per per_of(std::span<const Subject> subjects);
double share(const Subject& subject, Per per);  // what a time of its batch is multiplied with
Latency told(const Subject& subject, Latency latency, Per per);

// Labels are made of these words. They are English; a view brings its own language.
struct LabelWords {
  std::function<std::string(const ScheduleResult&)> title;  // "IOS-Both"
  std::function<std::string(std::int64_t)> batch;           // "batch 32"
  std::function<std::string(Origin)> origin;                // "simulated"
  std::function<std::string(int)> run;                      // "run 2"
};
LabelWords english_labels();

// The schedules' titles, each with as much of network, device, batch and time as tells them apart: "IOS-Both",
// "IOS-Both, H200", "IOS-Both, H200, batch 32". Those that nothing of it tells apart are numbered: "IOS-Both, run 2".
void label_subjects(std::span<Subject> subjects, const LabelWords& words = english_labels());

// Holds what is known of a schedule's end-to-end latency, whatever its stages are.
struct SubjectStatistics {
  Latency latency;  // median, spread, samples, origin, clock
  // These are of the rounds' medians; there are none without rounds.
  std::optional<Millis> mean = {};
  std::optional<Millis> lowest = {};
  std::optional<Millis> highest = {};
  std::optional<Interval> interval = {};  // of the median, 95 %; none for fewer than six rounds
  std::size_t rounds = 0;
  std::int64_t discarded = 0;  // samples
  bool low_clock = false;
  Percentiles percentiles = {};  // of single runs, where these are known
};
SubjectStatistics statistics_of(const Subject& subject);

// "simulated", "measured", "measured, recorded on gpu-server, 2026-03-01 14:05 UTC".
std::string origin_words(const Subject& subject);

}  // namespace iosx
