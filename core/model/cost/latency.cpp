#include "core/model/cost/latency.h"

#include <algorithm>
#include <cmath>

namespace iosx {

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::kSimulated: return "simulated";
    case Origin::kMeasured: return "measured";
    case Origin::kRecorded: return "recorded";
    case Origin::kPredicted: return "predicted";
  }
  return "recorded";
}

Millis error_of_median(const Latency& latency) {
  const auto samples = static_cast<double>(std::max<std::int64_t>(latency.samples, 1));
  return latency.spread * 1.2533 / std::sqrt(samples);
}

}  // namespace iosx
