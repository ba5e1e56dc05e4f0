#include "core/model/graph/operator_class.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace iosx {
namespace {

TEST(OperatorClass, TellsConvolutionsApartByTheirKernel) {
  Conv conv;
  conv.out_channels = 32;
  const auto of = [&](Extent kernel, std::int64_t groups) {
    conv.kernel = kernel;
    conv.groups = groups;
    return operator_class(conv);
  };
  EXPECT_EQ(of({1, 1}, 1), OperatorClass::kConv1x1);
  EXPECT_EQ(of({3, 3}, 1), OperatorClass::kConv3x3);
  EXPECT_EQ(of({1, 7}, 1), OperatorClass::kConvLine);
  EXPECT_EQ(of({3, 1}, 1), OperatorClass::kConvLine);
  EXPECT_EQ(of({5, 5}, 1), OperatorClass::kConvOther);
  EXPECT_EQ(of({3, 3}, 32), OperatorClass::kDepthwiseConv);
  EXPECT_EQ(of({3, 3}, 4), OperatorClass::kGroupedConv);
  EXPECT_EQ(operator_class(ConvTranspose{}), OperatorClass::kTransposedConv);
  EXPECT_EQ(operator_class(Pool{}), OperatorClass::kPool);
  EXPECT_EQ(operator_class(Reduce{}), OperatorClass::kPool);
  EXPECT_EQ(operator_class(Opaque{}), OperatorClass::kOpaque);
}

TEST(OperatorClass, OfAMergedConvolutionIsThatOfItsKernel) {
  Conv conv;
  conv.out_channels = 32;
  conv.kernel = {3, 3};
  EXPECT_FALSE(is_merged(conv));
  conv.merged_from = {"a", "b"};
  EXPECT_TRUE(is_merged(conv));
  EXPECT_EQ(operator_class(conv), OperatorClass::kConv3x3);
  EXPECT_FALSE(is_merged(Linear{}));
}

TEST(OperatorClass, HasALetterAndANameOfItsOwn) {
  std::set<std::string_view> letters;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const auto what = static_cast<OperatorClass>(i);
    EXPECT_EQ(class_letter(what).size(), 1U) << i;
    letters.insert(class_letter(what));
    names.insert(class_name(what));
  }
  EXPECT_EQ(letters.size(), kOperatorClasses);
  EXPECT_EQ(names.size(), kOperatorClasses);
}

}  // namespace
}  // namespace iosx
