#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/exec/conv_choice.h"
#include "gpu/measure/replay_timer.h"
#include "gpu/ops/conv/plan_store.h"

namespace iosx::gpu {

// Measures every way of a convolution alone, in interleaved rounds on random data, and keeps what it found in the
// store.
class ConvSelector final : public ConvChooser {
 public:
  static constexpr std::size_t kKept = 4;  // ways of a problem, for the choice under concurrency

  // All must outlive it. The job is looked at before each measurement; after a stop the library's own order counts, and
  // nothing is stored.
  ConvSelector(Runtime& runtime, ConvLibrary& library, ReplayTimer& timer, PlanStore& store);
  void set_job(const JobContext* job) { job_ = job; }

  const std::vector<ConvWay>& ways(const ConvProblem& problem) override;
  std::int64_t measured_problems() const { return measured_; }

 private:
  std::vector<ConvWay> candidates(const ConvProblem& problem);
  std::optional<std::vector<ConvWay>> stored(const ConvProblem& problem, const std::vector<ConvWay>& all);

  Runtime& runtime_;
  ConvLibrary& library_;
  ReplayTimer& timer_;
  PlanStore& store_;
  const JobContext* job_ = nullptr;
  std::int64_t measured_ = 0;
  std::map<std::string, std::vector<ConvWay>> known_;  // by key_of(problem)
};

}  // namespace iosx::gpu
