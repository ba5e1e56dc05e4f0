#include "core/devices/simulated/description.h"

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

DeviceDescription device(const std::string& id) {
  for (const EmbeddedDescription& embedded : embedded_devices()) {
    if (embedded.file == id + ".json") return parse_description(embedded.json, id).value();
  }
  return {};
}

EngineDescription tf32_engine() {
  for (const EmbeddedDescription& engine : embedded_engines()) {
    if (engine.file == "captured-tf32.json") return parse_engine(engine.json, "tf32").value();
  }
  return {};
}

TEST(Description, TensorRatesAreReadByFormat) {
  EXPECT_TRUE(device("tesla-v100").tensor_tflops.empty());
  EXPECT_DOUBLE_EQ(device("h200").tensor_tflops.at(NumberFormat::kFloat16), 989.4);
  json document = v100_json();
  document["hardware"]["tensor_tflops"]["fp8"] = 1;
  EXPECT_THAT(error_of(document), HasSubstr("hardware.tensor_tflops.fp8 is not a known key"));
}

TEST(Description, CapturedFormatsAreThoseOfTheGpuBackEnd) {
  using enum NumberFormat;
  EXPECT_THAT(captured_formats(device("tesla-k80")), testing::IsEmpty());
  EXPECT_THAT(captured_formats(device("tesla-v100")), testing::IsEmpty());
  EXPECT_THAT(captured_formats(device("rtx-2080-ti")), testing::ElementsAre(kFloat32, kFloat16));
  EXPECT_THAT(captured_formats(device("a100")), testing::ElementsAre(kTf32, kFloat32, kFloat16, kBfloat16));
}

TEST(Description, AnEngineTakesThePlaceOfTheDevicesOwn) {
  const DeviceDescription h200 = device("h200");
  const EngineDescription engine = tf32_engine();
  const DeviceDescription tf32 = captured(h200, engine, NumberFormat::kTf32);
  EXPECT_EQ(tf32.id, "h200");
  EXPECT_EQ(tf32.name, "H200-SXM, float32 (TF32)");
  EXPECT_NE(tf32.checksum, h200.checksum);
  EXPECT_THAT(tf32.source, HasSubstr("Nothing of this engine was calibrated"));
  EXPECT_EQ(tf32.machine.launch_us, 0);
  EXPECT_EQ(tf32.machine.start_us, engine.start_us);
  EXPECT_EQ(tf32.machine.sms, h200.machine.sms);
  EXPECT_EQ(tf32.element_bytes, 4);
  EXPECT_DOUBLE_EQ(tf32.convolution_speedup, 494.7 / 67);
  const DeviceDescription half = captured(h200, engine, NumberFormat::kFloat16);
  EXPECT_EQ(half.id, "h200-f16");
  EXPECT_EQ(half.element_bytes, 2);
  EXPECT_DOUBLE_EQ(captured(h200, engine, NumberFormat::kFloat32).convolution_speedup, 1);
  EXPECT_EQ(launched_by_host(h200).id, "h200-streams");
}

TEST(Description, MistakesInAnEngineAreNamed) {
  json document = json::parse(embedded_engines().front().json);
  document["captured"].erase("join_us");
  const auto engine = parse_engine(document.dump(), "my-engine.json");
  ASSERT_FALSE(engine.has_value());
  EXPECT_THAT(engine.error().text(), HasSubstr("my-engine.json: captured.join_us is missing"));
  EXPECT_FALSE(parse_engine("{", "x").has_value());
  EXPECT_FALSE(parse_engine(v100_json().dump(), "x").has_value());
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
