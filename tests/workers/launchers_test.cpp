// Commands are read by real shells here, with programs in the place of ssh and srun.
#include "core/workers/launchers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/base/scratch_folder.h"
#include "core/workers/worker_list.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

using testing::HasSubstr;

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
  const auto command = ssh_workers(" me@node1 ", {"iosx", "gpu", 4});
  ASSERT_TRUE(command);
  EXPECT_EQ(*command,
            (WorkerCommand{"ssh -o BatchMode=yes -o ConnectTimeout=10 me@node1 'iosx worker --device gpu'", 4}));
}

// As ssh does, the program in its place joins the words and gives them to a shell.
TEST_F(LaunchersTest, NothingTypedBecomesAnotherCommand) {
  script("ssh", "printf '%s' \"$5\" > host; shift 5; exec sh -c \"$*\"");
  const std::string iosx =
      script("iosx it's; touch x $(touch x)", "printf '%s|' \"$@\" > arguments\nexec " + test::scripted_worker());
  for (const char* typed : kNasty) {
    const auto command = ssh_workers(typed, {iosx, typed});
    ASSERT_TRUE(command) << command.error().text();
    const auto asked = ask_worker({here(command->command)}, {.start = Seconds(20)}, {});
    ASSERT_TRUE(asked) << asked.error().text();
    EXPECT_EQ(text("host"), typed);
    EXPECT_EQ(text("arguments"), fmt::format("worker|--device|{}|", typed));
    EXPECT_FALSE(std::filesystem::exists(file("x")));
  }
}

TEST_F(LaunchersTest, AHomeFolderIsThatOfTheOtherEnd) {
  script("ssh", "shift 5; HOME=/there; exec sh -c \"echo $*\"");
  const auto command = ssh_workers("node1", {"~/my programs/iosx", "cpu"});
  ASSERT_TRUE(command);
  EXPECT_EQ(said_by_shell(here(command->command)), "/there/my programs/iosx worker --device cpu\n");
}

TEST_F(LaunchersTest, SlurmGetsOneTaskAWorker) {
  EXPECT_EQ(slurm_workers("--exclusive --gres=gpu:1", {"iosx", "gpu", 8}).value(),
            (WorkerCommand{"srun --exclusive --gres=gpu:1 --ntasks=1 iosx worker --device gpu", 8}));
  EXPECT_EQ(slurm_workers("", {}).value(), (WorkerCommand{"srun --ntasks=1 iosx worker --device gpu", 1}));
  EXPECT_EQ(slurm_workers("-n4 --exclusive", {"iosx", "gpu", 2}).value(),
            (WorkerCommand{"srun -n1 --exclusive --ntasks=1 iosx worker --device gpu", 8}));
  script("srun", "printf '%s|' \"$@\"");
  const auto nasty = slurm_workers("--comment=a;touch\t$(touch x)", {"iosx", "it's"});
  ASSERT_TRUE(nasty);
  EXPECT_EQ(said_by_shell(here(nasty->command)), "--comment=a;touch|$(touch|x)|--ntasks=1|iosx|worker|--device|it's|");
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
