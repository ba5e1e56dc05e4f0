#include "core/base/files.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace iosx {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

class NewFileTest : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) const { test::write_file(folder_ / name, text); }
  std::string text(const std::string& name) const { return test::read_file(folder_ / name); }

  const test::Folder folder_;
};

TEST_F(NewFileTest, TakesThePlaceOfTheOldOneWhenItIsFinished) {
  put("a", "old");
  NewFile file(folder_ / "a");
  ASSERT_TRUE(file.write(bytes("ne")));
  ASSERT_TRUE(file.write(bytes("w")));
  EXPECT_EQ(text("a"), "old");
  ASSERT_TRUE(file.finish());
  EXPECT_EQ(text("a"), "new");
  EXPECT_THAT(folder_.names(), UnorderedElementsAre("a"));
}

TEST_F(NewFileTest, MayBeForItsOwnerAlone) {
  const auto mode = [&](const char* name) { return fs::status(folder_ / name).permissions(); };
  const auto write = [&](const char* name, Readers readers) {
    NewFile file(folder_ / name, readers);
    EXPECT_TRUE(file.write(bytes("new")) && file.finish());
  };
  put("old", "of all");
  fs::permissions(folder_ / "old", fs::perms(0644));
  for (const char* name : {"new", "old"}) {
    write(name, Readers::kOwner);
    EXPECT_EQ(mode(name), fs::perms(0600)) << name;
  }
  write("old", Readers::kUsual);
  EXPECT_EQ(mode("old"), fs::perms(0600));
}

TEST_F(NewFileTest, ForItsOwnerAloneIsSoUnderAllOfItsNames) {
  put("a", "old");
  fs::permissions(folder_ / "a", fs::perms(0644));
  fs::create_hard_link(folder_ / "a", folder_ / "b");
  NewFile file(folder_ / "a", Readers::kOwner);
  ASSERT_TRUE(file.write(bytes("new")) && file.finish());
  EXPECT_EQ(text("b"), "new");
  EXPECT_EQ(fs::status(folder_ / "b").permissions(), fs::perms(0600));
}

TEST_F(NewFileTest, LeavesNothingUnfinished) {
  put("a", "old");
  { EXPECT_TRUE(NewFile(folder_ / "a").write(bytes("new"))); }
  EXPECT_EQ(text("a"), "old");
  EXPECT_THAT(folder_.names(), UnorderedElementsAre("a"));
}

TEST_F(NewFileTest, GoesThroughALink) {
  put("a", "old");
  fs::create_symlink("a", folder_ / "link");
  NewFile file(folder_ / "link");
  ASSERT_TRUE(file.write(bytes("new")));
  ASSERT_TRUE(file.finish());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text("a"), "new");
}

TEST_F(NewFileTest, GoesThroughLinksThatLeadToNothingYet) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/link", folder_ / "link");
  fs::create_symlink("new", folder_ / "far" / "link");
  NewFile file(folder_ / "link");
  ASSERT_TRUE(file.write(bytes("new")));
  ASSERT_TRUE(file.finish());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "far" / "link"));
  EXPECT_EQ(text("far/new"), "new");
}

TEST_F(NewFileTest, KeepsThePermissionsOfTheOldOne) {
  for (const unsigned mode : {0600U, 0640U, 0755U}) {
    put("a", "old");
    fs::permissions(folder_ / "a", static_cast<fs::perms>(mode));
    NewFile file(folder_ / "a");
    ASSERT_TRUE(file.write(bytes("new")));
    ASSERT_TRUE(file.finish());
    EXPECT_EQ(fs::status(folder_ / "a").permissions(), static_cast<fs::perms>(mode));
    EXPECT_EQ(text("a"), "new");
  }
}

TEST_F(NewFileTest, OfSeveralNamesKeepsThem) {
  put("a", "a longer old text");
  fs::create_hard_link(folder_ / "a", folder_ / "b");
  {
    NewFile file(folder_ / "a");
    ASSERT_TRUE(file.write(bytes("new")));
    EXPECT_EQ(text("b"), "a longer old text");
    ASSERT_TRUE(file.finish());
  }
  EXPECT_EQ(text("a"), "new");
  EXPECT_EQ(text("b"), "new");
  EXPECT_EQ(fs::hard_link_count(folder_ / "a"), 2U);
  EXPECT_THAT(folder_.names(), UnorderedElementsAre("a", "b"));
}

// Whatever the first process leaves behind, the next file of that name takes it away.
TEST_F(NewFileTest, ThatAKilledProcessWroteIsCleanedUp) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    NewFile file(folder_ / "a");
    if (!file.write(bytes("half"))) _exit(1);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  put(fmt::format("a.{}.part", child), "half");  // as where files cannot be without a name
  put(fmt::format("ab.{}.part", child), "of another file");
  put("a.x.part", "of somebody else");
  put(fmt::format("a.{}.part", getppid()), "of a process that lives");
  NewFile file(folder_ / "a");
  ASSERT_TRUE(file.write(bytes("whole")));
  ASSERT_TRUE(file.finish());
  EXPECT_THAT(folder_.names(), UnorderedElementsAre("a", fmt::format("ab.{}.part", child), "a.x.part",
                                                    fmt::format("a.{}.part", getppid())));
}

TEST_F(NewFileTest, SaysWhyItCannotBeWritten) {
  NewFile file(folder_ / "none" / "a");
  EXPECT_THAT(file.write(bytes("x")).error().text(), HasSubstr("No such file or directory"));
}

TEST_F(NewFileTest, HasTheUsualPermissions) {
  const mode_t before = umask(022);
  NewFile file(folder_ / "a");
  ASSERT_TRUE(file.finish());
  umask(before);
  EXPECT_EQ(fs::status(folder_ / "a").permissions(), static_cast<fs::perms>(0644));
}

// None of these may be opened: a pipe would wait.
TEST_F(NewFileTest, CheckRegularFileSaysWhatStandsThere) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  put("a", "text");
  EXPECT_TRUE(check_regular_file(folder_ / "a"));
  EXPECT_THAT(check_regular_file(folder_ / "pipe").error().text(), HasSubstr("is a named pipe, not a regular file"));
  EXPECT_THAT(check_regular_file("/dev/null").error().text(), HasSubstr("is a device, not a regular file"));
  EXPECT_THAT(check_regular_file(folder_.path()).error().text(), HasSubstr("is a folder, not a file"));
  EXPECT_THAT(check_regular_file(folder_ / "b").error().text(), HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace iosx
