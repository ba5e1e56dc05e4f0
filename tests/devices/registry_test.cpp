#include "core/devices/registry.h"
#include "core/devices/backend.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(Registry, UnknownDeviceNamesThoseThereAre) {
  DeviceRegistry registry;
  add_simulated_devices(registry);
  const Error error = refused(registry.open("tesla-v1000"));
  EXPECT_THAT(error.text(), AllOf(HasSubstr("tesla-v1000"), HasSubstr("tesla-v100,")));
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
    const auto device = must(registry.open(entry->info.id));
    EXPECT_EQ(device->info().fingerprint, entry->info.fingerprint);
  }
  EXPECT_THAT(ids, ElementsAre("tesla-v100", "tesla-k80", "tesla-p100", "tesla-p4",                              //
                               "tesla-t4", "tesla-t4-f16", "tesla-t4-streams",                                   //
                               "rtx-2080-ti", "rtx-2080-ti-f16", "rtx-2080-ti-streams",                          //
                               "a100", "a100-f32", "a100-f16", "a100-bf16", "a100-streams",                      //
                               "l4", "l4-f32", "l4-f16", "l4-bf16", "l4-streams",                                //
                               "rtx-4090", "rtx-4090-f32", "rtx-4090-f16", "rtx-4090-bf16", "rtx-4090-streams",  //
                               "h100", "h100-f32", "h100-f16", "h100-bf16", "h100-streams",                      //
                               "h200", "h200-f32", "h200-f16", "h200-bf16", "h200-streams"));
}

namespace fs = std::filesystem;

fs::path fake(const std::string& name) { return fs::path(IOS_FAKE_BACKENDS) / ("backend_" + name + ".so"); }

// Why a back end is refused, "" if it is not.
std::string refusal(const fs::path& library) {
  const auto entries = load_backend(library);
  return entries.has_value() ? "" : entries.error().text();
}

class BackendFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST(Backend, DevicesOfAGoodOneWork) {
  const auto entries = must(load_backend(fake("good")));
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries.front().info.id, "fake");
  const auto device = must(entries.front().open());
  EXPECT_EQ(device->info().name, "A fake device whose name is longer than short strings are");
  TimingOptions timing{.repeats = 7};
  const auto latencies = must(device->measure(std::vector<ExecutionPlan>(3), timing, {}));
  ASSERT_EQ(latencies.size(), 3U);
  EXPECT_EQ(latencies.front().samples, 7);
  EXPECT_EQ(refused(load_and_run(*device, {}, {}, {})).what, "the fake device runs nothing");
}

TEST(Backend, ADeviceThatIsNotGivenIsAnError) {
  const auto entries = must(load_backend(fake("good")));
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const Error error = refused(entries[i].open());
    EXPECT_THAT(error.text(), AllOf(HasSubstr(entries[i].info.id), HasSubstr("bug of the back end")));
  }
}

TEST(Backend, CanBeLoadedTwice) {
  ASSERT_EQ(refusal(fake("good")), "");
  EXPECT_EQ(refusal(fake("good")), "");
}

TEST(Backend, OfAnotherInterfaceIsRefused) {
  EXPECT_THAT(refusal(fake("wrong_abi")),
              AllOf(HasSubstr("backend_wrong_abi.so: "), HasSubstr("another version"),
                    HasSubstr("number " + std::to_string(kBackendAbi + 1)), HasSubstr("(build the back end and")));
}

TEST(Backend, OfAnotherBuildIsRefused) {
  EXPECT_THAT(refusal(fake("wrong_build")),
              AllOf(HasSubstr("'another compiler'"), HasSubstr(backend_build()), HasSubstr("(build the back end and")));
  EXPECT_THAT(refusal(fake("no_build")), HasSubstr("built differently: ''"));
}

TEST(Backend, WithoutAnEntryIsRefused) {
  EXPECT_THAT(refusal(fake("no_entry")), AllOf(HasSubstr("is not a back end"), HasSubstr(kBackendEntryName)));
  EXPECT_THAT(refusal(fake("null_entry")), HasSubstr("provides no devices"));
  EXPECT_THAT(refusal(fake("no_list")), HasSubstr("provides no devices"));
}

TEST(Backend, WhatItNeedsIsNamed) {
  EXPECT_THAT(refusal(fake("needs_library")),
              AllOf(HasSubstr("libios_absent.so.3: cannot open shared object file"), HasSubstr("LD_LIBRARY_PATH")));
  EXPECT_THAT(refusal(fake("needs_cudnn")),
              AllOf(HasSubstr("libcudnn.so.9"), HasSubstr("install cuDNN 9"), HasSubstr("LD_LIBRARY_PATH")));
}

TEST_F(BackendFile, MissingIsSaid) {
  EXPECT_THAT(refusal(folder_ / "nothing.so"), AllOf(HasSubstr("nothing.so: there is no such back end"),
                                                     HasSubstr("install CUDA toolkit 13 and cuDNN 9")));
  // A bare name means the current folder, never the system's libraries.
  EXPECT_THAT(refusal("libc.so.6"), HasSubstr("there is no such back end"));
  EXPECT_THAT(refusal(""), HasSubstr("there is no such back end"));
}

TEST_F(BackendFile, ThatIsNoLibraryIsRefused) {
  EXPECT_THAT(refusal(folder_), HasSubstr("is not a file"));
  std::ofstream(folder_ / "text.so") << "not a library\n";
  EXPECT_THAT(refusal(folder_ / "text.so"),
              AllOf(HasSubstr("cannot be loaded"), HasSubstr("build the back end again")));
  std::ofstream(folder_ / "empty.so");
  EXPECT_THAT(refusal(folder_ / "empty.so"), HasSubstr("cannot be loaded"));
}

TEST_F(BackendFile, CutShortIsRefused) {
  fs::copy_file(fake("good"), folder_ / "cut.so");
  for (auto size = fs::file_size(folder_ / "cut.so") - 1; size > 64; size = size * 2 / 3) {
    fs::resize_file(folder_ / "cut.so", size);
    EXPECT_THAT(refusal(folder_ / "cut.so"), HasSubstr("the file is truncated")) << size;
  }
  fs::resize_file(folder_ / "cut.so", 20);
  EXPECT_THAT(refusal(folder_ / "cut.so"), HasSubstr("cannot be loaded"));
}

TEST(BackendBuild, NamesCompilerAndSizes) {
  EXPECT_THAT(std::string(backend_build()),
              AllOf(HasSubstr(__VERSION__), HasSubstr(std::to_string(sizeof(RunResult)))));
  EXPECT_STREQ(backend_build(), backend_build());
}

}  // namespace

}  // namespace iosx
