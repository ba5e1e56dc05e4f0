#pragma once

#include <memory>
#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx {

// Rows of numbers of equal length, in one list.
struct FeatureMatrix {
  std::size_t columns = 0;
  std::vector<float> values;

  std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const float> row(std::size_t i) const { return std::span(values).subspan(i * columns, columns); }
  void add(std::span<const float> row) {
    columns = row.size();
    values.insert(values.end(), row.begin(), row.end());
  }
};

// Learns a number from a row of numbers. Several threads may use a fitted one at once.
class Regressor {
 public:
  virtual ~Regressor() = default;
  // Fits rows to targets, one per row. Equal rows give equal results, on any number of threads. Errors: the
  // library's, and a stop.
  virtual Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) = 0;
  // Returns the number of columns in fit().
  virtual std::size_t columns() const = 0;
  // Returns a number per row. Rows have the columns of fit().
  virtual std::vector<float> predict(const FeatureMatrix& rows) const = 0;
  // Returns bytes from which make_regressor() makes the same regressor.
  virtual std::string saved() const = 0;
};

enum class RegressorKind {
  kRidge,  // linear in the columns and their squares
  kTrees,  // gradient boosting, by XGBoost
};
std::string_view name_of(RegressorKind kind);  // "ridge regression", "boosted trees"

// Returns a new regressor, or a fitted one from saved() bytes. Invalid bytes are an error.
std::unique_ptr<Regressor> make_regressor(RegressorKind kind);
Result<std::unique_ptr<Regressor>> make_regressor(RegressorKind kind, const std::string& saved);

}  // namespace iosx
