#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/analysis/recording/recording_report.h"
#include "core/base/check.h"
#include "core/formats/external/match.h"
#include "core/formats/external/open_recording.h"
#include "core/formats/external/read_external.h"
#include "core/formats/external/unit_column.h"
#include "models/networks/zoo.h"

namespace {

// The same bytes as a table of values by node name.
void read_as_values(std::string_view text, const iosx::Graph& graph) {
  const auto table = iosx::read_value_table(text, "fuzz");
  if (!table) {
    IOS_CHECK(!table.error().what.empty());
    return;
  }
  const auto matches = iosx::match_names(table->names, graph);
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    IOS_CHECK(table->columns[i].values.size() == table->names.size());
    for (const iosx::ColumnJoin join : iosx::kColumnJoins) {
      const auto made = iosx::column_of_units(*table, i, join, matches, graph);
      IOS_CHECK(made.column.values.size() == graph.units().size());
      IOS_CHECK(made.tally.matched + made.tally.unmatched.size() == made.tally.names);
      for (const auto& value : made.column.values) IOS_CHECK(!value || std::abs(*value) <= iosx::kMostValue);
    }
  }
}

}  // namespace

// The same bytes as a recording.
void read_as_recording(std::string_view text) {
  const auto recording = iosx::read_recording_text(text, "fuzz", {});
  if (!recording) {
    IOS_CHECK(!recording.error().what.empty());
    return;
  }
  const iosx::RecordingReport report = iosx::report_of(*recording, {});
  IOS_CHECK(report.usage.busy <= report.usage.span * (1 + 1e-9) + 1e-6);
  for (const iosx::RecordedEdge& edge : report.edges.edges) {
    IOS_CHECK(edge.before < recording->kernels.size() && edge.after < recording->kernels.size());
  }
}

// libFuzzer's entry: any bytes as what another program recorded. What is read is consistent, whatever it says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const iosx::Graph graph = iosx::build_sample();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_as_values(text, graph);
  read_as_recording(text);
  const auto runs = iosx::read_external_text(text, "fuzz", "fuzz", {.graph = &graph});
  if (!runs) {
    IOS_CHECK(!runs.error().what.empty());
    return 0;
  }
  IOS_CHECK(!runs->empty());
  for (const iosx::ExternalRun& run : *runs) {
    IOS_CHECK(run.latency.origin == iosx::Origin::kRecorded);
    IOS_CHECK(run.latency.value >= iosx::Millis(0) && run.latency.spread >= iosx::Millis(0));
    IOS_CHECK(run.of_kernel.size() == run.trace.kernels.size());
    IOS_CHECK(run.matched_share() >= 0 && run.matched_share() <= 1 + 1e-9);
    iosx::Micros begin{0};
    for (std::size_t i = 0; i < run.trace.kernels.size(); ++i) {
      const iosx::KernelSpan& span = run.trace.kernels[i];
      IOS_CHECK(run.of_kernel[i] < run.entries.size() && span.lane < run.trace.lanes);
      IOS_CHECK(begin <= span.begin && span.begin <= span.end);
      begin = span.begin;
    }
    for (const iosx::ExternalEntry& entry : run.entries) {
      IOS_CHECK(!entry.samples.empty() && entry.duration >= iosx::Millis(0));
      for (const iosx::OperatorId id : entry.match.operators) IOS_CHECK(id.index() < graph.operators().size());
      IOS_CHECK(entry.match.operators.empty() == (entry.match.rule == iosx::MatchRule::kNone));
    }
  }
  return 0;
}
