#pragma once

#include <cstddef>
#include <vector>

#include "core/model/trace/unit_spans.h"
#include "views/canvas/weave/columns.h"

namespace iosx::canvas {

// The place of a unit in the rows of its section.
struct UnitRows {
  // Without a kernel of its own, or where all of its kernels are early: a pill above row `first`, and last == first.
  std::size_t first = 0;
  std::size_t last = 0;            // one after its last row
  std::vector<std::size_t> rows;   // of these, those at whose instant a kernel of it is in flight
  std::vector<std::size_t> early;  // rows of kernels that began before the unit above in its column had ended
  bool pill() const { return first == last; }
};

struct SectionRows {
  std::vector<Micros> instants;             // per row, ascending
  std::vector<UnitRows> units;              // as WeaveSection::units
  std::vector<std::vector<UnitId>> own;     // per row: units of the section that are in flight
  std::vector<std::vector<UnitId>> guests;  // per row: units of other sections that are
};

// Returns the rows of a section: as few instants of the run as show every unit at its longest kernel, and every pair of
// units that overlaps by half of the shorter one. A unit stands in all rows at whose instants it is in flight, so units
// in one row ran at the same time. `pairs` are those of at_once().
SectionRows weave_rows(const Graph& graph, const WeaveColumns& columns, std::size_t section, const UnitSpans& spans,
                       const std::vector<Overlap>& pairs);

}  // namespace iosx::canvas
