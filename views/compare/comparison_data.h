#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/analysis/difference/finding.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"

namespace iosx {

// The data of the page: several schedules against a baseline. It is immutable and shared by views and figures.
struct RunMatrix {
  std::vector<Subject> subjects;  // labelled
  std::vector<GraphMatch> matches;
  PartMatrix matrix;
  Finding finding;

  const Subject& baseline() const { return subjects[matrix.baseline]; }
  Millis largest() const;  // the largest difference of a part, significant or not: the end of the colour scale
};
// Skips invalid subjects; null where none is left or the baseline is invalid.
std::shared_ptr<const RunMatrix> make_run_matrix(std::vector<Subject> subjects, std::size_t baseline);

// Two of them, stage by stage.
struct StagePair {
  Subject a;
  Subject b;
  GraphMatch match;
  StageDifference difference;

  Millis largest() const;  // the largest difference of a row, significant or not: the end of the colour scale
};
std::shared_ptr<const StagePair> make_stage_pair(const Subject& a, const Subject& b, GraphMatch match,
                                                 Per per = Per::kBatch);

}  // namespace iosx
