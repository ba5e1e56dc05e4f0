#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "views/figures/figure.h"
#include "views/time/time_axis_model.h"
#include "views/time/time_warp.h"

namespace iosx {

// Says what a picture of a timeline shows. Indices are into `tracks`.
struct TimelinePicture {
  std::vector<WarpedTrack> tracks;
  std::set<std::size_t> collapsed = {};      // folded to one line
  std::size_t hidden = 0;                    // schedules that are not among them, which the picture says
  std::optional<std::size_t> baseline = {};  // what the others are held against
  std::optional<std::size_t> idle_of = {};   // with what this one leaves idle of the machine, and the baseline
  std::optional<Micros> playhead = {};       // with a line at this time
  std::optional<std::size_t> focus = {};     // what the picture is about; none: the fastest
};

// Shows the timeline over a range of the axis. An empty range shows everything. What was measured is drawn, and the CSV
// says how much of each kernel is in it. Below stands what of the machine is in use: in the CSV these are rows without
// a kernel, whose kind is the counter, with the share in percent.
std::unique_ptr<Figure> make_timeline_figure(const TimelinePicture& picture, TimeRange range,
                                             std::optional<TimeMeasure> measure = {});
// Shows some results (indices) of a comparison, all open, and what the best of them leaves idle.
std::unique_ptr<Figure> make_timeline_figure(const std::shared_ptr<const Comparison>& comparison,
                                             const std::vector<std::size_t>& shown, TimeRange range);

}  // namespace iosx
