#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string>

#include "core/analysis/compare/comparison.h"
#include "core/model/trace/trace.h"

namespace iosx {

// A counter is a device's report of its use over time: active warps on a GPU, busy cores on a processor. Its name,
// unit and peak come with the trace; the views only word them.

// Returns the main counter of the first result with one, or null.
const Counter* main_counter(const Comparison& comparison);
// Returns the counter of that name with values (empty: the main one), or null.
const Counter* find_counter(const Trace& trace, const std::string& name);
// Returns "CUPTI PM sampling every 5 us" from a longer source; empty where unknown.
QString short_source(const std::string& source);
// Returns whether both may share a scale.
bool same_quantity(const Counter& a, const Counter& b);

// Returns whether the peak is small (cores, not warps), so that fractions matter and a scale can show each. An unknown
// peak counts as small.
bool is_countable(double peak);
QString quantity_text(double value, double peak);                // "1.73" of 2 cores, "1,250" of 5,120 warps
QString quantity_text(double value, double error, double peak);  // "1,250 ± 12"; no error for 0
QString counter_title(QString name);                             // "Busy cores": the name as the beginning of a title
QString counter_column(QString name);                            // "busy_cores": the name as a CSV header
QString text_of(const std::string& name_or_unit);

// Returns the time-weighted mean of the main counter in the stage, in its unit; none without one.
std::optional<double> mean_in_stage(const Trace& trace, std::size_t stage);
// Returns the same over its peak, 0 to 1; none also with an unknown peak.
std::optional<double> mean_utilization(const Trace& trace, std::size_t stage);

}  // namespace iosx
