#include "core/devices/simulated/description.h"
#include "core/devices/simulated/kernel_model.h"
#include "core/devices/simulated/residuals.h"
#include "models/devices/embedded_devices.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

using nlohmann::json;

json v100_json() { return json::parse(embedded_devices().front().json); }
json library_json() { return json::parse(embedded_library().json); }
json host_json() { return json::parse(embedded_engines().front().json); }

std::string error_of(const json& document) {
  const auto description = parse_description(document.dump(), "my.json");
  return description ? "" : description.error().text();
}
std::string library_error_of(const json& document) {
  const auto library = parse_library(document.dump(), "my-library.json");
  return library ? "" : library.error().text();
}
std::string engine_error_of(const json& document) {
  const auto engine = parse_engine(document.dump(), "my-engine.json");
  return engine ? "" : engine.error().text();
}

TEST(Description, ReadsFiguresInTheModelsUnits) {
  const auto description = must(parse_description(v100_json().dump(), "my.json"));
  EXPECT_EQ(description.id, "tesla-v100");
  EXPECT_EQ(description.machine.sms, 80);
  EXPECT_DOUBLE_EQ(description.machine.flops_per_us, description.fp32_tflops * 1e6);
  EXPECT_DOUBLE_EQ(description.machine.dram_bytes_per_us, description.memory_bandwidth_gb_per_s * 1e3 * 0.92);
  EXPECT_DOUBLE_EQ(description.machine.l2_bytes, 6 * 1024 * 1024);
  EXPECT_FALSE(parse_library(embedded_library().json, "library")->float32.convolutions.tiles.empty());
}

TEST(Description, MissingKeyIsNamed) {
  json document = v100_json();
  document["hardware"].erase("l2_mib");
  EXPECT_THAT(error_of(document), HasSubstr("my.json: hardware.l2_mib is missing"));
}

TEST(Description, UnknownKeyIsNamed) {
  json document = v100_json();
  document["hardware"]["sm"] = 4;
  EXPECT_THAT(error_of(document), HasSubstr("hardware.sm is not a known key"));
  json library = library_json();
  library["float32"]["products"]["tiles"][1]["warp"] = 4;
  EXPECT_THAT(library_error_of(library),
              HasSubstr("my-library.json: float32.products.tiles[1].warp is not a known key"));
}

TEST(Description, WrongTypesAndRanges) {
  json document = v100_json();
  document["hardware"]["sms"] = 80.5;
  EXPECT_THAT(error_of(document), HasSubstr("hardware.sms must be a whole number"));
  document = v100_json();
  document["hardware"]["clock_ghz"] = "fast";
  EXPECT_THAT(error_of(document), HasSubstr("hardware.clock_ghz must be a number from 0.05 to 10"));
  json engine = host_json();
  engine["host"]["launch_us"] = -1;
  EXPECT_THAT(engine_error_of(engine), HasSubstr("host.launch_us"));
  json library = library_json();
  library["float32"]["convolutions"]["tiles"] = json::array();
  EXPECT_THAT(library_error_of(library), HasSubstr("float32.convolutions.tiles must hold at least one tile"));
  library = library_json();
  library["generations"] = json::array();
  EXPECT_THAT(library_error_of(library), HasSubstr("generations must have at least one item"));
  engine = host_json();
  engine["kernels"]["copies_slices"] = 1;
  EXPECT_THAT(engine_error_of(engine), HasSubstr("kernels.copies_slices must be true or false"));
  engine = host_json();
  engine["host"] = json::array();
  EXPECT_THAT(engine_error_of(engine), HasSubstr("host. is not an object"));
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
    if (engine.file != "captured-tf32.json") continue;
    EngineDescription made = parse_engine(engine.json, "tf32").value();
    made.launches = parse_captured(embedded_captured().json, "captured").value();
    return made;
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
  EXPECT_THAT(captured_formats(device("tesla-k80")), IsEmpty());
  EXPECT_THAT(captured_formats(device("tesla-v100")), IsEmpty());
  EXPECT_THAT(captured_formats(device("rtx-2080-ti")), ElementsAre(kFloat32, kFloat16));
  EXPECT_THAT(captured_formats(device("a100")), ElementsAre(kTf32, kFloat32, kFloat16, kBfloat16));
}

TEST(Description, AnEngineTakesThePlaceOfTheDevicesOwn) {
  const DeviceDescription h200 = device("h200");
  const EngineDescription engine = tf32_engine();
  const LibraryModel library = parse_library(embedded_library().json, "library").value();
  const DeviceDescription tf32 = with_engine(h200, library, engine, NumberFormat::kTf32);
  EXPECT_EQ(tf32.id, "h200");
  EXPECT_EQ(tf32.name, "H200-SXM, float32 (TF32)");
  EXPECT_NE(tf32.checksum, h200.checksum);
  EXPECT_THAT(tf32.source, HasSubstr("fitted to what an H200 ran"));
  EXPECT_THAT(tf32.source, Not(HasSubstr("a prior, scaled")));
  EXPECT_THAT(with_engine(h200, library, engine, NumberFormat::kFloat16).source, HasSubstr("a prior, scaled"));
  EXPECT_THAT(with_engine(device("a100"), library, engine, NumberFormat::kTf32).source, HasSubstr("a prior, scaled"));
  EXPECT_THAT(with_engine(device("h100"), library, engine, NumberFormat::kTf32).source,
              Not(HasSubstr("a prior, scaled")));
  EXPECT_EQ(tf32.machine.launch_us, 0);
  EXPECT_EQ(tf32.machine.start_us, engine.launches->fitted.gap_us);
  EXPECT_EQ(tf32.machine.sms, h200.machine.sms);
  EXPECT_EQ(tf32.element_bytes, 4);
  EXPECT_DOUBLE_EQ(tf32.convolution_speedup, 494.7 / 67);
  const DeviceDescription half = with_engine(h200, library, engine, NumberFormat::kFloat16);
  EXPECT_EQ(half.id, "h200-f16");
  EXPECT_EQ(half.element_bytes, 2);
  EXPECT_DOUBLE_EQ(with_engine(h200, library, engine, NumberFormat::kFloat32).convolution_speedup, 1);
  const EngineDescription host = parse_engine(host_json().dump(), "host").value();
  EXPECT_EQ(with_engine(h200, library, host).id, "h200-streams");
  EXPECT_EQ(with_engine(h200, library, host).machine.launch_us, host.launch_us);
  EXPECT_EQ(with_engine(device("tesla-v100"), library, host).id, "tesla-v100");
}

TEST(Description, MistakesInAnEngineAreNamed) {
  json document = json::parse(embedded_engines().back().json);
  document["captured"].erase("memory_latency_us");
  EXPECT_THAT(engine_error_of(document), HasSubstr("my-engine.json: captured.memory_latency_us is missing"));
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
  document["hardware"]["clock_ghz"] = 1.25;
  const auto after = parse_description(document.dump(), "x");
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->checksum, after->checksum);
  // So do those of the engine and of the library.
  const auto made = [&](const json& library, const json& engine) {
    return with_engine(*before, parse_library(library.dump(), "l").value(), parse_engine(engine.dump(), "e").value());
  };
  json engine = host_json();
  engine["host"]["launch_us"] = 1.25;
  json library = library_json();
  library["launch_gap_us"] = 1.25;
  const std::uint64_t unchanged = made(library_json(), host_json()).checksum;
  EXPECT_NE(made(library_json(), engine).checksum, unchanged);
  EXPECT_NE(made(library, host_json()).checksum, unchanged);
}

// A device has what the library has for the newest generation that it is not older than.
TEST(Description, LibrariesDifferByGeneration) {
  const LibraryModel library = parse_library(embedded_library().json, "library").value();
  const EngineDescription host = parse_engine(host_json().dump(), "host").value();
  const auto generation = [&](const std::string& id) {
    return with_engine(device(id), library, host).library.generation;
  };
  EXPECT_TRUE(generation("tesla-k80").fused_tiles.empty());
  EXPECT_EQ(generation("tesla-v100").from_compute_capability, 7.0);
  EXPECT_EQ(generation("rtx-2080-ti").from_compute_capability, 7.5);
  EXPECT_EQ(generation("a100").from_compute_capability, 8.0);
  EXPECT_EQ(generation("h200").from_compute_capability, 9.0);
}

TEST(Description, SustainedClocksAreThoseOfWhatMultiplies) {
  const LibraryModel library = parse_library(embedded_library().json, "library").value();
  DeviceDescription h200 = device("h200");
  h200.sustained_clock = 0.5;
  h200.sustained_tensor_clock = 0.25;
  const DeviceDescription tf32 = with_engine(h200, library, tf32_engine(), NumberFormat::kTf32);
  EXPECT_DOUBLE_EQ(tf32.machine.flops_per_us, 0.5 * 67e6);
  EXPECT_DOUBLE_EQ(tf32.multiply_flops_per_us(), 0.25 * 494.7e6);
  EXPECT_DOUBLE_EQ(tf32.cycles_per_us(), 0.5 * 1980);
}

TEST(Description, GradesSayHowFarADeviceWasCompared) {
  DeviceDescription t4 = device("tesla-t4");
  EXPECT_EQ(grade_words(t4).text(), "fitted to 2218 operators; other convolutions off by 8.3 %");
  t4.format = NumberFormat::kFloat16;
  EXPECT_EQ(grade_words(t4).text(), "fitted to 135 operators; other convolutions off by 18.3 %");
  t4.grades[NumberFormat::kFloat16] = {.use = Grade::Use::kPredicted, .count = 135};
  EXPECT_EQ(grade_words(t4).text(), "compared with 135 operators");
  EXPECT_EQ(grade_words(device("h100")).text(), "data sheet only");
  DeviceDescription h200 = device("h200");
  h200.format = NumberFormat::kTf32;
  EXPECT_EQ(grade_words(h200).text(), "fitted to 39 network latencies");
  h200.format = NumberFormat::kFloat16;
  EXPECT_EQ(grade_words(h200).text(), "data sheet only");
  h200.captured = true;
  EXPECT_EQ(grade_words(h200).text(), "data sheet, and launches of another device or format");
  EXPECT_EQ(grade_words(device("tesla-k80")).text(), "fitted to 2 network latencies");
  json document = v100_json();
  document["measured"]["f32"]["use"] = "guessed";
  EXPECT_THAT(error_of(document),
              HasSubstr("measured.f32.use must be one of fitted, predicted, networks, predicted_networks"));
}

KernelForm conv_form(std::int64_t channels) {
  Conv conv{.out_channels = channels};
  return KernelForm{.attributes = conv, .batch = 1, .output = Shape{channels, 14, 14}, .reads = {{Shape{64, 14, 14}}}};
}

TEST(Residuals, AreOfTheSpreadAndTheSameEveryTime) {
  constexpr int kDraws = 4000;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const double log = std::log(residual_factor(conv_form(128), 30, draw));
    EXPECT_EQ(log, std::log(residual_factor(conv_form(128), 30, draw)));
    sum += log;
    squares += log * log;
  }
  const double spread = residual_spread(ResidualKind::kConvolution, 30);
  EXPECT_NEAR(sum / kDraws, 0, 4 * spread / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws), spread, 0.05 * spread);
}

TEST(CapturedResiduals, FiguresHaveFactorsOfTheirSpread) {
  CapturedFigures figures;
  const auto pool = static_cast<std::size_t>(Family::kPool);
  figures.gap_us = figures.issue[pool] = 1;
  figures.us[pool][0] = 2;
  figures.us[pool][1] = 3;
  figures.spread.launch = 0.2;
  figures.spread.family[pool] = 0.1;
  constexpr int kDraws = 4000;
  double gaps = 0;
  double pools = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const CapturedFigures drawn = redrawn(figures, draw);
    EXPECT_DOUBLE_EQ(drawn.us[pool][1] / drawn.us[pool][0], 1.5) << "terms of a family share their error";
    EXPECT_NE(drawn.issue[pool], drawn.gap_us);
    gaps += std::pow(std::log(drawn.gap_us), 2) / kDraws;
    pools += std::pow(std::log(drawn.us[pool][0] / 2), 2) / kDraws;
  }
  EXPECT_NEAR(std::sqrt(gaps), 0.2, 0.01);
  EXPECT_NEAR(std::sqrt(pools), 0.1, 0.005);
  EXPECT_EQ(kernel_factor(figures, Family::kPool, 7, 3), 1) << "kernels have no spread of their own";
  EXPECT_EQ(redrawn(figures, 5).gap_us, redrawn(figures, 5).gap_us);
}

TEST(Residuals, OfASumAreThoseOfItWithAnActivation) {
  KernelForm sum{.attributes = Add{}, .batch = 1, .output = Shape{8}, .reads = {{Shape{8}}, {Shape{8}}}};
  const std::uint64_t seed = operator_seed(sum);
  sum.attributes = Activate{Activation::kRelu};
  EXPECT_EQ(operator_seed(sum), seed);
  sum.reads.pop_back();
  EXPECT_NE(operator_seed(sum), seed);
}

TEST(Residuals, OfDifferentKernelsAreIndependent) {
  constexpr int kDraws = 4000;
  double products = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    products +=
        std::log(residual_factor(conv_form(128), 30, draw)) * std::log(residual_factor(conv_form(129), 30, draw));
  }
  const double spread = residual_spread(ResidualKind::kConvolution, 30);
  EXPECT_NEAR(products / kDraws / (spread * spread), 0, 0.07);
}

TEST(Residuals, SortKernelsByWhatWasMeasured) {
  EXPECT_EQ(residual_kind(Conv{}), ResidualKind::kConvolution);
  EXPECT_EQ(residual_kind(Linear{}), ResidualKind::kMatrix);
  EXPECT_EQ(residual_kind(Softmax{}), ResidualKind::kRows);
  EXPECT_EQ(residual_kind(Pool{}), ResidualKind::kStream);
  EXPECT_GT(residual_spread(ResidualKind::kMatrix, 5), residual_spread(ResidualKind::kMatrix, 5000));
}

}  // namespace

}  // namespace iosx::simulated
