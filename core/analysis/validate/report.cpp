#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/analysis/validate/validate.h"

namespace iosx {

namespace {

std::string errors_table(const std::vector<OperatorErrors>& errors) {
  std::string text;
  for (const OperatorErrors& each : errors) {
    text += fmt::format("  {:<24}{:<24}{:<9}{:>6} rows{:>8.1f} %{:>8.1f} %{:>6.0f} %\n", each.device, each.kind,
                        each.precision, each.rows, 100 * each.mape, 100 * each.median, 100 * each.within_25);
  }
  return text;
}

std::string operators_table(const OperatorValidation& operators) {
  std::string text = fmt::format("\n{:<68}{:>10}{:>10}{:>8}\n", "measured operators", "mean", "median", "≤ 25 %");
  text += errors_table(operators.errors) + "\nby size\n" + errors_table(operators.sizes);
  if (operators.skipped > 0) {
    text +=
        fmt::format("left out: {} rows of devices, formats or sessions that are not simulated\n", operators.skipped);
  }
  return text;
}

nlohmann::ordered_json errors_json(const std::vector<OperatorErrors>& errors) {
  auto list = nlohmann::ordered_json::array();
  for (const OperatorErrors& each : errors) {
    list.push_back({{"device", each.device},
                    {"kind", each.kind},
                    {"precision", each.precision},
                    {"rows", each.rows},
                    {"mape", each.mape},
                    {"median", each.median},
                    {"within_25_percent", each.within_25}});
  }
  return list;
}

}  // namespace

std::string validation_table(const Validation& validation) {
  std::string text = fmt::format("Simulated {} against the published measurements\n\n", validation.device);
  text += fmt::format("{:<46}{:>12}{:>12}{:>9}\n", "", "published", "simulated", "error");
  for (const std::string& section : validation.sections()) {
    text += section + "\n";
    for (const ValidationRow& row : validation.rows) {
      if (row.section != section) continue;
      text += fmt::format("  {:<44}{:>9.4g} ms{:>9.4g} ms{:>+8.1f} %\n", row.what, row.published_ms, row.simulated_ms,
                          100 * row.relative_error());
    }
    text += fmt::format("  {:<68}{:>7.1f} %\n", "mean absolute error", 100 * validation.mean_error(section));
  }
  text += "\nwhich schedule is faster (published differences of 1 % and more)\n";
  for (const Ranking& ranking : validation.rankings) {
    text += fmt::format("  {:<14}{:<13}before {:<13} published {:>5.2f}×  simulated {:>5.2f}×  {}\n", ranking.network,
                        ranking.faster, ranking.slower, ranking.published_ratio, ranking.simulated_ratio,
                        ranking.reproduced() ? "yes" : "NO");
  }
  text += fmt::format("\nactive warps of the sample network, IOS over sequential: published {:.2f}, simulated {:.2f}\n",
                      validation.published_warp_ratio, validation.simulated_warp_ratio);
  text += fmt::format("mean absolute relative error: {:.1f} % over {} latencies; rankings reproduced: {} of {}\n",
                      100 * validation.mean_error(), validation.rows.size(), validation.reproduced_rankings(),
                      validation.rankings.size());
  if (!validation.operators.errors.empty()) text += operators_table(validation.operators);
  return text;
}

std::string validation_json(const Validation& validation) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const ValidationRow& row : validation.rows) {
    rows.push_back(Json{{"section", row.section},
                        {"what", row.what},
                        {"published_ms", row.published_ms},
                        {"simulated_ms", row.simulated_ms},
                        {"relative_error", row.relative_error()}});
  }
  Json rankings = Json::array();
  for (const Ranking& ranking : validation.rankings) {
    rankings.push_back(Json{{"network", ranking.network},
                            {"faster", ranking.faster},
                            {"slower", ranking.slower},
                            {"published_ratio", ranking.published_ratio},
                            {"simulated_ratio", ranking.simulated_ratio},
                            {"reproduced", ranking.reproduced()}});
  }
  const Json document{{"device", validation.device},
                      {"mean_absolute_relative_error", validation.mean_error()},
                      {"rankings_reproduced", validation.reproduced_rankings()},
                      {"rankings_published", validation.rankings.size()},
                      {"sample_active_warp_ratio", Json{{"published", validation.published_warp_ratio},
                                                        {"simulated", validation.simulated_warp_ratio}}},
                      {"rows", std::move(rows)},
                      {"rankings", std::move(rankings)},
                      {"operators", errors_json(validation.operators.errors)},
                      {"operators_by_size", errors_json(validation.operators.sizes)},
                      {"operators_left_out", validation.operators.skipped}};
  return document.dump(2);
}

}  // namespace iosx
