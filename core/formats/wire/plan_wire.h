#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Says where the weights of a plan are: they are those of a graph, which another process opens for itself.
struct WeightsReference {
  std::string graph;                            // a built-in network's name, or a file's path
  ParameterInit seed = ParameterInit::kScaled;  // how numbers are made up that the graph's file does not have
  std::string structure;                        // structure_digest() of that graph
  friend bool operator==(const WeightsReference&, const WeightsReference&) = default;
};

// Returns 32 hexadecimal digits: a hash (XXH3) of graph_to_wire() without the parts. It is the same for the same
// operators, names and units on every computer.
std::string structure_digest(const Graph& graph);

// Returns a reference to the graph's weights. By `source`, a name or a path, another process opens the graph.
WeightsReference weights_reference(const Graph& graph, std::string source);

// Opens what a reference names: open_graph() of models/, or a process's own table of graphs.
using GraphOpener = std::function<Result<std::shared_ptr<const Graph>>(const std::string& graph)>;

// Returns the weights of a reference. The error is the opener's, or that its graph is another one.
Result<std::shared_ptr<const Parameters>> resolve(const WeightsReference& reference, const GraphOpener& opener);

// Writes a plan as one line of JSON (core/formats/wire/fields.h says how), all of it but the weights' numbers: that is
// what another process needs to run it.
std::string plan_to_wire(const ExecutionPlan& plan, const WeightsReference& weights);

// Any bytes are safe to read: they give an error with its place, which `origin` leads, or a plan that check_plan()
// passes.
Result<ExecutionPlan> plan_from_wire(std::string_view text, const std::string& origin, const GraphOpener& opener);

}  // namespace iosx
