#include "core/formats/onnx/convert/load_onnx.h"
#include "core/model/graph/work.h"
#include "tests/support/prelude.h"

// Small models beside the project's folder, each of which was wrong once.
namespace iosx::onnx_import {
namespace {

const std::filesystem::path kCases = std::filesystem::path(IOS_SOURCE_FOLDER) / "../shared/cases/second";

class SharedCases : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kCases)) GTEST_SKIP() << "there is no ../shared/cases/second";
  }
};

const Opaque& opaque_of(const LoadedOnnx& loaded) {
  const auto operators = loaded.graph.operators();
  const auto found = std::ranges::find_if(operators, [](const Operator& op) { return op.as<Opaque>() != nullptr; });
  return *must(found == operators.end() ? nullptr : found->as<Opaque>());
}

TEST_F(SharedCases, OfPackedWeightsHaveTheirCost) {
  const auto product = must(load_onnx(kCases / "a/sim_uint4_matmul.onnx"));
  EXPECT_EQ(opaque_of(product).flops, std::int64_t{2} * 512 * 256 * 256);
  EXPECT_EQ(opaque_of(product).parameters, 256 * 256);
  EXPECT_EQ(opaque_of(product).weight_bytes, 256 * 256 / 2);
  const auto packed = must(load_onnx(kCases / "a/sim_matmulnbits.onnx"));
  EXPECT_EQ(total_work(packed.graph, packed.batch).flops, 2.0 * 2 * 256 * 256);
  EXPECT_EQ(total_work(packed.graph, 1).parameters, 256 * 256);
}

TEST_F(SharedCases, HaveTheirShapesOrNone) {
  const auto random = must(load_onnx(kCases / "zoo/opaque_of_constant_then_shape_does_not_open.onnx"));
  EXPECT_EQ(sizes_text(random.file.outputs.front().shape()), "1x4x8");
  EXPECT_TRUE(random.graph.has_known_cost());
  EXPECT_FALSE(must(load_onnx(kCases / "zoo/unique_shape.onnx")).graph.has_known_cost());
  const OnnxOptions first{.dims = {{"past_sequence_length", 0}}};
  EXPECT_TRUE(must(load_onnx(kCases / "zoo/gqa_prefill_past0.onnx", first)).graph.has_known_cost());
}

TEST_F(SharedCases, AreExecuted) {
  for (const char* const name : {"a/if_const_fn_in_branch", "a/loop_const_trips", "a/seq_construct_concat",
                                 "zoo/affinegrid20", "zoo/convtranspose3d_dynamo", "zoo/embeddingbag_ts",
                                 "zoo/empty_slice_concat_roll0", "zoo/fft_dynamo", "zoo/maxpool3d_dynamo"}) {
    const auto loaded = must(load_onnx(kCases / (std::string(name) + ".onnx")));
    const bool opaque =
        std::ranges::any_of(loaded.graph.operators(), [](const Operator& op) { return op.as<Opaque>() != nullptr; });
    EXPECT_FALSE(opaque) << name << testing::PrintToString(loaded.warnings);
  }
}

}  // namespace
}  // namespace iosx::onnx_import
