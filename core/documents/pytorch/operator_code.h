#pragma once

#include <string>

#include "core/base/result.h"
#include "core/documents/pytorch/python_text.h"
#include "core/model/graph/graph.h"

namespace iosx::pytorch {

// Is one operator in Python, inside a method of the network's class.
struct OperatorCode {
  std::string layer;        // the statement of __init__ that makes its module or buffer; empty: it has none
  bool has_tables = false;  // that module computes tables from its arguments, which no file brings
  std::string expression;   // its output, of the names of what it reads and the batch size `batch`
  bool uses_batch = false;
};

// Writes an operator. The error names one that cannot be written, and what to do.
Result<OperatorCode> operator_code(const Graph& graph, OperatorId id, const PythonNames& names);

// Writes what an operator reads, as an expression with the batch as its first axis. It sets uses_batch where it names
// `batch`.
std::string input_text(const Graph& graph, const Value& value, const PythonNames& names, bool& uses_batch);

// Returns what is behind the input of a linear layer so that its features are the last axis: ".flatten(1)"; often
// nothing.
std::string flattening(const Linear& linear, const Shape& input);

// Returns the activation of a layer as a function for MergedConv and MergedLinear: "F.relu"; empty for the identity.
std::string activation_function(const Activation& activation);

}  // namespace iosx::pytorch
