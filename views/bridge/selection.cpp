#include "views/bridge/selection.h"

#include <algorithm>
#include <utility>

namespace iosx {

bool Selection::contains(UnitId unit) const { return std::binary_search(units.begin(), units.end(), unit); }

void SelectionModel::select(Selection selection) {
  std::sort(selection.units.begin(), selection.units.end());
  if (selection == current_) return;
  current_ = std::move(selection);
  emit changed(current_);
}

}  // namespace iosx
