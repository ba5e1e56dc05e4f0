#include "core/cost/latency.h"

namespace iosx {

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::kSimulated: return "simulated";
    case Origin::kMeasured: return "measured";
    case Origin::kRecorded: return "recorded";
  }
  return "recorded";
}

}  // namespace iosx
