#include <xgboost/c_api.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/operators/regressors.h"

// The only file that includes XGBoost.
namespace iosx {
namespace {

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

class Trees final : public Regressor {
 public:
  Trees() = default;
  Trees(const Trees&) = delete;
  Trees& operator=(const Trees&) = delete;
  ~Trees() override {
    if (booster_ != nullptr) XGBoosterFree(booster_);
  }

  Result<void> fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) override {
    IOS_TRY(const auto matrix, Matrix::of(rows));
    IOS_TRY(checked(XGDMatrixSetFloatInfo(matrix.get(), "label", targets.data(), targets.size())));
    const DMatrixHandle handle = matrix.get();
    IOS_TRY(make(&handle, 1));
    for (int round = 0; round < kRounds; ++round) {
      if (job.stopped()) return tl::unexpected(Error{message("stopped"), {}, {}});
      IOS_TRY(checked(XGBoosterUpdateOneIter(booster_, round, handle)));
    }
    return {};
  }

  std::size_t columns() const override {
    bst_ulong count = 0;
    return XGBoosterGetNumFeature(booster_, &count) == 0 ? count : 0;
  }

  std::vector<float> predict(const FeatureMatrix& rows) const override {
    if (rows.rows() == 0) return {};
    auto matrix = Matrix::of(rows);
    if (!matrix) return std::vector<float>(rows.rows(), 0);
    // One call at a time: the booster keeps what it answers.
    const std::scoped_lock lock(mutex_);
    bst_ulong count = 0;
    const float* answers = nullptr;
    if (XGBoosterPredict(booster_, matrix->get(), 0, 0, 0, &count, &answers) != 0 || count != rows.rows()) {
      return std::vector<float>(rows.rows(), 0);
    }
    return {answers, answers + count};
  }

  std::string saved() const override {
    bst_ulong size = 0;
    const char* bytes = nullptr;
    if (XGBoosterSaveModelToBuffer(booster_, R"({"format":"ubj"})", &size, &bytes) != 0) return {};
    return {bytes, size};
  }

  Result<void> restore(const std::string& saved) {
    IOS_TRY(make(nullptr, 0));
    return checked(XGBoosterLoadModelFromBuffer(booster_, saved.data(), saved.size()));
  }

 private:
  Result<void> make(const DMatrixHandle* matrices, bst_ulong count) {
    IOS_TRY(checked(XGBoosterCreate(matrices, count, &booster_)));
    for (const auto& [name, value] : kSettings) IOS_TRY(checked(XGBoosterSetParam(booster_, name, value)));
    return {};
  }

  mutable std::mutex mutex_;
  BoosterHandle booster_ = nullptr;
};

}  // namespace

std::unique_ptr<Regressor> make_trees() { return std::make_unique<Trees>(); }

Result<std::unique_ptr<Regressor>> make_trees(const std::string& saved) {
  auto made = std::make_unique<Trees>();
  IOS_TRY(made->restore(saved));
  return made;
}

}  // namespace iosx
