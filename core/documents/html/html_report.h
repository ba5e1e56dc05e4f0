#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/result.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// A run in a report's form. Empty values of place, time, source and options are left out.
struct ReportRun {
  std::shared_ptr<const Comparison> comparison;
  RunPlace place = {};
  std::string source = {};                                        // of the network
  std::vector<std::pair<std::string, std::string>> options = {};  // names and values, for display
};
ReportRun report_run(const Run& run);

// Returns the title and the value of each option that has another value than its default.
std::vector<std::pair<std::string, std::string>> options_text(const CompareOptions& options);

struct Report {
  std::vector<ReportRun> runs;           // the requested schedules are shown; the first run is the reference
  std::vector<ExternalRun> beside = {};  // matched anew, to the baseline's graph
  // A place in `runs` and a schedule of that run as the reference; by default, or if it is not shown, the first
  // sequential one.
  std::optional<std::pair<std::size_t, ScheduleId>> baseline = {};
};

// Returns one self-contained HTML page: it loads nothing, and opens from a file. It shows latencies with their spread,
// differences part by part, the graph in its stages, stages, timelines, and all origins, with one common selection.
// Names are always text in it. The same report gives the same bytes. Returns an error where there is no schedule to
// show.
Result<std::string> html_report(const Report& report);

}  // namespace iosx
