#pragma once

#include "core/model/graph/graph.h"

namespace iosx {

// The place of an operator's output: from channel `begin` on in the buffer with the shape of `root`'s output.
struct ChannelPlace {
  OperatorId root;  // the operator itself unless its output is a slice of, or equal to, another's
  std::int64_t begin = 0;
  friend bool operator==(const ChannelPlace&, const ChannelPlace&) = default;
};

// Which operators write their whole output into channel slices of a concatenation's buffer, so that the concatenation
// along axis 0 copies nothing. It depends on the graph alone: it is the same under every schedule, and for a stage by
// itself. A concatenation whose inputs already lie side by side in one buffer (DenseNet's growing ones) is a view of
// them. Every channel of a root's buffer is written at most once, so that complete views never change.
class ConcatPlaces {
 public:
  ConcatPlaces() = default;  // every output has its own buffer
  explicit ConcatPlaces(const Graph& graph);

  ChannelPlace of(OperatorId id) const;
  ChannelPlace of(const Value& value) const;
  // Returns whether the root's buffer also holds the output of another operator.
  bool shared(OperatorId root) const;
  // Returns whether input i of a concatenation along axis 0 needs no copy once computed.
  bool in_place(const Graph& graph, OperatorId concat, std::size_t i) const;

 private:
  std::vector<ChannelPlace> places_;  // by operator
  std::vector<bool> shared_;          // by operator
};

}  // namespace iosx
