#pragma once

#include "core/devices/registry.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"
#include "tests/support/prelude.h"

// Shared by tests on a real GPU. Without one they skip, with the back end's own reason.
namespace iosx::gpu::test {

// The programs' devices: the back end is loaded like theirs.
const DeviceRegistry& devices();

// Returns why the device cannot be used; empty where it can.
std::string missing(const std::string& id);

// How a device is opened, see GpuParts.
enum class Mode { kTuned, kUntuned, kEager };
// Opens a new device; null, and a test failure, on an error.
std::unique_ptr<Device> open(const std::string& id, Mode mode);
// Returns one untuned or CPU device for all tests of the program; it is released after the last one.
Device& shared(const std::string& id);

// All four of the first GPU.
std::vector<std::string> gpu_ids();

// Returns the outputs of one run on synthetic inputs; none, and a test failure, on an error.
std::vector<Tensor> outputs_of(Device& device, const Graph& graph, const Schedule& schedule, std::int64_t batch);

// Fails where an output is further from the expected one than the device's precision allows (tolerance_of()), and
// gives the largest error.
void expect_close(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual, const Device& device,
                  const std::string& what);

// Returns sequential, greedy, and results of searches on a simulated V100: quick searches for a large network.
std::vector<Schedule> schedules_of(const Graph& graph);

}  // namespace iosx::gpu::test

// Skips the test where one of the devices is missing.
#define IOS_NEEDS(id)                                                             \
  if (const std::string reason_ = iosx::gpu::test::missing(id); !reason_.empty()) \
  GTEST_SKIP() << "device '" << (id) << "' is missing: " << reason_
