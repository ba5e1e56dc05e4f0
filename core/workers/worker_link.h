#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/scratch_folder.h"
#include "core/formats/wire/worker_wire.h"

namespace iosx {

// Says how long a worker may take.
struct WorkerLimits {
  // Until it says hello: a launcher may wait in a queue all that time.
  Seconds start{600};
  // Without a word while it works; it says every second that it is alive.
  Seconds silence{30};
  // Over one plan's measurement, the device's trials of methods included; over a request of another kind ten times as
  // long. The time in which it waits for other workers on the same hardware does not count.
  Seconds measurement{300};
  // Over a stop.
  Seconds stop{15};
};

// Is the connection to one worker: a process of ours, whatever launcher it is, that speaks as core/formats/wire/
// worker_wire.h says. It is used from one thread at a time.
//
// An error of ask() is the device's, and the worker goes on; or the worker is gone(): it ended, hung, or said nonsense.
class WorkerLink {
 public:
  // Starts `command` by the shell and waits for the worker's hello. What the launcher says before is kept for the
  // error. Errors: it cannot be started, ends, says nothing so long, speaks another version; a stop.
  static Result<WorkerLink> start(const std::string& command, const WorkerLimits& limits, const JobContext& job);
  WorkerLink(WorkerLink&&) = default;
  WorkerLink& operator=(WorkerLink&&) = default;
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;
  ~WorkerLink() { end(); }

  const wire::Hello& hello() const { return hello_; }
  bool gone() const { return gone_; }
  pid_t process() const { return child_.id(); }

  // Gets what is measured, or that the worker is alive: one of both is null. False: that is no answer to the order.
  using Heard = std::function<bool(const wire::Measured*, const wire::Alive*)>;
  using Answer = decltype(wire::Reply::what);  // never Alive, Measured, Asked or Failed
  // Gives an order and waits for its last word. `heard` is told of it as it comes.
  Result<Answer> ask(decltype(wire::Order::what) what, const JobContext& job, const Heard& heard = {});

  // Makes sure that the worker has what a plan's kernels compute with, and returns the parameters' number there.
  Result<std::size_t> give_parameters(std::span<const ExecutionPlan> plans, const JobContext& job);

  // From here on the worker's methods are asked of this keeper, which must outlive the link.
  Result<void> keep_methods(MethodKeeper& keeper, const JobContext& job);

  // Ends it, and gives its launcher a moment to free what it holds.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  struct Given {
    std::size_t number = 0;
    std::weak_ptr<const Parameters> parameters;
    std::vector<bool> given;  // by operator: its numbers are there
  };

  WorkerLink(ChildProcess child, std::unique_ptr<ScratchFolder> folder, const WorkerLimits& limits)
      : child_(std::move(child)), folder_(std::move(folder)), limits_(limits) {}
  Result<void> greet(const JobContext& job);
  std::filesystem::path said() const;
  Result<void> send(const wire::Order& order);
  Result<wire::Reply> listen(std::int64_t number, const JobContext& job, Clock::time_point began, Seconds limit,
                             std::optional<Clock::time_point>& stopped);
  Result<Given*> outline(const std::shared_ptr<const Parameters>& parameters, const JobContext& job);
  Result<void> give_numbers(const Given& given, OperatorId op, bool bias, const Tensor& tensor, const JobContext& job);
  tl::unexpected<Error> lost(Error error);

  ChildProcess child_;
  std::unique_ptr<ScratchFolder> folder_;  // holds what it says to its standard error
  WorkerLimits limits_;
  wire::Hello hello_;
  MethodKeeper* keeper_ = nullptr;
  std::int64_t last_number_ = 0;
  std::vector<Given> given_;
  std::size_t parameters_made_ = 0;
  bool gone_ = false;
};

}  // namespace iosx
