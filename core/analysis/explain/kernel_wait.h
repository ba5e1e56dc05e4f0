#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"

namespace iosx {

// A change of the lanes by which one kernel would have begun earlier, with the rest of the run unchanged.
struct EarlierStart {
  enum class By {
    kNeed,   // an earlier end of `kernel`, which it needs
    kOrder,  // a launch before `kernel`, which it does not need and which would then wait for it
    kLane,   // a place on `lane`, which was idle long enough for all of it
  };
  By by = By::kNeed;
  KernelId kernel = {};  // for kNeed and kOrder
  std::size_t lane = 0;  // for kLane
  Micros most{0};        // the largest gain: then it would wait for something else
  friend bool operator==(const EarlierStart&, const EarlierStart&) = default;
};

// Why a kernel of a barrier-free run began at its time. Times count from the start of the run.
struct KernelWait {
  enum class For {
    kNothing,  // the first on its lane, without needs
    kNeed,     // its needs: its lane was free earlier, or at the same time
    kLane,     // its lane: its needs had ended earlier
  };
  KernelId kernel;
  Micros begin{0};
  std::optional<KernelId> need;    // the need that ended last
  Micros needs_ended{0};           // its end; 0: no needs
  std::optional<KernelId> before;  // the previous one on its lane
  Micros lane_free{0};             // its end; 0: none
  std::vector<EarlierStart> earlier;

  For what() const;
  std::optional<KernelId> last() const;  // the last one to end before it could begin
  Micros ready() const { return std::max(needs_ended, lane_free); }
  // Returns how long its lane idled for its needs, or its met needs waited for the lane.
  Micros waited() const { return std::chrono::abs(needs_ended - lane_free); }
  // Returns the time from when it could begin until it did: its launch, and the cost of a wait between lanes. Negative
  // where the trace shows an earlier begin, within the resolution of a profiler's clock.
  Micros start() const { return begin - ready(); }
};

// Analyses what the kernels of a barrier-free run waited for.
class KernelWaits {
 public:
  // The plan must be barrier-free and the trace one of it (check_trace()); both must outlive this.
  KernelWaits(const ExecutionPlan& plan, const Trace& trace);
  // None for a kernel that the trace lacks. A need that the trace lacks counts as ended at 0.
  std::optional<KernelWait> of(KernelId kernel) const;

 private:
  void add_need_earlier(KernelWait& wait) const;
  void add_lane_earlier(KernelWait& wait) const;
  Micros end_of(KernelId kernel) const;

  const ExecutionPlan& plan_;
  std::vector<std::vector<KernelId>> needs_;
  std::vector<std::vector<KernelId>> lanes_;  // kernels in launch order
  std::vector<std::size_t> places_;           // by kernel: its place on its lane
  std::vector<const KernelSpan*> spans_;      // by kernel; null: not in the trace
};

}  // namespace iosx
