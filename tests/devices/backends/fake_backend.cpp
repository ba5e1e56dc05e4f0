// Back ends for backend_test, good and bad: what the macros say makes one of them bad.
#include <memory>

#include "core/devices/backend.h"

#ifndef FAKE_ABI
#define FAKE_ABI iosx::kBackendAbi
#endif
#ifndef FAKE_BUILD
#define FAKE_BUILD iosx::backend_build()
#endif
#ifndef FAKE_LIST
#define FAKE_LIST list_devices
#endif

#ifdef FAKE_NEEDS
extern "C" int ios_absent_function();
#endif

namespace {

class FakeDevice final : public iosx::Device {
 public:
  explicit FakeDevice(iosx::DeviceInfo info) : info_(std::move(info)) {}
  const iosx::DeviceInfo& info() const override { return info_; }

 private:
  iosx::Result<std::vector<iosx::Latency>> do_measure(std::span<const iosx::ExecutionPlan> plans,
                                                      const iosx::TimingOptions& timing,
                                                      const iosx::JobContext&) override {
    return std::vector(plans.size(), iosx::Latency{iosx::Millis(1), iosx::Millis(0), timing.repeats, info_.origin});
  }
  iosx::Result<std::unique_ptr<iosx::LoadedPlan>> do_load(iosx::ExecutionPlan, const iosx::LoadOptions&,
                                                          const iosx::JobContext&) override {
    return iosx::fail(iosx::message("the fake device runs nothing"));
  }
  iosx::DeviceInfo info_;
};

[[maybe_unused]] void list_devices(std::vector<iosx::DeviceRegistry::Entry>& entries) {
  iosx::DeviceRegistry::Entry entry;
  entry.info.id = "fake";
  entry.info.name = "A fake device whose name is longer than short strings are";
  entry.info.origin = iosx::Origin::kMeasured;
  entry.open = [info = entry.info]() -> iosx::Result<std::unique_ptr<iosx::Device>> {
    return std::make_unique<FakeDevice>(info);
  };
  iosx::DeviceRegistry::Entry absent;
  absent.info.id = "absent";
  absent.open = []() -> iosx::Result<std::unique_ptr<iosx::Device>> { return nullptr; };
  entries.push_back(std::move(entry));
  entries.push_back(std::move(absent));
  entries.emplace_back().info.id = "without open";
}

}  // namespace

#ifndef FAKE_WITHOUT_ENTRY
extern "C" __attribute__((visibility("default"))) const iosx::DeviceBackend* ios_explorer_backend() {
#ifdef FAKE_NEEDS
  static const int used = ios_absent_function();
  (void)used;
#endif
#ifdef FAKE_NULL
  return nullptr;
#else
  static const iosx::DeviceBackend backend{.abi = FAKE_ABI, .build = FAKE_BUILD, .list_devices = FAKE_LIST};
  return &backend;
#endif
}
#endif
