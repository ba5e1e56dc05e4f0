#include "views/canvas/view_link.h"

#include <algorithm>
#include <utility>

#include "views/canvas/graph_view.h"

namespace iosx {

ViewLink::ViewLink(GraphView& a, GraphView& b, QObject* parent) : QObject(parent), a_(&a), b_(&b) {
  connect(&a, &GraphView::placeChanged, this, [this](const canvas::ViewPlace& place) { follow(b_, a_to_b_, place); });
  connect(&b, &GraphView::placeChanged, this, [this](const canvas::ViewPlace& place) { follow(a_, b_to_a_, place); });
  connect(&a, &GraphView::selectionShown, this, [this] { copySelection(a_, b_, a_to_b_); });
  connect(&b, &GraphView::selectionShown, this, [this] { copySelection(b_, a_, b_to_a_); });
  setEnabled(true);
}

void ViewLink::setMatch(Match a_to_b, Match b_to_a) {
  matched_ = !a_to_b.empty() || !b_to_a.empty();
  a_to_b_ = std::move(a_to_b);
  b_to_a_ = std::move(b_to_a);
}

void ViewLink::setEnabled(bool enabled) {
  enabled_ = enabled;
  if (a_) a_->fitLike(enabled ? b_.data() : nullptr);
  if (b_) b_->fitLike(enabled ? a_.data() : nullptr);
  if (a_) follow(b_, a_to_b_, a_->place());
}

std::optional<UnitId> ViewLink::counterpart(UnitId unit, const Match& match) const {
  if (!matched_) return unit;
  return unit.index() < match.size() ? match[unit.index()] : std::nullopt;
}

void ViewLink::follow(GraphView* to, const Match& match, const canvas::ViewPlace& place) {
  if (!enabled_ || to == nullptr) return;
  canvas::ViewPlace there = place;
  if (place.unit) there.unit = counterpart(*place.unit, match);
  to->setPlace(there);
}

void ViewLink::copySelection(const GraphView* from, const GraphView* to, const Match& match) {
  if (!enabled_ || copying_ || from == nullptr || to == nullptr) return;
  SelectionModel* const source = from->selectionModel();
  SelectionModel* const target = to->selectionModel();
  if (source == nullptr || target == nullptr || source == target) return;
  Selection copy;
  for (const UnitId unit : source->current().units) {
    if (const auto other = counterpart(unit, match)) copy.units.push_back(*other);
  }
  std::sort(copy.units.begin(), copy.units.end());
  copy.units.erase(std::unique(copy.units.begin(), copy.units.end()), copy.units.end());
  copying_ = true;
  target->select(std::move(copy));
  copying_ = false;
}

}  // namespace iosx

#include "moc_view_link.cpp"
