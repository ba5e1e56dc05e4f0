#pragma once

#include <QFontMetricsF>
#include <QString>
#include <cstddef>
#include <optional>
#include <string_view>

#include "views/explore/timeline/timeline_scene.h"

namespace iosx {

// Returns rich text: kernel, operators, kind, begin, duration, stage, stream and work of a span.
QString span_tooltip(const TimelineTrack& track, std::size_t span);
// Returns rich text: the value of the counter below the lanes at a time of the axis.
QString heat_tooltip(const TimelineTrack& track, const TimelineBand& band, Micros shown);
// Returns the same as one plain line, for screen readers.
QString span_description(const TimelineTrack& track, std::size_t span);

// Returns where a line of text stands so that all its letters are between two heights: in the middle by its capitals,
// higher where a letter goes down too far; none where it does not fit.
std::optional<double> text_baseline(const QString& text, double top, double bottom, const QFontMetricsF& metrics);

// Returns a name from a file for a narrow place; bytes beyond `most` become "…".
QString brief_name(std::string_view name, std::size_t most);

}  // namespace iosx
