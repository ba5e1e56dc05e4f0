#pragma once

#include <span>
#include <string>

#include "core/model/trace/trace.h"

namespace iosx {

struct NamedTrace {
  std::string name;  // shown as a process
  const Trace* trace = nullptr;
  bool stages = true;  // false: without barriers they overlap, and are left out
};

// Returns Chrome trace-event JSON ("X", "C" and metadata events, microseconds) for Perfetto and chrome://tracing: a
// process per trace, a thread per lane plus one for the stages, and counters as counter tracks. `device` and `origin`
// are part of the metadata.
std::string chrome_trace_json(std::span<const NamedTrace> traces, const std::string& device, const std::string& origin);

}  // namespace iosx
