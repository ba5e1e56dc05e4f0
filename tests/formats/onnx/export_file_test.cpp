#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/write/export.h"
#include "core/model/graph/builder.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/graphs.h"

namespace iosx::onnx_import::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExportFile, IsTheSameAsTheBytesAndAlone) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::diamond();
  ASSERT_TRUE(write_onnx(graph, folder.path() / "x.onnx"));
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("x.onnx"));
  EXPECT_EQ(text_of(folder.path() / "x.onnx"), to_onnx(graph).value());
}

// A file lists its outputs as it likes.
TEST(ExportFile, HasTheOutputsInTheOrderGiven) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::fork(3);
  const auto names = [&](std::vector<std::string> first) {
    EXPECT_TRUE(write_onnx(graph, folder.path() / "x.onnx", {.outputs = std::move(first)}));
    const auto loaded = load_onnx(folder.path() / "x.onnx");
    EXPECT_TRUE(loaded) << loaded.error().text();
    std::vector<std::string> all;
    for (const OnnxOutput& output : loaded->outputs) all.push_back(output.op);
    return all;
  };
  EXPECT_THAT(names({}), testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(names({"c", "none", "a"}), testing::ElementsAre("c", "a", "b"));
}

TEST(ExportFile, PutsManyWeightsBesideTheModel) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::diamond();
  const fs::path path = folder.path() / "x.onnx";
  ASSERT_TRUE(write_onnx(graph, path, {.max_inline_bytes = 100}));
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("x.onnx", "x.onnx.data"));
  EXPECT_LT(fs::file_size(path), fs::file_size(folder.path() / "x.onnx.data") / 4);
  const auto loaded = load_onnx(path);
  ASSERT_TRUE(loaded) << loaded.error().text();
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const auto found = loaded->graph.find_operator(graph.operators()[i].name);
    ASSERT_TRUE(found) << graph.operators()[i].name;
    EXPECT_TRUE(std::ranges::equal(graph.parameters()->weights(OperatorId(i)).elements(),
                                   loaded->graph.parameters()->weights(*found).elements()));
  }
}

TEST(ExportFile, LeavesTheOldFileWhenItFails) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("x.onnx", "old");
  GraphBuilder builder("opaque");
  builder.add("y", Opaque{"LSTM", "", Shape{2}}, {builder.input("x", {2})});
  const Graph graph = std::move(builder).build().value();
  EXPECT_FALSE(write_onnx(graph, path));
  EXPECT_FALSE(write_onnx(graph, path, {.max_inline_bytes = 0}));
  EXPECT_EQ(text_of(path), "old");
  EXPECT_THAT(files_in(folder.path()), testing::ElementsAre("x.onnx"));
}

TEST(ExportFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const Graph graph = iosx::test::chain(1);
  const auto missing = write_onnx(graph, folder.path() / "missing" / "x.onnx");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("missing/x.onnx"));
  EXPECT_FALSE(write_onnx(graph, folder.path()));
  EXPECT_FALSE(write_onnx(graph, ""));
  EXPECT_FALSE(write_onnx(graph, "/dev/full"));
}

}  // namespace
}  // namespace iosx::onnx_import::test
