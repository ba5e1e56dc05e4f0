#include "core/search/ask_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace iosx {

Result<std::vector<Latency>> ask_source(LatencySource& latencies, Care care, std::span<const Stage> stages,
                                        std::int64_t done, std::int64_t total, const JobContext& job) {
  // The source counts the stages of one request; the job counts those of the part.
  const JobContext request{job.stop, [&](const Progress& progress) {
                             const auto here =
                                 std::clamp<std::int64_t>(progress.done, 0, static_cast<std::int64_t>(stages.size()));
                             job.report(message("measuring stages"), std::min(done + here, total), total);
                           }};
  auto answers = care == Care::kRefined ? latencies.refined_latencies(stages, request)
                                        : latencies.stage_latencies(stages, request);
  if (!answers) return answers;
  if (answers->size() > stages.size() || (answers->size() < stages.size() && !job.stopped())) {
    return fail(message("the latency source returned {} latencies for {} stages", answers->size(), stages.size()));
  }
  for (const Latency& answer : *answers) {
    if (!(answer.value >= Millis(0))) {
      return fail(message("the latency source returned {} ms for a stage", answer.value.count()));
    }
  }
  return answers;
}

}  // namespace iosx
