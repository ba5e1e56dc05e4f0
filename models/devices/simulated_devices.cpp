#include "models/devices/simulated_devices.h"

#include <memory>
#include <string>
#include <utility>

#include "core/device/simulated/simulated_device.h"
#include "models/devices/embedded_devices.h"

namespace iosx {
namespace {

// A description that cannot be read is listed with what is wrong with it; a test makes sure that there is none.
DeviceRegistry::Entry entry(const EmbeddedDevice& embedded) {
  auto description = simulated::parse_description(embedded.json, std::string(embedded.file));
  DeviceRegistry::Entry made;
  if (!description) {
    made.info.id = embedded.file.substr(0, embedded.file.rfind('.'));
    made.info.name = made.info.id;
    made.unavailable = description.error().text();
    return made;
  }
  made.info = simulated::device_info(*description);
  made.open = [description = *std::move(description)]() -> Result<std::unique_ptr<Device>> {
    return std::make_unique<simulated::SimulatedDevice>(description);
  };
  return made;
}

}  // namespace

void add_simulated_devices(DeviceRegistry& registry) {
  for (const EmbeddedDevice& embedded : embedded_devices()) registry.add(entry(embedded));
}

}  // namespace iosx
