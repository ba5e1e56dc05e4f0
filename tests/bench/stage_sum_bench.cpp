// How far the stage sum, which a search minimises, is from the end-to-end latency, and whether a search ever finds what
// is slower than running sequentially, on every simulated device:
//   stage_sum_bench [NETWORK...]      five networks of the paper without arguments, batch 1, 8, 32 and 128
// NASNet and RandWire take many minutes a device. Exit code 1 if a sum is more than 3 % off or a searched schedule over
// 0.5 % slower.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "models/devices/simulated_devices.h"
#include "models/open_graph.h"

namespace {

using namespace iosx;

constexpr double kMostOff = 0.03;
constexpr double kMostSlower = 0.005;

struct Worst {
  int seen = 0;
  int beyond = 0;
  double value = 0;
  std::string where = "nowhere";

  void add(double is, double limit, const std::string& case_name) {
    ++seen;
    if (is > limit) ++beyond;
    if (is > value) {
      value = is;
      where = case_name;
    }
  }
  std::string text() const {
    return fmt::format("{} of {} beyond the limit, worst {:.2f} % ({})", beyond, seen, 100 * value, where);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> networks(argv + 1, argv + argc);
  if (networks.empty()) networks = {"sample", "squeezenet", "inception_v3", "randwire", "nasnet"};
  DeviceRegistry devices;
  add_simulated_devices(devices);
  Worst off;
  Worst slower;
  for (const std::string& network : networks) {
    const auto document = open_graph(network);
    if (!document) return fmt::print(stderr, "{}\n", document.error().text()), 2;
    for (const DeviceRegistry::Entry* const entry : devices.entries()) {
      const auto device = devices.open(entry->info.id);
      if (!device) return fmt::print(stderr, "{}\n", device.error().text()), 2;
      for (const std::int64_t batch : {1, 8, 32, 128}) {
        CompareOptions options{.batch = batch};
        const auto comparison = compare(*document->graph, **device, options, {});
        if (!comparison) return fmt::print(stderr, "{}\n", comparison.error().text()), 2;
        const Millis sequential = comparison->find(ScheduleKind::kSequential)->latency.value;
        for (const ScheduleResult& result : comparison->results) {
          const std::string name =
              fmt::format("{} on {}, batch {}, {}", network, entry->info.id, batch, result.id.text());
          if (!result.lanes)  // lanes have no stages of their own
            off.add(std::abs(result.stage_sum / result.latency.value - 1), kMostOff, name);
          if (result.search) slower.add(result.latency.value / sequential - 1, kMostSlower, name);
        }
      }
      fmt::print("after {} on {}: stage sums {}; slower than sequential {}\n", network, entry->info.id, off.text(),
                 slower.text());
      std::fflush(stdout);
    }
  }
  return off.beyond + slower.beyond == 0 ? 0 : 1;
}
