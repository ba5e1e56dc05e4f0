#include <map>
#include <utility>

#include "core/formats/external/dialects.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostRangesAround = 8;

std::string lane_name(const TraceEvents& trace, const TraceEvent& event) {
  const auto named = trace.thread_names.find({event.process, event.thread});
  const TextId thread = named == trace.thread_names.end() ? event.thread : named->second;
  return std::string(trace.text(event.process)) + '/' + std::string(trace.text(event.thread)) + '/' +
         std::string(trace.text(thread));
}

}  // namespace

std::vector<NamedRecording> chrome_recordings(const TraceEvents& trace) {
  const std::vector<std::uint32_t> around = nesting_of(trace.events).around;
  std::vector<bool> holds_others(trace.events.size());
  for (const std::uint32_t outer : around) {
    if (outer != kNone) holds_others[outer] = true;
  }
  std::map<TextId, std::size_t> of_process;
  std::vector<NamedRecording> out;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (holds_others[i] || (trace.ours && trace.text(event.category) != "kernel")) continue;
    const auto [place, made] = of_process.emplace(trace.ours ? event.process : TextId{0}, out.size());
    if (made) {
      NamedRecording& named = out.emplace_back();
      named.recording.tool = trace.ours ? ExternalTool::kOwnTrace : ExternalTool::kChromeTrace;
      const auto name = trace.process_names.find(event.process);
      if (trace.ours && name != trace.process_names.end()) named.name = std::string(trace.text(name->second));
    }
    RecordedSpan span;
    span.entry.name = std::string(trace.text(event.name));
    span.entry.type = std::string(trace.text(event.op_name != 0 ? event.op_name : event.category));
    span.entry.output = std::string(trace.text(event.output));
    if (event.inputs != 0) span.entry.inputs = trace.dims[event.inputs - 1];
    if (event.outputs != 0) span.entry.dims = trace.dims[event.outputs - 1].front();
    for (std::uint32_t o = around[i]; o != kNone && span.entry.within.size() < kMostRangesAround; o = around[o]) {
      span.entry.within.emplace_back(trace.text(trace.events[o].name));
    }
    span.begin = span.told = event.begin;
    span.end = event.end;
    span.lane = lane_name(trace, event);
    out[place->second].recording.add(std::move(span));
  }
  return out;
}

}  // namespace iosx::external
