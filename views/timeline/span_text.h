#pragma once

#include <QString>
#include <cstddef>

#include "core/compare/comparison.h"
#include "views/timeline/timeline_scene.h"

namespace iosx {

// Rich text: kernel, operators, kind, begin, duration, stage, stream and work of a span.
QString span_tooltip(const Comparison& comparison, SpanRef span);
// One plain line with the same, for screen readers.
QString span_description(const Comparison& comparison, SpanRef span);

}  // namespace iosx
