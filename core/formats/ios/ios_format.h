#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

// These types are the original's file format as plain data, between its JSON text and our graph. Only core/formats uses
// them.
namespace iosx {

// Stands for channels [begin, end) of an operator's output.
struct IosValue {
  std::string producer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const IosValue&, const IosValue&) = default;
};

// A term is a list of values that are added.
using IosTerm = std::vector<IosValue>;

struct IosNode {
  std::string name;
  std::string hint_name;
  // An Input is a placeholder, an Activate a relu or activation, Add and Mul an element; Identity is identity, or may
  // be anything in a sequential.
  Attributes attributes = Identity{};
  std::vector<IosTerm> inputs;  // concatenated along channels; operands of an element
  std::vector<IosNode> nodes;   // of a sequential, otherwise empty
  std::optional<Shape> output_shape;
  std::string place;  // in the file it was read from

  bool sequential() const { return !nodes.empty(); }
};

// Returns true unless the two say different things; an output_shape that one of them leaves out is not a difference.
bool agree(const IosNode& a, const IosNode& b);

using IosGroup = std::vector<std::string>;
using IosStage = std::vector<IosGroup>;

struct IosBlock {
  std::string place;
  std::optional<IosNode> enter;  // repeats an earlier block's node
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

// Makes a graph of a document, whose blocks become parts, in order.
Result<Graph> to_graph(const IosDocument& document, const std::string& origin);
// Returns the schedule in a document that to_graph() made this graph from; nullopt if it has no stages.
Result<std::optional<Schedule>> to_schedule(const IosDocument& document, const Graph& graph, const std::string& origin);
Result<IosDocument> to_ios_document(const Graph& graph, const Schedule& schedule);

}  // namespace iosx
