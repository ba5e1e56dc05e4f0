#include "views/canvas/layout/frame_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace iosx::canvas {
namespace {

constexpr double kTrack = 8;          // between lines side by side
constexpr double kTrackMargin = 14;   // above and below them
constexpr double kSideMargin = 40;    // beside them: columns are panels with paddings, and a gap shows between these
constexpr double kCorner = 6;         // radius
constexpr double kFullColumn = 0.72;  // of the height that a column has to fill before a better cut is taken
constexpr double kNear = 1e-6;
constexpr double kWorthFolding = 1.12;  // times larger on the screen
constexpr int kFoldHeights = 28;        // that are tried

// Returns the size of the room for lines at a foot or at a head, and between two columns.
double tracks(std::size_t lines) {
  return lines == 0 ? kTrackMargin : 2 * kTrackMargin + kTrack * static_cast<double>(lines - 1);
}
double side_tracks(std::size_t lines) {
  return 2 * kSideMargin + kTrack * static_cast<double>(std::max<std::size_t>(lines, 1) - 1);
}
double track(std::size_t line) { return kTrackMargin + kTrack * static_cast<double>(line); }

void line_to(Curve& curve, const Point& to) {
  const Point from = curve.back();
  if (std::hypot(to.x - from.x, to.y - from.y) < kNear) return;
  curve.push_back({from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
  curve.push_back({from.x + 2 * (to.x - from.x) / 3, from.y + 2 * (to.y - from.y) / 3});
  curve.push_back(to);
}

Point towards(const Point& from, const Point& to, double by) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < kNear) return from;
  return {from.x + (to.x - from.x) * by / length, from.y + (to.y - from.y) * by / length};
}

// Leads the curve along right-angled corners, which are rounded.
void follow(Curve& curve, const std::vector<Point>& points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point before = curve.back();
    const Point& corner = points[i];
    const Point& after = points[i + 1];
    const double room = std::min(std::hypot(corner.x - before.x, corner.y - before.y),
                                 std::hypot(corner.x - after.x, corner.y - after.y) / 2);
    const double radius = std::min(kCorner, room);
    line_to(curve, towards(corner, before, radius));
    curve.push_back(towards(corner, before, radius / 2));
    curve.push_back(towards(corner, after, radius / 2));
    curve.push_back(towards(corner, after, radius));
  }
  line_to(curve, points.back());
}

// Folds a frame; the plan and the layout must outlive it.
class Folder {
 public:
  Folder(const FramePlan& plan, const FrameLayout& layout) : plan_(plan), layout_(layout) {
    if (layout.layers.size() < 2) return;
    constexpr double kFar = std::numeric_limits<double>::max();
    layers_.assign(layout.layers.size(), {kFar, -kFar, 0});
    crossings_.resize(layers_.size());
    const auto add = [this](const Rect& box) { widen(layerAt(box.center().y), box.x, box.right()); };
    std::for_each(layout.boxes.begin(), layout.boxes.end(), add);
    for (std::size_t e = 0; e < layout.curves.size(); ++e) {
      const Curve& curve = layout.curves[e];
      for (std::size_t i = 0; i < curve.size(); i += 3) widen(layerAt(curve[i].y), curve[i].x, curve[i].x);
      for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        const std::size_t layer = layerAt(curve[i].y);
        if (layerAt(curve[i + 3].y) > layer) crossings_[layer].push_back({curve[i].x, plan.edges[e].first});
      }
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      auto& list = crossings_[l];
      std::sort(list.begin(), list.end(),
                [](const Crossing& a, const Crossing& b) { return a.x != b.x ? a.x > b.x : a.producer < b.producer; });
      const auto same = [](const Crossing& a, const Crossing& b) { return a.producer == b.producer; };
      list.erase(std::unique(list.begin(), list.end(), same), list.end());
      layers_[l].crossing = list.size();
    }
  }

  bool foldable() const { return layers_.size() > 1; }

  double tallestLayer() const {
    double tallest = 0;
    for (const LayerSpan& layer : layout_.layers) tallest = std::max(tallest, layer.bottom - layer.top);
    return tallest;
  }

  Size size(double height) const { return extent(columns(height)); }

  FrameLayout fold(double height) const {
    const std::vector<Column> places = columns(height);
    FrameLayout folded;
    folded.size = extent(places);
    for (const Column& column : places) folded.columns.push_back({column.x, 0, column.width, folded.size.height});
    for (const Rect& box : layout_.boxes) folded.boxes.push_back(moved(box, places));
    for (std::size_t e = 0; e < layout_.curves.size(); ++e) {
      bool crosses = false;
      folded.curves.push_back(foldedCurve(e, places, crosses));
      folded.corners.push_back(crosses);
    }
    return folded;
  }

 private:
  struct Layer {
    double left = 0;  // of its content
    double right = 0;
    std::size_t crossing = 0;  // producers with edges to the next layer
  };
  struct Column {
    std::size_t first = 0;  // layers
    std::size_t last = 0;   // one past the end
    double x = 0;
    double width = 0;
    double dx = 0;  // offset of its content
    double dy = 0;
  };
  // A line over a cut: from x at the foot of one column to x at the head of the next.
  struct Crossing {
    double x = 0;
    std::size_t producer = 0;
  };

  // Returns the last layer that begins at or above y.
  std::size_t layerAt(double y) const {
    const auto after = std::upper_bound(layout_.layers.begin(), layout_.layers.end(), y + kNear,
                                        [](double at, const LayerSpan& layer) { return at < layer.top; });
    return after == layout_.layers.begin() ? 0 : static_cast<std::size_t>(after - layout_.layers.begin()) - 1;
  }

  void widen(std::size_t layer, double left, double right) {
    layers_[layer].left = std::min(layers_[layer].left, left);
    layers_[layer].right = std::max(layers_[layer].right, right);
  }

  // Returns the height with the room for lines at its head and foot.
  double columnHeight(std::size_t first, std::size_t last) const {
    const double head = first > 0 ? tracks(layers_[first - 1].crossing) : 0;
    const double foot = last < layers_.size() ? tracks(layers_[last - 1].crossing) : 0;
    return head + layout_.layers[last - 1].bottom - layout_.layers[first].top + foot;
  }

  std::vector<std::size_t> cuts(double height) const {
    std::vector<std::size_t> firsts{0};
    while (true) {
      const std::size_t first = firsts.back();
      std::size_t best = first + 1;  // a column has a layer at least
      bool full = false;
      for (std::size_t last = first + 1; last <= layers_.size(); ++last) {
        const double taken = columnHeight(first, last);
        if (last > first + 1 && taken > height) break;
        if (last == layers_.size()) return firsts;
        const bool enough = taken >= kFullColumn * height;
        if (!enough || !full || layers_[last - 1].crossing <= layers_[best - 1].crossing) best = last;
        full = full || enough;
      }
      if (best >= layers_.size()) return firsts;
      firsts.push_back(best);
    }
  }

  std::vector<Column> columns(double height) const {
    const std::vector<std::size_t> firsts = cuts(height);
    std::vector<Column> result;
    double x = 0;
    for (std::size_t c = 0; c < firsts.size(); ++c) {
      Column column;
      column.first = firsts[c];
      column.last = c + 1 < firsts.size() ? firsts[c + 1] : layers_.size();
      double left = layers_[column.first].left;
      double right = layers_[column.first].right;
      for (std::size_t l = column.first; l < column.last; ++l) {
        left = std::min(left, layers_[l].left);
        right = std::max(right, layers_[l].right);
      }
      if (c > 0) x += side_tracks(layers_[column.first - 1].crossing);
      column.x = x;
      column.width = std::max(0.0, right - left);
      column.dx = x - left;
      column.dy = (c > 0 ? tracks(layers_[column.first - 1].crossing) : 0) - layout_.layers[column.first].top;
      x += column.width;
      result.push_back(column);
    }
    return result;
  }

  Size extent(const std::vector<Column>& columns) const {
    Size size{columns.back().x + columns.back().width, 0};
    for (const Column& column : columns) size.height = std::max(size.height, columnHeight(column.first, column.last));
    return size;
  }

  std::size_t columnOf(std::size_t layer, const std::vector<Column>& columns) const {
    const auto after = std::upper_bound(columns.begin(), columns.end(), layer,
                                        [](std::size_t l, const Column& column) { return l < column.first; });
    return static_cast<std::size_t>(after - columns.begin()) - 1;
  }

  Rect moved(const Rect& box, const std::vector<Column>& columns) const {
    const Column& column = columns[columnOf(layerAt(box.center().y), columns)];
    return box.moved(column.dx, column.dy);
  }

  Curve foldedCurve(std::size_t edge, const std::vector<Column>& columns, bool& crosses) const {
    const Curve& curve = layout_.curves[edge];
    std::size_t at = columnOf(layerAt(curve.front().y), columns);
    Curve result{{curve.front().x + columns[at].dx, curve.front().y + columns[at].dy}};
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
      const std::size_t next = columnOf(layerAt(curve[i + 3].y), columns);
      const Column& there = columns[next];
      if (next == at) {
        for (std::size_t k = i + 1; k <= i + 3; ++k) result.push_back({curve[k].x + there.dx, curve[k].y + there.dy});
        continue;
      }
      cross(result, columns[at], there, edge, {curve[i + 3].x + there.dx, curve[i + 3].y + there.dy});
      crosses = true;
      at = next;
    }
    return result;
  }

  // `end`, at the head of the next column. The rightmost line turns first, stays leftmost between the columns and
  // uppermost over the head: so it comes down rightmost again, and lines in their order never cross.
  void cross(Curve& curve, const Column& from, const Column& to, std::size_t edge, const Point& end) const {
    const auto& lines = crossings_[from.last - 1];
    const auto line = static_cast<std::size_t>(
        std::find_if(lines.begin(), lines.end(),
                     [&](const Crossing& c) { return c.producer == plan_.edges[edge].first; }) -
        lines.begin());
    const double foot = layout_.layers[from.last - 1].bottom + from.dy + track(line);
    const double between = from.x + from.width + kSideMargin + kTrack * static_cast<double>(line);
    const double head = layout_.layers[to.first].top + to.dy - tracks(lines.size()) + track(line);
    follow(curve, {{curve.back().x, foot}, {between, foot}, {between, head}, {end.x, head}, end});
  }

  const FramePlan& plan_;
  const FrameLayout& layout_;
  std::vector<Layer> layers_;                     // empty where it cannot be folded
  std::vector<std::vector<Crossing>> crossings_;  // below a layer, from right to left
};

// Fills columns up to the given height.
FrameColumns fill(const std::vector<Size>& sizes, double height) {
  FrameColumns columns;
  std::size_t column = 0;
  double y = 0;
  double widest = 0;
  for (const Size& size : sizes) {
    if (y > 0 && y + size.height > height) {
      columns.width += widest + kFrameColumnGap;
      ++column;
      y = 0;
      widest = 0;
    }
    columns.column_of.push_back(column);
    columns.height = std::max(columns.height, y + size.height);
    widest = std::max(widest, size.width);
    y += size.height + kFrameGap;
  }
  columns.width += widest;
  return columns;
}

}  // namespace

FrameLayout folded(const FramePlan& plan, const FrameLayout& layout, double height) {
  const Folder folder(plan, layout);
  return folder.foldable() ? folder.fold(height) : layout;
}

Size folded_size(const FramePlan& plan, const FrameLayout& layout, double height) {
  return Folder(plan, layout).size(height);
}

Size framed(const FramePlan& plan, const Size& inner, double header) {
  const double title = 60 + 7.5 * static_cast<double>(std::min<std::size_t>(plan.title.size(), 60)) + 80;
  return {std::max(inner.width + 2 * kFramePadding, title), inner.height + 2 * kFramePadding + header};
}

double FrameColumns::scale(double aspect) const { return std::min(aspect / width, 1 / height); }

FrameColumns choose_columns(const std::vector<Size>& sizes, double aspect) {
  double total = 0;
  double tallest = 0;
  for (const Size& size : sizes) {
    total += size.height + kFrameGap;
    tallest = std::max(tallest, size.height);
  }
  FrameColumns best;
  double best_scale = -1;
  for (int count = 1; count <= 60; ++count) {
    for (const double slack : {1.0, 1.06, 1.15, 1.3}) {
      FrameColumns columns = fill(sizes, std::max(tallest, slack * total / count));
      const double scale = columns.scale(aspect);
      if (scale <= best_scale * 1.000001) continue;
      best_scale = scale;
      best = std::move(columns);
    }
  }
  return best;
}

void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect) {
  std::vector<Folder> folders;
  std::vector<Size> sizes;
  double tallest = 0;
  double area = 0;
  double least = 0;  // height under which folding does not help
  for (std::size_t f = 0; f < plans.size(); ++f) {
    folders.emplace_back(plans[f], layouts[f]);
    sizes.push_back(framed(plans[f], layouts[f].size));
    tallest = std::max(tallest, layouts[f].size.height);
    area += sizes.back().width * sizes.back().height;
    least = std::max(least, folders.back().foldable() ? folders.back().tallestLayer() : layouts[f].size.height);
  }
  if (plans.empty()) return;
  least = std::max(least, std::sqrt(area / aspect) / 2);
  double best = 0;
  double largest = choose_columns(sizes, aspect).scale(aspect) * kWorthFolding;
  const double step = std::pow(least / tallest, 1.0 / kFoldHeights);
  double tried = tallest * step;
  for (int i = 0; i < kFoldHeights && tried > 0 && tallest > least; ++i, tried *= step) {
    for (std::size_t f = 0; f < plans.size(); ++f) {
      const bool tall = layouts[f].size.height > tried && folders[f].foldable();
      sizes[f] = framed(plans[f], tall ? folders[f].size(tried) : layouts[f].size);
    }
    const double scale = choose_columns(sizes, aspect).scale(aspect);
    if (scale <= largest) continue;
    largest = scale;
    best = tried;
  }
  for (std::size_t f = 0; f < plans.size() && best > 0; ++f) {
    if (layouts[f].size.height > best && folders[f].foldable()) layouts[f] = folders[f].fold(best);
  }
}

}  // namespace iosx::canvas
