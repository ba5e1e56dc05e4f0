// Fits the figures of the captured engine to recorded launches, and again without each network in turn:
//   captured_fit captured.json launches.json        for gpu/bench/calibrate.py
// Prints a JSON object: "fitted", "held_out" by network, and what their scores are.
//
// It first fits what kernels take alone, a family at a time, to what launches took on one stream. It seeks the least
// mean of |ln(predicted / measured)|, weighted by the root of a kind's share of time. Then it fits launches, waits and
// issue to the latencies of the networks, with kernels as measured.
//
// The spreads of its errors are those of networks to which the figures were not fitted: of the six others, where one is
// held out.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/analysis/validate/captured.h"
#include "core/base/json/text_file.h"
#include "core/base/parallel.h"
#include "models/devices/simulated_devices.h"

namespace {

using namespace iosx;
using simulated::CapturedFigures;
using simulated::CapturedModel;
using simulated::Family;

constexpr double kMostOff = 1.2;  // of a logarithm: a kind that no formula fits counts no more
constexpr int kRounds = 400;
constexpr double kHeld = 0.01;   // what a figure weighs that is far from its prior
constexpr double kExact = 0.01;  // errors below this are as good as none

// A figure that is sought: several where they are alike.
struct Sought {
  std::vector<double*> values;
  double least = 0;
  double most = 0;
  double step = 0;
  bool factor = false;  // steps are parts of the value

  void set(double value) const {
    for (double* each : values) *each = std::clamp(value, least, most);
  }
};

// Changes one figure after another as long as that lowers the error; steps that do not get smaller.
double descend(std::vector<Sought> sought, const std::function<double()>& error) {
  double best = error();
  for (int round = 0; round < kRounds; ++round) {
    bool better = false;
    double largest = 0;
    for (Sought& figure : sought) {
      const double before = *figure.values.front();
      bool found = false;
      for (const double sign : {1.0, -1.0}) {
        figure.set(before + sign * figure.step * (figure.factor ? before : 1));
        const double now = *figure.values.front() == before ? best : error();
        if (now < best - 1e-7) {
          best = now;
          found = true;
          break;
        }
        figure.set(before);
      }
      figure.step *= found ? 1.3 : 0.65;
      better = better || found;
      largest = std::max(largest, figure.step / (figure.factor ? 1 : figure.most - figure.least));
    }
    if (!better && largest < 1e-3) break;
  }
  return best;
}

// One of a system of linear equations, to be met as well as its weight says.
struct Equation {
  std::vector<double> factors;
  double value = 0;
  double weight = 1;
};

// Returns the unknowns of the least squares, none negative: one after another, from `unknowns`.
std::vector<double> least_squares(const std::vector<Equation>& equations, std::vector<double> unknowns) {
  const std::size_t n = unknowns.size();
  std::vector<double> square(n * n, 0);
  std::vector<double> pull(n, 0);
  for (const Equation& equation : equations) {
    for (std::size_t i = 0; i < n; ++i) {
      pull[i] += equation.weight * equation.factors[i] * equation.value;
      for (std::size_t j = 0; j < n; ++j) {
        square[i * n + j] += equation.weight * equation.factors[i] * equation.factors[j];
      }
    }
  }
  for (int round = 0; round < 3000; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      if (square[i * n + i] <= 0) continue;
      double rest = pull[i];
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) rest -= square[i * n + j] * unknowns[j];
      }
      unknowns[i] = std::max(0.0, rest / square[i * n + i]);
    }
  }
  return unknowns;
}

double weight_of(const RecordedKind& kind) { return std::sqrt(kind.seen * kind.alone_us); }

class Fit {
 public:
  Fit(const simulated::CapturedEngine& engine, const simulated::Machine& machine,
      const std::vector<const RecordedNetwork*>& networks)
      : machine_(machine), networks_(networks), model_(engine.model(engine.prior)) {}

  CapturedFigures run() {
    for (std::size_t f = 0; f < simulated::kFamilies; ++f) fit_family(static_cast<Family>(f));
    fit_launches();
    return model_.figures;
  }

 private:
  void fit_family(Family family) {
    std::vector<const RecordedKind*> kinds;
    for (const RecordedNetwork* network : networks_) {
      for (const RecordedKind& kind : network->kinds) {
        if (kind.family == family && kind.seen > 0) kinds.push_back(&kind);
      }
    }
    if (kinds.size() < 2) return;
    auto& us = model_.figures.us[static_cast<std::size_t>(family)];
    std::vector<double*> sought;
    for (const simulated::Term term : model_.shape(family).terms) sought.push_back(&us[static_cast<std::size_t>(term)]);
    std::vector<double> priors;
    for (const double* figure : sought) priors.push_back(*figure);
    const auto foretold = [&](const RecordedKind& kind) { return alone_us(model_, family, kind.facts, kind.blocks); };
    double weights = 0;
    for (const RecordedKind* kind : kinds) weights += weight_of(*kind);
    const auto error = [&] {
      double sum = 0;
      for (const RecordedKind* kind : kinds) {
        sum += weight_of(*kind) * std::min(std::abs(std::log(foretold(*kind) / kind->alone_us)), kMostOff) / weights;
      }
      for (std::size_t j = 0; j < sought.size(); ++j)
        sum += kHeld * std::pow((*sought[j] - priors[j]) / (*sought[j] + priors[j]), 2);
      return sum;
    };
    // Steps to the least squares with weights that make them the least absolute errors. Formulas are linear where the
    // tile stays the same.
    double best = error();
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Equation> equations;
      for (const RecordedKind* kind : kinds) {
        Equation made;
        const double now = foretold(*kind);
        double rest = kind->alone_us - now;
        for (double* figure : sought) {
          const double before = *figure;
          const double step = 1e-4 + before * 1e-3;
          *figure += step;
          made.factors.push_back((foretold(*kind) - now) / step / kind->alone_us);
          *figure = before;
          rest += made.factors.back() * before * kind->alone_us;
        }
        made.value = rest / kind->alone_us;
        made.weight = weight_of(*kind) / weights / std::max(kExact, std::abs(std::log(now / kind->alone_us)));
        equations.push_back(std::move(made));
      }
      for (std::size_t j = 0; j < sought.size(); ++j) {
        const double size = *sought[j] + priors[j];
        Equation made{std::vector<double>(sought.size(), 0), priors[j] / size, 2 * kHeld};
        made.factors[j] = 1 / size;
        equations.push_back(std::move(made));
      }
      std::vector<double> before;
      for (const double* figure : sought) before.push_back(*figure);
      const std::vector<double> target = least_squares(equations, before);
      bool better = false;
      for (double part = 1; part > 0.01 && !better; part /= 2) {
        for (std::size_t j = 0; j < sought.size(); ++j) *sought[j] = before[j] + part * (target[j] - before[j]);
        const double now = error();
        better = now < best - 1e-7;
        if (better) best = now;
      }
      if (better) continue;
      for (std::size_t j = 0; j < sought.size(); ++j) *sought[j] = before[j];
      break;
    }
    std::vector<Sought> around;
    for (double* figure : sought) around.push_back({{figure}, 0, 1000, 0.2, true});
    descend(around, error);
    fmt::print(stderr, "{:<16} {:3} kinds, off by {:.1f} %\n", name_of(family), kinds.size(), 100 * error());
  }

  // Families that share the figure of another: too few of them run side by side to tell.
  void fit_launches() {
    CapturedFigures& figures = model_.figures;
    const auto issue = [&](std::initializer_list<Family> families) {
      Sought sought{{}, 0.05, 1.5, 0.28, false};
      for (const Family family : families) {
        sought.values.push_back(&figures.issue[static_cast<std::size_t>(family)]);
      }
      return sought;
    };
    const std::vector<Sought> sought{
        {{&figures.gap_us}, 0.1, 0.6, 0.1},
        {{&figures.wait_us}, 0, 1.5, 0.3},
        {{&figures.more_waits_us}, 0, 0.8, 0.16},
        {{&figures.dead_us}, 0.2, 2, 0.36},
        {{&figures.lanes_us}, 0, 1, 0.2},
        issue({Family::kCudaCore}),
        issue({Family::kDepthwise, Family::kDepthwiseApart}),
        issue({Family::kStream, Family::kCopy, Family::kResize, Family::kPool, Family::kGlobalPool, Family::kRows,
               Family::kVector, Family::kPadding, Family::kConvert, Family::kSplit}),
        issue({Family::kSm80}),
        issue({Family::kSm90}),
        issue({Family::kMatrix})};
    const auto error = [&] {
      double sum = 0;
      for (const RecordedNetwork* network : networks_) {
        double squares = 0;
        for (const RecordedRun& run : network->runs) {
          const double us = simulated_us(model_, machine_, *network, run, LaunchTimes::kMeasured);
          squares += std::pow(std::log(us / run.measured_us), 2);
        }
        sum += squares / static_cast<double>(network->runs.size());
      }
      return sum;
    };
    for (int i = 0; i < 2; ++i) fmt::print(stderr, "launches: {:.6f}\n", descend(sought, error));
  }

  const simulated::Machine& machine_;
  const std::vector<const RecordedNetwork*>& networks_;
  CapturedModel model_;
};

// Collects the errors on some networks, each by figures that were not fitted to it.
class Errors {
 public:
  Errors(const simulated::CapturedEngine& engine, const simulated::Machine& machine)
      : engine_(engine), machine_(machine) {}

  void add(const RecordedNetwork& network, const CapturedFigures& figures) {
    const CapturedModel model = engine_.model(figures);
    for (std::size_t f = 0; f < simulated::kFamilies; ++f) {
      double weights = 0;
      double sum = 0;
      double squares = 0;
      for (const RecordedKind& kind : network.kinds) {
        if (kind.family != static_cast<Family>(f) || kind.seen == 0) continue;
        const double off = std::log(kind.alone_us / alone_us(model, kind.family, kind.facts, kind.blocks));
        const double weight = weight_of(kind);
        weights += weight;
        sum += weight * off;
        squares += weight * off * off;
      }
      const bool never_fitted = figures.us[f] == engine_.prior.us[f];
      if (weights == 0 || never_fitted) continue;
      const double mean = sum / weights;
      ++networks_[f];
      shared_[f] += mean * mean;
      apart_[f] += squares / weights - mean * mean;
    }
    for (const RecordedRun& run : network.runs) {
      const double us = simulated_us(model, machine_, network, run, LaunchTimes::kMeasured);
      launches_ += std::pow(std::log(us / run.measured_us), 2);
      CapturedFigures tried = figures;
      tried.spread.launch = kTried;
      for (std::size_t draw = 0; draw < kDraws; ++draw) {
        const CapturedModel drawn = engine_.model(redrawn(tried, draw));
        const double other = simulated_us(drawn, machine_, network, run, LaunchTimes::kMeasured);
        drawn_launches_ += std::pow(std::log(other / us), 2) / kDraws;
      }
    }
  }

  // The prior counts as much as one network.
  simulated::CapturedSpread spread() const {
    simulated::CapturedSpread spread = engine_.prior.spread;
    for (std::size_t f = 0; f < simulated::kFamilies; ++f) {
      const auto with_prior = [&](double prior, double squares) {
        return std::sqrt((prior * prior + squares) / (1 + networks_[f]));
      };
      spread.kernel[f] = with_prior(spread.kernel[f], apart_[f]);
      spread.family[f] = with_prior(spread.family[f], shared_[f]);
    }
    if (drawn_launches_ > 0) spread.launch = kTried * std::sqrt(launches_ / drawn_launches_);
    return spread;
  }

 private:
  static constexpr std::size_t kDraws = 20;
  static constexpr double kTried = 0.2;  // a spread: twice as much is off by about twice as much

  const simulated::CapturedEngine& engine_;
  const simulated::Machine& machine_;
  std::array<double, simulated::kFamilies> networks_{};
  std::array<double, simulated::kFamilies> shared_{};
  std::array<double, simulated::kFamilies> apart_{};
  double launches_ = 0;
  double drawn_launches_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fmt::print(stderr, "captured_fit captured.json launches.json\n"), 2;
  const auto figures = read_text_file(argv[1]);
  const auto text = read_text_file(argv[2]);
  if (!figures || !text) return fmt::print(stderr, "cannot read the files\n"), 2;
  auto engine = simulated::parse_captured(*figures, argv[1]);
  const auto recorded = parse_recorded(*text, argv[2]);
  if (!engine || !recorded) return fmt::print(stderr, "{}\n", (engine ? recorded.error() : engine.error()).text()), 2;
  const simulated::Machine machine = simulated_description("h200").machine;
  std::vector<const RecordedNetwork*> all;
  for (const RecordedNetwork& network : *recorded) {
    if (network.timed) all.push_back(&network);
  }
  std::vector<CapturedFigures> found(all.size() + 1);
  parallel_for(
      found.size(),
      [&](std::size_t i) {
        std::vector<const RecordedNetwork*> fitted = all;
        if (i < all.size()) fitted.erase(fitted.begin() + static_cast<std::ptrdiff_t>(i));
        found[i] = Fit(*engine, machine, fitted).run();
      },
      1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Errors errors(*engine, machine);
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (other != i) errors.add(*all[other], found[other]);
    }
    found[i].spread = errors.spread();
  }
  engine->fitted = found.back();
  engine->folds.clear();
  nlohmann::ordered_json json;
  json["fitted"] = nlohmann::ordered_json::parse(figures_json(*engine, found.back()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    engine->folds[all[i]->name] = found[i];
    json["held_out"][all[i]->name] = nlohmann::ordered_json::parse(figures_json(*engine, found[i]));
  }
  const CapturedValidation checked = validate_captured(*recorded, *engine, machine);
  const auto add = [&](const char* name, const CapturedTable& table) {
    json["scores"][name] = {{"latency_error", table.score.latency_error}, {"gain_error", table.score.gain_error},
                            {"pairs_right", table.score.pairs_right},     {"pairs", table.score.pairs},
                            {"gains_within", table.score.gains_within},   {"gains", table.score.gains}};
  };
  add("fitted", checked.fitted);
  add("held_out", checked.held_out);
  add("held_out_known", checked.held_out_known);
  for (const CapturedTable* table : {&checked.fitted, &checked.held_out, &checked.held_out_known}) {
    for (const CapturedRow& row : table->rows) {
      fmt::print(stderr, "{:<18} {:<14} {:8.1f} {:8.1f} {:+6.1f} %, gain {:.2f} to {:.2f}\n", row.network, row.schedule,
                 row.measured_us, row.simulated_us, 100 * (row.simulated_us / row.measured_us - 1), row.gain_low,
                 row.gain_high);
    }
  }
  fmt::print("{}\n", json.dump(1));
  return 0;
}
