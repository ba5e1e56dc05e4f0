#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/formats/wire/worker_wire.h"

namespace iosx {

// The longest line between program and worker. Weights are sent in pieces; the longest lines are outputs and
// timelines of runs.
inline constexpr std::size_t kMostLineBytes = std::size_t{256} << 20;

// Reads lines from a descriptor of any kind.
class Lines {
 public:
  explicit Lines(int input) : input_(input) {}
  // Returns the next line without its end; none at the end of input or after a stop. Returns an error for a line of
  // more than kMostLineBytes, after which nothing can be read.
  Result<std::optional<std::string>> next(const std::stop_token& stop);

 private:
  int input_;
  std::string unread_;
};

// How long a worker may take.
struct WorkerLimits {
  // Until its hello: the launcher may wait in a queue all that time.
  Seconds start{600};
  // Without a message during work; it sends one every second.
  Seconds silence{30};
  // For one plan's measurement, with the device's trials of methods; ten times as long for other requests. Waiting
  // for other workers on the same hardware does not count.
  Seconds measurement{300};
  // For a stop.
  Seconds stop{15};
};

// The connection to one worker: a child process (any launcher) with the protocol of core/formats/wire/
// worker_wire.h. One thread at a time uses it.
//
// After an error of ask(), the worker either goes on (the device's error) or is gone(): it ended, hung, or sent an
// invalid reply.
class WorkerLink {
 public:
  // Starts `command` in the shell and waits for the worker's hello. Earlier output of the launcher is kept for
  // the error. Errors: it cannot be started, ends, stays silent too long, has another version; a stop.
  static Result<WorkerLink> start(const std::string& command, const WorkerLimits& limits, const JobContext& job);
  WorkerLink(WorkerLink&&) = default;
  WorkerLink& operator=(WorkerLink&&) = default;
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;
  ~WorkerLink() { end(); }

  const wire::Hello& hello() const { return hello_; }
  bool gone() const { return gone_; }
  bool talked_nonsense() const { return talked_nonsense_; }  // and is gone for it, whatever it worked on
  pid_t process() const { return child_.id(); }

  // Receives a measurement or a sign of life; one of both is null. Returns false for an invalid reply.
  using Heard = std::function<bool(const wire::Measured*, const wire::Alive*)>;
  using Answer = decltype(wire::Reply::what);  // never Alive, Measured, Asked or Failed
  // Sends an order and waits for the final reply. `heard` receives the messages before it.
  Result<Answer> ask(decltype(wire::Order::what) what, const JobContext& job, const Heard& heard = {});

  // Sends the parameters of a plan's kernels that the worker lacks, and returns their number there.
  Result<std::size_t> give_parameters(std::span<const ExecutionPlan> plans, const JobContext& job);

  // Connects the worker's methods to this keeper, which must outlive the link.
  Result<void> keep_methods(MethodKeeper& keeper, const JobContext& job);

  // Ends it, and gives its launcher a moment to release its resources.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  struct Given {
    std::size_t number = 0;
    std::weak_ptr<const Parameters> parameters;
    std::vector<bool> given;  // by operator: its numbers were sent
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
  tl::unexpected<Error> lost_by_its_words(Error error);

  ChildProcess child_;
  std::unique_ptr<ScratchFolder> folder_;  // for its standard error
  WorkerLimits limits_;
  wire::Hello hello_;
  MethodKeeper* keeper_ = nullptr;
  std::int64_t last_number_ = 0;
  std::vector<Given> given_;
  std::size_t parameters_made_ = 0;
  bool gone_ = false;
  bool talked_nonsense_ = false;
};

}  // namespace iosx
