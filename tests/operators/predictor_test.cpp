#include "core/operators/predictor.h"
#include "core/base/files.h"
#include "core/base/json/text_file.h"
#include "core/model/schedule/baselines.h"
#include "core/operators/recorded.h"
#include "core/operators/training.h"
#include "tests/support/attacks.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

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
  const auto predictor = must(OperatorPredictor::train(samples(1, 400, 150)));
  EXPECT_TRUE(predictor.knows_side_by_side());
  EXPECT_EQ(predictor.facts().samples_alone, 400);
  EXPECT_EQ(predictor.facts().samples_together, 150);
  EXPECT_EQ(predictor.facts().cross_validation.size(), 4U);
  ASSERT_EQ(predictor.facts().errors_by_kind.size(), 2U);
  EXPECT_EQ(predictor.facts().errors_by_kind[0].what, "side by side");
  EXPECT_EQ(predictor.facts().errors_by_kind[1].rows, 400);
  std::int64_t rows = 0;
  for (const PredictionErrors& each : predictor.facts().errors_by_time) rows += each.rows;
  EXPECT_EQ(rows, 550);
  EXPECT_LT(errors_for(predictor, samples(2, 100, 0)).mean, 0.1);
  EXPECT_LT(errors_for(predictor, samples(3, 0, 100)).mean, 0.12);
  EXPECT_EQ(predictor.stage_ms(StageFeatures{}), 0);
}

TEST(OperatorPredictor, WithoutAnythingSideBySideAStageTakesTheSum) {
  const auto predictor = must(OperatorPredictor::train(samples(1, 100, 0)));
  EXPECT_FALSE(predictor.knows_side_by_side());
  const StageFeatures pair = samples(2, 0, 1).front().stage;
  const auto alone = predictor.alone_ms(pair);
  EXPECT_NEAR(predictor.stage_ms(pair), alone[0] + alone[1], 1e-9);
}

TEST(OperatorPredictor, IsTheSameAfterItWasKept) {
  for (const RegressorKind kind : {RegressorKind::kRidge, RegressorKind::kTrees}) {
    const auto predictor = must(OperatorPredictor::train(samples(1, 100, 40), {}, kind));
    const auto again = must(OperatorPredictor::restore(predictor.saved()));
    for (const StageSample& sample : samples(5, 20, 20)) {
      EXPECT_FLOAT_EQ(static_cast<float>(again.stage_ms(sample.stage)),
                      static_cast<float>(predictor.stage_ms(sample.stage)));
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
  const auto small = make_regressor(RegressorKind::kRidge);
  FeatureMatrix rows{1, {1, 2, 3}};
  ASSERT_TRUE(small->fit(rows, std::vector<float>{1, 2, 3}, {}));
  auto other = saved;
  other.kind_alone = RegressorKind::kRidge;
  other.alone = small->saved();
  EXPECT_FALSE(OperatorPredictor::restore(other));
  auto swapped = saved;
  std::swap(swapped.alone, swapped.together);
  std::swap(swapped.kind_alone, swapped.kind_together);
  EXPECT_FALSE(OperatorPredictor::restore(swapped));
}

// Far outside of what was measured no more is said than what was learned there.
TEST(OperatorPredictor, NothingIsEndless) {
  for (const RegressorKind kind : {RegressorKind::kRidge, RegressorKind::kTrees}) {
    const auto predictor = must(OperatorPredictor::train(samples(1, 60, 30), {}, kind));
    StageFeatures huge = samples(2, 0, 1).front().stage;
    huge[0][0].channels = 1'000'000'000;
    huge[0][0].flops = 1e15;
    for (int i = 0; i < 500; ++i) huge[1].push_back(huge[0][0]);
    EXPECT_TRUE(std::isfinite(predictor.stage_ms(huge)));
    for (const PredictionErrors& each : predictor.facts().cross_validation) EXPECT_TRUE(std::isfinite(each.mean));
  }
}

TEST(OperatorPredictor, AStopEndsLearning) {
  EXPECT_FALSE(OperatorPredictor::train(samples(1, 60, 30), {stopped_token(), {}}));
}

TEST(OperatorPredictor, StagesInARowSayNothingOfThoseSideBySide) {
  std::mt19937 random(4);
  auto all = samples(1, 60, 5);
  for (int i = 0; i < 60; ++i) all.push_back(sample_of({{random_conv(random), random_conv(random)}}));
  const auto predictor = must(OperatorPredictor::train(all));
  EXPECT_TRUE(predictor.knows_together());
  EXPECT_FALSE(predictor.knows_side_by_side());
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
  const auto predictor = must(OperatorPredictor::train(all));
  for (const PredictionErrors& each : predictor.facts().cross_validation) {
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
      KnownStage stage{.key = {1, ++key}};
      stage.set.fingerprint = "fake-1";
      stage.set.device_id = "fake";
      stage.features = std::move(sample.stage);
      stage.latency = {.value = Millis(sample.ms), .samples = 1, .origin = Origin::kMeasured};
      stages.push_back(std::move(stage));
    }
    return stages;
  }
  static KeptPredictor trained(int pairs = 60) {
    TrainingOptions options{.name = "mine"};
    return must(train_predictor(known(100, pairs), test::FakeDevice().info(), options));
  }
  std::filesystem::path file() const { return folder_->path() / "predictors" / "mine.json"; }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(KeptPredictorTest, IsReadAsItWasWritten) {
  const KeptPredictor kept = trained();
  ASSERT_TRUE(write_predictor(file(), kept));
  const auto read = must(read_predictor(file()));
  EXPECT_EQ(read.facts.name, "mine");
  EXPECT_EQ(read.facts.samples, kept.facts.samples);
  EXPECT_EQ(read.facts.errors, kept.facts.errors);
  EXPECT_EQ(predictor_files(file().parent_path()), std::vector{file()});
  EXPECT_TRUE(predictor_files(file().parent_path() / "none").empty());
  for (const auto& entry : std::filesystem::directory_iterator(file().parent_path())) {
    EXPECT_EQ(entry.status().permissions(), std::filesystem::perms(0600)) << entry.path();
  }
}

TEST_F(KeptPredictorTest, AModelOfOtherSamplesIsNotTaken) {
  ASSERT_TRUE(write_predictor(file(), trained()));
  const std::filesystem::path model = std::filesystem::path(file()).replace_extension(".model");
  const std::filesystem::path saved = folder_->path() / "saved";
  std::filesystem::copy_file(model, saved);
  TrainingOptions options{.name = "mine"};
  ASSERT_TRUE(write_predictor(file(), *train_predictor(known(80, 0), test::FakeDevice().info(), options)));
  std::filesystem::copy_file(saved, model, std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(read_predictor(file()).error().text(), HasSubstr("is not the model of"));
}

// Files that crashed XGBoost, or that it walked for ever.
TEST_F(KeptPredictorTest, HostileFilesAreRefused) {
  const auto cases = test::reference_folder().parent_path() / "cases/second/rel";
  if (!std::filesystem::is_directory(cases)) GTEST_SKIP() << "the second set of cases is not here";
  for (const char* name : {"predictor-oob", "predictor-oob-neg", "predictor-selfloop", "predictor-fuzz-SIG11-1"}) {
    const auto file = cases / name / "ios-explorer/predictors/evil.json";
    ASSERT_TRUE(read_predictor_facts(file)) << name;
    EXPECT_THAT(refused(read_predictor(file)).text(), HasSubstr("contains no predictor")) << name;
  }
}

// Whatever else is in the two files, reading them and predicting with them ends.
TEST_F(KeptPredictorTest, AnyOtherFilesAreReadOrRefused) {
  ASSERT_TRUE(write_predictor(file(), trained()));
  const std::filesystem::path model = std::filesystem::path(file()).replace_extension(".model");
  const std::string facts = must(read_text_file(file()));
  const std::string numbers = must(read_text_file(model));
  const OperatorPredictor::Saved saved = must(read_predictor(file())).predictor.saved();
  const auto stages = mapped<StageFeatures>(samples(3, 2, 2), &StageSample::stage);
  const auto expect_numbers = [&](const OperatorPredictor& predictor) {
    for (const double ms : predictor.stage_ms(stages)) EXPECT_TRUE(std::isfinite(ms)) << ms;
  };
  test::attack_often(500 / test::every(10), [&](std::mt19937& random) {
    const auto which = random() % 3;
    test::write_file(file(), which == 1 ? facts : test::attacked(facts, random));
    test::write_file(model, which == 0 ? numbers : test::attacked(numbers, random));
    if (const auto read = read_predictor(file())) expect_numbers(read->predictor);
    // A file may have the hash of its trees.
    OperatorPredictor::Saved other = saved;
    std::string& trees = random() % 2 == 0 ? other.alone : other.together;
    trees = test::attacked(trees, random);
    if (const auto read = OperatorPredictor::restore(other)) expect_numbers(*read);
  });
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
  TrainingOptions options{.name = "mine"};
  const auto stages = known(100, 40);
  for (std::size_t i = 0; i < 30; ++i) options.left_out.insert(to_text(stages[i].features));
  EXPECT_LE(must(train_predictor(stages, {}, options)).facts.samples_alone, 70);
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
  const auto* const entry = must(registry.find("predicted:mine"));
  EXPECT_EQ(entry->info.origin, Origin::kPredicted);
  EXPECT_THAT(entry->info.grade.text(), HasSubstr("off by"));
  const auto device = must(registry.open("predicted:mine"));
  EXPECT_EQ(device->info(), entry->info);

  const Graph graph = test::sample();
  const auto run = must(load_and_run(*device, lower(graph, greedy_schedule(graph), 1), {.trace = true}, {}));
  EXPECT_EQ(run.latency.origin, Origin::kPredicted);
  EXPECT_FALSE(run.trace.kernels.empty());
  Millis sum{0};
  for (const Latency& stage : run.stage_latencies) sum += stage.value;
  EXPECT_NEAR(sum.count(), run.latency.value.count(), 1e-9);
  EXPECT_TRUE(device->measure({}, {}, {}).value().empty());
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

StageFeatures only_stage(const Graph& graph) {
  StagePlanner planner(graph, 1, {});
  CandidateOptions options{.together = 0};
  const auto candidates = candidates_of(planner, options);
  EXPECT_EQ(candidates.size(), 1U);
  return candidates.front().features;
}

TEST(OperatorFeatures, SayWhatAConvolutionIs) {
  const auto grid = must(grid_of("conv channels=64 filters=32 size=28 kernel=3 stride=2 groups=4", "grid"));
  const StageFeatures stage = only_stage(grid);
  ASSERT_TRUE(is_alone(stage));
  const OperatorFeatures& x = stage[0][0];
  EXPECT_EQ(x.kind, "conv");
  EXPECT_EQ(x.channels, 64);
  EXPECT_EQ(x.height, 28);
  EXPECT_EQ(x.out_channels, 32);
  EXPECT_EQ(x.out_height, 14);
  EXPECT_EQ(x.kernel_height, 3);
  EXPECT_EQ(x.stride, 2);
  EXPECT_EQ(x.groups, 4);
  EXPECT_GE(x.flops, 2.0 * 32 * 14 * 14 * 16 * 9);
}

// What others measured and what a plan holds must be the same to a predictor.
TEST(OperatorFeatures, OfATableAreThoseOfAPlan) {
  const auto close = [](const OperatorFeatures& a, const OperatorFeatures& b) {
    EXPECT_EQ(a.kind, b.kind);
    for (const FeatureColumn& column : feature_columns()) {
      if (column.name == "function") continue;  // a grid's convolutions have a ReLU
      EXPECT_NEAR(column.value(a), column.value(b), 0.03 * column.value(b)) << column.name;
    }
  };
  MeasuredOperator conv;
  conv.op = "conv";
  conv.channels = 64;
  conv.height = conv.width = 28;
  conv.filters = 128;
  conv.filter_height = conv.filter_width = 3;
  conv.pad_height = conv.pad_width = 1;
  close(features_of(conv), only_stage(*grid_of("conv channels=64 filters=128 size=28 kernel=3", ""))[0][0]);
  MeasuredOperator linear{.kind = MeasuredKind::kMatrix};
  linear.op = "linear";
  linear.rows = 128;
  linear.depth = 512;
  linear.columns = 1024;
  close(features_of(linear), only_stage(*grid_of("linear features=512 outputs=1024 rows=128", ""))[0][0]);
  MeasuredOperator product{.kind = MeasuredKind::kMatrix, .op = "bmm", .batch = 12, .rows = 64};
  product.depth = 32;
  product.columns = 48;
  close(features_of(product), only_stage(*grid_of("matmul matrices=12 rows=64 columns=48 depth=32", ""))[0][0]);
  MeasuredOperator add{.kind = MeasuredKind::kStream};
  add.op = "add";
  add.rows = 64;
  add.columns = 28 * 28;
  const OperatorFeatures of_plan = only_stage(*grid_of("add channels=64 size=28", ""))[0][0];
  EXPECT_EQ(features_of(add).kind, of_plan.kind);
  EXPECT_EQ(features_of(add).bytes_read, of_plan.bytes_read);
  EXPECT_EQ(features_of(add).bytes_written, of_plan.bytes_written);
}

// The kinds that gpu_launch_bench's table has besides.
TEST(OperatorFeatures, OfAMeasuredPoolAreThoseOfAPlan) {
  MeasuredOperator depthwise{.op = "conv"};
  depthwise.channels = depthwise.filters = depthwise.groups = 8;
  depthwise.height = depthwise.width = 16;
  depthwise.filter_height = depthwise.filter_width = 3;
  depthwise.pad_height = depthwise.pad_width = 1;
  OperatorFeatures found = features_of(depthwise);
  OperatorFeatures of_plan = only_stage(*grid_of("depthwise channels=8 size=16 kernel=3 stride=1", ""))[0][0];
  EXPECT_EQ(found.kind, "depthwise");
  EXPECT_EQ(found.kind, of_plan.kind);
  EXPECT_EQ(found.groups, of_plan.groups);
  EXPECT_EQ(found.flops, 2.0 * 8 * 16 * 16 * 9);
  MeasuredOperator pool{.kind = MeasuredKind::kPool, .op = "max_pool"};
  pool.channels = pool.filters = 8;
  pool.height = pool.width = 16;
  pool.filter_height = pool.filter_width = 3;
  pool.pad_height = pool.pad_width = 1;
  pool.stride_height = pool.stride_width = 2;
  found = features_of(pool);
  of_plan = only_stage(*grid_of("pool channels=8 size=16 kernel=3 stride=2", ""))[0][0];
  EXPECT_EQ(found.kind, of_plan.kind);
  EXPECT_EQ(found.flops, of_plan.flops);
  EXPECT_EQ(found.stride, of_plan.stride);
  EXPECT_EQ(found.bytes_written, of_plan.bytes_written);
  pool.op = "global_pool";
  pool.filter_height = pool.filter_width = 16;
  pool.pad_height = pool.pad_width = 0;
  found = features_of(pool);
  EXPECT_EQ(found.kind, "global pool");
  EXPECT_EQ(found.out_height * found.out_width, 1);
  EXPECT_EQ(found.flops, 8.0 * 16 * 16);
}

TEST(OperatorFeatures, ATextIsReadAsItWasWritten) {
  const StageFeatures stage = {{{.kind = "conv", .channels = 3}, {.kind = "max pool"}}, {{.kind = "linear"}}};
  EXPECT_EQ(parse_stage_features(to_text(stage), "").value(), stage);
  for (const char* text : {"", "{", "[]", R"({"format":"iosx-stage","version":2,"content":[]})",
                           R"({"format":"iosx-stage","version":1,"content":[[{"kind":"conv"}]]})",
                           R"({"format":"iosx-stage","version":1,"content":7})"}) {
    EXPECT_FALSE(parse_stage_features(text, "here")) << text;
  }
}

TEST(OperatorGrid, MakesEveryCombination) {
  const auto grid = must(grid_of(
      "# a grid\n"
      "conv channels=8,16 filters=8 size=8,16 kernel=1,3\n"
      "\n"
      "depthwise channels=8 size=8\n"
      "pool channels=8 size=8\nrelu channels=8 size=8\nmul channels=8 size=8\nsoftmax channels=8 size=8  # of rows\n"
      "linear features=8 outputs=4\n",
      "grid"));
  EXPECT_EQ(grid.units().size(), 8U + 6U);
  StagePlanner planner(grid, 1, {});
  EXPECT_EQ(candidates_of(planner, CandidateOptions{.together = 0}).size(), 8U + 6U);
}

TEST(OperatorGrid, AMistakeIsOneLineThatNamesIt) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& each : {Case{"", "has no operators"}, Case{"# nothing", "has no operators"},
                           Case{"\nconvolution channels=1", "line 2: 'convolution' is not a kind"},
                           Case{"conv channels=8 filters=8", "does not give 'size'"},
                           Case{"conv channels=8 filters=8 size=0", "'0' is not a size"},
                           Case{"conv channels=8 filters=8 size=1e99", "'1e99' is not a size"},
                           Case{"conv channels=8 filters=8 size=4 colour=3", "'colour=3' is not a size of conv"},
                           Case{"conv channels=7 filters=8 size=4 groups=2", "groups"},
                           Case{"pool channels=8 size=1 kernel=200000", "line 1"}}) {
    const auto grid = grid_of(each.text, "grid.txt");
    ASSERT_FALSE(grid) << each.text;
    EXPECT_THAT(grid.error().line().text(), HasSubstr(each.says)) << each.text;
    EXPECT_THAT(grid.error().line().text(), HasSubstr("grid.txt"));
  }
  std::string many = "conv channels=1";
  for (int i = 2; i < 200; ++i) many += "," + std::to_string(i);
  many += " filters=1";
  for (int i = 2; i < 200; ++i) many += "," + std::to_string(i);
  EXPECT_THAT(grid_of(many + " size=8", "").error().text(), HasSubstr("more than 20000 operators"));
}

TEST(OperatorCandidates, NothingSideBySideIsOrdered) {
  const Graph graph = test::sample();
  StagePlanner planner(graph, 1, {});
  const auto candidates = candidates_of(planner, {});
  std::size_t alone = 0;
  std::size_t several = 0;
  for (const Candidate& candidate : candidates) {
    alone += is_alone(candidate.features) ? 1 : 0;
    several += candidate.features.size() > 1 ? 1 : 0;
    const auto reads = [&](UnitId unit, UnitId other) {
      const auto list = graph.predecessors(unit);
      return std::ranges::find(list, other) != list.end();
    };
    const std::vector<Group>& groups = candidate.stage.stage.groups;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = 0; b < groups.size(); ++b) {
        if (a == b) continue;
        for (const Step& one : groups[a].steps) {
          for (const Step& other : groups[b].steps) EXPECT_FALSE(reads(one.units[0], other.units[0]));
        }
      }
    }
  }
  EXPECT_EQ(alone, 3U);  // a and c are the same to a device, b and d too; the concatenation copies
  EXPECT_GE(several, 3U);
  // The same draw each time.
  EXPECT_EQ(candidates_of(planner, {}).size(), candidates.size());
}

}  // namespace

}  // namespace iosx
