#pragma once

#include "core/model/trace/trace.h"

namespace iosx {

// The counter of the trace that utilization shows: its first one that has values. Null where there is none.
const Counter* main_counter(const Trace& trace);

}  // namespace iosx
