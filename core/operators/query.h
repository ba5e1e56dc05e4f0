#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/operators/profiling.h"

namespace iosx {

// Chooses stages by words such as "kind=conv", "kernel=3", "channels>=64", "ms<0.1", "side_by_side=2": a column of
// feature_columns(), "kind", or of the stage "ms", "operators" or "side_by_side"; then =, !=, <, <=, > or >=, and a
// number, of "kind" a name. A stage is chosen where one of its operators fits all words about operators, and it fits
// those about stages.
class OperatorQuery {
 public:
  // The error is a word that is none.
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

// Returns a stage in words: "conv 3x3 64x56x56 -> 64x56x56 | pool 3x3 …".
std::string words_of(const StageFeatures& stage);
std::string words_of(const OperatorFeatures& x);

// Returns a table of comma-separated values: a row an operator, with the stage that it is of, its group there, all its
// columns, and what the stage took.
std::string operators_csv(std::span<const KnownStage> stages);

}  // namespace iosx
