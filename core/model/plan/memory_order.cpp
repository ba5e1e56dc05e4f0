#include "core/model/plan/memory_order.h"

#include <cstddef>
#include <numeric>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

// How an operator treats its tensors.
enum class Look {
  kPixels,  // as channels of pixels
  kAlike,   // at elements, or along any axis: inputs and output had better lie alike
  kApart,   // its output lies as it likes
};

struct LookOf {
  Look operator()(const OneOf<Conv, ConvTranspose, Pool, Resize, Lrn, GridSample> auto& /*pixels*/) const {
    return Look::kPixels;
  }
  Look otherwise() const { return Look::kAlike; }
  Look operator()(
      const OneOf<Input, Constant, Linear, MatMul, Recurrent, TopK, Reshape, Transpose, Gather> auto& /*apart*/) const {
    return Look::kApart;
  }
};

// Sets of outputs with the same order in memory.
class Classes {
 public:
  explicit Classes(std::size_t count) : parent_(count), pixels_(count, false) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t from = find(a);
    const std::size_t to = find(b);
    parent_[from] = to;
    pixels_[to] = pixels_[to] || pixels_[from];
  }
  void mark(std::size_t i) { pixels_[find(i)] = true; }
  bool pixels(std::size_t i) { return pixels_[find(i)]; }

 private:
  std::vector<std::size_t> parent_;
  std::vector<bool> pixels_;  // of roots
};

}  // namespace

std::vector<bool> row_major_outputs(const Graph& graph) {
  const auto& operators = graph.operators();
  Classes classes(operators.size());
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const Look look = visit_kind(LookOf{}, operators[i].attributes);
    if (look == Look::kPixels) classes.mark(i);
    if (look == Look::kApart) continue;
    for (const Value& input : operators[i].inputs) {
      const std::size_t producer = input.producer.index();
      if (!operators[producer].output.is_feature_map()) continue;
      if (look == Look::kPixels) classes.mark(producer);
      if (operators[i].output.is_feature_map()) classes.join(producer, i);
    }
  }
  std::vector<bool> row_major(operators.size());
  for (std::size_t i = 0; i < operators.size(); ++i) {
    row_major[i] = operators[i].output.is_feature_map() && !classes.pixels(i);
  }
  return row_major;
}

}  // namespace iosx
