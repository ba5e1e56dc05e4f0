#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "core/search/search.h"

// Shared by the experiments.
namespace iosx {

// A search's schedule before any run.
struct FoundSchedule {
  Schedule schedule;
  SearchResult search;
};

class Lab {
 public:
  // All must outlive it.
  Lab(const Graph& graph, std::span<const ExperimentDevice> devices, const ExperimentOptions& options,
      const JobContext& job, const std::stop_token& abandon, ExperimentResult& result)
      : graph_(graph), devices_(devices), options_(options), job_(job), abandon_(abandon), result_(result) {}

  const Graph& graph() const { return graph_; }
  std::span<const ExperimentDevice> devices() const { return devices_; }
  const ExperimentOptions& options() const { return options_; }
  const JobContext& job() const { return job_; }
  ExperimentResult& result() { return result_; }

  // The device and batch of a run.
  struct Setting {
    const ExperimentDevice& device;
    std::int64_t batch = 1;
    std::string name;  // for progress: "batch 32 (2 of 3)"; empty: there is only one
  };
  // Returns the setting of an experiment that varies neither the device nor the batch.
  Setting setting(std::string name = {}) const { return {devices_.front(), options_.compare.batch, std::move(name)}; }
  // Calls compare(). Its notices go to the result; after a stop the result is incomplete.
  Result<Comparison> compare(const Setting& setting, std::vector<ScheduleKind> schedule_kinds);
  // Compares schedules found before, as the first results, and the baselines.
  Result<Comparison> compare(const Setting& setting, std::span<const FoundSchedule> schedules);
  // Compares any schedules, also lanes.
  Result<Comparison> compare(const Setting& setting, std::vector<GivenSchedule> schedules);
  // Returns the IOS-Both schedule under these search options. None where a stop came before the search's end.
  Result<std::optional<FoundSchedule>> find(const Setting& setting, const SearchOptions& search);
  // Records the trials of a search that SearchEffort::budget ended; one notice names all of them.
  void note_budget(const SearchResult& search, std::string trials);
  void tell_out_of_budget();
  void tell(Message notice) { result_.notices.push_back(std::move(notice)); }
  // Records that a stop skipped trials.
  void cut_short() { result_.complete = false; }
  // Returns whether a stop skips the trials to come, and records that.
  bool ended() {
    const bool stopped = job_.stopped();
    if (stopped) cut_short();
    return stopped;
  }

 private:
  Result<Comparison> compare(const Setting& setting, const CompareOptions& options);
  CompareOptions compare_options(const Setting& setting) const;
  JobContext job_of(const Setting& setting) const;
  void tell(const Setting& setting, const std::vector<Message>& notices);

  const Graph& graph_;
  std::span<const ExperimentDevice> devices_;
  const ExperimentOptions& options_;
  const JobContext& job_;
  const std::stop_token& abandon_;
  ExperimentResult& result_;
  std::vector<std::string> out_of_budget_;
};

const ScheduleResult& fastest_of(std::span<const ScheduleResult> runs);  // at least one; the first one on a tie
// Returns whether `fastest` is no faster than the run, beyond the noise.
bool none_faster(const ScheduleResult& run, const ScheduleResult& fastest);

Measure latency_measure();
Measure spread_measure();
// None for a search that took some latencies from elsewhere: its time cannot be compared.
std::optional<double> seconds_of(const SearchResult& search);

// Fill in factors, measures and trials of the lab's result.
Result<void> try_schedules(Lab& lab);
Result<void> try_pruning(Lab& lab);
Result<void> try_batches(Lab& lab);
Result<void> try_devices(Lab& lab);
Result<void> try_throughput(Lab& lab);
Result<void> try_utilization(Lab& lab);
Result<void> try_search(Lab& lab);
Result<void> try_memory(Lab& lab);
Result<void> try_frameworks(Lab& lab);

struct SearchTrial {
  SearchResult found;
  Millis cost{0};  // of the schedule, by the judge; 0 after an earlier stop
};

// Searches with one source's latencies and asks another source, the judge, for the schedule's cost: its stages,
// refined, and the overhead between them. Errors: those of search() and of the judge.
Result<SearchTrial> try_search(const Graph& graph, LatencySource& asked, LatencySource& judge,
                               const SearchOptions& options, const JobContext& job);

}  // namespace iosx
