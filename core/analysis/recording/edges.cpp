#include "core/analysis/recording/edges.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace iosx {
namespace {

constexpr double kOverlap = 1.5;     // µs: clocks of a device are no more exact
constexpr double kAtTheSame = 1;     // µs
constexpr double kLateReturn = 2;    // µs: a wait of the host may end a little before the kernel does
constexpr double kShortestWait = 5;  // µs: a shorter one waited for nothing

constexpr std::size_t kMostAcross = 10'000;      // kernels on either side of a wait
constexpr std::size_t kMostLooks = 200'000'000;  // of all waits of the host at all lanes

// Which edge stays where several rules give the same pair.
int rank_of(const RecordedEdge& edge) {
  switch (edge.kind) {
    case EdgeKind::kData: return 0;
    case EdgeKind::kGraph: return 1;
    case EdgeKind::kInner: return 2;
    case EdgeKind::kOrder: return 3;
    case EdgeKind::kComm: return 4;
    case EdgeKind::kHost: return 6;
    case EdgeKind::kEvent: break;
  }
  return edge.certainty == EdgeCertainty::kKnown ? 5 : 6;
}

// A mangled name has the function's own one behind its length.
bool is_function(const std::string& node, const std::string& kernel) {
  const std::string function = short_name(kernel);
  if (node.starts_with("_Z")) return node.find(std::to_string(function.size()) + function) != std::string::npos;
  return short_name(node) == function;
}

class EdgeFinder {
 public:
  explicit EdgeFinder(const Recording& recording) : recording_(recording) {
    out_.linked = recording.in_network;
    out_.linked.resize(recording.kernels.size(), false);
  }

  RecordedEdges find() {
    out_.edges = recording_.edges;
    out_.incomplete = !add_data_edges(recording_, out_.edges, out_.linked);
    sort_launches();
    for (std::vector<std::uint32_t>& lane : by_lane_) add_order(lane);
    for (const StreamWait& wait : recording_.stream_waits) add_wait(wait);
    find_barriers();
    trust_graphs();
    add_dumps();
    settle_edges();
    return std::move(out_);
  }

 private:
  // Kernels in the order of their launch, with its time.
  struct Launched {
    double at = 0;
    std::uint32_t kernel = 0;
    std::uint32_t other = kNoIndex;  // place in the list of the last one before it on another lane
  };

  const RecordedKernel& kernel(std::uint32_t i) const { return recording_.kernels[i]; }
  bool linked(std::uint32_t i) const { return out_.linked[i]; }
  void add(std::uint32_t before, std::uint32_t after, EdgeKind kind, EdgeCertainty certainty) {
    if (before != after) out_.edges.push_back({before, after, kind, certainty});
  }

  void sort_launches() {
    by_lane_.resize(recording_.lanes.size());
    on_lane_.resize(recording_.lanes.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < recording_.kernels.size(); ++i) {
      by_lane_[kernel(i).lane].push_back(i);
      if (kernel(i).launch != kNoIndex) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
      return std::tuple(recording_.launches[kernel(i).launch].begin, kernel(i).begin);
    });
    for (const std::uint32_t i : order) {
      const HostLaunch& launch = recording_.launches[kernel(i).launch];
      on_lane_[kernel(i).lane].push_back({launch.begin, i});
      List& list = of_thread_[launch.thread];
      Launched made{launch.begin, i};
      if (!list.empty()) {
        const bool changes = kernel(list.back().kernel).lane != kernel(i).lane;
        made.other = changes ? static_cast<std::uint32_t>(list.size() - 1) : list.back().other;
      }
      list.push_back(made);
    }
    for (const EventRecord& record : recording_.event_records) records_[record.thread].push_back(record.at);
    for (auto& [thread, times] : records_) std::ranges::sort(times);
  }

  // A kernel of which nothing is known stays behind all before it on its stream, and before all after it.
  void add_order(const std::vector<std::uint32_t>& lane) {
    std::optional<std::uint32_t> last;  // such a kernel
    std::vector<std::uint32_t> since;   // others after it
    std::optional<std::uint32_t> collective;
    for (const std::uint32_t i : lane) {
      const bool by_last = linked(i) || since.empty();
      if (by_last && last) add(*last, i, EdgeKind::kOrder, EdgeCertainty::kAssumed);
      if (!by_last) {
        for (const std::uint32_t j : since) add(j, i, EdgeKind::kOrder, EdgeCertainty::kAssumed);
      }
      if (linked(i)) {
        since.push_back(i);
      } else {
        last = i;
        since.clear();
      }
      if (kernel(i).kind != KernelKind::kCollective) continue;
      if (collective) add(*collective, i, EdgeKind::kComm, EdgeCertainty::kKnown);
      collective = i;
    }
  }

  using List = std::vector<Launched>;
  static List::const_iterator from(const List& list, double time) {
    return std::ranges::lower_bound(list, time, {}, &Launched::at);
  }

  // The last kernel before the record on its stream comes before the first one after the wait on its stream. Where the
  // file does not say which event it is, what the thread launched around both calls says it.
  void add_wait(const StreamWait& wait) {
    const bool told = wait.recorded && wait.lane != kNoIndex;
    double recorded = wait.at;
    std::optional<std::uint32_t> source;
    std::optional<std::uint32_t> waiting;
    if (told) {
      recorded = *wait.recorded;
      if (wait.source >= on_lane_.size() || wait.lane >= on_lane_.size()) return;
      const List& there = on_lane_[wait.source];
      const List& here = on_lane_[wait.lane];
      const auto before = from(there, recorded);
      const auto after = from(here, wait.at);
      if (before != there.begin()) source = std::prev(before)->kernel;
      if (after != here.end()) waiting = after->kernel;
    } else {
      const auto thread = of_thread_.find(wait.thread);
      if (thread == of_thread_.end()) return;
      const auto after = from(thread->second, wait.at);
      if (after == thread->second.end()) return;
      waiting = after->kernel;
      if (const auto records = records_.find(wait.thread); records != records_.end()) {
        const auto next = std::ranges::lower_bound(records->second, wait.at);
        if (next != records->second.begin()) recorded = *std::prev(next);
      }
      const auto next = from(thread->second, recorded);
      if (next != thread->second.begin()) {
        const Launched& last = *std::prev(next);
        const bool other = kernel(last.kernel).lane != kernel(*waiting).lane;
        if (other) source = last.kernel;
        if (!other && last.other != kNoIndex) source = thread->second[last.other].kernel;
      }
    }
    if (!source || !waiting || kernel(*source).lane == kernel(*waiting).lane) return;
    if (kernel(*source).end > kernel(*waiting).begin + kAtTheSame) {
      // What was guessed is a wrong guess.
      if (told && kernel(*source).end > kernel(*waiting).begin + kOverlap)
        ++out_.broken[static_cast<std::size_t>(EdgeKind::kEvent)];
      return;
    }
    add_across(on_lane_[kernel(*source).lane], recorded, on_lane_[kernel(*waiting).lane], wait.at,
               told ? EdgeCertainty::kKnown : EdgeCertainty::kAssumed);
  }

  // Kernels of which all is known need no event: the edge goes on to the next kernel of which it is not.
  void add_across(const List& there, double recorded, const List& here, double waited, EdgeCertainty certainty) {
    std::vector<std::uint32_t> before;
    for (auto one = from(there, recorded); one != there.begin() && before.size() < kMostAcross;) {
      before.push_back((--one)->kernel);
      if (!linked(before.back())) break;
    }
    std::vector<std::uint32_t> after;
    for (auto one = from(here, waited); one != here.end() && after.size() < kMostAcross; ++one) {
      after.push_back(one->kernel);
      if (!linked(after.back())) break;
    }
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
      if (linked(a) && linked(b)) return;
      if (kernel(a).end <= kernel(b).begin + kAtTheSame) add(a, b, EdgeKind::kEvent, certainty);
    };
    if (before.empty() || after.empty()) return;
    out_.incomplete = out_.incomplete || before.size() == kMostAcross || after.size() == kMostAcross;
    for (const std::uint32_t b : after) join(before.back(), b);
    for (const std::uint32_t a : before) {
      if (a != before.back()) join(a, after.back());
    }
  }

  void find_barriers() {
    std::size_t looks = 0;
    for (const HostWait& wait : recording_.host_waits) {
      if ((looks += on_lane_.size()) > kMostLooks) {
        out_.incomplete = true;
        return;
      }
      Barrier barrier{wait.begin, wait.end, {}};
      for (std::size_t lane = 0; lane < on_lane_.size(); ++lane) {
        if (wait.lane != kNoIndex && wait.lane != lane) continue;
        const auto next = from(on_lane_[lane], wait.begin);
        if (next == on_lane_[lane].begin()) continue;
        const std::uint32_t last = std::prev(next)->kernel;
        if (kernel(last).end <= wait.end + kLateReturn) barrier.kernels.push_back(last);
      }
      if (barrier.kernels.empty() && wait.end - wait.begin <= kShortestWait) continue;
      const bool repeats =
          !barrier.kernels.empty() && !out_.barriers.empty() && out_.barriers.back().kernels == barrier.kernels;
      if (!repeats) out_.barriers.push_back(std::move(barrier));
    }
  }

  // Within a launch whose graph edges the file has, the order of a stream is no edge.
  void trust_graphs() {
    std::vector<bool> told(recording_.launches.size(), false);
    for (const RecordedEdge& edge : recording_.edges) {
      const std::uint32_t launch = kernel(edge.before).launch;
      if (edge.kind == EdgeKind::kGraph && launch != kNoIndex && kernel(edge.after).launch == launch)
        told[launch] = true;
    }
    std::erase_if(out_.edges, [&](const RecordedEdge& edge) {
      const std::uint32_t launch = kernel(edge.before).launch;
      return edge.kind == EdgeKind::kOrder && launch != kNoIndex && kernel(edge.after).launch == launch && told[launch];
    });
  }

  // Returns whether nine of ten kernels have the functions of the nodes, whose names may be mangled.
  bool has_functions_of(const GraphDump& dump, const std::vector<std::uint32_t>& members) const {
    constexpr double kLeastAlike = 0.9;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RecordedKernel& one = kernel(members[i]);
      const bool moves = one.kind == KernelKind::kCopy || one.kind == KernelKind::kHostCopy;  // a node has no name then
      alike += moves || is_function(dump.nodes[i], recording_.name(one.name)) ? 1 : 0;
    }
    return static_cast<double>(alike) >= kLeastAlike * static_cast<double>(members.size());
  }

  // A launch of a drawn graph is as many kernels of one call as the drawing has, and the same ones; nodes are in the
  // order of the capture.
  void add_dumps() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_launch;
    for (std::uint32_t i = 0; i < recording_.kernels.size() && !recording_.dumps.empty(); ++i) {
      if (kernel(i).launch != kNoIndex) of_launch[kernel(i).launch].push_back(i);
    }
    for (const GraphDump& dump : recording_.dumps) {
      std::vector<std::uint32_t> launch(recording_.kernels.size(), kNoIndex);
      std::size_t found = 0;
      std::vector<RecordedEdge> made;
      for (auto& [call, members] : of_launch) {
        if (members.size() != dump.nodes.size() || members.size() < 2) continue;
        std::ranges::stable_sort(members, {},
                                 [&](std::uint32_t i) { return std::tuple(kernel(i).node, kernel(i).begin); });
        if (!has_functions_of(dump, members)) continue;
        ++found;
        for (const std::uint32_t i : members) launch[i] = call;
        for (const auto& [before, after] : dump.edges)
          made.push_back({members[before], members[after], EdgeKind::kGraph, EdgeCertainty::kKnown});
      }
      std::erase_if(out_.edges, [&](const RecordedEdge& edge) {
        return launch[edge.before] != kNoIndex && launch[edge.before] == launch[edge.after];
      });
      out_.edges.insert(out_.edges.end(), made.begin(), made.end());
      out_.graph_launches += found;
      out_.dumps_without_launch += found == 0 ? 1 : 0;
    }
  }

  void settle_edges() {
    std::ranges::stable_sort(out_.edges, [](const RecordedEdge& a, const RecordedEdge& b) {
      return std::tuple(a.after, a.before, rank_of(a)) < std::tuple(b.after, b.before, rank_of(b));
    });
    const auto same = [](const RecordedEdge& a, const RecordedEdge& b) {
      return a.after == b.after && a.before == b.before;
    };
    out_.edges.erase(std::unique(out_.edges.begin(), out_.edges.end(), same), out_.edges.end());
    for (const RecordedEdge& edge : out_.edges) {
      if (kernel(edge.before).end > kernel(edge.after).begin + kOverlap)
        ++out_.broken[static_cast<std::size_t>(edge.kind)];
      if (edge.kind == EdgeKind::kData && kernel(edge.before).lane != kernel(edge.after).lane) ++out_.across_lanes;
    }
  }

  const Recording& recording_;
  std::vector<std::vector<std::uint32_t>> by_lane_;  // kernels of each lane, by begin
  std::vector<List> on_lane_;                        // by launch
  std::map<std::uint32_t, List> of_thread_;          // by launch
  std::map<std::uint32_t, std::vector<double>> records_;
  RecordedEdges out_;
};

}  // namespace

std::size_t RecordedEdges::count(EdgeKind kind, EdgeCertainty certainty) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      edges, [&](const RecordedEdge& edge) { return edge.kind == kind && edge.certainty == certainty; }));
}

std::size_t RecordedEdges::kernels_linked() const { return static_cast<std::size_t>(std::ranges::count(linked, true)); }

bool dependencies_known(const Recording& recording, const RecordedEdges& edges) {
  return recording.execution || edges.graph_launches > 0 || !recording.edges.empty();
}

RecordedEdges edges_of(const Recording& recording) { return EdgeFinder(recording).find(); }

}  // namespace iosx
