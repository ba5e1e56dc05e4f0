#pragma once

#include <string>
#include <utility>

#include "core/devices/method_keeper.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Keeps the methods of devices with one Device::methods_key() in a measurement store. Where the store fails, nothing is
// found, and what was found out counts for this run alone.
class StoredMethods final : public MethodKeeper {
 public:
  // The store must outlive it.
  StoredMethods(MeasurementStore& store, std::string device) : store_(store), device_(std::move(device)) {}

  std::optional<std::string> find(const std::string& problem) override;
  std::string keep(const std::string& problem, const std::string& method) override;

 private:
  MeasurementStore& store_;
  std::string device_;
};

}  // namespace iosx
