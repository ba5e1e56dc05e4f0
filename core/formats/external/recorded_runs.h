#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"

namespace iosx::external {

inline constexpr std::size_t kMostSpans = 500'000;  // per file
// The most bytes of all names in a recording's spans. A name may occur in many spans, such as a range's in its
// kernels, so that a small file could fill the memory.
inline constexpr std::size_t kMostText = std::size_t{256} << 20U;
// Later times since the file's zero and longer durations, in µs, are invalid: about thirty years.
inline constexpr double kMostMicros = 1e15;

// One thing that ran, from a file in any format.
struct RecordedSpan {
  ExternalEntry entry;    // without times
  double begin = 0;       // µs, on the file's clock
  double end = 0;         // at least begin
  std::string lane;       // the thread or stream: its spans run one after another
  double told = 0;        // the time that assigns it to a run: its launch, or its begin
  std::size_t order = 0;  // among spans with the same `told`
};

// The limits of a run on the file's clock, in µs.
struct RunWindow {
  double begin = 0;
  double end = 0;
};

struct RecordedRuns {
  ExternalTool tool = ExternalTool::kChromeTrace;
  std::vector<RecordedSpan> spans;  // in the order of add()
  std::vector<RunWindow> runs;      // sorted by begin, without overlaps; empty: the file marks none
  // Whether a run's latency is its window; otherwise it is the time from its first span's begin to the last one's end.
  bool windows_are_latencies = false;
  std::vector<Message> notices;
  std::size_t text = 0;  // bytes of the spans' names; beyond kMostText spans are counted but not kept

  void add(RecordedSpan span);
};

// Makes a run from a recording. `runs` is the number of runs in a file that does not mark them; 0: unknown, treated
// as one. Errors: the spans do not repeat that often, or have too much text.
Result<ExternalRun> assemble(RecordedRuns recording, std::string label, const std::string& file, std::size_t runs);

// A range with its name.
struct NamedWindow {
  std::string_view name;
  RunWindow window;
};

// Makes runs of ranges: of those with the name `range`, or, where that is empty, of the steps of PyTorch's profiler
// ("ProfilerStep#3"). No other name is taken for a run; if one repeats, a notice says that it can be chosen. Errors: no
// range has that name.
Result<void> mark_runs(std::vector<NamedWindow> windows, const std::string& range, RecordedRuns& recording,
                       const std::string& file);
inline constexpr std::string_view kProfilerStep = "ProfilerStep#";

// How lanes of a GPU begin in a profile of ONNX Runtime, whose others are threads.
inline constexpr std::string_view kStreamLane = "stream ";
inline bool is_stream(std::string_view lane) { return lane.starts_with(kStreamLane); }

}  // namespace iosx::external
