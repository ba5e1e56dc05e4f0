#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/recording/edges.h"

namespace iosx {
namespace {

constexpr std::size_t kMostComparisons = 100'000'000;  // of an access to those before

// Returns whether an operator of this name only gets memory, without content.
bool allocates(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  if (colons == std::string_view::npos) return false;
  std::string_view own = name.substr(colons + 2);
  if (own.starts_with("new_")) own.remove_prefix(4);
  return own == "empty" || own == "empty_like" || own == "empty_strided" || own == "empty_quantized";
}

class DataEdges {
 public:
  DataEdges(const Recording& recording, std::vector<RecordedEdge>& edges, std::vector<bool>& linked)
      : recording_(recording), trace_(*recording.execution), edges_(edges), linked_(linked) {}

  // Returns whether there was time for all.
  bool add() {
    find_kernels_of_nodes();
    sort_by_thread();
    for (const Moment& moment : moments()) {
      moment.leaving ? leave(moment) : enter(moment);
      if (comparisons_ > kMostComparisons) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kNobody = kNoIndex;

  // An access to a storage by a kernel.
  struct Entry {
    std::uint32_t kernel = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool writes = false;
  };
  // The host launches the first kernel of a node, or leaves an operator that made tensors.
  struct Moment {
    double time = 0;
    bool leaving = false;
    std::uint32_t node = 0;
    std::uint32_t range = kNobody;
  };
  struct Owner {
    std::vector<std::uint32_t> kernels;  // in the order of their launch
    std::uint32_t range = kNobody;
  };

  const RecordedKernel& kernel(std::uint32_t i) const { return recording_.kernels[i]; }
  double launch(std::uint32_t i) const { return recording_.launch_begin(kernel(i)); }

  // Returns the innermost operator around a kernel that has tensors.
  std::uint32_t operator_of(std::uint32_t i) const {
    std::uint32_t range = kernel(i).range;
    while (range != kNobody) {
      const std::uint32_t node = recording_.ranges[range].node;
      if (node != kNobody && trace_.nodes[node].has_tensors()) return range;
      range = recording_.ranges[range].outer;
    }
    return kNobody;
  }

  void find_kernels_of_nodes() {
    order_.resize(recording_.kernels.size());
    owner_.assign(recording_.kernels.size(), kNobody);
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(launch(a), kernel(a).begin) < std::tuple(launch(b), kernel(b).begin);
    });
    for (const std::uint32_t i : order_) {
      const std::uint32_t range = operator_of(i);
      if (range == kNobody || !trace_.nodes[recording_.ranges[range].node].known) continue;
      Owner& owner = owners_[recording_.ranges[range].node];
      owner.kernels.push_back(i);
      owner.range = range;
      linked_[i] = true;
      owner_[i] = recording_.ranges[range].node;
    }
    for (const auto& [node, owner] : owners_) {
      for (std::size_t k = 1; k < owner.kernels.size(); ++k)
        edges_.push_back({owner.kernels[k - 1], owner.kernels[k], EdgeKind::kInner, EdgeCertainty::kAssumed});
    }
  }

  void sort_by_thread() {
    place_.assign(recording_.kernels.size(), kNobody);
    for (const std::uint32_t i : order_) {
      if (kernel(i).launch == kNoIndex) continue;
      std::vector<std::uint32_t>& list = by_thread_[recording_.launches[kernel(i).launch].thread];
      place_[i] = static_cast<std::uint32_t>(list.size());
      list.push_back(i);
    }
  }

  std::vector<Moment> moments() const {
    std::vector<Moment> all;
    for (const auto& [node, owner] : owners_) all.push_back({launch(owner.kernels.front()), false, node, owner.range});
    for (std::uint32_t r = 0; r < recording_.ranges.size(); ++r) {
      const std::uint32_t node = recording_.ranges[r].node;
      if (node != kNobody && !trace_.nodes[node].fresh.empty())
        all.push_back({recording_.ranges[r].end, true, node, r});
    }
    std::ranges::sort(all, [](const Moment& a, const Moment& b) {
      return std::tie(a.time, a.leaving, a.node, a.range) < std::tie(b.time, b.leaving, b.node, b.range);
    });
    return all;
  }

  void access(const std::vector<std::uint32_t>& own, const StorageRange& place, bool write) {
    std::vector<Entry>& log = log_[place.storage];
    std::size_t kept = 0;
    comparisons_ += log.size();
    for (const Entry entry : log) {
      const bool meets = entry.begin < place.end && place.begin < entry.end;
      if (meets && (entry.writes || write) && owner_[entry.kernel] != entered_)
        edges_.push_back({entry.kernel, own.front(), EdgeKind::kData, EdgeCertainty::kKnown});
      if (!(write && place.begin <= entry.begin && entry.end <= place.end)) log[kept++] = entry;
    }
    log.resize(kept);
    log.push_back({own.back(), place.begin, place.end, write});
  }

  void enter(const Moment& moment) {
    entered_ = moment.node;
    const ExecutionNode& node = trace_.nodes[moment.node];
    const std::vector<std::uint32_t>& own = owners_.at(moment.node).kernels;
    for (const StorageRange& place : node.reads) access(own, place, false);
    for (const StorageRange& place : node.writes) access(own, place, true);
    const double began = recording_.ranges[moment.range].begin;
    for (const std::int64_t storage : node.fresh) {
      // An operator that it called may have begun to fill it.
      const auto fills = [&](const Entry& entry) {
        return entry.writes && launch(entry.kernel) >= began && owner_[entry.kernel] != entered_;
      };
      if (std::ranges::any_of(log_[storage], fills)) access(own, {.storage = storage}, true);
      log_[storage] = {{own.back(), 0, StorageRange::kAllBytes, true}};
    }
  }

  void leave(const Moment& moment) {
    if (owners_.contains(moment.node)) return;
    const RecordedRange& range = recording_.ranges[moment.range];
    const auto thread = by_thread_.find(range.thread);
    std::uint32_t first = 0;
    std::uint32_t end = 0;  // of what the operator launched, in the list of its thread
    if (thread != by_thread_.end()) {
      const auto time = [&](std::uint32_t i) { return launch(i); };
      const auto begin = thread->second.begin();
      first = static_cast<std::uint32_t>(std::ranges::lower_bound(thread->second, range.begin, {}, time) - begin);
      end = static_cast<std::uint32_t>(std::ranges::upper_bound(thread->second, range.end, {}, time) - begin);
    }
    const bool launched = first < end;
    const auto is_own_write = [&](const Entry& entry) {
      const RecordedKernel& made = kernel(entry.kernel);
      return entry.writes && made.launch != kNoIndex && recording_.launches[made.launch].thread == range.thread &&
             place_[entry.kernel] >= first && place_[entry.kernel] < end;
    };
    for (const std::int64_t storage : trace_.nodes[moment.node].fresh) {
      if (!launched && allocates(trace_.nodes[moment.node].name)) {
        log_[storage].clear();
      } else if (launched && std::ranges::none_of(log_[storage], is_own_write)) {
        log_[storage] = {{thread->second[end - 1], 0, StorageRange::kAllBytes, true}};  // something without a node did
      }
    }
  }

  const Recording& recording_;
  const ExecutionTrace& trace_;
  std::vector<RecordedEdge>& edges_;
  std::vector<bool>& linked_;
  std::vector<std::uint32_t> owner_;                                         // the node of each kernel
  std::uint32_t entered_ = kNobody;                                          // the node whose accesses are added now
  std::vector<std::uint32_t> order_;                                         // kernels by launch
  std::vector<std::uint32_t> place_;                                         // of a kernel in by_thread_
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_thread_;  // kernels by launch
  std::map<std::uint32_t, Owner> owners_;                                    // by node
  std::unordered_map<std::int64_t, std::vector<Entry>> log_;                 // by storage
  std::size_t comparisons_ = 0;
};

}  // namespace

bool add_data_edges(const Recording& recording, std::vector<RecordedEdge>& edges, std::vector<bool>& linked) {
  return !recording.execution || DataEdges(recording, edges, linked).add();
}

}  // namespace iosx
