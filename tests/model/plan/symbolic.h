#pragma once

#include "core/model/plan/memory_plan.h"
#include "tests/support/prelude.h"

namespace iosx::test {

using Symbols = std::vector<std::uint64_t>;  // one per channel: stands for all its pixels

// Returns the symbols of every operator's output, by the graph's definition.
std::vector<Symbols> defined_symbols(const Graph& graph);

// Runs a plan on symbols in one block of memory, laid out by a memory plan, in a random order that lanes and waits
// permit. A running kernel's output is garbage until it ends, and its inputs must be the same at both ends. Each
// element of a buffer, channels last, is a cell.
class SymbolicMachine {
 public:
  SymbolicMachine(const Graph& graph, const ExecutionPlan& plan, const MemoryPlan& memory);

  void fill(const TensorView& view, const Symbols& symbols);
  // Fails the test unless each kernel computes what the graph defines.
  void run(std::mt19937& random);
  Symbols read(const TensorView& view) const;
  // Returns cells of the block, ascending; none for a constant.
  std::vector<std::size_t> cells(const TensorView& view) const;

 private:
  void begin(std::size_t kernel);
  void end(std::size_t kernel);
  std::vector<Symbols> inputs(const Kernel& kernel) const;

  const Graph& graph_;
  const ExecutionPlan& plan_;
  const MemoryPlan& memory_;
  std::vector<Symbols> defined_;            // by operator
  Symbols block_;                           // by cell
  std::vector<std::vector<Symbols>> read_;  // by kernel: its inputs at its begin
};

}  // namespace iosx::test
