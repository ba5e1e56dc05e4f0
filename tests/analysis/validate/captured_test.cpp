#include "core/analysis/validate/captured.h"

#include "models/devices/embedded_devices.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

std::vector<RecordedNetwork> recorded() {
  return parse_recorded(embedded_launches().json, std::string(embedded_launches().file)).value();
}

simulated::CapturedEngine engine() { return simulated::parse_captured(embedded_captured().json, "captured").value(); }

// Checks what the program says of its simulated H200.
TEST(CapturedValidation, MeasuredNetworksAreForetold) {
  const CapturedValidation found =
      validate_captured(recorded(), engine(), simulated_description(engine().device).machine);
  ASSERT_EQ(found.fitted.rows.size(), 39U);
  ASSERT_EQ(found.held_out.rows.size(), 39U);
  EXPECT_EQ(found.fitted.score.pairs, 80U);
  EXPECT_LE(found.fitted.score.latency_error, 0.04);
  EXPECT_LE(found.held_out.score.latency_error, 0.09);
  EXPECT_LE(found.held_out.score.gain_error, 0.05);
  EXPECT_EQ(found.held_out.score.gains, 32U);
  EXPECT_GE(found.held_out.score.gains_within, 25U);
  EXPECT_GE(found.held_out.score.pairs_right, 75U);
  EXPECT_LE(found.held_out_known.score.latency_error, 0.04);
  EXPECT_LE(found.held_out_known.score.gain_error, 0.04);
  EXPECT_GE(found.held_out_known.score.pairs_right, 75U);
  ASSERT_EQ(found.untimed.rows.size(), 4U);
  EXPECT_LE(found.untimed.score.latency_error, 0.1);
}

TEST(CapturedValidation, KernelsAsMeasuredLeaveWhatLaunchesAndContentionTake) {
  std::vector<CapturedRow> rows;
  const simulated::CapturedModel model = engine().model(engine().fitted);
  const simulated::Machine machine = simulated_description("h200").machine;
  for (const RecordedNetwork& network : recorded()) {
    for (const RecordedRun& run : network.runs) {
      if (!network.timed) continue;
      rows.push_back({network.name, run.schedule, run.measured_us,
                      simulated_us(model, machine, network, run, LaunchTimes::kMeasured)});
    }
  }
  EXPECT_LE(score_of(rows).latency_error, 0.03);
}

TEST(CapturedValidation, FamiliesOfOneNetworkAreKnownWhereItIsHeldOut) {
  const auto networks = recorded();
  const auto vit = std::ranges::find(networks, "parallel_vit_s16", &RecordedNetwork::name);
  const simulated::CapturedEngine made = engine();
  const auto known = with_known_families(made.folds.at(vit->name), made.fitted, *vit, networks);
  const auto of = [](const simulated::CapturedFigures& figures, simulated::Family family) {
    return figures.us[static_cast<std::size_t>(family)];
  };
  EXPECT_EQ(of(made.folds.at(vit->name), simulated::Family::kMatrix), of(made.prior, simulated::Family::kMatrix));
  EXPECT_EQ(of(known, simulated::Family::kMatrix), of(made.fitted, simulated::Family::kMatrix));
  EXPECT_EQ(of(known, simulated::Family::kSm90), of(made.folds.at(vit->name), simulated::Family::kSm90));
}

TEST(CapturedScore, CountsErrorsGainsAndPairs) {
  const std::vector<CapturedRow> rows{{"n", "sequential", 100, 110},
                                      {"n", "greedy", 50, 50, 2, 1.9, 2.1},
                                      {"n", "list", 40, 60, 2.5, 1.7, 2.4},
                                      {"m", "sequential", 10, 10},
                                      {"m", "greedy", 10.2, 9}};
  const CapturedScore score = score_of(rows);
  EXPECT_NEAR(score.latency_error, (0.1 + 0 + 0.5 + 0 + (1 - 9 / 10.2)) / 5, 1e-12);
  EXPECT_NEAR(score.gain_error, (0.1 + (2.5 / (110.0 / 60) - 1) * (110.0 / 60) / 2.5 + (10.2 / 9 - 1)) / 3, 1e-12);
  EXPECT_EQ(score.gains, 3U);
  EXPECT_EQ(score.gains_within, 1U) << "2.5 is above 2.4, and nothing was drawn for the other network";
  EXPECT_EQ(score.pairs, 3U) << "the second network's differ by less than 3 %";
  EXPECT_EQ(score.pairs_right, 2U);
  EXPECT_EQ(score_of(rows, "m").pairs, 0U);
}

TEST(RecordedLaunches, WrongOnesAreRefused) {
  const auto error_of = [](const std::string& kind, const std::string& launch) {
    const auto read =
        parse_recorded(R"({"networks": [{"name": "n", "kinds": [)" + kind +
                           R"(], "runs": [{"schedule": "s", "measured_us": 1, "launches": [)" + launch + "]}]}]}",
                       "my.json");
    return read ? "" : read.error().text();
  };
  const std::string kind = R"(["stream",1,4,16,1,0,0,0,8,0,2,1])";
  EXPECT_EQ(error_of(kind, "[0,0],[0,1,0]"), "");
  EXPECT_THAT(error_of(R"(["steam",1,4,16,1,0,0,0,8,0,2,1])", ""), HasSubstr("my.json: not valid JSON"));
  EXPECT_THAT(error_of(R"(["stream",1,4])", ""), HasSubstr("unknown kind"));
  EXPECT_THAT(error_of(kind, "[1,0]"), HasSubstr("out of order"));
  EXPECT_THAT(error_of(kind, "[0,0,0]"), HasSubstr("out of order"));
  EXPECT_THAT(error_of(kind, "[0]"), HasSubstr("my.json"));
  EXPECT_FALSE(parse_recorded("[]", "x").has_value());
}

}  // namespace
}  // namespace iosx
