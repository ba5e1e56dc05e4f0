#pragma once

#include <QString>
#include <cstddef>
#include <string_view>

#include "views/explore/timeline/timeline_scene.h"

namespace iosx {

// Returns rich text: kernel, operators, kind, begin, duration, stage, stream and work of a span.
QString span_tooltip(const TimelineTrack& track, std::size_t span);
// Returns rich text: the value of the counter below the lanes at a time of the axis.
QString heat_tooltip(const TimelineTrack& track, const TimelineBand& band, Micros shown);
// Returns the same as one plain line, for screen readers.
QString span_description(const TimelineTrack& track, std::size_t span);

// Returns a name from a file for a narrow place; bytes beyond `most` become "…".
QString brief_name(std::string_view name, std::size_t most);

}  // namespace iosx
