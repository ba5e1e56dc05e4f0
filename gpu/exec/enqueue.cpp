#include "gpu/exec/enqueue.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace iosx::gpu {
namespace {

constexpr EventId kFork{0};

class Enqueuer {
 public:
  Enqueuer(const PreparedPlan& plan, Runtime& runtime, const Marks& marks)
      : plan_(plan), runtime_(runtime), marks_(marks) {
    if (marks_.stages || marks_.kernels) marked_.begin = next_timer(), marked_.end = next_timer();
    if (marks_.stages) {
      add_stages();
    } else {
      std::vector<KernelId> all;
      for (std::size_t k = 0; k < plan.plan().kernels.size(); ++k) all.emplace_back(k);
      add_section(all);
    }
    if (marks_.nodes) marked_.nodes.resize(plan.plan().kernels.size());
    if (!marks_.kernels) return;
    for (std::size_t k = 0; k < plan.plan().kernels.size(); ++k) marked_.kernels.push_back(two_timers());
  }

  Marked run(int copies) {
    mark(marked_.begin, kOrigin);
    for (int copy = 0; copy < copies; ++copy) {
      kernels_ = &plan_.kernels(copy);
      for (const Section& section : sections_) enqueue(section);
    }
    mark(marked_.end, kOrigin);
    return marked_;
  }

 private:
  struct Section {
    StreamOrder order;
    std::pair<TimerId, TimerId> timers;
  };

  EventId next_event() { return EventId(++event_); }
  TimerId next_timer() { return TimerId(timer_++); }
  std::pair<TimerId, TimerId> two_timers() {
    const TimerId begin = next_timer();
    return {begin, next_timer()};
  }
  void mark(TimerId timer, StreamId stream) {
    if (timer.valid()) runtime_.mark(timer, stream);
  }

  void add_section(const std::vector<KernelId>& kernels) {
    sections_.push_back({stream_order(plan_.plan(), kernels), {}});
    for (const StreamOrder::Launch& launch : sections_.back().order.launches) {
      if (launch.event) events_.emplace(launch.kernel, next_event());
    }
  }

  void add_stages() {
    const ExecutionPlan& plan = plan_.plan();
    std::vector<std::vector<KernelId>> stages(plan.stages.size());
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) stages[plan.kernels[k].stage].emplace_back(k);
    marked_.stages.resize(stages.size());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      if (stages[stage].empty()) continue;
      add_section(stages[stage]);
      sections_.back().timers = marked_.stages[stage] = two_timers();
    }
  }

  void enqueue(const Section& section) {
    mark(section.timers.first, kOrigin);
    const StreamOrder& order = section.order;
    if (std::ranges::any_of(order.launches, &StreamOrder::Launch::fork)) runtime_.record(kFork, kOrigin);
    for (const StreamOrder::Launch& launch : order.launches) enqueue(launch);
    for (const KernelId id : order.joins) runtime_.wait(kOrigin, events_.at(id));
    mark(section.timers.second, kOrigin);
  }

  void enqueue(const StreamOrder::Launch& launch) {
    const std::size_t k = launch.kernel.index();
    const StreamId stream(plan_.plan().kernels[k].lane);
    if (launch.fork) runtime_.wait(stream, kFork);
    for (const KernelId id : launch.waits) runtime_.wait(stream, events_.at(id));
    if (marks_.kernels) runtime_.mark(marked_.kernels[k].first, stream);
    for (const Step& step : (*kernels_)[k].steps) {
      if (const auto* conv = std::get_if<LibraryStep>(&step)) {
        runtime_.execute(stream, *conv->plan, conv->operands);
      } else {
        runtime_.launch(stream, std::get<KernelCall>(step));
      }
    }
    if (marks_.nodes) marked_.nodes[k] = runtime_.take_nodes(stream);
    if (marks_.kernels) runtime_.mark(marked_.kernels[k].second, stream);
    if (launch.event) runtime_.record(events_.at(launch.kernel), stream);
  }

  const PreparedPlan& plan_;
  Runtime& runtime_;
  const std::vector<PreparedKernel>* kernels_ = nullptr;  // of the copy
  Marks marks_;
  Marked marked_;
  std::size_t timer_ = kFirstPlanTimer;
  std::vector<Section> sections_;
  std::size_t event_ = kFork.index();  // the last one given away
  std::map<KernelId, EventId> events_;
};

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

Marked enqueue(const PreparedPlan& plan, Runtime& runtime, const Marks& marks, int copies) {
  return Enqueuer(plan, runtime, marks).run(copies);
}

Captured capture(const PreparedPlan& plan, Runtime& runtime, const Marks& marks, int copies) {
  runtime.begin_capture(kOrigin);
  try {
    Captured captured;
    captured.marked = enqueue(plan, runtime, marks, copies);
    captured.graph = runtime.end_capture(kOrigin);
    return captured;
  } catch (...) {
    runtime.abandon_capture(kOrigin);
    throw;
  }
}

StreamOrder stream_order(const ExecutionPlan& plan, std::span<const KernelId> kernels) {
  return Ordering(plan).run(kernels);
}

}  // namespace iosx::gpu
