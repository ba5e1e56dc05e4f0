#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Returns the default file of measurements: measurements.db in the folder ios-explorer of $XDG_DATA_HOME or
// ~/.local/share. Returns an error where neither is known.
Result<std::filesystem::path> default_store_file();

// Where stage latencies are kept between runs.
struct StorePlace {
  bool kept = false;                // false: nothing is kept, and nothing kept is used
  std::filesystem::path file = {};  // empty: default_store_file()
  friend bool operator==(const StorePlace&, const StorePlace&) = default;

  // Returns the file, whether or not anything is kept. The error is that of default_store_file().
  Result<std::filesystem::path> path() const;
};

// Returns the sentence for the user where the store could not be opened and the job runs without it.
Message not_kept(const Error& error);

// Keeps the methods of devices with one Device::methods_key() in a measurement store. Where the store fails it finds
// nothing, keeps choices for this run only, and sends the error to `failed`.
class StoredMethods final : public MethodKeeper {
 public:
  // The store must outlive it. `id` is the device's.
  StoredMethods(MeasurementStore& store, std::string device, std::string id,
                std::function<void(const Error&)> failed = {})
      : store_(store), device_(std::move(device)), id_(std::move(id)), failed_(std::move(failed)) {}

  std::optional<std::string> find(const std::string& problem) override {
    const auto found = store_.find_choice(device_, problem);
    if (!found && failed_) failed_(found.error());
    return found.value_or(std::nullopt);
  }
  std::string keep(const std::string& problem, const std::string& method) override {
    const auto kept = store_.keep_choice(device_, id_, problem, method);
    if (!kept && failed_) failed_(kept.error());
    return kept.value_or(method);
  }

 private:
  MeasurementStore& store_;
  std::string device_;
  std::string id_;
  std::function<void(const Error&)> failed_;
};

}  // namespace iosx
