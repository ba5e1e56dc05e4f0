#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace iosx {

// Solves matrix · x = right by Cholesky decomposition and returns x. The matrix is symmetric positive definite with
// right.size() rows; only its lower half is read. A nearly singular matrix is solved as if its diagonal were slightly
// larger.
inline std::vector<double> solve_positive(std::vector<double> matrix, std::vector<double> right) {
  constexpr double kLeast = 1e-12;
  const std::size_t size = right.size();
  for (std::size_t j = 0; j < size; ++j) {  // in place
    double* row = &matrix[j * size];
    double diagonal = row[j];
    for (std::size_t k = 0; k < j; ++k) diagonal -= row[k] * row[k];
    row[j] = std::sqrt(std::max(diagonal, kLeast));
    for (std::size_t i = j + 1; i < size; ++i) {
      double* below = &matrix[i * size];
      double sum = below[j];
      for (std::size_t k = 0; k < j; ++k) sum -= below[k] * row[k];
      below[j] = sum / row[j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * size + k] * right[k];
    right[i] /= matrix[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) right[i] -= matrix[k * size + i] * right[k];
    right[i] /= matrix[i * size + i];
  }
  return right;
}

}  // namespace iosx
