#include "core/compare/doubts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace iosx {
namespace {

constexpr const char* kRemedy =
    "another program kept the device busy meanwhile, or its clock changed; measure again when it is idle, without what "
    "was kept (iosx compare --remeasure)";

}  // namespace

std::vector<std::string> doubts(const Comparison& comparison, const StageLatencySource::Noise& noise) {
  std::vector<std::string> sentences;
  if (comparison.device.origin == Origin::kSimulated) return sentences;

  std::vector<std::string> apart;
  for (const ScheduleResult& result : comparison.results) {
    const double gap = result.stage_sum / result.latency.value - 1;
    if (std::abs(gap) > kDoubtfulGap) {
      apart.push_back(fmt::format("{} ({:.0f} % {})", result.title(), std::abs(gap) * 100, gap < 0 ? "less" : "more"));
    }
  }
  if (!apart.empty()) {
    sentences.push_back(fmt::format("The stages add up to something else than the run takes in {}: {}",
                                    fmt::join(apart, ", "), kRemedy));
  }
  if (static_cast<double>(noise.noisy) > kDoubtfulShare * static_cast<double>(noise.known)) {
    sentences.push_back(fmt::format("{} of {} stage latencies spread over more than {:.0f} % of their median: {}",
                                    noise.noisy, noise.known, kDoubtfulSpread * 100, kRemedy));
  }
  return sentences;
}

}  // namespace iosx
