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

  // Runs the plan once and returns the time; none if it was stopped, which it checks before every kernel.
  std::optional<Millis> run(const JobContext& job);
  // Returns the time of each stage in the last run.
  std::vector<Millis> stage_times() const;

  // Runs once and records every kernel's begin and end; returns none if stopped.
  std::optional<Trace> trace(const JobContext& job);

 private:
  struct Span {
    Clock::time_point begin;
    Clock::time_point end;
  };
  // Calls around(kernel) for every kernel, stage by stage. Returns false if stopped.
  template <typename Around>
  bool run_all(const JobContext& job, const Around& around);
  Trace assemble(const std::vector<Span>& spans) const;

  const PreparedPlan& plan_;
  TeamPool& pool_;
  Clock::time_point begin_;
  std::vector<Clock::time_point> ends_;  // of each stage
};

}  // namespace iosx::cpu
