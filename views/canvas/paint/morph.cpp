#include "views/canvas/paint/morph.h"

#include <algorithm>
#include <map>
#include <optional>

namespace iosx::canvas {
namespace {

Rect between(const Rect& a, const Rect& b, double share) {
  const auto mix = [share](double x, double y) { return x + (y - x) * share; };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.width, b.width), mix(a.height, b.height)};
}

// The earlier places of things, as far as they had any.
class Before {
 public:
  Before(const Layout& from, const Layout& to) : to_(to) {
    std::map<PartId, std::vector<const FrameBox*>> pieces;
    for (const FrameBox& frame : from.frames) pieces[frame.part].push_back(&frame);
    std::map<PartId, std::size_t> taken;
    nodes_.resize(to.nodes.size());
    for (const FrameBox& frame : to.frames) {
      const auto& of_part = pieces[frame.part];
      const std::size_t piece = taken[frame.part]++;
      frames_.push_back(piece < of_part.size() ? of_part[piece]->box : frame.box);
      const double dx = frames_.back().x - frame.box.x;
      const double dy = frames_.back().y - frame.box.y;
      for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
        const NodeBox& node = to.nodes[n];
        const bool known = node.unit.valid() && node.unit.index() < from.node_of.size();
        const auto at = known ? from.node_of[node.unit.index()] : std::nullopt;
        nodes_[n] = at ? from.nodes[*at].box : node.box.moved(dx, dy);
      }
    }
  }

  const Rect& node(std::size_t n) const { return nodes_[n]; }
  const Rect& frame(std::size_t f) const { return frames_[f]; }

  // A box around nodes keeps its distance to them.
  Rect around(const Rect& box, const FrameBox& frame) const {
    Rect now;
    Rect before;
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      if (!to_.nodes[n].unit.valid() || !box.contains(to_.nodes[n].box.center())) continue;
      now = now.united(to_.nodes[n].box);
      before = before.united(nodes_[n]);
    }
    if (now.empty()) return box;
    return {before.x - (now.x - box.x), before.y - (now.y - box.y), before.width + box.width - now.width,
            before.height + box.height - now.height};
  }

 private:
  const Layout& to_;
  std::vector<Rect> nodes_;
  std::vector<Rect> frames_;
};

Rect bounds_of(const Curve& curve) {
  const auto [left, right] = std::ranges::minmax(curve, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(curve, {}, &Point::y);
  return {left.x, top.y, right.x - left.x, bottom.y - top.y};
}

// A point of a curve moves as its ends do, the more the nearer it is to each.
Curve between_ends(const Curve& curve, const Point& start, const Point& end) {
  Curve moved = curve;
  const double last = static_cast<double>(curve.size()) - 1;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double along = last > 0 ? static_cast<double>(i) / last : 0;
    moved[i].x += start.x * (1 - along) + end.x * along;
    moved[i].y += start.y * (1 - along) + end.y * along;
  }
  return moved;
}

}  // namespace

Layout morph(const Layout& from, const Layout& to, double share) {
  if (share >= 1) return to;
  const Before before(from, to);
  Layout now = to;
  now.bounds = between(from.bounds, to.bounds, share);
  now.links.clear();
  for (std::size_t n = 0; n < to.nodes.size(); ++n) now.nodes[n].box = between(before.node(n), to.nodes[n].box, share);
  const auto shift = [&](std::size_t n) {
    const Point was = to.nodes[n].box.center();
    const Point is = now.nodes[n].box.center();
    return Point{is.x - was.x, is.y - was.y};
  };
  for (EdgePath& edge : now.edges) {
    edge.curve = between_ends(edge.curve, shift(edge.from), shift(edge.to));
    edge.bounds = bounds_of(edge.curve);
  }
  for (std::size_t f = 0; f < to.frames.size(); ++f) {
    const FrameBox& frame = to.frames[f];
    now.frames[f].box = between(before.frame(f), frame.box, share);
    const double dx = now.frames[f].box.x - frame.box.x;
    const double dy = now.frames[f].box.y - frame.box.y;
    now.frames[f].header = frame.header.moved(dx, dy);
    for (Rect& column : now.frames[f].columns) column = column.moved(dx, dy);
    const auto move = [&](Rect& box) { box = between(before.around(box, frame), box, share); };
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      BandBox& band = now.bands[b];
      const Rect goal = band.box;
      move(band.box);
      band.label = band.label.moved(band.box.x - goal.x, band.box.y - goal.y);
    }
    for (std::size_t g = frame.groups.first; g < frame.groups.second; ++g) move(now.groups[g].box);
    for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) move(now.merged[m].box);
  }
  return now;
}

}  // namespace iosx::canvas
