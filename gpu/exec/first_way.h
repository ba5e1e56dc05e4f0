#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/exec/conv_choice.h"

namespace iosx::gpu {

// The order of candidate_ways(), without any measurement.
class FirstWay final : public ConvChooser {
 public:
  explicit FirstWay(ConvLibrary& library) : library_(library) {}

  const std::vector<ConvWay>& ways(const ConvProblem& problem) override;

 private:
  ConvLibrary& library_;
  std::map<std::string, std::vector<ConvWay>> known_;  // by key_of(problem)
};

}  // namespace iosx::gpu
