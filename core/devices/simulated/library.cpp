#include "core/devices/simulated/library.h"

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

}  // namespace iosx::simulated
