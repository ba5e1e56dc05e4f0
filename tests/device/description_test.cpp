#include "core/device/simulated/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/devices/embedded_devices.h"

namespace iosx::simulated {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json v100_json() { return json::parse(embedded_devices().front().json); }

std::string error_of(const json& document) {
  const auto description = parse_description(document.dump(), "my.json");
  return description ? "" : description.error().text();
}

TEST(Description, ReadsFiguresInTheModelsUnits) {
  const auto description = parse_description(v100_json().dump(), "my.json");
  ASSERT_TRUE(description.has_value()) << description.error().text();
  EXPECT_EQ(description->id, "tesla-v100");
  EXPECT_EQ(description->machine.sms, 80);
  EXPECT_DOUBLE_EQ(description->machine.flops_per_us, description->fp32_tflops * 1e6);
  EXPECT_DOUBLE_EQ(description->machine.dram_bytes_per_us, description->memory_bandwidth_gb_per_s * 1e3);
  EXPECT_DOUBLE_EQ(description->machine.l2_bytes, 6 * 1024 * 1024);
  EXPECT_FALSE(description->library.gemm_tiles.empty());
}

TEST(Description, MissingKeyIsNamed) {
  json document = v100_json();
  document["hardware"].erase("l2_mib");
  EXPECT_THAT(error_of(document), HasSubstr("my.json: hardware.l2_mib is missing"));
}

TEST(Description, UnknownKeyIsNamed) {
  json document = v100_json();
  document["library"]["gemm_tiles"][1]["warp"] = 4;
  EXPECT_THAT(error_of(document), HasSubstr("library.gemm_tiles[1].warp is not a known key"));
}

TEST(Description, WrongTypesAndRanges) {
  json document = v100_json();
  document["hardware"]["sms"] = 80.5;
  EXPECT_THAT(error_of(document), HasSubstr("hardware.sms must be a whole number"));
  document = v100_json();
  document["hardware"]["clock_ghz"] = "fast";
  EXPECT_THAT(error_of(document), HasSubstr("hardware.clock_ghz must be a number from 0.05 to 10"));
  document = v100_json();
  document["host"]["launch_us"] = -1;
  EXPECT_THAT(error_of(document), HasSubstr("host.launch_us"));
  document = v100_json();
  document["library"]["gemm_tiles"] = json::array();
  EXPECT_THAT(error_of(document), HasSubstr("library.gemm_tiles must hold at least one tile"));
  document = v100_json();
  document["library"]["copies_slices"] = 1;
  EXPECT_THAT(error_of(document), HasSubstr("library.copies_slices must be true or false"));
  document = v100_json();
  document["host"] = json::array();
  EXPECT_THAT(error_of(document), HasSubstr("host. is not an object"));
  document = v100_json();
  document["hardware"]["sms"] = 1e300;
  EXPECT_THAT(error_of(document), HasSubstr("hardware.sms"));
}

TEST(Description, NotJson) {
  EXPECT_FALSE(parse_description("{", "x").has_value());
  EXPECT_FALSE(parse_description("", "x").has_value());
  EXPECT_FALSE(parse_description("[]", "x").has_value());
  EXPECT_FALSE(parse_description(std::string(100000, '['), "x").has_value());
}

TEST(Description, ChangedTextChangesTheFingerprint) {
  json document = v100_json();
  const auto before = parse_description(document.dump(), "x");
  document["host"]["launch_us"] = 1.25;
  const auto after = parse_description(document.dump(), "x");
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->checksum, after->checksum);
}

}  // namespace
}  // namespace iosx::simulated
