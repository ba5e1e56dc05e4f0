#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/graph/builder.h"
#include "core/import/document.h"
#include "core/schedule/baselines.h"
#include "core/schedule/legality.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::describe;
using testing::HasSubstr;

Document parsed(const std::string& text) {
  auto document = parse_ios_json(text, "test");
  EXPECT_TRUE(document.has_value()) << (document ? "" : document.error().text());
  return document ? *document : Document{};
}

// Written, read and written again: the second text and the graph and schedule must not change any more.
Document round_trip(const Graph& graph, const Schedule& schedule, std::string* text = nullptr) {
  const auto first = to_ios_json(graph, schedule);
  EXPECT_TRUE(first.has_value()) << (first ? "" : first.error().text());
  if (!first) return {};
  Document document = parsed(*first);
  if (!document.graph || !document.schedule) return {};
  EXPECT_TRUE(check_legal(*document.graph, *document.schedule).has_value());
  const auto second = to_ios_json(*document.graph, *document.schedule);
  EXPECT_TRUE(second.has_value());
  EXPECT_EQ(*first, second.value_or(""));
  if (text != nullptr) *text = *first;
  return document;
}

class Reference : public testing::TestWithParam<const char*> {};

TEST_P(Reference, SurvivesARoundTripByteForByte) {
  if (test::reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  const auto path = test::reference_folder() / "graphs" / (std::string(GetParam()) + ".json");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto loaded = load_document(path);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
  ASSERT_TRUE(loaded->schedule.has_value());
  std::string written;
  const Document again = round_trip(*loaded->graph, *loaded->schedule, &written);
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(describe(*loaded->graph), describe(*again.graph));
  EXPECT_EQ(*loaded->schedule, *again.schedule);
  std::string original = text.str();
  while (!original.empty() && original.back() == '\n') original.pop_back();
  EXPECT_TRUE(written == original) << "differs from the published file";
}

INSTANTIATE_TEST_SUITE_P(Files, Reference,
                         testing::Values("inception_v3-ios-v100", "inception_v3-sequential", "nasnet-sequential",
                                         "randwire_large-sequential", "squeezenet-sequential"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace iosx
