#include "core/options/option.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr Sentence kOn{"on"};
constexpr Sentence kOff{"off"};

}  // namespace

Uses use::named(std::string_view function) {
  constexpr std::pair<std::string_view, Uses> kFunctions[]{{"compare", kCompare},
                                                           {"optimize", kOptimize},
                                                           {"improve", kImprove},
                                                           {"sweep", kSweep},
                                                           {"experiment", kExperiment},
                                                           {"explain", kExplain},
                                                           {"profile", kProfile},
                                                           {"run", kRun},
                                                           {"measure_stages", kMeasureStages},
                                                           {"count", kCount},
                                                           {"search", kSearch}};
  const auto* const found = std::ranges::find(kFunctions, function, [](const auto& row) { return row.first; });
  return found == std::end(kFunctions) ? 0 : found->second;
}

std::string OptionInfo::flag() const {
  std::string text(id.size() == 1 ? "-" : "--");
  text += id;
  std::ranges::replace(text, '_', '-');
  return text;
}

double option_detail::number_of(const OptionValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* const number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}

std::size_t option_detail::index_of(const OptionValue& word, const OptionInfo& info) {
  return static_cast<std::size_t>(std::ranges::find(info.words, std::get<std::string_view>(word)) - info.words.begin());
}

std::string allowed_text(const BoundOption& option) {
  const OptionInfo& info = *option.info;
  if (option.kind == OptionKind::kFlag) return "true or false";
  if (option.kind == OptionKind::kChoice) return fmt::format("one of {}", fmt::join(info.words, ", "));
  if (option.kind >= OptionKind::kText) return info.unit.empty() ? "a text" : fmt::format("an {}", info.unit);
  const bool whole = option.kind == OptionKind::kWhole;
  std::string text =
      whole ? fmt::format("a whole number from {} to {}", info.whole_bounds().least, info.whole_bounds().most)
            : fmt::format("a number from {:g} to {:g}", info.bounds.least, info.bounds.most);
  if (!info.zero.pattern.empty()) text += fmt::format(" (0 = {})", info.zero.pattern);
  return text;
}

bool allowed(const BoundOption& option, const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return !option.info->none.pattern.empty();
  if (option.kind != OptionKind::kWhole && option.kind != OptionKind::kNumber) return true;
  return option.info->bounds.hold(option_detail::number_of(value));
}

void limit_to_bounds(const std::vector<BoundOption>& options) {
  for (const BoundOption& option : options) {
    const OptionValue value = option.get();
    if (allowed(option, value)) continue;
    const Bounds<double>& bounds = option.info->bounds;
    const double number = option_detail::number_of(value);
    option.set(number > bounds.least ? std::min(number, bounds.most) : bounds.least);
  }
}

Result<OptionValue> parse_option(const BoundOption& option, std::string_view text) {
  const OptionInfo& info = *option.info;
  OptionValue value;
  if (option.kind == OptionKind::kChoice) {
    const auto word = std::ranges::find(info.words, text);
    if (word != info.words.end()) return *word;
  } else if (option.kind == OptionKind::kFlag) {
    if (text == "true" || text == "false") return text == "true";
  } else if (option.kind >= OptionKind::kText) {
    if (!text.empty()) return text;
  } else if (option.kind == OptionKind::kWhole) {
    const bool octal = text.size() > 1 && text.front() == '0';  // which a reader may take for 8
    if (const auto whole = read_number<std::int64_t>(text); whole && !octal) value = *whole;
  } else if (const auto number = read_number<double>(text)) {
    value = *number;
  }
  if (!std::holds_alternative<std::monostate>(value) && allowed(option, value)) return value;
  return fail(message("'{}' is not {}", text, allowed_text(option)), info.flag());
}

std::string typed_text(const OptionValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* const word = std::get_if<std::string_view>(&value)) return std::string(*word);
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  // Without the last digits, where a factor leaves its rounding.
  return std::holds_alternative<double>(value) ? fmt::format("{:.12g}", std::get<double>(value)) : std::string();
}

Message value_text(const OptionInfo& info, const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return info.none;
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? kOn : kOff;
  if (const auto* const word = std::get_if<std::string_view>(&value)) return Message::sentence(*word, {});
  if (option_detail::number_of(value) == 0 && !info.zero.pattern.empty()) return info.zero;
  const std::string text = typed_text(value);
  return verbatim(info.unit.empty() ? text : fmt::format("{} {}", text, info.unit));
}

std::vector<OptionChange> changed_options(const std::vector<BoundOption>& before, const std::vector<BoundOption>& now) {
  std::vector<OptionChange> changes;
  for (std::size_t i = 0; i < now.size(); ++i) {
    OptionChange change{now[i].info, before[i].get(), now[i].get()};
    if (change.was != change.is) changes.push_back(change);
  }
  return changes;
}

}  // namespace iosx
