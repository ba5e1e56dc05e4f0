#include "core/devices/cpu/cores.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace iosx {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// A folder that stands for the system's root.
class CoresTest : public testing::Test {
 protected:
  CoresTest() { fs::create_directories(root_); }
  ~CoresTest() override { fs::remove_all(root_); }
  CoresTest(const CoresTest&) = delete;
  CoresTest& operator=(const CoresTest&) = delete;

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void siblings(int processor, const std::string& list) const {
    write("sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list", list);
  }

  fs::path root_ = fs::temp_directory_path() / ("iosx_cores_" + std::to_string(getpid()));
};

TEST_F(CoresTest, OneThreadOfEachCoreComputes) {
  siblings(0, "0,4");
  siblings(1, "1,5");
  siblings(4, "0,4");
  siblings(5, "1,5");
  EXPECT_THAT(one_of_each_core({0, 1, 4, 5}, root_), ElementsAre(0, 1));
  EXPECT_THAT(one_of_each_core({1, 4, 5}, root_), ElementsAre(1, 4)) << "the first of its core that may be used";
  EXPECT_THAT(one_of_each_core({2, 3}, root_), ElementsAre(2, 3)) << "nothing is known of these";
}

TEST_F(CoresTest, WithoutAControlGroupThereIsNoQuota) {
  EXPECT_EQ(cpu_quota(root_), 0);
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "max 100000");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST_F(CoresTest, TheStrictestGroupCounts) {
  write("proc/self/cgroup", "0::/outer/inner");
  write("sys/fs/cgroup/outer/inner/cpu.max", "800000 100000");
  EXPECT_EQ(cpu_quota(root_), 8);
  write("sys/fs/cgroup/outer/cpu.max", "350000 100000");
  EXPECT_EQ(cpu_quota(root_), 3);
  write("sys/fs/cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(cpu_quota(root_), 1) << "half a processor is one thread";
}

TEST_F(CoresTest, AContainerSeesItsOwnGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/docker/4f1c");
  write("sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(cpu_quota(root_), 2);
}

TEST_F(CoresTest, OlderGroupsHaveFilesOfTheirOwn) {
  write("proc/self/cgroup", "7:memory:/m\n4:cpu,cpuacct:/c");
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "250000");
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpu_quota(root_), 2);
  write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST_F(CoresTest, NonsenseIsNoQuota) {
  write("proc/self/cgroup", "nonsense\n0::");
  write("sys/fs/cgroup/cpu.max", "lots 0");
  EXPECT_EQ(cpu_quota(root_), 0);
}

TEST(Cores, ThereIsAlwaysOne) { EXPECT_FALSE(usable_cores().processors.empty()); }

}  // namespace
}  // namespace iosx
