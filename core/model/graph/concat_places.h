#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// Where an operator's output lies: from channel `begin` on of the buffer that has the shape of the output of `root`.
struct ChannelPlace {
  OperatorId root;  // the operator itself unless its output is a slice of, or the same as, another's
  std::int64_t begin = 0;
  friend bool operator==(const ChannelPlace&, const ChannelPlace&) = default;
};

// Which operators write their whole output into channel slices of a concatenation's buffer, so that the concatenation
// along axis 0 has nothing to copy. Decided for a graph alone: the same under every schedule, and for a stage by
// itself. A concatenation whose inputs already lie side by side in one buffer (DenseNet's growing ones) is a view of
// them. Every channel of a root's buffer is written at most once, so that views never change after they are complete.
class ConcatPlaces {
 public:
  ConcatPlaces() = default;  // every output in a buffer of its own
  explicit ConcatPlaces(const Graph& graph);

  ChannelPlace of(OperatorId id) const;
  ChannelPlace of(const Value& value) const;
  // Whether the root's buffer holds the output of another operator too.
  bool shared(OperatorId root) const;
  // Whether input i of a concatenation along axis 0, once computed, needs no copy.
  bool in_place(const Graph& graph, OperatorId concat, std::size_t i) const;

 private:
  std::vector<ChannelPlace> places_;  // by operator
  std::vector<bool> shared_;          // by operator
};

}  // namespace iosx
