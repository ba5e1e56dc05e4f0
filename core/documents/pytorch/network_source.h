#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/documents/pytorch/python_text.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/schedule.h"

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

// A step on lane 0 runs on the caller's stream.
struct LaneStep : OperatorStep {
  std::vector<std::size_t> waits = {};          // earlier steps on other lanes that must end first
  bool awaited = false;                         // a step on another lane waits for it
  std::vector<OperatorId> dropped_before = {};  // tensors that are not needed from the step's start on, after its waits
  std::vector<OperatorId> dropped_after = {};   // and from its launch on
};

// A barrier-free plan in launch order. A tensor's memory returns to the lane that made it, which may reuse it at once:
// so a tensor that other lanes read is dropped where the waits of its own lane imply that they have read it.
struct LaneProgram {
  std::vector<LaneStep> steps;
  std::size_t lanes = 0;
  // Tensors made on later lanes that stay until all lanes have ended, and are then read on others: outputs, and
  // tensors that no step can drop.
  std::vector<OperatorId> kept;
};

// Makes it from a barrier-free plan of the graph; `outputs` are the operators whose results are returned.
LaneProgram lane_program(const Graph& graph, const ExecutionPlan& plan, std::span<const OperatorId> outputs);

// Returns the module network.py: the network as a class with a method per stage of a legal schedule; with a
// barrier-free plan of the schedule's kernels, one method that launches them on lanes. `found` is a sentence about the
// schedule, or empty. `first` names the first outputs. The error names an operator that cannot be written.
Result<std::string> network_source(const Graph& graph, const Schedule& schedule, const PythonNames& names,
                                   const std::string& found, std::span<const std::string> first,
                                   const std::optional<ExecutionPlan>& barrier_free = {});

// Returns, for example, "8 stages, up to 3 streams, 1 merged layer", or "5 lanes without barriers, 1 merged layer".
std::string schedule_summary(const Schedule& schedule, const std::optional<ExecutionPlan>& barrier_free = {});

}  // namespace iosx::pytorch
