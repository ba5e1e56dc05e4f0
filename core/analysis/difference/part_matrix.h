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

// One run's stages in one row, each as long as stage_times() says.
struct PartCell {
  Millis latency{0};
  Delta delta;                // against the baseline's
  std::vector<UnitId> units;  // of the run's own graph, by id
  bool empty() const { return units.empty(); }
};

// Parts of the baseline's graph, several where a stage of any run spans them; or what other graphs alone have. Of
// several networks what each has of a part is one by itself.
struct PartRow {
  std::string name;             // of the part; "a … c" of several; of several networks theirs, "a + b (2/3)"
  std::vector<PartCell> cells;  // one a subject
};

// Where the time of several runs goes, part by part. For each subject, its rows' latencies, between_stages and rest
// together are its latency, and so are the differences. All of them are of one sample where batches differ.
struct PartMatrix {
  Per per = Per::kBatch;
  std::size_t baseline = 0;
  std::vector<PartRow> rows;
  std::vector<bool> has_times;  // one a subject, as the next ones; without, its cells mean nothing
  std::vector<Millis> between_stages;
  std::vector<Millis> rest;            // of the run beyond its stages and what lies between them
  std::vector<WholeDifference> whole;  // of the baseline against each
};

// The baseline's graph matched with each subject's, one a subject.
std::vector<GraphMatch> match_with_all(std::span<const Subject> subjects, std::size_t baseline);

// All are valid(). `matches` is match_with_all().
PartMatrix part_matrix(std::span<const Subject> subjects, std::size_t baseline, std::span<const GraphMatch> matches);

}  // namespace iosx
