#include "core/operators/regressor.h"

#include "core/operators/regressors.h"

namespace iosx {

std::string_view name_of(RegressorKind kind) {
  return kind == RegressorKind::kRidge ? "ridge regression" : "boosted trees";
}

std::unique_ptr<Regressor> make_regressor(RegressorKind kind) {
  if (kind == RegressorKind::kRidge) return std::make_unique<RidgeRegressor>();
  return make_trees();
}

Result<std::unique_ptr<Regressor>> make_regressor(RegressorKind kind, const std::string& saved) {
  if (kind == RegressorKind::kTrees) return make_trees(saved);
  auto made = std::make_unique<RidgeRegressor>();
  if (!made->restore(saved)) return fail(message("is not a ridge regression"));
  return made;
}

}  // namespace iosx
