#pragma once

#include <QString>
#include <cstddef>
#include <string_view>

#include "views/explore/timeline/timeline_scene.h"

namespace iosx {

// Returns rich text: kernel, operators, kind, begin, duration, stage, stream and work of a span.
QString span_tooltip(const TimelineTrack& track, std::size_t span);
// Returns rich text: what the counter below the lanes says at a time of the axis.
QString heat_tooltip(const TimelineTrack& track, const TimelineBand& band, Micros shown);
// Returns one plain line with the same, for screen readers.
QString span_description(const TimelineTrack& track, std::size_t span);

// Returns a name from a file for a place where there is not much room; what is over `most` bytes becomes "…".
QString brief_name(std::string_view name, std::size_t most);

}  // namespace iosx
