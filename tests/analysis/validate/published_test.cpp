#include "core/analysis/validate/published.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/graphs.h"

namespace iosx {
namespace {

using nlohmann::json;

// The figures in the code are those of the published tables.
TEST(Published, SameAsTheReferenceTables) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder with the published tables is not here";
  std::ifstream file(folder / "paper_tables.json");
  const json tables = json::parse(file);
  json columns = json::array();
  // What the paper calls sequential is one by one here.
  for (const ScheduleKind schedule_kind : published::kSchedules) {
    columns.push_back(row_of(schedule_kind == ScheduleKind::kOneByOne ? ScheduleKind::kSequential : schedule_kind).id);
  }
  EXPECT_EQ(tables["schedules_ms"]["columns"], columns);
  for (const auto& row : published::schedules()) {
    EXPECT_EQ(tables["schedules_ms"][std::string(row.network)], json(row.by_schedule)) << row.network;
  }
  const json& batches = tables["batch_throughput_inception_v3"]["rows"];
  ASSERT_EQ(batches.size(), published::inception_batches().size());
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto& row = published::inception_batches()[i];
    EXPECT_EQ(batches[i][0], row.batch);
    EXPECT_EQ(batches[i][1], row.sequential);
    EXPECT_EQ(batches[i][3], row.ios);
  }
  EXPECT_EQ(tables["batch_specialization_inception_v3"]["batches"], json(published::kSpecialised));
  EXPECT_EQ(tables["batch_specialization_inception_v3"]["ms"], json(published::kBatchSpecialisation));
  EXPECT_EQ(tables["device_specialization_inception_v3"]["devices"], json::parse(R"(["k80", "v100"])"));
  EXPECT_EQ(tables["device_specialization_inception_v3"]["ms"], json(published::kDeviceSpecialisation));
  const json& sample = tables["sample_network"];
  EXPECT_EQ(sample["sequential_stages_ms"], json(published::kSampleSequentialStages));
  EXPECT_EQ(sample["sequential_ms"], json(published::kSampleSequential));
  EXPECT_EQ(sample["ios_stages_ms"], json(published::kSampleIosStages));
  EXPECT_EQ(sample["ios_ms"], json(published::kSampleIos));
  EXPECT_EQ(sample["active_warps_ratio_ios_over_sequential"], json(published::kSampleWarpRatio));
}

}  // namespace
}  // namespace iosx
