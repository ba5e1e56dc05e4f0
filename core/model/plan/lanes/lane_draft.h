#pragma once

#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"

namespace iosx {

// The kernels for lanes: those of a schedule with stages, lowered for a device, and their needs.
struct LaneKernels {
  std::shared_ptr<const Graph> graph;
  Schedule schedule;  // the source of the kernels, in canonical form
  LowerOptions lowering;
  ExecutionPlan staged;                          // of the schedule: defines the numbers of kernels
  std::vector<std::vector<KernelId>> needs;      // by kernel; see needs_of()
  std::vector<std::vector<KernelId>> needed_by;  // by kernel, the reverse
};
// The schedule must be legal for the graph.
std::shared_ptr<const LaneKernels> lane_kernels(std::shared_ptr<const Graph> graph, const Schedule& schedule,
                                                std::int64_t batch, const LowerOptions& lowering);

// Barrier-free lanes that are edited by hand. It is a value: every edit returns another draft and leaves this one
// unchanged, so that undo is a list of drafts. An edit that a need forbids returns an error whose `what` is the reason
// in one line, such as "'c' needs 'b', which comes later on lane 3". Lanes count from 0 here, from 1 in texts. Empty
// lanes disappear.
class LaneDraft {
 public:
  // The target of a move: before the kernel at this position of the lane, not counting the moved one.
  struct Place {
    std::size_t lane = 0;  // one past the last: a lane of its own
    std::size_t position = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // The allowed places of a kernel on a lane: the positions `first` to `last`, not counting itself. There is always
  // one, because everything that must come before it stands before everything that must come after it.
  struct Reach {
    struct Bound {
      KernelId need;  // the kernel that it needs, or that needs it
      Message why;
    };
    std::size_t first = 0;
    std::size_t last = 0;
    std::optional<Bound> before = {};  // the reason against positions before `first`; none where that is 0
    std::optional<Bound> after = {};   // the reason against positions after `last`; none where that is the lane's end
    bool allows(std::size_t position) const { return first <= position && position <= last; }
  };

  // Lanes are renumbered without gaps, in their order. Errors: as barrier_free_plan().
  static Result<LaneDraft> make(std::shared_ptr<const LaneKernels> kernels, const LaneSchedule& lanes);

  const LaneKernels& kernels() const { return *kernels_; }
  const std::shared_ptr<const LaneKernels>& shared_kernels() const { return kernels_; }
  const Kernel& kernel(KernelId id) const { return kernels_->staged.kernel(id); }
  const LaneSchedule& lanes() const { return lanes_; }  // with the kernels' names
  // The kernels of each lane in launch order; no lane is empty.
  const std::vector<std::vector<KernelId>>& rows() const { return rows_; }
  Place place_of(KernelId kernel) const { return places_[kernel.index()]; }
  ExecutionPlan plan() const;  // on these lanes

  // Returns the allowed places of the kernel: one per lane, and one for a lane of its own unless there are kMostLanes.
  std::vector<Reach> where_may(KernelId kernel) const;
  // Returns why the kernel cannot move there; none if it can.
  std::optional<Message> refusal(KernelId kernel, const Place& to) const;
  // The launch order stays the same as far as lanes and needs allow.
  Result<LaneDraft> moved(KernelId kernel, const Place& to) const;

  friend bool operator==(const LaneDraft& a, const LaneDraft& b) {
    return a.kernels_ == b.kernels_ && a.lanes_ == b.lanes_;
  }

 private:
  enum class Side { kBefore, kAfter };

  LaneDraft(std::shared_ptr<const LaneKernels> kernels, LaneSchedule lanes);
  std::vector<KernelId> implied(KernelId kernel, Side side) const;
  Message reason(KernelId kernel, KernelId need, KernelId there, Side side) const;
  std::vector<KernelId> launch_order(const std::vector<std::vector<KernelId>>& rows, KernelId moved,
                                     const Place& to) const;

  std::shared_ptr<const LaneKernels> kernels_;
  LaneSchedule lanes_;
  std::vector<std::vector<KernelId>> rows_;
  std::vector<Place> places_;  // by kernel
};

}  // namespace iosx
