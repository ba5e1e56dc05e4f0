#include "gpu/backend/gpu_entries.h"

#include <fmt/format.h>

#include <utility>

#include "gpu/device/gpu_device.h"

namespace iosx::gpu {
namespace {

constexpr int kFirstWithBfloat16 = 80;  // compute capability

DeviceRegistry::Entry entry_of(const Properties& properties, int number, Math math, const std::string& library_version,
                               const OpenGpu& open) {
  DeviceRegistry::Entry entry;
  entry.info = gpu_device_info(properties, number, math, library_version);
  note_way(entry.info, asked_for_eager(), asked_for_untuned());
  entry.open = [open, number, math, info = entry.info] { return open(number, math, info); };
  if (math == Math::kBfloat16 && properties.compute_capability < kFirstWithBfloat16) {
    entry.unavailable =
        message("{} does not support bfloat16; a GPU of the Ampere generation (8.0) or newer does; use float16",
                properties.name);
  }
  return entry;
}

}  // namespace

DeviceRegistry::Entry unavailable_gpu(Message reason) {
  DeviceRegistry::Entry entry;
  entry.info.id = "gpu";
  entry.info.name = "NVIDIA GPU";
  entry.info.origin = Origin::kMeasured;
  entry.info.computes = true;
  entry.unavailable = std::move(reason);
  return entry;
}

std::vector<DeviceRegistry::Entry> gpu_entries(const SystemFacts& facts, const std::string& library_version,
                                               const OpenGpu& open) {
  if (Message reason = refusal(facts); !reason.empty()) return {unavailable_gpu(std::move(reason))};
  std::vector<DeviceRegistry::Entry> usable;
  std::vector<DeviceRegistry::Entry> unusable;
  Message reasons;
  for (std::size_t i = 0; i < facts.devices.size(); ++i) {
    const int number = static_cast<int>(i);
    const Properties& properties = facts.devices[i].properties;
    if (const Message reason = refusal(facts.devices[i]); !reason.empty()) {
      unusable.push_back(unavailable_gpu(reason));
      if (number > 0) unusable.back().info.id = fmt::format("gpu{}", number);
      if (!properties.name.empty()) unusable.back().info.name = properties.name;
      reasons =
          reasons.empty() ? message("GPU {}: {}", number, reason) : message("{}; GPU {}: {}", reasons, number, reason);
      continue;
    }
    for (const Math math : {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16}) {
      usable.push_back(entry_of(properties, number, math, library_version, open));
    }
  }
  if (usable.empty()) return {unavailable_gpu(unusable.size() == 1 ? unusable.front().unavailable : reasons)};
  usable.insert(usable.end(), std::make_move_iterator(unusable.begin()), std::make_move_iterator(unusable.end()));
  return usable;
}

}  // namespace iosx::gpu
