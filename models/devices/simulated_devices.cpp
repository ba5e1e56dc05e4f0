#include "models/devices/simulated_devices.h"

#include <algorithm>
#include <iterator>
#include <map>
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

Result<simulated::EngineDescription> read_engine(const EmbeddedDescription& embedded) {
  static const auto launches =
      simulated::parse_captured(embedded_captured().json, std::string(embedded_captured().file));
  IOS_TRY(auto made, simulated::parse_engine(embedded.json, std::string(embedded.file)));
  if (made.captured) {
    IOS_TRY(made.launches, launches);
  }
  return made;
}

// Reads each of the program's files once, since all devices have them in common.
const Result<simulated::EngineDescription>& engine(std::string_view file) {
  static const auto all = [] {
    std::map<std::string_view, Result<simulated::EngineDescription>> read;
    for (const EmbeddedDescription& embedded : embedded_engines()) read.emplace(embedded.file, read_engine(embedded));
    return read;
  }();
  const auto at = all.find(file);
  IOS_CHECK(at != all.end());
  return at->second;
}

const Result<simulated::LibraryModel>& library() {
  static const auto read = simulated::parse_library(embedded_library().json, std::string(embedded_library().file));
  return read;
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
  IOS_TRY(const auto device, simulated::parse_description(json, origin));
  IOS_TRY(const auto kernels, library());
  std::vector<DeviceDescription> made;
  for (const NumberFormat format : captured_formats(device)) {
    IOS_TRY(const auto captured, engine(engine_file(format)));
    made.push_back(with_engine(device, kernels, captured, format));
  }
  IOS_TRY(const auto host, engine("host.json"));
  made.push_back(with_engine(device, kernels, host));
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
