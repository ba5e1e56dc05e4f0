#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/stage_planner.h"
#include "core/operators/features.h"

namespace iosx {

// Is a stage of a graph that may be measured, to learn from it.
struct Candidate {
  StagePlanner::Canonical stage;
  StageFeatures features;
};

struct CandidateOptions {
  int side_by_side = 3;         // groups of a stage, at most
  int in_a_row = 3;             // units of a group, at most
  std::size_t together = 2000;  // stages of several units, at most, drawn at random
  std::uint64_t seed = 1;       // of the draw
};

// Returns every unit alone, and stages of several units that no tensor orders: in groups side by side, and in a row
// where each one reads the one before. Stages that are the same to the device are there once.
std::vector<Candidate> candidates_of(StagePlanner& planner, const CandidateOptions& options);

// Makes a graph of operators that know nothing of one another from lines of text, one a kind, of which every value may
// be several by commas; a line from # on is a comment:
//
//   conv channels=64,128 filters=64 size=56,28 kernel=1,3 stride=1 groups=1
//   depthwise channels=64 size=28 kernel=3 stride=1,2
//   linear features=512 outputs=1000 rows=1,128
//   pool channels=64 size=28 kernel=3 stride=2
//   relu channels=64 size=56          also add, mul, softmax
//   matmul rows=128 columns=64 depth=128 matrices=12
//
// Errors name the line: a kind that is none, sizes that are none, a kernel that does not fit, more than 20,000
// operators.
Result<Graph> grid_of(std::string_view text, const std::string& origin);

}  // namespace iosx
