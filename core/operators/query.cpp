#include "core/operators/query.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr std::array<std::string_view, 3> kStageColumns{"ms", "operators", "side_by_side"};

const FeatureColumn* column_of(std::string_view name) {
  const auto columns = feature_columns();
  const auto found = std::ranges::find(columns, name, &FeatureColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

Result<OperatorQuery> OperatorQuery::parse(std::span<const std::string> words) {
  constexpr std::array<std::pair<std::string_view, Sign>, 6> kSigns{{{"!=", Sign::kNot},
                                                                     {"<=", Sign::kAtMost},
                                                                     {">=", Sign::kAtLeast},
                                                                     {"=", Sign::kEqual},
                                                                     {"<", Sign::kLess},
                                                                     {">", Sign::kMore}}};
  OperatorQuery query;
  // A word may hold several, and a kind a blank: "kind=max pool kernel=3".
  std::vector<std::string> parts;
  for (const std::string& word : words) {
    std::istringstream stream(word);
    for (std::string part; stream >> part;) {
      const bool goes_on = part.find_first_of("!<>=") == std::string::npos && !parts.empty() &&
                           (parts.back().starts_with("kind=") || parts.back().starts_with("kind!="));
      if (goes_on) {
        parts.back() += ' ' + part;
      } else {
        parts.push_back(std::move(part));
      }
    }
  }
  for (const std::string& text : parts) {
    const std::size_t at = text.find_first_of("!<>=");
    const auto* const sign = std::ranges::find_if(kSigns, [&](const auto& each) {
      return at != std::string::npos && text.compare(at, each.first.size(), each.first) == 0;
    });
    if (sign == kSigns.end()) {
      return fail(message("'{}' is not a condition", text.substr(0, 40)), {},
                  message("give a condition such as \"stride=2\""));
    }
    Word word{text.substr(0, at), sign->second, text.substr(at + sign->first.size()), 0};
    if (word.column == "kind") {
      const auto kinds = operator_kinds();
      const bool named = std::ranges::find(kinds, std::string_view(word.text)) != kinds.end();
      if (!named || (word.sign != Sign::kEqual && word.sign != Sign::kNot)) {
        return fail(message("'{}' is not a kind of operator", word.text.substr(0, 40)), {},
                    message("one of {}", fmt::format("{}", fmt::join(kinds, ", "))));
      }
      query.of_operators_.push_back(std::move(word));
      continue;
    }
    const auto number = read_number<double>(word.text);
    if (!number || !std::isfinite(*number)) {
      return fail(message("'{}' is not a number", word.text.substr(0, 40)), word.column.substr(0, 40));
    }
    word.number = *number;
    if (std::ranges::find(kStageColumns, std::string_view(word.column)) != kStageColumns.end()) {
      query.of_stages_.push_back(std::move(word));
    } else if (column_of(word.column) != nullptr) {
      query.of_operators_.push_back(std::move(word));
    } else {
      std::string names = "kind, ms, operators, side_by_side";
      for (const FeatureColumn& column : feature_columns()) names += fmt::format(", {}", column.name);
      return fail(message("'{}' is not a column", word.column.substr(0, 40)), {}, message("one of {}", names));
    }
  }
  return query;
}

bool OperatorQuery::compares(double value, const Word& word) {
  switch (word.sign) {
    case Sign::kEqual: return value == word.number;
    case Sign::kNot: return value != word.number;
    case Sign::kLess: return value < word.number;
    case Sign::kAtMost: return value <= word.number;
    case Sign::kMore: return value > word.number;
    case Sign::kAtLeast: break;
  }
  return value >= word.number;
}

bool OperatorQuery::fits(const KnownStage& stage) const {
  std::size_t operators = 0;
  for (const auto& group : stage.features) operators += group.size();
  const bool stage_fits = std::ranges::all_of(of_stages_, [&](const Word& word) {
    const double value = word.column == "ms"          ? stage.latency.value.count()
                         : word.column == "operators" ? static_cast<double>(operators)
                                                      : static_cast<double>(stage.features.size());
    return compares(value, word);
  });
  return stage_fits && std::ranges::any_of(stage.features, [&](const auto& group) {
           return std::ranges::any_of(group, [&](const OperatorFeatures& x) {
             return std::ranges::all_of(of_operators_, [&](const Word& word) {
               if (word.column == "kind") return (x.kind == word.text) == (word.sign == Sign::kEqual);
               return compares(column_of(word.column)->value(x), word);
             });
           });
         });
}

std::string words_of(const OperatorFeatures& x) {
  std::string text = x.kind;
  if (x.kernel_height > 1 || x.kernel_width > 1 || x.kind == "conv") {
    text += fmt::format(" {}x{}", x.kernel_height, x.kernel_width);
  }
  if (x.stride > 1) text += fmt::format("/{}", x.stride);
  text +=
      fmt::format(" {}x{}x{} -> {}x{}x{}", x.channels, x.height, x.width, x.out_channels, x.out_height, x.out_width);
  if (x.groups > 1 && x.kind != "depthwise") text += fmt::format(", {} groups", x.groups);
  if (x.batch > 1) text += fmt::format(", batch {}", x.batch);
  return text;
}

std::string words_of(const StageFeatures& stage) {
  std::string text;
  for (const auto& group : stage) {
    if (!text.empty()) text += " | ";
    bool first = true;
    for (const OperatorFeatures& x : group) text += (std::exchange(first, false) ? "" : ", ") + words_of(x);
  }
  return text;
}

Table operator_list(std::span<const KnownStage> stages) {
  struct Row {
    const KnownStage& stage;
    std::size_t group = 0;
    const OperatorFeatures& features;
  };
  std::vector<Row> rows;
  for (const KnownStage& stage : stages) {
    for (std::size_t group = 0; group < stage.features.size(); ++group) {
      for (const OperatorFeatures& x : stage.features[group]) rows.push_back({stage, group, x});
    }
  }
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  std::vector<Column<Row>> columns{
      {{.id = "device"}, [&](const Row& row) { return text(row.stage.set.device_id); }},
      {{.id = "origin"}, [&](const Row& row) { return text(origin_name(row.stage.set.origin)); }},
      {{.id = "precision"}, [&](const Row& row) { return text(row.stage.set.precision); }},
      {{.id = "stage"}, [&](const Row& row) { return text(row.stage.key.text()); }},
      {{.id = "side_by_side", .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.stage.features.size())}; }},
      {{.id = "group", .kind = ColumnKind::kCount}, [](const Row& row) { return Cell{count_value(row.group)}; }},
      {{.id = "kind"}, [&](const Row& row) { return text(row.features.kind); }}};
  for (const FeatureColumn& column : feature_columns()) {
    columns.push_back({{.id = std::string(column.name), .kind = ColumnKind::kCount}, [&column](const Row& row) {
                         return Cell{count_value(std::llround(column.value(row.features)))};
                       }});
  }
  columns.push_back({{.id = "stage_ms", .kind = ColumnKind::kMillis},
                     [](const Row& row) { return Cell{row.stage.latency.value.count()}; }});
  columns.push_back({{.id = "stage_spread_ms", .kind = ColumnKind::kMillis},
                     [](const Row& row) { return Cell{row.stage.latency.spread.count()}; }});
  columns.push_back({{.id = "samples", .kind = ColumnKind::kCount},
                     [](const Row& row) { return Cell{count_value(row.stage.latency.samples)}; }});
  return table_of(columns, rows);
}

}  // namespace iosx
