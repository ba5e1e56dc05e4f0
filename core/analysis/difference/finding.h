#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

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
  // How many times as fast it is as the baseline: per run, or per sample where batches differ.
  double ratio = 1;
  bool batches_differ = false;
  Per per = Per::kBatch;  // the basis of its times, as in the matrix
  bool networks_differ = false;
  bool origins_differ = false;  // only one of them is simulated

  // Where most of the difference lies: rows of the matrix, the largest first; at most three, outside the noise
  // and in the direction of the whole. Empty: none stands out, or stages are unknown.
  std::vector<std::size_t> parts;
  Millis in_parts{0};  // their difference
  // Relative to the whole's; none where it exceeds the whole, because other parts have the opposite sign.
  std::optional<double> share;
};
// Describes `subject`, which is not the baseline; none: the fastest except the baseline.
Finding find_out(std::span<const Subject> subjects, const PartMatrix& matrix, std::optional<std::size_t> subject = {});

// Returns "IOS-Both is 1.62× as fast as Sequential (2.85 → 1.76 ms, simulated). 71 % of the difference lies in 3 of
// 11 parts: mixed_5, mixed_6 and mixed_7." for display, in English; names are printable.
std::string finding_sentence(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);

}  // namespace iosx
