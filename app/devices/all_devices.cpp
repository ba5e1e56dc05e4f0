#include "app/devices/all_devices.h"

#include <utility>

#include "app/devices/gpu_devices.h"
#include "models/devices/simulated_devices.h"

#ifdef IOS_HAVE_CPU
#include "core/devices/cpu/cpu_device.h"
#endif

namespace iosx {
namespace {

#ifdef IOS_HAVE_CPU

void add_cpu(DeviceRegistry& registry, const CpuOptions& options) {
  DeviceRegistry::Entry entry;
  entry.info = cpu_device_info(options);
  entry.open = [options] { return open_cpu_device(options); };
  registry.add(std::move(entry));
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

}  // namespace iosx
