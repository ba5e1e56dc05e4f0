#include "views/canvas/weave/columns.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/model/graph/partition.h"

namespace iosx::canvas {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A set of small numbers.
class Bits {
 public:
  explicit Bits(std::size_t size) : words_((size + 63) / 64, 0) {}
  void set(std::size_t at) { words_[at / 64] |= std::uint64_t{1} << (at % 64); }
  bool test(std::size_t at) const { return (words_[at / 64] >> (at % 64) & 1) != 0; }
  void unite(const Bits& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(__builtin_popcountll(word));
    return sum;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The edges of a part, between places in its list of units.
struct PartEdges {
  std::vector<std::vector<std::size_t>> before, after;  // per unit
};

PartEdges edges_of(const Graph& graph, const std::vector<UnitId>& units) {
  PartEdges edges;
  edges.before.resize(units.size());
  edges.after.resize(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const UnitId from : graph.predecessors(units[i])) {
      const auto place = std::ranges::lower_bound(units, from);
      if (place == units.end() || *place != from) continue;
      const auto p = static_cast<std::size_t>(place - units.begin());
      edges.before[i].push_back(p);
      edges.after[p].push_back(i);
    }
  }
  return edges;
}

using Chain = std::vector<std::size_t>;

// Covers the units of a part with chains, in which each unit reaches the next one.
class ChainCover {
 public:
  explicit ChainCover(const PartEdges& edges) : edges_(edges), size_(edges.before.size()) {
    rest_.resize(size_, 1);
    depth_.resize(size_, 1);
    for (std::size_t u = size_; u-- > 0;) {
      for (const std::size_t s : edges.after[u]) rest_[u] = std::max(rest_[u], rest_[s] + 1);
    }
    for (std::size_t u = 0; u < size_; ++u) {
      for (const std::size_t p : edges.before[u]) depth_[u] = std::max(depth_[u], depth_[p] + 1);
    }
    reach_.resize(size_, Bits(size_));
    for (std::size_t u = size_; u-- > 0;) {
      for (const std::size_t s : edges.after[u]) {
        reach_[u].unite(reach_[s]);
        reach_[u].set(s);
      }
    }
  }

  std::vector<Chain> run() const {
    std::vector<Chain> columns;
    for (Chain& chain : linked()) {
      Chain* best = nullptr;
      std::tuple<bool, std::size_t> least;
      for (Chain& column : columns) {
        const std::size_t last = column.back();
        if (!reach_[last].test(chain.front())) continue;
        const bool reads = std::ranges::find(edges_.before[chain.front()], last) != edges_.before[chain.front()].end();
        const std::tuple cost(!reads, depth_[chain.front()] - depth_[last]);
        if (best != nullptr && cost >= least) continue;
        best = &column;
        least = cost;
      }
      if (best != nullptr) {
        best->insert(best->end(), chain.begin(), chain.end());
      } else {
        columns.push_back(std::move(chain));
      }
    }
    return columns;
  }

 private:
  // Joins units along edges: a unit goes to the successor with the longest rest, which takes the deepest free one.
  std::vector<Chain> linked() const {
    std::vector<std::size_t> next(size_, kNone);
    std::vector<std::size_t> previous(size_, kNone);
    for (std::size_t u = 0; u < size_; ++u) {
      std::size_t best = kNone;
      for (const std::size_t p : edges_.before[u]) {
        if (next[p] != kNone || longest_rest(p, previous) != u) continue;
        if (best == kNone || depth_[p] > depth_[best]) best = p;
      }
      if (best == kNone) continue;
      next[best] = u;
      previous[u] = best;
    }
    std::vector<Chain> chains;
    for (std::size_t u = 0; u < size_; ++u) {
      if (previous[u] != kNone) continue;
      Chain chain{u};
      while (next[chain.back()] != kNone) chain.push_back(next[chain.back()]);
      chains.push_back(std::move(chain));
    }
    std::ranges::stable_sort(chains, {}, [&](const Chain& chain) { return std::pair(depth_[chain[0]], chain[0]); });
    return chains;
  }

  std::size_t longest_rest(std::size_t unit, const std::vector<std::size_t>& previous) const {
    std::size_t best = kNone;
    for (const std::size_t s : edges_.after[unit]) {
      if (previous[s] == kNone && (best == kNone || rest_[s] > rest_[best])) best = s;
    }
    return best;
  }

  const PartEdges& edges_;
  std::size_t size_;
  std::vector<std::size_t> rest_;   // units on the longest path from here
  std::vector<std::size_t> depth_;  // units on the longest path to here
  std::vector<Bits> reach_;
};

// Orders columns so that edges get short: by their first units, then by swaps and moves while these shorten them.
class ColumnOrder {
 public:
  ColumnOrder(const PartEdges& edges, std::vector<Chain> columns) : columns_(std::move(columns)) {
    std::ranges::stable_sort(columns_, {}, [](const Chain& chain) { return chain.front(); });
    column_of_.resize(edges.before.size());
    for (std::size_t u = 0; u < edges.before.size(); ++u) {
      for (const std::size_t p : edges.before[u]) edges_.emplace_back(p, u);
    }
  }

  std::vector<std::size_t> run() {
    constexpr int kPasses = 12;
    constexpr std::size_t kMostMoved = 40;  // columns; more only change places with their neighbours
    long least = cost();
    const std::size_t size = columns_.size();
    for (int pass = 0; pass < kPasses; ++pass) {
      const long before = least;
      for (std::size_t i = 0; i + 1 < size; ++i) least = tried(i, i + 1, least);
      for (std::size_t i = 0; i < size && size <= kMostMoved; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          if (i != j) least = tried(i, j, least);
        }
      }
      if (least == before) break;
    }
    cost();
    return column_of_;
  }

 private:
  void move(std::size_t from, std::size_t to) {
    const auto at = [this](std::size_t i) { return columns_.begin() + static_cast<std::ptrdiff_t>(i); };
    from < to ? std::rotate(at(from), at(from) + 1, at(to) + 1) : std::rotate(at(to), at(from), at(from) + 1);
  }

  // Moves a column, and back unless that shortens the edges.
  long tried(std::size_t from, std::size_t to, long least) {
    move(from, to);
    const long now = cost();
    if (now < least) return now;
    move(to, from);
    return least;
  }

  long cost() {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (const std::size_t unit : columns_[c]) column_of_[unit] = c;
    }
    long sum = 0;
    for (const auto& [from, to] : edges_) {
      sum += std::labs(static_cast<long>(column_of_[from]) - static_cast<long>(column_of_[to]));
    }
    return sum;
  }

  std::vector<Chain> columns_;
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
  std::vector<std::size_t> column_of_;
};

// Tells whether a part must have ended before another begins: each of its last units reaches all first ones there.
class Precedence {
 public:
  Precedence(const Graph& graph, const std::vector<WeavePart>& parts) : graph_(graph), parts_(parts) {
    for (const WeavePart& part : parts) {
      const PartEdges edges = edges_of(graph, part.units);
      std::vector<UnitId>& first = first_.emplace_back();
      std::vector<UnitId>& last = last_.emplace_back();
      for (std::size_t i = 0; i < part.units.size(); ++i) {
        if (edges.before[i].empty()) first.push_back(part.units[i]);
        if (edges.after[i].empty()) last.push_back(part.units[i]);
      }
    }
  }

  bool precedes(std::size_t p, std::size_t q) const {
    const std::vector<UnitId>& goals = first_[q];
    const std::size_t from = parts_[p].units.front().index();
    const std::size_t to = parts_[q].units.back().index();
    if (from > to) return false;
    std::vector<Bits> reach(to - from + 1, Bits(goals.size()));
    for (std::size_t u = to + 1; u-- > from;) {
      Bits& here = reach[u - from];
      for (const UnitId s : graph_.successors(UnitId(u))) {
        if (s.index() <= to) here.unite(reach[s.index() - from]);
      }
      const auto goal = std::ranges::lower_bound(goals, UnitId(u));
      if (goal != goals.end() && *goal == UnitId(u)) here.set(static_cast<std::size_t>(goal - goals.begin()));
    }
    return std::ranges::all_of(last_[p],
                               [&](UnitId unit) { return reach[unit.index() - from].count() == goals.size(); });
  }

 private:
  const Graph& graph_;
  const std::vector<WeavePart>& parts_;
  std::vector<std::vector<UnitId>> first_, last_;  // per part
};

struct Tracks {
  std::vector<std::size_t> parts;
  std::vector<std::vector<std::size_t>> tracks;  // parts from the top
};

// Cuts the parts into sections that nothing overlaps by structure, and puts the parts of each on tracks: first fit.
std::vector<Tracks> find_tracks(const Graph& graph, const std::vector<WeavePart>& parts) {
  constexpr std::size_t kLook = 3;  // parts on both sides of a cut
  const Precedence order(graph, parts);
  std::vector<std::vector<std::size_t>> runs;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    bool cut = runs.empty();
    if (!cut && graph.networks().size() < 2) {  // parts of several networks wait for one another nowhere
      const auto& now = runs.back();
      cut = true;
      for (std::size_t i = now.size() - std::min(kLook, now.size()); i < now.size() && cut; ++i) {
        for (std::size_t q = p; q < std::min(parts.size(), p + kLook) && cut; ++q) cut = order.precedes(now[i], q);
      }
    }
    if (cut) runs.emplace_back();
    runs.back().push_back(p);
  }
  std::vector<Tracks> sections;
  for (const auto& run : runs) {
    sections.emplace_back();
    for (const std::size_t p : run) {
      const auto fits = [&](const auto& track) { return order.precedes(track.back(), p); };
      if (std::ranges::none_of(sections.back().tracks, fits) && sections.back().tracks.size() == kMostTracks) {
        sections.emplace_back();
      }
      Tracks& section = sections.back();
      const auto track = std::ranges::find_if(section.tracks, fits);
      track == section.tracks.end() ? section.tracks.push_back({p}) : track->push_back(p);
      section.parts.push_back(p);
    }
  }
  return sections;
}

// Returns the parts, each of one network.
std::vector<WeavePart> weave_parts(const Graph& graph) {
  std::vector<WeavePart> result;
  for (Part& part : shown_parts(graph)) {
    std::ranges::sort(part.units);
    result.push_back({std::move(part.name), std::move(part.units)});
  }
  return result;
}

}  // namespace

std::vector<std::size_t> part_columns(const Graph& graph, const std::vector<UnitId>& units) {
  const PartEdges edges = edges_of(graph, units);
  return ColumnOrder(edges, ChainCover(edges).run()).run();
}

WeaveColumns weave_columns(const Graph& graph, bool tracks) {
  WeaveColumns result;
  result.parts = weave_parts(graph);
  result.section_of.resize(graph.units().size());
  result.part_of.resize(graph.units().size());
  result.column_of.resize(graph.units().size());
  std::vector<Tracks> sections;
  if (tracks) {
    sections = find_tracks(graph, result.parts);
  } else {
    for (std::size_t p = 0; p < result.parts.size(); ++p) sections.push_back({{p}, {{p}}});
  }
  for (const Tracks& from : sections) {
    WeaveSection section;
    section.parts = from.parts;
    section.tracks = from.tracks.size();
    for (const auto& track : from.tracks) {
      const double left = section.columns == 0 ? 0 : section.columns + kTrackGap;
      std::vector<std::vector<std::size_t>> columns;
      std::size_t width = 0;
      for (const std::size_t p : track) {
        columns.push_back(part_columns(graph, result.parts[p].units));
        width = std::max(width, *std::ranges::max_element(columns.back()) + 1);
      }
      for (std::size_t i = 0; i < track.size(); ++i) {
        WeavePart& part = result.parts[track[i]];
        part.left = left;
        part.width = static_cast<double>(width);
        const std::size_t own = *std::ranges::max_element(columns[i]) + 1;
        const std::size_t indent = (width - own) / 2;
        for (std::size_t u = 0; u < part.units.size(); ++u) {
          const std::size_t unit = part.units[u].index();
          result.section_of[unit] = result.sections.size();
          result.part_of[unit] = track[i];
          result.column_of[unit] = left + static_cast<double>(indent + columns[i][u]);
        }
      }
      section.columns = left + static_cast<double>(width);
    }
    for (const std::size_t p : section.parts) {
      section.units.insert(section.units.end(), result.parts[p].units.begin(), result.parts[p].units.end());
    }
    std::ranges::sort(section.units);
    result.sections.push_back(std::move(section));
  }
  return result;
}

}  // namespace iosx::canvas
