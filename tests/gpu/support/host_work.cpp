#include "tests/gpu/support/host_work.h"

#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/run_on_host.h"

namespace iosx::gpu::test {
namespace {

void execute(const Step& step) {
  if (const auto* call = std::get_if<KernelCall>(&step)) return run_on_host(*call);
  const auto& conv = std::get<LibraryStep>(step);
  if (const auto bytes = conv.plan->workspace_bytes(); bytes > 0) {
    std::memset(conv.operands.workspace, 0xFF, static_cast<std::size_t>(bytes));  // what a library leaves there
  }
  compute(conv.plan->problem(), conv.operands);
}

}  // namespace

HostWork::Node HostWork::add(StreamId stream, OperationPtr operation, std::span<const Node> after, Micros extra) {
  const Node node = first_ + items_.size();
  Item& added = items_.emplace_back();
  added.stream = stream;
  added.operation = std::move(operation);
  added.extra = extra;
  if (added.operation != nullptr) {
    if (const auto* mark = std::get_if<HostRuntime::Mark>(&added.operation->what))
      ++timers_[mark->timer.index()].pending;
  }
  for (const Node before : after) {
    if (before < first_) continue;
    item(before).next.push_back(node);
    for (const Pass pass : {kReal, kVirtual}) added.missing[pass] += item(before).done[pass] ? 0 : 1;
  }
  for (const Pass pass : {kReal, kVirtual}) {
    if (added.missing[pass] == 0) ready(node, pass);
  }
  return node;
}

void HostWork::ready(Node node, Pass pass) { (pass == kReal ? executable_ : startable_).push_back(node); }

void HostWork::complete(Node node, Pass pass) {
  item(node).done[pass] = true;
  for (const Node next : item(node).next) {
    if (--item(next).missing[pass] == 0) ready(next, pass);
  }
}

void HostWork::forget_done() {
  while (!items_.empty() && items_.front().done[kReal] && items_.front().done[kVirtual]) {
    items_.pop_front();
    ++first_;
  }
}

void HostWork::finish(Node node) {
  while (!done(node, kReal)) execute_one();
  for (start_ready(); !done(node, kVirtual); start_ready()) go_on();
  forget_done();
}

void HostWork::finish_all() {
  while (!executable_.empty()) execute_one();
  for (start_ready(); !running_.empty(); start_ready()) go_on();
  forget_done();
  IOS_CHECK(items_.empty());
}

// Often the stream that was chosen before, so that one also gets far ahead of the others.
std::size_t HostWork::choose() {
  std::vector<std::size_t> same;
  if (random_() % 8 != 0) {
    for (std::size_t i = 0; i < executable_.size(); ++i) {
      if (item(executable_[i]).stream == last_) same.push_back(i);
    }
  }
  return same.empty() ? random_() % executable_.size() : same[random_() % same.size()];
}

void HostWork::execute_one() {
  IOS_CHECK(!executable_.empty());
  const std::size_t chosen = options_.compute ? choose() : executable_.size() - 1;
  const Node node = executable_[chosen];
  executable_[chosen] = executable_.back();
  executable_.pop_back();
  last_ = item(node).stream;
  const OperationPtr operation = item(node).operation;
  complete(node, kReal);
  if (!options_.compute || operation == nullptr) return;
  if (const auto* launch = std::get_if<HostRuntime::Launch>(&operation->what)) execute(launch->step);
}

void HostWork::start(Node node) {
  const Item& started = item(node);
  double left = started.extra.count();
  double fill = 0;
  if (started.operation != nullptr) {
    if (const auto* launch = std::get_if<HostRuntime::Launch>(&started.operation->what)) {
      const auto [cost, part] = options_.cost ? options_.cost(launch->step) : std::pair(Micros{1}, 0.0);
      left += cost.count();
      fill = part;
    } else if (const auto* mark = std::get_if<HostRuntime::Mark>(&started.operation->what)) {
      Timer& timer = timers_[mark->timer.index()];
      --timer.pending;
      timer.time = now_;
    }
  }
  if (left > 0) {
    running_.push_back({node, left, fill, now_});
  } else {
    complete(node, kVirtual);
  }
}

void HostWork::start_ready() {
  while (!startable_.empty()) {
    const Node node = startable_.back();
    startable_.pop_back();
    start(node);
  }
}

void HostWork::go_on() {
  IOS_CHECK(!running_.empty());
  double filled = 0;
  double next = running_.front().left;
  for (const Running& each : running_) {
    filled += each.fill;
    next = std::min(next, each.left);
  }
  now_ += Micros(next * std::max(filled, 1.0));
  std::vector<Node> ended;
  for (Running& each : running_) {
    each.left -= next;
    if (each.left > 0) continue;
    ended.push_back(each.node);
    keep_time(each);
  }
  std::erase_if(running_, [](const Running& each) { return each.left <= 0; });
  for (const Node node : ended) complete(node, kVirtual);
}

void HostWork::keep_time(const Running& ended) {
  const OperationPtr& operation = item(ended.node).operation;
  if (!keeps_times_ || operation == nullptr) return;
  if (const auto* launch = std::get_if<HostRuntime::Launch>(&operation->what)) {
    times_.push_back({launch->node, ended.begin, now_, ended.fill});
  }
}

std::vector<HostRuntime::LaunchTime> HostWork::take_launch_times() {
  keeps_times_ = true;
  return std::exchange(times_, {});
}

std::optional<Micros> HostWork::marked(TimerId timer) const {
  const auto found = timers_.find(timer.index());
  return found == timers_.end() || found->second.pending > 0 ? std::nullopt : found->second.time;
}

}  // namespace iosx::gpu::test
