#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"

// These types are an ONNX file as plain values: what read_model.h yields and the conversion to a Graph walks.
namespace iosx::onnx_import {

// Returns a name in quotes, for messages; a long one is shortened.
std::string name_text(std::string_view name);

// This is the remedy for a model that contradicts itself.
inline constexpr Sentence kExportAgain{"export the model again"};

struct Branch;

// Of the graphs of Loop and Scan only the names are read, and which tensors of the outer graph they use. Those of If
// are read, because a constant condition puts one of them in the place of its node.
struct Subgraphs {
  std::vector<std::string> names;
  std::vector<std::string> captures;
  std::vector<std::string> captures_inside{};  // what the branch calls them
  std::shared_ptr<const Branch> branch{};      // null unless it was read
};

// Stands for an attribute that we do not read: a sparse tensor, a type, or one of a kind newer than this program.
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
  std::string overload = {};         // tells functions of one name apart; empty for operators
  std::vector<std::string> inputs;   // names of tensors; empty: this optional input is absent
  std::vector<std::string> outputs;  // the same; never two nodes with one name
  std::map<std::string, Attribute, std::less<>> attributes;

  // Returns for messages `node 12 (Conv 'layer1/conv')`.
  std::string where() const;
  // Returns the name, or null where the optional input or output is absent.
  const std::string* input(std::size_t i) const;
  const std::string* output(std::size_t i) const;
};

// Is a graph inside a node.
struct Branch {
  std::vector<Node> nodes;  // in the file's order
  std::map<std::string, HostTensor, std::less<>> initializers;
  std::vector<std::string> outputs;
};

// Is one axis of a declared shape: a size, a symbolic name such as "batch_size", or neither (unknown).
struct Dim {
  std::optional<std::int64_t> size;
  std::string symbol;
};

// Says what the file declares of a graph input, a graph output or a tensor in between.
struct ValueInfo {
  std::string name;
  bool is_tensor = true;  // otherwise a sequence, map, optional or sparse tensor
  ElementType type = ElementType::kUndefined;
  std::optional<std::vector<Dim>> dims;  // nothing: not even the rank is declared
};

struct OnnxModel {
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // by domain; "" is ONNX's own
  std::string producer;                                     // name and version
  std::string graph_name;
  std::map<std::string, std::string, std::less<>> metadata;  // what it says of itself, by key (metadata_props)
  std::vector<ValueInfo> inputs;  // those that a user feeds: names with an initializer are left out
  std::vector<ValueInfo> outputs;
  std::vector<Node> nodes;  // every node after those that it reads; as in the file where that is so there
  std::map<std::string, HostTensor, std::less<>> initializers;
  std::map<std::string, ValueInfo, std::less<>> value_info;  // of tensors in between, where declared
  std::vector<Message> warnings;                             // one sentence each, for the user

  std::int64_t opset() const;  // of ONNX's own operators; 0 where the model uses none
};

// Returns the attribute, or null where the node has none of this name.
const Attribute* find_attribute(const Node&, std::string_view name);

// Returns an attribute's value, `absent` where the node has none of this name; an error where it is of another kind.
Result<std::int64_t> int_attribute(const Node&, std::string_view name, std::int64_t absent);
Result<float> float_attribute(const Node&, std::string_view name, float absent);
Result<std::string> string_attribute(const Node&, std::string_view name, std::string absent);
// Returns nothing where the node has none of this name.
Result<std::optional<std::vector<std::int64_t>>> ints_attribute(const Node&, std::string_view name);
Result<std::optional<std::vector<float>>> floats_attribute(const Node&, std::string_view name);

}  // namespace iosx::onnx_import
