#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

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

}  // namespace iosx
