#include "core/formats/external/recorded_runs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/devices/measure/statistics.h"

namespace iosx::external {
namespace {

constexpr std::size_t kNoRun = static_cast<std::size_t>(-1);

// The run that each span belongs to; spans are by `told`.
std::vector<std::size_t> runs_of(const std::vector<RecordedSpan>& spans, const std::vector<RunWindow>& windows) {
  std::vector<std::size_t> runs(spans.size(), windows.empty() ? 0 : kNoRun);
  std::size_t window = 0;
  for (std::size_t i = 0; i < spans.size() && window < windows.size(); ++i) {
    while (window < windows.size() && windows[window].end < spans[i].told) ++window;
    if (window < windows.size() && windows[window].begin <= spans[i].told) runs[i] = window;
  }
  return runs;
}

// Returns the first span of another name or type than the one `period` before it; the number of spans where there is
// none.
std::size_t first_that_differs(const std::vector<RecordedSpan>& spans, std::size_t period) {
  for (std::size_t i = period; i < spans.size(); ++i) {
    const ExternalEntry& one = spans[i - period].entry;
    const ExternalEntry& other = spans[i].entry;
    if (one.name != other.name || one.type != other.type) return i;
  }
  return spans.size();
}

struct NameKey {
  std::string_view name;
  std::string_view type;
  friend bool operator==(const NameKey&, const NameKey&) = default;
};
struct NameHash {
  std::size_t operator()(const NameKey& key) const noexcept {
    constexpr std::size_t kOdd = 0x9E3779B97F4A7C15ULL;
    return std::hash<std::string_view>()(key.name) * kOdd ^ std::hash<std::string_view>()(key.type);
  }
};

// Joins the spans of all runs to entries.
class Assembly {
 public:
  Assembly(const std::vector<RecordedSpan>& spans, const std::vector<std::size_t>& run_of, std::size_t runs)
      : spans_(spans),
        run_of_(run_of),
        entry_of_(spans.size(), kNoRun),
        bounds_(runs, RunWindow{2 * kMostMicros, -2 * kMostMicros}) {
    for (std::size_t i = 0; i < spans.size(); ++i) add(i);
  }

  // Spans of each run, by begin of the first and end of the last; a run without spans has begin > end.
  const std::vector<RunWindow>& bounds() const { return bounds_; }

  // Makes the trace of this run, which is the one that is shown.
  void show(std::size_t run, ExternalRun& out) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      if (run_of_[i] == run) shown.push_back(i);
    }
    std::ranges::stable_sort(shown, {}, [&](std::size_t i) { return spans_[i].begin; });
    std::vector<std::size_t> place(entries_.size(), kNoRun);
    for (const std::size_t i : shown) {
      ExternalEntry& entry = entries_[entry_of_[i]];
      entry.timed = true;
      entry.begin = Micros(spans_[i].begin - bounds_[run].begin);
      place[entry_of_[i]] = out.entries.size();
      out.entries.push_back(std::move(entry));
    }
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (place[e] == kNoRun) out.entries.push_back(std::move(entries_[e]));
    }
    for (ExternalEntry& entry : out.entries) entry.duration = median(entry.samples);
    trace(shown, run, place, out);
  }

 private:
  void add(std::size_t i) {
    const std::size_t run = run_of_[i];
    if (run == kNoRun) return;
    const RecordedSpan& span = spans_[i];
    RunWindow& bound = bounds_[run];
    bound.begin = std::min(bound.begin, span.begin);
    bound.end = std::max(bound.end, span.end);
    Name& name = names_[{span.entry.name, span.entry.type}];
    if (name.run != run) {
      name.run = run;
      name.seen = 0;
    }
    if (name.seen == name.entries.size()) {
      name.entries.push_back(entries_.size());
      entries_.push_back(span.entry);
    }
    entry_of_[i] = name.entries[name.seen++];
    entries_[entry_of_[i]].samples.emplace_back(Micros(span.end - span.begin));
  }

  void trace(const std::vector<std::size_t>& shown, std::size_t run, const std::vector<std::size_t>& place,
             ExternalRun& out) {
    std::map<std::string_view, std::size_t> lanes;
    for (const std::size_t i : shown) {
      const RecordedSpan& span = spans_[i];
      const std::size_t lane = lanes.emplace(span.lane, lanes.size()).first->second;
      out.trace.kernels.push_back({.name = span.entry.name,
                                   .kernel = {},
                                   .lane = lane,
                                   .stage = 0,
                                   .begin = Micros(span.begin - bounds_[run].begin),
                                   .end = Micros(span.end - bounds_[run].begin)});
      out.of_kernel.push_back(place[entry_of_[i]]);
    }
    out.trace.lanes = lanes.size();
    out.trace.duration = Micros(bounds_[run].end - bounds_[run].begin);
  }

  struct Name {
    std::size_t run = kNoRun;  // the last one that had it
    std::size_t seen = 0;      // there
    std::vector<std::size_t> entries;
  };

  const std::vector<RecordedSpan>& spans_;
  const std::vector<std::size_t>& run_of_;
  std::vector<std::size_t> entry_of_;  // of each span
  std::vector<ExternalEntry> entries_;
  std::unordered_map<NameKey, Name, NameHash> names_;
  std::vector<RunWindow> bounds_;
};

}  // namespace

Result<void> mark_runs(std::vector<NamedWindow> windows, const std::string& range, RecordedRuns& recording,
                       const std::string& file) {
  std::ranges::stable_sort(windows, [](const NamedWindow& a, const NamedWindow& b) {
    return std::tie(a.window.begin, b.window.end) < std::tie(b.window.begin, a.window.end);
  });
  for (const NamedWindow& window : windows) {
    const bool run = range.empty() ? window.name.starts_with(kProfilerStep) : window.name == range;
    const bool within = !recording.runs.empty() && window.window.begin < recording.runs.back().end;
    if (run && !within) recording.runs.push_back(window.window);
  }
  if (!recording.runs.empty()) return {};
  std::map<std::string_view, std::size_t> outermost;
  double end = -kMostMicros;
  for (const NamedWindow& window : windows) {
    if (window.window.begin < end) continue;
    end = window.window.end;
    if (window.name.find("op_id = ") == std::string_view::npos) ++outermost[window.name];  // no operator is a run
  }
  const auto most = std::ranges::max_element(outermost, {}, [](const auto& one) { return one.second; });
  if (!range.empty()) {
    return fail(message("has no range named '{}'", range), file,
                most == outermost.end() ? message("it has no ranges") : message("it has '{}'", most->first));
  }
  if (most != outermost.end() && most->second > 1) {
    recording.notices.push_back(
        message("it does not mark its runs, so all of it counts as one; the range '{}' repeats "
                "{} times and can be chosen as a run",
                most->first, most->second));
  }
  return {};
}

void RecordedRuns::add(RecordedSpan span) {
  text += span.entry.name.size() + span.entry.type.size() + span.entry.output.size() + span.lane.size();
  for (const std::string& range : span.entry.within) text += range.size();
  span.order = spans.size();
  if (text <= kMostText) spans.push_back(std::move(span));
}

Result<ExternalRun> assemble(RecordedRuns recording, std::string label, const std::string& file, std::size_t runs) {
  if (recording.text > kMostText) {
    return fail(message("the names of its kernels and ranges have more than {} MiB", kMostText >> 20U), file,
                message("record fewer runs, or shorter names"));
  }
  if (recording.spans.empty())
    return fail(message("contains no kernels or operators with times"), file,
                message("check that it is the right file, and that a run was recorded"));
  std::vector<RecordedSpan>& spans = recording.spans;
  std::ranges::stable_sort(spans, [](const RecordedSpan& a, const RecordedSpan& b) {
    return std::tie(a.told, a.order) < std::tie(b.told, b.order);
  });
  std::vector<std::size_t> run_of = runs_of(spans, recording.runs);
  std::size_t count = std::max<std::size_t>(1, recording.runs.size());
  if (recording.runs.empty() && runs > 1) {
    const std::size_t period = spans.size() / runs;
    if (spans.size() % runs != 0 || first_that_differs(spans, period) < spans.size()) {
      return fail(message("its {} kernels or operators are not {} repetitions of the same ones", spans.size(), runs),
                  file, message("omit the number of runs, or record fewer of them"));
    }
    count = runs;
    for (std::size_t i = 0; i < spans.size(); ++i) run_of[i] = i / period;
  }
  const auto outside = static_cast<std::size_t>(std::ranges::count(run_of, kNoRun));
  if (outside == spans.size()) {
    recording.notices.push_back(message("nothing ran within the runs that the file marks, so all of it counts as one"));
    recording.runs.clear();
    count = 1;
    std::ranges::fill(run_of, std::size_t{0});
  } else if (outside > 0) {
    recording.notices.push_back(
        message("{} of {} kernels or operators are outside the {} runs of the file and are left out", outside,
                spans.size(), count));
  }

  Assembly assembly(spans, run_of, count);
  ExternalRun out{
      .label = std::move(label), .tool = recording.tool, .file = file, .notices = std::move(recording.notices)};
  std::vector<std::size_t> of_sample;
  for (std::size_t run = 0; run < count; ++run) {
    const RunWindow& bound = assembly.bounds()[run];
    if (bound.begin > bound.end) continue;
    const bool whole = recording.windows_are_latencies && !recording.runs.empty();
    const RunWindow& timed = whole ? recording.runs[run] : bound;
    out.samples.emplace_back(Micros(timed.end - timed.begin));
    of_sample.push_back(run);
  }
  out.latency = latency_of(out.samples, Origin::kRecorded);
  const auto nearest = std::ranges::min_element(
      out.samples, {}, [&](Millis sample) { return std::abs((sample - out.latency.value).count()); });
  assembly.show(of_sample[static_cast<std::size_t>(nearest - out.samples.begin())], out);
  out.trace.source = std::string(tool_name(out.tool));
  return out;
}

}  // namespace iosx::external
