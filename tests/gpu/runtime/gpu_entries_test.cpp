#include <dlfcn.h>

#include "core/devices/backend.h"
#include "gpu/backend/gpu_entries.h"
#include "gpu/device/gpu_device.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

DeviceFacts gpu(const std::string& name, int compute_capability) {
  DeviceFacts facts;
  facts.properties.name = name;
  facts.properties.uuid = "GPU-" + name;
  facts.properties.compute_capability = compute_capability;
  facts.properties.driver = "580.65.06";
  facts.properties.cuda = "13.0";
  return facts;
}

SystemFacts system_with(std::vector<DeviceFacts> devices) {
  SystemFacts facts{.driver = "580.65.06", .driver_cuda = 13000, .runtime_cuda = 13000, .devices = std::move(devices)};
  return facts;
}

std::vector<DeviceRegistry::Entry> entries_of(std::vector<DeviceFacts> devices, const OpenGpu& open = nullptr) {
  return gpu_entries(system_with(std::move(devices)), "cuDNN 9.19.0", open);
}

std::vector<std::string> ids(const std::vector<DeviceRegistry::Entry>& entries) {
  return mapped<std::string>(entries, [](const DeviceRegistry::Entry& entry) { return entry.info.id; });
}

TEST(GpuEntries, EveryPrecisionOfEveryGpu) {
  const auto entries = entries_of({gpu("NVIDIA H200", 90), gpu("NVIDIA L4", 89)});
  EXPECT_THAT(ids(entries),
              ElementsAre("gpu", "gpu-f32", "gpu-f16", "gpu-bf16", "gpu1", "gpu1-f32", "gpu1-f16", "gpu1-bf16"));
  std::set<std::string> fingerprints;
  for (const auto& entry : entries) {
    EXPECT_EQ(entry.unavailable, "");
    EXPECT_EQ(entry.info.origin, Origin::kMeasured);
    EXPECT_TRUE(entry.info.computes);
    EXPECT_THAT(entry.info.fingerprint, HasSubstr("cuDNN 9.19.0"));
    fingerprints.insert(entry.info.fingerprint);
  }
  EXPECT_EQ(fingerprints.size(), entries.size());
  EXPECT_EQ(entries[0].info.precision, "tf32");
  EXPECT_THAT(entries[0].info.name, HasSubstr("NVIDIA H200"));
  EXPECT_THAT(entries[7].info.name, HasSubstr("NVIDIA L4"));
}

// What is opened says so of itself, perhaps in another process, and must be what was listed.
TEST(GpuEntries, VariablesMakeAnotherDeviceBeforeItIsOpened) {
  const std::string usual = entries_of({gpu("NVIDIA H200", 90)})[0].info.fingerprint;
  for (const auto& [variable, words] :
       {std::pair("IOS_GPU_UNTUNED", ", untuned"), std::pair("IOS_GPU_EAGER", ", launch by launch")}) {
    setenv(variable, "1", 1);
    const DeviceInfo info = entries_of({gpu("NVIDIA H200", 90)})[0].info;
    unsetenv(variable);
    EXPECT_EQ(info.fingerprint, usual + words);
    EXPECT_THAT(info.summary, HasSubstr(words));
    DeviceInfo again = info;
    note_way(again, true, true);
    note_way(again, true, true);
    EXPECT_EQ(again.fingerprint.size(), usual.size() + std::string(", untuned, launch by launch").size());
  }
}

TEST(GpuEntries, TuringHasNeitherTf32NorBfloat16) {
  const auto entries = entries_of({gpu("Tesla T4", 75)});
  ASSERT_THAT(ids(entries), ElementsAre("gpu", "gpu-f32", "gpu-f16", "gpu-bf16"));
  EXPECT_EQ(entries[0].info.precision, "f32");
  EXPECT_EQ(entries[0].unavailable, "");
  EXPECT_EQ(entries[2].unavailable, "");
  EXPECT_THAT(entries[3].unavailable, AllOf(HasSubstr("Tesla T4"), HasSubstr("bfloat16"), HasSubstr("use float16")));
}

TEST(GpuEntries, OpenTheirOwnGpu) {
  int number = -1;
  Math math = Math::kTf32;
  const auto entries = entries_of({gpu("A", 90), gpu("B", 90)}, [&](int n, Math m, const DeviceInfo& info) {
    number = n;
    math = m;
    return fail(message("refused"), info.id);
  });
  EXPECT_EQ(refused(entries[6].open()).where, "gpu1-f16");
  EXPECT_EQ(number, 1);
  EXPECT_EQ(math, Math::kHalf);
}

TEST(GpuEntries, WithoutAGpuOneSaysWhy) {
  SystemFacts facts = system_with({});
  facts.driver_library_error = "libcuda.so.1: not found";
  facts.driver.clear();
  const auto entries = gpu_entries(facts, "", nullptr);
  ASSERT_THAT(ids(entries), ElementsAre("gpu"));
  EXPECT_EQ(entries[0].unavailable, refusal(facts));
  EXPECT_FALSE(entries[0].info.name.empty());
}

TEST(GpuEntries, GpusThatCannotBeUsedFollow) {
  const auto entries = entries_of({gpu("Tesla V100", 70), gpu("NVIDIA H200", 90)});
  ASSERT_THAT(ids(entries), ElementsAre("gpu1", "gpu1-f32", "gpu1-f16", "gpu1-bf16", "gpu"));
  EXPECT_THAT(entries[4].unavailable, HasSubstr("Tesla V100 is too old"));
  EXPECT_EQ(entries[4].info.name, "Tesla V100");
}

TEST(GpuEntries, IfNoneCanBeUsedOneSaysWhyOfAll) {
  const auto one = entries_of({gpu("Tesla V100", 70)});
  ASSERT_THAT(ids(one), ElementsAre("gpu"));
  EXPECT_THAT(one[0].unavailable.text(), StartsWith("Tesla V100 is too old"));
  DeviceFacts forbidden = gpu("NVIDIA H200", 90);
  forbidden.prohibited = true;
  const auto two = entries_of({gpu("Tesla V100", 70), forbidden});
  ASSERT_THAT(ids(two), ElementsAre("gpu"));
  EXPECT_THAT(two[0].unavailable, AllOf(HasSubstr("GPU 0: Tesla V100"), HasSubstr("GPU 1: NVIDIA H200")));
}

// The back end as the programs load it.

TEST(BackendLibrary, ListsWhatTheProbeFinds) {
  const auto entries = must(load_backend(IOS_GPU_LIBRARY));
  ASSERT_FALSE(entries.empty());
  const SystemFacts facts = probe_system();
  if (const Message reason = refusal(facts); !reason.empty()) {
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries.front().info.id, "gpu");
    EXPECT_EQ(entries.front().unavailable, reason);
    EXPECT_FALSE(entries.front().open);
    return;
  }
  for (const DeviceRegistry::Entry& entry : entries) {
    EXPECT_EQ(entry.info.origin, Origin::kMeasured);
    EXPECT_TRUE(entry.open || !entry.unavailable.empty()) << entry.info.id;
  }
}

// What is inside does not meet the program's own symbols.
TEST(BackendLibrary, ShowsNothingElse) {
  void* const library = dlopen(IOS_GPU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "ios_explorer_backend"), nullptr);
  EXPECT_EQ(dlsym(library, "cudaGetDeviceCount"), nullptr);
}

}  // namespace

}  // namespace iosx::gpu
