#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/devices/cpu/prepared_plan.h"
#include "core/model/trace/trace.h"

namespace iosx::cpu {

// Runs a prepared plan on the pool's threads, one run at a time.
class Runner {
 public:
  using Clock = std::chrono::steady_clock;

  Runner(const PreparedPlan& plan, TeamPool& pool) : plan_(plan), pool_(pool), ends_(plan.stages().size()) {}

  // Runs the plan once and returns how long that took; none if it was stopped on the way, which is looked for before
  // every kernel.
  std::optional<Millis> run(const JobContext& job);
  // Returns how long each stage of the last run took.
  std::vector<Millis> stage_times() const;

  // Makes one run in which every kernel's begin and end are noted; returns none if stopped.
  std::optional<Trace> trace(const JobContext& job);

 private:
  struct Span {
    Clock::time_point begin;
    Clock::time_point end;
  };
  // Calls around(kernel, execute) for every kernel of the stage. Returns false if stopped.
  template <typename Around>
  bool run_stage(const PreparedStage& stage, const JobContext& job, const Around& around);
  Trace assemble(const std::vector<Span>& spans) const;

  const PreparedPlan& plan_;
  TeamPool& pool_;
  Clock::time_point begin_;
  std::vector<Clock::time_point> ends_;  // of each stage
};

}  // namespace iosx::cpu
