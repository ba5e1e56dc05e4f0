// Lazy against exhaustive search on simulated devices:
//   lazy_search_bench [--seeds N] [--lazy-only] [--noise PERCENT] [NETWORK|FILE...]
// without arguments Inception V3, NASNet and RandWire, three seeds. r = 3, s = 8, both strategies and ending rules.
// Shares of structures are of those that exhaustive search needs, and of what the authors' code measures (of
// concurrent stages, counted by part; r = 3, s = 8); losses are over its optimum, by true latencies.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/analysis/experiment/lab.h"
#include "models/devices/simulated_devices.h"
#include "models/open_graph.h"

namespace {

using namespace iosx;

// A source whose quick estimates are off by a normal error, refined ones less so: as a device that measures.
class Noisy final : public LatencySource {
 public:
  Noisy(LatencySource& exact, double noise, std::uint64_t seed)
      : exact_(exact), noise_(noise), state_(seed * 7919 + 1) {}

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override {
    return off(exact_.stage_latencies(stages, job), noise_);
  }
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override {
    auto answers = exact_.stage_latencies(stages, job);
    return refine_ ? off(std::move(answers), noise_ / 4) : answers;
  }
  bool estimates_quickly() const override { return true; }
  InterStageOverhead overhead() const override { return exact_.overhead(); }
  void start_tally() override { exact_.start_tally(); }
  StageTally tally() const override { return exact_.tally(); }

 private:
  // The same stage gets the same answer: by its exact latency.
  Result<std::vector<Latency>> off(Result<std::vector<Latency>> answers, double noise) const {
    if (!answers) return answers;
    for (Latency& answer : *answers) {
      const auto bits = static_cast<std::uint64_t>(answer.value.count() * 1e12) ^ state_;
      std::uint64_t mixed = bits * 0x9E3779B97F4A7C15ULL;
      mixed = (mixed ^ (mixed >> 31)) * 0xBF58476D1CE4E5B9ULL;
      mixed ^= mixed >> 29;
      double sum = 0;
      for (int part = 0; part < 4; ++part) sum += static_cast<double>((mixed >> (16 * part)) & 0xFFFF) / 65535.0;
      answer.value *= 1 + noise * (sum - 2) * 1.732;
      answer.spread = 2 * noise * answer.value;
      answer.samples = 1;
    }
    return answers;
  }

  LatencySource& exact_;
  double noise_;
  std::uint64_t state_;
  bool refine_ = true;
};

// Of the authors' code; 0: not known.
std::int64_t authors_count(const std::string& network) {
  if (network == "inception_v3") return 5319;
  if (network == "nasnet") return 240'330;
  if (network == "randwire") return 212'775;
  if (network == "squeezenet") return 168;
  return 0;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

struct Options {
  std::uint64_t seeds = 3;
  bool lazy_only = false;
  double noise = 0;
  std::vector<std::string> networks;
  std::vector<std::string> devices{"tesla-v100", "h200"};
};

int run(const Options& options, const std::string& network, const std::string& device_id, EndingRule rule) {
  const auto document = open_graph(network);
  if (!document) return fmt::print(stderr, "{}\n", document.error().text()), 2;
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open(device_id);
  SearchOptions search_options{.rule = rule};
  const auto graph = prepare(*document->graph, search_options);
  if (!graph) return fmt::print(stderr, "{}\n", graph.error().text()), 2;
  const std::string name = fmt::format("{:<14} {:<10} {:<11}", network.substr(network.rfind('/') + 1), device_id,
                                       rule == EndingRule::kConnected ? "connected" : "single-root");
  double optimum = 0;
  std::int64_t all = 0;
  if (!options.lazy_only) {
    DeviceLatencySource source(*graph, **device, 1);
    search_options.method = SearchMethod::kExhaustive;
    const auto trial = try_search(*graph, source, source, search_options, {});
    if (!trial) return fmt::print(stderr, "{}\n", trial.error().text()), 2;
    optimum = trial->cost.count();
    all = trial->found.tally.needed;
    fmt::print("{} exhaustive  {:9.4f} ms  {:>7} structures {:>24} {:6.1f} s\n", name, optimum, all, "",
               trial->found.elapsed.count());
  }
  search_options.method = SearchMethod::kLazy;
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
    DeviceLatencySource exact(*graph, **device, 1);
    Noisy noisy(exact, options.noise / 100, seed);
    search_options.effort.seed = seed;
    LatencySource& source = options.noise > 0 ? static_cast<LatencySource&>(noisy) : exact;
    const auto trial = try_search(*graph, source, exact, search_options, {});
    if (!trial) return fmt::print(stderr, "{}\n", trial.error().text()), 2;
    const double cost = trial->cost.count();
    const SearchResult& found = trial->found;
    const LazyReport& lazy = *found.lazy;
    fmt::print(
        "{} lazy {}      {:9.4f} ms  {:>7} structures ({:6.2f} %, of the authors' {:.2f} %)  loss {:6.3f} %  {:6.1f} s "
        " gap certified {:5.1f} %, "
        "estimated {:4.1f} %  error {:4.1f} %, {:4.1f} %  below bound {}/{} {:.2f}\n",
        name, seed, cost, found.tally.needed, percent(found.tally.needed, all),
        percent(found.tally.needed, authors_count(network)), optimum > 0 ? 100 * (cost / optimum - 1) : 0.0,
        found.elapsed.count(), 100 * lazy.certified_gap, 100 * lazy.estimated_gap, 100 * lazy.median_error,
        100 * lazy.large_error, lazy.below_bound, lazy.audited, lazy.worst_below);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--lazy-only") {
      options.lazy_only = true;
    } else if (argument == "--seeds" && i + 1 < argc) {
      options.seeds = std::stoul(argv[++i]);
    } else if (argument == "--noise" && i + 1 < argc) {
      options.noise = std::stod(argv[++i]);
    } else {
      options.networks.push_back(argument);
    }
  }
  if (options.networks.empty()) options.networks = {"inception_v3", "nasnet", "randwire"};
  for (const std::string& network : options.networks) {
    for (const std::string& device : options.devices) {
      for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
        if (const int code = run(options, network, device, rule); code != 0) return code;
      }
    }
  }
  return 0;
}
