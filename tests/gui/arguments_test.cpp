#include "app/gui/arguments.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>
#include <sstream>
#include <vector>

#include "app/gui/settings.h"

namespace iosx {
namespace {

struct Parsed {
  std::variant<Arguments, int> result;
  std::string out;
  std::string err;
};

Parsed parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ios-explorer");
  std::ostringstream out;
  std::ostringstream err;
  auto result = parse_arguments(static_cast<int>(words.size()), words.data(), out, err);
  return {std::move(result), out.str(), err.str()};
}

TEST(Arguments, AreRead) {
  const auto parsed = parse({"inception_v3", "--device", "a100", "--batch", "32", "--report", "out"});
  const auto& arguments = std::get<Arguments>(parsed.result);
  EXPECT_EQ(arguments.graph, "inception_v3");
  EXPECT_EQ(arguments.device, "a100");
  EXPECT_EQ(arguments.batch, 32);
  EXPECT_EQ(arguments.report, std::filesystem::path("out"));
  EXPECT_FALSE(std::get<Arguments>(parse({}).result).report);
}

TEST(Arguments, BadUsageIsOneLineAndExitCodeTwo) {
  for (const auto& words : std::vector<std::vector<const char*>>{
           {"--nonsense"}, {"--batch", "0"}, {"--batch", "x"}, {"--report"}, {"--report", ""}, {"a", "b"}}) {
    const auto parsed = parse(words);
    ASSERT_TRUE(std::holds_alternative<int>(parsed.result)) << words.front();
    EXPECT_EQ(std::get<int>(parsed.result), 2);
    EXPECT_EQ(parsed.out, "");
    EXPECT_EQ(std::count(parsed.err.begin(), parsed.err.end(), '\n'), 1) << parsed.err;
  }
}

TEST(Arguments, HelpAndVersion) {
  const auto help = parse({"--help"});
  EXPECT_EQ(std::get<int>(help.result), 0);
  EXPECT_NE(help.out.find("--report"), std::string::npos);
  const auto version = parse({"--version"});
  EXPECT_EQ(std::get<int>(version.result), 0);
  EXPECT_EQ(version.out, "ios-explorer " IOSX_VERSION "\n");
}

TEST(SettingsTest, KeepsTheNewestTenFilesOnce) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath(QStringLiteral("settings.ini")));
  EXPECT_TRUE(settings.recentFiles().isEmpty());
  for (int i = 0; i < 12; ++i) settings.addRecentFile(QStringLiteral("/tmp/file%1.json").arg(i));
  settings.addRecentFile(QStringLiteral("/tmp/file5.json"));
  ASSERT_EQ(settings.recentFiles().size(), Settings::kMaxRecent);
  EXPECT_EQ(settings.recentFiles().front(), QStringLiteral("/tmp/file5.json"));
  EXPECT_EQ(settings.recentFiles().count(QStringLiteral("/tmp/file5.json")), 1);
  settings.clearRecentFiles();
  EXPECT_TRUE(settings.recentFiles().isEmpty());
  EXPECT_EQ(settings.themeMode(), ThemeMode::kSystem);
}

}  // namespace
}  // namespace iosx
