#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/why.h"
#include "core/analysis/difference/graph_match.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// One run's stages in one row, with the lengths of stage_times().
struct PartCell {
  Millis latency{0};
  Delta delta;                // relative to the baseline's
  std::vector<UnitId> units;  // of the run's own graph, by id
  bool empty() const { return units.empty(); }
};

// Parts of the baseline's graph, several where a stage of any run spans them; or parts that only other graphs
// have. For several networks each one's share of a part is a row.
struct PartRow {
  std::string name;             // of the part; "a … c" for several; for several networks theirs, "a + b (2/3)"
  std::vector<PartCell> cells;  // one per subject
};

// The time of several runs, part by part. A subject's rows, between_stages and rest add up to its latency, and its
// differences to that of the latency. All are of one sample where batches differ.
struct PartMatrix {
  Per per = Per::kBatch;
  std::size_t baseline = 0;
  std::vector<PartRow> rows;
  std::vector<bool> has_times;  // one per subject, like the next ones; without, its cells are meaningless
  std::vector<Millis> between_stages;
  std::vector<Millis> rest;            // of the run, beyond its stages and the overhead between them
  std::vector<WholeDifference> whole;  // the baseline against each
};

// Matches the baseline's graph with each subject's.
std::vector<GraphMatch> match_with_all(std::span<const Subject> subjects, std::size_t baseline);

// All are valid(). `matches` is match_with_all(); without `per`, times are per_of(subjects).
PartMatrix part_matrix(std::span<const Subject> subjects, std::size_t baseline, std::span<const GraphMatch> matches,
                       std::optional<Per> per = {});

// One step from a baseline's latency to a schedule's.
struct SavingStep {
  std::string name = {};                  // of the part, or parts; empty for a stage and for the last step
  std::optional<std::size_t> stage = {};  // of the schedule, where the steps are its stages
  std::vector<UnitId> units = {};         // of the schedule's graph, by id; empty for the last step
  Millis before{0};                       // the baseline's time for it
  Millis after{0};
  Delta delta = {};  // after less before: a saving is below 0
};

// Where a schedule saves time relative to a baseline. All times are as `per` says.
struct SavingSteps {
  Per per = Per::kBatch;
  WholeDifference whole = {};
  // In the order of the network: by part, or by stage of the schedule where the network has no parts. Their differences
  // add up to that of the whole, because the last one is the time of no part and no stage: the overhead between stages,
  // and the rest of the run.
  std::vector<SavingStep> steps = {};
  std::vector<std::optional<Delta>> stages = {};  // stage_savings()
  bool traced = false;  // includes times of a barrier-free schedule, which are shares of a traced run
};

// Returns how much longer each stage of the schedule takes than the baseline for the same units, by the match of the
// two graphs; none for a stage that the baseline's times cannot separate (times_of_sets()), or with units that it
// lacks. Empty where one of them has no stage times (stage_times()).
std::vector<std::optional<Delta>> stage_savings(const Subject& baseline, const Subject& schedule,
                                                const GraphMatch& match, Per per);

// Both are valid(). None where one of them has no stage times (stage_times()). Without `per`, times are per_of() both.
std::optional<SavingSteps> saving_steps(const Subject& baseline, const Subject& schedule, std::optional<Per> per = {});

// The conclusion of a comparison of several schedules, for one sentence.
struct Finding {
  enum class Kind {
    kNothing,   // fewer than two subjects
    kFaster,    // the chosen subject is faster than the baseline
    kBaseline,  // the baseline is faster than the chosen subject
    kSame,      // it equals the baseline within the known noise
    kUnknown,   // too few samples
  };
  Kind kind = Kind::kNothing;
  std::size_t baseline = 0;
  std::size_t subject = 0;  // the chosen one
  bool fastest = true;      // only the baseline may be faster
  // Other subjects of the same network that nothing tells from it: by the draws of the comparison whose best it is
  // (ties_with_best()), else within the noise. Only where it is faster than the baseline.
  std::vector<std::size_t> ties = {};
  // How many times as fast it is as the baseline: per run, or per sample where batches differ.
  double ratio = 1;
  bool batches_differ = false;
  Per per = Per::kBatch;  // the basis of its times, as in the matrix
  bool networks_differ = false;
  bool origins_differ = false;  // only one of them is simulated

  // None where the two cannot be compared run by run: other networks, batches or devices, unknown
  // latencies, or no traces.
  std::optional<Why> why = {};

  // Where most of the difference lies: rows of the matrix, the largest first; at most three, outside the noise
  // and in the direction of the whole. Empty: none stands out, or stages are unknown.
  std::vector<std::size_t> parts;
  Millis in_parts{0};  // their difference
  // Relative to the whole's; none where it exceeds the whole, because other parts have the opposite sign.
  std::optional<double> share;
};
// Describes `subject`, which is not the baseline; none: the fastest except the baseline, of one comparison its best().
Finding find_out(std::span<const Subject> subjects, const PartMatrix& matrix, std::optional<std::size_t> subject = {});

// Returns "IOS-Both is 1.62× as fast as Sequential (2.85 → 1.76 ms, simulated). Why: 1.80 times as many kernels in
// flight, …. 71 % of the difference lies in 3 of 11 parts: mixed_5, mixed_6 and mixed_7." for display, in English;
// names are printable.
std::string finding_sentence(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);

}  // namespace iosx
