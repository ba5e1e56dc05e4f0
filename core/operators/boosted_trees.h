#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx {

// The regression trees of a model that XGBoost saved as UBJSON. Model files come from anywhere, and XGBoost trusts what
// they say: a child outside of its tree is read as if it were there, and a tree with a cycle is walked for ever. So the
// library only trains, and the trees are read, checked and walked here. Sums are those of the library.
class BoostedTrees {
 public:
  // Errors: other bytes, another kind of model; a tree whose lists differ in length, or with a child, column or number
  // that cannot be, a node that two others lead to, or more levels than kMostLevels.
  static Result<BoostedTrees> read(std::string_view bytes);

  std::size_t columns() const { return columns_; }
  // Returns the sum of the leaves that the row leads to. The row has that many columns.
  float predict(std::span<const float> row) const;

 private:
  static constexpr int kMostLevels = 64;
  struct Node {
    std::size_t left = 0;  // in nodes_; 0: a leaf
    std::size_t right = 0;
    std::size_t column = 0;
    float value = 0;           // of a leaf, or what is less goes left
    bool missing_left = true;  // where a row's number that is not there goes
  };
  struct Lists;

  bool add(const Lists& tree);

  std::size_t columns_ = 0;
  float base_ = 0;
  std::vector<std::size_t> roots_;
  std::vector<Node> nodes_;
};

}  // namespace iosx
