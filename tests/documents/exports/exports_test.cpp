#include "core/documents/exports/exports.h"

#include <unistd.h>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr std::array kOfSchedules{ExportNeeds::kSchedule};
constexpr std::array kOfNetworks{ExportNeeds::kSchedule, ExportNeeds::kNetwork};

ExportSource source_of(Graph graph) {
  ExportSource source{.graph = std::make_shared<const Graph>(std::move(graph))};
  source.schedule = sequential_schedule(*source.graph);
  source.plan = StagePlanner(*source.graph, 1, LowerOptions{}).plan(source.schedule);
  return source;
}

std::string id_for(const std::string& file, std::span<const ExportNeeds> needs) {
  const auto format = export_format_of({}, file, export_formats_of(needs));
  return format ? std::string((*format)->id) : format.error().text();
}

TEST(ExportFormats, AreRowsOfOneTable) {
  std::set<std::string_view> ids;
  for (const ExportFormat& format : export_formats()) {
    SCOPED_TRACE(format.id);
    EXPECT_TRUE(ids.insert(format.id).second);
    EXPECT_EQ(find_export(format.id), &format);
    EXPECT_THAT(std::string(format.summary), StartsWith("Write "));
    EXPECT_NE(format.text == nullptr, format.write == nullptr) << "one of the two writes it";
  }
  EXPECT_EQ(find_export("svg"), nullptr);
}

TEST(ExportFormats, AreKnownByTheLongestSuffix) {
  EXPECT_EQ(id_for("a.json", kOfSchedules), "iosx");
  EXPECT_EQ(id_for("a.ios.json", kOfSchedules), "ios");
  EXPECT_EQ(id_for("folder.csv/a", kOfSchedules), "iosx");
  EXPECT_EQ(id_for("a.csv", kOfSchedules), "csv");
  EXPECT_EQ(id_for("a.onnx", kOfNetworks), "onnx");
  EXPECT_EQ(id_for(".csv", kOfSchedules), "iosx") << "a hidden file has no suffix";
  EXPECT_THAT(id_for("a.onnx", kOfSchedules), HasSubstr("no format has the extension '.onnx'"));
  EXPECT_EQ(refused(export_format_of("svg", "a.json", export_formats_of(kOfSchedules))).text(),
            "'svg': there is no such format (use one of iosx, ios, csv)");
}

TEST(ExportFormats, HoldSchedulesWithoutBarriersOnlyWhereTheySaySo) {
  ExportSource source = source_of(test::fork_join(3));
  source.lanes = one_lane(*source.plan);
  for (const ExportFormat* const format : export_formats_of(kOfSchedules)) {
    const auto text = export_text(*format, source);
    EXPECT_EQ(bool(text), format->lanes) << format->id;
  }
  EXPECT_THAT(export_text(*find_export("csv"), source).value(), StartsWith("launch,lane,"));
}

TEST(ExportFormats, WriteEveryKindOfSource) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("iosx-exports-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  ExportSource source = source_of(test::fork_join(3));
  auto run = std::make_shared<iosx::Run>();
  run->comparison = *test::made_up_comparison();
  run->network.graph = run->comparison.graph;
  source.run = run;
  for (const ExportFormat& format : export_formats()) {
    SCOPED_TRACE(format.id);
    const auto path = folder / std::string(format.id);
    must(write_export(format, source, path));
    EXPECT_EQ(std::filesystem::is_directory(path), format.suffix.empty());
    EXPECT_FALSE(std::filesystem::is_empty(path));
    if (format.text == nullptr) continue;
    std::ifstream file(path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), export_text(format, source).value());
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace iosx
