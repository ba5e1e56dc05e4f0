#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

constexpr double kLeastMatched = 0.9;
constexpr std::size_t kNodesOfNobody = 3;  // the trace's own: process, thread, root
constexpr std::size_t kShortestRun = 3;    // of operators and nodes alike, in order
constexpr std::uint32_t kNoNode = kNoIndex;

bool is_operator_range(const Recording& recording, const RecordedRange& range) {
  if (range.kind != RangeKind::kOperator && range.kind != RangeKind::kAnnotation) return false;
  return !recording.window || (recording.window->first <= range.begin && range.begin < recording.window->second);
}

// Pairs equal words of two texts in order, as many as there are (Myers 1986, "An O(ND) difference algorithm"). Returns
// for each word of `a` its place in `b`, or kNoNode; nothing where more than `most` words differ.
std::optional<std::vector<std::uint32_t>> paired(const std::vector<std::uint32_t>& a,
                                                 const std::vector<std::uint32_t>& b, std::size_t most) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const auto limit = static_cast<std::ptrdiff_t>(std::min(most, a.size() + b.size()));
  // Of each number of differences, how far each diagonal reaches: its places from -d to d.
  std::vector<std::vector<std::int32_t>> reached;
  std::vector<std::int32_t> far(static_cast<std::size_t>(2 * limit + 3), 0);
  const auto at = [&](std::ptrdiff_t diagonal) -> std::int32_t& {
    return far[static_cast<std::size_t>(diagonal + limit + 1)];
  };
  std::ptrdiff_t differences = 0;
  for (bool done = false; !done; ++differences) {
    if (differences > limit) return std::nullopt;
    const std::ptrdiff_t d = differences;
    for (std::ptrdiff_t k = -d; k <= d && !done; k += 2) {
      const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
      std::ptrdiff_t x = d == 0 ? 0 : down ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && x - k >= 0 && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
        ++x;
      at(k) = static_cast<std::int32_t>(x);
      done = x >= n && x - k >= m;
    }
    reached.emplace_back(far.begin() + (limit + 1 - d), far.begin() + (limit + 2 + d));
  }
  std::vector<std::uint32_t> place(a.size(), kNoNode);
  std::ptrdiff_t x = n;
  std::ptrdiff_t y = m;
  for (std::ptrdiff_t d = differences - 1; d >= 0; --d) {
    const std::ptrdiff_t k = x - y;
    const auto before = [&](std::ptrdiff_t diagonal) -> std::ptrdiff_t {
      return reached[static_cast<std::size_t>(d - 1)][static_cast<std::size_t>(diagonal + d - 1)];
    };
    std::ptrdiff_t from = 0;  // where the run of equal words begins
    bool down = false;
    if (d > 0) {
      down = k == -d || (k != d && before(k - 1) < before(k + 1));
      from = down ? before(k + 1) : before(k - 1) + 1;
    }
    while (x > from && x > 0 && y > 0) {
      --x;
      --y;
      place[static_cast<std::size_t>(x)] = static_cast<std::uint32_t>(y);
    }
    if (d > 0) (down ? y : x) -= 1;
  }
  return place;
}

class Linker {
 public:
  Linker(Recording& recording, ExecutionTrace& trace) : recording_(recording), trace_(trace) {
    for (std::uint32_t i = 0; i < recording.ranges.size(); ++i) {
      if (is_operator_range(recording, recording.ranges[i])) operators_.push_back(i);
    }
    std::ranges::stable_sort(operators_, [&](std::uint32_t a, std::uint32_t b) {
      const RecordedRange& one = recording_.ranges[a];
      const RecordedRange& other = recording_.ranges[b];
      return std::tuple(one.begin, -one.end) < std::tuple(other.begin, -other.end);
    });
  }

  bool link() {
    if (!link_by_ids() && !link_by_names()) return false;
    const auto linked = static_cast<double>(
        std::ranges::count_if(operators_, [&](std::uint32_t i) { return recording_.ranges[i].node != kNoNode; }));
    const double nodes = static_cast<double>(trace_.nodes.size()) - static_cast<double>(kNodesOfNobody);
    return !operators_.empty() && linked >= kLeastMatched * static_cast<double>(operators_.size()) &&
           linked >= kLeastMatched * nodes;
  }

 private:
  const std::string& name(std::uint32_t i) const { return recording_.name(recording_.ranges[i].name); }

  bool link_by_ids() {
    std::unordered_map<std::int32_t, std::uint32_t> of_id;
    for (std::uint32_t n = 0; n < trace_.nodes.size(); ++n) {
      if (trace_.nodes[n].record_function >= 0) of_id[trace_.nodes[n].record_function] = n;
    }
    std::size_t found = 0;
    std::vector<std::uint32_t> nodes(operators_.size(), kNoNode);
    for (std::size_t k = 0; k < operators_.size(); ++k) {
      const std::int32_t id = recording_.ranges[operators_[k]].record_function;
      const auto node = id < 0 ? of_id.end() : of_id.find(id);
      if (node == of_id.end() || trace_.nodes[node->second].name != name(operators_[k])) continue;
      nodes[k] = node->second;
      ++found;
    }
    if (2 * found <= operators_.size()) return false;
    for (std::size_t k = 0; k < operators_.size(); ++k) recording_.ranges[operators_[k]].node = nodes[k];
    return true;
  }

  bool link_by_names() {
    std::unordered_map<std::string, std::uint32_t> words;
    const auto word = [&](const std::string& text) {
      return words.emplace(text, static_cast<std::uint32_t>(words.size())).first->second;
    };
    std::map<std::int64_t, std::vector<std::uint32_t>> theirs;  // nodes of each thread
    for (std::uint32_t n = 0; n < trace_.nodes.size(); ++n) theirs[trace_.nodes[n].thread].push_back(n);
    std::map<std::uint32_t, std::vector<std::uint32_t>> mine;
    for (const std::uint32_t i : operators_) mine[recording_.ranges[i].thread].push_back(i);
    bool all = true;
    for (const auto& [thread, ranges] : mine) {
      std::unordered_map<std::uint32_t, std::size_t> times;
      std::vector<std::uint32_t> names;
      for (const std::uint32_t i : ranges) names.push_back(word(name(i)));
      for (const std::uint32_t one : names) ++times[one];
      const std::vector<std::uint32_t>* best = nullptr;
      std::size_t most = 0;
      for (const auto& [id, nodes] : theirs) {
        auto left = times;
        std::size_t common = 0;
        for (const std::uint32_t n : nodes) {
          const auto found = left.find(word(trace_.nodes[n].name));
          if (found != left.end() && found->second > 0) {
            --found->second;
            ++common;
          }
        }
        if (best == nullptr || common > most) {
          best = &nodes;
          most = common;
        }
      }
      if (best == nullptr) return false;
      all = pair_thread(ranges, names, *best, word) && all;
    }
    return all;
  }

  template <typename Word>
  bool pair_thread(const std::vector<std::uint32_t>& ranges, const std::vector<std::uint32_t>& names,
                   const std::vector<std::uint32_t>& nodes, Word word) {
    std::vector<std::uint32_t> others;
    others.reserve(nodes.size());
    for (const std::uint32_t n : nodes) others.push_back(word(trace_.nodes[n].name));
    // Where more differ than a trace of the same run has, nobody wants to know which.
    const std::size_t most = std::min<std::size_t>(10 + (names.size() + others.size()) / 4, 20'000);
    const auto place = paired(names, others, most);
    if (!place) return false;
    for (std::size_t i = 0; i < place->size();) {
      std::size_t end = i + 1;
      if ((*place)[i] != kNoNode) {
        while (end < place->size() && (*place)[end] == (*place)[end - 1] + 1) ++end;
        for (std::size_t k = i; k < end && end - i >= kShortestRun; ++k)
          recording_.ranges[ranges[k]].node = nodes[(*place)[k]];
      }
      i = end;
    }
    return true;
  }

  Recording& recording_;
  ExecutionTrace& trace_;
  std::vector<std::uint32_t> operators_;  // ranges, by begin
};

// Returns whether an operator of PyTorch computes nothing itself: it makes a view, or memory without content.
bool only_aliases(std::string_view name) {
  static const std::set<std::string_view> kNames{"empty",
                                                 "empty_like",
                                                 "empty_strided",
                                                 "new_empty",
                                                 "new_empty_strided",
                                                 "view",
                                                 "_unsafe_view",
                                                 "reshape",
                                                 "_reshape_alias",
                                                 "t",
                                                 "transpose",
                                                 "permute",
                                                 "expand",
                                                 "as_strided",
                                                 "as_strided_",
                                                 "slice",
                                                 "select",
                                                 "unsqueeze",
                                                 "squeeze",
                                                 "detach",
                                                 "detach_",
                                                 "resize_",
                                                 "resize_as_",
                                                 "set_",
                                                 "result_type",
                                                 "size",
                                                 "stride",
                                                 "item",
                                                 "to",
                                                 "_to",
                                                 "alias",
                                                 "narrow",
                                                 "chunk",
                                                 "split",
                                                 "unbind",
                                                 "contiguous",
                                                 "flatten",
                                                 "unfold",
                                                 "_nnpack_available",
                                                 "AccumulateGrad"};
  const std::size_t colons = name.rfind("::");
  if (colons == std::string_view::npos) return false;
  const std::string_view own = name.substr(colons + 2);
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const std::string_view begin : {"is_", "resolve_"}) {
    if (own.size() > begin.size() && own.starts_with(begin) && std::ranges::all_of(own, word)) return true;
  }
  return kNames.contains(own);
}

}  // namespace

Result<void> link_operators(Recording& recording, ExecutionTrace trace, const std::string& file) {
  if (!Linker(recording, trace).link()) {
    for (RecordedRange& range : recording.ranges) range.node = kNoNode;
    return fail(message("is of another run: fewer than nine of ten operators are in both"), file,
                message("record both in one run"));
  }
  recording.execution = std::move(trace);
  return {};
}

void make_kernels_of_operators(Recording& recording) {
  struct Callee {
    double last_end = -1e300;        // of all that it calls
    double last_computing = -1e300;  // of what computes
    bool computes = false;
    std::set<std::int64_t> fresh;  // what these return
  };
  std::vector<Callee> called(recording.ranges.size());
  const auto outer_operator = [&](std::uint32_t i) {
    std::uint32_t outer = recording.ranges[i].outer;
    while (outer != kNoIndex && !is_operator_range(recording, recording.ranges[outer]))
      outer = recording.ranges[outer].outer;
    return outer;
  };
  const auto fresh_of = [&](std::uint32_t i) -> const std::vector<std::int64_t>& {
    static const std::vector<std::int64_t> kNothing;
    const std::uint32_t node = recording.ranges[i].node;
    return recording.execution && node != kNoNode ? recording.execution->nodes[node].fresh : kNothing;
  };
  std::vector<std::uint32_t> operators;
  for (std::uint32_t i = 0; i < recording.ranges.size(); ++i) {
    if (!is_operator_range(recording, recording.ranges[i])) continue;
    operators.push_back(i);
    const std::uint32_t outer = outer_operator(i);
    if (outer == kNoIndex) continue;
    Callee& callee = called[outer];
    callee.last_end = std::max(callee.last_end, recording.ranges[i].end);
    if (only_aliases(recording.name(recording.ranges[i].name))) continue;
    callee.computes = true;
    callee.last_computing = std::max(callee.last_computing, recording.ranges[i].end);
    callee.fresh.insert(fresh_of(i).begin(), fresh_of(i).end());
  }
  std::map<std::uint32_t, std::uint16_t> lanes;
  for (const std::uint32_t i : operators) {
    const RecordedRange& range = recording.ranges[i];
    const std::string& name = recording.name(range.name);
    const Callee& callee = called[i];
    const bool makes = std::ranges::any_of(fresh_of(i), [&](std::int64_t one) { return !callee.fresh.contains(one); });
    if (name.find("::") == std::string::npos || name.find("engine") != std::string::npos || only_aliases(name))
      continue;
    if ((callee.computes && !makes) || recording.kernels.size() >= kMostSpans) continue;
    RecordedKernel kernel{.begin = callee.computes ? callee.last_computing : range.begin,
                          .end = range.end,
                          .name = range.name,
                          .range = i,
                          .kind = kind_of_kernel(name)};
    kernel.launch = static_cast<std::uint32_t>(recording.launches.size());
    const double launched = std::max(kernel.begin, callee.last_end);
    recording.launches.push_back({launched, launched, range.thread});
    const auto [lane, made] = lanes.emplace(range.thread, static_cast<std::uint16_t>(recording.lanes.size()));
    if (made) recording.lanes.push_back({.stream = "thread " + std::to_string(range.thread)});
    kernel.lane = lane->second;
    recording.kernels.push_back(kernel);
  }
  recording.of_processor = true;
}

Recording recording_of_nodes(ExecutionTrace trace) {
  Recording recording;
  const std::size_t count = trace.nodes.size();
  std::unordered_map<std::int64_t, std::uint32_t> place;
  for (std::uint32_t n = 0; n < count; ++n) place.emplace(trace.nodes[n].id, n);
  const auto parent = [&](std::uint32_t n) {
    const auto found = place.find(trace.nodes[n].parent);
    return found == place.end() || found->second >= n ? kNoNode : found->second;
  };
  // The place of the last node below each one, and how many levels are below it, so that ends are nested.
  std::vector<std::uint32_t> last(count);
  std::vector<std::uint32_t> height(count, 0);
  for (std::uint32_t n = 0; n < count; ++n) last[n] = n;
  for (auto n = static_cast<std::uint32_t>(count); n-- > 0;) {
    const std::uint32_t up = parent(n);
    if (up == kNoNode) continue;
    last[up] = std::max(last[up], last[n]);
    height[up] = std::max(height[up], height[n] + 1);
  }
  std::map<std::int64_t, std::uint32_t> threads;
  std::unordered_map<std::string, NameId> names;
  for (std::uint32_t n = 0; n < count; ++n) {
    const ExecutionNode& node = trace.nodes[n];
    const auto [name, made] = names.emplace(node.name, static_cast<NameId>(recording.names.size()));
    if (made) recording.names.push_back(node.name);
    const auto thread = threads.emplace(node.thread, static_cast<std::uint32_t>(threads.size())).first->second;
    recording.ranges.push_back({.begin = static_cast<double>(n),
                                .end = last[n] + 0.5 + height[n] / static_cast<double>(4 * count),
                                .name = name->second,
                                .thread = thread,
                                .outer = parent(n),
                                .node = n,
                                .record_function = node.record_function});
  }
  recording.execution = std::move(trace);
  make_kernels_of_operators(recording);
  for (RecordedKernel& kernel : recording.kernels) kernel.end = kernel.begin + 1;
  recording.timed = false;
  recording.notices.push_back(message("it is an execution trace alone, without times: each operator counts as 1 µs"));
  return recording;
}

}  // namespace iosx::external
