#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/analysis/difference/finding.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"

namespace iosx {

// Holds all that the page shows of several schedules against a baseline; it is immutable and shared by its views and
// figures.
struct RunMatrix {
  std::vector<Subject> subjects;  // labelled
  std::vector<GraphMatch> matches;
  PartMatrix matrix;
  Finding finding;

  const Subject& baseline() const { return subjects[matrix.baseline]; }
  Millis largest() const;  // difference of a part, counted or not: the end of the scale of colours
};
// Subjects that are not valid are left out; null where none is left or the baseline is not valid.
std::shared_ptr<const RunMatrix> make_run_matrix(std::vector<Subject> subjects, std::size_t baseline);

// Holds two of them, stage against stage.
struct StagePair {
  Subject a;
  Subject b;
  GraphMatch match;
  StageDifference difference;

  Millis largest() const;  // difference of a row, counted or not: the end of the scale of colours
};
std::shared_ptr<const StagePair> make_stage_pair(const Subject& a, const Subject& b, GraphMatch match,
                                                 Per per = Per::kBatch);

}  // namespace iosx
