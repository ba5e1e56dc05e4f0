#include "core/analysis/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/why.h"
#include "core/base/text.h"
#include "core/devices/measure/statistics.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

// Every group a list of unit names in the order in which they run.
Json groups_json(const Graph& graph, const Stage& stage) {
  Json groups = Json::array();
  for (const Group& group : stage.groups) {
    std::vector<UnitId> units;
    for (const Step& step : group.steps) units.insert(units.end(), step.units.begin(), step.units.end());
    groups.push_back(unit_names_json(graph, units));
  }
  return groups;
}

// The units of every merged step.
Json merged_json(const Graph& graph, const Stage& stage) {
  Json merged = Json::array();
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      if (step.merged()) merged.push_back(unit_names_json(graph, step.units));
    }
  }
  return merged;
}

std::string megabyte_text(std::int64_t bytes) { return fmt::format("{:.2f}", megabytes(bytes)); }

// Latencies that nobody knows are null, and so is what a search says of the optimum.
void hide_unknown_latencies(const Comparison& comparison, const ScheduleResult& result, Json& json) {
  if (comparison.knows_latencies()) return;
  for (const char* const name :
       {"latency_ms", "stage_sum_ms", "between_stages_ms", "bound_ms", "certified_gap", "estimated_gap"}) {
    if (json.contains(name)) json[name] = nullptr;
  }
  if (json.contains("warm_start")) json["warm_start"]["stage_sum_ms"] = nullptr;
  const std::vector<Stage>& stages = result.schedule.stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!comparison.knows_latency(stages[i])) json["stages"][i]["latency_ms"] = nullptr;
  }
}

std::string best_sentence(const Comparison& comparison) {
  const ScheduleResult& best = comparison.results[comparison.best()];
  if (!comparison.fits(best)) {
    return fmt::format("nothing of this fits in {} MB: {} takes least, {} MB\n", megabyte_text(comparison.memory_limit),
                       best.id.text(), megabyte_text(best.planned_bytes));
  }
  const std::string limit =
      comparison.memory_limit == 0 ? "" : fmt::format(" within {} MB", megabyte_text(comparison.memory_limit));
  if (!comparison.knows_latencies()) return fmt::format("{}; no schedule is the best\n", kUnknownLatencies.pattern);
  std::string text = fmt::format("best{}: {}, {:.3f} ms", limit, best.id.text(), best.latency.value.count());
  if (best.schedule_kind != ScheduleKind::kSequential) text += ", " + speedup_text(comparison.speedup(best));
  if (const auto saving = comparison.saving(best)) text += "; " + saving_text(*saving);
  if (!best.asked) text += " (run for comparison, although not requested)";
  if (const auto because = why(comparison, best)) text += "\nwhy: " + why_text(*because).text();
  if (const std::string sensitivity = sensitivity_text(comparison); !sensitivity.empty())
    text += "\nsensitivity: " + sensitivity;
  return text + '\n';
}

std::string origin_of_kernels(const ScheduleResult& result) {
  if (result.schedule_kind == ScheduleKind::kSideBySide) return "each network alone";
  const bool named_itself = result.schedule.name == result.id.text();
  return named_itself ? "an earlier run" : printable(result.schedule.name);
}

// Returns the origin of barrier-free schedules' kernels, one line each.
std::string lane_sentences(const Comparison& comparison) {
  std::string text;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked || (!row_of(result.schedule_kind).barrier_free && !result.lanes)) continue;
    if (!result.lanes) {
      text += fmt::format("{}: no lanes faster than {} were found, so it is that schedule\n", result.id.text(),
                          printable(result.schedule.name));
      continue;
    }
    const auto gain = comparison.lane_gain(result);
    text += fmt::format("{}: the kernels of {} on {} lanes, without barriers{}\n", result.id.text(),
                        origin_of_kernels(result), result.plan.lane_count(),
                        gain ? "; " + lane_gain_text(*gain) : std::string());
  }
  return text;
}

// Neighbouring parts that were searched as one, one line for all that are alike: networks repeat their blocks.
std::string joined_sentences(const std::string& id, std::span<const JoinedParts> all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;  // what was done, and to which parts
  for (const JoinedParts& joined : all) {
    const std::string done = fmt::format(
        "of {} units with about {:.0e} states, too many to list: searched across its cuts in {} windows, "
        "{:.3f} ms instead of {:.3f}; its bound is its longest path",
        joined.units, joined.states, joined.windows, joined.after.count(), joined.before.count());
    const std::string parts = fmt::format("{} to {}", joined.first.index() + 1, joined.last.index() + 1);
    const auto line = std::ranges::find(lines, done, &decltype(lines)::value_type::first);
    if (line == lines.end()) {
      lines.emplace_back(done, std::vector{parts});
    } else {
      line->second.push_back(parts);
    }
  }
  std::string text;
  for (const auto& [done, parts] : lines) {
    text +=
        fmt::format("{}: parts {} are {}one {}\n", id, fmt::join(parts, ", "), parts.size() > 1 ? "each " : "", done);
  }
  return text;
}

// Returns how far lazy searches looked, one line per schedule.
std::string lazy_sentences(const Comparison& comparison) {
  std::string text;
  for (const ScheduleResult& result : comparison.results) {
    if (result.search && result.search->cut) {
      text +=
          fmt::format("{}: large parts were cut, and nothing across the cuts was searched: the optimum is not known\n",
                      result.id.text());
    }
    if (!result.search || !result.search->lazy) continue;
    const LazyReport& lazy = *result.search->lazy;
    text += fmt::format("{}: requested {} of {} stages; the optimum may be {}{:.1f} % {}{}{}\n", result.id.text(),
                        result.search->tally.needed, lazy.candidates,
                        lazy.has_estimate()
                            ? fmt::format("{:.1f} % faster by estimate, ", 100 * (1 - 1 / (1 + lazy.estimated_gap)))
                            : std::string(),
                        100 * (1 - 1 / (1 + lazy.certified_gap)), lazy.has_estimate() ? "at most" : "faster at most",
                        lazy.below_bound == 0
                            ? ""
                            : fmt::format(" (if the bounds hold: {} of {} stages broke them before they were lowered)",
                                          lazy.below_bound, lazy.audited),
                        lazy.out_of_budget ? "; the budget ended the search" : "");
    if (lazy.widened) {
      text += fmt::format("{}: the longer search went on to r = {}, s = {}\n", result.id.text(), lazy.widened->r,
                          lazy.widened->s);
    }
    text += joined_sentences(result.id.text(), lazy.joined);
  }
  return text;
}

// Returns the searches' warm starts, and which stages of the result they could not reach by themselves.
std::string warm_start_sentences(const Comparison& comparison) {
  std::string text;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.search || !result.search->warm_start) continue;
    const WarmStart& start = *result.search->warm_start;
    text += fmt::format("{}: started from '{}', {:.3f} ms of stages: {}\n", result.id.text(), printable(start.name),
                        start.cost.count(),
                        start.better ? fmt::format("found {:.3f}", result.search->stage_sum.count())
                                     : std::string("nothing better was found"));
    constexpr std::size_t kMostTold = 5;
    for (std::size_t i = 0; i < std::min(start.beyond.size(), kMostTold); ++i) {
      text += fmt::format("{}: {}\n", result.id.text(), beyond_text(start.beyond[i]));
    }
    if (start.beyond.size() > kMostTold) {
      text += fmt::format("{}: nor are {} more stages\n", result.id.text(), start.beyond.size() - kMostTold);
    }
  }
  return text;
}

// Returns one line per failed schedule, and one for the largest difference of the others.
std::string verification_sentences(const Comparison& comparison) {
  std::string text;
  const Verification* worst = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.verification) continue;
    if (!result.verification->passed()) {
      text += fmt::format("verify: {}: {}\n", result.id.text(), verification_text(*result.verification));
    } else if (worst == nullptr || worst->worst().scaled() < result.verification->worst().scaled()) {
      worst = &*result.verification;
    }
  }
  if (text.empty() && worst != nullptr) text = "verify: " + verification_text(*worst) + '\n';
  return text;
}

Json warm_start_json(const WarmStart& start) {
  return {{"schedule", start.name},
          {"stage_sum_ms", start.cost.count()},
          {"better", start.better},
          {"beyond_search", beyond_json(start.beyond)}};
}

// Returns the requested share of the search space, and the result's possible distance to the optimum; null where
// unknown.
Json search_json(const SearchResult& search) {
  const bool whole = search.complete && search.knew_all && !search.lazy && !search.cut;
  Json json{{"method", search.lazy       ? "lazy"
                       : search.knew_all ? "exhaustive"
                                         : "recorded"},
            {"exhaustive_total", whole ? Json(search.tally.needed) : Json()},
            {"bound_ms", whole ? Json(search.stage_sum.count()) : Json()},
            {"certified_gap", whole ? Json(0.0) : Json()},
            {"estimated_gap", whole ? Json(0.0) : Json()}};
  if (search.warm_start) json["warm_start"] = warm_start_json(*search.warm_start);
  if (!search.lazy) return json;
  const LazyReport& lazy = *search.lazy;
  json["bound_ms"] = lazy.bound.count();
  json["certified_gap"] = lazy.certified_gap;
  json["estimated_gap"] = lazy.estimated_gap;
  json["out_of_budget"] = lazy.out_of_budget;
  json["candidates"] = lazy.candidates;
  json["prediction"] = {
      {"stages", lazy.predicted}, {"median_error", lazy.median_error}, {"error_of_one_in_ten", lazy.large_error}};
  json["audit"] = {{"stages", lazy.audited}, {"below_bound", lazy.below_bound}, {"worst", lazy.worst_below}};
  json["tasks"] = Json::array();
  for (const SearchTask& task : lazy.tasks) {
    Json parts = Json::array();
    for (const PartId part : task.parts) parts.push_back(part.index() + 1);
    json["tasks"].push_back({{"parts", std::move(parts)},
                             {"cost_ms", task.cost.count()},
                             {"least_ms", task.least.count()},
                             {"measured", task.measured},
                             {"candidates", task.candidates}});
  }
  if (lazy.widened) json["widened"] = {{"r", lazy.widened->r}, {"s", lazy.widened->s}};
  json["joined"] = Json::array();
  for (const JoinedParts& joined : lazy.joined) {
    json["joined"].push_back({{"parts", {joined.first.index() + 1, joined.last.index() + 1}},
                              {"units", joined.units},
                              {"states", joined.states},
                              {"windows", joined.windows},
                              {"improved", joined.improved},
                              {"before_ms", joined.before.count()},
                              {"after_ms", joined.after.count()}});
  }
  json["history"] = Json::array();
  for (const SearchMoment& moment : lazy.history) {
    json["history"].push_back(
        {{"seconds", moment.elapsed.count()}, {"needed", moment.needed}, {"best_ms", moment.best.count()}});
    if (moment.bound > Millis(0)) json["history"].back()["bound_ms"] = moment.bound.count();
  }
  return json;
}

// Returns the launches of a barrier-free schedule, in order; empty with stages.
Json launches_json(const ScheduleResult& result) {
  Json json = Json::array();
  if (!result.lanes) return json;
  for (const Kernel& kernel : result.plan.kernels) {
    Json waits = Json::array();
    for (const KernelId wait : kernel.waits) waits.push_back(wait.index());
    json.push_back({{"kernel", kernel.name}, {"lane", kernel.lane}, {"waits", std::move(waits)}});
  }
  return json;
}

// The processor cores that the device gave each lane, by stage; empty where it does not share them out.
Json lane_threads_json(const Trace& trace, std::size_t stage) {
  return stage < trace.stages.size() ? Json(trace.stages[stage].lane_threads) : Json::array();
}

Json sensitivity_json(const Sensitivity& sensitivity) {
  return {{"draws", sensitivity.draws},
          {"wins", sensitivity.wins},
          {"behind_best", sensitivity.behind},
          {"before_best", sensitivity.before},
          {"speedup_interval", {sensitivity.speedup_low, sensitivity.speedup_high}}};
}

// {"p50_ms", "p95_ms", "p99_ms" (Percentiles; null of too few samples), "samples_ms"}
Json distribution_json(std::span<const Millis> samples) {
  const Percentiles told = percentiles_of(samples);
  const auto known = [](const std::optional<Millis>& value) { return value ? Json(value->count()) : Json(); };
  Json list = Json::array();
  for (const Millis sample : samples) list.push_back(sample.count());
  return {{"p50_ms", known(told.p50)},
          {"p95_ms", known(told.p95)},
          {"p99_ms", known(told.p99)},
          {"samples_ms", std::move(list)}};
}

}  // namespace

std::string beyond_text(const StageBeyond& beyond) {
  std::string text = fmt::format("stage {} is none that a search by itself would try", beyond.stage + 1);
  for (std::size_t i = 0; i < beyond.why.size(); ++i) text += (i == 0 ? ": " : "; ") + beyond.why[i].text;
  return text;
}

nlohmann::ordered_json unit_names_json(const Graph& graph, std::span<const UnitId> units) {
  Json names = Json::array();
  for (const UnitId unit : units) names.push_back(graph.unit(unit).name);
  return names;
}

nlohmann::ordered_json why_json(std::span<const Exclusion> why) {
  Json json = Json::array();
  for (const Exclusion& each : why) json.push_back({{"limit", limit_name(each.limit)}, {"text", each.text}});
  return json;
}

nlohmann::ordered_json beyond_json(std::span<const StageBeyond> beyond) {
  Json json = Json::array();
  for (const StageBeyond& each : beyond) json.push_back({{"stage", each.stage + 1}, {"why", why_json(each.why)}});
  return json;
}

std::string saving_text(const Saving& saving) {
  return fmt::format(
      "of {:.3f} ms saved against one by one, {:.3f} by fusion in one stream, {:.3f} by concurrency and merging",
      saving.whole().count(), saving.fusion.count(), saving.concurrency.count());
}

std::string lane_gain_text(const LaneGain& gain) {
  const auto share = [](Millis saved, bool in_noise) {
    const bool nothing = std::abs(saved.count()) < 5e-4;
    return (nothing ? "0" : fmt::format("{:+.3f}", -saved.count())) + (in_noise ? " (within the noise)" : "");
  };
  const Millis whole = gain.whole();
  return fmt::format("{:.3f} ms {} than {}: no barriers {}, other {}lanes and order {}", std::abs(whole.count()),
                     whole < Millis{0} ? "more" : "less", gain.staged.text(),
                     share(gain.barriers, gain.barriers_in_noise), gain.same_kernels ? "" : "kernels, ",
                     share(gain.order, gain.order_in_noise));
}

std::string speedup_text(const Speedup& speedup) {
  const char* const sensitivity = !speedup.known()         ? " (too few runs to tell)"
                                  : speedup.within_noise() ? " (within the noise)"
                                                           : "";
  return fmt::format("{:.2f} times as fast as sequential{}", speedup.value, sensitivity);
}

std::string clock_text(std::span<const ScheduleResult> results) {
  double low = 0;
  double high = 0;
  std::int64_t discarded = 0;
  bool stayed_low = false;
  for (const ScheduleResult& result : results) {
    if (!result.asked || result.latency.clock_mhz <= 0) continue;
    discarded += result.discarded;
    stayed_low = stayed_low || result.low_clock;
    low = high == 0 ? result.latency.clock_mhz : std::min(low, result.latency.clock_mhz);
    high = std::max(high, result.latency.clock_mhz);
  }
  if (high == 0) return {};
  const std::string least = fmt::format("{:.0f}", low);
  const std::string most = fmt::format("{:.0f}", high);
  std::string text =
      least == most ? fmt::format("SM clock {} MHz", most) : fmt::format("SM clock {} to {} MHz", least, most);
  if (discarded > 0) text += fmt::format("; {} samples thrown away, taken at a low clock", discarded);
  if (stayed_low) text += "; the clock stayed low, as a hot or power-capped GPU's does, and samples count all the same";
  return text;
}

std::string verification_text(const Verification& verification) {
  const OutputDifference& worst = verification.worst();
  if (worst.scaled() == 0) {
    return fmt::format(
        "passed: {} of {}",
        verification.outputs.size() == 1 ? "the output is exactly that" : "all outputs are exactly those",
        verification.reference);
  }
  const std::string against = fmt::format("output '{}' against {}", worst.name, verification.reference);
  if (!worst.finite) {
    return fmt::format("FAILED: {}: element {} is {}, the reference {}", against, worst.worst, worst.value,
                       worst.reference);
  }
  return fmt::format(
      "{}: {}: largest absolute error {:.3g}, {:.3g} of the largest value {:.4g} (tolerance {:g}); largest relative "
      "error {:.3g}",
      verification.passed() ? "passed" : "FAILED", against, worst.max_abs, worst.scaled(), worst.magnitude,
      verification.tolerance, worst.max_rel);
}

nlohmann::ordered_json verification_json(const Verification& verification) {
  Json outputs = Json::array();
  for (const OutputDifference& output : verification.outputs) {
    outputs.push_back({{"name", output.name},
                       {"dims", output.dims},
                       {"passed", output.passed},
                       {"finite", output.finite},
                       {"max_abs", output.max_abs},
                       {"max_rel", output.max_rel},
                       {"magnitude", output.magnitude},
                       {"worst", output.worst},
                       {"value", output.value},
                       {"reference", output.reference}});
  }
  return Json{{"passed", verification.passed()},
              {"reference", verification.reference},
              {"tolerance", verification.tolerance},
              {"outputs", std::move(outputs)}};
}

std::string groups_text(const Graph& graph, const Stage& stage) {
  std::string text;
  for (const Group& group : stage.groups) {
    text += text.empty() ? "[" : " [";
    for (std::size_t s = 0; s < group.steps.size(); ++s) {
      if (s > 0) text += ' ';
      for (std::size_t u = 0; u < group.steps[s].units.size(); ++u) {
        if (u > 0) text += '+';
        text += printable(graph.unit(group.steps[s].units[u]).name);
      }
    }
    text += ']';
  }
  return text;
}

nlohmann::ordered_json stage_json(const Graph& graph, const Stage& stage) {
  const Strategy strategy = strategy_of(graph, stage);
  Json json{{"strategy", strategy_name(strategy)}, {"groups", groups_json(graph, stage)}};
  Json merged = merged_json(graph, stage);
  if (strategy == Strategy::kConcurrent && !merged.empty()) json["merged"] = std::move(merged);
  return json;
}

nlohmann::ordered_json schedule_result_json(const Comparison& comparison, const ScheduleResult& result) {
  const Graph& graph = *comparison.graph;
  Json stages = Json::array();
  for (std::size_t i = 0; i < result.schedule.stages.size(); ++i) {
    const Stage& stage = result.schedule.stages[i];
    stages.push_back(stage_json(graph, stage));
    stages.back()["latency_ms"] = result.stage_latencies[i].value.count();
    if (Json threads = lane_threads_json(result.trace, i); !threads.empty()) {
      stages.back()["lane_threads"] = std::move(threads);
    }
  }
  const StageTally tally = result.search ? result.search->tally : StageTally{};
  Json json{{"id", result.id.text()},
            {"name", result.name()},
            {"latency_ms", result.latency.value.count()},
            {"spread_ms", result.latency.spread.count()},
            {"samples", result.latency.samples},
            {"stage_sum_ms", result.stage_sum.count()},
            {"between_stages_ms", result.between_stages.count()},
            {"stages", std::move(stages)},
            {"search_seconds", result.search ? result.search->elapsed.count() : 0.0},
            {"needed", tally.needed},
            {"measured", tally.measured},
            {"reused", tally.reused()}};
  if (row_of(result.schedule_kind).barrier_free || result.lanes) {
    json["kernels_of"] = result.schedule.name;
    json["launches"] = launches_json(result);
  }
  if (result.search) {
    json["search_complete"] = result.search->complete;
    json.update(search_json(*result.search));
  }
  if (result.planned_bytes > 0) json["planned_peak_bytes"] = result.planned_bytes;
  if (result.peak_bytes > 0) json["peak_bytes"] = result.peak_bytes;
  if (result.latency.clock_mhz > 0) json["clock_mhz"] = result.latency.clock_mhz;
  if (result.discarded > 0) json["discarded_samples"] = result.discarded;
  if (result.low_clock) json["low_clock"] = true;
  if (!result.samples.empty()) json["distribution"] = distribution_json(result.samples);
  if (result.verification) json["verification"] = verification_json(*result.verification);
  hide_unknown_latencies(comparison, result, json);
  return json;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison) {
  Json schedules = Json::array();
  const bool known = comparison.knows_latencies();
  const Table table = schedule_comparison(comparison);
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleResult& result = comparison.results[i];
    if (!result.asked) continue;
    Json schedule = schedule_result_json(comparison, result);
    const Speedup speedup = comparison.speedup(result);
    schedule["speedup"] = known ? Json(speedup.value) : Json();
    for (const NetworkTime& time : network_times(*comparison.graph, result)) {
      schedule["networks"].push_back({{"name", time.name},
                                      {"begin_ms", known ? Json(time.begins.count()) : Json()},
                                      {"latency_ms", known ? Json(time.ends.count()) : Json()}});
    }
    if (!comparison.fits(result)) schedule["over_limit"] = true;
    if (result.sensitivity) schedule["doubt"] = sensitivity_json(*result.sensitivity);
    if (const auto because = why(comparison, result)) schedule["why"] = why_json(*because);
    if (const auto saving = comparison.saving(result)) {
      schedule["saved"] = {{"against", row_of(ScheduleKind::kOneByOne).id},
                           {"ms", saving->whole().count()},
                           {"fusion_ms", saving->fusion.count()},
                           {"concurrency_ms", saving->concurrency.count()}};
    }
    if (const auto gain = comparison.lane_gain(result)) {
      Json& json = schedule["gain"] = {{"against", gain->staged.text()},
                                       {"ms", gain->whole().count()},
                                       {"barriers_ms", gain->barriers.count()},
                                       {"order_ms", gain->order.count()},
                                       {"same_kernels", gain->same_kernels}};
      if (!is_modelled(comparison.device.origin)) {
        json["barriers_within_noise"] = gain->barriers_in_noise;
        json["order_within_noise"] = gain->order_in_noise;
      }
    }
    const Json more = row_json(table, i);
    for (const auto& [key, value] : more.items()) {
      if (!value.is_null()) schedule[key] = value;
    }
    if (!is_modelled(comparison.device.origin)) schedule["within_noise"] = speedup.within_noise();
    schedules.push_back(std::move(schedule));
  }
  Json networks = Json::array();
  if (const auto alone = alone_times(comparison); !comparison.graph->networks().empty()) {
    for (std::size_t i = 0; i < comparison.graph->networks().size(); ++i) {
      const bool timed = known && i < alone.size() && alone[i];
      networks.push_back(
          {{"name", comparison.graph->networks()[i]}, {"alone_ms", timed ? Json(alone[i]->count()) : Json()}});
    }
  }
  const ScheduleResult& best = comparison.results[comparison.best()];
  const bool named = known && comparison.fits(best);
  Json json{{"graph", comparison.graph->name()},
            {"device", comparison.device.id},
            {"origin", origin_name(comparison.device.origin)},
            {"batch", comparison.batch},
            {"merged_in_graph", merged_convolutions(*comparison.graph)},
            {"complete", comparison.complete},
            {"best", named ? Json(best.name()) : Json()},
            {"best_id", named ? Json(best.id.text()) : Json()},
            {"schedules", std::move(schedules)}};
  if (!known) json["latencies"] = "unknown";
  if (!networks.empty()) json["networks"] = std::move(networks);
  if (comparison.memory_limit > 0) json["memory_limit_bytes"] = comparison.memory_limit;
  if (known && best.sensitivity) {
    Json ties = Json::array();
    for (const std::size_t i : ties_with_best(comparison)) ties.push_back(comparison.results[i].id.text());
    json["doubt"] = {{"ties", std::move(ties)}, {"text", sensitivity_text(comparison)}};
  }
  return json;
}

std::size_t merged_convolutions(const Graph& graph) {
  std::size_t merged = 0;
  for (const Operator& op : graph.operators()) {
    const Conv* conv = op.as<Conv>();
    if (conv != nullptr && conv->merged_from.size() > 1) ++merged;
  }
  return merged;
}

std::string merged_note(const Graph& graph) {
  const std::size_t merged = merged_convolutions(graph);
  if (merged == 0) return {};
  return fmt::format("the file's graph has {} merged convolution{}: every schedule here contains {}, sequential too",
                     merged, merged == 1 ? "" : "s", merged == 1 ? "it" : "them");
}

std::string comparison_table(const Comparison& comparison) {
  const bool modelled = is_modelled(comparison.device.origin);
  std::string text = fmt::format("{} on {}, batch {}: {} latencies{}\n\n", printable(comparison.graph->name()),
                                 comparison.device.name, comparison.batch, origin_name(comparison.device.origin),
                                 modelled ? ", computed by a model of the device, not measured on it" : "");
  text += table_text(schedule_comparison(requested_schedules(comparison)));
  if (!comparison.graph->networks().empty()) {
    text += '\n' + table_text(own_latencies(comparison)) +
            "own latency: from the start of the run to the network's last kernel\n";
  }
  text += '\n' + best_sentence(comparison);
  if (comparison.knows_latencies())
    text += lane_sentences(comparison) + lazy_sentences(comparison) + warm_start_sentences(comparison);
  text += verification_sentences(comparison);
  const auto any = [&](auto is) { return std::ranges::any_of(comparison.results, is); };
  if (any([](const ScheduleResult& result) { return !result.samples.empty(); })) {
    text += fmt::format("p95 and p99 are over the single runs of all rounds; \"few\": fewer than {} or {} runs\n",
                        kLeastForP95, kLeastForP99);
  }
  if (any([](const ScheduleResult& result) { return result.planned_bytes > 0; })) {
    text += "planned peak: most that tensors take at once by the plan, inputs and outputs too, weights not\n";
  }
  if (const std::string clock = clock_text(comparison.results); !clock.empty()) text += clock + '\n';
  if (const std::string note = merged_note(*comparison.graph); !note.empty()) text += "note: " + note + '\n';
  if (!comparison.complete) text += "stopped early: schedules are missing or their search did not end\n";
  return text;
}

}  // namespace iosx
