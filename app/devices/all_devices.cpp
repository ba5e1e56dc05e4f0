#include "app/devices/all_devices.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/devices/backend.h"
#include "core/operators/kept_predictor.h"
#include "core/workers/worker_list.h"
#include "models/devices/simulated_devices.h"

#ifdef IOS_HAVE_CPU
#include "core/devices/cpu/cpu_device.h"
#endif

namespace iosx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libios_gpu.so";

// Returns the library with this code; empty where that is the program itself, which has no name in its map.
fs::path own_library() {
  Dl_info found{};
  void* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(&own_library), &found, &map, RTLD_DL_LINKMAP) == 0) return {};
  return static_cast<const link_map*>(map)->l_name;
}

// Returns the folder of the program iosx, the base of its other files: that of the running program, or, where another
// program (Python) has loaded this code as a library, that of the iosx built or installed with the library.
fs::path program_folder() {
  std::error_code error;
  const fs::path library = own_library();
  if (library.empty()) return fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path folder = fs::canonical(library, error).parent_path();
  // In a wheel, in a build folder, and where Debian installs modules.
  for (const char* const place : {"bin", "../../bin", "../../../../bin"}) {
    if (fs::exists(folder / place / "iosx", error)) return (folder / place).lexically_normal();
  }
  return folder;
}

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

// Returns the path of the GPU back end: the environment variable IOS_GPU_BACKEND, or else libios_gpu.so beside the
// program, in the folder lib/ios-explorer beside the program's (installed), or in lib (built).
fs::path gpu_backend_path() {
  if (std::string named = from_environment(); !named.empty()) return named;
  std::error_code error;
  const fs::path folder = program_folder();
  if (fs::exists(folder / kLibrary, error)) return folder / kLibrary;
  fs::path installed = folder.parent_path() / "lib" / "ios-explorer" / kLibrary;
  if (fs::exists(installed, error)) return installed;
  return folder.parent_path() / "lib" / kLibrary;
}

Result<std::vector<DeviceRegistry::Entry>> load_gpu_devices() {
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

// Adds the back end's devices, or one "gpu" with the reason why there are none.
void add_gpu_devices(DeviceRegistry& registry) {
  auto entries = load_gpu_devices();
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

#ifdef IOS_HAVE_CPU

void add_cpu(DeviceRegistry& registry, const CpuOptions& options) {
  registry.add(
      {.info = cpu_device_info(options), .open = [options] { return open_cpu_device(options); }, .unavailable = {}});
}

void add_cpu_devices(DeviceRegistry& registry) {
  add_cpu(registry, {});
  add_cpu(registry, {.accurate = true});
  if (cpu_has_bfloat16()) add_cpu(registry, {.precision = DataType::kBfloat16});
}

#else

void add_cpu_devices(DeviceRegistry& registry) {
  DeviceRegistry::Entry entry;
  entry.info = {
      .id = "cpu", .name = "This computer's CPU", .summary = "", .fingerprint = "", .origin = Origin::kMeasured};
  entry.unavailable = message(
      "this program was built without it; install oneDNN (Debian: libdnnl-dev and ocl-icd-opencl-dev) and build again");
  registry.add(std::move(entry));
}

#endif

}  // namespace

void add_all_devices(DeviceRegistry& registry) {
  add_gpu_devices(registry);
  add_simulated_devices(registry);
  add_cpu_devices(registry);
  registry.set_reference("cpu");
}

std::vector<std::string> paper_devices() { return {"tesla-v100", "tesla-k80"}; }

std::vector<Message> add_users_devices(DeviceRegistry& registry, const std::shared_ptr<WorkerBoard>& board) {
  const auto file = worker_list_file();
  auto list = file ? read_worker_list(*file) : WorkerList();
  std::vector<Message> notices;
  if (!list) {
    notices.push_back(message("the list of workers is not used: {}", list.error().line()));
    list = WorkerList();
  }
  add_worker_devices(registry, *list, program_folder() / "iosx", board);
  if (const auto folder = predictor_folder()) {
    for (Message& notice : add_predicted_devices(registry, *folder)) notices.push_back(std::move(notice));
  }
  return notices;
}

}  // namespace iosx
