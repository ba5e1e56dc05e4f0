#include "views/edit_graph/edit_scene.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "views/canvas/layout/frame_columns.h"
#include "views/canvas/layout/frame_plan.h"

namespace iosx::editor {
namespace {

using canvas::FrameLayout;
using canvas::FramePlan;
using canvas::Point;
using canvas::Rect;
using canvas::Size;

constexpr double kGap = 36;                    // under one another
constexpr double kAside = 24;                  // beside one another
constexpr int kMostSteps = 200;                // aside, before operators may lie on one another
constexpr double kPartRoom = 30;               // around a part's operators
constexpr double kPartAbove = kPartRoom + 54;  // a line with its name is in it
constexpr std::size_t kNobody = SIZE_MAX;

Rect around(const Point& centre, const Size& size) {
  return {centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height};
}

// The operators of one part for the canvas's layout.
struct PartPlan {
  FramePlan plan;
  std::vector<std::size_t> operators;  // by position in the index; a node each
};

class Planner {
 public:
  Planner(const EditableGraph& graph, const Sizes& sizes) : graph_(graph), index_(graph), sizes_(sizes) {
    order_ = index_.order();
    std::vector<bool> ordered(index_.size(), false);
    for (const std::size_t i : order_) ordered[i] = true;
    for (std::size_t i = 0; i < index_.size(); ++i) {
      if (!ordered[i]) order_.push_back(i);
    }
  }

  std::vector<PartPlan> plan() {
    std::vector<std::size_t> part_of(index_.size(), 0);
    for (std::size_t i = 0; i < index_.size(); ++i) part_of[i] = part(i);
    std::vector<PartPlan> plans(graph_.parts().size());
    std::vector<std::size_t> node_of(index_.size(), 0);
    std::vector<std::size_t> place(index_.size(), 0);  // in the order
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::size_t i = order_[at];
      place[i] = at;
      PartPlan& to = plans[part_of[i]];
      node_of[i] = to.operators.size();
      to.operators.push_back(i);
      to.plan.nodes.push_back({sizes_.at(index_.key(i))});
    }
    for (std::size_t p = 0; p < plans.size(); ++p) {
      FramePlan& frame = plans[p].plan;
      std::vector<std::size_t> rank(frame.nodes.size(), 0);
      std::vector<std::size_t> first_reader(frame.nodes.size(), kNobody);  // its rank, of what reads nothing here
      for (std::size_t node = 0; node < frame.nodes.size(); ++node) {
        const std::size_t i = plans[p].operators[node];
        const auto first_edge = static_cast<std::ptrdiff_t>(frame.edges.size());
        for (const std::size_t from : index_.producers(i)) {
          if (from == EditIndex::kNone || part_of[from] != p || place[from] >= place[i]) continue;
          frame.edges.emplace_back(node_of[from], node);
          rank[node] = std::max(rank[node], rank[node_of[from]] + 1);
        }
        for (auto edge = frame.edges.begin() + first_edge; edge != frame.edges.end(); ++edge) {
          first_reader[edge->first] = std::min(first_reader[edge->first], rank[node]);
        }
      }
      // Operators without inputs are placed above their first reader: from the top, a lane to it would cross every
      // layer.
      for (std::size_t node = 0; node < frame.nodes.size(); ++node) {
        const bool source = std::ranges::all_of(index_.producers(plans[p].operators[node]),
                                                [](std::size_t from) { return from == EditIndex::kNone; });
        if (source && first_reader[node] != kNobody) rank[node] = first_reader[node] - 1;
        if (frame.layers.size() <= rank[node]) frame.layers.resize(rank[node] + 1);
        frame.layers[rank[node]].push_back(node);
      }
      std::ranges::sort(frame.edges);
      frame.edges.erase(std::unique(frame.edges.begin(), frame.edges.end()), frame.edges.end());
      frame.part = PartId(p);
      frame.title = graph_.parts()[p].name;
    }
    std::erase_if(plans, [](const PartPlan& each) { return each.operators.empty(); });
    return plans;
  }

  OperatorKey key(std::size_t i) const { return index_.key(i); }
  // By operator the number of the plan that it is in.
  std::unordered_map<OperatorKey, std::size_t> part_of(const std::vector<PartPlan>& plans) const {
    std::unordered_map<OperatorKey, std::size_t> made;
    for (std::size_t p = 0; p < plans.size(); ++p) {
      for (const std::size_t i : plans[p].operators) made[key(i)] = p;
    }
    return made;
  }

 private:
  // A source is placed with its first reader.
  std::size_t part(std::size_t i) const {
    std::size_t of = i;
    if (index_.unit(i) == EditIndex::kNone) {
      const auto readers = index_.readers(i);
      if (readers.empty()) return 0;
      of = readers.front();
      if (index_.unit(of) == EditIndex::kNone) return 0;
    }
    const PartKey key = graph_.unit(index_.op(of).unit).part;
    const auto found = std::ranges::find(graph_.parts(), key, &EditPart::key);
    return static_cast<std::size_t>(found - graph_.parts().begin());
  }

  const EditableGraph& graph_;
  EditIndex index_;
  const Sizes& sizes_;
  std::vector<std::size_t> order_;
};

// Returns straight lines with round corners, as cubics.
canvas::Curve rounded(const std::vector<Point>& points) {
  constexpr double kCorner = 10;
  canvas::Curve curve{points.front()};
  const auto line_to = [&](const Point& to) {
    const Point from = curve.back();
    curve.push_back({from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
    curve.push_back({from.x + 2 * (to.x - from.x) / 3, from.y + 2 * (to.y - from.y) / 3});
    curve.push_back(to);
  };
  const auto towards = [](const Point& from, const Point& to, double most) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double share = length == 0 ? 0 : std::min(most / length, 0.5);
    return Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
  };
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    line_to(towards(points[i], points[i - 1], kCorner));
    const Point after = towards(points[i], points[i + 1], kCorner);
    curve.insert(curve.end(), {points[i], points[i], after});
  }
  line_to(points.back());
  return curve;
}

// Routes from one column of parts to another: below its own part, through the gaps between columns, above all parts
// where columns lie between, and into the part from above.
void route_between_columns(const EditableGraph& graph, const Sizes& sizes, const std::vector<std::size_t>& columns,
                           const std::vector<Rect>& frames, const std::vector<double>& lefts,
                           const std::unordered_map<OperatorKey, std::size_t>& part_of, EditLayout& made) {
  constexpr double kBeside = canvas::kFrameGap / 2;
  const auto gutter = [&](std::size_t column) { return lefts[column] - canvas::kFrameColumnGap / 2; };
  for (const auto& [key, op] : graph.operators()) {
    const auto to = part_of.find(key);
    if (to == part_of.end()) continue;
    for (const EditInput& input : op->inputs) {
      const auto from = part_of.find(input.producer);
      if (from == part_of.end() || columns[from->second] == columns[to->second]) continue;
      const std::size_t own = columns[from->second];
      const std::size_t other = columns[to->second];
      const Point begin{made.places.at(input.producer).x,
                        made.places.at(input.producer).y + sizes.at(input.producer).height / 2};
      const Point end{made.places.at(key).x, made.places.at(key).y - sizes.at(key).height / 2};
      const double below = frames[from->second].bottom() + kBeside;
      const double above = frames[to->second].y - kBeside;
      const double out = gutter(own < other ? own + 1 : own);
      const double in = gutter(own < other ? other : other + 1);
      std::vector<Point> points{begin, {begin.x, below}, {out, below}};
      if (out != in) points.insert(points.end(), {{out, -canvas::kFrameGap}, {in, -canvas::kFrameGap}});
      points.insert(points.end(), {{in, above}, {end.x, above}, end});
      made.routes[{input.producer, key}] = rounded(points);
    }
  }
}

// Returns the place nearest to the right of that one where nothing is in the way.
Point beside(Point centre, const Size& size, const Places& places, const Sizes& sizes) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Rect wanted = around(centre, size).grown(kAside / 2);
    const auto hit = std::ranges::find_if(
        places, [&](const auto& place) { return around(place.second, sizes.at(place.first)).intersects(wanted); });
    if (hit == places.end()) break;
    centre.x = hit->second.x + sizes.at(hit->first).width / 2 + kAside + size.width / 2;
  }
  return centre;
}

struct Range {
  double begin = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  void take_in(const Range& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

// Returns the left and right end of the column of parts with the operator's part. An operator of no part is in its
// reader's column.
Range column_of(const EditableGraph& graph, OperatorKey key, const Places& laid, const Sizes& sizes) {
  std::unordered_map<PartKey, Range> parts;
  for (const auto& [other, at] : laid) {
    const EditOperator* const op = graph.find(other);
    const EditUnit* const unit = op == nullptr || op->place ? nullptr : graph.find(op->unit);
    if (unit == nullptr) continue;
    const double half = sizes.at(other).width / 2;
    parts[unit->part].take_in({at.x - half, at.x + half});
  }
  const EditUnit* const own = graph.find(graph.op(key).unit);
  Range column = own == nullptr ? Range{} : parts[own->part];
  for (bool grew = true; std::exchange(grew, false);) {
    for (const auto& [part, range] : parts) {
      if (!column.overlaps(range) || (column.begin <= range.begin && range.end <= column.end)) continue;
      column.take_in(range);
      grew = true;
    }
  }
  return column;
}

// Moves everything that the layout put at or below that height in the operator's column of parts down, and routes from
// their ends to where they pass that height.
void move_down(const EditableGraph& graph, OperatorKey key, double height, double by, EditLayout& layout,
               const Sizes& sizes) {
  constexpr double kTolerance = 1;
  const Range column = column_of(graph, key, layout.places, sizes);
  std::unordered_set<OperatorKey> moved;
  for (auto& [other, at] : layout.places) {
    const EditOperator* const op = graph.find(other);
    if (op == nullptr || op->place) continue;
    const Size& size = sizes.at(other);
    if (at.y - size.height / 2 < height - kTolerance) continue;
    if (!column.overlaps({at.x - size.width / 2, at.x + size.width / 2})) continue;
    at.y += by;
    moved.insert(other);
  }
  for (auto& [route, curve] : layout.routes) {
    const auto below = [&](const Point& point) { return point.y >= height - kTolerance; };
    const auto first = moved.contains(route.first) ? std::ranges::find_if_not(curve, below) : curve.begin();
    const auto last = moved.contains(route.second)
                          ? std::find_if_not(curve.rbegin(), std::make_reverse_iterator(first), below).base()
                          : curve.end();
    for (auto point = curve.begin(); point != first; ++point) point->y += by;
    for (auto point = last; point != curve.end(); ++point) point->y += by;
  }
}

}  // namespace

Places standing_of(const EditableGraph& graph, const Places& laid) {
  Places standing;
  for (const auto& [key, op] : graph.operators()) {
    const auto at = laid.find(key);
    if (op->place) standing[key] = {op->place->x, op->place->y};
    if (!op->place && at != laid.end()) standing[key] = at->second;
  }
  return standing;
}

EditLayout lay_out(const EditableGraph& graph, const GraphCheck& /*check*/, const Sizes& sizes,
                   const std::stop_token& stop, double aspect) {
  Planner planner(graph, sizes);
  const std::vector<PartPlan> parts = planner.plan();
  std::vector<FramePlan> plans;
  std::vector<FrameLayout> layouts;
  std::vector<Size> framed;
  for (const PartPlan& part : parts) {
    plans.push_back(part.plan);
    layouts.push_back(canvas::layered_layout(part.plan, stop));
    if (stop.stop_requested()) return {};
  }
  canvas::fold_tall_frames(plans, layouts, aspect);
  for (const FrameLayout& layout : layouts) {
    framed.push_back({layout.size.width + 2 * kPartRoom, layout.size.height + kPartAbove + kPartRoom});
  }
  EditLayout made;
  if (parts.empty()) return made;
  const canvas::FrameColumns columns = canvas::choose_columns(framed, aspect);
  Point at{0, 0};
  double widest = 0;
  std::vector<Rect> frames;
  std::vector<double> lefts{0};  // of the columns
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p > 0 && columns.column_of[p] != columns.column_of[p - 1]) {
      at = {at.x + widest + canvas::kFrameColumnGap, 0};
      widest = 0;
      lefts.push_back(at.x);
    }
    frames.push_back({at.x, at.y, framed[p].width, framed[p].height});
    const Point corner{at.x + kPartRoom, at.y + kPartAbove};
    for (std::size_t node = 0; node < parts[p].operators.size(); ++node) {
      const Point centre = layouts[p].boxes[node].center();
      made.places[planner.key(parts[p].operators[node])] = {centre.x + corner.x, centre.y + corner.y};
    }
    for (std::size_t e = 0; e < plans[p].edges.size(); ++e) {
      const auto [from, to] = plans[p].edges[e];
      canvas::Curve curve = layouts[p].curves[e];
      for (Point& point : curve) point = {point.x + corner.x, point.y + corner.y};
      made.routes[{planner.key(parts[p].operators[from]), planner.key(parts[p].operators[to])}] = std::move(curve);
    }
    widest = std::max(widest, framed[p].width);
    at.y += framed[p].height + canvas::kFrameGap;
  }
  lefts.push_back(at.x + widest + canvas::kFrameColumnGap);
  route_between_columns(graph, sizes, columns.column_of, frames, lefts, planner.part_of(parts), made);
  return made;
}

Point place_beside(const EditableGraph& graph, OperatorKey key, const Places& places, const Sizes& sizes) {
  const Size size = sizes.at(key);
  std::optional<double> x;
  double y = 0;
  double sum = 0;
  double count = 0;
  for (const EditInput& input : graph.op(key).inputs) {
    const auto from = input.open() ? places.end() : places.find(input.producer);
    if (from == places.end()) continue;
    const double below = from->second.y + sizes.at(from->first).height / 2 + kGap + size.height / 2;
    y = count == 0 ? below : std::max(y, below);
    sum += from->second.x;
    ++count;
  }
  if (count > 0) x = sum / count;
  if (!x) {
    for (const auto& [other, op] : graph.operators()) {
      const auto at = places.find(other);
      if (at == places.end()) continue;
      if (std::ranges::none_of(op->inputs, [&](const EditInput& input) { return input.producer == key; })) continue;
      x = at->second.x;
      y = at->second.y - sizes.at(other).height / 2 - kGap - size.height / 2;
      break;
    }
  }
  if (!x) {
    Rect all;
    for (const auto& [other, at] : places) all = all.united(around(at, sizes.at(other)));
    x = all.empty() ? 0 : all.x + size.width / 2;
    y = all.empty() ? 0 : all.bottom() + kGap + size.height / 2;
  }
  return beside({*x, y}, size, places, sizes);
}

std::optional<Point> place_between(const EditableGraph& graph, OperatorKey key, EditLayout& layout,
                                   const Sizes& sizes) {
  const Places standing = standing_of(graph, layout.places);
  const Size size = sizes.at(key);
  double bottom = -std::numeric_limits<double>::infinity();  // of what it reads
  double top = std::numeric_limits<double>::infinity();      // of what reads it
  double sum = 0;
  double count = 0;
  for (const EditInput& input : graph.op(key).inputs) {
    const auto from = input.open() ? standing.end() : standing.find(input.producer);
    if (from == standing.end()) continue;
    bottom = std::max(bottom, from->second.y + sizes.at(from->first).height / 2);
    sum += from->second.x;
    ++count;
  }
  for (const auto& [other, op] : graph.operators()) {
    const auto at = standing.find(other);
    if (at == standing.end()) continue;
    if (std::ranges::none_of(op->inputs, [&](const EditInput& input) { return input.producer == key; })) continue;
    top = std::min(top, at->second.y - sizes.at(other).height / 2);
  }
  if (!std::isfinite(bottom) || !std::isfinite(top) || top < bottom) return std::nullopt;
  const double lacking = size.height + 2 * kGap - (top - bottom);
  if (lacking > 0) move_down(graph, key, top, lacking, layout, sizes);
  return beside({sum / count, bottom + kGap + size.height / 2}, size, standing_of(graph, layout.places), sizes);
}

}  // namespace iosx::editor
