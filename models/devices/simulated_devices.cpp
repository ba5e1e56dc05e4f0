#include "models/devices/simulated_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/devices/simulated/simulated_device.h"
#include "models/devices/embedded_devices.h"

namespace iosx {
namespace {

using simulated::DeviceDescription;
using simulated::NumberFormat;

std::string_view engine_file(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFloat32: return "captured-f32.json";
    case NumberFormat::kTf32: return "captured-tf32.json";
    case NumberFormat::kFloat16:
    case NumberFormat::kBfloat16: break;
  }
  return "captured-half.json";
}

Result<DeviceDescription> captured(const DeviceDescription& device, NumberFormat format) {
  const auto embedded = embedded_engines();
  const auto file = std::ranges::find(embedded, engine_file(format), &EmbeddedDescription::file);
  IOS_TRY(auto engine, simulated::parse_engine(file->json, std::string(file->file)));
  return simulated::captured(device, engine, format);
}

void add(DeviceRegistry& registry, DeviceDescription description) {
  DeviceRegistry::Entry made;
  made.info = simulated::device_info(description);
  made.open = [description = std::move(description)]() -> Result<std::unique_ptr<Device>> {
    return std::make_unique<simulated::SimulatedDevice>(description);
  };
  registry.add(std::move(made));
}

// A description that cannot be read is listed with what is wrong with it; a test makes sure that there is none.
void add_unavailable(DeviceRegistry& registry, std::string id, const Error& error) {
  DeviceRegistry::Entry made;
  made.info.id = made.info.name = std::move(id);
  made.unavailable = error.line();
  registry.add(std::move(made));
}

}  // namespace

void add_simulated_devices(DeviceRegistry& registry) {
  for (const EmbeddedDescription& embedded : embedded_devices()) {
    const auto device = simulated::parse_description(embedded.json, std::string(embedded.file));
    if (!device) {
      add_unavailable(registry, std::string(embedded.file.substr(0, embedded.file.rfind('.'))), device.error());
      continue;
    }
    const auto formats = captured_formats(*device);
    for (const NumberFormat format : formats) {
      auto made = captured(*device, format);
      if (made) {
        add(registry, *std::move(made));
      } else {
        add_unavailable(registry, fmt::format("{}-{}", device->id, name_of(format)), made.error());
      }
    }
    add(registry, formats.empty() ? *device : launched_by_host(*device));
  }
}

}  // namespace iosx
