#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Returns where measurements are kept unless the user says otherwise: measurements.db in the folder ios-explorer of
// $XDG_DATA_HOME or ~/.local/share. It is an error where neither is known.
Result<std::filesystem::path> default_store_file();

// Says where stage latencies are kept from run to run.
struct StorePlace {
  bool kept = false;                // false: nowhere, and none that was kept is used
  std::filesystem::path file = {};  // empty: default_store_file()
  friend bool operator==(const StorePlace&, const StorePlace&) = default;

  // Returns the file, whether anything is kept or not. The error is default_store_file()'s.
  Result<std::filesystem::path> path() const;
};

// Returns the sentence for the user where the store could not be opened and the job goes on without it.
Message not_kept(const Error& error);

}  // namespace iosx
