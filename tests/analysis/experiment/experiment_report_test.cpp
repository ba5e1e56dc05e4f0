#include "core/analysis/experiment/report.h"
#include "core/tables/render.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace iosx {
namespace {

using testing::HasSubstr;
using testing::Not;

ExperimentResult matrix(Origin origin) {
  ExperimentResult result{.kind = ExperimentKind::kBatches, .network = "net, work"};
  result.devices = {{.id = "dev", .name = "Device", .summary = "", .fingerprint = "", .origin = origin}};
  result.factors = {{"found_for_batch", "found for batch", true}, {"run_at_batch", "run at batch", true}};
  result.measures = {
      {"latency_ms", "latency", "ms", 3}, {"spread_ms", "+-", "ms", 3, true}, {"loss_percent", "loss", "%", 1}};
  result.trials = {{.levels = {"1", "1"}, .values = {2.0, 0.1, 0.0}, .origin = origin, .best = true},
                   {.levels = {"8", "1"}, .values = {2.5, 0.1, 25.0}, .origin = origin},
                   {.levels = {"8", "8"}, .values = {9.0, 0.2, 0.0}, .origin = origin, .within_noise = true}};
  return result;
}

TEST(ExperimentTable, IsAMatrixWithMarksAndGaps) {
  const std::string text = experiment_table_text(matrix(Origin::kSimulated));
  EXPECT_THAT(text, HasSubstr("net, work, simulated Device\n"));
  EXPECT_THAT(text, HasSubstr("not measured on it"));
  EXPECT_THAT(text, HasSubstr("\n1                2.000 +0.0 % *"));
  EXPECT_THAT(text, HasSubstr("2.500 +25.0 %  "));
  EXPECT_THAT(text, HasSubstr("9.000 +0.0 % ~\n"));
  EXPECT_THAT(text, HasSubstr("* best of its column\n~ no difference beyond the noise\n"));
  EXPECT_THAT(text, Not(HasSubstr("±")));
  EXPECT_THAT(text, Not(HasSubstr("stopped")));
}

TEST(ExperimentTable, ShowsTheSpreadOfWhatWasMeasured) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.complete = false;
  const std::string text = experiment_table_text(result);
  EXPECT_THAT(text, HasSubstr("net, work, measured Device"));
  EXPECT_THAT(text, HasSubstr("2.500 ± 0.100 +25.0 %"));
  EXPECT_THAT(text, Not(HasSubstr("imulated")));
  EXPECT_THAT(text, HasSubstr("stopped early"));
}

TEST(ExperimentTable, NamesTheOriginOfEveryDevice) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.kind = ExperimentKind::kDevices;
  result.devices.front().id = "8";
  EXPECT_THAT(experiment_table_text(result), HasSubstr("  8 (measured)\n"));
}

TEST(ExperimentTable, ListsTrialsWithoutColumnsOfNoiseThatThereIsNot) {
  ExperimentResult result = matrix(Origin::kSimulated);
  result.kind = ExperimentKind::kPruning;
  result.batch = 4;
  result.trials[0].values[2] = std::nullopt;
  const std::string text = experiment_table_text(result);
  EXPECT_THAT(text, HasSubstr("simulated Device, batch 4\n"));
  EXPECT_THAT(text, HasSubstr("found for batch  run at batch  latency [ms]  loss [%]\n"));
  EXPECT_THAT(text, HasSubstr("1                1                  2.000 *         –\n"));
}

TEST(ExperimentTable, OfPruningSaysHowWasSearched) {
  ExperimentResult result = matrix(Origin::kSimulated);
  result.kind = ExperimentKind::kPruning;
  result.method = SearchMethod::kExhaustive;
  EXPECT_THAT(experiment_table_text(result), HasSubstr("Every search is a separate exhaustive search"));
  result.method = SearchMethod::kLazy;
  EXPECT_THAT(experiment_table_text(result), HasSubstr("Every search is a separate lazy search"));
  EXPECT_EQ(experiment_json(result).at("method"), "lazy");
}

TEST(ExperimentCsv, HasOneLineATrial) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.trials[1].values[2] = std::nullopt;
  EXPECT_EQ(table_csv(trial_list(result)),
            "experiment,network,device,found_for_batch,run_at_batch,latency_ms,spread_ms,loss_percent,origin,best,"
            "within_noise\n"
            "batches,\"net, work\",dev,1,1,2,0.1,0,measured,true,false\n"
            "batches,\"net, work\",dev,8,1,2.5,0.1,,measured,false,false\n"
            "batches,\"net, work\",dev,8,8,9,0.2,0,measured,false,true\n");
}

TEST(ExperimentJson, HasLevelsAndValuesByName) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.trials[1].values[2] = std::nullopt;
  result.trials[2].course = {{3, 4.5}};
  const auto json = experiment_json(result);
  EXPECT_EQ(json.at("experiment"), "batches");
  EXPECT_EQ(json.at("devices")[0].at("origin"), "measured");
  EXPECT_FALSE(json.contains("batch"));
  EXPECT_EQ(json.at("trials")[1].at("found_for_batch"), 8);
  EXPECT_EQ(json.at("trials")[1].at("latency_ms"), 2.5);
  EXPECT_TRUE(json.at("trials")[1].at("loss_percent").is_null());
  EXPECT_EQ(json.at("trials")[2].at("within_noise"), true);
  EXPECT_EQ(json.at("trials")[2].at("course")[0].at("stages_needed"), 3);
  EXPECT_FALSE(json.at("trials")[0].contains("course"));
}

}  // namespace
}  // namespace iosx
