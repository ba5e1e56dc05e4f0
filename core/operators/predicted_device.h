#pragma once

#include <memory>

#include "core/devices/registry.h"
#include "core/operators/predictor_file.h"

namespace iosx {

// Makes the device "predicted:NAME": each stage takes the predicted time, deterministic and without noise, with stages
// in the form of the device that it learned from. Its traces spread a stage's operators over that time.
std::unique_ptr<Device> make_predicted_device(std::shared_ptr<const KeptPredictor> kept);

// Adds the devices of a folder's predictors. Returns sentences for the user about invalid files.
std::vector<Message> add_predicted_devices(DeviceRegistry& registry, const std::filesystem::path& folder);

}  // namespace iosx
