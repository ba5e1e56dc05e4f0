#include "core/analysis/recording/fold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <string_view>

namespace iosx {
namespace {

constexpr std::uint32_t kDeepest = 48;    // ranges around a kernel that count
constexpr std::size_t kLongest = 200;     // children of a box before they are divided into stretches
constexpr std::size_t kMostPeriod = 64;   // boxes in an equal stretch
constexpr std::size_t kLeastRepeats = 3;  // of stretches of several boxes
constexpr std::uint64_t kSeed = 0x9E3779B97F4A7C15ULL;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + kSeed + (hash << 6U) + (hash >> 2U);
  hash *= 0xFF51AFD7ED558CCDULL;
  return hash ^ (hash >> 32U);
}

// "Linear_3" and "Linear_4" are alike, "ProfilerStep#3" and "ProfilerStep#4" too.
std::string_view stem(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos) return name;
  return name.substr(0, last + 1);
}

// A range with kernels, or a kernel, before equal ones are joined.
struct Part {
  std::uint32_t range = kNoIndex;  // kNoIndex: a kernel
  std::uint32_t kernel = 0;        // its first one
  std::uint64_t hash = 0;          // equal ones have an equal one
  std::vector<std::uint32_t> inside = {};
  bool is_kernel() const { return range == kNoIndex && inside.empty(); }
};

class Builder {
 public:
  explicit Builder(const Recording& recording) : recording_(recording) {}

  RecordingFold run() {
    make_parts();
    hash_parts();
    fold_.box_of.assign(recording_.kernels.size(), 0);
    fold_.nodes.push_back({.name = recording_.kernels.front().name});
    emit_inside(0, {0});
    close(0);
    count();
    return std::move(fold_);
  }

 private:
  using Parts = std::vector<std::uint32_t>;

  // ---- Parts ----

  std::uint32_t part_of(std::uint32_t range) {
    if (range == kNoIndex) return 0;
    if (part_of_[range] != kNoIndex) return part_of_[range];
    // From the outermost on, so that every part stands behind the one around it.
    std::vector<std::uint32_t> chain;
    for (std::uint32_t r = range; r != kNoIndex && part_of_[r] == kNoIndex; r = recording_.ranges[r].outer)
      chain.push_back(r);
    for (std::size_t i = chain.size(); i-- > 0;) {
      const RecordedRange& one = recording_.ranges[chain[i]];
      const std::uint32_t outer = one.outer != kNoIndex ? part_of_[one.outer] : part_of_step(chain[i]);
      if (one.outer != kNoIndex && depth_[chain[i]] >= kDeepest) {
        part_of_[chain[i]] = outer;  // too deep: its kernels are those of the part around it
        continue;
      }
      part_of_[chain[i]] = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({.range = chain[i]});
      parts_[outer].inside.push_back(part_of_[chain[i]]);
    }
    return part_of_[range];
  }

  // Other threads, such as autograd's, work within the step too.
  std::uint32_t part_of_step(std::uint32_t range) {
    const RecordedRange& own = recording_.ranges[range];
    if (own.kind == RangeKind::kStep) return 0;
    const auto after = std::ranges::upper_bound(steps_, own.begin, {},
                                                [&](std::uint32_t step) { return recording_.ranges[step].begin; });
    if (after == steps_.begin()) return 0;
    const std::uint32_t step = *std::prev(after);
    return own.begin < recording_.ranges[step].end ? part_of(step) : 0;
  }

  void make_parts() {
    const auto& ranges = recording_.ranges;
    part_of_.assign(ranges.size(), kNoIndex);
    depth_.assign(ranges.size(), 0);
    for (std::uint32_t r = 0; r < ranges.size(); ++r) {
      if (ranges[r].outer != kNoIndex) depth_[r] = depth_[ranges[r].outer] + 1;
      if (ranges[r].kind == RangeKind::kStep && ranges[r].outer == kNoIndex) steps_.push_back(r);
    }
    std::ranges::stable_sort(steps_, {}, [&](std::uint32_t step) { return ranges[step].begin; });
    std::vector<std::uint32_t> order(recording_.kernels.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
      const RecordedKernel& kernel = recording_.kernels[i];
      return kernel.launch == kNoIndex ? kernel.begin : recording_.launches[kernel.launch].begin;
    });
    parts_.push_back({});
    for (const std::uint32_t i : order) {
      const std::uint32_t around = part_of(recording_.kernels[i].range);
      parts_[around].inside.push_back(static_cast<std::uint32_t>(parts_.size()));
      parts_.push_back({.kernel = i});
    }
  }

  void hash_parts() {
    for (std::size_t p = parts_.size(); p-- > 0;) {
      Part& part = parts_[p];
      if (part.is_kernel()) {
        part.hash = mixed(1, recording_.kernels[part.kernel].name);
        continue;
      }
      const std::string_view name =
          part.range == kNoIndex ? std::string_view() : stem(recording_.name(recording_.ranges[part.range].name));
      part.hash = mixed(2, std::hash<std::string_view>()(name));
      for (const std::uint32_t child : part.inside) part.hash = mixed(part.hash, parts_[child].hash);
      if (!part.inside.empty()) part.kernel = parts_[part.inside.front()].kernel;
    }
  }

  // ---- Boxes ----

  FoldKind kind_of(const Part& part) const {
    if (part.range == kNoIndex) return FoldKind::kKernel;
    switch (recording_.ranges[part.range].kind) {
      case RangeKind::kStep: return FoldKind::kStep;
      case RangeKind::kOperator: return FoldKind::kOperator;
      case RangeKind::kAnnotation:
      case RangeKind::kModule: return FoldKind::kAnnotation;
    }
    return FoldKind::kAnnotation;
  }

  std::uint32_t open(FoldKind kind, NameId name, std::uint32_t kernel, std::uint32_t parent, std::size_t repeats) {
    const auto id = static_cast<std::uint32_t>(fold_.nodes.size());
    fold_.nodes.push_back({.name = name,
                           .kernel = kernel,
                           .parent = parent,
                           .repeats = static_cast<std::uint32_t>(repeats),
                           .kind = kind});
    return id;
  }
  void close(std::uint32_t box) {
    fold_.nodes[box].end = static_cast<std::uint32_t>(fold_.nodes.size());
    fold_.nodes[box].leaf = fold_.nodes[box].end == box + 1;
  }

  void give_all(const Part& part, std::uint32_t box) {
    std::vector<const Part*> left{&part};
    while (!left.empty()) {
      const Part* const one = left.back();
      left.pop_back();
      if (one->is_kernel()) fold_.box_of[one->kernel] = box;
      for (const std::uint32_t child : one->inside) left.push_back(&parts_[child]);
    }
  }

  // Makes the boxes inside one that stands for these equal parts.
  void emit_inside(std::uint32_t box, const Parts& parts) {
    std::vector<Parts> lists;  // [i]: the i-th child of each
    const std::vector<std::uint32_t>& first = parts_[parts.front()].inside;
    lists.resize(first.size());
    for (const std::uint32_t part : parts) {
      const std::vector<std::uint32_t>& inside = parts_[part].inside;
      if (inside.size() != first.size()) {  // their hashes are equal by chance
        give_all(parts_[part], box);
        continue;
      }
      for (std::size_t i = 0; i < inside.size(); ++i) lists[i].push_back(inside[i]);
    }
    emit_list(box, lists);
  }

  // How many boxes repeat at a place of the list, and how often. The first box is {1, 1}.
  std::pair<std::size_t, std::size_t> repeats_at(const std::vector<Parts>& lists, std::size_t at) const {
    const auto hash = [&](std::size_t i) { return parts_[lists[i].front()].hash; };
    std::pair<std::size_t, std::size_t> best{1, 1};
    const std::size_t left = lists.size() - at;
    for (std::size_t period = 1; period <= kMostPeriod && 2 * period <= left; ++period) {
      std::size_t same = 0;
      while (at + period + same < lists.size() && hash(at + same) == hash(at + period + same)) ++same;
      const std::size_t repeats = same / period + 1;
      const bool enough = period == 1 ? repeats > 1 : repeats >= kLeastRepeats;
      if (enough && repeats * period > best.first * best.second) best = {period, repeats};
      if (best.first * best.second == left) break;
    }
    return best;
  }

  void emit_list(std::uint32_t box, const std::vector<Parts>& lists) {
    struct Item {
      std::size_t at;
      std::size_t period;
      std::size_t repeats;
    };
    std::vector<Item> items;
    for (std::size_t at = 0; at < lists.size();) {
      const auto [period, repeats] = repeats_at(lists, at);
      items.push_back({at, period, repeats});
      at += period * repeats;
    }
    const std::size_t stretch =
        items.size() > kLongest ? static_cast<std::size_t>(std::ceil(std::sqrt(items.size()))) : items.size();
    for (std::size_t i = 0; i < items.size(); i += std::max<std::size_t>(stretch, 1)) {
      std::uint32_t around = box;
      if (stretch < items.size()) {
        const std::uint32_t kernel = parts_[lists[items[i].at].front()].kernel;
        around = open(FoldKind::kStretch, recording_.kernels[kernel].name, kernel, box, 1);
      }
      for (std::size_t j = i; j < std::min(items.size(), i + stretch); ++j) emit_item(around, lists, items[j]);
      if (around != box) close(around);
    }
  }

  template <typename Item>
  void emit_item(std::uint32_t box, const std::vector<Parts>& lists, const Item& item) {
    std::vector<Parts> joined(item.period);  // the i-th of each stretch of each list
    for (std::size_t r = 0; r < item.repeats; ++r) {
      for (std::size_t i = 0; i < item.period; ++i) {
        const Parts& more = lists[item.at + r * item.period + i];
        joined[i].insert(joined[i].end(), more.begin(), more.end());
      }
    }
    if (item.period == 1) return emit_part(box, joined.front(), item.repeats);
    const std::uint32_t kernel = parts_[joined.front().front()].kernel;
    const std::uint32_t repeat = open(FoldKind::kRepeat, recording_.kernels[kernel].name, kernel, box, item.repeats);
    for (const Parts& one : joined) emit_part(repeat, one, 1);
    close(repeat);
  }

  void emit_part(std::uint32_t parent, Parts parts, std::size_t repeats) {
    const Part& first = parts_[parts.front()];
    const NameId name =
        first.range == kNoIndex ? recording_.kernels[first.kernel].name : recording_.ranges[first.range].name;
    const std::uint32_t box = open(kind_of(first), name, first.kernel, parent, repeats);
    // One inside one is the same: the outer one's name says more.
    while (parts_[parts.front()].inside.size() == 1) {
      Parts inner;
      for (const std::uint32_t part : parts) {
        if (parts_[part].inside.size() == 1) inner.push_back(parts_[part].inside.front());
      }
      parts = std::move(inner);
    }
    if (parts_[parts.front()].is_kernel()) {
      for (const std::uint32_t part : parts) give_all(parts_[part], box);
    } else {
      emit_inside(box, parts);
    }
    close(box);
  }

  void count() {
    for (std::size_t i = 0; i < recording_.kernels.size(); ++i) {
      FoldNode& box = fold_.nodes[fold_.box_of[i]];
      ++box.kernels;
      box.time += recording_.kernels[i].duration();
    }
    for (std::size_t n = fold_.nodes.size(); n-- > 1;) {
      FoldNode& outer = fold_.nodes[fold_.nodes[n].parent];
      outer.kernels += fold_.nodes[n].kernels;
      outer.time += fold_.nodes[n].time;
    }
  }

  const Recording& recording_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> part_of_;  // a range
  std::vector<std::uint32_t> depth_;    // of a range
  std::vector<std::uint32_t> steps_;    // by begin
  RecordingFold fold_;
};

}  // namespace

std::vector<std::uint32_t> RecordingFold::children(std::uint32_t node) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) found.push_back(child);
  return found;
}

std::vector<std::uint32_t> RecordingFold::kernels_of(std::uint32_t node) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < box_of.size(); ++i) {
    if (inside(box_of[i], node)) found.push_back(i);
  }
  return found;
}

RecordingFold fold_of(const Recording& recording) { return Builder(recording).run(); }

Unfolding::Unfolding(const RecordingFold& fold, std::size_t first) : fold_(&fold), unfolded_(fold.nodes.size(), false) {
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(fold.nodes[a].time, b) < std::pair(fold.nodes[b].time, a);
  };
  unfold(0);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(less)> left(less);
  for (const std::uint32_t child : fold.children(0)) left.push(child);
  while (!left.empty()) {
    const std::uint32_t node = left.top();
    left.pop();
    if (fold.nodes[node].leaf) continue;
    const std::vector<std::uint32_t> inside = fold.children(node);
    // The only box that would be shown says nothing.
    if (count_ + inside.size() > first && count_ > 2) continue;
    unfold(node);
    for (const std::uint32_t child : inside) left.push(child);
  }
}

bool Unfolding::shown(std::uint32_t node) const {
  while (node != 0) {
    node = fold_->nodes[node].parent;
    if (!unfolded_[node]) return false;
  }
  return true;
}

std::size_t Unfolding::shown_inside(std::uint32_t node) const {
  if (!unfolded_[node]) return 0;
  std::size_t count = 0;
  for (std::uint32_t n = node + 1; n < fold_->nodes[node].end;) {
    ++count;
    n = unfolded_[n] ? n + 1 : fold_->nodes[n].end;
  }
  return count;
}

bool Unfolding::unfold(std::uint32_t node) {
  if (unfolded_[node] || fold_->nodes[node].leaf) return false;
  unfolded_[node] = true;
  const std::size_t more = shown(node) ? shown_inside(node) : 0;
  if (count_ + more > kMost) {
    unfolded_[node] = false;
    return false;
  }
  count_ += more;
  return true;
}

void Unfolding::fold(std::uint32_t node) {
  if (node == 0 || !unfolded_[node]) return;
  if (shown(node)) count_ -= shown_inside(node);
  unfolded_[node] = false;
}

bool Unfolding::reveal(std::uint32_t node) {
  std::vector<std::uint32_t> around;
  for (std::uint32_t n = node; n != 0; n = fold_->nodes[n].parent) around.push_back(fold_->nodes[n].parent);
  for (std::size_t i = around.size(); i-- > 0;) {
    if (!unfolded_[around[i]] && !unfold(around[i])) return false;
  }
  return true;
}

std::uint32_t Unfolding::box_of(std::uint32_t kernel) const {
  std::uint32_t box = fold_->box_of[kernel];
  std::vector<std::uint32_t> path{box};
  while (box != 0) path.push_back(box = fold_->nodes[box].parent);
  for (std::size_t i = path.size(); i-- > 0;) {
    if (!unfolded_[path[i]]) return path[i];
  }
  return path.front();
}

std::vector<FoldEdge> fold_edges(const RecordingFold& fold, const Unfolding& unfolding, const RecordedEdges& edges) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, FoldEdge> found;
  std::vector<std::uint32_t> boxes(fold.box_of.size());
  for (std::uint32_t i = 0; i < boxes.size(); ++i) boxes[i] = unfolding.box_of(i);
  std::vector<std::uint32_t> depth(fold.nodes.size(), 0);
  for (std::size_t n = 1; n < depth.size(); ++n) depth[n] = depth[fold.nodes[n].parent] + 1;
  for (const RecordedEdge& edge : edges.edges) {
    if (edges.is_off(edge.kind)) continue;
    std::uint32_t before = boxes[edge.before];
    std::uint32_t after = boxes[edge.after];
    // To the boxes beside one another around the two.
    while (depth[before] > depth[after]) before = fold.nodes[before].parent;
    while (depth[after] > depth[before]) after = fold.nodes[after].parent;
    while (before != after && fold.nodes[before].parent != fold.nodes[after].parent) {
      before = fold.nodes[before].parent;
      after = fold.nodes[after].parent;
    }
    if (before >= after) continue;
    FoldEdge& one = found.try_emplace({before, after}, FoldEdge{before, after}).first->second;
    ++one.count;
    one.known = one.known || edge.certainty == EdgeCertainty::kKnown;
  }
  std::vector<FoldEdge> list;
  list.reserve(found.size());
  for (const auto& [ends, edge] : found) list.push_back(edge);
  return list;
}

}  // namespace iosx
