#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

// What tests on a real GPU share. They skip, with the back end's own words, where there is none.
namespace iosx::gpu::test {

// Of the programs: the back end is loaded as they load it.
const DeviceRegistry& devices();

// Why the device cannot be used; empty where it can.
std::string missing(const std::string& id);

// How a device is opened, see GpuParts.
enum class Mode { kTuned, kUntuned, kEager };
// A new device; null, and a failure, on an error.
std::unique_ptr<Device> open(const std::string& id, Mode mode);
// The same untuned or CPU device for all tests of the program; released after the last one.
Device& shared(const std::string& id);

// All four of the first GPU.
std::vector<std::string> gpu_ids();

// The outputs of one run, on synthetic inputs; none, and a failure, on an error.
std::vector<Tensor> outputs_of(Device& device, const Graph& graph, const Schedule& schedule, std::int64_t batch);

// Fails where an output is further from the expected one than the device's precision allows (tolerance_of()), and says
// how far the worst is.
void expect_close(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual, const Device& device,
                  const std::string& what);

// Sequential, greedy, and what searches find on a simulated V100: a quick search where the network is large.
std::vector<Schedule> schedules_of(const Graph& graph);

}  // namespace iosx::gpu::test

// Skips the test where one of the devices is missing.
#define IOS_NEEDS(id)                                                             \
  if (const std::string reason_ = iosx::gpu::test::missing(id); !reason_.empty()) \
  GTEST_SKIP() << "device '" << (id) << "' is missing: " << reason_
