#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/graph/graph.h"

// The weave: a drawing of a graph and of one run of it. A unit's column comes from the graph alone, so it is the same
// for every schedule. Its rows are instants of the run. So what is side by side in a row ran at the same time.
// Independent of Qt.
namespace iosx::canvas {

// A part of the graph in the weave: it has columns of its own in its section.
struct WeavePart {
  std::string title;
  std::vector<UnitId> units;  // by id
  double left = 0;            // column of its track in the section, from 0
  double width = 0;           // columns of its track
};

// Parts that one row may cross, in tracks beside one another. A track is a chain: each of its parts reads, directly or
// not, all results of the one above, so they never run at the same time.
struct WeaveSection {
  std::vector<std::size_t> parts;  // of WeaveColumns::parts, in the graph's order
  std::vector<UnitId> units;       // of all of them, by id
  std::size_t tracks = 1;
  double columns = 0;  // with the gaps between tracks
};

// The structure of a weave. Units in one column of a section can never run at the same time.
struct WeaveColumns {
  std::vector<WeavePart> parts;
  std::vector<WeaveSection> sections;   // in the graph's order
  std::vector<std::size_t> section_of;  // per unit
  std::vector<std::size_t> part_of;     // per unit
  std::vector<double> column_of;        // per unit: in its section; whole numbers within a track
};

inline constexpr std::size_t kMostTracks = 3;  // of a section; a part that needs a fourth begins a new section
inline constexpr double kTrackGap = 0.5;       // columns between two tracks

// Returns the columns. With `tracks` parts that may overlap share a section: for runs with a schedule without barriers.
// Otherwise every part is a section. It is deterministic: ties go to the lower id.
WeaveColumns weave_columns(const Graph& graph, bool tracks);

// Returns the column of each unit of a part, from 0, in the order of `units`, which are sorted by id. The number of
// columns is small: as many as units of the part can run at once, in most graphs.
std::vector<std::size_t> part_columns(const Graph& graph, const std::vector<UnitId>& units);

}  // namespace iosx::canvas
