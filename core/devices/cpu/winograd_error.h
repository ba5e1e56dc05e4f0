#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/model/graph/parameters.h"

namespace iosx::cpu {

// Returns the error of winograd() with these weights of out channels × in channels × 3 × 3: the largest error in an
// output tile for made-up inputs (of both signs, and of one) against sums in double precision, relative to the largest
// output. Transforms of large weights that cancel lose digits that a direct sum keeps.
double winograd_error(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels);

// Remembers per layer whether Winograd's method is accurate enough for its weights. It is not thread-safe.
class WinogradLayers {
 public:
  // Calls `find_out` once for the convolution that these operators form.
  bool accurate(const std::shared_ptr<const Parameters>& parameters, std::span<const OperatorId> operators,
                FunctionRef<bool()> find_out);

 private:
  using Known = std::map<std::vector<OperatorId>, bool>;
  std::map<std::weak_ptr<const Parameters>, Known, std::owner_less<>> known_;
};

}  // namespace iosx::cpu
