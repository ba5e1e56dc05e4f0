#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Keeps the methods of devices with one Device::methods_key() in a measurement store. Where the store fails it finds
// nothing, keeps choices for this run only, and sends the error to `failed`.
class StoredMethods final : public MethodKeeper {
 public:
  // The store must outlive it. `id` is the device's.
  StoredMethods(MeasurementStore& store, std::string device, std::string id,
                std::function<void(const Error&)> failed = {})
      : store_(store), device_(std::move(device)), id_(std::move(id)), failed_(std::move(failed)) {}

  std::optional<std::string> find(const std::string& problem) override;
  std::string keep(const std::string& problem, const std::string& method) override;

 private:
  MeasurementStore& store_;
  std::string device_;
  std::string id_;
  std::function<void(const Error&)> failed_;
};

}  // namespace iosx
