#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/operators/regressor.h"

namespace iosx {

class RidgeRegressor final : public Regressor {
 public:
  Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) override;
  std::size_t columns() const override { return means_.size(); }
  std::vector<float> predict(const FeatureMatrix& rows) const override;
  std::string saved() const override;
  bool restore(const std::string& saved);

 private:
  std::vector<double> expanded(std::span<const float> row) const;

  std::vector<double> means_;
  std::vector<double> spreads_;
  std::vector<double> weights_;
};

// Returns XGBoost's trees.
std::unique_ptr<Regressor> make_trees();
Result<std::unique_ptr<Regressor>> make_trees(const std::string& saved);

}  // namespace iosx
