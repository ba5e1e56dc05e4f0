#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/experiment/lab.h"

// Specialisation: a schedule found in one setting, run in another.
namespace iosx {
namespace {

struct Level {
  std::string name;
  Lab::Setting setting;
};

class Specialisation {
 public:
  Specialisation(Lab& lab, std::vector<Level> levels) : lab_(lab), result_(lab.result()), levels_(std::move(levels)) {
    result_.measures = {latency_measure(), spread_measure(), {"loss_percent", said("loss"), "%", 1}};
  }

  // First every level's schedule; then all of them side by side at every level.
  Result<void> run() && {
    for (const Level& level : levels_) {
      Lab::Setting setting = level.setting;
      setting.name = "search, " + setting.name;
      IOS_TRY(auto found, lab_.find(setting, lab_.options().search));
      if (!found) return run_at_home();
      lab_.note_budget(found->search, fmt::format("{} {}", result_.factors[0].title, level.name));
      found_.push_back(std::move(*found));
    }
    for (std::size_t column = 0; column < levels_.size(); ++column) {
      if (lab_.job().stopped()) {
        lab_.cut_short();
        break;
      }
      IOS_TRY(const auto runs, lab_.compare(levels_[column].setting, found_));
      if (runs.results.size() < found_.size()) break;  // a stop, which the lab has noted
      add_column(column, {runs.results.data(), found_.size()});
    }
    return {};
  }

 private:
  // After a stop: what was found, where it was found for.
  Result<void> run_at_home() {
    for (std::size_t home = 0; home < found_.size(); ++home) {
      IOS_TRY(const auto runs, lab_.compare(levels_[home].setting, {&found_[home], 1}));
      add(home, home, runs.results.front(), runs.results.front());
    }
    return {};
  }

  void add_column(std::size_t column, std::span<const ScheduleResult> runs) {
    for (std::size_t row = 0; row < runs.size(); ++row) {
      add(row, column, runs[row], runs[column]);
      result_.trials.back().best = none_faster(runs[row], fastest_of(runs));
    }
  }

  void add(std::size_t row, std::size_t column, const ScheduleResult& run, const ScheduleResult& own) {
    const Speedup own_gains = speedup(run.latency, run.rounds, own.latency, own.rounds);
    result_.trials.push_back(
        {.levels = {levels_[row].name, levels_[column].name},
         .values = {run.latency.value.count(), run.latency.spread.count(), 100 * (own_gains.value - 1)},
         .origin = run.latency.origin,
         .within_noise = row != column && own_gains.within_noise()});
  }

  Lab& lab_;
  ExperimentResult& result_;
  std::vector<Level> levels_;
  std::vector<FoundSchedule> found_;  // of the first levels; of all, unless it was stopped
};

}  // namespace

Result<void> try_batches(Lab& lab) {
  lab.result().factors = {{"found_for_batch", said("found for batch"), true},
                          {"run_at_batch", said("run at batch"), true}};
  const std::vector<std::int64_t>& batches = lab.options().batches;
  std::vector<Level> levels;
  levels.reserve(batches.size());
  for (const std::int64_t batch : batches) {
    levels.push_back(
        {fmt::format("{}", batch),
         {lab.devices().front(), batch, fmt::format("batch {} ({} of {})", batch, levels.size() + 1, batches.size())}});
  }
  return Specialisation(lab, std::move(levels)).run();
}

Result<void> try_devices(Lab& lab) {
  lab.result().factors = {{"found_on", said("found on")}, {"run_on", said("run on")}};
  std::vector<Level> levels;
  for (const ExperimentDevice& device : lab.devices()) {
    const std::string& id = device.device->info().id;
    levels.push_back(
        {id, {device, lab.options().batch, fmt::format("{} ({} of {})", id, levels.size() + 1, lab.devices().size())}});
  }
  return Specialisation(lab, std::move(levels)).run();
}

}  // namespace iosx
