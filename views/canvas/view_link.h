#pragma once

#include <QObject>
#include <QPointer>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"

namespace iosx {

class GraphView;
namespace canvas {
struct ViewPlace;
}  // namespace canvas

// Synchronises place, zoom and selection of two canvases side by side, whichever the user moves. They show the same
// graph, or graphs with corresponding units. Call public functions on the GUI thread.
class ViewLink final : public QObject {
  Q_OBJECT

 public:
  // The corresponding unit of the other graph per unit; none where there is none.
  using Match = std::vector<std::optional<UnitId>>;

  ViewLink(GraphView& a, GraphView& b, QObject* parent = nullptr);

  // Without a match both show graphs with the same units. For a unit without a counterpart, the other canvas goes to
  // the same share of its drawing.
  void setMatch(Match a_to_b, Match b_to_a);
  void setEnabled(bool enabled);  // initially on
  bool enabled() const { return enabled_; }

 private:
  void follow(GraphView* to, const Match& match, const canvas::ViewPlace& place);
  void copySelection(const GraphView* from, const GraphView* to, const Match& match);
  std::optional<UnitId> counterpart(UnitId unit, const Match& match) const;

  QPointer<GraphView> a_;
  QPointer<GraphView> b_;
  bool matched_ = false;
  Match a_to_b_;
  Match b_to_a_;
  bool enabled_ = true;
  bool copying_ = false;  // a selection, which returns as a change
};

}  // namespace iosx
