#include "app/gui/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/arguments.h"
#include "core/base/text.h"
#include "models/networks/zoo.h"
#include "models/open_graph.h"
#include "views/window/devices/listed_workers.h"

namespace iosx {
namespace {

// Quotes it as one word for a shell.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::optional<ExperimentKind> kind_of(std::string_view id) {
  for (const ExperimentRow& row : experiment_table()) {
    if (row.id == id) return row.kind;
  }
  return std::nullopt;
}

constexpr const char* kFirstNetwork = "inception_v3";  // its schedules differ a lot, and it is searched in a moment

bool is_built_in(const QString& source) {
  return std::ranges::any_of(zoo(),
                             [name = source.toStdString()](const ZooNetwork& each) { return each.name == name; });
}

// All networks in it.
bool is_there(const QString& source) {
  return std::ranges::all_of(names_of_networks(source.toStdString()), [](const std::string& name) {
    const QString each = QString::fromStdString(name);
    return is_built_in(each) || QFileInfo(each).isFile();
  });
}

bool can_be_used(const DeviceRegistry::Entry* entry) { return entry != nullptr && entry->unavailable.empty(); }

}  // namespace

std::string report_command(const std::string& program, const Arguments& arguments, const std::string& device) {
  std::string command = quoted(program);
  if (!arguments.graph.empty()) command += " " + quoted(arguments.graph);
  for (const auto& [name, shape] : arguments.sizes.shapes)
    command += " --shape " + quoted(name + "=" + sizes_text(shape));
  for (const auto& [name, size] : arguments.sizes.dims)
    command += " --dim " + quoted(name + "=" + std::to_string(size));
  if (arguments.batch) command += " --batch " + std::to_string(*arguments.batch);
  std::filesystem::path folder = *arguments.report;
  if (!folder.has_filename() && folder.has_parent_path()) folder = folder.parent_path();  // "report/"
  if (arguments.store && !arguments.store->kept) command += " --no-store";
  if (arguments.store && arguments.store->kept) command += " --store " + quoted(arguments.store->file.string());
  if (arguments.paper) {
    command += fmt::format(" --figure-width {:g}mm --figure-font {:g} --figure-dpi {}", arguments.paper->width_mm,
                           arguments.paper->font_points, arguments.paper->png_dpi);
  }
  return command + " --device " + device + " --report " + quoted(folder.string() + "-" + device);
}

std::variant<Arguments, int> parse_arguments(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Arguments arguments;
  std::string report;
  std::string experiment;
  std::string store;
  std::string language;
  std::string width;
  std::vector<std::string> shapes;
  std::vector<std::string> dims;
  bool no_store = false;
  CLI::App app{"Search, compare and export schedules of convolutional networks.", "ios-explorer"};
  app.add_option("GRAPH", arguments.graph,
                 "A built-in network (see iosx networks), a network file, a saved run or a recording. Networks joined "
                 "by a plus run together. "
                 "Default: the last open network, and for a report sample");
  app.add_option("--device", arguments.device,
                 "Device id (see iosx devices). Default: the simulated V100, and for a report a GPU if available");
  app.add_option("--batch", arguments.batch, "Batch size")->check(CLI::Range(std::int64_t{1}, kMaxBatch));
  app.add_option(
         "--shape", shapes,
         "Shape of an input that an ONNX model leaves open, with the batch. Repeat the option for several inputs")
      ->allow_extra_args(false)
      ->option_text("INPUT=1x3x640x640");
  app.add_option("--dim", dims,
                 "Size of a dimension that an ONNX model leaves open. Repeat the option for several dimensions")
      ->allow_extra_args(false)
      ->option_text("NAME=640");
  app.add_option("--with", arguments.with,
                 "An execution trace of the same run as the recording GRAPH, or a drawing of its CUDA graph (DOT). "
                 "Repeat the option for several files")
      ->allow_extra_args(false)
      ->option_text("FILE");
  const auto* report_option =
      app.add_option("--report", report,
                     "Open no window. Compare, or read a saved run, and write tables and figures to this folder")
          ->option_text("DIR");
  std::string kinds;
  for (const ExperimentRow& row : experiment_table()) kinds += (kinds.empty() ? "" : "|") + std::string(row.id);
  app.add_option("--experiment", experiment,
                 "With --report, run this experiment of the paper, as the Experiments menu does (iosx experiment has "
                 "more options)")
      ->option_text(kinds)
      ->check(CLI::Validator([&kinds](std::string& id) { return kind_of(id) ? "" : "choose one of " + kinds; }, ""));
  auto* const width_option =
      app.add_option("--figure-width", width,
                     "With --report, draw the figures for a column of this width: 84mm, 3.3in, single (84 mm) or "
                     "double (174 mm). Text has at least 6 pt")
          ->option_text("WIDTH");
  PaperFormat paper;
  auto* const font_option =
      app.add_option("--figure-font", paper.font_points, "Text size in these figures, in points")->option_text("PT=8");
  auto* const dpi_option =
      app.add_option("--figure-dpi", paper.png_dpi, "Resolution of these figures as PNG, in dots per inch")
          ->option_text("N=300");
  CLI::Option* const store_option =
      app.add_option("--store", store,
                     "Read and keep measurements in this file. Default: the file that the Schedule menu names, and "
                     "with --report measurements.db in the folder ios-explorer of your data folder. Simulated "
                     "latencies are not kept")
          ->option_text("FILE");
  app.add_flag("--no-store", no_store, "Measure everything again and keep no measurements")->excludes(store_option);
  app.add_option(
         "--language", language,
         "Language of the window for this start, and with --report of the figures. Default: as in the View menu, "
         "and for a report English")
      ->option_text("system|en|zh_CN")
      ->check(CLI::Validator(
          [](std::string& id) { return language_of(QString::fromStdString(id)) ? "" : "choose system, en or zh_CN"; },
          ""));
  app.set_version_flag("--version", "ios-explorer " IOSX_VERSION);
  const auto wrong = [&err](const std::string& what) {
    err << "ios-explorer: " << printable(what) << '\n';
    return 2;
  };
  constexpr const char* kHelp = " (see ios-explorer --help)";
  if (const auto empty = check_no_empty_values({argv, static_cast<std::size_t>(argc)}); !empty) {
    return wrong(empty.error().text());
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wish) {
    app.exit(wish, out, err);
    return 0;
  } catch (const CLI::ParseError& mistake) {
    return wrong(std::string(mistake.what()) + kHelp);
  }
  Result<void> taken;
  for (std::size_t i = 0; taken && i < shapes.size(); ++i) taken = add_shape(arguments.sizes, shapes[i]);
  for (std::size_t i = 0; taken && i < dims.size(); ++i) taken = add_dim(arguments.sizes, dims[i]);
  if (!taken) return wrong(taken.error().text());
  if (no_store || !store.empty()) arguments.store = StorePlace{.kept = !no_store, .file = store};
  if (report_option->count() > 0) arguments.report = report;
  if (width_option->count() + font_option->count() + dpi_option->count() > 0) {
    if (!arguments.report) {
      return wrong(std::string("--figure-width, --figure-font and --figure-dpi need --report") + kHelp);
    }
    const Result<double> mm = width.empty() ? paper.width_mm : parse_paper_width(QString::fromStdString(width));
    if (mm) paper.width_mm = *mm;
    if (const Result<void> valid = mm ? check(paper) : tl::unexpected(mm.error()); !valid) {
      return wrong(valid.error().text());
    }
    arguments.paper = paper;
  }
  arguments.language = language_of(QString::fromStdString(language));
  arguments.experiment = kind_of(experiment);
  if (arguments.experiment && !arguments.report) return wrong(std::string("--experiment needs --report") + kHelp);
  return arguments;
}

StartPlan plan_start(const Arguments& arguments, const Settings& settings, const DeviceRegistry& devices) {
  const bool nothing_said = arguments.graph.empty() && arguments.device.empty() && !arguments.batch;
  const auto last = nothing_said ? settings.lastStart() : std::nullopt;
  StartPlan plan;
  plan.batch = arguments.batch.value_or(last ? last->batch : 1);
  if (last) plan.strategies = last->strategies;
  if (last) plan.pruning = last->pruning;
  plan.device = arguments.device;
  if (last && can_be_used(devices.find(last->device))) plan.device = last->device;
  if (plan.device.empty()) plan.device = device_to_begin_with(devices);
  plan.hints = nothing_said && !settings.firstMinuteDone();
  if (nothing_said && !plan.hints) return plan;
  plan.source = QString::fromStdString(arguments.graph);
  if (last && is_there(last->source)) plan.source = last->source;
  if (plan.source.isEmpty()) plan.source = QString::fromLatin1(kFirstNetwork);
  return plan;
}

}  // namespace iosx
