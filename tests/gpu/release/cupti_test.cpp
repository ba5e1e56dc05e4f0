// CUPTI's half that needs neither GPU nor driver: which counters a generation of GPUs reads in one pass, and what its
// refusals mean. Skips where the library is not installed.

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/profile/cupti_profiler.h"
#include "gpu/profile/cupti_sampler.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

const CuptiLibrary* library() {
  std::vector<std::filesystem::path> folders = cupti_folders();
  folders.emplace_back(IOS_CUDA_LIBRARIES);
  const auto opened = CuptiLibrary::open(folders, /*host_side=*/true);
  return opened ? *opened : nullptr;
}

bool driver_is_there() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

// CUPTI 13.2 does not answer without a driver: it ends the process.
bool answers(const CuptiLibrary& cupti) {
  const pid_t child = fork();
  if (child == 0) {
    std::uint32_t version = 0;
    cupti.get_version(&version);
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status);
}

class Cupti : public testing::Test {
 protected:
  void SetUp() override {
    if (library() == nullptr) GTEST_SKIP() << "CUPTI is not installed";
    if (!answers(*library())) GTEST_SKIP() << "this CUPTI wants a driver";
  }
};

bool has(const SamplingConfig& config, const std::string& name) {
  return std::ranges::any_of(config.metrics(), [&](const Metric& metric) { return metric.name == name; });
}

TEST_F(Cupti, ReadsActiveWarpsInOnePassOnEveryGeneration) {
  struct Expected {
    const char* chip;
    bool dram;
    bool tensor;
  };
  const Expected chips[] = {{"TU102", false, false}, {"GA100", true, true}, {"GA102", true, true},
                            {"AD102", true, true},   {"GH100", true, true}, {"GB100", true, true},
                            {"GB202", true, false}};
  for (const Expected& expected : chips) {
    const auto config = SamplingConfig::make(*library(), expected.chip, {});
    ASSERT_TRUE(config) << expected.chip << ": " << config.error().text();
    EXPECT_STREQ(config->metrics()[0].name, "GPU at work") << expected.chip;
    EXPECT_STREQ(config->metrics()[1].name, "active warps") << expected.chip;
    EXPECT_EQ(has(*config, "DRAM throughput"), expected.dram) << expected.chip;
    EXPECT_EQ(has(*config, "tensor cores"), expected.tensor) << expected.chip;
    EXPECT_TRUE(has(*config, "clock")) << expected.chip;
    EXPECT_FALSE(config->image().empty());
    EXPECT_EQ(config->names().size(), config->metrics().size());
  }
}

TEST_F(Cupti, AChipThatCannotBeSampledIsAnError) {
  for (const char* const chip : {"GV100", "NO_SUCH_CHIP"}) {
    const auto config = SamplingConfig::make(*library(), chip, {});
    ASSERT_FALSE(config) << chip;
    EXPECT_THAT(config.error().text(), AllOf(HasSubstr(chip), HasSubstr("Turing")));
  }
}

TEST_F(Cupti, WithoutAGpuTheSamplerSaysSo) {
  Properties gpu{.name = "none"};
  const Error error = refused(make_cupti_profiler(63, gpu)->open_sampler(Micros{5}));
  EXPECT_THAT(error.text(), AnyOf(HasSubstr("there is no GPU 63"), HasSubstr("GPU 63 cannot be reached"),
                                  HasSubstr("there is no NVIDIA driver")));
}

// Otherwise a recording that ends for a reason without a name would be made again at twice the interval, and again,
// until there is none left.
TEST(DecodingEnd, WithoutNewSamplesIsTheEndAndNoOverflow) {
  const auto other = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER;
  const auto full = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
  const auto end = CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
  EXPECT_TRUE(decoding_end(other, false, 0).all);
  EXPECT_FALSE(decoding_end(other, false, 0).overflow);
  EXPECT_FALSE(decoding_end(other, false, 5).all) << "there may be more";
  EXPECT_FALSE(decoding_end(other, false, 5).overflow);
  EXPECT_TRUE(decoding_end(other, true, 0).overflow) << "CUPTI says so itself";
  EXPECT_TRUE(decoding_end(end, false, 5).all);
  EXPECT_FALSE(decoding_end(end, false, 5).overflow);
  EXPECT_FALSE(decoding_end(full, false, 5).all);
  EXPECT_TRUE(decoding_end(full, false, 5).overflow);
}

TEST(CuptiLibrary, IsNotAskedWithoutADriver) {
  if (driver_is_there()) GTEST_SKIP() << "there is a driver";
  EXPECT_THAT(refused(CuptiLibrary::open(cupti_folders())).text(),
              HasSubstr("there is no NVIDIA driver: libcuda.so.1"));
  Properties gpu;
  EXPECT_THAT(refused(make_cupti_profiler(0, gpu)->trace([] {})).text(), HasSubstr("install NVIDIA driver 580"));
}

TEST_F(Cupti, RefusalsSayWhatToDo) {
  const std::pair<CUptiResult, const char*> refusals[] = {
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "NVreg_RestrictProfilingToAdminUsers=0"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "sudo"},
      {CUPTI_ERROR_HARDWARE_BUSY, "another profiler"},
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "virtual GPU"},
      {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "MIG"},
      {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "confidential"},
      {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "Windows"},
      {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "SLI"},
      {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "no counters"},
      {CUPTI_ERROR_NOT_SUPPORTED, "Turing"},
      {CUPTI_ERROR_OUT_OF_MEMORY, "memory"},
      {CUPTI_ERROR_NOT_COMPATIBLE, "driver 580"}};
  for (const auto& [result, words] : refusals) {
    const Error error = library()->check(result, "cuptiSomething").error();
    EXPECT_THAT(error.text(), AllOf(HasSubstr(words), HasSubstr("cuptiSomething")));
  }
  EXPECT_EQ(cupti_remedy(CUPTI_ERROR_UNKNOWN), "");
}

// "libnvperf_host.so" may also be what lies elsewhere on the loader's path.
TEST_F(Cupti, ItsOwnNeighbourServesIt) {
  Dl_info cupti{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the place of a function
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(library()->get_version), &cupti), 0);
  void* const host = dlopen("libnvperf_host.so", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(host, nullptr) << "it is not open";
  link_map* loaded = nullptr;
  ASSERT_EQ(dlinfo(host, RTLD_DI_LINKMAP, static_cast<void*>(&loaded)), 0);
  EXPECT_EQ(std::filesystem::path(loaded->l_name).parent_path(), std::filesystem::path(cupti.dli_fname).parent_path());
}

TEST(CuptiLibrary, WhatCannotBeLoadedIsAnErrorThatSaysHowToGetIt) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a process of its own: an opened library stays
  EXPECT_EXIT(
      {
        setenv("IOS_CUPTI", "/nowhere/libcupti.so.13", 1);
        const auto opened = CuptiLibrary::open({}, /*host_side=*/true);
        const std::string text = opened ? "" : opened.error().text();
        std::exit(text.find("/nowhere/libcupti.so.13") != std::string::npos &&
                          text.find("nvidia-cuda-cupti") != std::string::npos
                      ? 0
                      : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace iosx::gpu
