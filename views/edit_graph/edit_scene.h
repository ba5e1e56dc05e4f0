#pragma once

#include <QString>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/graph/operator.h"
#include "views/canvas/layout/geometry.h"
#include "views/canvas/layout/node_text.h"

namespace iosx::editor {

using Places = std::unordered_map<OperatorKey, canvas::Point>;  // centres
using Sizes = std::unordered_map<OperatorKey, canvas::Size>;
using Route = std::pair<OperatorKey, OperatorKey>;  // from a producer to its reader

// A layout's places of operators, and the routes of connections around others.
struct EditLayout {
  Places places;
  std::map<Route, canvas::Curve> routes;
};

// Returns the operators' places: those set by hand, else those of a layout.
Places standing_of(const EditableGraph& graph, const Places& laid);

// Lays out all operators anew, part by part; parts are stacked, or side by side where that fits the aspect ratio
// better. Operators on a circle are placed as if its closing edge were missing. `sizes` has all operators. Stopped, the
// layout is empty.
EditLayout lay_out(const EditableGraph& graph, const GraphCheck& check, const Sizes& sizes,
                   const std::stop_token& stop = {}, double aspect = 1.6);

// Returns a place for one more operator: below its producers, else above its readers, else below everything; beside an
// occupied place. `places` has the others, from any source.
canvas::Point place_beside(const EditableGraph& graph, OperatorKey key, const Places& places, const Sizes& sizes);

// Returns a place for an operator between producers and readers, such as one dropped on a connection: below the former
// and above the latter. With too little room between them, operators there and below in the same column of parts, if
// placed by the layout, move down with their routes. Returns none where it is not between operators that have a place.
std::optional<canvas::Point> place_between(const EditableGraph& graph, OperatorKey key, EditLayout& layout,
                                           const Sizes& sizes);

struct Slot {
  OperatorKey op;
  std::size_t slot = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

// The texts of an operator's box. Kept while neither the operator nor its inputs change.
struct BoxText {
  QString name;
  QString line;   // its computation
  QString shape;  // of its output; empty where unknown
  OperatorClass what = OperatorClass::kConv1x1;
  bool merged = false;  // joins several
  canvas::Size size;
};

struct EditBox {
  OperatorKey key;
  canvas::Rect box;
  const BoxText* text = nullptr;  // owned by the scene
  std::size_t inputs = 0;
  bool more_inputs = false;  // accepts any number
  bool source = false;
  bool by_hand = false;  // placed by hand
  bool valid = true;
  std::vector<std::size_t> problems = {};  // the check's problems of this operator
};

struct EditWire {
  std::size_t from = 0;  // index of boxes
  std::size_t to = 0;
  std::size_t slot = 0;
  canvas::Curve curve;
  canvas::Rect bounds;
};

// A frame around several operators: of a unit, or of a part with its name above.
struct EditFrame {
  canvas::Rect box;
  double title_room = 0;  // from its top to its content
  QString title;
};

// An editable graph as a drawing: a box per operator, a curve per connection. Operators keep their places when
// others change; a new one gets a place next to its connections. GUI thread.
class EditScene {
 public:
  EditScene();

  // Shows the changes since the last call; the graph and its check must not change before the next one.
  void show(const EditableGraph& graph, const GraphCheck& check);
  // Forgets the layout's places; those set by hand stay. The next show() lays out anew.
  void forgetPlaces() { layout_ = {}; }
  // Call it after a change of language or fonts: the next show() writes all texts anew.
  void forgetTexts();
  // Shows nothing yet, and returns the sizes for lay_out(), whose layout the next show() takes.
  Sizes measure(const EditableGraph& graph, const GraphCheck& check);
  void adopt(EditLayout layout) { layout_ = std::move(layout); }
  // Lays out everything that was not placed by hand.
  void layOut(const EditableGraph& graph, const GraphCheck& check);
  // Sets places for operators of the next show() that have none.
  void suggest(const Places& places);

  const std::vector<EditBox>& boxes() const { return boxes_; }
  const std::vector<EditWire>& wires() const { return wires_; }
  const std::vector<EditFrame>& units() const { return units_; }  // with several operators
  const std::vector<EditFrame>& parts() const { return parts_; }  // empty for a single one
  const canvas::Rect& bounds() const { return bounds_; }
  const EditBox* find(OperatorKey key) const;  // may be null
  std::optional<std::size_t> position(OperatorKey key) const;

  static constexpr double kPortRadius = 5;
  canvas::Point output(const EditBox& box) const { return {box.box.center().x, box.box.bottom()}; }
  // Returns the number of slots, and one more where more are allowed.
  static std::size_t ports(const EditBox& box) { return box.inputs + (box.more_inputs ? 1 : 0); }
  static canvas::Point input(const EditBox& box, std::size_t slot);

  // Find the thing under a point; `reach` is the tolerance.
  std::optional<std::size_t> boxAt(const canvas::Point& at) const;
  std::optional<std::size_t> outputAt(const canvas::Point& at, double reach) const;
  std::optional<Slot> inputAt(const canvas::Point& at, double reach) const;
  std::optional<std::size_t> wireAt(const canvas::Point& at, double reach) const;
  std::vector<OperatorKey> inside(const canvas::Rect& area) const;

  // Returns the boxes of a graph in its own layout, such as of a piece to be inserted.
  std::unordered_map<OperatorKey, canvas::Rect> boxesOf(const EditableGraph& graph) const;
  // Returns the shortest way, in one direction, that takes the area off all boxes; {0, 0} where it covers none.
  canvas::Point freeShift(const canvas::Rect& area) const;
  // Shifts these boxes, during a drag.
  void drag(std::span<const OperatorKey> keys, double dx, double dy);

 private:
  struct Known {
    std::shared_ptr<const EditOperator> op;
    std::optional<Shape> first;  // input
    std::optional<Shape> made;
    BoxText text = {};
  };
  // Returns what texts depend on, without them.
  static Known seen(const GraphCheck& check, OperatorKey key, const std::shared_ptr<const EditOperator>& op);
  BoxText textOf(const Known& of) const;
  void list(const EditableGraph& graph, const GraphCheck& check);
  void place(const EditableGraph& graph, const GraphCheck& check);
  void stand(const EditableGraph& graph, OperatorKey key);
  void connect(const EditableGraph& graph);
  void frame(const EditableGraph& graph);
  canvas::Curve route(const EditBox& from, const EditBox& to, std::size_t slot) const;

  canvas::TextStyle style_;
  std::unordered_map<OperatorKey, Known> known_;
  EditLayout layout_;
  Sizes sizes_;
  std::vector<EditBox> boxes_;  // sorted by key
  std::vector<EditWire> wires_;
  std::vector<EditFrame> units_;
  std::vector<EditFrame> parts_;
  canvas::Rect bounds_;
};

}  // namespace iosx::editor
