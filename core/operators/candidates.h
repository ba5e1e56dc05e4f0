#pragma once

#include "core/devices/device.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/stage_planner.h"
#include "core/operators/features.h"

namespace iosx {

// A stage of a graph that may be measured for training.
struct Candidate {
  StagePlanner::Canonical stage;
  StageFeatures features;
};

struct CandidateOptions {
  int side_by_side = 3;         // groups per stage, at most
  int in_a_row = 3;             // units per group, at most
  std::size_t together = 2000;  // stages of several units, at most, drawn at random
  std::uint64_t seed = 1;       // of the draw
};

// Returns every unit alone, and stages of several units: groups of independent units side by side, and chains in
// which each unit reads the one before. Stages that are equal to the device occur once.
std::vector<Candidate> candidates_of(StagePlanner& planner, const CandidateOptions& options);

// Makes a graph of independent operators from lines of text, one per kind. A value may be a list with commas; # begins
// a comment:
//
//   conv channels=64,128 filters=64 size=56,28 kernel=1,3 stride=1 groups=1
//   depthwise channels=64 size=28 kernel=3 stride=1,2
//   linear features=512 outputs=1000 rows=1,128
//   pool channels=64 size=28 kernel=3 stride=2
//   relu channels=64 size=56          also add, mul, softmax
//   matmul rows=128 columns=64 depth=128 matrices=12
//
// Errors name the line: an unknown kind, an invalid size, a kernel that does not fit, more than 20,000
// operators.
Result<Graph> grid_of(std::string_view text, const std::string& origin);

}  // namespace iosx
