#include "core/devices/simulated/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/check.h"

namespace iosx::simulated {
namespace {

using Json = nlohmann::json;

constexpr double kFirstOfBackend = 7.5;  // compute capability
constexpr std::array kTensorFormats{NumberFormat::kTf32, NumberFormat::kFloat16, NumberFormat::kBfloat16};

// Takes the values of one JSON object, each key once. The first mistake is kept; after it every call is harmless.
class Reader {
 public:
  Reader(const Json& object, std::string path, std::optional<Error>& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object_.is_object()) mistake("", message("is not an object"));
  }

  double number(const char* key, double least, double most) {
    const Json* value = take(key);
    if (value == nullptr) return least;
    const double result = value->is_number() ? value->get<double>() : std::nan("");
    if (!(result >= least && result <= most)) {
      mistake(key, message("must be a number from {} to {}", plain(least), plain(most)));
      return least;
    }
    return result;
  }

  bool has(const std::string& key) const { return object_.is_object() && object_.contains(key); }

  int integer(const char* key, int least, int most) {
    const double result = number(key, least, most);
    if (result != std::floor(result)) mistake(key, message("must be a whole number"));
    return static_cast<int>(result);
  }

  bool flag(const char* key) {
    const Json* value = take(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) mistake(key, message("must be true or false"));
    return value->is_boolean() && value->get<bool>();
  }

  std::string text(const char* key) {
    const Json* value = take(key);
    if (value == nullptr) return {};
    if (!value->is_string() || value->get_ref<const std::string&>().empty()) {
      mistake(key, message("must be a text that is not empty"));
      return {};
    }
    return value->get<std::string>();
  }

  // Calls `read(Reader&)` on the object under the key.
  template <typename Read>
  void object(const char* key, Read read) {
    const Json* value = take(key);
    if (value == nullptr) return;
    Reader inner(*value, path_ + key + ".", error_);
    read(inner);
    inner.finish();
  }

  template <typename Read>
  void list(const char* key, std::size_t most, Read read) {
    const Json* value = take(key);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > most) {
      return mistake(key, message("must be a list of at most {} objects", std::to_string(most)));
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
      Reader inner((*value)[i], path_ + key + "[" + std::to_string(i) + "].", error_);
      read(inner);
      inner.finish();
    }
  }

  void finish() {
    if (error_ || !object_.is_object()) return;
    for (const auto& [key, value] : object_.items()) {
      if (!taken_.contains(key)) return mistake(key, message("is not a known key"));
    }
  }

  void mistake(const std::string& key, const Message& what) {
    if (!error_)
      error_ =
          Error{message("{}{} {}", path_, key, what), {}, message("see the descriptions that come with the program")};
  }

 private:
  static std::string plain(double value) { return Json(value).dump(); }

  const Json* take(const char* key) {
    if (error_) return nullptr;
    taken_.insert(key);
    const auto at = object_.find(key);
    if (at != object_.end()) return &*at;
    mistake(key, message("is missing"));
    return nullptr;
  }

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
  std::set<std::string> taken_;
};

Tile read_tile(Reader& in, const char* work_key, bool has_channels) {
  Tile tile;
  tile.pixels = in.integer(work_key, 1, 1 << 20);
  tile.channels = has_channels ? in.integer("channels", 1, 1 << 16) : 1;
  tile.warps = in.integer("warps", 1, 32);
  tile.blocks_per_sm = in.integer("blocks_per_sm", 1, 64);
  tile.parallelism = in.number("parallelism", 1e-3, 100);
  tile.efficiency = in.number("efficiency", 1e-4, 1);
  tile.bytes_in_flight = in.number("bytes_in_flight_per_warp", 1, 1e6);
  return tile;
}

void read_hardware(Reader& in, DeviceDescription& device) {
  Machine& machine = device.machine;
  machine.sms = in.integer("sms", 1, 1024);
  machine.warp_slots_per_sm = in.integer("warp_slots_per_sm", 32, 256);
  machine.blocks_per_sm = in.integer("max_blocks_per_sm", 1, 256);
  device.clock_ghz = in.number("clock_ghz", 0.05, 10);
  device.fp32_tflops = in.number("fp32_tflops", 0.01, 10000);
  device.memory_gb = in.number("memory_gb", 0.1, 100000);
  device.memory_bandwidth_gb_per_s = in.number("memory_bandwidth_gb_per_s", 1, 100000);
  const double mib = 1024.0 * 1024.0;
  machine.l2_bytes = in.number("l2_mib", 0.01, 4096) * mib;
  machine.l2_bytes_per_us = in.number("l2_bandwidth_gb_per_s", 1, 1000000) * 1e3;
  machine.memory_latency_us = in.number("memory_latency_us", 0, 100);
  machine.half_issue_warps = in.number("half_issue_warps", 0, 256);
  device.compute_capability = in.number("compute_capability", 1, 100);
  in.object("tensor_tflops", [&](Reader& rates) {
    for (const NumberFormat format : kTensorFormats) {
      const std::string name(name_of(format));
      if (rates.has(name)) device.tensor_tflops[format] = rates.number(name.c_str(), 0.01, 1e6);
    }
  });
  machine.flops_per_us = device.fp32_tflops * 1e6;
  machine.dram_bytes_per_us = device.memory_bandwidth_gb_per_s * 1e3;
}

void read_captured(Reader& in, EngineDescription& engine) {
  engine.start_us = in.number("kernel_start_us", 0, 1000);
  engine.join_us = in.number("join_us", 0, 1000);
  engine.replay_us = in.number("replay_us", 0, 10000);
  engine.memory_latency_us = in.number("memory_latency_us", 0, 100);
}

void read_host(Reader& in, Machine& machine) {
  machine.launch_us = in.number("launch_us", 0, 1000);
  machine.start_us = in.number("kernel_start_us", 0, 1000);
  machine.sync_us = in.number("synchronisation_us", 0, 10000);
}

void read_library(Reader& in, LibraryModel& library) {
  in.list("gemm_tiles", 32, [&](Reader& tile) { library.gemm_tiles.push_back(read_tile(tile, "pixels", true)); });
  library.gemm_prologue_depth = in.integer("gemm_prologue_depth", 0, 100000);
  library.max_split_k = in.integer("max_split_k", 1, 64);
  in.list("winograd_tiles", 32,
          [&](Reader& tile) { library.winograd_tiles.push_back(read_tile(tile, "pixels", true)); });
  library.winograd_reduction = in.number("winograd_reduction", 1, 9);
  in.object("direct", [&](Reader& tile) { library.direct = read_tile(tile, "outputs", false); });
  library.direct_traffic = in.number("direct_traffic", 1, 1000);
  in.object("elementwise", [&](Reader& tile) { library.elementwise = read_tile(tile, "outputs", false); });
  in.object("pool", [&](Reader& tile) { library.pool = read_tile(tile, "outputs", false); });
  library.global_pool_outputs = in.integer("global_pool_outputs", 1, 1 << 16);
  in.object("linear", [&](Reader& tile) {
    library.linear = read_tile(tile, "outputs", false);
    std::swap(library.linear.pixels, library.linear.channels);
  });
  library.bias_apart_without_activation = in.flag("bias_apart_without_activation");
  library.copies_slices = in.flag("copies_slices");
  library.concatenates_at_once = in.flag("concatenates_at_once");
  library.max_addends = in.integer("max_addends", 2, 1024);
  if (library.gemm_tiles.empty()) in.mistake("gemm_tiles", message("must hold at least one tile"));
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

// Reads the object that a text holds with `read`(Reader&).
template <typename Read>
Result<void> parse(std::string_view json, const std::string& origin, Read read) {
  Json document;
  try {
    document = Json::parse(json);
  } catch (const Json::parse_error& error) {
    return fail(message("not valid JSON: {}", error.what()), origin);
  }
  std::optional<Error> error;
  Reader in(document, "", error);
  read(in);
  in.finish();
  if (error) return fail(error->what, origin, error->remedy);
  return {};
}

// Ids and names are those of the GPU back end.
std::string_view suffix_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFloat32: return "-f32";
    case NumberFormat::kTf32: return "-tf32";
    case NumberFormat::kFloat16: return "-f16";
    case NumberFormat::kBfloat16: break;
  }
  return "-bf16";
}

std::string_view words_of(NumberFormat format, bool has_tf32) {
  switch (format) {
    case NumberFormat::kFloat32: return has_tf32 ? "float32 (strict)" : "float32";
    case NumberFormat::kTf32: return "float32 (TF32)";
    case NumberFormat::kFloat16: return "float16";
    case NumberFormat::kBfloat16: break;
  }
  return "bfloat16";
}

}  // namespace

std::string_view name_of(NumberFormat format) { return suffix_of(format).substr(1); }

Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin) {
  DeviceDescription device;
  device.checksum = fnv1a(json);
  IOS_TRY(parse(json, origin, [&](Reader& in) {
    device.id = in.text("id");
    device.name = in.text("name");
    device.source = in.text("source");
    in.object("hardware", [&](Reader& part) { read_hardware(part, device); });
    in.object("host", [&](Reader& part) { read_host(part, device.machine); });
    in.object("library", [&](Reader& part) { read_library(part, device.library); });
  }));
  return device;
}

Result<EngineDescription> parse_engine(std::string_view json, const std::string& origin) {
  EngineDescription engine;
  engine.checksum = fnv1a(json);
  IOS_TRY(parse(json, origin, [&](Reader& in) {
    engine.source = in.text("source");
    in.object("captured", [&](Reader& part) { read_captured(part, engine); });
    in.object("library", [&](Reader& part) { read_library(part, engine.library); });
  }));
  return engine;
}

std::vector<NumberFormat> captured_formats(const DeviceDescription& device) {
  if (device.compute_capability < kFirstOfBackend) return {};
  std::vector<NumberFormat> formats;
  if (device.tensor_tflops.contains(NumberFormat::kTf32)) formats.push_back(NumberFormat::kTf32);
  formats.push_back(NumberFormat::kFloat32);
  for (const NumberFormat format : {NumberFormat::kFloat16, NumberFormat::kBfloat16}) {
    if (device.tensor_tflops.contains(format)) formats.push_back(format);
  }
  return formats;
}

DeviceDescription captured(DeviceDescription device, const EngineDescription& engine, NumberFormat format) {
  const std::vector<NumberFormat> formats = captured_formats(device);
  IOS_CHECK(std::ranges::find(formats, format) != formats.end());
  if (format != formats.front()) device.id += suffix_of(format);
  device.name += fmt::format(", {}", words_of(format, device.tensor_tflops.contains(NumberFormat::kTf32)));
  device.source += " " + engine.source;
  device.checksum ^= engine.checksum;
  device.machine.start_us = engine.start_us;
  device.machine.launch_us = 0;
  device.machine.sync_us = 0;
  device.machine.join_us = engine.join_us;
  device.machine.replay_us = engine.replay_us;
  device.machine.memory_latency_us = engine.memory_latency_us;
  device.library = engine.library;
  device.captured = true;
  device.format = format;
  if (format == NumberFormat::kFloat16 || format == NumberFormat::kBfloat16) device.element_bytes = 2;
  if (format != NumberFormat::kFloat32) device.convolution_speedup = device.tensor_tflops[format] / device.fp32_tflops;
  return device;
}

DeviceDescription launched_by_host(DeviceDescription device) {
  device.id += "-streams";
  device.name += ", launched one by one";
  return device;
}

}  // namespace iosx::simulated
