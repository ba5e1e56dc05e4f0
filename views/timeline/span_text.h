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
// Rich text: strategy, groups, units, latency and share of a stage.
QString stage_tooltip(const Comparison& comparison, std::size_t result, std::size_t stage);
QString schedule_tooltip(const Comparison& comparison, std::size_t result);

// "lane 1: 2, lane 2: 1": cores of each lane; empty where the device does not share them out.
QString cores_text(const StageSpan& stage);

// What a click on a stage selects.
Selection stage_selection(const ScheduleResult& result, std::size_t stage);

}  // namespace iosx
