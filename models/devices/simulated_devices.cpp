#include "models/devices/simulated_devices.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
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

Result<simulated::EngineDescription> engine(std::string_view file) {
  const auto embedded = embedded_engines();
  const auto at = std::ranges::find(embedded, file, &EmbeddedDescription::file);
  IOS_CHECK(at != embedded.end());
  IOS_TRY(auto made, simulated::parse_engine(at->json, std::string(file)));
  if (!made.captured) return made;
  const EmbeddedDescription& launches = embedded_captured();
  IOS_TRY(made.launches, simulated::parse_captured(launches.json, std::string(launches.file)));
  return made;
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

Result<std::vector<DeviceDescription>> simulated_descriptions(std::string_view json, const std::string& origin) {
  const EmbeddedDescription& library_text = embedded_library();
  IOS_TRY(const auto device, simulated::parse_description(json, origin));
  IOS_TRY(const auto library, simulated::parse_library(library_text.json, std::string(library_text.file)));
  std::vector<DeviceDescription> made;
  for (const NumberFormat format : captured_formats(device)) {
    IOS_TRY(const auto captured, engine(engine_file(format)));
    made.push_back(with_engine(device, library, captured, format));
  }
  IOS_TRY(const auto host, engine("host.json"));
  made.push_back(with_engine(device, library, host));
  return made;
}

std::vector<DeviceDescription> simulated_descriptions() {
  std::vector<DeviceDescription> all;
  for (const EmbeddedDescription& embedded : embedded_devices()) {
    auto made = simulated_descriptions(embedded.json, std::string(embedded.file));
    if (made) std::ranges::move(*made, std::back_inserter(all));
  }
  return all;
}

DeviceDescription simulated_description(std::string_view id) {
  std::vector<DeviceDescription> all = simulated_descriptions();
  const auto at = std::ranges::find(all, id, &DeviceDescription::id);
  IOS_CHECK(at != all.end());
  return std::move(*at);
}

void add_simulated_devices(DeviceRegistry& registry) {
  for (const EmbeddedDescription& embedded : embedded_devices()) {
    auto made = simulated_descriptions(embedded.json, std::string(embedded.file));
    if (!made) {
      add_unavailable(registry, std::string(embedded.file.substr(0, embedded.file.rfind('.'))), made.error());
      continue;
    }
    for (DeviceDescription& description : *made) add(registry, std::move(description));
  }
}

}  // namespace iosx
