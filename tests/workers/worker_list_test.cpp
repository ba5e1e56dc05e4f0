#include "core/workers/worker_list.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/base/scratch_folder.h"
#include "tests/support/fake_device.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

using testing::HasSubstr;

class WorkerListTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_->path() / "deeper" / "workers.json"; }
  static wire::Hello hello(const std::string& host) {
    wire::Hello hello{.program = "1", .device = test::FakeDevice().info(), .host = host};
    hello.device.grade = message("compared with nothing");
    return hello;
  }
  static ListedDevice asked(const wire::Hello& hello, const std::string& command) {
    return {"", {{command, 2}}, known_of(hello), hello.host};
  }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(WorkerListTest, IsReadAsItWasWritten) {
  const auto none = read_worker_list(file());
  ASSERT_TRUE(none) << none.error().text();
  EXPECT_TRUE(none->devices.empty());
  EXPECT_EQ(none->isolation, Isolation::kGpus);

  WorkerList list{Isolation::kAll, {asked(hello("node1"), "ssh node1 iosx worker")}};
  list.devices[0].name = "a name";
  ASSERT_TRUE(write_worker_list(file(), list));
  const auto read = read_worker_list(file());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->isolation, Isolation::kAll);
  ASSERT_EQ(read->devices.size(), 1U);
  EXPECT_EQ(read->devices[0].name, "a name");
  EXPECT_EQ(read->devices[0].host, "node1");
  EXPECT_EQ(read->devices[0].commands, list.devices[0].commands);
  EXPECT_EQ(read->devices[0].known.info.fingerprint, "fake-1");
  EXPECT_EQ(read->devices[0].known.info.lowering, list.devices[0].known.info.lowering);
  EXPECT_EQ(read->devices[0].known.info.grade, "compared with nothing");
}

TEST_F(WorkerListTest, AListThatIsNoneIsAnErrorThatNamesIt) {
  std::filesystem::create_directories(file().parent_path());
  for (const char* text : {"", "{", "[]", R"({"format":"iosx-workers","version":1,"content":{}})",
                           R"({"format":"iosx-project","version":4,"content":{}})"}) {
    std::ofstream(file()) << text;
    const auto read = read_worker_list(file());
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().where, HasSubstr(file().string()));
  }
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_FALSE(read_worker_list(file()));
}

TEST_F(WorkerListTest, WorkersOfOneFingerprintAreOneDevice) {
  WorkerList list;
  EXPECT_EQ(add_to_list(list, asked(hello("node1"), "a"), hello("node1")).value(), "fake@node1");
  EXPECT_EQ(add_to_list(list, asked(hello("node2"), "b"), hello("node2")).value(), "fake@node1");
  ASSERT_EQ(list.devices.size(), 1U);
  EXPECT_EQ(list.devices[0].commands.size(), 2U);
  // The same once more is no more.
  EXPECT_EQ(add_to_list(list, asked(hello("node2"), "b"), hello("node2")).value(), "fake@node1");
  EXPECT_EQ(list.devices[0].commands.size(), 2U);

  wire::Hello other = hello("node1");
  other.device.fingerprint = "fake-2";
  EXPECT_EQ(add_to_list(list, asked(other, "c"), other).value(), "fake@node1-2");
  EXPECT_FALSE(add_to_list(list, asked(other, "d"), other, "fake@node1"));
  EXPECT_EQ(add_to_list(list, asked(hello("node3"), "e"), hello("node3"), "mine").value(), "mine");
  EXPECT_EQ(list.devices.size(), 3U);
}

TEST_F(WorkerListTest, ADeviceOfTheListIsOneOfTheRegistry) {
  DeviceRegistry registry;
  DeviceRegistry::Entry local;
  local.info = test::FakeDevice(Origin::kMeasured).info();
  local.open = [] { return std::make_unique<test::FakeDevice>(Origin::kMeasured); };
  registry.add(std::move(local));
  ListedDevice listed{"far", {{test::scripted_worker(), 1}}, known_of(hello("node1")), "node1"};
  add_worker_devices(registry, {Isolation::kGpus, {listed}}, "/no/such/program");
  ASSERT_EQ(registry.entries().size(), 2U);
  EXPECT_EQ(registry.find("far")->info.name, "Fake device (node1)");
  const auto device = registry.open("far");
  ASSERT_TRUE(device);
  const auto latencies = (*device)->measure(test::stage_plans(3), {}, {});
  ASSERT_TRUE(latencies) << latencies.error().text();
  EXPECT_EQ(latencies->size(), 3U);
}

// "iosx" is this fake here: it ignores what it is told to be.
TEST_F(WorkerListTest, ALocalDeviceIsIsolatedWhereThatIsWanted) {
  const std::filesystem::path program = folder_->path() / "iosx it's";
  std::ofstream(program) << "#!/bin/sh\nexec " << test::scripted_worker("--fingerprint local") << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  for (const Isolation isolation : {Isolation::kNone, Isolation::kGpus, Isolation::kAll}) {
    for (const char* id : {"cpu", "gpu", "gpu-f16", "simulated"}) {
      DeviceRegistry registry;
      DeviceRegistry::Entry local;
      local.info = test::FakeDevice().info();
      local.info.id = id;
      local.info.fingerprint = "local";
      local.info.origin = id == std::string("simulated") ? Origin::kSimulated : Origin::kMeasured;
      bool here = false;
      local.open = [&here] {
        here = true;
        return std::make_unique<test::FakeDevice>();
      };
      registry.add(std::move(local));
      add_worker_devices(registry, {isolation, {}}, program);
      const auto device = registry.open(id);
      ASSERT_TRUE(device) << device.error().text();
      const bool gpu = std::string_view(id).starts_with("gpu");
      const bool measures = gpu || id == std::string("cpu");
      const bool isolated = isolation == Isolation::kAll ? measures : isolation == Isolation::kGpus && gpu;
      EXPECT_EQ(here, !isolated) << id;
      EXPECT_EQ((*device)->info().id, here ? "fake" : id);
    }
  }
}

}  // namespace
}  // namespace iosx
