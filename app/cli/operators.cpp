#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/base/json/text_file.h"
#include "core/base/text.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/graph/networks.h"
#include "core/operators/pairs.h"
#include "core/operators/query.h"
#include "core/operators/recorded.h"
#include "core/operators/sessions.h"
#include "core/operators/training.h"
#include "core/search/prepare.h"
#include "core/tables/render.h"
#include "models/devices/simulated_devices.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 40;  // of a query, on a terminal

struct ProfileOperatorsArguments : MeasuringArguments {
  std::vector<std::string> graphs;
  std::string grid;
  std::size_t most = 500;
  int side_by_side = 3;
};

Exit profile_operators_command(const ProfileOperatorsArguments& options, Session& session) {
  if (options.graphs.empty() == options.grid.empty()) {
    return wrong_usage(message("needs networks or a grid"), {}, message("give NETWORK... or --grid FILE"));
  }
  struct Named {
    std::string name;
    SharedGraph graph;
    std::int64_t batch = 1;
  };
  std::vector<Named> graphs;
  if (!options.grid.empty()) {
    IOS_TRY(const auto text, read_text_file(options.grid));
    IOS_TRY(auto grid, grid_of(text, options.grid));
    graphs.push_back({options.grid, std::make_shared<const Graph>(std::move(grid)),
                      std::max<std::int64_t>(options.compare.batch, 1)});
  }
  for (const std::string& name : options.graphs) {
    std::int64_t own = options.compare.batch;  // 0: the network's
    IOS_TRY(auto document, open_graph_argument(session, name, {}, &own));
    graphs.push_back({name, document.graph, own});
  }
  IOS_TRY(const auto id, choose_device(session, options.device, options.job));
  const auto* const entry = session.devices().find(id);
  if (entry != nullptr && entry->info.origin == Origin::kPredicted) {
    return wrong_usage(message("is a predictor, which measures nothing"), id, message("choose a device that measures"));
  }
  Json all = Json::array();
  for (const auto& [name, graph, batch] : graphs) {
    ProfileOperatorsRequest request{graph, id, {}};
    request.options.batch = batch;
    request.options.timing = options.compare.timing;
    request.options.most = options.most;
    request.options.candidates.side_by_side = options.side_by_side;
    request.options.anew = options.job.anew;
    IOS_TRY(const auto found, workbench_of(session, options.store).run(request, session.job(), hooks_of(session)));
    if (options.json) {
      all.push_back({{"graph", name},
                     {"candidates", found.candidates},
                     {"known_before", found.known},
                     {"measured", found.measured},
                     {"alone", found.alone},
                     {"together", found.together}});
    } else {
      session.print(fmt::format(
          "{}: {} of {} stages known, {} of them measured now: {} single operators, {} stages of several operators\n",
          printable(name), found.known + found.measured, found.candidates, found.measured, found.alone,
          found.together));
    }
    if (session.job().stopped()) break;
  }
  if (options.json) session.print(Json{{"device", id}, {"graphs", std::move(all)}});
  if (session.job().stopped()) return fail(message("stopped; the finished measurements are kept"));
  return kSuccess;
}

struct OperatorArguments {
  StoreFlags store;
  std::vector<std::string> words;
  std::string device;
  std::int64_t batch = 0;
  std::string csv;
  std::string svg;
  std::string name;
  std::vector<std::string> unseen;
  std::string regression;
  std::string card;
  std::string precision;
  bool json = false;
};

Result<std::unique_ptr<MeasurementStore>> store_of(const StoreFlags& flags, MeasurementStore::Access access) {
  IOS_TRY(const auto file, StorePlace{.file = flags.file}.path());
  return MeasurementStore::open(file, access);
}

// Returns the stages that are known of a device; the error is that there are none.
Result<std::vector<KnownStage>> stages_of(const OperatorArguments& options) {
  IOS_TRY(const auto store, store_of(options.store, MeasurementStore::Access::kReadOnly));
  MeasurementFilter filter;
  filter.device = options.device;
  filter.batch = options.batch;
  filter.precision = options.precision;
  IOS_TRY(auto stages, known_stages(*store, filter));
  if (!stages.empty()) return stages;
  return fail(options.device.empty() ? message("contains no operators")
                                     : message("contains no operators of '{}'", options.device),
              store->file().string(), message("measure some: iosx profile-operators squeezenet --device cpu"));
}

Table stages_table(const std::vector<KnownStage>& stages) {
  using Row = KnownStage;
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  const std::vector<Column<Row>> columns{
      {{.id = "device", .title = in_english("device")}, [&](const Row& row) { return text(row.set.device_id); }},
      {{.id = "origin", .title = in_english("origin")},
       [&](const Row& row) { return text(origin_name(row.set.origin)); }},
      {{.id = "stage", .places = place::kJson}, [&](const Row& row) { return text(words_of(row.features)); }},
      {{.id = "side_by_side", .places = place::kJson},
       [](const Row& row) { return Cell{count_value(row.features.size())}; }},
      {{.id = "ms", .title = in_english("latency"), .kind = ColumnKind::kMillis, .decimals = 5},
       [](const Row& row) { return Cell{row.latency.value.count()}; }},
      {{.id = "spread_ms", .places = place::kJson}, [](const Row& row) { return Cell{row.latency.spread.count()}; }},
      // The longest text of a line is its last.
      {{.id = "words", .title = in_english("stage"), .places = place::kText},
       [&](const Row& row) { return text(words_of(row.features)); }}};
  return table_of(columns, stages);
}

Exit query(const OperatorArguments& options, Session& session) {
  IOS_TRY(const auto chosen, usage(OperatorQuery::parse(options.words)));
  IOS_TRY(auto stages, stages_of(options));
  std::erase_if(stages, [&](const KnownStage& stage) { return !chosen.fits(stage); });
  if (!options.csv.empty()) {
    IOS_TRY(write_output(session, options.csv, table_csv(operator_list(stages))));
    if (options.csv != "-") session.note(fmt::format("wrote {} stages to {}", stages.size(), options.csv));
    return kSuccess;
  }
  Table table = stages_table(stages);
  if (options.json) return session.print(Json{{"stages", table_json(table)}}), kSuccess;
  if (stages.empty()) return session.print(std::string("none\n")), kSuccess;
  table.rows.resize(std::min(stages.size(), kMostRows));
  std::string text = table_text(table);
  if (stages.size() > kMostRows)
    text += fmt::format("... and {} more; --csv FILE has all\n", stages.size() - kMostRows);
  session.print(text);
  return kSuccess;
}

// Stages run on a card as on the simulated device that is nearest to it.
std::optional<DeviceTerms> terms_of_card(std::string_view name) {
  const auto cards = sessions::cards();
  const auto card = std::ranges::find(cards, name, &sessions::Card::name);
  if (card == cards.end()) return std::nullopt;
  for (const simulated::DeviceDescription& description : simulated_descriptions()) {
    if (description.id == card->description) return DeviceTerms{simulated::device_info(description).lowering, {}};
  }
  return std::nullopt;
}

Exit import_tables(const OperatorArguments& options, Session& session) {
  RecordedOperators recorded;
  for (const std::string& file : options.words) {
    IOS_TRY(visit_operators(file, [&](const MeasuredOperator& row) { recorded.add(row); }));
  }
  const std::int64_t skipped = recorded.skipped();
  IOS_TRY(const auto store, store_of(options.store, MeasurementStore::Access::kReadWrite));
  std::vector<std::pair<std::string, std::size_t>> taken;  // by device and precision
  const auto take = [&](const MeasurementSet& set, std::span<const Measurement> measurements,
                        std::span<const DescribedStage> stages) -> Result<void> {
    IOS_TRY(store->take_over(set, measurements, stages));
    const std::string name = fmt::format("{}, {}", printable(set.device_name), set.precision);
    if (taken.empty() || taken.back().first != name) taken.emplace_back(name, 0);
    taken.back().second += measurements.size();
    return {};
  };
  IOS_TRY(std::move(recorded).hand_over(terms_of_card, take));
  std::string text;
  for (const auto& [name, count] : taken) text += fmt::format("{}: {} operators\n", name, count);
  if (skipped > 0) {
    text += fmt::format(
        "{} rows skipped: mostly host time, unknown host time, or sizes or times that no device can have\n", skipped);
  }
  session.print(text);
  return kSuccess;
}

// Returns the operators of networks, in the form of a device's stages, at each of these batch sizes.
Result<std::unordered_set<std::string>> operators_of(Session& session, const std::vector<std::string>& networks,
                                                     const std::vector<KnownStage>& stages,
                                                     const LowerOptions& lowering) {
  std::set<std::int64_t> batches;
  for (const KnownStage& stage : stages) batches.insert(stage.set.batch);
  std::unordered_set<std::string> operators;
  for (const std::string& network : networks) {
    auto document = open_graph_argument(session, network, {}, nullptr);
    if (!document) return tl::unexpected(std::move(document.error().error));
    for (const std::int64_t batch : batches) {
      StagePlanner planner(*document->graph, batch, lowering);
      for (const Candidate& candidate : candidates_of(planner, {})) {
        for (const auto& group : candidate.features) {
          for (const OperatorFeatures& x : group) operators.insert(to_text({{x}}));
        }
      }
    }
  }
  return operators;
}

Exit train(const OperatorArguments& options, Session& session) {
  OperatorArguments wanted = options;
  if (!options.card.empty()) wanted.precision = "f32";  // what data sheets are read for
  IOS_TRY(auto stages, stages_of(wanted));
  if (const Message why = why_no_name(options.name); !why.empty()) {
    return wrong_usage(why, options.name);
  }
  TrainingOptions training{.name = options.name, .unseen = options.unseen};
  if (!options.regression.empty()) {
    training.kind = options.regression == "ridge" ? RegressorKind::kRidge : RegressorKind::kTrees;
  }
  DeviceInfo device = device_of(session.devices(), stages.front().set);
  if (!options.card.empty()) {
    training.rates = rates_of_card(options.card);
    if (!training.rates) {
      std::vector<std::string_view> names;
      for (const sessions::Card& card : sessions::cards()) names.push_back(card.name);
      return wrong_usage(message("is not a card with a known data sheet"), options.card,
                         message("one of {}", fmt::format("{}", fmt::join(names, ", "))));
    }
    // What it says of a card must not come from that card's own rows.
    std::erase_if(stages, [&](const KnownStage& stage) { return stage.set.device_id == options.card; });
    device = {};
    device.id = device.name = options.card;
    device.fingerprint = "data sheet of " + options.card;
    if (const auto terms = terms_of_card(options.card)) device.lowering = terms->lowering;
  }
  IOS_TRY(training.left_out, operators_of(session, options.unseen, stages, device.lowering));
  IOS_TRY(const auto kept, train_predictor(stages, device, training, session.job()));
  IOS_TRY(const auto folder, predictor_folder());
  IOS_TRY(write_predictor(folder / (options.name + ".json"), kept));
  std::string text = fmt::format("predicted:{}: learned from {} single operators and {} stages of {}{}\n", options.name,
                                 kept.facts.samples_alone, kept.facts.samples_together,
                                 options.card.empty() ? "" : "cards other than ", printable(kept.facts.device.name));
  for (const PredictionErrors& each : kept.facts.errors) {
    text += fmt::format("  {}: mean error {:.1f} % (median {:.1f} %), {:.0f} % within 10 %, for {} unseen rows\n",
                        each.what, each.mean * 100, each.median * 100, each.within_10 * 100, each.rows);
  }
  session.print(text);
  return kSuccess;
}

Exit judge_command(const OperatorArguments& options, Session& session) {
  IOS_TRY(const auto folder, predictor_folder());
  IOS_TRY(const auto kept, read_predictor(folder / (options.name + ".json")));
  OperatorArguments known = options;
  const bool of_card = kept.facts.rates.flops_per_s > 0;  // it learned from others
  if (known.device.empty()) known.device = of_card ? kept.facts.device.id : kept.facts.device.fingerprint;
  known.precision = kept.facts.device.precision;
  IOS_TRY(auto stages, stages_of(known));
  if (!options.words.empty()) {
    IOS_TRY(const auto operators, operators_of(session, options.words, stages, kept.facts.device.lowering));
    std::erase_if(stages, [&](const KnownStage& stage) { return !has_none_but(stage.features, operators); });
    if (stages.empty()) {
      return fail(message("no operator of these networks was measured on {}", known.device), options.name,
                  message("measure some: iosx profile-operators {}", options.words.front()));
    }
  }
  const bool unseen = !options.words.empty() && std::ranges::all_of(options.words, [&](const std::string& network) {
    return std::ranges::find(kept.facts.unseen, network) != kept.facts.unseen.end();
  });
  const std::string_view seen =
      "the predictor learned from some of these operators; to exclude networks, train it with --unseen\n";
  session.print(std::string(unseen || of_card ? "operators that the predictor has not seen\n" : seen));
  session.print(judged_table(judge(kept.predictor, kept.facts.rates, stages)));
  return kSuccess;
}

// Returns the stages that are known of one device; that they are of several is an error.
Result<std::vector<KnownStage>> stages_of_one(const OperatorArguments& options) {
  IOS_TRY(auto stages, stages_of(options));
  std::set<std::string> devices;
  for (const KnownStage& stage : stages) devices.insert(stage.set.fingerprint);
  if (devices.size() == 1) return stages;
  return fail(message("the measurements come from {} devices", devices.size()), {},
              message("choose one with --device; iosx store list shows their fingerprints"));
}

Exit insight(const OperatorArguments& options, Session& session) {
  IOS_TRY(const auto stages, stages_of_one(options));
  const OperatorInsight found = look_into(stages);
  if (!options.svg.empty() && found.pairs == 0) {
    return fail(message("no pairs of concurrent operators were measured"));
  }
  if (!options.svg.empty()) IOS_TRY(write_output(session, options.svg, insight_svg(found)));
  session.print(insight_table(found));
  return kSuccess;
}

Exit pairs(const OperatorArguments& options, Session& session) {
  constexpr double kMillisInSecond = 1e3;
  IOS_TRY(const auto stages, stages_of_one(options));
  if (stages.front().set.origin == Origin::kSimulated) {
    return fail(message("is simulated: its pairs come from the model itself"), stages.front().set.device_id,
                message("choose a measured device"));
  }
  IOS_TRY(const auto judged, judge_pairs(stages, session.job()));
  if (judged.pairs == 0) return fail(message("no pairs of concurrent operators were measured"));
  session.print(fmt::format(
      "{} pairs in which both single latencies are known; best rates {:.0f} GFLOP/s, {:.0f} GB/s\n", judged.pairs,
      judged.rates.flops_per_ms * kMillisInSecond / 1e9, judged.rates.bytes_per_ms * kMillisInSecond / 1e9));
  session.print(judged_table({.all = judged.guesses}));
  return kSuccess;
}

void add_known(Command& command, OperatorArguments& options) {
  command.add_option("--device", options.device, "ID", "Only this device: its id or fingerprint (see iosx store list)");
  command.add_option("-b,--batch", options.batch, "N", "Only this batch size");
  add_store_file(command, options.store);
}

void add_profile_operators(Command& program) {
  Command command = program.add_command("profile-operators",
                                        "Measure operators of networks one by one and concurrently, and keep the "
                                        "latencies with the features of the operators");
  const auto options = command.runs(profile_operators_command);
  command.add_option("GRAPH", options->graphs, "NAME|FILE", "Networks: files or names (see iosx networks)");
  command.add_option("--grid", options->grid, "FILE",
                     "A file of lines such as \"conv channels=64,128 filters=64 size=28 kernel=1,3\"");
  add_device(command, options->device);
  add_batch(command, options->compare);
  command.add_option("--most", options->most, "N", "Maximum stages to measure per network")
      .check(whole_number(1, 1'000'000, "a number of stages"))
      .show_default();
  command.add_option("--side-by-side", options->side_by_side, "N", "Maximum groups that run concurrently")
      .check(whole_number(1, 8, "a number of groups"))
      .show_default();
  add_options(command, options->compare, use::kMeasureOperators);
  add_store(command, options->store, options->job);
  add_json(command, options->json);
}

}  // namespace

void add_operators(Command& program) {
  add_profile_operators(program);
  Command operators = program.add_command("operators", "Query measured operators, and train predictors with them");

  Command query_command =
      operators.add_command("query", "List the operators that meet conditions such as kind=conv kernel=3");
  const auto queried = query_command.runs(query);
  query_command.add_option("CONDITION", queried->words, "CONDITION",
                           R"("kind=conv", "kernel=3", "channels>=64", "side_by_side=2", "ms<0.1")");
  add_known(query_command, *queried);
  query_command.add_option("--csv", queried->csv, "FILE",
                           "Write a table with one row per operator to this file; - is standard output");
  add_json(query_command, queried->json);

  Command import_command = operators.add_command(
      "import", "Import CSV tables of operators that were measured elsewhere, as recorded measurements");
  const auto imported = import_command.runs(import_tables);
  import_command
      .add_option("TABLE", imported->words, "FILE", "CSV with source, device, precision, latency_ms, and sizes")
      .required();
  add_store_file(import_command, imported->store);

  Command train_command = operators.add_command("train", "Train a predictor of stages: the device predicted:NAME");
  const auto trained = train_command.runs(train);
  train_command.add_option("NAME", trained->name, "NAME", "Name of the predictor").required();
  add_known(train_command, *trained);
  train_command.add_list("--unseen", trained->unseen, "NETWORK,...",
                         "Networks to exclude from the training, so that they can test the predictor");
  train_command
      .add_option("--regression", trained->regression, "KIND", "ridge or trees. Default: the better of the two")
      .check(one_of({"ridge", "trees"}));
  train_command.add_option(
      "--card", trained->card, "NAME",
      "Predict for this card, from its data sheet and the latencies of the other cards in the tables");

  Command judge_of = operators.add_command("judge", "Show the errors of a predictor by kind and size of operators");
  const auto judged = judge_of.runs(judge_command);
  judge_of.add_option("NAME", judged->name, "NAME", "The predictor").required();
  judge_of.add_option("NETWORK", judged->words, "NAME|FILE", "Only operators of these networks");
  add_known(judge_of, *judged);

  Command insight_of = operators.add_command(
      "insight", "Show which operators run well concurrently, and which features correlate with time");
  const auto looked = insight_of.runs(insight);
  add_known(insight_of, *looked);
  insight_of.add_option("--svg", looked->svg, "FILE", "Write a drawing of concurrent kinds to this file (SVG)");

  Command pairs_of = operators.add_command(
      "pairs", "Show the errors of sum, maximum, simulator and predictor for measured concurrent operators");
  const auto paired = pairs_of.runs(pairs);
  add_known(pairs_of, *paired);
}

}  // namespace iosx::cli
