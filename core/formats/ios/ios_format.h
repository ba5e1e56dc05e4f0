#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

// The original project's file format as plain data, between its JSON text and our graph. Only core/formats uses it.
namespace iosx {

// Channels [begin, end) of an operator's output.
struct IosValue {
  std::string producer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const IosValue&, const IosValue&) = default;
};

// A list of values that are added.
using IosTerm = std::vector<IosValue>;

struct IosNode {
  std::string name;
  std::string hint_name;
  // An Input is a placeholder, an Activate a relu or activation, Add and Mul an element; Identity is identity, or any
  // node of a sequential.
  Attributes attributes = Identity{};
  std::vector<IosTerm> inputs;  // concatenated along channels; operands of an element
  std::vector<IosNode> nodes;   // of a sequential, otherwise empty
  std::optional<Shape> output_shape;
  std::string place;  // in the source file

  bool sequential() const { return !nodes.empty(); }
};

// Returns true unless the two contradict each other; an output_shape that one of them leaves out is no contradiction.
bool agree(const IosNode& a, const IosNode& b);

using IosGroup = std::vector<std::string>;
using IosStage = std::vector<IosGroup>;

struct IosBlock {
  std::string place;
  std::optional<IosNode> enter;  // repeats a node of an earlier block
  std::vector<IosNode> nodes;    // the inner nodes, then the exit node
  std::vector<IosStage> stages;  // empty: not scheduled
};

struct IosDocument {
  std::string name;
  IosNode input;
  std::vector<IosBlock> blocks;
};

Result<IosDocument> read_ios_document(std::string_view text, const std::string& origin);
std::string write_ios_document(const IosDocument& document);

// Makes a graph from a document; blocks become parts, in order.
Result<Graph> to_graph(const IosDocument& document, const std::string& origin);
// Returns the schedule of a document from which to_graph() made this graph; none without stages.
Result<std::optional<Schedule>> to_schedule(const IosDocument& document, const Graph& graph, const std::string& origin);
Result<IosDocument> to_ios_document(const Graph& graph, const Schedule& schedule);

}  // namespace iosx
