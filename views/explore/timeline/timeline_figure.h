#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "views/figures/figure.h"
#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"

namespace iosx {

// The content of a timeline's picture. Indices are into `tracks`.
struct TimelinePicture {
  std::vector<WarpedTrack> tracks;
  std::set<std::size_t> collapsed = {};      // folded to one line
  std::size_t hidden = 0;                    // number of other schedules, shown in the picture
  std::optional<std::size_t> baseline = {};  // the reference of the others
  std::optional<std::size_t> why_of = {};    // with why this one is faster than the baseline
  std::optional<Micros> playhead = {};       // with a line at this time
  std::optional<std::size_t> focus = {};     // the subject of the picture; none: the fastest
};

// Makes a figure of the timeline over a range of the axis (empty: everything), with the measured range; the CSV has
// each kernel's share of that. Below is why one is faster, whose numbers are in make_why_figure()'s CSV.
std::unique_ptr<Figure> make_timeline_figure(const TimelinePicture& picture, TimeRange range,
                                             std::optional<TimeMeasure> measure = {});
// Makes a figure of some results (indices) of a comparison, all open, with why the best of them is faster.
std::unique_ptr<Figure> make_timeline_figure(const std::shared_ptr<const Comparison>& comparison,
                                             const std::vector<std::size_t>& shown, TimeRange range);

}  // namespace iosx
