#include <gmock/gmock.h>

#include <set>

#include "gpu/device/gpu_device.h"

namespace iosx::gpu {
namespace {

using testing::HasSubstr;

constexpr Math kAll[] = {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16};

Properties h200() {
  return {.name = "NVIDIA H200",
          .uuid = "GPU-8f2c",
          .multiprocessors = 132,
          .compute_capability = 90,
          .memory_bytes = 150'000'000'000,
          .l2_bytes = 0,
          .max_clock_mhz = 1980,
          .driver = "580.65",
          .cuda = "13.0"};
}

TEST(GpuDeviceInfo, NamesGpuNumberAndPrecision) {
  const auto id = [](int number, Math math) { return gpu_device_info(h200(), number, math, "cuDNN 9.19.0").id; };
  EXPECT_EQ(id(0, Math::kTf32), "gpu");
  EXPECT_EQ(id(0, Math::kStrict), "gpu-f32");
  EXPECT_EQ(id(0, Math::kHalf), "gpu-f16");
  EXPECT_EQ(id(0, Math::kBfloat16), "gpu-bf16");
  EXPECT_EQ(id(1, Math::kTf32), "gpu1");
  EXPECT_EQ(id(1, Math::kStrict), "gpu1-f32");
  const DeviceInfo info = gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.name, "NVIDIA H200, float32 (TF32)");
  EXPECT_EQ(info.summary,
            "132 SMs, 1980 MHz at most, 150 GB, compute capability 9.0, driver 580.65, CUDA 13.0, cuDNN 9.19.0, "
            "GPU-8f2c");
  EXPECT_EQ(info.precision, "tf32");
  EXPECT_EQ(info.origin, Origin::kMeasured);
  EXPECT_TRUE(info.computes && info.lowering.fuse && info.lowering.concat_in_place);
  EXPECT_EQ(info.lowering.input_channel_multiple, 4);
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kHalf, "").lowering.input_channel_multiple, 8);
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kStrict, "").lowering.input_channel_multiple, 1);
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kStrict, "").name, "NVIDIA H200, float32 (strict)");
}

TEST(GpuDeviceInfo, SaysFloat32WhereThereAreNoTensorFloats) {
  Properties turing = h200();
  turing.compute_capability = 75;
  const DeviceInfo info = gpu_device_info(turing, 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.precision, "f32");
  EXPECT_EQ(info.lowering.input_channel_multiple, 1);
  EXPECT_THAT(info.name, testing::Not(HasSubstr("TF32")));
}

TEST(GpuDeviceInfo, FingerprintsTellApartWhatMayBeFasterOrSlower) {
  std::set<std::string> seen;
  for (const Math math : kAll) seen.insert(gpu_device_info(h200(), 0, math, "cuDNN 9.19.0").fingerprint);
  seen.insert(gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.20.0").fingerprint);
  for (const auto change : std::initializer_list<void (*)(Properties&)>{
           [](Properties& p) { p.driver = "590.1"; }, [](Properties& p) { p.cuda = "13.1"; },
           [](Properties& p) { p.multiprocessors = 114; }}) {
    Properties other = h200();
    change(other);
    seen.insert(gpu_device_info(other, 0, Math::kTf32, "cuDNN 9.19.0").fingerprint);
  }
  EXPECT_EQ(seen.size(), 8U);
}

// The next machine of a provider has another card of the same model, for which measurements and plans hold, too.
TEST(GpuDeviceInfo, AnotherCardOfTheSameModelIsTheSameDevice) {
  Properties other = h200();
  other.uuid = "GPU-other";
  const DeviceInfo info = gpu_device_info(other, 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.fingerprint, gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.19.0").fingerprint);
  EXPECT_THAT(info.summary, HasSubstr("GPU-other"));
}

}  // namespace
}  // namespace iosx::gpu
