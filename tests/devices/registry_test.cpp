#include "core/devices/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "models/devices/simulated_devices.h"

namespace iosx {
namespace {

using testing::HasSubstr;

TEST(Registry, UnknownDeviceNamesThoseThereAre) {
  DeviceRegistry registry;
  add_simulated_devices(registry);
  const auto device = registry.open("tesla-v1000");
  ASSERT_FALSE(device.has_value());
  EXPECT_THAT(device.error().text(), HasSubstr("tesla-v1000"));
  EXPECT_THAT(device.error().text(), HasSubstr("tesla-v100,"));
  EXPECT_FALSE(DeviceRegistry().open("x").has_value());
}

TEST(Registry, UnavailableDeviceSaysWhy) {
  DeviceRegistry registry;
  DeviceRegistry::Entry entry;
  entry.info.id = "gpu";
  entry.unavailable = verbatim("no driver; install one");
  registry.add(std::move(entry));
  ASSERT_NE(registry.find("gpu"), nullptr);
  EXPECT_THAT(registry.open("gpu").error().text(), HasSubstr("no driver; install one"));
}

TEST(Registry, ReferenceIsADeviceThatComputesAndCanBeUsed) {
  DeviceRegistry registry;
  EXPECT_EQ(registry.reference(), nullptr);
  DeviceRegistry::Entry entry;
  for (const auto& [id, computes, unavailable] :
       {std::tuple("simulated", false, ""), std::tuple("missing", true, "no driver"), std::tuple("cpu", true, "")}) {
    entry.info.id = id;
    entry.info.computes = computes;
    entry.unavailable = verbatim(unavailable);
    registry.add(entry);
    registry.set_reference(id);
    EXPECT_EQ(registry.reference() != nullptr, entry.info.id == "cpu") << id;
  }
}

TEST(Registry, BestIsTheFirstThatCanBeUsed) {
  DeviceRegistry registry;
  EXPECT_EQ(registry.best(), nullptr);
  DeviceRegistry::Entry missing;
  missing.info.id = "gpu";
  missing.unavailable = verbatim("no driver");
  registry.add(std::move(missing));
  EXPECT_EQ(registry.best(), nullptr);
  add_simulated_devices(registry);
  ASSERT_NE(registry.best(), nullptr);
  EXPECT_EQ(registry.best()->info.id, "tesla-v100");
}

TEST(Registry, BestComputingIsOfThisMachine) {
  DeviceRegistry registry;
  DeviceRegistry::Entry entry;
  entry.info.computes = true;
  entry.info.id = "gpu@node1";
  entry.by_workers = true;
  registry.add(entry);
  EXPECT_EQ(registry.best_computing(), nullptr);
  EXPECT_EQ(registry.best()->info.id, "gpu@node1");
  entry.info.id = "cpu";
  entry.by_workers = false;
  registry.add(entry);
  EXPECT_EQ(registry.best_computing()->info.id, "cpu");
}

TEST(Registry, BestComputingLeavesOutWhatIsSimulated) {
  DeviceRegistry registry;
  EXPECT_EQ(registry.best_computing(), nullptr);
  add_simulated_devices(registry);
  EXPECT_EQ(registry.best_computing(), nullptr);
  DeviceRegistry::Entry entry;
  entry.info.computes = true;
  for (const auto& [id, unavailable] :
       {std::pair("gpu", "no driver"), std::pair("cpu", ""), std::pair("cpu-bf16", "")}) {
    entry.info.id = id;
    entry.unavailable = verbatim(unavailable);
    registry.add(entry);
  }
  ASSERT_NE(registry.best_computing(), nullptr);
  EXPECT_EQ(registry.best_computing()->info.id, "cpu");
  EXPECT_EQ(registry.best()->info.id, "tesla-v100");
}

TEST(SimulatedDevices, AllDescriptionsAreValidAndTheV100IsFirst) {
  DeviceRegistry registry;
  add_simulated_devices(registry);
  std::vector<std::string> ids;
  for (const auto* entry : registry.entries()) {
    ids.push_back(entry->info.id);
    EXPECT_EQ(entry->unavailable, "") << entry->info.id;
    EXPECT_EQ(entry->info.origin, Origin::kSimulated);
    const auto device = registry.open(entry->info.id);
    ASSERT_TRUE(device.has_value());
    EXPECT_EQ((*device)->info().fingerprint, entry->info.fingerprint);
  }
  EXPECT_THAT(ids,
              testing::ElementsAre("tesla-v100", "tesla-k80", "tesla-p100", "tesla-p4",                              //
                                   "tesla-t4", "tesla-t4-f16", "tesla-t4-streams",                                   //
                                   "rtx-2080-ti", "rtx-2080-ti-f16", "rtx-2080-ti-streams",                          //
                                   "a100", "a100-f32", "a100-f16", "a100-bf16", "a100-streams",                      //
                                   "l4", "l4-f32", "l4-f16", "l4-bf16", "l4-streams",                                //
                                   "rtx-4090", "rtx-4090-f32", "rtx-4090-f16", "rtx-4090-bf16", "rtx-4090-streams",  //
                                   "h100", "h100-f32", "h100-f16", "h100-bf16", "h100-streams",                      //
                                   "h200", "h200-f32", "h200-f16", "h200-bf16", "h200-streams"));
}

}  // namespace
}  // namespace iosx
