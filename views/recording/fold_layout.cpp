#include "views/recording/fold_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "views/canvas/layout/frame_plan.h"

namespace iosx::recorded {
namespace {

constexpr std::size_t kMostInLayer = 8;  // boxes above one another; more begin another column
constexpr double kShape = 3;             // width ÷ height that a frame's content aims at
constexpr double kRowGap = 26;           // between rows of a frame

canvas::Rect turned(const canvas::Rect& rect) { return {rect.y, rect.x, rect.height, rect.width}; }

// The content of one frame with its corner at (0, 0).
struct Content {
  canvas::Size size;
  std::vector<FoldBox> boxes;
  std::vector<FoldLine> lines;
};

class Placer {
 public:
  Placer(const OpenedRecording& opened, const Unfolding& unfolding) : fold_(opened.fold), unfolding_(unfolding) {
    for (const FoldEdge& edge : fold_edges(fold_, unfolding, opened.report.edges))
      edges_[fold_.nodes[edge.before].parent].push_back(edge);
    for (auto& [node, edges] : edges_) reduce(edges);
  }

  Content content(std::uint32_t node) {
    std::vector<Content> inside;
    const std::vector<std::uint32_t> children = fold_.children(node);
    inside.reserve(children.size());
    for (const std::uint32_t child : children) inside.push_back(box(child));
    Content made;
    place(node, children, inside, made);
    return made;
  }

 private:
  Content box(std::uint32_t node) {
    if (!unfolding_.unfolded(node)) {
      return {.size = {kBoxWidth, kBoxHeight},
              .boxes = {{.node = node, .box = {0, 0, kBoxWidth, kBoxHeight}}},
              .lines = {}};
    }
    Content inner = content(node);
    Content framed;
    framed.size = {std::max(inner.size.width, kBoxWidth) + 2 * kFrameMargin,
                   inner.size.height + kFrameHeader + kFrameMargin};
    framed.boxes.push_back({.node = node, .box = {0, 0, framed.size.width, framed.size.height}, .open = true});
    add(framed, inner, kFrameMargin, kFrameHeader);
    return framed;
  }

  static void add(Content& to, const Content& from, double dx, double dy) {
    for (FoldBox box : from.boxes) {
      box.box = box.box.moved(dx, dy);
      to.boxes.push_back(box);
    }
    for (FoldLine line : from.lines) {
      for (canvas::Point& point : line.curve) point = {point.x + dx, point.y + dy};
      to.lines.push_back(std::move(line));
    }
  }

  // Leaves out the edges that others imply: A before C, where A is before B and B before C.
  static void reduce(std::vector<FoldEdge>& edges) {
    std::map<std::uint32_t, std::size_t> number;
    for (const FoldEdge& edge : edges) {
      number.try_emplace(edge.before, 0);
      number.try_emplace(edge.after, 0);
    }
    std::size_t next = 0;
    for (auto& [box, place] : number) place = next++;
    std::ranges::sort(edges, {}, [](const FoldEdge& edge) { return std::pair(edge.after, edge.before); });
    std::vector<std::vector<bool>> all_before(next, std::vector<bool>(next, false));
    std::vector<FoldEdge> kept;
    for (std::size_t i = 0; i < edges.size();) {
      std::size_t end = i;
      while (end < edges.size() && edges[end].after == edges[i].after) ++end;
      std::vector<bool>& reached = all_before[number[edges[i].after]];
      for (std::size_t e = end; e-- > i;) {  // the nearest first
        const std::size_t before = number[edges[e].before];
        if (reached[before]) continue;
        kept.push_back(edges[e]);
        reached[before] = true;
        for (std::size_t b = 0; b < before; ++b) reached[b] = reached[b] || all_before[before][b];
      }
      i = end;
    }
    edges = std::move(kept);
  }

  // The columns in which children stand: each behind those that it waits for, and not too high.
  std::vector<std::vector<std::size_t>> columns(std::uint32_t node, const std::vector<std::uint32_t>& children) {
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < children.size(); ++i) place[children[i]] = i;
    std::vector<std::size_t> depth(children.size(), 0);
    std::vector<std::vector<std::size_t>> before(children.size());
    for (const FoldEdge& edge : edges_[node]) before[place[edge.after]].push_back(place[edge.before]);
    std::vector<std::vector<std::size_t>> columns;
    for (std::size_t i = 0; i < children.size(); ++i) {  // edges lead to later ones
      for (const std::size_t b : before[i]) depth[i] = std::max(depth[i], depth[b] + 1);
      while (depth[i] < columns.size() && columns[depth[i]].size() >= kMostInLayer) ++depth[i];
      if (columns.size() <= depth[i]) columns.resize(depth[i] + 1);
      columns[depth[i]].push_back(i);
    }
    return columns;
  }

  void place(std::uint32_t node, const std::vector<std::uint32_t>& children, const std::vector<Content>& inside,
             Content& made) {
    const std::vector<std::vector<std::size_t>> columns = this->columns(node, children);
    std::vector<canvas::Size> sizes;
    double area = 0;
    for (const auto& column : columns) {
      canvas::Size size;
      for (const std::size_t i : column) {
        size.width = std::max(size.width, inside[i].size.width);
        size.height += inside[i].size.height + canvas::kColumnGap;
      }
      sizes.push_back(size);
      area += (size.width + canvas::kLayerGap) * (size.height + kRowGap);
    }
    const double most = std::sqrt(area * kShape);
    double top = 0;
    std::vector<std::optional<canvas::Rect>> placed(children.size());
    for (std::size_t from = 0; from < columns.size();) {
      std::size_t to = from;
      double width = 0;
      while (to < columns.size() && (to == from || width + sizes[to].width <= most))
        width += sizes[to++].width + canvas::kLayerGap;
      top =
          row(node, children, inside,
              {columns.begin() + static_cast<std::ptrdiff_t>(from), columns.begin() + static_cast<std::ptrdiff_t>(to)},
              top, placed, made);
      from = to;
    }
    made.size.height = std::max(top - kRowGap, 0.0);
    across(node, children, placed, made);
  }

  // Lays out some columns as one row and returns where the next one begins.
  double row(std::uint32_t node, const std::vector<std::uint32_t>& children, const std::vector<Content>& inside,
             const std::vector<std::vector<std::size_t>>& columns, double top,
             std::vector<std::optional<canvas::Rect>>& placed, Content& made) {
    canvas::FramePlan plan;
    std::map<std::uint32_t, std::size_t> number;  // in the plan
    std::vector<std::size_t> child;
    for (const auto& column : columns) {
      canvas::PlanLayer& layer = plan.layers.emplace_back();
      for (const std::size_t i : column) {
        layer.push_back(plan.nodes.size());
        number[children[i]] = plan.nodes.size();
        child.push_back(i);
        plan.nodes.push_back({.size = {inside[i].size.height, inside[i].size.width}});
      }
    }
    std::vector<FoldEdge> edges;
    for (const FoldEdge& edge : edges_[node]) {
      const auto before = number.find(edge.before);
      const auto after = number.find(edge.after);
      if (before == number.end() || after == number.end()) continue;
      edges.push_back(edge);
      plan.edges.emplace_back(before->second, after->second);
    }
    const canvas::FrameLayout layout = canvas::layered_layout(plan, {});
    for (std::size_t i = 0; i < child.size(); ++i) {
      const canvas::Rect box = turned(layout.boxes[i]).moved(0, top);
      placed[child[i]] = box;
      add(made, inside[child[i]], box.x, box.y);
      made.size.width = std::max(made.size.width, box.right());
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      FoldLine line{edges[e], layout.curves[e]};
      for (canvas::Point& point : line.curve) point = {point.y, point.x + top};
      made.lines.push_back(std::move(line));
    }
    return top + layout.size.width + kRowGap;
  }

  // Edges from one row to another go down between the two.
  void across(std::uint32_t node, const std::vector<std::uint32_t>& children,
              const std::vector<std::optional<canvas::Rect>>& placed, Content& made) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> drawn;
    for (const FoldLine& line : made.lines) drawn[{line.edge.before, line.edge.after}] = true;
    for (const FoldEdge& edge : edges_[node]) {
      if (drawn.contains({edge.before, edge.after})) continue;
      const auto rect = [&](std::uint32_t box) {
        return *placed[static_cast<std::size_t>(std::ranges::lower_bound(children, box) - children.begin())];
      };
      const canvas::Rect before = rect(edge.before);
      const canvas::Rect after = rect(edge.after);
      const canvas::Point from{before.center().x, before.bottom()};
      const canvas::Point to{after.center().x, after.y};
      const double middle = (from.y + to.y) / 2;
      made.lines.push_back({edge, {from, {from.x, middle}, {to.x, middle}, to}});
    }
  }

  const RecordingFold& fold_;
  const Unfolding& unfolding_;
  std::map<std::uint32_t, std::vector<FoldEdge>> edges_;  // by the box around both ends
};

// Finds what the kernels of each shown box do most of the time.
void describe(const OpenedRecording& opened, const Unfolding& unfolding, FoldLayout& layout) {
  std::map<std::uint32_t, std::size_t> number;
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) number[layout.boxes[i].node] = i;
  struct Kind {
    double time = -1;
    std::uint32_t kernel = 0;
  };
  std::vector<std::array<Kind, kKernelKinds>> kinds(layout.boxes.size());
  for (std::uint32_t i = 0; i < opened.recording.kernels.size(); ++i) {
    const auto found = number.find(unfolding.box_of(i));
    if (found == number.end()) continue;
    const RecordedKernel& kernel = opened.recording.kernels[i];
    Kind& kind = kinds[found->second][static_cast<std::size_t>(kernel.kind)];
    if (kind.time < 0) kind = {0, i};
    kind.time += kernel.duration();
    FoldBox& box = layout.boxes[found->second];
    box.on_path = box.on_path || (!opened.on_path.empty() && opened.on_path[i]);
  }
  for (std::size_t b = 0; b < layout.boxes.size(); ++b) {
    const auto most = std::ranges::max_element(kinds[b], {}, &Kind::time);
    layout.boxes[b].kind_kernel = most->time < 0 ? opened.fold.nodes[layout.boxes[b].node].kernel : most->kernel;
  }
}

}  // namespace

std::optional<std::size_t> FoldLayout::box_at(const canvas::Point& at) const {
  for (std::size_t i = boxes.size(); i-- > 0;) {
    if (boxes[i].box.contains(at)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> FoldLayout::find(std::uint32_t node) const {
  const auto found = std::ranges::find(boxes, node, &FoldBox::node);
  return found == boxes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - boxes.begin()));
}

FoldLayout lay_out(const OpenedRecording& opened, const Unfolding& unfolding) {
  Content content = Placer(opened, unfolding).content(0);
  FoldLayout layout{
      std::move(content.boxes), std::move(content.lines), {0, 0, content.size.width, content.size.height}};
  describe(opened, unfolding, layout);
  return layout;
}

}  // namespace iosx::recorded
