#include "gpu/exec/enqueue.h"

#include <algorithm>
#include <map>

#include "gpu/exec/stream_order.h"

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
      if (const auto* conv = std::get_if<ConvStep>(&step)) {
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

}  // namespace iosx::gpu
