// The back end as the programs load it.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/devices/backend_loader.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {
namespace {

TEST(BackendLibrary, ListsWhatTheProbeFinds) {
  const auto entries = load_backend(IOS_GPU_LIBRARY);
  ASSERT_TRUE(entries.has_value()) << entries.error().text();
  ASSERT_FALSE(entries->empty());
  const SystemFacts facts = probe_system();
  if (const Message reason = refusal(facts); !reason.empty()) {
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().info.id, "gpu");
    EXPECT_EQ(entries->front().unavailable, reason);
    EXPECT_FALSE(entries->front().open);
    return;
  }
  for (const DeviceRegistry::Entry& entry : *entries) {
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
