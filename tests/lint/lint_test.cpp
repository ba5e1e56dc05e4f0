#include "tests/lint/lint.h"
#include "tests/support/prelude.h"

namespace iosx::lint {
namespace {

using Check = std::vector<Finding> (*)(const SourceFile&);

std::vector<Finding> over_all(Check check) {
  std::vector<Finding> findings;
  for (const SourceFile& file : tracked_files(IOS_SOURCE_FOLDER)) {
    for (Finding& finding : check(file)) findings.push_back(std::move(finding));
  }
  return findings;
}

TEST(Lint, SeesTheSources) {
  const auto files = tracked_files(IOS_SOURCE_FOLDER);
  const auto has = [&](const std::string& path) {
    return std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
  };
  EXPECT_TRUE(has("core/model/graph/graph.h"));
  EXPECT_TRUE(has("app/cli/main.cpp"));
}

TEST(Lint, FoldersIncludeOnlyWhatTheyMay) { EXPECT_THAT(over_all(check_dependencies), IsEmpty()); }
TEST(Lint, NoTwoFoldersMayIncludeOneAnother) { EXPECT_THAT(check_rules(), IsEmpty()); }
TEST(Lint, FoldersAreNotTooLarge) { EXPECT_THAT(check_folders(tracked_files(IOS_SOURCE_FOLDER)), IsEmpty()); }
TEST(Lint, LibrariesStayInTheirFolders) { EXPECT_THAT(over_all(check_libraries), IsEmpty()); }
TEST(Lint, WindowsWordsAreTranslated) { EXPECT_THAT(over_all(check_untranslated), IsEmpty()); }
TEST(Lint, OptionsAreNamedByTheirRows) { EXPECT_THAT(check_option_names(tracked_files(IOS_SOURCE_FOLDER)), IsEmpty()); }
TEST(Lint, NoPathOfOneMachine) { EXPECT_THAT(over_all(check_machine_paths), IsEmpty()); }

TEST(Lint, LinksAndPathsOfDocumentsLeadSomewhere) {
  std::vector<Finding> findings;
  for (const SourceFile& file : tracked_files(IOS_SOURCE_FOLDER)) {
    for (Finding& finding : check_links(file, IOS_SOURCE_FOLDER)) findings.push_back(std::move(finding));
  }
  EXPECT_THAT(findings, IsEmpty());
}

// What a newcomer reads first stays short.
TEST(Lint, DocumentsStayShort) {
  for (const SourceFile& file : tracked_files(IOS_SOURCE_FOLDER)) {
    const bool readme = file.path == "README.md";
    if (readme || file.path == "ARCHITECTURE.md") {
      EXPECT_LE(file.text.size(), (readme ? 8U : 10U) * 1024) << file.path;
    }
  }
}

TEST(LintItself, FindsLinksThatLeadNowhere) {
  const auto found = [](const char* text) { return check_links({"core/x.md", text}, IOS_SOURCE_FOLDER).size(); };
  EXPECT_EQ(found("[a](base/README.md) [b](https://example.org) [c](../README.md#top) `core/base/id.h`"), 0U);
  EXPECT_EQ(found("[a](base/absent.md)"), 1U);
  EXPECT_EQ(found("`core/base/absent.h`"), 1U);
}

TEST(LintItself, FindsLargeFolders) {
  std::vector<SourceFile> files;
  for (int i = 0; i < 40; ++i) files.push_back({fmt::format("core/base/f{}.h", i), ""});
  files.push_back({"core/base/json/f.h", ""});
  files.push_back({"core/base/README.md", ""});
  EXPECT_THAT(check_folders(files), IsEmpty());
  files.push_back({"core/base/f.cpp", ""});
  EXPECT_THAT(check_folders(files), SizeIs(1));
}

TEST(LintItself, FindsForbiddenDependency) {
  const SourceFile file{"core/model/graph/x.cpp",
                        "#include <vector>\n#include \"core/base/id.h\"\n#include \"core/search/search.h\"\n"};
  EXPECT_THAT(check_dependencies(file), ElementsAre("core/model/graph/x.cpp:3: core/model/graph may not include "
                                                    "core/search/search.h"));
}

TEST(LintItself, LetsDependenciesOfDependenciesPass) {
  EXPECT_THAT(check_dependencies({"core/devices/measure/x.cpp", "#include \"core/model/graph/graph.h\"\n"}), IsEmpty());
}

TEST(LintItself, RefusesWhatOnlyAnotherFolderMayUse) {
  EXPECT_THAT(check_dependencies({"core/analysis/compare/x.h", "#include \"core/formats/document.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"core/analysis/compare/x.h", "#include \"models/networks/zoo.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"core/search/x.h", "#include \"core/devices/device.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"views/canvas/x.h", "#include \"core/devices/cpu/device.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"views/canvas/x.h", "#include \"app/gui/window.h\"\n"}), SizeIs(1));
}

TEST(LintItself, KeepsTheViewsInLayers) {
  const auto may = [](const char* folder, const char* header) {
    return check_dependencies({std::string("views/") + folder + "/x.h", fmt::format("#include \"views/{}\"\n", header)})
        .empty();
  };
  EXPECT_TRUE(may("explore/timeline", "time/time_axis.h"));
  EXPECT_TRUE(may("canvas", "style/theme.h"));  // by way of views/figures
  EXPECT_FALSE(may("compare", "explore/timeline/timeline_scene.h"));
  EXPECT_FALSE(may("explore/timeline", "tables/describe.h"));
  EXPECT_FALSE(may("tables", "explore/timeline/span_text.h"));
  EXPECT_FALSE(may("text", "app_model/session.h"));
  EXPECT_FALSE(may("style", "figures/figure.h"));
  EXPECT_FALSE(may("window/base", "window/actions/actions.h"));
  EXPECT_FALSE(may("window/dialogs", "window/shell/main_window.h"));
}

TEST(LintItself, FindsIncludeNotFromTheRoot) {
  EXPECT_THAT(check_dependencies({"core/model/graph/x.cpp", "#include \"graph.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"views/canvas/x.cpp", "#include \"x.moc\"\n"}), IsEmpty());
  EXPECT_THAT(check_dependencies({"views/canvas/x.cpp", "#include \"moc_x.cpp\"\n"}), IsEmpty());
}

TEST(LintItself, FindsFolderWithoutRule) {
  EXPECT_THAT(check_dependencies({"core/newcomer/x.h", ""}), SizeIs(1));
  EXPECT_THAT(check_dependencies({"views/newcomer/x.h", ""}), SizeIs(1));
}

TEST(LintItself, FindsExternalLibraries) {
  EXPECT_THAT(check_libraries({"core/model/graph/x.h", "#include <QString>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"app/cli/x.h", "#include <QtCore/qstring.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/devices/x.h", "#include <cuda_runtime.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"tests/gpu/conv/x.h", "#include <cuda_runtime.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/devices/x.h", "# include <cudnn.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"views/x.h", "#include <cupti.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/devices/x.h", "#include \"oneapi/dnnl/dnnl.hpp\"\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/devices/cpu/x.h", "#include <oneapi/dnnl/dnnl.hpp>\n"}), IsEmpty());
  EXPECT_THAT(check_libraries({"core/devices/store/x.h", "#include <sqlite3.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/base/sqlite/x.h", "#include <sqlite3.h>\n"}), IsEmpty());
  EXPECT_THAT(check_libraries({"core/formats/x.h", "#include <onnx/onnx_pb.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/model/graph/x.h", "#include <google/protobuf/message.h>\n"}), SizeIs(1));
  EXPECT_THAT(check_libraries({"core/formats/onnx/x.h", "#include <onnx/onnx_pb.h>\n"}), IsEmpty());
  EXPECT_THAT(check_libraries({"views/x.h", "#include <QString>\n"}), IsEmpty());
  EXPECT_THAT(check_libraries({"gpu/runtime/x.h", "#include <QString>\n"}), SizeIs(1));
}

TEST(LintItself, FindsWordsWithoutTranslation) {
  const auto found = [](const char* path, const char* text) { return check_untranslated({path, text}).size(); };
  EXPECT_EQ(found("views/canvas/x.cpp", "label->setText(\"Some words\");"), 1U);
  EXPECT_EQ(found("views/canvas/x.cpp", "label->setText(\n    QStringLiteral(\"Some %1\").arg(n));"), 1U);
  EXPECT_EQ(found("app/gui/x.cpp", "auto* box = new QCheckBox(QString::fromUtf8(\"Remember\"));"), 1U);
  EXPECT_EQ(found("app/gui/x.cpp", "menu->addAction(QLatin1String(\"Open\"));"), 1U);
  EXPECT_EQ(found("app/gui/x.cpp", "QString tr(const char* text);"), 1U);
  EXPECT_EQ(found("views/canvas/x.cpp", "label->setText(tr(\"Some words\"));"), 0U);
  EXPECT_EQ(found("views/canvas/x.cpp", "label->setText(QStringLiteral(\"%1 (%2 ms)\"));"), 0U);
  EXPECT_EQ(found("views/canvas/x.cpp", "label->setText(QStringLiteral(\"<b>%1</b>&nbsp;%2\"));"), 0U);
  EXPECT_EQ(found("views/canvas/x.cpp", "w->setObjectName(QStringLiteral(\"some-words\"));"), 0U);
  EXPECT_EQ(found("core/model/graph/x.cpp", "setText(\"Some words\");"), 0U);
}

TEST(LintItself, FindsFlagsOfOptionsThatHaveRows) {
  const SourceFile rows{"core/search/options.h",
                        "kOptionTable<X> = std::tuple{option(&X::a, {.id = \"time_limit\", .uses = 1}),\n"
                        "option(&X::b, {.id = \"batch\"}), option(&X::c, {.id = \"seed\", .uses = 1})};"};
  const auto found = [&](const std::string& text) {
    return check_option_names({rows, {"app/cli/x.cpp", text}}).size();
  };
  EXPECT_EQ(found("fail(\"give a larger --time-limit\");  // --seed"), 1U);
  EXPECT_EQ(found("fail(\"give a larger {}\", flag);  // --time-limit"), 0U);
  EXPECT_EQ(found("command.add_option(\"--seed\", own); fail(\"--seed\");"), 0U);
  EXPECT_EQ(found("fail(\"give --batch\");"), 0U);
}

TEST(LintItself, FindsMachinePaths) {
  const std::string home = std::string("/ho") + "me/someone";  // in pieces: this file is checked too
  EXPECT_THAT(check_machine_paths({"README.md", "see " + home + "\n"}), SizeIs(1));
  EXPECT_THAT(check_machine_paths({"CMakeLists.txt", "set(X \"" + home + "\")\n"}), SizeIs(1));
  EXPECT_THAT(check_machine_paths({"README.md", "/usr/share/common-licenses, a/home/b, //home\n"}), IsEmpty());
}

}  // namespace
}  // namespace iosx::lint
