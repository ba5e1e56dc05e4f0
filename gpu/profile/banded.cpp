#include "gpu/profile/banded.h"

#include <algorithm>
#include <cmath>

namespace iosx::gpu {

bool Banded::factorise() {
  for (std::size_t row = 0; row < size_; ++row) {
    const std::size_t first = row > reach_ ? row - reach_ : 0;
    for (std::size_t column = first; column <= row; ++column) {
      double sum = at(row, column);
      for (std::size_t k = first; k < column; ++k) sum -= at(row, k) * at(column, k);
      if (column < row) {
        at(row, column) = sum / at(column, column);
      } else if (sum > 0) {
        at(row, row) = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

void Banded::solve(std::vector<double>& right) const {
  for (std::size_t row = 0; row < size_; ++row) {
    for (std::size_t k = row > reach_ ? row - reach_ : 0; k < row; ++k) right[row] -= at(row, k) * right[k];
    right[row] /= at(row, row);
  }
  for (std::size_t row = size_; row-- > 0;) {
    for (std::size_t k = row + 1; k <= std::min(size_ - 1, row + reach_); ++k) right[row] -= at(k, row) * right[k];
    right[row] /= at(row, row);
  }
}

}  // namespace iosx::gpu
