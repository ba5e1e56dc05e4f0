#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/printable.h"
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

Exit list_devices(Session& session, bool json) {
  const auto workers = ask_listed(session);
  Json list = Json::array();
  std::string text;
  std::size_t id_width = 0;
  std::size_t name_width = 0;
  for (const DeviceRegistry::Entry* const entry : session.devices().entries()) {
    id_width = std::max(id_width, entry->info.id.size());
    name_width = std::max(name_width, entry->info.name.size());
  }
  for (const DeviceRegistry::Entry* const entry : session.devices().entries()) {
    const bool available = entry->unavailable.empty();
    list.push_back({{"id", entry->info.id},
                    {"name", entry->info.name},
                    {"summary", entry->info.summary},
                    {"origin", origin_name(entry->info.origin)},
                    {"precision", entry->info.precision},
                    {"fingerprint", entry->info.fingerprint},
                    {"available", available},
                    {"default", entry == session.devices().best()}});
    if (!entry->info.grade.empty()) list.back()["grade"] = entry->info.grade.text();
    if (!available) list.back()["unavailable"] = entry->unavailable.text();
    std::string what = available ? entry->info.summary : "not available: " + entry->unavailable.text();
    if (!entry->info.grade.empty()) what += "; " + entry->info.grade.text();
    text += fmt::format("{:<{}} {:<{}} {:<10} {}\n", entry->info.id, id_width, entry->info.name, name_width,
                        origin_name(entry->info.origin), what);
    for (const WorkerAnswer& each : workers) {
      if (each.device != entry->info.id) continue;
      text += answer_text(each);
      list.back()["workers"].push_back(answer_json(each));
    }
  }
  if (const DeviceRegistry::Entry* best = session.devices().best(); best != nullptr) {
    text += fmt::format("\nwithout --device: {}\n", best->info.id);
  }
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
  std::istringstream lines(table_text(table));  // a head, then a line a network
  std::string line;
  std::getline(lines, line);
  std::string text = "  " + line + '\n';
  std::optional<ZooGroup> group;
  for (const ZooNetwork& network : zoo()) {
    if (group != network.group) text += fmt::format("\n{}\n", zoo_group_title(network.group));
    group = network.group;
    std::getline(lines, line);
    text += "  " + line + '\n';
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
