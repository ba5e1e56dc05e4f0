#include "app/devices/gpu_devices.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/devices/program_folder.h"
#include "core/devices/backend_loader.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libios_gpu.so";

std::string from_environment() {
  const char* const value = std::getenv("IOS_GPU_BACKEND");
  return value == nullptr ? "" : value;
}

// Returns why this build has no back end; empty where it should have one.
#ifdef IOS_GPU_NOT_BUILT
constexpr std::string_view kNotBuilt = IOS_GPU_NOT_BUILT;
#else
constexpr std::string_view kNotBuilt;
#endif

Result<std::vector<DeviceRegistry::Entry>> load() {
  const fs::path library = gpu_backend_path();
  std::error_code ignored;
  const bool missing = from_environment().empty() && !fs::exists(library, ignored);
  if (missing && kNotBuilt.empty()) {
    return fail(message("the GPU back end is not built yet; run.sh builds it on a computer with an NVIDIA driver"),
                library.string(),
                message("start run.sh on the computer with the GPU, or build the target gpu_backend"));
  }
  if (missing) {
    return fail(message("this program was built without it: {}", kNotBuilt), {},
                message("with CUDA toolkit 13 and cuDNN 9 installed, build again with IOS_WITH_GPU=ON"));
  }
  return load_backend(library);
}

}  // namespace

fs::path gpu_backend_path() {
  if (std::string named = from_environment(); !named.empty()) return named;
  std::error_code error;
  const fs::path folder = program_folder();
  if (fs::exists(folder / kLibrary, error)) return folder / kLibrary;
  fs::path installed = folder.parent_path() / "lib" / "ios-explorer" / kLibrary;
  if (fs::exists(installed, error)) return installed;
  return folder.parent_path() / "lib" / kLibrary;
}

void add_gpu_devices(DeviceRegistry& registry) {
  auto entries = load();
  if (entries) {
    for (DeviceRegistry::Entry& entry : *entries) registry.add(std::move(entry));
    return;
  }
  DeviceRegistry::Entry entry;
  entry.info.id = "gpu";
  entry.info.name = "NVIDIA GPU";
  entry.info.origin = Origin::kMeasured;
  entry.info.computes = true;
  entry.unavailable = entries.error().line();
  if (!from_environment().empty()) {
    entry.unavailable =
        message("{}; IOS_GPU_BACKEND names it: unset it to use the program's own back end", entry.unavailable);
  }
  registry.add(std::move(entry));
}

}  // namespace iosx
