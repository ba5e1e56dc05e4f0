#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/solve_positive.h"
#include "core/operators/regressors.h"

namespace iosx {
namespace {

constexpr double kPenalty = 1e-3;  // of a coefficient's square, over that of a row's error

}  // namespace

// Columns are brought to a mean of 0 and a spread of 1, and stand with their squares.
std::vector<double> RidgeRegressor::expanded(std::span<const float> row) const {
  std::vector<double> made{1};
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double value = (static_cast<double>(row[i]) - means_[i]) / spreads_[i];
    made.push_back(value);
    made.push_back(value * value);
  }
  return made;
}

Result<void> RidgeRegressor::fit(const FeatureMatrix& rows, std::span<const float> targets, const JobContext& job) {
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

std::vector<float> RidgeRegressor::predict(const FeatureMatrix& rows) const {
  std::vector<float> made;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::vector<double> row = expanded(rows.row(i));
    double sum = 0;
    for (std::size_t c = 0; c < row.size(); ++c) sum += row[c] * weights_[c];
    made.push_back(static_cast<float>(sum));
  }
  return made;
}

std::string RidgeRegressor::saved() const {
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
bool RidgeRegressor::restore(const std::string& saved) {
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

}  // namespace iosx
