#include "core/formats/external/read_external.h"

#include <algorithm>
#include <utility>

#include "core/base/files.h"
#include "core/base/json/text_file.h"
#include "core/devices/measure/statistics.h"
#include "core/formats/external/engine_profiles.h"
#include "core/formats/external/match.h"
#include "core/formats/external/recorded_runs.h"
#include "core/formats/external/trace_events.h"

namespace iosx {
namespace external {

RecordedRuns runs_with_begins(CsvTimes times) {
  RecordedRuns recording;
  recording.tool = ExternalTool::kTable;
  recording.notices = std::move(times.notices);
  for (NamedTimes& one : times.names) {
    RecordedSpan span;
    span.entry = {.name = std::move(one.name), .type = std::move(one.type), .output = std::move(one.output)};
    span.begin = span.told = Micros(*one.begin).count();
    span.end = span.begin + Micros(one.samples.front()).count();
    span.lane = std::move(one.lane);
    recording.add(std::move(span));
  }
  return recording;
}

}  // namespace external

namespace {

constexpr std::string_view kDatabase("SQLite format 3\0", 16);  // how every SQLite file begins
constexpr std::size_t kMostTableRuns = 50;     // of one table: more names are operators of some other network
constexpr std::size_t kHead = 4096;            // bytes of a JSON text by which its kind is told
constexpr std::size_t kMostLaunches = 20'000;  // of a table that counts them, listed one by one

using Runs = std::vector<ExternalRun>;

std::string name_of(const std::string& file, const std::string& label) {
  if (!label.empty()) return label;
  const std::filesystem::path path(file);
  return (path.extension() == ".gz" ? path.stem() : path).stem().string();
}

ExternalRun table_of_operators(external::CsvTimes times, const std::string& file, const std::string& label) {
  ExternalRun run{.label = label, .file = file, .notices = std::move(times.notices)};
  std::size_t launches = 0;
  for (const external::NamedTimes& one : times.names) launches += one.count;
  const bool apart = launches <= kMostLaunches;
  if (launches > times.names.size()) {
    run.notices.push_back(
        apart ? message("its rows are {} launches: each counts as the average of its row", launches)
              : message("its rows are {} launches, too many to list: each row counts as one", launches));
  }
  const std::size_t count = times.names.front().samples.size();
  const bool together =
      std::ranges::all_of(times.names, [&](const external::NamedTimes& one) { return one.samples.size() == count; });
  run.samples.assign(together ? count : 1, Millis(0));
  for (external::NamedTimes& one : times.names) {
    ExternalEntry entry{.name = std::move(one.name), .type = std::move(one.type), .output = std::move(one.output)};
    entry.samples = std::move(one.samples);
    if (!apart) {
      for (Millis& sample : entry.samples) sample *= static_cast<double>(one.count);
    }
    entry.duration = median(entry.samples);
    for (std::size_t launch = 0; launch < (apart ? one.count : 1); ++launch) {
      for (std::size_t i = 0; i < run.samples.size(); ++i)
        run.samples[i] += together ? entry.samples[i] : entry.duration;
      run.entries.push_back(entry);
    }
  }
  run.latency = latency_of(run.samples, Origin::kRecorded);
  run.notices.push_back(message("its latency is the sum of its rows: a table does not say what ran in parallel"));
  return run;
}

Runs runs_of_table(external::CsvTimes times, const std::string& file, const std::string& label, const Graph* graph) {
  bool runs = times.meaning == external::RowMeaning::kRuns;
  if (times.meaning == external::RowMeaning::kNotSaid && graph != nullptr && times.names.size() <= kMostTableRuns) {
    runs = std::ranges::none_of(times.names, [&](const external::NamedTimes& one) {
      return match_name(one.name, *graph).rule != MatchRule::kNone;
    });
  }
  Runs out;
  if (!runs) {
    out.push_back(table_of_operators(std::move(times), file, name_of(file, label)));
    return out;
  }
  for (external::NamedTimes& one : times.names) {
    const Latency latency = latency_of(one.samples, Origin::kRecorded);
    const bool called = times.names.size() == 1 && !label.empty();
    out.push_back({.label = called ? label : one.name,
                   .file = file,
                   .latency = latency,
                   .samples = std::move(one.samples),
                   .notices = times.notices});
  }
  return out;
}

void add_notices(const external::TraceEvents& trace, external::RecordedRuns& recording) {
  if (trace.unpaired > 0) {
    recording.notices.push_back(message("{} events without a begin or without an end are left out", trace.unpaired));
  }
  if (trace.broken > 0) {
    recording.notices.push_back(message("{} events without a valid time are left out", trace.broken));
  }
}

Result<Runs> runs_of_trace(const external::TraceEvents& trace, const std::string& file, const std::string& label,
                           const ExternalOptions& options) {
  IOS_TRY(auto recordings, external::runs_of_events(trace, options.range, file));
  if (recordings.empty() && trace.broken + trace.unpaired > 0) {
    return fail(
        message("contains no events with a begin and an end, but {} that lack one", trace.broken + trace.unpaired),
        file, message("record it again"));
  }
  if (recordings.empty() && trace.asynchronous > 0) {
    return fail(message("contains only asynchronous events, which do not say where they ran"), file,
                message("record complete events, or begins and ends"));
  }
  if (recordings.empty())
    return fail(message("contains no events with a begin and an end"), file,
                message("check that it is the right file"));
  Runs out;
  for (external::NamedRuns& named : recordings) {
    add_notices(trace, named.recording);
    const std::string name = named.name.empty() || recordings.size() == 1 ? label : label + ": " + named.name;
    IOS_TRY(auto run, external::assemble(std::move(named.recording), name, file, options.runs));
    out.push_back(std::move(run));
  }
  return out;
}

void match(Runs& runs, const Graph* graph) {
  if (graph == nullptr) return;
  for (ExternalRun& run : runs) match_operators(run, *graph);
}

Result<Runs> runs_of_tensorrt(std::string_view text, const std::string& file, const std::string& label,
                              const ExternalOptions& options) {
  IOS_TRY(auto times, external::read_tensorrt_times(text, file));
  Runs runs = runs_of_table(std::move(times), file, label, options.graph);
  external::LayerContents contents;
  if (!options.layers.empty()) {
    IOS_TRY(check_regular_file(options.layers));
    IOS_TRY(const auto layers, read_text_file(options.layers));
    IOS_TRY(contents, external::read_tensorrt_layers(layers, options.layers.string()));
  }
  for (ExternalRun& run : runs) {
    run.tool = ExternalTool::kTensorRt;
    for (ExternalEntry& entry : run.entries) {
      if (const auto made_of = contents.find(entry.name); made_of != contents.end()) {
        entry.within.push_back(made_of->second);
      }
    }
  }
  return runs;
}

bool is_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

// Returns whether a text with this beginning is read as trace events: any JSON that is not of another known kind.
bool is_trace_text(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  if (!is_json(head)) return false;
  return has_trace_events(head) ||
         !(external::is_tensorrt_json(head) || external::is_openvino_json(head) || external::is_table_json(head));
}

Result<Runs> runs_of_source(ByteSource& source, const std::string& file, const std::string& label,
                            const ExternalOptions& options) {
  IOS_TRY(const auto trace, external::read_trace_events(source, file));
  IOS_TRY(auto runs, runs_of_trace(trace, file, name_of(file, label), options));
  match(runs, options.graph);
  return runs;
}

// The text is UTF-8.
Result<Runs> runs_of_text(std::string_view text, const std::string& file, const std::string& label,
                          const ExternalOptions& options) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return fail(message("is empty"), file, message("check that it is the right file"));
  if (text.starts_with("PK\x03\x04"))
    return fail(message("is a zip archive"), file,
                message("unpack it, export a program of PyTorch as ONNX, or open a run with iosx show"));
  if (text.starts_with("digraph"))
    return fail(message("is a drawing of a graph, without times"), file, message("give it together with a recording"));
  if (is_trace_text(text)) {
    const auto source = source_of(text, file);
    return runs_of_source(*source, file, label, options);
  }
  Runs runs;
  bool says_its_runs = true;
  const std::string_view head = text.substr(0, kHead);
  if (is_json(head) && external::is_tensorrt_json(head)) {
    IOS_TRY(runs, runs_of_tensorrt(text, file, label, options));
  } else if (is_json(head) && external::is_table_json(head)) {
    IOS_TRY(const auto csv, external::csv_of_json(text, file));
    IOS_TRY(auto times, external::read_csv_times(csv, options.unit, file));
    runs = runs_of_table(std::move(times), file, label, options.graph);
  } else if (is_json(head)) {
    IOS_TRY(auto times, external::read_openvino_times(text, file));
    runs = runs_of_table(std::move(times), file, label, options.graph);
    for (ExternalRun& run : runs) run.tool = ExternalTool::kOpenVino;
  } else {
    IOS_TRY(auto times, external::read_csv_times(text, options.unit, file));
    if (std::ranges::all_of(times.names, [](const external::NamedTimes& one) { return one.begin.has_value(); })) {
      IOS_TRY(auto run, external::assemble(external::runs_with_begins(std::move(times)), name_of(file, label), file,
                                           options.runs));
      runs.push_back(std::move(run));
      says_its_runs = false;
    } else {
      runs = runs_of_table(std::move(times), file, label, options.graph);
    }
  }
  if (says_its_runs && options.runs > 0) {
    for (ExternalRun& run : runs) {
      run.notices.push_back(message("the given number of runs has no effect: the file contains its own number"));
    }
  }
  match(runs, options.graph);
  return runs;
}

// The text is in any encoding, or a trace of Perfetto.
Result<Runs> runs_of_bytes(std::string bytes, const std::string& file, const std::string& label,
                           const ExternalOptions& options) {
  if (!external::is_perfetto_trace(std::string_view(bytes).substr(0, kHead)))
    return runs_of_text(as_utf8(std::move(bytes)), file, label, options);
  IOS_TRY(auto trace, external::read_perfetto_events(bytes, file));
  external::keep_kernels(trace);
  IOS_TRY(auto runs, runs_of_trace(trace, file, name_of(file, label), options));
  match(runs, options.graph);
  return runs;
}

}  // namespace

Result<Runs> read_external_text(std::string_view bytes, const std::string& file, const std::string& label,
                                const ExternalOptions& options) {
  IOS_TRY(auto text, all_of(*source_of(bytes, file), file));
  return runs_of_bytes(std::move(text), file, label, options);
}

Result<Runs> read_external(const std::filesystem::path& path, const std::string& label,
                           const ExternalOptions& options) {
  const std::string file = path.string();
  IOS_TRY(auto source, open_source(path));
  IOS_TRY(const auto head, head_of(*source, kHead));
  if (head.starts_with(kDatabase)) {
    IOS_TRY(auto recording, external::nsight_runs(path, options.range));
    IOS_TRY(auto run, external::assemble(std::move(recording), name_of(file, label), file, options.runs));
    Runs runs;
    runs.push_back(std::move(run));
    match(runs, options.graph);
    return runs;
  }
  IOS_TRY(source, open_source(path));
  const std::string_view begin = std::string_view(head).substr(head.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (is_trace_text(begin) && begin.find('\0') == std::string_view::npos)
    return runs_of_source(*source, file, label, options);
  IOS_TRY(auto text, all_of(*source, file));
  return runs_of_bytes(std::move(text), file, label, options);
}

bool has_trace_events(std::string_view head) {
  const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
  return has("\"traceEvents\"") || (has("\"ph\"") && has("\"ts\""));
}

}  // namespace iosx
