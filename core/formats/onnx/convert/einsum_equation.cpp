#include "core/formats/onnx/convert/einsum_equation.h"

#include <algorithm>
#include <map>

namespace iosx::onnx_import {
namespace {

// Returns the output that an equation without "->" means: what occurs once, in alphabetical order.
std::string implied_output(const std::vector<std::string>& terms) {
  std::map<char, int> seen;
  bool ellipsis = false;
  for (const std::string& term : terms) {
    for (const char letter : term) {
      if (letter == '.') ellipsis = true;
      if (letter != '.') ++seen[letter];
    }
  }
  std::string output = ellipsis ? "..." : "";
  for (const auto& [letter, times] : seen) {
    if (times == 1) output += letter;
  }
  return output;
}

}  // namespace

Equation parse_equation(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  Equation equation;
  for (std::size_t from = 0;;) {
    const std::size_t comma = left.find(',', from);
    equation.terms.push_back(left.substr(from, comma == std::string::npos ? comma : comma - from));
    if (comma == std::string::npos) break;
    from = comma + 1;
  }
  equation.output = arrow == std::string::npos ? implied_output(equation.terms) : text.substr(arrow + 2);
  return equation;
}

bool has(const Labels& labels, int label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

std::optional<Labels> labels_of(const std::string& term, std::size_t ellipsis) {
  Labels labels;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const auto letter = static_cast<unsigned char>(term[i]);
    if (term.compare(i, 3, "...") == 0) {
      for (std::size_t axis = ellipsis; axis-- > 0;) labels.push_back(kEllipsis + static_cast<int>(axis));
      i += 2;
    } else if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
      labels.push_back(letter);
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

std::size_t letters_of(const std::string& term) {
  return static_cast<std::size_t>(std::count_if(term.begin(), term.end(), [](char letter) { return letter != '.'; }));
}

}  // namespace iosx::onnx_import
