#pragma once

#include <QRectF>
#include <cstddef>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/graph/operator_table.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// Describes a network as a picture the size of a stamp: from left to right how deep a unit is (the longest path to it),
// above one another the units that are as deep, so that its height is where much could run at the same time.
struct NetworkSketch {
  // A column has the units of one depth; where it stands for several depths, those of the widest.
  using Column = std::vector<OperatorClass>;

  std::vector<Column> columns;
  std::size_t widest = 0;  // units in a column
  std::size_t units = 0;   // of the network
};

NetworkSketch sketch_of(const Graph& graph, std::size_t most_columns = 72);
void paint_sketch(QPainter& painter, const QRectF& area, const NetworkSketch& sketch, const Theme& theme);

}  // namespace iosx
