#pragma once

#include <QRectF>
#include <cstddef>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/graph/operator_table.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// A network as a tiny picture: from left to right the depth of units (the longest path to them), stacked units of equal
// depth, so that its height shows where much could run at the same time.
struct NetworkSketch {
  // A column has the units of one depth; for several depths, those of the widest.
  using Column = std::vector<OperatorClass>;

  std::vector<Column> columns;
  std::size_t widest = 0;  // units in a column
  std::size_t units = 0;   // of the network
};

NetworkSketch sketch_of(const Graph& graph, std::size_t most_columns = 72);
void paint_sketch(QPainter& painter, const QRectF& area, const NetworkSketch& sketch, const Theme& theme);

}  // namespace iosx
