#include "core/analysis/difference/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace iosx {
namespace {

using Name = std::function<std::string(const Subject&)>;

// Possible differences of two schedules, the most natural first.
std::vector<Name> distinctions(const LabelWords& words) {
  return {
      [](const Subject& subject) { return subject.graph().name(); },
      [](const Subject& subject) { return subject.comparison->device.name; },
      [&words](const Subject& subject) { return words.batch(subject.comparison->batch); },
      [&words](const Subject& subject) { return words.origin(subject.comparison->device.origin); },
      [](const Subject& subject) { return subject.comparison->recorded.text(); },
  };
}

bool all_differ(std::span<const Subject> subjects) {
  std::set<std::string> labels;
  return std::ranges::all_of(subjects, [&](const Subject& subject) { return labels.insert(subject.label).second; });
}

bool tells_apart(std::span<const Subject> subjects, const Name& name) {
  return std::ranges::any_of(subjects, [&](const Subject& subject) { return name(subject) != name(subjects.front()); });
}

}  // namespace

bool Subject::valid() const {
  return comparison != nullptr && comparison->graph != nullptr && result < comparison->results.size();
}

bool Subject::has_stages() const {
  return !schedule().lanes && schedule().stage_latencies.size() == schedule().schedule.stages.size();
}

LabelWords english_labels() {
  return {.title = [](const ScheduleResult& result) { return result.title(); },
          .batch = [](std::int64_t batch) { return fmt::format("batch {}", batch); },
          .origin = [](Origin origin) { return std::string(origin_name(origin)); },
          .run = [](int run) { return fmt::format("run {}", run); }};
}

void label_subjects(std::span<Subject> subjects, const LabelWords& words) {
  for (Subject& subject : subjects) subject.label = words.title(subject.schedule());
  for (const Name& name : distinctions(words)) {
    if (!tells_apart(subjects, name)) continue;
    for (Subject& subject : subjects) {
      const std::string word = name(subject);
      if (!word.empty()) subject.label += ", " + word;
    }
  }
  if (all_differ(subjects)) return;
  std::map<std::string, int> seen;
  for (Subject& subject : subjects) {
    const int run = ++seen[subject.label];
    if (run > 1) subject.label += ", " + words.run(run);
  }
}

Per per_of(std::span<const Subject> subjects) {
  const auto batch = [](const Subject& subject) { return subject.comparison->batch; };
  const bool one = std::ranges::adjacent_find(subjects, std::ranges::not_equal_to{}, batch) == subjects.end();
  return one ? Per::kBatch : Per::kSample;
}

double share(const Subject& subject, Per per) {
  return per == Per::kBatch ? 1 : 1 / static_cast<double>(subject.comparison->batch);
}

Latency told(const Subject& subject, Latency latency, Per per) {
  latency.value *= share(subject, per);
  latency.spread *= share(subject, per);
  return latency;
}

SubjectStatistics statistics_of(const Subject& subject) {
  const ScheduleResult& result = subject.schedule();
  SubjectStatistics statistics{.latency = result.latency,
                               .rounds = result.rounds.size(),
                               .discarded = result.discarded,
                               .low_clock = result.low_clock,
                               .percentiles = percentiles_of(result.samples)};
  if (result.rounds.empty()) return statistics;
  const auto [low, high] = std::ranges::minmax_element(result.rounds);
  statistics.lowest = *low;
  statistics.highest = *high;
  statistics.mean = std::accumulate(result.rounds.begin(), result.rounds.end(), Millis{0}) /
                    static_cast<double>(result.rounds.size());
  statistics.interval = median_interval(result.rounds);
  return statistics;
}

std::string origin_words(const Subject& subject) {
  std::string words(origin_name(subject.schedule().latency.origin));
  const std::string recorded = subject.comparison->recorded.text();
  return recorded.empty() ? words : words + ", " + recorded;
}

}  // namespace iosx
