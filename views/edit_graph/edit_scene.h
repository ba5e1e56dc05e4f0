#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/graph/operator_class.h"
#include "views/canvas/layout/geometry.h"
#include "views/canvas/layout/node_text.h"
#include "views/edit_graph/edit_layout.h"

namespace iosx::editor {

struct Slot {
  OperatorKey op;
  std::size_t slot = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

// Holds what an operator's box says. It is kept while neither the operator nor what it reads changes.
struct BoxText {
  QString name;
  QString line;   // what it computes
  QString shape;  // of its output; empty where that is not known
  OperatorClass what = OperatorClass::kConv1x1;
  bool merged = false;  // one in the place of several
  canvas::Size size;
};

struct EditBox {
  OperatorKey key;
  canvas::Rect box;
  const BoxText* text = nullptr;  // of the scene
  std::size_t inputs = 0;
  bool more_inputs = false;  // takes any number
  bool source = false;
  bool by_hand = false;  // where it stands
  bool valid = true;
  std::vector<std::size_t> problems = {};  // of the check that are its own
};

struct EditWire {
  std::size_t from = 0;  // boxes
  std::size_t to = 0;
  std::size_t slot = 0;
  canvas::Curve curve;
  canvas::Rect bounds;
};

// A frame stands around several operators: a unit's, or a part's with its name above.
struct EditFrame {
  canvas::Rect box;
  double title_room = 0;  // from its top to what is in it
  QString title;
};

// This is an editable graph as it is drawn: a box an operator, a curve a connection. Operators stay where they stand
// when others change; one that has no place yet gets one beside what it is connected with. GUI thread.
class EditScene {
 public:
  EditScene();

  // Shows whatever changed since the last call; the graph and its check must not change before the next one.
  void show(const EditableGraph& graph, const GraphCheck& check);
  // Forgets where the layout put operators; those placed by hand stay. The next show() shows it.
  void forgetPlaces();
  // Words and fonts are other ones: the next show() writes all texts anew.
  void forgetTexts();
  // Puts all anew that nobody placed by hand.
  void layOut(const EditableGraph& graph, const GraphCheck& check);
  // Says where operators of the next show() stand that have no place.
  void suggest(const Places& places);

  const std::vector<EditBox>& boxes() const { return boxes_; }
  const std::vector<EditWire>& wires() const { return wires_; }
  const std::vector<EditFrame>& units() const { return units_; }  // of several operators
  const std::vector<EditFrame>& parts() const { return parts_; }  // empty where there is one
  const canvas::Rect& bounds() const { return bounds_; }
  const EditBox* find(OperatorKey key) const;  // may be null
  std::optional<std::size_t> position(OperatorKey key) const;

  static constexpr double kPortRadius = 5;
  canvas::Point output(const EditBox& box) const { return {box.box.center().x, box.box.bottom()}; }
  // Returns the number of slots, and one more where there may be more.
  static std::size_t ports(const EditBox& box) { return box.inputs + (box.more_inputs ? 1 : 0); }
  static canvas::Point input(const EditBox& box, std::size_t slot);

  // These find what is under a point; `reach` says how near counts.
  std::optional<std::size_t> boxAt(const canvas::Point& at) const;
  std::optional<std::size_t> outputAt(const canvas::Point& at, double reach) const;
  std::optional<Slot> inputAt(const canvas::Point& at, double reach) const;
  std::optional<std::size_t> wireAt(const canvas::Point& at, double reach) const;
  std::vector<OperatorKey> inside(const canvas::Rect& area) const;

  // Returns the places that a layout of a graph by itself would give, as for a piece that is to be inserted.
  Places placesOf(const EditableGraph& graph) const;
  // Moves these boxes by as much, as while they are dragged.
  void drag(std::span<const OperatorKey> keys, double dx, double dy);

 private:
  struct Known {
    std::shared_ptr<const EditOperator> op;
    std::optional<Shape> first;
    std::optional<Shape> made;
    BoxText text;
  };
  BoxText textOf(const EditOperator& op, const std::optional<Shape>& first, const std::optional<Shape>& made) const;
  void place(const EditableGraph& graph, const GraphCheck& check);
  void stand(const EditableGraph& graph, OperatorKey key);
  void connect(const EditableGraph& graph);
  void frame(const EditableGraph& graph);
  canvas::Curve route(const EditBox& from, const EditBox& to, std::size_t slot) const;

  canvas::TextStyle style_;
  std::unordered_map<OperatorKey, Known> known_;
  EditLayout layout_;
  Sizes sizes_;
  std::vector<EditBox> boxes_;  // by key
  std::vector<EditWire> wires_;
  std::vector<EditFrame> units_;
  std::vector<EditFrame> parts_;
  canvas::Rect bounds_;
};

}  // namespace iosx::editor
