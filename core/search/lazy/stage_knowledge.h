#pragma once

#include <chrono>
#include <compare>

#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_predictor.h"
#include "core/search/search.h"

namespace iosx {

// Everything that a lazy search learns from measurements of all parts: single units, the predictor, how far bounds
// hold, and its time limit.
class StageKnowledge {
 public:
  // All must outlive it.
  StageKnowledge(const Graph& graph, LatencySource& latencies, const SearchEffort& effort, const JobContext& job);

  const Graph& graph() const { return graph_; }
  LatencySource& latencies() const { return latencies_; }
  const InterStageOverhead& overhead() const { return overhead_; }
  const JobContext& job() const { return job_; }
  std::span<const std::uint32_t> kinds() const { return kinds_; }

  bool stopped() const;  // by the user or the budget
  Seconds elapsed() const { return std::chrono::steady_clock::now() - begin_; }

  // Measures every unit alone, the base of predictions. Returns false if stopped before the end.
  Result<bool> measure_units();
  bool has_units() const { return has_units_; }
  double unit_ms(UnitId unit) const { return times_.ms[unit.index()]; }
  void set_unit_ms(UnitId unit, double ms) { times_.ms[unit.index()] = ms; }

  // Learns the source's predictions of some stages with a low weight, so that the first plan has some data. Does
  // nothing where the source has none.
  void learn_guesses(std::span<LazyPart> parts);

  // Sets the part's unit times and predictions.
  void give_units(LazyPart& part) const;
  // Sets only the unit times, after a unit's time changed.
  void give_times(LazyPart& part) const;

  // A candidate of one of several parts, to be measured.
  struct Wanted {
    std::size_t part = 0;
    LazyPart::Candidate candidate = 0;
    friend auto operator<=>(const Wanted&, const Wanted&) = default;
  };
  // Requests these once each and learns; predictions of all parts are updated once enough was learned. With limited
  // time, those of the most valuable part come first. Returns false if stopped before the end.
  Result<bool> measure(std::span<LazyPart> parts, std::vector<Wanted> wanted, std::span<const double> worth);
  // Returns the refined latencies of these, without learning; one each unless stopped.
  Result<std::vector<Latency>> refined(std::span<const LazyPart> parts, std::span<const Wanted> wanted) const;
  // Learns a latency that has no prediction to compare with.
  void take(LazyPart& part, LazyPart::Candidate c, const Latency& latency);
  // Fits the predictor to all data, and predicts.
  void refit(std::span<LazyPart> parts);

  // Checks a latency against its bound and lowers the factors where it is below.
  void audit(const LazyPart& part, LazyPart::Candidate c, double ms);
  const BoundFactors& factors() const { return factors_; }
  double usual_error() const;  // recent standard deviation of predictions, relative

  // Fills in the counts of predictions and bounds and the errors; leaves the rest of the report.
  void fill_in(LazyReport& report) const;

 private:
  std::vector<Stage> stages_of(std::span<const LazyPart> parts, std::span<const Wanted> wanted) const;

  const Graph& graph_;
  LatencySource& latencies_;
  const SearchEffort& effort_;
  const JobContext& job_;
  const InterStageOverhead overhead_;
  const std::vector<std::uint32_t> kinds_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool has_units_ = false;
  UnitTimes times_;
  std::optional<StagePredictor> predictor_;
  std::size_t fitted_ = 0;
  std::vector<float> of_kind_;  // reused memory
  BoundFactors factors_;
  std::vector<double> errors_;  // of predictions, in measuring order
  std::int64_t audited_ = 0;
  std::int64_t below_bound_ = 0;
  double worst_below_ = 1;
};

}  // namespace iosx
