#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/quantity.h"
#include "core/base/text.h"
#include "core/formats/external/match.h"
#include "core/formats/external/unit_column.h"
#include "core/model/graph/work.h"
#include "core/search/part_graph.h"
#include "core/search/prepare.h"
#include "core/search/space_counts.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InspectArguments : NetworkArguments {
  std::string values;  // a table's path; empty: none
  std::string column;
  std::string join;
};

Json shape_json(const Shape& shape) { return Json(std::vector(shape.dims().begin(), shape.dims().end())); }

// Writes the unit's operators in order, as "conv + relu".
std::vector<std::string> kinds(const Graph& graph, const Unit& unit) {
  std::vector<std::string> names;
  for (const OperatorId id : unit.operators) names.emplace_back(kind_name(graph.op(id).attributes));
  return names;
}

// Lists so many names at most for people: of a fused unit there may be hundreds.
Cell list_cell(const std::vector<std::string>& names, std::string_view separator) {
  constexpr std::size_t kMost = 8;
  const std::string all = fmt::format("{}", fmt::join(names, separator));
  if (names.size() <= kMost) return Cell{verbatim(all)};
  const auto first = std::span(names).first(kMost);
  const std::size_t more = names.size() - kMost;
  return {.value = verbatim(all),
          .shown = verbatim(fmt::format("{}{}… and {} more", fmt::join(first, separator), separator, more))};
}

// Returns what a unit reads from outside, each operator once.
std::vector<OperatorId> read_from(const Graph& graph, UnitId id) {
  std::vector<OperatorId> operators;
  std::set<OperatorId> seen;
  for (const OperatorId op : graph.unit(id).operators) {
    for (const Value& value : graph.op(op).inputs) {
      const Operator& producer = graph.op(value.producer);
      if ((producer.is_source() || producer.unit != id) && seen.insert(value.producer).second) {
        operators.push_back(value.producer);
      }
    }
  }
  return operators;
}

std::vector<std::string> names_read(const Graph& graph, UnitId id) {
  std::vector<std::string> names;
  for (const OperatorId op : read_from(graph, id)) names.push_back(graph.output_name(op));
  return names;
}

std::vector<std::string> output_shapes(const Graph& graph, UnitId id) {
  std::vector<std::string> shapes;
  for (const OperatorId op : graph.outputs(id)) {
    shapes.push_back(graph.op(op).sized ? shape_text(graph.op(op).output) : "unknown");
  }
  return shapes;
}

Json work_json(const Work& work) {
  if (!work.known) return Json{{"flops", nullptr}, {"parameters", nullptr}, {"bytes", nullptr}};
  return Json{{"flops", work.flops}, {"parameters", work.parameters}, {"bytes", work.bytes()}};
}

std::vector<std::size_t> numbers_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// People count parts from 1.
Cell part_cell(std::size_t part) { return {.value = count_value(part), .shown = verbatim(std::to_string(part + 1))}; }

Table part_list(const Graph& graph) {
  using Row = std::size_t;
  const auto parts = graph.parts();
  const std::vector<Column<Row>> columns{
      {{.id = "index", .title = in_english("part"), .kind = ColumnKind::kCount}, part_cell},
      {{.id = "name", .title = in_english("name")}, [&](Row p) { return Cell{verbatim(parts[p].name)}; }},
      {{.id = "units", .title = in_english("units"), .kind = ColumnKind::kCount},
       [&](Row p) { return Cell{count_value(parts[p].units.size())}; }},
      {{.id = "width", .title = in_english("width"), .kind = ColumnKind::kCount},
       [&](Row p) { return Cell{count_value(PartGraph(graph, parts[p].units).width())}; }}};
  return table_of(columns, numbers_to(parts.size()));
}

Table unit_list(const Graph& graph, std::int64_t batch) {
  struct Row {
    UnitId id;
    const Unit& unit;
    Work work;
  };
  std::vector<Row> rows;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    rows.push_back({UnitId(u), graph.unit(UnitId(u)), work(graph, UnitId(u), batch)});
  }
  const auto text = [](std::string words) { return Cell{verbatim(std::move(words))}; };
  const Cell unknown{.value = {}, .shown = in_english("unknown")};
  const auto quantity = [&](const Row& row, auto value, std::string shown) {
    return row.work.known ? Cell{.value = value, .shown = verbatim(std::move(shown))} : unknown;
  };
  const std::vector<Column<Row>> columns{
      {{.id = "name", .title = in_english("unit")}, [&](const Row& row) { return text(row.unit.name); }},
      {{.id = "hint", .places = place::kJson}, [&](const Row& row) { return text(row.unit.hint); }},
      {{.id = "part", .title = in_english("part"), .kind = ColumnKind::kCount},
       [](const Row& row) { return part_cell(row.unit.part.index()); }},
      {{.id = "kind", .title = in_english("kind")},
       [&](const Row& row) { return list_cell(kinds(graph, row.unit), " + "); }},
      {{.id = "operators", .places = place::kJson},
       [](const Row& row) { return Cell{count_value(row.unit.operators.size())}; }},
      {{.id = "inputs", .places = place::kJson}, [](const Row&) { return Cell{}; }},  // units_json() lists them
      {{.id = "output", .title = in_english("output CxHxW")},
       [&](const Row& row) { return list_cell(output_shapes(graph, row.id), ", "); }},
      {{.id = "flops", .title = in_english("work"), .kind = ColumnKind::kNumber},
       [&](const Row& row) { return quantity(row, row.work.flops, flops_text(row.work.flops)); }},
      {{.id = "parameters", .title = in_english("parameters"), .kind = ColumnKind::kCount},
       [&](const Row& row) { return quantity(row, row.work.parameters, count_text(row.work.parameters)); }},
      {{.id = "bytes", .title = in_english("bytes"), .kind = ColumnKind::kCount},
       [&](const Row& row) { return quantity(row, row.work.bytes(), bytes_text(row.work.bytes())); }},
      {{.id = "reads", .title = in_english("reads"), .places = place::kText},
       [&](const Row& row) { return list_cell(names_read(graph, row.id), ", "); }}};
  return table_of(columns, rows);
}

// Returns the inputs of the network and the units that a unit reads, each once.
std::vector<std::string> sources_of(const Graph& graph, UnitId id) {
  std::vector<std::string> names;
  for (const OperatorId read : read_from(graph, id)) {
    const Operator& producer = graph.op(read);
    const std::string& name = producer.is_source() ? producer.name : graph.unit(producer.unit).name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// Returns null of a shape that is unknown.
Json output_json(const Operator& op) { return op.sized ? shape_json(op.output) : Json(); }

// Documents have lists of what a unit reads and of its output's sizes; with several outputs, of the last one's, and of
// all of them.
Json units_json(const Graph& graph, std::int64_t batch) {
  Json units = table_json(unit_list(graph, batch));
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u]["inputs"] = sources_of(graph, UnitId(u));
    units[u]["output"] = output_json(graph.op(graph.unit(UnitId(u)).output()));
    const std::vector<OperatorId> outputs = graph.outputs(UnitId(u));
    if (outputs.size() < 2) continue;
    for (const OperatorId op : outputs) {
      units[u]["outputs"].push_back({{"operator", graph.op(op).name}, {"output", output_json(graph.op(op))}});
    }
  }
  return units;
}

// "shape" is one sample's, "file_shape" is what the file's own runtime expects.
Json tensors_json(const std::vector<FileTensor>& tensors, const Graph& graph) {
  std::unordered_map<std::string_view, const Operator*> operators;
  for (const Operator& op : graph.operators()) operators.emplace(op.name, &op);
  Json json = Json::array();
  for (const FileTensor& tensor : tensors) {
    const auto op = operators.find(tensor.op);
    json.push_back({{"name", tensor.name},
                    {"shape", op == operators.end() ? Json(nullptr) : shape_json(op->second->output)},
                    {"type", tensor.type},
                    {"file_shape", tensor.shape()}});
  }
  return json;
}

// Lists what the file leaves open, and who said how large it is.
Json open_sizes_json(const FileInterface& file) {
  Json json = Json::array();
  for (const OpenDim& dim : file.open) {
    json.push_back({{"name", dim.name},
                    {"size", dim.size},
                    {"from", to_string(dim.origin)},
                    {"batch", dim.batch},
                    {"suggestions", dim.suggestions},
                    {"places", dim.places}});
  }
  return json;
}

Json graph_json(const Graph& graph, const Document& document, std::int64_t batch) {
  const FileInterface file = interface_of(document, batch);
  Json json{{"graph", graph.name()},
            {"batch", batch},
            {"inputs", tensors_json(file.inputs, graph)},
            {"outputs", tensors_json(file.outputs, graph)},
            {"open_sizes", open_sizes_json(file)}};
  json.update(work_json(total_work(graph, batch)));
  json["operators"] = graph.operators().size() - graph.inputs().size();
  json["parts"] = table_json(part_list(graph));
  json["units"] = units_json(graph, batch);
  if (document.schedule) {
    json["schedule"] = {{"name", document.schedule->schedule.name},
                        {"stages", document.schedule->schedule.stages.size()}};
  }
  return json;
}

std::string tensor_line(std::string_view what, const FileTensor& tensor) {
  return fmt::format("{:<6}  {}  {} {}\n", what, printable(tensor.name), sizes_text(tensor.shape()), tensor.type);
}

// Says where the shapes come from, as far as the file does not say.
std::string sizes_lines(const Document& document, const FileInterface& file, std::int64_t batch) {
  std::string text;
  for (const OpenDim* dim : file.deciding()) {
    text += fmt::format("open    {}  {}, {} ({})\n", printable(dim->name), dim->size,
                        dim->origin == SizeOrigin::kGiven ? "given" : "chosen",
                        printable(fmt::format("{}", fmt::join(dim->places, ", "))));
  }
  if (!file.deciding().empty()) text += fmt::format("        {} sets other sizes\n", printable(size_options(file)));
  if (document.file.inputs.empty()) return text;
  if (!file.leading_batch) {
    text += "batch   no separate axis: the shapes include all axes\n";
  } else if (!document.batched) {
    text += "batch   the leading axis; the network runs only with 1\n";
  } else {
    const bool open = std::ranges::any_of(file.open, &OpenDim::batch);
    text += fmt::format("batch   the leading axis, {}: {}\n",
                        open ? "open in the file" : fmt::format("{} in the file", document.batch), batch);
  }
  return text;
}

std::string summary_text(const Graph& graph, const Document& document, std::int64_t batch) {
  const Work total = total_work(graph, batch);
  std::string text = fmt::format("{}: {} operators in {} units, {} part{}, batch {}\n", printable(graph.name()),
                                 graph.operators().size() - graph.inputs().size(), graph.units().size(),
                                 graph.parts().size(), graph.parts().size() == 1 ? "" : "s", batch);
  const FileInterface file = interface_of(document, batch);
  for (const FileTensor& input : file.inputs) text += tensor_line("input", input);
  for (const FileTensor& output : file.outputs) text += tensor_line("output", output);
  text += sizes_lines(document, file, batch);
  text += total.known ? fmt::format("work    {}, {} parameters, {} moved\n", flops_text(total.flops),
                                    count_text(total.parameters), bytes_text(total.bytes()))
                      : std::string("work    unknown: the cost of an operator is unknown\n");
  if (document.schedule) {
    text += fmt::format("contains a schedule, {}, of {} stages\n", printable(document.schedule->schedule.name),
                        document.schedule->schedule.stages.size());
  }
  return text;
}

Result<MatchedColumn> column_of(const InspectArguments& options, const Graph& graph) {
  IOS_TRY(const auto table, read_value_table(options.values));
  IOS_TRY(const auto column, find_value_column(table, options.column, options.values));
  ColumnJoin join = join_of(table.columns[column].title);
  if (!options.join.empty()) {
    const auto named = std::ranges::find(kColumnJoins, std::string_view(options.join), join_name);
    if (named == kColumnJoins.end()) {
      return fail(message("is neither 'sum' nor 'largest'"), "--join", message("choose one of them"));
    }
    join = *named;
  }
  MatchedColumn made = column_of_units(table, column, join, match_names(table.names, graph), graph);
  made.column.file = options.values;
  if (made.tally.matched == 0) {
    return fail(tally_sentences(made.tally, options.values, graph).front(), options.values);
  }
  return made;
}

std::string values_text(const Graph& graph, const MatchedColumn& made) {
  std::string text = "\n";
  for (const Message& sentence : tally_sentences(made.tally, made.column.file, graph)) {
    text += printable(sentence.text()) + "\n";
  }
  const auto& values = made.column.values;
  const std::vector<Column<std::size_t>> columns{
      {{.id = "unit", .title = in_english("unit")},
       [&](std::size_t u) { return Cell{verbatim(graph.units()[u].name)}; }},
      {{.id = "value", .title = verbatim(made.column.title), .kind = ColumnKind::kNumber}, [&](std::size_t u) {
         if (!values[u]) return Cell{};
         return Cell{.value = *values[u], .shown = verbatim(fmt::format("{:.6g}", *values[u]))};
       }}};
  return text + "\n" + table_text(table_of(columns, numbers_to(values.size())));
}

Json values_json(const MatchedColumn& made) {
  Json values = Json::array();
  for (const auto& value : made.column.values) values.push_back(value ? Json(*value) : Json(nullptr));
  return Json{{"title", made.column.title},   {"file", made.column.file},      {"join", join_name(made.column.join)},
              {"names", made.tally.names},    {"matched", made.tally.matched}, {"unmatched", made.tally.unmatched},
              {"of_units", std::move(values)}};
}

Exit inspect(InspectArguments& options, Session& session) {
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  // Cut as optimize cuts it without further options.
  IOS_TRY(const Graph graph,
          prepare(*document.graph, SearchOptions{}, options.compare.max_part_size, kPartBudget, session.job()));
  if (session.job().stopped()) return fail(message("cancelled while the graph was cut into parts"), options.graph);
  std::optional<MatchedColumn> values;
  if (!options.values.empty()) {
    IOS_TRY(values, column_of(options, graph));
  }
  if (options.json) {
    Json json = graph_json(graph, document, options.compare.batch);
    if (values) json["values"] = values_json(*values);
    session.print(json);
  } else {
    session.print(summary_text(graph, document, options.compare.batch) + '\n' + table_text(part_list(graph)) + '\n' +
                  table_text(unit_list(graph, options.compare.batch)) +
                  (values ? values_text(graph, *values) : std::string()));
  }
  return kSuccess;
}

struct PartLine {
  std::optional<std::size_t> index;  // none of the sum
  PartCount count;
};

Table parts_table(const PartCounts& counted) {
  std::vector<PartLine> lines;
  PartLine sum;
  for (const PartCount& part : counted.parts) {
    lines.push_back({lines.size(), part});
    sum.count.space.states += part.space.states;
    sum.count.space.transitions += part.space.transitions;
    sum.count.space.stages += part.space.stages;
  }
  const auto number = [](const char* id, auto value_of) {
    return Column<PartLine>{{.id = id, .title = in_english(id), .kind = ColumnKind::kCount},
                            [value_of](const PartLine& line) { return Cell{count_value(value_of(line.count))}; }};
  };
  // The parts of such a column do not add up to the whole, so the sum is empty.
  const auto of_a_part = [](const char* id, auto value_of) {
    return Column<PartLine>{
        {.id = id, .title = in_english(id), .kind = ColumnKind::kCount},
        [value_of](const PartLine& line) { return line.index ? Cell{value_of(line.count)} : Cell{}; }};
  };
  const std::vector<Column<PartLine>> columns{
      {{.id = "index", .title = in_english("part"), .kind = ColumnKind::kCount},
       [](const PartLine& line) {
         if (!line.index) return Cell{.value = {}, .mark = in_english("sum")};
         return Cell{.value = count_value(*line.index), .shown = verbatim(std::to_string(*line.index + 1))};
       }},
      of_a_part("units", [](const PartCount& count) { return count_value(count.units); }),
      of_a_part("width", [](const PartCount& count) { return count_value(count.width); }),
      number("states", [](const PartCount& count) { return count.space.states; }),
      number("transitions", [](const PartCount& count) { return count.space.transitions; }),
      number("stages", [](const PartCount& count) { return count.space.stages; }),
      of_a_part("schedules", [](const PartCount& count) { return CellValue(verbatim(count.space.schedules)); })};
  return table_of(columns, lines, {sum});
}

Json counted_json(const PartCounts& counted, const Graph& graph, const NetworkArguments& options) {
  return Json{{"graph", graph.name()},
              {"ending_rule", word_of(options.compare.search.rule)},
              {"r", options.compare.search.pruning.r},
              {"s", options.compare.search.pruning.s},
              {"complete", counted.complete},
              {"parts", table_json(parts_table(counted))},
              {"seconds", counted.elapsed.count()}};
}

std::string counted_text(const PartCounts& counted, const Graph& graph, const NetworkArguments& options) {
  const auto limit = [](std::size_t n) { return n == 0 ? std::string("unlimited") : fmt::format("{}", n); };
  const SearchOptions& search = options.compare.search;
  return fmt::format("{}: search space, ending rule {}, r {}, s {}\n\n{}\n{:.3f} s\n", graph.name(),
                     word_of(search.rule), limit(search.pruning.r), limit(search.pruning.s),
                     table_text(parts_table(counted)), counted.elapsed.count());
}

Exit count_command(const NetworkArguments& options, Session& session) {
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
  const SearchOptions& search = options.compare.search;
  IOS_TRY(const Graph graph,  // cut as optimize cuts it
          prepare(*document.graph, search, options.compare.max_part_size, kPartBudget, session.job()));
  IOS_TRY(const auto counted, count_parts(graph, search, session.job()));
  if (options.json) {
    session.print(counted_json(counted, graph, options));
  } else {
    session.print(counted_text(counted, graph, options));
  }
  if (counted.complete) return kSuccess;
  session.note(fmt::format("count: cancelled after {} of {} parts", counted.parts.size(), graph.parts().size()));
  return kFailed;
}

}  // namespace

void add_inspect(Command& program) {
  Command command = program.add_command("inspect", "Show the shapes, work, parts and units of a network");
  const auto options = command.runs(inspect);
  add_graph(command, options->graph, options->opening);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kInspect);
  add_json(command, options->json);
  command.add_option("--values", options->values, "FILE",
                     "A table of values by node name, CSV or JSON. The command prints the value of each unit");
  command
      .add_option("--column", options->column, "TITLE",
                  "The column of the table, if the table has several columns of numbers")
      .needs("--values");
  command
      .add_option("--join", options->join, "sum|largest",
                  "Rule that computes the value of a unit from the values of its operators: sum, or largest (farthest "
                  "from zero). Default: the column's title decides")
      .needs("--values");
}

void add_count(Command& program) {
  Command command = program.add_command("count", "Count the states, transitions, stages and schedules of each part");
  const auto options = command.runs(count_command);
  add_graph(command, options->graph, options->opening);
  add_options(command, options->compare, use::kCount);
  add_json(command, options->json);
}

}  // namespace iosx::cli
