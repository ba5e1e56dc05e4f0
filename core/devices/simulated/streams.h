#pragma once

#include "core/devices/simulated/loads.h"

// Kernels that read and write everything once: copies, sums, activations.
namespace iosx::simulated {

// Returns the load of the library's kernel, which has 1,024 elements a block. Bytes are those of the whole kernel.
//
// Example: relu of 2²⁰ floats reads and writes 4 MiB each. A device with 900 GB/s of which 0.92 are reached, and a
// cache that keeps nothing of them, takes 8,388,608 / 828,000 = 10.1 µs in 1,024 blocks.
KernelLoad stream(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

// Returns that of the engine's own kernel, where it has one, else the library's.
KernelLoad elementwise(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

}  // namespace iosx::simulated
