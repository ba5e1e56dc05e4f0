#include "app/python/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/analysis/compare/compare_options.h"

namespace iosx::python {
namespace {

// An option of the command line that messages name, and what it is in Python.
struct Word {
  std::string option;    // without its hyphens
  std::string argument;  // "shapes="
};

// Options that have rows (core/options/option.h), and those that each client declares by itself. Those of other
// programs, such as docker's --gpus, stay as they are.
const std::vector<Word>& known_words() {
  static const std::vector<Word> words = [] {
    std::vector<Word> all{{"device", "device="},
                          {"dim", "dims="},
                          {"finer-units", "Graph.finer_units()"},
                          {"no-store", "store=False"},
                          {"predictor", "predictor="},
                          {"python", "python="},
                          {"reference", "reference="},
                          {"remeasure", "remeasure="},
                          {"replay", "replay="},
                          {"shape", "shapes="},
                          {"store", "store="},
                          {"streams", "streams="},
                          {"streams-on", "streams_on="},
                          {"warm-start", "warm_start="}};
    CompareOptions options;
    for (const BoundOption& option : options_of(options, use::kAll)) {
      const std::string flag = option.info->flag();
      all.push_back({flag.substr(flag.find_first_not_of('-')), fmt::format("{}=", option.info->keyword())});
    }
    return all;
  }();
  return words;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// What stands after an option is read from the front of `rest`, and taken from there.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string_view take_while(const auto& belongs) {
    const auto* const end = std::ranges::find_if_not(text_, belongs);
    const auto length = static_cast<std::size_t>(end - text_.begin());
    const std::string_view taken = text_.substr(0, length);
    text_.remove_prefix(length);
    return taken;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// Returns "shapes={'x': (1, 3)}" of "x=1x3", "dims={'n': 3}" of "n=3", "batch=3" of "3"; nothing of other texts.
std::optional<std::string> with_value(std::string_view option, Rest& rest) {
  Rest after = rest;
  if (!after.take(' ')) return std::nullopt;
  std::string made;
  if (option == "batch") {
    const std::string_view size = after.take_while(is_digit);
    if (size.empty()) return std::nullopt;
    made = fmt::format("batch={}", size);
  } else {
    const std::string_view name = after.take_while([](char c) { return c != '=' && c != ' ' && c != '\n'; });
    if (name.empty() || !after.take('=')) return std::nullopt;
    if (option == "dim") {
      const std::string_view size = after.take_while(is_word);
      if (size.empty()) return std::nullopt;
      made = fmt::format("dims={{'{}': {}}}", name, size);
    } else {
      std::string sizes(after.take_while(is_digit));
      if (sizes.empty()) return std::nullopt;
      bool one = true;
      for (Rest more = after; more.take('x'); after = more, one = false) {
        const std::string_view size = more.take_while(is_digit);
        if (size.empty()) break;
        sizes.append(", ").append(size);
      }
      made = fmt::format("shapes={{'{}': ({}{})}}", name, sizes, one ? "," : "");
    }
  }
  rest = after;
  return made;
}

// Returns an option in front of `rest` in Python's words; nothing where there is none of ours.
std::optional<std::string> option_of(Rest& rest) {
  Rest after = rest;
  after.take('-');
  const bool one_letter = !after.take('-');
  const std::string_view name = after.take_while([](char c) { return is_word(c) || c == '-'; });
  const auto known = std::ranges::find(known_words(), name, &Word::option);
  if (known == known_words().end() || one_letter != (name.size() == 1)) return std::nullopt;
  rest = after;
  if (name == "shape" || name == "dim" || name == "batch") {
    if (auto made = with_value(name, rest)) return made;
  }
  return known->argument;
}

// Returns how long what stands in quotes at the beginning is, which somebody else wrote; 0 where nothing is quoted.
std::size_t quoted(std::string_view text) {
  if (!text.starts_with('\'')) return 0;
  const std::size_t end = text.find('\'', 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

std::string in_python(std::string_view text) {
  std::string made;
  Rest rest(text);
  for (char before = ' '; !rest.text().empty(); before = made.back()) {
    const bool begins = !is_word(before) && before != '-';
    if (const std::size_t length = begins ? quoted(rest.text()) : 0; length > 0) {
      made.append(rest.text().substr(0, length));
      rest = Rest(rest.text().substr(length));
    } else if (auto option = begins && rest.text().front() == '-' ? option_of(rest) : std::nullopt) {
      made.append(*option);
    } else {
      made.push_back(rest.text().front());
      rest = Rest(rest.text().substr(1));
    }
  }
  return made;
}

}  // namespace iosx::python
