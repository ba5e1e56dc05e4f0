#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/model/edit/check.h"
#include "core/model/edit/history.h"
#include "core/model/graph/graph.h"

namespace iosx {

// A graph that is drawn, with its undo steps and what is wrong with it, beside the graph that was last built of it:
// that one is what can be searched and run. A drawing of which nothing can be built stays beside what it was before.
class DrawnGraph {
 public:
  explicit DrawnGraph(EditableGraph graph = EditableGraph());
  // The drawing of a graph, which is what is built of it until somebody edits.
  explicit DrawnGraph(std::shared_ptr<const Graph> graph);

  const EditableGraph& graph() const { return history_.graph(); }
  const GraphCheck& check() const { return check_; }

  // As EditHistory's.
  bool push(Patch patch, std::uint64_t gesture = 0);
  const Patch* undo();
  const Patch* redo();
  const Patch* to_undo() const { return history_.to_undo(); }
  const Patch* to_redo() const { return history_.to_redo(); }
  // It says no more than the graph that it is the drawing of.
  bool as_it_began() const { return plain_ && history_.clean(); }

  // Builds what is valid. False: nothing is, and built() stays.
  bool build();
  // Another graph takes the place of what was built, such as that of the network to which a kept drawing belongs.
  // `same`: operator for operator it is what was built; then its weights stand in for those that the drawing lacks.
  // Otherwise it is what the drawing was before, and nothing is known to be in both.
  void adopt(std::shared_ptr<const Graph> graph, bool same);

  const std::shared_ptr<const Graph>& built() const { return built_; }  // null: nothing was built yet
  bool computes() const { return computes_; }         // the drawing does; else built() is an earlier one
  std::size_t left_out() const { return left_out_; }  // operators that built() lacks, because they were not valid

  // The units of built() that these operators are in, and the operators of the drawing that are in these units, both
  // ascending. `units` are ascending.
  std::vector<UnitId> units_of(std::span<const OperatorKey> keys) const;
  std::vector<OperatorKey> operators_of(std::span<const UnitId> units) const;
  // What gives the operators the attributes that they have in `changed`, which has the operators of built().
  Patch with_attributes(const Graph& changed, Message sentence) const;

 private:
  EditHistory history_;
  GraphCheck check_;
  std::shared_ptr<const Graph> built_;
  KeyMap<OperatorKey, OperatorId> operators_;  // of built()
  bool computes_ = true;
  std::size_t left_out_ = 0;
  bool plain_ = false;  // it began as a graph is
};

}  // namespace iosx
