#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/quantity.h"
#include "core/base/json/text_file.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/store/measurement_store.h"
#include "core/devices/store/transfer.h"
#include "core/documents/report/output_file.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxDays = 100'000;

struct StoreArguments {
  StoreFlags store;
  MeasurementFilter selection;
  std::int64_t older_than_days = -1;
  std::string file;  // read from or written to
  bool dry_run = false;
  bool json = false;
};

Result<std::filesystem::path> file_of(const StoreFlags& flags) { return StorePlace{.file = flags.file}.path(); }

// Returns null if nothing was ever kept where measurements are kept unless said otherwise.
Result<std::unique_ptr<MeasurementStore>> open_to_read(const StoreFlags& flags) {
  IOS_TRY(const auto file, file_of(flags));
  std::error_code error;
  if (flags.file.empty() && !std::filesystem::exists(file, error) && !error) return nullptr;
  return MeasurementStore::open(file, MeasurementStore::Access::kReadOnly);
}

Result<std::unique_ptr<MeasurementStore>> open_to_write(const StoreFlags& flags) {
  IOS_TRY(const auto file, file_of(flags));
  return MeasurementStore::open(file);
}

Result<StoreInfo> info_of(const StoreFlags& flags) {
  IOS_TRY(auto store, open_to_read(flags));
  if (store != nullptr) return store->info();
  StoreInfo empty;
  empty.file = file_of(flags).value_or("");
  return empty;
}

Table sets_table(const std::vector<SetInfo>& sets) {
  using Row = SetInfo;
  const auto text = [](std::string_view words) { return Cell{verbatim(std::string(words))}; };
  const std::vector<Column<Row>> columns{
      {{.id = "device", .title = in_english("device")}, [&](const Row& row) { return text(row.set.device_id); }},
      {{.id = "name", .places = place::kJson}, [&](const Row& row) { return text(row.set.device_name); }},
      {{.id = "origin", .title = in_english("origin")},
       [&](const Row& row) { return text(origin_name(row.set.origin)); }},
      {{.id = "fingerprint", .places = place::kJson}, [&](const Row& row) { return text(row.set.fingerprint); }},
      {{.id = "batch", .title = in_english("batch"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.set.batch)}; }},
      {{.id = "precision", .title = in_english("precision")}, [&](const Row& row) { return text(row.set.precision); }},
      {{.id = "measurements", .title = in_english("measurements"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.measurements)}; }},
      {{.id = "first", .title = in_english("first")}, [&](const Row& row) { return text(date_text(row.first)); }},
      {{.id = "last", .title = in_english("last")}, [&](const Row& row) { return text(date_text(row.last)); }},
      {{.id = "programs", .title = in_english("fingerprint (program)")}, [&](const Row& row) {
         return text(fmt::format("{} ({})", row.set.fingerprint, fmt::join(row.programs, ", ")));
       }}};
  return table_of(columns, sets);
}

Exit show_info(const StoreArguments& options, Session& session) {
  IOS_TRY(const auto info, info_of(options.store));
  std::set<std::string> devices;
  Date first = Date::max();
  Date last = Date::min();
  for (const SetInfo& set : info.sets) {
    devices.insert(set.set.fingerprint);
    first = std::min(first, set.first);
    last = std::max(last, set.last);
  }
  const bool any = info.measurements > 0;
  if (options.json) {
    session.print(Json{{"file", info.file.string()},
                       {"exists", info.form > 0},
                       {"form", info.form},
                       {"bytes", info.bytes},
                       {"measurements", info.measurements},
                       {"methods", info.methods},
                       {"devices", devices.size()},
                       {"sets", info.sets.size()},
                       {"first", any ? Json(date_text(first)) : Json(nullptr)},
                       {"last", any ? Json(date_text(last)) : Json(nullptr)}});
    return kSuccess;
  }
  std::string text = fmt::format("file          {}\n", info.file.string());
  if (info.form == 0) return session.print(text + "the store contains no measurements yet\n"), kSuccess;
  text += fmt::format("size          {}\nmeasurements  {}\ndevices       {}\nsets          {}\n",
                      bytes_text(static_cast<std::int64_t>(info.bytes)), info.measurements, devices.size(),
                      info.sets.size());
  if (info.methods > 0) text += fmt::format("methods       {} of the CPU device\n", info.methods);
  if (any) text += fmt::format("first         {}\nlast          {}\n", date_text(first), date_text(last));
  session.print(text);
  return kSuccess;
}

Exit list_sets(const StoreArguments& options, Session& session) {
  IOS_TRY(const auto info, info_of(options.store));
  const Table table = sets_table(info.sets);
  if (options.json) {
    Json sets = table_json(table);
    for (std::size_t i = 0; i < sets.size(); ++i) sets[i]["programs"] = info.sets[i].programs;  // documents have a list
    session.print(Json{{"sets", std::move(sets)}});
    return kSuccess;
  }
  if (info.sets.empty())
    return session.print(fmt::format("{} contains no measurements\n", info.file.string())), kSuccess;
  session.print(table_text(table));
  return kSuccess;
}

// Says whether a selection names what is there or is misspelt; an age and a batch need not be there.
bool names_something(const MeasurementFilter& selection) {
  return !selection.device.empty() || !selection.precision.empty() || !selection.program.empty();
}
Error no_match(const std::string& file) {
  return {message("has no measurements that match"), file, message("iosx store list shows all measurements")};
}

Exit export_store(const StoreArguments& options, Session& session) {
  if (options.json && options.file.empty()) {
    return wrong_usage(message("the measurements are already JSON lines"), "--json",
                       message("add -o FILE, or remove --json"));
  }
  const bool to_file = !options.file.empty() && (options.file != kStandardOutput || options.json);
  if (to_file) {
    IOS_TRY(check_writable(options.file));
  }
  IOS_TRY(auto store, open_to_read(options.store));
  if (store == nullptr) {
    return fail(message("contains no measurements yet"), file_of(options.store).value_or("").string(),
                message("name another file with --store"));
  }
  if (names_something(options.selection)) {
    IOS_TRY(const auto matching, store->count(options.selection));
    if (matching == 0) return session.fail(no_match(store->file().string()));
  }
  std::string text;
  const auto count = export_measurements(*store, options.selection, [&](std::string_view lines) -> Result<void> {
    if (!to_file) {
      session.print_document(lines);
    } else {
      text += lines;
    }
    return {};
  });
  if (!count) return session.fail(count.error());
  if (!to_file) return kSuccess;
  IOS_TRY(write_file(options.file, text));
  if (options.json) {
    session.print(Json{{"output", options.file}, {"measurements", *count}});
  } else {
    session.print(fmt::format("wrote {}: {} measurements\n", options.file, *count));
  }
  return kSuccess;
}

Exit show_taken(const StoreArguments& options, Session& session, MeasurementStore& store, const Result<Taken>& taken) {
  for (const Message& notice : store.take_notices()) session.note(notice);
  if (!taken) return session.fail(taken.error());
  if (options.json) {
    session.print(Json{{"input", options.file},
                       {"store", store.file().string()},
                       {"measurements", taken->seen},
                       {"taken", taken->taken}});
  } else {
    session.print(fmt::format("imported {} of {} measurements from {} into {}; the others were already known\n",
                              taken->taken, taken->seen, options.file, store.file().string()));
  }
  return kSuccess;
}

Exit import_into_store(const StoreArguments& options, Session& session) {
  IOS_TRY(const auto text, read_text_file(options.file));
  IOS_TRY(const auto sets, parse_measurements(text, options.file));  // before a store is made that would stay empty
  IOS_TRY(auto store, open_to_write(options.store));
  return show_taken(options, session, *store, import_measurements(*store, sets));
}

Exit merge_into_store(const StoreArguments& options, Session& session) {
  // Before a store is made that would stay empty.
  IOS_TRY(MeasurementStore::open(options.file, MeasurementStore::Access::kSnapshot));
  IOS_TRY(auto store, open_to_write(options.store));
  return show_taken(options, session, *store, store->merge(options.file));
}

Exit prune_store(const StoreArguments& options, Session& session) {
  MeasurementFilter selection = options.selection;
  if (options.older_than_days >= 0) selection.before = date_now() - std::chrono::days{options.older_than_days};
  if (selection.everything()) {
    return wrong_usage(message("no option selects measurements"), "store prune",
                       message("give --device, --batch, --precision, --program or --older-than; to remove all "
                               "measurements, delete the file"));
  }
  auto store = open_to_read(options.store);  // a store that is not there is not made for this
  if (store && *store != nullptr && !options.dry_run) store = open_to_write(options.store);
  if (!store) return session.fail(store.error());
  const auto removed = *store == nullptr ? Result<std::int64_t>(0)
                       : options.dry_run ? (*store)->count(selection)
                                         : (*store)->prune(selection);
  if (*store != nullptr) {
    for (const Message& notice : (*store)->take_notices()) session.note(notice);
  }
  if (!removed) return session.fail(removed.error());
  const std::string file = file_of(options.store).value_or("").string();
  if (options.json) {
    session.print(Json{{"store", file}, {"removed", options.dry_run ? 0 : *removed}, {"matching", *removed}});
  } else {
    session.print(
        fmt::format("{} {} measurements from {}\n", options.dry_run ? "would remove" : "removed", *removed, file));
  }
  return *removed > 0 || !names_something(selection) ? Exit(kSuccess) : session.fail(no_match(file));
}

void add_selection(Command& command, MeasurementFilter& selection) {
  command.add_option("--device", selection.device, "ID|FINGERPRINT",
                     "Only measurements on this device: its id or fingerprint (see iosx store list)");
  command.add_option("--batch", selection.batch, "N", "Only measurements with this batch size")
      .check(check_of({&info_of(&CompareOptions::batch), OptionKind::kWhole, {}, {}}));
  command.add_option("--precision", selection.precision, "NAME", "Only measurements with this precision");
  command.add_option("--program", selection.program, "VERSION", "Only measurements by this version of the program");
}

using Declare = void (*)(Command& command, StoreArguments& options);

void add_command(Command& store, const std::string& name, const std::string& help, Declare declare,
                 Exit (*run)(const StoreArguments&, Session&)) {
  Command command = store.add_command(name, help);
  auto options = std::make_shared<StoreArguments>();
  declare(command, *options);
  add_store_file(command, options->store);
  add_json(command, options->json);
  command.runs([options, run](Session& session) { return run(*options, session); });
}

}  // namespace

void add_store_commands(Command& program) {
  Command store = program.add_command("store", "Manage the measurements that are kept from run to run");
  const auto nothing = [](Command&, StoreArguments&) {};
  add_command(store, "info", "Show the file, size and contents of the store", nothing, show_info);
  add_command(store, "list", "List the measurements by device, precision and batch size", nothing, list_sets);
  add_command(
      store, "export", "Write measurements as text, one JSON object per line",
      [](Command& command, StoreArguments& options) {
        command.add_option("-o,--output", options.file, "FILE", "The file to write. Default: standard output");
        add_selection(command, options.selection);
      },
      export_store);
  add_command(
      store, "import", "Import exported measurements that are new or newer",
      [](Command& command, StoreArguments& options) {
        command.add_option("FILE", options.file, "FILE", "A file that iosx store export wrote").required();
      },
      import_into_store);
  add_command(
      store, "merge", "Import new or newer measurements from another store",
      [](Command& command, StoreArguments& options) {
        command.add_option("FILE", options.file, "FILE", "The other store").required();
      },
      merge_into_store);
  add_command(
      store, "prune", "Remove measurements permanently",
      [](Command& command, StoreArguments& options) {
        add_selection(command, options.selection);
        command
            .add_option("--older-than", options.older_than_days, "DAYS",
                        "Only measurements older than this number of days")
            .check(whole_number(0, kMaxDays, "a number of days"));
        command.add_flag("--dry-run", options.dry_run, "Only count the measurements that would be removed");
      },
      prune_store);
}

}  // namespace iosx::cli
