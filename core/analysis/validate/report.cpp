#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/analysis/validate/validate.h"

namespace iosx {

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
                      {"rankings", std::move(rankings)}};
  return document.dump(2);
}

}  // namespace iosx
