#include "gpu/profile/cupti_profiler.h"

#include <utility>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/cupti_sampler.h"
#include "gpu/profile/cupti_tracer.h"

namespace iosx::gpu {
namespace {

class CuptiProfiler final : public Profiler {
 public:
  CuptiProfiler(int device, Properties properties) : device_(device), properties_(std::move(properties)) {}

  Result<std::vector<LaunchRecord>> trace(const std::function<void()>& work) override {
    IOS_TRY(const auto library, CuptiLibrary::open(cupti_folders()));
    return trace_with_cupti(*library, work);
  }

  Result<std::unique_ptr<Sampler>> open_sampler(Micros interval) override {
    IOS_TRY(const auto library, CuptiLibrary::open(cupti_folders()));
    return open_cupti_sampler(*library, device_, properties_, interval);
  }

 private:
  int device_;
  Properties properties_;
};

}  // namespace

std::unique_ptr<Profiler> make_cupti_profiler(int device, const Properties& properties) {
  return std::make_unique<CuptiProfiler>(device, properties);
}

}  // namespace iosx::gpu
