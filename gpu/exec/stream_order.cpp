#include "gpu/exec/stream_order.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace iosx::gpu {
namespace {

// How many kernels of each lane come before a point on a stream.
using Clock = std::vector<std::size_t>;

class Ordering {
 public:
  explicit Ordering(const ExecutionPlan& plan) : plan_(plan), lanes_(std::max<std::size_t>(plan.lane_count(), 1)) {}

  StreamOrder run(std::span<const KernelId> kernels) && {
    for (Lane& lane : lanes_) lane.clock.assign(lanes_.size(), 0);
    for (const KernelId id : kernels) launch(id);
    join();
    note_events();
    return std::move(order_);
  }

 private:
  struct Lane {
    Clock clock;
    std::optional<KernelId> last;
  };
  struct Point {
    std::size_t launch = 0;  // index into order_.launches
    Clock clock;             // after it
  };

  // Makes the lane wait for a kernel; returns false where that comes before anyway.
  bool wait(std::size_t lane, KernelId id) {
    Clock& clock = lanes_[lane].clock;
    const Point& point = points_.at(id);
    const std::size_t other = plan_.kernel(id).lane;
    if (clock[other] >= point.clock[other]) return false;
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], point.clock[i]);
    return true;
  }

  void launch(KernelId id) {
    const Kernel& kernel = plan_.kernel(id);
    Lane& lane = lanes_[kernel.lane];
    StreamOrder::Launch launch{.kernel = id, .waits = {}};
    std::vector<KernelId> waits = kernel.waits;
    std::ranges::sort(waits, std::greater());  // later ones imply more
    for (const KernelId before : waits) {
      if (points_.contains(before) && wait(kernel.lane, before)) launch.waits.push_back(before);
    }
    launch.fork = kernel.lane != 0 && !lane.last && launch.waits.empty();
    ++lane.clock[kernel.lane];
    lane.last = id;
    points_[id] = {order_.launches.size(), lane.clock};
    order_.launches.push_back(std::move(launch));
  }

  void note_events() {
    const auto note = [this](KernelId id) { order_.launches[points_.at(id).launch].event = true; };
    for (const StreamOrder::Launch& launch : order_.launches) std::ranges::for_each(launch.waits, note);
    for (const KernelId id : order_.joins) note(id);
  }

  void join() {
    std::vector<KernelId> last;
    for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
      if (lanes_[lane].last) last.push_back(*lanes_[lane].last);
    }
    std::ranges::sort(last, std::greater());
    for (const KernelId id : last) {
      if (wait(0, id)) order_.joins.push_back(id);
    }
  }

  const ExecutionPlan& plan_;
  std::vector<Lane> lanes_;
  std::map<KernelId, Point> points_;
  StreamOrder order_;
};

}  // namespace

StreamOrder stream_order(const ExecutionPlan& plan, std::span<const KernelId> kernels) {
  return Ordering(plan).run(kernels);
}

}  // namespace iosx::gpu
