#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/validate/captured.h"
#include "core/analysis/validate/operators.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/model/graph/graph.h"

namespace iosx {

// One published latency and the simulated one.
struct ValidationRow {
  std::string section;  // "schedules", "sample network", …
  std::string what;     // "inception_v3, greedy"
  double published_ms = 0;
  double simulated_ms = 0;

  // Signed: 0.1 is ten per cent too slow.
  double relative_error() const { return simulated_ms / published_ms - 1; }
};

// Two schedules of a network, the first published as faster by at least 1 %.
struct Ranking {
  std::string network;
  std::string faster;
  std::string slower;
  double published_ratio = 1;  // slower over faster
  double simulated_ratio = 1;

  bool reproduced() const { return simulated_ratio > 1; }
};

struct Validation {
  std::string device;
  std::vector<ValidationRow> rows;
  std::vector<Ranking> rankings;
  // Sample network: mean active warps of the published IOS schedule relative to the sequential one.
  double published_warp_ratio = 0;
  double simulated_warp_ratio = 0;
  OperatorValidation operators;  // empty: without tables
  CapturedValidation captured;   // empty: without recorded launches

  // Returns the mean of |relative error|, over all rows or one section.
  double mean_error() const;
  double mean_error(std::string_view section) const;
  std::size_t reproduced_rankings() const;
  std::vector<std::string> sections() const;  // in order
};

// Returns the graph of that name, cut into the parts of a search.
using NetworkSource = std::function<Result<Graph>(std::string_view)>;

struct ValidationOptions {
  bool searches = true;  // false: only what needs no search
  // The networks whose schedules are compared; those with many stages take most of the time.
  std::vector<std::string> compared{"inception_v3", "randwire", "nasnet", "squeezenet"};
};

// The networks that validate() needs.
inline constexpr std::array<std::string_view, 5> kValidatedNetworks{"sample", "inception_v3", "randwire", "nasnet",
                                                                    "squeezenet"};

// Simulates the published IOS results on a V100 and a K80: our search finds the schedules anew on the
// simulated devices. Needs kValidatedNetworks.
Result<Validation> validate(const NetworkSource& networks, Device& v100, Device& k80, const ValidationOptions& options,
                            const JobContext& job);

// Return a table for a terminal, and a JSON document.
std::string validation_table(const Validation& validation);
std::string validation_json(const Validation& validation);

}  // namespace iosx
