#include "app/python/words.h"

#include <fmt/format.h>

#include <array>
#include <regex>
#include <string_view>

namespace iosx::python {
namespace {

// What the command line and the package call otherwise. Other options have the same name, with an underscore for a
// hyphen.
struct Word {
  std::string_view option;
  std::string_view argument;
};
constexpr std::array kOtherwise{Word{"dim", "dims="},
                                Word{"finer-units", "Graph.finer_units()"},
                                Word{"memory-limit", "memory_limit_mb="},
                                Word{"min-time", "min_time_ms="},
                                Word{"no-store", "store=False"},
                                Word{"shape", "shapes="},
                                Word{"strategy", "strategies="}};

std::string argument_of(std::string option) {
  for (const Word& word : kOtherwise) {
    if (word.option == option) return std::string(word.argument);
  }
  for (char& c : option) {
    if (c == '-') c = '_';
  }
  return option + '=';
}

std::string replaced(const std::string& text, const std::regex& pattern, const auto& by) {
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator found(text.cbegin(), text.cend(), pattern), end; found != end; ++found) {
    out.append(rest, (*found)[0].first).append(by(*found));
    rest = (*found)[0].second;
  }
  return out.append(rest, text.cend());
}

}  // namespace

std::string in_python(std::string text) {
  if (text.find('-') == std::string::npos) return text;
  // Only our own: those of other programs, such as docker's --gpus, stay as they are.
  static const std::regex shape(R"(--shape ([^\s=]+)=(\d+(?:x\d+)*))");
  static const std::regex dim(R"(--dim ([^\s=]+)=(\w+))");
  static const std::regex batch(R"(--batch (\d+))");
  static const std::regex option(
      "--(batch|budget|device|dim|ending-rule|epsilon|finer-units|longer|max-part-size|memory-limit|min-time|no-store|"
      "predictor|python|reference|remeasure|repeat|replay|search|seed|shape|store|strategy|verify|warm-start|warmup)"
      "(?![\\w-])");
  static const std::regex letter(R"((^|[\s(])-([rs])(?![\w-]))");
  text = replaced(text, shape, [](const std::smatch& found) {
    const std::string sizes = std::regex_replace(found[2].str(), std::regex("x"), ", ");
    return fmt::format("shapes={{'{}': ({}{})}}", found[1].str(), sizes, found[2].str() == sizes ? "," : "");
  });
  text = replaced(text, dim, [](const std::smatch& found) {
    return fmt::format("dims={{'{}': {}}}", found[1].str(), found[2].str());
  });
  text = replaced(text, batch, [](const std::smatch& found) { return "batch=" + found[1].str(); });
  text = replaced(text, option, [](const std::smatch& found) { return argument_of(found[1].str()); });
  return std::regex_replace(text, letter, "$1$2=");
}

}  // namespace iosx::python
