#include "core/workers/worker_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <span>
#include <thread>
#include <utility>

#include "core/devices/checks.h"

namespace iosx {

WorkerBoard::Place WorkerBoard::add(WorkerDoing doing) {
  const std::scoped_lock lock(mutex_);
  doings_.emplace(++last_, std::move(doing));
  return last_;
}
void WorkerBoard::change(Place place, const std::function<void(WorkerDoing&)>& change) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = doings_.find(place); found != doings_.end()) change(found->second);
}
void WorkerBoard::remove(Place place) {
  const std::scoped_lock lock(mutex_);
  doings_.erase(place);
}
std::vector<WorkerDoing> WorkerBoard::now() const {
  const std::scoped_lock lock(mutex_);
  std::vector<WorkerDoing> all;
  for (const auto& [place, doing] : doings_) all.push_back(doing);
  return all;
}

namespace {

// Losses of workers over one plan, after which it is left out, or its run ends. Workers die of other things, too, and
// several may meet one plan by chance.
constexpr int kMostLosses = 4;
constexpr int kMostLossesInRun = 16;  // of all workers, each of which may be lost kMostLosses times
// Losses of one worker in a row, after which it is not started again: before it began to work, or through what it said,
// and at work, which may be the plan's fault.
constexpr int kMostIdleLosses = 5;
constexpr int kMostLossesAtWork = 20;
constexpr std::size_t kMostAtOnce = 16;  // plans in one order

Message what_it_is(const ExecutionPlan& plan) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> names;
  for (const Kernel& kernel : plan.kernels) {
    if (names.size() < kMostNamed) names.push_back(kernel.name);
  }
  return message("{}{}", fmt::join(names, ", "), plan.kernels.size() > kMostNamed ? ", ..." : "");
}

// Keeps methods for several workers at once.
class SharedKeeper final : public MethodKeeper {
 public:
  explicit SharedKeeper(std::unique_ptr<MethodKeeper> keeper) : keeper_(std::move(keeper)) {}
  std::optional<std::string> find(const std::string& problem) override {
    const std::scoped_lock lock(mutex_);
    return keeper_->find(problem);
  }
  std::string keep(const std::string& problem, const std::string& method) override {
    const std::scoped_lock lock(mutex_);
    return keeper_->keep(problem, method);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<MethodKeeper> keeper_;
};

// The place of one worker. It starts the worker on demand, on its own thread, so that one that waits in a queue does
// not delay others, and again after a loss.
class Seat {
 public:
  Seat(const std::string& device, int number, std::string command, const WorkerLimits& limits,
       std::shared_ptr<WorkerBoard> board)
      : command_(std::move(command)),
        number_(number),
        name_(fmt::format("{}, worker {}", device, number)),
        limits_(limits),
        board_(std::move(board)) {
    if (board_ != nullptr) place_ = board_->add({.device = device, .command = command_, .number = number});
  }
  ~Seat() {
    end_.request_stop();
    if (board_ != nullptr) board_->remove(place_);
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  const std::string& name() const { return name_; }
  int number() const { return number_; }  // in the name
  void take(WorkerLink link) {
    link_ = std::move(link);
    is_at(WorkerActivity::kIdle);
  }
  // For the board.
  void is_at(WorkerActivity activity, std::size_t in_flight = 0) {
    show([=](WorkerDoing& doing) {
      doing.activity = activity;
      doing.in_flight = in_flight;
    });
  }
  void show(const std::function<void(WorkerDoing&)>& change) {
    if (board_ != nullptr) board_->change(place_, change);
  }
  // Counts the workers that sat here: what one of them holds, the next has not.
  int generation() const { return generation_; }
  bool seated() const { return link_ && !link_->gone(); }
  // False: it was lost too often in a row, or is another device, and is not started again.
  bool usable() const { return idle_losses_ < kMostIdleLosses && losses_at_work_ < kMostLossesAtWork; }
  const Error& why() const { return why_; }  // of the last loss

  void lose(Error why, bool at_work) {
    why_ = std::move(why);
    if (why_.where.empty()) why_.where = name_;
    ++(at_work ? losses_at_work_ : idle_losses_);
    is_at(usable() ? WorkerActivity::kOff : WorkerActivity::kLeftAside);
    show([](WorkerDoing& doing) { ++doing.losses; });
  }
  bool refused() const { return refused_; }  // it is another device, or computes in another way
  void has_answered() { idle_losses_ = losses_at_work_ = 0; }
  // Marks that no worker has the plan of another request loaded any more.
  void unload(std::size_t plan, int generation) {
    if (generation == generation_) unload_.push_back(plan);
  }

  // Returns the worker; null where it has not begun to work within so long or until the stop, and goes on starting.
  Result<WorkerLink*> ready(const WorkerDeviceInfo& known, MethodKeeper* keeper, Seconds patience,
                            const JobContext& job) {
    if (!seated()) {
      link_.reset();
      if (!starting_.valid()) start();
      const auto begin = std::chrono::steady_clock::now();
      while (starting_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
        if (job.stopped() || std::chrono::steady_clock::now() - begin > patience) return nullptr;
        job.report(message("waiting for {}", name_), 0, 0);
      }
      IOS_TRY(auto link, starting_.get());
      take(std::move(link));
      greeted_ = false;
      unload_.clear();
      ++generation_;
    }
    IOS_TRY(greet(known, keeper, job));
    for (const std::size_t plan : std::exchange(unload_, {})) IOS_TRY(link_->ask(wire::Unload{plan}, job));
    return &*link_;
  }

 private:
  // The more often it was lost, the longer the pause before.
  void start() {
    is_at(WorkerActivity::kStarting);
    const auto pause = std::chrono::milliseconds(idle_losses_ == 0 ? 0 : 100 << std::min(idle_losses_, 5));
    starting_ = std::async(std::launch::async, [command = command_, limits = limits_, pause, end = end_.get_token()] {
      for (auto left = pause; left.count() > 0 && !end.stop_requested(); left -= std::chrono::milliseconds(20)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      return WorkerLink::start(command, limits, {end, {}});
    });
  }

  Result<void> greet(const WorkerDeviceInfo& known, MethodKeeper* keeper, const JobContext& job) {
    if (greeted_) return {};
    const DeviceInfo& there = link_->hello().device;
    if (there.fingerprint != known.info.fingerprint) {
      return refuse({message("is another device: '{}', not '{}'", there.fingerprint, known.info.fingerprint), name_,
                     message("give it its own name")});
    }
    if (link_->hello().methods_key != known.methods_key) {
      return refuse({message("uses other methods ('{}') than at the last request ('{}')", link_->hello().methods_key,
                             known.methods_key),
                     name_, message("add its command again")});
    }
    if (keeper != nullptr) IOS_TRY(link_->keep_methods(*keeper, job));
    greeted_ = true;
    return {};
  }

  tl::unexpected<Error> refuse(Error why) {
    link_->end();
    refused_ = true;
    idle_losses_ = kMostIdleLosses;
    return tl::unexpected(std::move(why));
  }

  std::string command_;
  int number_;
  std::string name_;
  WorkerLimits limits_;
  std::shared_ptr<WorkerBoard> board_;  // may be null
  WorkerBoard::Place place_ = 0;
  std::optional<WorkerLink> link_;
  bool greeted_ = false;
  bool refused_ = false;
  int generation_ = 0;
  int idle_losses_ = 0;  // in a row, without an answer
  int losses_at_work_ = 0;
  Error why_;
  std::vector<std::size_t> unload_;  // plans that the worker holds for nobody
  std::stop_source end_;
  std::future<Result<WorkerLink>> starting_;  // last: it ends before the rest goes
};

// The measurements of one request; seats take work from it and add results.
class Round {
 public:
  Round(std::span<const ExecutionPlan> plans, std::size_t seats)
      : plans_(plans), seats_(seats), by_seat_(seats), in_flight_(seats) {
    answers_.resize(plans.size());
    losses_.resize(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) open_.push_back(i);
  }

  // Returns the next plans for a seat; none once nothing is left. Waits while others work on what they might lose.
  std::vector<std::size_t> take(std::size_t seat, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (open_.empty() && working_ > 0 && !failure_ && !stop.stop_requested()) {
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (failure_ || stop.stop_requested()) return {};
    // Towards the end the last ones are divided, unless there is only one seat.
    const std::size_t parts = seats_ == 1 ? 1 : 2 * seats_;
    const std::size_t fair = std::clamp<std::size_t>(open_.size() / parts, 1, kMostAtOnce);
    // Plans of one order have the same parameters.
    std::vector<std::size_t> some;
    while (!open_.empty() && some.size() < fair &&
           (some.empty() || plans_[open_.front()].parameters == plans_[some.front()].parameters)) {
      some.push_back(open_.front());
      open_.pop_front();
    }
    if (!some.empty()) ++working_;
    in_flight_[seat] = some.size();
    return some;
  }
  void answer(std::size_t seat, std::size_t plan, const Latency& latency) {
    const std::scoped_lock lock(mutex_);
    answers_[plan] = latency;
    ++answered_;
    ++by_seat_[seat];
    --in_flight_[seat];
    changed_.notify_all();
  }
  // Ends a seat's work on plans. Those without a result go back; the first of them may have crashed a lost worker, so
  // it comes last: a random killer of workers should not meet it again at once.
  void give_back(std::size_t seat, std::span<const std::size_t> some, bool suspect, Origin origin) {
    const std::scoped_lock lock(mutex_);
    --working_;
    in_flight_[seat] = 0;
    for (const std::size_t plan : some) {
      if (answers_[plan]) continue;
      if (!std::exchange(suspect, false)) {
        open_.push_front(plan);
      } else if (++losses_[plan] < kMostLosses) {
        open_.push_back(plan);
      } else {
        answers_[plan] = Latency::left_out(origin);
        ++answered_;
        left_out_.push_back(plan);
      }
    }
    changed_.notify_all();
  }
  // An error of the device ends it for all.
  void fail_with(Error error) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(error);
    changed_.notify_all();
  }
  // A seat that goes has a reason, which counts if none is left.
  void leave(std::optional<Error> why) {
    const std::scoped_lock lock(mutex_);
    ++left_;
    if (why) why_ = std::move(*why);
    changed_.notify_all();
  }

  bool complete() {
    const std::scoped_lock lock(mutex_);
    return answered_ == answers_.size() || failure_;
  }
  // Waits for the next thing that happens, and says whether all seats have left.
  bool wait() {
    std::unique_lock lock(mutex_);
    if (left_ < seats_) changed_.wait_for(lock, std::chrono::milliseconds(100));
    return left_ >= seats_;
  }
  // Returns the progress with each worker's share and current work; `numbers` are the seats' workers.
  Progress progress(const std::string& device, std::span<const int> numbers) {
    constexpr std::size_t kMostNamed = 2;
    const std::scoped_lock lock(mutex_);
    Message each =
        message("{} workers: {} measured, {} in flight", seats_, fmt::format("{}", fmt::join(by_seat_, " + ")),
                fmt::format("{}", fmt::join(in_flight_, " + ")));
    for (std::size_t i = 0; i < seats_ && seats_ <= kMostNamed; ++i) {
      Message one = message("worker {}: {} measured, {} in flight", numbers[i], by_seat_[i], in_flight_[i]);
      each = i == 0 ? std::move(one) : message("{}; {}", std::move(each), std::move(one));
    }
    return {message("{}, {}", device, std::move(each)), static_cast<std::int64_t>(answered_),
            static_cast<std::int64_t>(plans_.size())};
  }

  // For use after all have left.
  std::vector<Latency> prefix() const {
    std::vector<Latency> known;
    for (const auto& answer : answers_) {
      if (!answer) break;
      known.push_back(*answer);
    }
    return known;
  }
  std::vector<Device::Answered> known_from(std::size_t first) const {
    std::vector<Device::Answered> known;
    for (std::size_t i = first; i < answers_.size(); ++i) {
      if (answers_[i]) known.push_back({i, *answers_[i]});
    }
    return known;
  }
  std::optional<Error> failure() const {
    if (failure_) return failure_;
    return answered_ < answers_.size() ? why_ : std::nullopt;
  }
  const std::vector<std::size_t>& left_out() const { return left_out_; }
  const ExecutionPlan& plan(std::size_t i) const { return plans_[i]; }

 private:
  std::span<const ExecutionPlan> plans_;
  std::size_t seats_;
  std::vector<std::size_t> by_seat_;    // answers
  std::vector<std::size_t> in_flight_;  // by seat: what it has taken and not answered
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> open_;
  std::vector<std::optional<Latency>> answers_;
  std::vector<int> losses_;
  std::vector<std::size_t> left_out_;
  std::size_t answered_ = 0;
  std::size_t working_ = 0;
  std::size_t left_ = 0;
  std::optional<Error> failure_;
  std::optional<Error> why_;
};

class WorkerDevice final : public Device {
 public:
  WorkerDevice(WorkerDeviceInfo known, const std::vector<WorkerCommand>& commands, const WorkerLimits& limits,
               std::vector<WorkerLink> started, const std::shared_ptr<WorkerBoard>& board)
      : known_(std::move(known)) {
    constexpr std::size_t kLittle = 16;  // plans for each worker: what a round may lose
    int number = 0;
    for (const WorkerCommand& command : commands) {
      WorkerLimits own = limits;
      own.start = command.start.value_or(limits.start);
      for (int i = 0; i < command.count; ++i) {
        seats_.push_back(std::make_unique<Seat>(known_.info.id, ++number, command.command, own, board));
      }
    }
    for (std::size_t i = 0; i < std::min(started.size(), seats_.size()); ++i) seats_[i]->take(std::move(started[i]));
    known_.info.plans_at_once = std::min(known_.info.plans_at_once, kLittle) * seats_.size();
  }
  // Launchers take their moment to free what they hold; all of them take it at once.
  ~WorkerDevice() override {
    std::vector<std::jthread> threads;
    for (auto& seat : seats_) threads.emplace_back([&seat] { seat.reset(); });
  }
  WorkerDevice(const WorkerDevice&) = delete;
  WorkerDevice& operator=(const WorkerDevice&) = delete;

  const DeviceInfo& info() const override { return known_.info; }
  std::optional<PeakRates> peak_rates() const override {
    const std::scoped_lock lock(said_mutex_);
    return known_.peak;
  }
  std::string methods_key() const override { return known_.methods_key; }
  void keep_methods(std::unique_ptr<MethodKeeper> keeper) override {
    keeper_ = std::make_unique<SharedKeeper>(std::move(keeper));
  }
  std::vector<Message> take_notices() override {
    const std::scoped_lock lock(said_mutex_);
    return std::exchange(notices_, {});
  }
  std::vector<Answered> take_answered() override { return std::exchange(answered_, {}); }

 private:
  using Losses = std::map<const Seat*, int>;  // of workers over one plan

  // A plan that a worker holds, or held: it is loaded again where that worker was lost.
  class Held final : public LoadedPlan {
   public:
    Held(WorkerDevice& device, ExecutionPlan plan, bool tune)
        : LoadedPlan(device.info(), std::move(plan)), device_(device), number_(device.loaded_++), tune_(tune) {}
    ~Held() override {
      if (seat_ != nullptr) seat_->unload(number_, generation_);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    std::vector<std::string> methods() const override { return methods_; }

    // Asks the worker, which holds the plan then. A worker that is lost is replaced, at the second time by another one.
    Result<WorkerLink::Answer> ask(const std::optional<decltype(wire::Order::what)>& what, const JobContext& job) {
      Losses losses;
      std::optional<Error> lost;
      for (int all = 0; all < kMostLossesInRun; ++all) {
        IOS_TRY(auto serving, device_.serving(losses, job));
        serving.seat->is_at(WorkerActivity::kRunning);
        auto answer = load(*serving.seat, *serving.worker, job);
        if (answer && what) answer = serving.worker->ask(*what, job);
        const bool fit = !answer || !what || job.stopped() || fits(*answer, *what);
        if (!fit) {
          serving.worker->end();
          answer = tl::unexpected(device_.nonsense());
        }
        serving.seat->is_at(WorkerActivity::kIdle);
        if (answer || !serving.worker->gone() || job.stopped()) {
          if (answer) serving.seat->has_answered();
          return answer;
        }
        lost = std::move(answer.error());
        device_.lose(*serving.seat, *lost, fit && !serving.worker->talked_nonsense());
        ++losses[serving.seat];
        lost->where = serving.seat->name();
      }
      return tl::unexpected(std::move(*lost));
    }

   private:
    bool fits(const WorkerLink::Answer& answer, const decltype(wire::Order::what)& what) const {
      if (const auto* const run = std::get_if<wire::Run>(&what)) {
        const auto* const ran = std::get_if<wire::Ran>(&answer);
        return ran != nullptr && check_run(device_.info(), plan(), run->options, ran->result);
      }
      const auto* const seen = std::get_if<wire::Profiled>(&answer);
      return seen != nullptr && check_profile(device_.info(), plan(), seen->profile);
    }
    Result<WorkerLink::Answer> load(Seat& seat, WorkerLink& worker, const JobContext& job) {
      if (seat_ == &seat && generation_ == seat.generation()) return wire::Done{};
      if (seat_ != nullptr && seat_ != &seat) seat_->unload(number_, generation_);
      IOS_TRY(const std::size_t parameters, worker.give_parameters(std::span(&plan(), 1), job));
      ExecutionPlan copy = plan();
      IOS_TRY(auto answer, worker.ask(wire::Load{parameters, number_, std::move(copy), tune_}, job));
      if (auto* const loaded = std::get_if<wire::Loaded>(&answer)) methods_ = std::move(loaded->methods);
      seat_ = &seat;
      generation_ = seat.generation();
      return answer;
    }

    Result<RunResult> do_run(const RunOptions& options, const JobContext& job) override {
      IOS_TRY(auto answer, ask(wire::Run{number_, options}, job));
      if (auto* const ran = std::get_if<wire::Ran>(&answer)) return std::move(ran->result);
      return tl::unexpected(device_.nonsense());
    }
    Result<Profile> look(const ProfileOptions& options, std::optional<Profile> timeline, const JobContext& job) {
      IOS_TRY(auto answer, ask(wire::Look{number_, options, std::move(timeline)}, job));
      if (auto* const seen = std::get_if<wire::Profiled>(&answer)) return std::move(seen->profile);
      return tl::unexpected(device_.nonsense());
    }
    Result<Profile> do_timeline(const ProfileOptions& options, const JobContext& job) override {
      return look(options, std::nullopt, job);
    }
    Result<Profile> do_counters(Profile timeline, const ProfileOptions& options, const JobContext& job) override {
      return look(options, std::move(timeline), job);
    }

    WorkerDevice& device_;
    std::size_t number_;
    bool tune_;
    Seat* seat_ = nullptr;  // whose worker holds it
    int generation_ = -1;
    std::vector<std::string> methods_;
  };

  Error nonsense() const { return {message("a worker sent an unexpected reply"), known_.info.id, {}}; }
  void tell(Message notice) {
    const std::scoped_lock lock(said_mutex_);
    notices_.push_back(std::move(notice));
  }
  void lose(Seat& seat, Error why, bool at_work = false) {
    const Message reason = why.line();
    seat.lose(std::move(why), at_work);
    tell(seat.refused()  ? message("{} is not used: {}", seat.name(), reason)
         : seat.usable() ? message("{} was lost and is started again: {}", seat.name(), reason)
                         : message("{} was lost and is not started again: {}", seat.name(), reason));
  }

  std::vector<Seat*> usable_seats() const {
    std::vector<Seat*> seats;
    for (const auto& seat : seats_) {
      if (seat->usable()) seats.push_back(seat.get());
    }
    // Working ones come first.
    std::stable_partition(seats.begin(), seats.end(), [](const Seat* seat) { return seat->seated(); });
    return seats;
  }
  // A worker's current facts about its device are valid from then on.
  Result<WorkerLink*> ready(Seat& seat, Seconds patience, const JobContext& job) {
    IOS_TRY(WorkerLink* const worker, seat.ready(known_, keeper_.get(), patience, job));
    const std::scoped_lock lock(said_mutex_);
    if (worker != nullptr) known_.peak = worker->hello().peak;
    return worker;
  }

  // Runs are on one worker, so that their ratios are of one machine, as long as it can be started. One that was lost
  // twice comes after those that were lost less often.
  struct Serving {
    Seat* seat;
    WorkerLink* worker;
  };
  Result<Serving> serving(Losses& losses, const JobContext& job) {
    constexpr Seconds kAlone{2};  // the one that served before; then the others are started, too
    constexpr Seconds kLook{0.05};
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
      std::vector<Seat*> seats = usable_seats();
      std::erase_if(seats, [&losses](const Seat* seat) { return losses[seat] >= kMostLosses; });
      if (seats.empty()) return tl::unexpected(seats_.front()->why());
      std::ranges::stable_sort(seats, {}, [&losses](const Seat* seat) { return losses[seat]; });
      if (serving_ != nullptr && losses[serving_] < 2) {
        std::stable_partition(seats.begin(), seats.end(), [this](const Seat* seat) { return seat == serving_; });
      }
      const bool alone = std::chrono::steady_clock::now() - begin < kAlone;
      for (Seat* const seat : std::span(seats).first(alone ? 1 : seats.size())) {
        auto worker = ready(*seat, kLook, job);
        if (job.stopped()) return fail(message("stopped"), known_.info.id);
        if (worker && *worker != nullptr) {
          serving_ = seat;
          return Serving{seat, *worker};
        }
        if (!worker) lose(*seat, std::move(worker.error()));
      }
    }
  }

  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override {
    auto held = std::make_unique<Held>(*this, std::move(plan), options.tune);
    IOS_TRY(held->ask(std::nullopt, job));
    return held;
  }

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    answered_.clear();
    if (plans.empty()) return std::vector<Latency>();
    std::vector<Seat*> seats = usable_seats();
    if (seats.empty()) return tl::unexpected(seats_.front()->why());
    seats.resize(std::min(seats.size(), plans.size()));
    Round round(plans, seats.size());
    std::vector<int> numbers;
    numbers.reserve(seats.size());
    for (const Seat* const seat : seats) numbers.push_back(seat->number());
    // This thread passes on what the first worker does before it measures.
    std::mutex said_mutex;
    std::optional<Progress> said;
    std::stop_source end;  // of the round: a stop, or all is answered
    const std::stop_callback stops(job.stop, [&end] { end.request_stop(); });
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < seats.size(); ++i) {
        JobContext own{end.get_token(), {}};
        if (i == 0) {
          own.progress = [&](const Progress& progress) {
            const std::scoped_lock lock(said_mutex);
            said = progress;
          };
        }
        threads.emplace_back([this, i, seat = seats[i], &round, &timing, own] { work(*seat, i, round, timing, own); });
      }
      constexpr std::chrono::milliseconds kPause{20};  // between two reports
      auto reported = std::chrono::steady_clock::now();
      while (!round.wait()) {
        if (round.complete()) end.request_stop();
        std::optional<Progress> progress;
        {
          const std::scoped_lock lock(said_mutex);
          progress = std::exchange(said, std::nullopt);
        }
        if (progress && progress->total == 0) job.report(progress->phase, 0, 0);
        const auto now = std::chrono::steady_clock::now();
        if (now - reported < kPause) continue;
        reported = now;
        const Progress all = round.progress(known_.info.id, numbers);
        if (all.done > 0) job.report(all.phase, all.done, all.total);
      }
    }
    for (const std::size_t i : round.left_out()) {
      tell(message("left out: {}. {} workers were lost while they measured it", what_it_is(plans[i]), kMostLosses));
    }
    if (auto failure = round.failure(); failure && !job.stopped()) {
      answered_ = round.known_from(0);
      return tl::unexpected(std::move(*failure));
    }
    auto prefix = round.prefix();
    answered_ = round.known_from(prefix.size());
    return prefix;
  }

  // The work of one seat for a request, on its own thread. The stop is the round's end.
  void work(Seat& seat, std::size_t number, Round& round, const TimingOptions& timing, const JobContext& job) {
    constexpr Seconds kForever{1e9};
    while (seat.usable()) {
      auto worker = ready(seat, kForever, job);
      // For a refused one this is the only report, also at the round's end.
      if (!worker && (seat.refused() || !job.stopped())) lose(seat, std::move(worker.error()));
      if (job.stopped()) return round.leave(std::nullopt);
      if (!worker) continue;
      const std::vector<std::size_t> some = round.take(number, job.stop);
      if (some.empty()) return round.leave(std::nullopt);
      seat.is_at(WorkerActivity::kMeasuring, some.size());
      auto done = measure_at(seat, **worker, number, round, some, timing, job);
      seat.is_at(WorkerActivity::kIdle);
      if (done.answers > 0) seat.has_answered();
      const bool suspect = done.error && done.lost && done.began;
      // Giving back may end the round, so the report comes first.
      const bool ends = done.error && (job.stopped() || !done.lost);
      if (ends && !job.stopped()) round.fail_with(std::move(*done.error));
      if (!ends && done.error) lose(seat, std::move(*done.error), suspect);
      round.give_back(number, some, suspect, known_.info.origin);
      if (ends) return round.leave(std::nullopt);
    }
    round.leave(seat.why());
  }

  struct Outcome {
    std::optional<Error> error = {};
    bool lost = false;   // the worker, and not the device that says so
    bool began = false;  // it said that it measures, and nothing invalid
    std::size_t answers = 0;
  };
  Outcome measure_at(Seat& seat, WorkerLink& worker, std::size_t number, Round& round,
                     std::span<const std::size_t> some, const TimingOptions& timing, const JobContext& job) {
    Outcome outcome;
    std::vector<ExecutionPlan> plans;
    for (const std::size_t i : some) plans.push_back(round.plan(i));
    auto parameters = worker.give_parameters(plans, job);
    if (!parameters) {
      outcome.lost = worker.gone();
      outcome.error = std::move(parameters.error());
      return outcome;
    }
    const auto heard = [&](const wire::Measured* measured, const wire::Alive* alive) {
      const bool waits = alive != nullptr && alive->waits;
      outcome.began = outcome.began || !waits;
      seat.is_at(waits ? WorkerActivity::kWaiting : WorkerActivity::kMeasuring, some.size() - outcome.answers);
      if (measured == nullptr) return true;
      const bool expected = measured->plan == outcome.answers && measured->plan < some.size();
      if (!expected || measured->latency.is_left_out() ||
          !check_latencies(known_.info, std::span(&round.plan(some[measured->plan]), 1),
                           std::span(&measured->latency, 1), false)) {
        return false;
      }
      round.answer(number, some[outcome.answers++], measured->latency);
      seat.show([](WorkerDoing& doing) {
        ++doing.measured;
        --doing.in_flight;
      });
      return true;
    };
    auto said = worker.ask(wire::Measure{*parameters, std::move(plans), timing}, job, heard);
    if (!said) {
      outcome.lost = worker.gone();
      outcome.began = outcome.began && !worker.talked_nonsense();
      outcome.error = std::move(said.error());
    } else if (!std::holds_alternative<wire::Done>(*said) || (outcome.answers < some.size() && !job.stopped())) {
      worker.end();
      outcome.lost = true;
      outcome.began = false;
      outcome.error = nonsense();
    }
    return outcome;
  }

  WorkerDeviceInfo known_;
  std::unique_ptr<SharedKeeper> keeper_;
  std::vector<std::unique_ptr<Seat>> seats_;
  Seat* serving_ = nullptr;         // whose worker ran last
  std::size_t loaded_ = 0;          // plans, ever
  std::vector<Answered> answered_;  // see take_answered()
  mutable std::mutex said_mutex_;   // guards known_.peak and notices_
  std::vector<Message> notices_;
};

}  // namespace

WorkerDeviceInfo known_of(const wire::Hello& hello) { return {hello.device, hello.methods_key, hello.peak}; }

std::unique_ptr<Device> make_worker_device(WorkerDeviceInfo known, const std::vector<WorkerCommand>& commands,
                                           const WorkerLimits& limits, std::vector<WorkerLink> started,
                                           const std::shared_ptr<WorkerBoard>& board) {
  return std::make_unique<WorkerDevice>(std::move(known), commands, limits, std::move(started), board);
}

}  // namespace iosx
