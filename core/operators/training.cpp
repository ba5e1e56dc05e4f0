#include "core/operators/training.h"

#include <algorithm>
#include <set>

#include "core/base/hash.h"
#include "core/operators/recorded.h"
#include "core/tables/render.h"

namespace iosx {
namespace {

bool names(const std::unordered_set<std::string>& operators, const OperatorFeatures& x) {
  return !operators.empty() && operators.contains(to_text({{x}}));
}

bool has_one_of(const StageFeatures& stage, const std::unordered_set<std::string>& operators) {
  return std::ranges::any_of(stage, [&](const auto& group) {
    return std::ranges::any_of(group, [&](const OperatorFeatures& x) { return names(operators, x); });
  });
}

}  // namespace

bool has_none_but(const StageFeatures& stage, const std::unordered_set<std::string>& operators) {
  return std::ranges::all_of(stage, [&](const auto& group) {
    return std::ranges::all_of(group, [&](const OperatorFeatures& x) { return names(operators, x); });
  });
}

DeviceInfo device_of(const DeviceRegistry& devices, const MeasurementSet& set) {
  const auto* const entry = devices.find(set.device_id);
  if (entry != nullptr && entry->info.fingerprint == set.fingerprint) return entry->info;
  DeviceInfo info;
  info.id = set.device_id;
  info.name = set.device_name;
  info.fingerprint = set.fingerprint;
  info.origin = set.origin;
  info.precision = set.precision;
  if (set.terms) {
    info.lowering = set.terms->lowering;
    info.overhead = set.terms->overhead;
  }
  return info;
}

Result<KeptPredictor> train_predictor(std::span<const KnownStage> stages, const DeviceInfo& device,
                                      const TrainingOptions& options, const JobContext& job) {
  if (const Message why = why_no_name(options.name); !why.empty()) return fail(why, options.name);
  std::vector<StageSample> samples;
  std::set<std::string> devices;
  std::string all;  // in the order of keys, which is the store's
  for (const KnownStage& stage : stages) {
    if (has_one_of(stage.features, options.left_out) || stage.latency.value <= Millis(0) || stage.latency.is_left_out())
      continue;
    DeviceRates rates;
    if (options.rates) {
      const auto known = rates_of_card(stage.set.device_id);
      if (!known) continue;
      rates = *known;
    }
    devices.insert(stage.set.fingerprint);
    samples.push_back(
        {stage.features, stage.latency.value.count(), rates, options.rates ? stage.set.device_id : std::string()});
    all += fmt::format("{} {} {}\n", stage.set.fingerprint, stage.key.text(), stage.latency.value.count());
  }
  if (!options.rates && devices.size() > 1) {
    return fail(message("{} devices each need their own predictor", devices.size()), options.name,
                message("choose one with --device, or a card of the tables with --card"));
  }
  auto predictor = OperatorPredictor::train(samples, job, options.kind);
  if (!predictor) {
    if (predictor.error().where.empty()) predictor.error().where = options.name;
    return tl::unexpected(std::move(predictor.error()));
  }
  PredictorFacts facts;
  facts.name = options.name;
  facts.device = device;
  facts.rates = options.rates.value_or(DeviceRates{});
  facts.samples = fmt::format("{:016x}", hash64(all));
  facts.date = date_text(date_now());
  facts.unseen = options.unseen;
  facts.samples_alone = predictor->facts().samples_alone;
  facts.samples_together = predictor->facts().samples_together;
  facts.kind_alone = fmt::format("alone, {}", name_of(predictor->facts().kind_alone));
  facts.side_by_side = predictor->knows_side_by_side();
  if (predictor->knows_together())
    facts.kind_together = fmt::format("together, {}", name_of(predictor->facts().kind_together));
  facts.errors = predictor->facts().cross_validation;
  facts.errors_by_kind = predictor->facts().errors_by_kind;
  facts.errors_by_time = predictor->facts().errors_by_time;
  return KeptPredictor{std::move(facts), std::move(*predictor)};
}

Judged judge(const OperatorPredictor& predictor, const DeviceRates& rates, std::span<const KnownStage> stages) {
  std::vector<StageFeatures> features;
  for (const KnownStage& stage : stages) features.push_back(stage.features);
  const std::vector<double> predicted = predictor.stage_ms(features, rates);
  std::vector<PredictedStage> both;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    both.push_back({&features[i], stages[i].latency.value.count(), predicted[i]});
  }
  return judge(both);
}

std::string judged_table(const Judged& judged) {
  using Row = PredictionErrors;
  const auto share = [](const char* id, const char* title, int decimals, double Row::*value) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kShare, .decimals = decimals},
                       [value](const Row& row) { return Cell{row.*value}; }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "what", .title = in_english("stages")}, [](const Row& row) { return Cell{verbatim(row.what)}; }},
      {{.id = "rows", .title = in_english("rows"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.rows)}; }},
      share("mean", "mean error", 1, &Row::mean),
      share("median", "median", 1, &Row::median),
      share("within_10_percent", "within 10 %", 0, &Row::within_10)};
  std::vector<Row> rows = judged.all;
  for (const auto* part : {&judged.kinds, &judged.times}) rows.insert(rows.end(), part->begin(), part->end());
  return table_text(table_of(columns, rows));
}

}  // namespace iosx
