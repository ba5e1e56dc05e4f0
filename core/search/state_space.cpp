#include "core/search/state_space.h"

#include <condition_variable>
#include <mutex>

#include "core/search/ending_enumerator.h"
#include "core/search/space_counts.h"

namespace iosx {
namespace {

constexpr std::size_t kStopCheckInterval = 1 << 14;     // transitions
constexpr std::size_t kFullBatch = 1 << 12;             // transitions that are listed before they are numbered
constexpr std::size_t kSmallBatch = 64;                 // what there is room for at first
constexpr std::size_t kWorthListingTogether = 1 << 15;  // transitions, after which others are asked to help: about 1 ms

struct NumberedState {
  UnitSet units = 0;
  std::uint32_t number = 0;
};

// Consecutive transitions, of states of one size.
struct Batch {
  struct Run {
    std::uint32_t state = 0;  // its number
    std::size_t first = 0;    // of its transitions in the batch
    bool begins = true;       // false: the batch before has the state's first transitions
  };
  struct Listed {
    UnitSet ending = 0;
    UnitSet rest = 0;          // the state without it
    std::uint32_t target = 0;  // the number of the rest
  };
  std::vector<Run> runs = {};
  std::vector<Listed> room = std::vector<Listed>(kSmallBatch);
  std::size_t size = 0;

  std::span<const Listed> transitions() const { return std::span(room).first(size); }
  void begin(std::uint32_t state, bool begins) { runs.push_back({state, size, begins}); }
  bool full() {
    if (size == room.size()) room.resize(kFullBatch);
    return size == kFullBatch;
  }
  void clear() {
    runs.clear();
    size = 0;
  }
};

// Walks the states reachable from the whole part, the largest first: when a state's turn comes, every transition into
// it has been seen. The empty set has number 0, other states number 1, 2, … in order of discovery.
//
// Every batch of transitions goes through three steps. List: the endings of its states. Number: the remaining
// states, then sink.numbered(batch). Keep: sink.keep(batch). Batches are numbered and kept in order, so that the
// result does not depend on threads. Listing batches of states of one size, numbering one and keeping one can go on
// at once.
template <typename Sink>
class Explorer {
 public:
  Explorer(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceBudget& budget, std::stop_token stop,
           Sink& sink)
      : enumerator_(part, rule, pruning),
        budget_(budget),
        stop_(std::move(stop)),
        sink_(sink),
        next_size_(part.size()) {
    number_of(part.all());
  }

  std::optional<SpaceRefusal> run(std::size_t threads) {
    Batch batch;
    batch.runs.reserve(kSmallBatch);
    while (next_level()) {
      if (threads > 1 && transitions_ >= kWorthListingTogether) return run_together(threads);
      const auto pass_on = [&] {
        if (number(batch)) sink_.keep(batch);
        batch.clear();
        return !refusal_;
      };
      if (!list(enumerator_, level_, batch, pass_on) || !pass_on()) return refusal_;
    }
    return std::nullopt;
  }

  std::size_t transitions() const { return transitions_; }
  std::size_t state_count() const { return states_.size(); }
  const std::vector<UnitSet>& states() const { return states_.sets(); }

 private:
  // The states of the next smaller size that has any, none of which can be found any more.
  bool next_level() {
    while (next_size_ > 0) {
      level_ = std::exchange(by_size_[next_size_--], {});
      if (!level_.empty()) return true;
    }
    level_.clear();
    return false;
  }

  std::uint32_t number_of(UnitSet state) {
    const auto [number, is_new] = states_.find_or_add(state);
    if (is_new) by_size_[size_of(state)].push_back({state, number + 1});
    return number + 1;
  }

  bool admit() {
    if (++transitions_ > budget_.transitions) {
      refusal_ = SpaceRefusal::kTooManyTransitions;
    } else if (states_.size() > budget_.states) {
      refusal_ = SpaceRefusal::kTooManyStates;
    } else if (transitions_ % kStopCheckInterval == 1 && stop_.stop_requested()) {
      refusal_ = SpaceRefusal::kStopped;
    }
    return !refusal_;
  }

  // pass_on() is called with a full batch, which it empties; false stops. The last transitions stay in the batch.
  template <typename PassOn>
  static bool list(EndingEnumerator& enumerator, std::span<const NumberedState> states, Batch& batch,
                   PassOn&& pass_on) {
    for (const NumberedState& state : states) {
      batch.begin(state.number, true);
      const bool listed = enumerator.for_each(state.units, [&](UnitSet ending) {
        if (batch.full()) {
          if (!pass_on()) return false;
          batch.begin(state.number, false);
        }
        batch.room[batch.size++] = {ending, state.units ^ ending, 0};
        return true;
      });
      if (!listed) return false;
    }
    return true;
  }

  bool number(Batch& batch) {
    const std::span<Batch::Listed> listed = std::span(batch.room).first(batch.size);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (i + SetTable::kSetsAhead < listed.size()) states_.prefetch(listed[i + SetTable::kSetsAhead].rest);
      if (!admit()) return false;
      listed[i].target = listed[i].rest == 0 ? 0 : number_of(listed[i].rest);
    }
    sink_.numbered(batch);
    return true;
  }

  // ---- Several threads ----

  // Consecutive states of the level, listed by one thread, in several batches where they have many endings.
  struct Task {
    enum class Step { kList, kNumber, kKeep };
    Batch batch;
    Step step = Step::kList;  // what is to be done with the batch
    bool last = false;        // batch
  };

  // The threads' shared data, except for the steps themselves, is under mutex_.
  std::optional<SpaceRefusal> run_together(std::size_t threads) {
    tasks_.resize(2 * threads + 2);
    run_on_threads(threads, [this](std::size_t /*thread*/) {
      EndingEnumerator enumerator = enumerator_;
      std::unique_lock lock(mutex_);
      while (!over()) {
        if (!number_or_keep(lock) && !list_some(lock, enumerator)) changed_.wait(lock);
      }
    });
    return refusal_;
  }

  bool over() const { return refused_ || (kept_ == begun_ && !has_level_); }
  Task& task(std::size_t number) { return tasks_[number % tasks_.size()]; }

  // Lists the states of the next task, if there are any.
  bool list_some(std::unique_lock<std::mutex>& lock, EndingEnumerator& enumerator) {
    if (listed_states_ == level_.size() || begun_ - kept_ == tasks_.size()) return false;
    const std::size_t count = std::min(states_a_task_, level_.size() - listed_states_);
    const auto states = std::span<const NumberedState>(level_).subspan(listed_states_, count);
    listed_states_ += count;
    Task& mine = task(begun_++);
    mine.last = false;
    std::size_t listed = 0;
    const auto pass_on = [&](bool last) {
      lock.lock();
      listed += mine.batch.size;
      mine.last = last;
      mine.step = Task::Step::kNumber;
      changed_.notify_all();
      while (!last && mine.step != Task::Step::kList && !refused_) {
        if (!number_or_keep(lock)) changed_.wait(lock);
      }
      const bool go_on = !refused_;
      if (!last) lock.unlock();
      return go_on;
    };
    lock.unlock();
    if (list(enumerator, states, mine.batch, [&] { return pass_on(false); })) {
      pass_on(true);
      states_a_task_ = std::max<std::size_t>(1, kFullBatch / 2 * count / listed);  // most fit one batch
    } else {
      lock.lock();
    }
    return true;
  }

  // Does such a step for the task whose turn it is, if it waits for one.
  bool number_or_keep(std::unique_lock<std::mutex>& lock) {
    if (refused_) return false;
    if (!numbering_ && numbered_ < begun_ && task(numbered_).step == Task::Step::kNumber) {
      Task& next = task(numbered_);
      numbering_ = true;
      lock.unlock();
      const bool admitted = number(next.batch);
      lock.lock();
      numbering_ = false;
      next.step = Task::Step::kKeep;
      if (next.last) ++numbered_;
      refused_ = !admitted;
      if (numbered_ == begun_ && listed_states_ == level_.size()) {
        has_level_ = next_level();
        listed_states_ = 0;
      }
    } else if (!keeping_ && kept_ < begun_ && task(kept_).step == Task::Step::kKeep) {
      Task& next = task(kept_);
      keeping_ = true;
      lock.unlock();
      sink_.keep(next.batch);
      next.batch.clear();
      lock.lock();
      keeping_ = false;
      next.step = Task::Step::kList;
      if (next.last) ++kept_;
    } else {
      return false;
    }
    changed_.notify_all();
    return true;
  }

  EndingEnumerator enumerator_;
  SpaceBudget budget_;
  std::stop_token stop_;
  Sink& sink_;
  std::vector<NumberedState> level_;
  // For the numbering thread:
  std::size_t next_size_ = 0;
  std::size_t transitions_ = 0;
  std::optional<SpaceRefusal> refusal_;
  SetTable states_;
  std::array<std::vector<NumberedState>, kMaxPartUnits + 1> by_size_;  // whose turn has not come

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> tasks_;  // a ring
  std::size_t states_a_task_ = 1;
  std::size_t listed_states_ = 0;  // of the level, those that somebody lists included
  std::size_t begun_ = 0;          // tasks
  std::size_t numbered_ = 0;
  std::size_t kept_ = 0;
  bool numbering_ = false;
  bool keeping_ = false;
  bool has_level_ = true;
  bool refused_ = false;
};

// Numbers the endings of a batch; step(transition of the batch, number) for each.
template <typename Step>
void number_endings(SetTable& stages, const Batch& batch, Step&& step) {
  const std::span<const Batch::Listed> listed = batch.transitions();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (i + SetTable::kSetsAhead < listed.size()) stages.prefetch(listed[i + SetTable::kSetsAhead].ending);
    step(i, stages.find_or_add(listed[i].ending).first);
  }
}

struct ListTransitions {
  StateSpace space = {};
  SetTable stages = {};

  void numbered(const Batch& /*batch*/) {}
  void keep(const Batch& batch) {
    for (const Batch::Run& run : batch.runs) {
      if (!run.begins) continue;
      space.order.push_back(run.state);
      space.first_transition.push_back(space.transitions.size() + run.first);
    }
    const std::size_t before = space.transitions.size();
    space.transitions.resize(before + batch.size);
    number_endings(stages, batch, [&](std::size_t i, std::uint32_t stage) {
      space.transitions[before + i] = {batch.room[i].target, stage};
    });
  }
};

struct CountSchedules {
  SetTable stages = {};
  std::vector<BigCount> ways = {BigCount(), BigCount(1)};  // by state: sequences of stages from the whole part to it

  void numbered(const Batch& batch) {
    for (std::size_t r = 0; r < batch.runs.size(); ++r) {
      const BigCount here = ways[batch.runs[r].state];
      const std::size_t end = r + 1 < batch.runs.size() ? batch.runs[r + 1].first : batch.size;
      for (std::size_t i = batch.runs[r].first; i < end; ++i) {
        const std::uint32_t target = batch.room[i].target;
        if (target >= ways.size()) ways.resize(target + 1);
        ways[target] += here;
      }
    }
  }
  void keep(const Batch& batch) {
    number_endings(stages, batch, [](std::size_t, std::uint32_t) {});
  }
};

struct KeepNothing {
  void numbered(const Batch& /*batch*/) {}
  void keep(const Batch& /*batch*/) {}
};

}  // namespace

tl::expected<StateSpace, SpaceRefusal> enumerate(const PartGraph& part, EndingRule rule, Pruning pruning,
                                                 const SpaceBudget& budget, std::stop_token stop, std::size_t threads) {
  ListTransitions list;
  Explorer explorer(part, rule, pruning, budget, std::move(stop), list);
  if (const auto refusal = explorer.run(threads)) return tl::unexpected(*refusal);
  StateSpace& space = list.space;
  space.first_transition.push_back(space.transitions.size());
  space.states.push_back(0);
  space.states.insert(space.states.end(), explorer.states().begin(), explorer.states().end());
  space.stages = std::move(list.stages).take_sets();
  return std::move(space);
}

tl::expected<SpaceCount, SpaceRefusal> count(const PartGraph& part, EndingRule rule, Pruning pruning,
                                             const SpaceBudget& budget, std::stop_token stop, std::size_t threads) {
  CountSchedules schedules;
  Explorer explorer(part, rule, pruning, budget, std::move(stop), schedules);
  if (const auto refusal = explorer.run(threads)) return tl::unexpected(*refusal);
  return SpaceCount{static_cast<std::int64_t>(explorer.state_count()),
                    static_cast<std::int64_t>(explorer.transitions()),
                    static_cast<std::int64_t>(schedules.stages.size()), schedules.ways[0].decimal()};
}

SpaceFit fits(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceBudget& budget, std::stop_token stop,
              std::size_t threads) {
  KeepNothing nothing;
  Explorer explorer(part, rule, pruning, budget, std::move(stop), nothing);
  const auto refusal = explorer.run(threads);
  return {!refusal || *refusal == SpaceRefusal::kStopped, explorer.transitions()};
}

}  // namespace iosx
