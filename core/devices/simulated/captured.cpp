#include "core/devices/simulated/captured.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/devices/simulated/json_object.h"
#include "core/devices/simulated/residuals.h"

namespace iosx::simulated {
namespace {

constexpr std::array<std::string_view, kFamilies> kFamilyNames{
    "stream", "copy",      "resize",  "depthwise", "depthwise_apart", "pool", "global_pool", "matrix",    "rows",
    "vector", "cuda_core", "padding", "convert",   "split",           "sm80", "sm90",        "attention", "excitation"};
constexpr std::array<std::string_view, kTerms> kTermNames{"fixed",
                                                          "tap",
                                                          "channel",
                                                          "depth",
                                                          "wave",
                                                          "megabyte",
                                                          "megaelement",
                                                          "megaelement_tap",
                                                          "cold",
                                                          "first",
                                                          "first_megaelement_tap",
                                                          "step",
                                                          "tile_step",
                                                          "tile"};

constexpr double kMega = 1e6;
constexpr double kFirstChannels = 4;
constexpr double kTileOutputs = 64 * 64;
constexpr double kMostWaits = 16;
constexpr double kDeadShare = 0.6;  // of a launch, at most
constexpr double kMostUs = 1e4;
constexpr double kMostSpread = 3;

struct LaunchFigure {
  const char* name;
  double CapturedFigures::*value;
};
constexpr std::array kLaunchFigures{
    LaunchFigure{"gap_us", &CapturedFigures::gap_us},   LaunchFigure{"lanes_us", &CapturedFigures::lanes_us},
    LaunchFigure{"wait_us", &CapturedFigures::wait_us}, LaunchFigure{"more_waits_us", &CapturedFigures::more_waits_us},
    LaunchFigure{"dead_us", &CapturedFigures::dead_us}, LaunchFigure{"replay_us", &CapturedFigures::replay_us}};

// Calls `visit` with the name, the figures' key and the shape of each family.
template <typename Visit>
void for_families(Visit visit) {
  for (std::size_t f = 0; f < kFamilies; ++f) visit(std::string(kFamilyNames[f]), f);
}

FamilyShape read_shape(JsonObject& in) {
  FamilyShape shape;
  shape.warps = in.integer("warps", 1, 32);
  if (in.has("tiles")) {
    in.list("tiles", 32, [&](JsonObject& tile) {
      shape.tiles.push_back({tile.integer("rows", 1, 1 << 16), tile.integer("columns", 1, 1 << 16),
                             tile.integer("blocks_per_sm", 1, 64)});
    });
    shape.from_compute_capability = in.number("from_compute_capability", 0, 100);
    return shape;
  }
  shape.outputs = in.integer("outputs", 1, 1 << 20);
  shape.blocks_per_sm = in.integer("blocks_per_sm", 1, 64);
  return shape;
}

CapturedFigures read_figures(JsonObject& in) {
  CapturedFigures figures;
  in.object("launch", [&](JsonObject& launch) {
    for (const LaunchFigure& figure : kLaunchFigures) figures.*figure.value = launch.number(figure.name, 0, kMostUs);
    figures.spread.launch = launch.number("spread", 0, kMostSpread);
  });
  for_families([&](const std::string& name, std::size_t f) {
    in.object(name.c_str(), [&](JsonObject& family) {
      figures.issue[f] = family.number("issue", 0, 10);
      figures.spread.kernel[f] = family.number("spread", 0, kMostSpread);
      figures.spread.family[f] = family.number("shared_spread", 0, kMostSpread);
      for (std::size_t t = 0; t < kTerms; ++t) {
        const std::string term(kTermNames[t]);
        if (family.has(term)) figures.us[f][t] = family.number(term.c_str(), 0, kMostUs);
      }
    });
  });
  return figures;
}

double value_of(Term term, const LaunchFacts& facts, double blocks, double sms) {
  const bool first = facts.channels <= kFirstChannels;
  switch (term) {
    case Term::kFixed: return 1;
    case Term::kTap: return facts.taps;
    case Term::kChannel: return facts.channels;
    case Term::kDepth: return facts.channels * std::max(1.0, facts.taps);
    case Term::kWave: return std::ceil(blocks / sms);
    case Term::kMegabyte: return facts.bytes / kMega;
    case Term::kMegaelement: return facts.elements / kMega;
    case Term::kMegaelementTap: return facts.elements / kMega * facts.taps;
    case Term::kCold: return facts.cold ? 1 : 0;
    case Term::kFirst: return first ? 1 : 0;
    case Term::kFirstMegaelementTap: return first ? facts.elements / kMega * facts.taps : 0;
    case Term::kStep:
    case Term::kTileStep:
    case Term::kTile: break;  // of fastest_tile()
  }
  return 0;
}

}  // namespace

std::string_view name_of(Family family) { return kFamilyNames.at(static_cast<std::size_t>(family)); }

std::string_view name_of(Term term) { return kTermNames.at(static_cast<std::size_t>(term)); }

std::optional<Family> family_named(std::string_view name) {
  const auto at = std::ranges::find(kFamilyNames, name);
  if (at == kFamilyNames.end()) return std::nullopt;
  return static_cast<Family>(at - kFamilyNames.begin());
}

Result<CapturedEngine> parse_captured(std::string_view json, const std::string& origin) {
  CapturedEngine engine;
  engine.checksum = text_checksum(json);
  IOS_TRY(parse_object(json, origin, [&](JsonObject& in) {
    engine.source = in.text("source");
    engine.prior_source = in.text("prior_source");
    in.object("measured", [&](JsonObject& part) {
      engine.device = part.text("device");
      engine.sms = part.integer("sms", 1, 1024);
      engine.clock_ghz = part.number("clock_ghz", 0.05, 10);
      engine.tf32_tflops = part.number("tf32_tflops", 0.01, 1e6);
    });
    in.object("families", [&](JsonObject& part) {
      for_families([&](const std::string& name, std::size_t f) {
        part.object(name.c_str(), [&](JsonObject& family) { engine.families[f] = read_shape(family); });
      });
    });
    in.object("prior", [&](JsonObject& part) { engine.prior = read_figures(part); });
    in.object("fitted", [&](JsonObject& part) { engine.fitted = read_figures(part); });
    in.each("held_out",
            [&](const std::string& network, JsonObject& part) { engine.folds[network] = read_figures(part); });
  }));
  for (std::size_t f = 0; f < kFamilies; ++f) {
    for (std::size_t t = 0; t < kTerms; ++t) {
      if (engine.prior.us[f][t] > 0) engine.families[f].terms.push_back(static_cast<Term>(t));
    }
  }
  return engine;
}

std::string figures_json(const CapturedEngine& engine, const CapturedFigures& figures) {
  constexpr double kDigits = 1e4;
  const auto rounded = [](double value) { return std::round(value * kDigits) / kDigits; };
  nlohmann::ordered_json json;
  for (const LaunchFigure& figure : kLaunchFigures) json["launch"][figure.name] = rounded(figures.*figure.value);
  json["launch"]["spread"] = rounded(figures.spread.launch);
  for_families([&](const std::string& name, std::size_t f) {
    json[name]["issue"] = rounded(figures.issue[f]);
    for (const Term term : engine.families[f].terms) {
      const auto t = static_cast<std::size_t>(term);
      json[name][std::string(kTermNames[t])] = rounded(figures.us[f][t]);
    }
    json[name]["spread"] = rounded(figures.spread.kernel[f]);
    json[name]["shared_spread"] = rounded(figures.spread.family[f]);
  });
  return json.dump();
}

CapturedSpread wider(CapturedSpread a, const CapturedSpread& b) {
  a.launch = std::max(a.launch, b.launch);
  std::ranges::transform(a.kernel, b.kernel, a.kernel.begin(), [](double x, double y) { return std::max(x, y); });
  std::ranges::transform(a.family, b.family, a.family.begin(), [](double x, double y) { return std::max(x, y); });
  return a;
}

CapturedFigures redrawn(const CapturedFigures& figures, std::uint64_t draw) {
  CapturedFigures made = figures;
  std::uint64_t seed = 0;
  const auto factor = [&](double spread) { return std::exp(spread * normal(++seed, draw)); };
  for (const LaunchFigure& figure : kLaunchFigures) made.*figure.value *= factor(figures.spread.launch);
  for (std::size_t f = 0; f < kFamilies; ++f) {
    made.issue[f] *= factor(figures.spread.launch);
    const double shared = factor(figures.spread.family[f]);
    for (double& us : made.us[f]) us *= shared;
  }
  return made;
}

double kernel_factor(const CapturedFigures& figures, Family family, std::uint64_t seed, std::uint64_t draw) {
  const auto f = static_cast<std::size_t>(family);
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;  // so that no seed is one of the figures'
  return std::exp(figures.spread.kernel[f] * normal(seed ^ ((f + 1) * kOdd), draw));
}

TileChoice fastest_tile(const CapturedModel& model, Family family, const LaunchFacts& facts) {
  const auto& us = model.figures.us[static_cast<std::size_t>(family)];
  const auto figure = [&](Term term) { return us[static_cast<std::size_t>(term)]; };
  const double steps = std::max(1.0, facts.taps) * std::ceil(facts.channels / model.step_channels);
  const double rows = facts.elements / std::max(1.0, facts.columns);
  TileChoice best{std::numeric_limits<double>::infinity(), 1, 1};
  for (const FamilyShape::Tile& tile : model.shape(family).tiles) {
    const double size = tile.rows * tile.columns / kTileOutputs;
    const double blocks = std::ceil(rows / tile.rows) * std::ceil(facts.columns / tile.columns);
    const double room = model.sms * tile.blocks_per_sm;
    const double on_sm = std::ceil(std::min(blocks, room) / model.sms);
    const double step = std::max(figure(Term::kStep), figure(Term::kTileStep) * size * on_sm);
    const double took = std::ceil(blocks / room) * (steps * step + figure(Term::kTile) * size);
    if (took < best.us) best = {took, blocks, tile.blocks_per_sm};
  }
  return best;
}

double alone_us(const CapturedModel& model, Family family, const LaunchFacts& facts, double blocks) {
  const auto& us = model.figures.us[static_cast<std::size_t>(family)];
  const FamilyShape& shape = model.shape(family);
  double sum = shape.tiles.empty() ? 0 : fastest_tile(model, family, facts).us;
  for (const Term term : shape.terms) {
    sum += us[static_cast<std::size_t>(term)] * value_of(term, facts, blocks, model.sms);
  }
  return sum;
}

KernelLoad timed_load(const Machine& machine, const CapturedFigures& figures, Family family, double us, int blocks,
                      int warps, int blocks_per_sm) {
  KernelLoad load;
  load.blocks = blocks;
  load.warps = warps;
  load.blocks_per_sm = blocks_per_sm;
  load.dead_us = std::min(figures.dead_us, kDeadShare * us);
  const double room = machine.sms * blocks_on_sm(machine, load);
  const double full = std::floor(blocks / room);
  const double rest = blocks - full * room;
  load.chain_us = (us - load.dead_us) / std::max(1.0, full + (rest > 0 ? 1 : 0));
  // So much arithmetic that it takes a part of that time where the kernel is alone.
  const double on_sm = full > 0 ? blocks_on_sm(machine, load) : std::ceil(rest / machine.sms);
  const double slots = on_sm * warps;
  const double share = slots / (slots + machine.half_issue_warps);
  load.flops = figures.issue[static_cast<std::size_t>(family)] * load.chain_us * share * machine.flops_per_us /
               (on_sm * machine.sms);
  return load;
}

double wait_us(const CapturedFigures& figures, bool several_lanes, std::size_t waits) {
  double us = several_lanes ? figures.lanes_us : 0;
  if (waits > 0) us += figures.wait_us + figures.more_waits_us * (std::min(static_cast<double>(waits), kMostWaits) - 1);
  return us;
}

}  // namespace iosx::simulated
