#include "gpu/exec/first_way.h"

#include "gpu/exec/conv_ways.h"

namespace iosx::gpu {

const std::vector<ConvWay>& FirstWay::ways(const ConvProblem& problem) {
  std::string key = key_of(problem);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(std::move(key), candidate_ways(problem, library_)).first->second;
}

}  // namespace iosx::gpu
