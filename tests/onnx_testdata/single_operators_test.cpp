#include "tests/support/single_operators.h"

#include "tests/onnx_testdata/vectors.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

TEST(OnnxTestData, OneOperatorIsOnePieceOfWork) {
  if (!std::filesystem::exists(vectors_folder())) GTEST_SKIP() << "the package libonnx-testdata is not installed";
  auto models = vectors("node");
  for (auto& model : models) model /= "model.onnx";
  EXPECT_GT(expect_one_piece_of_work_each(models), static_cast<std::size_t>(400 / every(20) / 2));
}

}  // namespace
}  // namespace iosx::test
