#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace iosx {

// Holds rows of numbers, equally many in each, as one list.
struct FeatureMatrix {
  std::size_t columns = 0;
  std::vector<float> values;

  std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const float> row(std::size_t i) const { return std::span(values).subspan(i * columns, columns); }
  void add(std::span<const float> row) { values.insert(values.end(), row.begin(), row.end()); }
};

// Learns a number from a row of numbers. A fitted one may be asked from several threads at once.
class Regressor {
 public:
  virtual ~Regressor() = default;
  // Fits rows to targets, one a row. The same rows give the same answers, on one thread or many. Errors are the
  // library's, and a stop.
  virtual Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) = 0;
  // Returns how many columns it was fitted to.
  virtual std::size_t columns() const = 0;
  // Returns a number a row, which has the columns that it was fitted to.
  virtual std::vector<float> predict(const FeatureMatrix& rows) const = 0;
  // Returns what make_regressor() makes the same one of: bytes.
  virtual std::string saved() const = 0;
};

enum class RegressorKind {
  kRidge,  // linear in the columns and their squares
  kTrees,  // gradient boosting, by XGBoost
};
std::string_view name_of(RegressorKind kind);  // "ridge regression", "boosted trees"

// Returns one to be fitted, or a fitted one of what was saved. The error is that this is none.
std::unique_ptr<Regressor> make_regressor(RegressorKind kind);
Result<std::unique_ptr<Regressor>> make_regressor(RegressorKind kind, const std::string& saved);

}  // namespace iosx
