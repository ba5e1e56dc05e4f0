#include "gpu/runtime/probe.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

// CUDA's numbers of errors, as its documentation has them.
constexpr int kInsufficientDriver = 35;
constexpr int kDevicesUnavailable = 46;
constexpr int kStubLibrary = 34;
constexpr int kNoDevice = 100;
constexpr int kInvalidDevice = 101;
constexpr int kOperatingSystem = 304;
constexpr int kSystemNotReady = 802;
constexpr int kSystemDriverMismatch = 803;
constexpr int kUnknown = 999;

DeviceFacts hopper() {
  DeviceFacts facts;
  facts.properties.name = "NVIDIA H200";
  facts.properties.compute_capability = 90;
  return facts;
}

SystemFacts good() {
  SystemFacts facts{.driver = "580.65.06", .driver_cuda = 13000, .runtime_cuda = 13000, .devices = {hopper()}};
  return facts;
}

Message refusal_with(int error) {
  SystemFacts facts = good();
  facts.devices.clear();
  facts.error = error;
  facts.error_text = "cudaErrorX (text of X)";
  return refusal(facts);
}

TEST(Probe, TakesWhatWorks) {
  EXPECT_EQ(refusal(good()), "");
  EXPECT_EQ(refusal(hopper()), "");
  SystemFacts newer = good();
  newer.driver_cuda = 14020;
  EXPECT_EQ(refusal(newer), "");
}

TEST(Probe, AnyDriverOfOurMajorVersionWillDo) {
  SystemFacts facts = good();
  facts.runtime_cuda = 13020;
  EXPECT_EQ(refusal(facts), "");
}

TEST(Probe, NoDriver) {
  SystemFacts facts = good();
  facts.driver.clear();
  facts.driver_cuda = 0;
  facts.devices.clear();
  facts.driver_library_error = "libcuda.so.1: cannot open shared object file";
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("there is no NVIDIA driver"), HasSubstr("libcuda.so.1: cannot open"),
                                    HasSubstr("install NVIDIA driver 580 or newer")));
}

TEST(Probe, ContainerThatWasNotGivenTheDriver) {
  SystemFacts facts = good();
  facts.driver_library_error = "libcuda.so.1: cannot open shared object file";
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("driver 580.65.06 runs"), HasSubstr("--gpus all")));
}

TEST(Probe, DriverTooOld) {
  SystemFacts facts = good();
  facts.driver = "550.54.14";
  facts.driver_cuda = 12040;
  facts.runtime_cuda = 13020;
  facts.error = kInsufficientDriver;
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("driver 550.54.14 is too old"), HasSubstr("CUDA 12.4"),
                                    HasSubstr("CUDA 13.0 is needed"), HasSubstr("install NVIDIA driver 580 or newer")));
  facts.driver.clear();
  facts.driver_cuda = 0;
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("the NVIDIA driver is too old"), HasSubstr("does not say")));
}

TEST(Probe, NoDevice) {
  EXPECT_THAT(refusal_with(kNoDevice), AllOf(HasSubstr("there is no NVIDIA GPU"), HasSubstr("nvidia-smi")));
  EXPECT_THAT(refusal_with(0), HasSubstr("there is no NVIDIA GPU"));
  SystemFacts hidden = good();
  hidden.devices.clear();
  hidden.error = kNoDevice;
  hidden.hidden = true;
  EXPECT_THAT(refusal(hidden), AllOf(HasSubstr("there is no NVIDIA GPU"), HasSubstr("CUDA_VISIBLE_DEVICES")));
}

TEST(Probe, OtherErrorsAreNamedEachWithWhatToDo) {
  const auto named = HasSubstr("cudaErrorX (text of X)");
  EXPECT_THAT(refusal_with(kInvalidDevice), AllOf(named, HasSubstr("CUDA_VISIBLE_DEVICES")));
  EXPECT_THAT(refusal_with(kDevicesUnavailable), AllOf(named, HasSubstr("exclusively")));
  EXPECT_THAT(refusal_with(kOperatingSystem), AllOf(named, HasSubstr("/dev/nvidia"), HasSubstr("--gpus all")));
  EXPECT_THAT(refusal_with(kSystemNotReady), AllOf(named, HasSubstr("nvidia-fabricmanager")));
  EXPECT_THAT(refusal_with(kSystemDriverMismatch), AllOf(named, HasSubstr("restart")));
  EXPECT_THAT(refusal_with(kUnknown), AllOf(named, HasSubstr("nvidia-smi")));
}

TEST(Probe, ToolkitsStubIsNoDriver) {
  SystemFacts facts = good();
  facts.devices.clear();
  facts.driver.clear();
  facts.driver_cuda = 0;
  facts.error = kStubLibrary;
  facts.error_text = "cudaErrorStubLibrary (…)";
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("stub"), HasSubstr("LD_LIBRARY_PATH"), Not(HasSubstr("too old"))));
}

TEST(Probe, DeviceTooOld) {
  DeviceFacts facts = hopper();
  facts.properties.name = "Tesla V100-SXM2-16GB";
  facts.properties.compute_capability = 70;
  EXPECT_THAT(refusal(facts), AllOf(HasSubstr("Tesla V100-SXM2-16GB is too old"), HasSubstr("7.0"), HasSubstr("7.5")));
  facts.properties.compute_capability = kOldestCapability;
  EXPECT_EQ(refusal(facts), "");
}

TEST(Probe, DeviceForbiddenOrUnreadable) {
  DeviceFacts forbidden = hopper();
  forbidden.prohibited = true;
  EXPECT_THAT(refusal(forbidden), AllOf(HasSubstr("NVIDIA H200"), HasSubstr("prohibited"), HasSubstr("nvidia-smi -c")));
  DeviceFacts unreadable{.error = "cudaGetDeviceProperties: cudaErrorUnknown"};
  EXPECT_EQ(refusal(unreadable), unreadable.error);
}

// Whatever this machine has: facts and judgement fit together.
TEST(ProbeSystem, EitherFindsGpusOrSaysWhyNot) {
  const SystemFacts facts = probe_system();
  EXPECT_GE(facts.runtime_cuda, 13000);
  EXPECT_EQ(refusal(facts).empty(), !facts.devices.empty()) << refusal(facts);
  if (!facts.driver_library_error.empty()) {
    EXPECT_THAT(facts.driver_library_error, HasSubstr("libcuda.so.1"));
  }
}

TEST(CudaVersion, IsWrittenAsPeopleDo) {
  EXPECT_EQ(cuda_version(13000), "13.0");
  EXPECT_EQ(cuda_version(12040), "12.4");
  EXPECT_EQ(cuda_version(11080), "11.8");
}

TEST(DriverVersion, IsReadFromTheKernelModulesText) {
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024\n"
                       "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
            "550.54.14");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (x@y)\n"
                       "GCC version:  gcc version 12.3.0\n"),
            "580.65.06");
  EXPECT_EQ(version_in("NVRM version: none\nGCC version:  gcc version 12.3.0\n"), "");
  EXPECT_EQ(version_in(""), "");
}

}  // namespace
}  // namespace iosx::gpu
