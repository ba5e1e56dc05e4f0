#include "core/workers/worker_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stop_token>

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
    hello.device.grade = message("is not compared");
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
  EXPECT_EQ(read->devices[0].known.info.grade, "is not compared");
}

// What workers said is written in the form of the program's version; the list itself stays.
TEST_F(WorkerListTest, AListOfAnotherVersionStaysAndItsWorkersAreAskedAnew) {
  WorkerList list{Isolation::kNone, {asked(hello("node1"), test::scripted_worker())}};
  list.devices[0].name = "mine";
  list.devices[0].commands[0].start = Seconds(7200);
  ASSERT_TRUE(write_worker_list(file(), list));
  std::stringstream text;
  text << std::ifstream(file()).rdbuf();
  std::string other = text.str();
  const std::size_t at = other.find("\"plans_at_once\"");
  ASSERT_NE(at, std::string::npos) << other;
  other.replace(at, 15, "\"renamed\"");
  std::ofstream(file()) << other;

  auto read = read_worker_list(file());
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->devices.size(), 1U);
  EXPECT_FALSE(read->devices[0].is_known);
  EXPECT_EQ(read->devices[0].commands, list.devices[0].commands);
  const auto device = entry_of(read->devices[0]).open();
  ASSERT_TRUE(device) << device.error().text();
  EXPECT_EQ((*device)->info().id, "mine");
  EXPECT_EQ((*device)->info().lowering, list.devices[0].known.info.lowering);

  read->devices[0].known.info.fingerprint = "of another device";
  EXPECT_FALSE(entry_of(read->devices[0]).open());
  ASSERT_TRUE(write_worker_list(file(), *read));
  EXPECT_FALSE(read_worker_list(file())->devices[0].is_known);
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
  // The same once more is no more, and with another count so many.
  EXPECT_EQ(add_to_list(list, asked(hello("node2"), "b"), hello("node2")).value(), "fake@node1");
  EXPECT_EQ(list.devices[0].commands.size(), 2U);
  ListedDevice more = asked(hello("node2"), "b");
  more.commands[0].count = 5;
  EXPECT_EQ(add_to_list(list, std::move(more), hello("node2")).value(), "fake@node1");
  ASSERT_EQ(list.devices[0].commands.size(), 2U);
  EXPECT_EQ(list.devices[0].commands[1].count, 5);

  wire::Hello other = hello("node1");
  other.device.fingerprint = "fake-2";
  EXPECT_EQ(add_to_list(list, asked(other, "c"), other).value(), "fake@node1-2");
  EXPECT_FALSE(add_to_list(list, asked(other, "d"), other, "fake@node1"));
  EXPECT_EQ(add_to_list(list, asked(hello("node3"), "e"), hello("node3"), "mine").value(), "mine");
  EXPECT_EQ(list.devices.size(), 3U);
}

TEST_F(WorkerListTest, ADeviceGoesWithItsLastWorkers) {
  WorkerList list;
  ASSERT_TRUE(add_to_list(list, asked(hello("node1"), "a"), hello("node1")));
  ASSERT_TRUE(add_to_list(list, asked(hello("node1"), "b"), hello("node1")));
  EXPECT_FALSE(remove_from_list(list, "fake@node2", {"a", 2}));
  EXPECT_FALSE(remove_from_list(list, "fake@node1", {"a", 1}));
  EXPECT_TRUE(remove_from_list(list, "fake@node1", {"a", 2}));
  ASSERT_EQ(list.devices.size(), 1U);
  EXPECT_EQ(list.devices[0].commands, (std::vector<WorkerCommand>{{"b", 2}}));
  EXPECT_TRUE(remove_from_list(list, "fake@node1", {"b", 2}));
  EXPECT_TRUE(list.devices.empty());
}

TEST_F(WorkerListTest, AllAreAskedAtOnce) {
  // Each waits until the other one has been started.
  const std::string folder = folder_->path().string();
  const auto after = [&](const char* mine, const char* other) {
    return fmt::format("touch {0}/{1}; until test -e {0}/{2}; do sleep 0.01; done; exec {3}", folder, mine, other,
                       test::scripted_worker());
  };
  ListedDevice fake = asked(hello("node1"), after("one", "two"));
  fake.name = "one";
  fake.commands.push_back({after("two", "one"), 3});
  ListedDevice gone = asked(hello("node2"), "echo Welcome; echo no such thing >&2; exit 3");
  gone.name = "gone";
  ListedDevice silent = asked(hello("node3"), "sleep 60");
  silent.name = "silent";
  ListedDevice other = asked(hello("node4"), test::scripted_worker("--fingerprint other"));
  other.name = "other";
  std::vector<std::string> heard;
  const auto begin = std::chrono::steady_clock::now();
  const auto answers = ask_workers({Isolation::kNone, {fake, gone, silent, other}}, Seconds(3), {},
                                   [&heard](const WorkerAnswer& answer) { heard.push_back(answer.device); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_THAT(heard, testing::UnorderedElementsAre("one", "one", "gone", "silent", "other"));
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(answers[i].device, "one");
    EXPECT_EQ(answers[i].command, fake.commands[i]);
    ASSERT_TRUE(answers[i].hello) << answers[i].hello.error().text();
    EXPECT_EQ(answers[i].hello->program, "scripted");
    EXPECT_GE(answers[i].hello->cores, 1);
  }
  ASSERT_FALSE(answers[2].hello);
  EXPECT_THAT(answers[2].hello.error().text(), HasSubstr("no such thing"));
  ASSERT_FALSE(answers[3].hello);
  EXPECT_THAT(answers[3].hello.error().text(), HasSubstr("has not started after 3 s"));
  ASSERT_FALSE(answers[4].hello);
  EXPECT_THAT(answers[4].hello.error().text(), HasSubstr("is another device now: Fake device"));
  EXPECT_TRUE(ask_workers({}, Seconds(1), {}).empty());
}

TEST_F(WorkerListTest, AStopEndsAsking) {
  ListedDevice silent = asked(hello("node1"), "exec sleep 60");
  std::stop_source stop;
  stop.request_stop();
  const auto begin = std::chrono::steady_clock::now();
  const auto answers = ask_workers({Isolation::kNone, {silent}}, Seconds(50), {stop.get_token(), {}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_FALSE(answers[0].hello);
}

TEST_F(WorkerListTest, WhatWorkersSayNowTakesThePlaceOfWhatTheySaid) {
  WorkerList list{Isolation::kNone, {{"far", {{"a"}}, known_of(hello("node1")), "node1"}}};
  wire::Hello now = hello("node1");
  EXPECT_FALSE(take_answers(list, {{"far", {"a"}, now}}));
  now.peak = PeakRates{.flops_per_s = 7e12, .bytes_per_s = 1e12};
  EXPECT_FALSE(take_answers(list, {{"unknown", {"a"}, now}, {"far", {"a"}, fail(message("no answer"))}}));
  EXPECT_TRUE(take_answers(list, {{"far", {"a"}, now}}));
  EXPECT_FALSE(take_answers(list, {{"far", {"a"}, now}}));
  EXPECT_EQ(list.devices.front().known.peak->flops_per_s, 7e12);
  now.methods_key = "new";
  EXPECT_TRUE(take_answers(list, {{"far", {"a"}, now}}));
  EXPECT_EQ(list.devices.front().known.methods_key, "new");
  now.device.fingerprint = "another";
  EXPECT_FALSE(take_answers(list, {{"far", {"a"}, now}}));
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
  EXPECT_TRUE(registry.find("far")->by_workers);
  EXPECT_FALSE(registry.find("fake")->by_workers);
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
      EXPECT_FALSE(registry.find(id)->by_workers) << "it is a device of this machine";
    }
  }
}

}  // namespace
}  // namespace iosx
