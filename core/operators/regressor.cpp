#include "core/operators/regressor.h"

#include <xgboost/c_api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/base/solve_positive.h"
#include "core/operators/boosted_trees.h"

namespace iosx {

namespace {

constexpr double kPenalty = 1e-3;  // of a coefficient's square, over that of a row's error

class RidgeRegressor final : public Regressor {
 public:
  std::size_t columns() const override { return means_.size(); }

  Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) override {
    if (job.stopped()) return tl::unexpected(Error{message("stopped"), {}, {}});
    const auto count = static_cast<double>(std::max<std::size_t>(rows.rows(), 1));
    means_.assign(rows.columns, 0);
    spreads_.assign(rows.columns, 0);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t c = 0; c < rows.columns; ++c) means_[c] += static_cast<double>(rows.row(i)[c]) / count;
    }
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t c = 0; c < rows.columns; ++c) {
        const double off = static_cast<double>(rows.row(i)[c]) - means_[c];
        spreads_[c] += off * off / count;
      }
    }
    for (double& spread : spreads_) spread = spread > 1e-12 ? std::sqrt(spread) : 1;
    const std::size_t size = 1 + 2 * rows.columns;
    std::vector<double> products(size * size, 0);
    std::vector<double> right(size, 0);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const std::vector<double> row = expanded(rows.row(i));
      for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b <= a; ++b) products[a * size + b] += row[a] * row[b];
        right[a] += row[a] * static_cast<double>(targets[i]);
      }
    }
    for (std::size_t a = 1; a < size; ++a) products[a * size + a] += kPenalty * count;
    products[0] += 1e-9;
    weights_ = solve_positive(std::move(products), std::move(right));
    return {};
  }

  std::vector<float> predict(const FeatureMatrix& rows) const override {
    std::vector<float> made;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const std::vector<double> row = expanded(rows.row(i));
      double sum = 0;
      for (std::size_t c = 0; c < row.size(); ++c) sum += row[c] * weights_[c];
      made.push_back(static_cast<float>(sum));
    }
    return made;
  }

  std::string saved() const override {
    std::string bytes;
    for (const std::vector<double>* list : {&means_, &spreads_, &weights_}) {
      for (const double value : *list) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(bits >> (8 * byte) & 0xFF);
      }
    }
    return bytes;
  }

  // n means, n spreads, 1 + 2 n weights.
  bool restore(const std::string& saved) {
    if (saved.size() % 32 != 8) return false;
    std::vector<double> numbers;
    for (std::size_t at = 0; at < saved.size(); at += 8) {
      std::uint64_t bits = 0;
      for (int byte = 0; byte < 8; ++byte) {
        bits |= std::uint64_t{static_cast<unsigned char>(saved[at + static_cast<std::size_t>(byte)])} << (8 * byte);
      }
      numbers.push_back(std::bit_cast<double>(bits));
    }
    if (!std::ranges::all_of(numbers, [](double value) { return std::isfinite(value); })) return false;
    const auto columns = static_cast<std::ptrdiff_t>((numbers.size() - 1) / 4);
    means_.assign(numbers.begin(), numbers.begin() + columns);
    spreads_.assign(numbers.begin() + columns, numbers.begin() + 2 * columns);
    weights_.assign(numbers.begin() + 2 * columns, numbers.end());
    return std::ranges::none_of(spreads_, [](double value) { return value == 0; });
  }

 private:
  // Columns are brought to a mean of 0 and a spread of 1, and stand with their squares.
  std::vector<double> expanded(std::span<const float> row) const {
    std::vector<double> made{1};
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double value = (static_cast<double>(row[i]) - means_[i]) / spreads_[i];
      made.push_back(value);
      made.push_back(value * value);
    }
    return made;
  }

  std::vector<double> means_;
  std::vector<double> spreads_;
  std::vector<double> weights_;
};

constexpr int kRounds = 400;

// One thread, because the program's OpenMP is its own (core/devices/cpu/openmp.cpp), and so that the sums are the same
// everywhere.
constexpr std::array<std::pair<const char*, const char*>, 9> kSettings{{{"nthread", "1"},
                                                                        {"verbosity", "0"},
                                                                        {"seed", "1"},
                                                                        {"tree_method", "exact"},
                                                                        {"objective", "reg:squarederror"},
                                                                        {"eta", "0.06"},
                                                                        {"max_depth", "6"},
                                                                        {"min_child_weight", "2"},
                                                                        {"subsample", "0.8"}}};

Result<void> checked(int code) {
  if (code == 0) return {};
  return fail(message("XGBoost: {}", std::string(XGBGetLastError())));
}

// Owns a matrix of the library.
class Matrix {
 public:
  static Result<Matrix> of(const FeatureMatrix& rows) {
    DMatrixHandle handle = nullptr;
    IOS_TRY(checked(XGDMatrixCreateFromMat(rows.values.data(), rows.rows(), rows.columns, std::nanf(""), &handle)));
    return Matrix(handle);
  }
  Matrix(Matrix&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  Matrix& operator=(Matrix&&) = delete;
  ~Matrix() {
    if (handle_ != nullptr) XGDMatrixFree(handle_);
  }
  DMatrixHandle get() const { return handle_; }

 private:
  explicit Matrix(DMatrixHandle handle) : handle_(handle) {}
  DMatrixHandle handle_;
};

// Owns a booster of the library, which trains. What it has learned is walked by BoostedTrees.
class Booster {
 public:
  Booster() = default;
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;
  ~Booster() {
    if (handle_ != nullptr) XGBoosterFree(handle_);
  }

  // Returns the trained model in UBJSON.
  Result<std::string> train(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) {
    IOS_TRY(const auto matrix, Matrix::of(rows));
    IOS_TRY(checked(XGDMatrixSetFloatInfo(matrix.get(), "label", targets.data(), targets.size())));
    const DMatrixHandle handle = matrix.get();
    IOS_TRY(checked(XGBoosterCreate(&handle, 1, &handle_)));
    for (const auto& [name, value] : kSettings) IOS_TRY(checked(XGBoosterSetParam(handle_, name, value)));
    for (int round = 0; round < kRounds; ++round) {
      if (job.stopped()) return tl::unexpected(Error{message("stopped"), {}, {}});
      IOS_TRY(checked(XGBoosterUpdateOneIter(handle_, round, handle)));
    }
    bst_ulong size = 0;
    const char* bytes = nullptr;
    IOS_TRY(checked(XGBoosterSaveModelToBuffer(handle_, R"({"format":"ubj"})", &size, &bytes)));
    return std::string(bytes, size);
  }

 private:
  BoosterHandle handle_ = nullptr;
};

class Trees final : public Regressor {
 public:
  Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) override {
    IOS_TRY(const auto model, Booster().train(rows, targets, job));
    return restore(model);
  }

  std::size_t columns() const override { return trees_.columns(); }

  std::vector<float> predict(const FeatureMatrix& rows) const override {
    std::vector<float> made;
    made.reserve(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) made.push_back(trees_.predict(rows.row(i)));
    return made;
  }

  std::string saved() const override { return saved_; }

  Result<void> restore(const std::string& saved) {
    IOS_TRY(trees_, BoostedTrees::read(saved));
    saved_ = saved;
    return {};
  }

 private:
  BoostedTrees trees_;
  std::string saved_;
};

}  // namespace

std::string_view name_of(RegressorKind kind) {
  return kind == RegressorKind::kRidge ? "ridge regression" : "boosted trees";
}

std::unique_ptr<Regressor> make_regressor(RegressorKind kind) {
  if (kind == RegressorKind::kRidge) return std::make_unique<RidgeRegressor>();
  return std::make_unique<Trees>();
}

Result<std::unique_ptr<Regressor>> make_regressor(RegressorKind kind, const std::string& saved) {
  if (kind == RegressorKind::kTrees) {
    auto trees = std::make_unique<Trees>();
    IOS_TRY(trees->restore(saved));
    return trees;
  }
  auto ridge = std::make_unique<RidgeRegressor>();
  if (!ridge->restore(saved)) return fail(message("is not a ridge regression"));
  return ridge;
}

}  // namespace iosx
