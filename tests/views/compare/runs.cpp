#include "tests/views/compare/runs.h"

#include "core/analysis/compare/compare.h"
#include "core/base/check.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"

namespace iosx::test {

std::shared_ptr<const Comparison> simulated_run(const std::string& network, const std::string& device,
                                                std::int64_t batch) {
  static std::map<std::tuple<std::string, std::string, std::int64_t>, std::shared_ptr<const Comparison>> made;
  auto& run = made[{network, device, batch}];
  if (!run) {
    DeviceRegistry devices;
    add_simulated_devices(devices);
    CompareOptions options{.batch = batch};
    auto compared = compare(*zoo_network(network), **devices.open(device), options, {});
    IOS_CHECK(compared.has_value());
    run = std::make_shared<const Comparison>(std::move(*compared));
  }
  return run;
}

std::vector<Subject> all_of(const std::vector<std::shared_ptr<const Comparison>>& runs) {
  std::vector<Subject> subjects;
  for (const auto& run : runs) {
    for (std::size_t i = 0; i < run->results.size(); ++i) subjects.push_back({run, i});
  }
  return subjects;
}

}  // namespace iosx::test
