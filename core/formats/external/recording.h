#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"

namespace iosx::external {

inline constexpr std::size_t kMostSpans = 500'000;  // of one file
// Bytes of all names in a recording's spans. A name may stand at many of them, such as a range's at its kernels, so
// that a small file can ask for all memory.
inline constexpr std::size_t kMostText = std::size_t{256} << 20U;
// What is later than this since the file's zero, in µs, or longer, is no time: it is some thirty years.
inline constexpr double kMostMicros = 1e15;

// Is one thing that ran, as a file's dialect tells it.
struct RecordedSpan {
  ExternalEntry entry;    // without times
  double begin = 0;       // µs, on the file's clock
  double end = 0;         // not before begin
  std::string lane;       // what runs one after another: a thread, a stream
  double told = 0;        // when the run asked for it, which says to which run it belongs: its launch, or its begin
  std::size_t order = 0;  // among spans that are told at the same time
};

// Has a run's limits on the file's clock, in µs.
struct RunWindow {
  double begin = 0;
  double end = 0;
};

struct Recording {
  ExternalTool tool = ExternalTool::kChromeTrace;
  std::vector<RecordedSpan> spans;  // whose order is that in which add() got them
  std::vector<RunWindow> runs;      // by begin, apart from one another; empty: the file marks none
  // A run takes what its window takes; else it is from the begin of its first span to the end of its last one.
  bool windows_are_latencies = false;
  std::vector<Message> notices;
  std::size_t text = 0;  // bytes of the spans' names; beyond kMostText spans are counted and not kept

  void add(RecordedSpan span);
};

// Makes a run of what was recorded. `runs` says how many the file holds where it does not mark them; 0 is not known,
// which makes it one. The error is that the spans do not repeat so often, or have too much text.
Result<ExternalRun> assemble(Recording recording, std::string label, const std::string& file, std::size_t runs);

// Is a range with its name. repeated_windows() takes all that are in no other one, and returns those of the name that
// most have, if there are two or more of it.
struct NamedWindow {
  std::string_view name;
  RunWindow window;
};
std::vector<RunWindow> repeated_windows(std::vector<NamedWindow> windows);

}  // namespace iosx::external
