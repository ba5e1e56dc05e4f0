#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/exec/conv_choice.h"
#include "gpu/measure/replay_timer.h"
#include "gpu/ops/conv/plan_store.h"

namespace iosx::gpu {

// Measures every way of a convolution alone, in interleaved rounds on random data, and keeps what it found in the
// store. Of ways that noise does not let apart from the fastest the one that needs the least scratch memory comes
// first.
//
// A problem costs 50 ms of measured work at most, or one round where that takes longer; building the library's plans
// and capturing graphs comes on top. It needs device memory for the operands and the scratch of the largest way, which
// is given back. Ways that throw, or for which there is no memory, are left out, and so are those that ended a process
// (ConvLibrary::trials()).
class ConvSelector final : public ConvChooser {
 public:
  // These ways of a problem are kept, for the choice under concurrency: kKept of the fastest, and then the fastest of
  // those that take clearly less room than all of these (kMost in all).
  static constexpr std::size_t kKept = 4;
  static constexpr std::size_t kMost = kKept + 1;

  // All must outlive it. The job is looked at before each measurement; after a stop, or without memory for the
  // operands, the library's own order counts for this call, and nothing is stored or remembered.
  ConvSelector(Runtime& runtime, ConvLibrary& library, ReplayTimer& timer, PlanStore& store);
  void set_job(const JobContext* job) { job_ = job; }

  const std::vector<ConvWay>& ways(const ConvProblem& problem) override;
  std::int64_t measured_problems() const { return measured_; }

 private:
  // Returns the ways that the store has; none if it knows nothing or one of them cannot be restored.
  std::optional<std::vector<ConvWay>> stored(const ConvProblem& problem, const std::string& key);
  // Returns the ways, the fastest first; none if stopped or without memory. It stores them.
  std::optional<std::vector<ConvWay>> measured(const ConvProblem& problem, const std::string& key,
                                               const std::vector<ConvWay>& candidates);

  Runtime& runtime_;
  ConvLibrary& library_;
  ReplayTimer& timer_;
  PlanStore& store_;
  const JobContext* job_ = nullptr;
  std::int64_t measured_ = 0;
  std::map<std::string, std::vector<ConvWay>> known_;  // by key_of(problem)
  std::vector<ConvWay> unmeasured_;                    // the last answer after a stop
};

}  // namespace iosx::gpu
