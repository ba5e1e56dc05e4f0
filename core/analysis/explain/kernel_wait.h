#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"

namespace iosx {

// A change of the lanes by which one kernel would have begun earlier, had everything else stayed as it was in the run.
struct EarlierStart {
  enum class By {
    kNeed,   // `kernel`, which it needs, had ended earlier
    kOrder,  // it had been launched before `kernel`, which it does not need; that one would have had to wait for it
    kLane,   // it had been on `lane`, which was idle long enough for all of it
  };
  By by = By::kNeed;
  KernelId kernel = {};  // of kNeed and kOrder
  std::size_t lane = 0;  // of kLane
  Micros most{0};        // so much earlier at most: then it would wait for something else
  friend bool operator==(const EarlierStart&, const EarlierStart&) = default;
};

// Says why a kernel of a run without barriers began when it did. Times count from the start of the run.
struct KernelWait {
  enum class For {
    kNothing,  // it comes first on its lane and needs nothing
    kNeed,     // what it needs: its lane was free earlier, or at the same time
    kLane,     // its lane: what it needs had ended earlier
  };
  KernelId kernel;
  Micros begin{0};
  std::optional<KernelId> need;    // of what it needs the one that ended last
  Micros needs_ended{0};           // when it did; 0: it needs nothing
  std::optional<KernelId> before;  // the one before it on its lane
  Micros lane_free{0};             // when that ended; 0: there is none
  std::vector<EarlierStart> earlier;

  For what() const;
  std::optional<KernelId> last() const;  // which of them it waited for: what ended last before it could begin
  Micros ready() const { return std::max(needs_ended, lane_free); }
  // How long its lane was idle for what it needs, or what it needs was there while its lane was not free.
  Micros waited() const { return std::chrono::abs(needs_ended - lane_free); }
  // From when it could begin until it did: its launch, and what a wait between lanes costs. Less than nothing where the
  // trace has it begin before: a profiler's clock is no finer.
  Micros start() const { return begin - ready(); }
};

// Knows what the kernels of a run without barriers waited for.
class KernelWaits {
 public:
  // The plan must be barrier-free and the trace one of it (check_trace()); both must outlive this.
  KernelWaits(const ExecutionPlan& plan, const Trace& trace);
  // None for a kernel that the trace lacks. What is needed and is not in the trace counts as ended at 0.
  std::optional<KernelWait> of(KernelId kernel) const;

 private:
  void add_need_earlier(KernelWait& wait) const;
  void add_lane_earlier(KernelWait& wait) const;
  Micros end_of(KernelId kernel) const;

  const ExecutionPlan& plan_;
  std::vector<std::vector<KernelId>> needs_;
  std::vector<std::vector<KernelId>> lanes_;  // kernels in launch order
  std::vector<std::size_t> places_;           // by kernel: which one on its lane
  std::vector<const KernelSpan*> spans_;      // by kernel; null: not in the trace
};

}  // namespace iosx
