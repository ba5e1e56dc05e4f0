#pragma once

#include "core/model/edit/check.h"
#include "core/model/edit/history.h"
#include "core/model/graph/graph.h"

namespace iosx {

// A drawn graph with its undo steps and problems, and the graph that was last built from it, which can be searched
// and run. Where nothing can be built, the built graph stays the earlier one.
class DrawnGraph {
 public:
  explicit DrawnGraph(EditableGraph graph = EditableGraph());
  // The drawing of a graph, which stays the built one until an edit.
  explicit DrawnGraph(std::shared_ptr<const Graph> graph);

  const EditableGraph& graph() const { return history_.graph(); }
  const GraphCheck& check() const { return check_; }

  // As in EditHistory.
  bool push(Patch patch, std::uint64_t gesture = 0);
  const Patch* undo();
  const Patch* redo();
  const Patch* to_undo() const { return history_.to_undo(); }
  const Patch* to_redo() const { return history_.to_redo(); }
  // Returns whether it equals the graph of which it is the drawing.
  bool as_it_began() const { return plain_ && history_.clean(); }

  // Builds the valid operators. Returns false, and keeps built(), where there are none.
  bool build();
  // Replaces the built graph, for example by that of the network to which a kept drawing belongs. `same`: it equals
  // the built one operator for operator, and its weights replace those that the drawing lacks. Otherwise the
  // drawing belonged to an earlier graph, and no correspondence is known.
  void adopt(std::shared_ptr<const Graph> graph, bool same);

  const std::shared_ptr<const Graph>& built() const { return built_; }  // null: nothing was built yet
  bool computes() const { return computes_; }         // the drawing is valid; else built() is an earlier one
  std::size_t left_out() const { return left_out_; }  // invalid operators, which built() lacks

  // Return the units of built() with these operators, and the operators of the drawing in these units, both
  // ascending. `units` are ascending.
  std::vector<UnitId> units_of(std::span<const OperatorKey> keys) const;
  std::vector<OperatorKey> operators_of(std::span<const UnitId> units) const;
  // Returns the patch that sets the operators' attributes to those in `changed`, which has the operators of built().
  Patch with_attributes(const Graph& changed, Message sentence) const;

 private:
  EditHistory history_;
  GraphCheck check_;
  std::shared_ptr<const Graph> built_;
  KeyMap<OperatorKey, OperatorId> operators_;  // of built()
  bool computes_ = true;
  std::size_t left_out_ = 0;
  bool plain_ = false;  // it began as the drawing of a graph
};

}  // namespace iosx
