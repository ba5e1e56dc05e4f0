#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/printable.h"
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

Exit list_networks(Session& session, bool json) {
  Json list = Json::array();
  std::string text;
  std::size_t name_width = 0;
  std::size_t title_width = 0;
  for (const ZooNetwork& network : zoo()) {
    name_width = std::max(name_width, network.name.size());
    title_width = std::max(title_width, network.title.size());
  }
  std::optional<ZooGroup> group;
  for (const ZooNetwork& network : zoo()) {
    if (group != network.group) {
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", zoo_group_title(network.group));
    }
    group = network.group;
    const Graph graph = network.build();
    list.push_back({{"name", network.name},
                    {"title", network.title},
                    {"summary", network.summary},
                    {"group", zoo_group_title(network.group)},
                    {"units", graph.units().size()},
                    {"parts", graph.parts().size()}});
    text += fmt::format("  {:<{}} {:<{}} {:>4} units  {}\n", network.name, name_width, network.title, title_width,
                        graph.units().size(), network.summary);
  }
  show(session, json, "networks", std::move(list), text);
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
