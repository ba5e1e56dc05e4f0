#include "core/workers/worker_list.h"
#include "tests/support/fake_devices.h"
#include "tests/support/prelude.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

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
  const auto none = must(read_worker_list(file()));
  EXPECT_TRUE(none.devices.empty());
  EXPECT_EQ(none.isolation, Isolation::kGpus);

  WorkerList list{Isolation::kAll, {asked(hello("node1"), "ssh node1 iosx worker")}};
  list.devices[0].name = "a name";
  ASSERT_TRUE(write_worker_list(file(), list));
  EXPECT_EQ(std::filesystem::status(file()).permissions(), std::filesystem::perms(0600));
  const auto read = must(read_worker_list(file()));
  EXPECT_EQ(read.isolation, Isolation::kAll);
  ASSERT_EQ(read.devices.size(), 1U);
  EXPECT_EQ(read.devices[0].name, "a name");
  EXPECT_EQ(read.devices[0].host, "node1");
  EXPECT_EQ(read.devices[0].commands, list.devices[0].commands);
  EXPECT_EQ(read.devices[0].known.info.fingerprint, "fake-1");
  EXPECT_EQ(read.devices[0].known.info.lowering, list.devices[0].known.info.lowering);
  EXPECT_EQ(read.devices[0].known.info.grade, "is not compared");
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

  auto read = must(read_worker_list(file()));
  ASSERT_EQ(read.devices.size(), 1U);
  EXPECT_FALSE(read.devices[0].is_known);
  EXPECT_EQ(read.devices[0].commands, list.devices[0].commands);
  const auto device = must(entry_of(read.devices[0]).open());
  EXPECT_EQ(device->info().id, "mine");
  EXPECT_EQ(device->info().lowering, list.devices[0].known.info.lowering);

  read.devices[0].known.info.fingerprint = "of another device";
  EXPECT_FALSE(entry_of(read.devices[0]).open());
  ASSERT_TRUE(write_worker_list(file(), read));
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
  EXPECT_THAT(heard, UnorderedElementsAre("one", "one", "gone", "silent", "other"));
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
  const auto begin = std::chrono::steady_clock::now();
  const auto answers = ask_workers({Isolation::kNone, {silent}}, Seconds(50), {stopped_token(), {}});
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
  DeviceRegistry::Entry local{.info = test::FakeDevice(Origin::kMeasured).info(),
                              .open = [] { return std::make_unique<test::FakeDevice>(Origin::kMeasured); }};
  registry.add(std::move(local));
  ListedDevice listed{"far", {{test::scripted_worker(), 1}}, known_of(hello("node1")), "node1"};
  add_worker_devices(registry, {Isolation::kGpus, {listed}}, "/no/such/program");
  ASSERT_EQ(registry.entries().size(), 2U);
  EXPECT_EQ(registry.find("far")->info.name, "Fake device (node1)");
  EXPECT_TRUE(registry.find("far")->by_workers);
  EXPECT_FALSE(registry.find("fake")->by_workers);
  EXPECT_EQ(must(must(registry.open("far"))->measure(test::stage_plans(3), {}, {})).size(), 3U);
}

// "iosx" is this fake here: it ignores what it is told to be.
TEST_F(WorkerListTest, ALocalDeviceIsIsolatedWhereThatIsWanted) {
  const std::filesystem::path program = folder_->path() / "iosx it's";
  std::ofstream(program) << "#!/bin/sh\nexec " << test::scripted_worker("--fingerprint local") << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  for (const Isolation isolation : {Isolation::kNone, Isolation::kGpus, Isolation::kAll}) {
    for (const char* id : {"cpu", "gpu", "gpu-f16", "simulated"}) {
      DeviceRegistry registry;
      DeviceRegistry::Entry local{.info = test::FakeDevice().info()};
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
      const auto device = must(registry.open(id));
      const bool gpu = std::string_view(id).starts_with("gpu");
      const bool measures = gpu || id == std::string("cpu");
      const bool isolated = isolation == Isolation::kAll ? measures : isolation == Isolation::kGpus && gpu;
      EXPECT_EQ(here, !isolated) << id;
      EXPECT_EQ(device->info().id, here ? "fake" : id);
      EXPECT_FALSE(registry.find(id)->by_workers) << "it is a device of this machine";
    }
  }
}

// Commands are read by real shells here, with programs in the place of ssh and srun.

constexpr std::array kNasty{"node 1",    "it's", "a;touch x", "$(touch x)", "`touch x`",
                            "\"q\" & b", "*",    "a\nb",      "\\",         "ünï"};

std::string said_by_shell(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

class LaunchersTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_->path() / name; }
  std::string script(const std::string& name, const std::string& lines) const {
    std::ofstream(file(name)) << "#!/bin/sh\n" << lines << '\n';
    std::filesystem::permissions(file(name), std::filesystem::perms::owner_all);
    return file(name).string();
  }
  std::string text(const std::string& name) const {
    std::ifstream stream(file(name));
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  // The command with what is in the folder found first.
  std::string here(const std::string& command) const {
    return fmt::format("cd '{0}'; PATH='{0}':\"$PATH\"; {1}", folder_->path().string(), command);
  }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(LaunchersTest, AWordIsOneWordForAShell) {
  for (const char* text : kNasty) {
    EXPECT_EQ(said_by_shell("printf '[%s]' " + shell_word(text)), fmt::format("[{}]", text));
  }
  EXPECT_EQ(said_by_shell("printf '[%s]' " + shell_word("")), "[]");
  EXPECT_EQ(shell_word("/opt/iosx-1.0/bin/iosx"), "/opt/iosx-1.0/bin/iosx");
}

TEST_F(LaunchersTest, SshAsksForNothingAndIsReadAsItIsWritten) {
  const auto command = must(ssh_workers(" me@node1 ", {"iosx", "gpu", 4}));
  EXPECT_EQ(command,
            (WorkerCommand{"ssh -o BatchMode=yes -o ConnectTimeout=10 me@node1 'iosx worker --device gpu'", 4}));
}

// As ssh does, the program in its place joins the words and gives them to a shell.
TEST_F(LaunchersTest, NothingTypedBecomesAnotherCommand) {
  script("ssh", "printf '%s' \"$5\" > host; shift 5; exec sh -c \"$*\"");
  const std::string iosx =
      script("iosx it's; touch x $(touch x)", "printf '%s|' \"$@\" > arguments\nexec " + test::scripted_worker());
  for (const char* typed : kNasty) {
    const auto command = must(ssh_workers(typed, {iosx, typed}));
    must(ask_worker({here(command.command)}, {.start = Seconds(20)}, {}));
    EXPECT_EQ(text("host"), typed);
    EXPECT_EQ(text("arguments"), fmt::format("worker|--device|{}|", typed));
    EXPECT_FALSE(std::filesystem::exists(file("x")));
  }
}

TEST_F(LaunchersTest, AHomeFolderIsThatOfTheOtherEnd) {
  script("ssh", "shift 5; HOME=/there; exec sh -c \"echo $*\"");
  const auto command = must(ssh_workers("node1", {"~/my programs/iosx", "cpu"}));
  EXPECT_EQ(said_by_shell(here(command.command)), "/there/my programs/iosx worker --device cpu\n");
}

TEST_F(LaunchersTest, SlurmGetsOneTaskAWorker) {
  EXPECT_EQ(slurm_workers("--exclusive --gres=gpu:1", {"iosx", "gpu", 8}).value(),
            (WorkerCommand{"srun --exclusive --gres=gpu:1 --ntasks=1 iosx worker --device gpu", 8}));
  EXPECT_EQ(slurm_workers("", {}).value(), (WorkerCommand{"srun --ntasks=1 iosx worker --device gpu", 1}));
  EXPECT_EQ(slurm_workers("-n4 --exclusive", {"iosx", "gpu", 2}).value(),
            (WorkerCommand{"srun -n1 --exclusive --ntasks=1 iosx worker --device gpu", 8}));
  script("srun", "printf '%s|' \"$@\"");
  const auto nasty = must(slurm_workers("--comment=a;touch\t$(touch x)", {"iosx", "it's"}));
  EXPECT_EQ(said_by_shell(here(nasty.command)), "--comment=a;touch|$(touch|x)|--ntasks=1|iosx|worker|--device|it's|");
}

TEST_F(LaunchersTest, WhatLacksSomethingIsRefused) {
  for (const char* host : {"", "  ", "-oProxyCommand=touch x"}) EXPECT_FALSE(ssh_workers(host, {})) << host;
  EXPECT_FALSE(ssh_workers("node1", {" ", "gpu"}));
  EXPECT_FALSE(ssh_workers("node1", {"iosx", ""}));
  EXPECT_FALSE(ssh_workers("node1", {"iosx", "gpu", 0}));
  EXPECT_FALSE(ssh_workers("node1", {"iosx", "gpu", 1025}));
  EXPECT_FALSE(slurm_workers("", {"", "gpu"}));
  EXPECT_FALSE(slurm_workers("-n1000", {"iosx", "gpu", 1000}));
  EXPECT_THAT(ssh_workers("", {}).error().text(), HasSubstr("names no host"));
}

}  // namespace

}  // namespace iosx
