#pragma once

#include <span>
#include <string>

#include "core/model/trace/trace.h"

namespace iosx {

struct NamedTrace {
  std::string name;  // shown as a process
  const Trace* trace = nullptr;
  bool stages = true;  // false: without barriers they overlap, and stand nowhere
};

// Chrome trace-event JSON ("X", "C" and metadata events, microseconds), which Perfetto and chrome://tracing open: one
// process a trace, one thread a lane plus one for the stages, counters as counter tracks. `device` and `origin` are
// written into the metadata.
std::string chrome_trace_json(std::span<const NamedTrace> traces, const std::string& device, const std::string& origin);

}  // namespace iosx
