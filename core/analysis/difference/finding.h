#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

// Holds what a comparison of several schedules found out, to be put into one sentence.
struct Finding {
  enum class Kind {
    kNothing,   // fewer than two subjects
    kFaster,    // the one that is spoken of is faster than the baseline
    kBaseline,  // the baseline is faster than the one that is spoken of
    kSame,      // it is the same as the baseline for all that is known of noise
    kUnknown,   // too few samples to tell
  };
  Kind kind = Kind::kNothing;
  std::size_t baseline = 0;
  std::size_t subject = 0;  // the one that is spoken of
  bool fastest = true;      // nothing but the baseline is faster than that one
  // How many times as fast it is as the baseline: run for run, sample for sample where batches differ.
  double ratio = 1;
  bool batches_differ = false;
  Per per = Per::kBatch;  // what its times are of, as the matrix's
  bool networks_differ = false;
  bool origins_differ = false;  // one is simulated, the other is not

  // Where most of the difference lies: rows of the matrix, the largest first; at most three, and only such as lie
  // outside the noise and go the way of the whole. Empty: nothing stands out, or stages are not known.
  std::vector<std::size_t> parts;
  Millis in_parts{0};  // their difference
  // As part of the whole's; none where it is more than the whole, because other parts go the other way.
  std::optional<double> share;
};
// Speaks of `subject`, which is not the baseline; none: of the fastest but the baseline.
Finding find_out(std::span<const Subject> subjects, const PartMatrix& matrix, std::optional<std::size_t> subject = {});

// "IOS-Both is 1.62× as fast as Sequential (2.85 → 1.76 ms, simulated). 71 % of the difference lies in 3 of 11 parts:
// mixed_5, mixed_6 and mixed_7." For people, in English; names are printable.
std::string finding_sentence(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding);

}  // namespace iosx
