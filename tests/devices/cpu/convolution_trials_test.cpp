#include "core/devices/cpu/convolution_trials.h"
#include "core/devices/cpu/onednn.h"
#include "core/model/layout/layout.h"
#include "tests/support/prelude.h"

namespace iosx::cpu {
namespace {

using dnnl::memory;

using Way = ConvolutionWay;

TEST(ConvolutionTrials, AreForFormatsWithSomethingToGain) {
  EXPECT_TRUE(may_gain_from_formats("jit:avx2"));
  EXPECT_TRUE(may_gain_from_formats("jit_1x1:avx2"));
  EXPECT_FALSE(may_gain_from_formats("jit_dw:avx2"));
  EXPECT_FALSE(may_gain_from_formats("brgconv:avx512_core"));
}

// Keeps in a map that lives on, as a store's file does.
class Keeper final : public MethodKeeper {
 public:
  using Kept = std::map<std::string, std::string>;
  explicit Keeper(Kept& kept) : kept_(kept) {}
  std::optional<std::string> find(const std::string& problem) override {
    const auto at = kept_.find(problem);
    return at == kept_.end() ? std::nullopt : std::optional(at->second);
  }
  std::string keep(const std::string& problem, const std::string& method) override {
    return kept_.emplace(problem, method).first->second;
  }

 private:
  Kept& kept_;
};

const auto never = []() -> std::optional<Way> {
  ADD_FAILURE() << "nothing should be tried";
  return std::nullopt;
};

TEST(ConvolutionTrials, AreMadeOnceForEachProblem) {
  Keeper::Kept kept;
  ConvolutionTrials trials;
  trials.set_keeper(std::make_unique<Keeper>(kept));
  EXPECT_EQ(trials.way("a", Way::kPlain, [] { return std::optional(Way::kWinograd); }), Way::kWinograd);
  EXPECT_EQ(trials.way("a", Way::kPlain, never), Way::kWinograd);
  EXPECT_EQ(trials.way("b", Way::kPlain, [] { return std::optional(Way::kOwnFormats); }), Way::kOwnFormats);
  EXPECT_EQ(trials.way("b", Way::kPlain, never), Way::kOwnFormats);
  EXPECT_EQ(kept, (Keeper::Kept{{"a", "winograd"}, {"b", "own formats"}}));
}

TEST(ConvolutionTrials, AreNotMadeForWhatIsKept) {
  Keeper::Kept kept{{"a", "winograd"}, {"b", "plain"}, {"c", "a method of a later program"}};
  ConvolutionTrials trials;
  trials.set_keeper(std::make_unique<Keeper>(kept));
  EXPECT_EQ(trials.way("a", Way::kPlain, never), Way::kWinograd);
  EXPECT_EQ(trials.way("b", Way::kWinograd, never), Way::kPlain);
  EXPECT_EQ(trials.way("c", Way::kWinograd, never), Way::kPlain);
}

TEST(ConvolutionTrials, GiveWayToWhoKeptFirst) {
  Keeper::Kept kept;
  ConvolutionTrials trials;
  trials.set_keeper(std::make_unique<Keeper>(kept));
  const auto overtaken = [&] {
    kept["a"] = "own formats";  // by another process, meanwhile
    return std::optional(Way::kWinograd);
  };
  EXPECT_EQ(trials.way("a", Way::kPlain, overtaken), Way::kOwnFormats);
}

TEST(ConvolutionTrials, AreNotMadeWhereNothingIsKept) {
  ConvolutionTrials trials;
  EXPECT_EQ(trials.way("a", Way::kWinograd, never), Way::kWinograd);
  EXPECT_EQ(trials.way("a", Way::kPlain, never), Way::kPlain);
}

TEST(ConvolutionTrials, ThatWereStoppedAreMadeAgain) {
  Keeper::Kept kept;
  ConvolutionTrials trials;
  trials.set_keeper(std::make_unique<Keeper>(kept));
  EXPECT_EQ(trials.way("a", Way::kWinograd, [] { return std::optional<Way>(); }), Way::kPlain);
  EXPECT_TRUE(kept.empty());
  EXPECT_EQ(trials.way("a", Way::kPlain, [] { return std::optional(Way::kWinograd); }), Way::kWinograd);
}

// A 1 x 1 convolution of a few pixels takes less time than the reorders around it.
class Trial : public testing::Test {
 protected:
  dnnl::convolution_forward::primitive_desc described(memory::format_tag tag) const {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return {{dnnl::prop_kind::forward_inference,
             dnnl::algorithm::convolution_direct,
             {{1, 64, 4, 4}, memory::data_type::f32, tag},
             {{8, 64, 1, 1}, memory::data_type::f32, memory::format_tag::any},
             {{8}, memory::data_type::f32, memory::format_tag::x},
             {{1, 8, 4, 4}, memory::data_type::f32, tag},
             {1, 1},
             {0, 0},
             {0, 0}},
            attributes,
            engine_};
  }
  std::optional<Way> found(std::int64_t budget_bytes, const JobContext& job = {}, const Conv* winograd = nullptr) {
    MemoryBudget budget(budget_bytes);
    const auto tensor = [](std::int64_t channels) {
      return tensor_ref(Shape{channels, 4, 4}, 1, DataType::kFloat32, nullptr);
    };
    // Row-major is neither what the device has nor what implementations like: reorders on both sides.
    const ConvolutionTrial trial{.source = tensor(64),
                                 .target = tensor(8),
                                 .plain = described(memory::format_tag::nhwc),
                                 .own = described(memory::format_tag::nchw),
                                 .winograd = winograd,
                                 .residual = true};
    const auto way = fastest_way(trial, engine_, dnnl::stream(engine_), budget, job);
    EXPECT_EQ(budget.used(), 0) << "everything was given back";
    return way;
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
};

constexpr std::int64_t kEnough = std::int64_t{1} << 30;

TEST_F(Trial, IsLostWhereReordersCostMoreThanTheyBring) { EXPECT_EQ(found(kEnough), Way::kPlain); }
TEST_F(Trial, IsNotMadeWithoutMemory) { EXPECT_EQ(found(1 << 20), std::nullopt); }
TEST_F(Trial, EndsWithTheJob) { EXPECT_EQ(found(kEnough, {stopped_token(), {}}), std::nullopt); }
TEST_F(Trial, TakesAKernelOfOurOwn) {
  Conv conv{.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}};
  EXPECT_NE(found(kEnough, {}, &conv), std::nullopt);
  // The others fit into these 30 MB.
  EXPECT_EQ(found(30'000'000, {}, &conv), std::nullopt);
}

std::vector<float> random_weights(std::int64_t out, std::int64_t in) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, 0.05F);
  std::vector<float> weights(static_cast<std::size_t>(out * in * 9));
  for (float& weight : weights) weight = normal(generator);
  return weights;
}

TEST(WinogradError, IsAFewMillionthsOfOrdinaryWeights) {
  for (const std::int64_t channels : {8, 64, 200}) {
    const double error = winograd_error(random_weights(40, channels), 40, channels);
    EXPECT_GT(error, 1e-8) << channels;
    EXPECT_LT(error, 3e-6) << channels;
    EXPECT_EQ(winograd_error(random_weights(40, channels), 40, channels), error) << "the sample is the same";
  }
  EXPECT_EQ(winograd_error(std::vector<float>(9), 1, 1), 0) << "zeros";
}

TEST(WinogradError, IsAskedForOnceALayer) {
  WinogradLayers layers;
  auto parameters = std::make_shared<const Parameters>();
  const std::vector<OperatorId> first{OperatorId(0)};
  const std::vector<OperatorId> merged{OperatorId(0), OperatorId(1)};
  int asked = 0;
  const auto answer = [&](bool accurate) {
    return [&asked, accurate] {
      ++asked;
      return accurate;
    };
  };
  EXPECT_FALSE(layers.accurate(parameters, first, answer(false)));
  EXPECT_FALSE(layers.accurate(parameters, first, answer(true)));
  EXPECT_TRUE(layers.accurate(parameters, merged, answer(true)));
  EXPECT_EQ(asked, 2);
  parameters = std::make_shared<const Parameters>();
  EXPECT_TRUE(layers.accurate(parameters, first, answer(true)));
  EXPECT_EQ(asked, 3);
}

}  // namespace

}  // namespace iosx::cpu
