#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/devices/backend.h"
#include "core/devices/backend_loader.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

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
  const auto entries = load_backend(fake("good"));
  ASSERT_TRUE(entries.has_value()) << entries.error().text();
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ(entries->front().info.id, "fake");
  const auto device = entries->front().open();
  ASSERT_TRUE(device.has_value());
  EXPECT_EQ((*device)->info().name, "A fake device whose name is longer than short strings are");
  TimingOptions timing;
  timing.repeats = 7;
  const auto latencies = (*device)->measure(std::vector<ExecutionPlan>(3), timing, {});
  ASSERT_TRUE(latencies.has_value());
  ASSERT_EQ(latencies->size(), 3U);
  EXPECT_EQ(latencies->front().samples, 7);
  const auto run = load_and_run(**device, {}, {}, {});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().what, "the fake device runs nothing");
}

TEST(Backend, ADeviceThatIsNotGivenIsAnError) {
  const auto entries = load_backend(fake("good"));
  ASSERT_TRUE(entries.has_value()) << entries.error().text();
  for (std::size_t i = 1; i < entries->size(); ++i) {
    const auto device = (*entries)[i].open();
    ASSERT_FALSE(device.has_value());
    EXPECT_THAT(device.error().text(), AllOf(HasSubstr((*entries)[i].info.id), HasSubstr("bug of the back end")));
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
