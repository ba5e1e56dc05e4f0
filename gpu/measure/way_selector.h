#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/exec/way.h"
#include "gpu/measure/replay.h"
#include "gpu/ops/conv/plan_store.h"

namespace iosx::gpu {

// Measures every way of a convolution or matrix product alone, in interleaved rounds on random data, and stores the
// results. Among ways that noise does not separate from the fastest, the one with the least scratch memory comes first.
//
// A problem takes at most 50 ms of measured work, or one round where that takes longer, in addition to building the
// library's plans and capturing graphs. It needs device memory for the operands and the largest way's scratch, and
// frees it. It skips ways that throw, that lack memory, or that ended a process (KernelLibrary::trials()).
class WaySelector final : public WayChooser {
 public:
  // The ways of a problem that are kept for the choice under concurrency: the kKept fastest, then the fastest of
  // those that take clearly less memory than all of these (kMost in total).
  static constexpr std::size_t kKept = 4;
  static constexpr std::size_t kMost = kKept + 1;

  // All must outlive it. It checks the job before each measurement. After a stop, or without memory for the
  // operands, this call returns the library's own order and stores nothing.
  WaySelector(Runtime& runtime, KernelLibrary& library, ReplayTimer& timer, PlanStore& store);
  void set_job(const JobContext* job) { job_ = job; }

  const std::vector<Way>& ways(const Problem& problem) override;
  std::int64_t measured_problems() const { return measured_; }

 private:
  // Returns the stored ways; none if there are none or one cannot be restored.
  std::optional<std::vector<Way>> stored(const Problem& problem, const std::string& key);
  // Returns the ways, the fastest first, and stores them; none if stopped or without memory.
  std::optional<std::vector<Way>> measured(const Problem& problem, const std::string& key,
                                           const std::vector<Way>& candidates);

  Runtime& runtime_;
  KernelLibrary& library_;
  ReplayTimer& timer_;
  PlanStore& store_;
  const JobContext* job_ = nullptr;
  std::int64_t measured_ = 0;
  std::map<std::string, std::vector<Way>> known_;  // by key_of(problem)
  std::vector<Way> unmeasured_;                    // the last result after a stop
};

}  // namespace iosx::gpu
