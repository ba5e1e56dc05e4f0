#include "core/measure/store_place.h"

namespace iosx {

Result<std::filesystem::path> StorePlace::path() const {
  if (file.empty()) return default_store_file();
  return file;
}

Result<std::unique_ptr<MeasurementStore>> open_store(const StorePlace& place, const DeviceInfo& device) {
  if (!place.kept || device.origin == Origin::kSimulated) return nullptr;
  const auto file = place.path();
  if (!file) return tl::unexpected<Error>(file.error());
  return MeasurementStore::open(*file);
}

std::string not_kept(const Error& error) { return "measurements are not kept: " + error.text(); }

}  // namespace iosx
