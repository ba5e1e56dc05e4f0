#include "core/analysis/explain/explain_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/analysis/compare/report.h"
#include "core/base/text.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 10;  // alternatives of a stage, and stages
constexpr std::size_t kMostPathUnits = 6;

Json number(Millis value, Basis basis) { return basis == Basis::kUnknown ? Json(nullptr) : Json(value.count()); }

void put_cost(Json& json, const StageCost& cost) {
  json["cost_ms"] = number(cost.value, cost.basis);
  json["error_ms"] = number(cost.error, cost.basis);
  json["basis"] = basis_name(cost.basis);
}

Json stage_cost_json(const Explained& explained, std::size_t stage) {
  Json json{{"stage", stage + 1}};
  json.update(stage_json(explained.graph, explained.schedule.stages[stage]));
  put_cost(json, explained.explanation.stages[stage]);
  json["share"] = explained.explanation.share(stage);
  return json;
}

Json alternative_json(const Explained& explained, const Alternative& alternative) {
  const Change& change = alternative.change;
  Json stages = Json::array();
  for (std::size_t i = 0; i < change.stages.size(); ++i) {
    stages.push_back(stage_json(explained.graph, change.stages[i]));
    put_cost(stages.back(), alternative.costs[i]);
  }
  return {{"change", change_name(change.kind)},
          {"text", change_text(explained.graph, explained.schedule, change)},
          {"units", unit_names_json(explained.graph, change.units)},
          {"replaces", {change.begin + 1, change.end}},
          {"stages", std::move(stages)},
          {"difference_ms", number(alternative.difference, alternative.basis)},
          {"error_ms", number(alternative.error, alternative.basis)},
          {"basis", basis_name(alternative.basis)},
          {"better", alternative.is_better()},
          {"excluded", why_json(alternative.excluded)}};
}

// "about ", "at least " before numbers that are not known.
std::string_view hedge(Basis basis) {
  if (basis == Basis::kPredicted) return "about ";
  if (basis == Basis::kBound) return "at least ";
  return "";
}

// Returns "r = 3: a group of 4 units; s = 8: 9 groups".
std::string why_text(const std::vector<Exclusion>& excluded) {
  std::vector<std::string> texts;
  texts.reserve(excluded.size());
  for (const Exclusion& why : excluded) texts.push_back(why.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string stages_text(const Graph& graph, const std::vector<Stage>& stages) {
  std::vector<std::string> texts;
  texts.reserve(stages.size());
  for (const Stage& stage : stages) texts.push_back(groups_text(graph, stage));
  return fmt::format("{}", fmt::join(texts, "  |  "));
}

std::string error_text(Millis error) {
  return error > Millis(0) ? fmt::format(" ± {:.3f}", error.count()) : std::string();
}

std::string search_words(const SearchOptions& search) {
  return fmt::format("r = {}, s = {}, {} endings, strategy {}", search.pruning.r, search.pruning.s,
                     word_of(search.rule), row_of(search.strategies).strategy_word);
}

std::string head(const Explained& explained) {
  return fmt::format("{} on {}, batch {}, schedule {}", printable(explained.graph.name()), explained.device.name,
                     explained.batch, printable(explained.schedule.name));
}

// Rows of a table: difference, basis, what, and what for.
std::string rows(const Explained& explained, const std::vector<const Alternative*>& shown, bool why) {
  std::string text;
  for (std::size_t i = 0; i < std::min(shown.size(), kMostShown); ++i) {
    const Alternative& each = *shown[i];
    text +=
        fmt::format("  {}: {}\n", difference_text(each), change_text(explained.graph, explained.schedule, each.change));
    text += fmt::format("      {}\n", why ? why_text(each.excluded) : stages_text(explained.graph, each.change.stages));
  }
  if (shown.size() > kMostShown) text += fmt::format("  and {} more, in --json\n", shown.size() - kMostShown);
  return text;
}

std::string bounds_text(const Explained& explained) {
  const Explanation& is = explained.explanation;
  std::string text;
  const auto share = [&](Millis value) {
    return is_known(is.basis) && is.sum > Millis(0) ? fmt::format(", {:.0f} % of the stage sum", 100 * (value / is.sum))
                                                    : std::string();
  };
  if (is.critical_path) {
    const CriticalPath& path = *is.critical_path;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(path.units.size(), kMostPathUnits); ++i) {
      names.push_back(printable(explained.graph.unit(path.units[i]).name));
    }
    const std::string more = path.units.size() > kMostPathUnits ? ", …" : "";
    text += fmt::format("critical path: {:.3f} ms ({}){}: {} units by themselves, {}{}\n", path.length.count(),
                        basis_name(path.basis), share(path.length), path.units.size(), fmt::join(names, ", "), more);
    text +=
        fmt::format("  a bound of {:.3f} ms, as far as a stage takes at least {:.2f} of each chain of units in it{}\n",
                    path.at_least.count(), path.factors.least(),
                    path.factors.light_counts ? "" : ", without those that could be fused");
  } else {
    text += fmt::format("critical path: unknown, {} of {} units were never measured by themselves\n", is.unknown_units,
                        explained.graph.units().size());
  }
  if (is.work) {
    const Millis most = std::max(is.work->compute, is.work->memory);
    text += fmt::format(
        "work: {:.3f} ms at the device's full rates{} (memory {:.3f} ms; compute {:.3f} ms if convolutions are "
        "computed directly, Winograd's way needs less)\n",
        most.count(), most <= is.sum ? share(most) : "", is.work->memory.count(), is.work->compute.count());
  } else {
    text += "work: left out, the device does not say what it can do at most\n";
  }
  return text;
}

// Returns the stages whose best alternative gains most, or costs least where none gains. An equal alternative of two
// stages is told at the first.
std::vector<const StageExplanation*> by_gain(const Explanation& explanation) {
  std::vector<const StageExplanation*> stages;
  for (const StageExplanation& stage : explanation.explained) {
    const Alternative* next = stage.next_best();
    if (next == nullptr) continue;
    const bool told = std::ranges::any_of(stages, [&](const StageExplanation* other) {
      const Change& change = other->next_best()->change;
      return change.begin == next->change.begin && change.stages == next->change.stages;
    });
    if (!told) stages.push_back(&stage);
  }
  std::ranges::stable_sort(stages, {}, [](const StageExplanation* stage) { return stage->next_best()->difference; });
  return stages;
}

// The gains of alternatives that a search may take.
struct Gains {
  std::size_t better = 0;   // stages at which one is known to be better
  std::size_t perhaps = 0;  // stages at which one only is predicted to be
  std::size_t unknown = 0;  // alternatives of which no latency is known
};

Gains gains_of(const Explanation& explanation) {
  Gains gains;
  for (const StageExplanation& stage : explanation.explained) {
    bool better = false;
    bool perhaps = false;
    for (const Alternative& each : stage.alternatives) {
      if (!each.excluded.empty()) continue;
      if (each.is_better()) (is_known(each.basis) ? better : perhaps) = true;
      // A change of two stages is listed at both.
      if (!is_known(each.basis) && each.change.begin == stage.stage) ++gains.unknown;
    }
    gains.better += better ? 1 : 0;
    gains.perhaps += perhaps && !better ? 1 : 0;
  }
  return gains;
}

std::string gains_text(const Gains& gains, std::size_t stages, bool any_known) {
  const std::string_view end = any_known ? "; closest to it:" : "";
  if (gains.better > 0 && gains.perhaps > 0) {
    return fmt::format(
        "\nsomething better is known at {} of {} stages; perhaps, by prediction, at {} more; most to gain:\n",
        gains.better, stages, gains.perhaps);
  }
  if (gains.better > 0) {
    return fmt::format("\nsomething better is known at {} of {} stages; most to gain:\n", gains.better, stages);
  }
  if (gains.perhaps > 0) {
    return fmt::format("\nnothing better is known; perhaps, by prediction, at {} of {} stages; most to gain:\n",
                       gains.perhaps, stages);
  }
  if (gains.unknown > 0) {
    return fmt::format(
        "\nof the small changes that a search may make none is known to be better ({} {} never measured){}\n",
        gains.unknown, gains.unknown == 1 ? "was" : "were", end);
  }
  return fmt::format("\nno small change that a search may make is better{}\n", end);
}

}  // namespace

std::string cost_text(const StageCost& cost) {
  if (cost.basis == Basis::kUnknown) return "unknown";
  return fmt::format("{}{:.3f}{} ms ({})", hedge(cost.basis), cost.value.count(), error_text(cost.error),
                     basis_name(cost.basis));
}

std::string signed_text(Millis difference) {
  const double ms = difference.count();
  if (std::abs(ms) < 5e-5) return "0";
  return fmt::format("{:+.{}f}", ms, std::abs(ms) < 0.001 ? 4 : 3);
}

std::string difference_text(const Alternative& alternative) {
  if (alternative.basis == Basis::kUnknown) return "unknown";
  const bool noise =
      alternative.error > Millis(0) && std::abs(alternative.difference.count()) <= alternative.error.count();
  return fmt::format("{}{}{} ms ({}{})", hedge(alternative.basis), signed_text(alternative.difference),
                     error_text(alternative.error), basis_name(alternative.basis), noise ? ", within the noise" : "");
}

std::string summary_text(const Graph& graph, const Schedule& schedule, const StageExplanation& stage) {
  const auto told = [&](const Alternative& each) {
    return fmt::format("{}, {}", change_text(graph, schedule, each.change), difference_text(each));
  };
  std::string text;
  const Alternative* next = stage.next_best();
  if (next == nullptr) {
    text =
        stage.alternatives.empty() ? "Nothing else can be done here." : "Nothing else is known that a search may do.";
  } else if (next->is_better()) {
    text = fmt::format("{}: {}.", next->basis == Basis::kPredicted ? "Perhaps better" : "Better", told(*next));
  } else {
    text = fmt::format("Next best: {}.", told(*next));
  }
  const auto better = std::ranges::find_if(
      stage.alternatives, [](const Alternative& each) { return !each.excluded.empty() && each.is_better(); });
  if (better != stage.alternatives.end()) {
    text += fmt::format(" Excluded: {}; {}.", told(*better), why_text(better->excluded));
  }
  return text;
}

std::string stage_text(const Explained& explained, const StageExplanation& stage) {
  const Explanation& explanation = explained.explanation;
  const Stage& value = explained.schedule.stages[stage.stage];
  std::string text = fmt::format("{}\n\nstage {} of {}: {}", head(explained), stage.stage + 1,
                                 explained.schedule.stages.size(), cost_text(stage.cost));
  if (stage.cost.basis != Basis::kUnknown && explanation.basis < Basis::kBound) {
    text += fmt::format(", {:.1f} % of the stage sum", 100 * explanation.share(stage.stage));
  }
  text += fmt::format("\n  {}: {}\n", strategy_name(strategy_of(explained.graph, value)),
                      groups_text(explained.graph, value));
  text += fmt::format("{}\n", summary_text(explained.graph, explained.schedule, stage));
  if (!stage.excluded.empty()) {
    text += fmt::format("No search with {} takes this stage: {}.\n", search_words(explained.search),
                        why_text(stage.excluded));
  }
  if (value.units().size() > 1 && !stage.no_merge.empty()) {
    text += fmt::format("It cannot be merged: {}.\n", stage.no_merge);
  }
  std::vector<const Alternative*> possible;
  std::vector<const Alternative*> excluded;
  for (const Alternative& each : stage.alternatives) (each.excluded.empty() ? possible : excluded).push_back(&each);
  if (!possible.empty()) text += fmt::format("\nalternatives:\n{}", rows(explained, possible, false));
  if (!excluded.empty()) {
    text += fmt::format("\nnot what a search with {} makes:\n{}", search_words(explained.search),
                        rows(explained, excluded, true));
  }
  return text;
}

std::string overview_text(const Explained& explained) {
  const Explanation& is = explained.explanation;
  const auto unknown = std::ranges::count(is.stages, Basis::kUnknown, &StageCost::basis);
  std::string text = head(explained) + "\n\n";
  const StageCost sum{.value = is.sum, .basis = unknown > 0 ? Basis::kBound : is.basis};
  text += fmt::format("stage sum: {}, {} stages, {:.3f} ms between them", cost_text(sum), is.stages.size(),
                      is.overhead.count());
  text += unknown > 0 ? fmt::format("; {} stages are unknown\n", unknown) : "\n";
  if (explained.end_to_end) {
    text +=
        fmt::format("end to end: {:.3f} ms, {}\n", explained.end_to_end->value.count(), explained.end_to_end->where);
  }
  text += bounds_text(explained);

  std::vector<std::size_t> longest(is.stages.size());
  for (std::size_t i = 0; i < longest.size(); ++i) longest[i] = i;
  std::ranges::stable_sort(longest,
                           [&](std::size_t a, std::size_t b) { return is.stages[a].value > is.stages[b].value; });
  text += "\nlongest stages:\n";
  for (std::size_t i = 0; i < std::min(longest.size(), kMostShown / 2); ++i) {
    const std::size_t at = longest[i];
    text += fmt::format("  stage {}: {}, {:.1f} %  {}\n", at + 1, cost_text(is.stages[at]), 100 * is.share(at),
                        groups_text(explained.graph, explained.schedule.stages[at]));
  }
  const auto stages = by_gain(is);
  const Gains gains = gains_of(is);
  text += gains_text(gains, is.stages.size(), !stages.empty());
  for (std::size_t i = 0; i < std::min(stages.size(), kMostShown); ++i) {
    const Alternative& next = *stages[i]->next_best();
    if (gains.better + gains.perhaps > 0 && !next.is_better()) continue;
    text += fmt::format("  stage {}: {}: {}\n", stages[i]->stage + 1, difference_text(next),
                        change_text(explained.graph, explained.schedule, next.change));
  }
  return text;
}

Json explanation_json(const Explained& explained) {
  const Explanation& is = explained.explanation;
  const SearchOptions& search = explained.search;
  Json json{{"graph", explained.graph.name()},
            {"device", explained.device.id},
            {"batch", explained.batch},
            {"schedule", explained.schedule.name},
            {"search",
             {{"r", search.pruning.r},
              {"s", search.pruning.s},
              {"ending_rule", word_of(search.rule)},
              {"strategy", row_of(search.strategies).strategy_word}}},
            {"stage_sum_ms", is.sum.count()},
            {"between_stages_ms", is.overhead.count()},
            {"basis", basis_name(is.basis)},
            {"end_to_end", nullptr},
            {"critical_path", nullptr},
            {"unknown_units", is.unknown_units},
            {"work", nullptr},
            {"predicted_from", is.learned},
            {"stages", Json::array()},
            {"explained", Json::array()}};
  if (explained.end_to_end) {
    json["end_to_end"] = {{"ms", explained.end_to_end->value.count()}, {"where", explained.end_to_end->where}};
  }
  if (is.critical_path) {
    json["critical_path"] = {{"ms", is.critical_path->length.count()},
                             {"basis", basis_name(is.critical_path->basis)},
                             {"at_least_ms", is.critical_path->at_least.count()},
                             {"units", unit_names_json(explained.graph, is.critical_path->units)}};
  }
  if (is.work) json["work"] = {{"compute_ms", is.work->compute.count()}, {"memory_ms", is.work->memory.count()}};
  for (std::size_t i = 0; i < is.stages.size(); ++i) json["stages"].push_back(stage_cost_json(explained, i));
  for (const StageExplanation& stage : is.explained) {
    Json one = stage_cost_json(explained, stage.stage);
    one["excluded"] = why_json(stage.excluded);
    one["no_merge"] = stage.no_merge.empty() ? Json(nullptr) : Json(stage.no_merge.text());
    one["summary"] = summary_text(explained.graph, explained.schedule, stage);
    one["alternatives"] = Json::array();
    for (const Alternative& each : stage.alternatives) one["alternatives"].push_back(alternative_json(explained, each));
    json["explained"].push_back(std::move(one));
  }
  return json;
}

}  // namespace iosx
