// Two operators side by side: what is guessed of them, against what was measured.
#include "core/operators/pairs.h"

#include <gmock/gmock.h>

namespace iosx {
namespace {

constexpr BestRates kRates{.flops_per_ms = 1e9, .bytes_per_ms = 1e8};

OperatorFeatures some(double flops, double bytes) {
  OperatorFeatures x{.kind = "conv"};
  x.flops = flops;
  x.bytes_read = bytes;
  return x;
}

double together(const OperatorFeatures& one, double one_ms, const OperatorFeatures& other, double other_ms) {
  MeasuredPair pair;
  pair.longer = &one;
  pair.shorter = &other;
  pair.longer_ms = one_ms;
  pair.shorter_ms = other_ms;
  return contention_ms(pair, kRates);
}

TEST(ContentionOfPairs, SharesWhatBothNeed) {
  EXPECT_NEAR(together(some(1e9, 0), 1, some(1e9, 0), 1), 2, 1e-6);
  EXPECT_NEAR(together(some(0, 1e8), 1, some(0, 1e8), 1), 2, 1e-6);
  EXPECT_NEAR(together(some(1e9, 0), 1, some(0, 1e8), 1), 1.5, 1e-6);
  EXPECT_NEAR(together(some(5e8, 0), 1, some(5e8, 0), 1), 1.5, 1e-6);
  // Who only waits has half of the units meanwhile; what is left alone goes on as if it had always been.
  EXPECT_NEAR(together(some(3e9, 0), 3, some(0, 0), 1), 3.5, 1e-6);
  EXPECT_NEAR(together(some(3e9, 0), 3, some(1e9, 0), 1), 4, 1e-6);
  // What is faster than the best rates allow keeps its time.
  EXPECT_NEAR(together(some(9e9, 9e8), 1, some(0, 0), 0.5), 1.25, 1e-6);
}

// On a machine where two take 0.6 of their sum, for which a third of the time is waiting.
class PairsOfAMachine : public testing::Test {
 protected:
  PairsOfAMachine() {
    for (std::int64_t i = 1; i <= 60; ++i) add({{one(i)}}, ms(i));
    for (std::int64_t i = 1; i <= 60; ++i) {
      const std::int64_t other = (i * 7) % 60 + 1;
      add({{one(i)}, {one(other)}}, 0.6 * (ms(i) + ms(other)));
    }
    add({{one(1)}, {some(77, 77)}}, 1);  // the second is not known alone
    add({{one(1), one(2)}, {one(3)}}, 1);
  }
  static OperatorFeatures one(std::int64_t i) {
    OperatorFeatures x = some(static_cast<double>(i) * 1e6, static_cast<double>(i) * 1e3);
    x.channels = i;
    return x;
  }
  static double ms(std::int64_t i) { return 0.01 * static_cast<double>(i); }
  void add(StageFeatures features, double took) {
    KnownStage stage;
    stage.key = {1, stages_.size()};
    stage.set.fingerprint = "fake-1";
    stage.features = std::move(features);
    stage.latency = {.value = Millis(took), .samples = 1, .origin = Origin::kMeasured};
    stages_.push_back(std::move(stage));
  }
  std::vector<KnownStage> stages_;
};

TEST_F(PairsOfAMachine, AreFoundWithBothAlone) {
  const auto pairs = measured_pairs(stages_);
  ASSERT_EQ(pairs.size(), 60U);
  for (const MeasuredPair& pair : pairs) {
    EXPECT_GE(pair.longer_ms, pair.shorter_ms);
    EXPECT_NEAR(pair.over_sum(), 0.6, 1e-9);
  }
  stages_[3].set.fingerprint = "another";  // operator 4, which is in two pairs
  EXPECT_EQ(measured_pairs(stages_).size(), 58U);
}

TEST_F(PairsOfAMachine, AreJudgedByWhatIsGuessed) {
  const auto judged = judge_pairs(stages_);
  ASSERT_TRUE(judged) << judged.error().text();
  EXPECT_EQ(judged->pairs, 60);
  EXPECT_NEAR(judged->rates.flops_per_ms, 1e8, 1);
  ASSERT_EQ(judged->guesses.size(), 4U);
  EXPECT_EQ(judged->guesses[0].what, "sum of both");
  EXPECT_NEAR(judged->guesses[0].mean, 1 / 0.6 - 1, 1e-9);
  // All are at the best rate of FLOPs, so that the model finds nothing to share either.
  EXPECT_NEAR(judged->guesses[2].mean, 1 / 0.6 - 1, 1e-6);
  EXPECT_EQ(judged->guesses[3].what, "boosted trees");
  EXPECT_LT(judged->guesses[3].mean, 0.3);

  const std::vector<KnownStage> few(stages_.begin(), stages_.begin() + 19);
  EXPECT_EQ(judge_pairs(few)->pairs, 0);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(judge_pairs(stages_, {stop.get_token(), {}}));
}

}  // namespace
}  // namespace iosx
