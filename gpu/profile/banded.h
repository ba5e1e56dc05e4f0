#pragma once

#include <cstddef>
#include <vector>

namespace iosx::gpu {

// Holds a symmetric positive definite matrix with nothing further than `reach` from its diagonal.
class Banded {
 public:
  Banded(std::size_t size, std::size_t reach) : size_(size), reach_(reach), lower_(size * (reach + 1), 0.0) {}

  std::size_t size() const { return size_; }
  std::size_t reach() const { return reach_; }
  // Returns an element of the lower half: column <= row <= column + reach.
  double& at(std::size_t row, std::size_t column) { return lower_[row * (reach_ + 1) + (row - column)]; }
  double at(std::size_t row, std::size_t column) const { return lower_[row * (reach_ + 1) + (row - column)]; }

  // factorise() puts Cholesky's factor in the matrix's place and returns false where that is not positive definite.
  // After it solve() puts the solution in the right side's place.
  bool factorise();
  void solve(std::vector<double>& right) const;

 private:
  std::size_t size_;
  std::size_t reach_;
  std::vector<double> lower_;
};

}  // namespace iosx::gpu
