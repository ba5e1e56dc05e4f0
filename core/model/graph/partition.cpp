#include "core/model/graph/partition.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "core/base/check.h"

namespace iosx {
namespace {

using Range = std::pair<std::size_t, std::size_t>;  // units [first, second)

class Partitioner {
 public:
  Partitioner(const Graph& graph, const PartitionOptions& options) : graph_(graph), options_(options) { count_live(); }

  std::vector<Part> run() {
    const bool declared = graph_.parts().size() > 1;
    for (const Range& range : declared ? declared_parts() : cut_at_single_tensors()) split(range);
    std::vector<Part> parts;
    for (const auto& [first, last] : ranges_) {
      const PartId origin = graph_.units()[first].part;
      const Part& from = graph_.part(origin);
      const bool whole = from.units.size() == last - first;
      Part part{whole ? from.name : fmt::format("{}.{}", from.name, parts.size() + 1), {}, continued_[parts.size()]};
      for (std::size_t u = first; u < last; ++u) part.units.emplace_back(u);
      parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  // live_[u]: tensors made up to and including unit u that a later unit reads. only_[u]: one of unit u's own is the
  // only one.
  void count_live() {
    const std::size_t units = graph_.units().size();
    std::vector<std::int64_t> change(units + 1, 0);
    std::vector<std::size_t> last_reader(graph_.operators().size(), 0);
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      const OperatorId id(i);
      const Operator& op = graph_.op(id);
      if (op.is_constant()) continue;  // there all the time
      const std::size_t made = op.is_input() ? 0 : op.unit.index();
      std::size_t last = made;
      bool leaves_unit = false;
      for (const OperatorId reader : graph_.consumers(id)) {
        const std::size_t at = graph_.op(reader).unit.index();
        last = std::max(last, at);
        leaves_unit = leaves_unit || op.is_input() || at != made;
      }
      if (!leaves_unit || last == made) continue;
      ++change[made];
      --change[last];
      last_reader[i] = last;
    }
    live_.resize(units);
    only_.resize(units);
    std::int64_t live = 0;
    for (std::size_t u = 0; u < units; ++u) {
      live += change[u];
      live_[u] = live;
      only_[u] = live == 1 && std::ranges::any_of(graph_.units()[u].operators,
                                                  [&](OperatorId id) { return last_reader[id.index()] > u; });
    }
  }

  std::vector<Range> declared_parts() const {
    std::vector<Range> ranges;
    for (const Part& part : graph_.parts()) {
      ranges.emplace_back(part.units.front().index(), part.units.back().index() + 1);
    }
    return ranges;
  }

  std::vector<Range> cut_at_single_tensors() const {
    std::vector<Range> ranges;
    std::size_t first = 0;
    bool chain = false;  // the last range holds only single units
    for (std::size_t u = 0; u < live_.size(); ++u) {
      if (!only_[u] && u + 1 != live_.size()) continue;
      const bool single = u == first;
      if (single && chain) {
        ranges.back().second = u + 1;
      } else {
        ranges.emplace_back(first, u + 1);
      }
      chain = single;
      first = u + 1;
    }
    return ranges;
  }

  bool too_large(const Range& range) const {
    const std::size_t size = range.second - range.first;
    if (size <= 1) return false;
    if (size > options_.max_part_size) return true;
    if (!options_.too_complex) return false;
    std::vector<UnitId> units;
    for (std::size_t u = range.first; u < range.second; ++u) units.emplace_back(u);
    return options_.too_complex(units);
  }

  void split(const Range& range) {
    std::vector<Range> open{range};
    while (!open.empty()) {
      const Range next = open.back();
      open.pop_back();
      if (!too_large(next)) {
        ranges_.push_back(next);
        continue;
      }
      const std::size_t middle = best_cut(next);
      open.emplace_back(middle, next.second);
      open.emplace_back(next.first, middle);
    }
    continued_.resize(ranges_.size(), true);
    continued_.back() = false;
  }

  std::size_t joined_inputs(std::size_t unit) const {
    std::size_t inputs = 0;
    for (const OperatorId id : graph_.units()[unit].operators) inputs += graph_.op(id).inputs.size();
    return inputs;
  }

  // Only the middle half is looked at: towards its edges a wide fan has ever fewer live tensors, and parts would be
  // peeled off it unit by unit.
  std::size_t best_cut(const Range& range) const {
    const std::size_t quarter = (range.second - range.first + 3) / 4;
    auto rank = [&](std::size_t u) {
      const auto twice_off_middle =
          static_cast<std::int64_t>(2 * (u + 1)) - static_cast<std::int64_t>(range.first + range.second);
      return std::tuple(live_[u], -static_cast<std::int64_t>(joined_inputs(u)), std::abs(twice_off_middle), u);
    };
    std::size_t best = range.first + quarter - 1;
    for (std::size_t u = best; u + quarter < range.second; ++u) {
      if (rank(u) < rank(best)) best = u;
    }
    return best + 1;
  }

  const Graph& graph_;
  const PartitionOptions& options_;
  std::vector<std::int64_t> live_;
  std::vector<bool> only_;
  std::vector<Range> ranges_;
  std::vector<bool> continued_;  // by range: the next one is of the same part
};

constexpr std::size_t kSeenAtOnce = 40;  // units that are seen well at once
constexpr std::size_t kMostShown = 512;  // units of a part; a larger one is shown in pieces

// Returns whether nobody declared parts: there is one, or a search cut that one, which is called as the graph is.
bool is_undeclared(const Graph& graph) {
  const auto is_piece = [&](const Part& part) {
    if (!part.name.starts_with(graph.name())) return false;
    const std::string_view rest = std::string_view(part.name).substr(graph.name().size());
    return rest.empty() ||
           (rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
  };
  return graph.parts().size() == 1 || std::ranges::all_of(graph.parts(), is_piece);
}

// Joins the pieces of parts that a search cut.
std::vector<Part> with_joined_pieces(std::span<const Part> parts) {
  std::vector<Part> whole;
  for (const Part& part : parts) {
    if (whole.empty() || !whole.back().continued) {
      whole.push_back(part);
      if (part.continued) whole.back().name = part.name.substr(0, part.name.rfind('.'));
      continue;
    }
    whole.back().units.insert(whole.back().units.end(), part.units.begin(), part.units.end());
    whole.back().continued = part.continued;
  }
  return whole;
}

std::vector<Part> in_pieces(const Graph& graph, const std::vector<Part>& parts) {
  const std::size_t most = graph.networks().size() < 2 ? kMostShown : kMaxPartUnits;  // several share a part
  const auto large = [most](const Part& part) { return part.units.size() > most; };
  if (std::ranges::none_of(parts, large)) return parts;
  const std::vector<Part> pieces = partition(graph.with_parts(parts));
  std::vector<Part> shown;
  std::size_t piece = 0;
  for (const Part& part : parts) {
    if (!large(part)) shown.push_back(part);
    for (; piece < pieces.size() && pieces[piece].units.front() <= part.units.back(); ++piece) {
      if (large(part)) shown.push_back(pieces[piece]);
    }
  }
  return shown;
}

// Joins the parts of one network as far as each stays small enough to survey.
void add_parts_of(MemberId network, const Graph& graph, std::span<const Part> parts, std::vector<Part>& made) {
  const std::size_t first = made.size();
  for (const Part& part : parts) {
    std::vector<UnitId> units;
    std::ranges::copy_if(part.units, std::back_inserter(units),
                         [&](UnitId id) { return graph.network(id) == network; });
    if (units.empty()) continue;
    if (made.size() == first || made.back().units.size() + units.size() > kSeenAtOnce) made.emplace_back();
    auto& to = made.back().units;
    to.insert(to.end(), units.begin(), units.end());
  }
  const std::string& name = graph.networks()[network.index()];
  for (std::size_t i = first; i < made.size(); ++i) {
    made[i].name = i == first ? name : fmt::format("{}.{}", name, i - first + 1);
  }
}

}  // namespace

std::vector<Part> partition(const Graph& graph, const PartitionOptions& options) {
  IOS_CHECK(options.max_part_size >= 1 && options.max_part_size <= kMaxPartUnits);
  return Partitioner(graph, options).run();
}

std::vector<Part> shown_parts(const Graph& graph) {
  std::vector<Part> parts(graph.parts().begin(), graph.parts().end());
  if (parts.size() == 1 && graph.units().size() > kSeenAtOnce) parts = partition(graph);
  if (is_undeclared(graph) && graph.units().size() <= kSeenAtOnce) {
    for (Part& part : parts) part.continued = true;
    parts.back().continued = false;
  }
  parts = in_pieces(graph, with_joined_pieces(parts));
  if (graph.networks().size() < 2) return parts;
  std::vector<Part> of_networks;
  for (std::size_t n = 0; n < graph.networks().size(); ++n) add_parts_of(MemberId(n), graph, parts, of_networks);
  return of_networks;
}

}  // namespace iosx
