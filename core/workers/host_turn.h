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

// Names a piece of hardware of this host that one process at a time should measure on: a file of its own in the folder
// of turns, and a place in it. The cores of a processor are places in one file.
struct HardwarePart {
  std::string file;
  int place = 0;
  friend auto operator<=>(const HardwarePart&, const HardwarePart&) = default;
};

// Returns what a device's measurements have for themselves on this host: of a device that names its hardware
// (core/devices/on_hardware.h) that, of another one that measures the cores that this process may run on, of one that
// does not measure nothing.
std::vector<HardwarePart> hardware_of(const Device& device);

// Returns the folder in which the processes of one user on one host find each other, whoever started them: it is below
// /tmp, because launchers give what they start other values of XDG_RUNTIME_DIR and TMPDIR.
std::filesystem::path turn_folder();

// Is a turn at hardware, which processes of one user on one host take one after another: who waits comes before who had
// it last. It ends with the process, whatever ends that. Not thread-safe.
class HostTurn {
 public:
  // Opens the files. The error is that they cannot be made, or that the folder is somebody else's.
  static Result<HostTurn> open(const std::filesystem::path& folder, std::vector<HardwarePart> parts);
  HostTurn(HostTurn&& other) noexcept;
  HostTurn& operator=(HostTurn&&) = delete;
  HostTurn(const HostTurn&) = delete;
  HostTurn& operator=(const HostTurn&) = delete;
  ~HostTurn();

  // Takes the turn where nobody else has it or waits for it, and says whether it did.
  bool try_take();
  // Waits for the turn; false after a stop.
  bool take(const std::stop_token& stop);
  void give_back();

 private:
  HostTurn() = default;
  bool take_all(const std::stop_token* stop);
  bool lock(std::size_t part, int line, const std::stop_token* stop) const;
  void unlock(std::size_t part, int line) const;

  std::vector<HardwarePart> parts_;  // rising, so that two who want the same ones do not wait for each other
  std::vector<int> files_;           // descriptors, one a part; those of one file are the same
};

}  // namespace iosx
