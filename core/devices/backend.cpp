#include "core/devices/backend.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/devices/device.h"

#ifdef __has_feature
#define IOS_HAS_FEATURE(name) __has_feature(name)
#else
#define IOS_HAS_FEATURE(name) 0
#endif

namespace iosx {
namespace {

#if defined(__SANITIZE_ADDRESS__) || IOS_HAS_FEATURE(address_sanitizer)
constexpr std::string_view kSanitizer = " address sanitizer";
#elif defined(__SANITIZE_THREAD__) || IOS_HAS_FEATURE(thread_sanitizer)
constexpr std::string_view kSanitizer = " thread sanitizer";
#else
constexpr std::string_view kSanitizer;
#endif

template <typename... Types>
std::string sizes() {
  std::string text;
  ((text += fmt::format(" {}", sizeof(Types))), ...);
  return text;
}

// NDEBUG leaves nothing out of a type; if it did, the sizes would show it.
std::string describe_build() {
  return fmt::format(
      "{} C++{} ABI {} library {} strings {}{} sizes{}", __VERSION__, __cplusplus, __GXX_ABI_VERSION,
#ifdef __GLIBCXX__
      __GLIBCXX__, _GLIBCXX_USE_CXX11_ABI,
#else
      _LIBCPP_VERSION, 0,
#endif
      kSanitizer,
      sizes<DeviceBackend, DeviceRegistry::Entry, DeviceInfo, Device, LoadedPlan, Result<std::unique_ptr<Device>>,
            Result<std::unique_ptr<LoadedPlan>>, Result<RunResult>, Error, LowerOptions, ExecutionPlan, Buffer,
            TensorView, Kernel, Attributes, Work, PlanStage, PlanOutput, Parameters, Tensor, Shape, TimingOptions,
            LoadOptions, RunOptions, RunResult, Latency, Trace, KernelSpan, StageSpan, Counter, JobContext, Progress,
            std::stop_token, std::string, std::vector<int>, std::function<void()>>());
}

}  // namespace

const char* backend_build() {
  static const std::string text = describe_build();
  return text.c_str();
}

}  // namespace iosx
