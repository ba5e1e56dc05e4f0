#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device.h"

namespace iosx {

// A piece of this host's hardware that one process at a time should measure on: a file in the folder of turns, and a
// place in it. The cores of a processor are places in one file.
struct HardwarePart {
  std::string file;
  int place = 0;
  friend auto operator<=>(const HardwarePart&, const HardwarePart&) = default;
};

// Returns the hardware that a device's measurements need for themselves on this host: the named piece of a device
// that has one (core/devices/device.h), the cores of this process for another measuring device, nothing for a
// device that does not measure.
std::vector<HardwarePart> hardware_of(const Device& device);

// Returns the folder in which the processes of one user on one host find each other. It lies below /tmp, because
// launchers change XDG_RUNTIME_DIR and TMPDIR.
std::filesystem::path turn_folder();

// A turn at hardware. Processes of one user on one host take turns; one that waits comes before the one that had the
// last turn. A turn ends with its process, however that ends. It is not thread-safe.
class HostTurn {
 public:
  // Opens the files. Errors: they cannot be made, or the folder belongs to another user.
  static Result<HostTurn> open(const std::filesystem::path& folder, std::vector<HardwarePart> parts);
  HostTurn(HostTurn&& other) noexcept;
  HostTurn& operator=(HostTurn&&) = delete;
  HostTurn(const HostTurn&) = delete;
  HostTurn& operator=(const HostTurn&) = delete;
  ~HostTurn();

  // Takes the turn if no other process has it or waits for it, and returns whether it did.
  bool try_take();
  // Waits for the turn; returns false after a stop.
  bool take(const std::stop_token& stop);
  void give_back();

 private:
  HostTurn() = default;
  bool take_all(const std::stop_token* stop);
  bool lock(std::size_t part, int line, const std::stop_token* stop) const;
  void unlock(std::size_t part, int line) const;

  std::vector<HardwarePart> parts_;  // ascending, so that two processes with the same parts do not wait for each other
  std::vector<int> files_;           // descriptors, one per part; equal for one file
};

}  // namespace iosx
