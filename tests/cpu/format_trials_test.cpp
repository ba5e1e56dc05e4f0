#include "core/cpu/format_trials.h"

#include <gtest/gtest.h>

#include "core/cpu/onednn.h"

namespace iosx::cpu {
namespace {

using dnnl::memory;

TEST(FormatTrials, AreForWhatHasSomethingToGain) {
  EXPECT_TRUE(may_gain_from_formats("jit:avx2"));
  EXPECT_TRUE(may_gain_from_formats("jit_1x1:avx2"));
  EXPECT_FALSE(may_gain_from_formats("jit_dw:avx2"));
  EXPECT_FALSE(may_gain_from_formats("brgconv:avx512_core"));
}

TEST(FormatTrials, AreMadeOnceForEachProblem) {
  FormatTrials trials;
  int made = 0;
  const auto win = [&] { return std::optional(++made > 0); };
  EXPECT_TRUE(trials.own_wins("a", win));
  EXPECT_TRUE(trials.own_wins("a", win));
  EXPECT_EQ(made, 1);
  EXPECT_FALSE(trials.own_wins("b", [] { return std::optional(false); }));
  EXPECT_FALSE(trials.own_wins("b", win));
  EXPECT_EQ(made, 1);
}

TEST(FormatTrials, ThatWereStoppedAreMadeAgain) {
  FormatTrials trials;
  EXPECT_FALSE(trials.own_wins("a", [] { return std::optional<bool>(); }));
  EXPECT_TRUE(trials.own_wins("a", [] { return std::optional(true); }));
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
  std::optional<bool> won(std::int64_t budget_bytes, const JobContext& job = {}) {
    MemoryBudget budget(budget_bytes);
    const auto plain = described(memory::format_tag::nhwc);
    // Row-major is neither what the device has nor what implementations like: reorders on both sides.
    const FormatTrial trial{plain.src_desc(), plain.dst_desc(), plain, described(memory::format_tag::nchw), true};
    const auto won = own_formats_win(trial, engine_, dnnl::stream(engine_), budget, job);
    EXPECT_EQ(budget.used(), 0) << "everything was given back";
    return won;
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
};

TEST_F(Trial, IsLostWhereReordersCostMoreThanTheyBring) { EXPECT_EQ(won(std::int64_t{1} << 30), std::optional(false)); }
TEST_F(Trial, IsLostWithoutMemory) { EXPECT_EQ(won(1 << 20), std::optional(false)); }
TEST_F(Trial, EndsWithTheJob) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(won(std::int64_t{1} << 30, {stop.get_token(), {}}), std::nullopt);
}

}  // namespace
}  // namespace iosx::cpu
