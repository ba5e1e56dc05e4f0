#pragma once

#include <QString>
#include <cstdint>

#include "core/base/duration.h"
#include "core/model/graph/graph.h"

// Write numbers and shapes for display. The unit of a table column is in its header; functions whose result has a
// unit say so.
namespace iosx::format {

QString millis(Millis value);         // "0.823"; three decimals under 100, fewer above
QString percent(double share);        // 0.123 → "12.3"
QString factor(double value);         // "1.38"
QString count(std::int64_t value);    // "1 234 567", thin spaces
QString number(double value);         // any number, to four digits: "0.1235", "12 345", "−3.2e-07"
QString flops(double value);          // with unit: "1.23 GFLOP"
QString bytes(std::int64_t value);    // with unit: "3.41 MB" (10^6)
QString shape(const Shape& value);    // "384 × 15 × 15"
QString extent(const Extent& value);  // "3 × 3"
QString elapsed(Seconds value);       // with unit: "0.4 s", "1 min 05 s"

// Returns the shapes of a unit's outputs: "384 × 15 × 15, 8 × 15 × 15".
QString shapes(const Graph& graph, UnitId unit);

}  // namespace iosx::format
