#include "core/analysis/recording/opportunities.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace iosx {
namespace {

constexpr double kLeastGain = 0.1;         // µs
constexpr double kShortCopy = 5;           // µs: cuBLAS clears its workspace between kernels
constexpr std::size_t kMostTogether = 32;  // kernels at once, between whose pairs a gain is shared out
constexpr std::size_t kBitsOfWord = 64;

using Group = std::vector<std::uint32_t>;

bool moves_or_meets(KernelKind kind) { return kind == KernelKind::kCollective || kind == KernelKind::kHostCopy; }

// What comes before what, over any number of edges.
class Order {
 public:
  explicit Order(const Dependencies& dependencies)
      : words_((dependencies.nodes() + kBitsOfWord - 1) / kBitsOfWord),
        above_(dependencies.nodes() * words_),
        needs_(dependencies.nodes()) {
    std::vector<std::vector<std::uint32_t>> before(dependencies.nodes());
    for (std::uint32_t node = 0; node < dependencies.nodes(); ++node)
      dependencies.each_after(node, [&](std::uint32_t after) { before[after].push_back(node); });
    for (const std::uint32_t node : dependencies.order()) {
      std::uint64_t* const mine = &above_[node * words_];
      for (const std::uint32_t need : before[node]) {
        const std::uint64_t* const theirs = &above_[need * words_];
        for (std::size_t word = 0; word < words_; ++word) mine[word] |= theirs[word];
      }
      for (const std::uint32_t need : before[node]) {
        if (!is_above(need, node)) needs_[node].push_back(need);
      }
      std::ranges::sort(needs_[node]);
      needs_[node].erase(std::unique(needs_[node].begin(), needs_[node].end()), needs_[node].end());
      for (const std::uint32_t need : needs_[node]) mine[need / kBitsOfWord] |= bit(need);
    }
  }

  // What a node waits for, without what others of these wait for.
  const std::vector<std::uint32_t>& needs(std::uint32_t node) const { return needs_[node]; }
  bool is_above(std::uint32_t before, std::uint32_t after) const {
    return (above_[after * words_ + before / kBitsOfWord] & bit(before)) != 0;
  }
  bool independent(std::uint32_t a, std::uint32_t b) const { return a != b && !is_above(a, b) && !is_above(b, a); }

 private:
  static std::uint64_t bit(std::uint32_t node) { return std::uint64_t{1} << (node % kBitsOfWord); }

  std::size_t words_;
  std::vector<std::uint64_t> above_;  // nodes × nodes
  std::vector<std::vector<std::uint32_t>> needs_;
};

bool is_backward_of_product(std::string_view name) {
  constexpr std::array<std::string_view, 5> kProducts{"Addmm", "Mm", "Bmm", "Baddbmm", "Linear"};
  constexpr std::string_view kBackward = "Backward";
  return std::ranges::any_of(kProducts, [&](std::string_view product) {
    return name.size() == product.size() + kBackward.size() + 1 && name.starts_with(product) &&
           name.substr(product.size()).starts_with(kBackward) && name.back() >= '0' && name.back() <= '9';
  });
}

// The longest kernel of each operator inside the backward of a product: gradients of its factors.
std::vector<Group> backward_groups(const Recording& recording) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> found;  // backward, operator, kernel
  for (std::uint32_t i = 0; i < recording.kernels.size(); ++i) {
    if (recording.kernels[i].kind != KernelKind::kGemm) continue;
    const std::uint32_t inner = recording.kernels[i].range;
    std::uint32_t range = inner;
    while (range != kNoIndex && !is_backward_of_product(recording.name(recording.ranges[range].name)))
      range = recording.ranges[range].outer;
    if (range == kNoIndex) continue;
    const auto [longest, first] = found[range].emplace(inner, i);
    if (!first && recording.kernels[i].duration() > recording.kernels[longest->second].duration()) longest->second = i;
  }
  std::vector<Group> groups;
  for (const auto& [range, operators] : found) {
    if (operators.size() < 2) continue;
    Group& group = groups.emplace_back();
    for (const auto& [inner, kernel] : operators) group.push_back(kernel);
    std::ranges::sort(group);
  }
  return groups;
}

// Collects groups; equal ones are one opportunity.
class Ranking {
 public:
  explicit Ranking(const Recording& recording) : recording_(recording) {}

  void add(OpportunityKind kind, const Group& group, bool known, std::optional<RecordedGain> gain) {
    std::string what = what_of(group);
    Entry& entry = entries_[{kind, known, what}];
    entry.groups.emplace_back(gain ? gain->as_graph : time_of(group), group);
    if (!gain) return;
    entry.gains = true;
    entry.gain.as_launched += gain->as_launched;
    entry.gain.as_graph += gain->as_graph;
  }

  // No opportunity wins more than that.
  std::vector<Opportunity> take(RecordedGain most = {}) {
    std::vector<std::pair<double, Opportunity>> ranked;
    for (auto& [key, entry] : entries_) {
      const auto& [kind, known, what] = key;
      if (entry.gains && std::min(entry.gain.as_graph, most.as_graph) < kLeastGain) continue;
      std::ranges::stable_sort(entry.groups, [](const auto& a, const auto& b) { return a.first > b.first; });
      double order = entry.gain.as_graph;
      Opportunity one{.kind = kind, .known = known, .what = what};
      for (auto& [value, group] : entry.groups) {
        if (!entry.gains) order += value;
        one.groups.push_back(std::move(group));
      }
      if (entry.gains) one.as_launched = std::min(entry.gain.as_launched, most.as_launched);
      if (entry.gains) one.as_graph = std::min(entry.gain.as_graph, most.as_graph);
      one.why = why(kind, known, entry.gains);
      ranked.emplace_back(order, std::move(one));
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Opportunity> out;
    out.reserve(ranked.size());
    for (auto& [order, one] : ranked) out.push_back(std::move(one));
    return out;
  }

 private:
  struct Entry {
    bool gains = false;  // it is known how much
    RecordedGain gain;
    std::vector<std::pair<double, Group>> groups;
  };

  double time_of(const Group& group) const {
    double time = 0;
    for (const std::uint32_t i : group) time += recording_.kernels[i].duration();
    return time;
  }

  std::string what_of(const Group& group) const {
    std::map<std::string, std::size_t> counts;
    for (const std::uint32_t i : group) ++counts[kernel_label(recording_, i)];
    std::vector<std::string> parts;
    parts.reserve(counts.size());
    for (const auto& [label, count] : counts) parts.push_back(count > 1 ? fmt::format("{} x {}", count, label) : label);
    return fmt::to_string(fmt::join(parts, " | "));
  }

  // Where there is a gain, some dependencies are known, but perhaps not all of these kernels.
  static Message why(OpportunityKind kind, bool known, bool gains) {
    if (gains && !known)
      return message("no known dependency orders them, but not all that they depend on is known for certain");
    switch (kind) {
      case OpportunityKind::kSiblings: return message("they wait for the same kernels, and for none of each other");
      case OpportunityKind::kBackward:
        return known ? message("both gradients need the gradient of the output, and not each other")
                     : message(
                           "both gradients should need the gradient of the output alone, but only the order of "
                           "the stream is known");
      case OpportunityKind::kBeside:
        return message("no dependency orders them, and they run at the same time on the predicted lanes");
      case OpportunityKind::kAlike: break;
    }
    return message(
        "they are direct neighbours of one function and size, but only the order of the stream is known, "
        "and a chain of equal layers looks the same");
  }

  const Recording& recording_;
  std::map<std::tuple<OpportunityKind, bool, std::string>, Entry> entries_;  // by kind, whether it is known, and name
};

class KnownGroups {
 public:
  KnownGroups(const Dependencies& dependencies, const RecordedEdges& edges, const std::vector<double>& shares)
      : recording_(dependencies.recording()),
        shares_(shares),
        order_(dependencies),
        known_(edges.linked),
        ranking_(dependencies.recording()) {
    for (const RecordedEdge& edge : edges.edges) {
      if (edge.kind == EdgeKind::kGraph || edge.kind == EdgeKind::kData) known_[edge.after] = true;
    }
    certain_ = known_;
    for (const RecordedEdge& edge : edges.edges) {
      const bool guessed = edge.kind == EdgeKind::kData && edge.certainty == EdgeCertainty::kAssumed;
      if (guessed) certain_[edge.before] = certain_[edge.after] = false;
    }
  }

  std::vector<Opportunity> find(const PlacedRun& lanes, RecordedGain most) {
    std::map<std::vector<std::uint32_t>, Group> by_needs;
    for (std::uint32_t i = 0; i < recording_.kernels.size(); ++i) {
      if (known_[i] && !order_.needs(i).empty() && !moves_or_meets(recording_.kernels[i].kind))
        by_needs[order_.needs(i)].push_back(i);
    }
    group_of_.assign(recording_.kernels.size(), kNoIndex);
    std::uint32_t number = 0;
    for (const auto& [needs, group] : by_needs) {
      if (group.size() < 2) continue;
      for (const std::uint32_t i : group) group_of_[i] = number;
      ++number;
      add(OpportunityKind::kSiblings, group);
    }
    for (const Group& group : backward_groups(recording_)) {
      const bool apart = std::ranges::all_of(group, [&](std::uint32_t a) {
        return std::ranges::all_of(group, [&](std::uint32_t b) { return a == b || order_.independent(a, b); });
      });
      if (!apart || in_one_group(group)) continue;
      add(OpportunityKind::kBackward, group);
      for (const std::uint32_t i : group) group_of_[i] = group_of_[i] == kNoIndex ? number : group_of_[i];
      ++number;
    }
    add_beside(lanes);
    return ranking_.take(most);
  }

 private:
  bool certain(const Group& group) const {
    return std::ranges::all_of(group, [&](std::uint32_t i) { return certain_[i]; });
  }

  bool in_one_group(const Group& group) const {
    return std::ranges::all_of(
        group, [&](std::uint32_t i) { return group_of_[i] != kNoIndex && group_of_[i] == group_of_[group.front()]; });
  }

  void add(OpportunityKind kind, const Group& group) {
    double sum = 0;
    double longest = 0;
    double needed = 0;
    for (const std::uint32_t i : group) {
      const double duration = recording_.kernels[i].duration();
      sum += duration;
      longest = std::max(longest, duration);
      needed += shares_[i] * duration;
    }
    const double as_graph = sum - std::max(longest, needed);
    ranking_.add(kind, group, certain(group), RecordedGain{std::min(as_graph, gain_as_launched(group)), as_graph});
  }

  // Returns how much earlier the group could have ended if each kernel had begun as soon as it was launched and what it
  // needs had ended.
  double gain_as_launched(const Group& group) const {
    double recorded = 0;
    double first = recording_.kernels[group.front()].begin;
    double ended = first;
    double needed = 0;
    for (const std::uint32_t i : group) {
      const RecordedKernel& kernel = recording_.kernels[i];
      double ready = kernel.begin;
      if (kernel.launch != kNoIndex && !recording_.of_processor) {
        ready = recording_.launches[kernel.launch].end;
        for (const std::uint32_t need : order_.needs(i)) {
          if (need < recording_.kernels.size()) ready = std::max(ready, recording_.kernels[need].end);
        }
        ready = std::min(ready, kernel.begin);
      }
      recorded = std::max(recorded, kernel.end);
      first = std::min(first, ready);
      ended = std::max(ended, ready + kernel.duration());
      needed += shares_[i] * kernel.duration();
    }
    return std::max(0.0, recorded - std::max(ended, first + needed));
  }

  // Shares out what the lanes save among the pairs of kernels that run at the same time there.
  void add_beside(const PlacedRun& lanes) {
    std::vector<std::tuple<double, bool, std::uint32_t>> changes;  // time, begins, kernel
    for (std::uint32_t i = 0; i < lanes.kernels.size(); ++i) {
      if (lanes.kernels[i].end <= lanes.kernels[i].begin) continue;
      changes.emplace_back(lanes.kernels[i].begin, true, i);
      changes.emplace_back(lanes.kernels[i].end, false, i);
    }
    std::ranges::sort(changes);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> saved;
    Group running;
    double last = 0;
    for (const auto& [time, begins, i] : changes) {
      if (running.size() > 1 && running.size() <= kMostTogether && time > last) {
        double rate = -1;
        for (const std::uint32_t j : running) {
          const PlacedKernel& placed = lanes.kernels[j];
          rate += recording_.kernels[j].duration() / (placed.end - placed.begin);
        }
        const double pairs = static_cast<double>(running.size() * (running.size() - 1)) / 2;
        for (const std::uint32_t a : running) {
          for (const std::uint32_t b : running) {
            if (a < b) saved[{a, b}] += rate * (time - last) / pairs;
          }
        }
      }
      last = time;
      if (begins) running.push_back(i);
      if (!begins) std::erase(running, i);
    }
    for (const auto& [pair, gain] : saved) {
      const Group group{pair.first, pair.second};
      const bool both_meet =
          moves_or_meets(recording_.kernels[pair.first].kind) && moves_or_meets(recording_.kernels[pair.second].kind);
      if (gain <= 0 || both_meet || in_one_group(group)) continue;
      ranking_.add(OpportunityKind::kBeside, group, certain(group),
                   RecordedGain{std::min(gain, gain_as_launched(group)), gain});
    }
  }

  const Recording& recording_;
  const std::vector<double>& shares_;
  Order order_;
  std::vector<bool> known_;    // kernels of which a file says all that they wait for
  std::vector<bool> certain_;  // the same without what was matched by order alone
  Group group_of_;             // siblings and gradients
  Ranking ranking_;
};

}  // namespace

std::string_view opportunity_kind_name(OpportunityKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"siblings", "backward", "beside", "alike"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Opportunity> known_opportunities(const Dependencies& dependencies, const RecordedEdges& edges,
                                             const std::vector<double>& shares, const PlacedRun& lanes,
                                             RecordedGain most) {
  return KnownGroups(dependencies, edges, shares).find(lanes, most);
}

std::vector<Opportunity> possible_opportunities(const Recording& recording) {
  Ranking ranking(recording);
  for (const Group& group : backward_groups(recording)) ranking.add(OpportunityKind::kBackward, group, false, {});
  std::vector<Group> runs(recording.lanes.size());  // the last one of each lane
  const auto finish = [&](Group& run) {
    if (run.size() > 1) ranking.add(OpportunityKind::kAlike, run, false, {});
    run.clear();
  };
  const auto alike = [&](const RecordedKernel& a, const RecordedKernel& b) {
    const bool one_function = a.name == b.name && a.grid == b.grid && a.block == b.block;
    const bool heavy = a.kind == KernelKind::kGemm || a.kind == KernelKind::kConvolution ||
                       a.kind == KernelKind::kAttention || a.kind == KernelKind::kIndex;
    return heavy && one_function && a.has_shape() && a.range != b.range;
  };
  for (std::uint32_t i = 0; i < recording.kernels.size(); ++i) {
    const RecordedKernel& kernel = recording.kernels[i];
    if (kernel.kind == KernelKind::kCopy && kernel.duration() < kShortCopy) continue;
    Group& run = runs[kernel.lane];
    if (!run.empty() && !alike(recording.kernels[run.back()], kernel)) finish(run);
    run.push_back(i);
  }
  for (Group& run : runs) finish(run);
  return ranking.take();
}

}  // namespace iosx
