#pragma once

#include <string>

#include "core/base/result.h"
#include "core/documents/pytorch/python_text.h"
#include "core/model/graph/graph.h"

namespace iosx::pytorch {

// One operator in Python, inside a method of the network's class.
struct OperatorCode {
  std::string layer;        // the statement of __init__ for its module or buffer; empty: none
  bool has_tables = false;  // that module computes tables from its arguments, which are not in any file
  std::string expression;   // its output, from the names of its inputs and the batch size `batch`
  bool uses_batch = false;
};

// Writes an operator. The error names one that cannot be written, with a remedy.
Result<OperatorCode> operator_code(const Graph& graph, OperatorId id, const PythonNames& names);

// Writes an operator's input as an expression with the batch as its first axis. Sets uses_batch where it uses
// `batch`.
std::string input_text(const Graph& graph, const Value& value, const PythonNames& names, bool& uses_batch);

// Returns the suffix for a linear layer's input that makes its features the last axis: ".flatten(1)"; often
// empty.
std::string flattening(const Linear& linear, const Shape& input);

// Returns a layer's activation as a function for MergedConv and MergedLinear: "F.relu"; empty for the identity.
std::string activation_function(const Activation& activation);

}  // namespace iosx::pytorch
