#include "core/operators/predictor.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <random>

#include "core/base/scratch_folder.h"
#include "core/model/schedule/baselines.h"
#include "core/operators/predicted_device.h"
#include "core/operators/regressors.h"
#include "core/operators/training.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx {
namespace {

using testing::HasSubstr;

// Is a machine whose times follow from FLOPs, bytes and a start, and on which two groups take 0.6 of their sum.
double machine_ms(const OperatorFeatures& x) { return x.flops / 2e8 + (x.bytes_read + x.bytes_written) / 1e7 + 0.01; }

OperatorFeatures random_conv(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<std::int64_t> list) {
    return *(list.begin() + std::uniform_int_distribution<std::ptrdiff_t>(0, std::ssize(list) - 1)(random));
  };
  OperatorFeatures x{.kind = "conv"};
  x.channels = one_of({16, 24, 32, 48, 64, 96, 128, 192, 256});
  x.out_channels = one_of({16, 32, 48, 64, 96, 128, 256});
  x.height = x.width = x.out_height = x.out_width = one_of({7, 10, 14, 20, 28, 40, 56});
  x.kernel_height = x.kernel_width = one_of({1, 3, 5});
  const auto pixels = static_cast<double>(x.height * x.width);
  const auto weights = static_cast<double>(x.channels * x.out_channels * x.kernel_height * x.kernel_width);
  x.flops = 2 * pixels * weights;
  x.bytes_read = 4 * (pixels * static_cast<double>(x.channels) + weights);
  x.bytes_written = 4 * pixels * static_cast<double>(x.out_channels);
  return x;
}

StageSample sample_of(StageFeatures stage) {
  double ms = 0;
  for (const auto& group : stage) {
    for (const OperatorFeatures& x : group) ms += machine_ms(x);
  }
  if (stage.size() > 1) ms *= 0.6;
  return {std::move(stage), ms, {}};
}

std::vector<StageSample> samples(std::uint32_t seed, int alone, int pairs) {
  std::mt19937 random(seed);
  std::vector<StageSample> made;
  for (int i = 0; i < alone; ++i) made.push_back(sample_of({{random_conv(random)}}));
  for (int i = 0; i < pairs; ++i) made.push_back(sample_of({{random_conv(random)}, {random_conv(random)}}));
  return made;
}

PredictionErrors errors_for(const OperatorPredictor& predictor, std::span<const StageSample> of) {
  std::vector<double> measured;
  std::vector<double> predicted;
  for (const StageSample& sample : of) {
    measured.push_back(sample.ms);
    predicted.push_back(predictor.stage_ms(sample.stage));
  }
  return errors_of("", measured, predicted);
}

TEST(OperatorPredictor, LearnsWhatAMachineTakes) {
  const auto predictor = OperatorPredictor::train(samples(1, 400, 150));
  ASSERT_TRUE(predictor) << predictor.error().text();
  EXPECT_TRUE(predictor->knows_side_by_side());
  EXPECT_EQ(predictor->samples_alone(), 400);
  EXPECT_EQ(predictor->samples_together(), 150);
  EXPECT_EQ(predictor->cross_validation().size(), 4U);
  ASSERT_EQ(predictor->errors_by_kind().size(), 2U);
  EXPECT_EQ(predictor->errors_by_kind()[0].what, "side by side");
  EXPECT_EQ(predictor->errors_by_kind()[1].rows, 400);
  std::int64_t rows = 0;
  for (const PredictionErrors& each : predictor->errors_by_time()) rows += each.rows;
  EXPECT_EQ(rows, 550);
  EXPECT_LT(errors_for(*predictor, samples(2, 100, 0)).mean, 0.1);
  EXPECT_LT(errors_for(*predictor, samples(3, 0, 100)).mean, 0.12);
  EXPECT_EQ(predictor->stage_ms(StageFeatures{}), 0);
}

TEST(OperatorPredictor, WithoutAnythingSideBySideAStageTakesTheSum) {
  const auto predictor = OperatorPredictor::train(samples(1, 100, 0));
  ASSERT_TRUE(predictor);
  EXPECT_FALSE(predictor->knows_side_by_side());
  const StageFeatures pair = samples(2, 0, 1).front().stage;
  const auto alone = predictor->alone_ms(pair);
  EXPECT_NEAR(predictor->stage_ms(pair), alone[0] + alone[1], 1e-9);
}

TEST(OperatorPredictor, IsTheSameAfterItWasKept) {
  for (const RegressorKind kind : {RegressorKind::kRidge, RegressorKind::kTrees}) {
    const auto predictor = OperatorPredictor::train(samples(1, 100, 40), {}, kind);
    ASSERT_TRUE(predictor) << predictor.error().text();
    const auto again = OperatorPredictor::restore(predictor->saved());
    ASSERT_TRUE(again) << again.error().text();
    for (const StageSample& sample : samples(5, 20, 20)) {
      EXPECT_FLOAT_EQ(static_cast<float>(again->stage_ms(sample.stage)),
                      static_cast<float>(predictor->stage_ms(sample.stage)));
    }
  }
}

TEST(OperatorPredictor, WhatIsNoPredictorIsRefused) {
  const auto saved = OperatorPredictor::train(samples(1, 100, 40))->saved();
  for (const std::string& bytes :
       {std::string(), std::string("{}"), std::string(100, '\xff'), std::string("{\"learner\":1}")}) {
    for (const RegressorKind kind : {RegressorKind::kRidge, RegressorKind::kTrees}) {
      auto broken = saved;
      broken.kind_alone = kind;
      broken.alone = bytes;
      EXPECT_FALSE(OperatorPredictor::restore(broken)) << bytes;
    }
  }
  auto scaled = saved;
  scaled.scale[0] = 0;
  EXPECT_FALSE(OperatorPredictor::restore(scaled));
  // One that was fitted to other features, or one in the other's place, is none either.
  RidgeRegressor small;
  FeatureMatrix rows{1, {1, 2, 3}};
  ASSERT_TRUE(small.fit(rows, std::vector<float>{1, 2, 3}, {}));
  auto other = saved;
  other.kind_alone = RegressorKind::kRidge;
  other.alone = small.saved();
  EXPECT_FALSE(OperatorPredictor::restore(other));
  auto swapped = saved;
  std::swap(swapped.alone, swapped.together);
  std::swap(swapped.kind_alone, swapped.kind_together);
  EXPECT_FALSE(OperatorPredictor::restore(swapped));
}

// Far outside of what was measured no more is said than what was learned there.
TEST(OperatorPredictor, NothingIsEndless) {
  for (const RegressorKind kind : {RegressorKind::kRidge, RegressorKind::kTrees}) {
    const auto predictor = OperatorPredictor::train(samples(1, 60, 30), {}, kind);
    ASSERT_TRUE(predictor);
    StageFeatures huge = samples(2, 0, 1).front().stage;
    huge[0][0].channels = 1'000'000'000;
    huge[0][0].flops = 1e15;
    for (int i = 0; i < 500; ++i) huge[1].push_back(huge[0][0]);
    EXPECT_TRUE(std::isfinite(predictor->stage_ms(huge)));
    for (const PredictionErrors& each : predictor->cross_validation()) EXPECT_TRUE(std::isfinite(each.mean));
  }
}

TEST(OperatorPredictor, AStopEndsLearning) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(OperatorPredictor::train(samples(1, 60, 30), {stop.get_token(), {}}));
}

TEST(OperatorPredictor, StagesInARowSayNothingOfThoseSideBySide) {
  std::mt19937 random(4);
  auto all = samples(1, 60, 5);
  for (int i = 0; i < 60; ++i) all.push_back(sample_of({{random_conv(random), random_conv(random)}}));
  const auto predictor = OperatorPredictor::train(all);
  ASSERT_TRUE(predictor);
  EXPECT_TRUE(predictor->knows_together());
  EXPECT_FALSE(predictor->knows_side_by_side());
}

TEST(OperatorPredictor, TooLittleToLearnFromIsAnError) {
  EXPECT_THAT(OperatorPredictor::train(samples(1, 19, 100)).error().text(), HasSubstr("too few"));
  EXPECT_FALSE(OperatorPredictor::train({}));
  auto wrong = samples(1, 30, 0);
  wrong[3].ms = std::nan("");
  EXPECT_FALSE(OperatorPredictor::train(wrong));
  wrong[3].ms = -1;
  EXPECT_FALSE(OperatorPredictor::train(wrong));
}

// By the hashes of their names, cards were left out by twos and threes, and parts of the samples by none.
TEST(OperatorPredictor, EveryPartOfTheSamplesHasItsGroups) {
  const std::vector<std::string> cards{"V100", "T4", "P4", "T4", "A100", "P100", "V100"};
  EXPECT_EQ(left_out_parts(cards), (std::vector<std::size_t>{4, 3, 2, 3, 0, 1, 4}));
  std::vector<std::string> many;
  many.reserve(23);
  for (int i = 0; i < 23; ++i) many.emplace_back(1, static_cast<char>('a' + i));
  const auto parts = left_out_parts(many);
  for (std::size_t part = 0; part < kLeftOutParts; ++part) EXPECT_GE(std::ranges::count(parts, part), 4);
  EXPECT_TRUE(left_out_parts({}).empty());
}

// Each of two cards is predicted from the other one. Of one card alone nothing can be said.
TEST(OperatorPredictor, CardsAreLeftOutOneByOne) {
  auto all = samples(1, 120, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].of = i % 2 == 0 ? "a" : "b";
    all[i].rates = {1e12, 1e11, 10};
  }
  const auto predictor = OperatorPredictor::train(all);
  ASSERT_TRUE(predictor) << predictor.error().text();
  for (const PredictionErrors& each : predictor->cross_validation()) {
    EXPECT_EQ(each.rows, 120);
    EXPECT_LT(each.mean, 0.5) << each.what;
  }
  for (StageSample& sample : all) sample.of = "a";
  EXPECT_THAT(OperatorPredictor::train(all).error().text(), HasSubstr("can be left out"));
}

class KeptPredictorTest : public testing::Test {
 protected:
  static std::vector<KnownStage> known(int alone, int pairs) {
    std::vector<KnownStage> stages;
    std::uint64_t key = 0;
    for (StageSample& sample : samples(1, alone, pairs)) {
      KnownStage stage;
      stage.key = {1, ++key};
      stage.set.fingerprint = "fake-1";
      stage.set.device_id = "fake";
      stage.features = std::move(sample.stage);
      stage.latency = {.value = Millis(sample.ms), .samples = 1, .origin = Origin::kMeasured};
      stages.push_back(std::move(stage));
    }
    return stages;
  }
  static KeptPredictor trained(int pairs = 60) {
    TrainingOptions options;
    options.name = "mine";
    auto kept = train_predictor(known(100, pairs), test::FakeDevice().info(), options);
    EXPECT_TRUE(kept) << kept.error().text();
    return std::move(*kept);
  }
  std::filesystem::path file() const { return folder_->path() / "predictors" / "mine.json"; }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(KeptPredictorTest, IsReadAsItWasWritten) {
  const KeptPredictor kept = trained();
  ASSERT_TRUE(write_predictor(file(), kept));
  const auto read = read_predictor(file());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->facts.name, "mine");
  EXPECT_EQ(read->facts.samples, kept.facts.samples);
  EXPECT_EQ(read->facts.errors, kept.facts.errors);
  EXPECT_EQ(predictor_files(file().parent_path()), std::vector{file()});
  EXPECT_TRUE(predictor_files(file().parent_path() / "none").empty());
}

TEST_F(KeptPredictorTest, AModelOfOtherSamplesIsNotTaken) {
  ASSERT_TRUE(write_predictor(file(), trained()));
  const std::filesystem::path model = std::filesystem::path(file()).replace_extension(".model");
  const std::filesystem::path saved = folder_->path() / "saved";
  std::filesystem::copy_file(model, saved);
  TrainingOptions options;
  options.name = "mine";
  ASSERT_TRUE(write_predictor(file(), *train_predictor(known(80, 0), test::FakeDevice().info(), options)));
  std::filesystem::copy_file(saved, model, std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(read_predictor(file()).error().text(), HasSubstr("is not the model of"));
}

TEST_F(KeptPredictorTest, NamesAndDevicesMustBeRight) {
  TrainingOptions options;
  for (const char* name : {"", "../up", "a b", ".hidden"}) {
    options.name = name;
    EXPECT_FALSE(train_predictor(known(30, 0), {}, options)) << name;
  }
  options.name = "two";
  auto stages = known(60, 0);
  stages.front().set.fingerprint = "another";
  EXPECT_THAT(train_predictor(stages, {}, options).error().text(), HasSubstr("2 devices"));
}

TEST_F(KeptPredictorTest, WhatItMustNotSeeIsLeftOut) {
  TrainingOptions options;
  options.name = "mine";
  const auto stages = known(100, 40);
  for (std::size_t i = 0; i < 30; ++i) options.left_out.insert(to_text(stages[i].features));
  const auto kept = train_predictor(stages, {}, options);
  ASSERT_TRUE(kept);
  EXPECT_LE(kept->facts.samples_alone, 70);
  // The same operator beside another one is left out, too.
  options.left_out = {to_text({{stages.back().features[0][0]}})};
  EXPECT_LT(train_predictor(stages, {}, options)->facts.samples_together, 40);
}

TEST_F(KeptPredictorTest, ServesAsADevice) {
  ASSERT_TRUE(write_predictor(file(), trained()));
  std::ofstream(file().parent_path() / "broken.json") << "{";
  DeviceRegistry registry;
  const auto notices = add_predicted_devices(registry, file().parent_path());
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_THAT(notices[0].text(), HasSubstr("broken.json"));
  const auto* const entry = registry.find("predicted:mine");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->info.origin, Origin::kPredicted);
  EXPECT_THAT(entry->info.grade.text(), HasSubstr("off by"));
  const auto device = registry.open("predicted:mine");
  ASSERT_TRUE(device) << device.error().text();
  EXPECT_EQ((*device)->info(), entry->info);

  const Graph graph = test::sample();
  const auto run = load_and_run(**device, lower(graph, greedy_schedule(graph), 1), {.trace = true}, {});
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->latency.origin, Origin::kPredicted);
  EXPECT_FALSE(run->trace.kernels.empty());
  Millis sum{0};
  for (const Latency& stage : run->stage_latencies) sum += stage.value;
  EXPECT_NEAR(sum.count(), run->latency.value.count(), 1e-9);
  EXPECT_TRUE((*device)->measure({}, {}, {}).value().empty());
}

TEST_F(KeptPredictorTest, IsJudgedByKindAndSize) {
  const KeptPredictor kept = trained();
  const auto judged = judge(kept.predictor, {}, known(100, 60));
  ASSERT_EQ(judged.all.size(), 2U);
  EXPECT_EQ(judged.all[0].what, "alone");
  EXPECT_EQ(judged.all[0].rows, 100);
  ASSERT_EQ(judged.kinds.size(), 1U);
  EXPECT_EQ(judged.kinds[0].what, "conv");
  EXPECT_THAT(judged_table(judged), HasSubstr("within 10 %"));
}

}  // namespace
}  // namespace iosx
