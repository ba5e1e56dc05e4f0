#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/devices/registry.h"

// A back end is a shared library with devices, loaded at run time, so that the program starts and works without
// the back end or the libraries it needs. It exports one C function and nothing else.
namespace iosx {

// The version of all that programs and back ends exchange: Device, LoadedPlan, ExecutionPlan, Graph's value types, the
// registry's entries, and this header. Every change of them raises it.
inline constexpr std::uint32_t kBackendAbi = 6;
inline constexpr const char* kBackendEntryName = "ios_explorer_backend";

struct DeviceBackend {
  std::uint32_t abi = 0;
  // The compiler, its library and the sizes of the exchanged types. Values may be exchanged only where this text
  // is equal.
  const char* build = nullptr;
  // Adds the available devices; where there is none, one entry whose `unavailable` gives the reason and the remedy.
  // Does not throw.
  void (*list_devices)(std::vector<DeviceRegistry::Entry>& entries) = nullptr;
};

// The type of the function that a back end exports. The result lives as long as the library.
extern "C" {
using BackendEntry = const DeviceBackend* (*)();
}

// Returns the caller's DeviceBackend::build.
const char* backend_build();

// Returns the devices of a back end (backend.h). A loaded library stays until the program ends. Errors name a remedy:
// the file does not exist; it, or a library that it needs, cannot be loaded (with the loader's message); it is no back
// end; it was built for another program (ABI or compiler).
Result<std::vector<DeviceRegistry::Entry>> load_backend(const std::filesystem::path& library);

}  // namespace iosx
