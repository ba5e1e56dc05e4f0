#pragma once

#include <QRectF>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"
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

// Says what concurrency wins in a network of the zoo, as tests/bench/zoo_figures.py computed it: on a simulated device
// at batch 1, with the search's usual options.
struct ZooFigure {
  std::string network;  // "inception_v3"
  std::string device;   // id
  Millis sequential{0};
  Millis ios{0};  // IOS-Both

  double speedup() const { return sequential / ios; }
};

// Read the table of figures, in its order; built_in_zoo_figures() reads the one compiled into the program. The error
// says what is wrong with it.
Result<std::vector<ZooFigure>> zoo_figures(std::string_view json);
Result<std::vector<ZooFigure>> built_in_zoo_figures();

// Returns the figures of one network on one device, or null.
const ZooFigure* find(const std::vector<ZooFigure>& figures, std::string_view network, std::string_view device);

}  // namespace iosx
