#pragma once

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

namespace iosx {

// An edit while it is made: a copy of the graph to change at will, and at the end what that changed. The graph it was
// made from stays as it is.
class Gesture {
 public:
  explicit Gesture(const EditableGraph& before) : before_(before), graph_(before) {}

  EditableGraph& graph() { return graph_; }
  const EditableGraph& before() const { return before_; }

  // Changes one operator; its key is there.
  template <typename F>
  void change(OperatorKey key, F&& f) {
    EditOperator op = graph_.op(key);
    f(op);
    graph_.set(key, std::move(op));
  }
  template <typename F>
  void change(UnitKey key, F&& f) {
    EditUnit unit = graph_.unit(key);
    f(unit);
    graph_.set(key, std::move(unit));
  }

  // Returns what changed. Units that nothing is left of go with what they lost.
  Patch finish(Wording sentence) &&;

 private:
  const EditableGraph& before_;
  EditableGraph graph_;
};

}  // namespace iosx
