#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule.h"

namespace iosx::test {

// n units on small feature maps (2×2 pixels): convolutions, some of which can be merged; sums and activations, in units
// with a convolution and alone; concatenations of whole tensors, slices, inputs, constants and other concatenations,
// some growing like DenseNet's. The same seed gives the same graph everywhere.
Graph random_concat_graph(std::uint64_t seed, std::size_t n);

// The growing concatenations of a DenseNet block: unit "concat<i>" joins "x" and "y1" … "y<i>", each y reads the
// concatenation before it. 4 channels each.
Graph dense_block(std::size_t layers);

// in → a → b and in → c, which "sum" adds: four kernels without weights, 0 to 3 in that order; and its plan.
Graph long_and_short();
ExecutionPlan four_kernels();

// Random cuts of the topological order into stages; units that can be merged often are, in any order, as whole stages
// and inside groups; independent groups sometimes share one. Legal.
Schedule random_schedule(const Graph& graph, std::mt19937& random);

// Any launch order that the kernels' needs allow, on any of that many lanes.
LaneSchedule random_lanes(const ExecutionPlan& staged, std::size_t lanes, std::mt19937& random);

}  // namespace iosx::test
