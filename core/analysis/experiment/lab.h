#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "core/search/search.h"

// This header has what the experiments share.
namespace iosx {

// A schedule as a search found it; nothing has run yet.
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

  // Where something is to run.
  struct Setting {
    const ExperimentDevice& device;
    std::int64_t batch = 1;
    std::string name;  // for progress: "batch 32 (2 of 3)"; empty: there is only one
  };
  // compare(). Its notices go to the result; where it was stopped the result is incomplete.
  Result<Comparison> compare(const Setting& setting, std::vector<ScheduleKind> schedule_kinds);
  // Schedules that were found before, side by side, as the first results; and the baselines.
  Result<Comparison> compare(const Setting& setting, std::span<const FoundSchedule> schedules);
  // Any schedules, lanes too.
  Result<Comparison> compare(const Setting& setting, std::vector<GivenSchedule> schedules);
  // The IOS-Both schedule under these search options. None where a stop came before the search's end.
  Result<std::optional<FoundSchedule>> find(const Setting& setting, const SearchOptions& search);
  // Notes the trials of a search if SearchEffort::budget ended it; one notice names all that were noted.
  void note_budget(const SearchResult& search, std::string trials);
  void tell_out_of_budget();
  void tell(Message notice) { result_.notices.push_back(std::move(notice)); }
  // A stop leaves trials out.
  void cut_short() { result_.complete = false; }

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

const ScheduleResult& fastest_of(std::span<const ScheduleResult> runs);  // one at least; the first of equals
// `fastest` is no faster than the run, beyond the noise.
bool none_faster(const ScheduleResult& run, const ScheduleResult& fastest);

Measure latency_measure();
Measure spread_measure();
// None of a search that read some latencies from elsewhere: its time says nothing beside another one's.
std::optional<double> seconds_of(const SearchResult& search);

// Each fills in factors, measures and trials of the lab's result.
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
  Millis cost{0};  // of the schedule, by the judge; 0 where a stop came before
};

// Searches with one source's latencies and asks another one, the judge, what the schedule costs: its stages, measured
// with care, and what a run adds between them. Errors: search()'s and the judge's.
Result<SearchTrial> try_search(const Graph& graph, LatencySource& asked, LatencySource& judge,
                               const SearchOptions& options, const JobContext& job);

}  // namespace iosx
