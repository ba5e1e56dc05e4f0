#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"

// An ONNX file as plain values, made by read_model.h and read by the conversion to a Graph.
namespace iosx::onnx_import {

// Returns a name in quotes for messages; a long one is shortened.
std::string name_text(std::string_view name);

// The remedy for a model that contradicts itself.
inline constexpr Sentence kExportAgain{"export the model again"};

struct Branch;

// Only the names and the used outer tensors of the graphs of Scan are read. Those of If and Loop are read, because
// constants replace the node by one of them, or by as many as it has trips.
struct Subgraphs {
  std::vector<std::string> names;
  std::vector<std::string> captures;
  std::vector<std::string> captures_inside{};  // the branch's names for them
  std::shared_ptr<const Branch> branch{};      // null unless it was read
};

// An attribute that is not read: a sparse tensor, a type, or a newer kind.
struct UnknownAttribute {
  std::string kind;
};

using Attribute =
    std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<std::string>, HostTensor, std::vector<HostTensor>, Subgraphs, UnknownAttribute>;

struct Node {
  std::size_t index = 0;  // in the file, from 0
  std::string name;       // may be empty, need not be unique
  std::string op_type;
  std::string domain;                // empty: ONNX's own operators ("ai.onnx" is read as empty)
  std::string overload = {};         // distinguishes functions of one name; empty for operators
  std::vector<std::string> inputs;   // names of tensors; empty: this optional input is absent
  std::vector<std::string> outputs;  // likewise; no name occurs in two nodes
  std::map<std::string, Attribute, std::less<>> attributes;
  // Attributes that take their value from an attribute of the function whose body has the node: first the node's.
  std::vector<std::pair<std::string, std::string>> references = {};

  // Returns `node 12 (Conv 'layer1/conv')` for messages.
  std::string where() const;
  // Returns the name, or null where the optional input or output is absent.
  const std::string* input(std::size_t i) const;
  const std::string* output(std::size_t i) const;
};

// A graph inside a node.
struct Branch {
  std::vector<std::string> inputs;
  std::vector<Node> nodes;  // in the file's order
  std::map<std::string, HostTensor, std::less<>> initializers;
  std::vector<std::string> outputs;
};

// One axis of a declared shape: a size, a symbolic name such as "batch_size", or neither (unknown).
struct Dim {
  std::optional<std::int64_t> size;
  std::string symbol;
};

// The file's declaration of a graph input, a graph output or an intermediate tensor.
struct ValueInfo {
  std::string name;
  bool is_tensor = true;  // otherwise a sequence, map, optional or sparse tensor
  ElementType type = ElementType::kUndefined;
  std::optional<std::vector<Dim>> dims;  // none: not even the rank is declared
};

struct OnnxModel {
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // by domain; "" is ONNX's own
  std::string producer;                                     // name and version
  std::string graph_name;
  std::map<std::string, std::string, std::less<>> metadata;  // its metadata_props, by key
  std::vector<ValueInfo> inputs;                             // those without an initializer, which a user feeds
  std::vector<ValueInfo> outputs;
  std::vector<Node> nodes;  // every node after those that it reads; in the file's order where that is so
  std::map<std::string, HostTensor, std::less<>> initializers;
  std::map<std::string, ValueInfo, std::less<>> value_info;  // of intermediate tensors, where declared
  std::vector<Message> warnings;                             // one sentence each, for the user

  std::int64_t opset() const;  // of ONNX's own operators; 0 where the model uses none
};

// Returns the attribute of this name, or null.
const Attribute* find_attribute(const Node&, std::string_view name);
// Returns roughly the bytes of a copy of a node, with the graphs in it, in addition to its own size.
std::size_t bytes_of(const Node&);

// Calls `visit` with the names that a node reads, also in its subgraphs.
template <typename Visit>
void for_each_read(const Node& node, Visit visit) {
  for (const std::string& name : node.inputs) {
    if (!name.empty()) visit(name);
  }
  for (const auto& [key, attribute] : node.attributes) {
    const auto* const graphs = std::get_if<Subgraphs>(&attribute);
    if (graphs == nullptr) continue;
    for (const std::string& name : graphs->captures) visit(name);
  }
}

// Lets a node of a body stand for the node that has it: in its place, under its name, with all its tensors renamed.
template <typename Rename>
void stand_for(const Node& outer, Node& inner, Rename rename) {
  inner.index = outer.index;
  if (!outer.name.empty()) inner.name = outer.name + "/" + (inner.name.empty() ? inner.op_type : inner.name);
  for (std::string& name : inner.inputs) rename(name);
  for (std::string& name : inner.outputs) rename(name);
  for (auto& [key, attribute] : inner.attributes) {
    if (auto* const graphs = std::get_if<Subgraphs>(&attribute)) {
      for (std::string& name : graphs->captures) rename(name);
    }
  }
}

// Returns an attribute's value, `absent` without one of this name; an error where it is of another kind.
Result<std::int64_t> int_attribute(const Node&, std::string_view name, std::int64_t absent);
Result<float> float_attribute(const Node&, std::string_view name, float absent);
Result<std::string> string_attribute(const Node&, std::string_view name, std::string absent);
// Returns none without an attribute of this name.
Result<std::optional<std::vector<std::int64_t>>> ints_attribute(const Node&, std::string_view name);
Result<std::optional<std::vector<float>>> floats_attribute(const Node&, std::string_view name);

}  // namespace iosx::onnx_import
