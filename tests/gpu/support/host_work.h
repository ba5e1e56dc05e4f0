#pragma once

#include <deque>

#include "core/base/duration.h"
#include "tests/gpu/support/host_runtime.h"

namespace iosx::gpu::test {

// Pending operations of streams, with their dependencies. They happen twice: really, in a random order, and on the
// virtual clock, concurrently as far as allowed.
class HostWork {
 public:
  using Node = std::uint64_t;
  using OperationPtr = std::shared_ptr<const HostRuntime::Operation>;

  explicit HostWork(const HostRuntime::Options& options) : options_(options), random_(options.seed) {}

  // Without an operation it only takes time on the stream.
  Node add(StreamId stream, OperationPtr operation, std::span<const Node> after, Micros extra = Micros{0});
  void finish(Node node);
  void finish_all();
  Micros now() const { return now_; }
  std::vector<HostRuntime::LaunchTime> take_launch_times();
  // Returns the timer's last mark; none before it, and while a new one is pending.
  std::optional<Micros> marked(TimerId timer) const;

 private:
  enum Pass : std::size_t { kReal, kVirtual, kPasses };
  struct Item {
    StreamId stream;
    OperationPtr operation;
    Micros extra{0};
    std::vector<Node> next;
    std::array<std::size_t, kPasses> missing{};
    std::array<bool, kPasses> done{};
  };
  struct Running {
    Node node;
    double left;  // µs, alone on the device
    double fill;
    Micros begin;
  };
  struct Timer {
    int pending = 0;
    std::optional<Micros> time;
  };

  Item& item(Node node) { return items_[node - first_]; }
  bool done(Node node, Pass pass) { return node < first_ || item(node).done[pass]; }
  void ready(Node node, Pass pass);
  void complete(Node node, Pass pass);
  void forget_done();
  std::size_t choose();
  void execute_one();
  void start_ready();
  void go_on();  // advances the virtual clock to the next end of a launch
  void start(Node node);
  void keep_time(const Running& ended);

  HostRuntime::Options options_;
  std::mt19937 random_;
  StreamId last_;  // of the last executed operation
  Micros now_{0};
  Node first_ = 0;  // of items_; earlier ones are done
  std::deque<Item> items_;
  std::vector<Node> executable_;
  std::vector<Node> startable_;
  std::vector<Running> running_;
  std::map<std::size_t, Timer> timers_;
  bool keeps_times_ = false;
  std::vector<HostRuntime::LaunchTime> times_;
};

}  // namespace iosx::gpu::test
