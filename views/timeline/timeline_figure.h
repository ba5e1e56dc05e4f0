#pragma once

#include <memory>
#include <vector>

#include "core/compare/comparison.h"
#include "views/export/figure.h"
#include "views/time/time_axis.h"

namespace iosx {

// The timeline of some results (indices) over a range of time, every band open. An empty range shows everything.
std::unique_ptr<Figure> make_timeline_figure(std::shared_ptr<const Comparison> comparison,
                                             std::vector<std::size_t> shown, TimeRange range);

}  // namespace iosx
