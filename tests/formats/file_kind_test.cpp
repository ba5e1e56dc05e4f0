// Files are told apart by one look: each kind by its content, a run and a project by name too.
#include "core/formats/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

using test::Folder;

TEST(FileKinds, AreToldApartByContent) {
  const Folder folder;
  const auto kind = [&](const std::string& bytes) {
    test::write_file(folder / "file", bytes);
    return file_kind(folder / "file");
  };
  EXPECT_EQ(kind("\x08\x07\x12\x04 onnx"), FileKind::kOnnx);
  EXPECT_EQ(kind("{\"name\": \"net\", \"blocks\": []}"), FileKind::kJson);
  EXPECT_EQ(kind(schedule_to_json(test::diamond(), one_by_one_schedule(test::diamond()))), FileKind::kSchedule);
  EXPECT_EQ(kind("{\"traceEvents\": []}"), FileKind::kExternal);
  EXPECT_EQ(kind("\xEF\xBB\xBF{\"traceEvents\": []}"), FileKind::kExternal);
  EXPECT_EQ(kind("\xEF\xBB\xBF{\"name\": \"net\", \"blocks\": []}"), FileKind::kJson);
  std::string utf16("\xFF\xFE");
  for (const char c : std::string_view("{\"traceEvents\": []}")) utf16 += {c, '\0'};
  EXPECT_EQ(kind(utf16), FileKind::kExternal);
  EXPECT_EQ(kind(std::string("SQLite format 3\0", 16) + std::string(200, '\0')), FileKind::kExternal);
  EXPECT_EQ(kind(std::string("PK\x03\x04") + std::string(26, '\0') + "mimetype" + std::string(kRunMimeType)),
            FileKind::kRun);
  EXPECT_EQ(kind(std::string("PK\x03\x04") + std::string(26, '\0') + "mimetype" + std::string(kProjectMimeType)),
            FileKind::kProject);
  EXPECT_EQ(kind("PK\x03\x04"), FileKind::kUnknown);
  EXPECT_EQ(kind("plain words"), FileKind::kUnknown);
  EXPECT_EQ(kind(""), FileKind::kUnknown);
}

TEST(FileKinds, AStoreIsNoProfileOfAnotherProgramAlthoughBothAreDatabases) {
  const Folder folder;
  ASSERT_TRUE(test::open_store(folder / "kept"));
  EXPECT_EQ(file_kind(folder / "kept"), FileKind::kStore);
}

TEST(FileKinds, RunsAndProjectsAreKnownByNameWhateverIsInThem) {
  const Folder folder;
  test::write_file(folder / "x.iosrun", "{}");
  EXPECT_EQ(file_kind(folder / "x.iosrun"), FileKind::kRun);
  EXPECT_EQ(file_kind(folder / "absent.iosproj"), FileKind::kProject);
  EXPECT_EQ(file_kind(folder / "ABSENT.IOSPROJ"), FileKind::kProject);
  test::write_file(folder / "TIMES.CSV", "operator,us\n");
  EXPECT_EQ(file_kind(folder / "TIMES.CSV"), FileKind::kExternal);
}

TEST(FileKinds, WhatIsNoFileIsAnErrorAndIsNotWaitedFor) {
  const Folder folder;
  EXPECT_THAT(identify(folder / "absent").error().text(), testing::HasSubstr("no such file"));
  EXPECT_THAT(identify(folder.path()).error().text(), testing::HasSubstr("is a folder"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(identify(folder / "pipe").error().text(), testing::HasSubstr("pipe"));
  EXPECT_EQ(file_kind(folder / "pipe"), FileKind::kUnknown);
}

}  // namespace
}  // namespace iosx
