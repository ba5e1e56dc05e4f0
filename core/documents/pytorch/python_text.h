#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/model/graph/graph.h"

// Makes names, numbers and lines of Python source, and has the mark of every file of a package.
namespace iosx::pytorch {

// Near the beginning of every file of a package, so that the next export knows what it may replace.
inline constexpr std::string_view kMark = "Written by iosx export-pytorch.";

// Names that modules may import from python/lanes.py.
inline constexpr auto kFromLanes = std::to_array<std::string_view>({
    "Affine",    "MergedConv",      "MergedLinear",       "PaddedConv2d",     "Pick",
    "Recurrent", "Resize",          "RootMeanSquareNorm", "ScheduledNetwork", "average_pool",
    "edge",      "gather_elements", "gather_slices",      "is_inf",           "local_response_norm",
    "look_up",   "max_pool",        "mirrored",           "place_of",         "product",
    "shrink",    "top_k",
});

// Makes distinct identifiers for a graph's operators: the operators' names as far as they are identifiers, and never
// one that Python, torch.nn.Module or the generated class uses itself.
class PythonNames {
 public:
  explicit PythonNames(const Graph& graph);

  const std::string& of(OperatorId id) const { return names_[id.index()]; }
  const std::string& network() const { return network_; }  // of the class: "InceptionV3"
  // Returns an unused one, made from `wish`.
  std::string fresh(std::string_view wish);

 private:
  std::unordered_set<std::string> taken_;
  std::vector<std::string> names_;  // by operator
  std::string network_;
};

// Returns the text with letters, digits and single underscores only; it is not empty, and does not begin with a digit.
std::string identifier(std::string_view text);
std::string literal(float number);                      // "0.1", "float('-inf')"
std::string string_text(std::string_view text);         // a string literal
std::string pair_text(std::int64_t a, std::int64_t b);  // "(3, 3)"
// Returns "(a, b)", "(a,)", "()".
std::string tuple_text(std::span<const std::int64_t> numbers);
// Returns a text for a comment or a docstring: on one line, with quotes and control characters escaped.
std::string comment(std::string_view text);

inline constexpr std::size_t kColumns = 120;  // per line

// Returns the statement after 4 · `depth` spaces, with a line end; the content of its last brackets is on separate
// lines where the statement is too long.
std::string line(std::size_t depth, const std::string& statement);
// Returns text as lines, broken at spaces.
std::string filled(std::size_t depth, std::string_view text);

// The files of folder python/ as text.
extern const std::string_view kLanesSource;
extern const std::string_view kCheckSource;
extern const std::string_view kOrderSource;

}  // namespace iosx::pytorch
