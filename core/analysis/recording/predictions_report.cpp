#include "core/analysis/recording/predictions_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr std::size_t kMostLines = 10;  // opportunities that text shows
constexpr double kMicrosOfMilli = 1e3;

Message with_gaps(const RecordingPredictions& predictions) {
  return predictions.of_processor ? message("with gaps") : message("as launched");
}
Message without_gaps(const RecordingPredictions& predictions) {
  return predictions.of_processor ? message("without gaps") : message("as a CUDA graph");
}

Cell number_or_nothing(const std::optional<double>& value) { return value ? Cell{*value} : Cell{}; }

}  // namespace

Table predicted_lanes_table(const RecordingPredictions& predictions) {
  using Row = PredictedLanes;
  const std::vector<Column<Row>> columns{
      {{.id = "lanes", .title = message("predicted lanes"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.lanes)}; }},
      {{.id = "as_launched_ms", .title = with_gaps(predictions), .kind = ColumnKind::kMillis},
       [](const Row& row) { return Cell{row.as_launched / kMicrosOfMilli}; }},
      {{.id = "as_graph_ms", .title = without_gaps(predictions), .kind = ColumnKind::kMillis},
       [](const Row& row) { return Cell{row.as_graph.span / kMicrosOfMilli}; }}};
  return table_of(columns, predictions.lanes);
}

Table opportunity_table(const RecordingPredictions& predictions) {
  using Row = Opportunity;
  const auto micros = [](const char* id, Message title) {
    return ColumnInfo{.id = id,
                      .title = std::move(title),
                      .kind = ColumnKind::kNumber,
                      .unit = "µs",
                      .decimals = 1,
                      .shown_if = ShownIf::kKnown};
  };
  const std::vector<Column<Row>> columns{
      {micros("gain_as_graph_us",
              predictions.of_processor ? message("gain without gaps") : message("gain as a CUDA graph")),
       [](const Row& row) { return number_or_nothing(row.as_graph); }},
      {micros("gain_as_launched_us",
              predictions.of_processor ? message("gain with gaps") : message("gain as launched")),
       [](const Row& row) { return number_or_nothing(row.as_launched); }},
      {{.id = "times", .title = message("times"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.groups.size())}; }},
      {{.id = "known", .title = message("independent")},
       [](const Row& row) {
         return Cell{.value = row.known, .shown = row.known ? message("known") : message("may be")};
       }},
      {{.id = "kind", .title = message("kind"), .places = place::kEverywhere & ~place::kWindow},
       [](const Row& row) { return Cell{verbatim(std::string(opportunity_kind_name(row.kind)))}; }},
      {{.id = "what", .title = message("kernels")}, [](const Row& row) { return Cell{verbatim(row.what)}; }},
      {{.id = "why", .title = message("why"), .places = place::kDocuments},
       [](const Row& row) { return Cell{row.why}; }}};
  return table_of(columns, predictions.opportunities);
}

std::string predictions_text(const RecordingPredictions& predictions) {
  std::string text;
  if (predictions.why_none && *predictions.why_none != without_dependencies())
    text += fmt::format("note: {}\n", predictions.why_none->text());
  if (!predictions.lanes.empty()) {
    text += predictions.reliable ? "predicted, not recorded:\n" : "predicted, not recorded, and unreliable:\n";
    text += table_text(predicted_lanes_table(predictions));
  }
  Table table = opportunity_table(predictions);
  if (table.rows.empty()) {
    if (!predictions.lanes.empty()) text += "no independent kernels win anything at the same time\n";
    if (predictions.why_none == without_dependencies())
      text += "no kernels are alike enough to say that they may be independent\n";
    return text;
  }
  text += predictions.lanes.empty() ? "\nwhat may be independent:\n" : "\nwhat could run at the same time:\n";
  const std::size_t all = table.rows.size();
  if (all > kMostLines) table.rows.resize(kMostLines);
  text += table_text(table);
  if (all > kMostLines) text += fmt::format("and {} more, which win less\n", all - kMostLines);
  std::set<std::string> told;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Opportunity& one = predictions.opportunities[i];
    std::string why =
        fmt::format("{}{}: {}\n", opportunity_kind_name(one.kind), one.known ? "" : " that may be", one.why.text());
    if (told.insert(why).second) text += why;
  }
  return text;
}

nlohmann::ordered_json predictions_json(const RecordingPredictions& predictions) {
  using OrderedJson = nlohmann::ordered_json;
  OrderedJson opportunities = OrderedJson::array();
  const Table table = opportunity_table(predictions);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    OrderedJson one = row_json(table, i);
    one["kernels"] = predictions.opportunities[i].groups;
    opportunities.push_back(std::move(one));
  }
  return {{"reliable", predictions.reliable},
          {"why_none", predictions.why_none ? OrderedJson(predictions.why_none->text()) : OrderedJson()},
          {"lanes", table_json(predicted_lanes_table(predictions))},
          {"opportunities", std::move(opportunities)}};
}

}  // namespace iosx
