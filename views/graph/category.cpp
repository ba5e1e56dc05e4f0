#include "views/graph/category.h"

#include <QCoreApplication>

namespace iosx::canvas {
namespace {

struct Categorize {
  Category operator()(const Input&) const { return Category::kInput; }
  Category operator()(const Conv& conv) const {
    if (!conv.merged_from.empty()) return Category::kMergedConv;
    return conv.groups > 1 ? Category::kGroupedConv : Category::kConv;
  }
  Category operator()(const Pool&) const { return Category::kPool; }
  Category operator()(const Activate&) const { return Category::kActivation; }
  Category operator()(const Add&) const { return Category::kArithmetic; }
  Category operator()(const Mul&) const { return Category::kArithmetic; }
  Category operator()(const Concat&) const { return Category::kConcat; }
  Category operator()(const Identity&) const { return Category::kConcat; }
  Category operator()(const Linear&) const { return Category::kLinear; }
  Category operator()(const MatMul&) const { return Category::kLinear; }
  Category operator()(const Constant&) const { return Category::kInput; }
  Category operator()(const ConvTranspose&) const { return Category::kConv; }
  Category operator()(const Affine&) const { return Category::kArithmetic; }
  Category operator()(const Sub&) const { return Category::kArithmetic; }
  Category operator()(const Div&) const { return Category::kArithmetic; }
  Category operator()(const Lrn&) const { return Category::kArithmetic; }
  Category operator()(const ReduceMean&) const { return Category::kPool; }
  Category operator()(const Softmax&) const { return Category::kActivation; }
  Category operator()(const auto& /*moves_data*/) const { return Category::kConcat; }
};

QString translated(const char* text) { return QCoreApplication::translate("GraphView", text); }

}  // namespace

Category category_of(const Attributes& attributes) { return std::visit(Categorize{}, attributes); }

QString category_letter(Category category) {
  static constexpr std::array<char, kCategories> letters{'C', 'M', 'D', 'P', 'L', '&', '+', 'f', 'I'};
  return QString(QLatin1Char(letters[static_cast<std::size_t>(category)]));
}

QString category_name(Category category) {
  switch (category) {
    case Category::kConv: return translated("convolution");
    case Category::kMergedConv: return translated("merged convolution");
    case Category::kGroupedConv: return translated("depthwise or grouped convolution");
    case Category::kPool: return translated("pooling");
    case Category::kLinear: return translated("linear");
    case Category::kConcat: return translated("concat, identity");
    case Category::kArithmetic: return translated("add, multiply");
    case Category::kActivation: return translated("activation");
    case Category::kInput: return translated("input of the part");
  }
  return {};
}

Attributes category_example(Category category) {
  switch (category) {
    case Category::kConv: return Conv{};
    case Category::kMergedConv: {
      Conv conv;
      conv.merged_from = {"a", "b"};
      return conv;
    }
    case Category::kGroupedConv: {
      Conv conv;
      conv.groups = 2;
      return conv;
    }
    case Category::kPool: return Pool{};
    case Category::kLinear: return Linear{};
    case Category::kConcat: return Concat{};
    case Category::kArithmetic: return Add{};
    case Category::kActivation: return Activate{};
    case Category::kInput: return Input{};
  }
  return Input{};
}

}  // namespace iosx::canvas
