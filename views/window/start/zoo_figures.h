#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx {

// The gain of concurrency in a network of the zoo, computed by tests/bench/zoo_figures.py: on a simulated device at
// batch 1, with the search's usual options.
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
