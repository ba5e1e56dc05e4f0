#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "views/figures/figure.h"
#include "views/time/time_axis_model.h"
#include "views/time/time_warp.h"

namespace iosx {

// Shows the timeline of some tracks over a range of the axis, every band open. An empty range shows everything. What
// was measured is drawn, and the CSV says how much of each kernel is in it.
std::unique_ptr<Figure> make_timeline_figure(const std::vector<WarpedTrack>& tracks, TimeRange range,
                                             std::optional<TimeMeasure> measure = {});
// Shows some results (indices) of a comparison, perhaps with a line at a time.
std::unique_ptr<Figure> make_timeline_figure(const std::shared_ptr<const Comparison>& comparison,
                                             const std::vector<std::size_t>& shown, TimeRange range,
                                             std::optional<Micros> playhead = {});

}  // namespace iosx
