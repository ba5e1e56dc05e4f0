#include "core/analysis/recording/replay.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr double kNow = 1e-9;              // µs
constexpr double kDone = 1e-7;             // µs of work
constexpr double kOverlapOnLane = 1.5;     // µs, as exactly as a device knows
constexpr std::size_t kMostAtOnce = 1000;  // kernels of one lane
constexpr double kWait = 1;                // µs, for a kernel on another lane

// Returns for each node the longest path from its begin to an end. Nodes are in `order`, each behind its needs.
std::vector<double> ways_to_an_end(const Dependencies& dependencies, const std::vector<std::uint32_t>& order) {
  std::vector<double> ways(dependencies.nodes(), 0);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t node = order[i];
    dependencies.each_after(node, [&](std::uint32_t after) { ways[node] = std::max(ways[node], ways[after]); });
    if (node < dependencies.kernels()) ways[node] += dependencies.recording().kernels[node].duration();
  }
  return ways;
}

// Replays kernels on their lanes, or on new ones. Time is in µs from 0.
class Replay {
 public:
  // With `lanes`, kernels take one of so many; 0: they are on those recorded.
  Replay(const Dependencies& dependencies, const std::vector<double>& shares, Launches launches, std::size_t lanes)
      : plan_(dependencies),
        recording_(dependencies.recording()),
        shares_(shares),
        as_recorded_(launches == Launches::kAsRecorded),
        lanes_(lanes),
        left_(dependencies.waits()),
        next_(recording_.kernels.size()),
        came_(dependencies.barriers().size() + 1),
        latency_(as_recorded_ ? usual_latency() : 0),
        idle_(lanes, true) {
    keep_lanes();
    if (lanes == 0) return;
    run_.kernels.resize(recording_.kernels.size());
    needs_.resize(recording_.kernels.size());
    ways_ = ways_to_an_end(plan_, plan_.order());
  }

  std::optional<PlacedRun> run() {
    const auto ended = span();
    if (!ended) return std::nullopt;
    run_.span = *ended;
    for (PlacedKernel& kernel : run_.kernels) {
      kernel.begin -= first_begin_;
      kernel.end -= first_begin_;
    }
    return std::move(run_);
  }

  std::optional<double> span() {
    double first_launch = recording_.kernels.front().begin;
    for (const RecordedKernel& kernel : recording_.kernels) {
      if (is_launched(kernel)) first_launch = std::min(first_launch, recording_.launches[kernel.launch].begin);
    }
    // What was launched before the recording began occupies the device until its first kernel.
    earliest_ = as_recorded_ ? recording_.kernels.front().begin - first_launch : 0;
    came_[0] = {0, first_launch};
    std::vector<std::uint32_t> roots;
    for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
      if (left_[node] == 0) roots.push_back(node);
    }
    release(std::move(roots));
    while (!future_.empty() || !ready_.empty() || !running_.empty()) {
      while (!future_.empty() && future_.top().first <= now_ + kNow) {
        const std::uint32_t i = future_.top().second;
        future_.pop();
        if (lanes_ == 0 || is_pinned(i)) {
          start(i, static_cast<std::uint32_t>(lanes_) + recording_.kernels[i].lane);
        } else {
          ready_.push({ways_[i], i});
        }
      }
      take_lanes();
      advance();
    }
    if (ended_ < recording_.kernels.size()) return std::nullopt;
    return now_ - first_begin_;
  }

 private:
  struct Running {
    std::uint32_t kernel = 0;
    double work = 0;  // that is left, in µs on the whole share
  };
  // When a wait of the host ended, here and as recorded.
  struct Came {
    double here = 0;
    double recorded = 0;
  };

  // Where the kernels that one waits for have run.
  struct Needs {
    double end = 0;  // of the last one
    std::uint32_t lane = kNoIndex;
    double end_elsewhere = 0;  // of the last one on another lane than that
    std::uint32_t lane_elsewhere = kNoIndex;
  };
  struct Later {
    bool operator()(const std::pair<double, std::uint32_t>& a, const std::pair<double, std::uint32_t>& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  bool is_pinned(std::uint32_t i) const {
    const KernelKind kind = recording_.kernels[i].kind;
    return kind == KernelKind::kCollective || kind == KernelKind::kHostCopy;
  }

  // A processor launches nothing: its operators begin when they begin.
  bool is_launched(const RecordedKernel& kernel) const { return kernel.launch != kNoIndex && !recording_.of_processor; }

  // Returns the median time from the end of a launch to the kernel, of kernels that found the device idle.
  double usual_latency() const {
    std::vector<double> latencies;
    double stop = recording_.kernels.front().begin;
    for (const RecordedKernel& kernel : recording_.kernels) {
      if (is_launched(kernel)) {
        const double launched = recording_.launches[kernel.launch].end;
        if (launched > stop && kernel.begin > launched) latencies.push_back(kernel.begin - launched);
      }
      stop = std::max(stop, kernel.end);
    }
    if (latencies.empty()) return 0;
    const auto middle = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 2);
    std::ranges::nth_element(latencies, middle);
    return *middle;
  }

  // A kernel follows those of its lane that had ended when it began in the recording. Others ran at the same time: a
  // profiler is wrong there, or several contexts share the number of a stream.
  void keep_lanes() {
    std::vector<std::vector<std::uint32_t>> open(recording_.lanes.size());  // kernels that no other one follows yet
    std::vector<std::uint32_t> ended(recording_.lanes.size(), kNoIndex);    // the last one that some other one follows
    for (std::uint32_t i = 0; i < recording_.kernels.size(); ++i) {
      if (lanes_ > 0 && !is_pinned(i)) continue;
      const RecordedKernel& kernel = recording_.kernels[i];
      const auto follow = [&](std::uint32_t before) {
        next_[before].push_back(i);
        ++left_[i];
      };
      std::uint32_t& last = ended[kernel.lane];
      bool follows = false;
      std::erase_if(open[kernel.lane], [&](std::uint32_t before) {
        const double end = recording_.kernels[before].end;
        if (end > kernel.begin + kOverlapOnLane) return false;
        follow(before);
        if (last == kNoIndex || end >= recording_.kernels[last].end) last = before;
        return follows = true;
      });
      if (!follows && last != kNoIndex) follow(last);
      if (open[kernel.lane].size() < kMostAtOnce) open[kernel.lane].push_back(i);
    }
  }

  // Hands on the nodes for which all that they wait for has happened.
  void release(std::vector<std::uint32_t> nodes) {
    while (!nodes.empty()) {
      const std::uint32_t node = nodes.back();
      nodes.pop_back();
      if (node < recording_.kernels.size()) {
        future_.push({ready_time(node), node});
        continue;
      }
      const std::size_t barrier = node - recording_.kernels.size();
      const Barrier& wait = plan_.barriers()[barrier];
      const Came before = came_[barrier];
      came_[barrier + 1] = {std::max(now_, before.here + wait.begin - before.recorded), wait.end};
      plan_.each_after(node, [&](std::uint32_t after) {
        if (--left_[after] == 0) nodes.push_back(after);
      });
    }
  }

  double ready_time(std::uint32_t i) const {
    if (!as_recorded_) return now_;
    const RecordedKernel& kernel = recording_.kernels[i];
    double called = kernel.begin;
    if (is_launched(kernel)) {
      const HostLaunch& launch = recording_.launches[kernel.launch];
      called = std::max(launch.begin, std::min(launch.end + latency_, kernel.begin));
    }
    const std::uint32_t barrier = plan_.barrier_of(i);
    const Came& came = came_[barrier == kNoIndex ? 0 : barrier + 1];
    return std::max({now_, earliest_, came.here + called - came.recorded});
  }

  void start(std::uint32_t i, std::uint32_t lane) {
    running_.push_back({i, recording_.kernels[i].duration()});
    used_ += shares_[i];
    first_begin_ = std::min(first_begin_, now_);
    if (lanes_ > 0) run_.kernels[i] = {now_, now_, lane};
    if (lane < lanes_) idle_[lane] = false;
  }

  // Starts the kernels with the longest ways on idle lanes: where a kernel that it waits for has run last, if that lane
  // is idle. What has to wait for another lane becomes ready later.
  void take_lanes() {
    const auto is_idle = [&](std::uint32_t lane) { return lane < lanes_ && idle_[lane]; };
    while (!ready_.empty()) {
      const auto idle = std::ranges::find(idle_, true);
      if (idle == idle_.end()) return;
      const std::uint32_t i = ready_.top().second;
      ready_.pop();
      const Needs& needs = needs_[i];
      auto lane = static_cast<std::uint32_t>(idle - idle_.begin());
      if (is_idle(needs.lane_elsewhere)) lane = needs.lane_elsewhere;
      if (is_idle(needs.lane)) lane = needs.lane;
      const bool same = lane == needs.lane;
      const bool waits = (same ? needs.lane_elsewhere : needs.lane) != kNoIndex;
      const double earliest = waits ? (same ? needs.end_elsewhere : needs.end) + kWait : now_;
      earliest > now_ + kNow ? future_.push({earliest, i}) : start(i, lane);
    }
  }

  // Notes that `after` waited for a kernel that has ended now.
  void note_end(std::uint32_t lane, std::uint32_t after) {
    if (after >= needs_.size()) return;
    Needs& needs = needs_[after];
    if (lane != needs.lane) {
      needs.end_elsewhere = needs.end;
      needs.lane_elsewhere = std::exchange(needs.lane, lane);
    }
    needs.end = now_;
  }

  void advance() {
    const double slower = std::max(1.0, used_);
    double step = std::numeric_limits<double>::infinity();
    for (const Running& one : running_) step = std::min(step, one.work * slower);
    if (!future_.empty()) step = std::min(step, future_.top().first - now_);
    step = std::max(step, 0.0);
    now_ += step;
    std::vector<std::uint32_t> ended;
    std::erase_if(running_, [&](Running& one) {
      one.work -= step / slower;
      if (one.work > kDone) return false;
      ended.push_back(one.kernel);
      return true;
    });
    for (const std::uint32_t i : ended) {
      used_ -= shares_[i];
      ++ended_;
    }
    if (running_.empty()) used_ = 0;
    std::vector<std::uint32_t> free;
    for (const std::uint32_t i : ended) {
      const auto meet = [&](std::uint32_t after) {
        if (--left_[after] == 0) free.push_back(after);
      };
      if (lanes_ > 0) {
        PlacedKernel& placed = run_.kernels[i];
        placed.end = now_;
        if (placed.lane < lanes_) idle_[placed.lane] = true;
        plan_.each_after(i, [&](std::uint32_t after) { note_end(placed.lane, after); });
      }
      plan_.each_after(i, meet);
      for (const std::uint32_t after : next_[i]) meet(after);
    }
    release(std::move(free));
  }

  using Ready = std::pair<double, std::uint32_t>;

  const Dependencies& plan_;
  const Recording& recording_;
  const std::vector<double>& shares_;
  bool as_recorded_;
  std::size_t lanes_;
  std::vector<std::uint32_t> left_;               // how many nodes each still waits for
  std::vector<std::vector<std::uint32_t>> next_;  // kernels of the same lane that follow each one
  std::vector<Came> came_;                        // the begin, then each wait of the host
  double latency_;                                // from the end of a launch to its kernel, at most
  double earliest_ = 0;
  double now_ = 0;
  double used_ = 0;  // sum of the shares that run
  double first_begin_ = std::numeric_limits<double>::infinity();
  std::size_t ended_ = 0;
  std::vector<Running> running_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> future_;
  // With new lanes:
  std::vector<bool> idle_;  // lanes
  std::vector<double> ways_;
  std::vector<Needs> needs_;
  std::priority_queue<Ready, std::vector<Ready>, Later> ready_;  // by way
  PlacedRun run_;
};

}  // namespace

std::optional<double> replayed_span(const Dependencies& dependencies, const std::vector<double>& shares,
                                    Launches launches) {
  if (dependencies.kernels() == 0) return 0;
  return Replay(dependencies, shares, launches, 0).span();
}

std::optional<PlacedRun> list_run(const Dependencies& dependencies, const std::vector<double>& shares,
                                  Launches launches, std::size_t lanes) {
  IOS_CHECK(lanes > 0);
  if (dependencies.kernels() == 0) return PlacedRun{};
  return Replay(dependencies, shares, launches, lanes).run();
}

}  // namespace iosx
