#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"

namespace iosx {

// The devices that a program knows. The composition root fills it; nothing is global. Any thread may use it while
// another changes it; an entry's address stays valid for the life of the registry.
class DeviceRegistry {
 public:
  // Several threads may call a factory at once.
  using Factory = std::function<Result<std::unique_ptr<Device>>()>;

  struct Entry {
    DeviceInfo info;
    Factory open;
    Message unavailable;      // why it cannot be used, with the remedy; empty when it can
    bool by_workers = false;  // the user's workers do its work, most likely on other machines
  };

  // Appends a device, or replaces the one with its id.
  void add(Entry entry);
  void remove(std::string_view id);
  // Returns all present entries, in order.
  std::vector<const Entry*> entries() const;
  // Returns the entry of this id, null if there is none. "gpu-f16" finds "gpu" where that is unavailable, as it would
  // be a variant of it.
  const Entry* find(std::string_view id) const;
  // Returns the first usable device: the default, because the registry is filled from the best on. May be null.
  const Entry* best() const;
  // Returns the first usable device that computes (DeviceInfo::computes) without the user's workers, so that plans
  // really run on this machine. May be null.
  const Entry* best_computing() const;

  // Returns the device whose outputs count as right in verification; null where none is usable and computes.
  void set_reference(std::string id);
  const Entry* reference() const;

  // Opens a device; the caller owns it. For an unknown id the error lists the devices. Any number of threads may open
  // devices at once.
  Result<std::unique_ptr<Device>> open(std::string_view id) const;

 private:
  struct State {
    std::mutex mutex;
    std::vector<std::unique_ptr<const Entry>> entries;
    std::vector<std::unique_ptr<const Entry>> gone;  // callers may still hold their addresses
    std::string reference;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace iosx
