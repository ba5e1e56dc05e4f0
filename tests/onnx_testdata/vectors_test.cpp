#include "tests/onnx_testdata/vectors.h"
#include "core/devices/cpu/cpu_device.h"
#include "core/formats/onnx/convert/conversion_context.h"
#include "tests/support/prelude.h"

// Every vector of the package: none may fail, and resources/help/onnx_support.md lists those that are not supported.
// After a change of what is supported, IOS_WRITE_ONNX_SUPPORT=1 writes that list anew. The page's table of operators
// names every one that has a converter.
namespace iosx::test {
namespace {

namespace fs = std::filesystem;

const fs::path kDocument = fs::path(IOS_SOURCE_FOLDER) / "resources/help/onnx_support.md";
constexpr std::string_view kBegin = "<!-- written by cpu_test: begin -->\n";
constexpr std::string_view kEnd = "<!-- written by cpu_test: end -->\n";

std::vector<Outcome> run_all(Device& device) {
  std::vector<Outcome> outcomes;
  for (const char* const kind : {"node", "simple", "pytorch-converted", "pytorch-operator", "real"}) {
    for (const fs::path& folder : vectors(kind)) outcomes.push_back(run_vector(folder, device));
  }
  return outcomes;
}

std::size_t count(std::span<const Outcome> outcomes, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(outcomes, verdict, [](const Outcome& outcome) { return outcome.verdict; }));
}

std::string summary(std::span<const Outcome> outcomes) {
  return fmt::format("{} vectors: {} passed, {} failed, {} not supported", outcomes.size(),
                     count(outcomes, Verdict::kPassed), count(outcomes, Verdict::kFailed),
                     count(outcomes, Verdict::kNotSupported));
}

// The part of the document that follows from a run.
std::string list(std::span<const Outcome> outcomes) {
  std::map<std::string, std::vector<std::string>> by_reason;
  std::map<std::string, int> by_operators;
  for (const Outcome& outcome : outcomes) {
    if (outcome.verdict != Verdict::kNotSupported) continue;
    if (outcome.unlisted.empty()) {
      by_reason[outcome.reason].push_back("`" + outcome.name + "`");
    } else {
      ++by_operators[fmt::format("{}", fmt::join(outcome.unlisted, ", "))];
    }
  }
  std::string text = fmt::format("{}.\n\n| why not | vectors |\n| --- | --- |\n", summary(outcomes));
  for (const auto& [reason, names] : by_reason) text += fmt::format("| {} | {} |\n", reason, fmt::join(names, ", "));
  text += "\n| operators outside the list above | vectors |\n| --- | --- |\n";
  for (const auto& [operators, vectors] : by_operators) text += fmt::format("| {} | {} |\n", operators, vectors);
  return text;
}

struct Document {
  std::string before;
  std::string list;
  std::string after;
};

Document read_document() {
  std::ifstream file(kDocument);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::size_t from = begin + kBegin.size();
  return {text.substr(0, from), text.substr(from, end - from), text.substr(end)};
}

TEST(OnnxTestData, NoVectorFailsAndTheDocumentListsWhatIsNotSupported) {
  if (!fs::exists(vectors_folder())) GTEST_SKIP() << "the package libonnx-testdata is not installed";
  const auto device = must(open_cpu_device(CpuOptions{.cores = 1}));
  const std::vector<Outcome> outcomes = run_all(*device);
  for (const Outcome& outcome : outcomes) {
    EXPECT_NE(outcome.verdict, Verdict::kFailed) << outcome.name << ": " << outcome.reason;
  }
  fmt::print("{}\n", summary(outcomes));
  for (const Outcome& outcome : outcomes) {
    if (outcome.verdict == Verdict::kNotSupported) {
      fmt::print("not supported: {}: {}\n", outcome.name, outcome.reason);
    }
  }
  EXPECT_GT(count(outcomes, Verdict::kPassed), 500U);

  const Document document = read_document();
  ASSERT_FALSE(document.before.empty()) << kDocument << " has no place for the list";
  const std::string found = list(outcomes);
  if (std::getenv("IOS_WRITE_ONNX_SUPPORT") != nullptr) {
    std::ofstream(kDocument) << document.before << found << document.after;
    return;
  }
  if (document.list.find(" vectors: ") != std::string::npos &&
      !document.list.starts_with(fmt::format("{} vectors", outcomes.size()))) {
    GTEST_SKIP() << "the document lists the vectors of another version of libonnx-testdata";
  }
  EXPECT_EQ(document.list, found) << "run this test with IOS_WRITE_ONNX_SUPPORT=1, look at the difference and keep it";
}

// Returns the operators that the document's table names. A domain at the end of a row's names is that of all of them.
std::set<std::string> named_operators(const Document& document) {
  std::set<std::string> names;
  std::istringstream lines(document.before);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    std::istringstream cell(line.substr(2, line.find(" |", 2) - 2));
    std::vector<std::string> row;
    std::string domain;
    for (std::string word; cell >> word;) {
      if (word.starts_with('(')) {
        domain = " " + word;
      } else {
        row.push_back(word.substr(0, word.find(',')));
      }
    }
    for (const std::string& name : row) names.insert(name + domain);
  }
  return names;
}

TEST(OnnxTestData, TheDocumentNamesEveryOperatorThatIsConverted) {
  const std::set<std::string> named = named_operators(read_document());
  for (const auto& converter : onnx_import::all_converters()) {
    std::string name(converter.op_type);
    if (!converter.domain.empty()) name += fmt::format(" ({})", converter.domain);
    EXPECT_TRUE(named.contains(name)) << name << " has no row in " << kDocument;
  }
}

}  // namespace
}  // namespace iosx::test
