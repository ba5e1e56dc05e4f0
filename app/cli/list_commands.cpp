#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/text.h"
#include "core/tables/render.h"
#include "core/workers/worker_list.h"
#include "models/networks/zoo.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

void show(Session& session, bool json, const char* key, Json list, const std::string& text) {
  if (!json) return session.print(text);
  Json document;
  document[key] = std::move(list);
  session.print(document);
}

constexpr Seconds kPatience{10};

std::vector<WorkerAnswer> ask_listed(Session& session) {
  const auto file = worker_list_file();
  auto list = file ? read_worker_list(*file) : WorkerList();
  if (!list) return {};  // it was said already
  auto answers = ask_workers(*list, kPatience, session.job());
  list = file ? read_worker_list(*file) : WorkerList();  // others may have changed it meanwhile
  if (list && take_answers(*list, answers)) {
    if (const auto kept = write_worker_list(*file, *list); !kept) session.note(kept.error().line());
  }
  return answers;
}

std::string answer_text(const WorkerAnswer& asked) {
  const std::string command = printable(asked.command.command);
  const std::string times = asked.command.count > 1 ? fmt::format("{} x ", asked.command.count) : "";
  if (!asked.hello) return fmt::format("    {}{}: failed: {}\n", times, command, asked.hello.error().what.text());
  const wire::Hello& hello = *asked.hello;
  return fmt::format("    {}{}: {}, {} cores, load {:.1f}, IOS Explorer {}\n", times, command, printable(hello.host),
                     hello.cores, hello.load, printable(hello.program));
}

Json answer_json(const WorkerAnswer& asked) {
  Json row{{"command", asked.command.command}, {"count", asked.command.count}, {"answers", asked.hello.has_value()}};
  if (!asked.hello) {
    row["error"] = asked.hello.error().line();
    return row;
  }
  row["host"] = asked.hello->host;
  row["cores"] = asked.hello->cores;
  row["load"] = asked.hello->load;
  row["program"] = asked.hello->program;
  return row;
}

using Devices = std::vector<const DeviceRegistry::Entry*>;

Table devices_table(const Devices& devices, const DeviceRegistry::Entry* best) {
  using Row = const DeviceRegistry::Entry*;
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  const std::vector<Column<Row>> columns{
      {{.id = "id", .title = in_english("id")}, [&](Row row) { return text(row->info.id); }},
      {{.id = "name", .title = in_english("name")}, [&](Row row) { return text(row->info.name); }},
      {{.id = "summary", .places = place::kJson}, [&](Row row) { return text(row->info.summary); }},
      {{.id = "origin", .title = in_english("origin")}, [&](Row row) { return text(origin_name(row->info.origin)); }},
      {{.id = "precision", .places = place::kJson}, [&](Row row) { return text(row->info.precision); }},
      {{.id = "fingerprint", .places = place::kJson}, [&](Row row) { return text(row->info.fingerprint); }},
      {{.id = "available", .places = place::kJson}, [](Row row) { return Cell{row->unavailable.empty()}; }},
      {{.id = "default", .places = place::kJson}, [&](Row row) { return Cell{row == best}; }},
      {{.id = "what", .title = in_english("summary"), .places = place::kText}, [&](Row row) {
         const bool available = row->unavailable.empty();
         const std::string what = available ? row->info.summary : "not available: " + row->unavailable.text();
         return text(row->info.grade.empty() ? what : what + "; " + row->info.grade.text());
       }}};
  return table_of(columns, devices);
}

// Returns the lines of a table's text: a head, then a line a row.
std::vector<std::string> lines_of(const Table& table) {
  std::istringstream text(table_text(table));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line + '\n');
  return lines;
}

Exit list_devices(Session& session, bool json) {
  const auto workers = ask_listed(session);
  const Devices devices = session.devices().entries();
  const DeviceRegistry::Entry* const best = session.devices().best();
  const Table table = devices_table(devices, best);
  Json list = table_json(table);
  const std::vector<std::string> lines = lines_of(table);
  std::string text = lines.front();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& info = devices[i]->info;
    if (!info.grade.empty()) list[i]["grade"] = info.grade.text();
    if (!devices[i]->unavailable.empty()) list[i]["unavailable"] = devices[i]->unavailable.text();
    text += lines[i + 1];
    for (const WorkerAnswer& each : workers) {
      if (each.device != info.id) continue;
      text += answer_text(each);
      list[i]["workers"].push_back(answer_json(each));
    }
  }
  if (best != nullptr) text += fmt::format("\nwithout --device: {}\n", best->info.id);
  show(session, json, "devices", std::move(list), text);
  return kSuccess;
}

Table networks_table() {
  using Row = ZooNetwork;
  struct Built {
    const Row& network;
    Graph graph;
  };
  std::vector<Built> rows;
  for (const Row& network : zoo()) rows.push_back({network, network.build()});
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  const std::vector<Column<Built>> columns{
      {{.id = "name", .title = in_english("name")}, [&](const Built& row) { return text(row.network.name); }},
      {{.id = "title", .title = in_english("title")}, [&](const Built& row) { return text(row.network.title); }},
      {{.id = "summary", .title = in_english("summary")}, [&](const Built& row) { return text(row.network.summary); }},
      {{.id = "group", .places = place::kDocuments},
       [&](const Built& row) { return text(zoo_group_title(row.network.group)); }},
      {{.id = "units", .title = in_english("units"), .kind = ColumnKind::kCount},
       [](const Built& row) { return Cell{count_value(row.graph.units().size())}; }},
      {{.id = "parts", .title = in_english("parts"), .kind = ColumnKind::kCount},
       [](const Built& row) { return Cell{count_value(row.graph.parts().size())}; }}};
  return table_of(columns, rows);
}

Exit list_networks(Session& session, bool json) {
  const Table table = networks_table();
  const std::vector<std::string> lines = lines_of(table);
  std::string text = "  " + lines.front();
  std::optional<ZooGroup> group;
  for (std::size_t i = 0; i < zoo().size(); ++i) {
    if (group != zoo()[i].group) text += fmt::format("\n{}\n", zoo_group_title(zoo()[i].group));
    group = zoo()[i].group;
    text += "  " + lines[i + 1];
  }
  show(session, json, "networks", table_json(table), text);
  return kSuccess;
}

void add_list(Command& program, const std::string& name, const std::string& help, Exit (*list)(Session&, bool)) {
  Command command = program.add_command(name, help);
  auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  command.runs([json, list](Session& session) { return list(session, *json); });
}

}  // namespace

void add_list_commands(Command& program) {
  add_list(program, "devices", "List the devices", list_devices);
  add_list(program, "networks", "List the built-in networks", list_networks);
}

}  // namespace iosx::cli
