#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"

namespace iosx::external {

// Names a text of the file, in TraceEvents::texts; 0 is the empty one.
using TextId = std::uint32_t;

// Is a complete event of a Chrome trace, or a pair of begin and end as one. Times are in µs since a zero that all
// events of a file share: the file's own, or, where its times are those of a clock that began years ago, a moment
// within the file, since a double has no room for years and nanoseconds.
struct TraceEvent {
  double begin = 0;
  double end = 0;
  TextId name = 0;
  TextId category = 0;
  TextId process = 0;
  TextId thread = 0;
  // These come from its "args", where they are there.
  TextId op_name = 0;
  TextId output = 0;
  std::int64_t external = -1;  // "External id"
  std::int64_t correlation = -1;
  std::int64_t stream = -1;
  std::uint32_t inputs = 0;  // in TraceEvents::dims, one more than the index; 0: none
  std::uint32_t outputs = 0;
};

// Holds what is in a file of trace events, in either form: an array of them, or an object with one.
struct TraceEvents {
  std::vector<TraceEvent> events;  // in the file's order
  std::vector<std::string> texts{std::string()};
  std::vector<std::vector<ExternalDims>> dims;
  std::map<TextId, TextId> process_names;
  std::map<std::pair<TextId, TextId>, TextId> thread_names;  // by process and thread
  bool ours = false;                                         // it says that IOS Explorer wrote it
  std::size_t unpaired = 0;                                  // begins without an end, or ends without a begin
  std::size_t broken = 0;                                    // without a time, or with one that is none
  std::size_t asynchronous = 0;                              // which belong to no thread, and are not read

  std::string_view text(TextId id) const { return texts[id]; }
};

// Reads a file's text. The error is that it is not JSON, no trace, or holds too much. A trace may break off after an
// event, as its format allows. Times, durations and numbers in "args" may be texts. Begins and ends are paired by their
// times, wherever they stand in the file; an end with a name ends the innermost begin of that name. `origin` leads an
// error's place.
Result<TraceEvents> read_trace_events(std::string_view json, const std::string& origin);

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;
struct Nesting {
  // Has for every event the innermost one that it is in, of the same process and thread, or kNone.
  std::vector<std::uint32_t> around;
  std::vector<std::uint32_t> order;  // all events, each after the one around it
};
Nesting nesting_of(const std::vector<TraceEvent>& events);

}  // namespace iosx::external
