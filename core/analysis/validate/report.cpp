#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/analysis/validate/validate.h"
#include "core/tables/render.h"

namespace iosx {

namespace {

Cell text_cell(const std::string& text) { return {verbatim(text)}; }

Table errors_table(const std::vector<OperatorErrors>& errors) {
  using Row = OperatorErrors;
  const auto share = [](const char* id, const char* title, double Row::*value) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kShare},
                       [value](const Row& row) { return Cell{row.*value}; }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "device", .title = in_english("device")}, [](const Row& row) { return text_cell(row.device); }},
      {{.id = "kind", .title = in_english("kind")}, [](const Row& row) { return text_cell(row.kind); }},
      {{.id = "precision", .title = in_english("precision")}, [](const Row& row) { return text_cell(row.precision); }},
      {{.id = "rows", .title = in_english("rows"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.rows)}; }},
      share("mape", "mean error", &Row::mape),
      share("median", "median", &Row::median),
      share("within_25_percent", "within 25 %", &Row::within_25)};
  return table_of(columns, errors);
}

Table rows_table(const Validation& validation) {
  using Row = ValidationRow;
  const auto millis = [](const char* id, const char* title, double Row::*value) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kMillis, .decimals = 4},
                       [value](const Row& row) { return Cell{row.*value}; }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "section", .title = in_english("section")}, [](const Row& row) { return text_cell(row.section); }},
      {{.id = "what", .title = in_english("what")}, [](const Row& row) { return text_cell(row.what); }},
      millis("published_ms", "published", &Row::published_ms),
      millis("simulated_ms", "simulated", &Row::simulated_ms),
      {{.id = "relative_error", .title = in_english("error"), .kind = ColumnKind::kShare, .difference = true},
       [](const Row& row) { return Cell{row.relative_error()}; }}};
  return table_of(columns, validation.rows);
}

Table sections_table(const Validation& validation) {
  const std::vector<Column<std::string>> columns{
      {{.id = "section", .title = in_english("section")},
       [](const std::string& section) { return text_cell(section); }},
      {{.id = "mean_error", .title = in_english("mean absolute error"), .kind = ColumnKind::kShare},
       [&](const std::string& section) { return Cell{validation.mean_error(section)}; }}};
  return table_of(columns, validation.sections());
}

Table rankings_table(const Validation& validation) {
  using Row = Ranking;
  const std::vector<Column<Row>> columns{
      {{.id = "network", .title = in_english("network")}, [](const Row& row) { return text_cell(row.network); }},
      {{.id = "faster", .title = in_english("faster")}, [](const Row& row) { return text_cell(row.faster); }},
      {{.id = "slower", .title = in_english("slower")}, [](const Row& row) { return text_cell(row.slower); }},
      {{.id = "published_ratio", .title = in_english("published"), .kind = ColumnKind::kFactor},
       [](const Row& row) { return Cell{row.published_ratio}; }},
      {{.id = "simulated_ratio", .title = in_english("simulated"), .kind = ColumnKind::kFactor},
       [](const Row& row) { return Cell{row.simulated_ratio}; }},
      {{.id = "reproduced", .title = in_english("reproduced")}, [](const Row& row) { return Cell{row.reproduced()}; }}};
  return table_of(columns, validation.rankings);
}

std::string operators_text(const OperatorValidation& operators) {
  std::string text = "\nmeasured operators\n" + table_text(errors_table(operators.errors)) + "\nby size\n" +
                     table_text(errors_table(operators.sizes));
  if (operators.skipped > 0) {
    text +=
        fmt::format("left out: {} rows of devices, formats or sessions that are not simulated\n", operators.skipped);
  }
  return text;
}

}  // namespace

std::string validation_table(const Validation& validation) {
  std::string text = fmt::format("Simulated {} against the published measurements\n\n", validation.device);
  text += table_text(rows_table(validation)) + '\n' + table_text(sections_table(validation));
  text += "\nwhich schedule is faster (published differences of 1 % and more)\n";
  text += table_text(rankings_table(validation));
  text += fmt::format("\nactive warps of the sample network, IOS over sequential: published {:.2f}, simulated {:.2f}\n",
                      validation.published_warp_ratio, validation.simulated_warp_ratio);
  text += fmt::format("mean absolute relative error: {:.1f} % over {} latencies; rankings reproduced: {} of {}\n",
                      100 * validation.mean_error(), validation.rows.size(), validation.reproduced_rankings(),
                      validation.rankings.size());
  if (!validation.operators.errors.empty()) text += operators_text(validation.operators);
  return text;
}

std::string validation_json(const Validation& validation) {
  using Json = nlohmann::ordered_json;
  const Json document{{"device", validation.device},
                      {"mean_absolute_relative_error", validation.mean_error()},
                      {"rankings_reproduced", validation.reproduced_rankings()},
                      {"rankings_published", validation.rankings.size()},
                      {"sample_active_warp_ratio", Json{{"published", validation.published_warp_ratio},
                                                        {"simulated", validation.simulated_warp_ratio}}},
                      {"rows", table_json(rows_table(validation))},
                      {"rankings", table_json(rankings_table(validation))},
                      {"operators", table_json(errors_table(validation.operators.errors))},
                      {"operators_by_size", table_json(errors_table(validation.operators.sizes))},
                      {"operators_left_out", validation.operators.skipped}};
  return document.dump(2);
}

}  // namespace iosx
