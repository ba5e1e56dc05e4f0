#include "core/operators/pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/devices/simulated/contention_model.h"
#include "core/tables/render.h"

namespace iosx {
namespace {

constexpr double kMicrosInMs = 1e3;

// Returns a kernel that takes that many ms alone on a device of these rates.
simulated::KernelLoad load_of(const OperatorFeatures& x, double ms, const BestRates& rates) {
  simulated::KernelLoad load;
  load.blocks_per_sm = 2;
  load.flops = std::min(x.flops, ms * rates.flops_per_ms);
  load.dram_bytes = std::min(x.bytes(), ms * rates.bytes_per_ms);
  load.fixed_us = (ms - load.flops / rates.flops_per_ms) * kMicrosInMs;
  return load;
}

BestRates best_rates(std::span<const KnownStage> stages) {
  constexpr double kNearlyAll = 0.95;
  std::vector<double> flops;
  std::vector<double> bytes;
  for (const KnownStage& stage : stages) {
    if (!is_alone(stage.features) || stage.latency.value <= Millis(0)) continue;
    const double ms = stage.latency.value.count();
    flops.push_back(stage.features[0][0].flops / ms);
    bytes.push_back(stage.features[0][0].bytes() / ms);
  }
  return {std::max(quantile_of(std::move(flops), kNearlyAll), 1.0),
          std::max(quantile_of(std::move(bytes), kNearlyAll), 1.0)};
}

// Returns what a predictor says of each pair that has seen all stages but a fifth of the pairs, this one among them.
Result<std::vector<double>> predicted_unseen(std::span<const KnownStage> stages, std::span<const MeasuredPair> pairs,
                                             const JobContext& job) {
  std::vector<std::string> names;
  std::map<const KnownStage*, std::size_t> part_of;
  for (const MeasuredPair& pair : pairs) names.push_back(to_text(pair.stage->features));
  const std::vector<std::size_t> parts = left_out_parts(names);
  for (std::size_t i = 0; i < pairs.size(); ++i) part_of[pairs[i].stage] = parts[i];
  std::vector<double> predicted(pairs.size());
  for (std::size_t part = 0; part < kLeftOutParts; ++part) {
    std::vector<StageSample> seen;
    for (const KnownStage& stage : stages) {
      const auto found = part_of.find(&stage);
      const bool left_out = found != part_of.end() && found->second == part;
      if (!left_out && stage.latency.value > Millis(0) && !stage.latency.is_left_out()) {
        seen.push_back({stage.features, stage.latency.value.count()});
      }
    }
    job.report(message("learning"), static_cast<std::int64_t>(part), static_cast<std::int64_t>(kLeftOutParts));
    IOS_TRY(const auto predictor, OperatorPredictor::fit(seen, RegressorKind::kTrees, job));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (parts[i] == part) predicted[i] = predictor.stage_ms(pairs[i].stage->features);
    }
  }
  return predicted;
}

constexpr std::string_view kOfPairs = "shorter_over_longer";

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(middle));
  return values[middle];
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t at = 0; at < order.size();) {
    std::size_t end = at;
    while (end < order.size() && values[order[end]] == values[order[at]]) ++end;
    for (std::size_t i = at; i < end; ++i) ranks[order[i]] = static_cast<double>(at + end - 1) / 2;
    at = end;
  }
  return ranks;
}

double spearman(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 3) return 0;
  const auto ra = ranks_of(a);
  const auto rb = ranks_of(b);
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (ra[i] - mean) * (rb[i] - mean);
    aa += (ra[i] - mean) * (ra[i] - mean);
    bb += (rb[i] - mean) * (rb[i] - mean);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

class Groups {
 public:
  void add(std::string one, std::string other, const MeasuredPair& pair) {
    if (other < one) std::swap(one, other);
    auto& group = groups_[{std::move(one), std::move(other)}];
    group.first.push_back(pair.over_sum());
    group.second.push_back(pair.ms / pair.longer_ms);
  }
  std::vector<PairOfKinds> all() const {
    std::vector<PairOfKinds> made;
    for (const auto& [names, values] : groups_) {
      made.push_back({names.first, names.second, std::ssize(values.first), median_of(values.first),
                      median_of(values.second), *std::ranges::max_element(values.first)});
    }
    return made;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::pair<std::vector<double>, std::vector<double>>> groups_;
};

}  // namespace

std::vector<MeasuredPair> measured_pairs(std::span<const KnownStage> stages) {
  const auto name_of_one = [](const KnownStage& stage, const OperatorFeatures& x) {
    return std::pair(stage.set.fingerprint, to_text({{x}}));
  };
  std::map<std::pair<std::string, std::string>, double> alone;
  for (const KnownStage& stage : stages) {
    if (is_alone(stage.features) && !stage.latency.is_left_out())
      alone[name_of_one(stage, stage.features[0][0])] = stage.latency.value.count();
  }
  std::vector<MeasuredPair> pairs;
  for (const KnownStage& stage : stages) {
    if (stage.features.size() != 2 || stage.features[0].size() != 1 || stage.features[1].size() != 1) continue;
    if (stage.latency.is_left_out()) continue;
    const OperatorFeatures* one = &stage.features[0][0];
    const OperatorFeatures* other = &stage.features[1][0];
    const auto a = alone.find(name_of_one(stage, *one));
    const auto b = alone.find(name_of_one(stage, *other));
    if (a == alone.end() || b == alone.end()) continue;
    MeasuredPair pair{&stage, one, other, a->second, b->second, stage.latency.value.count()};
    if (pair.longer_ms < pair.shorter_ms) {
      std::swap(pair.longer, pair.shorter);
      std::swap(pair.longer_ms, pair.shorter_ms);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

double contention_ms(const MeasuredPair& pair, const BestRates& rates) {
  simulated::Machine machine;
  machine.flops_per_us = rates.flops_per_ms / kMicrosInMs;
  machine.dram_bytes_per_us = rates.bytes_per_ms / kMicrosInMs;
  const std::array launches{simulated::Launch{load_of(*pair.longer, pair.longer_ms, rates), 0},
                            simulated::Launch{load_of(*pair.shorter, pair.shorter_ms, rates), 1}};
  return simulated::simulate(machine, launches).end / kMicrosInMs;
}

Result<JudgedPairs> judge_pairs(std::span<const KnownStage> stages, const JobContext& job) {
  JudgedPairs judged;
  judged.rates = best_rates(stages);
  std::vector<MeasuredPair> pairs = measured_pairs(stages);
  std::erase_if(pairs, [](const MeasuredPair& pair) { return pair.ms <= 0 || pair.shorter_ms <= 0; });
  judged.pairs = std::ssize(pairs);
  std::vector<double> measured;
  std::vector<double> sums;
  std::vector<double> longer;
  std::vector<double> contention;
  for (const MeasuredPair& pair : pairs) {
    measured.push_back(pair.ms);
    sums.push_back(pair.longer_ms + pair.shorter_ms);
    longer.push_back(pair.longer_ms);
    contention.push_back(contention_ms(pair, judged.rates));
  }
  judged.guesses = {errors_of("sum of both", measured, sums), errors_of("the longer one", measured, longer),
                    errors_of("contention model", measured, contention)};
  const auto alone = std::ranges::count_if(stages, [](const KnownStage& stage) { return is_alone(stage.features); });
  if (pairs.empty() || alone < OperatorPredictor::kLeastSamples) return judged;
  IOS_TRY(const auto predicted, predicted_unseen(stages, pairs, job));
  judged.guesses.push_back(errors_of(std::string(name_of(RegressorKind::kTrees)), measured, predicted));
  return judged;
}

OperatorInsight look_into(std::span<const KnownStage> stages) {
  OperatorInsight insight;
  const std::vector<MeasuredPair> pairs = measured_pairs(stages);
  insight.alone = std::ranges::count_if(stages, [](const KnownStage& stage) { return is_alone(stage.features); });
  insight.pairs = std::ssize(pairs);
  Groups kinds;
  Groups times;
  for (const MeasuredPair& pair : pairs) {
    kinds.add(pair.longer->kind, pair.shorter->kind, pair);
    times.add(std::string(time_classes()[time_class_of(pair.longer_ms)]),
              std::string(time_classes()[time_class_of(pair.shorter_ms)]), pair);
  }
  insight.kinds = kinds.all();
  insight.times = times.all();
  std::vector<double> alone_ms;
  std::vector<const OperatorFeatures*> alone;
  for (const KnownStage& stage : stages) {
    if (!is_alone(stage.features)) continue;
    alone_ms.push_back(stage.latency.value.count());
    alone.push_back(&stage.features[0][0]);
  }
  const auto all = [](const auto& list, const auto& value) {
    std::vector<double> values;
    for (const auto& each : list) values.push_back(value(each));
    return values;
  };
  const std::vector<double> together = all(pairs, [](const MeasuredPair& pair) { return pair.over_sum(); });
  const auto correlate = [&](std::string name, const auto& of_one, const auto& of_pair) {
    insight.correlations.push_back(
        {std::move(name), spearman(all(alone, [&](const OperatorFeatures* x) { return of_one(*x); }), alone_ms),
         spearman(all(pairs, of_pair), together)});
  };
  for (const FeatureColumn& column : feature_columns()) {
    const auto value = column.value;
    correlate(std::string(column.name), value,
              [value](const MeasuredPair& pair) { return value(*pair.longer) + value(*pair.shorter); });
  }
  const auto intensity = [](const OperatorFeatures& x) { return x.flops / std::max(x.bytes(), 1.0); };
  correlate("flops_per_byte", intensity,
            [&](const MeasuredPair& pair) { return intensity(*pair.longer) + intensity(*pair.shorter); });
  correlate(
      std::string(kOfPairs), [](const OperatorFeatures& /*x*/) { return 0.0; },
      [](const MeasuredPair& pair) { return pair.shorter_ms / pair.longer_ms; });
  return insight;
}

std::string insight_table(const OperatorInsight& insight) {
  std::string text =
      fmt::format("{} operators alone, {} pairs of which both are known alone\n", insight.alone, insight.pairs);
  const auto ratio = [](const char* id, const char* title, double PairOfKinds::*value) {
    return Column<PairOfKinds>{{.id = id, .title = in_english(title), .kind = ColumnKind::kNumber, .decimals = 2},
                               [value](const PairOfKinds& row) { return Cell{row.*value}; }};
  };
  const auto add = [&](const char* what, const std::vector<PairOfKinds>& list) {
    const std::vector<Column<PairOfKinds>> columns{
        {{.id = "pair", .title = in_english(what)},
         [](const PairOfKinds& row) { return Cell{verbatim(row.one + " | " + row.other)}; }},
        {{.id = "pairs", .title = in_english("pairs"), .kind = ColumnKind::kCount},
         [](const PairOfKinds& row) { return Cell{count_value(row.pairs)}; }},
        ratio("over_sum", "together / sum", &PairOfKinds::over_sum),
        ratio("over_longer", "together / longer", &PairOfKinds::over_longer),
        ratio("worst_over_sum", "worst / sum", &PairOfKinds::worst_over_sum)};
    text += '\n' + table_text(table_of(columns, list));
  };
  if (insight.pairs > 0) {
    add("kinds side by side", insight.kinds);
    add("what they take alone", insight.times);
  }
  const auto correlation = [](const char* id, const char* title, auto value) {
    return Column<Correlation>{
        {.id = id, .title = in_english(title), .kind = ColumnKind::kNumber, .decimals = 2, .difference = true}, value};
  };
  const bool pairs = insight.pairs > 2;
  const std::vector<Column<Correlation>> columns{
      {{.id = "column", .title = in_english("column")},
       [](const Correlation& row) { return Cell{verbatim(row.column)}; }},
      correlation("with_time", "with time alone",
                  [](const Correlation& row) { return row.column == kOfPairs ? Cell{} : Cell{row.with_time}; }),
      correlation("with_together", "with together / sum",
                  [pairs](const Correlation& row) { return pairs ? Cell{row.with_together} : Cell{}; })};
  return text + "\nrank correlations\n" + table_text(table_of(columns, insight.correlations));
}

std::string insight_svg(const OperatorInsight& insight) {
  constexpr int kCell = 60;
  constexpr int kFewCell = 34;
  constexpr int kLeft = 110;
  constexpr int kTop = 60;
  std::set<std::string> names;
  for (const PairOfKinds& each : insight.kinds) names.insert({each.one, each.other});
  const std::vector<std::string> kinds(names.begin(), names.end());
  const int count = static_cast<int>(kinds.size());
  const int width = std::max(kLeft + kCell * count + 20, 620);
  const int height = kTop + kCell * count + 34;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"12\" y=\"20\" fill=\"#222222\">Two operators side by side: time together over the sum of both alone "
      "(median)</text>\n<text x=\"12\" y=\"40\" fill=\"#555555\" font-size=\"11\">blue: faster than one after the "
      "other; "
      "red: slower; below, how many pairs; small: fewer than {2}</text>\n",
      width, height, kFewPairs);
  const auto place = [&](const std::string& kind) {
    return static_cast<int>(std::ranges::find(kinds, kind) - kinds.begin());
  };
  for (int i = 0; i < count; ++i) {
    const std::string& kind = kinds[static_cast<std::size_t>(i)];
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#222222\">{}</text>\n", kLeft - 8,
                       kTop + kCell * i + kCell / 2 + 4, kind);
    // Columns are narrower than some names, so that "global pool" has two lines.
    const std::size_t space = std::min(kind.find(' '), kind.size());
    for (const auto& [line, text] : {std::pair(0, kind.substr(0, space)), std::pair(1, kind.substr(space))}) {
      if (text.empty()) continue;
      svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#222222\">{}</text>\n",
                         kLeft + kCell * i + kCell / 2, kTop + kCell * count + 14 + 11 * line, text);
    }
  }
  for (const PairOfKinds& each : insight.kinds) {
    constexpr std::array kNone{242, 242, 242};
    constexpr std::array kWon{0, 90, 160};
    constexpr std::array kLost{190, 50, 20};
    constexpr double kFull = 0.5;  // won or lost, at which the colour is full
    const double part = std::min(std::abs(each.over_sum - 1) / kFull, 1.0);
    const auto& end = each.over_sum < 1 ? kWon : kLost;
    const auto mixed = [&](std::size_t i) { return static_cast<int>(kNone[i] + (end[i] - kNone[i]) * part); };
    const std::string color = fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
    const char* const ink = part > 0.5 ? "#ffffff" : "#222222";
    const int size = each.pairs < kFewPairs ? kFewCell : kCell - 2;
    const std::array<std::pair<int, int>, 2> places{
        {{place(each.one), place(each.other)}, {place(each.other), place(each.one)}}};
    for (const auto& [column, row] : places) {
      const int x = kLeft + kCell * column + kCell / 2;
      const int y = kTop + kCell * row + kCell / 2;
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x - size / 2,
                         y - size / 2, size, size, color);
      svg += fmt::format(
          "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\" fill=\"{2}\">{3:.2f}</text>\n"
          "<text x=\"{0}\" y=\"{4}\" text-anchor=\"middle\" font-size=\"9\" fill=\"{2}\">{5}</text>\n",
          x, y + 2, ink, each.over_sum, y + 14, each.pairs);
      if (column == row) break;
    }
  }
  return svg + "</svg>\n";
}

}  // namespace iosx
