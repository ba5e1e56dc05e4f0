#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/search/lazy/lazy_part.h"
#include "core/search/lazy/stage_facts.h"
#include "core/search/lazy/stage_predictor.h"
#include "core/search/search.h"

namespace iosx {

// Holds what a lazy search learns from every measurement, whichever part it is of: units by themselves, the predictor,
// how far bounds hold, and until when it may go on measuring.
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

  // Every unit by itself: what predictions are made of. False: stopped before the end.
  Result<bool> measure_units();
  bool has_units() const { return has_units_; }
  double unit_ms(UnitId unit) const { return times_.ms[unit.index()]; }
  void set_unit_ms(UnitId unit, double ms) { times_.ms[unit.index()] = ms; }

  // Learns what the source guesses of some stages, as little as a guess is worth, so that the first plan is not made of
  // nothing. Where it guesses nothing this does nothing.
  void learn_guesses(std::span<LazyPart> parts);

  // Times of the part's units, and the part's predictions.
  void give_units(LazyPart& part) const;
  // The same without answers: where a unit's time turned out to be another one.
  void give_times(LazyPart& part) const;

  // Names what is to be measured: a candidate of one of several parts.
  struct Wanted {
    std::size_t part = 0;
    LazyPart::Candidate candidate = 0;
    friend auto operator<=>(const Wanted&, const Wanted&) = default;
  };
  // Asks for these, each once, and learns; all the parts' predictions are made anew when that much was learned. Where
  // time is limited those of the part of the most worth come first. False: stopped before the end.
  Result<bool> measure(std::span<LazyPart> parts, std::vector<Wanted> wanted, std::span<const double> worth);
  // The latencies of these, measured with care; nothing is learned. As many as wanted.
  Result<std::vector<Latency>> refined(std::span<const LazyPart> parts, std::span<const Wanted> wanted) const;
  // Learns a latency without a prediction to compare it with.
  void take(LazyPart& part, LazyPart::Candidate c, const Latency& latency);
  // Fits the predictor to all that was learned, and predicts.
  void refit(std::span<LazyPart> parts);

  // Whether the stage is below what bounds said of it; they are then lowered.
  void audit(const LazyPart& part, LazyPart::Candidate c, double ms);
  const BoundFactors& factors() const { return factors_; }
  double usual_error() const;  // of predictions, lately: standard deviation, relative

  // Counts of predictions and bounds, errors; the rest of the report is left as it is.
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
  std::vector<float> of_kind_;  // kept for its memory
  BoundFactors factors_;
  std::vector<double> errors_;  // of predictions, in the order of measuring
  std::int64_t audited_ = 0;
  std::int64_t below_bound_ = 0;
  double worst_below_ = 1;
};

}  // namespace iosx
