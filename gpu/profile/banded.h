#pragma once

#include <cstddef>
#include <vector>

namespace iosx::gpu {

// A symmetric positive definite matrix that is zero further than `reach` from its diagonal.
class Banded {
 public:
  Banded(std::size_t size, std::size_t reach) : size_(size), reach_(reach), lower_(size * (reach + 1), 0.0) {}

  std::size_t size() const { return size_; }
  std::size_t reach() const { return reach_; }
  // Returns an element of the lower half: column <= row <= column + reach.
  double& at(std::size_t row, std::size_t column) { return lower_[row * (reach_ + 1) + (row - column)]; }
  double at(std::size_t row, std::size_t column) const { return lower_[row * (reach_ + 1) + (row - column)]; }

  // factorise() replaces the matrix by its Cholesky factor, or returns false where it is not positive definite.
  // Afterwards solve() replaces the right side by the solution.
  bool factorise();
  void solve(std::vector<double>& right) const;

 private:
  std::size_t size_;
  std::size_t reach_;
  std::vector<double> lower_;
};

}  // namespace iosx::gpu
