#include "core/compare/end_to_end.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

Millis median(std::vector<Millis> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

}  // namespace

Latency combine_rounds(std::span<const Latency> rounds) {
  IOS_CHECK(!rounds.empty());
  std::vector<Millis> values;
  std::vector<Millis> spreads;
  Latency result{.origin = rounds.front().origin};
  for (const Latency& round : rounds) {
    values.push_back(round.value);
    spreads.push_back(round.spread);
    result.samples += round.samples;
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  result.spread = std::max(median(spreads), (*high - *low) / 2.0);
  result.value = median(std::move(values));
  return result;
}

Result<std::vector<EndToEnd>> run_interleaved(Device& device, std::span<const ExecutionPlan* const> plans,
                                              const Timing& timing, const JobContext& job) {
  const int rounds = device.info().origin == Origin::kSimulated ? 1 : timing.rounds;
  std::vector<EndToEnd> results(plans.size());
  std::vector<std::vector<Latency>> latencies(plans.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (job.stopped()) {
        if (round == 0) return fail("stopped before every schedule had run");
        continue;
      }
      const RunOptions options{.timing = timing.round, .trace = round == 0};
      auto run = device.run(*plans[i], options, job);
      if (!run) {
        if (round > 0 && job.stopped()) continue;  // the device said that it was stopped
        return tl::unexpected(std::move(run.error()));
      }
      latencies[i].push_back(run->latency);
      if (round == 0) results[i].trace = std::move(run->trace);
      job.report("running end to end", static_cast<std::int64_t>(round * plans.size() + i + 1),
                 static_cast<std::int64_t>(rounds * plans.size()));
    }
  }
  for (std::size_t i = 0; i < plans.size(); ++i) results[i].latency = combine_rounds(latencies[i]);
  return results;
}

}  // namespace iosx
