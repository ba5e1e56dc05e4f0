#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/result.h"
#include "core/documents/run_file/run.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// Is a run as a report shows it. What is empty of where, when, source and options is left out.
struct ReportRun {
  std::shared_ptr<const Comparison> comparison;
  RunPlace place = {};
  std::string source = {};                                        // of the network
  std::vector<std::pair<std::string, std::string>> options = {};  // names and values, for people
};
ReportRun report_run(const Run& run);

// Returns the title and the value of each option that has one: of all but those that are off or not set.
std::vector<std::pair<std::string, std::string>> options_text(const CompareOptions& options);

struct Report {
  std::vector<ReportRun> runs;           // the schedules that were asked for are shown; the first is compared against
  std::vector<ExternalRun> beside = {};  // matched anew, to the baseline's graph
  // Names a place in `runs` and a schedule of that run, with which the others are compared; without one, or with one
  // that is not shown, it is the first sequential one.
  std::optional<std::pair<std::size_t, ScheduleId>> baseline = {};
};

// Writes one page of HTML with everything in it: it loads nothing, and opens from a file. It shows latencies with their
// spread, differences part by part, the graph in its stages, stages, timelines, and where all that comes from, with one
// selection through all. Names are text in it, whatever they hold. The same report gives the same bytes. The error is
// that there is no schedule to show.
Result<std::string> html_report(const Report& report);

}  // namespace iosx
