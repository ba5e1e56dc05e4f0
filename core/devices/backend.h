#pragma once

#include <cstdint>
#include <vector>

#include "core/devices/registry.h"

// A back end is a shared library with devices in it, loaded while the program runs, so that the program starts and
// works where the back end or what it needs is missing. It exports one C function and nothing else.
namespace iosx {

// This is raised with every change of what programs and back ends exchange: Device, LoadedPlan, ExecutionPlan, Graph's
// value types, the registry's entries, and this header.
inline constexpr std::uint32_t kBackendAbi = 6;
inline constexpr const char* kBackendEntryName = "ios_explorer_backend";

struct DeviceBackend {
  std::uint32_t abi = 0;
  // Names the compiler, its library and the sizes of the types that are exchanged: equal only where values may be
  // handed over.
  const char* build = nullptr;
  // Adds the devices that there are; where there is none, one entry whose `unavailable` says why and what to do. It
  // does not throw.
  void (*list_devices)(std::vector<DeviceRegistry::Entry>& entries) = nullptr;
};

// This is the type of the function that a back end exports. The result lives as long as the library.
extern "C" {
using BackendEntry = const DeviceBackend* (*)();
}

// Returns DeviceBackend::build of the caller.
const char* backend_build();

}  // namespace iosx
