#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace iosx::onnx_import {

// The equation of an Einsum: letters name the axes of its inputs and output.
struct Equation {
  std::vector<std::string> terms;
  std::string output;
};
Equation parse_equation(std::string text);

// Letters as numbers; axes of "..." have others, counted from the last.
using Labels = std::vector<int>;
inline constexpr int kEllipsis = 256;
bool has(const Labels& labels, int label);

// Returns the labels of a term, whose ellipsis stands for that many axes; none where it has other
// characters.
std::optional<Labels> labels_of(const std::string& term, std::size_t ellipsis);
std::size_t letters_of(const std::string& term);

}  // namespace iosx::onnx_import
