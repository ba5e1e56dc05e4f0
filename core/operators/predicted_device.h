#pragma once

#include <memory>

#include "core/devices/registry.h"
#include "core/operators/predictor_file.h"

namespace iosx {

// Makes the device "predicted:NAME": each stage takes what the predictor says, deterministic and without noise, in the
// form in which stages run on the device that it learned from. Its traces lay a stage's operators out over that time.
std::unique_ptr<Device> make_predicted_device(std::shared_ptr<const KeptPredictor> kept);

// Adds the devices of a folder's predictors. Returns sentences for the user: files that are none.
std::vector<Message> add_predicted_devices(DeviceRegistry& registry, const std::filesystem::path& folder);

}  // namespace iosx
