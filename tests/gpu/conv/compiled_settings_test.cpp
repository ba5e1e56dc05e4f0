#include "gpu/ops/conv/compiled_settings.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kMultiprocessors = 132;

const CompiledEngine& engine() { return *compiled_engine(test::kKnownVersion, 41); }

// A 3×3 convolution of square images, in as many channels as out.
ConvProblem square(std::int64_t channels, std::int64_t pixels) {
  ConvProblem problem = test::conv3x3(Math::kTf32);
  problem.channels = problem.out_channels = channels;
  problem.input = problem.output = {pixels, pixels};
  return problem;
}

std::vector<CompiledSetting> settings(const ConvProblem& problem) {
  return compiled_settings(engine(), problem, kMultiprocessors);
}

TEST(CompiledSettings, AreKnownForOneEngineOfOneVersion) {
  EXPECT_NE(compiled_engine("cuDNN 9.19.0", 41), nullptr);
  EXPECT_EQ(compiled_engine("cuDNN 9.19.0", 42), nullptr);
  EXPECT_EQ(compiled_engine("cuDNN 9.20.0", 41), nullptr);
  std::set<std::pair<std::int64_t, std::int64_t>> shapes;
  for (const CompiledTile& tile : engine().tiles) {
    EXPECT_LE(tile.setting, engine().last_setting);
    EXPECT_TRUE(shapes.insert({tile.pixels, tile.channels}).second) << tile.setting;
  }
}

// HRNet's: 98 tiles of 32 × 32, as many of 64 × 16; 50 of 128 × 16, which are split.
TEST(CompiledSettings, PreferTilesThatFillTheGpu) {
  const std::vector<CompiledSetting> first = settings(square(18, 56));
  EXPECT_EQ(first[0], (CompiledSetting{41, 1}));
  EXPECT_EQ(first[1], (CompiledSetting{38, 2}));
  EXPECT_EQ(first[2], (CompiledSetting{40, 1}));
}

// On an A100 cuDNN itself chooses by problem, here 128 × 64, 64 × 128 and 64 × 64.
TEST(CompiledSettings, AgreeWithCudnnWhereItChoosesByProblem) {
  ConvProblem problem = square(384, 35);
  problem.channels = 192;
  const std::vector<CompiledSetting> first = compiled_settings(engine(), problem, 108);
  EXPECT_THAT(mapped<std::int64_t>(std::vector(first.begin(), first.begin() + 5), &CompiledSetting::setting),
              IsSupersetOf({22, 23, 24}));
}

TEST(CompiledSettings, SplitTilesOnlyWhereMostMultiprocessorsWouldIdle) {
  for (const ConvProblem& problem : {square(18, 56), square(512, 7), square(512, 20), square(64, 200)}) {
    const std::vector<CompiledSetting> all = settings(problem);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (const auto& [setting, split] : all) {
      EXPECT_TRUE(seen.insert({setting, split}).second);
      const auto tile = std::ranges::find(engine().tiles, setting, &CompiledTile::setting);
      ASSERT_NE(tile, engine().tiles.end());
      const std::int64_t pixels = problem.output.height * problem.output.width;
      const std::int64_t tiles =
          ((pixels + tile->pixels - 1) / tile->pixels) * ((problem.out_channels + tile->channels - 1) / tile->channels);
      EXPECT_TRUE(split == 1 || 2 * tiles < kMultiprocessors) << setting << " of " << tiles << " tiles in " << split;
    }
    for (const CompiledTile& tile : engine().tiles) EXPECT_TRUE(seen.contains({tile.setting, 1}));
  }
  EXPECT_THAT(mapped<std::int64_t>(settings(square(64, 200)), &CompiledSetting::split), Each(1));
  EXPECT_EQ(settings(square(512, 7))[1].split, 4);
}

TEST(CompiledSettings, CountBatchAndGroups) {
  ConvProblem batch = square(64, 7);
  batch.batch = 64;
  EXPECT_EQ(settings(batch), settings(square(64, 56)));
  ConvProblem grouped = square(64, 56);
  grouped.groups = 4;
  EXPECT_NE(settings(grouped), settings(square(64, 56)));
}

TEST(CompiledSettings, LeaveTransposedConvolutionsToCudnn) {
  EXPECT_THAT(settings(test::transposed3x3(Math::kTf32)), IsEmpty());
}

}  // namespace
}  // namespace iosx::gpu
