#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/write/export.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

// Stores the elements in the tensor's message, or in a file that the message then names.
using StoreFloats = std::function<Result<void>(onnx::TensorProto&, std::span<const float>)>;

// Writes operators as nodes of an ONNX graph. Every tensor has the batch as its leading axis, except constants; or none
// has it, where the graph's shapes hold all axes of its file, and operators that ONNX has for batches only get one
// of 1.
class GraphExport {
 public:
  // All arguments must outlive it.
  GraphExport(const Graph& graph, const OnnxExportOptions& options, const StoreFloats& store, onnx::GraphProto& out);

  // Writes all operators, inputs and outputs. Errors name the operator.
  Result<OnnxNodes> run();

 private:
  using Names = std::vector<std::string>;
  struct Kinds;  // one overload per kind of operator

  void write();  // the current operator
  // Write the graph's border: inputs and outputs as in the file, and the nodes between them and ours.
  Result<void> name_border();
  void declare(onnx::ValueInfoProto& info, OperatorId id, const FileTensor* file);
  void declare_input();
  void declare_outputs();
  OnnxNodes finish_nodes();                        // adds their notes
  void refuse(Message what, Message remedy = {});  // the current operator

  // Write tensors. A new name is derived from the operator's.
  std::string fresh(std::string_view suffix);
  std::string floats(std::string_view suffix, const Tensor& tensor);
  std::string bias(std::string_view suffix);  // of the operator; an empty name where it has none
  std::string scalar(std::string_view suffix, float value);
  std::string integers(std::string_view suffix, std::span<const std::int64_t> values);
  void store(const std::string& name, const Tensor& tensor);

  // Write nodes. The one with the operator's name stands for it. An input without a name is an absent optional one.
  onnx::NodeProto& node(std::string_view type, const Names& inputs, const std::string& output);
  onnx::NodeProto& main_node(std::string_view type, const Names& inputs, const std::string& output);
  std::string helper(std::string_view type, const Names& inputs, std::string_view suffix);
  // Convert our numbers to another type of ONNX's (its DataType) and back.
  std::string cast(const std::string& from, std::int64_t type, std::string_view suffix);
  void cast_back(const std::string& from, const std::string& out, bool named);

  // Returns one of our axes in ONNX's numbering here.
  std::int64_t axis(std::size_t ours) const { return static_cast<std::int64_t>(ours + lead_); }
  std::vector<std::int64_t> axes(std::span<const std::size_t> ours) const;
  // Returns the numbers of all axes, with this one for the batch where there is one.
  std::vector<std::int64_t> with_lead(std::int64_t batch, std::span<const std::int64_t> ours) const;

  // Return the tensor that an operator reads, by name: channels of another's output are sliced out, once for all
  // readers.
  bool has_batch(const Value& value) const { return !whole_ && !graph_.op(value.producer).is_constant(); }
  std::string read(const Value& value);
  std::string read_with_batch(const Value& value);  // also of a constant
  std::string in() { return read_with_batch(op_->inputs.front()); }
  Shape shape(std::size_t input) const { return graph_.shape(op_->inputs[input]); }
  // Returns operands for numpy's broadcasting to the operator's output: they have axes of 1 between the batch and the
  // others.
  Names aligned();
  // Writes "batch × dims" as a tensor of integers.
  std::string dims_with_batch(std::span<const std::int64_t> dims);

  // Writes out = function(in). With `named` the last node stands for the operator.
  void activation(const Activation& function, const std::string& in, const std::string& out, bool named);
  // Returns a name for the output of the operator's own node, which its fused activation reads.
  std::string before(const Activation& function);
  void fused(const Activation& function, const std::string& in);

  const Graph& graph_;
  const OnnxExportOptions& options_;
  const StoreFloats& store_;
  onnx::GraphProto& out_;
  const FileInterface* file_ = nullptr;  // null where none fits
  bool whole_ = false;                   // no tensor has a batch
  std::optional<std::int64_t> batch_;    // none: open
  std::size_t lead_ = 1;                 // axes before ours, in the current tensors
  std::vector<std::string> tensors_;     // names of operators' outputs
  std::string result_;                   // the current operator's output
  OperatorId id_;
  const Operator* op_ = nullptr;  // the current one
  std::set<std::string, std::less<>> names_;
  std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::string> slices_;
  std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::string> expanded_;
  std::vector<OperatorId> of_node_;  // by node: its operator
  Result<void> status_;
};

// Set attributes of a node.
void set(onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set(onnx::NodeProto& node, const std::string& name, float value);
void set(onnx::NodeProto& node, const std::string& name, std::string_view value);
void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values);

}  // namespace iosx::onnx_import
