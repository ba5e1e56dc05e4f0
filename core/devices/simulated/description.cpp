#include "core/devices/simulated/description.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/devices/simulated/json_object.h"

namespace iosx::simulated {
namespace {

Tile read_tile(JsonObject& in) {
  Tile tile;
  tile.rows = in.integer("rows", 1, 1 << 16);
  tile.columns = in.integer("columns", 1, 1 << 16);
  tile.warps = in.integer("warps", 1, 32);
  tile.blocks_per_sm = in.integer("blocks_per_sm", 1, 64);
  tile.slices = in.integer("slices", 1, 32);
  return tile;
}

std::vector<Tile> read_tiles(JsonObject& in, const char* key) {
  std::vector<Tile> tiles;
  in.list(key, 32, [&](JsonObject& tile) { tiles.push_back(read_tile(tile)); });
  return tiles;
}

TileKernels read_tile_kernels(JsonObject& in) {
  TileKernels kernels;
  kernels.tiles = read_tiles(in, "tiles");
  kernels.efficiency = in.number("efficiency", 1e-4, 2);
  kernels.chain_cycles = in.number("chain_cycles", 0, 1e6);
  kernels.max_split = in.integer("max_split", 1, 64);
  kernels.least_split_depth = in.integer("least_split_depth", 1, 1 << 20);
  kernels.both_ways = in.flag("both_ways");
  if (kernels.tiles.empty()) in.mistake("tiles", message("must hold at least one tile"));
  return kernels;
}

Multiplier read_multiplier(JsonObject& in) {
  Multiplier made;
  in.object("costs", [&](JsonObject& costs) {
    made.costs.efficiency = costs.number("efficiency", 1e-4, 2);
    made.costs.smallest = costs.number("smallest", 0, 2);
    made.costs.parallelism = costs.number("parallelism", 1e-3, 100);
    made.costs.fill_us = costs.number("fill_us", 0, 100);
    made.costs.written_bytes_per_cycle = costs.number("written_bytes_per_cycle", 0, 1e6);
    made.costs.depth_step = costs.integer("depth_step", 1, 1024);
    made.costs.channel_step = costs.integer("channel_step", 1, 1024);
  });
  in.object("convolutions", [&](JsonObject& kernels) { made.convolutions = read_tile_kernels(kernels); });
  in.object("products", [&](JsonObject& kernels) { made.products = read_tile_kernels(kernels); });
  return made;
}

Generation read_generation(JsonObject& in) {
  Generation made;
  made.from_compute_capability = in.number("from_compute_capability", 0, 100);
  made.tile_efficiency = in.number("tile_efficiency", 1e-3, 2);
  made.chain_factor = in.number("chain_factor", 0, 100);
  made.tensor_l2_traffic = in.number("tensor_l2_traffic", 0, 100);
  const double kib = 1024;
  made.far_row_bytes = in.number("far_row_kib", 1e-3, 1e9) * kib;
  made.far_row_cost = in.number("far_row_cost", 0, 100);
  in.object("batched", [&](JsonObject& batched) {
    made.batched.tiles = read_tiles(batched, "tiles");
    made.batched.efficiency = batched.number("efficiency", 1e-4, 2);
  });
  in.list("fused_tiles", 16, [&](JsonObject& tile) {
    made.fused_tiles.push_back({tile.integer("images", 1, 64), tile.integer("rows", 1, 64),
                                tile.integer("columns", 1, 64), tile.integer("blocks_per_sm", 1, 64)});
  });
  made.winograd_tiles = read_tiles(in, "winograd_tiles");
  return made;
}

constexpr double kFirstOfBackend = 7.5;  // compute capability
constexpr std::array kTensorFormats{NumberFormat::kTf32, NumberFormat::kFloat16, NumberFormat::kBfloat16};
constexpr std::array kFormats{NumberFormat::kFloat32, NumberFormat::kTf32, NumberFormat::kFloat16,
                              NumberFormat::kBfloat16};

constexpr std::array<std::pair<std::string_view, Grade::Use>, 4> kUses{
    {{"fitted", Grade::Use::kFitted},
     {"predicted", Grade::Use::kPredicted},
     {"networks", Grade::Use::kNetworks},
     {"predicted_networks", Grade::Use::kPredictedNetworks}}};

ThreadKernel read_thread_kernel(JsonObject& in) {
  ThreadKernel kernel;
  kernel.outputs = in.integer("outputs", 1, 1 << 20);
  kernel.warps = in.integer("warps", 1, 32);
  kernel.blocks_per_sm = in.integer("blocks_per_sm", 1, 64);
  kernel.parallelism = in.number("parallelism", 1e-3, 100);
  kernel.efficiency = in.number("efficiency", 1e-4, 1);
  kernel.bytes_in_flight = in.number("bytes_in_flight_per_warp", 1, 1e6);
  return kernel;
}

void read_hardware(JsonObject& in, DeviceDescription& device) {
  Machine& machine = device.machine;
  machine.sms = in.integer("sms", 1, 1024);
  machine.warp_slots_per_sm = in.integer("warp_slots_per_sm", 32, 256);
  machine.blocks_per_sm = in.integer("max_blocks_per_sm", 1, 256);
  device.clock_ghz = in.number("clock_ghz", 0.05, 10);
  device.sustained_clock = in.number("sustained_clock", 0.01, 2);
  device.sustained_tensor_clock = in.number("sustained_tensor_clock", 0.01, 2);
  device.fp32_tflops = in.number("fp32_tflops", 0.01, 10000);
  device.memory_gb = in.number("memory_gb", 0.1, 100000);
  device.memory_bandwidth_gb_per_s = in.number("memory_bandwidth_gb_per_s", 1, 100000);
  device.memory_share = in.number("memory_share", 0.01, 1);
  const double kib = 1024.0;
  device.l1_bytes = in.number("l1_kib", 1, 1 << 20) * kib;
  machine.l2_bytes = in.number("l2_mib", 0.01, 4096) * kib * kib;
  device.l2_bandwidth_gb_per_s = in.number("l2_bandwidth_gb_per_s", 1, 1000000);
  machine.memory_latency_us = in.number("memory_latency_us", 0, 100);
  machine.half_issue_warps = in.number("half_issue_warps", 0, 256);
  device.compute_capability = in.number("compute_capability", 1, 100);
  in.object("tensor_tflops", [&](JsonObject& rates) {
    for (const NumberFormat format : kTensorFormats) {
      const std::string name(name_of(format));
      if (rates.has(name)) device.tensor_tflops[format] = rates.number(name.c_str(), 0.01, 1e6);
    }
  });
}

void read_grades(JsonObject& in, DeviceDescription& device) {
  for (const NumberFormat format : kFormats) {
    const std::string name(name_of(format));
    if (!in.has(name)) continue;
    in.object(name.c_str(), [&](JsonObject& grade) {
      Grade made;
      const std::string use = grade.text("use");
      const auto at = std::ranges::find(kUses, use, &std::pair<std::string_view, Grade::Use>::first);
      if (at == kUses.end())
        return grade.mistake("use", message("must be one of {}", "fitted, predicted, networks, predicted_networks"));
      made.use = at->second;
      made.count = grade.integer("count", 1, 1 << 30);
      if (grade.has("error_percent")) made.error_percent = grade.number("error_percent", 0, 1000);
      device.grades[format] = made;
    });
  }
}

void read_kernels(JsonObject& in, EngineKernels& kernels) {
  kernels.max_split = in.integer("max_split", 1, 64);
  in.object("direct", [&](JsonObject& kernel) { kernels.direct = read_thread_kernel(kernel); });
  kernels.direct_traffic = in.number("direct_traffic", 1, 1000);
  if (in.has("elementwise")) {
    in.object("elementwise", [&](JsonObject& kernel) { kernels.elementwise = read_thread_kernel(kernel); });
  }
  in.object("pool", [&](JsonObject& kernel) { kernels.pool = read_thread_kernel(kernel); });
  kernels.global_pool_outputs = in.integer("global_pool_outputs", 1, 1 << 16);
  kernels.max_window_splits = in.integer("max_window_splits", 1, 1 << 16);
  in.object("linear", [&](JsonObject& kernel) { kernels.linear = read_thread_kernel(kernel); });
  kernels.bias_apart_without_activation = in.flag("bias_apart_without_activation");
  kernels.copies_slices = in.flag("copies_slices");
  kernels.concatenates_at_once = in.flag("concatenates_at_once");
  kernels.max_addends = in.integer("max_addends", 2, 1024);
  kernels.adds_in_turns = in.flag("adds_in_turns");
}

// Ids and names are those of the GPU back end.
std::string_view suffix_of(NumberFormat format) {
  constexpr std::array<std::string_view, 4> kSuffixes{"-f32", "-tf32", "-f16", "-bf16"};
  return kSuffixes.at(static_cast<std::size_t>(format));
}

std::string_view words_of(NumberFormat format, bool has_tf32) {
  constexpr std::array<std::string_view, 4> kWords{"float32", "float32 (TF32)", "float16", "bfloat16"};
  if (format == NumberFormat::kFloat32 && has_tf32) return "float32 (strict)";
  return kWords.at(static_cast<std::size_t>(format));
}

// Makes the library that of its generation.
void apply_generation(LibraryModel& library) {
  Generation& generation = library.generation;
  library.float32.convolutions.chain_cycles *= generation.chain_factor;
  library.tensor.costs.l2_traffic = generation.tensor_l2_traffic;
  generation.batched.chain_cycles = library.float32.products.chain_cycles;
  for (TileKernels* kernels : {&library.float32.convolutions, &library.float32.products, &generation.batched}) {
    kernels->efficiency *= generation.tile_efficiency;
  }
}

constexpr double kTensorStepBytes = 128;  // of channels of a tap, in one step of tensor cores

void set_launches(DeviceDescription& device, CapturedModel launches) {
  device.machine.start_us = launches.figures.gap_us;
  device.machine.replay_us = launches.figures.replay_us;
  device.launches = std::move(launches);
}

// Scales what was measured to the device: what waits takes as many cycles, what is moved and multiplied as much time as
// all multiprocessors need, and tensor cores as their rates say. What a graph costs to launch stays.
void scale_launches(DeviceDescription& device, const CapturedEngine& engine) {
  CapturedModel model = engine.model(engine.fitted);
  const double cycles = engine.clock_ghz / device.clock_ghz;
  const double whole = cycles * engine.sms / device.machine.sms;
  model.sms = device.machine.sms;
  model.step_channels = kTensorStepBytes / device.element_bytes;
  double tensor = cycles;
  if (device.format != NumberFormat::kFloat32) {
    const double rate = device.tensor_tflops.at(device.format) / device.machine.sms;
    tensor = engine.tf32_tflops / engine.sms / rate * model.step_channels / kMeasuredStepChannels;
  }
  for (std::size_t f = 0; f < kFamilies; ++f) {
    FamilyShape& shape = model.families[f];
    if (device.compute_capability < shape.from_compute_capability) shape.tiles.clear();
    for (const Term term : shape.terms) {
      const bool volume = term == Term::kMegabyte || term == Term::kMegaelement || term == Term::kMegaelementTap ||
                          term == Term::kFirstMegaelementTap;
      model.figures.us[f][static_cast<std::size_t>(term)] *= volume ? whole : term == Term::kTileStep ? tensor : cycles;
    }
  }
  // An H100 is the same to it as an H200.
  const bool measured = device.format == NumberFormat::kTf32 && cycles == 1 && whole == 1 && tensor == 1;
  device.source += " " + engine.source;
  if (!measured) {
    device.source += " " + engine.prior_source;
    model.figures.spread = wider(model.figures.spread, engine.prior.spread);
  }
  device.checksum ^= engine.checksum << 2;
  set_launches(device, std::move(model));
}

}  // namespace

Result<LibraryModel> parse_library(std::string_view json, const std::string& origin) {
  LibraryModel library;
  library.checksum = text_checksum(json);
  IOS_TRY(parse_object(json, origin, [&](JsonObject& in) {
    library.source = in.text("source");
    library.cache_kept = in.number("cache_kept", 1e-3, 10);
    library.l2_bandwidth = in.number("l2_bandwidth", 1e-3, 10);
    library.launch_gap_us = in.number("launch_gap_us", 0, 1000);
    in.object("float32", [&](JsonObject& part) { library.float32 = read_multiplier(part); });
    in.object("tensor", [&](JsonObject& part) { library.tensor = read_multiplier(part); });
    in.list("generations", 32, [&](JsonObject& part) { library.generations.push_back(read_generation(part)); });
    in.object("winograd", [&](JsonObject& part) {
      library.winograd.fused_efficiency = part.number("fused_efficiency", 1e-3, 2);
      library.winograd.fused_fill_us = part.number("fused_fill_us", 0, 100);
      library.winograd.transform_bandwidth = part.number("transform_bandwidth", 1e-3, 2);
      library.winograd.filters_again = part.number("filters_again", 0, 100);
    });
    in.object("streams", [&](JsonObject& part) {
      library.streams.elements = part.integer("elements", 1, 1 << 20);
      library.streams.warps = part.integer("warps", 1, 32);
      library.streams.blocks_per_sm = part.integer("blocks_per_sm", 1, 64);
      library.streams.efficiency = part.number("efficiency", 1e-4, 2);
      library.streams.fixed_us = part.number("fixed_us", 0, 100);
    });
    in.object("rows", [&](JsonObject& part) {
      library.rows.fixed_us = part.number("fixed_us", 0, 100);
      library.rows.pass_us = part.number("pass_us", 0, 100);
      library.rows.l1_kept = part.number("l1_kept", 1e-3, 10);
      library.rows.l2_kept = part.number("l2_kept", 1e-3, 10);
      library.rows.bandwidth = part.number("bandwidth", 1e-3, 2);
    });
    if (library.generations.empty()) in.mistake("generations", message("must have at least one item"));
  }));
  return library;
}

std::string_view name_of(NumberFormat format) { return suffix_of(format).substr(1); }

Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin) {
  DeviceDescription device;
  device.checksum = text_checksum(json);
  IOS_TRY(parse_object(json, origin, [&](JsonObject& in) {
    device.id = in.text("id");
    device.name = in.text("name");
    device.source = in.text("source");
    in.object("measured", [&](JsonObject& part) { read_grades(part, device); });
    in.object("hardware", [&](JsonObject& part) { read_hardware(part, device); });
  }));
  derive_machine(device);
  return device;
}

Result<EngineDescription> parse_engine(std::string_view json, const std::string& origin) {
  EngineDescription engine;
  engine.checksum = text_checksum(json);
  IOS_TRY(parse_object(json, origin, [&](JsonObject& in) {
    engine.source = in.text("source");
    if (in.has("host")) {
      in.object("host", [&](JsonObject& part) {
        engine.launch_us = part.number("launch_us", 0, 1000);
        engine.start_us = part.number("kernel_start_us", 0, 1000);
        engine.sync_us = part.number("synchronisation_us", 0, 10000);
      });
    } else {
      in.object("captured", [&](JsonObject& part) {
        engine.captured = true;
        engine.memory_latency_us = part.number("memory_latency_us", 0, 100);
      });
    }
    in.object("kernels", [&](JsonObject& part) { read_kernels(part, engine.kernels); });
  }));
  return engine;
}

Message grade_words(const DeviceDescription& device) {
  const auto grade = device.grades.find(device.format);
  if (grade == device.grades.end())
    return device.captured ? message("data sheet, and launches of another device or format")
                           : message("data sheet only");
  const auto& [use, count, error] = grade->second;
  const double off = error.value_or(0);
  switch (use) {
    case Grade::Use::kFitted:
      return error ? message("fitted to {} operators; other convolutions off by {:.3g} %", count, off)
                   : message("fitted to {} operators", count);
    case Grade::Use::kPredicted:
      return error ? message("compared with {} operators: convolutions off by {:.3g} %", count, off)
                   : message("compared with {} operators", count);
    case Grade::Use::kNetworks: return message("fitted to {} network latencies", count);
    case Grade::Use::kPredictedNetworks: break;
  }
  return error ? message("compared with {} network latencies: off by {:.3g} %", count, off)
               : message("compared with {} network latencies", count);
}

void derive_machine(DeviceDescription& device) {
  Machine& machine = device.machine;
  machine.flops_per_us = device.fp32_tflops * device.sustained_clock * 1e6;
  machine.dram_bytes_per_us = device.memory_bandwidth_gb_per_s * device.memory_share * 1e3;
  machine.l2_bytes_per_us = device.l2_bandwidth_gb_per_s * device.sustained_clock * device.library.l2_bandwidth * 1e3;
}

double DeviceDescription::multiply_flops_per_us() const {
  if (format == NumberFormat::kFloat32) return machine.flops_per_us;
  return fp32_tflops * convolution_speedup * sustained_tensor_clock * 1e6;
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

DeviceDescription with_engine(DeviceDescription device, const LibraryModel& library, const EngineDescription& engine,
                              NumberFormat format) {
  const std::vector<NumberFormat> formats = captured_formats(device);
  const bool known = std::ranges::find(formats, format) != formats.end();
  IOS_CHECK(engine.captured ? known : format == NumberFormat::kFloat32);
  if (engine.captured) {
    if (format != formats.front()) device.id += suffix_of(format);
    device.name += fmt::format(", {}", words_of(format, device.tensor_tflops.contains(NumberFormat::kTf32)));
  } else if (!formats.empty()) {
    device.id += "-streams";
    device.name += ", launched one by one";
  }
  device.source += " " + engine.source + " " + library.source;
  device.checksum ^= engine.checksum ^ (library.checksum << 1);
  device.machine.start_us = engine.start_us;
  device.machine.launch_us = engine.launch_us;
  device.machine.sync_us = engine.sync_us;
  if (engine.captured) device.machine.memory_latency_us = engine.memory_latency_us;
  device.library = library;
  for (const Generation& generation : library.generations) {
    if (generation.from_compute_capability <= device.compute_capability) device.library.generation = generation;
  }
  apply_generation(device.library);
  device.kernels = engine.kernels;
  device.captured = engine.captured;
  device.format = format;
  if (format == NumberFormat::kFloat16 || format == NumberFormat::kBfloat16) device.element_bytes = 2;
  if (format != NumberFormat::kFloat32) device.convolution_speedup = device.tensor_tflops[format] / device.fp32_tflops;
  derive_machine(device);
  if (engine.captured) scale_launches(device, engine.launches.value());
  return device;
}

DeviceDescription redrawn(DeviceDescription device, std::uint64_t draw) {
  if (!device.launches) return device;
  CapturedModel launches = *std::move(device.launches);
  launches.figures = redrawn(launches.figures, draw);
  launches.draw = draw;
  set_launches(device, std::move(launches));
  return device;
}

}  // namespace iosx::simulated
