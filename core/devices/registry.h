#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"

namespace iosx {

// Holds the devices that a program knows. The composition root fills it; nothing is global. Any thread may use it while
// another one changes it; what an entry's address was given out for stays where it is as long as the registry lives.
class DeviceRegistry {
 public:
  // A factory is called from several threads at once.
  using Factory = std::function<Result<std::unique_ptr<Device>>()>;

  struct Entry {
    DeviceInfo info;
    Factory open;
    Message unavailable;      // why it cannot be used, and what to do; empty when it can
    bool by_workers = false;  // its work is done by the user's workers, most likely on other machines
  };

  // Adds a device behind those there are, or in the place of the one of its id.
  void add(Entry entry);
  void remove(std::string_view id);
  // Returns all that there are now, in order.
  std::vector<const Entry*> entries() const;
  // Returns the entry of this id, null if there is none. "gpu-f16" finds "gpu" where that cannot be used: it would be a
  // kind of it.
  const Entry* find(std::string_view id) const;
  // Returns the first that can be used: the default device of a registry that was filled from the best on. It may be
  // null.
  const Entry* best() const;
  // Returns the first that can be used and computes (DeviceInfo::computes) without the user's workers: what runs on
  // this machine for real. It may be null.
  const Entry* best_computing() const;

  // The reference is the device whose outputs count as right where another one's are verified; null if there is none
  // that can be used and computes.
  void set_reference(std::string id);
  const Entry* reference() const;

  // Opens a device, which the caller then owns. The error names the devices there are where the id is none of them. Any
  // number of threads may open devices at once.
  Result<std::unique_ptr<Device>> open(std::string_view id) const;

 private:
  struct State {
    std::mutex mutex;
    std::vector<std::unique_ptr<const Entry>> entries;
    std::vector<std::unique_ptr<const Entry>> gone;  // somebody may still hold their address
    std::string reference;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace iosx
