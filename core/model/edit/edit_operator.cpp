#include "core/model/edit/edit_operator.h"

#include <algorithm>

namespace iosx {
namespace {

bool same_tensor(const Tensor& a, const Tensor& b) {
  if (a.empty() != b.empty() || !std::ranges::equal(a.dims(), b.dims())) return false;
  return a.elements().data() == b.elements().data() || std::ranges::equal(a.elements(), b.elements());
}

}  // namespace

bool operator==(const EditOperator& a, const EditOperator& b) {
  return a.name == b.name && a.attributes == b.attributes && a.inputs == b.inputs && a.biased == b.biased &&
         a.unit == b.unit && a.place == b.place && same_tensor(a.weights, b.weights) && same_tensor(a.bias, b.bias);
}

}  // namespace iosx
