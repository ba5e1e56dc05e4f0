#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/device/gpu_device.h"

namespace iosx::gpu {
namespace {

constexpr int kFirstWithTensorFloats = 80;  // compute capability

struct Words {
  const char* suffix;     // of the id
  const char* name;       // in the device's name
  const char* precision;  // DeviceInfo::precision
};

Words words_of(Math math, int compute_capability) {
  switch (math) {
    case Math::kTf32:
      if (compute_capability < kFirstWithTensorFloats) return {"", "float32", "f32"};
      return {"", "float32 (TF32)", "tf32"};
    case Math::kStrict: return {"-f32", "float32 (strict)", "f32"};
    case Math::kHalf: return {"-f16", "float16", "f16"};
    case Math::kBfloat16: break;
  }
  return {"-bf16", "bfloat16", "bf16"};
}

// Returns how many channels of a pixel tensor cores take at once: 16 bytes. It is 1 without them.
std::int64_t tensor_core_channels(Math math, int compute_capability) {
  constexpr std::int64_t kBytes = 16;
  const bool has_them = math != Math::kStrict && (math != Math::kTf32 || compute_capability >= kFirstWithTensorFloats);
  return has_them ? kBytes / bytes_of(data_type(math)) : 1;
}

std::string summary_of(const Properties& gpu, const std::string& library_version) {
  std::string text = fmt::format("{} SMs", gpu.multiprocessors);
  if (gpu.max_clock_mhz > 0) text += fmt::format(", {:.0f} MHz at most", gpu.max_clock_mhz);
  text += fmt::format(", {:.0f} GB, compute capability {}.{}", static_cast<double>(gpu.memory_bytes) / 1e9,
                      gpu.compute_capability / 10, gpu.compute_capability % 10);
  return text + fmt::format(", driver {}, CUDA {}, {}, {}", gpu.driver, gpu.cuda, library_version, gpu.uuid);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

bool asked_for_eager() { return is_set("IOS_GPU_EAGER"); }
bool asked_for_untuned() { return is_set("IOS_GPU_UNTUNED"); }

void note_way(DeviceInfo& info, bool eager, bool untuned) {
  for (const auto& [is, words] : {std::pair(eager, ", launch by launch"), std::pair(untuned, ", untuned")}) {
    if (!is || info.fingerprint.find(words) != std::string::npos) continue;
    info.summary += words;
    info.fingerprint += words;
  }
}

DeviceInfo gpu_device_info(const Properties& properties, int number, Math math, const std::string& library_version) {
  const Words words = words_of(math, properties.compute_capability);
  DeviceInfo info;
  info.id = number == 0 ? fmt::format("gpu{}", words.suffix) : fmt::format("gpu{}{}", number, words.suffix);
  info.name = fmt::format("{}, {}", properties.name, words.name);
  info.summary = summary_of(properties, library_version);
  // Without the UUID: what one card measured holds for another one of its model as well as for itself tomorrow, and who
  // rents one gets another every time. Which card it was says the summary.
  info.fingerprint = fmt::format("{}, {} SMs, driver {}, CUDA {}, {}, {}, NHWC, program {}", properties.name,
                                 properties.multiprocessors, properties.driver, properties.cuda, library_version,
                                 words.name, kProgramVersion);
  info.origin = Origin::kMeasured;
  info.lowering = {.fuse = true, .concat_in_place = true, .free_columns = true};
  info.lowering.input_channel_multiple = tensor_core_channels(math, properties.compute_capability);
  info.lowering.cached_weights = properties.l2_bytes / 2 / bytes_of(data_type(math));  // half is for what flows
  info.plans_at_once = 16;  // a batch or two of those that the sentinel watches
  info.computes = true;
  info.barrier_free = true;
  info.precision = words.precision;
  return info;
}

}  // namespace iosx::gpu
