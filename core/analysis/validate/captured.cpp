#include "core/analysis/validate/captured.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/parallel.h"
#include "core/devices/measure/statistics.h"

namespace iosx {
namespace {

using simulated::CapturedFigures;
using simulated::Family;
using Json = nlohmann::json;

constexpr double kAlike = 0.03;
constexpr std::size_t kDraws = 100;
constexpr double kTail = 0.05;  // left out at each end of what nine of ten draws say
constexpr std::string_view kSequential = "sequential";

// [family, blocks, warps, blocks of a multiprocessor, taps, channels, columns, elements, bytes, cold, µs, seen]
RecordedKind read_kind(const Json& row) {
  const auto family = simulated::family_named(row.at(0).get_ref<const std::string&>());
  if (!family || row.size() != 12) throw std::invalid_argument("unknown kind of launches");
  const auto at = [&](std::size_t i) { return row.at(i).get<double>(); };
  return {.family = *family,
          .blocks = std::max(1, row.at(1).get<int>()),
          .warps = std::max(1, row.at(2).get<int>()),
          .blocks_per_sm = std::max(1, row.at(3).get<int>()),
          .facts = {at(4), at(5), at(6), at(7), at(8), at(9) > 0},
          .alone_us = at(10),
          .seen = row.at(11).get<int>()};
}

// [kind, lane, launch that it waits for, …] of launch `index`.
RecordedLaunch read_launch(const Json& row, std::size_t index, std::size_t kinds) {
  const auto numbers = row.get<std::vector<std::size_t>>();
  RecordedLaunch launch{numbers.at(0), numbers.at(1), {numbers.begin() + 2, numbers.end()}};
  const bool early = std::ranges::all_of(launch.waits, [&](std::size_t wait) { return wait < index; });
  if (launch.kind >= kinds || launch.lane > index || !early) throw std::invalid_argument("launch out of order");
  return launch;
}

RecordedNetwork read_network(const Json& json) {
  RecordedNetwork network{json.at("name").get<std::string>(), json.value("timed", true), {}, {}};
  for (const Json& row : json.at("kinds")) network.kinds.push_back(read_kind(row));
  for (const Json& each : json.at("runs")) {
    RecordedRun run{each.at("schedule").get<std::string>(), each.at("measured_us").get<double>(), {}};
    for (const Json& row : each.at("launches")) {
      run.launches.push_back(read_launch(row, run.launches.size(), network.kinds.size()));
    }
    network.runs.push_back(std::move(run));
  }
  return network;
}

std::set<Family> families_of(const RecordedNetwork& network) {
  std::set<Family> families;
  for (const RecordedKind& kind : network.kinds) families.insert(kind.family);
  return families;
}

// Sets the network's gains over its sequential schedule, and what nine of ten draws say of them.
void draw_gains(std::span<CapturedRow> rows, const simulated::CapturedModel& model, const simulated::Machine& machine,
                const RecordedNetwork& network) {
  std::vector<std::vector<double>> gains(rows.size(), std::vector<double>(kDraws));
  const auto base = std::ranges::find(network.runs, kSequential, &RecordedRun::schedule);
  if (base == network.runs.end()) return;
  parallel_for(
      kDraws,
      [&](std::size_t draw) {
        simulated::CapturedModel drawn = model;
        drawn.figures = redrawn(model.figures, draw);
        drawn.draw = draw;
        const auto us = [&](const RecordedRun& run) {
          return simulated_us(drawn, machine, network, run, LaunchTimes::kForetold);
        };
        const double sequential_us = us(*base);
        for (std::size_t i = 0; i < rows.size(); ++i) gains[i][draw] = sequential_us / us(network.runs[i]);
      },
      1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].measured_gain = base->measured_us / rows[i].measured_us;
    rows[i].gain_low = quantile(gains[i], kTail);
    rows[i].gain_high = quantile(gains[i], 1 - kTail);
  }
}

double error_of(double value, double from) { return std::abs(value / from - 1); }

}  // namespace

Result<std::vector<RecordedNetwork>> parse_recorded(std::string_view json, const std::string& origin) {
  std::vector<RecordedNetwork> networks;
  try {
    const Json document = Json::parse(json);
    for (const Json& network : document.at("networks")) networks.push_back(read_network(network));
  } catch (const std::exception& error) {
    return fail(message("not valid JSON: {}", error.what()), origin);
  }
  return networks;
}

double simulated_us(const simulated::CapturedModel& model, const simulated::Machine& machine,
                    const RecordedNetwork& network, const RecordedRun& run, LaunchTimes times) {
  std::vector<simulated::KernelLoad> loads;
  for (const RecordedKind& kind : network.kinds) {
    double us = times == LaunchTimes::kMeasured ? kind.alone_us : alone_us(model, kind.family, kind.facts, kind.blocks);
    if (model.draw && times == LaunchTimes::kForetold) {
      us *= kernel_factor(model.figures, kind.family, loads.size(), *model.draw);
    }
    loads.push_back(timed_load(machine, model.figures, kind.family, us, kind.blocks, kind.warps, kind.blocks_per_sm));
  }
  const bool lanes = std::ranges::any_of(run.launches, [](const RecordedLaunch& launch) { return launch.lane > 0; });
  std::vector<simulated::Launch> launches;
  for (const RecordedLaunch& launch : run.launches) {
    launches.push_back({.load = loads[launch.kind],
                        .lane = launch.lane,
                        .waits = launch.waits,
                        .wait_us = wait_us(model.figures, lanes, launch.waits.size())});
  }
  simulated::Machine replayed = machine;
  replayed.start_us = model.figures.gap_us;
  replayed.replay_us = model.figures.replay_us;
  return simulate(replayed, launches).end;
}

CapturedScore score_of(std::span<const CapturedRow> rows) {
  CapturedScore score;
  for (const CapturedRow& row : rows) {
    score.latency_error += error_of(row.simulated_us, row.measured_us) / static_cast<double>(rows.size());
    for (const CapturedRow& other : rows) {
      if (other.network != row.network) continue;
      if (row.schedule == kSequential && &other != &row) {
        const double gain = row.measured_us / other.measured_us;  // of rows that nothing was drawn for, too
        score.gain_error += error_of(row.simulated_us / other.simulated_us, gain);
        ++score.gains;
        if (other.gain_low <= gain && gain <= other.gain_high) ++score.gains_within;
      }
      if (&other <= &row || error_of(other.measured_us, row.measured_us) <= kAlike) continue;
      ++score.pairs;
      if ((row.measured_us < other.measured_us) == (row.simulated_us < other.simulated_us)) ++score.pairs_right;
    }
  }
  if (score.gains > 0) score.gain_error /= static_cast<double>(score.gains);
  return score;
}

CapturedScore score_of(std::span<const CapturedRow> rows, std::string_view network) {
  std::vector<CapturedRow> its;
  std::ranges::copy_if(rows, std::back_inserter(its), [&](const CapturedRow& row) { return row.network == network; });
  return score_of(its);
}

CapturedFigures with_known_families(CapturedFigures held_out, const CapturedFigures& fitted,
                                    const RecordedNetwork& network, std::span<const RecordedNetwork> all) {
  std::set<Family> only = families_of(network);
  for (const RecordedNetwork& other : all) {
    if (!other.timed || other.name == network.name) continue;
    for (const Family family : families_of(other)) only.erase(family);
  }
  for (const Family family : only) {
    const auto f = static_cast<std::size_t>(family);
    held_out.us[f] = fitted.us[f];
    held_out.issue[f] = fitted.issue[f];
    held_out.spread.kernel[f] = fitted.spread.kernel[f];
    held_out.spread.family[f] = fitted.spread.family[f];
  }
  return held_out;
}

CapturedValidation validate_captured(std::span<const RecordedNetwork> networks, const simulated::CapturedEngine& engine,
                                     const simulated::Machine& machine) {
  CapturedValidation result;
  for (const auto& [network, figures] : engine.folds) result.folds[network] = figures_json(engine, figures);
  const auto add = [&](CapturedTable& table, const RecordedNetwork& network, const CapturedFigures& figures) {
    const simulated::CapturedModel model = engine.model(figures);
    for (const RecordedRun& run : network.runs) {
      table.rows.push_back({network.name, run.schedule, run.measured_us,
                            simulated_us(model, machine, network, run, LaunchTimes::kForetold)});
    }
    draw_gains(std::span(table.rows).last(network.runs.size()), model, machine, network);
  };
  for (const RecordedNetwork& network : networks) {
    if (!network.timed) {
      add(result.untimed, network, engine.fitted);
      continue;
    }
    add(result.fitted, network, engine.fitted);
    const auto fold = engine.folds.find(network.name);
    if (fold == engine.folds.end()) continue;
    add(result.held_out, network, fold->second);
    add(result.held_out_known, network, with_known_families(fold->second, engine.fitted, network, networks));
  }
  for (CapturedTable* table : {&result.fitted, &result.held_out, &result.held_out_known, &result.untimed}) {
    table->score = score_of(table->rows);
  }
  return result;
}

}  // namespace iosx
