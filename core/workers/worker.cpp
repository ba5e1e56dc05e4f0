#include "core/workers/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/wire/worker_wire.h"
#include "core/workers/worker_link.h"

namespace iosx {
namespace {

using namespace wire;  // what is said

constexpr std::chrono::seconds kBeat{1};
constexpr std::chrono::seconds kToStop{5};
constexpr const char* kAsker = "what it was told";  // leads the place of a mistake in that

// Returns how many numbers dims make, if a computer could hold them.
std::optional<std::int64_t> count_of(std::span<const std::int64_t> dims) {
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (dim > 0 && count > kMostNumbers / dim) return std::nullopt;
    count *= dim;
  }
  return count;
}

// Writes lines, from several threads.
class Mouth {
 public:
  explicit Mouth(int output) : output_(output) {}
  // Nobody hears it any more: the input's end will say so.
  void say(std::string line) {
    line += '\n';
    const std::scoped_lock lock(mutex_);
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t count = ::write(output_, line.data() + done, line.size() - done);
      if (count < 0 && errno != EINTR) return;
      if (count > 0) done += static_cast<std::size_t>(count);
    }
  }

 private:
  std::mutex mutex_;
  int output_;
};

// Reads orders on its own thread, so that a stop arrives while the device works.
class Ear {
 public:
  explicit Ear(int input) : lines_(input), thread_([this](const std::stop_token& end) { listen(end); }) {}

  // Returns the next order; nothing once there are no more; an error where it is none.
  Result<std::optional<Order>> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !orders_.empty() || ended_; });
    while (ended_ && !orders_.empty() && orders_.front()) orders_.pop_front();  // nobody waits for the answers
    if (orders_.empty()) return std::nullopt;
    auto order = std::move(orders_.front());
    orders_.pop_front();
    if (!order) return tl::unexpected(std::move(order.error()));
    stop_ = std::stop_source();
    now_ = order->number;
    if (stopped_ == now_ || ended_) stop_.request_stop();
    return std::optional(std::move(*order));
  }
  std::stop_token stop() const { return stop_.get_token(); }  // of the order that next() returned
  void done() {
    const std::scoped_lock lock(mutex_);
    now_ = -1;
    changed_.notify_all();
  }

  // Waits for the answer to an `Asked`; nothing where none will come.
  std::optional<std::string> choice() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return choice_ || ended_; });
    if (!choice_) return std::nullopt;
    return std::exchange(choice_, std::nullopt)->method;
  }

 private:
  void listen(const std::stop_token& end) {
    while (!end.stop_requested()) {
      auto line = lines_.next(end);
      const std::scoped_lock lock(mutex_);
      if (!line || !*line) {
        if (!line) orders_.emplace_back(tl::unexpected(std::move(line.error())));
        break;
      }
      auto order = order_of(**line, kAsker);
      const bool good = order.has_value();
      if (good && std::holds_alternative<Stop>(order->what)) {
        stopped_ = order->number;
        if (now_ == stopped_) stop_.request_stop();
      } else if (good && std::holds_alternative<Choice>(order->what)) {
        choice_ = std::get<Choice>(std::move(order->what));
      } else {
        orders_.push_back(std::move(order));
      }
      changed_.notify_all();
      if (!good) break;
    }
    end_of_input();
  }

  // The other side is gone: the work in progress has no receiver.
  void end_of_input() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
      stop_.request_stop();
      changed_.notify_all();
    }
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kToStop, [&] { return now_ < 0; })) ::_exit(EXIT_SUCCESS);
  }

  Lines lines_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result<Order>> orders_;
  std::optional<Choice> choice_;
  std::stop_source stop_;
  std::int64_t now_ = -1;  // the number of what is worked on
  std::int64_t stopped_ = -1;
  bool ended_ = false;
  std::jthread thread_;
};

// Sends a sign of life with the progress every second.
class Heart {
 public:
  Heart(Mouth& mouth, std::int64_t number, Alive said = {})
      : mouth_(mouth),
        number_(number),
        said_(std::move(said)),
        thread_([this](const std::stop_token& end) { beat(end); }) {
    mouth_.say(to_line(Reply{number_, said_}));  // that it begins
  }

  void report(const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    said_ = {said_of(progress.phase), std::max<std::int64_t>(progress.done, 0),
             std::max<std::int64_t>(progress.total, 0), false};
  }

 private:
  void beat(const std::stop_token& end) {
    std::unique_lock lock(mutex_);
    while (!pause_.wait_for(lock, end, kBeat, [&] { return end.stop_requested(); })) {
      mouth_.say(to_line(Reply{number_, said_}));
    }
  }

  Mouth& mouth_;
  std::int64_t number_;
  std::mutex mutex_;
  std::condition_variable_any pause_;
  Alive said_;
  std::jthread thread_;
};

// Returns whether the order would disturb others on the same hardware, or be disturbed by them.
bool is_for_turns(const decltype(Order::what)& what) {
  return std::holds_alternative<Measure>(what) || std::holds_alternative<Load>(what) ||
         std::holds_alternative<Run>(what) || std::holds_alternative<Look>(what);
}

class Worker {
 public:
  Worker(Device& device, const WorkerEnds& ends, HostTurn* turn)
      : device_(device), mouth_(ends.output), ear_(ends.input), turn_(turn) {}

  int serve(const Hello& hello) {
    mouth_.say(to_line(hello));
    while (true) {
      auto order = ear_.next();
      if (!order) {
        answer(0, failed_of(order.error()));
        return EXIT_FAILURE;
      }
      if (!*order) return EXIT_SUCCESS;
      const bool has_turn = is_for_turns((*order)->what) && wait_for_turn((*order)->number);
      {
        Heart heart(mouth_, (*order)->number);
        const JobContext job{ear_.stop(), [&heart](const Progress& progress) { heart.report(progress); }};
        number_ = (*order)->number;
        auto last = std::visit([&](auto& what) { return obey(what, job); }, (*order)->what);
        last_ = last ? std::move(*last) : Answer(failed_of(last.error()));
      }
      if (has_turn) turn_->give_back();
      answer(number_, std::move(last_));
      ear_.done();
    }
  }

 private:
  using Answer = decltype(Reply::what);

  void answer(std::int64_t number, Answer what) { mouth_.say(to_line(Reply{number, std::move(what)})); }

  // False without turns, and after a stop, which the device then sees.
  bool wait_for_turn(std::int64_t number) {
    if (turn_ == nullptr || turn_->try_take()) return turn_ != nullptr;
    const Message phase = message("waiting for other measurements on the same hardware");
    const Heart heart(mouth_, number, {.phase = said_of(phase), .done = 0, .total = 0, .waits = true});
    return turn_->take(ear_.stop());
  }

  Result<std::shared_ptr<Parameters>> parameters(std::size_t number) {
    const auto found = parameters_.find(number);
    if (found == parameters_.end()) return fail(message("has no outline of parameters {}", number), kAsker);
    return found->second;
  }
  Result<LoadedPlan*> loaded(std::size_t number) {
    const auto found = loaded_.find(number);
    if (found == loaded_.end()) return fail(message("has not loaded plan {}", number), kAsker);
    return found->second.get();
  }

  Result<Answer> obey(Outline& outline, const JobContext& /*job*/) {
    auto made = std::make_shared<Parameters>(outline.init);
    for (OperatorOutline& op : outline.operators) {
      const auto seed = read_number<std::uint64_t>(op.seed, 16);
      if (!seed) return fail(message("has an invalid seed"), kAsker);
      if (!count_of(op.weights) || !count_of(op.bias)) return fail(message("has too many weights"), kAsker);
      made->add_outline(*seed, {std::move(op.weights), std::move(op.bias)}, op.biased);
    }
    parameters_[outline.parameters] = std::move(made);
    return Done{};
  }

  Result<Answer> obey(Numbers& numbers, const JobContext& /*job*/) {
    IOS_TRY(const auto known, parameters(numbers.parameters));
    if (!numbers.op.valid() || numbers.op.index() >= known->size())
      return fail(message("has numbers that belong to no operator"), kAsker);
    const ParameterDims& dims = known->dims(numbers.op);
    if ((numbers.bias ? dims.bias : dims.weights) != numbers.dims)
      return fail(message("has numbers whose dims differ from the outline"), kAsker);
    const std::int64_t count = count_of(numbers.dims).value_or(0);
    if (numbers.begin == 0) partial_.clear();
    const auto more = numbers.values.elements();
    if (numbers.begin != std::ssize(partial_) || std::ssize(more) > count - std::ssize(partial_))
      return fail(message("has numbers that do not continue the previous ones"), kAsker);
    partial_.insert(partial_.end(), more.begin(), more.end());
    if (std::cmp_less(partial_.size(), count)) return Done{};
    Tensor whole(numbers.dims, std::exchange(partial_, {}));
    numbers.bias ? known->give(numbers.op, known->given_weights(numbers.op), std::move(whole))
                 : known->give(numbers.op, std::move(whole), known->given_bias(numbers.op));
    return Done{};
  }

  Result<Answer> obey(Forget& forget, const JobContext& /*job*/) {
    for (const std::size_t number : forget.parameters) parameters_.erase(number);
    return Done{};
  }

  // One plan after another, so that what is known is out whatever comes next.
  Result<Answer> obey(Measure& measure, const JobContext& job) {
    IOS_TRY(const auto known, parameters(measure.parameters));
    for (std::size_t i = 0; i < measure.plans.size(); ++i)
      IOS_TRY(complete(measure.plans[i], known, kAsker, fmt::format("plans[{}]", i)));
    for (std::size_t i = 0; i < measure.plans.size() && !job.stopped(); ++i) {
      IOS_TRY(const auto latencies, device_.measure(std::span(&measure.plans[i], 1), measure.timing, job));
      if (!latencies.empty()) answer(number_, Measured{i, latencies.front()});
    }
    return Done{};
  }

  Result<Answer> obey(Load& load, const JobContext& job) {
    IOS_TRY(const auto known, parameters(load.parameters));
    IOS_TRY(complete(load.plan, known, kAsker, "plan"));
    IOS_TRY(auto held, device_.load(std::move(load.plan), {.tune = load.tune}, job));
    auto methods = held->methods();
    loaded_[load.loaded] = std::move(held);
    return Loaded{std::move(methods)};
  }

  Result<Answer> obey(Unload& unload, const JobContext& /*job*/) {
    loaded_.erase(unload.loaded);
    return Done{};
  }

  Result<Answer> obey(Run& run, const JobContext& job) {
    IOS_TRY(LoadedPlan* const plan, loaded(run.loaded));
    IOS_TRY(auto result, plan->run(run.options, job));
    return Ran{std::move(result)};
  }

  Result<Answer> obey(Look& look, const JobContext& job) {
    IOS_TRY(LoadedPlan* const plan, loaded(look.loaded));
    auto seen = look.timeline ? plan->counters(std::move(*look.timeline), look.options, job)
                              : plan->timeline(look.options, job);
    if (!seen) return tl::unexpected(std::move(seen.error()));
    return Profiled{std::move(*seen)};
  }

  // Asks the other side for methods, so that they are kept with its measurements.
  class FarKeeper final : public MethodKeeper {
   public:
    explicit FarKeeper(Worker& worker) : worker_(worker) {}
    std::optional<std::string> find(const std::string& problem) override { return worker_.ask({problem, {}}); }
    std::string keep(const std::string& problem, const std::string& method) override {
      return worker_.ask({problem, method}).value_or(method);
    }

   private:
    Worker& worker_;
  };
  std::optional<std::string> ask(Asked asked) {
    const std::scoped_lock lock(asking_);
    answer(number_, std::move(asked));
    return ear_.choice();
  }
  Result<Answer> obey(KeepMethods& /*keep*/, const JobContext& /*job*/) {
    device_.keep_methods(std::make_unique<FarKeeper>(*this));
    return Done{};
  }

  Result<Answer> obey(Choice& /*choice*/, const JobContext& /*job*/) {
    return fail(message("answers no request"), kAsker);
  }
  Result<Answer> obey(Stop& /*stop*/, const JobContext& /*job*/) { return Done{}; }

  Device& device_;
  Mouth mouth_;
  Ear ear_;
  HostTurn* turn_;  // may be null
  std::mutex asking_;
  std::int64_t number_ = 0;  // of what is worked on
  Answer last_;
  std::map<std::size_t, std::shared_ptr<Parameters>> parameters_;
  std::vector<float> partial_;  // numbers of a tensor that are here already
  std::map<std::size_t, std::unique_ptr<LoadedPlan>> loaded_;
};

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

double load_now() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace

int serve(Device& device, const std::string& program, const WorkerEnds& ends, HostTurn* turn) {
  Worker worker(device, ends, turn);
  return worker.serve({.program = program,
                       .device = device.info(),
                       .methods_key = device.methods_key(),
                       .peak = device.peak_rates(),
                       .host = host_name(),
                       .cores = std::thread::hardware_concurrency(),
                       .load = load_now()});
}

int refuse(const Error& why, const WorkerEnds& ends) {
  Mouth(ends.output).say(to_line(Reply{0, failed_of(why)}));
  return EXIT_FAILURE;
}

int own_standard_output() {
  const int own = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return own;
}

}  // namespace iosx
