#include "tests/support/fake_latencies.h"

#include <algorithm>
#include <limits>

namespace iosx::test {

Result<std::vector<Latency>> FakeLatencies::stage_latencies(std::span<const Stage> stages, const JobContext& job) {
  ++requests_;
  std::vector<Latency> answers;
  for (const Stage& stage : stages) {
    if (job.stopped()) break;
    if (fail_after_ && asked_.size() >= *fail_after_) return fail(message("the fake device broke"));
    asked_.push_back(stage);
    const Millis ms(latency_ms(stage));
    const Millis spread = first_ms_ && !refined(stage) ? ms * spread_ : Millis(0);
    answers.push_back(Latency{ms, spread, 1, Origin::kSimulated});
    if (stop_ && asked_.size() >= stop_->answers) stop_->source.request_stop();
  }
  return answers;
}

Result<std::vector<Latency>> FakeLatencies::refined_latencies(std::span<const Stage> stages, const JobContext& job) {
  for (const Stage& stage : stages) {
    if (!refined(stage)) refined_.push_back(stage);
  }
  return stage_latencies(stages, job);
}

bool FakeLatencies::refined(const Stage& stage) const { return std::ranges::find(refined_, stage) != refined_.end(); }

double arbitrary_latency(const Stage& stage) {
  std::uint64_t sum = 0;
  for (const Group& group : stage.groups) {
    std::uint64_t h = 1;
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) h = (h ^ (unit.index() + 1)) * 0x9E3779B97F4A7C15ULL;
      h = (h ^ 0xABCDULL) * 0xBF58476D1CE4E5B9ULL;
    }
    sum += (h ^ (h >> 31)) * 0x94D049BB133111EBULL;
  }
  sum = (sum ^ (sum >> 29)) * 0xBF58476D1CE4E5B9ULL;
  return 1.0 + static_cast<double>(sum >> 40) / static_cast<double>(1 << 24);
}

std::optional<Solution> solve_isomorphic(const StateSpace& space, std::span<const Millis> latencies) {
  std::vector<LatencyByWidth> by_width;
  for (const Millis latency : latencies) {
    by_width.push_back({latency, Millis(std::numeric_limits<double>::infinity())});
  }
  return solve(space, by_width, {}, {})[0];  // the others are forbidden
}

}  // namespace iosx::test
