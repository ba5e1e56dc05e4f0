#include "views/edit_graph/edit_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/model/graph/operator_table.h"
#include "views/canvas/paint/scene.h"
#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

using canvas::Point;
using canvas::Rect;

constexpr double kUnitMargin = 10;
constexpr double kPartMargin = 18;
constexpr double kPartTitle = 84;         // a line of text, also where all of a network of a hundred operators is seen
constexpr double kNewShare = 0.25;        // of operators without a place, from which on all are laid out anew
constexpr std::size_t kFewOperators = 6;  // that are placed one by one whatever their share
constexpr double kApart = 16;             // pixels between a piece that is inserted and what is there
constexpr double kPast = 1e-6;            // of a box, so that rounding does not touch it again
constexpr int kCurveSteps = 12;           // for finding a curve under the pointer

Point along(const canvas::Curve& curve, std::size_t segment, double t) {
  const Point& a = curve[3 * segment];
  const Point& b = curve[3 * segment + 1];
  const Point& c = curve[3 * segment + 2];
  const Point& d = curve[3 * segment + 3];
  const double u = 1 - t;
  const auto mix = [&](double p, double q, double r, double s) {
    return u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
  };
  return {mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y)};
}

double distance_to_line(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double t = length <= 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
  return std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

}  // namespace

EditScene::EditScene() : style_(canvas::text_style()) {}

void EditScene::forgetTexts() {
  style_ = canvas::text_style();
  known_.clear();
}

EditScene::Known EditScene::seen(const GraphCheck& check, OperatorKey key,
                                 const std::shared_ptr<const EditOperator>& op) {
  const Shape* const made = check.shapes.find(key);
  return {.op = op,
          .first = op->inputs.empty() ? std::nullopt : check.shape_of(op->inputs.front()),
          .made = made == nullptr ? std::nullopt : std::optional(*made)};
}

BoxText EditScene::textOf(const Known& of) const {
  const EditOperator& op = *of.op;
  canvas::NodeText text;
  text.name = canvas::short_name(op.name);
  text.lines = {canvas::operator_text(op.attributes, op.inputs.size(), of.first)};
  text.shape = of.made ? shape_text(*of.made, "×") : std::string();
  BoxText box;
  box.size = canvas::box_size(text, style_);
  const double room = box.size.width - canvas::kBoxStripe - 2 * canvas::kBoxPadding;
  box.name = qstring(canvas::elide_around(text.name, 0, 0, room, style_.name));
  box.line = canvas::elide_middle(text.lines.front(), room, style_.body);
  box.shape = qstring(text.shape);
  box.what = operator_class(op.attributes);
  box.merged = is_merged(op.attributes);
  return box;
}

Sizes EditScene::measure(const EditableGraph& graph, const GraphCheck& check) {
  list(graph, check);
  boxes_.clear();
  connect(graph);
  frame(graph);
  return sizes_;
}

void EditScene::show(const EditableGraph& graph, const GraphCheck& check) {
  list(graph, check);
  place(graph, check);
  connect(graph);
  frame(graph);
}

// Makes the boxes, which have no place yet.
void EditScene::list(const EditableGraph& graph, const GraphCheck& check) {
  boxes_.clear();
  boxes_.reserve(graph.operators().size());
  for (const auto& [key, op] : graph.operators()) {
    Known now = seen(check, key, op);
    Known& known = known_[key];
    if (known.op != op || known.first != now.first || known.made != now.made) {
      known = std::move(now);
      known.text = textOf(known);
      sizes_[key] = known.text.size;
    }
    boxes_.push_back({.key = key,
                      .box = {},
                      .text = &known.text,
                      .inputs = op->inputs.size(),
                      .more_inputs = op->inputs.size() < operator_row(op->attributes).most_inputs,
                      .source = op->is_source(),
                      .by_hand = op->place.has_value(),
                      .valid = known.made.has_value()});
  }
  if (known_.size() > 2 * boxes_.size() + 1000) {
    std::erase_if(known_, [&](const auto& each) { return graph.find(each.first) == nullptr; });
  }
  for (std::size_t p = 0; p < check.problems.size(); ++p) {
    for (const OperatorKey key : check.problems[p].operators) {
      if (const auto at = position(key)) boxes_[*at].problems.push_back(p);
      if (check.problems[p].kind != ProblemKind::kCircle) break;
    }
  }
}

void EditScene::place(const EditableGraph& graph, const GraphCheck& check) {
  std::vector<OperatorKey> lost;
  for (const EditBox& box : boxes_) {
    if (!box.by_hand && !layout_.places.contains(box.key)) lost.push_back(box.key);
  }
  const auto few = std::max<double>(kFewOperators, kNewShare * static_cast<double>(boxes_.size()));
  if (static_cast<double>(lost.size()) > few) {
    layout_ = lay_out(graph, check, sizes_);
    lost.clear();
  }
  for (const OperatorKey key : check.order) {  // what is read first stands first
    if (std::ranges::find(lost, key) != lost.end()) stand(graph, key);
  }
  for (const OperatorKey key : lost) {
    if (!layout_.places.contains(key)) stand(graph, key);
  }
  for (EditBox& box : boxes_) {
    const auto& by_hand = graph.op(box.key).place;
    const Point centre = by_hand ? Point{by_hand->x, by_hand->y} : layout_.places.at(box.key);
    const canvas::Size size = box.text->size;
    box.box = {centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height};
  }
}

void EditScene::stand(const EditableGraph& graph, OperatorKey key) {
  const auto between = place_between(graph, key, layout_, sizes_);
  layout_.places[key] = between ? *between : place_beside(graph, key, standing_of(graph, layout_.places), sizes_);
}

// Leads around what is between, as long as both ends are where the layout put them.
canvas::Curve EditScene::route(const EditBox& from, const EditBox& to, std::size_t slot) const {
  const Point begin = output(from);
  const Point end = input(to, slot);
  const auto stands = [&](const EditBox& box) {
    const auto at = layout_.places.find(box.key);
    return !box.by_hand && at != layout_.places.end() && at->second == box.box.center();
  };
  const auto laid = layout_.routes.find({from.key, to.key});
  if (laid != layout_.routes.end() && stands(from) && stands(to)) {
    canvas::Curve curve = laid->second;
    const std::size_t last = curve.size() - 1;
    if (std::abs(curve.front().y - begin.y) < 12 && std::abs(curve.back().y - end.y) < 12) {
      curve[1].x += begin.x - curve[0].x;
      curve[last - 1].x += end.x - curve[last].x;
      curve.front() = begin;
      curve.back() = end;
      return curve;
    }
  }
  const double bend = std::clamp(std::abs(end.y - begin.y) / 2, 18.0, 120.0);
  return {begin, {begin.x, begin.y + bend}, {end.x, end.y - bend}, end};
}

void EditScene::connect(const EditableGraph& graph) {
  wires_.clear();
  bounds_ = {};
  for (std::size_t to = 0; to < boxes_.size(); ++to) {
    bounds_ = bounds_.united(boxes_[to].box);
    const auto& inputs = graph.op(boxes_[to].key).inputs;
    for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
      const auto from = inputs[slot].open() ? std::nullopt : position(inputs[slot].producer);
      if (!from) continue;
      EditWire wire{*from, to, slot, route(boxes_[*from], boxes_[to], slot), {}};
      wire.bounds = bounds_of(wire.curve);
      wires_.push_back(std::move(wire));
    }
  }
}

void EditScene::frame(const EditableGraph& graph) {
  units_.clear();
  parts_.clear();
  struct Around {
    Rect box;
    std::size_t operators = 0;
  };
  std::unordered_map<UnitKey, Around> units;
  std::unordered_map<PartKey, Rect> parts;
  for (const EditBox& box : boxes_) {
    const UnitKey key = graph.op(box.key).unit;
    const EditUnit* const unit = graph.find(key);
    if (unit == nullptr) continue;
    Around& around = units[key];
    around.box = around.box.united(box.box);
    ++around.operators;
    Rect& part = parts[unit->part];
    part = part.united(box.box);
  }
  // A box without a unit, such as an input, belongs to the frame that contains it or is directly below: it
  // would cover the name.
  for (const EditBox& box : boxes_) {
    if (graph.find(graph.op(box.key).unit) != nullptr) continue;
    for (auto& [key, part] : parts) {
      const Rect title{part.x - kPartMargin, part.y - kPartMargin - kPartTitle, part.width + 2 * kPartMargin,
                       kPartMargin + kPartTitle};
      if (title.intersects(box.box)) part = part.united(box.box);
    }
  }
  for (const auto& [key, unit] : graph.units()) {
    const auto found = units.find(key);
    if (found == units.end() || found->second.operators < 2) continue;
    units_.push_back({found->second.box.grown(kUnitMargin), 0, shown_name(unit->name)});
  }
  if (graph.parts().size() < 2) return;
  for (const EditPart& part : graph.parts()) {
    const auto found = parts.find(part.key);
    if (found == parts.end()) continue;
    Rect box = found->second.grown(kPartMargin);
    box.y -= kPartTitle;
    box.height += kPartTitle;
    parts_.push_back({box, kPartMargin + kPartTitle, shown_name(part.name)});
    bounds_ = bounds_.united(box);
  }
}

void EditScene::layOut(const EditableGraph& graph, const GraphCheck& check) {
  layout_ = lay_out(graph, check, sizes_);
  show(graph, check);
}

void EditScene::suggest(const Places& places) {
  for (const auto& [key, place] : places) layout_.places[key] = place;
}

std::optional<std::size_t> EditScene::position(OperatorKey key) const {
  const auto at = std::ranges::lower_bound(boxes_, key, std::less<>(), &EditBox::key);
  if (at == boxes_.end() || at->key != key) return std::nullopt;
  return static_cast<std::size_t>(at - boxes_.begin());
}

const EditBox* EditScene::find(OperatorKey key) const {
  const auto at = position(key);
  return at ? &boxes_[*at] : nullptr;
}

Point EditScene::input(const EditBox& box, std::size_t slot) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, ports(box)));
  return {box.box.x + box.box.width * (static_cast<double>(slot) + 0.5) / count, box.box.y};
}

std::optional<std::size_t> EditScene::boxAt(const Point& at) const {
  for (std::size_t i = boxes_.size(); i-- > 0;) {
    if (boxes_[i].box.contains(at)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> EditScene::outputAt(const Point& at, double reach) const {
  for (std::size_t i = boxes_.size(); i-- > 0;) {
    const Point port = output(boxes_[i]);
    if (std::hypot(port.x - at.x, port.y - at.y) <= reach) return i;
  }
  return std::nullopt;
}

std::optional<Slot> EditScene::inputAt(const Point& at, double reach) const {
  for (std::size_t i = boxes_.size(); i-- > 0;) {
    if (!boxes_[i].box.grown(reach).contains(at)) continue;
    for (std::size_t slot = 0; slot < ports(boxes_[i]); ++slot) {
      const Point port = input(boxes_[i], slot);
      if (std::hypot(port.x - at.x, port.y - at.y) <= reach) return Slot{boxes_[i].key, slot};
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> EditScene::wireAt(const Point& at, double reach) const {
  std::optional<std::size_t> nearest;
  double least = reach;
  for (std::size_t w = 0; w < wires_.size(); ++w) {
    if (!wires_[w].bounds.grown(reach).contains(at)) continue;
    const canvas::Curve& curve = wires_[w].curve;
    for (std::size_t segment = 0; 3 * segment + 3 < curve.size(); ++segment) {
      Point before = curve[3 * segment];
      for (int step = 1; step <= kCurveSteps; ++step) {
        const Point next = along(curve, segment, static_cast<double>(step) / kCurveSteps);
        const double distance = distance_to_line(at, before, next);
        before = next;
        if (distance > least) continue;
        least = distance;
        nearest = w;
      }
    }
  }
  return nearest;
}

std::vector<OperatorKey> EditScene::inside(const Rect& area) const {
  std::vector<OperatorKey> keys;
  for (const EditBox& box : boxes_) {
    if (box.box.intersects(area)) keys.push_back(box.key);
  }
  return keys;
}

std::unordered_map<OperatorKey, Rect> EditScene::boxesOf(const EditableGraph& graph) const {
  const GraphCheck found = check(graph);
  Sizes sizes;
  for (const auto& [key, op] : graph.operators()) sizes[key] = textOf(seen(found, key, op)).size;
  std::unordered_map<OperatorKey, Rect> boxes;
  for (const auto& [key, at] : lay_out(graph, found, sizes).places) {
    const canvas::Size size = sizes.at(key);
    boxes[key] = {at.x - size.width / 2, at.y - size.height / 2, size.width, size.height};
  }
  return boxes;
}

Point EditScene::freeShift(const Rect& area) const {
  std::optional<Point> best;
  // To the right first: of ways that are as long it is the one that is taken.
  for (const Point direction : {Point{1, 0}, Point{-1, 0}, Point{0, 1}, Point{0, -1}}) {
    Point way;
    // Past what is in the way, until nothing is.
    for (bool covers = true; covers;) {
      covers = false;
      const Rect at = area.moved(way.x, way.y).grown(kApart);
      for (const EditBox& box : boxes_) {
        if (!at.intersects(box.box)) continue;
        covers = true;
        const double step = direction.x > 0   ? box.box.right() - at.x
                            : direction.x < 0 ? at.right() - box.box.x
                            : direction.y > 0 ? box.box.bottom() - at.y
                                              : at.bottom() - box.box.y;
        way = {way.x + direction.x * (step + kPast), way.y + direction.y * (step + kPast)};
        break;
      }
    }
    if (!best || std::abs(way.x) + std::abs(way.y) < std::abs(best->x) + std::abs(best->y)) best = way;
  }
  return *best;
}

void EditScene::drag(std::span<const OperatorKey> keys, double dx, double dy) {
  std::vector<bool> moved(boxes_.size(), false);
  for (const OperatorKey key : keys) {
    const auto at = position(key);
    if (!at || moved[*at]) continue;
    moved[*at] = true;
    boxes_[*at].box = boxes_[*at].box.moved(dx, dy);
  }
  for (EditWire& wire : wires_) {
    if (!moved[wire.from] && !moved[wire.to]) continue;
    wire.curve = route(boxes_[wire.from], boxes_[wire.to], wire.slot);
    wire.bounds = bounds_of(wire.curve);
  }
}

}  // namespace iosx::editor
