#include "core/model/edit/arrange.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/model/edit/patch.h"

namespace iosx {
namespace {

Patch placed_with(const EditableGraph& graph, std::span<const PlacedOperator> placed, Sentence of_one,
                  Sentence of_several) {
  Gesture gesture(graph);
  for (const PlacedOperator& each : placed) {
    gesture.change(each.key, [&](EditOperator& op) { op.place = each.place; });
  }
  if (placed.size() == 1)
    return std::move(gesture).finish(Message::sentence(of_one.pattern, {verbatim(graph.op(placed.front().key).name)}));
  return std::move(gesture).finish(Message::sentence(of_several.pattern, {verbatim(std::to_string(placed.size()))}));
}

}  // namespace

Patch place_operators(const EditableGraph& graph, std::span<const PlacedOperator> placed) {
  return placed_with(graph, placed, Sentence{"Move {}"}, Sentence{"Move {} operators"});
}

Patch release_places(const EditableGraph& graph, std::span<const OperatorKey> keys) {
  Gesture gesture(graph);
  for (const OperatorKey key : keys) gesture.change(key, [](EditOperator& op) { op.place.reset(); });
  if (keys.size() == 1)
    return std::move(gesture).finish(message("Let the layout place {}", graph.op(keys.front()).name));
  return std::move(gesture).finish(message("Let the layout place {} operators", keys.size()));
}

Patch align(const EditableGraph& graph, std::span<const PlacedOperator> placed, Alignment alignment) {
  if (placed.empty()) return {};
  const bool across = alignment <= Alignment::kRight;
  const auto coordinate = [&](CanvasPlace& place) -> double& { return across ? place.x : place.y; };
  std::vector<PlacedOperator> moved(placed.begin(), placed.end());
  double low = coordinate(moved.front().place);
  double high = low;
  for (PlacedOperator& each : moved) {
    low = std::min(low, coordinate(each.place));
    high = std::max(high, coordinate(each.place));
  }
  const bool to_low = alignment == Alignment::kLeft || alignment == Alignment::kTop;
  const bool to_middle = alignment == Alignment::kCentre || alignment == Alignment::kMiddle;
  const double line = to_low ? low : to_middle ? (low + high) / 2 : high;
  for (PlacedOperator& each : moved) coordinate(each.place) = line;
  return placed_with(graph, moved, Sentence{"Align {}"}, Sentence{"Align {} operators"});
}

}  // namespace iosx
