#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/formats/external/match.h"
#include "core/formats/external/open_recording.h"

namespace iosx {
namespace {

constexpr double kLeastMatched = 0.8;  // of the kernels' time
constexpr double kMicrosOfMillis = 1e3;

// One operator launched these kernels.
struct LaunchedGroup {
  std::vector<std::uint32_t> kernels;  // in the order of their launch
  external::Beside beside = external::Beside::kNone;
  OperatorMatch match = {};
};

bool computes_something(const RecordedKernel& kernel) {
  return kernel.kind != KernelKind::kCollective && kernel.kind != KernelKind::kHostCopy &&
         kernel.kind != KernelKind::kCopy;
}

class NetworkLink {
 public:
  NetworkLink(Recording& recording, const Graph& graph) : recording_(recording), graph_(graph) {}

  Result<void> link(const std::string& file) {
    find_groups();
    match_groups();
    if (const std::size_t runs = runs_of_network(); runs > 1)
      return fail(message("has {} runs of the network", runs), file, message("open one step of the recording"));
    join_helpers();
    if (const std::size_t steps = steps_with_kernels(); steps > 1)
      return fail(message("has {} steps", steps), file, message("open one step of the recording"));
    double all = 0;
    double matched = 0;
    for (const LaunchedGroup& group : groups_) {
      for (const std::uint32_t i : group.kernels) {
        all += recording_.kernels[i].duration();
        if (group.match.rule != MatchRule::kNone) matched += recording_.kernels[i].duration();
      }
    }
    if (all <= 0 || matched < kLeastMatched * all) {
      return fail(message("only {:.0f} % of its kernels' time is of operators of the network",
                          all > 0 ? 100 * matched / all : 0.0),
                  file, message("open the network that ran, and one step of the recording"));
    }
    add_edges();
    return {};
  }

 private:
  // Returns the outermost operator around the launch of which it is known what it computes.
  std::uint32_t operator_of(const RecordedKernel& kernel) const {
    std::uint32_t found = kNoIndex;
    for (std::uint32_t i = kernel.range; i != kNoIndex; i = recording_.ranges[i].outer) {
      const RecordedRange& range = recording_.ranges[i];
      if (range.kind == RangeKind::kOperator && external::kinds_of_type(recording_.name(range.name)) != 0) found = i;
    }
    return found;
  }

  std::vector<std::string> annotations_of(const RecordedKernel& kernel) const {
    std::vector<std::string> names;
    for (std::uint32_t i = kernel.range; i != kNoIndex; i = recording_.ranges[i].outer) {
      if (recording_.ranges[i].kind == RangeKind::kAnnotation)
        names.push_back(recording_.name(recording_.ranges[i].name));
    }
    return names;
  }

  void find_groups() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < recording_.kernels.size(); ++i) {
      if (computes_something(recording_.kernels[i])) order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
      const RecordedKernel& kernel = recording_.kernels[i];
      return std::pair(kernel.launch == kNoIndex ? kernel.begin : recording_.launch_begin(kernel), i);
    });
    std::map<std::uint32_t, std::size_t> of_operator;
    for (const std::uint32_t i : order) {
      const RecordedKernel& kernel = recording_.kernels[i];
      const std::uint32_t range = operator_of(kernel);
      const auto [known, first] = of_operator.emplace(range, groups_.size());
      if (range != kNoIndex && !first) {
        groups_[known->second].kernels.push_back(i);
        continue;
      }
      ExternalEntry entry{.name = recording_.name(kernel.name), .within = annotations_of(kernel)};
      if (kernel.name < recording_.operators.size()) {
        const NamedOperator& told = recording_.operators[kernel.name];
        entry.type = told.type;
        entry.output = told.output;
        entry.inputs = told.inputs;
        entry.dims = told.dims;
      }
      if (range != kNoIndex) entry.type = recording_.name(recording_.ranges[range].name);
      entry.duration = Millis(kernel.duration() / kMicrosOfMillis);
      run_.entries.push_back(std::move(entry));
      groups_.push_back({.kernels = {i}});
      if (range == kNoIndex) groups_.back().beside = external::beside_of_kernel(recording_.name(kernel.name));
    }
  }

  void match_groups() {
    match_operators(run_, graph_);
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].match = std::move(run_.entries[g].match);
  }

  // Counts how often operators ran a function, of several the rarest. Most of them ran it once in each run.
  std::size_t runs_of_network() const {
    std::map<std::pair<OperatorId, std::string_view>, std::size_t> times;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const OperatorMatch& match = groups_[g].match;
      if (match.rule == MatchRule::kNone || match.rule == MatchRule::kOrder) continue;
      for (const OperatorId op : match.operators) ++times[{op, run_.entries[g].name}];
    }
    std::map<OperatorId, std::size_t> least;
    for (const auto& [function, count] : times) {
      const auto [known, is_new] = least.emplace(function.first, count);
      if (!is_new) known->second = std::min(known->second, count);
    }
    if (least.empty()) return 0;
    std::vector<std::size_t> counts;
    for (const auto& [op, count] : least) counts.push_back(count);
    const auto middle = counts.begin() + static_cast<std::ptrdiff_t>((counts.size() - 1) / 2);
    std::ranges::nth_element(counts, middle);
    return *middle;
  }

  // Returns how many steps have kernels, in a recording that was not cut to one.
  std::size_t steps_with_kernels() const {
    if (recording_.window) return 1;
    std::vector<double> times;
    for (const RecordedKernel& kernel : recording_.kernels)
      times.push_back(kernel.launch == kNoIndex ? kernel.begin : recording_.launch_begin(kernel));
    std::ranges::sort(times);
    return static_cast<std::size_t>(std::ranges::count_if(recording_.ranges, [&](const RecordedRange& range) {
      const auto first = std::ranges::lower_bound(times, range.begin);
      return range.kind == RangeKind::kStep && first != times.end() && *first < range.end;
    }));
  }

  // A kernel that changes a layout, or adds up parts, belongs to the operator before or after it.
  void join_helpers() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].match.rule != MatchRule::kNone) continue;
      if (groups_[g].beside == external::Beside::kPrevious && g > 0) groups_[g].match = groups_[g - 1].match;
    }
    for (std::size_t g = groups_.size(); g-- > 0;) {
      if (groups_[g].match.rule != MatchRule::kNone) continue;
      if (groups_[g].beside == external::Beside::kNext && g + 1 < groups_.size())
        groups_[g].match = groups_[g + 1].match;
    }
  }

  void add_edges() {
    std::vector<std::vector<std::uint32_t>> kernels(graph_.operators().size());  // by operator
    std::vector<bool> guessed(recording_.kernels.size(), false);
    recording_.in_network.assign(recording_.kernels.size(), false);
    std::size_t by_order = 0;
    for (const LaunchedGroup& group : groups_) {
      if (group.match.rule == MatchRule::kNone) continue;
      for (const OperatorId op : group.match.operators) {
        auto& of_op = kernels[op.index()];
        of_op.insert(of_op.end(), group.kernels.begin(), group.kernels.end());
      }
      for (const std::uint32_t i : group.kernels) {
        recording_.in_network[i] = true;
        guessed[i] = group.match.rule == MatchRule::kOrder;
        by_order += guessed[i] ? 1 : 0;
      }
    }
    const auto add = [&](std::uint32_t before, std::uint32_t after, EdgeKind kind, EdgeCertainty certainty) {
      if (before != after) recording_.edges.push_back({before, after, kind, certainty});
    };
    std::vector<std::set<std::uint32_t>> ends(graph_.operators().size());  // the last kernels that make its output
    for (std::size_t o = 0; o < kernels.size(); ++o) {
      std::set<std::uint32_t> needs;
      for (const Value& input : graph_.op(OperatorId(o)).inputs) {
        const auto& made = ends[input.producer.index()];
        needs.insert(made.begin(), made.end());
      }
      if (kernels[o].empty()) {
        ends[o] = std::move(needs);
        continue;
      }
      ends[o] = {kernels[o].back()};
      for (const std::uint32_t need : needs) {
        const std::uint32_t first = kernels[o].front();
        add(need, first, EdgeKind::kData,
            guessed[need] || guessed[first] ? EdgeCertainty::kAssumed : EdgeCertainty::kKnown);
      }
      for (std::size_t k = 1; k < kernels[o].size(); ++k)
        add(kernels[o][k - 1], kernels[o][k], EdgeKind::kInner, EdgeCertainty::kAssumed);
    }
    if (by_order > 0) {
      recording_.notices.push_back(
          message("{} kernels are matched to the network by their order and type, so dependencies of these are a guess",
                  by_order));
    }
  }

  Recording& recording_;
  const Graph& graph_;
  std::vector<LaunchedGroup> groups_;  // as the entries of the run
  ExternalRun run_;
};

}  // namespace

Result<void> link_network(Recording& recording, const Graph& graph, const std::string& file) {
  return NetworkLink(recording, graph).link(file);
}

}  // namespace iosx
