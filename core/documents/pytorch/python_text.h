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

// This header makes names, numbers and lines of Python source, and has the mark that each file of a package has.
namespace iosx::pytorch {

// Stands near the beginning of every file of a package, so that the next export knows what it may replace.
inline constexpr std::string_view kMark = "Written by iosx export-pytorch.";

// Modules may import these from python/lanes.py.
inline constexpr auto kFromLanes = std::to_array<std::string_view>({
    "Affine",    "MergedConv",      "MergedLinear",       "PaddedConv2d",     "Pick",
    "Recurrent", "Resize",          "RootMeanSquareNorm", "ScheduledNetwork", "average_pool",
    "edge",      "gather_elements", "gather_slices",      "is_inf",           "local_response_norm",
    "look_up",   "max_pool",        "mirrored",           "place_of",         "product",
    "shrink",    "top_k",
});

// Makes identifiers for a graph's operators, each another one: the operators' names as far as they are identifiers, and
// never one that Python, torch.nn.Module or the generated class uses itself.
class PythonNames {
 public:
  explicit PythonNames(const Graph& graph);

  const std::string& of(OperatorId id) const { return names_[id.index()]; }
  const std::string& network() const { return network_; }  // of the class: "InceptionV3"
  // Returns one that nothing has yet, made from `wish`.
  std::string fresh(std::string_view wish);

 private:
  std::unordered_set<std::string> taken_;
  std::vector<std::string> names_;  // by operator
  std::string network_;
};

// Returns the text with letters, digits and single underscores only; it is not empty, and no digit comes first.
std::string identifier(std::string_view text);
std::string literal(float number);                      // "0.1", "float('-inf')"
std::string string_text(std::string_view text);         // a string literal
std::string pair_text(std::int64_t a, std::int64_t b);  // "(3, 3)"
// Writes "(a, b)", "(a,)", "()".
std::string tuple_text(std::span<const std::int64_t> numbers);
// Makes a text fit for a comment or a docstring: it is on one line, with quotes and control characters escaped.
std::string comment(std::string_view text);

inline constexpr std::size_t kColumns = 120;  // of a line

// Returns the statement behind 4 · `depth` spaces, with an end of line; what stands in its last brackets is on lines of
// its own where the statement is too long.
std::string line(std::size_t depth, const std::string& statement);
// Returns text that may be cut at any space, as lines.
std::string filled(std::size_t depth, std::string_view text);

}  // namespace iosx::pytorch
