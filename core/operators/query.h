#pragma once

#include "core/operators/profiling.h"
#include "core/tables/render.h"

namespace iosx {

// Selects stages by words such as "kind=conv", "kernel=3", "channels>=64", "ms<0.1", "side_by_side=2". A word is a
// column of feature_columns(), "kind", or one of the stage's "ms", "operators" and "side_by_side"; then =, !=, <,
// <=, > or >=, and a number (for "kind" a name). A stage matches where one of its operators fits all operator words,
// and the stage fits all stage words.
class OperatorQuery {
 public:
  // Returns an error for an invalid word.
  static Result<OperatorQuery> parse(std::span<const std::string> words);
  bool fits(const KnownStage& stage) const;

 private:
  enum class Sign { kEqual, kNot, kLess, kAtMost, kMore, kAtLeast };
  struct Word {
    std::string column;
    Sign sign = Sign::kEqual;
    std::string text;
    double number = 0;
  };
  static bool compares(double value, const Word& word);

  std::vector<Word> of_operators_;
  std::vector<Word> of_stages_;
};

// Returns a description of a stage: "conv 3x3 64x56x56 -> 64x56x56 | pool 3x3 …".
std::string words_of(const StageFeatures& stage);
std::string words_of(const OperatorFeatures& x);

// Returns comma-separated values: a row per operator with its stage, group, all columns, and the stage's time.
Table operator_list(std::span<const KnownStage> stages);

}  // namespace iosx
