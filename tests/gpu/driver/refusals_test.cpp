// What a person who runs iosx on a GPU reads when driver or GPU refuse, and what is left of what was measured before.
// The back end is the one that users have up to CUDA's runtime, which is made up with the driver below it.

#include <regex>

#include "tests/cli/process.h"
#include "tests/gpu/driver/machine.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

using iosx::test::Finished;

namespace fs = std::filesystem;

class OnMadeUpGpu : public testing::Test {
 protected:
  using Variables = std::map<std::string, std::string>;

  // What is asked here is what the back end keeps in the process that it is in; tests/workers has those of its own.
  OnMadeUpGpu() { EXPECT_EQ(iosx({"workers", "isolate", "none"}).exit_code, 0); }

  // Runs iosx with a store and a cache of this test's own. Variables are set for that run.
  Finished iosx(const std::vector<std::string>& arguments, Variables variables = {}) const {
    const char* const path = std::getenv("LD_LIBRARY_PATH");
    variables.emplace("IOS_GPU_BACKEND", IOS_MADE_UP_BACKEND);
    variables.emplace("XDG_CACHE_HOME", folder_.file("cache"));
    variables.emplace("LD_LIBRARY_PATH", fs::path(IOS_MADE_UP_DRIVER).parent_path().string() +
                                             (path == nullptr || *path == '\0' ? "" : ":" + std::string(path)));
    exchange(variables);
    Finished finished = iosx::test::iosx_as_given(arguments);
    exchange(variables);
    return finished;
  }
  // Sets the environment's variables, and notes what they were; none is as an empty one to all who read these.
  static void exchange(Variables& variables) {
    for (auto& [name, value] : variables) {
      const char* const before = std::getenv(name.c_str());
      const std::string set = std::exchange(value, before == nullptr ? "" : before);
      setenv(name.c_str(), set.c_str(), 1);
    }
  }
  Finished compare(const std::string& network, const std::string& device, const std::string& failure = "") const {
    return iosx({"compare", network, "--device", device, "--json", "--store", store_},
                {{"IOS_MADE_UP_FAILURE", failure}});
  }

  // Returns what is kept, a line a measurement, without the number of its method: the first line's is 1.
  std::set<std::string> kept() const {
    std::istringstream lines(iosx({"store", "export", "--store", store_}).out);
    std::set<std::string> measurements;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("median_ms") == std::string::npos) continue;
      measurements.insert(std::regex_replace(line, std::regex("\"method\":[0-9]+,"), ""));
    }
    return measurements;
  }
  static std::set<std::string> keys_of(const std::set<std::string>& measurements) {
    std::set<std::string> keys;
    for (const std::string& line : measurements) keys.insert(nlohmann::json::parse(line)["key"]);
    return keys;
  }
  std::set<std::string> cached() const {
    std::set<std::string> names;
    const fs::path folder = fs::path(folder_.file("cache")) / "ios-explorer" / "gpu";
    if (!fs::exists(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().extension().string());
    return names;
  }
  static std::int64_t measured(const Finished& comparison) {
    const auto document = comparison.json();
    std::int64_t sum = 0;
    for (const auto& schedule : document["schedules"]) sum += schedule["measured"].get<std::int64_t>();
    return sum;
  }

  // The job failed, and one line says why.
  template <typename Words>
  static void expect_refused(const Finished& finished, const Words& words) {
    EXPECT_EQ(finished.exit_code, 1) << finished.err;
    EXPECT_EQ(finished.error_lines(), 1U) << finished.err;
    EXPECT_THAT(finished.err, AllOf(StartsWith("iosx: "), words));
    EXPECT_THAT(finished.out, IsEmpty());
  }

  iosx::test::TemporaryFolder folder_;
  std::string store_ = folder_.file("measurements.db");
};

TEST_F(OnMadeUpGpu, ItIsTheOneThatWasAskedFor) {
  for (const Chip& chip : chips()) {
    const Finished devices = iosx({"devices"}, {{"IOS_MADE_UP_GPU", std::string(chip.id)}});
    EXPECT_EQ(devices.exit_code, 0) << devices.err;
    EXPECT_THAT(devices.out, AllOf(HasSubstr(chip.name), HasSubstr(std::to_string(chip.multiprocessors) + " SMs")));
    EXPECT_EQ(devices.out.find("does not support bfloat16") != std::string::npos, chip.capability < 80);
  }
}

// Convolutions of 375 channels have compiled plans beside the precompiled ones. The second process restores what the
// first one chose, and measures nothing.
TEST_F(OnMadeUpGpu, ChosenPlansServeTheNextProcess) {
  const Finished first = compare("sample", "gpu");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_GT(measured(first), 0);
  const auto measurements = kept();
  EXPECT_THAT(measurements, Not(IsEmpty()));
  EXPECT_THAT(cached(), ElementsAre(".json"));
  const Finished second = compare("sample", "gpu");
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(measured(second), 0);
  EXPECT_EQ(kept(), measurements);
  EXPECT_EQ(second.json()["best_id"], first.json()["best_id"]);
}

// As users have it: the GPU is measured in a process of its own, which must be the device that was listed.
TEST_F(OnMadeUpGpu, VariablesHoldInAProcessOfItsOwnToo) {
  ASSERT_EQ(iosx({"workers", "isolate", "gpus"}).exit_code, 0);
  for (const auto& [variable, words] :
       {std::pair("IOS_GPU_UNTUNED", "untuned"), std::pair("IOS_GPU_EAGER", "launch by launch")}) {
    const Finished finished =
        iosx({"run", "sample", "--schedule", "sequential", "--device", "gpu", "--store", store_}, {{variable, "1"}});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(iosx({"devices"}, {{variable, "1"}}).out, HasSubstr(words));
  }
}

// The library that users have, with NVIDIA's runtime in it.
TEST_F(OnMadeUpGpu, ADriverThatIsTooOld) {
  for (const char* backend : {IOS_GPU_LIBRARY, IOS_MADE_UP_BACKEND}) {
    const Finished finished = iosx({"compare", "sample", "--device", "gpu"},
                                   {{"IOS_MADE_UP_FAILURE", "driver-too-old"}, {"IOS_GPU_BACKEND", backend}});
    expect_refused(finished, AllOf(HasSubstr("is too old: it supports CUDA 12.4, but CUDA 13.0 is needed"),
                                   HasSubstr("install NVIDIA driver 580 or newer")));
  }
}

TEST_F(OnMadeUpGpu, ADriverThatIsNotWhole) {
  const Finished finished = iosx({"compare", "sample", "--device", "gpu"}, {{"IOS_GPU_BACKEND", IOS_GPU_LIBRARY}});
  expect_refused(finished, AllOf(HasSubstr("CUDA says cudaError"), HasSubstr("repair the driver")));
}

// The other failures come when one network is known and another one is under way.
class InTheMiddle : public OnMadeUpGpu {
 protected:
  void SetUp() override {
    const Finished before = compare("sample", "gpu-f32");
    ASSERT_EQ(before.exit_code, 0) << before.err;
    before_ = kept();
    ASSERT_THAT(before_, Not(IsEmpty()));
  }

  // Nothing of before is lost, and without the failure the rest is measured, no stage twice. What the failure left as a
  // quick estimate may be refined then.
  void expect_to_go_on() {
    const auto after = kept();
    EXPECT_THAT(after, IsSupersetOf(before_));
    const Finished again = compare("squeezenet", "gpu-f32");
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(kept(), IsSupersetOf(before_));
    EXPECT_THAT(keys_of(kept()), IsSupersetOf(keys_of(after)));
    EXPECT_LE(measured(again), static_cast<std::int64_t>(kept().size() - after.size()));
  }

  std::set<std::string> before_;
};

TEST_F(InTheMiddle, NoMemory) {
  expect_refused(compare("squeezenet", "gpu-f32", "memory=12"),
                 AllOf(HasSubstr("MiB of GPU memory are needed"), HasSubstr("of 12.0 MiB are free"),
                       HasSubstr("use a smaller batch")));
  expect_to_go_on();
}

TEST_F(InTheMiddle, AnIllegalAddress) {
  expect_refused(compare("squeezenet", "gpu-f32", "illegal-address=15000"),
                 AllOf(HasSubstr("cudaErrorIllegalAddress (an illegal memory access was encountered)"),
                       HasSubstr("this program can no longer use the GPU: restart the program")));
  EXPECT_GT(kept().size(), before_.size()) << "what was measured until then";
  expect_to_go_on();
}

// It is written down which plan ran, and the next process leaves that out. Which launch is a plan's first one depends
// on cuDNN: the process that dies in a trial leaves a file.
TEST_F(InTheMiddle, AnIllegalAddressWhereAPlanIsTried) {
  bool tried = false;
  for (int launch = 1; launch < 60 && !tried; ++launch) {
    expect_refused(compare("squeezenet", "gpu-f32", "illegal-address=" + std::to_string(launch)),
                   HasSubstr("cudaErrorIllegalAddress"));
    tried = cached().size() > 1;
  }
  EXPECT_THAT(cached(), ElementsAre(".json", StartsWith(".trying-")));
  expect_to_go_on();
  EXPECT_THAT(cached(), ElementsAre(".ended", ".json"));
}

TEST_F(InTheMiddle, NoCapture) {
  expect_refused(compare("squeezenet", "gpu-f32", "captures=150"),
                 AllOf(HasSubstr("CUDNN_STATUS_EXECUTION_FAILED, while it was captured for a CUDA graph"),
                       HasSubstr("try again")));
  expect_to_go_on();
}

// Of the ways to compute a convolution one is left out then, and all goes on.
TEST_F(OnMadeUpGpu, OneCaptureThatIsRefusedWhereAPlanIsTried) {
  const auto chosen_plans = [&](const std::string& failure) {
    fs::remove_all(folder_.file("cache"));
    const Finished finished = compare("squeezenet", "gpu-f32", failure);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(cached(), ElementsAre(".json"));
    return iosx::test::read(fs::directory_iterator(fs::path(folder_.file("cache")) / "ios-explorer" / "gpu")->path());
  };
  EXPECT_LT(chosen_plans("capture=3").size(), chosen_plans("").size());
}

}  // namespace
}  // namespace iosx::gpu::test
