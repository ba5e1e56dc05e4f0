#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/difference/delta.h"
#include "core/analysis/difference/graph_match.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// One run's stages in one row, with the lengths of stage_times().
struct PartCell {
  Millis latency{0};
  Delta delta;                // relative to the baseline's
  std::vector<UnitId> units;  // of the run's own graph, by id
  bool empty() const { return units.empty(); }
};

// Parts of the baseline's graph, several where a stage of any run spans them; or parts that only other graphs
// have. For several networks each one's share of a part is a row.
struct PartRow {
  std::string name;             // of the part; "a … c" for several; for several networks theirs, "a + b (2/3)"
  std::vector<PartCell> cells;  // one per subject
};

// The time of several runs, part by part. A subject's rows, between_stages and rest add up to its latency, and its
// differences to that of the latency. All are of one sample where batches differ.
struct PartMatrix {
  Per per = Per::kBatch;
  std::size_t baseline = 0;
  std::vector<PartRow> rows;
  std::vector<bool> has_times;  // one per subject, like the next ones; without, its cells are meaningless
  std::vector<Millis> between_stages;
  std::vector<Millis> rest;            // of the run, beyond its stages and the overhead between them
  std::vector<WholeDifference> whole;  // the baseline against each
};

// Matches the baseline's graph with each subject's.
std::vector<GraphMatch> match_with_all(std::span<const Subject> subjects, std::size_t baseline);

// All are valid(). `matches` is match_with_all().
PartMatrix part_matrix(std::span<const Subject> subjects, std::size_t baseline, std::span<const GraphMatch> matches);

}  // namespace iosx
