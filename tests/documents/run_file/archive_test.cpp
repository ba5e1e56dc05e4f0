#include "core/documents/run_file/archive.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace iosx {
namespace {

constexpr std::size_t kMost = 1 << 20;

// Half of it compresses well.
std::string text_of(std::size_t size) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < size) text += random() % 2 == 0 ? "the same words again " : std::to_string(random());
  text.resize(size);
  return text;
}

std::string archive_of(std::string_view text) {
  const std::array<ArchiveEntry, 3> entries{{{"mimetype", "text/x-test", false}, {"text", text}, {"empty", ""}}};
  return zip(entries);
}

TEST(Archive, GivesBackWhatWasPutIn) {
  for (const std::size_t size : {0, 1, 100, 70000, 1 << 20}) {
    const std::string text = text_of(size);
    const std::string archive = archive_of(text);
    EXPECT_EQ(unzip(archive, "text", kMost, "f"), text);
    EXPECT_EQ(unzip(archive, "mimetype", kMost, "f"), "text/x-test");
    EXPECT_EQ(unzip(archive, "empty", kMost, "f"), "");
    EXPECT_EQ(archive_of(text), archive);
    if (size > 1000) {
      EXPECT_LT(archive.size(), size * 3 / 4);
    }
  }
}

TEST(Archive, IsAZipFileToOtherPrograms) {
  if (std::system("python3 -c 'import zipfile' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  std::string folder = (std::filesystem::temp_directory_path() / "iosx-archive-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/x.zip", std::ios::binary) << archive_of(text_of(5000));
  std::ofstream(folder + "/check.py") << "import sys, zipfile\n"
                                         "archive = zipfile.ZipFile(sys.argv[1])\n"
                                         "assert archive.testzip() is None\n"
                                         "assert archive.namelist() == ['mimetype', 'text', 'empty']\n"
                                         "assert len(archive.read('text')) == 5000\n"
                                         // and the other way round
                                         "made = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)\n"
                                         "made.writestr('text', 'from elsewhere')\n"
                                         "made.close()\n";
  const std::string command = "python3 " + folder + "/check.py " + folder + "/x.zip " + folder + "/y.zip";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(folder + "/y.zip", std::ios::binary);
  const std::string theirs{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(unzip(theirs, "text", kMost, "f"), "from elsewhere");
  std::filesystem::remove_all(folder);
}

TEST(Archive, CutShortIsAnError) {
  const std::string archive = archive_of(text_of(3000));
  for (std::size_t size = 0; size < archive.size(); ++size) {
    const auto read = unzip(std::string_view(archive).substr(0, size), "text", kMost, "some file");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().where, "some file");
  }
}

TEST(Archive, NeverGivesAnythingElseWhenBitsFlip) {
  const std::string text = text_of(600);
  const std::string archive = archive_of(text);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < archive.size() * 8; ++bit) {
    std::string flipped = archive;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto read = unzip(flipped, "text", kMost, "f");
    if (!read) {
      ++refused;
    } else {
      EXPECT_EQ(*read, text) << "bit " << bit;  // what flipped was a date, or another entry
    }
  }
  EXPECT_GT(refused, archive.size() * 3);  // of eight bits a byte
}

TEST(Archive, OfMoreThanIsWantedIsRefusedBeforeItIsUnpacked) {
  const std::string zeros(kMost + 1, '\0');
  const auto large = unzip(archive_of(zeros), "text", kMost, "f");
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().what, testing::HasSubstr("1 MiB"));
  // A size that deflate cannot make of so few bytes.
  std::string liar = archive_of("a few bytes");
  const std::size_t size_at = liar.find("PK\x01\x02", liar.find("PK\x01\x02") + 1) + 24;
  liar[size_at + 2] = 0x0F;
  EXPECT_FALSE(unzip(liar, "text", kMost, "f"));
}

// Changes a number of 16 bits of the n-th header that begins with `mark`.
std::string with16(std::string archive, std::string_view mark, int n, std::size_t place, std::uint16_t value) {
  std::size_t at = archive.find(mark);
  for (int i = 0; i < n; ++i) at = archive.find(mark, at + 1);
  archive[at + place] = static_cast<char>(value & 0xFF);
  archive[at + place + 1] = static_cast<char>(value >> 8);
  return archive;
}

// The same bytes as many entries are a small file that needs all memory.
TEST(Archive, EntriesHaveTheirNamesAndBytesForThemselves) {
  constexpr std::string_view kLocal("PK\x03\x04");
  constexpr std::string_view kCentral("PK\x01\x02");
  const std::string archive = archive_of("a text of some words");
  ASSERT_TRUE(unzip(archive, "text", kMost, "f"));
  const auto refused = [](const std::string& bytes) { return !unzip(bytes, "text", kMost, "f").has_value(); };
  // The last entry's place is that of the one before.
  const std::size_t second = archive.find(kLocal, archive.find(kLocal) + 1);
  EXPECT_TRUE(refused(with16(archive, kCentral, 2, 42, static_cast<std::uint16_t>(second))));
  // Headers contradict one another in the method, the checksum, a size, the name.
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 8, 0)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 14, 7)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 18, 3)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 22, 3)));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 30, 'x')));
  EXPECT_TRUE(refused(with16(archive, kLocal, 1, 6, 1)));
  const std::array<ArchiveEntry, 2> twice{{{"text", "one"}, {"text", "two"}}};
  EXPECT_TRUE(refused(zip(twice)));
}

TEST(Archive, OfTooMuchTogetherIsRefused) {
  const std::string zeros(std::size_t{300} << 20U, '\0');
  std::array<std::string, 4> names{"a", "b", "c", "d"};
  std::vector<ArchiveEntry> entries;
  for (const std::string& name : names) entries.push_back({name, zeros});
  const std::string bomb = zip(entries);
  EXPECT_LT(bomb.size(), std::size_t{2} << 20U);
  const auto read = unzip(bomb, "a", std::size_t{1} << 30U, "f");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "holds 1200 MiB");
}

TEST(Archive, NamesWhatIsMissing) {
  const auto read = unzip(archive_of("x"), "other", kMost, "f");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().what, testing::HasSubstr("'other'"));
  EXPECT_FALSE(unzip("", "text", kMost, "f"));
  EXPECT_FALSE(unzip("PK", "text", kMost, "f"));
  EXPECT_FALSE(unzip(std::string(100000, 'x'), "text", kMost, "f"));
}

}  // namespace
}  // namespace iosx
