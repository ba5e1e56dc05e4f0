#include "core/operators/profiling.h"
#include "core/base/files.h"
#include "core/operators/pairs.h"
#include "core/operators/query.h"
#include "core/operators/recorded.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

class OperatorProfiling : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = must(MeasurementStore::open(folder_->path() / "store.db"));
    store_ = std::move(opened);
  }
  OperatorProfile profile(std::size_t most) {
    OperatorProfileOptions options{.most = most};
    const auto found = profile_operators(graph_, device_, *store_, "test", options, {});
    EXPECT_TRUE(found) << found.error().text();
    return found.value_or(OperatorProfile{});
  }
  Graph graph_ = *grid_of(
      "conv channels=8,16,32,64 filters=8,16,32 size=8,16 kernel=1,3\npool channels=8,16 size=8,16\nrelu channels=8,16 "
      "size=8,16",
      "");
  test::FakeDevice device_{Origin::kMeasured};
  Result<ScratchFolder> folder_ = ScratchFolder::make();
  std::unique_ptr<MeasurementStore> store_;
};

TEST_F(OperatorProfiling, MeasuresNoMoreThanWantedAndKeepsIt) {
  const OperatorProfile first = profile(120);
  EXPECT_EQ(first.measured, 120);
  EXPECT_EQ(first.known, 0);
  EXPECT_GE(first.alone, 40);
  EXPECT_GE(first.together, 20);
  const auto stages = must(known_stages(*store_, {}));
  EXPECT_EQ(stages.size(), 120U);
  for (const KnownStage& stage : stages) {
    EXPECT_EQ(stage.set.device_id, device_.info().id);
    EXPECT_GT(stage.latency.value.count(), 0);
    EXPECT_FALSE(stage.features.empty());
  }
  // A second run goes on where the first one ended.
  const OperatorProfile second = profile(10);
  EXPECT_EQ(second.known, 120);
  EXPECT_EQ(second.measured, 10);
}

TEST_F(OperatorProfiling, AStopKeepsWhatWasMeasured) {
  std::stop_source stop;
  device_.before_measure = [&] {
    if (device_.plans_measured == 30) stop.request_stop();
  };
  const auto found = must(profile_operators(graph_, device_, *store_, "test", {}, {stop.get_token(), {}}));
  EXPECT_LT(found.measured, 100);
  EXPECT_EQ(static_cast<std::int64_t>(known_stages(*store_, {})->size()), found.measured);
}

TEST_F(OperatorProfiling, StagesAreFoundByConditions) {
  profile(150);
  const auto stages = *known_stages(*store_, {});
  const auto count = [&](const std::vector<std::string>& words) {
    const auto query = must(OperatorQuery::parse(words));
    return std::ranges::count_if(stages, [&](const KnownStage& stage) { return query.fits(stage); });
  };
  EXPECT_EQ(count({}), 150);
  EXPECT_GT(count({"kind=conv", "kernel=3", "channels>=32"}), 0);
  EXPECT_LT(count({"kind=conv", "kernel=3", "channels>=32"}), count({"kind=conv"}));
  EXPECT_EQ(count({"side_by_side=1", "operators=1"}) + count({"operators>1"}), 150);
  EXPECT_EQ(count({"ms<0"}), 0);
  EXPECT_GT(count({"kind!=conv"}), 0);
  EXPECT_EQ(count({"kind=conv kernel=3 channels>=32"}), count({"kind=conv", "kernel=3", "channels>=32"}));
  EXPECT_GT(count({"kind=max", "pool"}), 0);
  for (const char* wrong :
       {"kind", "kind=convolution", "kind<conv", "colour=3", "kernel=three", "kernel=3x", "=3", "kernel=nan"}) {
    EXPECT_FALSE(OperatorQuery::parse(std::vector<std::string>{wrong})) << wrong;
  }
  const std::string csv = table_csv(operator_list(stages));
  EXPECT_THAT(csv, StartsWith("device,origin,precision,stage,side_by_side,group,kind,batch,channels"));
  EXPECT_GT(std::ranges::count(csv, '\n'), 150);
}

TEST_F(OperatorProfiling, APairIsComparedWithItsPartsAlone) {
  profile(400);
  const OperatorInsight insight = look_into(*known_stages(*store_, {}));
  ASSERT_GT(insight.pairs, 10);
  // The fake device takes 0.1 ms and its longest lane, of one kernel each 1 ms: 1.1 of 2.2.
  for (const PairOfKinds& each : insight.kinds) {
    EXPECT_NEAR(each.over_sum, 0.5, 1e-6);
    EXPECT_NEAR(each.over_longer, 1, 1e-6);
  }
  EXPECT_THAT(insight_table(insight), HasSubstr("conv | conv"));
  EXPECT_THAT(insight_svg(insight), HasSubstr("fill=\"#005aa0\""));  // as blue as it gets
  OperatorInsight lost = insight;
  for (PairOfKinds& each : lost.kinds) each.over_sum = 1.5;
  EXPECT_THAT(insight_svg(lost), AllOf(HasSubstr("fill=\"#be3214\""), HasSubstr("</svg>")));
  EXPECT_THAT(insight_table(look_into({})), HasSubstr("0 operators alone"));
}

TEST_F(OperatorProfiling, WhatStagesAreGoesWithTheirMeasurements) {
  profile(40);
  auto other = must(MeasurementStore::open(folder_->path() / "other.db"));
  ASSERT_TRUE(other->merge(store_->file()));
  EXPECT_EQ(known_stages(*other, {})->size(), 40U);
  ASSERT_TRUE(other->prune({}));
  EXPECT_TRUE(known_stages(*other, {})->empty());
  EXPECT_TRUE(known_stages(*store_, MeasurementFilter{.device = "another"})->empty());
}

// Is what a taker was given.
struct RecordedSet {
  MeasurementSet set;
  std::vector<Measurement> measurements;
  std::vector<DescribedStage> stages;
};

RecordedOperators collected(std::span<const MeasuredOperator> rows) {
  RecordedOperators recorded;
  for (const MeasuredOperator& row : rows) recorded.add(row);
  return recorded;
}

std::vector<RecordedSet> handed_over(RecordedOperators recorded) {
  std::vector<RecordedSet> sets;
  EXPECT_TRUE(std::move(recorded).hand_over(
      {},
      [&](const MeasurementSet& set, std::span<const Measurement> measurements,
          std::span<const DescribedStage> stages) -> Result<void> {
        sets.push_back({set, {measurements.begin(), measurements.end()}, {stages.begin(), stages.end()}});
        return {};
      }));
  return sets;
}

TEST(RecordedOperators, LoseTheHostsTime) {
  const auto table =
      must(read_operators("source,device,precision,order,op,latency_ms,rows,columns\n"
                          "neusight,Tesla T4,float32,1,add,1.013023,1024,1024\n"
                          "neusight,Tesla T4,float32,2,add,2.013023,1024,1024\n"
                          "neusight,Tesla T4,float32,3,add,1.513023,1024,1024\n"
                          "neusight,Tesla T4,float32,4,add,0.014,64,64\n"
                          "mine,My card,float32,,relu,0.5,64,64\n",
                          "table"));
  RecordedOperators recorded = collected(table);
  EXPECT_EQ(recorded.skipped(), 1);  // hardly more than the host's
  const std::vector<RecordedSet> sets = handed_over(std::move(recorded));
  ASSERT_EQ(sets.size(), 2U);
  const RecordedSet& card = sets[1];
  EXPECT_EQ(card.set.device_id, "Tesla T4");
  EXPECT_EQ(card.set.origin, Origin::kRecorded);
  ASSERT_EQ(card.measurements.size(), 1U);
  EXPECT_NEAR(card.measurements[0].latency.value.count(), 1.5, 1e-3);  // the median
  ASSERT_EQ(card.stages.size(), 1U);
  EXPECT_EQ(card.stages[0].key, card.measurements[0].key);
  EXPECT_EQ(parse_stage_features(card.stages[0].features, "")->at(0).at(0).kind, "elementwise");
  EXPECT_EQ(sets[0].measurements[0].latency.value, Millis(0.5));
  EXPECT_TRUE(rates_of_card("Tesla T4"));
  EXPECT_FALSE(rates_of_card("My card"));
}

// A table of any size is read line by line, and written some thousand rows at a time, in the order of keys.
TEST(RecordedOperators, OfALargeTableComeInPieces) {
  const auto folder = must(ScratchFolder::make());
  const std::filesystem::path file = folder.path() / "large.csv";
  std::ofstream(file) << [] {
    std::string text = "\xEF\xBB\xBFsource,device,precision,op,latency_ms,rows,columns\r\n";
    for (int i = 1; i <= 12000; ++i) text += "mine,My card,float32,relu,1," + std::to_string(i) + ",64\r\n";
    return text + "mine,My card,float32,relu,3,1,64";  // without an end, and a shape that was there
  }();
  RecordedOperators recorded;
  ASSERT_TRUE(visit_operators(file, [&](const MeasuredOperator& row) { recorded.add(row); }));
  std::size_t rows = 0;
  StageKey last{};
  for (const RecordedSet& piece : handed_over(std::move(recorded))) {
    EXPECT_LE(piece.measurements.size(), 5000U);
    EXPECT_EQ(piece.stages.size(), piece.measurements.size());
    for (const Measurement& each : piece.measurements) {
      EXPECT_LT(last, each.key);
      last = each.key;
      EXPECT_EQ(each.latency.value, Millis(each.latency.samples == 2 ? 3 : 1));
    }
    rows += piece.measurements.size();
  }
  EXPECT_EQ(rows, 12000U);

  std::ofstream(file)
      << "source,device,precision,op,latency_ms,rows,columns\na,b,float32,relu,1,2,3\na,b,float32,relu,x,2,3";
  EXPECT_THAT(refused(visit_operators(file, [](const MeasuredOperator& /*row*/) {})).text(), HasSubstr("line 3"));
  std::string wide = "\xFF\xFE";  // in UTF-16, as some programs write tables
  for (const char c : std::string("source,device,precision,op,latency_ms,rows,columns\na,b,float32,relu,1,2,3\n")) {
    wide += {c, '\0'};
  }
  std::ofstream(file, std::ios::binary) << wide;
  std::string device;
  ASSERT_TRUE(visit_operators(file, [&](const MeasuredOperator& row) { device = row.device; }));
  EXPECT_EQ(device, "b");
  EXPECT_FALSE(visit_operators(folder.path() / "none.csv", [](const MeasuredOperator& /*row*/) {}));
}

TEST(RecordedOperators, AreReadInTheUnitThatTheColumnNames) {
  const auto us =
      must(read_operators("source,device,precision,op,latency_us,rows,columns\na,b,float32,relu,500,2,3\n", ""));
  EXPECT_DOUBLE_EQ(us.front().us, 500);
  const auto s =
      must(read_operators("source,device,precision,op,latency_s,rows,columns\na,b,float32,relu,0.5,2,3\n", ""));
  EXPECT_DOUBLE_EQ(s.front().us, 5e5);
  EXPECT_FALSE(read_operators("source,device,precision,op,time,rows,columns\na,b,float32,relu,5,2,3\n", ""));
}

TEST(RecordedOperators, WhatNoDeviceDoesIsLeftOutAndWhatNoTableSaysIsAnError) {
  const std::string conv = "source,device,precision,latency_ms,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w\n";
  const auto table = must(read_operators(conv + "a,b,float32,1,1000000,1000000,1000,1000,1000000,1,1,0,0,1,1\n", ""));
  EXPECT_EQ(collected(table).skipped(), 1);
  const std::string rows = "source,device,precision,op,latency_ms,rows,columns\n";
  for (const std::string& wrong : {rows, rows + "a,b,float32,banana,1,2,3\n", rows + ",b,float32,relu,1,2,3\n",
                                   rows + "a,b,float32,relu,1,1.7,3\n", rows + "a,b,float32,relu,1,1e12,3\n",
                                   std::string("source;device;precision\na;b;float32\n")}) {
    EXPECT_FALSE(read_operators(wrong, "t.csv")) << wrong;
  }
}

// Two operators side by side: what is guessed of them, against what was measured.

constexpr BestRates kRates{.flops_per_ms = 1e9, .bytes_per_ms = 1e8};

OperatorFeatures some(double flops, double bytes) {
  OperatorFeatures x{.kind = "conv"};
  x.flops = flops;
  x.bytes_read = bytes;
  return x;
}

double together(const OperatorFeatures& one, double one_ms, const OperatorFeatures& other, double other_ms) {
  MeasuredPair pair{.longer = &one, .shorter = &other, .longer_ms = one_ms, .shorter_ms = other_ms};
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
    KnownStage stage{.key = {1, stages_.size()}};
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
  const auto judged = must(judge_pairs(stages_));
  EXPECT_EQ(judged.pairs, 60);
  EXPECT_NEAR(judged.rates.flops_per_ms, 1e8, 1);
  ASSERT_EQ(judged.guesses.size(), 4U);
  EXPECT_EQ(judged.guesses[0].what, "sum of both");
  EXPECT_NEAR(judged.guesses[0].mean, 1 / 0.6 - 1, 1e-9);
  // All are at the best rate of FLOPs, so that the model finds nothing to share either.
  EXPECT_NEAR(judged.guesses[2].mean, 1 / 0.6 - 1, 1e-6);
  EXPECT_EQ(judged.guesses[3].what, "boosted trees");
  EXPECT_LT(judged.guesses[3].mean, 0.3);

  const std::vector<KnownStage> few(stages_.begin(), stages_.begin() + 19);
  EXPECT_EQ(judge_pairs(few)->pairs, 0);
  EXPECT_FALSE(judge_pairs(stages_, {stopped_token(), {}}));
}

}  // namespace

}  // namespace iosx
